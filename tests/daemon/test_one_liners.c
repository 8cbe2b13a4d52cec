/* The real curl against the real daemon: every line that the contract (section 11) and README.md promise. */
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

enum { SCRIPT_SIZE = 8192 };

/* `text` with the port of the daemon for 8080. */
static void put_port(const char *text, char *script, size_t size)
{
    static const char PRINTED[] = "localhost:8080";
    size_t put = 0;
    for (const char *hole; (hole = strstr(text, PRINTED)); text = hole + strlen(PRINTED)) {
        put += (size_t)snprintf(script + put, size - put, "%.*slocalhost:%u", (int)(hole - text), text,
                                daemon_process.port);
        assert_true(put < size);
    }
    assert_true(put + strlen(text) < size);
    (void)snprintf(script + put, size - put, "%s", text);
}

/* Runs a line of shell as printed; what it wrote is in shell_output. The exit code. */
static int shell(const char *line)
{
    char script[SCRIPT_SIZE];
    script[0] = '\0';
    (void)snprintf(script, sizeof script, "exec 2>/dev/null\n");
    put_port(line, script + strlen(script), sizeof script - strlen(script));
    return shell_run(script);
}

static void assert_shell(const char *line, const char *expected)
{
    int code = shell(line);
    if (code != 0 || strcmp(shell_output, expected) != 0)
        fail_msg("%s: exit %d, printed: %s", line, code, shell_output);
}

static void assert_prints(const char *line, const char *part)
{
    int code = shell(line);
    if (code != 0 || !strstr(shell_output, part))
        fail_msg("%s: exit %d, printed: %s", line, code, shell_output);
}

/* $G is a new game from that FEN; NULL: the usual. */
static void new_game(const char *fen)
{
    char line[256];
    (void)snprintf(line, sizeof line, "curl -s -d '%s' localhost:8080/v1/games.txt", fen ? fen : "");
    assert_int_equal(shell(line), 0);
    shell_output[strcspn(shell_output, "\n")] = '\0';
    assert_int_equal(strlen(shell_output), 12);
    assert_int_equal(setenv("G", shell_output, 1), 0);
}

/* ---- the contract, section 11 ---- */

static void a_post_without_a_body_creates(void **state)
{
    (void)state;
    assert_prints("curl -X POST localhost:8080/v1/games", "\"version\":1,");
    assert_prints("curl -sD- -X POST localhost:8080/v1/games", "HTTP/1.1 201 Created");
    assert_int_equal(shell("curl -s -X POST -H 'Accept: text/plain' localhost:8080/v1/games"), 0);
    assert_int_equal(strlen(shell_output), 13);
}

static void a_bare_move_is_played(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("curl -d e4 localhost:8080/v1/games/$G/moves", "\"san\":\"e4\"");
    assert_prints("curl -d e7e5 localhost:8080/v1/games/$G/moves", "\"san\":\"e5\"");
    assert_shell("curl -s -d Nf3 localhost:8080/v1/games/$G/moves.txt", "Nf3\n");
}

static void a_promotion_is_not_taken_for_a_form(void **state)
{
    (void)state;
    new_game("8/4P1k1/8/8/8/8/8/4K3 w - - 0 1");
    assert_prints("curl -d 'e8=Q' localhost:8080/v1/games/$G/moves", "\"promotion\":\"queen\"");
    new_game("7k/4P3/8/8/8/8/8/4K3_w_-_-_0_1");
    assert_shell("curl -s -d 'e8=Q+' localhost:8080/v1/games/$G/moves.txt", "e8=Q+\n");
    new_game("7k/4P3/8/8/8/8/8/4K3");
    assert_shell("curl -s -d 'move=e8=Q+' localhost:8080/v1/games/$G/moves.txt", "e8=Q+\n");
    new_game("7k/4P3/8/8/8/8/8/4K3");
    assert_shell("curl -s --data-urlencode 'move=e8=Q+' localhost:8080/v1/games/$G/moves.txt", "e8=Q+\n");
}

