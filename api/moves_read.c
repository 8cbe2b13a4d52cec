/* listMoves, getMove, getGamePgn: the history of a game. The board comes from the moves in memory; when a
 * move was played and what was said of it, from the log. */
#include <assert.h>
#include <string.h>

#include "api/act.h"
#include "api/etag.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/view_move.h"
#include "api/view_pgn.h"

/* A copy of a game that outlives the lock, and the records of a range of its moves: those of the version that was
 * copied, whatever becomes of the game meanwhile. */
struct history {
    struct exchange *exchange;
    struct game game;
    struct position start;
    struct game_texts texts;
    unsigned first, count;       /* plies first … first + count - 1 have records */
    struct move_record *records; /* `count` of them */
    struct clock clock;
    bool unchanged;
    bool failed; /* memory is out */
};

static const char *copy_text(struct history *history, const char *text)
{
    const char *copy = text ? arena_copy(history->exchange->arena, text, strlen(text)) : NULL;
    history->failed = history->failed || (text && !copy);
    return copy;
}

static void copy_moves(struct history *history, const struct game *game)
{
    size_t bytes = game->head.ply * sizeof *game->moves;
    history->game.moves = arena_alloc(history->exchange->arena, bytes);
    if (!history->game.moves)
        history->failed = true;
    else if (bytes)
        memcpy(history->game.moves, game->moves, bytes);
}

static void copy_game(void *context, const struct game *game)
{
    struct history *history = context;
    history->unchanged = etag_is_current(history->exchange, etag_of(history->exchange, game));
    history->game = *game;
    history->game.keys = NULL;
    history->game.seats = NULL;
    history->game.head.comment = NULL;
    history->game.head.end.comment = NULL;
    history->game.head.end.decision = NULL;
    copy_moves(history, game);
    if (game->clock) {
        history->clock = *game->clock;
        history->game.clock = &history->clock;
    }
    if (game->start) {
        history->start = *game->start;
        history->game.start = &history->start;
    }
    if (game->texts) {
        history->texts = (struct game_texts){
            .white_name = copy_text(history, game->texts->white_name),
            .black_name = copy_text(history, game->texts->black_name),
            .tags = copy_text(history, game->texts->tags),
            .comment = copy_text(history, game->texts->comment),
        };
        history->game.texts = &history->texts;
    }
}

static bool take_record(void *context, const struct move_record *record)
{
    struct history *history = context;
    unsigned i = record->ply - history->first;
    assert(i < history->count);
    history->records[i] = *record;
    history->records[i].comment = copy_text(history, record->comment);
    return !history->failed;
}

static enum games_status read_records(struct history *history)
{
    struct arena *arena = history->exchange->arena;
    history->records = arena_zalloc(arena, history->count * sizeof *history->records);
    history->failed = !history->records;
    if (history->failed || history->count == 0)
        return GAMES_OK;
    return games_move_records(history->exchange->api->games, &history->game, history->first, history->count,
                              take_record, history);
}

/* Says which plies are wanted; false: it has answered instead. */
typedef bool (*history_choice)(struct history *history);

/* False: the request is answered. */
static bool look(struct history *history, history_choice choose, enum games_status *status)
{
    struct exchange *exchange = history->exchange;
    *status = game_view(exchange, copy_game, history);
    if (*status != GAMES_OK || history->failed)
        return true;
    if (!choose(history))
        return false;
    if (history->unchanged) {
        game_not_modified(exchange, &history->game);
        return false;
    }
    *status = read_records(history);
    return true;
}

/* NULL: *result is the handler's. */
static struct history *history_read(struct exchange *exchange, history_choice choose, enum api_result *result)
{
    *result = API_BLOCKS;
    if (!exchange->request->may_block)
        return NULL;
    *result = API_DONE;
    struct history *history = arena_zalloc(exchange->arena, sizeof *history);
    if (!history) {
        problem_out_of_memory(exchange);
        return NULL;
    }
    history->exchange = exchange;
    enum games_status status;
    if (!look(history, choose, &status))
        return NULL;
    if (status == GAMES_OK && !history->failed)
        return history;
    if (history->failed)
        problem_out_of_memory(exchange);
    else
        games_fault(exchange, status);
    return NULL;
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
    const struct move_record *record = &history->records[replay->ply - history->first];
    return (struct move_view){
        .before = &replay->before,
        .after = &replay->after,
        .move = replay->move,
        .ply = replay->ply,
        .repetition = replay->repetition,
        .played_at_ms = record->at_ms,
        .clock_ms = record->clock_ms,
        .spent_ms = record->spent_ms,
        .comment = record->comment,
    };
}

/* ---- listMoves ----------------------------------------------------------------------------------------- */

static bool descending(const struct exchange *exchange)
{
    return query_integer(exchange, QUERY_ORDER, QUERY_ORDER_ASC) == QUERY_ORDER_DESC;
}

/* Ascending pages begin at from_ply, descending ones end there. */
static bool choose_page(struct history *history)
{
    const struct exchange *exchange = history->exchange;
    unsigned plies = history->game.head.ply;
    unsigned limit = (unsigned)query_limit(exchange);
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
    struct replay *page = arena_alloc(out->arena, history->count * sizeof *page);
    if (!page)
        out->failed = true;
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
    struct text_span path = exchange_path(exchange);
    reply_headerf(exchange, "Link", "<%.*s?from_ply=%u&limit=%lld%s>; rel=\"next\"", (int)path.length,
                  path.text, ply, (long long)query_limit(exchange),
                  descending(exchange) ? "&order=desc" : "");
}

enum api_result list_moves(struct exchange *exchange)
{
    enum api_result result;
    struct history *history = history_read(exchange, choose_page, &result);
    if (!history)
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

/* ---- getMove ------------------------------------------------------------------------------------------- */

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
    enum api_result result;
    struct history *history = history_read(exchange, choose_one, &result);
    if (!history)
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

/* ---- getGamePgn ---------------------------------------------------------------------------------------- */

static bool choose_all(struct history *history)
{
    history->first = 1;
    history->count = history->game.head.ply;
    return true;
}

static void answer_pgn(struct exchange *exchange, const struct game *game, const struct move_record *records)
{
    struct pgn_view view = {
        .game = game,
        .records = records,
        .tags = query_bool(exchange, QUERY_TAGS, true),
        .comments = query_bool(exchange, QUERY_COMMENTS, true),
        .clocks = query_bool(exchange, QUERY_CLOCKS, true),
    };
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    reply_headerf(exchange, "Content-Disposition", "inline; filename=\"%s.pgn\"", exchange->path.id);
    view_pgn(out, &view);
    reply_end(exchange);
}

static void show_bare_pgn(void *context, const struct game *game)
{
    answer_pgn(context, game, NULL);
}

/* Only the comments and the clocks stand in the log alone. */
enum api_result get_game_pgn(struct exchange *exchange)
{
    if (!query_bool(exchange, QUERY_COMMENTS, true) && !query_bool(exchange, QUERY_CLOCKS, true))
        return game_get(exchange, show_bare_pgn);
    enum api_result result;
    struct history *history = history_read(exchange, choose_all, &result);
    if (!history)
        return result;
    answer_pgn(exchange, &history->game, history->records);
    return API_DONE;
}
