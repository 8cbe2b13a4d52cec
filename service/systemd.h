/* systemd: the service manager's protocols, without its library: readiness, watchdog, sockets handed over.
 *
 * Layer: service. A process that was not started by a service manager notices nothing of it.
 * Source: sd_notify(3), sd_listen_fds(3), sd_watchdog_enabled(3):
 * a datagram and three environment variables. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Sends "READY=1" and the like to $NOTIFY_SOCKET. True: it was sent. False: nobody asked, or it failed. */
bool systemd_notify(const char *state);

/* How often the watchdog wants to be told that all is well: half of $WATCHDOG_USEC; 0: never. */
int64_t systemd_watchdog_ms(void);

enum { SYSTEMD_FIRST_FD = 3 };
/* How many listening descriptors were handed over, from SYSTEMD_FIRST_FD on; 0: none, or meant for another
 * process. */
int systemd_listen_fds(void);
