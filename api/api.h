/* api: the meaning of HTTP requests, whole. service/ hands in requests, sends what comes out.
 *
 * Layer: api. Threads: api_handle and api_refuse may run in any number of threads at once.
 * Source: the contract is openapi.yaml. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/http.h"
#include "api/limits.h"

struct api;
struct games;
struct writer;

/* What the api asks of the process around it. `context` is passed back as it is. */
struct api_service {
    void *context;
    /* Appends the metrics in Prometheus text format 0.0.4 (GET /metrics). */
    void (*write_metrics)(void *context, struct writer *out);
    /* The digest of a token (games/secret.h) is that of an operator's key; NULL: there are none. */
    bool (*is_operator)(void *context, const uint8_t *digest);
    /* False while draining: readyz answers 503. */
    bool (*accepts_work)(void *context);
    const char *version;    /* "0.1.0" */
    const char *build_info; /* one line of build facts for GET /version */
};

/* Whether what a client does is counted against a limit that each has. */
enum api_client_limits {
    API_CLIENT_LIMITS_AUTO, /* unless it comes over loopback or a Unix socket, and no proxy is trusted */
    API_CLIENT_LIMITS_ON,
    API_CLIENT_LIMITS_OFF,
};

struct api_settings {
    struct api_limits limits;
    /* Each NULL-terminated, or NULL. */
    const char *const *allowed_origins;   /* "*" allows all (API 10) */
    const char *const *allowed_hosts;     /* Host names that are ours beside the loopback names */
    const char *const *trusted_proxies;   /* addresses, networks, "unix": whose Forwarded fields count */
    enum api_client_limits rate_limits;   /* limits.rate_* */
    enum api_client_limits stream_limits; /* limits.streams_per_client */
    const char *const *public_origins;    /* "http://127.0.0.1:8080", one a listener, for `url` */
    bool seats_by_default; /* access of games that are created without saying it; false: open */
    bool operators_create; /* games are made by operators alone */
};

/* `settings`' strings and `games` must outlive the api. NULL when memory is out. */
struct api *api_create(struct games *games, const struct api_service *service,
                       const struct api_settings *settings);
void api_destroy(struct api *api);

/* Answers one request.
 *   API_DONE     `response` is complete.
 *   API_BLOCKS   nothing was decided; call again from a pool thread with request->may_block set.
 *   API_WORKS    likewise, with request->may_work set too; never where it is.
 *   API_PENDING  request->hooks->suspend was called and wake follows. From suspend on, the request and the
 *                response belong to whoever wakes: the caller must not read them until it has been woken. */
enum api_result api_handle(struct api *api, struct request *request, struct response *response);

/* Completes `response` with a problem that the service itself found (a malformed head, a body over the limit,
 * shutting down …), in the form the client accepts, with all headers that any answer carries.
 * `code` is a slug of the problem table ("payload-too-large"); `detail` one sentence. */
void api_refuse(struct api *api, struct request *request, struct response *response, const char *code,
                const char *detail);
