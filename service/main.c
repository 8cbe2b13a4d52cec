/* arbiterd: the Laws of Chess as an HTTP service. This file: which command runs. */
#include <errno.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "service/build_info.h"
#include "service/commands/commands.h"
#include "api/nearest.h"

static const struct command {
    const char *name;
    enum exit_code (*run)(char *const *arguments);
    const char *help;
} COMMANDS[] = {
    {"serve", command_serve, "Run the service: the default."},
    {"config", command_config, "Print or check the settings."},
    {"import", command_import, "Put the games of a PGN file into the store."},
    {"export", command_export, "Write games of the store as PGN."},
    {"backup", command_backup, "Copy the store while the service runs."},
    {"check", command_check, "Look for damage in the store, and rebuild every game from its log."},
    {"token", command_token, "Replace a lost token of a game, or make an operator's key."},
    {"perft", command_perft, "Count the move sequences of a position."},
    {"winnable", command_winnable, "Tell for a file of positions who can still mate."},
};
enum { COMMAND_COUNT = sizeof COMMANDS / sizeof *COMMANDS };

static enum exit_code print_help(void)
{
    (void)puts("Usage: arbiterd [COMMAND] [OPTION...]\n"
               "\n"
               "The Laws of Chess as an HTTP service.\n"
               "\n"
               "Commands:");
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        (void)printf("  %-8s  %s\n", COMMANDS[i].name, COMMANDS[i].help);
    (void)puts(
        "\n"
        "arbiterd COMMAND --help tells the options of a command: arbiterd serve --help those of the "
        "service.\n"
        "arbiterd --version [--verbose] tells the version (and those of the libraries).\n"
        "\n"
        "The two options everybody needs:\n"
        "  arbiterd --listen 127.0.0.1:8080 --db sqlite:arbiter.db\n"
        "\n"
        "Exit codes: 0 done, 1 failed, 2 wrong use, 3 data refused, 4 data locked by another process,\n"
        "78 wrong config file, 130 and 143 ended by SIGINT or SIGTERM (the service: at once, by a second "
        "one).");
    return EXIT_DONE;
}

static enum exit_code print_version(char *const *arguments)
{
    bool verbose = arguments[0] && strcmp(arguments[0], "--verbose") == 0;
    (void)printf("arbiterd %s\n", ARBITER_VERSION);
    if (verbose)
        (void)puts(build_info());
    return EXIT_DONE;
}

static enum exit_code refuse_command(const char *name)
{
    const char *best = NULL;
    char reason[160];
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        best = nearest_of(name, best, COMMANDS[i].name);
    (void)snprintf(reason, sizeof reason, "there is no command '%.64s'%s%s%s", name,
                   best ? ": did you mean " : "", best ? best : "", best ? "?" : "");
    return command_usage("", reason);
}

static enum exit_code run(char *const *arguments)
{
    const char *first = arguments[0];
    if (first && (strcmp(first, "--help") == 0 || strcmp(first, "-h") == 0 || strcmp(first, "help") == 0))
        return print_help();
    if (first && strcmp(first, "--version") == 0)
        return print_version(arguments + 1);
    if (!first || *first == '-')
        return command_serve(arguments);
    for (size_t i = 0; i < COMMAND_COUNT; i++)
        if (strcmp(first, COMMANDS[i].name) == 0)
            return COMMANDS[i].run(arguments + 1);
    return refuse_command(first);
}

/* A command that prints looks at nothing of it: what did not arrive is told here. `arbiterd --help >/dev/full` has
 * failed. */
static enum exit_code end(enum exit_code code)
{
    bool is_flushed = fflush(stdout) == 0;
    if (is_flushed && !ferror(stdout))
        return code;
    if (code != EXIT_FAILED) /* else it has said why */
        (void)fprintf(stderr, "arbiterd: standard output: %s\n",
                      is_flushed ? "not all could be written" : strerror(errno));
    return EXIT_FAILED;
}

/* A write beyond the limit that the process may write (RLIMIT_FSIZE) fails like one to a full disk, instead of ending
 * the program: whichever command writes, and whatever it writes to. */
static void fail_long_writes(void)
{
    const struct sigaction ignoring = {.sa_handler = SIG_IGN};
    (void)sigaction(SIGXFSZ, &ignoring, NULL);
}

int main(int count, char **arguments)
{
    fail_long_writes();
    return (int)end(run(arguments + (count > 0)));
}
