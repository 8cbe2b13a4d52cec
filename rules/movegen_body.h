/* movegen_body: the generator, included once for each build of it (movegen_portable.c, movegen_popcnt.c, movegen_bmi2.c).
 *
 * Layer: rules, private. The including file defines MOVEGEN(name), which gives the external functions their
 * names. Every function takes the side to move as a constant, so that the compiler makes one straight-line
 * version for White and one for Black; and a sink that is a constant NULL where only the number of moves is
 * asked for. */

#include <stddef.h>
#include <string.h>

#include "rules/attacks.h"
#include "rules/key.h"
#include "rules/movegen.h"

#define MOVEGEN_INLINE static inline __attribute__((always_inline))

/* ---- moving pieces on the board ------------------------------------------------------------------------ */

/* Which type stands on a square, by the bits of its number: one look at the board for the two squares of a move, and no
 * branch. `ones` are the squares of all types with an odd number, and so on. */
struct type_bits {
    bitboard ones, twos, fours;
};
_Static_assert(PIECE_PAWN == 1 && PIECE_KNIGHT == 2 && PIECE_BISHOP == 3 && PIECE_ROOK == 4 &&
                   PIECE_QUEEN == 5 && PIECE_KING == 6,
               "type_bits hangs on these numbers");

MOVEGEN_INLINE struct type_bits type_bits(const struct position *p)
{
    const bitboard *by_type = p->by_type;
    return (struct type_bits){
        .ones = by_type[PIECE_PAWN] | by_type[PIECE_BISHOP] | by_type[PIECE_QUEEN],
        .twos = by_type[PIECE_KNIGHT] | by_type[PIECE_BISHOP] | by_type[PIECE_KING],
        .fours = by_type[PIECE_ROOK] | by_type[PIECE_QUEEN] | by_type[PIECE_KING],
    };
}

MOVEGEN_INLINE unsigned type_at(const struct type_bits *bits, square s)
{
    return (unsigned)((bits->ones >> s & 1) + 2 * (bits->twos >> s & 1) + 4 * (bits->fours >> s & 1));
}

MOVEGEN_INLINE uint64_t piece_key(enum color color, unsigned type, square s)
{
    return key_table[key_piece_index(color, (enum piece_type)type, s)];
}

/* The king's safety after an en passant capture by the pawn on `from`: two pawns leave their squares at once,
 * so pins and checks are looked at on the board that results (3.7.3.1, 3.9.2). */
MOVEGEN_INLINE bool en_passant_is_safe(const struct position *p, const enum color us, square from,
                                       square target)
{
    const enum color them = color_other(us);
    square king = position_king(p, us);
    bitboard captured = bit((square)(target ^ 8u));
    bitboard occupied = (position_occupied(p) ^ bit(from) ^ captured) | bit(target);
    bitboard queens = p->by_type[PIECE_QUEEN];
    bitboard lines = attacks_rook(king, occupied) & (p->by_type[PIECE_ROOK] | queens);
    bitboard diagonals = attacks_bishop(king, occupied) & (p->by_type[PIECE_BISHOP] | queens);
    bitboard knights = attacks_knight(king) & p->by_type[PIECE_KNIGHT];
    bitboard pawns = attacks_pawn(us, king) & p->by_type[PIECE_PAWN] & ~captured;
    return ((lines | diagonals | knights | pawns) & p->by_color[them]) == 0;
}

/* The square passed over, if the side to move has a legal capture there. Kept out of line: it is rare. */
static __attribute__((noinline)) bool en_passant_exists(const struct position *p, enum color us,
                                                        square target)
{
    bitboard capturers = attacks_pawn(color_other(us), target) & position_pieces(p, us, PIECE_PAWN);
    while (capturers)
        if (en_passant_is_safe(p, us, bitboard_pop(&capturers), target))
            return true;
    return false;
}

typedef bitboard bitboard_pair __attribute__((vector_size(16)));

_Static_assert(offsetof(struct position, by_type[PIECE_KING]) == 4 * sizeof(bitboard_pair),
               "all sets but the kings' are four pairs");

/* The squares are emptied in every set, whatever stood there, so that nothing branches on what is moved or captured. In
 * pairs because a compiler that does not know how often a move is made would not. */
MOVEGEN_INLINE void take_away(const struct position *restrict before, struct position *restrict after,
                              bitboard squares)
{
    const bitboard_pair emptied = {squares, squares};
    bitboard_pair pair;
#pragma GCC unroll 4
    for (unsigned offset = 0; offset < 4 * sizeof pair; offset += sizeof pair) {
        memcpy(&pair, (const char *)before + offset, sizeof pair);
        pair &= ~emptied;
        memcpy((char *)after + offset, &pair, sizeof pair);
    }
    after->by_type[PIECE_KING] = before->by_type[PIECE_KING] & ~squares;
}

