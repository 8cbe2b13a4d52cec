/* allocations: memory that runs out at the nth call, of ours and of SQLite; for programs that the linker gives
 * $(allocation_calls) to wrap (see the Makefile).
 *
 *     for (unsigned n = 1; …; n++) {
 *         allocations_fail(n);
 *         …
 *         if (!allocations_heal())
 *             break;                  there were no n of them
 *     }
 *
 * Calls of all threads count. What a test does for itself meanwhile it does between allocations_pause and _resume. */
#pragma once

#include <stdbool.h>

/* Before the first use of SQLite in the process. */
bool allocations_install(void);

/* The nth from now on gives NULL, once. */
void allocations_fail(unsigned nth);
/* From now on all go well. True: one has failed. */
bool allocations_heal(void);

/* In this thread none fails and none counts. */
void allocations_pause(void);
void allocations_resume(void);
