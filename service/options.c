#include "service/options.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "api/nearest.h"
#include "service/options_table.h"

enum { NAME_SIZE = 64 };

static const char PREFIX[] = "ARBITER_"; /* of variables */

static char folded(char c)
{
    if (c == '_')
        return '-';
    return c;
}

/* Is `typed` (of `length` bytes) that name? '-' and '_' are one letter. */
static bool is_name(const char *name, const char *typed, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] == '\0' || folded(name[i]) != folded(typed[i]))
            return false;
    return name[length] == '\0';
}

static const struct option *find(const char *typed, size_t length)
{
    for (size_t i = 0; i < OPTION_COUNT; i++)
        if (is_name(OPTION_TABLE[i].name, typed, length))
            return &OPTION_TABLE[i];
    return NULL;
}

static void *member(struct options *options, const struct option *option)
{
    return (char *)&options->values + option->offset;
}

bool options_is_default(const struct options *options, const char *name)
{
    const struct option *option = find(name, strlen(name));
    return option && options->states[option - OPTION_TABLE].source == OPTIONS_DEFAULT;
}

static bool add_item(struct options *options, const struct option *option, const char *text)
{
    struct option_state *state = &options->states[option - OPTION_TABLE];
    const char ***list = member(options, option);
    size_t old_size = state->count ? (state->count + 1) * sizeof **list : 0;
    const char **grown = arena_grow(&options->texts, *list, old_size, (state->count + 2) * sizeof *grown);
    if (!grown)
        return false;
    grown[state->count++] = text;
    grown[state->count] = NULL;
    *list = grown;
    return true;
}

static bool is_good(const struct option *option, const char *text)
{
    return *text != '\0' && (!option->is_good || option->is_good(text));
}

/* Puts a value into its member. False: it does not fit. */
static bool store(struct options *options, const struct option *option, const char *value)
{
    const char *copy = NULL;
    switch (option->kind) {
    case OPTION_NUMBER:
        return option_parse_number(option, value, member(options, option));
    case OPTION_CHOICE:
        return option_parse_choice(option, value, member(options, option));
    case OPTION_TEXT:
        copy = arena_copy(&options->texts, value, strlen(value));
        *(const char **)member(options, option) = copy;
        return copy && is_good(option, value);
    case OPTION_LIST:
        copy = arena_copy(&options->texts, value, strlen(value));
        return copy && is_good(option, value) && add_item(options, option, copy);
    }
    return false;
}

/* How much of a text may be repeated: not the password of postgresql://user:secret@host. */
static int shown_length(const char *text)
{
    const char *authority = strstr(text, "://");
    return authority && strchr(authority, '@') ? (int)(authority - text) : 64;
}

/* As it is typed. */
static const char *flag_name(const struct option *option, char name[NAME_SIZE])
{
    (void)snprintf(name, NAME_SIZE, "%s", option->name);
    for (char *c = name; *c; c++)
        *c = folded(*c);
    return name;
}

static void explain_number(const struct option *option, const char *value, const char *where,
                           char error[OPTIONS_ERROR_SIZE])
{
    /* A bare number counts in the unit's smallest: so the units are named that may stand behind it. */
    static const char *const WORDS[][2] = {{"milliseconds", "a time such as 500ms, 30s or 2m"},
                                           {"bytes", "a size such as 64KiB or 256MiB"},
                                           {"octal", "an octal number"}};
    char least[OPTION_VALUE_SIZE], most[OPTION_VALUE_SIZE], name[NAME_SIZE];
    const char *what = "a number";
    for (size_t i = 0; option->unit && i < sizeof WORDS / sizeof *WORDS; i++)
        if (strcmp(option->unit, WORDS[i][0]) == 0)
            what = WORDS[i][1];
    option_format_number(option, option->minimum, least);
    option_format_number(option, option->maximum, most);
    (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: '%.64s' is no value of %s: give %s, from %s to %s", where,
                   value, flag_name(option, name), what, least, most);
}

static void explain(const struct option *option, const char *value, const char *where,
                    char error[OPTIONS_ERROR_SIZE])
{
    char name[NAME_SIZE];
    switch (option->kind) {
    case OPTION_NUMBER:
        explain_number(option, value, where, error);
        return;
    case OPTION_CHOICE:
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: '%.64s' is no value of %s: give %s", where, value,
                       flag_name(option, name), option->argument);
        return;
    case OPTION_TEXT:
    case OPTION_LIST:
        if (*value && option->form)
            (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: '%.*s' is no value of %s: give %s", where,
                           shown_length(value), value, flag_name(option, name), option->form);
        else
            (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: %s needs a value", where, flag_name(option, name));
        return;
    }
}

