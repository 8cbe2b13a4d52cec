/* All pictures are tried with the cheapest known one of each square as a bound. A picture is put on a board
 * together with the pieces that never move and counts only if it is mate there. */
#include "rules/winnable_plan.h"

#include "rules/attacks.h"
#include "rules/movegen.h"
#include "rules/winnable_rays.h"

enum {
    CANDIDATES_MAX = REACH_PIECES_MAX * 5,
    FILLERS_MAX = CANDIDATES_MAX / 2,
    COST_NONE = 255,
    PICTURE_MAX = 11
};

/* A piece as what it may be in the picture. */
struct candidate {
    uint8_t piece, color, type;
    bool promoted;
    bitboard reached;            /* squares with a distance */
    bitboard near[PLAN_FAR + 1]; /* [d]: those with a distance below d */
    uint8_t distance[SQUARE_COUNT];
};

struct placing {
    uint8_t candidate;
    square to;
};

struct picture {
    unsigned cost, count;
    struct placing men[PICTURE_MAX];
};

struct planning {
    const struct reach *reach;
    enum color winner;
    bitboard blocked;       /* fixed pieces */
    bitboard filled;        /* squares where pieces of the loser may stand */
    bitboard guarded;       /* squares that the winner's may attack */
    unsigned count, guards; /* guards: further pieces of the winner in the picture at hand */
    unsigned tries;
    const unsigned *bound; /* cost of the cheapest picture of this square that is known */
    uint32_t used;         /* pieces in the picture at hand */
    bitboard taken;        /* squares of the picture at hand */
    struct picture now, best[SQUARE_COUNT];
    /* The loser's candidates that reach a square, nearest first. */
    uint8_t fillers[SQUARE_COUNT][FILLERS_MAX];
    uint8_t filler_count[SQUARE_COUNT];
    struct candidate candidates[CANDIDATES_MAX];
};

/* Of the search for a picture, for each square of the loser's king and each bound. */
enum { TRIES_MAX = 300, GUARDS_MAX = 2, BOUND_FIRST = 5, BOUND_END = 60 };

/* ---- distances ------------------------------------------------------------------------------------------ */

/* The squares to which the piece comes in `cost` moves, and not in fewer. */
static void arrive(struct candidate *c, bitboard front, unsigned cost)
{
    c->reached |= front;
    while (front)
        c->distance[bitboard_pop(&front)] = (uint8_t)cost;
    for (unsigned d = cost + 1; d <= PLAN_FAR; d++)
        c->near[d] = c->reached;
}

static void spread(struct candidate *c, bitboard from, unsigned cost, bitboard within, bitboard blocked)
{
    for (bitboard front = from & within; front && cost < PLAN_FAR; cost++) {
        arrive(c, front, cost);
        front = rays_piece((enum piece_type)c->type, front, blocked) & within & ~c->reached;
    }
}

static void spread_pawn(struct candidate *c, const struct reach_piece *pawn)
{
    enum color color = (enum color)pawn->color;
    unsigned cost = 0;
    for (bitboard front = pawn->start; front && cost < PLAN_FAR; cost++) {
        arrive(c, front, cost);
        front = (rays_forward(front, color) | rays_pawn(front, color)) & pawn->stand & ~c->reached;
    }
}

static unsigned promotion_cost(const struct reach_piece *pawn)
{
    return 2 * (7 - square_rank_for(bitboard_first(pawn->start), (enum color)pawn->color)) + 2;
}

static struct candidate *add_candidate(struct planning *planning, unsigned piece, enum piece_type type,
                                       bool promoted)
{
    struct candidate *c = &planning->candidates[planning->count++];
    c->piece = (uint8_t)piece;
    c->color = planning->reach->pieces[piece].color;
    c->type = (uint8_t)type;
    c->promoted = promoted;
    c->reached = 0;
    for (unsigned d = 0; d <= PLAN_FAR; d++)
        c->near[d] = 0;
    return c;
}

