/* notation_shape: what a move text says, before any position is asked.
 *
 * Layer: rules, private to rules/notation_*.c. No allocation.
 * Reads leniently: figurines, dashes of all kinds, marks, "e.p.", "(=)", zeros for O, "x" or ":" or "-"
 * between the squares, promotion as "=Q", "Q", "q", "/Q" or "(Q)", and lower-case k q r n (not b, a file) for
 * a piece. Source: PGN standard 8.2.3; FIDE Laws appendix C; UCI protocol. */
#pragma once

#include <stddef.h>

#include "rules/refusal.h"

enum { NOTATION_SHAPE_NO_FILE = 8 };

struct notation_shape {
    struct attempt attempt; /* squares, piece and promotion as written */
    uint8_t to_file;        /* of "ed", a pawn capture without a rank; else NOTATION_SHAPE_NO_FILE */
    bool coordinates;       /* two squares and no piece letter: UCI, or long notation of a pawn */
    bool draw_offer;        /* "(=)" at the end */
};

/* False where the text has no shape of a move; *offset is then the byte that does not fit. */
bool notation_shape_read(const char *text, size_t length, struct notation_shape *shape, size_t *offset);
