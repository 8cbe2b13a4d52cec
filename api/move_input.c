#include "api/move_input.h"

#include <string.h>

#include "api/exchange.h"
#include "api/fields.h"
#include "api/problem.h"
#include "api/text.h"
#include "rules/pgn_clock.h"

struct move_fields {
    struct field_text move, san, uci;
    struct field_square from, to;
    struct field_word promotion, notation;
    struct field_integer ply;
    struct field_text comment;
    struct field_bool draw_offer;
    struct field_texts moves;
};

static const char *const promotion_words[] = {"q",     "r",    "b",      "n",      "auto",
                                              "queen", "rook", "bishop", "knight", NULL};
static const enum piece_type promotion_pieces[] = {PIECE_QUEEN,  PIECE_ROOK,   PIECE_BISHOP,
                                                   PIECE_KNIGHT, PIECE_NONE,   PIECE_QUEEN,
                                                   PIECE_ROOK,   PIECE_BISHOP, PIECE_KNIGHT};
enum { PROMOTION_AUTO = 4 };
static const char *const notation_words[] = {
    [NOTATION_LENIENT] = "lenient", [NOTATION_STRICT] = "strict", NULL};

struct move_input move_input_text(const char *text, size_t length)
{
    static const char OFFER[] = "(=)"; /* FIDE appendix C.12 */
    text_trim(&text, &length);
    bool offers = memmem(text, length, OFFER, sizeof OFFER - 1) != NULL;
    return (struct move_input){.text = text, .length = length, .draw_offer = offers};
}

static bool allocate(struct exchange *exchange, size_t count, struct move_request *request)
{
    request->moves = arena_zalloc(exchange->arena, (count ? count : 1) * sizeof *request->moves);
    request->texts = arena_zalloc(exchange->arena, (count ? count : 1) * sizeof *request->texts);
    request->count = count;
    if (request->moves && request->texts)
        return true;
    return problem_no_memory(exchange);
}

static enum piece_type default_promotion(const struct exchange *exchange, const struct move_fields *fields)
{
    bool wanted = query_has(exchange, QUERY_PROMOTION) ||
                  (fields && fields->promotion.given && fields->promotion.value == PROMOTION_AUTO);
    return wanted ? PIECE_QUEEN : PIECE_NONE;
}

static bool read_bare(struct exchange *exchange, struct move_request *request)
{
    if (!allocate(exchange, 1, request))
        return false;
    request->moves[0] = move_input_text(exchange->body.text, exchange->body.length);
    request->moves[0].default_promotion = default_promotion(exchange, NULL);
    request->texts[0] = exchange->body.text;
    return true;
}

static bool read_several(struct exchange *exchange, const struct move_fields *fields,
                         struct move_request *request)
{
    if (!allocate(exchange, fields->moves.count, request))
        return false;
    for (size_t i = 0; i < request->count; i++) {
        const struct field_text *item = &fields->moves.items[i];
        request->moves[i] = move_input_text(item->value, item->length);
        request->moves[i].default_promotion = default_promotion(exchange, fields);
        request->moves[i].style =
            fields->notation.given ? (enum notation_style)fields->notation.value : NOTATION_LENIENT;
        request->texts[i] = item->value;
    }
    request->several = true;
    request->pointer = "/moves";
    return true;
}

static void read_squares(const struct move_fields *fields, struct move_input *input)
{
    bool named = fields->promotion.given && fields->promotion.value != PROMOTION_AUTO;
    input->attempt = (struct attempt){
        .from = fields->from.value,
        .to = fields->to.value,
        .from_file = 8,
        .from_rank = 8,
        .promotion = named ? promotion_pieces[fields->promotion.value] : PIECE_NONE,
    };
}

static const struct {
    const char *pointer;
    size_t at;
    enum notation_form form;
} text_forms[] = {
    {"/move", offsetof(struct move_fields, move), NOTATION_ANY},
    {"/san", offsetof(struct move_fields, san), NOTATION_SAN},
    {"/uci", offsetof(struct move_fields, uci), NOTATION_UCI},
};
enum { TEXT_FORMS = sizeof text_forms / sizeof text_forms[0] };

