/* createGame. */
#include <stddef.h>
#include <string.h>

#include "api/act.h"
#include "api/clock_input.h"
#include "api/credentials.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/move_input.h"
#include "api/pgn_create.h"
#include "api/player_input.h"
#include "api/reply.h"
#include "api/rules_input.h"
#include "api/setup_input.h"
#include "api/view_game.h"
#include "api/visibility_input.h"
#include "rules/chess960.h"

struct create_input {
    struct field_text fen, pgn;
    struct field_texts moves;
    struct field_integer chess960_number;
    struct field_word variant, access, visibility;
    struct player_input white, black;
    struct rules_input rules;
    struct clock_input clock;
    struct field_json metadata;
    struct field_bool validate_only;
};

#define AT(member)    .at = offsetof(struct create_input, member)
#define LIMIT(member) offsetof(struct api_limits, member)

static const struct field create_fields[] = {
    {.name = "fen", .type = FIELD_TEXT, AT(fen), .min = 1, .max = FEN_TEXT_MAX},
    {.name = "pgn", .type = FIELD_TEXT, AT(pgn), .max_limit = LIMIT(pgn_bytes)},
    {.name = "moves", .type = FIELD_TEXTS, AT(moves), .max_limit = LIMIT(moves_per_request)},
    {.name = "chess960_number", .type = FIELD_INTEGER, AT(chess960_number), .max = CHESS960_COUNT - 1},
    {.name = "variant", .type = FIELD_WORD, AT(variant), .words = setup_variant_words},
    {.name = "access", .type = FIELD_WORD, AT(access), .words = game_access_words},
    {.name = "visibility", .type = FIELD_WORD, AT(visibility), .words = game_visibility_words},
    {.name = "white",
     .type = FIELD_OBJECT,
     AT(white),
     .fields = player_fields,
     .field_count = PLAYER_FIELD_COUNT},
    {.name = "black",
     .type = FIELD_OBJECT,
     AT(black),
     .fields = player_fields,
     .field_count = PLAYER_FIELD_COUNT},
    {.name = "rules",
     .type = FIELD_OBJECT,
     AT(rules),
     .fields = rules_fields,
     .field_count = RULES_FIELD_COUNT},
    {.name = "clock",
     .type = FIELD_TEXT_OR_OBJECT,
     AT(clock),
     .max = TIME_CONTROL_TEXT_MAX,
     .nullable = true,
     .fields = clock_fields,
     .field_count = CLOCK_FIELD_COUNT},
    {.name = "metadata", .type = FIELD_JSON, AT(metadata), .max_limit = LIMIT(metadata_bytes)},
    {.name = "validate_only", .type = FIELD_BOOL, AT(validate_only)},
};

/* The first position that was asked for; NULL in *start is the usual one. */
static bool read_start(struct exchange *exchange, const struct create_input *fields,
                       const struct position **start)
{
    bool chess960 = fields->variant.given && fields->variant.value == VARIANT_CHESS960;
    struct position *position = arena_alloc(exchange->arena, sizeof *position);
    if (!position)
        return problem_no_memory(exchange);
    *start = position;
    if (fields->fen.given && fields->chess960_number.given) {
        problem_field(exchange, "/chess960_number",
                      "The first position is given twice: `fen` and `chess960_number`.");
        return false;
    }
    if (fields->chess960_number.given) {
        if (fields->variant.given && !chess960) {
            problem_field(exchange, "/variant", "A Chess960 number goes with variant chess960.");
            return false;
        }
        *position = chess960_position((unsigned)fields->chess960_number.value);
        return true;
    }
    if (!fields->fen.given && !chess960) {
        *start = NULL;
        return true;
    }
    if (!setup_input_read(exchange, fields->fen.value, fields->fen.length, chess960, "/fen", NULL, position))
        return false;
    if (position->chess960 && fields->variant.given && !chess960) {
        problem_field(exchange, "/variant", "The castling rights of this FEN are of Chess960.");
        return false;
    }
    return true;
}

static bool read_moves(struct exchange *exchange, const struct field_texts *texts, struct act *act)
{
    struct move_input *moves = arena_zalloc(exchange->arena, (texts->count + 1) * sizeof *moves);
    const char **sent = arena_zalloc(exchange->arena, (texts->count + 1) * sizeof *sent);
    if (!moves || !sent)
        return problem_no_memory(exchange);
    for (size_t i = 0; i < texts->count; i++) {
        moves[i] = move_input_text(texts->items[i].value, texts->items[i].length);
        sent[i] = texts->items[i].value;
    }
    act->action.create.moves = moves;
    act->action.create.move_count = texts->count;
    act->texts = sent;
    act->pointer = "/moves";
    act->several = true;
    return true;
}

