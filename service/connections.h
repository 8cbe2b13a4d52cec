/* connections: every open connection, with the moment by which something has to have happened on it.
 *
 * libmicrohttpd's own timeout starts anew with each byte, so a byte a second would hold a connection for
 * ever. A thread here shuts down the sockets whose deadline has passed; the library then sees the end and
 * cleans up.
 *
 * Layer: service. Threads: any. A socket is shut down under the list's lock only, and a connection leaves the
 * list before its descriptor is closed, so no other descriptor of the same number can be hit. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct connections;
struct http_exchange;
struct sockaddr;

enum { CONNECTION_CLIENT_SIZE = 48 };

enum connection_state {
    CONNECTION_IDLE,      /* no request has begun since the last answer */
    CONNECTION_READING,   /* a request is arriving */
    CONNECTION_WORKING,   /* it is here; the time is ours */
    CONNECTION_SENDING,   /* the answer leaves */
    CONNECTION_STREAMING, /* it has no end yet; a deadline runs while bytes wait for the client */
};

struct connection {
    struct connection *previous, *next;
    int fd;
    _Atomic int state;                     /* enum connection_state */
    _Atomic int64_t since_ms, deadline_ms; /* of the monotonic clock; deadline 0: none */
    bool late;                             /* accepted while draining */
    bool has_begun;                        /* it has had a request; network thread only */
    struct http_exchange *exchange; /* of the request that is not ended yet, or NULL; network thread only */
    char client[CONNECTION_CLIENT_SIZE]; /* the peer's address, for the log: "127.0.0.1", "unix" */
};

/* Starts the thread; `on_expired` is called for each connection that is cut, and `on_look`, with no lock held, a few
 * times a second. NULL: no memory or no thread. */
struct connections *connections_create(void (*on_expired)(void *context), void (*on_look)(void *context),
                                       void *context);
/* The list must be empty. NULL is fine. */
void connections_destroy(struct connections *connections);

/* A new one, idle, to be closed unless something happens within `idle_ms`. NULL when memory is out. */
struct connection *connections_add(struct connections *connections, int fd, const struct sockaddr *client,
                                   bool late, int64_t idle_ms);
void connections_remove(struct connections *connections, struct connection *connection);

/* The connection is in that state from now on, for at most `ms`; 0: as long as it takes. */
void connection_enter(struct connection *connection, enum connection_state state, int64_t ms);

/* A request begins: its first line is here, and the rest has `ms` to come. The first one of a connection has them from
 * the opening, since its line may have come byte by byte, but no less than a third. Network thread only. */
void connection_begin(struct connection *connection, int64_t ms);

/* A deadline that is no later than in `ms`. */
void connection_hurry(struct connection *connection, int64_t ms);

/* Ends the reading side of those that have been idle for `idle_ms`: a request that has arrived already is still served.
 * The milliseconds until another one will have been; 0: none is left. */
int64_t connections_shut_idle(struct connections *connections, int64_t idle_ms);

size_t connections_count(struct connections *connections);
