/* pgn_clock: the command [%clk h:mm:ss] in comments of PGN, which says what a player has left after a move.
 *
 * Layer: rules. No allocation. Milliseconds. Source: PGN specification, supplement of 2001 ("embedded
 * commands"); fractions of a second as common sites write them. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PGN_CLOCK_MAX_MS ((int64_t)10000 * 3600 * 1000 - 1)

enum { PGN_CLOCK_SIZE = 16 }; /* "9999:59:59.999" and its NUL */

/* "0:02:56.5": hours in one to four digits, minutes and seconds in two each, a fraction of one to nine digits
 * or none. What a millisecond cannot hold is cut. *clock_ms is not written where it is no clock. */
bool pgn_clock_parse(const char *text, size_t length, int64_t *clock_ms);

/* Writes 0 to PGN_CLOCK_MAX_MS, with as much of a fraction as there is. Returns the length. */
size_t pgn_clock_format(int64_t clock_ms, char text[PGN_CLOCK_SIZE]);

/* Takes every [%clk …] that can be read out of a comment (words parted by single blanks); the first one counts, which is
 * where the arbiter of a game writes his.
 * Without one *clock_ms is not written. Returns the new length. */
size_t pgn_clock_take(char *comment, size_t length, int64_t *clock_ms);

/* Has a comment a command that speaks of time, well-formed or not: "[%clk", "[%egt", "[%emt" or "[%mct", in any case? */
bool pgn_clock_is_claimed(const char *comment);
