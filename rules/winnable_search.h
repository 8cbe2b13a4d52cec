/* winnable_search: looks for a mate among all positions that may come. Private to rules/winnable*.c.
 *
 * Layer: rules. One pass is both a guided helpmate search and a closure: each position is kept once, and the
 * next one to expand is taken from a queue by promise or by age in turn. Found: a line by parent links. Queue
 * empty: there is no mate. */
#pragma once

#include "rules/winnable.h"
#include "rules/winnable_plan.h"

/* Sets verdict YES or NO with method WINNABLE_SEARCH where it finds one, adds to nodes. `nodes` is the budget.
 * `plan` orders the search; NULL: winnable_promise.h does. */
void winnable_search(const struct position *root, enum color winner, const struct winnable_plan *plan,
                     uint32_t nodes, const struct winnable_scratch *scratch, struct winnable_result *result);
