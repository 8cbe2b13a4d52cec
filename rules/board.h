/* board: the words everything else is written in: colours, pieces, squares, sets of squares, moves.
 *
 * Layer: rules. Scalars and inline functions only; no memory, no errors.
 * Squares: a1 = 0, b1 = 1 … h8 = 63. A bitboard is a set of squares, bit n for square n.
 * Source: FIDE Laws of Chess (2023), articles 2 and 3. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef uint64_t bitboard;
typedef uint8_t square;
typedef uint16_t move;

enum color { COLOR_WHITE, COLOR_BLACK, COLOR_COUNT };

enum piece_type {
    PIECE_NONE,
    PIECE_PAWN,
    PIECE_KNIGHT,
    PIECE_BISHOP,
    PIECE_ROOK,
    PIECE_QUEEN,
    PIECE_KING,
    PIECE_COUNT
};

enum castling_side { CASTLING_KINGSIDE, CASTLING_QUEENSIDE, CASTLING_COUNT };

enum { SQUARE_COUNT = 64, SQUARE_NONE = 64 };

enum { FILE_A, FILE_B, FILE_C, FILE_D, FILE_E, FILE_F, FILE_G, FILE_H };
enum { RANK_1, RANK_2, RANK_3, RANK_4, RANK_5, RANK_6, RANK_7, RANK_8 };

static inline enum color color_other(enum color color)
{
    return (enum color)(color ^ 1);
}

static inline square square_at(unsigned file, unsigned rank)
{
    return (square)(rank * 8 + file);
}

static inline unsigned square_file(square s)
{
    return s & 7u;
}

static inline unsigned square_rank(square s)
{
    return s >> 3u;
}

/* The rank as `color` counts it: 0 is its own first rank. */
static inline unsigned square_rank_for(square s, enum color color)
{
    return square_rank(s) ^ (color == COLOR_WHITE ? 0u : 7u);
}

static inline bool square_is_light(square s)
{
    return ((square_file(s) + square_rank(s)) & 1u) != 0;
}

static inline bitboard bit(square s)
{
    return 1ULL << s;
}

static inline bool bitboard_has(bitboard set, square s)
{
    return (set >> s & 1u) != 0;
}

static inline unsigned bitboard_count(bitboard set)
{
#if defined(__x86_64__) && !defined(__POPCNT__)
    /* Pairs, fours, eights of bits are added side by side: the compiler would call a function. */
    set -= set >> 1 & 0x5555555555555555ULL;
    set = (set & 0x3333333333333333ULL) + (set >> 2 & 0x3333333333333333ULL);
    set = (set + (set >> 4)) & 0x0F0F0F0F0F0F0F0FULL;
    return (unsigned)(set * 0x0101010101010101ULL >> 56);
#else
    return (unsigned)__builtin_popcountll(set);
#endif
}

static inline bool bitboard_has_several(bitboard set)
{
    return (set & (set - 1)) != 0;
}

/* The lowest square of a set that is not empty. */
static inline square bitboard_first(bitboard set)
{
    return (square)__builtin_ctzll(set);
}

/* Takes the lowest square out of a set that is not empty. */
static inline square bitboard_pop(bitboard *set)
{
    square s = bitboard_first(*set);
    *set &= *set - 1;
    return s;
}

#define BITBOARD_FILE_A 0x0101010101010101ULL
#define BITBOARD_FILE_H 0x8080808080808080ULL
#define BITBOARD_RANK_1 0x00000000000000FFULL
#define BITBOARD_LIGHT  0x55AA55AA55AA55AAULL

static inline bitboard bitboard_rank(unsigned rank)
{
    return BITBOARD_RANK_1 << (8 * rank);
}

static inline bitboard bitboard_file(unsigned file)
{
    return BITBOARD_FILE_A << file;
}

/* A move in 16 bits: from, to, kind, and the promotion piece. Castling is held as king takes own rook, in
 * standard chess as in Chess960. MOVE_NONE (a1 to a1) is never a move. */
enum move_kind { MOVE_NORMAL, MOVE_PROMOTION, MOVE_EN_PASSANT, MOVE_CASTLING };
enum { MOVE_NONE = 0 };

static inline move move_make(square from, square to)
{
    return (move)(from | to << 6);
}

static inline move move_make_kind(square from, square to, enum move_kind kind)
{
    return (move)(from | (unsigned)to << 6 | (unsigned)kind << 14);
}

static inline move move_make_promotion(square from, square to, enum piece_type piece)
{
    return (move)(from | (unsigned)to << 6 | (unsigned)(piece - PIECE_KNIGHT) << 12 |
                  (unsigned)MOVE_PROMOTION << 14);
}

static inline square move_from(move m)
{
    return (square)(m & 63u);
}

/* For castling the square of the rook. */
static inline square move_to(move m)
{
    return (square)(m >> 6 & 63u);
}

static inline enum move_kind move_kind(move m)
{
    return (enum move_kind)(m >> 14);
}

/* Where king and rook end (3.8.2, Guidelines II): king on the c- or g-file, rook on d or f, whatever the start. */
static inline square castling_king_to(square king, square rook)
{
    return (square)((king & 56u) | (rook > king ? FILE_G : FILE_C));
}

static inline square castling_rook_to(square king, square rook)
{
    return (square)((king & 56u) | (rook > king ? FILE_F : FILE_D));
}

/* PIECE_NONE where the move does not promote. */
static inline enum piece_type move_promotion(move m)
{
    return move_kind(m) == MOVE_PROMOTION ? (enum piece_type)((m >> 12 & 3u) + PIECE_KNIGHT) : PIECE_NONE;
}
