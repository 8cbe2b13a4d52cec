#include "games/payload.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

void payload_add_int(struct payload *payload, const char *key, long long value)
{
    char digits[24];
    (void)snprintf(digits, sizeof digits, "%lld", value);
    payload_add(payload, key, digits);
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

static char unescaped(char c)
{
    if (c == 'n')
        c = '\n';
    return c;
}

char *payload_get(const char *text, const char *key)
{
    const char *value = find(text, key);
    if (!value)
        return NULL;
    size_t length = strcspn(value, "\n");
    char *copy = malloc(length + 1);
    if (!copy)
        return NULL;
    char *out = copy;
    for (const char *in = value; in < value + length; in++) {
        if (*in == '\\' && in + 1 < value + length)
            *out++ = unescaped(*++in);
        else
            *out++ = *in;
    }
    *out = '\0';
    return copy;
}

long long payload_get_int(const char *text, const char *key, long long fallback)
{
    const char *value = find(text, key);
    return value ? strtoll(value, NULL, 10) : fallback;
}

bool payload_has(const char *text, const char *key)
{
    return find(text, key) != NULL;
}