static bool read_one(struct exchange *exchange, const struct move_fields *fields,
                     struct move_request *request)
{
    if (!allocate(exchange, 1, request))
        return false;
    struct move_input *input = request->moves;
    for (size_t i = 0; i < TEXT_FORMS; i++) {
        const struct field_text *text = (const void *)((const char *)fields + text_forms[i].at);
        if (!text->given)
            continue;
        *input = move_input_text(text->value, text->length);
        input->form = text_forms[i].form;
        request->texts[0] = text->value;
        request->pointer = text_forms[i].pointer;
    }
    if (fields->from.given) {
        read_squares(fields, input);
        request->pointer = "/to";
    }
    input->default_promotion = default_promotion(exchange, fields);
    input->style = fields->notation.given ? (enum notation_style)fields->notation.value : NOTATION_LENIENT;
    input->comment = fields->comment.length ? fields->comment.value : NULL; /* an empty one is none */
    input->draw_offer = input->draw_offer || fields->draw_offer.value;
    return true;
}

/* Exactly one way to say the move. */
static bool check_forms(struct exchange *exchange, const struct move_fields *fields, bool several_allowed)
{
    unsigned ways = (unsigned)fields->move.given + fields->san.given + fields->uci.given +
                    fields->moves.given + (fields->from.given || fields->to.given);
    if (ways == 0)
        problem_field(exchange, "/move", "Say the move: `move`, `san`, `uci`, or `from` and `to`%s.",
                      several_allowed ? ", or several in `moves`" : "");
    else if (ways > 1)
        problem_field(exchange, "/move", "The move is given in more than one way.");
    else if (fields->from.given != fields->to.given)
        problem_field(exchange, fields->from.given ? "/to" : "/from", "`from` and `to` go together.");
    else if (fields->promotion.given && fields->promotion.value != PROMOTION_AUTO && !fields->from.given)
        problem_field(exchange, "/promotion",
                      "`promotion` goes with `from` and `to`; in a text it is part of the move.");
    else if (fields->moves.given && fields->comment.given)
        problem_field(exchange, "/comment", "A comment belongs to one move, not to several.");
    else if (fields->comment.length && pgn_clock_is_claimed(fields->comment.value))
        problem_field(
            exchange, "/comment",
            "The times of a move are the service's: a comment has no %%clk, %%emt, %%egt or %%mct.");
    else if (fields->moves.given && fields->draw_offer.given)
        problem_field(exchange, "/draw_offer", "A draw is offered with one move, not with several.");
    else
        return true;
    return false;
}

#define AT(member)    .at = offsetof(struct move_fields, member)
#define LIMIT(member) .max_limit = offsetof(struct api_limits, member)

static const struct field MOVE_FIELDS[] = {
    {.name = "move", .type = FIELD_TEXT, AT(move), .max = MOVE_TEXT_MAX},
    {.name = "san", .type = FIELD_TEXT, AT(san), .max = MOVE_TEXT_MAX},
    {.name = "uci", .type = FIELD_TEXT, AT(uci), .max = MOVE_TEXT_MAX},
    {.name = "from", .type = FIELD_SQUARE, AT(from)},
    {.name = "to", .type = FIELD_SQUARE, AT(to)},
    {.name = "promotion", .type = FIELD_WORD, AT(promotion), .words = promotion_words},
    {.name = "notation", .type = FIELD_WORD, AT(notation), .words = notation_words},
    {.name = "ply", .type = FIELD_INTEGER, AT(ply), .min = 1, .max = GAME_PLIES_LIMIT},
    {.name = "comment", .type = FIELD_COMMENT, AT(comment), LIMIT(comment_bytes), .nullable = true},
    {.name = "draw_offer", .type = FIELD_BOOL, AT(draw_offer)},
    {.name = "moves", .type = FIELD_TEXTS, AT(moves), .min = 1, LIMIT(moves_per_request)}, /* the last one */
};

static bool read_fields(struct exchange *exchange, bool several_allowed, struct move_request *request)
{
    size_t count = FIELDS_COUNT(MOVE_FIELDS) - (several_allowed ? 0 : 1);
    struct move_fields fields = {0};
    if (!fields_read(exchange, MOVE_FIELDS, count, &fields) ||
        !check_forms(exchange, &fields, several_allowed))
        return false;
    request->ply = fields.ply.given ? (uint32_t)fields.ply.value : 0;
    return fields.moves.given ? read_several(exchange, &fields, request)
                              : read_one(exchange, &fields, request);
}

bool move_request_read(struct exchange *exchange, bool several_allowed, struct move_request *request)
{
    *request = (struct move_request){0};
    switch (exchange->body.kind) {
    case BODY_TEXT:
        return read_bare(exchange, request);
    case BODY_JSON:
    case BODY_FORM:
        return read_fields(exchange, several_allowed, request);
    case BODY_EMPTY:
    case BODY_PGN:
    case BODY_LINES:
    case BODY_KIND_COUNT:
        break;
    }
    problem_field(exchange, "/move", "The request brings no move.");
    return false;
}
