/* http: one HTTP exchange as the api layer sees it. Bytes in, bytes out; no sockets, no library.
 *
 * Layer: api; service/ fills the request, calls api_handle, and sends the response.
 * Memory: everything a request or a response points to lives in the request's arena, is held by it (arena_hold), or
 * outlives it (static text). The service frees all of it in one place, after the answer went out; see struct
 * response_stream.
 * Threads: a request is in one thread at a time; `enum api_result` says how it moves.
 * Source: RFC 9110 (semantics), RFC 9112 (HTTP/1.1). */
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/arena.h"
#include "api/header_field.h"

struct request;

/* What the service can do for a request that cannot be answered at once. */
struct request_hooks {
    /* Called by the api before it starts something that ends in another thread; the service stops the
     * connection's clockwork. At most once for one api_handle call. */
    void (*suspend)(struct request *request);
    /* Called from any thread, once after each suspend: the response is complete and may be sent. The request
     * must not be touched afterwards. */
    void (*wake)(struct request *request);
    /* Called from any thread, as often as one likes, until response.stream.close has returned: the stream may have
     * something to read. */
    void (*poke)(struct request *request);
};

/* Where the request came in: decides whether Host must be a loopback name and which origins are ours (API
 * 10). */
enum request_scope {
    REQUEST_SCOPE_NETWORK,  /* a socket that others can reach */
    REQUEST_SCOPE_LOOPBACK, /* 127.0.0.0/8 or ::1 */
    REQUEST_SCOPE_UNIX,     /* a Unix socket */
};

struct request {
    const char *method; /* as received: "GET" */
    const char *target; /* origin-form as received, not decoded: "/v1/games?limit=3"; NUL-terminated */
    const char *body;   /* never NULL; NUL-terminated, may hold NUL inside */
    size_t body_length; /* bytes */
    /* Of each header field its value, NULL where it is missing; those of several lines are one list (RFC 9110 5.3). */
    const char *headers[HEADER_FIELD_COUNT];
    const struct request_hooks *hooks;
    struct arena *arena;      /* the service's; lives as long as the request */
    const char *id;           /* X-Request-Id: echoed where well-formed, else made by the service */
    enum request_scope scope; /* of the listening socket */
    const char *client;       /* the address of the peer: "192.0.2.1", "::1", "unix"; NULL: as "unix" */
    bool may_block;           /* true on a pool thread: disk may be waited for */
    bool may_work;            /* likewise, and long work may be done */
    bool head_only;           /* HEAD: same headers, the service drops the body */
    atomic_bool is_gone;      /* the client has left: whoever makes its body may stop */
    int64_t received_ms;      /* the api's own: service time of an action's first call; 0 at first */
    int64_t epoch_ms;         /* the api's own: exchange_epoch_ms; 0 until it is asked for */
    /* The api's own: RateLimit-Policy and RateLimit of the answer; NULL at first, and where it is not counted. */
    const char *rate_policy, *rate_limit;
};

struct response_header {
    const char *name, *value;
};

enum { RESPONSE_HEADERS_MAX = 24 };

/* Why a stream is asked for bytes. */
enum stream_why {
    STREAM_WANTED, /* the client can take some */
    STREAM_QUIET,  /* nothing was written for quiet_ms, or the service doubts that the client lives */
    STREAM_ENDING, /* the service is shutting down: what is written now is the last */
};

/* A body that is written as it comes: either others make it, and poke, or `work` does.
 * The first kind may take hours: once the head is on its way the service frees the arena of the request, so that such a
 * stream has memory of its own, and may do nothing with the request but poke it. To the second the arena is left, for
 * `work` alone; of the request it may use what lies there, and is_gone. */
struct response_stream {
    void *context;
    /* On the network thread, must not block: writes at most `size` bytes, at least 1, and returns how many. 0: nothing
     * now; it is asked again after a poke, or when it was quiet. *end is false, and becomes true where nothing follows
     * what was written. NULL: the response has no stream. */
    size_t (*read)(void *context, enum stream_why why, char *buffer, size_t size, bool *end);
    /* NULL, or: on a pool thread, may block: makes more of the body, until it is whole, enough of it waits, or others
     * should have the thread. Called when `read` has written less than it might, one call at a time, beside `read`; it is
     * read again after each. What it has begun is done when it returns: `close` does not wait. Such a body is not over
     * because the service is ending. */
    void (*work)(void *context);
    /* Once, whatever has become of the request, any thread; nothing is read, nor does `work` run, after it begins. */
    void (*close)(void *context);
    int64_t quiet_ms; /* 0: it is never asked because it was quiet */
};

/* What the service has made of an answer that is sent again and again: kept with its body, so that it is made once. */
struct response_form {
    void (*destroy)(struct response_form *form); /* any thread */
};

/* The most that a form takes: counted where bodies are kept within a budget. */
enum { RESPONSE_FORM_BYTES = 2304 };

/* Where one is kept, or NULL. Whoever takes it out has it alone, and holds the body meanwhile. Who owns the body destroys
 * both. */
struct response_slot {
    _Atomic(struct response_form *) form;
};

struct response {
    unsigned status; /* 0 until decided */
    struct response_header headers[RESPONSE_HEADERS_MAX];
    size_t header_count;
    const char *body; /* `length` bytes, as long as the arena; may be NULL when length is 0 */
    size_t length;
    struct response_slot *slot; /* of the body, which will be sent again; as long as the arena; or NULL */
    const char *route;  /* route template for log and metrics ("/v1/games/{id}"), never an id; never NULL */
    const char *code;   /* problem slug, or NULL */
    const char *client; /* whom a trusted proxy has named in place of the peer, or NULL */
    bool close;         /* the connection must not be kept */
    bool is_unmeasured; /* to a HEAD: nobody knows how long the body of a GET would be; it has none here */
    struct response_stream stream; /* instead of the body */
};

enum api_result {
    API_DONE, /* the response is complete */
    /* A disk would be waited for, nothing is done yet: call again from a pool thread with may_block set. */
    API_BLOCKS,
    /* There is long work to do, more than a tenth of a second, and nothing is done yet: call again from a pool thread with
     * may_block and may_work set. Some of these threads do none, so that what only blocks is not held up. */
    API_WORKS,
    /* hooks->suspend was called; hooks->wake follows or has already come; the response is complete then. */
    API_PENDING,
};