MOVEGEN_INLINE void put(struct position *p, const enum color us, unsigned type, square s)
{
    p->by_color[us] |= bit(s);
    p->by_type[PIECE_NONE] |= bit(s);
    p->by_type[type] |= bit(s);
}

/* Each of these returns what the key is changed by. */

/* Rights go with the rook that moves or is captured, and with a king that moves (3.8.2.1). */
MOVEGEN_INLINE uint64_t drop_castling_rights(struct position *p, bitboard rights, bitboard squares,
                                             const bool keyed)
{
    uint64_t key = 0;
    p->castling_rooks = rights & ~squares;
    for (bitboard lost = rights & squares; keyed && lost;)
        key ^= key_table[KEY_CASTLING + bitboard_pop(&lost)];
    return key;
}

MOVEGEN_INLINE uint64_t play_castling(const struct position *restrict before, const enum color us, move m,
                                      struct position *restrict after, const bool keyed)
{
    square king = move_from(m);
    square rook = move_to(m);
    square king_to = castling_king_to(king, rook);
    square rook_to = castling_rook_to(king, rook);
    take_away(before, after, bit(king) | bit(rook));
    put(after, us, PIECE_KING, king_to);
    put(after, us, PIECE_ROOK, rook_to);
    after->halfmove_clock = (uint16_t)(before->halfmove_clock + 1);
    uint64_t key = drop_castling_rights(after, before->castling_rooks,
                                        bitboard_rank(us == COLOR_WHITE ? RANK_1 : RANK_8), keyed);
    return key ^ piece_key(us, PIECE_KING, king) ^ piece_key(us, PIECE_KING, king_to) ^
           piece_key(us, PIECE_ROOK, rook) ^ piece_key(us, PIECE_ROOK, rook_to);
}

/* A double step; `passed` is the square between. */
MOVEGEN_INLINE uint64_t pass_square(struct position *after, const enum color us, square passed)
{
    const enum color them = color_other(us);
    after->double_step = passed;
    if (!(attacks_pawn(us, passed) & position_pieces(after, them, PIECE_PAWN)) ||
        !en_passant_exists(after, them, passed))
        return 0;
    after->en_passant = passed;
    return key_table[KEY_EN_PASSANT + square_file(passed)];
}

MOVEGEN_INLINE uint64_t play_piece(const struct position *restrict before, const enum color us, move m,
                                   struct position *restrict after, const bool keyed)
{
    const enum color them = color_other(us);
    const struct type_bits bits = type_bits(before);
    square from = move_from(m);
    square to = move_to(m);
    square taken_on = to;
    unsigned type = type_at(&bits, from);
    unsigned taken = type_at(&bits, to);
    unsigned arrived = type;
    if (move_kind(m) == MOVE_PROMOTION) {
        arrived = move_promotion(m);
    } else if (move_kind(m) == MOVE_EN_PASSANT) {
        taken_on = (square)(to ^ 8u);
        taken = PIECE_PAWN;
    }
    take_away(before, after, bit(from) | bit(taken_on));
    put(after, us, arrived, to);
    unsigned halfmoves = before->halfmove_clock + 1U;
    after->halfmove_clock = (uint16_t)(taken != PIECE_NONE || type == PIECE_PAWN ? 0 : halfmoves);
    bitboard home = type == PIECE_KING ? bitboard_rank(us == COLOR_WHITE ? RANK_1 : RANK_8) : 0;
    uint64_t key = drop_castling_rights(after, before->castling_rooks, bit(from) | bit(to) | home, keyed);
    if (type == PIECE_PAWN && (from ^ to) == 16)
        key ^= pass_square(after, us, (square)((from + to) / 2));
    if (taken != PIECE_NONE)
        key ^= piece_key(them, taken, taken_on);
    return key ^ piece_key(us, type, from) ^ piece_key(us, arrived, to);
}

MOVEGEN_INLINE void play(const struct position *restrict before, const enum color us, move m,
                         struct position *restrict after, const bool keyed)
{
    after->turn = (uint8_t)color_other(us);
    after->en_passant = SQUARE_NONE;
    after->double_step = SQUARE_NONE;
    after->chess960 = before->chess960;
    after->fullmove_number = (uint16_t)(before->fullmove_number + (us == COLOR_BLACK));
    uint64_t key = move_kind(m) == MOVE_CASTLING ? play_castling(before, us, m, after, keyed)
                                                 : play_piece(before, us, m, after, keyed);
    if (!keyed)
        return;
    if (before->en_passant != SQUARE_NONE)
        key ^= key_table[KEY_EN_PASSANT + square_file(before->en_passant)];
    after->key = before->key ^ key_table[KEY_TURN] ^ key;
}

