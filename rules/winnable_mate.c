/* The test for mates inside the sets of winnable_reach.h. For a mate (1.4.1, 5.1.1) the loser's king stands on
 * a square of its set, some piece of the winner attacks it, and every square next to it is attacked by the
 * winner or has one of the loser's own pieces on it, different pieces on different squares. All arrangements of
 * king, checking piece and winner's king are tried; the other pieces are everywhere in their sets at once.
 * Attacks are cut only by fixed pieces, and never by the loser's king, which does not shield the squares behind
 * it. If no arrangement passes there is no mate. */
#include "rules/winnable_reach.h"

#include <stddef.h>

#include "rules/attacks.h"
#include "rules/winnable_rays.h"

struct mating {
    bool later;                    /* both sides have moved inside the sets before the mate */
    bool free;                     /* the loser may have moved something other than its king */
    const struct reach_last *last; /* the winner's last move, where it is known; or NULL */
    const struct reach *reach;
    enum color winner;
    bitboard blocked;       /* fixed pieces without the loser's king */
    bitboard attacks_once;  /* by at least one piece of the winner, its king apart */
    bitboard attacks_twice; /* by at least two */
    bitboard own;           /* where the loser's other pieces may stand */
    bitboard kings;         /* where the winner's king may stand */
    bitboard victims;       /* where the loser's king may stand */
    bitboard attacks[REACH_PIECES_MAX];
};

/* A check by one piece: where it comes from, and the squares between. Both are empty where there may be a
 * second one at the same time. */
struct check {
    bitboard from, line;
};

static bitboard attacks_from_sets(const struct reach_piece *piece, bitboard blocked)
{
    bitboard plain = piece->type == PIECE_PAWN
                         ? rays_pawn(piece->stand, (enum color)piece->color)
                         : rays_piece((enum piece_type)piece->type, piece->stand, blocked);
    return plain | rays_promoted(piece->promoted, blocked);
}

static void sum_up(struct mating *mating)
{
    const struct reach *reach = mating->reach;
    mating->blocked = reach->fixed[COLOR_WHITE] | reach->fixed[COLOR_BLACK];
    for (unsigned i = 0; i < reach->count; i++) {
        const struct reach_piece *piece = &reach->pieces[i];
        bool winners = piece->color == mating->winner;
        if (piece->type == PIECE_KING)
            *(winners ? &mating->kings : &mating->victims) = piece->stand;
        else if (!winners) {
            mating->own |= piece->stand | piece->promoted;
            mating->free |= piece->moved || bitboard_has_several(piece->stand);
        }
    }
    mating->blocked &= ~mating->victims;
    for (unsigned i = 0; i < reach->count; i++) {
        const struct reach_piece *piece = &reach->pieces[i];
        if (piece->color != mating->winner || piece->type == PIECE_KING)
            continue;
        mating->attacks[i] = attacks_from_sets(piece, mating->blocked);
        mating->attacks_twice |= mating->attacks_once & mating->attacks[i];
        mating->attacks_once |= mating->attacks[i];
    }
}

/* Squares from which a piece of the loser could end the check: it takes the checking piece or steps between, one
 * step away, so that nothing can be in its way: the squares of the line are empty. It is not pinned, as no other
 * piece of the winner can attack the square it stands on. */
static void find_enders(const struct check *check, enum color winner, bitboard enders[PIECE_COUNT])
{
    bitboard targets = check->from | check->line;
    enders[PIECE_PAWN] = rays_pawn(check->from, winner) | rays_forward(check->line, winner);
    for (unsigned type = PIECE_KNIGHT; type <= PIECE_QUEEN; type++)
        enders[type] = rays_piece((enum piece_type)type, targets, ~0ULL);
}

/* A mate picture but for the winner's king. */
struct picture {
    unsigned piece; /* that checks */
    square victim, checker;
    bitboard flights;               /* not covered by the pieces, the king apart */
    bitboard failed;                /* flights that could not be filled; empty: none yet */
    bool twofold;                   /* another piece may check too */
    bool known;                     /* `may` is filled in */
    bitboard may[REACH_PIECES_MAX]; /* flights that a piece of the loser may stand on */
};

