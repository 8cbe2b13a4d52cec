#include "bench/load_times.h"

enum { PARTS_BITS = 6 };

static unsigned bucket_of(uint64_t ns)
{
    if (ns < TIMES_PARTS)
        return (unsigned)ns;
    unsigned shift = (unsigned)(63 - __builtin_clzll(ns)) - PARTS_BITS;
    unsigned bucket = shift * TIMES_PARTS + (unsigned)(ns >> shift);
    return bucket < TIMES_BUCKETS ? bucket : TIMES_BUCKETS - 1;
}

/* The largest value that falls into it. */
static uint64_t bucket_edge(unsigned bucket)
{
    if (bucket < TIMES_PARTS)
        return bucket;
    unsigned shift = bucket / TIMES_PARTS - 1;
    uint64_t part = bucket - shift * TIMES_PARTS;
    return ((part + 1) << shift) - 1;
}

void times_add(struct times *times, uint64_t ns)
{
    times->count++;
    times->sum_ns += ns;
    if (ns > times->max_ns)
        times->max_ns = ns;
    times->buckets[bucket_of(ns)]++;
}

uint64_t times_quantile(const struct times *times, unsigned permille)
{
    uint64_t wanted = (times->count * permille + 999) / 1000;
    uint64_t seen = 0;
    for (unsigned i = 0; i < TIMES_BUCKETS; i++) {
        seen += times->buckets[i];
        if (seen >= wanted && seen > 0)
            return bucket_edge(i) < times->max_ns ? bucket_edge(i) : times->max_ns;
    }
    return times->max_ns;
}