/* Nothing was created, so nothing has an id. */
static void answer_validated(struct exchange *exchange, const struct game *game)
{
    struct game nameless = *game;
    struct writer *out = reply_begin(exchange, 200);
    nameless.id[0] = '\0';
    if (exchange->format == FORMAT_TEXT)
        view_fen_line(out, &game->head.position, FEN_EN_PASSANT_LEGAL);
    else
        view_game(out, NULL, exchange, &nameless);
    reply_end(exchange);
}

static void answer_created(struct act *act, const struct game *game)
{
    if (act->action.validate_only)
        answer_validated(act->exchange, game);
    else
        act_answer_created(act, game);
}

/* A FEN as the whole body. False: it is something else. */
static bool take_bare_fen(struct exchange *exchange, struct create_input *fields)
{
    const struct body *body = &exchange->body;
    fields->fen = (struct field_text){.given = true, .value = body->text, .length = body->length};
    if (!body_begins_like_pgn(body))
        return true;
    problem_reply(exchange, PROBLEM_INVALID_FEN,
                  "A text/plain is a FEN, and this begins like a PGN: send it with "
                  "Content-Type: application/vnd.chess-pgn.");
    return false;
}

/* A PGN has no fields. */
static bool read_fields(struct exchange *exchange, struct create_input *fields)
{
    if (exchange->body.kind == BODY_TEXT)
        return take_bare_fen(exchange, fields);
    return exchange->body.kind == BODY_PGN ||
           fields_read(exchange, create_fields, FIELDS_COUNT(create_fields), fields);
}

/* As setup_input_take_variant: what the query and the body say must agree. */
static bool take_validate_only(struct exchange *exchange, struct field_bool *validate_only)
{
    if (!query_has(exchange, QUERY_VALIDATE_ONLY))
        return true;
    bool asked = query_bool(exchange, QUERY_VALIDATE_ONLY, false);
    if (validate_only->given && validate_only->value != asked) {
        problem_field(exchange, "/validate_only", "The query says the opposite.");
        return false;
    }
    *validate_only = (struct field_bool){.given = true, .value = asked};
    return true;
}

/* A PGN says where the game begins, and how it went on. */
static bool check_pgn(struct exchange *exchange, const struct create_input *fields)
{
    if (!fields->fen.given && !fields->moves.given && !fields->chess960_number.given)
        return true;
    problem_field(exchange, "/pgn", "`pgn` goes with none of `fen`, `moves` and `chess960_number`.");
    return false;
}

static bool has_pgn(const struct exchange *exchange, const struct create_input *fields)
{
    return exchange->body.kind == BODY_PGN || fields->pgn.given;
}

/* Where the game begins and its moves. */
static bool read_game(struct exchange *exchange, const struct create_input *fields, struct act *act)
{
    if (!has_pgn(exchange, fields))
        return read_start(exchange, fields, &act->action.create.start) &&
               read_moves(exchange, &fields->moves, act);
    const struct pgn_source source = {
        .text = fields->pgn.given ? fields->pgn.value : exchange->request->body,
        .length = fields->pgn.given ? fields->pgn.length : exchange->request->body_length,
        .pointer = fields->pgn.given ? "/pgn" : NULL,
        .chess960 = fields->variant.given && fields->variant.value == VARIANT_CHESS960,
    };
    return (!fields->pgn.given || check_pgn(exchange, fields)) && pgn_create_read(exchange, &source, act);
}

static void take_name(const char **name, const struct player_input *player)
{
    if (player->name.given)
        *name = player->name.value;
}

/* What is only judged makes no game. */
static bool may_create(struct exchange *exchange, const struct create_input *fields)
{
    return fields->validate_only.value || credentials_may_create(exchange);
}

enum api_result create_game(struct exchange *exchange)
{
    struct create_input fields = {0};
    if (!read_fields(exchange, &fields) || !setup_input_take_variant(exchange, &fields.variant) ||
        !take_validate_only(exchange, &fields.validate_only) ||
        !rules_input_take_query(exchange, &fields.rules) || !may_create(exchange, &fields))
        return API_DONE;
    if (has_pgn(exchange, &fields) && !exchange->request->may_block)
        return API_BLOCKS; /* to be read takes some milliseconds */
    struct act *act = act_begin(exchange, ACTION_CREATE);
    if (!act)
        return API_DONE;
    struct action_create *create = &act->action.create;
    if (!clock_input_read(exchange, &fields.clock, &create->control) || !read_game(exchange, &fields, act))
        return API_DONE;
    create->rules = rules_input_read(&fields.rules);
    if (!visibility_input_read(exchange, &fields.access, &fields.visibility, create))
        return API_DONE;
    take_name(&create->texts.white_name, &fields.white);
    take_name(&create->texts.black_name, &fields.black);
    create->texts.metadata = fields.metadata.value;
    act->action.if_given = false; /* there is no version yet that If-Match could mean */
    act->action.validate_only = fields.validate_only.value;
    act->answer = answer_created;
    return act_run(act);
}
