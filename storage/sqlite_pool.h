/* A few read connections for any thread.
 *
 * Layer: storage, private. Connections are opened as they are needed, SQLITE_READERS_MAX at most; then takers
 * wait. One that has met a fault is closed instead of being given to the next. */
#pragma once

#include <pthread.h>

#include "storage/sqlite_health.h"

enum { SQLITE_READERS_MAX = 8 };

/* Of every connection that reads: it neither writes nor moves the log into the file. */
#define SQLITE_READER_PRAGMAS                                                                                \
    "PRAGMA query_only=1; PRAGMA wal_autocheckpoint=0; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY;"        \
    "PRAGMA cache_size=-512"

struct sqlite_pool {
    struct sqlite_health *health;
    const char *name; /* as SQLite opens the file: a URI, or its path; set before the first is taken */
    uint32_t busy_ms;
    bool even_damaged; /* set before the first is taken: see sqlite_db.h */
    pthread_mutex_t mutex;
    pthread_cond_t returned;
    struct sqlite_db *idle[SQLITE_READERS_MAX];
    size_t idle_count, open_count;
};

/* Connections to the file of `health`, which is told of their faults and must outlive the pool. False if the
 * system has no mutexes left. */
bool sqlite_pool_init(struct sqlite_pool *pool, struct sqlite_health *health, uint32_t busy_ms);

/* All connections must have been given back. */
void sqlite_pool_finish(struct sqlite_pool *pool);

/* NULL with the fault in *status, if no connection can be opened. */
struct sqlite_db *sqlite_pool_take(struct sqlite_pool *pool, enum storage_status *status);

/* `status` is what came of its use. */
void sqlite_pool_give_back(struct sqlite_pool *pool, struct sqlite_db *db, enum storage_status status);