/* No setting needs one, and a value is told to terminals and in the log. It is not repeated here for that reason. */
static bool is_visible(const struct option *option, const char *value, const char *where,
                       char error[OPTIONS_ERROR_SIZE])
{
    char name[NAME_SIZE];
    size_t at = 0, length = option_control(value, &at);
    if (length == 0)
        return true;
    const unsigned char *bytes = (const unsigned char *)value + at;
    unsigned character = length < 3 ? bytes[length - 1] /* of two bytes the second is its number */
                                    : 0x2000U | (bytes[1] & 0x3FU) << 6 | (bytes[2] & 0x3FU);
    (void)snprintf(error, OPTIONS_ERROR_SIZE,
                   "%s: the value of %s holds a control character, U+%04X behind %zu bytes: leave it out",
                   where, flag_name(option, name), character, at);
    return false;
}

/* A config file cannot say them, so that what `arbiterd config` prints would be another setting when it is read. */
static bool is_trimmed(const struct option *option, const char *value, const char *where,
                       char error[OPTIONS_ERROR_SIZE])
{
    char name[NAME_SIZE];
    size_t length = strlen(value);
    if (length == 0 || (value[0] != ' ' && value[length - 1] != ' '))
        return true;
    (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: the value of %s begins or ends with a blank: leave it out",
                   where, flag_name(option, name));
    return false;
}

static bool set(struct options *options, const struct option *option, const char *value,
                enum options_source source, const char *where, char error[OPTIONS_ERROR_SIZE])
{
    struct option_state *state = &options->states[option - OPTION_TABLE];
    if (!is_visible(option, value, where, error) || !is_trimmed(option, value, where, error))
        return false;
    if (source < state->source)
        return true;
    if (source == OPTIONS_FILE && state->source == source && option->kind != OPTION_LIST) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: %s is set already at %s", where, option->name,
                       state->where);
        return false;
    }
    /* The first item from a stronger source drops the weaker one's list. */
    if (source > state->source)
        state->count = 0;
    if (option->kind == OPTION_LIST && option->maximum && (int64_t)state->count == option->maximum) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: %s is given more than %d times", where, option->name,
                       (int)option->maximum);
        return false;
    }
    if (!store(options, option, value)) {
        explain(option, value, where, error);
        return false;
    }
    state->source = source;
    const char *place = arena_copy(&options->texts, where, strlen(where));
    state->where = place ? place : "";
    return true;
}

/* `name` has `length` bytes; what stands behind them, a value say, is not told. False: no setting is near. */
static bool name_the_nearest(const char *name, size_t length, const char *where,
                             char error[OPTIONS_ERROR_SIZE])
{
    const char *best = NULL;
    char typed[NAME_SIZE];
    (void)snprintf(typed, sizeof typed, "%.*s", (int)length, name);
    for (size_t at = 0, control = option_control(typed, &at); control; control = option_control(typed, &at))
        memset(typed + at, '?', control);
    for (size_t i = 0; i < OPTION_COUNT; i++)
        best = nearest_of(typed, best, OPTION_TABLE[i].name);
    char hint[96] = "";
    if (best)
        (void)snprintf(hint, sizeof hint, ": did you mean %s?", best);
    for (char *c = hint; *c; c++)
        *c = folded(*c);
    (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s%sthere is no setting '%s'%s", where, *where ? ": " : "",
                   typed, hint);
    return best != NULL;
}

bool options_set(struct options *options, const char *name, const char *value, enum options_source source,
                 const char *where, char error[OPTIONS_ERROR_SIZE])
{
    const struct option *option = find(name, strlen(name));
    if (option)
        return set(options, option, value, source, where, error);
    (void)name_the_nearest(name, strlen(name), where, error);
    return false;
}

static bool set_default(struct options *options, const struct option *option)
{
    options->states[option - OPTION_TABLE].where = "default";
    if (option->initial)
        return store(options, option, option->initial);
    if (option->kind == OPTION_NUMBER)
        memcpy(member(options, option), &option->initial_number, sizeof option->initial_number);
    if (option->kind != OPTION_LIST)
        return true;
    static const char *empty_list[] = {NULL};
    *(const char ***)member(options, option) = empty_list;
    return true;
}

struct options *options_create(void)
{
    struct options *options = calloc(1, sizeof *options);
    if (!options)
        return NULL;
    options->states = arena_zalloc(&options->texts, OPTION_COUNT * sizeof *options->states);
    for (size_t i = 0; i < OPTION_COUNT; i++) {
        if (!options->states || !set_default(options, &OPTION_TABLE[i])) {
            options_destroy(options);
            return NULL;
        }
    }
    return options;
}

