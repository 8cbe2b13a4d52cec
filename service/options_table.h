/* options_table: the rows behind options.h. Adding a setting is one member there and one row here.
 *
 * Layer: service; private to options*.c. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "api/arena.h"
#include "service/options.h"

enum option_kind { OPTION_TEXT, OPTION_LIST, OPTION_NUMBER, OPTION_CHOICE };

struct option {
    const char *name;
    enum option_kind kind;
    const char *initial;      /* as it would be typed; NULL: none (lists and texts) */
    const char *argument;     /* its word in --help: "PATH" */
    const char *help;         /* one sentence */
    size_t offset;            /* in struct options_values */
    int64_t minimum, maximum; /* numbers; lists: at most so many items, 0: any number */
    const char *unit;         /* numbers: "milliseconds", "bytes", "octal", or NULL for a plain count */
    bool (*is_good)(const char *text); /* texts and items of lists: may it stand? NULL: anything may */
    const char *form;                  /* what it has to be then, for messages */
    const char *const *choices;        /* choices: NULL-terminated; the value is the index */
    int64_t initial_number;            /* numbers without `initial` */
};

extern const struct option OPTION_TABLE[];
extern const size_t OPTION_COUNT;

/* What is known of one setting beside its value. */
struct option_state {
    enum options_source source;
    const char *where; /* of the value, for messages: "--listen", "arbiter.conf:7" */
    size_t count;      /* lists: items */
};

struct options {
    struct options_values values;
    struct arena texts;
    struct option_state *states; /* OPTION_COUNT */
};

enum { OPTION_VALUE_SIZE = 32 };

/* "30s", "64MiB", "0660", "12". False: not a number of that unit, or outside the row's range. */
bool option_parse_number(const struct option *option, const char *text, int64_t *number);
/* The same number as it would be typed. */
void option_format_number(const struct option *option, int64_t number, char text[OPTION_VALUE_SIZE]);
/* The length of the first control character of a text, which stands at byte *at; 0: there is none. */
size_t option_control(const char *text, size_t *at);
/* For allow-host and allow-origin. */
bool option_is_host(const char *text);
bool option_is_origin(const char *text);
/* False: no such choice. */
bool option_parse_choice(const struct option *option, const char *text, int64_t *index);
