/* The fixpoint. Claim, by induction over the moves of any legal game from here: every piece not captured stands
 * inside its set (`stand`, or `promoted` once it is promoted), a piece with `moved` and `captured` both false
 * stands where it started, a pawn with `leaves_file` false has made no capture. Each rule below adds what one
 * more move may do: a slider stops only at `fixed` pieces, which the claim says are there; a piece takes
 * whatever may stand where it goes; a pawn takes only where an enemy may stand; a king avoids only squares
 * that fixed enemies guard. Checks, pins, whose turn it is and what is already captured are left out, which
 * only makes the sets larger. */
#include "rules/winnable_reach.h"

#include "rules/winnable_rays.h"

static void add_piece(struct reach *reach, enum color color, enum piece_type type, square s)
{
    struct reach_piece *piece = &reach->pieces[reach->count++];
    *piece = (struct reach_piece){
        .color = (uint8_t)color, .type = (uint8_t)type, .start = bit(s), .stand = bit(s)};
}

static struct reach_piece *piece_on(struct reach *reach, square s)
{
    struct reach_piece *piece = reach->pieces;
    while (piece->start != bit(s))
        piece++;
    return piece;
}

/* What only the next moves may do, put in without a question: castling (3.8.2) and en passant (3.7.3.1), where
 * the pawn is taken on the square it passed. */
static void add_rights(const struct position *p, struct reach *reach)
{
    for (bitboard rooks = p->castling_rooks; rooks;) {
        square rook = bitboard_pop(&rooks);
        square king = position_king(p, position_color_at(p, rook));
        piece_on(reach, rook)->stand |= bit(castling_rook_to(king, rook));
        piece_on(reach, king)->stand |= bit(castling_king_to(king, rook));
    }
    if (p->en_passant != SQUARE_NONE)
        piece_on(reach, (square)(p->en_passant ^ 8u))->stand |= bit(p->en_passant);
}

void winnable_reach_init(const struct position *p, struct reach *reach)
{
    reach->count = 0;
    reach->quiet = false;
    for (unsigned color = COLOR_WHITE; color < COLOR_COUNT; color++)
        for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
            for (bitboard left = position_pieces(p, (enum color)color, (enum piece_type)type); left;)
                add_piece(reach, (enum color)color, (enum piece_type)type, bitboard_pop(&left));
    add_rights(p, reach);
}

static bitboard anywhere(const struct reach_piece *piece)
{
    return piece->stand | piece->promoted;
}

/* What the rules below ask about the board as a whole, made anew in each round. */
struct surroundings {
    bitboard fixed;                 /* of both colours */
    bitboard guarded[COLOR_COUNT];  /* by fixed pieces of that colour, for good */
    bitboard takeable[COLOR_COUNT]; /* squares where a piece of that colour, not the king, may stand */
    bitboard kings;                 /* kings that never move */
};

static bool is_fixed(const struct reach_piece *piece)
{
    return !piece->moved && !piece->captured && !bitboard_has_several(piece->start);
}

/* A fixed piece guards the squares next to it along its lines whatever else happens (3.1.2: pins do not
 * matter); further squares could be hidden by others. */
static bitboard guards_for_good(const struct reach_piece *piece)
{
    enum piece_type type = (enum piece_type)piece->type;
    if (type == PIECE_PAWN)
        return rays_pawn(piece->start, (enum color)piece->color);
    return rays_piece(type, piece->start, ~0ULL);
}

static struct surroundings look_around(struct reach *reach)
{
    struct surroundings around = {0};
    reach->fixed[COLOR_WHITE] = reach->fixed[COLOR_BLACK] = 0;
    for (unsigned i = 0; i < reach->count; i++) {
        const struct reach_piece *piece = &reach->pieces[i];
        if (piece->type != PIECE_KING)
            around.takeable[piece->color] |= anywhere(piece);
        if (!is_fixed(piece))
            continue;
        reach->fixed[piece->color] |= piece->start;
        around.guarded[piece->color] |= guards_for_good(piece);
        if (piece->type == PIECE_KING)
            around.kings |= piece->start;
    }
    around.fixed = reach->fixed[COLOR_WHITE] | reach->fixed[COLOR_BLACK];
    return around;
}

