/* fuzz_exchange: a bare exchange for the readers of a request: no route, no games, default limits.
 *
 *     struct fuzz_exchange bare;
 *     fuzz_exchange_begin(&bare, "GET", "/v1/games");
 *     bare.request.headers[HEADER_ACCEPT] = accept;
 *     … &bare.exchange …
 *     fuzz_exchange_end(&bare);
 *
 * Tests only. Memory: the arena's, but for the texts it was given. */
#pragma once

#include "api/exchange.h"

struct fuzz_exchange {
    struct request request;
    struct response response;
    struct arena arena;
    struct api api;
    struct exchange exchange;
};

void fuzz_exchange_begin(struct fuzz_exchange *bare, const char *method, const char *target);
void fuzz_exchange_end(struct fuzz_exchange *bare);

/* The request was refused as bad input is: by a problem of the table, never by a fault of ours, in JSON that can be
 * read. */
void fuzz_check_refused(const struct fuzz_exchange *bare);
/* Nothing was refused. */
void fuzz_check_unanswered(const struct fuzz_exchange *bare);