static void add_candidates(struct planning *planning, unsigned piece)
{
    const struct reach_piece *it = &planning->reach->pieces[piece];
    struct candidate *c = add_candidate(planning, piece, (enum piece_type)it->type, false);
    if (it->type != PIECE_PAWN) {
        spread(c, it->start, 0, it->stand, planning->blocked);
        return;
    }
    spread_pawn(c, it);
    bitboard last = bitboard_rank(it->color == COLOR_WHITE ? RANK_8 : RANK_1) & it->promoted;
    for (unsigned type = PIECE_KNIGHT; last && type <= PIECE_QUEEN; type++)
        spread(add_candidate(planning, piece, (enum piece_type)type, true), last, promotion_cost(it),
               it->promoted, planning->blocked);
}

/* ---- pictures ------------------------------------------------------------------------------------------- */

/* Squares where a further piece does not make the picture as dear as the known one. */
static bitboard within_bound(const struct planning *planning, const struct candidate *c)
{
    unsigned left = *planning->bound > planning->now.cost ? *planning->bound - planning->now.cost : 0;
    return c->near[left < PLAN_FAR ? left : PLAN_FAR];
}

static bool push_man(struct planning *planning, unsigned candidate, square to)
{
    const struct candidate *c = &planning->candidates[candidate];
    if (planning->now.count >= PICTURE_MAX || (planning->used >> c->piece & 1u) ||
        bitboard_has(planning->taken, to) || !bitboard_has(within_bound(planning, c), to))
        return false;
    if (bitboard_has(planning->blocked, to) && planning->reach->pieces[c->piece].start != bit(to))
        return false;
    planning->used |= 1u << c->piece;
    planning->taken |= bit(to);
    planning->now.men[planning->now.count++] = (struct placing){(uint8_t)candidate, to};
    planning->now.cost += c->distance[to];
    return true;
}

static void pop_man(struct planning *planning)
{
    struct placing man = planning->now.men[--planning->now.count];
    const struct candidate *c = &planning->candidates[man.candidate];
    planning->used &= ~(1u << c->piece);
    planning->taken &= ~bit(man.to);
    planning->now.cost -= c->distance[man.to];
}

static void put(struct position *p, unsigned color, unsigned type, square s)
{
    p->by_color[color] |= bit(s);
    p->by_type[type] |= bit(s);
    p->by_type[PIECE_NONE] |= bit(s);
}

static bool is_mate_picture(const struct planning *planning)
{
    struct position p = {.turn = (uint8_t)color_other(planning->winner),
                         .en_passant = SQUARE_NONE,
                         .double_step = SQUARE_NONE,
                         .fullmove_number = 1};
    for (unsigned i = 0; i < planning->now.count; i++) {
        const struct candidate *c = &planning->candidates[planning->now.men[i].candidate];
        put(&p, c->color, c->type, planning->now.men[i].to);
    }
    for (unsigned i = 0; i < planning->reach->count; i++) {
        const struct reach_piece *piece = &planning->reach->pieces[i];
        if ((piece->start & planning->blocked) && !(planning->used >> i & 1u)) {
            if (piece->start & p.by_type[PIECE_NONE])
                return false;
            put(&p, piece->color, piece->type, bitboard_first(piece->start));
        }
    }
    return position_is_check(&p) && !movegen_any(&p);
}

static unsigned victim_of(const struct planning *planning)
{
    return planning->now.men[PLAN_VICTIM].to;
}

static bool is_hopeless(const struct planning *planning)
{
    return planning->now.cost >= planning->best[victim_of(planning)].cost || planning->tries > TRIES_MAX;
}

static void fill(struct planning *planning, bitboard open);

static void fill_with_guard(struct planning *planning, bitboard open, square target, unsigned candidate)
{
    const struct candidate *c = &planning->candidates[candidate];
    enum piece_type type = (enum piece_type)c->type;
    bitboard blocked = planning->blocked & ~bit((square)victim_of(planning));
    bitboard from = type == PIECE_PAWN ? rays_pawn(bit(target), color_other(planning->winner))
                                       : rays_piece(type, bit(target), blocked);
    for (from &= within_bound(planning, c); from;) {
        square s = bitboard_pop(&from);
        bitboard covered =
            type == PIECE_PAWN ? rays_pawn(bit(s), planning->winner) : rays_piece(type, bit(s), blocked);
        if (!push_man(planning, candidate, s))
            continue;
        planning->guards++;
        fill(planning, open & ~covered);
        planning->guards--;
        pop_man(planning);
    }
}