static void find_fillers(const struct mating *mating, struct picture *picture)
{
    bitboard enders[PIECE_COUNT] = {0};
    const struct check check = {bit(picture->checker), attacks_between(picture->victim, picture->checker)};
    if (!picture->twofold)
        find_enders(&check, mating->winner, enders);
    for (unsigned i = 0; i < mating->reach->count; i++) {
        const struct reach_piece *piece = &mating->reach->pieces[i];
        bool fills = piece->color != mating->winner && piece->type != PIECE_KING;
        picture->may[i] =
            fills ? (piece->promoted | (piece->stand & ~enders[piece->type])) & picture->flights : 0;
    }
    picture->known = true;
}

/* Gives one more square of the loser's king one of the loser's pieces (augmenting paths of Kuhn). */
static bool place(const struct picture *picture, unsigned count, square s, square on[REACH_PIECES_MAX],
                  uint32_t *tried)
{
    for (unsigned i = 0; i < count; i++) {
        if (!bitboard_has(picture->may[i], s) || (*tried >> i & 1u))
            continue;
        *tried |= 1u << i;
        if (on[i] == SQUARE_NONE || place(picture, count, on[i], on, tried)) {
            on[i] = s;
            return true;
        }
    }
    return false;
}

/* Different pieces of the loser may stand on all these squares at once, and none of them could end the check. */
static bool can_be_filled(const struct mating *mating, struct picture *picture, bitboard squares)
{
    if (squares & ~mating->own)
        return false;
    if (!picture->known)
        find_fillers(mating, picture);
    square on[REACH_PIECES_MAX];
    for (unsigned i = 0; i < mating->reach->count; i++)
        on[i] = SQUARE_NONE;
    while (squares) {
        uint32_t tried = 0;
        if (!place(picture, mating->reach->count, bitboard_pop(&squares), on, &tried))
            return false;
    }
    return true;
}

/* Before the winner's last move the loser made one too. Where nothing but its king can have moved, the king
 * came from a square `p` that was not next to the winner's king (3.9.2): where that king stands now or, if the
 * last move was this king's and opened the line of the check, where it stood on that line. */
static bool has_a_past(const struct mating *mating, const struct picture *picture, square king)
{
    if (!mating->later || mating->free)
        return true;
    bitboard from = attacks_king(picture->victim) & mating->victims;
    if (from & ~attacks_king(king) & ~bit(king))
        return true;
    bitboard opened = attacks_between(picture->victim, picture->checker) & attacks_king(king) & mating->kings;
    while (opened) {
        square before = bitboard_pop(&opened);
        if (from & ~attacks_king(before) & ~bit(before))
            return true;
    }
    return false;
}

/* Before the winner's last move the loser's king was not in check, since it was the winner's turn (3.9.2): the
 * check comes from the piece that moved, or along a line that it opened. */
static bool is_new_check(const struct mating *mating, const struct picture *picture, square king)
{
    const struct reach_last *last = mating->last;
    if (!last || last->piece == picture->piece)
        return true;
    bitboard opened = attacks_between(picture->victim, picture->checker) & last->opened;
    if (mating->reach->pieces[last->piece].type == PIECE_KING)
        opened &= attacks_king(king);
    return opened != 0;
}

/* With the winner's king on one of `kings`. What cannot be filled cannot be filled with more squares open. */
static bool mates_with_king(const struct mating *mating, struct picture *picture, bitboard kings)
{
    while (kings) {
        square king = bitboard_pop(&kings);
        bitboard open = picture->flights & ~attacks_king(king);
        if (bitboard_has(open, picture->checker) || (picture->failed && !(picture->failed & ~open)) ||
            !is_new_check(mating, picture, king) || !has_a_past(mating, picture, king))
            continue;
        if (can_be_filled(mating, picture, open))
            return true;
        picture->failed = open;
    }
    return false;
}

/* A piece, as what it is or as what it may be promoted to, from all the squares that it may check from. */
struct checks {
    unsigned piece;
    square victim;
    bitboard from;
    bitboard others; /* attacked by the other pieces */
    bool twofold;
};

/* Where the winner's king may stand, but of the squares that are next to no flight only one: what is asked of the
 * king hangs on the flights that it guards, and on where it came from if it made the last move. */
static bitboard kings_that_differ(const struct mating *mating, square victim)
{
    bitboard around = attacks_king(victim), kings = mating->kings & ~around & ~bit(victim);
    bitboard far = kings & ~rays_king(around);
    const struct reach_last *last = mating->last;
    if (last && mating->reach->pieces[last->piece].type == PIECE_KING)
        return kings;
    return (kings & ~far) | (far & (0 - far));
}

typedef bitboard attack_of(enum piece_type type, bitboard from, bitboard blocked);

