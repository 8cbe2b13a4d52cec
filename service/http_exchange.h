/* http_exchange: one request on its way through the service, with its answer and all memory of both.
 *
 * Layer: service. Memory: exchanges come from a free list and keep their arena's block, so that the steady
 * state allocates nothing. Threads: an exchange is in one thread at a time; each network thread has a list of its own. */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http.h"
#include "service/connections.h"
#include "service/guard.h"
#include "service/http_stream.h"
#include "service/pool.h"

struct MHD_Connection;
struct connection;
struct http_kept;
struct http_loop;
struct http_server;

enum { HTTP_EXCHANGE_ID_SIZE = 65 };

enum http_exchange_phase {
    HTTP_EXCHANGE_NEW,      /* the head is not read */
    HTTP_EXCHANGE_READING,  /* the head was good; the body comes */
    HTTP_EXCHANGE_HANDED,   /* the api has it */
    HTTP_EXCHANGE_ANSWERED, /* the response is complete and may be sent */
};

/* What becomes of a body. */
enum http_body_fate {
    HTTP_BODY_KEPT,
    HTTP_BODY_TOO_LARGE, /* longer than its limit */
    HTTP_BODY_NO_ROOM,   /* all bodies together have no memory left for it */
};

struct http_exchange {
    struct request request; /* first: the api's pointer is ours */
    struct response response;
    struct arena arena;
    struct pool_job job;
    struct http_bodies *bodies;
    struct http_server *server;
    struct http_loop *loop; /* whose thread it is served in */
    struct http_exchange *next_woken;
    struct MHD_Connection *mhd;
    struct connection *connection;
    _Atomic int phase;      /* enum http_exchange_phase; ANSWERED is published by whoever wakes */
    bool late;              /* it came while draining */
    bool suspended;         /* of the library; network thread only */
    bool went_aside;        /* answered past the library: see http_answer_aside */
    struct http_kept *kept; /* the answer as it will be sent again: service/http_kept.h */
    struct http_stream stream;
    const char *raw_end; /* where the target ends in the library's text: compared, never read through */
    char id[HTTP_EXCHANGE_ID_SIZE];
    /* Empty: none came. Like the id it outlives the making of an answer. */
    char traceparent[GUARD_TRACEPARENT_SIZE];
    char client[CONNECTION_CLIENT_SIZE]; /* response.client of a stream */
    uint64_t begun_ns;
    char *body; /* the first body_length bytes of what came, if it is kept */
    size_t body_length, body_capacity;
    size_t body_limit; /* what was announced, or what is allowed */
    enum http_body_fate body_fate;
    struct http_exchange *next_free;
};

/* What all bodies together may take, and take now. */
struct http_bodies {
    size_t memory_bytes;
    atomic_size_t bytes;
};

/* Those that nobody needs now. A zeroed one is empty. */
struct http_exchange_list {
    struct http_exchange *first;
    size_t count;
};

/* A blank one with a copy of `target`; NULL when memory is out. */
struct http_exchange *http_exchange_take(struct http_exchange_list *list, struct http_bodies *bodies,
                                         const char *target);
void http_exchange_give_back(struct http_exchange_list *list, struct http_exchange *exchange);
/* Frees it: it ends where no list may be touched. */
void http_exchange_discard(struct http_exchange *exchange);
void http_exchange_list_finish(struct http_exchange_list *list);

/* The path and query of an absolute-form target become the target, its authority the Host field (RFC 9112 3.2.2). False:
 * it is malformed, or memory is out. */
bool http_exchange_read_target(struct http_exchange *exchange);

/* Echoes `given` or makes an id that this process gives once. */
void http_exchange_set_id(struct http_exchange *exchange, const char *given);

/* Frees what only the making of the answer needed: the head is on its way, and the body comes from a stream. */
void http_exchange_slim(struct http_exchange *exchange);

/* One more piece. Memory is taken as the bytes come: a length that is only announced costs nothing. A body
 * that is not kept is counted on, so that the client gets to read the refusal.
 * False: it sends far more than could be excused: cut the connection. */
bool http_exchange_add_body(struct http_exchange *exchange, const char *bytes, size_t length);
