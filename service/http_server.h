/* http_server: the api over HTTP/1.1, by libmicrohttpd.
 *
 * Each listening socket has its own network threads, each of which runs one daemon of the library. A request is
 * answered on its network thread where the api can do so at once; else its connection is suspended, and a
 * pool thread or whoever the api handed it to wakes it. A network thread reads and writes no store; but it waits for the
 * lock of a game's shard, under which another thread reads the log of one game now and then: ARCHITECTURE.md, "The life
 * of a move", says when, and for how long.
 *
 * Layer: service. Threads: start, drain and stop from one thread; the rest runs in the network threads.
 * Life: create, start, drain, stop, destroy. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct api;
struct http_server;
struct listener;
struct log;
struct metrics;
struct pool;

enum { HTTP_LISTENERS_MAX = 16 };

struct http_settings {
    unsigned threads;     /* for each listener */
    unsigned connections; /* the most, for each listener */
    int64_t idle_ms;      /* a connection that sends no whole request line is closed after that */
    int64_t request_ms;   /* what follows that line has to arrive within that, and the answer to leave */
    uint64_t body_bytes;
    size_t body_memory; /* all bodies that arrive at one time */
    size_t target_bytes, head_bytes, header_fields;
};

/* What it works with; all of it must outlive the server. */
struct http_parts {
    struct api *api;
    struct pool *pool;
    struct log *log;
    struct metrics *metrics;
};

/* NULL: no memory or no thread. */
struct http_server *http_server_create(const struct http_settings *settings, const struct http_parts *parts);

/* Serves connections of `listener`, which must outlive the server. False: the library would not start. */
bool http_server_start(struct http_server *server, const struct listener *listener);

/* True once http_server_drain has begun. Any thread. */
bool http_server_is_draining(const struct http_server *server);

/* Lets what has begun end: answers say `Connection: close`, new connections get operational routes only, or, on a
 * socket that was handed over, are left to whoever has it next. When the last request on a connection of before is
 * answered (or after `timeout_ms`) nothing is accepted any more, and connections are shut that have been idle for a
 * moment. When all are answered the api gets no request any more: one whose body is still to come is refused, and a stream
 * that needs work is cut, so that the number of suspended ones only falls. True: no request is left. */
bool http_server_drain(struct http_server *server, int64_t timeout_ms);

/* Ends all connections and threads. Only after a drain; no request may be suspended: see
 * http_server_suspended. */
void http_server_stop(struct http_server *server);
void http_server_destroy(struct http_server *server);

/* Requests that have begun and are not answered; streams that are open count among them. */
size_t http_server_in_flight(const struct http_server *server);
size_t http_server_streams(const struct http_server *server);
size_t http_server_connections(const struct http_server *server);
/* Memory of the bodies of these requests. */
size_t http_server_body_bytes(const struct http_server *server);
/* Of those in flight: how many somebody else still has to wake; and how many streams have work in the pool. */
size_t http_server_suspended(const struct http_server *server);
/* On that listener, numbered from 0 as they were started, no more connection fits: a new one would wait. */
bool http_server_is_full(const struct http_server *server, size_t listener);
