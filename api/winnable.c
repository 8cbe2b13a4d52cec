/* decideWinnable: whether a side can still mate by any series of legal moves (5.1.2, 5.2.2, 6.9). */
#include <stddef.h>

#include "api/exchange.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/view_decision.h"
#include "api/view_position.h"
#include "games/game.h"

/* Of scratch memory; rather more than a position takes. */
enum { BYTES_PER_NODE = WINNABLE_SCRATCH_DEFAULT / WINNABLE_NODES_DEFAULT };

struct winnable_input {
    struct field_text fen;
    struct field_word color, variant;
};

#define AT(member) .at = offsetof(struct winnable_input, member)

static const struct field winnable_fields[] = {
    {.name = "fen", .type = FIELD_TEXT, AT(fen), .min = 1, .max = FEN_TEXT_MAX},
    {.name = "color", .type = FIELD_WORD, AT(color), .words = game_seat_words},
    {.name = "variant", .type = FIELD_WORD, AT(variant), .words = setup_variant_words},
};

static bool read_input(struct exchange *exchange, struct winnable_input *input, struct position *position)
{
    if (!fields_read_or_text(exchange, winnable_fields, FIELDS_COUNT(winnable_fields), input) ||
        !setup_input_take_variant(exchange, &input->variant))
        return false;
    if (!input->fen.given) {
        problem_field(exchange, "/fen", "fen is missing: a FEN as text, or {\"fen\": \"…\"}.");
        return false;
    }
    return setup_input_read(exchange, input->fen.value, input->fen.length,
                            input->variant.value == VARIANT_CHESS960, "/fen", NULL, position);
}

static enum api_result answer(struct exchange *exchange, enum color winner, const struct decision_view *view)
{
    struct writer *out = reply_begin(exchange, 200);
    if (exchange->format == FORMAT_TEXT) {
        view_decision_line(out, view);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    view_fen(out, "fen", view->position, FEN_EN_PASSANT_LEGAL);
    json_string(out, "color", fen_color_name(winner));
    view_decision(out, view);
    json_object_end(out);
    return reply_end(exchange);
}

enum api_result decide_winnable(struct exchange *exchange)
{
    struct winnable_input input = {0};
    struct position position;
    if (!read_input(exchange, &input, &position))
        return API_DONE;
    if (!exchange->request->may_work)
        return API_WORKS;
    uint32_t nodes = (uint32_t)exchange->api->settings.limits.winnable_nodes;
    struct winnable_scratch scratch = {.bytes = (size_t)nodes * BYTES_PER_NODE + WINNABLE_SCRATCH_MIN};
    scratch.memory = arena_alloc(exchange->arena, scratch.bytes);
    struct winnable_result *result = arena_alloc(exchange->arena, sizeof *result);
    if (!scratch.memory || !result)
        return problem_out_of_memory(exchange);
    enum color winner =
        input.color.given ? game_color((enum game_seat)input.color.value) : position_turn(&position);
    winnable_decide(&position, winner, nodes, &scratch, result);
    struct decision_view view = decision_view_of(&position, result);
    return answer(exchange, winner, &view);
}
