/* systemd/arbiterd.service: what systemd says of it, and the real daemon under all of it that can be had without a service
 * manager (confine.c). What the unit forbids kills there, so a daemon that does all its work and ends with 0 needs nothing
 * of it. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"
#include "tests/support/http_watch.h"

enum { TEXT_SIZE = 256, BAD_CALL = 128 + SIGSYS };

static char game[16];

/* ---- what systemd says -------------------------------------------------------------------------------------------- */

static void it_is_exposed_by_less_than_one_and_a_half_of_ten(void **state)
{
    (void)state;
    shell_assert_exit(
        "systemd-analyze security --offline=true --threshold=15 systemd/arbiterd.service >/dev/null", 0);
    shell_assert_exit(
        "systemd-analyze security --offline=true --threshold=1 systemd/arbiterd.service >/dev/null", 1);
}

static void systemd_understands_every_line(void **state)
{
    (void)state;
    shell_assert_exit("set -e; program=$(realpath \"$CONFINED\"); mkdir \"$F/units\"\n"
                      "for file in service socket; do\n"
                      "    sed \"s|/usr/local/bin/arbiterd|$program|\" systemd/arbiterd.$file "
                      ">\"$F/units/arbiterd.$file\"\n"
                      "done\n"
                      "said=$(systemd-analyze verify \"$F\"/units/arbiterd.service "
                      "\"$F\"/units/arbiterd.socket 2>&1) || bad=1\n"
                      "rm -r \"$F/units\"\n"
                      "[ -z \"$said$bad\" ] || { echo \"$said\" >&2; exit 1; }",
                      0);
}

/* A flag would count more than the file that README says settings go into. */
static void every_setting_can_be_made_in_the_environment_file(void **state)
{
    (void)state;
    shell_assert_exit("! grep '^ExecStart=.* --' systemd/arbiterd.service", 0);
    shell_assert_exit(
        "grep -qx 'Environment=ARBITER_DB=sqlite:%S/arbiter/arbiter.db' systemd/arbiterd.service", 0);
    shell_assert_exit("grep -qx 'EnvironmentFile=-/etc/arbiter/arbiterd.env' systemd/arbiterd.service", 0);
}

/* ---- what it forbids ---------------------------------------------------------------------------------------------- */

/* Else the tests below could not fail. */
static void what_the_unit_forbids_cannot_be_done(void **state)
{
    static const struct {
        const char *label, *python;
        int code;
    } ROWS[] = {
        {"nothing", "pass", 0},
        {"another user", "import os; os.setuid(0)", BAD_CALL},
        {"another family of addresses", "import socket; socket.socket(16, socket.SOCK_RAW)", BAD_CALL},
        {"a usual one", "import socket; socket.socket()", 0},
        {"code that is written", "import mmap; mmap.mmap(-1, 4096, prot=7)", BAD_CALL},
        {"a file that takes its owner's rights", "import os; os.chmod(os.environ['F'], 0o4700)", BAD_CALL},
        {"another root", "import os; os.chroot('/')", BAD_CALL},
        {"another time", "import time; time.clock_settime(time.CLOCK_REALTIME, 0)", BAD_CALL},
        {"another priority", "import os; os.nice(1)", BAD_CALL},
        {"much memory", "bytearray(2 << 30)", 1},
        {"its folder", "import os; open(os.environ['F'] + '/file', 'w')", 0},
    };
    (void)state;
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char script[TEXT_SIZE * 2];
        (void)snprintf(
            script, sizeof script,
            "CONFINED=$(PATH=/usr/bin:$PATH command -v python3) \"$CONFINE\" -I -c \"%s\" 2>&1; exit $?",
            ROWS[i].python);
        int code = shell_run(script);
        if (code != ROWS[i].code)
            fail_msg("%s: exit %d, not %d: %s", ROWS[i].label, code, ROWS[i].code, shell_output);
    }
    shell_assert_exit(
        "unshare --mount true 2>/dev/null || exit 1 # no mounts can be made: not tried\n"
        "CONFINED=$(PATH=/usr/bin:$PATH command -v touch) \"$CONFINE\" \"$F/../arbiter-outside\" 2>/dev/null",
        1);
}

/* ---- a day in its life -------------------------------------------------------------------------------------------- */

static void ask(const char *method, const char *target, const char *fields, const char *body, unsigned status)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, method, target, fields, body, &daemon_reply));
    if (daemon_reply.status != status)
        fail_msg("%s %s: %u %s", method, target, daemon_reply.status, daemon_reply.body);
}

