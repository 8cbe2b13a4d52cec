/* http_internal: what the files of the HTTP server share.
 *
 * Layer: service; private to http_*.c: server (start, drain, stop), loop (the network threads), handler (the library's
 * callbacks), answer, kept and stream. */
#pragma once

#include <microhttpd.h>
#include <pthread.h>
#include <stdatomic.h>

#include "api/http.h"
#include "service/guard.h"
#include "service/http_exchange.h"
#include "service/http_loop.h"
#include "service/http_server.h"

enum { HTTP_FIELD_MEMORY = 64 }; /* what the library takes to remember where a field stands */

struct http_listener {
    enum request_scope scope;
    atomic_size_t connections;
    struct http_loop *loops; /* loop_count of them */
    size_t loop_count;
    bool handed_over, quiesced;
};

struct http_server {
    struct http_settings settings;
    struct http_parts parts;
    struct guard_limits limits;
    struct connections *connections;
    struct http_bodies bodies;
    struct http_streams *streams;
    struct http_listener listeners[HTTP_LISTENERS_MAX];
    size_t listener_count;
    unsigned timeout_s;       /* of the library, for each connection */
    size_t connection_memory; /* the same */
    atomic_bool draining;
    atomic_size_t early, late; /* requests in flight on connections made before the drain, and since */
    atomic_size_t suspended;
    pthread_mutex_t lock; /* of `answered` */
    pthread_cond_t answered;
    pthread_rwlock_t handing; /* held to read while a request is handed to the api, which may suspend it */
    atomic_bool ending; /* nothing is handed on any more: set under `handing`, before all streams are poked */
};

/* The library's callbacks; `cls` is a struct http_loop. */
enum MHD_Result http_handle(void *cls, struct MHD_Connection *mhd, const char *url, const char *method,
                            const char *version, const char *upload, size_t *upload_size, void **context);
void *http_begin(void *cls, const char *uri, struct MHD_Connection *mhd);
void http_complete(void *cls, struct MHD_Connection *mhd, void **context,
                   enum MHD_RequestTerminationCode code);
void http_connection(void *cls, struct MHD_Connection *mhd, void **socket_context,
                     enum MHD_ConnectionNotificationCode code);
size_t http_unescape(void *cls, struct MHD_Connection *mhd, char *text);

struct http_exchange;

/* The connection sleeps, and is awake again; network thread only. */
void http_note_suspended(struct http_exchange *exchange);
void http_note_resumed(struct http_exchange *exchange);

/* An exchange whose client has gone, and whose work (http_stream.h) has come to its end; in a pool thread. */
void http_left(struct http_exchange *exchange);

/* Queues the exchange's response. MHD_NO: the library cannot; it then closes the connection. */
enum MHD_Result http_answer(struct http_exchange *exchange);
/* The same past the library, which has no room for the head of an answer. MHD_NO: it then closes the connection. */
enum MHD_Result http_answer_aside(struct http_exchange *exchange);
/* Log line and counters of an exchange that has ended. */
void http_account(const struct http_exchange *exchange, bool is_sent);
