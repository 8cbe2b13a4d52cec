/* monotonic: the clock that durations and deadlines are measured by; steps of the wall clock do not move it.
 *
 * Layer: service. */
#pragma once

#include <pthread.h>
#include <stdint.h>
#include <time.h>

static inline uint64_t monotonic_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000 + (uint64_t)now.tv_nsec;
}

static inline int64_t monotonic_ms(void)
{
    return (int64_t)(monotonic_ns() / 1000000);
}

/* Milliseconds, a few of them coarse, and cheaper. */
static inline int64_t monotonic_coarse_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_COARSE, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* A condition whose timed waits are measured by this clock. */
static inline void monotonic_cond_init(pthread_cond_t *condition)
{
    pthread_condattr_t attributes;
    pthread_condattr_init(&attributes);
    pthread_condattr_setclock(&attributes, CLOCK_MONOTONIC);
    pthread_cond_init(condition, &attributes);
    pthread_condattr_destroy(&attributes);
}

/* The moment in `ms` from now, for pthread_cond_timedwait on such a condition. */
static inline struct timespec monotonic_after(int64_t ms)
{
    struct timespec at;
    clock_gettime(CLOCK_MONOTONIC, &at);
    at.tv_sec += (time_t)(ms / 1000);
    at.tv_nsec += (long)(ms % 1000) * 1000000;
    if (at.tv_nsec >= 1000000000) {
        at.tv_nsec -= 1000000000;
        at.tv_sec++;
    }
    return at;
}
