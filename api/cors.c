#include "api/cors.h"

#include "api/exchange.h"
#include "api/reply.h"

void cors_add(struct exchange *exchange)
{
    if (!exchange->origin_allowed)
        return;
    reply_header(exchange, "Access-Control-Allow-Origin", exchange_header(exchange, HEADER_ORIGIN));
    reply_header(exchange, "Access-Control-Expose-Headers",
                 "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, "
                 "X-Request-Id");
}

void cors_answer_options(struct exchange *exchange, const char *methods)
{
    reply_empty(exchange, 204);
    reply_header(exchange, "Allow", methods);
    if (!exchange->origin_allowed)
        return;
    reply_header(exchange, "Access-Control-Allow-Methods", methods);
    reply_header(exchange, "Access-Control-Allow-Headers",
                 "Accept, Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, "
                 "Last-Event-ID, Prefer, X-Request-Id, traceparent");
    reply_header(exchange, "Access-Control-Max-Age", "86400");
}
