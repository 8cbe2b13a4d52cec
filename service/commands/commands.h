/* commands: the subcommands of arbiterd. Adding one is a function here and a row in service/main.c.
 *
 * Layer: service; these may use rules and storage too. */
#pragma once

enum exit_code {
    EXIT_DONE = 0,
    EXIT_FAILED = 1,
    EXIT_USAGE = 2,
    EXIT_REFUSED = 3,     /* data refused or damaged */
    EXIT_LOCKED = 4,      /* another process holds the store */
    EXIT_CONFIG = 78,     /* EX_CONFIG of sysexits.h: a restart will not help */
    EXIT_SIGNALLED = 128, /* and the number of the signal */
};

/* `arguments` are those behind the command's name, ended by NULL. Each returns an exit code. That what it printed has
 * arrived is looked at by main(). */
enum exit_code command_serve(char *const *arguments);
enum exit_code command_config(char *const *arguments);
enum exit_code command_perft(char *const *arguments);
enum exit_code command_winnable(char *const *arguments);
enum exit_code command_import(char *const *arguments);
enum exit_code command_export(char *const *arguments);
enum exit_code command_check(char *const *arguments);
enum exit_code command_backup(char *const *arguments);
enum exit_code command_token(char *const *arguments);

/* Wrong use: one line with the reason and one with a hint, to stderr. Returns EXIT_USAGE. */
enum exit_code command_usage(const char *command, const char *reason);
