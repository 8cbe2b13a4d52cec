/* json: values of JSON, written into a writer.
 *
 * Layer: api. The writer keeps the commas. Keys are names of ours and are not escaped, mostly literals, whose length is
 * known to the compiler; NULL inside arrays and at the top. Values are escaped, but for what is said to be plain.
 * Strings are UTF-8 that was checked when it came in. Source: RFC 8259. */
#pragma once

#include "api/put.h"
#include "api/timestamp.h"
#include "api/writer.h"

/* What stands before a value: the comma behind the one before, and the key. Room for `more` bytes follows. NULL: memory
 * is out. */
static inline char *json_begin(struct writer *writer, const char *key, size_t more)
{
    size_t length = key ? strlen(key) : 0;
    char *at = writer_reserve(writer, length + sizeof ",\"\":" + more);
    if (!at)
        return NULL;
    *at = ',';
    at += writer->comma;
    writer->comma = true;
    if (!key)
        return at;
    *at++ = '"';
    at = put_bytes(at, key, length);
    return put_literal(at, "\":");
}

static inline void json_key(struct writer *writer, const char *key)
{
    char *at = json_begin(writer, key, 0);
    if (at)
        writer_wrote(writer, at);
}

static inline void json_open(struct writer *writer, const char *key, char bracket)
{
    char *at = json_begin(writer, key, 1);
    if (!at)
        return;
    *at = bracket;
    writer_wrote(writer, at + 1);
    writer->comma = false;
}

static inline void json_close(struct writer *writer, char bracket)
{
    writer_char(writer, bracket);
    writer->comma = true;
}

static inline void json_object_begin(struct writer *writer, const char *key)
{
    json_open(writer, key, '{');
}

static inline void json_object_end(struct writer *writer)
{
    json_close(writer, '}');
}

static inline void json_array_begin(struct writer *writer, const char *key)
{
    json_open(writer, key, '[');
}

static inline void json_array_end(struct writer *writer)
{
    json_close(writer, ']');
}

/* Behind json_key: the value alone; NULL writes null. */
void json_write_string(struct writer *writer, const char *value);
void json_write_string_n(struct writer *writer, const char *value, size_t length);
void json_write_word(struct writer *writer, const char *word);

static inline void json_string(struct writer *writer, const char *key, const char *value)
{
    json_key(writer, key);
    json_write_string(writer, value);
}

static inline void json_string_n(struct writer *writer, const char *key, const char *value, size_t length)
{
    json_key(writer, key);
    json_write_string_n(writer, value, length);
}

/* A plain string, in which nothing is to be escaped: a name out of a table. NULL writes null. */
static inline void json_word(struct writer *writer, const char *key, const char *word)
{
    json_key(writer, key);
    json_write_word(writer, word);
}

/* The same with a key that is any text. */
void json_string_named(struct writer *writer, const char *name, const char *value);

static inline void json_int(struct writer *writer, const char *key, int64_t value)
{
    char *at = json_begin(writer, key, PUT_INT_MAX);
    if (at)
        writer_wrote(writer, put_int(at, value));
}

static inline void json_bool(struct writer *writer, const char *key, bool value)
{
    char *at = json_begin(writer, key, sizeof "false");
    if (at)
        writer_wrote(writer, put_bool(at, value));
}

static inline void json_null(struct writer *writer, const char *key)
{
    char *at = json_begin(writer, key, sizeof "null");
    if (at)
        writer_wrote(writer, put_literal(at, "null"));
}

/* 16 lower-case hex digits as a string. */
void json_hex64(struct writer *writer, const char *key, uint64_t value);
/* RFC 3339 UTC with milliseconds from Unix time in ms. */
void json_time(struct writer *writer, const char *key, int64_t unix_ms);
/* Behind a whole value: the next one is another line of NDJSON. */
void json_line_end(struct writer *writer);
/* A value that is JSON already; in an object and without a key, whole members. */
void json_raw(struct writer *writer, const char *key, const char *json, size_t length);
/* A value that stands in this text already. */
struct json_place {
    size_t from, length; /* bytes of the text */
};
void json_repeat(struct writer *writer, const char *key, const struct json_place *place);
