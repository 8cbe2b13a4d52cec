#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/fen.h"
#include "rules/movegen.h"
#include "rules/notation.h"
#include "rules/winnable.h"
#include "service/commands/commands.h"
#include "service/monotonic.h"

enum { NODES_MAX = 100000000 };

static const char HELP[] =
    "Usage: arbiterd winnable [--nodes N] FILE\n"
    "\n"
    "Asks of each position in a file whether White, and whether Black, can still checkmate by\n"
    "any series of legal moves (FIDE 5.2.2, 6.9). FILE has a FEN a line; - is standard input;\n"
    "lines that begin with # are passed over. Two letters and a blank before the FEN say what\n"
    "is known: WB both sides can, W- White alone, -B Black alone, -- neither; ? unknown.\n"
    "\n"
    "Prints a row for each side, its columns parted by tabs: position, side, verdict, method,\n"
    "positions looked at, microseconds, and the moves to the mate. After an empty line, sums.\n"
    "\n"
    "  --nodes N    Positions to look at for each side; without it, 190000.\n"
    "\n"
    "Exit codes: 0 done, 1 an answer contradicts the file, 3 a line cannot be read.\n";

struct request {
    const char *path;
    uint32_t nodes;
    bool help;
};

struct tally {
    unsigned asked, by_verdict[WINNABLE_VERDICT_COUNT];
    /* By what the file says: sides, and those that got a verdict. */
    unsigned known[WINNABLE_VERDICT_COUNT], decided[WINNABLE_VERDICT_COUNT];
    unsigned wrong, unreadable;
    uint64_t *spent_ns; /* of each side asked about, [asked] */
    size_t room;
};

struct run {
    FILE *file;
    uint32_t nodes;
    struct winnable_scratch scratch;
    struct tally tally;
};

/* ---- one side ------------------------------------------------------------------------------------------ */

static bool is_mated(const struct position *position, enum color loser)
{
    return position_turn(position) == loser && position_is_check(position) && !movegen_any(position);
}

/* The line is played once more, so that a verdict need not be believed. */
static bool line_mates(struct position position, enum color winner, const struct winnable_result *result)
{
    for (unsigned i = 0; i < result->length; i++) {
        struct position after;
        if (!movegen_is_legal(&position, result->line[i]))
            return false;
        position_play(&position, result->line[i], &after);
        position = after;
    }
    return is_mated(&position, color_other(winner));
}

static void print_line(struct position position, const struct winnable_result *result)
{
    for (unsigned i = 0; i < result->length; i++) {
        char uci[NOTATION_UCI_SIZE];
        struct position after;
        (void)notation_format_uci(&position, result->line[i], uci);
        (void)printf(i ? " %s" : "%s", uci);
        position_play(&position, result->line[i], &after);
        position = after;
    }
    (void)putchar('\n');
}

static bool add_time(struct tally *tally, uint64_t spent_ns)
{
    if (tally->asked == tally->room) {
        size_t room = tally->room ? 2 * tally->room : 1024;
        uint64_t *larger = realloc(tally->spent_ns, room * sizeof *larger);
        if (!larger)
            return false;
        tally->spent_ns = larger;
        tally->room = room;
    }
    tally->spent_ns[tally->asked++] = spent_ns;
    return true;
}

