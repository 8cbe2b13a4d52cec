/* listMoves, getMove, getGamePgn: the history of a game. The board comes from the moves in memory; when a
 * move was played and what was said of it, from the log. */
#include <stdlib.h>
#include <string.h>

#include "api/act.h"
#include "api/etag.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/view_move.h"

enum { HISTORY_TRIES = 16 };

/* A copy of a game that outlives the lock, and the records of a range of its moves. */
struct history {
    struct exchange *exchange;
    struct game game;
    struct position start;
    struct game_texts texts;
    unsigned first, count; /* plies first … first + count - 1 have records */
    int64_t *at_ms;
    const char **comments;
    unsigned taken;
    bool failed, unchanged;
};

static const char *copy_text(struct arena *arena, const char *text)
{
    return text ? arena_copy(arena, text, strlen(text)) : NULL;
}

static void copy_game(void *context, const struct game *game)
{
    struct history *history = context;
    struct arena *arena = history->exchange->arena;
    history->unchanged = etag_is_current(history->exchange, game->head.version);
    history->game = *game;
    size_t bytes = game->head.ply * sizeof *game->moves;
    history->game.moves = arena_alloc(arena, bytes);
    history->game.keys = NULL;
    history->game.head.comment = NULL;
    if (!history->game.moves) {
        history->failed = true;
        return;
    }
    if (bytes)
        memcpy(history->game.moves, game->moves, bytes);
    if (game->start) {
        history->start = *game->start;
        history->game.start = &history->start;
    }
    if (game->texts) {
        history->texts = (struct game_texts){copy_text(arena, game->texts->white_name),
                                             copy_text(arena, game->texts->black_name), NULL};
        history->game.texts = &history->texts;
    }
}

static bool take_record(void *context, const struct move_record *record)
{
    struct history *history = context;
    unsigned i = record->ply - history->first;
    if (record->ply < history->first || i >= history->count)
        return true; /* a move played since the copy */
    history->at_ms[i] = record->at_ms;
    history->comments[i] = copy_text(history->exchange->arena, record->comment);
    history->taken++;
    return true;
}

static enum games_status read_records(struct history *history)
{
    struct arena *arena = history->exchange->arena;
    history->taken = 0;
    history->at_ms = arena_zalloc(arena, (history->count + 1U) * sizeof *history->at_ms);
    history->comments = arena_zalloc(arena, (history->count + 1U) * sizeof *history->comments);
    if (!history->at_ms || !history->comments)
        return GAMES_UNAVAILABLE;
    if (history->count == 0)
        return GAMES_OK;
    enum games_status status = games_move_records(history->exchange->api->games, &history->game,
                                                  history->first, history->count, take_record, history);
    if (status == GAMES_OK && history->taken != history->count)
        return GAMES_COLD; /* moves were taken back since the copy */
    return status;
}

/* Copies the game, lets `choose` say which plies are wanted, and reads their records; again where the game
 * changed in between. False: *result is the handler's. */
static bool history_read(struct history *history, bool (*choose)(struct history *history),
                         enum api_result *result)
{
    struct exchange *exchange = history->exchange;
    *result = API_BLOCKS;
    if (!exchange->request->may_block)
        return false;
    enum games_status status = GAMES_COLD;
    for (int i = 0; i < HISTORY_TRIES && status == GAMES_COLD; i++) {
        status = games_view(exchange->api->games, exchange->path.id, true, copy_game, history);
        if (status != GAMES_OK)
            break;
        *result = API_DONE;
        if (history->failed) {
            *result = problem_out_of_memory(exchange);
            return false;
        }
        if (!choose(history))
            return false; /* it has answered */
        if (history->unchanged) {
            *result = game_not_modified(exchange, &history->game);
            return false;
        }
        status = read_records(history);
    }
    if (status == GAMES_OK)
        return true;
    *result = status == GAMES_COLD ? problem_reply(exchange, PROBLEM_STORAGE_BUSY, "The game keeps changing.")
                                   : games_fault(exchange, status);
    return false;
}

static bool begin_replay(struct history *history, struct replay *replay)
{
    uint64_t *keys = arena_alloc(history->exchange->arena, (history->game.head.ply + 1U) * sizeof *keys);
    if (keys)
        replay_begin(replay, &history->game, keys);
    else
        history->exchange->out.failed = true;
    return keys != NULL;
}

static struct move_view move_view_of(const struct history *history, const struct replay *replay)
{
    unsigned i = replay->ply - history->first;
    return (struct move_view){
        .before = &replay->before,
        .after = &replay->after,
        .move = replay->move,
        .ply = replay->ply,
        .repetition = replay->repetition,
        .played_at_ms = history->at_ms[i],
        .comment = history->comments[i],
    };
}

/* ---- listMoves
 * ----------------------------------------------------------------------------------------------- */

static bool descending(const struct exchange *exchange)
{
    return query_integer(exchange, QUERY_ORDER, QUERY_ORDER_ASC) == QUERY_ORDER_DESC;
}