/* The square that the fewest of the loser's pieces reach. */
static square hardest(const struct planning *planning, bitboard open)
{
    square best = bitboard_pop(&open);
    while (open) {
        square s = bitboard_pop(&open);
        if (planning->filler_count[s] < planning->filler_count[best])
            best = s;
    }
    return best;
}

/* Covers the squares that are left to the loser's king, each by a piece of its own or by a guard. */
static void fill(struct planning *planning, bitboard open)
{
    planning->tries++;
    bitboard helped = planning->guards < GUARDS_MAX ? planning->guarded : 0;
    if (is_hopeless(planning) || (open & ~planning->filled & ~helped))
        return;
    if (!open) {
        if (is_mate_picture(planning))
            planning->best[victim_of(planning)] = planning->now;
        return;
    }
    square s = hardest(planning, open);
    for (unsigned i = 0; i < planning->filler_count[s]; i++) {
        unsigned candidate = planning->fillers[s][i];
        if (!bitboard_has(within_bound(planning, &planning->candidates[candidate]), s))
            break;
        if (push_man(planning, candidate, s)) {
            fill(planning, open & ~bit(s));
            pop_man(planning);
        }
    }
    for (unsigned i = 0; i < planning->count && planning->guards < GUARDS_MAX; i++) {
        const struct candidate *c = &planning->candidates[i];
        if (c->color == planning->winner && c->type != PIECE_KING && !(planning->used >> c->piece & 1u) &&
            within_bound(planning, c))
            fill_with_guard(planning, open, s, i);
    }
}

static void try_checks(struct planning *planning, unsigned candidate, bitboard around)
{
    const struct candidate *c = &planning->candidates[candidate];
    enum piece_type type = (enum piece_type)c->type;
    bitboard victim = bit((square)victim_of(planning));
    bitboard blocked = planning->blocked & ~victim;
    bitboard from = type == PIECE_PAWN ? rays_pawn(victim, color_other(planning->winner))
                                       : rays_piece(type, victim, blocked);
    for (from &= within_bound(planning, c); from;) {
        square s = bitboard_pop(&from);
        bitboard covered =
            type == PIECE_PAWN ? rays_pawn(bit(s), planning->winner) : rays_piece(type, bit(s), blocked);
        if (!push_man(planning, candidate, s))
            continue;
        fill(planning, around & ~covered);
        pop_man(planning);
    }
}

static unsigned king_of(const struct planning *planning, enum color color)
{
    unsigned i = 0;
    while (planning->candidates[i].type != PIECE_KING || planning->candidates[i].color != color)
        i++;
    return i;
}

static void try_victim(struct planning *planning, square victim)
{
    unsigned loser = king_of(planning, color_other(planning->winner)),
             king = king_of(planning, planning->winner);
    bitboard around = attacks_king(victim);
    planning->tries = 0;
    planning->bound = &planning->best[victim].cost;
    if (!push_man(planning, loser, victim))
        return;
    bitboard kings = within_bound(planning, &planning->candidates[king]) & ~around & ~bit(victim);
    while (kings) {
        square s = bitboard_pop(&kings);
        bitboard open = around & ~attacks_king(s);
        if ((open & ~planning->filled & ~planning->guarded) || !push_man(planning, king, s))
            continue;
        for (unsigned i = 0; i < planning->count && !is_hopeless(planning); i++) {
            const struct candidate *c = &planning->candidates[i];
            if (c->color == planning->winner && c->type != PIECE_KING)
                try_checks(planning, i, open);
        }
        pop_man(planning);
    }
    pop_man(planning);
}

static void add_filler(struct planning *planning, unsigned candidate, square s)
{
    const struct candidate *c = &planning->candidates[candidate];
    unsigned at = planning->filler_count[s]++;
    uint8_t *list = planning->fillers[s];
    for (; at > 0 && planning->candidates[list[at - 1]].distance[s] > c->distance[s]; at--)
        list[at] = list[at - 1];
    list[at] = (uint8_t)candidate;
}

