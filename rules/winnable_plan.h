/* winnable_plan: mates worth steering for. Private to rules/winnable*.c.
 *
 * Layer: rules. A plan is a mate picture (kings, the checking piece, what blocks and guards the squares round
 * the loser's king) made of pieces that may reach their places by winnable_reach.h, with how many moves each
 * piece of its kind is away. Plans order a search; no verdict hangs on them. */
#pragma once

#include "rules/winnable_reach.h"

enum { PLAN_MEN_MAX = 12, PLAN_FAR = 20, PLANS_MAX = 16 };

/* Order in a plan. The checking piece comes after the kings: on its square too early it keeps the loser's king
 * away, and has to leave and come again. The loser's king goes first, before others shut its way. */
enum { PLAN_VICTIM, PLAN_KING, PLAN_CHECKER };

struct plan_man {
    uint8_t color, type;
    square to;
    bool promoted;              /* a pawn may become it */
    uint8_t away[SQUARE_COUNT]; /* moves to `to` from each square; PLAN_FAR: none known */
};

struct winnable_plan {
    unsigned cost; /* moves that all men need, about */
    unsigned count;
    struct plan_man men[PLAN_MEN_MAX];
};

/* The cheapest plans, one a square of the loser's king, cheapest first. Returns how many. `reach` is
 * saturated. */
unsigned winnable_plan_find(const struct reach *reach, enum color winner,
                            struct winnable_plan plans[PLANS_MAX]);

/* How far a position is from the plan: moves, about. */
unsigned winnable_plan_distance(const struct winnable_plan *plan, const struct position *position);
