#include "rules/winnable_quick.h"

#include "rules/attacks.h"
#include "rules/winnable_promise.h"
#include "rules/winnable_rays.h"

/* What a way out of a check costs, in half-moves, about. Found by trial on positions of games. */
enum { FLIGHT_SOON = 2, FLIGHT = 3, CAPTURE = 4, BETWEEN = 2, IN_THE_WAY = 2, NO_CHECK = 12 };
enum { CHECK = 3, CHECKED = 2 };

/* Squares that several men attack, or one. */
struct cover {
    bitboard once, twice;
};

struct scene {
    const struct position *position;
    enum color winner;
    square king;                /* the loser's */
    bitboard occupied;          /* without that king: it cannot hide behind itself */
    bitboard ring;              /* squares beside it without men of its own */
    struct cover ours;          /* what the winner attacks */
    struct cover pieces, men;   /* what the loser's pieces attack, and with its pawns; not its king */
    bitboard pushes;            /* of its pawns */
    bitboard soon[PIECE_COUNT]; /* what the winner's men of a type may attack after a move */
};

static void cover_add(struct cover *cover, bitboard attacked)
{
    cover->twice |= cover->once & attacked;
    cover->once |= attacked;
}

static void cover_pawns(struct cover *cover, bitboard pawns, enum color color)
{
    bitboard ahead = rays_forward(pawns, color);
    cover_add(cover, rays_shift(ahead, 1, BITBOARD_FILE_H));
    cover_add(cover, rays_shift(ahead, -1, BITBOARD_FILE_A));
}

static void cover_pieces(struct cover *cover, const struct position *p, enum color color, bitboard occupied)
{
    for (unsigned t = PIECE_KNIGHT; t <= PIECE_QUEEN; t++) {
        enum piece_type type = (enum piece_type)t;
        for (bitboard men = position_pieces(p, color, type); men;)
            cover_add(cover, attacks_piece(type, bitboard_pop(&men), occupied));
    }
}

static void see_winner(struct scene *scene)
{
    const struct position *p = scene->position;
    enum color winner = scene->winner;
    bitboard pawns = position_pieces(p, winner, PIECE_PAWN), occupied = position_occupied(p);
    cover_pawns(&scene->ours, pawns, winner);
    cover_pieces(&scene->ours, p, winner, scene->occupied);
    cover_add(&scene->ours, attacks_king(position_king(p, winner)));
    scene->soon[PIECE_PAWN] = rays_pawn(rays_forward(pawns, winner) & ~occupied, winner);
    for (unsigned t = PIECE_KNIGHT; t <= PIECE_KING; t++) {
        enum piece_type type = (enum piece_type)t;
        bitboard men = position_pieces(p, winner, type);
        bitboard next = rays_piece(type, men, occupied) & ~p->by_color[winner];
        scene->soon[t] = men ? rays_piece(type, next, scene->occupied) : 0;
    }
}

static void see_loser(struct scene *scene)
{
    const struct position *p = scene->position;
    enum color loser = color_other(scene->winner);
    bitboard pawns = position_pieces(p, loser, PIECE_PAWN), occupied = position_occupied(p);
    bitboard once = rays_forward(pawns, loser) & ~occupied;
    bitboard third = bitboard_rank(loser == COLOR_WHITE ? RANK_3 : RANK_6);
    scene->pushes = once | (rays_forward(once & third, loser) & ~occupied);
    scene->ring = attacks_king(scene->king) & ~p->by_color[loser];
    cover_pieces(&scene->pieces, p, loser, occupied);
    scene->men = scene->pieces;
    cover_pawns(&scene->men, pawns, loser);
}

/* Squares beside the king that may be attacked or blocked one move from now, the checking piece aside. */
static bitboard shut_soon(const struct scene *scene, enum piece_type checker, square to)
{
    bitboard soon = (scene->pieces.once | scene->pushes) & ~bit(to);
    bool several = bitboard_has_several(position_pieces(scene->position, scene->winner, checker));
    for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
        if (type != (unsigned)checker || several)
            soon |= scene->soon[type];
    return soon;
}

static unsigned count_in(const struct cover *cover, bitboard squares)
{
    return bitboard_count(squares & cover->once) + bitboard_count(squares & cover->twice);
}

