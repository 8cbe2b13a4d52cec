/* movegen: all legal moves of a position.
 *
 * Layer: rules. Legal moves only, by check and pin masks: nothing is generated and taken back. One generator,
 * built three times on x86-64: with PEXT and POPCNT, with magic multiplication and POPCNT, and with magic
 * multiplication alone for any processor; which one runs is chosen at each call by what the processor has and
 * does fast. Source: FIDE Laws 3.1-3.9, Guidelines II. */
#pragma once

#include "rules/position.h"

/* No playable position has more: fifteen pieces that move like queens and reach at most 27 squares each, and
 * a king with 8 squares and 2 castlings. (218 is the most that play from the first position can reach.) */
enum { MOVELIST_MAX = 15 * 27 + 8 + 2 };

struct movelist {
    unsigned count;
    move moves[MOVELIST_MAX];
};

/* All legal moves, in no promised order. Returns the count. */
unsigned movegen_legal(const struct position *position, struct movelist *list);

/* Their number, without a list. */
unsigned movegen_count(const struct position *position);

/* At least one legal move: mate or stalemate else. */
bool movegen_any(const struct position *position);

/* `m` is one of the legal moves. */
bool movegen_is_legal(const struct position *position, move m);

/* Leaf nodes of the tree of legal moves `depth` plies deep; 1 at depth 0. Counts moves at the last ply
 * instead of making them. */
uint64_t movegen_perft(const struct position *position, unsigned depth);
