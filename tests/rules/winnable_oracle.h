/* winnable_oracle: answers of rules/winnable.h held against plain means that know nothing of it.
 *
 * Tests only. A YES is played through in the slow rules, move by move; a NO is compared with the positions that
 * may come, all of them where they are few enough. The memory comes from the heap. */
#pragma once

#include "rules/winnable.h"

/* The moves are legal and end in mate by `winner`, as the slow rules see it. */
bool oracle_line_mates(const struct position *position, enum color winner,
                       const struct winnable_result *result);

struct oracle_closure {
    bool mates[COLOR_COUNT]; /* the side mates in one of them */
    bool whole;              /* these are all positions that may come */
    unsigned count;
};

/* The positions that may come, nearest first, at most `limit` of them. Fails the test where memory is out. */
struct oracle_closure oracle_close(const struct position *root, unsigned limit);

/* Shows what is wrong with an answer, if anything is. `closure` is that of the position. */
bool oracle_agrees(const struct position *position, enum color winner, const struct winnable_result *result,
                   const struct oracle_closure *closure);
