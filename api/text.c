#include "api/text.h"

#include <string.h>
#include <strings.h>

#include "rules/utf8.h"

bool text_is(struct text_span span, const char *word)
{
    return strlen(word) == span.length && (span.length == 0 || memcmp(span.text, word, span.length) == 0);
}

bool text_is_nocase(struct text_span span, const char *word)
{
    return strlen(word) == span.length &&
           (span.length == 0 || strncasecmp(span.text, word, span.length) == 0);
}

const char *text_shown(struct arena *arena, const char *text)
{
    enum { SHOWN_MAX = 64 };
    if (strnlen(text, SHOWN_MAX + 1) <= SHOWN_MAX)
        return text;
    return arena_printf(arena, "%.*s…", (int)utf8_valid(text, SHOWN_MAX), text);
}

static bool is_space(char c)
{
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

void text_trim(const char **text, size_t *length)
{
    while (*length && is_space((*text)[*length - 1]))
        (*length)--;
    while (*length && is_space(**text)) {
        (*text)++;
        (*length)--;
    }
}

bool text_next_piece(const char **at, const char *separators, struct text_span *piece)
{
    const char *from = *at + strspn(*at, separators);
    *piece = (struct text_span){from, strcspn(from, separators)};
    *at = from + piece->length;
    return piece->length > 0;
}

size_t text_count_pieces(const char *text, const char *separators)
{
    size_t count = 0;
    struct text_span piece;
    while (text_next_piece(&text, separators, &piece))
        count++;
    return count;
}

static int hex_digit(char c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

/* The value of an escape, or -1. */
static int escape_value(const char *at, size_t left)
{
    if (left < 3)
        return -1;
    int high = hex_digit(at[1]), low = hex_digit(at[2]);
    return high < 0 || low < 0 ? -1 : high * 16 + low;
}

static enum text_decode_status decode_into(char *out, size_t *out_length, const char *text, size_t length,
                                           enum text_form form)
{
    size_t put = 0;
    for (size_t i = 0; i < length; i++) {
        int value = (unsigned char)text[i];
        if (text[i] == '%') {
            value = escape_value(text + i, length - i);
            if (value < 0)
                return TEXT_BAD_ESCAPE;
            if (value == '/' && form == TEXT_SEGMENT)
                return TEXT_SLASH;
            i += 2;
        } else if (text[i] == '+' && form == TEXT_QUERY) {
            value = ' ';
        }
        if (value == 0)
            return TEXT_NUL;
        out[put++] = (char)value;
    }
    out[put] = '\0';
    *out_length = put;
    return utf8_valid(out, put) == put ? TEXT_DECODED : TEXT_BAD_UTF8;
}

enum text_decode_status text_decode(struct arena *arena, const char *text, size_t length, enum text_form form,
                                    const char **decoded, size_t *decoded_length)
{
    char *out = arena_alloc(arena, length + 1);
    if (!out)
        return TEXT_NO_MEMORY;
    size_t out_length;
    enum text_decode_status status = decode_into(out, &out_length, text, length, form);
    if (status != TEXT_DECODED)
        return status;
    *decoded = out;
    *decoded_length = out_length;
    return TEXT_DECODED;
}

const char *text_decode_fault(enum text_decode_status status)
{
    switch (status) {
    case TEXT_DECODED:
        break;
    case TEXT_BAD_ESCAPE:
        return "A percent sign is not followed by two hexadecimal digits.";
    case TEXT_NUL:
        return "The text holds a NUL byte.";
    case TEXT_SLASH:
        return "A path segment holds an escaped slash.";
    case TEXT_BAD_UTF8:
        return "The text is not well-formed UTF-8.";
    case TEXT_NO_MEMORY:
        return "Memory is out.";
    }
    return "";
}
