#include "games/payload.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/game.h"

static void append(struct payload *payload, const char *bytes, size_t length)
{
    if (payload->failed)
        return;
    if (payload->length + length + 1 > payload->capacity) {
        size_t capacity = 2 * (payload->length + length + 32);
        char *text = realloc(payload->text, capacity);
        if (!text) {
            payload->failed = true;
            return;
        }
        payload->text = text;
        payload->capacity = capacity;
    }
    memcpy(payload->text + payload->length, bytes, length);
    payload->length += length;
    payload->text[payload->length] = '\0';
}

void payload_add(struct payload *payload, const char *key, const char *value)
{
    if (!value)
        return;
    append(payload, key, strlen(key));
    append(payload, "=", 1);
    while (*value) {
        size_t plain = strcspn(value, "\\\n");
        append(payload, value, plain);
        value += plain;
        if (*value)
            append(payload, *value++ == '\n' ? "\\n" : "\\\\", 2);
    }
    append(payload, "\n", 1);
}

void payload_finish(struct payload *payload)
{
    free(payload->text);
    *payload = (struct payload){0};
}

static const char *find(const char *text, const char *key)
{
    size_t length = strlen(key);
    while (text && *text) {
        if (strncmp(text, key, length) == 0 && text[length] == '=')
            return text + length + 1;
        text = strchr(text, '\n');
        text = text ? text + 1 : NULL;
    }
    return NULL;
}

bool payload_has(const char *text, const char *key)
{
    return find(text, key) != NULL;
}

bool payload_word(const char *text, const char *key, char word[PAYLOAD_WORD_SIZE])
{
    const char *value = find(text, key);
    size_t length = value ? strcspn(value, "\n") : 0;
    if (!value || length >= PAYLOAD_WORD_SIZE)
        return false;
    memcpy(word, value, length);
    word[length] = '\0';
    return true;
}

static char unescaped(char c)
{
    if (c == 'n')
        c = '\n';
    return c;
}

/* Undoes the escapes of a value that ends at `end`; returns where the text ends. */
static char *unescape(const char *in, const char *end, char *out)
{
    while (in < end) {
        if (*in == '\\' && in + 1 < end)
            *out++ = unescaped(*++in);
        else
            *out++ = *in;
        in++;
    }
    *out = '\0';
    return out;
}

bool payload_text(const char *text, const char *key, char **value)
{
    const char *in = find(text, key);
    *value = NULL;
    if (!in)
        return true;
    const char *end = in + strcspn(in, "\n");
    *value = malloc((size_t)(end - in) + 1);
    if (*value)
        unescape(in, end, *value);
    return *value != NULL;
}

bool payload_number(const char *text, const char *key, int64_t *number)
{
    char word[PAYLOAD_WORD_SIZE];
    char *end;
    if (!payload_word(text, key, word))
        return false;
    *number = strtoll(word, &end, 10);
    return end != word && !*end;
}

void payload_add_number(struct payload *payload, const char *key, int64_t number)
{
    char word[24];
    (void)snprintf(word, sizeof word, "%" PRId64, number);
    payload_add(payload, key, word);
}

static size_t cut(size_t length, size_t size)
{
    return length < size ? length : size - 1;
}

bool game_tags_next(const char **rest, char *name, size_t name_size, char *value, size_t value_size)
{
    const char *line = *rest;
    if (!line || !*line)
        return false;
    size_t length = strcspn(line, "\n");
    size_t name_length = strcspn(line, "=\n");
    *rest = line + length + (line[length] == '\n');
    size_t kept = cut(name_length, name_size);
    memcpy(name, line, kept);
    name[kept] = '\0';
    const char *in = line + name_length + (name_length < length);
    unescape(in, in + cut((size_t)(line + length - in), value_size), value);
    return true;
}
