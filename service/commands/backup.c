#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "service/commands/commands.h"
#include "service/interrupt.h"
#include "service/progress.h"
#include "service/settings.h"
#include "service/store_open.h"

static const char HELP[] =
    "Usage: arbiterd backup [OPTION...] FILE\n"
    "\n"
    "Copies the store, as it is at one moment, to a new FILE: a store of its own with all that was\n"
    "acknowledged before. It is written as FILE.draft, looked through, and gets its name when it is\n"
    "whole and safe on the disk; an existing FILE is never touched, and a FILE.draft that an ended\n"
    "backup has left is replaced. To restore, end the service and put FILE in the store's place.\n"
    "\n"
    "Where games are kept (--db) is set as for `arbiterd serve`, which may run on the same store\n"
    "meanwhile and waits for nothing; the store's log grows until the copy is made. How far it has\n"
    "come is told on standard error, and at once on SIGUSR1.\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 3 FILE is there already, or the store is damaged, 4 another backup\n"
    "writes the same FILE, 130 and 143 ended by SIGINT and SIGTERM.\n";

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    struct progress *progress = context;
    progress->total_bytes = total_bytes;
    progress_tell(progress, 0, done_bytes);
    return interrupt_await(-1);
}

static enum exit_code copy(struct storage *storage, const char *path)
{
    static const enum exit_code CODES[] = {
        [STORAGE_COPIED] = EXIT_DONE,
        [STORAGE_COPY_REFUSED] = EXIT_REFUSED,
        [STORAGE_COPY_LOCKED] = EXIT_LOCKED,
        [STORAGE_COPY_FAILED] = EXIT_FAILED,
    };
    char error[STORAGE_ERROR_SIZE] = "";
    struct progress progress;
    const struct storage_work work = {.context = &progress, .goes_on = goes_on};
    progress_begin_bytes(&progress, "the copy", 0);
    enum storage_copy_status status = storage_copy(storage, path, &work, error);
    progress_clear(&progress);
    if (status == STORAGE_COPIED)
        (void)printf("copied to %s in %.2f s\n", path, progress_seconds(&progress));
    else
        (void)fprintf(stderr, "arbiterd: %s\n", *error ? error : "ended by a signal; there is no copy");
    return status == STORAGE_COPY_STOPPED ? (enum exit_code)(EXIT_SIGNALLED + interrupt_signal())
                                          : CODES[status];
}

static enum exit_code run_backup(const char *path, const struct options_values *values)
{
    struct storage *storage = NULL;
    const struct storage_options options = {.read_only = true};
    interrupt_begin();
    enum exit_code code = store_open_told(values->db, &options, &storage);
    if (code == EXIT_DONE)
        code = copy(storage, path);
    storage_close(storage);
    return code;
}

static enum exit_code run_request(const char *const *files, const struct options_values *values)
{
    if (!files[0] || files[1])
        return command_usage("backup", "backup needs one FILE");
    if (strcmp(files[0], "-") == 0)
        return command_usage("backup", "a backup goes into a file, not to standard output");
    return *files[0] ? run_backup(files[0], values) : command_usage("backup", "the name of FILE is empty");
}

enum exit_code command_backup(char *const *arguments)
{
    bool help = false;
    const char **files = settings_operands(arguments);
    if (!files)
        return EXIT_FAILED;
    const struct settings_switch switches[] = {
        {.name = "--help", .is_given = &help}, {.name = "", .argument = files}, {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("backup", arguments, switches, &options);
    if (code == EXIT_DONE && help)
        (void)fputs(HELP, stdout);
    else if (code == EXIT_DONE)
        code = run_request(files, options_values(options));
    options_destroy(options);
    free((void *)files);
    return code;
}
