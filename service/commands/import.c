#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "games/import.h"
#include "service/commands/commands.h"
#include "service/default_access.h"
#include "service/interrupt.h"
#include "service/progress.h"
#include "service/settings.h"
#include "service/store_open.h"

enum {
    CHUNK_BYTES = 1 << 16,
    MEMORY_BYTES = 4 << 20, /* of games that are there: nobody reads them here */
};

static const char HELP[] =
    "Usage: arbiterd import [OPTION...] FILE\n"
    "\n"
    "Puts every good game of a PGN file into the store, each whole or not at all; - is standard\n"
    "input. What is wrong with the others is told as FILE:LINE:COLUMN. A result that the board\n"
    "does not show is kept as recorded. SIGINT ends it after whole games, and tells which game\n"
    "would have been next.\n"
    "\n"
    "  --validate          Only tell what is wrong; nothing is written and no store is opened.\n"
    "  --chess960          Games that name no variant are Chess960.\n"
    "  --visibility WORD   public or unlisted; without it public where games are open, and unlisted\n"
    "                      where they have seats.\n"
    "\n"
    "Archives have games that went on where a rule ends them here. These read them:\n"
    "  --dead-position WORD  exact (without it), material or off (5.2.2).\n"
    "  --no-fivefold         The fifth repetition ends no game (9.6.1).\n"
    "  --no-seventyfive      75 moves without capture or pawn move end no game (9.6.2).\n"
    "\n"
    "Where games are kept (--db), --limit-plies, --synchronous and --default-access (with --listen and\n"
    "--trusted-proxy, where it is auto) are set as for `arbiterd serve`, which must not run on the same\n"
    "store meanwhile. With seats nobody has a token of these games: they can be read and forked, and\n"
    "`arbiterd token` makes one.\n"
    "\n"
    "Exit codes: 0 done, 1 failed, 3 some games were refused, 4 another process holds the store,\n"
    "130 and 143 ended by SIGINT and SIGTERM.\n";

struct run {
    const char *name; /* for messages */
    int file;
    bool validate_only;
    struct import *import;
    struct progress progress;
    uint64_t bytes, good, refused, warnings;
};

/* ---- what comes of a game ---------------------------------------------------------------------------- */

static void print_fault(struct run *run, const struct pgn_fault *fault)
{
    progress_clear(&run->progress);
    (void)fprintf(stderr, "%s:%u:%u: %s: %s: %s", run->name, fault->line, fault->column,
                  pgn_severity_name(fault->severity), pgn_fault_code_name(fault->code), fault->detail);
    (void)fprintf(stderr, *fault->token ? " (%s)\n" : "\n", fault->token);
}

static void take_text_fault(void *context, const struct pgn_fault *fault)
{
    struct run *run = context;
    print_fault(run, fault);
    run->refused++;
}

static bool take_game(void *context, const struct import_game *game)
{
    struct run *run = context;
    for (size_t i = 0; i < game->fault_count; i++) {
        print_fault(run, &game->faults[i]);
        run->warnings += game->faults[i].severity == PGN_WARNING;
    }
    run->good += game->outcome == IMPORT_GAME_CREATED || game->outcome == IMPORT_GAME_GOOD;
    run->refused += game->outcome == IMPORT_GAME_REFUSED;
    if (game->outcome == IMPORT_GAME_NOT_STORED) {
        progress_clear(&run->progress);
        (void)fprintf(stderr, "arbiterd: %s:%u: this game was not stored\n", run->name, game->place.line);
    }
    progress_tell(&run->progress, run->good + run->refused, run->bytes);
    return true;
}

/* ---- the file ---------------------------------------------------------------------------------------- */

static uint64_t size_of(int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
}

/* IMPORT_STATUS_COUNT: the file cannot be read; errno says why. */
static enum import_status read_file(struct run *run)
{
    static char chunk[CHUNK_BYTES];
    enum import_status status = IMPORT_GOES_ON;
    while (status == IMPORT_GOES_ON) {
        if (!interrupt_await(run->file))
            return import_stop(run->import);
        ssize_t length = read(run->file, chunk, sizeof chunk);
        if (length ==
            0) /* a signal that ended who wrote to us has come to us, too: what he wrote is not whole */
            return interrupt_await(-1) ? import_end(run->import) : import_stop(run->import);
        if (length < 0 && errno != EINTR) {
            int kept = errno;
            (void)import_stop(run->import);
            errno = kept;
            return IMPORT_STATUS_COUNT;
        }
        if (length > 0) {
            run->bytes += (uint64_t)length;
            status = import_read(run->import, chunk, (size_t)length);
        }
    }
    return status;
}

static void print_summary(const struct run *run)
{
    double seconds = progress_seconds(&run->progress);
    (void)printf("%s %" PRIu64 " games, refused %" PRIu64 ", %" PRIu64 " warnings, %.1f MB in %.2f s: "
                 "%.0f games/s, %.2f MB/s\n",
                 run->validate_only ? "good" : "imported", run->good, run->refused, run->warnings,
                 (double)run->bytes / 1e6, seconds, (double)(run->good + run->refused) / seconds,
                 (double)run->bytes / 1e6 / seconds);
}

/* Where to go on. */
static void print_next(const struct run *run)
{
    struct pgn_place next = import_next(run->import);
    if (next.line)
        (void)fprintf(stderr, "arbiterd: the next would have been game %u, line %u\n", next.index + 1,
                      next.line);
    else
        (void)fprintf(stderr, "arbiterd: the next would have been game %u\n", next.index + 1);
}

