#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "api/json.h"
#include "api/metadata.h"
#include "api/text.h"
#include "games/check.h"
#include "rules/utf8.h"
#include "service/commands/commands.h"
#include "service/interrupt.h"
#include "service/progress.h"
#include "service/settings.h"
#include "service/store_open.h"

static const char HELP[] =
    "Usage: arbiterd check [OPTION...]\n"
    "\n"
    "Looks for damage in the store: first in the file itself, then every game is rebuilt from its\n"
    "log by the rules, and compared with what the store says of it: moves, position keys, clocks,\n"
    "status and result. Each finding is a line on standard output: the game, the version of the row\n"
    "of its log, what is wrong, what should stand there and what does. Nothing is changed.\n"
    "\n"
    "  --json  Findings as JSON objects, one a line, with game, version, what, expected and found;\n"
    "          the last line is the summary, unless nothing could be read.\n"
    "\n"
    "Where games are kept (--db) is set as for `arbiterd serve`, which may run on the same store\n"
    "meanwhile; the store's log grows until the file itself has been read. How far it has come is\n"
    "told on standard error, and at once on SIGUSR1.\n"
    "\n"
    "Exit codes: 0 nothing is wrong, 1 failed, 3 there are findings, or the file is no store, 130 and\n"
    "143 ended by SIGINT and SIGTERM.\n";

struct run {
    bool json;
    struct progress progress;
    struct check_progress done;
    uint64_t findings;
    char fault[STORAGE_ERROR_SIZE]; /* why the store could not be read, the last time; empty: it could */
};

/* ---- findings ---------------------------------------------------------------------------------------- */

/* What stands in a damaged row may be any bytes: on one line, harmless to a terminal, and UTF-8. */
static const char *shown(struct arena *arena, const char *text)
{
    struct writer writer;
    if (!text)
        return NULL;
    writer_init(&writer, arena, strlen(text) + 1);
    writer_line(&writer, text);
    writer_char(&writer, '\0');
    if (writer.failed)
        return "";
    size_t length = writer.length - 1;
    for (size_t at = 0; (at += utf8_valid(writer.data + at, length - at)) < length;)
        writer.data[at] = '?';
    return writer.data;
}

static void write_json(struct writer *writer, const struct storage_finding *finding)
{
    json_object_begin(writer, NULL);
    json_string(writer, "game", shown(writer->arena, finding->id));
    if (finding->version)
        json_int(writer, "version", finding->version);
    else
        json_null(writer, "version");
    json_string(writer, "what", finding->what);
    json_string(writer, "expected", shown(writer->arena, finding->expected));
    json_string(writer, "found", shown(writer->arena, finding->found));
    json_object_end(writer);
    writer_char(writer, '\n');
}

/* "abcdefghjkmn version 12: position_key: expected 0123456789abcdef, found 0023456789abcdef" */
static void write_line(struct writer *writer, const struct storage_finding *finding)
{
    writer_text(writer, finding->id ? shown(writer->arena, finding->id) : "store");
    if (finding->version)
        writer_printf(writer, " version %" PRIu32, finding->version);
    writer_printf(writer, ": %s: ", finding->what);
    if (finding->expected)
        writer_printf(writer, "expected %s, ", shown(writer->arena, finding->expected));
    writer_printf(writer, "found %s\n",
                  finding->found ? shown(writer->arena, finding->found) : "something else");
}

/* A line is whole before anything else happens: whoever reads it may wait for it. */
static void print_finding(void *context, const struct storage_finding *finding)
{
    struct run *run = context;
    struct arena arena;
    struct writer writer;
    arena_init(&arena);
    writer_init(&writer, &arena, 256);
    (run->json ? write_json : write_line)(&writer, finding);
    progress_clear(&run->progress);
    if (!writer.failed)
        (void)fwrite(writer.data, 1, writer.length, stdout);
    (void)fflush(stdout);
    arena_finish(&arena);
    run->findings++;
}

/* ---- the work ---------------------------------------------------------------------------------------- */

static bool file_goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    struct run *run = context;
    run->progress.total_bytes = total_bytes;
    progress_tell(&run->progress, 0, done_bytes);
    return interrupt_await(-1);
}

static bool games_go_on(void *context)
{
    struct run *run = context;
    progress_tell(&run->progress, run->done.games, 0);
    return interrupt_await(-1);
}

