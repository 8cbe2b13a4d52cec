#include <stdio.h>
#include <unistd.h>

#include "service/commands/commands.h"
#include "service/settings.h"

static const char HELP[] =
    "Usage: arbiterd config [--check] [OPTION...]\n"
    "\n"
    "Prints every setting with its value and where it came from, as a config file. The\n"
    "options are those of `arbiterd serve`.\n"
    "\n"
    "  --print  Print the settings: the default.\n"
    "  --check  Print nothing: only the exit code tells (0 good, 2 wrong flag or variable,\n"
    "           78 wrong config file or operators' keys). A variable ARBITER_… that is no\n"
    "           setting is wrong, too.\n";

enum exit_code command_config(char *const *arguments)
{
    bool help = false, print = false, check = false;
    const struct settings_switch switches[] = {{.name = "--help", .is_given = &help},
                                               {.name = "--print", .is_given = &print},
                                               {.name = "--check", .is_given = &check},
                                               {.name = "--check-config", .is_given = &check},
                                               {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("config", arguments, switches, &options);
    if (code != EXIT_DONE)
        return code;
    if (help)
        (void)fputs(HELP, stdout);
    else if (print || !check)
        options_print(options, stdout);
    else
        code = settings_check("config", options);
    options_destroy(options);
    return code;
}
