/* The real `arbiterd import` and `arbiterd export`. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

enum { SCRIPT_SIZE = 4096 };

/* A shell script; what it wrote, both streams, is in shell_output. */
static int run(const char *commands)
{
    char script[SCRIPT_SIZE];
    (void)snprintf(script, sizeof script, SHELL_BOTH "%s", commands);
    return shell_run(script);
}

#define GOOD                                                                                                 \
    "printf '[White \"Ann\"]\\n[Result \"1-0\"]\\n\\n1. e4 {x} e5 1-0\\n\\n1. d4 *\\n' >$F/good.pgn\n"
#define BAD                                                                                                  \
    "printf '1. e4 e5 *\\n\\n1. e4 e5\\n2. Ke3 *\\n\\n[FEN \"4k3/8/8/8/8/8/4p3/4K3 w - - 0 1\"]\\n\\n"       \
    "1. Kxe2 Kd7 *\\n' >$F/bad.pgn\n"

static void games_go_in_and_come_out(void **state)
{
    (void)state;
    assert_int_equal(run(GOOD "\"$A\" import --db $DB $F/good.pgn"), 0);
    shell_assert_told("imported 2 games, refused 0, 0 warnings");
    assert_int_equal(run("\"$A\" export --db $DB --all"), 0);
    shell_assert_told("[White \"Ann\"]\n");
    shell_assert_told("\n\n1. e4 { x } 1... e5 1-0\n\n[Event");
    shell_assert_told("\n\n1. d4 *\n\n");
}

static void faults_are_told_with_file_line_and_column(void **state)
{
    (void)state;
    assert_int_equal(run(BAD "\"$A\" import --db $DB $F/bad.pgn"), 3);
    shell_assert_told("bad.pgn:4:4: error: illegal_move: ");
    shell_assert_told(" (Ke3)\n");
    shell_assert_told("bad.pgn:8:9: error: moves_after_end: ");
    shell_assert_told("imported 1 games, refused 2");
    assert_int_equal(run("\"$A\" import --db $DB --dead-position off - <$F/bad.pgn"), 3);
    shell_assert_told("<stdin>:4:4: error: illegal_move: ");
    shell_assert_told("imported 2 games, refused 1");
}

static void validation_opens_no_store(void **state)
{
    (void)state;
    assert_int_equal(run(GOOD "\"$A\" import --validate --db $DB $F/good.pgn; code=$?; ls $F; exit $code"),
                     0);
    shell_assert_told("good 2 games, refused 0");
    shell_assert_not_told("arbiter.db");
    assert_int_equal(run(BAD "\"$A\" import --validate $F/bad.pgn"), 3);
    assert_int_equal(run("\"$A\" import --validate /dev/null"), 3);
    shell_assert_told("error: empty: ");
}

static void wrong_use_is_told(void **state)
{
    (void)state;
    static const char *const uses[] = {
        "import",
        "import a.pgn b.pgn",
        "import --dead-position maybe a.pgn",
        "import --dead-position",
        "import --visibility hidden a.pgn",
        "import --nonsense a.pgn",
        "export",
        "export --all abcdefghjkmn",
        "export abc",
        "export --all --output",
    };
    for (size_t i = 0; i < sizeof uses / sizeof *uses; i++) {
        char command[128];
        (void)snprintf(command, sizeof command, "\"$A\" %s", uses[i]);
        if (run(command) != 2)
            fail_msg("%s: %s", uses[i], shell_output);
        shell_assert_told("Try: arbiterd ");
    }
    assert_int_equal(run("\"$A\" import --db $DB $F/nothing.pgn"), 1);
    shell_assert_told("nothing.pgn: No such file");
    assert_int_equal(run("\"$A\" import --db $DB $F"), 1);
    assert_int_equal(run("\"$A\" import --help && \"$A\" export --help"), 0);
    shell_assert_told("--no-fivefold");
    shell_assert_told("--output FILE");
}

static void an_import_waits_for_no_service_and_an_export_reads_beside_it(void **state)
{
    (void)state;
    static const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments) &&
                daemon_process_wait_ready(&daemon_process));
    assert_int_equal(run(GOOD "\"$A\" import --db $DB $F/good.pgn"), 4);
    assert_int_equal(run("\"$A\" export --db $DB --all"), 0);
    assert_string_equal(shell_output, "");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void an_output_file_is_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_int_equal(
        run(GOOD "\"$A\" import --db $DB $F/good.pgn && echo old >$F/out.pgn && umask 022 &&\n"
                 "\"$A\" export --db $DB --all --output $F/out.pgn && ls -l $F/out.pgn* && cat $F/out.pgn"),
        0);
    shell_assert_told("exported 2 games");
    shell_assert_told("-rw-r--r--");
    shell_assert_told("1. d4 *");
    shell_assert_not_told("old");
    assert_int_equal(
        run("echo old >$F/out.pgn; \"$A\" export --db $DB --output $F/out.pgn zzzzzzzzzzzz; code=$?\n"
            "ls $F; cat $F/out.pgn; exit $code"),
        3);
    shell_assert_told("game zzzzzzzzzzzz: there is no such game");
    shell_assert_told("\nold\n");
    shell_assert_not_told("out.pgn.");
    assert_int_equal(run("\"$A\" export --db $DB --all --output $F/none/out.pgn"), 1);
    assert_int_equal(run("\"$A\" export --db $DB --all >/dev/full"), 1);
    assert_int_equal(
        run("\"$A\" export --db sqlite:$F/missing.db --all; code=$?; ls $F; exit $((code != 0))"), 1);
    shell_assert_not_told("missing.db\n");
}

