/* store_watch: what the store tells of its faults, as lines of the log: one a minute for each side, however
 * often it fails, and one when it works again. A side that fails again in the minute of its last line of a fault is told
 * with the first fault after that minute: for so long the last word may be that it works.
 *
 * Layer: service. Threads: any; it never blocks on more than its own lock. */
#pragma once

#include "storage/storage.h"

struct log;
struct store_watch;

/* `log` must outlive it. NULL when memory is out. */
struct store_watch *store_watch_create(struct log *log);
/* The store must be closed. NULL is fine. */
void store_watch_destroy(struct store_watch *watch);

/* What to put into storage_options. */
struct storage_watch store_watch_of(struct store_watch *watch);

/* One thing that the store tells, at a moment of the monotonic clock (> 0). */
struct store_note {
    enum storage_side side;
    enum storage_status status;
    const char *text;
    int64_t now_ms;
};
void store_watch_note(struct store_watch *watch, const struct store_note *note);
