#include "games/pgn_intake.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "games/pgn_intake_parts.h"

enum {
    TEXT_FIRST = 1 << 10,
    MOVES_FIRST = 128,
    TAGS_FIRST = 16,
    /* Of larger games nothing is kept for the next one. */
    TEXT_KEPT = 1 << 16,
    MOVES_KEPT = 1 << 10,
};

_Static_assert((int)PGN_PLIES_MAX == (int)GAME_PLIES_LIMIT, "a game that can be read can be played");

/* ---- memory ------------------------------------------------------------------------------------------ */

static void free_moves(struct pgn_intake *intake)
{
    free(intake->moves);
    free(intake->spots);
    intake->moves = NULL;
    intake->spots = NULL;
    intake->move_room = 0;
}

static void free_text(struct pgn_intake *intake)
{
    free(intake->text);
    intake->text = NULL;
    intake->text_room = 0;
}

void pgn_intake_finish(struct pgn_intake *intake)
{
    free_moves(intake);
    free_text(intake);
    free(intake->tags);
    free(intake->tag_at);
    payload_finish(&intake->kept);
    *intake = (struct pgn_intake){0};
}

void pgn_intake_trim(struct pgn_intake *intake)
{
    if (intake->move_room > MOVES_KEPT)
        free_moves(intake);
    if (intake->text_room > TEXT_KEPT)
        free_text(intake);
    if (intake->kept.capacity > TEXT_KEPT)
        payload_finish(&intake->kept);
}

/* Everything but the memory goes. */
static void begin(struct pgn_intake *intake, const struct pgn_place *place)
{
    pgn_intake_trim(intake);
    intake->place = *place;
    intake->good = true;
    intake->has_start = false;
    intake->result = RESULT_NONE;
    intake->plies = 0;
    intake->tag_count = 0;
    intake->other_tag_count = 0;
    intake->texts = (struct game_texts){0};
    intake->fault_count = 0;
    intake->failed = false;
    intake->text_length = 0;
    intake->last_at = 0;
    intake->comment_at = 0;
    intake->result_line = 0;
}

static bool is_out_of_memory(struct pgn_intake *intake)
{
    intake->failed = true;
    return false;
}

static bool grow_moves(struct pgn_intake *intake)
{
    size_t room = intake->move_room ? 2 * intake->move_room : MOVES_FIRST;
    struct move_input *moves = realloc(intake->moves, room * sizeof *moves);
    if (!moves)
        return is_out_of_memory(intake);
    intake->moves = moves;
    struct pgn_intake_spot *spots = realloc(intake->spots, room * sizeof *spots);
    if (!spots)
        return is_out_of_memory(intake);
    intake->spots = spots;
    intake->move_room = room;
    return true;
}

static bool grow_tags(struct pgn_intake *intake)
{
    size_t room = intake->tag_room ? 2 * intake->tag_room : TAGS_FIRST;
    struct pgn_intake_tag *tags = realloc(intake->tags, room * sizeof *tags);
    if (!tags)
        return is_out_of_memory(intake);
    intake->tags = tags;
    uint32_t *tag_at = realloc(intake->tag_at, 2 * room * sizeof *tag_at);
    if (!tag_at)
        return is_out_of_memory(intake);
    intake->tag_at = tag_at;
    intake->tag_room = room;
    return true;
}

/* Room for so many bytes more, and a NUL. */
static bool grow_text(struct pgn_intake *intake, size_t length)
{
    size_t needed = intake->text_length + length + 2;
    size_t room = intake->text_room ? intake->text_room : TEXT_FIRST;
    while (room < needed)
        room *= 2;
    if (room > intake->text_room) {
        char *text = realloc(intake->text, room);
        if (!text)
            return is_out_of_memory(intake);
        intake->text = text;
        intake->text_room = room;
    }
    if (intake->text_length == 0)
        intake->text[intake->text_length++] = '\0';
    return true;
}

/* ---- faults ------------------------------------------------------------------------------------------ */

