/* payload: what an action has to say beyond the columns of the log, as lines "key=value".
 *
 * Layer: games, private. Values may hold any text: backslash and newline are escaped. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct payload {
    char *text; /* NUL-terminated, owned; NULL when nothing was added */
    size_t length, capacity;
    bool failed; /* memory ran out */
};

void payload_add(struct payload *payload, const char *key,
                 const char *value); /* NULL value: nothing is added */
void payload_add_number(struct payload *payload, const char *key, int64_t number);
void payload_finish(struct payload *payload);

/* A value that is one of our own words: copied into `word`. False: `text` (may be NULL) does not have the key, or the
 * value is longer than any word. */
enum { PAYLOAD_WORD_SIZE = 96 };
bool payload_word(const char *text, const char *key, char word[PAYLOAD_WORD_SIZE]);
bool payload_number(const char *text, const char *key, int64_t *number);
bool payload_has(const char *text, const char *key);

/* A value that is anybody's text: malloc'ed and unescaped; *value is NULL where the key is absent. False: memory is
 * out. */
bool payload_text(const char *text, const char *key, char **value);
