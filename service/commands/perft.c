#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "rules/fen.h"
#include "rules/movegen.h"
#include "rules/notation.h"
#include "service/commands/commands.h"
#include "service/monotonic.h"

enum { DEPTH_MAX = 30 };

static const char START[] = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

static const char HELP[] =
    "Usage: arbiterd perft --depth N [--fen FEN] [--chess960] [--divide]\n"
    "\n"
    "Counts the sequences of N legal moves from a position. Prints their number, and the\n"
    "seconds that it took.\n"
    "\n"
    "  --depth N    0 to 30.\n"
    "  --fen FEN    The position; without it, the start of a game.\n"
    "  --chess960   Castling by the rules of Chess960, also where the FEN does not tell.\n"
    "  --divide     First a line for each move, with the number below it.\n"
    "\n"
    "Exit code 3: --fen is no position.\n";

struct request {
    const char *fen;
    unsigned depth;
    bool has_depth, chess960, divide, help;
};

static bool read_depth(struct request *request, const char *text)
{
    char *end = NULL;
    unsigned long depth = *text >= '0' && *text <= '9' ? strtoul(text, &end, 10) : DEPTH_MAX + 1UL;
    if (depth > DEPTH_MAX || *end)
        return false;
    request->depth = (unsigned)depth;
    request->has_depth = true;
    return true;
}

/* What "--name VALUE" or "--name=VALUE" gives; NULL: it is another, or has none. How many arguments that takes. */
static const char *value_of(char *const *arguments, const char *name, int *used)
{
    size_t length = strlen(name);
    if (strncmp(arguments[0], name, length) != 0)
        return NULL;
    bool is_glued = arguments[0][length] == '=';
    *used = is_glued ? 1 : 2;
    if (is_glued)
        return arguments[0] + length + 1;
    return arguments[0][length] == '\0' ? arguments[1] : NULL;
}

/* Reads one argument and what belongs to it; how many, or 0: it is not understood. */
static int read_argument(struct request *request, char *const *arguments)
{
    const struct {
        const char *name;
        bool *flag;
    } flags[] = {
        {"--chess960", &request->chess960}, {"--divide", &request->divide}, {"--help", &request->help}};
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++) {
        if (strcmp(arguments[0], flags[i].name) == 0) {
            *flags[i].flag = true;
            return 1;
        }
    }
    int used = 0;
    const char *depth = value_of(arguments, "--depth", &used);
    if (depth)
        return read_depth(request, depth) ? used : 0;
    const char *fen = value_of(arguments, "--fen", &used);
    request->fen = fen ? fen : request->fen;
    return fen ? used : 0;
}

static enum exit_code refuse_fen(const struct setup_report *report)
{
    for (unsigned i = 0; i < report->count; i++) {
        const struct setup_fault *fault = &report->faults[i];
        (void)fprintf(stderr, "arbiterd: --fen: %s at byte %u: %s\n",
                      setup_fault_name(fault->code, fault->field), fault->offset,
                      setup_fault_text(fault->code, fault->field));
    }
    return EXIT_REFUSED;
}

struct line {
    char uci[NOTATION_UCI_SIZE];
    uint64_t nodes;
};

static int compare_lines(const void *a, const void *b)
{
    return strcmp(((const struct line *)a)->uci, ((const struct line *)b)->uci);
}

/* Prints a line for each move; returns the sum. */
static uint64_t print_division(const struct position *position, unsigned depth)
{
    static struct line lines[MOVELIST_MAX];
    struct movelist list;
    struct position after;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        (void)notation_format_uci(position, list.moves[i], lines[i].uci);
        position_play(position, list.moves[i], &after);
        lines[i].nodes = movegen_perft(&after, depth - 1);
    }
    qsort(lines, list.count, sizeof *lines, compare_lines);
    uint64_t nodes = 0;
    for (unsigned i = 0; i < list.count; i++) {
        (void)printf("%s: %" PRIu64 "\n", lines[i].uci, lines[i].nodes);
        nodes += lines[i].nodes;
    }
    (void)putchar('\n');
    return nodes;
}

/* Castling rights that standard chess cannot have, a king off the e-file say, are meant as Chess960. */
static bool read_position(const struct request *request, struct position *position,
                          struct setup_report *report)
{
    size_t length = strlen(request->fen);
    struct setup_report ignored;
    return fen_parse(request->fen, length, request->chess960, position, report) ||
           fen_parse(request->fen, length, true, position, &ignored);
}

enum exit_code command_perft(char *const *arguments)
{
    struct request request = {.fen = START};
    struct position position;
    struct setup_report report;
    while (*arguments) {
        int used = read_argument(&request, arguments);
        if (used == 0)
            return command_usage(
                "perft",
                "the arguments of perft are --depth N with N from 0 to 30, --fen FEN, --chess960 and "
                "--divide");
        arguments += used;
    }
    if (request.help) {
        (void)fputs(HELP, stdout);
        return EXIT_DONE;
    }
    if (!request.has_depth)
        return command_usage("perft", "perft needs --depth N");
    if (!read_position(&request, &position, &report))
        return refuse_fen(&report);
    uint64_t begun = monotonic_ns();
    bool divides = request.divide && request.depth > 0;
    uint64_t nodes =
        divides ? print_division(&position, request.depth) : movegen_perft(&position, request.depth);
    (void)printf("%" PRIu64 " %.6f\n", nodes, (double)(monotonic_ns() - begun) / 1e9);
    return EXIT_DONE;
}
