/* rate: how much a client may ask for.
 *
 * Layer: api. A token bucket for each client and class of work: full at first, emptied by requests, filled again
 * steadily within a minute. Memory: a table of a fixed size; the client that has asked for nothing for the longest time
 * leaves it. Threads: any. Time is the service time, so tests move it.
 * Source: RFC 6585 4 (429), draft-ietf-httpapi-ratelimit-headers (RateLimit, RateLimit-Policy). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/client.h"

enum rate_class {
    RATE_NONE,    /* never counted */
    RATE_MOVES,   /* what changes games */
    RATE_CREATES, /* what makes games */
    RATE_READS,
    RATE_HEAVY,
    RATE_CLASS_COUNT
};

struct rate_settings {
    int64_t per_minute[RATE_CLASS_COUNT]; /* at least 1; RATE_NONE is not looked at */
    size_t clients;                       /* the most that are remembered, at least 1 */
};

struct rates;

/* NULL when memory is out. */
struct rates *rates_create(const struct rate_settings *settings);
void rates_destroy(struct rates *rates);

/* A bucket after a request. */
struct rate_left {
    bool allowed;
    int64_t remaining; /* requests that may follow at once */
    int64_t full_ms;   /* until it is full again */
    int64_t next_ms;   /* until the next request is allowed; 0: now */
};

/* Takes a token out of the bucket of that client, or finds none. An IPv6 address counts with its /64. */
void rates_take(struct rates *rates, const struct client_address *client, enum rate_class class,
                int64_t now_ms, struct rate_left *left);

/* How many clients are remembered. */
size_t rates_clients(struct rates *rates);

/* Counts the request, once however often the api is called with it, unless limits are off or do not apply to its
 * client. False: it is one too many, and the response is the problem. */
bool rate_check(struct exchange *exchange);
/* The same for what the request has turned out to want, which is of another class: it counts there besides. */
bool rate_check_besides(struct exchange *exchange, enum rate_class class);
/* Adds RateLimit and RateLimit-Policy to the answer of a request that was counted. */
void rate_add(struct exchange *exchange);
