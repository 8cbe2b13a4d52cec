/* rules/movegen: the node counts of tests/data/perft.txt. TEST_PERFT_MAX skips counts above it. */
#include "rules/movegen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/rules/board_print.h"

enum { LINE_SIZE = 512, NODES_MAX = 200000000 };

struct tally {
    uint64_t limit, nodes;
    unsigned positions, run, skipped, failed;
};

/* Cuts the next field of `name ; chess960 ; fen ; counts` off. */
static char *next_field(char **rest)
{
    char *field = *rest;
    char *end = strstr(field, " ; ");
    if (!end)
        return NULL;
    *end = 0;
    *rest = end + 3;
    return field;
}

static void count_nodes(const char *name, const struct position *position, unsigned depth, uint64_t expected,
                        struct tally *tally)
{
    if (expected > tally->limit) {
        tally->skipped++;
        return;
    }
    uint64_t actual = movegen_perft(position, depth);
    tally->run++;
    tally->nodes += expected;
    if (actual == expected)
        return;
    tally->failed++;
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)expected);
    (void)snprintf(texts[1], sizeof texts[1], "%llu", (unsigned long long)actual);
    board_print_failure(position, texts[0], texts[1], "%s, depth %u", name, depth);
}

static void run_line(char *line, struct tally *tally)
{
    const char *name = next_field(&line);
    const char *chess960 = next_field(&line);
    const char *fen = next_field(&line);
    assert_non_null(fen);
    struct position position;
    struct setup_report report;
    if (!fen_parse(fen, strlen(fen), *chess960 == '1', &position, &report))
        fail_msg("perft.txt: %s: the FEN is refused: %s", name, fen);
    tally->positions++;
    for (char *at = line; *at && *at != '\n';) {
        unsigned depth = (unsigned)strtoul(at, &at, 10);
        assert_int_equal(*at, ':');
        count_nodes(name, &position, depth, strtoull(at + 1, &at, 10), tally);
    }
}

static uint64_t limit_of_nodes(void)
{
    const char *text = getenv("TEST_PERFT_MAX");
    return text ? strtoull(text, NULL, 10) : NODES_MAX;
}

static void the_trees_of_the_perft_suite_have_their_numbers_of_leaves(void **state)
{
    (void)state;
    FILE *file = fopen("tests/data/perft.txt", "r");
    assert_non_null(file);
    struct tally tally = {.limit = limit_of_nodes()};
    char line[LINE_SIZE];
    while (fgets(line, sizeof line, file))
        if (*line != '#')
            run_line(line, &tally);
    (void)fclose(file);
    print_message("perft: %u positions, %u counts run (%llu nodes), %u skipped above %llu nodes\n",
                  tally.positions, tally.run, (unsigned long long)tally.nodes, tally.skipped,
                  (unsigned long long)tally.limit);
    assert_int_equal(tally.failed, 0);
    assert_in_range(tally.run, 1, UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_trees_of_the_perft_suite_have_their_numbers_of_leaves),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