static void an_export_by_id_is_that_game(void **state)
{
    (void)state;
    assert_int_equal(
        run(GOOD "\"$A\" import --db $DB $F/good.pgn >/dev/null\n"
                 "id=$(\"$A\" export --db $DB --all | sed -n 's/.*GameId \"\\(.*\\)\".*/\\1/p' | tail -1)\n"
                 "\"$A\" export --db $DB $id"),
        0);
    shell_assert_told("1. d4 *");
    shell_assert_not_told("Ann");
}

static unsigned number_behind(const char *word)
{
    const char *at = strstr(shell_output, word);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(word), NULL, 10);
}

static void assert_ended_between_games(const char *begin)
{
    char script[SCRIPT_SIZE / 2];
    (void)snprintf(script, sizeof script,
                   "%s" /* until there is something in the store's log, so that it is under way */
                   "while [ ! -s $F/arbiter.db-wal ]; do kill -0 $import || exit 99; done\n"
                   "kill -INT $import; wait $import; code=$?; [ -z \"$feeder\" ] || kill $feeder\n"
                   "echo stored $(\"$A\" export --db $DB --all | grep -c '^1. e4 e5 2. Nf3 \\*$')\n"
                   "echo all $(\"$A\" export --db $DB --all | grep -c '^\\[Result')\n"
                   "exit $code",
                   begin);
    assert_int_equal(run(script), 128 + SIGINT);
    unsigned imported = number_behind("imported ");
    assert_int_equal(number_behind("stored "), imported);
    assert_int_equal(number_behind("all "), imported);
    shell_assert_told("the import was stopped");
    assert_int_equal(number_behind("would have been game "), imported + 1);
    if (strstr(shell_output, ", line "))
        assert_int_equal(number_behind(", line "), 2 * imported + 1);
}

#define GAMES(count) "yes '1. e4 e5 2. Nf3 *\n' | head -n " #count

/* It stays open: the signal comes while the import waits for more, or in the middle of what there is. */
static void sigint_on_a_pipe_leaves_whole_games_and_says_where_to_go_on(void **state)
{
    (void)state;
    assert_ended_between_games(
        "mkfifo $F/pipe\n(" GAMES(6000) "; printf '1. d4 d5 2. c4'; exec sleep 60) >$F/pipe & feeder=$!\n"
                                        "\"$A\" import --db $DB - <$F/pipe & import=$!\n");
}

static void sigint_in_a_file_leaves_whole_games_and_says_where_to_go_on(void **state)
{
    (void)state;
    assert_ended_between_games(
        GAMES(200000) " >$F/many.pgn\n\"$A\" import --db $DB $F/many.pgn & import=$!\n");
    assert_true(number_behind("imported ") < 100000);
}

/* The pipe holds fewer bytes than there are: the signal comes in the middle. */
static void sigint_ends_an_export_behind_a_whole_game(void **state)
{
    (void)state;
    assert_int_equal(
        run(GAMES(8000) " >$F/many.pgn\n\"$A\" import --db $DB $F/many.pgn && mkfifo $F/pipe\n"
                        "\"$A\" export --db $DB --all >$F/pipe & export=$!\n"
                        "exec 3<$F/pipe; head -c 1000 <&3 >$F/out; kill -INT $export\n"
                        "cat <&3 >>$F/out; wait $export; code=$?\n"
                        "tail -n 2 $F/out; echo games $(grep -c '^\\[Result' $F/out); exit $code"),
        128 + SIGINT);
    shell_assert_told("arbiterd: ended by a signal\n");
    shell_assert_told("1. e4 e5 2. Nf3 *\n\ngames ");
    assert_true(number_behind("games ") < 4000);
}

/* script(1) gives the program a terminal. */
static void a_terminal_shows_how_far_it_has_come(void **state)
{
    (void)state;
    assert_int_equal(run(GAMES(40000) " >$F/many.pgn\n"
                                      "script -qec \"$A import --db $DB $F/many.pgn\" /dev/null </dev/null"),
                     0);
    shell_assert_told(" of 0.4 MB, ");
    shell_assert_told(" games/s, 0:0");
    shell_assert_told(" left\033[K\r");
    shell_assert_told("\r\033[Kimported 20000 games, refused 0");
    assert_int_equal(run("\"$A\" import --db $DB $F/many.pgn"), 0);
    shell_assert_not_told("\r");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(games_go_in_and_come_out),
        DAEMON_TEST(faults_are_told_with_file_line_and_column),
        DAEMON_TEST(validation_opens_no_store),
        DAEMON_TEST(wrong_use_is_told),
        DAEMON_TEST(an_import_waits_for_no_service_and_an_export_reads_beside_it),
        DAEMON_TEST(an_output_file_is_replaced_whole_or_not_at_all),
        DAEMON_TEST(an_export_by_id_is_that_game),
        DAEMON_TEST(sigint_ends_an_export_behind_a_whole_game),
        DAEMON_TEST(a_terminal_shows_how_far_it_has_come),
        DAEMON_TEST(sigint_on_a_pipe_leaves_whole_games_and_says_where_to_go_on),
        DAEMON_TEST(sigint_in_a_file_leaves_whole_games_and_says_where_to_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
