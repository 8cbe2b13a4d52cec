/* settings: options read from all their sources, in the order that decides, for the commands that take them.
 *
 * Layer: service. */
#pragma once

#include <stdbool.h>

#include "service/commands/commands.h"
#include "service/options.h"

/* Flags that are no settings: each sets `*is_given`. Ends with a NULL name. */
struct settings_switch {
    const char *name; /* "--help" */
    bool *is_given;
};

/* Reads flags, environment and config file. EXIT_DONE: *options is the caller's to destroy. Else the reason
 * is on stderr already and nothing is left to free. */
enum exit_code settings_read(const char *command, char *const *arguments,
                             const struct settings_switch *switches, struct options **options);
