#include "rules/movegen_to.h"

#include "rules/attacks.h"

/* Is the king safe with the pieces on `occupied`, those of `taken` gone? */
static bool is_safe(const struct position *position, square king, bitboard occupied, bitboard taken)
{
    enum color them = color_other(position_turn(position));
    return (position_attackers(position, king, them, occupied) & ~taken) == 0;
}

static void add(struct movelist *list, move m)
{
    list->moves[list->count++] = m;
}

static void king_move(const struct position *position, square to, struct movelist *list)
{
    square from = position_king(position, position_turn(position));
    if (bitboard_has(attacks_king(from), to) &&
        is_safe(position, to, position_occupied(position) & ~bit(from), bit(to)))
        add(list, move_make(from, to));
}

static void piece_moves(const struct position *position, enum piece_type piece, square to,
                        struct movelist *list)
{
    enum color us = position_turn(position);
    bitboard occupied = position_occupied(position);
    bitboard pieces = position_pieces(position, us, piece) & attacks_piece(piece, to, occupied);
    while (pieces) {
        square from = bitboard_pop(&pieces);
        if (is_safe(position, position_king(position, us), (occupied & ~bit(from)) | bit(to), bit(to)))
            add(list, move_make(from, to));
    }
}

/* ---- pawns (3.7) ------------------------------------------------------------------------------------- */

static void pawn_move(const struct position *position, square from, square to, struct movelist *list)
{
    enum color us = position_turn(position);
    bool promotes = square_rank_for(to, us) == RANK_8;
    if (!is_safe(position, position_king(position, us), (position_occupied(position) & ~bit(from)) | bit(to),
                 bit(to)))
        return;
    if (!promotes)
        add(list, move_make(from, to));
    for (unsigned piece = PIECE_KNIGHT; promotes && piece <= PIECE_QUEEN; piece++)
        add(list, move_make_promotion(from, to, (enum piece_type)piece));
}

/* The two pawns that change are taken off together: they may have stood in one line before the king. */
static void en_passant_move(const struct position *position, square from, square to, struct movelist *list)
{
    square passed = (square)(to ^ 8u);
    bitboard occupied = (position_occupied(position) & ~bit(from) & ~bit(passed)) | bit(to);
    if (is_safe(position, position_king(position, position_turn(position)), occupied, bit(passed)))
        add(list, move_make_kind(from, to, MOVE_EN_PASSANT));
}

static void pawn_captures(const struct position *position, square to, struct movelist *list)
{
    enum color us = position_turn(position);
    bitboard pawns = position_pieces(position, us, PIECE_PAWN) & attacks_pawn(color_other(us), to);
    while (pawns) {
        square from = bitboard_pop(&pawns);
        if (to == position->en_passant)
            en_passant_move(position, from, to, list);
        else
            pawn_move(position, from, to, list);
    }
}

static void pawn_pushes(const struct position *position, square to, struct movelist *list)
{
    enum color us = position_turn(position);
    bitboard pawns = position_pieces(position, us, PIECE_PAWN);
    int step = us == COLOR_WHITE ? -8 : 8;
    unsigned rank = square_rank_for(to, us);
    if (rank == RANK_1)
        return;
    square one = (square)(to + step);
    if (bitboard_has(pawns, one))
        pawn_move(position, one, to, list);
    else if (rank == RANK_4 && !bitboard_has(position_occupied(position), one) &&
             bitboard_has(pawns, (square)(one + step)))
        pawn_move(position, (square)(one + step), to, list);
}

/* ---- all --------------------------------------------------------------------------------------------- */

unsigned movegen_to(const struct position *position, enum piece_type piece, square to, struct movelist *list)
{
    enum color us = position_turn(position);
    list->count = 0;
    if (bitboard_has(position->by_color[us], to))
        return 0;
    if (piece == PIECE_KING)
        king_move(position, to, list);
    else if (piece != PIECE_PAWN)
        piece_moves(position, piece, to, list);
    else if (to == position->en_passant || bitboard_has(position_occupied(position), to))
        pawn_captures(position, to, list);
    else
        pawn_pushes(position, to, list);
    return list->count;
}
