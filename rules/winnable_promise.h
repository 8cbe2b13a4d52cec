/* winnable_promise: how near to a mate a position looks. Private to rules/winnable*.c.
 *
 * Layer: rules. Orders the search and nothing else: no verdict hangs on it. */
#pragma once

#include "rules/position.h"

enum { PROMISE_COUNT = 256 };

/* 0 is best; below PROMISE_COUNT. `depth`: half-moves since the root. */
unsigned winnable_promise(const struct position *position, enum color winner, unsigned depth);
