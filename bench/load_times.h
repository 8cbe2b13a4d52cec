/* load_times: how long answers took, as a histogram.
 *
 * A value of zero is empty. Buckets are a 64th of a power of two wide, so a quantile is at most 1.6 % too high. */
#pragma once

#include <stdint.h>

enum { TIMES_PARTS = 64, TIMES_BUCKETS = 40 * TIMES_PARTS };

struct times {
    uint64_t count, sum_ns, max_ns;
    uint32_t buckets[TIMES_BUCKETS];
};

void times_add(struct times *times, uint64_t ns);

/* The time within which `permille` of a thousand answers came, in ns: the upper edge of its bucket, at most max_ns;
 * 0 without any. */
uint64_t times_quantile(const struct times *times, unsigned permille);
