#include "rules/winnable_promise.h"

#include "rules/attacks.h"
#include "rules/winnable_rays.h"

/* Found by trial on positions with known answers. Pawns weigh most: each one less opens the position. */
enum { MAN = 5, PAWN = 6 };

static unsigned distance(square a, square b)
{
    int files = (int)square_file(a) - (int)square_file(b), ranks = (int)square_rank(a) - (int)square_rank(b);
    unsigned f = (unsigned)(files < 0 ? -files : files), r = (unsigned)(ranks < 0 ? -ranks : ranks);
    return f > r ? f : r;
}

/* King's steps from a square to the nearest of a set, at most 7. */
static unsigned nearest(square s, bitboard set)
{
    unsigned best = 7;
    while (set) {
        unsigned d = distance(s, bitboard_pop(&set));
        best = d < best ? d : best;
    }
    return best;
}

/* King's steps that the nearest `wanted` men are away from a square, in all. */
static unsigned gather(bitboard men, square s, unsigned wanted)
{
    unsigned sum = 0, steps = 1;
    for (bitboard ring = rays_king(bit(s)); men && wanted; ring |= rays_king(ring), steps++) {
        unsigned count = bitboard_count(men & ring);
        count = count < wanted ? count : wanted;
        sum += count * (steps - 1);
        wanted -= count;
        men &= ~ring;
    }
    return sum;
}

/* Half-moves, about, until a pawn of the winner is a queen. */
static unsigned promotion_distance(const struct position *p, enum color winner)
{
    unsigned best = 24;
    bitboard theirs = position_pieces(p, color_other(winner), PIECE_PAWN);
    for (bitboard pawns = position_pieces(p, winner, PIECE_PAWN); pawns;) {
        square s = bitboard_pop(&pawns);
        bitboard ahead =
            bitboard_file(square_file(s)) & (winner == COLOR_WHITE ? ~0ULL << s << 1 : bit(s) - 1);
        unsigned cost = 2 * (7 - square_rank_for(s, winner)) + 4 * bitboard_count(ahead & theirs) +
                        bitboard_count(ahead & position_occupied(p));
        best = cost < best ? cost : best;
    }
    return best;
}

/* Squares beside the loser's king to which it could still go. */
static unsigned flights(const struct position *p, square king, enum color winner)
{
    unsigned count = 0;
    bitboard occupied = position_occupied(p) ^ bit(king);
    for (bitboard around = attacks_king(king) & ~p->by_color[color_other(winner)]; around;)
        count += !position_attackers(p, bitboard_pop(&around), winner, occupied);
    return count;
}

/* The corners that suit: bishops of one colour mate in one of that colour. */
static bitboard corners_for(bitboard men, bitboard bishops)
{
    const bitboard corners = 0x8100000000000081ULL;
    if (men & ~bishops || !men)
        return corners;
    if (!(men & BITBOARD_LIGHT))
        return corners & ~BITBOARD_LIGHT;
    return men & ~BITBOARD_LIGHT ? corners : corners & BITBOARD_LIGHT;
}

/* With a queen or a rook: a mate anywhere on the edge, and the fewer men the loser has the easier. */
static unsigned promise_heavy(const struct position *p, enum color winner, bitboard heavy)
{
    enum color loser = color_other(winner);
    square victim = position_king(p, loser), king = position_king(p, winner);
    unsigned near = distance(king, victim);
    return 2 * nearest(victim, 0xFF000000000000FFULL | BITBOARD_FILE_A | BITBOARD_FILE_H) +
           (near > 2 ? near - 2 : 0) + 3 * flights(p, victim, winner) +
           MAN * bitboard_count(p->by_color[loser]) + gather(heavy, victim, 2);
}

/* With pawns only: first a promotion. */
static unsigned promise_pawns(const struct position *p, enum color winner)
{
    return 20 + 3 * promotion_distance(p, winner) + PAWN * bitboard_count(p->by_type[PIECE_PAWN]) +
           flights(p, position_king(p, color_other(winner)), winner);
}

/* With bishops and knights: a mate in a corner, with the loser's own men in the way of its king. */
static unsigned promise_minors(const struct position *p, enum color winner, bitboard minors)
{
    enum color loser = color_other(winner);
    square victim = position_king(p, loser), king = position_king(p, winner);
    unsigned near = distance(king, victim), promotion = 2 * promotion_distance(p, winner);
    bitboard men = p->by_color[loser] & ~p->by_type[PIECE_KING];
    return promotion + 3 * nearest(victim, corners_for(minors, p->by_type[PIECE_BISHOP])) +
           2 * (near > 2 ? near - 2 : 0) + 2 * flights(p, victim, winner) + gather(men, victim, 2) +
           gather(minors, victim, 3) + PAWN * bitboard_count(p->by_type[PIECE_PAWN]);
}

unsigned winnable_promise(const struct position *p, enum color winner, unsigned depth)
{
    bitboard heavy = p->by_color[winner] & (p->by_type[PIECE_QUEEN] | p->by_type[PIECE_ROOK]);
    bitboard minors = p->by_color[winner] & (p->by_type[PIECE_BISHOP] | p->by_type[PIECE_KNIGHT]);
    unsigned promise = heavy    ? promise_heavy(p, winner, heavy)
                       : minors ? promise_minors(p, winner, minors)
                                : promise_pawns(p, winner);
    promise += depth / 64;
    return promise < PROMISE_COUNT ? promise : PROMISE_COUNT - 1;
}
