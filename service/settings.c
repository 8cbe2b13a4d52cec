#include "service/settings.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "service/operators.h"

static void give(const struct settings_switch *one, const char *argument)
{
    if (one->is_given)
        *one->is_given = true;
    if (one->argument)
        *one->argument = argument;
}

/* How many arguments it takes; 0: it is not this one. */
static int take_flag(const struct settings_switch *one, char *const *arguments)
{
    size_t length = strlen(one->name);
    if (strncmp(one->name, arguments[0], length) != 0)
        return 0;
    const char *behind = arguments[0] + length;
    if (one->argument && *behind == '=') {
        give(one, behind + 1);
        return 1;
    }
    if (*behind != '\0')
        return 0;
    give(one, one->argument ? arguments[1] : NULL);
    return one->argument && arguments[1] ? 2 : 1;
}

/* "-" alone is a file. */
static bool is_operand(const char *argument)
{
    return argument[0] != '-' || argument[1] == '\0';
}

/* The same over all of them; `operands` have come before. */
static int take_switch(const struct settings_switch *switches, char *const *arguments, size_t *operands)
{
    int used = 0;
    for (; switches->name && used == 0; switches++) {
        if (*switches->name) {
            used = take_flag(switches, arguments);
        } else if (is_operand(arguments[0])) {
            switches->argument[(*operands)++] = arguments[0];
            used = 1;
        }
    }
    return used;
}

static bool is_asked_for_help(const struct settings_switch *switches)
{
    for (; switches->name; switches++)
        if (strcmp(switches->name, "--help") == 0 && *switches->is_given)
            return true;
    return false;
}

static bool read_flags(struct options *options, char *const *arguments,
                       const struct settings_switch *switches, char error[OPTIONS_ERROR_SIZE])
{
    size_t operands = 0;
    while (*arguments) {
        int used = take_switch(switches, arguments, &operands);
        if (used == 0 && options_read_argument(options, arguments, &used, error) != OPTIONS_TAKEN)
            return false;
        arguments += used;
    }
    return true;
}

static enum exit_code read_sources(struct options *options, const char *command, char *const *arguments,
                                   const struct settings_switch *switches)
{
    char error[OPTIONS_ERROR_SIZE];
    if (!read_flags(options, arguments, switches, error) ||
        (!is_asked_for_help(switches) && !options_read_environment(options, environ, error)))
        return command_usage(command, error);
    const char *path = options_values(options)->config;
    if (!path || is_asked_for_help(switches) || options_read_file(options, path, error))
        return EXIT_DONE;
    (void)fprintf(stderr, "arbiterd: %s\n", error);
    return EXIT_CONFIG;
}

const char **settings_operands(char *const *arguments)
{
    size_t count = 0;
    while (arguments[count])
        count++;
    const char **operands = calloc(count + 1, sizeof *operands);
    if (!operands)
        (void)fputs("arbiterd: out of memory\n", stderr);
    return operands;
}

enum exit_code settings_read(const char *command, char *const *arguments,
                             const struct settings_switch *switches, struct options **options)
{
    *options = options_create();
    if (!*options) {
        (void)fputs("arbiterd: out of memory\n", stderr);
        return EXIT_FAILED;
    }
    enum exit_code code = read_sources(*options, command, arguments, switches);
    if (code == EXIT_DONE)
        return code;
    options_destroy(*options);
    *options = NULL;
    return code;
}

static enum exit_code check_files(const struct options *options)
{
    char error[OPERATORS_ERROR_SIZE] = "out of memory";
    struct operators *operators = operators_create();
    enum exit_code code = operators ? EXIT_DONE : EXIT_FAILED;
    if (operators && !operators_read(operators, options_values(options)->operator_keys, error))
        code = EXIT_CONFIG;
    operators_destroy(operators);
    if (code != EXIT_DONE)
        (void)fprintf(stderr, "arbiterd: %s\n", error);
    return code;
}

enum exit_code settings_check(const char *command, const struct options *options)
{
    char error[OPTIONS_ERROR_SIZE];
    bool is_near = false;
    if (options_unknown_variable(environ, &is_near, error))
        return command_usage(command, error);
    return check_files(options);
}
