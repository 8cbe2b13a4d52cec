/* The commands of the real program: what they print has to arrive. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"

/* $G, which has seats. */
static void import_a_game(void)
{
    shell_assert_prints("echo '1. e4 e5 *' >$F/game.pgn\n"
                        "\"$A\" import --db $DB --default-access seats $F/game.pgn",
                        "imported 1 games");
    shell_set("G", "\"$A\" export --db $DB --all | sed -n 's/.*GameId \"\\(.*\\)\".*/\\1/p'");
}

static void a_full_disk_fails_whatever_prints(void **state)
{
    static const char *const commands[] = {
        "--help",
        "--version --verbose",
        "serve --help",
        "config",
        "config --help",
        "import --help",
        "import --validate $F/game.pgn",
        "export --help",
        "export --db $DB --all",
        "export --db $DB --all --output $F/out.pgn",
        "token --help",
        "token --operator anna",
        "token --db $DB $G white",
        "perft --help",
        "perft --depth 1",
        "perft --depth 2 --divide",
        "winnable --help",
        "winnable $F/positions",
    };
    (void)state;
    import_a_game();
    shell_assert_exit("echo '8/8/8/4k3/8/8/8/4K3 w - - 0 1' >$F/positions", 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char script[256];
        (void)snprintf(script, sizeof script, "\"$A\" %s >/dev/null", commands[i]);
        shell_assert_exit(script, 0);
        (void)snprintf(script, sizeof script, "\"$A\" %s 2>&1 >/dev/full", commands[i]);
        shell_assert_exit(script, 1);
        shell_assert_told("arbiterd: ");
    }
}

/* The buffer was written in part before the disk was full: the last write of it is not the only one that counts. */
static void output_that_is_cut_off_is_a_failure(void **state)
{
    (void)state;
    shell_assert_exit("ulimit -f 1; \"$A\" serve --help >$F/help 2>$F/why", 1);
    shell_assert_prints("cat $F/why", "arbiterd: standard output: ");
}

/* The system would end a program that writes more than it may (setrlimit: SIGXFSZ). */
static void a_limit_of_file_sizes_fails_whatever_writes(void **state)
{
    static const char *const commands[] = {
        "serve --help >$F/text",
        "import --db sqlite:$F/new.db $F/game.pgn",
        "import --db $DB $F/game.pgn",
        "export --db $DB --all --output $F/out.pgn",
        "export --db $DB --all >$F/out.pgn",
        "token --db $DB $G white",
        "backup --db $DB $F/copy.db",
        "serve --db sqlite:$F/new.db --listen 127.0.0.1:0",
    };
    (void)state;
    import_a_game();
    shell_assert_exit("for i in 1 2 3 4 5 6 7; do \"$A\" import --db $DB $F/game.pgn; done", 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char script[256];
        (void)snprintf(script, sizeof script, "(ulimit -f 1; \"$A\" %s) 2>&1", commands[i]);
        shell_assert_exit(script, 1);
        shell_assert_told("arbiterd: ");
    }
    shell_assert_prints("\"$A\" export --db $DB --all", "1. e4 e5 *");
}

static void a_token_that_could_not_be_told_is_made_anew(void **state)
{
    (void)state;
    import_a_game();
    shell_assert_exit("\"$A\" token --db $DB $G white 2>&1 >/dev/full", 1);
    shell_assert_told("make another");
    shell_assert_exit("\"$A\" token --db $DB $G white", 0);
    shell_assert_told("cw_");
}

static void a_command_for_a_store_that_is_there_makes_none(void **state)
{
    static const char *const commands[] = {
        "token abcdefghjkmn white",
        "export --all",
        "export abcdefghjkmn",
        "serve --dry-run",
    };
    (void)state;
    shell_assert_exit("mkdir $F/none", 0);
    for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++) {
        char script[256];
        (void)snprintf(script, sizeof script, "\"$A\" %s --db sqlite:$F/none/arbiter.db 2>&1 >/dev/null",
                       commands[i]);
        shell_assert_exit(script, 1);
        shell_assert_told("No such file");
        shell_assert_exit("test -z \"$(ls -A $F/none)\"", 0);
    }
}

