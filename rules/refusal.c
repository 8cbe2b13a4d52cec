#include "rules/refusal.h"

#include "rules/attacks.h"
#include "rules/movegen.h"

/* ---- what the reasons are called --------------------------------------------------------------------- */

struct reason_words {
    const char *name;
    const char *text;
    unsigned closeness; /* how near such a move is to a legal one: chooses among pieces that could be meant */
};

static const struct reason_words reason_words[REFUSAL_COUNT] = {
    [REFUSAL_NONE] = {"none", "The move is legal.", 9},
    [REFUSAL_NO_PIECE] = {"no_piece", "There is no such piece to move.", 0},
    [REFUSAL_OPPONENT_PIECE] = {"opponent_piece", "That piece belongs to the opponent (1.2).", 1},
    [REFUSAL_SAME_SQUARE] = {"same_square", "A move goes to another square.", 1},
    [REFUSAL_OWN_PIECE_ON_TARGET] =
        {"own_piece_on_target",
         "A piece cannot move to a square occupied by a piece of its own colour (3.1).", 2},
    [REFUSAL_PIECE_CANNOT_REACH] = {"piece_cannot_reach", "That piece does not move that way (3.2 to 3.8).",
                                    1},
    [REFUSAL_PATH_BLOCKED] = {"path_blocked", "A queen, rook or bishop may not move over other pieces (3.5).",
                              3},
    [REFUSAL_PAWN_BLOCKED] = {"pawn_blocked", "A pawn moves forward to empty squares only (3.7.1, 3.7.2).",
                              4},
    [REFUSAL_PAWN_NEEDS_CAPTURE] = {"pawn_needs_capture",
                                    "A pawn moves diagonally only when it captures (3.7.3).", 3},
    [REFUSAL_EN_PASSANT_NOT_AVAILABLE] =
        {"en_passant_not_available",
         "En passant is possible only on the move right after the pawn's double step (3.7.3.2).", 4},
    [REFUSAL_EN_PASSANT_EXPOSES_KING] =
        {"en_passant_exposes_king",
         "When both pawns leave their squares the own king stands in check (3.7.3.1, 3.9.2).", 6},
    [REFUSAL_LEAVES_KING_IN_CHECK] = {"leaves_king_in_check",
                                      "The move meets one check and leaves the king in the other (3.9.2).",
                                      6},
    [REFUSAL_PINNED] = {"pinned", "The piece is pinned: without it the own king stands in check (3.9.2).", 6},
    [REFUSAL_DOES_NOT_ANSWER_CHECK] = {"does_not_answer_check",
                                       "The king is in check and the move does not end the check (3.9.2).",
                                       5},
    [REFUSAL_KING_INTO_CHECK] = {"king_into_check", "The king may not move to an attacked square (3.9.2).",
                                 6},
    [REFUSAL_CASTLING_RIGHT_LOST] =
        {"castling_right_lost",
         "The right to castle on that side is lost: the king or that rook has moved or "
         "was never there (3.8.2.1).",
         1},
    [REFUSAL_CASTLING_OUT_OF_CHECK] = {"castling_out_of_check",
                                       "The king may not castle while it is in check (3.8.2.2).", 5},
    [REFUSAL_CASTLING_THROUGH_CHECK] = {"castling_through_check",
                                        "The king may not castle over an attacked square (3.8.2.2).", 6},
    [REFUSAL_CASTLING_INTO_CHECK] = {"castling_into_check",
                                     "The king may not castle to an attacked square (3.8.2.2).", 6},
    [REFUSAL_CASTLING_BLOCKED] = {"castling_blocked",
                                  "The squares that king and rook cross must be empty (3.8.2.2).", 4},
    [REFUSAL_PROMOTION_MISSING] = {"promotion_missing",
                                   "A pawn that reaches the last rank needs a promotion piece (3.7.3.3).", 8},
    [REFUSAL_PROMOTION_NOT_ALLOWED] =
        {"promotion_not_allowed",
         "Only a pawn on the last rank promotes, and only to queen, rook, bishop or knight (3.7.3.3).", 7},
    [REFUSAL_NULL_MOVE] = {"null_move", "Passing is no move: the player to move has to move (1.3).", 0},
};

const char *refusal_name(enum refusal_reason reason)
{
    return reason_words[reason].name;
}

