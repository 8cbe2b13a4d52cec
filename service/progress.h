/* progress: one line on a terminal that tells how far a command has come, written anew in its place.
 *
 * Layer: service. Threads: one. Nothing is written where stderr is no terminal. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown;           /* stderr is a terminal */
    uint64_t total_bytes; /* 0: not known */
    uint64_t total_games; /* likewise */
    int64_t begun_ms, told_ms;
    bool is_there; /* the line stands on the terminal */
};

void progress_begin(struct progress *progress, uint64_t total_bytes, uint64_t total_games);
/* Some times a second at most. */
void progress_tell(struct progress *progress, uint64_t games, uint64_t bytes);
/* Takes the line away, before other lines are written. */
void progress_clear(struct progress *progress);
/* Since the beginning; above 0. */
double progress_seconds(const struct progress *progress);