static void castling_and_marks_come_through(void **state)
{
    (void)state;
    new_game("4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    assert_shell("curl -s -d O-O localhost:8080/v1/games/$G/moves.txt", "O-O\n");
    new_game("4k3/8/8/8/8/8/8/3QK3 w - - 0 1");
    assert_shell("curl -s -d 'Qh5#' localhost:8080/v1/games/$G/moves.txt", "Qh5+\n");
}

static void the_board_is_text(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("curl localhost:8080/v1/games/$G/board", "8  r n b q k b n r\n7  p p p p p p p p\n");
    assert_prints("curl localhost:8080/v1/games/$G/board", "\nWhite to move\n");
}

static void legal_moves_are_one_line(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("curl localhost:8080/v1/games/$G/legal-moves.txt", "Nf3");
    assert_string_equal(strchr(shell_output, '\n'), "\n");
    assert_prints("curl -s localhost:8080/v1/games/$G/legal-moves.txt | wc -w", "20\n");
    assert_prints("curl \"localhost:8080/v1/positions/legal-moves?fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1\"",
                  "\"uci\":\"e2e4\"");
}

/* curl -d @game.pgn would lose the ends of lines. */
static void a_game_comes_in_as_pgn(void **state)
{
    (void)state;
    static const char game[] = "printf '[White \"Ann\"]\n\n1. e4 e5 1-0\n' |";
    char line[512];
    (void)snprintf(
        line, sizeof line,
        "%s curl --data-binary @- -H 'Content-Type: application/vnd.chess-pgn' localhost:8080/v1/games",
        game);
    assert_prints(line, "\"ply\":2");
    (void)snprintf(line, sizeof line, "%s curl --data-binary @- localhost:8080/v1/pgn/import", game);
    assert_prints(line, "{\"done\":true,\"imported\":1,\"refused\":0}\n");
    (void)snprintf(line, sizeof line, "%s curl --data-binary @- localhost:8080/v1/pgn/validate.txt", game);
    assert_prints(line, "1 of 1 games are good\n");
    (void)snprintf(line, sizeof line, "%s curl -T- localhost:8080/v1/games -X POST", game);
    assert_prints(line, "\"ply\":2");
}

static void a_game_is_taken_home_as_pgn(void **state)
{
    (void)state;
    new_game(NULL);
    assert_int_equal(shell("curl -s -d e4 localhost:8080/v1/games/$G/moves"), 0);
    assert_prints("curl localhost:8080/v1/games/$G.pgn", "[Event \"?\"]\n");
    assert_prints("curl localhost:8080/v1/games/$G.pgn", "\n\n1. e4 *\n");
    assert_prints("curl localhost:8080/v1/games/$G.fen", " b KQkq - 0 1\n");
}

static void a_move_goes_through_a_pipe_and_is_idempotent(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("echo e4 | curl -sD- -T- localhost:8080/v1/games/$G/moves/1", "HTTP/1.1 201 Created");
    assert_prints("echo e4 | curl -sD- -T- localhost:8080/v1/games/$G/moves/1", "Idempotent-Replayed: true");
    assert_int_equal(shell("echo d4 | curl -sf -T- localhost:8080/v1/games/$G/moves/1"), 22);
    assert_prints("curl -s localhost:8080/v1/games/$G/status", "\"ply\":1,\"version\":2");
    assert_prints("printf e5 >$F/move; curl -s -T $F/move localhost:8080/v1/games/$G/moves/2",
                  "\"san\":\"e5\"");
}

/* ---- exit codes and methods ---- */

static void an_error_is_exit_22_with_f_and_a_line_of_text_without(void **state)
{
    (void)state;
    new_game(NULL);
    assert_int_equal(shell("curl -sf -d Ke5 localhost:8080/v1/games/$G/moves"), 22);
    assert_int_equal(shell("curl -sf localhost:8080/v1/games/222222222222"), 22);
    assert_int_equal(shell("curl -sf localhost:8080/v1/nothing"), 22);
    assert_int_equal(shell("curl -sf localhost:8080/v1/games/$G"), 0);
    assert_prints("curl -s -d Ke2 localhost:8080/v1/games/$G/moves.txt", "error: illegal-move: Ke2: ");
    assert_prints("curl -s -H 'Accept: text/plain' -d Ke2 localhost:8080/v1/games/$G/moves",
                  "error: illegal-move: ");
    assert_prints("curl -s -d Ke2 localhost:8080/v1/games/$G/moves", "\"reason\":\"own_piece_on_target\"");
    assert_shell(
        "curl -s -o /dev/null -w '%{http_code} %{content_type}' -d Ke2 localhost:8080/v1/games/$G/moves",
        "422 application/problem+json");
}

static void head_shows_the_fields_alone(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("curl -sI localhost:8080/v1/games/$G", "HTTP/1.1 200 OK\r\n");
    assert_non_null(strstr(shell_output, "\r\nETag: \"v1\"\r\n"));
    assert_non_null(strstr(shell_output, "\r\nContent-Length: "));
    assert_string_equal(shell_output + strlen(shell_output) - 4, "\r\n\r\n");
    assert_shell(
        "curl -s -o /dev/null -w '%{http_code}' -H 'If-None-Match: \"v1\"' localhost:8080/v1/games/$G",
        "304");
}

static void actions_need_no_body(void **state)
{
    (void)state;
    new_game(NULL);
    assert_int_equal(shell("curl -sf -d 'moves=e4 e5 Nf3' localhost:8080/v1/games/$G/moves"), 0);
    assert_prints("curl -s -X POST localhost:8080/v1/games/$G/undo.txt", " w KQkq - 0 2\n");
    assert_prints("curl -s -X POST localhost:8080/v1/games/$G/fork", "\"ply\":2,");
    assert_prints("curl -s -d '' localhost:8080/v1/games/$G/draw/claim", "\"stands_as_offer\":true");
    assert_shell("curl -s -X POST localhost:8080/v1/games/$G/resign.txt", "0-1 resignation\n");
    assert_shell("curl -s -o /dev/null -w '%{http_code}' -X DELETE localhost:8080/v1/games/$G", "204");
    assert_shell("curl -s -o /dev/null -w '%{http_code}' -X DELETE localhost:8080/v1/games/$G", "404");
    new_game(NULL);
    assert_shell("curl -s -X POST localhost:8080/v1/games/$G/abort.txt", "* aborted\n");
}

/* Each ends by itself: the stream after a second, the poll because there is something. */
static void events_come_as_they_happen(void **state)
{
    (void)state;
    new_game(NULL);
    assert_prints("curl -sN -m 1 localhost:8080/v1/games/$G/events.ndjson | head -n 1",
                  "{\"id\":1,\"type\":\"snapshot\",");
    assert_prints("curl -sN -m 1 localhost:8080/v1/games/$G/events | head -n 4",
                  "retry: 2000\n\nid: 1\nevent: snapshot\n");
    assert_prints("curl -s -d e4 localhost:8080/v1/games/$G/moves >/dev/null & "
                  "curl -s \"localhost:8080/v1/games/$G/events.json?after=1&wait=25\"",
                  "{\"data\":[{\"id\":2,\"type\":\"move.played\",");
    assert_prints("curl -sN -m 1 \"localhost:8080/v1/events?game=$G\" | head -n 3", "retry: 2000\n\nid: ");
}

static void a_unix_socket_serves_the_same_lines(void **state)
{
    (void)state;
    struct daemon_process other = {.output = -1};
    char address[DAEMON_PATH_SIZE + 32];
    assert_true(daemon_process_init(&other));
    (void)snprintf(address, sizeof address, "unix:%s/arbiter.sock", other.folder);
    const char *const arguments[] = {"--listen", address, "--log-level", "warn", NULL};
    assert_true(daemon_process_start(&other, arguments));
    assert_true(daemon_process_wait_ready(&other));
    assert_int_equal(setenv("S", address + strlen("unix:"), 1), 0);
    assert_int_equal(shell("curl -s --unix-socket $S -X POST http://localhost/v1/games.txt"), 0);
    shell_output[strcspn(shell_output, "\n")] = '\0';
    assert_int_equal(setenv("G", shell_output, 1), 0);
    assert_shell("curl -s --unix-socket $S -d e4 http://localhost/v1/games/$G/moves.txt", "e4\n");
    assert_shell("echo e5 | curl -s --unix-socket $S -T- http://localhost/v1/games/$G/moves/2.txt", "e5\n");
    assert_prints("curl -s --unix-socket $S http://anything/v1/games/$G", "\"ply\":2,");
    daemon_process_finish(&other);
}

/* ---- README.md ---- */

/* The lines of its first block of shell that call curl, each followed by a mark with its exit code. */
static void read_readme(char *script, size_t size)
{
    char line[512];
    size_t put = 0;
    bool inside = false, done = false;
    FILE *file = fopen("README.md", "r");
    assert_non_null(file);
    while (!done && fgets(line, sizeof line, file)) {
        done = inside && strncmp(line, "```", 3) == 0;
        if (inside && !done && strstr(line, "curl"))
            put += (size_t)snprintf(script + put, size - put, "%secho \"<exit $?>\"\n", line);
        inside = inside || strncmp(line, "```sh", 5) == 0;
        assert_true(put < size);
    }
    (void)fclose(file);
    assert_true(done && put > 0);
}

static void the_lines_of_the_readme_work_as_printed(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "e4\n<exit 0>\n",                   /* a move as people write it */
        "\"san\":\"e5\"",                   /* as engines do */
        "5  . . . . p . . .\n4  . . . . P", /* the board */
        "Nf3",                              /* what may be played */
        "\n\n1. e4 e5 *\n<exit 0>\n",       /* taken home */
    };
    char script[SCRIPT_SIZE] = "";
    read_readme(script, sizeof script);
    assert_int_equal(shell(script), 0);
    const char *at = shell_output;
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        const char *found = strstr(at, parts[i]);
        if (!found)
            fail_msg("no %s in: %s", parts[i], at);
        at = found;
    }
    int lines = 0;
    for (at = shell_output; (at = strstr(at, "<exit ")); at++, lines++)
        assert_int_equal(strncmp(at, "<exit 0>", 8), 0);
    assert_true(lines >= 6);
}

