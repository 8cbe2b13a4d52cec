#include "api/exchange.h"
#include "api/handlers.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/view_position.h"
#include "rules/movegen.h"
#include "rules/notation.h"

enum {
    WHOLE_DEPTH = 2, /* so many plies are counted in one go: at most some ten thousand nodes past the limit */
    INLINE_DEPTH = 2, /* so little work need not go to the pool */
};

/* Adds the leaves below `position` to *total; stops once it is over `most`. */
static void count_leaves(const struct position *position, unsigned depth, uint64_t most, uint64_t *total)
{
    if (depth <= WHOLE_DEPTH) {
        *total += movegen_perft(position, depth);
        return;
    }
    struct movelist list = {0};
    struct position after;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count && *total <= most; i++) {
        position_play(position, list.moves[i], &after);
        count_leaves(&after, depth - 1, most, total);
    }
}

static enum api_result refuse(struct exchange *exchange)
{
    int64_t limit = exchange->api->settings.limits.perft_nodes;
    return problem_too_expensive(
        exchange, arena_printf(exchange->arena, "The tree has more than %lld leaves.", (long long)limit),
        "depth", limit);
}

/* The leaves below each move of the position. */
struct division {
    struct movelist list;
    uint64_t nodes[MOVELIST_MAX];
    uint64_t total;
};

static void divide(const struct position *position, unsigned depth, uint64_t most, struct division *division)
{
    struct position after;
    movegen_legal(position, &division->list);
    for (unsigned i = 0; i < division->list.count && division->total <= most; i++) {
        uint64_t before = division->total;
        position_play(position, division->list.moves[i], &after);
        count_leaves(&after, depth - 1, most, &division->total);
        division->nodes[i] = division->total - before;
    }
}

static void view_division(struct writer *json, const struct position *position,
                          const struct division *division)
{
    json_array_begin(json, "moves");
    for (unsigned i = 0; i < division->list.count; i++) {
        char uci[NOTATION_UCI_SIZE];
        notation_format_uci(position, division->list.moves[i], uci);
        json_object_begin(json, NULL);
        json_string(json, "uci", uci);
        json_int(json, "nodes", (int64_t)division->nodes[i]);
        json_object_end(json);
    }
    json_array_end(json);
}

static enum api_result answer_text(struct exchange *exchange, const struct position *position,
                                   const struct division *division, bool divided)
{
    struct writer *out = reply_begin(exchange, 200);
    writer_int(out, (int64_t)division->total);
    writer_char(out, '\n');
    for (unsigned i = 0; divided && i < division->list.count; i++) {
        char uci[NOTATION_UCI_SIZE];
        notation_format_uci(position, division->list.moves[i], uci);
        writer_printf(out, "%s: %llu\n", uci, (unsigned long long)division->nodes[i]);
    }
    return reply_end(exchange);
}

static enum api_result answer_json(struct exchange *exchange, const struct position *position, unsigned depth,
                                   const struct division *division)
{
    struct writer *out = reply_begin(exchange, 200);
    json_object_begin(out, NULL);
    view_fen(out, "fen", position, FEN_EN_PASSANT_LEGAL);
    json_int(out, "depth", depth);
    json_int(out, "nodes", (int64_t)division->total);
    if (query_bool(exchange, QUERY_DIVIDE, false))
        view_division(out, position, division);
    json_object_end(out);
    return reply_end(exchange);
}

enum api_result get_perft(struct exchange *exchange)
{
    struct position position;
    unsigned depth = (unsigned)query_integer(exchange, QUERY_DEPTH, 0);
    if (!setup_input_query(exchange, &position))
        return API_DONE;
    if (!query_has(exchange, QUERY_DEPTH))
        return problem_parameter(exchange, "depth", "depth is missing.");
    if (depth > INLINE_DEPTH && !exchange->request->may_work)
        return API_WORKS;
    struct division *division = arena_zalloc(exchange->arena, sizeof *division);
    if (!division)
        return problem_out_of_memory(exchange);
    uint64_t most = (uint64_t)exchange->api->settings.limits.perft_nodes;
    if (depth == 0)
        division->total = 1;
    else
        divide(&position, depth, most, division);
    if (division->total > most)
        return refuse(exchange);
    if (exchange->format == FORMAT_TEXT)
        return answer_text(exchange, &position, division, query_bool(exchange, QUERY_DIVIDE, false));
    return answer_json(exchange, &position, depth, division);
}