const char *refusal_text(enum refusal_reason reason)
{
    return reason_words[reason].text;
}

/* A reason and the squares that prove it, while a verdict is looked for. */
struct finding {
    enum refusal_reason reason;
    bitboard squares;
};

static struct finding found(enum refusal_reason reason, bitboard squares)
{
    return (struct finding){reason, squares};
}

static const struct finding nothing = {REFUSAL_NONE, 0};

/* ---- the own king (3.9.2) ---------------------------------------------------------------------------- */

/* Enemies that attack the own king once the piece on `from` stands on `to` and `captured` is gone. */
static bitboard attackers_after(const struct position *position, square from, square to, bitboard captured)
{
    enum color us = position_turn(position);
    square king = position_king(position, us);
    if (king == from)
        king = to;
    bitboard occupied = (position_occupied(position) & ~(bit(from) | captured)) | bit(to);
    return position_attackers(position, king, color_other(us), occupied) & ~captured;
}

static struct finding king_left_in_check(const struct position *position, bitboard still)
{
    bitboard checkers = position_checkers(position);
    bool met_one = (checkers & ~still) != 0;
    return found(met_one ? REFUSAL_LEAVES_KING_IN_CHECK : REFUSAL_DOES_NOT_ANSWER_CHECK, still);
}

static struct finding judge_kings_safety(const struct position *position, square from, square to,
                                         bitboard captured)
{
    square king = position_king(position, position_turn(position));
    bitboard attackers = attackers_after(position, from, to, captured);
    bitboard still = attackers & position_checkers(position);
    if (!attackers)
        return nothing;
    if (from == king)
        return found(REFUSAL_KING_INTO_CHECK, attackers);
    if (still)
        return king_left_in_check(position, still);
    bool en_passant = captured != 0 && captured != bit(to);
    if (en_passant && !attackers_after(position, from, to, 0)) /* only the captured pawn stood in the way */
        return found(REFUSAL_EN_PASSANT_EXPOSES_KING, attackers | bit(king));
    return found(REFUSAL_PINNED, attackers | bit(king));
}

/* ---- pawns (3.7) ------------------------------------------------------------------------------------- */

static struct finding judge_pawn_push(const struct position *position, square from, square to)
{
    bitboard path = attacks_between(from, to) | bit(to);
    bitboard blockers = path & position_occupied(position);
    return blockers ? found(REFUSAL_PAWN_BLOCKED, blockers) : nothing;
}

/* A step to an empty square beside an enemy pawn that could have come there by a double step. */
static struct finding judge_en_passant(const struct position *position, square to, bitboard *captured)
{
    enum color us = position_turn(position);
    bitboard beside = bit((square)(to ^ 8u));
    bool pawn_beside = (beside & position_pieces(position, color_other(us), PIECE_PAWN)) != 0;
    if (square_rank_for(to, us) != RANK_6 || !pawn_beside)
        return found(REFUSAL_PAWN_NEEDS_CAPTURE, bit(to));
    if (to != position->double_step)
        return found(REFUSAL_EN_PASSANT_NOT_AVAILABLE, beside);
    *captured = beside;
    return nothing;
}

static struct finding judge_pawn_geometry(const struct position *position, square from, square to,
                                          bitboard *captured)
{
    enum color us = position_turn(position);
    int forward = us == COLOR_WHITE ? 8 : -8;
    bool home = square_rank_for(from, us) == RANK_2;
    if (to == from + forward || (home && to == from + 2 * forward))
        return judge_pawn_push(position, from, to);
    if (!bitboard_has(attacks_pawn(us, from), to))
        return found(REFUSAL_PIECE_CANNOT_REACH, 0);
    if (*captured)
        return nothing;
    return judge_en_passant(position, to, captured);
}

/* ---- any piece --------------------------------------------------------------------------------------- */

static struct finding judge_piece_geometry(const struct position *position, enum piece_type type, square from,
                                           square to)
{
    if (!bitboard_has(attacks_piece(type, from, 0), to))
        return found(REFUSAL_PIECE_CANNOT_REACH, 0);
    bitboard blockers = type == PIECE_KNIGHT ? 0 : attacks_between(from, to) & position_occupied(position);
    return blockers ? found(REFUSAL_PATH_BLOCKED, blockers) : nothing;
}

