#include "rules/position.h"

#include "rules/attacks.h"
#include "rules/key.h"

enum piece_type position_piece_at(const struct position *position, square s)
{
    for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
        if (bitboard_has(position->by_type[type], s))
            return (enum piece_type)type;
    return PIECE_NONE;
}

enum color position_color_at(const struct position *position, square s)
{
    return bitboard_has(position->by_color[COLOR_BLACK], s) ? COLOR_BLACK : COLOR_WHITE;
}

struct position position_initial(void)
{
    static const enum piece_type back_rank[8] = {PIECE_ROOK, PIECE_KNIGHT, PIECE_BISHOP, PIECE_QUEEN,
                                                 PIECE_KING, PIECE_BISHOP, PIECE_KNIGHT, PIECE_ROOK};
    struct position p = {
        .turn = COLOR_WHITE, .en_passant = SQUARE_NONE, .double_step = SQUARE_NONE, .fullmove_number = 1};
    for (unsigned file = 0; file < 8; file++)
        p.by_type[back_rank[file]] |= bit(square_at(file, RANK_1)) | bit(square_at(file, RANK_8));
    p.by_type[PIECE_PAWN] = bitboard_rank(RANK_2) | bitboard_rank(RANK_7);
    p.by_color[COLOR_WHITE] = bitboard_rank(RANK_1) | bitboard_rank(RANK_2);
    p.by_color[COLOR_BLACK] = bitboard_rank(RANK_7) | bitboard_rank(RANK_8);
    p.by_type[PIECE_NONE] = p.by_color[COLOR_WHITE] | p.by_color[COLOR_BLACK];
    p.castling_rooks = p.by_type[PIECE_ROOK];
    p.key = key_compute(&p);
    return p;
}

bitboard position_attackers(const struct position *position, square s, enum color by, bitboard occupied)
{
    bitboard queens = position->by_type[PIECE_QUEEN];
    bitboard all = (attacks_pawn(color_other(by), s) & position->by_type[PIECE_PAWN]) |
                   (attacks_knight(s) & position->by_type[PIECE_KNIGHT]) |
                   (attacks_king(s) & position->by_type[PIECE_KING]) |
                   (attacks_bishop(s, occupied) & (position->by_type[PIECE_BISHOP] | queens)) |
                   (attacks_rook(s, occupied) & (position->by_type[PIECE_ROOK] | queens));
    return all & position->by_color[by];
}

bitboard position_checkers(const struct position *position)
{
    enum color us = position_turn(position);
    return position_attackers(position, position_king(position, us), color_other(us),
                              position_occupied(position));
}

bool position_is_check(const struct position *position)
{
    return position_checkers(position) != 0;
}

bool position_same(const struct position *a, const struct position *b)
{
    for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
        if (a->by_type[type] != b->by_type[type])
            return false;
    return a->by_color[COLOR_WHITE] == b->by_color[COLOR_WHITE] && a->turn == b->turn &&
           a->castling_rooks == b->castling_rooks && a->en_passant == b->en_passant;
}

square position_castling_rook(const struct position *position, enum color color, enum castling_side side)
{
    square king = position_king(position, color);
    bitboard kingside = ~0ULL << king;
    bitboard rooks = position->castling_rooks & position->by_color[color] &
                     (side == CASTLING_KINGSIDE ? kingside : ~kingside);
    return rooks ? bitboard_first(rooks) : SQUARE_NONE;
}

static void castling_facts(struct move_facts *facts, square king, square rook)
{
    facts->castling = true;
    facts->side = rook > king ? CASTLING_KINGSIDE : CASTLING_QUEENSIDE;
    facts->to = castling_king_to(king, rook);
    facts->rook_from = rook;
    facts->rook_to = castling_rook_to(king, rook);
}

struct move_facts position_move_facts(const struct position *before, move m)
{
    struct move_facts facts = {
        .piece = position_piece_at(before, move_from(m)),
        .promotion = move_promotion(m),
        .from = move_from(m),
        .to = move_to(m),
        .captured_square = SQUARE_NONE,
        .rook_from = SQUARE_NONE,
        .rook_to = SQUARE_NONE,
    };
    switch (move_kind(m)) {
    case MOVE_CASTLING:
        castling_facts(&facts, move_from(m), move_to(m));
        break;
    case MOVE_EN_PASSANT:
        facts.en_passant = true;
        facts.captured = PIECE_PAWN;
        facts.captured_square = (square)(move_to(m) ^ 8u);
        break;
    case MOVE_NORMAL:
    case MOVE_PROMOTION:
        facts.captured = position_piece_at(before, move_to(m));
        if (facts.captured != PIECE_NONE)
            facts.captured_square = move_to(m);
        break;
    }
    facts.zeroing = facts.piece == PIECE_PAWN || facts.captured != PIECE_NONE;
    return facts;
}
