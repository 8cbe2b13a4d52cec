/* health: whether a daemon answers at once, whatever else it is sent. */
#pragma once

#include <stdint.h>

enum { HEALTH_LATE_MS = 100 };

/* Milliseconds of the monotonic clock. */
int64_t health_now_ms(void);
/* Asks the daemon of the test over a connection of its own, and fails the test where the answer is not a 200 within
 * $HTTP_HEALTH_MS (1000 where it is not set: others may keep the machine busy); `after` is what was done before. */
void health_assert(const char *after);
/* The longest that one took, in milliseconds. */
int64_t health_longest_ms(void);
/* How many took longer than HEALTH_LATE_MS. */
unsigned health_late(void);
/* Ends the connection. */
void health_end(void);

/* Of the daemon's process: open descriptors but those of the store's file, and KiB in memory. */
unsigned health_descriptors(void);
/* Until it has no more than so many; fails the test where that does not come. */
void health_wait_descriptors(unsigned most);
long health_resident_kib(void);
/* Until it counts no request but the one that asks for the count; fails the test where that does not come. */
void health_wait_none_in_flight(const char *after);