/* Of the game that is played. */
static void ask_of(const char *method, const char *what, const char *fields, const char *body,
                   unsigned status)
{
    char target[TEXT_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%s%s", game, what);
    ask(method, target, fields, body, status);
}

static void play(void)
{
    struct http_watch watch;
    char target[TEXT_SIZE];
    ask("POST", "/v1/games.txt", NULL, "{\"clock\":\"300+3\"}", 201);
    (void)snprintf(game, sizeof game, "%.12s", daemon_reply.body);
    (void)snprintf(target, sizeof target, "/v1/games/%s/events.ndjson?after=0", game);
    assert_true(http_watch_open(&watch, daemon_process.port, target, NULL));
    ask_of("POST", "/moves", "Idempotency-Key: first\r\n", "e4", 201);
    ask_of("POST", "/moves", "Idempotency-Key: first\r\n", "e4", 201);
    ask_of("PUT", "/moves/2", NULL, "e5", 201);
    ask_of("POST", "/draw/offer", NULL, "", 201);
    assert_non_null(http_watch_until(&watch, "\"type\":\"draw.offered\""));
    http_watch_close(&watch);
    ask_of("GET", "/board.png", NULL, NULL, 200);
    ask_of("GET", "/board.svg", NULL, NULL, 200);
    ask_of("GET", ".pgn", NULL, NULL, 200);
    ask("POST", "/v1/positions/winnable", NULL, "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", 200);
    ask_of("POST", "/resign", NULL, "", 200);
    ask("POST", "/v1/games", NULL, "{\"access\":\"seats\"}", 201);
    ask("POST", "/v1/pgn/import", "Content-Type: application/vnd.chess-pgn\r\n",
        "[White \"A\"]\n\n1. e4 e5 *\n", 200);
    ask("GET", "/v1/games?limit=10", NULL, NULL, 200);
    ask("GET", "/metrics", NULL, NULL, 200);
    ask_of("DELETE", "", NULL, NULL, 204);
}

static void assert_status(const char *command)
{
    char script[TEXT_SIZE];
    (void)snprintf(script, sizeof script, "p=/proc/%d; %s", (int)daemon_process.pid, command);
    shell_assert_exit(script, 0);
}

static void assert_confined(void)
{
    assert_status("grep -qx 'NoNewPrivs:\t1' $p/status");
    assert_status("grep -qx 'Seccomp:\t2' $p/status");
    assert_status("awk '/Max open files/ { exit !($5 <= 65536) }' $p/limits");
    assert_status("[ $(ls $p/task | wc -l) -le 64 ]");
    if (geteuid() == 0)
        assert_status("grep -qx 'CapBnd:\t0000000000000000' $p/status && grep -q '^Uid:\t65534' $p/status");
}

static void a_day_of_the_daemon_needs_nothing_else(void **state)
{
    char line[DAEMON_LINE_SIZE], address[64];
    (void)state;
    for (int start = 0; start < 2; start++) { /* a new store, and one that is there */
        (void)snprintf(address, sizeof address, "unix:%.40s/a", daemon_process.folder);
        const char *const arguments[] = {"--listen", "[::1]:0", "--listen", address, NULL};
        assert_true(daemon_process_run(&daemon_process, arguments));
        unsigned port = daemon_process.port;
        assert_true(http_client_open(&daemon_client, "127.0.0.1", port));
        play();
        shell_assert_exit("\"$CONFINE\" backup --db \"$DB\" \"$F/copy.db\" 2>/dev/null", 0);
        shell_assert_exit(
            "\"$CONFINE\" check --db \"sqlite:$F/copy.db\" >/dev/null 2>&1 && rm \"$F/copy.db\"", 0);
        daemon_process_signal(&daemon_process, SIGHUP);
        assert_true(daemon_process_wait_line(&daemon_process, "were read again", line));
        assert_confined();
        http_client_close(&daemon_client);
        assert_int_equal(daemon_process_stop(&daemon_process), 0);
    }
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

/* The daemon is started by confine from here on. */
static int set_up(void **state)
{
    char confine[DAEMON_PATH_SIZE], groups[DAEMON_PATH_SIZE];
    if (!getenv("ARBITERD") || !getenv("CONFINE")) {
        (void)fputs("run this by make test-unit: it wants ARBITERD and CONFINE\n", stderr);
        return -1;
    }
    (void)snprintf(confine, sizeof confine, "%s", getenv("CONFINE"));
    (void)setenv("CONFINED", getenv("ARBITERD"), 1);
    (void)setenv("ARBITERD", confine, 1);
    (void)setenv("CONFINED_UNIT", "systemd/arbiterd.service", 1);
    if (daemon_set_up(state) != 0)
        return -1;
    (void)snprintf(groups, sizeof groups, "%.200s/groups.txt", daemon_process.folder);
    (void)setenv("CONFINED_FOLDER", daemon_process.folder, 1);
    (void)setenv("CONFINED_GROUPS", groups, 1);
    return shell_run("systemd-analyze syscall-filter >\"$CONFINED_GROUPS\" 2>/dev/null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_is_exposed_by_less_than_one_and_a_half_of_ten),
        cmocka_unit_test(systemd_understands_every_line),
        cmocka_unit_test(every_setting_can_be_made_in_the_environment_file),
        cmocka_unit_test(what_the_unit_forbids_cannot_be_done),
        cmocka_unit_test(a_day_of_the_daemon_needs_nothing_else),
    };
    return cmocka_run_group_tests_name("the unit", tests, set_up, daemon_tear_down);
}
