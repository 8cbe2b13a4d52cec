#include "api/exchange.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/line_input.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/view_decision.h"
#include "api/view_legal.h"
#include "api/view_position.h"
#include "rules/chess960.h"
#include "rules/fen.h"
#include "rules/movegen.h"

/* What a URL says of a loose position says the same tomorrow, but for a newer release. */
static const char CACHE_HOUR[] = "public, max-age=3600";

static void view_position_text(struct writer *text, const struct position_view *view)
{
    char fen[FEN_SIZE];
    unsigned legal_moves = movegen_count(view->position);
    fen_format(view->position, view->en_passant, fen);
    writer_printf(text, "%s\n%s to move%s, %s, %u legal moves\n", fen,
                  fen_color_name(position_turn(view->position)),
                  position_is_check(view->position) ? ", in check" : "",
                  view_position_status(view->position, legal_moves), legal_moves);
}

static void view_side(struct writer *json, const struct position *position, enum color winner,
                      const struct winnable_scratch *scratch)
{
    struct winnable_result result;
    winnable_decide(position, winner, WINNABLE_NODES_SMALL, scratch, &result);
    struct decision_view view = decision_view_of(position, &result);
    json_object_begin(json, fen_color_name(winner));
    view_decision(json, &view);
    json_object_end(json);
}

/* Who can still win, as far as a glance tells; decideWinnable spends more. */
static void view_winnable(struct writer *json, const struct position *position)
{
    struct winnable_scratch scratch = {arena_alloc(json->arena, WINNABLE_SCRATCH_SMALL),
                                       WINNABLE_SCRATCH_SMALL};
    if (!scratch.memory) {
        json->failed = true;
        return;
    }
    json_object_begin(json, "winnable");
    view_side(json, position, COLOR_WHITE, &scratch);
    view_side(json, position, COLOR_BLACK, &scratch);
    json_object_end(json);
}

static enum api_result answer_position(struct exchange *exchange, const struct position_view *view)
{
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, CACHE_HOUR);
    if (exchange->format == FORMAT_TEXT) {
        view_position_text(out, view);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    view_position(out, view);
    view_winnable(out, view->position);
    json_object_end(out);
    return reply_end(exchange);
}

/* Who can still win is told in JSON alone, and not worked out on a network thread. */
enum api_result get_position(struct exchange *exchange)
{
    struct position start;
    if (!setup_input_query(exchange, &start))
        return API_DONE;
    if (exchange->format == FORMAT_JSON && !exchange->request->may_block)
        return API_BLOCKS;
    struct line line;
    if (!line_input_query(exchange, &start, &line))
        return API_DONE;
    struct position_view view = {&line.position, line.ply, line.repetition, query_en_passant(exchange)};
    return answer_position(exchange, &view);
}

enum api_result list_position_legal_moves(struct exchange *exchange)
{
    struct position position;
    if (!setup_input_query(exchange, &position))
        return API_DONE;
    struct legal_filter filter = legal_filter_of(exchange);
    reply_begin(exchange, 200);
    reply_cache(exchange, CACHE_HOUR);
    view_legal(exchange, &position, &filter);
    return reply_end(exchange);
}

enum api_result get_chess960_position(struct exchange *exchange)
{
    struct position position = chess960_position(exchange->path.number);
    struct position_view view = {&position, 0, 1, FEN_EN_PASSANT_LEGAL};
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, "public, max-age=86400");
    if (exchange->format == FORMAT_TEXT) {
        view_position_text(out, &view);
        return reply_end(exchange);
    }
    json_object_begin(out, NULL);
    json_int(out, "chess960_number", exchange->path.number);
    view_position(out, &view);
    json_object_end(out);
    return reply_end(exchange);
}

struct validate_input {
    struct field_text fen;
    struct field_word variant;
};

static const struct field VALIDATE_FIELDS[] = {
    {.name = "fen", .type = FIELD_TEXT, .at = offsetof(struct validate_input, fen), .max = SETUP_TEXT_MAX},
    {.name = "variant",
     .type = FIELD_WORD,
     .at = offsetof(struct validate_input, variant),
     .words = setup_variant_words},
};

static bool read_validate(struct exchange *exchange, struct validate_input *input)
{
    if (!fields_read_or_text(exchange, VALIDATE_FIELDS, FIELDS_COUNT(VALIDATE_FIELDS), input))
        return false;
    if (!input->fen.given)
        problem_field(exchange, "/fen", "fen is missing: a FEN as text, or {\"fen\": \"…\"}.");
    return input->fen.given;
}

static void view_validation(struct writer *json, const struct position *position,
                            const struct setup_report *report, enum fen_en_passant en_passant)
{
    json_object_begin(json, NULL);
    json_bool(json, "valid", position && report->count == 0);
    if (position)
        view_fen(json, "fen", position, en_passant);
    else
        json_null(json, "fen");
    view_setup_faults(json, "faults", report);
    json_object_end(json);
}

static void view_validation_text(struct writer *text, const struct setup_report *report)
{
    writer_text(text, report->count == 0 ? "valid\n" : "not valid\n");
    for (unsigned i = 0; i < report->count; i++) {
        const struct setup_fault *fault = &report->faults[i];
        writer_printf(text, "%s at byte %u: %s\n", setup_fault_name(fault->code, fault->field), fault->offset,
                      setup_fault_text(fault->code, fault->field));
    }
}

enum api_result validate_position(struct exchange *exchange)
{
    struct validate_input input = {0};
    if (!read_validate(exchange, &input) || !setup_input_take_variant(exchange, &input.variant))
        return API_DONE;
    struct setup_report report = {0};
    struct position position;
    bool chess960 = input.variant.value == VARIANT_CHESS960;
    bool playable = fen_parse(input.fen.value, input.fen.length, chess960, &position, &report);
    struct writer *out = reply_begin(exchange, 200);
    if (exchange->format == FORMAT_TEXT)
        view_validation_text(out, &report);
    else
        view_validation(out, playable ? &position : NULL, &report, query_en_passant(exchange));
    return reply_end(exchange);
}
