/* listGames: pages of public games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/act.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"

/* A cursor is the last key of the page before, in hex behind a letter for its order: opaque to clients,
 * checked here. */
static bool read_cursor(struct exchange *exchange, struct storage_query *query)
{
    const char *text = query_text(exchange, QUERY_CURSOR);
    if (!text)
        return true;
    char order = query->order == STORAGE_OLDEST_FIRST ? 'a' : 'd';
    bool ours = text[0] == order && strspn(text + 1, "0123456789abcdef") == strlen(text + 1);
    unsigned long long key = ours ? strtoull(text + 1, NULL, 16) : 0;
    if (key == 0 || key > INT64_MAX) {
        struct problem problem = {.code = PROBLEM_INVALID_PARAMETER,
                                  .detail = "This is no cursor that a page of this list in this order gave.",
                                  .parameter = "cursor"};
        problem_send(exchange, &problem);
        return false;
    }
    query->after_key = (int64_t)key;
    return true;
}

static void show(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct writer *out = &exchange->out;
    if (exchange->format == FORMAT_TEXT)
        writer_printf(out, "%s %s %s\n", game->id, game_status_name((enum game_status)game->head.status),
                      game_result_name((enum game_result)game->head.end.result));
    else
        view_game(out, NULL, exchange, game);
}

static void write_link(struct exchange *exchange, const char *cursor)
{
    static const enum query_parameter kept[] = {QUERY_STATUS, QUERY_PLAYER, QUERY_SINCE,
                                                QUERY_UNTIL,  QUERY_ORDER,  QUERY_LIMIT};
    struct text_span path = exchange_path(exchange);
    struct writer link;
    writer_init(&link, exchange->arena, 256);
    writer_char(&link, '<');
    writer_bytes(&link, path.text, path.length);
    writer_char(&link, '?');
    for (size_t i = 0; i < sizeof kept / sizeof kept[0]; i++) {
        const char *value = query_text(exchange, kept[i]);
        if (!value)
            continue;
        writer_printf(&link, "%s=", query_name(kept[i]));
        for (const unsigned char *c = (const unsigned char *)value; *c; c++)
            if ((*c >= 'a' && *c <= 'z') || (*c >= 'A' && *c <= 'Z') || (*c >= '0' && *c <= '9') ||
                strchr("-._~", *c))
                writer_char(&link, (char)*c);
            else
                writer_printf(&link, "%%%02X", *c);
        writer_char(&link, '&');
    }
    writer_printf(&link, "cursor=%s>; rel=\"next\"", cursor);
    writer_char(&link, '\0');
    if (link.failed)
        exchange->out.failed = true;
    else
        reply_header(exchange, "Link", link.data);
}

enum api_result list_games(struct exchange *exchange)
{
    if (!exchange->request->may_block)
        return API_BLOCKS;
    bool by_age = query_integer(exchange, QUERY_ORDER, QUERY_ORDER_DESC) == QUERY_ORDER_ASC;
    struct storage_query query = {
        .status = query_has(exchange, QUERY_STATUS)
                      ? game_status_name((enum game_status)query_integer(exchange, QUERY_STATUS, 0))
                      : NULL,
        .player = query_text(exchange, QUERY_PLAYER),
        .since_ms = query_integer(exchange, QUERY_SINCE, 0),
        .until_ms = query_integer(exchange, QUERY_UNTIL, 0),
        .order = by_age ? STORAGE_OLDEST_FIRST : STORAGE_NEWEST_FIRST,
        .limit = (uint32_t)query_integer(exchange, QUERY_LIMIT, exchange->api->settings.limits.page_default),
    };
    if (!read_cursor(exchange, &query))
        return API_DONE;
    struct writer *out = reply_begin(exchange, 200);
    bool text = exchange->format == FORMAT_TEXT;
    if (!text) {
        json_object_begin(out, NULL);
        json_array_begin(out, "data");
    }
    int64_t next_key = 0;
    enum games_status status = games_list(exchange->api->games, &query, show, exchange, &next_key);
    if (status != GAMES_OK)
        return games_fault(exchange, status);
    char cursor[32] = "";
    if (next_key) {
        (void)snprintf(cursor, sizeof cursor, "%c%llx", by_age ? 'a' : 'd', (unsigned long long)next_key);
        write_link(exchange, cursor);
    }
    if (!text) {
        json_array_end(out);
        json_string(out, "next_cursor", cursor[0] ? cursor : NULL);
        json_object_end(out);
    }
    return reply_end(exchange);
}