static void both_checks_of_settings_read_the_keys_of_operators(void **state)
{
    (void)state;
    static const char *const checks[] = {"config --check", "--check-config", "serve --check-config"};
    shell_assert_exit("echo 'ben 1234' >$F/keys", 0);
    for (size_t i = 0; i < sizeof checks / sizeof checks[0]; i++) {
        char script[256];
        (void)snprintf(script, sizeof script, "env -i \"$A\" %s --operator-keys $F/keys 2>&1", checks[i]);
        shell_assert_exit(script, 78);
        shell_assert_told("keys:1: the digest has 64 hexadecimal digits");
    }
}

static void perft_refuses_what_is_no_position(void **state)
{
    (void)state;
    shell_assert_exit("\"$A\" perft --depth 1 --fen '8/8/8/8/8/8/8/8 w - - 0 1' 2>&1", 3);
    shell_assert_told("arbiterd: --fen: ");
    shell_assert_exit("\"$A\" perft --depth one 2>&1", 2);
    shell_assert_exit("\"$A\" perft --depth 31 2>&1", 2);
    shell_assert_told("N from 0 to 30");
    shell_assert_exit("\"$A\" perft --depth=2 --fen='4k3/8/8/8/8/8/8/4K3 w - - 0 1'", 0);
    shell_assert_told("25 ");
}

static void a_variable_that_is_no_setting_is_told(void **state)
{
    (void)state;
    shell_assert_exit("env -i ARBITER_IDEL_TIMEOUT=3s \"$A\" config --check 2>&1", 2);
    shell_assert_told("ARBITER_IDEL_TIMEOUT: there is no setting 'idel_timeout': did you mean idle-timeout?");
    shell_assert_exit("env -i ARBITER_NONSENSE=1 \"$A\" config --check 2>&1", 2);
    shell_assert_exit(
        "env -i ARBITER_IDLE_TIMEOUT=3s ARBITER_SERVICE_HOST=10.0.0.1 ARBITER_SERVICE_PORT_HTTP=80"
        " ARBITER_PORT=tcp://10.0.0.1:80 ARBITER_PORT_80_TCP_ADDR=10.0.0.1 ARBITERX=1"
        " \"$A\" config --check 2>&1",
        0);
    shell_assert_exit("env -i ARBITER_IDEL_TIMEOUT=3s \"$A\" --check-config 2>&1", 2);
    shell_assert_told("did you mean idle-timeout?");
    shell_assert_exit("env -i ARBITER_IDEL_TIMEOUT=3s \"$A\" --dry-run --db $DB 2>&1", 2);
    shell_assert_told("did you mean idle-timeout?");
    /* The service starts all the same. */
    shell_assert_exit(
        "ARBITER_IDEL_TIMEOUT=3s \"$A\" serve --listen unix:$F/s --db $DB >$F/log 2>&1 & daemon=$!\n"
        "until grep -q '\"ready\"' $F/log; do kill -0 $daemon || exit 99; done\n"
        "kill $daemon; wait $daemon; grep 'is no setting' $F/log",
        0);
    shell_assert_told("did you mean idle-timeout?");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(a_full_disk_fails_whatever_prints),
        DAEMON_TEST(output_that_is_cut_off_is_a_failure),
        DAEMON_TEST(a_limit_of_file_sizes_fails_whatever_writes),
        DAEMON_TEST(a_token_that_could_not_be_told_is_made_anew),
        DAEMON_TEST(a_command_for_a_store_that_is_there_makes_none),
        DAEMON_TEST(both_checks_of_settings_read_the_keys_of_operators),
        DAEMON_TEST(perft_refuses_what_is_no_position),
        DAEMON_TEST(a_variable_that_is_no_setting_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