static struct finding judge_promotion(const struct position *position, enum piece_type type, square to,
                                      enum piece_type promotion)
{
    bool promotes = type == PIECE_PAWN && square_rank_for(to, position_turn(position)) == RANK_8;
    if (promotes && promotion == PIECE_NONE)
        return found(REFUSAL_PROMOTION_MISSING, bit(to));
    bool may_be = promotion >= PIECE_KNIGHT && promotion <= PIECE_QUEEN;
    if (promotion != PIECE_NONE && !(promotes && may_be))
        return found(REFUSAL_PROMOTION_NOT_ALLOWED, bit(to));
    return nothing;
}

/* From what stands there to what would be left of it, in the order in which a player would be told. */
static struct finding judge_move(const struct position *position, const struct attempt *attempt, square from)
{
    enum color us = position_turn(position);
    square to = attempt->to;
    enum piece_type type = position_piece_at(position, from);
    if (type == PIECE_NONE || (attempt->piece != PIECE_NONE && attempt->piece != type))
        return found(REFUSAL_NO_PIECE, bit(from));
    if (!bitboard_has(position->by_color[us], from))
        return found(REFUSAL_OPPONENT_PIECE, bit(from));
    if (to == SQUARE_NONE)
        return found(REFUSAL_PIECE_CANNOT_REACH, 0);
    if (to == from)
        return found(REFUSAL_SAME_SQUARE, bit(from));
    if (bitboard_has(position->by_color[us], to))
        return found(REFUSAL_OWN_PIECE_ON_TARGET, bit(to));
    bitboard captured = bit(to) & position_occupied(position);
    struct finding finding = type == PIECE_PAWN ? judge_pawn_geometry(position, from, to, &captured)
                                                : judge_piece_geometry(position, type, from, to);
    if (finding.reason == REFUSAL_NONE)
        finding = judge_kings_safety(position, from, to, captured);
    if (finding.reason == REFUSAL_NONE)
        finding = judge_promotion(position, type, to, attempt->promotion);
    return finding;
}

/* ---- castling (3.8.2, Guidelines II) ----------------------------------------------------------------- */

struct castling {
    square king, rook, king_to, rook_to;
    bitboard others; /* all pieces but the two */
};

/* Attackers of the squares in `path`, and those of the squares that they attack. */
static bitboard attacks_on_path(const struct position *position, bitboard path, bitboard occupied)
{
    bitboard proof = 0;
    while (path) {
        square s = bitboard_pop(&path);
        bitboard attackers = position_attackers(position, s, color_other(position_turn(position)), occupied);
        if (attackers)
            proof |= attackers | bit(s);
    }
    return proof;
}

/* The final square with both pieces in their final places: a rook that leaves may uncover an attack. */
static bitboard attacks_on_arrival(const struct position *position, const struct castling *c)
{
    return attacks_on_path(position, bit(c->king_to), position_occupied(position) & ~bit(c->king)) |
           attacks_on_path(position, bit(c->king_to), c->others | bit(c->rook_to));
}

static struct finding judge_castling_way(const struct position *position, const struct castling *c)
{
    bitboard kings_way = attacks_between(c->king, c->king_to);
    bitboard all = kings_way | bit(c->king_to) | attacks_between(c->rook, c->rook_to) | bit(c->rook_to);
    bitboard checkers = position_checkers(position);
    if (checkers)
        return found(REFUSAL_CASTLING_OUT_OF_CHECK, checkers);
    if (all & c->others)
        return found(REFUSAL_CASTLING_BLOCKED, all & c->others);
    bitboard through = attacks_on_path(position, kings_way, position_occupied(position) & ~bit(c->king));
    if (through)
        return found(REFUSAL_CASTLING_THROUGH_CHECK, through);
    bitboard into = attacks_on_arrival(position, c);
    return into ? found(REFUSAL_CASTLING_INTO_CHECK, into) : nothing;
}

/* SQUARE_NONE: none that has the right. */
static square rook_meant(const struct position *position, const struct attempt *attempt)
{
    square named = attempt->to;
    if (named == SQUARE_NONE)
        return position_castling_rook(position, position_turn(position), attempt->side);
    return bitboard_has(position->castling_rooks, named) ? named : SQUARE_NONE;
}

