/* random_games: games of random moves, played by rules/ and by the slow rules side by side.
 *
 * Tests only. Starts from the first position, from first positions of Chess960, from positions chosen to be
 * rich in one thing, and from men strewn over the board; prefers en passant, castling and promotion when they
 * are there. The seed is fixed and printed: TEST_SEED sets another, TEST_POSITIONS their
 * number. */
#pragma once

#include "rules/movegen.h"
#include "tests/rules/slow_rules.h"

struct random_source {
    uint64_t state;
};

uint64_t random_next(struct random_source *source);
/* 0 to n - 1. */
unsigned random_below(struct random_source *source, unsigned n);

/* One position, as both sides see it. */
struct random_step {
    const char *start; /* what the game began from */
    unsigned ply;
    struct slow_board slow;
    struct slow_moves legal; /* by the slow rules */
    struct position position;
};

struct random_games {
    uint64_t seed;
    unsigned positions;
    void (*look)(const struct random_step *step, void *context); /* at each position */
    void *context;
};

/* Seed and number from the environment, else the defaults. */
struct random_games random_games_settings(void);

/* Plays. Returns the number of positions looked at; 0 where a start was refused or a move was not to be found
 * among the legal moves of rules/ (printed). */
unsigned random_games_play(const struct random_games *games);
