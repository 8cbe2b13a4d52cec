#include "games/timers.h"

#include <assert.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { HEAP_FIRST = 64, BUCKETS_FIRST = 64 };

struct timer {
    int64_t deadline_ms;
    size_t at; /* in the heap */
    struct timer *bucket_next;
    char id[GAME_ID_SIZE];
};

bool timers_init(struct timers *timers)
{
    *timers = (struct timers){.bucket_count = BUCKETS_FIRST};
    timers->buckets = calloc(timers->bucket_count, sizeof(struct timer *));
    if (!timers->buckets)
        return false;
    pthread_mutex_init(&timers->lock, NULL);
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(&timers->changed, &attributes);
    pthread_condattr_destroy(&attributes);
    return true;
}

void timers_finish(struct timers *timers)
{
    for (size_t i = 0; i < timers->count; i++)
        free(timers->heap[i]);
    free((void *)timers->heap);
    free((void *)timers->buckets);
    pthread_cond_destroy(&timers->changed);
    pthread_mutex_destroy(&timers->lock);
}

/* ---- by id ---- */

static struct timer **bucket_of(const struct timers *timers, const char *id)
{
    uint64_t hash = 0;
    for (int i = 0; i < GAME_ID_LENGTH; i++)
        hash = hash * 31 + (unsigned char)id[i];
    return &timers->buckets[hash & (timers->bucket_count - 1)];
}

static struct timer *find(const struct timers *timers, const char *id)
{
    struct timer *timer = *bucket_of(timers, id);
    while (timer && memcmp(timer->id, id, GAME_ID_LENGTH) != 0)
        timer = timer->bucket_next;
    return timer;
}

static void link_bucket(struct timers *timers, struct timer *timer)
{
    struct timer **bucket = bucket_of(timers, timer->id);
    timer->bucket_next = *bucket;
    *bucket = timer;
}

static void unlink_bucket(struct timers *timers, const struct timer *timer)
{
    struct timer **link = bucket_of(timers, timer->id);
    while (*link != timer)
        link = &(*link)->bucket_next;
    *link = timer->bucket_next;
}

static void double_buckets(struct timers *timers)
{
    assert(timers->bucket_count > 0);
    size_t count = timers->bucket_count * 2;
    struct timer **larger = calloc(count, sizeof(struct timer *));
    if (!larger)
        return; /* longer chains, nothing worse */
    free((void *)timers->buckets);
    timers->buckets = larger;
    timers->bucket_count = count;
    for (size_t i = 0; i < timers->count; i++)
        link_bucket(timers, timers->heap[i]);
}

/* ---- by time ---- */

static void place(struct timers *timers, size_t at, struct timer *timer)
{
    timers->heap[at] = timer;
    timer->at = at;
}

static void sift_up(struct timers *timers, struct timer *timer)
{
    size_t at = timer->at;
    while (at > 0 && timers->heap[(at - 1) / 2]->deadline_ms > timer->deadline_ms) {
        place(timers, at, timers->heap[(at - 1) / 2]);
        at = (at - 1) / 2;
    }
    place(timers, at, timer);
}

static void sift_down(struct timers *timers, struct timer *timer)
{
    size_t at = timer->at;
    for (size_t child; (child = 2 * at + 1) < timers->count; at = child) {
        if (child + 1 < timers->count &&
            timers->heap[child + 1]->deadline_ms < timers->heap[child]->deadline_ms)
            child++;
        if (timers->heap[child]->deadline_ms >= timer->deadline_ms)
            break;
        place(timers, at, timers->heap[child]);
    }
    place(timers, at, timer);
}

static void take_out(struct timers *timers, struct timer *timer)
{
    struct timer *last = timers->heap[--timers->count];
    if (last != timer) {
        place(timers, timer->at, last);
        sift_up(timers, last);
        sift_down(timers, last);
    }
    unlink_bucket(timers, timer);
    free(timer);
}

