#include "bench/load_games.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned count_words(const char *text)
{
    unsigned words = *text != '\0';
    for (; *text; text++)
        words += *text == ' ';
    return words;
}

static bool read_game(struct bench_game *game, char *line)
{
    char *tab = strchr(line, '\t');
    if (!tab)
        return false;
    *tab = '\0';
    tab[1 + strcspn(tab + 1, "\n")] = '\0';
    game->plies = count_words(line);
    game->moves = calloc(game->plies ? game->plies : 1, sizeof *game->moves);
    game->fen = strdup(tab + 1);
    if (!game->moves || !game->fen)
        return false;
    char *rest = NULL;
    char *word = strtok_r(line, " ", &rest);
    for (unsigned i = 0; i < game->plies && word; i++) {
        (void)snprintf(game->moves[i], GAMES_UCI_SIZE, "%s", word);
        word = strtok_r(NULL, " ", &rest);
    }
    return game->plies > 0;
}

static bool add_game(struct bench_games *games, char *line)
{
    struct bench_game *all = realloc(games->all, (games->count + 1) * sizeof *all);
    if (!all)
        return false;
    games->all = all;
    return read_game(&games->all[games->count++], line);
}

bool bench_games_read(struct bench_games *games, const char *path)
{
    char *line = NULL;
    size_t size = 0;
    *games = (struct bench_games){0};
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)fprintf(stderr, "load: %s: %s\n", path, strerror(errno));
        return false;
    }
    bool is_good = true;
    while (is_good && getline(&line, &size, file) > 0)
        is_good = add_game(games, line);
    free(line);
    (void)fclose(file);
    if (!is_good || games->count == 0)
        (void)fprintf(stderr, "load: %s: a line a game, moves in UCI, a TAB and a FEN\n", path);
    return is_good && games->count > 0;
}

bool bench_games_same_position(const char *fen, const char *other, size_t other_length)
{
    size_t placement = strcspn(fen, " ");
    size_t fields = placement + 1 + strcspn(fen + placement + 1, " ");
    return other_length >= fields && memcmp(fen, other, fields) == 0;
}
