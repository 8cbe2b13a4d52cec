/* pgn_log: what the PGN reader tells, as one line of text.
 *
 * Tests only. Events are parted by blanks:
 *
 *     #1@7                game_begin: index, line
 *     White=A             tag; "White=B!" where it is repeated
 *     start               the usual first position; "start960" in Chess960; "start(FEN)" another
 *     Nf3                 move, in SAN
 *     {text}              comment; {text|2500} with a clock
 *     $14                 nag
 *     error:syntax@3:5/2'x'   fault: line and column, ply, token
 *     =1-0                game_end: the result; "=1-0!" where the game is not good */
#pragma once

#include <stddef.h>

#include "rules/pgn_read.h"

enum { PGN_LOG_SIZE = 1 << 14 };

struct pgn_log {
    char text[PGN_LOG_SIZE];
    size_t length;
    bool warnings;       /* they are told too */
    bool no_moves;       /* moves are not told */
    unsigned stop_after; /* events; 0: no stop */
    unsigned events, games, good_games, plies;
};

/* Reads the text in one piece, byte by byte and in pieces of seven, each time as the same log, or fails the
 * test. What `log` says of its own is kept. */
void pgn_log_read(struct pgn_log *log, const char *text, size_t length, const struct pgn_options *options);

/* A row of a table: what is told of a text, NUL-terminated. */
struct pgn_log_case {
    const char *label;
    const char *text;
    const char *expected;
};

/* Runs all rows, warnings told where asked; shows those that differ and fails the test at the end. */
void pgn_log_check(const struct pgn_log_case *cases, size_t count, bool warnings);