/* Ascending pages begin at from_ply, descending ones end there. */
static bool choose_page(struct history *history)
{
    const struct exchange *exchange = history->exchange;
    unsigned plies = history->game.head.ply;
    unsigned limit =
        (unsigned)query_integer(exchange, QUERY_LIMIT, exchange->api->settings.limits.page_default);
    if (descending(exchange)) {
        int64_t asked = query_integer(exchange, QUERY_FROM_PLY, plies);
        unsigned last = asked < plies ? (unsigned)asked : plies;
        history->count = last < limit ? last : limit;
        history->first = last - history->count + 1;
        return true;
    }
    int64_t first = query_integer(exchange, QUERY_FROM_PLY, 1);
    history->first = first < 1 ? 1 : first > plies ? plies + 1 : (unsigned)first;
    unsigned left = plies + 1 - history->first;
    history->count = left < limit ? left : limit;
    return true;
}

/* 0: there is no further page. */
static unsigned next_ply(const struct history *history)
{
    if (descending(history->exchange))
        return history->first > 1 && history->count ? history->first - 1 : 0;
    unsigned next = history->first + history->count;
    return next <= history->game.head.ply ? next : 0;
}

static void view_one(struct writer *out, struct history *history, const struct replay *replay, bool text)
{
    if (text) {
        char san[NOTATION_SAN_SIZE];
        notation_format_san(&replay->before, replay->move, san);
        writer_printf(out, "%s\n", san);
        return;
    }
    struct move_view view = move_view_of(history, replay);
    view_move(out, NULL, &view);
}

/* A page that runs backwards is replayed forwards once, and its moves are written from the last one. */
static void view_page(struct writer *out, struct history *history, bool text)
{
    struct replay replay;
    struct replay *page = arena_alloc(out->arena, (history->count + 1U) * sizeof *page);
    if (!page || !begin_replay(history, &replay))
        return;
    for (unsigned i = 0; i < history->count && replay_next(&replay);)
        if (replay.ply >= history->first)
            page[i++] = replay;
    for (unsigned i = 0; i < history->count; i++)
        view_one(out, history, &page[descending(history->exchange) ? history->count - 1 - i : i], text);
}

static void link_next(struct exchange *exchange, unsigned ply)
{
    reply_headerf(
        exchange, "Link", "</v1/games/%s/moves?from_ply=%u&limit=%lld%s>; rel=\"next\"", exchange->path.id,
        ply, (long long)query_integer(exchange, QUERY_LIMIT, exchange->api->settings.limits.page_default),
        descending(exchange) ? "&order=desc" : "");
}

enum api_result list_moves(struct exchange *exchange)
{
    struct history *history = arena_zalloc(exchange->arena, sizeof *history);
    enum api_result result;
    if (!history)
        return problem_out_of_memory(exchange);
    history->exchange = exchange;
    if (!history_read(history, choose_page, &result))
        return result;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, &history->game);
    unsigned next = next_ply(history);
    if (next)
        link_next(exchange, next);
    if (exchange->format == FORMAT_TEXT) {
        view_page(out, history, true);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    json_array_begin(out, "data");
    view_page(out, history, false);
    json_array_end(out);
    if (next)
        json_int(out, "next_ply", next);
    else
        json_null(out, "next_ply");
    json_int(out, "version", history->game.head.version);
    json_object_end(out);
    return reply_end(exchange);
}

/* ---- getMove
 * ------------------------------------------------------------------------------------------------- */

static bool choose_one(struct history *history)
{
    struct exchange *exchange = history->exchange;
    history->first = exchange->path.ply;
    history->count = 1;
    if (history->first >= 1 && history->first <= history->game.head.ply)
        return true;
    game_problem(exchange, PROBLEM_PLY_NOT_FOUND, "The game has no such half-move.", &history->game);
    return false;
}

enum api_result get_move(struct exchange *exchange)
{
    struct history *history = arena_zalloc(exchange->arena, sizeof *history);
    enum api_result result;
    if (!history)
        return problem_out_of_memory(exchange);
    history->exchange = exchange;
    if (!history_read(history, choose_one, &result))
        return result;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, &history->game);
    struct replay replay;
    if (!begin_replay(history, &replay))
        return reply_end(exchange);
    while (replay_next(&replay) && replay.ply < history->first) {
    }
    if (exchange->format == FORMAT_TEXT) {
        view_one(out, history, &replay, true);
    } else {
        struct move_view view = move_view_of(history, &replay);
        view_move(out, NULL, &view);
    }
    return reply_end(exchange);
}

/* ---- getGamePgn
 * ---------------------------------------------------------------------------------------------- */

static bool choose_all(struct history *history)
{
    history->first = 1;
    history->count = history->game.head.ply;
    return true;
}

enum api_result get_game_pgn(struct exchange *exchange)
{
    struct history *history = arena_zalloc(exchange->arena, sizeof *history);
    enum api_result result;
    if (!history)
        return problem_out_of_memory(exchange);
    history->exchange = exchange;
    if (!history_read(history, choose_all, &result))
        return result;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, &history->game);
    reply_headerf(exchange, "Content-Disposition", "inline; filename=\"%s.pgn\"", exchange->path.id);
    view_pgn(out, &history->game, query_bool(exchange, QUERY_COMMENTS, true) ? history->comments : NULL,
             query_bool(exchange, QUERY_TAGS, true));
    return reply_end(exchange);
}
