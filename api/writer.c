#include "api/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/text.h"
#include "api/timestamp.h"
#include "rules/pgn_text.h"

enum { SMALLEST = 64 };

void writer_init(struct writer *writer, struct arena *arena, size_t expected)
{
    *writer = (struct writer){.arena = arena, .capacity = expected < SMALLEST ? SMALLEST : expected};
    writer->data = arena_alloc(arena, writer->capacity);
    if (!writer->data) {
        writer->capacity = 0;
        writer->failed = true;
    }
}

static bool grow(struct writer *writer, size_t more)
{
    size_t capacity = writer->capacity;
    while (!writer->failed && capacity - writer->length < more) {
        if (capacity > SIZE_MAX / 2)
            writer->failed = true;
        capacity *= 2;
    }
    char *data = writer->failed ? NULL : arena_grow(writer->arena, writer->data, writer->capacity, capacity);
    if (!data) {
        writer->failed = true;
        return false;
    }
    writer->data = data;
    writer->capacity = capacity;
    return true;
}

/* Room for `more` bytes at the end, or NULL once failed. */
static inline char *room(struct writer *writer, size_t more)
{
    if (writer->failed || (writer->capacity - writer->length < more && !grow(writer, more)))
        return NULL;
    return writer->data + writer->length;
}

void writer_bytes(struct writer *writer, const char *bytes, size_t length)
{
    char *at = room(writer, length);
    if (!at || length == 0)
        return;
    memcpy(at, bytes, length);
    writer->length += length;
}

void writer_text(struct writer *writer, const char *text)
{
    writer_bytes(writer, text, strlen(text));
}

void writer_line(struct writer *writer, const char *text)
{
    size_t length = strlen(text), from = 0;
    for (size_t i = 0; i < length;) {
        size_t control = pgn_text_control(text + i, length - i);
        if (control) {
            writer_bytes(writer, text + from, i - from);
            writer_char(writer, ' ');
            from = i + control;
        }
        i += control ? control : 1;
    }
    writer_bytes(writer, text + from, length - from);
}

void writer_char(struct writer *writer, char c)
{
    char *at = room(writer, 1);
    if (!at)
        return;
    *at = c;
    writer->length++;
}

void writer_int(struct writer *writer, int64_t value)
{
    char digits[20]; /* 2^63 has 19, and the sign */
    char *first = digits + sizeof digits;
    uint64_t left = value < 0 ? 0 - (uint64_t)value : (uint64_t)value;
    do {
        *--first = (char)('0' + left % 10);
        left /= 10;
    } while (left);
    if (value < 0)
        *--first = '-';
    writer_bytes(writer, first, (size_t)(digits + sizeof digits - first));
}

void writer_printf(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *at = length < 0 ? NULL : room(writer, (size_t)length + 1); /* vsnprintf ends with a NUL */
    if (!at) {
        writer->failed = true;
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(at, (size_t)length + 1, format, arguments);
    va_end(arguments);
    writer->length += (size_t)length;
}

/* What stands before every value: the comma after the one before, and the key. */
static void begin_value(struct writer *writer, const char *key)
{
    if (writer->comma)
        writer_char(writer, ',');
    writer->comma = true;
    if (!key)
        return;
    size_t length = strlen(key);
    char *at = room(writer, length + 3);
    if (!at)
        return;
    *at = '"';
    at = stpcpy(at + 1, key);
    at[0] = '"';
    at[1] = ':';
    writer->length += length + 3;
}

static void begin_group(struct writer *writer, const char *key, char bracket)
{
    begin_value(writer, key);
    writer_char(writer, bracket);
    writer->comma = false;
}

static void end_group(struct writer *writer, char bracket)
{
    writer_char(writer, bracket);
    writer->comma = true;
}

void json_object_begin(struct writer *writer, const char *key)
{
    begin_group(writer, key, '{');
}

void json_object_end(struct writer *writer)
{
    end_group(writer, '}');
}

void json_array_begin(struct writer *writer, const char *key)
{
    begin_group(writer, key, '[');
}

void json_array_end(struct writer *writer)
{
    end_group(writer, ']');
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c != '"' && c != '\\';
}

/* RFC 8259, 7: the short forms where there are some. */
static void write_escape(struct writer *writer, unsigned char c)
{
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *pair = SHORT; *pair; pair += 2) {
        if ((unsigned char)*pair == c) {
            writer_bytes(writer, (const char[]){'\\', pair[1]}, 2);
            return;
        }
    }
    static const char HEX[] = "0123456789abcdef";
    writer_bytes(writer, (const char[]){'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]}, 6);
}

static void write_quoted(struct writer *writer, const char *value, size_t length)
{
    writer_char(writer, '"');
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        if (is_plain((unsigned char)value[i]))
            continue;
        writer_bytes(writer, value + from, i - from);
        write_escape(writer, (unsigned char)value[i]);
        from = i + 1;
    }
    if (length)
        writer_bytes(writer, value + from, length - from);
    writer_char(writer, '"');
}

void json_string_n(struct writer *writer, const char *key, const char *value, size_t length)
{
    begin_value(writer, key);
    write_quoted(writer, value, length);
}

void json_string_named(struct writer *writer, const char *name, const char *value)
{
    begin_value(writer, NULL);
    write_quoted(writer, name, strlen(name));
    writer_char(writer, ':');
    write_quoted(writer, value, strlen(value));
}

void json_line_end(struct writer *writer)
{
    writer_char(writer, '\n');
    writer->comma = false;
}

void json_string(struct writer *writer, const char *key, const char *value)
{
    if (value)
        json_string_n(writer, key, value, strlen(value));
    else
        json_null(writer, key);
}

void json_int(struct writer *writer, const char *key, int64_t value)
{
    begin_value(writer, key);
    writer_int(writer, value);
}

void json_bool(struct writer *writer, const char *key, bool value)
{
    begin_value(writer, key);
    writer_text(writer, value ? "true" : "false");
}

void json_null(struct writer *writer, const char *key)
{
    begin_value(writer, key);
    writer_bytes(writer, "null", 4);
}

void json_hex64(struct writer *writer, const char *key, uint64_t value)
{
    static const char HEX[] = "0123456789abcdef";
    char text[18] = {'"'};
    for (unsigned i = 0; i < 16; i++)
        text[1 + i] = HEX[value >> (60 - 4 * i) & 15];
    text[17] = '"';
    json_raw(writer, key, text, sizeof text);
}

void json_time(struct writer *writer, const char *key, int64_t unix_ms)
{
    char text[TIMESTAMP_SIZE];
    timestamp_format(unix_ms, text);
    json_string_n(writer, key, text, TIMESTAMP_LENGTH);
}

void json_raw(struct writer *writer, const char *key, const char *json, size_t length)
{
    begin_value(writer, key);
    writer_bytes(writer, json, length);
}
