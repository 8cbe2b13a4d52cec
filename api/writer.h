/* writer: one growing buffer that texts and JSON are written into.
 *
 * Layer: api. Memory: the buffer lives in the arena it was opened with. A failed allocation sets `failed`,
 * and every later call does nothing: check once, at the end.
 * JSON: the writer keeps the commas; keys are C literals and are not escaped, values are. Strings are UTF-8
 * that was checked when it came in. Source: RFC 8259. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/arena.h"

struct writer {
    struct arena *arena;
    char *data;
    size_t length, capacity;
    bool failed;
    bool comma; /* JSON: a value stands before, the next one needs a comma */
};

/* Room for `expected` bytes at once; grows by doubling. */
void writer_init(struct writer *writer, struct arena *arena, size_t expected);

/* Plain text. */
void writer_text(struct writer *writer, const char *text);
void writer_bytes(struct writer *writer, const char *bytes, size_t length);
/* What a client has said, on one line and harmless to a terminal: control characters become blanks. */
void writer_line(struct writer *writer, const char *text);
void writer_char(struct writer *writer, char c);
void writer_int(struct writer *writer, int64_t value);
__attribute__((format(printf, 2, 3))) void writer_printf(struct writer *writer, const char *format, ...);

/* JSON values; `key` is NULL inside arrays and at the top. */
void json_object_begin(struct writer *writer, const char *key);
void json_object_end(struct writer *writer);
void json_array_begin(struct writer *writer, const char *key);
void json_array_end(struct writer *writer);
void json_string(struct writer *writer, const char *key, const char *value); /* NULL writes null */
void json_string_n(struct writer *writer, const char *key, const char *value, size_t length);
/* The same with a key that is any text. */
void json_string_named(struct writer *writer, const char *name, const char *value);
void json_int(struct writer *writer, const char *key, int64_t value);
void json_bool(struct writer *writer, const char *key, bool value);
void json_null(struct writer *writer, const char *key);
/* 16 lower-case hex digits as a string. */
void json_hex64(struct writer *writer, const char *key, uint64_t value);
/* RFC 3339 UTC with milliseconds from Unix time in ms. */
void json_time(struct writer *writer, const char *key, int64_t unix_ms);
/* Behind a whole value: the next one is another line of NDJSON. */
void json_line_end(struct writer *writer);
/* A value that is JSON already. */
void json_raw(struct writer *writer, const char *key, const char *json, size_t length);
