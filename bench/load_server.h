/* load_server: a process as the kernel sees it, by its id. */
#pragma once

#include <stdint.h>

struct server_usage {
    double processor_s; /* user and system, since it began */
    long resident_kib;
};

/* All zero for pid 0, and for a process that is not there. */
struct server_usage server_usage(int pid);

/* Nanoseconds of the monotonic clock. */
uint64_t server_now_ns(void);
