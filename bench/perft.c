/* Counts leaf nodes, for comparisons: perft DEPTH CHESS960 FEN [leaves] [portable|popcnt|bmi2]
 *
 * Prints their number and the seconds of processor time that it took. DEPTH is 1 or more. `leaves` makes every move of
 * the last ply, where otherwise they are counted in bulk. `portable`, `popcnt` and `bmi2` name the build, where otherwise
 * the one is taken that suits the processor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/fen.h"
#include "rules/movegen_builds.h"

struct build {
    const char *name;
    void (*legal)(const struct position *position, struct movelist *list);
    void (*play)(const struct position *before, move m, struct position *after);
    uint64_t (*perft)(const struct position *position, unsigned depth);
};

static void chosen_legal(const struct position *position, struct movelist *list)
{
    (void)movegen_legal(position, list);
}

/* The first one is what the service does. */
static const struct build BUILDS[] = {
    {"", chosen_legal, position_play, movegen_perft},
    {"portable", movegen_portable_legal, movegen_portable_play, movegen_portable_perft},
#if defined(__x86_64__)
    {"popcnt", movegen_popcnt_legal, movegen_popcnt_play, movegen_popcnt_perft},
    {"bmi2", movegen_bmi2_legal, movegen_bmi2_play, movegen_bmi2_perft},
#endif
};

/* NULL: it is not built for this machine. */
static const struct build *find_build(const char *name)
{
    for (size_t i = 0; i < sizeof BUILDS / sizeof BUILDS[0]; i++)
        if (strcmp(BUILDS[i].name, name) == 0)
            return &BUILDS[i];
    return NULL;
}

/* A leaf counts by its key, which is never 0: one that was not made would not be known. */
static uint64_t count_leaves(const struct build *build, const struct position *position, unsigned depth)
{
    struct movelist list;
    struct position after;
    uint64_t nodes = 0;
    build->legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        build->play(position, list.moves[i], &after);
        nodes += depth > 1 ? count_leaves(build, &after, depth - 1) : after.key != 0;
    }
    return nodes;
}

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

static int explain(void)
{
    (void)fprintf(stderr, "usage: perft DEPTH CHESS960 FEN [leaves] [portable|popcnt|bmi2]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct position position;
    struct setup_report report;
    unsigned depth = argc < 4 ? 0 : (unsigned)strtoul(argv[1], NULL, 10);
    if (depth == 0 || !fen_parse(argv[3], strlen(argv[3]), argv[2][0] == '1', &position, &report))
        return explain();
    bool makes_leaves = argc > 4 && strcmp(argv[4], "leaves") == 0;
    int named = makes_leaves ? 5 : 4;
    const struct build *build = find_build(argc > named ? argv[named] : "");
    if (!build || argc > named + 1)
        return explain();
    double begun = now_s();
    uint64_t nodes = makes_leaves ? count_leaves(build, &position, depth) : build->perft(&position, depth);
    (void)printf("%" PRIu64 " %.6f\n", nodes, now_s() - begun);
    return 0;
}