void pgn_intake_put_fault(struct pgn_intake *intake, const struct pgn_fault *fault, uint32_t token_at)
{
    if (fault->severity == PGN_ERROR)
        intake->good = false;
    if (intake->fault_count == PGN_INTAKE_FAULTS_MAX)
        return;
    intake->token_at[intake->fault_count] = token_at;
    intake->faults[intake->fault_count++] = *fault;
}

void pgn_intake_put_error(struct pgn_intake *intake, enum pgn_fault_code code, unsigned ply,
                          const char *token, const char *detail)
{
    const struct pgn_intake_spot *spot = ply ? &intake->spots[ply - 1] : NULL;
    const struct pgn_fault fault = {
        .code = code,
        .severity = PGN_ERROR,
        .line = spot ? spot->line : intake->place.line,
        .column = spot ? spot->column : 1,
        .ply = ply,
        .token = token,
        .detail = detail,
    };
    pgn_intake_put_fault(intake, &fault, 0);
}

/* ---- texts ------------------------------------------------------------------------------------------- */

/* For so many bytes more and their NUL. False: memory is out, or the game has an error now. */
static bool make_room(struct pgn_intake *intake, size_t length)
{
    if (intake->text_length + length + 2 <= PGN_INTAKE_TEXT_MAX)
        return grow_text(intake, length);
    if (intake->good)
        pgn_intake_put_error(intake, PGN_FAULT_SYNTAX, intake->plies, "",
                             "The tags and comments of a game have at most 4 MiB together.");
    return false;
}

/* There is room. Returns where it begins. */
static uint32_t append(struct pgn_intake *intake, const char *text, size_t length)
{
    intake->last_at = (uint32_t)intake->text_length;
    memcpy(intake->text + intake->text_length, text, length);
    intake->text_length += length;
    intake->text[intake->text_length++] = '\0';
    return intake->last_at;
}

/* A copy: where it begins. One without bytes, or without room, is at place 0. */
static bool keep_text(struct pgn_intake *intake, const char *text, size_t length, uint32_t *at)
{
    *at = 0;
    if (length == 0)
        return true;
    if (!make_room(intake, length))
        return !intake->failed;
    *at = append(intake, text, length);
    return true;
}

static bool add_fault(struct pgn_intake *intake, const struct pgn_fault *fault)
{
    uint32_t token_at = 0;
    if (intake->fault_count < PGN_INTAKE_FAULTS_MAX &&
        !keep_text(intake, fault->token, strlen(fault->token), &token_at))
        return false;
    pgn_intake_put_fault(intake, fault, token_at);
    return true;
}

/* ---- what the reader tells --------------------------------------------------------------------------- */

static struct pgn_intake *intake_of(void *context)
{
    return ((struct pgn_intake_hooks *)context)->intake;
}

static bool take_begin(void *context, const struct pgn_place *place)
{
    struct pgn_intake_hooks *hooks = context;
    if (hooks->begun && !hooks->begun(hooks, place))
        return false;
    begin(hooks->intake, place);
    hooks->in_game = true;
    return true;
}

/* The index of the tag of that name, or of a new one. */
static size_t tag_index(const struct pgn_intake *intake, const struct pgn_tag *tag)
{
    for (size_t i = 0; tag->repeated && i < intake->tag_count; i++)
        if (strcmp(intake->text + intake->tag_at[2 * i], tag->name) == 0)
            return i;
    return intake->tag_count;
}

/* What pgn_export writes whether the game came with it or not. */
static bool is_of_export(const char *name)
{
    static const char *const names[] = {"Event",   "Site",    "Date",        "Round",  "White",
                                        "Black",   "Result",  "Termination", "FEN",    "SetUp",
                                        "Variant", "UTCDate", "UTCTime",     "GameId", "TimeControl"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++)
        if (strcmp(name, names[i]) == 0)
            return true;
    return false;
}

_Static_assert(PGN_INTAKE_TAGS_MAX == 128, "the sentence below");

