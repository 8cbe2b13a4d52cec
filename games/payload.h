/* payload: what an action has to say beyond the columns of the log, as lines "key=value".
 *
 * Layer: games, private. Values may hold any text: backslash and newline are escaped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

struct payload {
    char *text; /* NUL-terminated, owned; NULL when nothing was added */
    size_t length, capacity;
    bool failed; /* memory ran out */
};

void payload_add(struct payload *payload, const char *key,
                 const char *value); /* NULL value: nothing is added */
void payload_add_int(struct payload *payload, const char *key, long long value);
void payload_finish(struct payload *payload);

/* The unescaped value of `key`, malloc'ed; NULL if `text` (may be NULL) does not have it, or memory is out.
 */
char *payload_get(const char *text, const char *key);
bool payload_has(const char *text, const char *key);
long long payload_get_int(const char *text, const char *key, long long fallback);
