#include "api/exchange.h"
#include "api/handlers.h"
#include "api/problem.h"
#include "api/reply.h"
#include "games/games.h"

static enum api_result answer_word(struct exchange *exchange, const char *word)
{
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, "no-store");
    if (exchange->format == FORMAT_TEXT) {
        writer_text(out, word);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    json_string(out, "status", word);
    json_object_end(out);
    return reply_end(exchange);
}

/* The process lives; nothing else is asked. */
enum api_result get_health(struct exchange *exchange)
{
    return answer_word(exchange, "ok");
}

enum api_result get_readiness(struct exchange *exchange)
{
    const struct api *api = exchange->api;
    if (!api->service.accepts_work(api->service.context))
        return problem_reply(exchange, PROBLEM_SHUTTING_DOWN, "The service is shutting down.");
    if (!exchange->request->may_block)
        return API_BLOCKS;
    if (!games_ready(api->games))
        return problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE, "The store does not take writes.");
    return answer_word(exchange, "ready");
}

enum api_result get_metrics(struct exchange *exchange)
{
    const struct api *api = exchange->api;
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, "no-store");
    api->service.write_metrics(api->service.context, out);
    return reply_end(exchange);
}