static void sum_up(struct planning *planning)
{
    planning->filled = planning->guarded = 0;
    for (unsigned i = 0; i < planning->count; i++) {
        const struct candidate *c = &planning->candidates[i];
        if (c->type == PIECE_KING)
            continue;
        if (c->color != planning->winner) {
            planning->filled |= c->reached;
            for (bitboard left = c->reached; left;)
                add_filler(planning, i, bitboard_pop(&left));
        } else if (c->type == PIECE_PAWN)
            planning->guarded |= rays_pawn(c->reached, planning->winner);
        else
            planning->guarded |= rays_piece((enum piece_type)c->type, c->reached, 0);
    }
}

/* The cheapest picture of a square, if it costs less than `bound`. */
static bool look_below(struct planning *planning, square victim, unsigned bound)
{
    planning->best[victim].cost = bound;
    try_victim(planning, victim);
    if (planning->best[victim].cost < bound)
        return true;
    planning->best[victim].cost = COST_NONE;
    return false;
}

/* Low bounds first: they cut most, and the squares that have a cheap picture are enough. */
static void look_for_cheapest(struct planning *planning, bitboard victims)
{
    unsigned found = 0;
    for (unsigned bound = BOUND_FIRST; bound < BOUND_END && found < PLANS_MAX; bound += bound / 2)
        for (bitboard left = victims; left;) {
            square victim = bitboard_pop(&left);
            if (!look_below(planning, victim, bound))
                continue;
            victims &= ~bit(victim);
            found++;
        }
}

/* ---- the plans ------------------------------------------------------------------------------------------ */

static void measure(struct plan_man *man, bitboard within, bitboard blocked)
{
    unsigned cost = 0;
    enum color back = color_other((enum color)man->color);
    bitboard seen = 0;
    for (unsigned s = 0; s < SQUARE_COUNT; s++)
        man->away[s] = PLAN_FAR;
    for (bitboard front = bit(man->to); front && cost < PLAN_FAR; cost++) {
        seen |= front;
        for (bitboard left = front; left;)
            man->away[bitboard_pop(&left)] = (uint8_t)cost;
        front = man->type == PIECE_PAWN ? rays_forward(front, back) | rays_pawn(front, back)
                                        : rays_piece((enum piece_type)man->type, front, blocked);
        front &= within & ~seen;
    }
}

static void draw_up(const struct planning *planning, const struct picture *picture,
                    struct winnable_plan *plan)
{
    plan->cost = picture->cost;
    plan->count = picture->count;
    for (unsigned i = 0; i < picture->count; i++) {
        const struct candidate *c = &planning->candidates[picture->men[i].candidate];
        const struct reach_piece *piece = &planning->reach->pieces[c->piece];
        plan->men[i] = (struct plan_man){
            .color = c->color, .type = c->type, .to = picture->men[i].to, .promoted = c->promoted};
        measure(&plan->men[i], c->promoted ? piece->promoted : piece->stand, planning->blocked);
    }
}

unsigned winnable_plan_find(const struct reach *reach, enum color winner,
                            struct winnable_plan plans[PLANS_MAX])
{
    struct planning planning = {
        .reach = reach, .winner = winner, .blocked = reach->fixed[COLOR_WHITE] | reach->fixed[COLOR_BLACK]};
    for (unsigned i = 0; i < reach->count; i++)
        add_candidates(&planning, i);
    sum_up(&planning);
    bitboard victims = planning.candidates[king_of(&planning, color_other(winner))].reached;
    for (unsigned s = 0; s < SQUARE_COUNT; s++)
        planning.best[s].cost = COST_NONE;
    look_for_cheapest(&planning, victims & planning.guarded);
    unsigned count = 0;
    for (; count < PLANS_MAX; count++) {
        unsigned cheapest = 0;
        for (unsigned s = 1; s < SQUARE_COUNT; s++)
            if (planning.best[s].cost < planning.best[cheapest].cost)
                cheapest = s;
        if (planning.best[cheapest].cost == COST_NONE)
            break;
        draw_up(&planning, &planning.best[cheapest], &plans[count]);
        planning.best[cheapest].cost = COST_NONE;
    }
    return count;
}
