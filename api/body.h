/* body: what came as the body of a request, by kind.
 *
 * Layer: api. The kind follows Content-Type, and what stands in the body where the type is missing or is
 * the form type that curl gives everything (API 2). The bytes are UTF-8 without NUL (else 400), but for
 * PGN and lines, whose readers say what is wrong with them; JSON has passed json_check. A handler looks at `kind` and
 * uses what belongs to it. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct exchange;

enum body_kind {
    BODY_EMPTY, /* nothing, or white space; accepted unless Content-Type says that it is JSON */
    BODY_JSON,  /* one JSON object; read it with fields_read */
    BODY_FORM,  /* name=value pairs; read them with fields_read too */
    BODY_TEXT,  /* anything bare: a move, a FEN, a line of moves */
    BODY_PGN,
    BODY_LINES, /* NDJSON, as it came: whoever takes it reads line by line */
    BODY_KIND_COUNT
};

enum { BODY_PAIRS_MAX = 64 }; /* fields of a form */

#define BODY_BIT(kind) (1u << BODY_##kind)
/* Beside the kinds: a PGN may be as long as limits.pgn_import_bytes. Without it one may be as long as
 * limits.pgn_bytes, and so may fields beside it; all else as limits.body_bytes. */
#define BODY_MANY_GAMES (1u << BODY_KIND_COUNT)

struct body_pair {
    const char *name, *value; /* decoded; the value without blanks at its end; NUL-terminated */
    size_t value_length;
};

struct body {
    enum body_kind kind;
    /* The bytes without white space around them; NUL-terminated (not so a PGN); never NULL. Not decoded, but for a bare
     * text with percent escapes that came as a form (curl --data-urlencode). */
    const char *text;
    size_t length;
    size_t skipped; /* white space before it: offsets told to clients count from the start of the body */
    const struct body_pair *pairs; /* BODY_FORM: in order of appearance, names unique */
    size_t pair_count;
    /* It came with the form type, which is what `curl -d` says of everything: line ends may have been
     * stripped from a PGN (API 2, bare bodies, 4). */
    bool form_typed;
};

/* Finds the kind of the request's body and checks it; fills exchange->body. `accepted`: bit set over enum
 * body_kind. False: the response is a problem (400, 413, 415). */
bool body_read(struct exchange *exchange, unsigned accepted);
/* With a tag, a comment or an escaped line, or a move number: as no FEN does. A brace is none of them. */
bool body_begins_like_pgn(const struct body *body);
/* The response is a 415 for Content-Encoding: says which coding is taken. */
void body_tell_coding(struct exchange *exchange);
