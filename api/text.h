/* text: bytes from outside: percent escapes, white space.
 *
 * Layer: api. Pure but for the arena. Source: RFC 3986 2.1 (percent-encoding). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/arena.h"

/* A piece of a longer text; not NUL-terminated unless it is said. */
struct text_span {
    const char *text;
    size_t length;
};

bool text_is(struct text_span span, const char *word);
bool text_is_nocase(struct text_span span, const char *word); /* ASCII letters */

/* What of a text is repeated in a sentence: all of it, or 64 bytes at most, at a character boundary, and "…".
 * The same text or a copy in the arena; NULL: memory is out. */
const char *text_shown(struct arena *arena, const char *text);

/* Narrows a text to what is between its white space. */
void text_trim(const char **text, size_t *length);

/* The piece behind *at of a text that has some of `separators` between its pieces; *at moves on. False: there is none. */
bool text_next_piece(const char **at, const char *separators, struct text_span *piece);
size_t text_count_pieces(const char *text, const char *separators);

enum text_decode_status {
    TEXT_DECODED = 0,
    TEXT_BAD_ESCAPE, /* "%" without two hex digits */
    TEXT_NUL,        /* %00, or a NUL byte */
    TEXT_SLASH,      /* %2F in a path segment */
    TEXT_BAD_UTF8,
    TEXT_NO_MEMORY,
};
enum text_form {
    TEXT_SEGMENT, /* of a path: "+" is itself, an escaped slash is refused */
    TEXT_QUERY,   /* of a query or a form: "+" is a blank */
};

/* Decodes into the arena, NUL-terminated. On failure nothing is written. */
enum text_decode_status text_decode(struct arena *arena, const char *text, size_t length, enum text_form form,
                                    const char **decoded, size_t *decoded_length);
/* One sentence for people. Static. */
const char *text_decode_fault(enum text_decode_status status);
