#include "storage/sqlite_pool.h"

#include <stdlib.h>

#include "storage/sqlite_sql.h"

bool sqlite_pool_init(struct sqlite_pool *pool, const char *path, uint32_t busy_ms)
{
    *pool = (struct sqlite_pool){.path = path, .busy_ms = busy_ms};
    return pthread_mutex_init(&pool->mutex, NULL) == 0 && pthread_cond_init(&pool->returned, NULL) == 0;
}

static void destroy_reader(struct sqlite_db *db)
{
    sqlite_db_close(db);
    free(db);
}

void sqlite_pool_finish(struct sqlite_pool *pool)
{
    for (size_t i = 0; i < pool->idle_count; i++)
        destroy_reader(pool->idle[i]);
    (void)pthread_cond_destroy(&pool->returned);
    (void)pthread_mutex_destroy(&pool->mutex);
}

static struct sqlite_db *create_reader(const struct sqlite_pool *pool, enum storage_status *status)
{
    const struct sqlite_db_setup setup = {
        .name = pool->path,
        .flags = SQLITE_OPEN_READONLY,
        .busy_ms = pool->busy_ms,
        .pragmas =
            "PRAGMA query_only=1; PRAGMA wal_autocheckpoint=0; PRAGMA mmap_size=0; PRAGMA temp_store=MEMORY",
    };
    struct sqlite_db *db = calloc(1, sizeof *db);
    if (!db) {
        *status = STORAGE_UNAVAILABLE;
        return NULL;
    }
    int code = sqlite_db_open(db, &setup);
    if (code == SQLITE_OK)
        code = sqlite_db_prepare(db, sqlite_read_sql);
    if (code == SQLITE_OK)
        return db;
    *status = sqlite_db_status(code);
    destroy_reader(db);
    return NULL;
}

static void forget_reader(struct sqlite_pool *pool)
{
    (void)pthread_mutex_lock(&pool->mutex);
    pool->open_count--;
    (void)pthread_cond_signal(&pool->returned);
    (void)pthread_mutex_unlock(&pool->mutex);
}

struct sqlite_db *sqlite_pool_take(struct sqlite_pool *pool, enum storage_status *status)
{
    (void)pthread_mutex_lock(&pool->mutex);
    while (pool->idle_count == 0 && pool->open_count == SQLITE_READERS_MAX)
        (void)pthread_cond_wait(&pool->returned, &pool->mutex);
    struct sqlite_db *db = pool->idle_count > 0 ? pool->idle[--pool->idle_count] : NULL;
    if (!db)
        pool->open_count++;
    (void)pthread_mutex_unlock(&pool->mutex);
    if (db)
        return db;
    db = create_reader(pool, status);
    if (!db)
        forget_reader(pool);
    return db;
}

void sqlite_pool_give_back(struct sqlite_pool *pool, struct sqlite_db *db, enum storage_status status)
{
    if (status >= STORAGE_BUSY) {
        destroy_reader(db);
        forget_reader(pool);
        return;
    }
    (void)pthread_mutex_lock(&pool->mutex);
    pool->idle[pool->idle_count++] = db;
    (void)pthread_cond_signal(&pool->returned);
    (void)pthread_mutex_unlock(&pool->mutex);
}