/* `known`: what the file says, WINNABLE_UNDETERMINED where it says nothing. */
static bool ask(struct run *run, const struct position *position, enum color winner,
                enum winnable_verdict known)
{
    static struct winnable_result result;
    char fen[FEN_SIZE];
    fen_format(position, FEN_EN_PASSANT_LEGAL, fen);
    uint64_t begun = monotonic_ns();
    winnable_decide(position, winner, run->nodes, &run->scratch, &result);
    uint64_t spent_ns = monotonic_ns() - begun;
    (void)printf("%s\t%s\t%s\t%s\t%" PRIu32 "\t%.1f\t", fen, fen_color_name(winner),
                 winnable_verdict_name(result.verdict), winnable_method_name(result.method), result.nodes,
                 (double)spent_ns / 1e3);
    print_line(*position, &result);
    bool contradicts =
        known != WINNABLE_UNDETERMINED && result.verdict != WINNABLE_UNDETERMINED && result.verdict != known;
    bool mateless = result.verdict == WINNABLE_YES && !line_mates(*position, winner, &result);
    if (contradicts || mateless)
        (void)fprintf(stderr, "arbiterd: wrong: %s: %s: %s\n", fen, fen_color_name(winner),
                      mateless ? "the line does not mate" : winnable_verdict_name(result.verdict));
    run->tally.wrong += contradicts || mateless;
    run->tally.by_verdict[result.verdict]++;
    run->tally.known[known]++;
    run->tally.decided[known] += result.verdict != WINNABLE_UNDETERMINED;
    return add_time(&run->tally, spent_ns);
}

/* ---- the file ------------------------------------------------------------------------------------------ */

/* What a letter of the column says: the side's own letter, - or ?. */
static bool read_known(char letter, char own, enum winnable_verdict *known)
{
    if (letter != own && letter != '-' && letter != '?')
        return false;
    *known = letter == own ? WINNABLE_YES : letter == '-' ? WINNABLE_NO : WINNABLE_UNDETERMINED;
    return true;
}

/* The FEN of a line; `known` is what the column before it says, if there is one. */
static const char *read_column(const char *line, enum winnable_verdict known[COLOR_COUNT])
{
    if (read_known(line[0], 'W', &known[COLOR_WHITE]) && read_known(line[1], 'B', &known[COLOR_BLACK]) &&
        line[2] == ' ')
        return line + 3;
    known[COLOR_WHITE] = known[COLOR_BLACK] = WINNABLE_UNDETERMINED;
    return line;
}

static bool read_position(const char *fen, struct position *position, struct setup_report *report)
{
    size_t length = strlen(fen);
    struct setup_report ignored;
    return fen_parse(fen, length, false, position, report) ||
           fen_parse(fen, length, true, position, &ignored);
}

static bool ask_line(struct run *run, const char *line, unsigned number)
{
    struct position position;
    struct setup_report report = {0};
    enum winnable_verdict known[COLOR_COUNT];
    const char *fen = read_column(line, known);
    if (*fen == '#' || *fen == '\0')
        return true;
    if (!read_position(fen, &position, &report)) {
        run->tally.unreadable++;
        (void)fprintf(stderr, "arbiterd: line %u: %s\n", number,
                      setup_fault_text(report.faults[0].code, report.faults[0].field));
        return true;
    }
    return ask(run, &position, COLOR_WHITE, known[COLOR_WHITE]) &&
           ask(run, &position, COLOR_BLACK, known[COLOR_BLACK]);
}

static bool ask_file(struct run *run)
{
    char *line = NULL;
    size_t size = 0;
    bool done = true;
    for (unsigned number = 1; done && getline(&line, &size, run->file) >= 0; number++) {
        line[strcspn(line, "\r\n")] = '\0';
        done = ask_line(run, line, number);
    }
    free(line);
    return done && !ferror(run->file);
}

