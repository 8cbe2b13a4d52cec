/* createGame and forkGame. */
#include <stddef.h>
#include <string.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/move_input.h"
#include "api/player_input.h"
#include "api/reply.h"
#include "api/setup_input.h"
#include "api/view_game.h"
#include "api/visibility_input.h"
#include "rules/chess960.h"

struct rules_input {
    bool given, is_null;
    struct field_word profile, failed_claim, dead_position;
    struct field_word_set auto_claim;
    struct field_bool fivefold, seventyfive;
};

struct create_input {
    struct field_text fen;
    struct field_texts moves;
    struct field_integer chess960_number;
    struct field_word variant, access, visibility;
    struct player_input white, black;
    struct rules_input rules;
    struct field_json metadata;
    struct field_bool validate_only;
};

#define AT(member)       .at = offsetof(struct create_input, member)
#define RULES_AT(member) .at = offsetof(struct rules_input, member)
#define LIMIT(member)    offsetof(struct api_limits, member)

/* Whether a position is dead by more than material is not looked into. */
#define DEAD_FIRST ENDING_DEAD_MATERIAL

static const struct field rules_fields[] = {
    {.name = "profile", .type = FIELD_WORD, RULES_AT(profile), .words = game_profile_words},
    {.name = "failed_claim", .type = FIELD_WORD, RULES_AT(failed_claim), .words = game_failed_claim_words},
    {.name = "dead_position",
     .type = FIELD_WORD,
     RULES_AT(dead_position),
     .words = game_dead_words + DEAD_FIRST},
    {.name = "auto_claim", .type = FIELD_WORD_SET, RULES_AT(auto_claim), .words = game_claim_words},
    {.name = "fivefold", .type = FIELD_BOOL, RULES_AT(fivefold)},
    {.name = "seventyfive", .type = FIELD_BOOL, RULES_AT(seventyfive)},
};

static const struct field create_fields[] = {
    {.name = "fen", .type = FIELD_TEXT, AT(fen), .min = 1, .max = FEN_TEXT_MAX},
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
     .field_count = FIELDS_COUNT(rules_fields)},
    {.name = "metadata", .type = FIELD_JSON, AT(metadata), .max_limit = LIMIT(metadata_bytes)},
    {.name = "validate_only", .type = FIELD_BOOL, AT(validate_only)},
};

static struct game_rules rules_of(const struct rules_input *fields)
{
    struct game_rules rules =
        game_rules_default(fields->profile.given ? (enum game_profile)fields->profile.value : PROFILE_FIDE);
    if (fields->failed_claim.given)
        rules.failed_claim = (uint8_t)fields->failed_claim.value;
    if (fields->auto_claim.given)
        rules.auto_claim = (uint8_t)fields->auto_claim.value;
    if (fields->dead_position.given)
        rules.dead = (uint8_t)(DEAD_FIRST + fields->dead_position.value);
    if (fields->fivefold.given)
        rules.fivefold = fields->fivefold.value;
    if (fields->seventyfive.given)
        rules.seventyfive = fields->seventyfive.value;
    return rules;
}

/* The first position that was asked for; NULL in *start is the usual one. */
static bool read_start(struct exchange *exchange, const struct create_input *fields,
                       const struct position **start)
{
    bool chess960 = fields->variant.given && fields->variant.value == VARIANT_CHESS960;
    struct position *position = arena_alloc(exchange->arena, sizeof *position);
    if (!position) {
        problem_out_of_memory(exchange);
        return false;
    }
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
    if (!moves || !sent) {
        problem_out_of_memory(exchange);
        return false;
    }
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
    struct exchange *exchange = act->exchange;
    if (act->action.validate_only) {
        answer_validated(exchange, game);
        return;
    }
    struct writer *out = reply_begin(exchange, 201);
    reply_headerf(exchange, "Location", "/v1/games/%s", game->id);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT)
        writer_printf(out, "%s\n", game->id);
    else
        view_game(out, NULL, exchange, game);
    reply_end(exchange);
}