/* Told once; the reader takes no more than PGN_TAGS_MAX. */
static bool refuse_tag(struct pgn_intake *intake, const struct pgn_tag *tag)
{
    const struct pgn_fault fault = {
        .code = PGN_FAULT_SYNTAX,
        .severity = PGN_ERROR,
        .line = tag->line,
        .column = 1,
        .token = tag->name,
        .detail = "A game has at most 128 tags beside those that every game has.",
    };
    return add_fault(intake, &fault);
}

static bool take_tag(void *context, const struct pgn_tag *tag)
{
    struct pgn_intake *intake = intake_of(context);
    size_t i = tag_index(intake, tag);
    if (i == intake->tag_count && !is_of_export(tag->name) && ++intake->other_tag_count > PGN_INTAKE_TAGS_MAX)
        return intake->other_tag_count > PGN_INTAKE_TAGS_MAX + 1 || refuse_tag(intake, tag);
    if (i == intake->tag_room && !grow_tags(intake))
        return false;
    if (i == intake->tag_count && !keep_text(intake, tag->name, strlen(tag->name), &intake->tag_at[2 * i]))
        return false;
    if (!keep_text(intake, tag->value, strlen(tag->value), &intake->tag_at[2 * i + 1]))
        return false;
    if (strcasecmp(tag->name, "Result") == 0)
        intake->result_line = tag->line;
    intake->tag_count += i == intake->tag_count;
    return true;
}

static bool take_start(void *context, const struct position *position)
{
    struct pgn_intake *intake = intake_of(context);
    intake->has_start = true;
    intake->initial = *position;
    return true;
}

static bool take_move(void *context, const struct pgn_move *m)
{
    struct pgn_intake *intake = intake_of(context);
    if (intake->plies == intake->move_room && !grow_moves(intake))
        return false;
    intake->moves[intake->plies] = (struct move_input){.known = m->move};
    intake->spots[intake->plies] = (struct pgn_intake_spot){.line = m->line, .column = m->column};
    intake->plies++;
    return true;
}

/* The text there, or a copy of it, is the last one, which can go on. False: no room. */
static bool make_last(struct pgn_intake *intake, uint32_t *at)
{
    if (*at == intake->last_at)
        return true;
    size_t length = strlen(intake->text + *at);
    if (!make_room(intake, length))
        return false;
    *at = append(intake, intake->text + *at, length);
    return true;
}

/* Behind what was said there, with a blank between. */
static bool join_comment(struct pgn_intake *intake, const struct pgn_comment *comment, uint32_t *at)
{
    if (comment->ply == 0 && strlen(intake->text + *at) + 1 + comment->length > PGN_COMMENT_MAX) {
        pgn_intake_put_error(intake, PGN_FAULT_SYNTAX, 0, "{",
                             "Comments before the first move have at most 32768 bytes together.");
        return true;
    }
    if (!make_last(intake, at) || !make_room(intake, comment->length))
        return !intake->failed;
    intake->text[intake->text_length - 1] = ' ';
    (void)append(intake, comment->text, comment->length);
    intake->last_at = *at;
    return true;
}

static bool take_comment(void *context, const struct pgn_comment *comment)
{
    struct pgn_intake *intake = intake_of(context);
    if (!intake->good)
        return true;
    struct move_input *input = comment->ply > 0 ? &intake->moves[comment->ply - 1] : NULL;
    if (input && comment->clock_ms >= 0 && !input->has_clock_ms) { /* the first counts, as within a comment */
        input->has_clock_ms = true;
        input->clock_ms = comment->clock_ms;
    }
    uint32_t *at = comment->ply ? &intake->spots[comment->ply - 1].comment_at : &intake->comment_at;
    if (comment->length == 0)
        return true;
    return *at ? join_comment(intake, comment, at) : keep_text(intake, comment->text, comment->length, at);
}

/* ---- the game as a whole ----------------------------------------------------------------------------- */

static const char *text_at(const struct pgn_intake *intake, uint32_t at)
{
    return at ? intake->text + at : NULL;
}

/* The name of a player: "?" and what is blank are none (PGN 8.1.1.5). */
static const char *name_of(const char *value)
{
    return value[strspn(value, " ")] && strcmp(value, "?") != 0 ? value : NULL;
}

