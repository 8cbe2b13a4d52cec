/* pgn_write: a game as text in PGN export form.
 *
 *     struct pgn_writer pgn = {.write = write, .context = context};
 *     pgn_write_tag(&pgn, "Event", "?"); …            the Seven Tag Roster first, then others in ASCII order;
 *     pgn_write_tags(&pgn, pairs, count);             or all at once
 *     pgn_write_movetext(&pgn);                       the empty line between
 *     pgn_write_move(&pgn, &position, move); …        with move numbers as needed
 *     pgn_write_comment(&pgn, "text"); …              also before the first move
 *     pgn_write_annotation(&pgn, clock_ms, "text"); … the same with the clock of who has moved
 *     pgn_write_result(&pgn, "1-0");
 *
 * Layer: rules. No allocation: pieces of text go to `write` as they come. Lines stay under 80 columns as far
 * as single tokens allow. Source: PGN standard 8.1 (tags), 8.2 (movetext), 3.2 (export form), 6 (escape). */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "rules/position.h"

struct pgn_writer {
    void (*write)(void *context, const char *bytes, size_t length);
    void *context;
    /* Its own: */
    unsigned column;       /* of the line begun */
    bool numbered;         /* the last move's number stands right before: Black's needs none of its own */
    size_t comment_length; /* of the comment begun: bytes at most */
};

/* A quote or backslash in the value is escaped. Control characters become blanks. */
void pgn_write_tag(struct pgn_writer *pgn, const char *name, const char *value);

/* NUL-terminated. */
struct pgn_pair {
    const char *name, *value;
};

/* The Seven Tag Roster in its order, unknown where it is not among `pairs`; then the others as they stand there
 * (export form wants them in ASCII order). Of pairs with one name the last counts. Quadratic in `count`. */
void pgn_write_tags(struct pgn_writer *pgn, const struct pgn_pair *pairs, size_t count);
void pgn_write_movetext(struct pgn_writer *pgn);
/* `m` is legal in `before`. */
void pgn_write_move(struct pgn_writer *pgn, const struct position *before, move m);
/* In braces. A closing brace in the text, which PGN cannot hold, becomes a round one; white space becomes one
 * blank or the end of a line, with a blank behind it where the line would begin with '%' or '['; within a command,
 * "[%cal Ga1a2]", that fits on a line it is a blank. What is longer than a comment that is read (PGN_COMMENT_MAX) takes
 * several, one behind the other. NULL or "": nothing is written. */
void pgn_write_comment(struct pgn_writer *pgn, const char *text);
/* As a comment that begins with [%clk h:mm:ss]. `clock_ms`: 0 to PGN_CLOCK_MAX_MS (rules/pgn_clock.h), -1: none,
 * which is a comment. */
void pgn_write_annotation(struct pgn_writer *pgn, int64_t clock_ms, const char *text);
/* The marker at the end, and the end of the line. */
void pgn_write_result(struct pgn_writer *pgn, const char *result);
