/* winnable_reach: what pieces can ever reach, whoever moves and however often. Private to rules/winnable*.c.
 *
 * Layer: rules. For each piece of a position the least set of squares that is closed under everything it might
 * do; legal play stays inside these sets, because each rule that lets a set grow asks for less than the Laws
 * do. What cannot be reached in the sets cannot be reached on the board. */
#pragma once

#include "rules/position.h"

enum { REACH_PIECES_MAX = 32 };

struct reach_piece {
    bitboard stand;    /* squares it may stand on as what it is now */
    bitboard promoted; /* squares it may stand on after promotion (3.7.3.3) */
    bitboard start;    /* squares it may stand on now: one, or several where only that much is known */
    uint8_t color, type;
    bool moved;       /* may have left `start` */
    bool captured;    /* may have been captured */
    bool leaves_file; /* pawn: may have captured something */
};

struct reach {
    unsigned count;
    bool quiet; /* no captures and no pawn moves: what may happen before the next of them */
    struct reach_piece pieces[REACH_PIECES_MAX];
    bitboard fixed[COLOR_COUNT]; /* pieces that never move and are never captured */
};

void winnable_reach_init(const struct position *position, struct reach *reach);
/* Grows the sets to their fixpoint. */
void winnable_reach_saturate(struct reach *reach);
/* The sets as they are: nobody moves any more. Only `fixed` is set. */
void winnable_reach_freeze(struct reach *reach);
/* Frozen sets after one quiet move of piece number `i`; false where it has none. */
bool winnable_reach_step(struct reach *reach, unsigned i);
/* A piece of `color` may have a move in some arrangement of the frozen sets. */
bool winnable_reach_may_move(struct reach *reach, enum color color);
/* Squares to which piece number `i` may go in one move to capture there, in saturated quiet sets. */
bitboard winnable_reach_captures(struct reach *reach, unsigned i);
/* No arrangement of pieces inside their sets is a mate by `winner`. */
bool winnable_reach_forbids_mate(const struct reach *reach, enum color winner);
/* The same for mates before which both sides have moved inside the sets, in saturated quiet ones. */
bool winnable_reach_forbids_later_mate(const struct reach *reach, enum color winner);

/* A move of the winner that led into the sets. */
struct reach_last {
    unsigned piece;  /* that moved, as numbered in the sets */
    bitboard opened; /* squares that it may have left */
};
/* The same for mates that this move gave. */
bool winnable_reach_forbids_mate_after(const struct reach *reach, enum color winner,
                                       const struct reach_last *last);

/* The three steps in one. Says nothing of a mate already on the board. */
bool winnable_structure_forbids(const struct position *position, enum color winner);
