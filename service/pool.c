#include "service/pool.h"

#include <pthread.h>
#include <stdlib.h>

struct pool {
    pthread_mutex_t lock;
    pthread_cond_t arrived;
    struct pool_job *first, **last; /* oldest first */
    size_t waiting, capacity;
    size_t long_waiting, long_capacity; /* of these */
    unsigned long_running, long_most;
    bool stopping;
    unsigned thread_count;
    pthread_t threads[];
};

/* The oldest job that may run now, taken out; NULL: there is none. */
static struct pool_job *take(struct pool *pool)
{
    struct pool_job **link = &pool->first;
    while (*link && (*link)->is_long && pool->long_running == pool->long_most)
        link = &(*link)->next;
    struct pool_job *job = *link;
    if (!job)
        return NULL;
    *link = job->next;
    if (!*link)
        pool->last = link;
    pool->waiting--;
    pool->long_waiting -= job->is_long;
    pool->long_running += job->is_long;
    return job;
}

/* NULL when the pool ends; what is left then is done by a thread that is at work. */
static struct pool_job *next_job(struct pool *pool)
{
    struct pool_job *job;
    pthread_mutex_lock(&pool->lock);
    while (!(job = take(pool)) && !pool->stopping)
        pthread_cond_wait(&pool->arrived, &pool->lock);
    pthread_mutex_unlock(&pool->lock);
    return job;
}

static void end_long(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    pool->long_running--;
    pthread_mutex_unlock(&pool->lock);
}

static void *work(void *argument)
{
    struct pool *pool = argument;
    for (struct pool_job *job = next_job(pool); job; job = next_job(pool)) {
        bool is_long = job->is_long;
        job->run(job);
        if (is_long)
            end_long(pool);
    }
    return NULL;
}

struct pool *pool_create(unsigned threads, size_t capacity)
{
    struct pool *pool = calloc(1, sizeof *pool + threads * sizeof pool->threads[0]);
    if (!pool)
        return NULL;
    pthread_mutex_init(&pool->lock, NULL);
    pthread_cond_init(&pool->arrived, NULL);
    pool->last = &pool->first;
    pool->capacity = capacity;
    pool->long_capacity = (capacity + 1) / 2;
    pool->long_most = threads > 1 ? threads - 1 : 1;
    for (unsigned i = 0; i < threads; i++) {
        if (pthread_create(&pool->threads[i], NULL, work, pool) != 0) {
            pool_destroy(pool);
            return NULL;
        }
        pool->thread_count++;
    }
    return pool;
}

void pool_destroy(struct pool *pool)
{
    if (!pool)
        return;
    pthread_mutex_lock(&pool->lock);
    pool->stopping = true;
    pthread_cond_broadcast(&pool->arrived);
    pthread_mutex_unlock(&pool->lock);
    for (unsigned i = 0; i < pool->thread_count; i++)
        pthread_join(pool->threads[i], NULL);
    pthread_cond_destroy(&pool->arrived);
    pthread_mutex_destroy(&pool->lock);
    free(pool);
}

bool pool_submit(struct pool *pool, struct pool_job *job)
{
    pthread_mutex_lock(&pool->lock);
    bool taken =
        pool->waiting < pool->capacity && (!job->is_long || pool->long_waiting < pool->long_capacity);
    if (taken) {
        job->next = NULL;
        *pool->last = job;
        pool->last = &job->next;
        pool->waiting++;
        pool->long_waiting += job->is_long;
        pthread_cond_signal(&pool->arrived);
    }
    pthread_mutex_unlock(&pool->lock);
    return taken;
}

size_t pool_waiting(struct pool *pool)
{
    pthread_mutex_lock(&pool->lock);
    size_t waiting = pool->waiting;
    pthread_mutex_unlock(&pool->lock);
    return waiting;
}
