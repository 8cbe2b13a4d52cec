#include "rules/notation.h"

#include <string.h>

#include "rules/attacks.h"
#include "rules/movegen_to.h"
#include "rules/notation_shape.h"

square notation_parse_square(const char *text, size_t length)
{
    if (length != 2 || text[0] < 'a' || text[0] > 'h' || text[1] < '1' || text[1] > '8')
        return SQUARE_NONE;
    return square_at((unsigned)(text[0] - 'a'), (unsigned)(text[1] - '1'));
}

/* ---- which legal moves fit --------------------------------------------------------------------------- */

/* Is the start of the move what was written of it? A pawn of which nothing was said comes from the target's
 * own file: captures name theirs (PGN 8.2.3.3). */
static bool start_fits(const struct attempt *attempt, square from, square to)
{
    if (attempt->from != SQUARE_NONE)
        return from == attempt->from;
    if (attempt->from_rank < ATTEMPT_NOT_SAID && square_rank(from) != attempt->from_rank)
        return false;
    if (attempt->from_file < ATTEMPT_NOT_SAID)
        return square_file(from) == attempt->from_file;
    return attempt->piece != PIECE_PAWN || square_file(from) == square_file(to);
}

static bool castling_fits(const struct attempt *attempt, move m)
{
    if (move_kind(m) != MOVE_CASTLING)
        return false;
    if (attempt->to != SQUARE_NONE) /* the rook was named: another that stands there has no right */
        return move_to(m) == attempt->to;
    return (move_to(m) > move_from(m)) == (attempt->side == CASTLING_KINGSIDE);
}

/* All but the promotion piece. `to_file` stands for the target where only its file was written. */
static bool squares_fit(const struct position *position, const struct attempt *attempt, uint8_t to_file,
                        move m)
{
    if (attempt->castling)
        return castling_fits(attempt, m);
    if (move_kind(m) == MOVE_CASTLING || !start_fits(attempt, move_from(m), move_to(m)))
        return false;
    if (attempt->to != SQUARE_NONE ? move_to(m) != attempt->to : square_file(move_to(m)) != to_file)
        return false;
    return attempt->piece == PIECE_NONE || position_piece_at(position, move_from(m)) == attempt->piece;
}

static enum piece_type promotion_meant(const struct attempt *attempt, enum piece_type default_promotion,
                                       move m)
{
    if (attempt->promotion == PIECE_NONE && move_kind(m) == MOVE_PROMOTION)
        return default_promotion;
    return attempt->promotion;
}

static void find_fitting(const struct position *position, const struct attempt *attempt, uint8_t to_file,
                         enum piece_type default_promotion, struct movelist *fitting)
{
    struct movelist legal;
    if (attempt->castling || attempt->piece == PIECE_NONE || attempt->to == SQUARE_NONE)
        movegen_legal(position, &legal);
    else
        movegen_to(position, attempt->piece, attempt->to, &legal);
    fitting->count = 0;
    for (unsigned i = 0; i < legal.count; i++) {
        move m = legal.moves[i];
        if (squares_fit(position, attempt, to_file, m) &&
            promotion_meant(attempt, default_promotion, m) == move_promotion(m))
            fitting->moves[fitting->count++] = m;
    }
}

/* ---- castling written with squares ------------------------------------------------------------------- */

static bool is_kings_step(square from, square to)
{
    return square_file(from) == FILE_E && (square_file(to) == FILE_G || square_file(to) == FILE_C);
}

static bool is_corner(square s)
{
    return square_file(s) == FILE_A || square_file(s) == FILE_H;
}

/* e1g1 and e1h1 castle in standard chess, king takes own rook in Chess960 (UCI). That it is meant is settled
 * here; whether it is legal is not. */
static bool means_castling(const struct position *position, const struct attempt *attempt)
{
    enum color us = position_turn(position);
    square from = attempt->from;
    square to = attempt->to;
    if (attempt->piece != PIECE_NONE || from == SQUARE_NONE || to == SQUARE_NONE || from == to)
        return false;
    if (!bitboard_has(position_pieces(position, us, PIECE_KING), from) ||
        square_rank_for(from, us) != RANK_1 || square_rank_for(to, us) != RANK_1)
        return false;
    bool takes_rook = bitboard_has(position_pieces(position, us, PIECE_ROOK), to);
    if (position->chess960)
        return takes_rook;
    return is_kings_step(from, to) || (takes_rook && square_file(from) == FILE_E && is_corner(to));
}

static struct attempt with_castling(const struct position *position, const struct attempt *attempt)
{
    struct attempt meant = *attempt;
    if (means_castling(position, attempt)) {
        meant.castling = true;
        meant.piece = PIECE_KING;
        meant.side = attempt->to > attempt->from ? CASTLING_KINGSIDE : CASTLING_QUEENSIDE;
        if (!position->chess960 && is_kings_step(attempt->from, attempt->to))
            meant.to = SQUARE_NONE; /* the king's own target, and no rook */
    }
    return meant;
}

