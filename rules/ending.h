/* ending: what ends a game by itself, and what may be claimed.
 *
 * Layer: rules. Pure: a position, the keys before it, the rules in force; out comes what holds.
 * Source: FIDE 5.1.1 (checkmate), 5.2.1 (stalemate), 5.2.2 (dead position), 9.2 and 9.3 (claims), 9.6.1
 * (fivefold), 9.6.2 (seventy-five moves; checkmate takes precedence). */
#pragma once

#include "rules/movegen.h"
#include "rules/winnable.h"

/* In the order in which they are reported when several hold at once. */
enum ending {
    ENDING_NONE = 0,
    ENDING_CHECKMATE,
    ENDING_STALEMATE,
    ENDING_DEAD_POSITION,
    ENDING_FIVEFOLD,
    ENDING_SEVENTYFIVE,
    ENDING_COUNT
};

/* How far a dead position is looked for. EXACT: all that winnable_is_dead proves. */
enum ending_dead { ENDING_DEAD_EXACT, ENDING_DEAD_MATERIAL, ENDING_DEAD_OFF, ENDING_DEAD_COUNT };

/* The automatic ends in force (rule options of a game). */
struct ending_rules {
    bool fivefold, seventyfive;
    enum ending_dead dead;
};

enum {
    ENDING_THREEFOLD = 3,
    ENDING_FIVEFOLD_COUNT = 5,
    ENDING_FIFTY_PLIES = 100,
    ENDING_SEVENTYFIVE_PLIES = 150
};

struct endings {
    enum ending first;                /* the one that counts */
    unsigned set;                     /* bit e: ending e holds */
    bool by_material;                 /* the dead position is one of material alone */
    enum winnable_method dead_method; /* what proves the dead position; WINNABLE_NONE: there is none */
};

/* What holds in a position that has occurred `repetition` times (1: for the first time). `legal_moves` is
 * their number. Under 1 µs for most positions; a blocked one may take some hundred. */
struct endings ending_judge(const struct position *position, unsigned legal_moves, unsigned repetition,
                            const struct ending_rules *rules);

/* 5.2.2 by material alone: king against king, or with one knight, or with any number of bishops of both sides
 * that all stand on squares of one colour. */
bool ending_is_dead_by_material(const struct position *position);

/* The keys of the positions of a game that may still come again, oldest first;
 * the last is the present one. */
struct key_history {
    const uint64_t *keys;
    unsigned count;
};

/* How often `key` stands in the history. */
unsigned key_history_count(const struct key_history *history, uint64_t key);

enum claim_reason { CLAIM_NONE = 0, CLAIM_THREEFOLD, CLAIM_FIFTY, CLAIM_REASON_COUNT };

/* Bit set over claim_reason: what the player to move may claim on the board (9.2.2, 9.3.2). */
unsigned claim_now(const struct position *position, const struct key_history *history);

/* What may be claimed with `m`, announced and not yet played (9.2.1, 9.3.1); also with a move that mates. */
unsigned claim_with_move(const struct position *position, const struct key_history *history, move m);
