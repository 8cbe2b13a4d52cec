/* case_text: positions in and answers out as text, so that the rows of the tests can be read.
 *
 * Tests only. */
#pragma once

#include <stdbool.h>

#include "rules/position.h"

/* The position of a FEN; "960 " before it asks for Chess960. Fails the test where there is none. */
struct position case_position(const char *fen);

/* "a1 e4", from a1 to h8. */
enum { CASE_SQUARES_SIZE = 64 * 3 + 1 };
void case_squares(bitboard squares, char text[CASE_SQUARES_SIZE]);

/* Compares; shows board, FEN, expected and actual where they differ. `position` may be NULL. */
bool case_is(const struct position *position, const char *expected, const char *actual, const char *label);
