/* writer: one growing buffer that texts and JSON are written into.
 *
 * Layer: api. Memory: the buffer lives in the arena it was opened with. A failed allocation sets `failed`,
 * and what is written from then on counts for nothing: check once, at the end.
 * What is written often reserves room once, and writes what has a known length without a further look: see api/put.h,
 * and api/json.h for the values of JSON. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/arena.h"

struct writer {
    struct arena *arena;
    char *data;
    size_t length, capacity;
    bool failed; /* memory is out, for the buffer or for what was to be written into it */
    bool comma;  /* JSON: a value stands before, the next one needs a comma */
};

/* Room for `expected` bytes at once; grows to twice that, or to what is reserved where that is more. */
void writer_init(struct writer *writer, struct arena *arena, size_t expected);

/* The slow part of writer_reserve: there is no such room yet. */
char *writer_grow(struct writer *writer, size_t more);

/* Room for `more` bytes at the end, or NULL: memory is out. It counts as written with writer_wrote. */
static inline char *writer_reserve(struct writer *writer, size_t more)
{
    if (__builtin_expect(writer->capacity - writer->length < more, 0))
        return writer_grow(writer, more);
    return writer->data + writer->length;
}

/* `end`: behind what was written into the room. */
static inline void writer_wrote(struct writer *writer, const char *end)
{
    writer->length = (size_t)(end - writer->data);
}

/* Plain text. */
void writer_text(struct writer *writer, const char *text);
void writer_bytes(struct writer *writer, const char *bytes, size_t length);
/* What a client has said, on one line and harmless to a terminal: control characters become blanks. */
void writer_line(struct writer *writer, const char *text);
void writer_char(struct writer *writer, char c);
void writer_int(struct writer *writer, int64_t value);
__attribute__((format(printf, 2, 3))) void writer_printf(struct writer *writer, const char *format, ...);
