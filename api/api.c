#include "api/api.h"

#include <stdlib.h>

#include "api/access.h"
#include "api/exchange.h"
#include "api/negotiate.h"
#include "api/problem.h"
#include "api/route.h"
#include "api/unknown_field.h"

struct api *api_create(struct games *games, const struct api_service *service,
                       const struct api_settings *settings)
{
    struct api *api = malloc(sizeof *api);
    if (api)
        *api = (struct api){games, *service, *settings};
    return api;
}

void api_destroy(struct api *api)
{
    free(api);
}

static void init(struct exchange *exchange, const struct api *api, struct request *request,
                 struct response *response)
{
    *response = (struct response){.route = "unmatched"};
    *exchange = (struct exchange){.api = api,
                                  .request = request,
                                  .response = response,
                                  .arena = request->arena,
                                  .method = METHOD_OTHER};
}

/* A client that sends a key relies on it: better refused than taken for a guard that is not there. */
static bool check_key(struct exchange *exchange)
{
    if (exchange->method != METHOD_POST || !exchange_header(exchange, "Idempotency-Key"))
        return true;
    struct unknown_field unknown = {
        .name = "Idempotency-Key",
        .detail = "Idempotency-Key is not supported yet; a move is repeated safely with `ply`, or by PUT "
                  "moves/{ply}."};
    unknown_field_refuse(exchange, &unknown);
    return false;
}

/* Only a body with a PGN may be so long: reading it is long work. */
static bool is_long(const struct exchange *exchange)
{
    const struct request *request = exchange->request;
    return !request->may_block && request->body_length > (size_t)exchange->api->settings.limits.body_bytes;
}

static enum api_result answer(struct exchange *exchange)
{
    const char *query = NULL;
    if (!access_check(exchange) || !route_find(exchange, &query) || !check_key(exchange) ||
        !query_read(exchange, query, exchange->route->query))
        return API_DONE;
    if (is_long(exchange))
        return API_BLOCKS;
    return body_read(exchange, exchange->route->bodies) ? exchange->route->handler(exchange) : API_DONE;
}

enum api_result api_handle(struct api *api, struct request *request, struct response *response)
{
    struct exchange *exchange = arena_alloc(request->arena, sizeof *exchange);
    if (!exchange) {
        struct exchange bare;
        init(&bare, api, request, response);
        problem_out_of_memory(&bare);
        exchange_complete(&bare);
        return API_DONE;
    }
    init(exchange, api, request, response);
    enum api_result result = answer(exchange);
    if (result == API_DONE)
        exchange_complete(exchange);
    return result;
}

void api_refuse(struct api *api, struct request *request, struct response *response, const char *code,
                const char *detail)
{
    struct exchange exchange;
    init(&exchange, api, request, response);
    exchange.text_problems = negotiate_wants_text_problem(exchange_header(&exchange, "Accept"));
    access_note_origin(&exchange);
    enum problem_code known = problem_find(code);
    problem_reply(&exchange, known == PROBLEM_COUNT ? PROBLEM_INTERNAL : known, detail);
    exchange_complete(&exchange);
}
