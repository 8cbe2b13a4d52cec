/* Games with seats as a user of curl meets them: played, private, looked after by operators; and the secrets of a running
 * service stay where they belong. */
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

static struct daemon_process daemon_process;

enum { OUTPUT_SIZE = 65536 };
static char output[OUTPUT_SIZE];

/* Runs a line of shell, where $U is the address of the daemon, $T its folder and $B the program; what it wrote is in
 * `output`. The exit code. */
static int shell(const char *line)
{
    FILE *pipe = popen(line, "r"); /* NOLINT(cert-env33-c): a shell is what is tested */
    assert_non_null(pipe);
    size_t length = fread(output, 1, sizeof output - 1, pipe);
    output[length] = '\0';
    int status = pclose(pipe);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

static void assert_prints(const char *line, const char *part)
{
    int code = shell(line);
    if (code != 0 || !strstr(output, part))
        fail_msg("%s: exit %d, printed: %s", line, code, output);
}

static void assert_exit(const char *line, int wanted)
{
    int code = shell(line);
    if (code != wanted)
        fail_msg("%s: exit %d, printed: %s", line, code, output);
}

/* The variable is what the line prints, without the end of the line. */
static void set_from(const char *variable, const char *line)
{
    assert_int_equal(shell(line), 0);
    output[strcspn(output, "\n")] = '\0';
    assert_true(*output);
    assert_int_equal(setenv(variable, output, 1), 0);
}

static void run(const char *const *arguments)
{
    char binary[DAEMON_PATH_SIZE], url[64];
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(daemon_process_binary(binary));
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u", daemon_process.port);
    assert_int_equal(setenv("U", url, 1), 0);
    assert_int_equal(setenv("B", binary, 1), 0);
}

/* $G, and $W $K $S $C its tokens of White, Black, a spectator and the creator. */
static void new_game(const char *form)
{
    char line[256];
    (void)snprintf(line, sizeof line, "curl -sf -d '%s' $U/v1/games.txt >$T/made", form);
    assert_exit(line, 0);
    set_from("G", "head -1 $T/made");
    set_from("W", "sed -n 's/^white //p' $T/made");
    set_from("K", "sed -n 's/^black //p' $T/made");
    set_from("S", "sed -n 's/^spectator //p' $T/made");
    set_from("C", "sed -n 's/^creator //p' $T/made");
}

static int set_up(void **state)
{
    (void)state;
    daemon_process = (struct daemon_process){.output = -1};
    return daemon_process_init(&daemon_process) ? setenv("T", daemon_process.folder, 1) : -1;
}

static int tear_down(void **state)
{
    (void)state;
    daemon_process_finish(&daemon_process);
    return 0;
}

static const char *const usual[] = {"--listen", "127.0.0.1:0", NULL};

static void two_play_to_mate_by_their_tokens(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats");
    assert_prints("curl -s -H \"Authorization: Bearer $W\" -d name=Anna $U/v1/games/$G/seats",
                  "\"token\":null");
    set_from("K", "curl -sf -d color=black -d name=Boris $U/v1/games/$G/seats.txt | cut -d' ' -f2");
    assert_prints("curl -s $U/v1/games/$G/seats.txt", "white taken Anna\nblack taken Boris\n");
    assert_prints("curl -s -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves", "not-your-turn");
    assert_exit("for m in f3 e5 g4; do T1=$W; [ $m = e5 ] && T1=$K; "
                "curl -sf -H \"Authorization: Bearer $T1\" -d $m $U/v1/games/$G/moves || exit 9; done",
                0);
    assert_prints("curl -s -d Qh4 $U/v1/games/$G/moves.txt", "error: token-required: ");
    assert_prints("curl -sf -H \"Authorization: Bearer $K\" -d Qh4 $U/v1/games/$G/moves.txt",
                  "0-1 checkmate");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void a_restart_keeps_seats_and_tokens(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats&visibility=private");
    assert_exit("curl -sf -H \"Authorization: Bearer $W\" -d e4 $U/v1/games/$G/moves", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    run(usual);
    assert_prints("curl -s $U/v1/games/$G", "game-not-found");
    assert_prints("curl -s -H \"Authorization: Bearer $S\" $U/v1/games/$G/seats.txt",
                  "white taken\nblack free\n");
    assert_exit("curl -sf -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- defaults ------------------------------------------------------------------------------------------ */

static void what_others_reach_has_seats_by_default(void **state)
{
    (void)state;
    static const struct {
        const char *const arguments[5];
        const char *access, *visibility;
    } rows[] = {
        {{"--listen", "127.0.0.1:0"}, "open", "public"},
        {{"--listen", "[::1]:0"}, "open", "public"},
        {{"--listen", "0.0.0.0:0"}, "seats", "unlisted"},
        {{"--listen", "0.0.0.0:0", "--default-access", "open"}, "open", "public"},
        {{"--listen", "127.0.0.1:0", "--default-access", "seats"}, "seats", "unlisted"},
        {{"--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1"}, "seats", "unlisted"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char access[64], visibility[64];
        run(rows[i].arguments);
        if (strstr(rows[i].arguments[1], "::1"))
            assert_exit("test -n \"$U\"", 0);
        (void)snprintf(access, sizeof access, "\"access\":\"%s\"", rows[i].access);
        (void)snprintf(visibility, sizeof visibility, "\"visibility\":\"%s\"", rows[i].visibility);
        const char *create = strstr(rows[i].arguments[1], "::1")
                                 ? "curl -s -X POST \"http://[::1]:${U##*:}/v1/games\""
                                 : "curl -s -X POST -H Host:localhost $U/v1/games";
        assert_prints(create, access);
        assert_prints(create, visibility);
        assert_int_equal(daemon_process_stop(&daemon_process), 0);
    }
}

/* ---- operators ----------------------------------------------------------------------------------------- */

static void operators_create_and_sighup_reads_their_keys_again(void **state)
{
    (void)state;
    char keys[DAEMON_PATH_SIZE + 16], line[DAEMON_LINE_SIZE];
    (void)snprintf(keys, sizeof keys, "%s/keys", daemon_process.folder);
    const char *const arguments[] = {"--listen",        "127.0.0.1:0", "--creators", "operators",
                                     "--operator-keys", keys,          NULL};
    run(usual); /* for $B */
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_exit("$B token --operator anna >$T/anna && $B token --operator ben >$T/ben", 0);
    set_from("A", "head -1 $T/anna");
    set_from("N", "head -1 $T/ben");
    assert_exit("{ echo '# who may'; sed -n 2p $T/anna; } >$T/keys", 0);
    run(arguments);
    assert_prints("curl -s -X POST $U/v1/games", "token-required");
    assert_prints("curl -s -X POST -H \"Authorization: Bearer $N\" $U/v1/games", "token-invalid");
    assert_prints("curl -s -d access=seats -H \"Authorization: Bearer $A\" $U/v1/games", "\"tokens\":");
    assert_exit("sed -n 2p $T/ben >$T/keys", 0);
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "operator-keys were read again", line));
    assert_prints("curl -s -X POST -H \"Authorization: Bearer $A\" $U/v1/games", "token-invalid");
    assert_exit("curl -sf -X POST -H \"Authorization: Bearer $N\" $U/v1/games", 0);
    assert_exit("echo 'ben 1234' >$T/keys", 0);
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "keys were not read again", line));
    assert_non_null(strstr(line, "keys:1: the digest has 64 hexadecimal digits"));
    assert_exit("curl -sf -X POST -H \"Authorization: Bearer $N\" $U/v1/games", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_exit("$B --check-config --operator-keys $T/keys 2>/dev/null", 78);
    assert_exit("$B --check-config --operator-keys $T/none 2>/dev/null", 78);
}

static void a_lost_token_is_replaced_while_no_service_runs(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats");
    set_from("O", "curl -sf -X POST $U/v1/games.txt");
    assert_exit("$B token $G white --db sqlite:$T/arbiter.db 2>/dev/null", 4);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    set_from("N", "$B token $G white --db sqlite:$T/arbiter.db");
    assert_exit("$B token $O white --db sqlite:$T/arbiter.db 2>/dev/null", 1);
    assert_exit("$B token zzzzzzzzzzzz white --db sqlite:$T/arbiter.db 2>/dev/null", 1);
    assert_exit("$B token $G operator --db sqlite:$T/arbiter.db 2>/dev/null", 2);
    assert_exit("$B token $G --db sqlite:$T/arbiter.db 2>/dev/null", 2);
    assert_exit("$B token --operator 'a b' 2>/dev/null", 2);
    run(usual);
    assert_prints("curl -s -H \"Authorization: Bearer $W\" -d e4 $U/v1/games/$G/moves", "token-invalid");
    assert_exit("curl -sf -H \"Authorization: Bearer $N\" -d e4 $U/v1/games/$G/moves", 0);
    assert_exit("curl -sf -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void imported_games_follow_the_default(void **state)
{
    (void)state;
    run(usual);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_exit("echo '1. e4 e5 *' | $B import - --listen 0.0.0.0:0 --db sqlite:$T/arbiter.db >/dev/null", 0);
    assert_exit("echo '1. d4 d5 *' | $B import - --db sqlite:$T/arbiter.db >/dev/null", 0);
    run(usual);
    assert_prints("curl -s $U/v1/games?order=asc | grep -o '\"access\":\"[a-z]*\"' | tr '\\n' ' '",
                  "\"access\":\"seats\" \"access\":\"open\"");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* ---- secrets ------------------------------------------------------------------------------------------- */

/* Everything that a service writes but the answers that tell a token: into files of $T that are searched afterwards. */
static void write_all_answers(void)
{
    static const char *const rests[] = {"",       ".pgn",    "/moves", "/seats",
                                        "/board", "/status", "/draw",  "/fork"};
    static const char *const tokens[] = {"$W", "$K", "$S", "$C", "$A", "cw_nonsense"};
    char line[512];
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++)
        for (size_t j = 0; j < sizeof tokens / sizeof tokens[0]; j++) {
            const char *method = strcmp(rests[i], "/fork") == 0 ? "POST" : "GET";
            (void)snprintf(line, sizeof line,
                           "curl -si -X %s -H \"Authorization: Bearer %s\" $U/v1/games/$G%s >>$T/answers",
                           method, tokens[j], rests[i]);
            assert_exit(line, 0);
        }
    static const char *const acts[] = {"moves -d e4",        "moves -d nonsense", "undo -d 1",
                                       "resign -d white",    "adjudicate -d 1-0", "seats -d color=black",
                                       "tokens -d role=none"};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        for (size_t j = 0; j < sizeof tokens / sizeof tokens[0]; j++) {
            (void)snprintf(line, sizeof line,
                           "curl -si -H \"Authorization: Bearer %s\" $U/v1/games/$G/%s >>$T/answers",
                           tokens[j], acts[i]);
            assert_exit(line, 0);
        }
}

/* Tokens where they do not belong: in another scheme, in a query, in a body, in a path. */
static void misplace_tokens(void)
{
    assert_exit("curl -si -H \"Authorization: $W\" -d e4 $U/v1/games/$G/moves >>$T/answers", 0);
    assert_exit("curl -si -H \"Authorization: Basic $W\" -d e4 $U/v1/games/$G/moves >>$T/answers", 0);
    assert_exit("curl -si \"$U/v1/games?limit=$W\" >$T/misplaced", 0);
    assert_exit("curl -si \"$U/v1/games/$G/board?ticket=$W\" >>$T/misplaced", 0);
    assert_exit("curl -si \"$U/v1/games/$W\" >>$T/misplaced", 0);
    assert_exit("curl -s $U/metrics >>$T/answers", 0);
}

static void write_log(void)
{
    char line[DAEMON_LINE_SIZE], path[DAEMON_PATH_SIZE + 16];
    (void)snprintf(path, sizeof path, "%s/log", daemon_process.folder);
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    daemon_process_signal(&daemon_process, SIGTERM);
    while (daemon_process_read_line(&daemon_process, line))
        assert_true(fprintf(file, "%s\n", line) > 0);
    assert_int_equal(fclose(file), 0);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
}

static void no_token_is_found_in_log_metrics_answers_or_database(void **state)
{
    (void)state;
    char keys[DAEMON_PATH_SIZE + 16];
    (void)snprintf(keys, sizeof keys, "%s/keys", daemon_process.folder);
    const char *const arguments[] = {"--listen",        "127.0.0.1:0", "--log-level", "debug",
                                     "--operator-keys", keys,          NULL};
    run(usual);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_exit("$B token --operator anna >$T/anna && sed -n 2p $T/anna >$T/keys", 0);
    set_from("A", "head -1 $T/anna");
    run(arguments);
    new_game("access=seats&visibility=unlisted");
    set_from("V", "curl -sf -H \"Authorization: Bearer $S\" -X POST $U/v1/games/$G/stream-tickets.txt");
    set_from("R", "curl -sf -H \"Authorization: Bearer $C\" -d role=spectator $U/v1/games/$G/tokens.txt | "
                  "cut -d' ' -f2");
    set_from(
        "I",
        "curl -sf -H 'Idempotency-Key: again' -d access=seats $U/v1/games.txt | tail -1 | cut -d' ' -f2");
    assert_prints("curl -sf -H 'Idempotency-Key: again' -d access=seats $U/v1/games.txt", getenv("I"));
    write_all_answers();
    misplace_tokens();
    write_log();
    assert_exit("rm $T/anna $T/made", 0);
    static const char *const secrets[] = {"W", "K", "S", "C", "A", "V", "R", "I"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "test ${#%s} = 35 && ! grep -rlF \"$%s\" --exclude=misplaced $T",
                       secrets[i], secrets[i]);
        assert_exit(line, 0);
    }
    assert_exit("test -s $T/answers && test -s $T/log && test -s $T/arbiter.db", 0);
    assert_prints("grep -c '\"status\":401' $T/log",
                  ""); /* the log was written, and of those very requests */
    assert_prints("grep -F 'HTTP/1.1 4' $T/misplaced", "400");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(two_play_to_mate_by_their_tokens),
        TEST(a_restart_keeps_seats_and_tokens),
        TEST(what_others_reach_has_seats_by_default),
        TEST(operators_create_and_sighup_reads_their_keys_again),
        TEST(a_lost_token_is_replaced_while_no_service_runs),
        TEST(imported_games_follow_the_default),
        TEST(no_token_is_found_in_log_metrics_answers_or_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
