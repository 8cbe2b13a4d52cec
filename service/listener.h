/* listener: sockets that wait for connections: IPv4, IPv6, Unix, or handed over by the service manager.
 *
 * Layer: service. Memory: the caller's struct; the descriptor is closed by listener_close, and a Unix
 * socket's file removed, where this process made it. Errors: one sentence in `error`. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include "api/http.h"

enum { LISTENER_URL_SIZE = 192, LISTENER_ERROR_SIZE = 256 };

struct listener {
    int fd; /* non-blocking, close-on-exec; -1 closed */
    enum request_scope scope;
    char url[LISTENER_URL_SIZE]; /* "http://127.0.0.1:8080", "unix:/run/arbiter.sock" */
    const char *remove;          /* in `url`: the file to remove at the end; NULL: not ours */
    bool handed_over;            /* others have it too, before this process, beside it or after it */
};

/* `address` is HOST:PORT, [IPV6]:PORT, :PORT or unix:PATH (a mode applies to that). HOST is a number,
 * "localhost" or "*". Port 0 takes a free one; `url` has what was taken. A Unix socket that nobody answers on
 * is replaced. */
bool listener_open(struct listener *listener, const char *address, mode_t mode,
                   char error[LISTENER_ERROR_SIZE]);

/* Could that be listened on, as far as its text tells? */
bool listener_is_address(const char *address);

/* It is reached from other machines: neither loopback nor a Unix socket. */
bool listener_is_reached(const char *address);

/* Takes over a descriptor that listens already (socket activation). */
bool listener_adopt(struct listener *listener, int fd, char error[LISTENER_ERROR_SIZE]);

void listener_close(struct listener *listener);
