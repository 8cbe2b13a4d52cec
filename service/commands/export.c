#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/export.h"
#include "service/commands/commands.h"
#include "service/interrupt.h"
#include "service/output_file.h"
#include "service/progress.h"
#include "service/settings.h"
#include "service/store_open.h"

static const char HELP[] =
    "Usage: arbiterd export [OPTION...] --all | ID...\n"
    "\n"
    "Writes games of the store as PGN, with tags, comments and clocks: those of the IDs, or all,\n"
    "whoever may see them, in order of their creation.\n"
    "\n"
    "  --all          All games.\n"
    "  --output FILE  Write to FILE, which is replaced at once when all is written, or not at all;\n"
    "                 a device or a pipe is written straight to. Without it, or with -, to standard\n"
    "                 output.\n"
    "\n"
    "Where games are kept (--db) is set as for `arbiterd serve`, which may run on the same store\n"
    "meanwhile: each game is written as it is at its turn. Nothing in the store changes.\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 3 there is no such game, or one is damaged, 130 and 143 ended\n"
    "by SIGINT and SIGTERM.\n";

struct run {
    const char *path; /* NULL: standard output */
    struct output_file file;
    FILE *out;
    struct progress progress;
    struct export_progress done;
    uint64_t bytes;
    bool failed; /* a write did: errno */
    int error;
};

/* ---- where it goes ----------------------------------------------------------------------------------- */

static void note_error(struct run *run)
{
    if (!run->failed)
        run->error = errno;
    run->failed = true;
}

static bool open_output(struct run *run)
{
    run->out = stdout;
    if (!run->path)
        return true;
    if (!output_file_open(&run->file, run->path)) {
        note_error(run);
        return false;
    }
    run->out = run->file.stream;
    return true;
}

static void close_output(struct run *run, bool whole)
{
    bool good = run->path ? output_file_close(&run->file, whole && !run->failed) : fflush(run->out) == 0;
    if (!good)
        note_error(run);
}

static void write_bytes(void *context, const char *bytes, size_t length)
{
    struct run *run = context;
    if (run->failed)
        return;
    if (fwrite(bytes, 1, length, run->out) != length)
        note_error(run);
    run->bytes += length;
}

static bool stops(void *context)
{
    struct run *run = context;
    progress_tell(&run->progress, run->done.games, run->bytes);
    return run->failed || !interrupt_await(-1);
}

/* ---- what is written --------------------------------------------------------------------------------- */

static bool count_game(void *context, const struct storage_game *row)
{
    (void)row;
    ++*(uint64_t *)context;
    return true;
}

static enum export_status write_games(struct run *run, struct storage *storage, const char *const *ids)
{
    const struct export_settings settings = {.write = write_bytes, .context = run, .stops = stops};
    uint64_t total = 0;
    const struct storage_rows rows = {.context = &total, .game = count_game};
    progress_begin(&run->progress, 0, 0);
    if (!ids[0] && run->progress.shown && storage_all(storage, 0, 0, &rows) == STORAGE_OK)
        run->progress.total_games = total;
    if (!ids[0])
        return export_all(storage, &settings, &run->done);
    enum export_status status = EXPORT_DONE;
    for (; *ids && status == EXPORT_DONE; ids++)
        status = export_game(storage, *ids, &settings, &run->done);
    return status;
}

static void tell_failure(const struct run *run, enum export_status status)
{
    static const char *const reasons[] = {
        [EXPORT_DONE] = "",
        [EXPORT_STOPPED] = "ended by a signal",
        [EXPORT_NOT_FOUND] = "there is no such game",
        [EXPORT_DAMAGED] = "the stored moves of this game do not add up",
        [EXPORT_FAILED] = "the store cannot be read, or memory is out",
    };
    if (run->failed)
        (void)fprintf(stderr, "arbiterd: %s: %s\n", run->path ? run->path : "standard output",
                      strerror(run->error));
    else if (*run->done.id)
        (void)fprintf(stderr, "arbiterd: game %s: %s\n", run->done.id, reasons[status]);
    else
        (void)fprintf(stderr, "arbiterd: %s\n", reasons[status]);
}

static enum exit_code tell_end(const struct run *run, enum export_status status)
{
    if (run->failed || status != EXPORT_DONE)
        tell_failure(run, status);
    if (run->failed || status == EXPORT_FAILED)
        return EXIT_FAILED;
    if (status == EXPORT_STOPPED)
        return (enum exit_code)(EXIT_SIGNALLED + interrupt_signal());
    if (status != EXPORT_DONE)
        return EXIT_REFUSED;
    if (run->path)
        (void)printf("exported %" PRIu64 " games, %.1f MB in %.2f s\n", run->done.games,
                     (double)run->bytes / 1e6, progress_seconds(&run->progress));
    return EXIT_DONE;
}

static enum exit_code write_output(struct run *run, struct storage *storage, const char *const *ids)
{
    enum export_status status = EXPORT_FAILED;
    if (open_output(run)) {
        status = write_games(run, storage, ids);
        progress_clear(&run->progress);
        close_output(run, status == EXPORT_DONE);
    }
    return tell_end(run, status);
}

static enum exit_code run_store(const char *path, const char *const *ids, const struct options_values *values)
{
    struct run run = {.path = path && strcmp(path, "-") != 0 ? path : NULL};
    struct storage *storage = NULL;
    const struct storage_options reading = {.read_only = true};
    interrupt_begin();
    enum exit_code code = store_open_told(values->db, &reading, &storage);
    if (code == EXIT_DONE)
        code = write_output(&run, storage, ids);
    storage_close(storage);
    return code;
}

/* ---- the command ------------------------------------------------------------------------------------- */

struct request {
    bool help, all, has_output;
    const char *output;
};

static const char *wrong_of(const struct request *request, const char *const *ids)
{
    if (request->has_output && !request->output)
        return "--output needs a FILE";
    if (request->all == (ids[0] != NULL))
        return "export needs the IDs of games, or --all";
    for (; *ids; ids++)
        if (!game_id_is_valid(*ids, strlen(*ids)))
            return "the ID of a game is 12 lower-case letters and digits";
    return NULL;
}

static enum exit_code run_request(const struct request *request, const char *const *ids,
                                  const struct options_values *values)
{
    if (request->help) {
        (void)fputs(HELP, stdout);
        return EXIT_DONE;
    }
    const char *wrong = wrong_of(request, ids);
    return wrong ? command_usage("export", wrong) : run_store(request->output, ids, values);
}

enum exit_code command_export(char *const *arguments)
{
    struct request request = {0};
    const char **ids = settings_operands(arguments);
    if (!ids)
        return EXIT_FAILED;
    const struct settings_switch switches[] = {
        {.name = "--help", .is_given = &request.help},
        {.name = "--all", .is_given = &request.all},
        {.name = "--output", .is_given = &request.has_output, .argument = &request.output},
        {.name = "", .argument = ids},
        {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("export", arguments, switches, &options);
    if (code == EXIT_DONE)
        code = run_request(&request, ids, options_values(options));
    options_destroy(options);
    free((void *)ids);
    return code;
}
