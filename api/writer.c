#include "api/writer.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/put.h"
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

char *writer_grow(struct writer *writer, size_t more)
{
    size_t capacity = writer->capacity;
    if (capacity > SIZE_MAX / 2 || more > SIZE_MAX / 2 - writer->length)
        writer->failed = true;
    else
        capacity = writer->length + more > 2 * capacity ? writer->length + more : 2 * capacity;
    char *data = writer->failed ? NULL : arena_grow(writer->arena, writer->data, writer->capacity, capacity);
    if (!data) {
        writer->failed = true;
        writer->length = writer->capacity = 0;
        return NULL;
    }
    writer->data = data;
    writer->capacity = capacity;
    return data + writer->length;
}

void writer_bytes(struct writer *writer, const char *bytes, size_t length)
{
    char *at = length ? writer_reserve(writer, length) : NULL;
    if (at)
        writer_wrote(writer, put_bytes(at, bytes, length));
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
    char *at = writer_reserve(writer, 1);
    if (!at)
        return;
    *at = c;
    writer->length++;
}

void writer_int(struct writer *writer, int64_t value)
{
    char *at = writer_reserve(writer, PUT_INT_MAX);
    if (at)
        writer_wrote(writer, put_int(at, value));
}

void writer_printf(struct writer *writer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(NULL, 0, format, arguments);
    va_end(arguments);
    char *at = length < 0 ? NULL : writer_reserve(writer, (size_t)length + 1); /* vsnprintf ends with a NUL */
    if (!at) {
        writer->failed = true;
        return;
    }
    va_start(arguments, format);
    (void)vsnprintf(at, (size_t)length + 1, format, arguments);
    va_end(arguments);
    writer->length += (size_t)length;
}
