#include <stdio.h>

#include "service/commands/commands.h"

enum exit_code command_usage(const char *command, const char *reason)
{
    (void)fprintf(stderr, "arbiterd: %s\n", reason);
    (void)fprintf(stderr, "Try: arbiterd %s%s--help\n", command, *command ? " " : "");
    return EXIT_USAGE;
}