/* What it takes until the check from `to` is mate. */
static unsigned check_cost(const struct scene *scene, enum piece_type type, square from, square to)
{
    bitboard between = attacks_between(to, scene->king), occupied = scene->occupied & ~bit(from);
    bitboard way = type == PIECE_KNIGHT ? 0 : attacks_between(from, to) | between;
    bitboard left = attacks_piece(type, from, scene->occupied) & ~scene->ours.twice;
    bitboard attacked = (scene->ours.once & ~left) | attacks_piece(type, to, occupied & ~between);
    bitboard flights = (scene->ring | (attacks_king(scene->king) & (bit(to) | between))) & ~attacked;
    bitboard soon = shut_soon(scene, type, to);
    return FLIGHT_SOON * bitboard_count(flights & soon) + FLIGHT * bitboard_count(flights & ~soon) +
           IN_THE_WAY * bitboard_count(way & occupied) + CAPTURE * count_in(&scene->men, bit(to)) +
           BETWEEN * (count_in(&scene->pieces, between) + bitboard_count(between & scene->pushes));
}

/* The cheapest check in one move; at most `limit`. */
static unsigned best_check(const struct scene *scene, unsigned limit)
{
    const struct position *p = scene->position;
    unsigned best = limit;
    for (unsigned t = PIECE_KNIGHT; t <= PIECE_QUEEN; t++) {
        enum piece_type type = (enum piece_type)t;
        bitboard spots = attacks_piece(type, scene->king, 0) & ~p->by_color[scene->winner];
        for (bitboard men = position_pieces(p, scene->winner, type); men;) {
            square from = bitboard_pop(&men);
            for (bitboard to = attacks_piece(type, from, 0) & spots; to;) {
                unsigned cost = check_cost(scene, type, from, bitboard_pop(&to));
                best = cost < best ? cost : best;
            }
        }
    }
    return best;
}

static unsigned distance(square a, square b)
{
    unsigned steps = 0;
    for (bitboard reached = bit(a); !bitboard_has(reached, b); reached |= rays_king(reached))
        steps++;
    return steps;
}

unsigned winnable_quick_promise(const struct position *p, enum color winner)
{
    square king = position_king(p, color_other(winner));
    struct scene scene = {
        .position = p, .winner = winner, .king = king, .occupied = position_occupied(p) ^ bit(king)};
    see_winner(&scene);
    see_loser(&scene);
    unsigned flights = bitboard_count(scene.ring & ~scene.ours.once);
    unsigned check = best_check(&scene, flights + NO_CHECK);
    unsigned promise = CHECK * check + flights;
    bool few = bitboard_count(p->by_color[winner] & ~p->by_type[PIECE_PAWN]) <= 3;
    if (few && check > 1)
        promise += distance(position_king(p, winner), king);
    if (p->turn == winner && position_is_check(p))
        promise += CHECKED;
    return promise < PROMISE_COUNT ? promise : PROMISE_COUNT - 1;
}

/* ---- moves that are left out ----------------------------------------------------------------------------- */

static bool is_near(bitboard zone, move m)
{
    return ((bit(move_from(m)) | bit(move_to(m))) & zone) != 0;
}

/* Attacks a square of the king's or goes there, promotes, or opens a line of a piece behind it. */
static bool helps(const struct position *p, bitboard behind, bitboard zone, move m)
{
    square to = move_to(m);
    enum piece_type type = position_piece_at(p, move_from(m));
    bitboard attacked = type == PIECE_PAWN ? attacks_pawn(position_turn(p), to)
                                           : attacks_piece(type, to, position_occupied(p));
    return ((attacked | bit(to)) & zone) || bitboard_has(behind, move_from(m)) ||
           move_kind(m) == MOVE_PROMOTION;
}

static bitboard sliders_see(const struct position *p)
{
    bitboard seen = 0;
    for (unsigned t = PIECE_BISHOP; t <= PIECE_QUEEN; t++) {
        enum piece_type type = (enum piece_type)t;
        seen |= rays_piece(type, position_pieces(p, position_turn(p), type), position_occupied(p));
    }
    return seen;
}

bool winnable_quick_prune(const struct position *p, enum color winner, struct movelist *list)
{
    bool ours = p->turn == winner;
    bitboard king = bit(position_king(p, color_other(winner))), ring = rays_king(king) | king;
    bitboard behind = ours ? sliders_see(p) : 0, zone = ours ? ring : rays_king(ring);
    unsigned kept = 0, count = list->count;
    for (unsigned i = 0; i < count; i++) {
        move m = list->moves[i];
        if (ours ? helps(p, behind, zone, m) : is_near(zone, m))
            list->moves[kept++] = m;
    }
    list->count = kept;
    return kept < count;
}
