/* key: 64-bit names of positions.
 *
 * Layer: rules. Two positions that Law 9.2.3 calls the same have the same key: placement, side to move,
 * castling rights (blocked or not), and en passant only where a capture is legal. Equal keys are nearly
 * always the same position; where a draw hangs on it, compare with position_same.
 *
 * Scheme "v1": the exclusive or of KEY(i) over
 *
 *     i = 64 * (2 * (type - 1) + color) + square   a piece
 *     i = 768 + square                             a rook with a castling right
 *     i = 832 + file                               a legal en passant capture on that file
 *     i = 840                                      black to move
 *
 * type: pawn 1, knight 2, bishop 3, rook 4, queen 5, king 6; color: white 0, black 1; square: a1 0 … h8 63.
 * KEY(i) is output number i (from 0) of SplitMix64 seeded with the eight bytes "Arbiter1", big-endian. */
#pragma once

#include "rules/position.h"

#define KEY_SCHEME "v1"

enum { KEY_CASTLING = 768, KEY_EN_PASSANT = KEY_CASTLING + 64, KEY_TURN = KEY_EN_PASSANT + 8, KEY_COUNT };

extern const uint64_t key_table[KEY_COUNT]; /* made at build time by tools/attack_tables.c */

static inline unsigned key_piece_index(enum color color, enum piece_type type, square s)
{
    return 64u * (2u * ((unsigned)type - 1u) + (unsigned)color) + s;
}

/* From scratch; equals position->key. */
uint64_t key_compute(const struct position *position);

/* The hash of the Polyglot opening-book format: its own constants, and an en passant file wherever an enemy
 * pawn stands beside the double step, pinned or not. Source: the PolyGlot book format. */
uint64_t key_polyglot(const struct position *position);
