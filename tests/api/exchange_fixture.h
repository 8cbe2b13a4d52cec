/* A bare exchange for tests of what reads a request: no route, no client, default limits.
 *
 *     struct fixture fixture;
 *     fixture_begin(&fixture, "POST", "application/json", "{}");
 *     … &fixture.exchange …
 *     fixture_end(&fixture);
 */
#pragma once

#include "api/exchange.h"

struct fixture {
    struct request request; /* first: the hooks get it */
    struct response response;
    struct arena arena;
    struct api api;
    struct exchange exchange;
};

/* `type`: Content-Type, or NULL. */
void fixture_begin(struct fixture *fixture, const char *method, const char *type, const char *body);
void fixture_end(struct fixture *fixture);
/* The response as text; "" where there is none. */
const char *fixture_body(struct fixture *fixture);
/* The response is this problem and its body has `part` in it. */
void fixture_expect(struct fixture *fixture, const char *code, const char *part);