static struct refusal explain_castling(const struct position *position, const struct attempt *attempt)
{
    enum color us = position_turn(position);
    bool kingside = attempt->side == CASTLING_KINGSIDE;
    unsigned home = us == COLOR_WHITE ? RANK_1 : RANK_8;
    struct castling c = {
        .king = position_king(position, us),
        .rook = rook_meant(position, attempt),
        .king_to = square_at(kingside ? FILE_G : FILE_C, home),
        .rook_to = square_at(kingside ? FILE_F : FILE_D, home),
    };
    struct refusal refusal = {.move = *attempt};
    refusal.move.piece = PIECE_KING;
    refusal.move.from = c.king;
    refusal.move.to = c.king_to;
    struct finding finding = found(REFUSAL_CASTLING_RIGHT_LOST, bit(c.king));
    if (c.rook != SQUARE_NONE) {
        c.others = position_occupied(position) & ~(bit(c.king) | bit(c.rook));
        finding = judge_castling_way(position, &c);
    }
    if (finding.reason == REFUSAL_NONE)
        finding = judge_promotion(position, PIECE_KING, c.king_to, attempt->promotion);
    refusal.reason = finding.reason;
    refusal.squares = finding.squares;
    return refusal;
}

/* ---- which piece was meant --------------------------------------------------------------------------- */

static unsigned distance(square a, square b)
{
    int files = (int)square_file(a) - (int)square_file(b);
    int ranks = (int)square_rank(a) - (int)square_rank(b);
    unsigned across = (unsigned)(files < 0 ? -files : files);
    unsigned along = (unsigned)(ranks < 0 ? -ranks : ranks);
    return across > along ? across : along;
}

/* Own pieces that the text could mean. A pawn named by its target alone comes along the target's file. */
static bitboard pieces_meant(const struct position *position, const struct attempt *attempt)
{
    bitboard pieces = position_pieces(position, position_turn(position), attempt->piece);
    unsigned file = attempt->from_file;
    if (file == ATTEMPT_NOT_SAID && attempt->piece == PIECE_PAWN && attempt->to != SQUARE_NONE)
        file = square_file(attempt->to);
    if (file != ATTEMPT_NOT_SAID)
        pieces &= bitboard_file(file);
    if (attempt->from_rank != ATTEMPT_NOT_SAID)
        pieces &= bitboard_rank(attempt->from_rank);
    return pieces;
}

/* The piece whose move comes nearest to a legal one; of equals the one that stands nearest. */
static struct finding judge_nearest(const struct position *position, const struct attempt *attempt,
                                    bitboard candidates, square *from)
{
    struct finding best = nothing;
    unsigned best_score = 0;
    while (candidates) {
        square s = bitboard_pop(&candidates);
        struct finding finding = judge_move(position, attempt, s);
        unsigned near = attempt->to == SQUARE_NONE ? 0 : 8 - distance(s, attempt->to);
        unsigned score = 1 + 16 * reason_words[finding.reason].closeness + near;
        if (score > best_score) {
            best_score = score;
            best = finding;
            *from = s;
        }
    }
    return best;
}

static struct refusal explain_piece_move(const struct position *position, const struct attempt *attempt)
{
    struct refusal refusal = {.move = *attempt};
    struct finding finding;
    if (attempt->from != SQUARE_NONE) {
        finding = judge_move(position, attempt, attempt->from);
    } else {
        refusal.candidates = pieces_meant(position, attempt);
        finding = refusal.candidates
                      ? judge_nearest(position, attempt, refusal.candidates, &refusal.move.from)
                      : found(REFUSAL_NO_PIECE, 0);
    }
    if (refusal.move.piece == PIECE_NONE && refusal.move.from != SQUARE_NONE)
        refusal.move.piece = position_piece_at(position, refusal.move.from);
    refusal.reason = finding.reason;
    refusal.squares = finding.squares;
    return refusal;
}

struct refusal refusal_explain(const struct position *position, const struct attempt *attempt)
{
    if (attempt->null_move)
        return (struct refusal){.reason = REFUSAL_NULL_MOVE, .move = *attempt};
    if (attempt->castling)
        return explain_castling(position, attempt);
    return explain_piece_move(position, attempt);
}
