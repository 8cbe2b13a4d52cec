/* settings: options read from all their sources, in the order that decides, for the commands that take them.
 *
 * Layer: service. */
#pragma once

#include <stdbool.h>

#include "service/commands/commands.h"
#include "service/options.h"

/* Arguments that are no settings. Ends with a NULL name. */
struct settings_switch {
    const char *name; /* "--help"; "": what is no flag, a file say */
    bool *is_given;   /* set to true; NULL: not wanted */
    /* Not NULL: the flag has one, behind it or behind "=", and that is put here. For "" it is itself put here, and in
     * the places behind it: settings_operands. */
    const char **argument;
};

/* Room for all arguments and a NULL, zeroed; the caller's to free. NULL: memory is out, which stderr says. */
const char **settings_operands(char *const *arguments);

/* Reads flags, environment and config file. EXIT_DONE: *options is the caller's to destroy. Else the reason
 * is on stderr already and nothing is left to free. */
enum exit_code settings_read(const char *command, char *const *arguments,
                             const struct settings_switch *switches, struct options **options);

/* What one wants to know who asks whether the settings that were read are good: the files that they name are read too, and
 * a variable with our prefix that is no setting is wrong (options_unknown_variable). Else the reason is on stderr. */
enum exit_code settings_check(const char *command, const struct options *options);
