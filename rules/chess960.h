/* chess960: the 960 first positions.
 *
 * Layer: rules. Source: FIDE Guidelines II; numbering by R. Scharnagl (518 is the usual position). */
#pragma once

#include "rules/position.h"

enum { CHESS960_COUNT = 960, CHESS960_STANDARD = 518 };

/* 0 <= number < CHESS960_COUNT. The result is marked as Chess960. */
struct position chess960_position(unsigned number);

/* The number of a first position, or -1 where it is none (with all castling rights, White to move, nothing
 * moved). */
int chess960_number(const struct position *position);