/* ---- generating ---------------------------------------------------------------------------------------- */

/* What restricts the moves of one side. */
struct restraint {
    bitboard targets;   /* where a piece other than the king may go: everywhere; in check the checker and the
                           squares before it; nowhere in double check (3.9) */
    bitboard pins_line; /* lines of rook-wise pins: a pinned piece stays on them */
    bitboard pins_diagonal;
    bitboard danger; /* squares that the enemy attacks, seen through our king */
};

MOVEGEN_INLINE bitboard shift_forward(bitboard set, const enum color us)
{
    return us == COLOR_WHITE ? set << 8 : set >> 8;
}

MOVEGEN_INLINE bitboard shift_west(bitboard set, const enum color us) /* forward and towards the a-file */
{
    set &= ~BITBOARD_FILE_A;
    return us == COLOR_WHITE ? set << 7 : set >> 9;
}

MOVEGEN_INLINE bitboard shift_east(bitboard set, const enum color us) /* forward and towards the h-file */
{
    set &= ~BITBOARD_FILE_H;
    return us == COLOR_WHITE ? set << 9 : set >> 7;
}

MOVEGEN_INLINE bitboard attacked_by(const struct position *p, const enum color them, bitboard occupied)
{
    bitboard pawns = position_pieces(p, them, PIECE_PAWN);
    bitboard set = shift_west(pawns, them) | shift_east(pawns, them) | attacks_king(position_king(p, them));
    bitboard queens = position_pieces(p, them, PIECE_QUEEN);
    for (bitboard left = position_pieces(p, them, PIECE_KNIGHT); left;)
        set |= attacks_knight(bitboard_pop(&left));
    for (bitboard left = position_pieces(p, them, PIECE_BISHOP) | queens; left;)
        set |= attacks_bishop(bitboard_pop(&left), occupied);
    for (bitboard left = position_pieces(p, them, PIECE_ROOK) | queens; left;)
        set |= attacks_rook(bitboard_pop(&left), occupied);
    return set;
}

/* Sorts the sliders that look at the king into checkers and pins. */
MOVEGEN_INLINE void look_at_king(const struct position *p, const enum color us, bitboard snipers, square king,
                                 bitboard *checks, bitboard *pins)
{
    while (snipers) {
        square s = bitboard_pop(&snipers);
        bitboard path = attacks_between(king, s);
        bitboard blockers = path & p->by_color[us];
        if (!blockers)
            *checks |= path | bit(s);
        else if (!bitboard_has_several(blockers))
            *pins |= path | bit(s);
    }
}

MOVEGEN_INLINE struct restraint restrain(const struct position *p, const enum color us)
{
    const enum color them = color_other(us);
    struct restraint r = {.targets = ~0ULL};
    square king = position_king(p, us);
    bitboard enemies = p->by_color[them];
    bitboard queens = position_pieces(p, them, PIECE_QUEEN);
    r.danger = attacked_by(p, them, position_occupied(p) ^ bit(king));
    bitboard checks = (attacks_pawn(us, king) & position_pieces(p, them, PIECE_PAWN)) |
                      (attacks_knight(king) & position_pieces(p, them, PIECE_KNIGHT));
    look_at_king(p, us, attacks_rook(king, enemies) & (position_pieces(p, them, PIECE_ROOK) | queens), king,
                 &checks, &r.pins_line);
    look_at_king(p, us, attacks_bishop(king, enemies) & (position_pieces(p, them, PIECE_BISHOP) | queens),
                 king, &checks, &r.pins_diagonal);
    if (checks)
        r.targets = bitboard_has_several(checks & enemies) ? 0 : checks;
    return r;
}

/* A sink for moves: NULL only counts. */
MOVEGEN_INLINE unsigned emit(struct movelist *list, square from, bitboard targets)
{
    if (!list)
        return bitboard_count(targets);
    unsigned count = list->count;
    while (targets)
        list->moves[count++] = move_make(from, bitboard_pop(&targets));
    list->count = count;
    return 0;
}