/* ---- from attempt to reading ------------------------------------------------------------------------- */

static void settle(const struct position *position, const struct attempt *attempt, uint8_t to_file,
                   enum piece_type default_promotion, struct reading *reading)
{
    find_fitting(position, attempt, to_file, default_promotion, &reading->candidates);
    switch (reading->candidates.count) {
    case 0:
        reading->status = READING_ILLEGAL;
        reading->refusal = refusal_explain(position, attempt);
        break;
    case 1:
        reading->status = READING_OK;
        reading->move = reading->candidates.moves[0];
        break;
    default:
        reading->status = READING_AMBIGUOUS;
        break;
    }
}

void notation_resolve(const struct position *position, const struct attempt *attempt,
                      enum piece_type default_promotion, struct reading *reading)
{
    struct attempt meant = with_castling(position, attempt);
    reading->status = READING_ILLEGAL;
    reading->form = NOTATION_ANY;
    reading->style = NOTATION_LENIENT;
    reading->move = MOVE_NONE;
    reading->draw_offer = false;
    reading->offset = 0;
    reading->candidates.count = 0;
    if (meant.null_move)
        reading->refusal = refusal_explain(position, &meant);
    else
        settle(position, &meant, NOTATION_SHAPE_NO_FILE, default_promotion, reading);
}

/* "ed" that is not legal: what to explain is the capture by the pawn that has something before it, else by
 * any. */
static struct attempt short_capture_target(const struct position *position,
                                           const struct notation_shape *shape)
{
    struct attempt attempt = shape->attempt;
    enum color us = position_turn(position);
    bitboard pawns = position_pieces(position, us, PIECE_PAWN) & bitboard_file(attempt.from_file);
    while (pawns) {
        square from = bitboard_pop(&pawns);
        square to = bitboard_first(attacks_pawn(us, from) & bitboard_file(shape->to_file));
        bool takes = bitboard_has(position->by_color[color_other(us)], to);
        if (takes || attempt.from == SQUARE_NONE) {
            attempt.from = from;
            attempt.to = to;
        }
    }
    return attempt;
}

static void resolve_shape(const struct position *position, const struct notation_shape *shape,
                          enum piece_type default_promotion, struct reading *reading)
{
    notation_resolve(position, &shape->attempt, default_promotion, reading);
    if (shape->to_file != NOTATION_SHAPE_NO_FILE) {
        settle(position, &shape->attempt, shape->to_file, default_promotion, reading);
        if (reading->status == READING_ILLEGAL) {
            struct attempt nearest = short_capture_target(position, shape);
            reading->refusal = refusal_explain(position, &nearest);
        }
    }
    reading->draw_offer = shape->draw_offer;
}

/* ---- strict reading ---------------------------------------------------------------------------------- */

static size_t common_length(const char *a, size_t a_length, const char *b, size_t b_length)
{
    size_t n = 0;
    while (n < a_length && n < b_length && a[n] == b[n])
        n++;
    return n;
}

/* Is `text` what would be written? *offset moves on to where it leaves that, if that is further. */
static bool is_exact(const char *text, size_t length, const char *written, size_t written_length,
                     size_t *offset)
{
    size_t n = common_length(text, length, written, written_length);
    *offset = n > *offset ? n : *offset;
    return n == length && n == written_length;
}

/* The one way to write the move that was read, or a fault where the text leaves it. */
static void demand_exact(const struct position *position, const char *text, size_t length,
                         enum notation_form form, struct reading *reading)
{
    char san[NOTATION_SAN_SIZE];
    char uci[NOTATION_UCI_SIZE];
    size_t san_length = notation_format_san(position, reading->move, san);
    size_t uci_length = notation_format_uci(position, reading->move, uci);
    reading->offset = 0;
    if (form != NOTATION_UCI && is_exact(text, length, san, san_length, &reading->offset))
        return;
    if (form != NOTATION_SAN && is_exact(text, length, uci, uci_length, &reading->offset))
        return;
    reading->status = READING_SYNTAX;
}

void notation_read(const struct position *position, const char *text, size_t length, enum notation_form form,
                   enum notation_style style, enum piece_type default_promotion, struct reading *reading)
{
    struct notation_shape shape;
    size_t offset;
    bool readable = notation_shape_read(text, length, &shape, &offset);
    if (readable && form == NOTATION_UCI && !shape.coordinates && !shape.attempt.null_move) {
        readable = false;
        offset = 0;
    }
    if (!readable) {
        *reading = (struct reading){
            .status = READING_SYNTAX, .form = form, .style = style, .move = MOVE_NONE, .offset = offset};
        return;
    }
    resolve_shape(position, &shape, default_promotion, reading);
    reading->form = form;
    reading->style = style;
    if (style == NOTATION_STRICT && reading->status == READING_OK)
        demand_exact(position, text, length, form, reading);
    if (reading->status != READING_ILLEGAL)
        reading->refusal = (struct refusal){0};
}
