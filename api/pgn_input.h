/* pgn_input: PGN that comes in: the settings of its games, and its faults as clients are told.
 *
 * Layer: api. */
#pragma once

#include "api/exchange.h"
#include "games/import.h"

/* What the query parameters variant, dead_position, fivefold, seventyfive and visibility ask for; the rest is usual. */
struct import_settings pgn_input_settings(const struct exchange *exchange);

/* The body as it came: white space before the games counts as lines. */
struct text_span pgn_input_body(const struct exchange *exchange);

/* It is the one long line that curl -d makes of a file (API 2, bare bodies, 4). */
bool pgn_input_is_glued(const struct exchange *exchange);

/* A comment to the end of its line would take all that follows where it is glued; then false: the response is
 * invalid-pgn. */
bool pgn_input_check_lines(struct exchange *exchange);

/* What a problem says of a fault, with a hint where the ends of lines are lost. In the
 * arena; NULL: memory is out. */
const char *pgn_input_detail(const struct exchange *exchange, const struct pgn_fault *fault);

/* The first error; else the first fault. At least one. */
const struct pgn_fault *pgn_input_worst(const struct pgn_fault *faults, size_t count);

/* [{code, severity, line, column, ply, token, detail}] */
void view_pgn_faults(struct writer *json, const char *key, const struct pgn_fault *faults, size_t count);