/* ---- sums ---------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b)
{
    uint64_t left = *(const uint64_t *)a, right = *(const uint64_t *)b;
    return (left > right) - (left < right);
}

static void print_known(const struct tally *tally, enum winnable_verdict known, const char *name)
{
    if (tally->known[known] > 0)
        (void)printf("%s: %u sides, %u decided (%.2f %%)\n", name, tally->known[known], tally->decided[known],
                     100.0 * tally->decided[known] / tally->known[known]);
}

static void print_sums(struct tally *tally)
{
    unsigned decided = tally->by_verdict[WINNABLE_YES] + tally->by_verdict[WINNABLE_NO];
    if (tally->asked == 0)
        return;
    uint64_t sum_ns = 0;
    qsort(tally->spent_ns, tally->asked, sizeof *tally->spent_ns, compare_times);
    for (unsigned i = 0; i < tally->asked; i++)
        sum_ns += tally->spent_ns[i];
    (void)printf("\n%u sides: %u yes, %u no, %u undetermined, %.2f %% decided, %u wrong\n", tally->asked,
                 tally->by_verdict[WINNABLE_YES], tally->by_verdict[WINNABLE_NO],
                 tally->by_verdict[WINNABLE_UNDETERMINED], 100.0 * decided / tally->asked, tally->wrong);
    print_known(tally, WINNABLE_YES, "known to be winnable");
    print_known(tally, WINNABLE_NO, "known to be unwinnable");
    uint64_t median_ns = tally->spent_ns[tally->asked / 2], max_ns = tally->spent_ns[tally->asked - 1];
    (void)printf("microseconds a side: mean %.1f, median %.1f, max %.1f\n",
                 (double)sum_ns / 1e3 / tally->asked, (double)median_ns / 1e3, (double)max_ns / 1e3);
}

/* ---- the command --------------------------------------------------------------------------------------- */

static bool read_nodes(struct request *request, const char *text)
{
    char *end = NULL;
    unsigned long nodes = text && *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : 0;
    if (nodes == 0 || nodes > NODES_MAX || *end)
        return false;
    request->nodes = (uint32_t)nodes;
    return true;
}

/* Reads one argument and what belongs to it; how many, or 0: it is not understood. */
static int read_argument(struct request *request, char *const *arguments)
{
    if (strcmp(arguments[0], "--help") == 0) {
        request->help = true;
        return 1;
    }
    if (strcmp(arguments[0], "--nodes") == 0)
        return read_nodes(request, arguments[1]) ? 2 : 0;
    bool is_path = arguments[0][0] != '-' || strcmp(arguments[0], "-") == 0;
    if (request->path || !is_path)
        return 0;
    request->path = arguments[0];
    return 1;
}

static enum exit_code end(struct run *run, const char *fault)
{
    if (fault)
        (void)fprintf(stderr, "arbiterd: %s: %s\n", fault, strerror(errno));
    free(run->scratch.memory);
    free(run->tally.spent_ns);
    if (run->file && run->file != stdin)
        (void)fclose(run->file);
    if (fault || run->tally.wrong > 0)
        return EXIT_FAILED;
    return run->tally.unreadable > 0 ? EXIT_REFUSED : EXIT_DONE;
}

static enum exit_code run_file(const struct request *request)
{
    struct run run = {.nodes = request->nodes};
    run.scratch.bytes = WINNABLE_SCRATCH_DEFAULT / (size_t)WINNABLE_NODES_DEFAULT * request->nodes +
                        WINNABLE_SCRATCH_MIN + (1U << 20);
    run.file = strcmp(request->path, "-") == 0 ? stdin : fopen(request->path, "re");
    if (!run.file)
        return end(&run, request->path);
    run.scratch.memory = malloc(run.scratch.bytes);
    if (!run.scratch.memory)
        return end(&run, "no memory for so many positions");
    (void)puts("position\tside\tverdict\tmethod\tnodes\tmicroseconds\tline");
    if (!ask_file(&run))
        return end(&run, request->path);
    print_sums(&run.tally);
    return end(&run, NULL);
}

enum exit_code command_winnable(char *const *arguments)
{
    struct request request = {.nodes = WINNABLE_NODES_DEFAULT};
    while (*arguments) {
        int used = read_argument(&request, arguments);
        if (used == 0)
            return command_usage("winnable", "the arguments of winnable are --nodes N and one FILE, or -");
        arguments += used;
    }
    if (request.help) {
        (void)fputs(HELP, stdout);
        return EXIT_DONE;
    }
    if (!request.path)
        return command_usage("winnable", "winnable needs a FILE, or - for standard input");
    return run_file(&request);
}