static struct timer *add(struct timers *timers, const char *id)
{
    if (timers->count == timers->capacity) {
        size_t capacity = timers->capacity ? timers->capacity * 2 : HEAP_FIRST;
        struct timer **heap = realloc((void *)timers->heap, capacity * sizeof(struct timer *));
        if (!heap)
            return NULL;
        timers->heap = heap;
        timers->capacity = capacity;
    }
    struct timer *timer = calloc(1, sizeof *timer);
    if (!timer)
        return NULL;
    memcpy(timer->id, id, GAME_ID_LENGTH);
    timer->deadline_ms = GAME_NO_DEADLINE;
    if (timers->count >= timers->bucket_count)
        double_buckets(timers);
    link_bucket(timers, timer);
    place(timers, timers->count++, timer);
    return timer;
}

static int64_t first_deadline(const struct timers *timers)
{
    return timers->count ? timers->heap[0]->deadline_ms : GAME_NO_DEADLINE;
}

static void set_deadline(struct timers *timers, struct timer *timer, int64_t deadline_ms)
{
    timer->deadline_ms = deadline_ms;
    sift_up(timers, timer);
    sift_down(timers, timer);
}

/* ---- the contract ---- */

bool timers_set(struct timers *timers, const char *id, int64_t deadline_ms)
{
    bool ok = true;
    pthread_mutex_lock(&timers->lock);
    int64_t first_ms = first_deadline(timers);
    struct timer *timer = find(timers, id);
    if (deadline_ms == GAME_NO_DEADLINE) {
        if (timer)
            take_out(timers, timer);
    } else {
        timer = timer ? timer : add(timers, id);
        ok = timer != NULL;
        if (timer)
            set_deadline(timers, timer, deadline_ms);
    }
    if (first_deadline(timers) < first_ms) {
        timers->sooner = true;
        pthread_cond_signal(&timers->changed);
    }
    pthread_mutex_unlock(&timers->lock);
    return ok;
}

bool timers_next_due(struct timers *timers, int64_t now_ms, int64_t again_ms, char id[GAME_ID_SIZE])
{
    pthread_mutex_lock(&timers->lock);
    bool due = first_deadline(timers) <= now_ms;
    if (due) {
        memcpy(id, timers->heap[0]->id, GAME_ID_SIZE);
        set_deadline(timers, timers->heap[0], again_ms);
    }
    pthread_mutex_unlock(&timers->lock);
    return due;
}

int64_t timers_first(struct timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    int64_t first_ms = first_deadline(timers);
    timers->sooner = false;
    pthread_mutex_unlock(&timers->lock);
    return first_ms;
}

size_t timers_count(struct timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    size_t count = timers->count;
    pthread_mutex_unlock(&timers->lock);
    return count;
}

static struct timespec monotonic_after(int64_t ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(ms / 1000);
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_sec++;
        at.tv_nsec -= 1000000000;
    }
    return at;
}

void timers_sleep(struct timers *timers, int64_t ms)
{
    struct timespec until = monotonic_after(ms > 0 ? ms : 0);
    int result = 0;
    pthread_mutex_lock(&timers->lock);
    while (!timers->sooner && !timers->stopped && result != ETIMEDOUT)
        result = ms < 0 ? pthread_cond_wait(&timers->changed, &timers->lock)
                        : pthread_cond_timedwait(&timers->changed, &timers->lock, &until);
    pthread_mutex_unlock(&timers->lock);
}

void timers_wake(struct timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    timers->sooner = true;
    pthread_cond_signal(&timers->changed);
    pthread_mutex_unlock(&timers->lock);
}

void timers_stop(struct timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    timers->stopped = true;
    pthread_cond_signal(&timers->changed);
    pthread_mutex_unlock(&timers->lock);
}

bool timers_stopped(struct timers *timers)
{
    pthread_mutex_lock(&timers->lock);
    bool stopped = timers->stopped;
    pthread_mutex_unlock(&timers->lock);
    return stopped;
}
