/* pgn_create: a PGN as what a game is created from.
 *
 * Layer: api. */
#pragma once

#include "api/act.h"

struct pgn_source {
    const char *text;
    size_t length;
    const char *pointer; /* "/pgn"; NULL: it is the body */
    bool chess960;       /* where the PGN names no variant */
};

/* Reads one game into the action, which is a create: its first position, moves, names, tags, comments and clocks. Its
 * result is not taken: the game goes on from its last position. False: the response is invalid-pgn with faults[]. */
bool pgn_create_read(struct exchange *exchange, const struct pgn_source *source, struct act *act);