static void the_readme_names_every_command_and_option(void **state)
{
    (void)state;
    shell_assert_exit(
        "for name in $(\"$A\" --help | sed -n 's/^  \\([a-z0-9]*\\)  .*/`\\1`/p') \\\n"
        "    $(\"$A\" serve --help | sed -n 's/^  \\(--[a-z-]*\\).*/\\1/p' | grep -v '^--limit-')\n"
        "do echo $name; grep -q -e \"$name\" README.md || exit 1; done",
        0);
    shell_assert_told("`winnable`\n");
    shell_assert_told("--trusted-proxy\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_post_without_a_body_creates),
        cmocka_unit_test(a_bare_move_is_played),
        cmocka_unit_test(a_promotion_is_not_taken_for_a_form),
        cmocka_unit_test(castling_and_marks_come_through),
        cmocka_unit_test(the_board_is_text),
        cmocka_unit_test(legal_moves_are_one_line),
        cmocka_unit_test(a_game_comes_in_as_pgn),
        cmocka_unit_test(a_game_is_taken_home_as_pgn),
        cmocka_unit_test(a_move_goes_through_a_pipe_and_is_idempotent),
        cmocka_unit_test(an_error_is_exit_22_with_f_and_a_line_of_text_without),
        cmocka_unit_test(head_shows_the_fields_alone),
        cmocka_unit_test(actions_need_no_body),
        cmocka_unit_test(events_come_as_they_happen),
        cmocka_unit_test(a_unix_socket_serves_the_same_lines),
        cmocka_unit_test(the_lines_of_the_readme_work_as_printed),
        cmocka_unit_test(the_readme_names_every_command_and_option),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