/* Pawn moves to `targets`, each from `distance` squares below. */
MOVEGEN_INLINE unsigned emit_pawns(struct movelist *list, bitboard targets, const int distance,
                                   const enum color us)
{
    const bitboard last = bitboard_rank(us == COLOR_WHITE ? RANK_8 : RANK_1);
    if (!list)
        return bitboard_count(targets) + (targets & last ? 3 * bitboard_count(targets & last) : 0);
    for (bitboard left = targets & ~last; left;) {
        square to = bitboard_pop(&left);
        list->moves[list->count++] = move_make((square)(to - distance), to);
    }
    for (bitboard left = targets & last; left;) {
        square to = bitboard_pop(&left);
        for (unsigned piece = PIECE_QUEEN; piece >= PIECE_KNIGHT; piece--)
            list->moves[list->count++] =
                move_make_promotion((square)(to - distance), to, (enum piece_type)piece);
    }
    return 0;
}

MOVEGEN_INLINE unsigned pawn_moves(const struct position *p, const enum color us, const struct restraint *r,
                                   struct movelist *list)
{
    const int up = us == COLOR_WHITE ? 8 : -8;
    const int west = us == COLOR_WHITE ? 7 : -9;
    const int east = us == COLOR_WHITE ? 9 : -7;
    bitboard empty = ~position_occupied(p);
    bitboard enemies = p->by_color[color_other(us)] & r->targets;
    bitboard pawns = position_pieces(p, us, PIECE_PAWN);
    bitboard walkers = pawns & ~r->pins_diagonal;
    bitboard takers = pawns & ~r->pins_line;
    bitboard free_takers = takers & ~r->pins_diagonal;
    bitboard held_takers = takers & r->pins_diagonal;
    bitboard steps = (shift_forward(walkers & ~r->pins_line, us) |
                      (shift_forward(walkers & r->pins_line, us) & r->pins_line)) &
                     empty;
    bitboard doubles = shift_forward(steps & bitboard_rank(us == COLOR_WHITE ? RANK_3 : RANK_6), us) & empty;
    bitboard wests =
        (shift_west(free_takers, us) | (shift_west(held_takers, us) & r->pins_diagonal)) & enemies;
    bitboard easts =
        (shift_east(free_takers, us) | (shift_east(held_takers, us) & r->pins_diagonal)) & enemies;
    return emit_pawns(list, steps & r->targets, up, us) + emit_pawns(list, doubles & r->targets, 2 * up, us) +
           emit_pawns(list, wests, west, us) + emit_pawns(list, easts, east, us);
}

MOVEGEN_INLINE unsigned en_passant_moves(const struct position *p, const enum color us, struct movelist *list)
{
    unsigned count = 0;
    bitboard capturers = attacks_pawn(color_other(us), p->en_passant) & position_pieces(p, us, PIECE_PAWN);
    while (capturers) {
        square from = bitboard_pop(&capturers);
        if (!en_passant_is_safe(p, us, from, p->en_passant))
            continue;
        count++;
        if (list)
            list->moves[list->count++] = move_make_kind(from, p->en_passant, MOVE_EN_PASSANT);
    }
    return list ? 0 : count;
}

MOVEGEN_INLINE unsigned piece_moves(const struct position *p, const enum color us, const struct restraint *r,
                                    struct movelist *list)
{
    unsigned count = 0;
    bitboard occupied = position_occupied(p);
    bitboard targets = r->targets & ~p->by_color[us];
    bitboard queens = position_pieces(p, us, PIECE_QUEEN);
    bitboard knights = position_pieces(p, us, PIECE_KNIGHT) & ~(r->pins_line | r->pins_diagonal);
    bitboard bishops = (position_pieces(p, us, PIECE_BISHOP) | queens) & ~r->pins_line;
    bitboard rooks = (position_pieces(p, us, PIECE_ROOK) | queens) & ~r->pins_diagonal;
    while (knights) {
        square s = bitboard_pop(&knights);
        count += emit(list, s, attacks_knight(s) & targets);
    }
    for (bitboard held = bishops & r->pins_diagonal; held;) {
        square s = bitboard_pop(&held);
        count += emit(list, s, attacks_bishop(s, occupied) & targets & r->pins_diagonal);
    }
    for (bitboard freely = bishops & ~r->pins_diagonal; freely;) {
        square s = bitboard_pop(&freely);
        count += emit(list, s, attacks_bishop(s, occupied) & targets);
    }
    for (bitboard held = rooks & r->pins_line; held;) {
        square s = bitboard_pop(&held);
        count += emit(list, s, attacks_rook(s, occupied) & targets & r->pins_line);
    }
    for (bitboard freely = rooks & ~r->pins_line; freely;) {
        square s = bitboard_pop(&freely);
        count += emit(list, s, attacks_rook(s, occupied) & targets);
    }
    return count;
}

