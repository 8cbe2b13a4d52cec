#include "api/reading_problem.h"

#include <string.h>

#include "api/exchange.h"
#include "api/text.h"
#include "api/view_legal.h"
#include "api/view_position.h"

enum problem_code reading_problem_code(const struct reading *reading)
{
    static const enum problem_code CODES[] = {
        [READING_OK] = PROBLEM_INTERNAL,
        [READING_SYNTAX] = PROBLEM_UNPARSEABLE_MOVE,
        [READING_ILLEGAL] = PROBLEM_ILLEGAL_MOVE,
        [READING_AMBIGUOUS] = PROBLEM_AMBIGUOUS_MOVE,
    };
    return CODES[reading->status];
}

/* "Nbd2, Nfd2" */
static const char *join_candidates(struct arena *arena, const struct reading_fault *fault)
{
    const struct movelist *candidates = &fault->reading->candidates;
    const char *list = "";
    for (unsigned i = 0; i < candidates->count; i++) {
        char san[NOTATION_SAN_SIZE];
        notation_format_san(fault->position, candidates->moves[i], san);
        list = arena_join(arena, list, san);
    }
    return list;
}

/* What people type that is no move as it stands: "1. e4", and "E4" by the keyboards of phones. Reading never guesses, as B and b
 * are two things, but the sentence may. */
static const char *hint(const struct reading *reading, const char *text)
{
    static const char digits[] = "0123456789";
    text += strspn(text, " \t\r\n");
    size_t number = strspn(text, digits);
    if (number && text[number] == '.')
        return " A move is said without its number.";
    if (reading->form == NOTATION_UCI)
        return " In UCI moves are written as e2e4, e1g1, e7e8q.";
    if (reading->form == NOTATION_SAN && reading->style == NOTATION_STRICT)
        return " In SAN moves are written as e4, Nf3, O-O, e8=Q.";
    for (const char *at = text; (at = strpbrk(at, "ABCDEFGH")) != NULL; at++)
        if (at[1] >= '1' && at[1] <= '8')
            return " Squares are written in small letters: e4, Nf3, e2e4.";
    return " Moves are written as e4, Nf3, O-O, e8=Q, or as e2e4.";
}

/* "Nf3+ is not strict notation: at byte 3. The move is written as Nf3 or g1f3." */
static const char *strict_detail(struct arena *arena, const struct reading_fault *fault, const char *text)
{
    const struct reading *reading = fault->reading;
    char san[NOTATION_SAN_SIZE] = "", uci[NOTATION_UCI_SIZE] = "";
    if (reading->form != NOTATION_UCI)
        notation_format_san(fault->position, reading->move, san);
    if (reading->form != NOTATION_SAN)
        notation_format_uci(fault->position, reading->move, uci);
    return arena_printf(arena, "%s is not strict notation: at byte %zu. The move is written as %s%s%s.", text,
                        reading->offset, san, *san && *uci ? " or " : "", uci);
}

const char *reading_problem_detail(struct arena *arena, const struct reading_fault *fault)
{
    const struct reading *reading = fault->reading;
    const char *text = fault->text ? text_shown(arena, fault->text) : "The move";
    const char *list;
    if (!text)
        return NULL;
    switch (reading->status) {
    case READING_OK:
        break;
    case READING_SYNTAX:
        if (text[strspn(text, " \t\r\n")] == '\0')
            return "The move is empty.";
        if (reading->move != MOVE_NONE)
            return strict_detail(arena, fault, text);
        return arena_printf(arena, "%s cannot be read as a move%s: at byte %zu.%s", text,
                            reading->form == NOTATION_UCI ? " in UCI" : "", reading->offset,
                            hint(reading, fault->text ? fault->text : ""));
    case READING_ILLEGAL:
        return arena_printf(arena, "%s: %s", text, refusal_text(reading->refusal.reason));
    case READING_AMBIGUOUS:
        list = join_candidates(arena, fault);
        return list ? arena_printf(arena, "%s fits several moves: %s.", text, list) : NULL;
    }
    return "";
}

