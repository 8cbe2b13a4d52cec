/* interrupt: SIGINT and SIGTERM for a command that ends its work in good order.
 *
 * Layer: service. Threads: begin before any other exists, so that all of them have the signals blocked; the other
 * functions are for the main one. SIGUSR1 is blocked with them, and left to progress.h. The first signal is noted, a
 * second one ends the process at once. */
#pragma once

#include <stdbool.h>

void interrupt_begin(void);
/* The signal that has come; 0: none. */
int interrupt_signal(void);
/* Waits until `fd` can be read, or a signal has come: false. Without `fd` (-1) only looks whether one has. */
bool interrupt_await(int fd);
