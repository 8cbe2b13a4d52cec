#include "api/answers.h"

#include <string.h>

#include "api/act.h"
#include "api/etag.h"
#include "api/problem.h"
#include "api/reply.h"

void answer_key_of(const struct exchange *exchange, const struct game *game, struct answer_key *key)
{
    const char *target = exchange->request->target, *host = exchange_header(exchange, HEADER_HOST);
    key->what.game = game->key;
    struct etag etag = etag_of(exchange, game);
    key->what.version = etag.version;
    key->what.shift_ms = etag.shift_ms;
    key->what.format = exchange->format;
    key->parts[0] = (struct cache_part){&key->what, sizeof key->what};
    key->parts[1] = (struct cache_part){target, strlen(target)};
    key->parts[2] = (struct cache_part){host ? host : "", host ? strlen(host) : 0};
    key->count = ANSWER_PARTS;
}

bool answer_find(struct exchange *exchange, const struct answer_key *key, const struct game *game)
{
    struct cache_found found;
    if (!cache_find(exchange->api->answers, key->parts, key->count, exchange->arena, &found))
        return false;
    reply_static(exchange, found.bytes, found.length);
    exchange->response->slot = found.slot;
    game_headers(exchange, game);
    if (exchange->out.failed)
        problem_out_of_memory(exchange);
    return true;
}

void answer_keep(const struct exchange *exchange, const struct answer_key *key)
{
    const struct response *response = exchange->response;
    if (response->status == 200 && response->length)
        cache_keep_again(exchange->api->answers, key->parts, key->count, response->body, response->length);
}
