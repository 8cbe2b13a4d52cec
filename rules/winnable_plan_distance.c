#include "rules/winnable_plan.h"
#include "rules/winnable_rays.h"

/* A way that exists, but not with the pawns as they stand: moves that it may take to open it. */
enum { WAY_TO_OPEN = 4 };

/* How far a man is, and which one it is. */
struct nearest {
    square which;
    unsigned moves;
};

/* The least of what is known for good, whatever stands in the way. */
static struct nearest nearest_at_best(const struct plan_man *man, bitboard men)
{
    struct nearest nearest = {SQUARE_NONE, PLAN_FAR};
    while (men) {
        square s = bitboard_pop(&men);
        if (man->away[s] < nearest.moves)
            nearest = (struct nearest){s, man->away[s]};
    }
    return nearest;
}

/* Moves over a board with nothing but the pawns on it, backwards from the man's place in the plan. */
static struct nearest nearest_past_pawns(const struct plan_man *man, const struct position *p, bitboard men)
{
    enum color color = (enum color)man->color;
    bitboard pawns = p->by_type[PIECE_PAWN], shut = pawns & p->by_color[color], seen = 0;
    if (man->type == PIECE_KING)
        shut |= rays_pawn(pawns & ~shut, color_other(color));
    unsigned moves = 0;
    for (bitboard front = bit(man->to); front; moves++) {
        if (front & men)
            return (struct nearest){bitboard_first(front & men), moves};
        seen |= front;
        front = rays_piece((enum piece_type)man->type, front, pawns) & ~shut & ~seen;
    }
    return (struct nearest){SQUARE_NONE, PLAN_FAR};
}

static struct nearest nearest_of(const struct plan_man *man, const struct position *p, bitboard men)
{
    struct nearest best = nearest_at_best(man, men);
    if (man->type == PIECE_PAWN || best.moves == PLAN_FAR)
        return best;
    struct nearest now = nearest_past_pawns(man, p, men);
    best.moves += WAY_TO_OPEN;
    return now.moves < PLAN_FAR ? now : best;
}

static unsigned promotion_distance(const struct position *p, enum color color)
{
    unsigned best = PLAN_FAR;
    for (bitboard pawns = position_pieces(p, color, PIECE_PAWN); pawns;) {
        unsigned left = 4 + 2 * (7 - square_rank_for(bitboard_pop(&pawns), color));
        best = left < best ? left : best;
    }
    return best;
}

/* The loser's king counts most: before it is in its place, the others only shut its way. A checking piece that is
 * there already has to leave and come again. */
static unsigned weigh(unsigned place, unsigned moves)
{
    if (place == PLAN_VICTIM)
        return 3 * moves;
    return place == PLAN_CHECKER && moves == 0 ? 2 : moves;
}

unsigned winnable_plan_distance(const struct winnable_plan *plan, const struct position *p)
{
    unsigned sum = 0;
    bitboard used = 0;
    for (unsigned i = 0; i < plan->count; i++) {
        const struct plan_man *man = &plan->men[i];
        enum color color = (enum color)man->color;
        struct nearest nearest =
            nearest_of(man, p, position_pieces(p, color, (enum piece_type)man->type) & ~used);
        if (nearest.which != SQUARE_NONE)
            used |= bit(nearest.which);
        else if (man->promoted)
            nearest.moves = promotion_distance(p, color);
        sum += weigh(i, nearest.moves);
    }
    return sum;
}
