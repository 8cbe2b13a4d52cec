/* valid: a good request of every operation of openapi.yaml. */
#pragma once

#include <stddef.h>

#include "tests/support/http_client.h"

enum { VALID_SIZE = 2048, VALID_NAME_SIZE = 48 };

/* In its texts stand $G, an open game; $S, one with seats; $C, $W, $V, tokens of its creator, of White and of its
 * spectators; $T, a ticket for its events; $K, a key that was not used before. */
struct valid_request {
    const char *operation, *method, *target;
    const char *type;   /* of the body */
    const char *fields; /* further ones */
    const char *body;   /* NULL: none */
};

extern const struct valid_request valid_requests[];
extern const size_t valid_request_count;

/* What the names stand for just now. */
struct valid_names {
    char game[VALID_NAME_SIZE], seated[VALID_NAME_SIZE];
    char creator[VALID_NAME_SIZE], white[VALID_NAME_SIZE], spectator[VALID_NAME_SIZE],
        ticket[VALID_NAME_SIZE];
    unsigned keys; /* made so far */
};

/* New games. False: they could not be made. */
bool valid_renew(struct valid_names *names, struct http_client *client);
/* The request as bytes, with X-Request-Id: `id`; NUL-terminated. The length. */
size_t valid_write(const struct valid_request *request, struct valid_names *names, const char *id,
                   char out[VALID_SIZE]);
