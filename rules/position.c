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

/* ---- a move taken back ------------------------------------------------------------------------------- */

static enum piece_type piece_captured(const struct position *before, move m)
{
    switch (move_kind(m)) {
    case MOVE_CASTLING: /* the own rook stands there */
        return PIECE_NONE;
    case MOVE_EN_PASSANT:
        return PIECE_PAWN;
    case MOVE_NORMAL:
    case MOVE_PROMOTION:
        break;
    }
    return position_piece_at(before, move_to(m));
}

struct position_past position_past(const struct position *before, move m, const struct position *after)
{
    return (struct position_past){
        .castling_lost = before->castling_rooks ^ after->castling_rooks,
        .halfmove_clock = before->halfmove_clock,
        .captured = (uint8_t)piece_captured(before, m),
        .en_passant = before->en_passant,
        .double_step = before->double_step,
    };
}

/* Puts a man on an empty square, or takes him off. */
static void toggle(struct position *p, enum color color, enum piece_type type, square s)
{
    p->by_color[color] ^= bit(s);
    p->by_type[type] ^= bit(s);
    p->by_type[PIECE_NONE] ^= bit(s);
    p->key ^= key_table[key_piece_index(color, type, s)];
}

static void unplay_castling(struct position *p, enum color us, square king, square rook)
{
    toggle(p, us, PIECE_KING, castling_king_to(king, rook));
    toggle(p, us, PIECE_ROOK, castling_rook_to(king, rook));
    toggle(p, us, PIECE_KING, king);
    toggle(p, us, PIECE_ROOK, rook);
}

static void unplay_piece(struct position *p, enum color us, move m, enum piece_type captured)
{
    square to = move_to(m);
    enum piece_type arrived = position_piece_at(p, to);
    toggle(p, us, arrived, to);
    toggle(p, us, move_kind(m) == MOVE_PROMOTION ? PIECE_PAWN : arrived, move_from(m));
    if (captured != PIECE_NONE)
        toggle(p, color_other(us), captured, move_kind(m) == MOVE_EN_PASSANT ? (square)(to ^ 8u) : to);
}

static uint64_t en_passant_key(square target)
{
    return target == SQUARE_NONE ? 0 : key_table[KEY_EN_PASSANT + square_file(target)];
}

void position_unplay(const struct position *after, move m, const struct position_past *past,
                     struct position *before)
{
    enum color us = color_other(position_turn(after));
    *before = *after;
    if (move_kind(m) == MOVE_CASTLING)
        unplay_castling(before, us, move_from(m), move_to(m));
    else
        unplay_piece(before, us, m, (enum piece_type)past->captured);
    before->key ^= key_table[KEY_TURN] ^ en_passant_key(after->en_passant) ^ en_passant_key(past->en_passant);
    for (bitboard lost = past->castling_lost; lost;)
        before->key ^= key_table[KEY_CASTLING + bitboard_pop(&lost)];
    before->castling_rooks ^= past->castling_lost;
    before->en_passant = past->en_passant;
    before->double_step = past->double_step;
    before->halfmove_clock = past->halfmove_clock;
    before->fullmove_number = (uint16_t)(after->fullmove_number - (us == COLOR_BLACK));
    before->turn = (uint8_t)us;
}

/* ---- what a move does -------------------------------------------------------------------------------- */

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
        .captured = piece_captured(before, m),
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
        facts.captured_square = (square)(move_to(m) ^ 8u);
        break;
    case MOVE_NORMAL:
    case MOVE_PROMOTION:
        if (facts.captured != PIECE_NONE)
            facts.captured_square = move_to(m);
        break;
    }
    facts.zeroing = facts.piece == PIECE_PAWN || facts.captured != PIECE_NONE;
    return facts;
}
