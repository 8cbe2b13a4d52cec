/* check: games of a store rebuilt from their log by the rules, and held against what the store says of them.
 *
 *     struct check_handler handler = {.context = …, .finding = …, .goes_on = …};
 *     status = check_games(storage, &handler, &progress);
 *
 * Layer: games. Reads the store itself, also one that is damaged, while others write it: each game is seen in one
 * snapshot, so that one which changes meanwhile is no finding. Keeps no game: memory is that of the largest one. Threads:
 * the caller's. The database itself is storage_inspect's part. */
#pragma once

#include "games/games.h"

/* What can be found, by its word:
 *   game           rows of games cannot be read, or the row of one and its log not
 *   id             of a row of games is none that a game can have
 *   log            of a game does not hang together from its head down
 *   <a column>     one of a row, of the log or of `games`, does not follow from the rows before, or makes no sense at all;
 *                  then the game is damaged, and what lies behind is not looked at
 *   san            of a move does not fit the move
 *   spent_ms       a move took another time than has passed between its row and the one at which it began
 *   white_ms, black_ms  a clock shows after a move what it cannot show
 *   moves          the store finds other moves in force than those of the log
 *   status, result, termination, ended_at, watched  of the row of the game are not what its log says
 */
struct check_handler {
    void *context;
    void (*finding)(void *context, const struct storage_finding *finding);
    /* Asked before each game; false: stop. */
    bool (*goes_on)(void *context);
    metadata_reader *read_metadata; /* as in games_settings */
};

struct check_progress {
    uint64_t games;   /* looked at */
    uint64_t rows;    /* of their logs */
    uint64_t damaged; /* games with findings */
};

enum check_status {
    CHECK_DONE = 0, /* whatever was found */
    CHECK_STOPPED,
    CHECK_FAILED, /* the store is busy, or memory is out */
};

/* `progress` begins zeroed, and is kept up during the calls of the handler. */
enum check_status check_games(struct storage *storage, const struct check_handler *handler,
                              struct check_progress *progress);
