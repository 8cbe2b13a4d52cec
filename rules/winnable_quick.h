/* winnable_quick: what a short mate in an ordinary position may look like, the loser helping. Private to
 * rules/winnable*.c.
 *
 * Layer: rules. Orders a search and leaves moves out of it; no verdict hangs on it, so it may guess: a YES is a line
 * of legal moves to a mate on the board, and a search that has left a move out never says NO. */
#pragma once

#include "rules/movegen.h"

/* How far the loser's king is from a mate: the check that leaves it the fewest ways out, were the men on its
 * way gone. 0 is best; below PROMISE_COUNT of winnable_promise.h. */
unsigned winnable_quick_promise(const struct position *position, enum color winner);

/* Takes the moves out of a list of legal moves that do nothing for a mate at the loser's king. False: none was. */
bool winnable_quick_prune(const struct position *position, enum color winner, struct movelist *list);
