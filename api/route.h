/* route: which operation a request means.
 *
 * Layer: api. One static table (routes.c), a row an operation: adding one is adding a row and its handler. */
#pragma once

#include "api/exchange.h"
#include "api/rate.h"

typedef enum api_result (*route_handler)(struct exchange *exchange);

struct route {
    enum method method;    /* GET serves HEAD too */
    const char *path;      /* "/v1/games/{id}/moves/{ply}" */
    const char *operation; /* operationId of openapi.yaml; the handler has the same name in snake_case */
    route_handler handler;
    format_list formats;  /* the default first */
    unsigned bodies;      /* bit set over enum body_kind; 0: a body is ignored */
    uint64_t query;       /* bit set over enum query_parameter */
    enum rate_class rate; /* what it counts as */
    bool acts_once; /* a POST that changes games: with an Idempotency-Key its answer is kept (api/retry.h) */
};

/* The table. Rows of one path and method stand together and differ in their formats. */
extern const struct route route_table[];
extern const size_t route_count;

/* "GET". Static. NULL for METHOD_OTHER. */
const char *route_method_name(enum method method);

/* Finds the row for exchange->request: sets route, method, path values and format, and response->route.
 * False: the response is complete: a problem (400, 404, 405, 406), or the answer to OPTIONS.
 * *query: the undecoded text after "?", or NULL. */
bool route_find(struct exchange *exchange, const char **query);
