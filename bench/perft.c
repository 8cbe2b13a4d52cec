/* Counts leaf nodes, for comparisons: perft DEPTH CHESS960 FEN [leaves] [portable|popcnt|bmi2]
 *
 * Prints their number and the seconds of processor time that it took. DEPTH is 1 or more. `leaves` makes every move of
 * the last ply, where otherwise they are counted in bulk. `portable`, `popcnt` and `bmi2` name the build, where otherwise the one
 * is taken that suits the processor. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/fen.h"
#include "rules/movegen_builds.h"

struct build {
    void (*legal)(const struct position *position, struct movelist *list);
    void (*play)(const struct position *before, move m, struct position *after);
    uint64_t (*perft)(const struct position *position, unsigned depth);
};

static void chosen_legal(const struct position *position, struct movelist *list)
{
    (void)movegen_legal(position, list);
}

static const struct build chosen = {chosen_legal, position_play, movegen_perft};
static const struct build portable = {movegen_portable_legal, movegen_portable_play, movegen_portable_perft};
#if defined(__x86_64__)
static const struct build popcnt = {movegen_popcnt_legal, movegen_popcnt_play, movegen_popcnt_perft};
static const struct build bmi2 = {movegen_bmi2_legal, movegen_bmi2_play, movegen_bmi2_perft};
#else
static const struct build popcnt = {movegen_portable_legal, movegen_portable_play, movegen_portable_perft};
static const struct build bmi2 = {movegen_portable_legal, movegen_portable_play, movegen_portable_perft};
#endif

/* The positions are counted after they have been made, by the sum of a bit that hangs on them: a move that nobody looks
 * at could be left out. */
static uint64_t count_leaves(const struct build *build, const struct position *position, unsigned depth,
                             uint64_t *keys)
{
    struct movelist list;
    struct position after;
    uint64_t nodes = 0;
    build->legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        build->play(position, list.moves[i], &after);
        if (depth > 1) {
            nodes += count_leaves(build, &after, depth - 1, keys);
        } else {
            *keys += after.key;
            nodes++;
        }
    }
    return nodes;
}

static double now_s(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
    return (double)now.tv_sec + (double)now.tv_nsec / 1e9;
}

int main(int argc, char **argv)
{
    struct position position;
    struct setup_report report;
    unsigned depth = argc < 4 ? 0 : (unsigned)strtoul(argv[1], NULL, 10);
    if (depth == 0 || !fen_parse(argv[3], strlen(argv[3]), argv[2][0] == '1', &position, &report)) {
        (void)fprintf(stderr, "usage: perft DEPTH CHESS960 FEN [leaves] [portable|popcnt|bmi2]\n");
        return 2;
    }
    const struct build *build = &chosen;
    int makes_leaves = 0;
    for (int i = 4; i < argc; i++) {
        makes_leaves |= strcmp(argv[i], "leaves") == 0;
        if (strcmp(argv[i], "portable") == 0)
            build = &portable;
        if (strcmp(argv[i], "popcnt") == 0)
            build = &popcnt;
        if (strcmp(argv[i], "bmi2") == 0)
            build = &bmi2;
    }
    uint64_t keys = 0;
    double begun = now_s();
    uint64_t nodes =
        makes_leaves ? count_leaves(build, &position, depth, &keys) : build->perft(&position, depth);
    (void)printf("%" PRIu64 " %.6f\n", nodes, now_s() - begun);
    return 0;
}