static bool count_game(void *context, const struct storage_game *row)
{
    (void)row;
    ++*(uint64_t *)context;
    return true;
}

static void note_fault(void *context, enum storage_side side, enum storage_status status, const char *text)
{
    struct run *run = context;
    (void)side;
    (void)snprintf(run->fault, sizeof run->fault, "%s", status == STORAGE_OK ? "" : text);
}

static enum exit_code fail(struct run *run, const char *reason)
{
    progress_clear(&run->progress);
    (void)fprintf(stderr, "arbiterd: %s%s%s\n", reason, *run->fault ? ": " : "", run->fault);
    return EXIT_FAILED;
}

static enum exit_code stopped(void)
{
    return (enum exit_code)(EXIT_SIGNALLED + interrupt_signal());
}

static enum exit_code check_file(struct run *run, struct storage *storage)
{
    const struct storage_work work = {.context = run, .goes_on = file_goes_on};
    progress_begin_bytes(&run->progress, "the file", 0);
    enum storage_status status = storage_inspect(storage, &work, run, print_finding);
    progress_clear(&run->progress);
    if (status == STORAGE_STOPPED)
        return stopped();
    return status == STORAGE_OK ? EXIT_DONE : fail(run, "the store cannot be checked");
}

static enum exit_code check_all_games(struct run *run, struct storage *storage)
{
    const struct check_handler handler = {
        .context = run, .finding = print_finding, .goes_on = games_go_on, .read_metadata = metadata_read};
    uint64_t total = 0;
    const struct storage_rows counting = {.context = &total, .game = count_game};
    (void)storage_all(storage, 0, 0, &counting); /* of a damaged store: as many as there can be counted */
    progress_begin(&run->progress, 0, total);
    enum check_status status = check_games(storage, &handler, &run->done);
    progress_clear(&run->progress);
    switch (status) {
    case CHECK_DONE:
        return run->findings ? EXIT_REFUSED : EXIT_DONE;
    case CHECK_STOPPED:
        return stopped();
    case CHECK_FAILED:
        break;
    }
    return fail(run, "the games cannot be checked, since the store is busy or memory is out");
}

static void print_summary(const struct run *run, bool whole, double seconds)
{
    if (run->json)
        (void)printf("{\"games\":%" PRIu64 ",\"rows\":%" PRIu64 ",\"findings\":%" PRIu64
                     ",\"damaged_games\":%" PRIu64 ",\"whole\":%s}\n",
                     run->done.games, run->done.rows, run->findings, run->done.damaged,
                     whole ? "true" : "false");
    else
        (void)printf("checked %" PRIu64 " games, %" PRIu64 " rows in %.2f s: %" PRIu64 " findings, %" PRIu64
                     " damaged games%s\n",
                     run->done.games, run->done.rows, seconds, run->findings, run->done.damaged,
                     whole ? "" : "; not all was looked at");
}

static enum exit_code check_store(struct run *run, struct storage *storage)
{
    struct progress whole;
    progress_begin(&whole, 0, 0);
    enum exit_code code = check_file(run, storage);
    if (code == EXIT_DONE)
        code = check_all_games(run, storage);
    bool is_whole = code == EXIT_DONE || code == EXIT_REFUSED;
    if (is_whole || run->done.games || run->findings)
        print_summary(run, is_whole, progress_seconds(&whole));
    return code;
}

static enum exit_code run_check(bool json, const struct options_values *values)
{
    struct run run = {.json = json};
    struct storage *storage = NULL;
    const struct storage_options options = {
        .read_only = true, .even_damaged = true, .watch = {.context = &run, .note = note_fault}};
    interrupt_begin();
    enum exit_code code = store_open_told(values->db, &options, &storage);
    if (code == EXIT_DONE)
        code = check_store(&run, storage);
    storage_close(storage);
    return code;
}

enum exit_code command_check(char *const *arguments)
{
    bool help = false, json = false;
    const struct settings_switch switches[] = {
        {.name = "--help", .is_given = &help}, {.name = "--json", .is_given = &json}, {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("check", arguments, switches, &options);
    if (code == EXIT_DONE && help)
        (void)fputs(HELP, stdout);
    else if (code == EXIT_DONE)
        code = run_check(json, options_values(options));
    options_destroy(options);
    return code;
}
