/* attacks: what each piece attacks, by table.
 *
 * Layer: rules. Constant tables, made at build time by tools/attack_tables.c; nothing is set up at run time.
 * Attacks follow FIDE 3.2-3.8 and ignore pins (3.1.2). Sliders stop at the first occupied square and include
 * it. Where the compiler may use BMI2 a slider's attacks are found with PEXT,
 * else by magic multiplication. */
#pragma once

#include "rules/board.h"

#ifdef __BMI2__
#include <immintrin.h>
#endif

struct attacks_magic {
    bitboard mask;   /* the inner squares of the rays: the ones whose occupation matters */
    uint64_t factor; /* the multiplier that maps their occupations apart */
    uint32_t shift;  /* 64 less the number of squares in the mask */
    uint32_t base;   /* first index of this square in the table */
};

extern const bitboard attacks_knight_table[SQUARE_COUNT];
extern const bitboard attacks_king_table[SQUARE_COUNT];
extern const bitboard attacks_pawn_table[COLOR_COUNT][SQUARE_COUNT];
extern const bitboard attacks_between_table[SQUARE_COUNT][SQUARE_COUNT];
extern const bitboard attacks_line_table[SQUARE_COUNT][SQUARE_COUNT];
extern const struct attacks_magic attacks_rook_magic[SQUARE_COUNT];
extern const struct attacks_magic attacks_bishop_magic[SQUARE_COUNT];
extern const bitboard attacks_magic_table[]; /* in the order of the magic index */
extern const bitboard attacks_pext_table[];  /* in the order of PEXT; x86-64 only */

static inline bitboard attacks_knight(square s)
{
    return attacks_knight_table[s];
}

static inline bitboard attacks_king(square s)
{
    return attacks_king_table[s];
}

/* What a pawn of `color` on `s` attacks; also where a pawn of the other colour must stand to attack `s`. */
static inline bitboard attacks_pawn(enum color color, square s)
{
    return attacks_pawn_table[color][s];
}

static inline bitboard attacks_slider(const struct attacks_magic *magic, bitboard occupied)
{
#ifdef __BMI2__
    return attacks_pext_table[magic->base + _pext_u64(occupied, magic->mask)];
#else
    return attacks_magic_table[magic->base + ((occupied & magic->mask) * magic->factor >> magic->shift)];
#endif
}

static inline bitboard attacks_rook(square s, bitboard occupied)
{
    return attacks_slider(&attacks_rook_magic[s], occupied);
}

static inline bitboard attacks_bishop(square s, bitboard occupied)
{
    return attacks_slider(&attacks_bishop_magic[s], occupied);
}

static inline bitboard attacks_queen(square s, bitboard occupied)
{
    return attacks_rook(s, occupied) | attacks_bishop(s, occupied);
}

/* The squares strictly between two squares of one line, else none. */
static inline bitboard attacks_between(square a, square b)
{
    return attacks_between_table[a][b];
}

/* The whole line through two squares, edge to edge and with both, or none. */
static inline bitboard attacks_line(square a, square b)
{
    return attacks_line_table[a][b];
}

/* What a piece other than a pawn attacks. */
static inline bitboard attacks_piece(enum piece_type type, square s, bitboard occupied)
{
    switch (type) {
    case PIECE_KNIGHT:
        return attacks_knight(s);
    case PIECE_BISHOP:
        return attacks_bishop(s, occupied);
    case PIECE_ROOK:
        return attacks_rook(s, occupied);
    case PIECE_QUEEN:
        return attacks_queen(s, occupied);
    case PIECE_KING:
        return attacks_king(s);
    case PIECE_NONE:
    case PIECE_PAWN:
    case PIECE_COUNT:
        break;
    }
    return 0;
}
