#include "api/json_span.h"

#include <stdlib.h>
#include <string.h>

#include "api/json_check.h"

static unsigned hex_value(const char *digits)
{
    unsigned value = 0;
    for (int i = 0; i < 4; i++) {
        char c = digits[i];
        unsigned digit = c <= '9' ? (unsigned)(c - '0') : (unsigned)((c | 0x20) - 'a' + 10);
        value = value * 16 + digit;
    }
    return value;
}

/* Keeps all but the first byte of a character in `rest`, last one first. */
static int spread(struct json_string_reader *reader, unsigned code)
{
    static const unsigned LEADS[] = {0x00, 0xC0, 0xE0, 0xF0};
    unsigned more = code < 0x80 ? 0 : code < 0x800 ? 1 : code < 0x10000 ? 2 : 3;
    reader->rest_count = 0;
    for (unsigned i = 0; i < more; i++, code >>= 6)
        reader->rest[reader->rest_count++] = (unsigned char)(0x80 | (code & 0x3F));
    return (int)(LEADS[more] | code);
}

static int unescape(struct json_string_reader *reader)
{
    static const char NAMES[] = "bfnrt", VALUES[] = "\b\f\n\r\t";
    char c = *reader->at++;
    const char *name = strchr(NAMES, c);
    if (name && c)
        return VALUES[name - NAMES];
    if (c != 'u')
        return (unsigned char)c;
    unsigned code = hex_value(reader->at);
    reader->at += 4;
    if (code >= 0xD800 && code <= 0xDBFF) {
        code = 0x10000 + ((code - 0xD800) << 10) + (hex_value(reader->at + 2) - 0xDC00);
        reader->at += 6;
    }
    return spread(reader, code);
}

int json_string_next(struct json_string_reader *reader)
{
    if (reader->rest_count)
        return reader->rest[--reader->rest_count];
    if (*reader->at == '"')
        return -1;
    if (*reader->at != '\\')
        return (unsigned char)*reader->at++;
    reader->at++;
    return unescape(reader);
}

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

static const char *skip_string(const char *at)
{
    for (at++; *at != '"'; at++)
        at += *at == '\\';
    return at + 1;
}

/* Behind a value of any kind. */
static const char *skip_value(const char *at)
{
    if (*at == '"')
        return skip_string(at);
    if (*at != '{' && *at != '[')
        return at + strcspn(at, ",]} \t\r\n");
    unsigned depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += *at == '{' || *at == '[';
        depth -= *at == '}' || *at == ']';
        at++;
    } while (depth);
    return at;
}

bool json_span_is(struct text_span string, const char *text)
{
    struct json_string_reader reader = {.at = string.text + 1};
    int byte;
    while ((byte = json_string_next(&reader)) >= 0) {
        if ((unsigned char)*text != byte)
            return false;
        text++;
    }
    return *text == '\0';
}

/* The first member or element, or the one behind *at. */
static const char *go_on(struct text_span nest, const char *at)
{
    at = skip_space(at ? at : nest.text + 1);
    return *at == ',' ? skip_space(at + 1) : at;
}

bool json_span_next(struct text_span object, const char **at, struct text_span *name, struct text_span *value)
{
    const char *key = go_on(object, *at);
    if (*key != '"')
        return false;
    const char *end = skip_string(key);
    *name = (struct text_span){key, (size_t)(end - key)};
    value->text = skip_space(skip_space(end) + 1);
    *at = skip_value(value->text);
    value->length = (size_t)(*at - value->text);
    return true;
}

bool json_span_member(struct text_span object, const char *name, struct text_span *value)
{
    struct text_span key, found;
    for (const char *at = NULL; json_span_next(object, &at, &key, &found);) {
        if (json_span_is(key, name)) {
            *value = found;
            return true;
        }
    }
    return false;
}

char *json_span_text(struct arena *arena, struct text_span string, size_t *length)
{
    struct json_string_reader reader = {.at = string.text + 1};
    char *text = arena_alloc(arena, string.length);
    int byte;
    *length = 0;
    while (text && (byte = json_string_next(&reader)) >= 0)
        text[(*length)++] = (char)byte;
    if (text)
        text[*length] = '\0';
    return text;
}

bool json_span_next_element(struct text_span array, const char **at, struct text_span *value)
{
    const char *from = go_on(array, *at);
    if (*from == ']')
        return false;
    *at = skip_value(from);
    *value = (struct text_span){from, (size_t)(*at - from)};
    return true;
}

bool json_span_whole(struct text_span number, char text[JSON_WHOLE_SIZE], size_t *length)
{
    char digits[JSON_NUMBER_MAX];
    const char *at = number.text, *end = at + number.length;
    long count = 0, whole = 0; /* digits, and those before the point */
    bool is_negative = *at == '-', is_fraction = false;
    for (at += is_negative; at < end && *at != 'e' && *at != 'E'; at++) {
        if (*at == '.') {
            is_fraction = true;
            continue;
        }
        digits[count++] = *at;
        whole += !is_fraction;
    }
    long exponent = at < end ? strtol(at + 1, NULL, 10) : 0;
    if (exponent < -JSON_NUMBER_MAX || exponent > JSON_NUMBER_MAX)
        return false;
    whole += exponent;
    for (long i = whole > 0 ? whole : 0; i < count; i++)
        if (digits[i] != '0')
            return false;
    long first = 0;
    while (first < count && digits[first] == '0')
        first++;
    if (first == count)
        whole = first; /* zero has no sign, and is not shifted */
    *length = 0;
    if (whole - first >= JSON_WHOLE_SIZE - 1)
        return false;
    if (is_negative && first < whole)
        text[(*length)++] = '-';
    for (long i = first; i < whole; i++)
        text[(*length)++] = (char)(i < count ? digits[i] : '0');
    if (first >= whole)
        text[(*length)++] = '0';
    return true;
}

char *json_span_compact(struct arena *arena, struct text_span value, size_t *length)
{
    char *copy = arena_alloc(arena, value.length + 1), *put = copy;
    if (!copy)
        return NULL;
    for (const char *at = value.text, *end = at + value.length; at < end;) {
        const char *from = at;
        if (*at == '"')
            at = skip_string(at);
        else if (strchr(" \t\r\n", *at))
            from = ++at;
        else
            at++;
        memcpy(put, from, (size_t)(at - from));
        put += at - from;
    }
    *put = '\0';
    *length = (size_t)(put - copy);
    return copy;
}
