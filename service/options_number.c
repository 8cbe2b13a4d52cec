#include "service/options_table.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

/* What may stand behind a number. The first of a unit is what a bare number means; the largest that divides
 * is what is printed. */
static const struct suffix {
    const char *unit, *text;
    int64_t factor;
} SUFFIXES[] = {
    {"milliseconds", "ms", 1},      {"milliseconds", "s", 1000}, {"milliseconds", "m", 60000},
    {"milliseconds", "h", 3600000}, {"bytes", "B", 1},           {"bytes", "KiB", 1 << 10},
    {"bytes", "MiB", 1 << 20},      {"bytes", "GiB", 1 << 30},   {"bytes", "K", 1 << 10},
    {"bytes", "M", 1 << 20},        {"bytes", "G", 1 << 30},
};
enum { SUFFIX_COUNT = sizeof SUFFIXES / sizeof *SUFFIXES };

static bool unit_is(const struct option *option, const char *unit)
{
    return option->unit && strcmp(option->unit, unit) == 0;
}

/* 0: no such suffix. */
static int64_t factor_of(const struct option *option, const char *text)
{
    if (*text == '\0')
        return 1;
    for (size_t i = 0; i < SUFFIX_COUNT; i++)
        if (unit_is(option, SUFFIXES[i].unit) && strcasecmp(text, SUFFIXES[i].text) == 0)
            return SUFFIXES[i].factor;
    return 0;
}

bool option_parse_number(const struct option *option, const char *text, int64_t *number)
{
    if (*text < '0' || *text > '9')
        return false;
    char *end = NULL;
    errno = 0;
    intmax_t value = strtoimax(text, &end, unit_is(option, "octal") ? 8 : 10);
    int64_t factor = factor_of(option, end);
    if (errno || factor == 0 || value > INT64_MAX / factor)
        return false;
    value *= factor;
    if (value < option->minimum || value > option->maximum)
        return false;
    *number = value;
    return true;
}

void option_format_number(const struct option *option, int64_t number, char text[OPTION_VALUE_SIZE])
{
    if (unit_is(option, "octal")) {
        (void)snprintf(text, OPTION_VALUE_SIZE, "0%" PRIo64, (uint64_t)number);
        return;
    }
    const struct suffix *best = NULL;
    for (size_t i = 0; i < SUFFIX_COUNT; i++) {
        const struct suffix *s = &SUFFIXES[i];
        if (unit_is(option, s->unit) && number % s->factor == 0 && number &&
            (!best || s->factor > best->factor))
            best = s;
    }
    (void)snprintf(text, OPTION_VALUE_SIZE, "%" PRId64 "%s", best ? number / best->factor : number,
                   best && best->factor > 1                    ? best->text
                   : unit_is(option, "milliseconds") && number ? "ms"
                                                               : "");
}

bool option_parse_choice(const struct option *option, const char *text, int64_t *index)
{
    for (int64_t i = 0; option->choices[i]; i++) {
        if (strcmp(option->choices[i], text) == 0) {
            *index = i;
            return true;
        }
    }
    return false;
}
