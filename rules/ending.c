#include "rules/ending.h"

/* ---- ends that need no claim ------------------------------------------------------------------------- */

bool ending_is_dead_by_material(const struct position *position)
{
    bitboard knights = position->by_type[PIECE_KNIGHT];
    bitboard bishops = position->by_type[PIECE_BISHOP];
    bitboard kings = position->by_type[PIECE_KING];
    if (position_occupied(position) & ~(kings | knights | bishops))
        return false;
    if (knights)
        return !bishops && !bitboard_has_several(knights);
    return !(bishops & BITBOARD_LIGHT) || !(bishops & ~BITBOARD_LIGHT);
}

static void add(struct endings *endings, enum ending ending)
{
    endings->set |= 1u << ending;
}

static enum ending first_of(unsigned set)
{
    for (unsigned e = ENDING_NONE + 1; e < ENDING_COUNT; e++)
        if (set >> e & 1u)
            return (enum ending)e;
    return ENDING_NONE;
}

/* Stalemate is an end of its own (5.2.1), and a mate on the board was possible, whatever the material. */
static enum winnable_method dead_by(const struct position *position, unsigned legal_moves,
                                    enum ending_dead dead)
{
    bool mate = legal_moves == 0 && position_is_check(position);
    if (mate || dead == ENDING_DEAD_OFF)
        return WINNABLE_NONE;
    if (ending_is_dead_by_material(position))
        return WINNABLE_MATERIAL;
    if (dead == ENDING_DEAD_MATERIAL || legal_moves == 0 || winnable_looks_alive(position, legal_moves))
        return WINNABLE_NONE;
    uint64_t memory[WINNABLE_SCRATCH_DEAD / sizeof(uint64_t)];
    const struct winnable_scratch scratch = {memory, sizeof memory};
    return winnable_dead_method(position, &scratch);
}

struct endings ending_judge(const struct position *position, unsigned legal_moves, unsigned repetition,
                            const struct ending_rules *rules)
{
    struct endings endings = {0};
    if (legal_moves == 0)
        add(&endings, position_is_check(position) ? ENDING_CHECKMATE : ENDING_STALEMATE);
    endings.dead_method = dead_by(position, legal_moves, rules->dead);
    endings.by_material = endings.dead_method == WINNABLE_MATERIAL;
    if (endings.dead_method != WINNABLE_NONE)
        add(&endings, ENDING_DEAD_POSITION);
    if (rules->fivefold && repetition >= ENDING_FIVEFOLD_COUNT)
        add(&endings, ENDING_FIVEFOLD);
    if (rules->seventyfive && position->halfmove_clock >= ENDING_SEVENTYFIVE_PLIES)
        add(&endings, ENDING_SEVENTYFIVE);
    endings.first = first_of(endings.set);
    return endings;
}

/* ---- claims (9.2, 9.3) ------------------------------------------------------------------------------- */

unsigned key_history_count(const struct key_history *history, uint64_t key)
{
    unsigned count = 0;
    for (unsigned i = 0; i < history->count; i++)
        count += history->keys[i] == key;
    return count;
}

static unsigned claims(unsigned occurrences, unsigned halfmove_clock)
{
    return (occurrences >= ENDING_THREEFOLD ? 1u << CLAIM_THREEFOLD : 0) |
           (halfmove_clock >= ENDING_FIFTY_PLIES ? 1u << CLAIM_FIFTY : 0);
}

unsigned claim_now(const struct position *position, const struct key_history *history)
{
    return claims(key_history_count(history, position->key), position->halfmove_clock);
}

unsigned claim_with_move(const struct position *position, const struct key_history *history, move m)
{
    struct position after;
    position_play(position, m, &after);
    if (after.halfmove_clock == 0)
        return 0; /* after a pawn move or a capture nothing comes again, and the count of 9.3 starts anew */
    return claims(1 + key_history_count(history, after.key), after.halfmove_clock);
}
