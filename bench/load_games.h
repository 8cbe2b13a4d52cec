/* load_games: the games that are played, out of the file that bench/games.c makes. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { GAMES_UCI_SIZE = 6 };

struct bench_game {
    char (*moves)[GAMES_UCI_SIZE];
    unsigned plies;
    char *fen; /* after the last move */
};

struct bench_games {
    struct bench_game *all;
    size_t count;
};

/* False: it has told on stderr why not. What is read lives as long as the program. */
bool bench_games_read(struct bench_games *games, const char *path);

/* Whether two FENs agree in placement and side to move: the fields that every server writes alike. */
bool bench_games_same_position(const char *fen, const char *other, size_t other_length);