/* What the game itself says has no place among the tags that are kept beside it. */
static void keep_tag(struct pgn_intake *intake, const struct pgn_intake_tag *tag)
{
    static const char *const own[] = {"FEN", "SetUp", "Variant", "Result"};
    for (size_t i = 0; i < sizeof own / sizeof *own; i++)
        if (strcasecmp(tag->name, own[i]) == 0)
            return;
    if (strcasecmp(tag->name, "White") == 0)
        intake->texts.white_name = name_of(tag->value);
    else if (strcasecmp(tag->name, "Black") == 0)
        intake->texts.black_name = name_of(tag->value);
    else
        payload_add(&intake->kept, tag->name, tag->value);
}

static bool settle_tags(struct pgn_intake *intake)
{
    intake->kept.length = 0;
    intake->kept.failed = false;
    for (size_t i = 0; i < intake->tag_count; i++) {
        intake->tags[i].name = intake->text + intake->tag_at[2 * i];
        intake->tags[i].value = intake->text + intake->tag_at[2 * i + 1];
        keep_tag(intake, &intake->tags[i]);
    }
    intake->texts.tags = intake->kept.length ? intake->kept.text : "";
    return intake->kept.failed ? is_out_of_memory(intake) : true;
}

/* Texts lie still from now on. */
static bool settle_texts(struct pgn_intake *intake)
{
    if (!grow_text(intake, 0))
        return false;
    for (size_t i = 0; i < intake->fault_count; i++)
        intake->faults[i].token = intake->text + intake->token_at[i];
    for (unsigned i = 0; i < intake->plies; i++)
        intake->moves[i].comment = text_at(intake, intake->spots[i].comment_at);
    intake->texts.comment = text_at(intake, intake->comment_at);
    return settle_tags(intake);
}

static const enum game_result result_of[PGN_RESULT_COUNT] = {
    [PGN_RESULT_UNKNOWN] = RESULT_NONE,
    [PGN_RESULT_WHITE_WINS] = RESULT_WHITE_WINS,
    [PGN_RESULT_BLACK_WINS] = RESULT_BLACK_WINS,
    [PGN_RESULT_DRAW] = RESULT_DRAW,
};

static bool take_end(void *context, const struct pgn_game *game)
{
    struct pgn_intake_hooks *hooks = context;
    struct pgn_intake *intake = hooks->intake;
    hooks->in_game = false;
    intake->result = result_of[game->result];
    intake->good = intake->good && game->good;
    if (game->final)
        intake->final = *game->final;
    if (!settle_texts(intake))
        return false;
    return !hooks->ended || hooks->ended(hooks);
}

static bool take_fault(void *context, const struct pgn_fault *fault)
{
    struct pgn_intake_hooks *hooks = context;
    if (!hooks->in_game)
        return !hooks->fault || hooks->fault(hooks, fault);
    return add_fault(hooks->intake, fault);
}

struct pgn_handler pgn_intake_handler(struct pgn_intake_hooks *hooks)
{
    return (struct pgn_handler){
        .context = hooks,
        .game_begin = take_begin,
        .tag = take_tag,
        .start = take_start,
        .move = take_move,
        .comment = take_comment,
        .fault = take_fault,
        .game_end = take_end,
    };
}

/* ---- and the action that creates it ------------------------------------------------------------------ */

static bool is_usual(const struct position *position)
{
    struct position usual = position_initial();
    return !position->chess960 && position_same(position, &usual) && position->halfmove_clock == 0 &&
           position->fullmove_number == 1;
}

void pgn_intake_create(const struct pgn_intake *intake, struct action_create *create)
{
    assert(intake->good && intake->has_start);
    create->start = is_usual(&intake->initial) ? NULL : &intake->initial;
    create->moves = intake->moves;
    create->move_count = intake->plies;
    create->texts.white_name = intake->texts.white_name;
    create->texts.black_name = intake->texts.black_name;
    create->texts.tags = intake->texts.tags;
    create->texts.comment = intake->texts.comment;
}
