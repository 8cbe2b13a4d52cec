#include "api/api.h"

#include <stdlib.h>

#include "api/access.h"
#include "api/cache.h"
#include "api/client.h"
#include "api/credentials.h"
#include "api/exchange.h"
#include "api/problem.h"
#include "api/rate.h"
#include "api/retry.h"
#include "api/route.h"
#include "api/route_tree.h"
#include "api/stream_slots.h"
#include "api/view_event.h"
#include "api/tickets.h"

static bool open_proxies(struct api *api)
{
    const char *const *texts = api->settings.trusted_proxies;
    api->proxies = client_networks_create(texts, &api->proxy_count);
    return !texts || !texts[0] || api->proxies;
}

static bool open_rates(struct api *api)
{
    const struct api_limits *limits = &api->settings.limits;
    const struct rate_settings settings = {
        .per_minute = {[RATE_MOVES] = limits->rate_moves,
                       [RATE_CREATES] = limits->rate_creates,
                       [RATE_READS] = limits->rate_reads,
                       [RATE_HEAVY] = limits->rate_heavy},
        .clients = (size_t)limits->rate_clients,
    };
    if (api->settings.rate_limits == API_CLIENT_LIMITS_OFF)
        return true;
    api->rates = rates_create(&settings);
    return api->rates != NULL;
}

static bool open_streams(struct api *api)
{
    const struct api_limits *limits = &api->settings.limits;
    const struct stream_slot_limits slots = {.all = limits->streams,
                                             .of_address = limits->streams_per_address,
                                             .of_client = limits->streams_per_client};
    api->stream_slots = stream_slots_create(&slots);
    games_set_renderer(api->games, view_event, api);
    return api->stream_slots != NULL;
}

struct api *api_create(struct games *games, const struct api_service *service,
                       const struct api_settings *settings)
{
    struct api *api = calloc(1, sizeof *api);
    if (!api)
        return NULL;
    api->games = games;
    api->answers = cache_create((size_t)settings->limits.answer_cache_bytes);
    api->pictures = cache_create((size_t)settings->limits.picture_cache_bytes);
    api->service = *service;
    api->settings = *settings;
    api->routes = route_tree_create(route_table, route_count);
    api->retries = retries_create();
    api->tickets = tickets_create((size_t)settings->limits.stream_tickets);
    if (api->routes && api->retries && api->tickets && open_proxies(api) && open_rates(api) &&
        open_streams(api))
        return api;
    api_destroy(api);
    return NULL;
}

void api_destroy(struct api *api)
{
    if (!api)
        return;
    route_tree_destroy(api->routes);
    retries_destroy(api->retries);
    tickets_destroy(api->tickets);
    stream_slots_destroy(api->stream_slots);
    rates_destroy(api->rates);
    free(api->proxies);
    cache_destroy(api->answers);
    cache_destroy(api->pictures);
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
    client_note(exchange);
}

/* Only a PGN, fields with one, or a batch may be so long: reading it is long work. */
static bool is_long(const struct exchange *exchange)
{
    const struct request *request = exchange->request;
    return !request->may_block && request->body_length > (size_t)exchange->api->settings.limits.body_bytes;
}

static enum api_result answer(struct exchange *exchange)
{
    const char *query = NULL;
    if (!access_check(exchange) || !route_find(exchange, &query) || !rate_check(exchange) ||
        !query_read(exchange, query, exchange->route->query))
        return API_DONE;
    if (is_long(exchange))
        return API_BLOCKS;
    credentials_read(exchange);
    enum api_result result;
    if (!retry_begin(exchange, &result))
        return result;
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
    else if (result == API_BLOCKS || result == API_WORKS)
        retry_end(exchange);
    return result;
}

void api_refuse(struct api *api, struct request *request, struct response *response, const char *code,
                const char *detail)
{
    struct exchange exchange;
    init(&exchange, api, request, response);
    access_note_origin(&exchange);
    enum problem_code known = problem_find(code);
    problem_reply(&exchange, known == PROBLEM_COUNT ? PROBLEM_INTERNAL : known, detail);
    /* Before there is a route no type is wrong, but a coding is. */
    if (known == PROBLEM_UNSUPPORTED_MEDIA_TYPE)
        body_tell_coding(&exchange);
    exchange_complete(&exchange);
}
