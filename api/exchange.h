/* exchange: one request on its way through the api, and all that was found out about it.
 *
 * Layer: api. Memory: in the arena of the request, so it lives until the answer is sent.
 * A handler (api/route.h) reads typed input from it (path, query, body), acts, and writes a result with
 * api/reply.h or api/problem.h; it frees and logs nothing. It returns
 *   API_DONE     the response is complete but for the header fields that every answer has;
 *   API_BLOCKS   it would have to wait for a disk or work for some time, and request->may_block is not set;
 *   API_WORKS    it would have to work long, and request->may_work is not set;
 *   API_PENDING  it has called exchange_suspend, and whoever ends the work calls exchange_wake. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "api/api.h"
#include "api/body.h"
#include "api/format.h"
#include "api/http.h"
#include "api/query.h"
#include "api/json.h"
#include "games/seats.h"

struct cache;
struct client_network;
struct rates;
struct stream_slots;
struct tickets;
struct retries;
struct retry;
struct route;
struct route_tree;

struct api {
    struct games *games;
    struct route_tree *routes;
    /* A picture costs a thousand times as much as an answer of the same length: each has a budget of its own. */
    struct cache *answers, *pictures;
    struct api_service service;
    struct api_settings settings;
    struct client_network *proxies; /* whose Forwarded fields count; proxy_count of them */
    size_t proxy_count;
    struct rates *rates; /* NULL: nothing is limited */
    struct retries *retries;
    struct tickets *tickets;
    struct stream_slots *stream_slots;
};

enum method {
    METHOD_GET,
    METHOD_HEAD,
    METHOD_POST,
    METHOD_PUT,
    METHOD_PATCH,
    METHOD_DELETE,
    METHOD_OPTIONS,
    METHOD_OTHER,
    METHOD_COUNT
};

enum { EXCHANGE_ID_SIZE = 13, EXCHANGE_SLUG_SIZE = 48 };

struct path_values {
    char id[EXCHANGE_ID_SIZE];     /* {id}: a well-formed game id */
    char slug[EXCHANGE_SLUG_SIZE]; /* {slug}, {name} */
    uint32_t ply;                  /* {ply}: 0 … GAME_PLIES_LIMIT */
    uint32_t number;               /* {n}: 0 … 959 */
    enum game_seat seat;           /* {color} */
};

struct exchange {
    const struct api *api;
    struct request *request;
    struct response *response;
    struct arena *arena;       /* request->arena */
    const struct route *route; /* NULL until one is found */
    enum method method;
    enum format format;  /* of a successful answer */
    bool origin_allowed; /* the request's Origin may read the answer */
    struct path_values path;
    struct caller caller; /* who asks: api/credentials.h */
    char token_purpose;   /* of his token (games/secret.h); NUL: it has no such form */
    struct query query;
    void *task; /* the handler's own, for its callbacks; NULL at first */
    struct body body;
    struct writer out;   /* of reply_begin */
    struct retry *retry; /* of a request that may be repeated; NULL: it has no key */
};

/* The value of a header field of the request, or NULL. */
static inline const char *exchange_header(const struct exchange *exchange, enum header_field field)
{
    return exchange->request->headers[field];
}

/* The path as it was asked for, with the suffix of a format if it had one: what links to the same resource
 * begin with. */
struct text_span exchange_path(const struct exchange *exchange);

/* The origin that the client knows us by: "http://127.0.0.1:8080", or of the allowed origins the one that its Host field
 * names; in the arena or static. NULL: memory is out. */
const char *exchange_origin(const struct exchange *exchange);

/* games_epoch_ms, the same for all that an answer shows. */
int64_t exchange_epoch_ms(const struct exchange *exchange);

/* Work that ends in another thread:
 *   1. before it leaves this thread: exchange_suspend. From then on the exchange belongs to the other side;
 *      the handler only returns API_PENDING;
 *   2. the other side keeps the response that was written before, or replaces it by a problem;
 *   3. it calls exchange_wake, which completes the header fields and hands the response over. The exchange
 *      must not be touched afterwards. */
void exchange_suspend(struct exchange *exchange);
void exchange_wake(struct exchange *exchange);

/* Adds the header fields that every answer has. Called by api_handle and exchange_wake only. */
void exchange_complete(struct exchange *exchange);
