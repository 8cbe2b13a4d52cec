#include "rules/key.h"

#include "rules/attacks.h"
#include "rules/polyglot_constants.h"

uint64_t key_compute(const struct position *position)
{
    uint64_t key = position->turn == COLOR_BLACK ? key_table[KEY_TURN] : 0;
    for (bitboard left = position_occupied(position); left;) {
        square s = bitboard_pop(&left);
        key ^= key_table[key_piece_index(position_color_at(position, s), position_piece_at(position, s), s)];
    }
    for (bitboard left = position->castling_rooks; left;)
        key ^= key_table[KEY_CASTLING + bitboard_pop(&left)];
    if (position->en_passant != SQUARE_NONE)
        key ^= key_table[KEY_EN_PASSANT + square_file(position->en_passant)];
    return key;
}

/* Offsets into the constants, and the order of rights, are the format's. */
enum { POLYGLOT_CASTLING = 768, POLYGLOT_EN_PASSANT = 772, POLYGLOT_TURN = 780 };

static uint64_t polyglot_castling(const struct position *position)
{
    uint64_t key = 0;
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        for (unsigned side = 0; side < CASTLING_COUNT; side++)
            if (position_castling_rook(position, (enum color)color, (enum castling_side)side) != SQUARE_NONE)
                key ^= polyglot_constants[POLYGLOT_CASTLING + 2 * color + side];
    return key;
}

static uint64_t polyglot_en_passant(const struct position *position)
{
    square target = position->double_step;
    enum color us = position_turn(position);
    if (target == SQUARE_NONE ||
        !(attacks_pawn(color_other(us), target) & position_pieces(position, us, PIECE_PAWN)))
        return 0;
    return polyglot_constants[POLYGLOT_EN_PASSANT + square_file(target)];
}

uint64_t key_polyglot(const struct position *position)
{
    uint64_t key = polyglot_castling(position) ^ polyglot_en_passant(position);
    for (bitboard left = position_occupied(position); left;) {
        square s = bitboard_pop(&left);
        unsigned kind = 2u * ((unsigned)position_piece_at(position, s) - 1u) +
                        (position_color_at(position, s) == COLOR_WHITE);
        key ^= polyglot_constants[64 * kind + s];
    }
    return position->turn == COLOR_WHITE ? key ^ polyglot_constants[POLYGLOT_TURN] : key;
}
