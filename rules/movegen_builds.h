/* movegen_builds: the external functions of each build of the generator: for rules/movegen.c, which chooses, and for
 * tests and benches, which compare. Those of popcnt and bmi2 are there on x86-64 only. */
#pragma once

#include "rules/movegen.h"

#define MOVEGEN_BUILD(build)                                                                                 \
    void movegen_##build##_legal(const struct position *position, struct movelist *list);                    \
    unsigned movegen_##build##_count(const struct position *position);                                       \
    void movegen_##build##_play(const struct position *before, move m, struct position *after);              \
    uint64_t movegen_##build##_perft(const struct position *position, unsigned depth);

MOVEGEN_BUILD(portable)
MOVEGEN_BUILD(popcnt)
MOVEGEN_BUILD(bmi2)
