/* export: games of a store as PGN, one after another.
 *
 * Layer: games. Reads the store itself, also one that is read only, while others write it: each game is as it was at
 * its turn. Keeps no game: memory is that of the largest one. Threads: the caller's. A game that was removed between
 * the list and its turn is left out. */
#pragma once

#include "games/games.h"

struct export_settings {
    void (*write)(void *context, const char *bytes, size_t length); /* a whole game */
    void *context;                                                  /* of both */
    /* Asked before each game; NULL, or false: go on. */
    bool (*stops)(void *context);
};

enum export_status {
    EXPORT_DONE = 0,
    EXPORT_STOPPED,
    EXPORT_NOT_FOUND, /* export_game only: there is no game of that id */
    EXPORT_DAMAGED,   /* the log of a game does not add up */
    EXPORT_FAILED,    /* the store cannot be read, or memory is out */
};

struct export_progress {
    uint64_t games; /* written whole */
    /* Of the one that was begun and has a fault; "" where none has: it was stopped, or the list of all games cannot be
     * read. */
    char id[GAME_ID_SIZE];
};

/* The game, and an empty line behind it. */
enum export_status export_game(struct storage *storage, const char *id,
                               const struct export_settings *settings, struct export_progress *progress);
/* All games, whoever may see them, in order of creation. `progress` is kept up during the calls of `write`. */
enum export_status export_all(struct storage *storage, const struct export_settings *settings,
                              struct export_progress *progress);
