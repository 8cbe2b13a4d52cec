/* listGames: pages of public games. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/act.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "games/secret.h"

enum { CURSOR_CHECK_DIGITS = 8, CURSOR_SIZE = 1 + CURSOR_CHECK_DIGITS + 16 + 1 };

/* The last key of the page before, in hex behind a letter for its order and some digits that check it: opaque to clients. The
 * check is of the whole list, so that a cursor that was cut, or is of another list, is none. It hides nothing. */
static void write_cursor(const struct storage_query *query, int64_t key, char cursor[CURSOR_SIZE])
{
    uint8_t digest[SECRET_DIGEST_SIZE];
    char check[SECRET_HEX_SIZE];
    const struct secret_part parts[] = {
        {query->status, query->status ? strlen(query->status) : 0},
        {query->player, query->player ? strlen(query->player) : 0},
        {&query->since_ms, sizeof query->since_ms},
        {&query->until_ms, sizeof query->until_ms},
        {&key, sizeof key},
    };
    secret_digest_parts(parts, sizeof parts / sizeof parts[0], digest);
    secret_format_hex(digest, check);
    (void)snprintf(cursor, CURSOR_SIZE, "%c%.*s%llx", query->order == STORAGE_OLDEST_FIRST ? 'a' : 'd',
                   CURSOR_CHECK_DIGITS, check, (unsigned long long)key);
}

static bool read_cursor(struct exchange *exchange, struct storage_query *query)
{
    const char *text = query_text(exchange, QUERY_CURSOR);
    char again[CURSOR_SIZE] = "";
    if (!text)
        return true;
    bool has_key = strlen(text) > 1 + CURSOR_CHECK_DIGITS;
    unsigned long long key = has_key ? strtoull(text + 1 + CURSOR_CHECK_DIGITS, NULL, 16) : 0;
    if (key > 0 && key <= INT64_MAX)
        write_cursor(query, (int64_t)key, again);
    if (strcmp(text, again) != 0 || !*again) {
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

/* To the store 0 is open; no game is as old as the millisecond before it. */
static int64_t until_ms(const struct exchange *exchange)
{
    int64_t ms = query_integer(exchange, QUERY_UNTIL, 0);
    return ms == 0 && query_has(exchange, QUERY_UNTIL) ? -1 : ms;
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
        .until_ms = until_ms(exchange),
        .order = by_age ? STORAGE_OLDEST_FIRST : STORAGE_NEWEST_FIRST,
        .limit = (uint32_t)query_limit(exchange),
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
    char cursor[CURSOR_SIZE] = "";
    if (next_key) {
        write_cursor(&query, next_key, cursor);
        write_link(exchange, cursor);
    }
    if (!text) {
        json_array_end(out);
        json_string(out, "next_cursor", cursor[0] ? cursor : NULL);
        json_object_end(out);
    }
    return reply_end(exchange);
}