void options_destroy(struct options *options)
{
    if (!options)
        return;
    arena_finish(&options->texts);
    free(options);
}

const struct options_values *options_values(const struct options *options)
{
    return &options->values;
}

/* The setting that a variable "ARBITER_IDLE_TIMEOUT" is, with its name as one would type it. */
static const struct option *find_variable(const char *variable, size_t length, char name[NAME_SIZE])
{
    size_t prefix = strlen(PREFIX);
    size_t kept = length - prefix < NAME_SIZE ? length - prefix : NAME_SIZE - 1;
    for (size_t i = 0; i < kept; i++)
        name[i] = (char)tolower((unsigned char)variable[prefix + i]);
    name[kept] = '\0';
    return find(name, kept);
}

/* The items of "a,b"; blanks around them are none of theirs. */
static bool set_items(struct options *options, const struct option *option, const char *items,
                      const char *place, char error[OPTIONS_ERROR_SIZE])
{
    for (;;) {
        items += strspn(items, " \t");
        size_t length = strcspn(items, ",");
        size_t kept = length;
        while (kept && (items[kept - 1] == ' ' || items[kept - 1] == '\t'))
            kept--;
        const char *item = arena_copy(&options->texts, items, kept);
        if (!item || !set(options, option, item, OPTIONS_ENVIRONMENT, place, error))
            return false;
        if (items[length] == '\0')
            return true;
        items += length + 1;
    }
}

static bool read_variable(struct options *options, const char *variable, char error[OPTIONS_ERROR_SIZE])
{
    char name[NAME_SIZE], place[NAME_SIZE];
    size_t length = strcspn(variable, "=");
    if (variable[length] != '=' || variable[length + 1] == '\0')
        return true; /* an empty variable is as good as none */
    (void)snprintf(place, sizeof place, "%.*s", (int)length, variable);
    const struct option *option = find_variable(variable, length, name);
    if (!option)
        return true; /* others name variables too */
    const char *value = variable + length + 1;
    return option->kind == OPTION_LIST ? set_items(options, option, value, place, error)
                                       : set(options, option, value, OPTIONS_ENVIRONMENT, place, error);
}

bool options_read_environment(struct options *options, char *const *environment,
                              char error[OPTIONS_ERROR_SIZE])
{
    for (; *environment; environment++)
        if (strncmp(*environment, PREFIX, strlen(PREFIX)) == 0 &&
            !read_variable(options, *environment, error))
            return false;
    return true;
}

/* Every container is given ARBITER_SERVICE_HOST, ARBITER_SERVICE_PORT, ARBITER_PORT and ARBITER_PORT_8080_TCP with its like
 * for a service "arbiter". https://kubernetes.io/docs/concepts/services-networking/service/#environment-variables */
static bool is_of_kubernetes(const char *name)
{
    const char *port = strstr(name, "port");
    return strstr(name, "service_host") || strstr(name, "service_port") ||
           (port && (port[4] == '\0' || (port[4] == '_' && isdigit((unsigned char)port[5]))));
}

char *const *options_unknown_variable(char *const *environment, bool *is_near, char error[OPTIONS_ERROR_SIZE])
{
    for (; *environment; environment++) {
        char name[NAME_SIZE], place[NAME_SIZE];
        size_t length = strcspn(*environment, "=");
        if (strncmp(*environment, PREFIX, strlen(PREFIX)) != 0 || (*environment)[length] == '\0' ||
            find_variable(*environment, length, name) || is_of_kubernetes(name))
            continue;
        (void)snprintf(place, sizeof place, "%.*s", (int)length, *environment);
        *is_near = name_the_nearest(name, strlen(name), place, error);
        return environment;
    }
    return NULL;
}

enum options_taken options_read_argument(struct options *options, char *const *arguments, int *used,
                                         char error[OPTIONS_ERROR_SIZE])
{
    const char *flag = arguments[0];
    size_t length = strcspn(flag, "=");
    const struct option *option = strncmp(flag, "--", 2) == 0 ? find(flag + 2, length - 2) : NULL;
    if (!option) {
        size_t dashes = strspn(flag, "-");
        (void)name_the_nearest(flag + dashes, length - dashes, "", error);
        return OPTIONS_UNKNOWN;
    }
    const char *value = flag[length] == '=' ? flag + length + 1 : arguments[1];
    *used = flag[length] == '=' ? 1 : 2;
    char place[64];
    (void)snprintf(place, sizeof place, "%.*s", (int)length, flag);
    return set(options, option, value ? value : "", OPTIONS_FLAG, place, error) ? OPTIONS_TAKEN
                                                                                : OPTIONS_WRONG;
}