/* A FEN as the whole body. */
static void take_bare_fen(const struct exchange *exchange, struct create_input *fields)
{
    fields->fen =
        (struct field_text){.given = true, .value = exchange->body.text, .length = exchange->body.length};
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

enum api_result create_game(struct exchange *exchange)
{
    struct create_input fields = {0};
    if (exchange->body.kind == BODY_TEXT)
        take_bare_fen(exchange, &fields);
    else if (!fields_read(exchange, create_fields, FIELDS_COUNT(create_fields), &fields))
        return API_DONE;
    if (!setup_input_take_variant(exchange, &fields.variant) ||
        !take_validate_only(exchange, &fields.validate_only) ||
        !visibility_input_check(exchange, &fields.visibility))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_CREATE);
    if (!act)
        return API_DONE;
    struct action_create *create = &act->action.create;
    if (!read_start(exchange, &fields, &create->start) || !read_moves(exchange, &fields.moves, act))
        return API_DONE;
    create->rules = rules_of(&fields.rules);
    create->visibility =
        fields.visibility.given ? (enum game_visibility)fields.visibility.value : VISIBILITY_PUBLIC;
    create->texts.white_name = fields.white.name.value;
    create->texts.black_name = fields.black.name.value;
    create->texts.metadata = fields.metadata.value;
    act->action.if_given = false; /* there is no version yet that If-Match could mean */
    act->action.validate_only = fields.validate_only.value;
    act->answer = answer_created;
    return act_run(act);
}

/* ---- fork ---------------------------------------------------------------------------------------------- */

struct fork {
    struct exchange *exchange;
    struct act *act;
    struct move_input *moves;
    char (*texts)[NOTATION_UCI_SIZE];
    bool taken; /* all of the game that it needs */
};

/* False: memory is out. */
static bool copy_text(struct arena *arena, const char *text, const char **copy)
{
    *copy = text ? arena_copy(arena, text, strlen(text)) : NULL;
    return *copy || !text;
}

static bool copy_texts(struct arena *arena, const struct game_texts *texts, struct game_texts *copy)
{
    return copy_text(arena, texts->white_name, &copy->white_name) &&
           copy_text(arena, texts->black_name, &copy->black_name) &&
           copy_text(arena, texts->metadata, &copy->metadata);
}

static bool copy_moves(struct fork *fork, const struct game *game, unsigned plies)
{
    struct arena *arena = fork->exchange->arena;
    fork->moves = arena_zalloc(arena, (plies + 1U) * sizeof *fork->moves);
    fork->texts = arena_alloc(arena, (plies + 1U) * sizeof *fork->texts);
    if (!fork->moves || !fork->texts)
        return false;
    struct position position = game_start(game);
    for (unsigned i = 0; i < plies; i++) {
        struct position before = position;
        size_t length = notation_format_uci(&before, game->moves[i], fork->texts[i]);
        fork->moves[i] = (struct move_input){.text = fork->texts[i], .length = length, .form = NOTATION_UCI};
        position_play(&before, game->moves[i], &position);
    }
    return true;
}

static bool copy_head(struct fork *fork, const struct game *game)
{
    struct arena *arena = fork->exchange->arena;
    struct action_create *create = &fork->act->action.create;
    create->rules = game->rules;
    create->access = (enum game_access)game->access;
    create->visibility = (enum game_visibility)game->visibility;
    if (game->texts && !copy_texts(arena, game->texts, &create->texts))
        return false;
    if (!game->start)
        return true;
    struct position *start = arena_alloc(arena, sizeof *start);
    if (start)
        *start = *game->start;
    create->start = start;
    return start != NULL;
}

static void take_source(void *context, const struct game *game)
{
    struct fork *fork = context;
    struct exchange *exchange = fork->exchange;
    int64_t ply = query_integer(exchange, QUERY_PLY, game->head.ply);
    if (ply > game->head.ply) {
        game_problem(exchange, PROBLEM_PLY_NOT_FOUND, "The game has not come to that half-move.", game);
        return;
    }
    fork->taken = copy_moves(fork, game, (unsigned)ply) && copy_head(fork, game);
    if (!fork->taken) {
        problem_out_of_memory(exchange);
        return;
    }
    fork->act->action.create.moves = fork->moves;
    fork->act->action.create.move_count = (size_t)ply;
}

enum api_result fork_game(struct exchange *exchange)
{
    if (!fields_read(exchange, NULL, 0, NULL))
        return API_DONE;
    struct fork fork = {.exchange = exchange, .act = act_begin(exchange, ACTION_CREATE)};
    if (!fork.act)
        return API_DONE;
    enum games_status status =
        games_view(exchange->api->games, exchange->path.id, exchange->request->may_block, take_source, &fork);
    if (!fork.taken)
        return games_fault(exchange, status);
    fork.act->action.if_given = false;
    fork.act->pointer = "/moves";
    fork.act->several = true;
    fork.act->answer = answer_created;
    return act_run(fork.act);
}