static void view_attempt(struct writer *json, const struct attempt *attempt)
{
    static const char *const SIDES[CASTLING_COUNT] = {"kingside", "queenside"};
    json_object_begin(json, "move");
    view_square(json, "from", attempt->from);
    view_square(json, "to", attempt->to);
    json_string(json, "piece", attempt->piece == PIECE_NONE ? NULL : fen_piece_name(attempt->piece));
    json_string(json, "promotion",
                attempt->promotion == PIECE_NONE ? NULL : fen_piece_name(attempt->promotion));
    json_string(json, "castling", attempt->castling ? SIDES[attempt->side] : NULL);
    json_object_end(json);
}

static void view_pieces(struct writer *json, const struct position *position, bitboard squares)
{
    json_array_begin(json, "pieces");
    squares &= position_occupied(position);
    while (squares) {
        square s = bitboard_pop(&squares);
        json_object_begin(json, NULL);
        view_square(json, "square", s);
        json_string(json, "color", fen_color_name(position_color_at(position, s)));
        json_string(json, "piece", fen_piece_name(position_piece_at(position, s)));
        json_object_end(json);
    }
    json_array_end(json);
}

/* The squares of the piece that was meant; of all it could be where the text left that open. */
static bitboard meant_squares(const struct refusal *refusal)
{
    return refusal->move.from == SQUARE_NONE ? refusal->candidates : bit(refusal->move.from);
}

/* Legal moves of that piece first, then those of others to that square. A missing promotion piece leaves only
 * the choices of one. */
static void view_alternatives(struct writer *json, const struct position *position,
                              const struct refusal *refusal)
{
    struct movelist legal = {0};
    bitboard meant = meant_squares(refusal);
    bool same_target = refusal->reason == REFUSAL_PROMOTION_MISSING;
    movegen_legal(position, &legal);
    json_array_begin(json, "alternatives");
    for (int round = 0; round < 2; round++) {
        for (unsigned i = 0; i < legal.count; i++) {
            move m = legal.moves[i];
            bool of_piece = bitboard_has(meant, move_from(m)), to_target = move_to(m) == refusal->move.to;
            bool wanted =
                round == 0 ? of_piece && (to_target || !same_target) : !of_piece && to_target && !same_target;
            if (wanted)
                view_legal_name(json, position, m);
        }
    }
    json_array_end(json);
}

static void view_refusal(struct writer *json, const struct reading_fault *fault)
{
    const struct refusal *refusal = &fault->reading->refusal;
    json_string(json, "reason", refusal_name(refusal->reason));
    view_attempt(json, &refusal->move);
    view_squares(json, "squares", refusal->squares);
    view_pieces(json, fault->position, refusal->squares);
    if (fault->lost_at_ply)
        json_int(json, "lost_at_ply", fault->lost_at_ply);
    else
        json_null(json, "lost_at_ply");
    view_alternatives(json, fault->position, refusal);
}

static void view_candidates(struct writer *json, const struct reading_fault *fault)
{
    const struct movelist *candidates = &fault->reading->candidates;
    json_array_begin(json, "candidates");
    for (unsigned i = 0; i < candidates->count; i++)
        view_legal_name(json, fault->position, candidates->moves[i]);
    json_array_end(json);
}

void reading_problem_members(struct writer *json, const struct reading_fault *fault)
{
    switch (fault->reading->status) {
    case READING_OK:
        break;
    case READING_SYNTAX:
        json_int(json, "offset", (int64_t)fault->reading->offset);
        break;
    case READING_ILLEGAL:
        view_refusal(json, fault);
        break;
    case READING_AMBIGUOUS:
        view_candidates(json, fault);
        break;
    }
}

static void write_members(struct writer *json, const void *context)
{
    const struct reading_fault *fault = context;
    reading_problem_members(json, fault);
    if (fault->more)
        fault->more(json, fault->context);
}

enum api_result reading_problem(struct exchange *exchange, const struct reading_fault *fault)
{
    struct problem problem = {
        .code = reading_problem_code(fault->reading),
        .detail = reading_problem_detail(exchange->arena, fault),
        .pointer = fault->pointer,
        .members = write_members,
        .context = fault,
    };
    return problem_send(exchange, &problem);
}