/* 3.8.2.2: the squares that king and rook cross and reach are empty but for the two, and none on the king's
 * way is attacked. A rook that leaves may have been the king's only shield along the rank, which happens only
 * where it does not stand in the corner. */
MOVEGEN_INLINE bool castling_is_free(const struct position *p, const enum color us, const struct restraint *r,
                                     square king, square rook)
{
    square king_to = castling_king_to(king, rook);
    square rook_to = castling_rook_to(king, rook);
    bitboard others = position_occupied(p) ^ bit(king) ^ bit(rook);
    bitboard kings_way = attacks_between(king, king_to) | bit(king_to);
    bitboard rooks_way = attacks_between(rook, rook_to) | bit(rook_to);
    if (others & (kings_way | rooks_way))
        return false;
    if (r->danger & (kings_way | bit(king)))
        return false;
    if (bit(rook) & (BITBOARD_FILE_A | BITBOARD_FILE_H))
        return true;
    bitboard enemies = p->by_color[color_other(us)];
    bitboard rank = bitboard_rank(us == COLOR_WHITE ? RANK_1 : RANK_8);
    return !(attacks_rook(king_to, others | bit(rook_to)) & rank & enemies &
             (p->by_type[PIECE_ROOK] | p->by_type[PIECE_QUEEN]));
}

MOVEGEN_INLINE unsigned castling_moves(const struct position *p, const enum color us,
                                       const struct restraint *r, struct movelist *list)
{
    unsigned count = 0;
    square king = position_king(p, us);
    for (bitboard rooks = p->castling_rooks & p->by_color[us]; rooks;) {
        square rook = bitboard_pop(&rooks);
        if (!castling_is_free(p, us, r, king, rook))
            continue;
        count++;
        if (list)
            list->moves[list->count++] = move_make_kind(king, rook, MOVE_CASTLING);
    }
    return list ? 0 : count;
}

MOVEGEN_INLINE unsigned generate(const struct position *p, const enum color us, struct movelist *list)
{
    struct restraint r = restrain(p, us);
    square king = position_king(p, us);
    unsigned count = emit(list, king, attacks_king(king) & ~r.danger & ~p->by_color[us]);
    if (p->en_passant != SQUARE_NONE)
        count += en_passant_moves(p, us, list);
    if (!r.targets)
        return count;
    if (p->castling_rooks & p->by_color[us])
        count += castling_moves(p, us, &r, list);
    return count + pawn_moves(p, us, &r, list) + piece_moves(p, us, &r, list);
}

/* ---- what the dispatcher calls ------------------------------------------------------------------------- */

void MOVEGEN(legal)(const struct position *position, struct movelist *list)
{
    list->count = 0;
    if (position->turn == COLOR_WHITE)
        generate(position, COLOR_WHITE, list);
    else
        generate(position, COLOR_BLACK, list);
}

unsigned MOVEGEN(count)(const struct position *position)
{
    return position->turn == COLOR_WHITE ? generate(position, COLOR_WHITE, NULL)
                                         : generate(position, COLOR_BLACK, NULL);
}

void MOVEGEN(play)(const struct position *before, move m, struct position *after)
{
    if (before->turn == COLOR_WHITE)
        play(before, COLOR_WHITE, m, after, true);
    else
        play(before, COLOR_BLACK, m, after, true);
}

static uint64_t perft_black(const struct position *position, unsigned depth);

static uint64_t perft_white(const struct position *position, unsigned depth)
{
    if (depth == 1)
        return generate(position, COLOR_WHITE, NULL);
    struct movelist list;
    struct position after;
    uint64_t nodes = 0;
    list.count = 0;
    generate(position, COLOR_WHITE, &list);
    for (unsigned i = 0; i < list.count; i++) {
        play(position, COLOR_WHITE, list.moves[i], &after, false);
        nodes += perft_black(&after, depth - 1);
    }
    return nodes;
}

static uint64_t perft_black(const struct position *position, unsigned depth)
{
    if (depth == 1)
        return generate(position, COLOR_BLACK, NULL);
    struct movelist list;
    struct position after;
    uint64_t nodes = 0;
    list.count = 0;
    generate(position, COLOR_BLACK, &list);
    for (unsigned i = 0; i < list.count; i++) {
        play(position, COLOR_BLACK, list.moves[i], &after, false);
        nodes += perft_white(&after, depth - 1);
    }
    return nodes;
}

uint64_t MOVEGEN(perft)(const struct position *position, unsigned depth)
{
    if (depth == 0)
        return 1;
    return position->turn == COLOR_WHITE ? perft_white(position, depth) : perft_black(position, depth);
}