static bool checks_mate(const struct mating *mating, const struct checks *checks, attack_of *attack,
                        enum piece_type type)
{
    bitboard around = attacks_king(checks->victim), kings = kings_that_differ(mating, checks->victim);
    for (bitboard from = checks->from; from;) {
        struct picture picture;
        picture.piece = checks->piece;
        picture.victim = checks->victim;
        picture.checker = bitboard_pop(&from);
        picture.flights = around & ~checks->others & ~attack(type, bit(picture.checker), mating->blocked);
        picture.failed = 0;
        picture.twofold = checks->twofold;
        picture.known = false;
        if (mates_with_king(mating, &picture, kings))
            return true;
    }
    return false;
}

static bitboard attack_promoted(enum piece_type type, bitboard from, bitboard blocked)
{
    (void)type;
    return rays_promoted(from, blocked);
}

static bitboard attack_as_white_pawn(enum piece_type type, bitboard from, bitboard blocked)
{
    (void)type, (void)blocked;
    return rays_pawn(from, COLOR_WHITE);
}

static bitboard attack_as_black_pawn(enum piece_type type, bitboard from, bitboard blocked)
{
    (void)type, (void)blocked;
    return rays_pawn(from, COLOR_BLACK);
}

/* Squares from which the piece may check a king on `victim`. */
static void checking_squares(const struct mating *mating, const struct reach_piece *piece, square victim,
                             bitboard *plain, bitboard *promoted)
{
    bitboard king = bit(victim);
    enum piece_type type = (enum piece_type)piece->type;
    bitboard back = type == PIECE_PAWN ? rays_pawn(king, color_other(mating->winner))
                                       : rays_piece(type, king, mating->blocked);
    *plain = back & piece->stand;
    *promoted = piece->promoted ? rays_promoted(king, mating->blocked) & piece->promoted : 0;
}

/* Another piece may check at the same time. Two bishops never do: the square that one of them leaves for one
 * diagonal of the king is not on the other, nor do the two squares that en passant clears lie on both. */
static bool may_be_twofold(const struct mating *mating, unsigned i, square victim)
{
    const struct reach_piece *pieces = mating->reach->pieces;
    for (unsigned j = 0; j < mating->reach->count; j++)
        if (j != i && bitboard_has(mating->attacks[j], victim) &&
            !(pieces[i].type == PIECE_BISHOP && pieces[j].type == PIECE_BISHOP))
            return true;
    return false;
}

static bool piece_mates(const struct mating *mating, unsigned i, square victim)
{
    const struct reach_piece *piece = &mating->reach->pieces[i];
    enum piece_type type = (enum piece_type)piece->type;
    bitboard plain, promoted;
    checking_squares(mating, piece, victim, &plain, &promoted);
    struct checks checks = {
        .piece = i,
        .victim = victim,
        .from = plain,
        .others = mating->attacks_twice | (mating->attacks_once & ~mating->attacks[i]),
        .twofold = may_be_twofold(mating, i, victim),
    };
    attack_of *attack = type != PIECE_PAWN            ? rays_piece
                        : piece->color == COLOR_WHITE ? attack_as_white_pawn
                                                      : attack_as_black_pawn;
    if (checks_mate(mating, &checks, attack, type))
        return true;
    checks.from = promoted;
    return checks_mate(mating, &checks, attack_promoted, PIECE_QUEEN);
}

static bool forbids(const struct reach *reach, enum color winner, bool later, const struct reach_last *last)
{
    struct mating mating = {.reach = reach, .winner = winner, .later = later, .last = last};
    sum_up(&mating);
    for (bitboard victims = mating.victims & mating.attacks_once; victims;) {
        square victim = bitboard_pop(&victims);
        for (unsigned i = 0; i < reach->count; i++) {
            bool candidate = reach->pieces[i].color == winner && reach->pieces[i].type != PIECE_KING &&
                             bitboard_has(mating.attacks[i], victim);
            if (candidate && piece_mates(&mating, i, victim))
                return false;
        }
    }
    return true;
}

bool winnable_reach_forbids_mate(const struct reach *reach, enum color winner)
{
    return forbids(reach, winner, false, NULL);
}

bool winnable_reach_forbids_later_mate(const struct reach *reach, enum color winner)
{
    return forbids(reach, winner, true, NULL);
}

bool winnable_reach_forbids_mate_after(const struct reach *reach, enum color winner,
                                       const struct reach_last *last)
{
    return forbids(reach, winner, false, last);
}
