/* selfcheck: does the service really answer? Asked over its own sockets, before the watchdog is told that it
 * does.
 *
 * Layer: service. Threads: any; blocks for at most `timeout_ms`. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Connects to what the listening socket `fd` is bound to, asks for /healthz and reads a 200. */
bool selfcheck_answers(int fd, int64_t timeout_ms);
