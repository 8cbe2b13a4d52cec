/* chance: numbers for tests that try what nobody thought of, and that can be had again. */
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

/* TEST_SEED, decimal or 0x…, or else `usual`. */
static inline uint64_t chance_seed_or(uint64_t usual)
{
    const char *asked = getenv("TEST_SEED");
    bool hexadecimal = asked && asked[0] == '0' && (asked[1] == 'x' || asked[1] == 'X');
    return asked && *asked ? strtoull(asked, NULL, hexadecimal ? 16 : 10) : usual;
}

/* The same, or else from the clock; printed. */
static inline uint64_t chance_seed(void)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    uint64_t seed = chance_seed_or((uint64_t)now.tv_sec * 1000003U ^ (uint64_t)now.tv_nsec);
    printf("TEST_SEED=%llu\n", (unsigned long long)seed);
    return seed;
}

/* SplitMix64 (G. Steele, D. Lea, C. Flood). */
static inline uint64_t chance_next(uint64_t *state)
{
    uint64_t z = *state += UINT64_C(0x9E3779B97F4A7C15);
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

/* 0 <= result < n. */
static inline unsigned chance_below(uint64_t *state, unsigned n)
{
    return (unsigned)(chance_next(state) % n);
}
