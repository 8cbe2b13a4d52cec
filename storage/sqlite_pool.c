#include "storage/sqlite_pool.h"

#include <stdlib.h>

#include "storage/sqlite_read.h"

bool sqlite_pool_init(struct sqlite_pool *pool, struct sqlite_health *health, uint32_t busy_ms)
{
    *pool = (struct sqlite_pool){.health = health, .name = health->path, .busy_ms = busy_ms};
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
        .name = pool->name,
        .flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
        .busy_ms = pool->busy_ms,
        .even_damaged = pool->even_damaged,
        .pragmas = SQLITE_READER_PRAGMAS,
    };
    struct sqlite_db *db = calloc(1, sizeof *db);
    if (!db) {
        struct sqlite_db none = {0};
        *status = sqlite_db_status(&none, SQLITE_NOMEM);
        sqlite_health_fault(pool->health, STORAGE_READS, *status, &none);
        return NULL;
    }
    int code = sqlite_db_open(db, &setup);
    if (code == SQLITE_OK)
        code = sqlite_read_prepare(db);
    if (code == SQLITE_OK)
        return db;
    *status = sqlite_db_status(db, code);
    sqlite_health_fault(pool->health, STORAGE_READS, *status, db);
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
        sqlite_health_fault(pool->health, STORAGE_READS, status, db);
        destroy_reader(db);
        forget_reader(pool);
        return;
    }
    sqlite_health_fine(pool->health, STORAGE_READS);
    (void)pthread_mutex_lock(&pool->mutex);
    pool->idle[pool->idle_count++] = db;
    (void)pthread_cond_signal(&pool->returned);
    (void)pthread_mutex_unlock(&pool->mutex);
}
