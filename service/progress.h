/* progress: how far a command has come, on stderr: on a terminal one line, written anew in its place; else a line every
 * ten seconds. SIGUSR1 brings a line of its own at once.
 *
 * Layer: service. Threads: one, which has SIGUSR1 blocked (interrupt_begin). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct progress {
    bool shown;           /* stderr is a terminal */
    const char *what;     /* NULL: games are counted */
    uint64_t total_bytes; /* 0: not known */
    uint64_t total_games; /* likewise */
    int64_t begun_ms, looked_ms, told_ms;
    bool is_there; /* the line stands on the terminal */
};

void progress_begin(struct progress *progress, uint64_t total_bytes, uint64_t total_games);
/* The same for work that counts bytes alone, and is called `what`; static. */
void progress_begin_bytes(struct progress *progress, const char *what, uint64_t total_bytes);
/* May be called often: looks some times a second at most. */
void progress_tell(struct progress *progress, uint64_t games, uint64_t bytes);
/* Takes the line away, before other lines are written. */
void progress_clear(struct progress *progress);
/* Since the beginning; above 0. */
double progress_seconds(const struct progress *progress);