static enum exit_code import_file(struct run *run)
{
    progress_begin(&run->progress, size_of(run->file), 0);
    enum import_status status = read_file(run);
    const char *why = status == IMPORT_STATUS_COUNT ? strerror(errno) : import_status_text(status);
    progress_clear(&run->progress);
    print_summary(run);
    if (status == IMPORT_DONE)
        return run->refused ? EXIT_REFUSED : EXIT_DONE;
    (void)fprintf(stderr, "arbiterd: %s: %s\n", run->name, why);
    print_next(run);
    return status == IMPORT_STOPPED ? (enum exit_code)(EXIT_SIGNALLED + interrupt_signal()) : EXIT_FAILED;
}

/* ---- the command ------------------------------------------------------------------------------------- */

struct request {
    bool help, validate, chess960, no_fivefold, no_seventyfive;
    bool has_dead, has_visibility;
    const char *dead, *visibility;
};

/* NULL: it is understood, and in `settings`; else what is wrong. */
static const char *read_request(const struct request *request, const struct options_values *values,
                                struct import_settings *settings)
{
    enum ending_dead dead = ENDING_DEAD_EXACT;
    enum game_access access = default_access_of_settings(values);
    *settings = (struct import_settings){
        .validate_only = request->validate,
        .chess960 = request->chess960,
        .rules = game_rules_default(PROFILE_FIDE),
        .access = access,
        .visibility = game_visibility_default(access),
    };
    if (request->has_dead && !game_dead_parse(request->dead, &dead))
        return "--dead-position is exact, material or off";
    bool known =
        !request->has_visibility || game_visibility_parse(request->visibility, &settings->visibility);
    if (!known || settings->visibility == VISIBILITY_PRIVATE) /* which needs tokens */
        return "--visibility is public or unlisted";
    settings->rules.dead = (uint8_t)dead;
    settings->rules.fivefold = !request->no_fivefold;
    settings->rules.seventyfive = !request->no_seventyfive;
    return NULL;
}

static enum exit_code fail(const char *reason)
{
    (void)fprintf(stderr, "arbiterd: %s\n", reason);
    return EXIT_FAILED;
}

static enum exit_code with_store(struct run *run, const struct import_settings *settings,
                                 const struct options_values *values, struct storage *storage)
{
    struct games_settings games_settings = games_settings_usual(MEMORY_BYTES);
    games_settings.plies_limit = (uint32_t)values->limits.plies;
    const struct import_handler handler = {.context = run, .game = take_game, .fault = take_text_fault};
    struct games *games = games_create(storage, &games_settings);
    run->import = games ? import_create(games, settings, &handler) : NULL;
    enum exit_code code = run->import ? import_file(run) : fail(games_create_failure(storage));
    import_destroy(run->import);
    games_destroy(games);
    return code;
}

static enum exit_code open_and_run(struct run *run, const struct import_settings *settings,
                                   const struct options_values *values)
{
    struct storage *storage = NULL;
    const struct storage_options options = {.synchronous_normal =
                                                values->synchronous == OPTIONS_SYNCHRONOUS_NORMAL};
    enum exit_code code =
        settings->validate_only ? EXIT_DONE : store_open_told(values->db, &options, &storage);
    if (code == EXIT_DONE)
        code = with_store(run, settings, values, storage);
    storage_close(storage);
    return code;
}

static enum exit_code run_file(const char *path, const struct import_settings *settings,
                               const struct options_values *values)
{
    bool is_input = strcmp(path, "-") == 0;
    struct run run = {.name = is_input ? "<stdin>" : path, .validate_only = settings->validate_only};
    run.file = is_input ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (run.file < 0) {
        (void)fprintf(stderr, "arbiterd: %s: %s\n", path, strerror(errno));
        return EXIT_FAILED;
    }
    interrupt_begin();
    enum exit_code code = open_and_run(&run, settings, values);
    if (!is_input)
        (void)close(run.file);
    return code;
}

static enum exit_code run_request(const struct request *request, const char *const *files,
                                  const struct options_values *values)
{
    struct import_settings settings;
    if (request->help) {
        (void)fputs(HELP, stdout);
        return EXIT_DONE;
    }
    const char *wrong = read_request(request, values, &settings);
    if (!wrong && (!files[0] || files[1]))
        wrong = "import needs one FILE, or - for standard input";
    return wrong ? command_usage("import", wrong) : run_file(files[0], &settings, values);
}

enum exit_code command_import(char *const *arguments)
{
    struct request request = {0};
    const char **files = settings_operands(arguments);
    if (!files)
        return EXIT_FAILED;
    const struct settings_switch switches[] = {
        {.name = "--help", .is_given = &request.help},
        {.name = "--validate", .is_given = &request.validate},
        {.name = "--chess960", .is_given = &request.chess960},
        {.name = "--no-fivefold", .is_given = &request.no_fivefold},
        {.name = "--no-seventyfive", .is_given = &request.no_seventyfive},
        {.name = "--dead-position", .is_given = &request.has_dead, .argument = &request.dead},
        {.name = "--visibility", .is_given = &request.has_visibility, .argument = &request.visibility},
        {.name = "", .argument = files},
        {.name = NULL}};
    struct options *options = NULL;
    enum exit_code code = settings_read("import", arguments, switches, &options);
    if (code == EXIT_DONE)
        code = run_request(&request, files, options_values(options));
    options_destroy(options);
    free((void *)files);
    return code;
}
