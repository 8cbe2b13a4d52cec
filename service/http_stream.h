/* http_stream: bodies that are written as they come, for as long as the client listens.
 *
 * The library asks for bytes on its network thread; where there are none the connection is suspended, and whoever has
 * some pokes it. Asking, suspending and poking meet under the stream's lock, so that no poke is lost. A list of all open
 * streams is looked through now and then: one that was quiet for long says that it lives; a peer that has ended its side
 * is written to, which tells a dead one from one that only listens; and when the service ends, all are told.
 *
 * Where the body is made by work of its own (response_stream.work) that runs in the pool whenever all was written that is
 * there. A client that leaves meanwhile takes the connection with it; the exchange stays until the work has noticed.
 *
 * Layer: service; private to http_*.c. Locks: that of the list, then that of a stream, then that of the network
 * thread, of the pool, or of the library where a stream falls asleep. */
#pragma once

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct http_exchange;
struct http_server;
struct http_streams;

struct http_stream {
    pthread_mutex_t lock;
    /* Under the lock: */
    bool poked;     /* since it was asked last there may be something */
    bool quiet;     /* a sign of life is wanted */
    bool lost;      /* the peer is gone */
    bool suspended; /* of the library, and not resumed */
    bool works;     /* its work is in the pool */
    bool put_off;   /* its work found no room there */
    bool left;      /* the request is over, and its work is to end the exchange */
    /* The network thread's: */
    bool is_open, over;
    uint64_t bytes; /* that were written */
    uint64_t begun_ns;
    _Atomic int64_t written_ms; /* of the monotonic clock: when something was written last */
    struct http_stream *previous, *next;
};

/* NULL: no memory or no descriptor. */
struct http_streams *http_streams_create(void);
void http_streams_destroy(struct http_streams *streams);
/* Those that are open, but for bodies with work of their own. */
size_t http_streams_count(const struct http_streams *streams);
/* To be called a few times a second, from one thread. */
void http_streams_look(struct http_streams *streams);
/* The server is draining: each says goodbye, and has a moment to be read. */
void http_streams_end(struct http_streams *streams);

/* The response of an exchange whose body is a stream; NULL when memory is out. */
struct MHD_Response *http_stream_begin(struct http_exchange *exchange);
/* There may be something to read; before http_stream_begin too. Any thread. */
void http_stream_poke(struct http_exchange *exchange);
/* The request is over: nothing is asked of the stream any more, and it is closed. False: its work is under way, and ends
 * the exchange with http_left. */
bool http_stream_end(struct http_exchange *exchange);
/* Its body is whole only when its own work has come to an end. */
bool http_stream_has_work(const struct http_exchange *exchange);
