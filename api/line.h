/* line: a series of moves from a position, played until one cannot be.
 *
 * Layer: api. Serves GET /v1/positions and POST /v1/positions/line. Memory: arena. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/text.h"
#include "rules/notation.h"

/* How many moves a text has: parted by white space, commas and "_"; move numbers ("1.", "3...", "2.Nf3") are left out. */
size_t line_count(const char *text);
/* The first `count` of them, at most line_count, each NUL-terminated. NULL: memory is out. */
const struct text_span *line_split(struct arena *arena, const char *text, size_t count);

struct line {
    struct position before, position; /* around the last move; the same before the first */
    move move;
    unsigned ply;            /* moves played */
    unsigned repetition;     /* occurrences of `position` */
    uint64_t *keys;          /* of every position so far */
    struct reading *reading; /* of the last token that was read */
};

/* Room for `moves` moves. False: memory is out. */
bool line_begin(struct line *line, struct arena *arena, const struct position *start, size_t moves);
/* Reads and plays one move. False: it cannot be played, *line->reading says why and the position has not
 * changed. */
bool line_play(struct line *line, const struct text_span *token);