/* Everything that may stand where the other colour may strike may be captured there. */
static bool capture(struct reach *reach, const bitboard struck[COLOR_COUNT])
{
    bool changed = false;
    for (unsigned i = 0; i < reach->count; i++) {
        struct reach_piece *piece = &reach->pieces[i];
        if (piece->captured || piece->type == PIECE_KING ||
            !(anywhere(piece) & struck[color_other((enum color)piece->color)]))
            continue;
        piece->captured = true;
        changed = true;
    }
    return changed;
}

/* PIECE_NONE: a promoted pawn. What it becomes is its owner's choice (3.7.3.3): it goes as any of the four. */
static bitboard step(enum piece_type type, bitboard from, bitboard blocked)
{
    return type == PIECE_NONE ? rays_promoted(from, blocked) : rays_piece(type, from, blocked);
}

/* Where a piece other than a pawn may go from a set of squares; the set itself is part of it. */
static bitboard wander(const struct reach *reach, const struct surroundings *around, enum color color,
                       enum piece_type type, bitboard from)
{
    bitboard shut = reach->quiet ? around->fixed : reach->fixed[color] | around->kings;
    if (type == PIECE_KING)
        shut |= around->guarded[color_other(color)];
    for (bitboard front = from; front;) {
        front = step(type, front, around->fixed) & ~shut & ~from;
        from |= front;
    }
    return from;
}

/* Two pawns that face each other on a file do not pass while neither leaves it nor is captured: this one stays
 * below the square where the other one is now, as the other one only comes nearer. */
static bitboard before_opposing_pawns(const struct reach *reach, const struct reach_piece *pawn)
{
    bitboard allowed = ~0ULL;
    if (pawn->leaves_file)
        return allowed;
    square from = bitboard_first(pawn->start);
    for (unsigned i = 0; i < reach->count; i++) {
        const struct reach_piece *other = &reach->pieces[i];
        if (other->type != PIECE_PAWN || other->color == pawn->color || other->captured || other->leaves_file)
            continue;
        square there = bitboard_first(other->start);
        if (square_file(there) != square_file(from))
            continue;
        if (pawn->color == COLOR_WHITE ? there > from : there < from)
            allowed &= pawn->color == COLOR_WHITE ? bit(there) - 1 : ~(bit(there) | (bit(there) - 1));
    }
    return allowed;
}

static bitboard pawn_pushes(const struct reach *reach, const struct surroundings *around,
                            const struct reach_piece *pawn)
{
    enum color color = (enum color)pawn->color;
    bitboard open = ~around->fixed & before_opposing_pawns(reach, pawn);
    bitboard home = bitboard_rank(color == COLOR_WHITE ? RANK_2 : RANK_7);
    bitboard once = rays_forward(pawn->stand, color) & open;
    bitboard over = rays_forward(pawn->stand & home, color) & open;
    return once | (rays_forward(over, color) & open);
}

/* Adds what the pawn may do, and to `struck` where it may capture. */
static bool grow_pawn(struct reach *reach, const struct surroundings *around, struct reach_piece *pawn,
                      bitboard *struck)
{
    enum color color = (enum color)pawn->color;
    bitboard last = bitboard_rank(color == COLOR_WHITE ? RANK_8 : RANK_1);
    bitboard takes = rays_pawn(pawn->stand, color) & around->takeable[color_other(color)];
    bitboard to = pawn_pushes(reach, around, pawn) | takes;
    bool changed = takes && !pawn->leaves_file;
    pawn->leaves_file |= takes != 0;
    bitboard promoted = wander(reach, around, color, PIECE_NONE, pawn->promoted | (to & last));
    *struck |= takes | promoted;
    changed |= ((to & ~last) & ~pawn->stand) != 0 || promoted != pawn->promoted;
    pawn->stand |= to & ~last;
    pawn->promoted = promoted;
    return changed;
}

static bool grow_piece(struct reach *reach, const struct surroundings *around, struct reach_piece *piece,
                       bitboard *struck)
{
    enum color color = (enum color)piece->color;
    bitboard stand = wander(reach, around, color, (enum piece_type)piece->type, piece->stand);
    bool changed = stand != piece->stand;
    *struck |= stand;
    piece->stand = stand;
    return changed;
}

