/* format: the representations an answer can have.
 *
 * Layer: api. One table row a format: media types, content type, suffix, the tail of its entity tag. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/text.h"

enum format {
    FORMAT_NONE,
    FORMAT_JSON,
    FORMAT_TEXT,
    FORMAT_PGN,
    FORMAT_FEN,     /* text/plain too; has a suffix of its own */
    FORMAT_NDJSON,  /* JSON objects, one a line */
    FORMAT_SSE,     /* server-sent events */
    FORMAT_YAML,    /* openapi.yaml */
    FORMAT_METRICS, /* Prometheus text format 0.0.4 */
    FORMAT_SVG,
    FORMAT_PNG,
    FORMAT_HTML, /* the page */
    FORMAT_CSS,  /* what it loads */
    FORMAT_JAVASCRIPT,
    FORMAT_WOFF2, /* a font */
    FORMAT_COUNT
};

enum { FORMAT_LIST_MAX = 4 };

/* The formats that an operation produces, its default first; FORMAT_NONE ends the list. */
typedef enum format format_list[FORMAT_LIST_MAX + 1];

/* Where a suffix asks for it, problems are lines of text. */
bool format_is_text(enum format format);
/* The value of Content-Type. Static. */
const char *format_content_type(enum format format);
/* The media type without parameters, for lists in 406 answers. Static. */
const char *format_media_type(enum format format);
/* ".json", ".txt" …; "" for a format that has none. Static. */
const char *format_suffix(enum format format);
/* "" for JSON, ".txt" …: what an entity tag gets, so that tags differ between representations. Static. */
const char *format_tag_suffix(enum format format);

/* A media type that this format answers to ("application/x-chess-pgn" is PGN too). Case does not matter;
 * "*" matches as RFC 9110 says. The score is how specific the match was: 0 none, 1 any type, 2 any subtype,
 * 3 exact. */
unsigned format_match(enum format format, struct text_span type, struct text_span subtype);

/* The format of a suffix at the end of a path segment ("board.txt"), or FORMAT_NONE; *length: of the
 * segment without it. A segment that is nothing but a suffix has none. */
enum format format_of_suffix(struct text_span segment, size_t *length);
