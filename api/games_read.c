/* getGame, getGameStatus, getGameFen, getGamePosition, listLegalMoves, listRepetitions, getDraw:
 * a game as it is, or as it was at a ply. */
#include <stdlib.h>
#include <string.h>

#include "api/act.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/view_legal.h"
#include "api/view_position.h"
#include "rules/fen.h"

/* The position at `?ply=`, or the present one. False: the response is ply-not-found. */
static bool at_ply(struct exchange *exchange, const struct game *game, struct position_view *view,
                   struct position *position)
{
    int64_t ply = query_integer(exchange, QUERY_PLY, game->head.ply);
    if (ply > game->head.ply) {
        game_problem(exchange, PROBLEM_PLY_NOT_FOUND, "The game has not come to that half-move.", game);
        return false;
    }
    *view =
        (struct position_view){position, (unsigned)ply, game->head.repetition, query_en_passant(exchange)};
    if (ply == game->head.ply) {
        *position = game->head.position;
        return true;
    }
    uint64_t *keys = arena_alloc(exchange->arena, ((size_t)ply + 1) * sizeof *keys);
    if (!keys)
        return problem_no_memory(exchange);
    struct game past = *game;
    past.head.ply = (uint16_t)ply;
    struct replay replay;
    replay_begin(&replay, &past, keys);
    while (replay_next(&replay)) {
    }
    *position = replay.after;
    view->repetition = replay.repetition;
    return true;
}

/* The same, and the answer begun. */
static bool begin_at_ply(struct exchange *exchange, const struct game *game, struct position_view *view,
                         struct position *position)
{
    if (!at_ply(exchange, game, view, position))
        return false;
    reply_begin(exchange, 200);
    game_headers(exchange, game);
    return true;
}

static void show_game(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT) {
        view_fen_line(out, &game->head.position, FEN_EN_PASSANT_LEGAL);
        writer_printf(out, "%s %s\n", game_status_name((enum game_status)game->head.status),
                      game_result_name((enum game_result)game->head.end.result));
    } else {
        view_game(out, NULL, exchange, game);
    }
    reply_end(exchange);
}

enum api_result get_game(struct exchange *exchange)
{
    return game_get_kept(exchange, show_game);
}

static void show_status(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    const char *termination = game_termination_name((enum game_termination)game->head.end.termination);
    if (exchange->format == FORMAT_TEXT)
        writer_printf(out, "%s %s%s%s\n", game_status_name((enum game_status)game->head.status),
                      game_result_name((enum game_result)game->head.end.result), termination ? " " : "",
                      termination ? termination : "");
    else
        view_game_status(out, exchange, game);
    reply_end(exchange);
}

enum api_result get_game_status(struct exchange *exchange)
{
    return game_get(exchange, show_status);
}

static void show_fen(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct position_view view;
    struct position position;
    if (!begin_at_ply(exchange, game, &view, &position))
        return;
    struct writer *out = &exchange->out;
    if (exchange->format == FORMAT_JSON) {
        json_object_begin(out, NULL);
        view_fen(out, "fen", &position, view.en_passant);
        json_int(out, "ply", view.ply);
        json_object_end(out);
    } else {
        view_fen_line(out, &position, view.en_passant);
    }
    reply_end(exchange);
}

enum api_result get_game_fen(struct exchange *exchange)
{
    return game_get(exchange, show_fen);
}

static void show_position(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct position_view view;
    struct position position;
    if (!begin_at_ply(exchange, game, &view, &position))
        return;
    struct writer *out = &exchange->out;
    json_object_begin(out, NULL);
    view_position(out, &view);
    json_object_end(out);
    reply_end(exchange);
}

enum api_result get_game_position(struct exchange *exchange)
{
    return game_get_kept(exchange, show_position);
}

/* A game that is over has no legal moves at its last ply: the Laws allow none (5). An earlier ply had. */
static bool moves_are_over(const struct game *game, const struct position_view *view)
{
    return view->ply == game->head.ply && game_is_over(game);
}

static void show_legal_moves(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct position_view view;
    struct position position;
    if (!begin_at_ply(exchange, game, &view, &position))
        return;
    struct legal_filter filter = legal_filter_of(exchange);
    filter.none = moves_are_over(game, &view);
    view_legal(exchange, &position, &filter);
    reply_end(exchange);
}

enum api_result list_legal_moves(struct exchange *exchange)
{
    return game_get_kept(exchange, show_legal_moves);
}

static void show_draw(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT) {
        view_draw_text(out, game);
    } else {
        json_object_begin(out, NULL);
        view_draw(out, game, true);
        json_object_end(out);
    }
    reply_end(exchange);
}

enum api_result get_draw(struct exchange *exchange)
{
    return game_get_kept(exchange, show_draw);
}

/* ---- repetitions --------------------------------------------------------------------------------------- */

struct occurrence {
    uint64_t key;
    unsigned ply;
};

static int by_key_and_ply(const void *a, const void *b)
{
    const struct occurrence *x = a;
    const struct occurrence *y = b;
    if (x->key != y->key)
        return x->key < y->key ? -1 : 1;
    return x->ply < y->ply ? -1 : x->ply > y->ply;
}

static void view_occurrences(struct writer *json, const char *key, const struct occurrence *first,
                             size_t count)
{
    json_object_begin(json, key);
    json_hex64(json, "key", first->key);
    json_int(json, "count", (int64_t)count);
    json_array_begin(json, "plies");
    for (size_t i = 0; i < count; i++)
        json_int(json, NULL, first[i].ply);
    json_array_end(json);
    json_object_end(json);
}

static size_t run_length(const struct occurrence *all, size_t total, size_t from)
{
    size_t end = from + 1;
    while (end < total && all[end].key == all[from].key)
        end++;
    return end - from;
}

static void view_repetitions(struct writer *json, const struct game *game, const struct occurrence *all,
                             size_t min_count)
{
    size_t total = game->head.ply + 1U;
    for (size_t i = 0; i < total; i += run_length(all, total, i))
        if (all[i].key == game->head.position.key)
            view_occurrences(json, "current", &all[i], run_length(all, total, i));
    json_array_begin(json, "keys");
    for (size_t i = 0; i < total; i += run_length(all, total, i))
        if (run_length(all, total, i) >= min_count)
            view_occurrences(json, NULL, &all[i], run_length(all, total, i));
    json_array_end(json);
    struct key_history history = game_history(game);
    bool claimable = game->head.status == GAME_ACTIVE &&
                     (claim_now(&game->head.position, &history) >> CLAIM_THREEFOLD & 1) != 0;
    json_bool(json, "claimable", claimable);
}

static void show_repetitions(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    size_t total = game->head.ply + 1U;
    uint64_t *keys = arena_alloc(exchange->arena, total * sizeof *keys);
    struct occurrence *all = arena_alloc(exchange->arena, total * sizeof *all);
    if (!keys || !all) {
        problem_out_of_memory(exchange);
        return;
    }
    struct replay replay;
    replay_begin(&replay, game, keys);
    while (replay_next(&replay)) {
    }
    for (size_t i = 0; i < total; i++)
        all[i] = (struct occurrence){keys[i], (unsigned)i};
    qsort(all, total, sizeof *all, by_key_and_ply);
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    json_object_begin(out, NULL);
    view_repetitions(out, game, all, (size_t)query_integer(exchange, QUERY_MIN_COUNT, 2));
    json_object_end(out);
    reply_end(exchange);
}

enum api_result list_repetitions(struct exchange *exchange)
{
    return game_get_kept(exchange, show_repetitions);
}
