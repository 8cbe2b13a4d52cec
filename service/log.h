/* log: lines to a descriptor, written by a thread of its own.
 *
 * Layer: service, the only one that logs. Callers note in a bounded buffer what happened and go on; when
 * the reader of the descriptor is slow, lines are dropped and counted, never waited for. Never logged:
 * tokens, bodies, query texts. Threads: any. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum log_level { LOG_LEVEL_ERROR, LOG_LEVEL_WARN, LOG_LEVEL_INFO, LOG_LEVEL_DEBUG };
/* "error" … "debug", then NULL. */
extern const char *const log_level_names[];

struct log;

/* Lines go to `fd`, which stays the caller's. NULL: no memory or no thread. */
struct log *log_create(int fd, bool json, enum log_level level);
/* Writes what waits, as far as the descriptor takes it. NULL is fine. */
void log_destroy(struct log *log);

void log_set_level(struct log *log, enum log_level level);
/* Would a line of that level be written? */
bool log_is_on(const struct log *log, enum log_level level);

/* One event: its message, then pairs of names and texts that end in (char *)NULL. */
__attribute__((sentinel)) void log_event(struct log *log, enum log_level level, const char *message, ...);

/* One answered request. */
struct log_request {
    const char *request_id, *method, *client; /* copied */
    const char *traceparent;                  /* copied; or NULL */
    const char *route, *code;                 /* static text; `code` or NULL */
    unsigned status;
    uint64_t bytes, duration_ns;
};
void log_request(struct log *log, const struct log_request *request);

/* Lines dropped since the start. */
uint64_t log_dropped(const struct log *log);
