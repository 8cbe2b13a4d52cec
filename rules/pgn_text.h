/* pgn_text: texts of PGN files made clean: UTF-8, no control characters.
 *
 * Layer: rules. No allocation. The PGN standard writes ISO 8859-1 (4.1), the world writes UTF-8 and
 * Windows-1252: whatever is well-formed UTF-8 is taken as that, each other byte as Windows-1252, which is
 * ISO 8859-1 but for 80-9F. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PGN_TEXT_GROWTH = 3 }; /* a byte becomes at most that many */

/* Copies `length` bytes to `to`, which has room for `size`, and a NUL. Control characters become blanks.
 * *converted: bytes were not UTF-8 (never set to false). Returns the new length, or `size` where the text does
 * not fit; it is cut then, between characters. */
size_t pgn_text_copy(const char *from, size_t length, char *to, size_t size, bool *converted);

/* The length of the control character at `at`, of which `left` bytes are there: U+0000 to U+001F, U+007F to U+009F, and those
 * by which a text turns the direction of what stands behind it, U+202A to U+202E and U+2066 to U+2069 (UAX 9, 2); 0: there
 * is none. */
size_t pgn_text_control(const char *at, size_t left);

/* Leaves single blanks between words, none at the ends. Returns the new length. */
size_t pgn_text_squeeze(char *text, size_t length);