static bool mark_moved(struct reach_piece *piece)
{
    bool moved = (anywhere(piece) & ~piece->start) != 0;
    bool changed = moved && !piece->moved;
    piece->moved |= moved;
    return changed;
}

/* Where pieces other than pawns may go hangs on these alone. */
static bool is_same_for_pieces(const struct surroundings *a, const struct surroundings *b)
{
    return a->fixed == b->fixed && a->kings == b->kings &&
           a->guarded[COLOR_WHITE] == b->guarded[COLOR_WHITE] &&
           a->guarded[COLOR_BLACK] == b->guarded[COLOR_BLACK];
}

void winnable_reach_saturate(struct reach *reach)
{
    struct surroundings before = {.fixed = ~0ULL};
    for (bool changed = true; changed;) {
        changed = false;
        for (unsigned i = 0; i < reach->count; i++)
            changed |= mark_moved(&reach->pieces[i]);
        struct surroundings around = look_around(reach);
        bitboard struck[COLOR_COUNT] = {0, 0};
        bool closed = is_same_for_pieces(&around, &before);
        for (unsigned i = 0; i < reach->count; i++) {
            struct reach_piece *piece = &reach->pieces[i];
            if (piece->type != PIECE_PAWN && closed)
                struck[piece->color] |= piece->stand;
            else if (piece->type != PIECE_PAWN)
                changed |= grow_piece(reach, &around, piece, &struck[piece->color]);
            else if (!reach->quiet)
                changed |= grow_pawn(reach, &around, piece, &struck[piece->color]);
        }
        if (!reach->quiet)
            changed |= capture(reach, struck);
        before = around;
    }
}

void winnable_reach_freeze(struct reach *reach)
{
    look_around(reach);
}

bool winnable_reach_step(struct reach *reach, unsigned i)
{
    struct surroundings around = look_around(reach);
    struct reach_piece *piece = &reach->pieces[i];
    if (piece->type == PIECE_PAWN)
        return false;
    bitboard to = rays_piece((enum piece_type)piece->type, piece->stand, around.fixed) & ~around.fixed;
    if (piece->type == PIECE_KING)
        to &= ~around.guarded[color_other((enum color)piece->color)];
    piece->stand = to;
    piece->moved = true;
    look_around(reach);
    return to != 0;
}

bitboard winnable_reach_captures(struct reach *reach, unsigned i)
{
    struct surroundings around = look_around(reach);
    const struct reach_piece *piece = &reach->pieces[i];
    enum color color = (enum color)piece->color, enemy = color_other(color);
    if (piece->type == PIECE_PAWN)
        return rays_pawn(piece->stand, color) & around.takeable[enemy];
    bitboard to =
        rays_piece((enum piece_type)piece->type, piece->stand, around.fixed) & around.takeable[enemy];
    return piece->type == PIECE_KING ? to & ~around.guarded[enemy] : to;
}

bool winnable_reach_may_move(struct reach *reach, enum color color)
{
    struct surroundings around = look_around(reach);
    for (unsigned i = 0; i < reach->count; i++) {
        const struct reach_piece *piece = &reach->pieces[i];
        if (piece->color != color)
            continue;
        bitboard to = piece->type == PIECE_PAWN
                          ? rays_forward(piece->stand, color) & ~around.fixed
                          : rays_piece((enum piece_type)piece->type, piece->stand, around.fixed) &
                                ~reach->fixed[color] & ~around.kings;
        if (piece->type == PIECE_PAWN)
            to |= rays_pawn(piece->stand, color) & around.takeable[color_other(color)];
        if (piece->type == PIECE_KING)
            to &= ~around.guarded[color_other(color)];
        if (to)
            return true;
    }
    return false;
}

bool winnable_structure_forbids(const struct position *position, enum color winner)
{
    struct reach reach;
    winnable_reach_init(position, &reach);
    winnable_reach_saturate(&reach);
    return winnable_reach_forbids_mate(&reach, winner);
}
