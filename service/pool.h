/* pool: a fixed number of threads for what must not hold up a network thread: disk reads and long work. However much long
 * work there is, one thread and half of the room to wait are left to the rest.
 *
 * Layer: service. Memory: jobs are the caller's and are linked, not copied.
 * Threads: submit from any thread. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct pool;

struct pool_job {
    void (*run)(struct pool_job *job); /* in a pool thread; may free the job */
    bool is_long;                      /* it may take more than a tenth of a second */
    struct pool_job *next;             /* the pool's while queued */
};

/* At most `capacity` jobs wait. A single thread does all, in order. NULL: no memory or no thread. */
struct pool *pool_create(unsigned threads, size_t capacity);
/* Runs what still waits, then ends the threads. NULL is fine. No submit may follow. */
void pool_destroy(struct pool *pool);

/* False: there is no room for it to wait, and the job is the caller's again. */
bool pool_submit(struct pool *pool, struct pool_job *job);

/* Jobs that wait now, for metrics. */
size_t pool_waiting(struct pool *pool);
