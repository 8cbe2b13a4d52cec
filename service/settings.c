#include "service/settings.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

static bool take_switch(const struct settings_switch *switches, const char *argument)
{
    for (; switches->name; switches++) {
        if (strcmp(switches->name, argument) == 0) {
            *switches->is_given = true;
            return true;
        }
    }
    return false;
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
    while (*arguments) {
        int used = 1;
        if (!take_switch(switches, *arguments) &&
            options_read_argument(options, arguments, &used, error) != OPTIONS_TAKEN)
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
