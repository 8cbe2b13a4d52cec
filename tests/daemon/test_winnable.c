/* The real `arbiterd winnable`: files of positions in, a table out. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

enum { SCRIPT_SIZE = 2048 };

#define KINGS "8/8/8/4k3/8/8/8/4K3 w - - 0 1"
#define QUEEN "8/8/8/4k3/8/8/8/4KQ2 b - - 0 1"
#define MATED "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1"

/* `$A winnable ARGUMENTS` with that standard input; what it wrote, both streams, is in shell_output. */
static int run(const char *arguments, const char *input)
{
    char script[SCRIPT_SIZE];
    (void)snprintf(script, sizeof script, SHELL_BOTH "printf '%%b' '%s' | \"$A\" winnable %s", input,
                   arguments);
    return shell_run(script);
}

static void each_side_has_a_row(void **state)
{
    (void)state;
    assert_int_equal(run("-", QUEEN "\\n" MATED "\\n"), 0);
    shell_assert_told("position\tside\tverdict\tmethod\tnodes\tmicroseconds\tline\n");
    shell_assert_told(QUEEN "\twhite\tyes\tsearch\t");
    shell_assert_told(QUEEN "\tblack\tno\tmaterial\t1\t");
    shell_assert_told(MATED "\twhite\tyes\tterminal\t1\t");
    shell_assert_told("\n\n4 sides: 2 yes, 2 no, 0 undetermined, 100.00 % decided, 0 wrong\n");
    shell_assert_told("microseconds a side: mean ");
    shell_assert_not_told("known to be");
}

static void the_line_of_a_yes_is_in_the_table(void **state)
{
    (void)state;
    assert_int_equal(run("-", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1\\n"), 0);
    char *row = strstr(shell_output, "\twhite\tyes\tsearch\t");
    assert_non_null(row);
    row[strcspn(row, "\n")] = '\0';
    const char *line = strrchr(row, '\t') + 1;
    assert_true(strcmp(line, "g6g7") == 0 || strcmp(line, "g6h6") == 0 || strlen(line) > 4);
    assert_int_equal((strlen(line) + 1) % 10, 5); /* an odd number of half-moves: the winner moves last */
}

static void the_letters_before_a_position_are_compared(void **state)
{
    (void)state;
    assert_int_equal(run("-", "# known\\n\\nW- " QUEEN "\\n-- " KINGS "\\n??  " KINGS "\\n"), 0);
    shell_assert_told("6 sides: 1 yes, 5 no, 0 undetermined, 100.00 % decided, 0 wrong\n");
    shell_assert_told("known to be winnable: 1 sides, 1 decided (100.00 %)\n");
    shell_assert_told("known to be unwinnable: 3 sides, 3 decided (100.00 %)\n");
    assert_int_equal(run("-", "WB " QUEEN "\\n"), 1);
    shell_assert_told("arbiterd: wrong: " QUEEN ": black: no\n");
    shell_assert_told(", 1 wrong\n");
    assert_int_equal(run("-", "-- " QUEEN "\\n"), 1);
    shell_assert_told("arbiterd: wrong: " QUEEN ": white: yes\n");
}

static void a_small_budget_leaves_sides_undetermined_and_that_is_not_wrong(void **state)
{
    (void)state;
    assert_int_equal(run("--nodes 1 -", "W- " QUEEN "\\n"), 0);
    shell_assert_told(QUEEN "\twhite\tundetermined\tnone\t");
    shell_assert_told("2 sides: 0 yes, 1 no, 1 undetermined, 50.00 % decided, 0 wrong\n");
    shell_assert_told("known to be winnable: 1 sides, 0 decided (0.00 %)\n");
}

static void what_cannot_be_read_is_told_and_the_rest_is_asked(void **state)
{
    (void)state;
    assert_int_equal(run("-", "8/8/8/8 w - - 0 1\\n-- " KINGS "\\n"), 3);
    shell_assert_told("arbiterd: line 1: ");
    shell_assert_told("2 sides: 0 yes, 2 no, ");
    assert_int_equal(run("-", ""), 0);
    shell_assert_not_told("sides");
    assert_int_equal(run("/nowhere/at-all", ""), 1);
    shell_assert_told("arbiterd: /nowhere/at-all: No such file or directory\n");
    assert_int_equal(run("/", ""), 1);
    shell_assert_told("arbiterd: /: ");
}

static void positions_of_chess960_are_read(void **state)
{
    (void)state;
    assert_int_equal(run("-", "1k6/8/8/8/8/8/8/1K4R1 w G - 0 1\\n"), 0);
    shell_assert_told("\twhite\tyes\tsearch\t");
}

static void wrong_use_is_exit_2(void **state)
{
    (void)state;
    static const char *const wrong[] = {"",           "--nodes 0 -",         "--nodes x -", "--nodes",
                                        "--node 5 -", "--nodes 100000001 -", "- -",         "--nodes 5"};
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        assert_int_equal(run(wrong[i], ""), 2);
        shell_assert_told("Try: arbiterd winnable --help\n");
    }
    assert_int_equal(run("--help", ""), 0);
    shell_assert_told("Usage: arbiterd winnable ");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_has_a_row),
        cmocka_unit_test(the_line_of_a_yes_is_in_the_table),
        cmocka_unit_test(the_letters_before_a_position_are_compared),
        cmocka_unit_test(a_small_budget_leaves_sides_undetermined_and_that_is_not_wrong),
        cmocka_unit_test(what_cannot_be_read_is_told_and_the_rest_is_asked),
        cmocka_unit_test(positions_of_chess960_are_read),
        cmocka_unit_test(wrong_use_is_exit_2),
    };
    return cmocka_run_group_tests(tests, daemon_set_up, daemon_tear_down);
}
