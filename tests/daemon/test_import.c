/* The real `arbiterd import` and `arbiterd export`. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "tests/support/daemon_process.h"

enum { OUTPUT_SIZE = 1 << 16, SCRIPT_SIZE = 4096 };
static char output[OUTPUT_SIZE];

/* A shell script: $A is the program, $F a folder of its own, $DB a store there. What it wrote is in `output`. */
static int run(const char *commands)
{
    char script[SCRIPT_SIZE];
    (void)snprintf(script, sizeof script, "exec 2>&1\n%s", commands);
    FILE *pipe = popen(script, "r"); /* NOLINT(cert-env33-c): as a person would */
    assert_non_null(pipe);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_told(const char *part)
{
    if (!strstr(output, part))
        fail_msg("'%s' is not in: %s", part, output);
}

static void assert_not_told(const char *part)
{
    if (strstr(output, part))
        fail_msg("'%s' is in: %s", part, output);
}

static int set_up(void **state)
{
    static struct daemon_process process;
    char path[DAEMON_PATH_SIZE];
    if (!daemon_process_binary(path) || !daemon_process_init(&process))
        return -1;
    *state = &process;
    (void)setenv("F", process.folder, 1);
    char url[DAEMON_PATH_SIZE + 16];
    (void)snprintf(url, sizeof url, "sqlite:%s/t.db", process.folder);
    (void)setenv("DB", url, 1);
    return setenv("A", path, 1);
}

static int tear_down(void **state)
{
    daemon_process_finish(*state);
    return 0;
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
    assert_told("imported 2 games, refused 0, 0 warnings");
    assert_int_equal(run("\"$A\" export --db $DB --all"), 0);
    assert_told("[White \"Ann\"]\n");
    assert_told("\n\n1. e4 { x } 1... e5 1-0\n\n[Event");
    assert_told("\n\n1. d4 *\n\n");
}

static void faults_are_told_with_file_line_and_column(void **state)
{
    (void)state;
    assert_int_equal(run(BAD "\"$A\" import --db $DB $F/bad.pgn"), 3);
    assert_told("bad.pgn:4:4: error: illegal_move: ");
    assert_told(" (Ke3)\n");
    assert_told("bad.pgn:8:9: error: moves_after_end: ");
    assert_told("imported 1 games, refused 2");
    assert_int_equal(run("\"$A\" import --db $DB --dead-position off - <$F/bad.pgn"), 3);
    assert_told("<stdin>:4:4: error: illegal_move: ");
    assert_told("imported 2 games, refused 1");
}

static void validation_opens_no_store(void **state)
{
    (void)state;
    assert_int_equal(run(GOOD "\"$A\" import --validate --db $DB $F/good.pgn; code=$?; ls $F; exit $code"),
                     0);
    assert_told("good 2 games, refused 0");
    assert_not_told("t.db");
    assert_int_equal(run(BAD "\"$A\" import --validate $F/bad.pgn"), 3);
    assert_int_equal(run("\"$A\" import --validate /dev/null"), 3);
    assert_told("error: empty: ");
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
            fail_msg("%s: %s", uses[i], output);
        assert_told("Try: arbiterd ");
    }
    assert_int_equal(run("\"$A\" import --db $DB $F/nothing.pgn"), 1);
    assert_told("nothing.pgn: No such file");
    assert_int_equal(run("\"$A\" import --db $DB $F"), 1);
    assert_int_equal(run("\"$A\" import --help && \"$A\" export --help"), 0);
    assert_told("--no-fivefold");
    assert_told("--output FILE");
}

static void an_import_waits_for_no_service_and_an_export_reads_beside_it(void **state)
{
    struct daemon_process *process = *state;
    static const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(process, arguments) && daemon_process_wait_ready(process));
    assert_int_equal(run(GOOD "\"$A\" import --db sqlite:$F/arbiter.db $F/good.pgn"), 4);
    assert_int_equal(run("\"$A\" export --db sqlite:$F/arbiter.db --all"), 0);
    assert_string_equal(output, "");
    assert_int_equal(daemon_process_stop(process), 0);
}

