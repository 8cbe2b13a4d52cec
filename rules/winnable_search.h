/* winnable_search: looks for a mate among all positions that may come. Private to rules/winnable*.c.
 *
 * Layer: rules. One pass is both a guided helpmate search and a closure: each position is kept once, and the
 * next one to expand is taken from a queue by promise or by age in turn. Found: a line by parent links. Queue
 * empty: there is no mate. */
#pragma once

#include "rules/winnable_plan.h"
#include "rules/winnable_question.h"

struct search_effort {
    uint32_t nodes;                   /* positions to look at */
    uint32_t narrow_nodes;            /* the same while few of them are left to be followed */
    const struct winnable_plan *plan; /* orders the search; NULL: winnable_promise.h does */
    bool quick;                       /* winnable_quick.h orders it, and leaves moves out */
};

/* Sets verdict YES or NO with method WINNABLE_SEARCH where it finds one, adds to nodes. */
void winnable_search(const struct winnable_question *question, const struct search_effort *effort,
                     struct winnable_result *result);
