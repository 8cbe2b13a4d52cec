/* winnable_rays: attacks of sets of squares at once. Private to rules/winnable*.c.
 *
 * Layer: rules. Inline functions on bitboards. `blocked` stops a slider, and the first blocked square of a ray
 * is part of the result. */
#pragma once

#include "rules/board.h"

static inline bitboard rays_shift(bitboard set, int by, bitboard lost)
{
    set &= ~lost;
    return by > 0 ? set << by : set >> -by;
}

static inline bitboard rays_fill(bitboard from, int by, bitboard lost, bitboard blocked)
{
    bitboard all = rays_shift(from, by, lost);
    for (bitboard front = all & ~blocked; front; all |= front, front &= ~blocked)
        front = rays_shift(front, by, lost) & ~all;
    return all;
}

static inline bitboard rays_rook(bitboard from, bitboard blocked)
{
    return rays_fill(from, 8, 0, blocked) | rays_fill(from, -8, 0, blocked) |
           rays_fill(from, 1, BITBOARD_FILE_H, blocked) | rays_fill(from, -1, BITBOARD_FILE_A, blocked);
}

static inline bitboard rays_bishop(bitboard from, bitboard blocked)
{
    return rays_fill(from, 9, BITBOARD_FILE_H, blocked) | rays_fill(from, 7, BITBOARD_FILE_A, blocked) |
           rays_fill(from, -7, BITBOARD_FILE_H, blocked) | rays_fill(from, -9, BITBOARD_FILE_A, blocked);
}

static inline bitboard rays_king(bitboard from)
{
    bitboard beside = rays_shift(from, 1, BITBOARD_FILE_H) | rays_shift(from, -1, BITBOARD_FILE_A);
    bitboard row = from | beside;
    return beside | row << 8 | row >> 8;
}

static inline bitboard rays_knight(bitboard from)
{
    const bitboard a = BITBOARD_FILE_A, h = BITBOARD_FILE_H;
    const bitboard ab = a | a << 1, gh = h | h >> 1;
    return rays_shift(from, 17, h) | rays_shift(from, 15, a) | rays_shift(from, 10, gh) |
           rays_shift(from, 6, ab) | rays_shift(from, -17, a) | rays_shift(from, -15, h) |
           rays_shift(from, -10, ab) | rays_shift(from, -6, gh);
}

static inline bitboard rays_forward(bitboard from, enum color color)
{
    return color == COLOR_WHITE ? from << 8 : from >> 8;
}

/* What pawns of `color` attack. */
static inline bitboard rays_pawn(bitboard from, enum color color)
{
    bitboard ahead = rays_forward(from, color);
    return rays_shift(ahead, 1, BITBOARD_FILE_H) | rays_shift(ahead, -1, BITBOARD_FILE_A);
}

static inline bitboard rays_promoted(bitboard from, bitboard blocked)
{
    return from ? rays_rook(from, blocked) | rays_bishop(from, blocked) | rays_knight(from) : 0;
}

static inline bitboard rays_piece(enum piece_type type, bitboard from, bitboard blocked)
{
    switch (type) {
    case PIECE_KNIGHT:
        return rays_knight(from);
    case PIECE_BISHOP:
        return rays_bishop(from, blocked);
    case PIECE_ROOK:
        return rays_rook(from, blocked);
    case PIECE_QUEEN:
        return rays_rook(from, blocked) | rays_bishop(from, blocked);
    case PIECE_KING:
        return rays_king(from);
    case PIECE_NONE:
    case PIECE_PAWN:
    case PIECE_COUNT:
        break;
    }
    return 0;
}