static void an_output_file_is_replaced_whole_or_not_at_all(void **state)
{
    (void)state;
    assert_int_equal(
        run(GOOD "\"$A\" import --db $DB $F/good.pgn && echo old >$F/out.pgn && umask 022 &&\n"
                 "\"$A\" export --db $DB --all --output $F/out.pgn && ls -l $F/out.pgn* && cat $F/out.pgn"),
        0);
    assert_told("exported 2 games");
    assert_told("-rw-r--r--");
    assert_told("1. d4 *");
    assert_not_told("old");
    assert_int_equal(
        run("echo old >$F/out.pgn; \"$A\" export --db $DB --output $F/out.pgn zzzzzzzzzzzz; code=$?\n"
            "ls $F; cat $F/out.pgn; exit $code"),
        3);
    assert_told("game zzzzzzzzzzzz: there is no such game");
    assert_told("\nold\n");
    assert_not_told("out.pgn.");
    assert_int_equal(run("\"$A\" export --db $DB --all --output $F/none/out.pgn"), 1);
    assert_int_equal(run("\"$A\" export --db $DB --all >/dev/full"), 1);
    assert_int_equal(
        run("\"$A\" export --db sqlite:$F/missing.db --all; code=$?; ls $F; exit $((code != 0))"), 1);
    assert_not_told("missing.db\n");
}

static void an_export_by_id_is_that_game(void **state)
{
    (void)state;
    assert_int_equal(
        run(GOOD "\"$A\" import --db $DB $F/good.pgn >/dev/null\n"
                 "id=$(\"$A\" export --db $DB --all | sed -n 's/.*GameId \"\\(.*\\)\".*/\\1/p' | tail -1)\n"
                 "\"$A\" export --db $DB $id"),
        0);
    assert_told("1. d4 *");
    assert_not_told("Ann");
}

static unsigned number_behind(const char *word)
{
    const char *at = strstr(output, word);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(word), NULL, 10);
}

static void assert_ended_between_games(const char *begin)
{
    char script[SCRIPT_SIZE / 2];
    (void)snprintf(script, sizeof script,
                   "%s" /* until there is something in the store's log, so that it is under way */
                   "while [ ! -s $F/t.db-wal ]; do kill -0 $import || exit 99; done\n"
                   "kill -INT $import; wait $import; code=$?; [ -z \"$feeder\" ] || kill $feeder\n"
                   "echo stored $(\"$A\" export --db $DB --all | grep -c '^1. e4 e5 2. Nf3 \\*$')\n"
                   "echo all $(\"$A\" export --db $DB --all | grep -c '^\\[Result')\n"
                   "exit $code",
                   begin);
    assert_int_equal(run(script), 128 + SIGINT);
    unsigned imported = number_behind("imported ");
    assert_int_equal(number_behind("stored "), imported);
    assert_int_equal(number_behind("all "), imported);
    assert_told("the import was stopped");
    assert_int_equal(number_behind("would have been game "), imported + 1);
    if (strstr(output, ", line "))
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
    assert_told("arbiterd: ended by a signal\n");
    assert_told("1. e4 e5 2. Nf3 *\n\ngames ");
    assert_true(number_behind("games ") < 4000);
}

/* script(1) gives the program a terminal. */
static void a_terminal_shows_how_far_it_has_come(void **state)
{
    (void)state;
    assert_int_equal(run(GAMES(40000) " >$F/many.pgn\n"
                                      "script -qec \"$A import --db $DB $F/many.pgn\" /dev/null </dev/null"),
                     0);
    assert_told(" of 0.4 MB, ");
    assert_told(" games/s, 0:0");
    assert_told(" left\033[K\r");
    assert_told("\r\033[Kimported 20000 games, refused 0");
    assert_int_equal(run("\"$A\" import --db $DB $F/many.pgn"), 0);
    assert_not_told("\r");
}

#define FOLDER_TEST(test) cmocka_unit_test_setup_teardown(test, set_up, tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        FOLDER_TEST(games_go_in_and_come_out),
        FOLDER_TEST(faults_are_told_with_file_line_and_column),
        FOLDER_TEST(validation_opens_no_store),
        FOLDER_TEST(wrong_use_is_told),
        FOLDER_TEST(an_import_waits_for_no_service_and_an_export_reads_beside_it),
        FOLDER_TEST(an_output_file_is_replaced_whole_or_not_at_all),
        FOLDER_TEST(an_export_by_id_is_that_game),
        FOLDER_TEST(sigint_ends_an_export_behind_a_whole_game),
        FOLDER_TEST(a_terminal_shows_how_far_it_has_come),
        FOLDER_TEST(sigint_on_a_pipe_leaves_whole_games_and_says_where_to_go_on),
        FOLDER_TEST(sigint_in_a_file_leaves_whole_games_and_says_where_to_go_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
