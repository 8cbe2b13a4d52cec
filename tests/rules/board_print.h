/* board_print: what a failing test of the rules shows: the board, its FEN, what was expected and what came.
 *
 * Tests only. Writes to standard error; does not fail the test itself. */
#pragma once

#include "rules/position.h"

void board_print(const struct position *position);

/* The label, a format as of printf, says which case and which question. `position` may be NULL where there is
 * none. */
void board_print_failure(const struct position *position, const char *expected, const char *actual,
                         const char *label, ...) __attribute__((format(printf, 4, 5)));
