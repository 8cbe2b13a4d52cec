#include "api/exchange.h"

#include <string.h>
#include <strings.h>

#include "api/cors.h"
#include "api/rate.h"
#include "api/reply.h"
#include "api/retry.h"
#include "games/games.h"

struct text_span exchange_path(const struct exchange *exchange)
{
    const char *target = exchange->request->target;
    return (struct text_span){target, strcspn(target, "?")};
}

static bool is_authority(const char *host)
{
    return *host && strspn(host, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-._~[]:") ==
                        strlen(host);
}

/* The origin of that authority, or NULL. */
static const char *find_public(const char *const *origins, const char *host)
{
    for (const char *const *origin = origins; host && origin && *origin; origin++) {
        const char *authority = strstr(*origin, "://");
        if (authority && strcasecmp(authority + 3, host) == 0)
            return *origin;
    }
    return NULL;
}

const char *exchange_origin(const struct exchange *exchange)
{
    const char *const *origins = exchange->api->settings.public_origins;
    const char *host = exchange_header(exchange, HEADER_HOST);
    const char *known = find_public(origins, host);
    if (!known) /* behind a proxy that speaks TLS it is this that says "https" */
        known = find_public(exchange->api->settings.allowed_origins, host);
    if (known)
        return known;
    if (host && is_authority(host))
        return arena_printf(exchange->arena, "http://%s", host);
    return origins && origins[0] ? origins[0] : "";
}

int64_t exchange_epoch_ms(const struct exchange *exchange)
{
    struct request *request = exchange->request;
    if (!request->epoch_ms)
        request->epoch_ms = games_epoch_ms(exchange->api->games);
    return request->epoch_ms;
}

static bool is_read(const struct exchange *exchange)
{
    return (exchange->method == METHOD_GET || exchange->method == METHOD_HEAD) &&
           (exchange->response->status == 200 || exchange->response->status == 304);
}

void exchange_complete(struct exchange *exchange)
{
    if (!reply_header_value(exchange, "Cache-Control"))
        reply_cache(exchange, is_read(exchange) ? "no-cache" : "no-store");
    if (!reply_header_value(exchange, "Vary"))
        reply_header(exchange, "Vary", "Accept, Origin");
    reply_header(exchange, "X-Content-Type-Options", "nosniff");
    if (exchange->request->id)
        reply_header(exchange, "X-Request-Id", exchange->request->id);
    rate_add(exchange);
    if (!exchange->response->stream.work) /* else it is answered when the body is whole */
        retry_end(exchange);
    cors_add(exchange);
}

void exchange_suspend(struct exchange *exchange)
{
    exchange->request->hooks->suspend(exchange->request);
}

void exchange_wake(struct exchange *exchange)
{
    struct request *request = exchange->request;
    exchange_complete(exchange);
    request->hooks->wake(request);
}
