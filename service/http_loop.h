/* http_loop: one network thread, which runs one daemon of the library.
 *
 * The library can run such a thread by itself, but 0.9.75 then sleeps on work that it has in hand: where exactly 128 events
 * come at once, it waits for more before it looks at them (MHD_epoll in daemon.c). Here it is never let to wait. Besides, one
 * signal wakes the thread for all connections that can go on, and they go on in it.
 * Run from outside, the library keeps a connection in hand whose buffer is full of a chunk's head that does not end
 * (MHD_connection_handle_idle in connection.c), and would be asked about it without end: where it says again and again
 * that it has work, and none is seen, the thread rests between.
 *
 * Layer: service; private to http_*.c. */
#pragma once

#include <microhttpd.h>
#include <pthread.h>
#include <stdbool.h>

#include "service/http_exchange.h"

struct http_listener;
struct http_server;

struct http_loop {
    struct http_server *server;
    struct http_listener *listener;
    struct MHD_Daemon *mhd;
    pthread_t thread;
    int signal; /* an eventfd, written to while the thread sleeps */
    /* The thread's: */
    struct http_exchange_list free;
    bool has_worked;      /* the library has called back since that was asked last */
    unsigned idle_rounds; /* in which it has not, though it had work in hand */
    /* Any thread's: */
    pthread_mutex_t lock;
    pthread_cond_t changed; /* quiescing, rousing */
    /* Under the lock: */
    struct http_exchange *woken; /* chained by next_woken */
    bool sleeping, quiescing, stopping;
    unsigned rousing; /* threads that have found it asleep and write to `signal` */
};

/* Starts the thread over loop->mhd, which begins to accept. False: no descriptor or no thread. */
bool http_loop_start(struct http_loop *loop);
/* The exchange's connection is suspended and goes on, in its network thread. Any thread; once for each time that it was
 * suspended. */
void http_loop_resume(struct http_exchange *exchange);
/* Accepts no more connections, and leaves the listening socket alone. Returns when that is so. */
void http_loop_quiesce(struct http_loop *loop);
/* Ends the thread; loop->mhd is as before. */
void http_loop_stop(struct http_loop *loop);
