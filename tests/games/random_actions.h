/* Random actions on games, possible and not, for tests of properties and races. */
#pragma once

#include "tests/support/chance.h"
#include "tests/support/games_club.h"

struct random {
    uint64_t state;
    bool shuffles; /* moves go back and forth: positions are repeated */
};

struct random random_begin(uint64_t seed, uint64_t stream);
uint64_t random_next(struct random *random);
/* 0 <= result < n. */
unsigned random_below(struct random *random, unsigned n);
bool random_chance(struct random *random, unsigned percent);

/* How much work a test does: TEST_GAMES, else `usual`, and a fifth of that under a sanitizer. */
unsigned random_work(unsigned usual);

/* A text that somebody might write; NULL now and then. */
const char *random_text(struct random *random);

/* What a create points to. */
struct random_start {
    struct position position;
    struct time_control control;
};
/* A game to begin with (random_create.c): all kinds of first positions, rules, clocks, moves; ends are near in many. */
void random_create(struct random *random, struct deed *deed, struct random_start *start);

/* Fills a deed of ACTION_KIND_COUNT kinds but create and delete with something that somebody might want of a
 * game that looks like `game`: mostly possible, often not. */
void random_fill(struct random *random, struct deed *deed, const struct game *game);
/* Which kind comes next; sometimes a delete where `removes`. */
enum action_kind random_kind(struct random *random, bool removes);
