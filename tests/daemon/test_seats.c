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

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/daemon_shell.h"
#include "tests/support/http_watch.h"

/* The daemon is at $U. */
static void run(const char *const *arguments)
{
    char url[64];
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u", daemon_process.port);
    assert_int_equal(setenv("U", url, 1), 0);
}

/* $G, and $W $K $S $C its tokens of White, Black, a spectator and the creator. */
static void new_game(const char *form)
{
    char line[256];
    (void)snprintf(line, sizeof line, "curl -sf -d '%s' $U/v1/games.txt >$F/made", form);
    shell_assert_exit(line, 0);
    shell_set("G", "head -1 $F/made");
    shell_set("W", "sed -n 's/^white //p' $F/made");
    shell_set("K", "sed -n 's/^black //p' $F/made");
    shell_set("S", "sed -n 's/^spectator //p' $F/made");
    shell_set("C", "sed -n 's/^creator //p' $F/made");
}

static const char *const usual[] = {"--listen", "127.0.0.1:0", NULL};

static void two_play_to_mate_by_their_tokens(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats");
    shell_assert_prints("curl -s -H \"Authorization: Bearer $W\" -d name=Anna $U/v1/games/$G/seats",
                        "\"token\":null");
    shell_set("K", "curl -sf -d color=black -d name=Boris $U/v1/games/$G/seats.txt | cut -d' ' -f2");
    shell_assert_prints("curl -s $U/v1/games/$G/seats.txt", "white taken Anna\nblack taken Boris\n");
    shell_assert_prints("curl -s -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves",
                        "not-your-turn");
    shell_assert_exit("for m in f3 e5 g4; do WHO=$W; [ $m = e5 ] && WHO=$K; "
                      "curl -sf -H \"Authorization: Bearer $WHO\" -d $m $U/v1/games/$G/moves || exit 9; done",
                      0);
    shell_assert_prints("curl -s -d Qh4 $U/v1/games/$G/moves.txt", "error: token-required: ");
    shell_assert_prints("curl -sf -H \"Authorization: Bearer $K\" -d Qh4 $U/v1/games/$G/moves.txt",
                        "0-1 checkmate");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void a_restart_keeps_seats_and_tokens(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats&visibility=private");
    shell_assert_exit("curl -sf -H \"Authorization: Bearer $W\" -d e4 $U/v1/games/$G/moves", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    run(usual);
    shell_assert_prints("curl -s $U/v1/games/$G", "game-not-found");
    shell_assert_prints("curl -s -H \"Authorization: Bearer $S\" $U/v1/games/$G/seats.txt",
                        "white taken\nblack free\n");
    shell_assert_exit("curl -sf -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves", 0);
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
            shell_assert_exit("test -n \"$U\"", 0);
        (void)snprintf(access, sizeof access, "\"access\":\"%s\"", rows[i].access);
        (void)snprintf(visibility, sizeof visibility, "\"visibility\":\"%s\"", rows[i].visibility);
        const char *create = strstr(rows[i].arguments[1], "::1")
                                 ? "curl -s -X POST \"http://[::1]:${U##*:}/v1/games\""
                                 : "curl -s -X POST -H Host:localhost $U/v1/games";
        shell_assert_prints(create, access);
        shell_assert_prints(create, visibility);
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
    shell_assert_exit("$A token --operator anna >$F/anna && $A token --operator ben >$F/ben", 0);
    shell_set("ANNA", "head -1 $F/anna");
    shell_set("BEN", "head -1 $F/ben");
    shell_assert_exit("{ echo '# who may'; sed -n 2p $F/anna; } >$F/keys", 0);
    run(arguments);
    shell_assert_prints("curl -s -X POST $U/v1/games", "token-required");
    shell_assert_prints("curl -s -X POST -H \"Authorization: Bearer $BEN\" $U/v1/games", "token-invalid");
    shell_assert_prints("curl -s -d access=seats -H \"Authorization: Bearer $ANNA\" $U/v1/games",
                        "\"tokens\":");
    shell_assert_exit("sed -n 2p $F/ben >$F/keys", 0);
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "operator-keys were read again", line));
    shell_assert_prints("curl -s -X POST -H \"Authorization: Bearer $ANNA\" $U/v1/games", "token-invalid");
    shell_assert_exit("curl -sf -X POST -H \"Authorization: Bearer $BEN\" $U/v1/games", 0);
    shell_assert_exit("echo 'ben 1234' >$F/keys", 0);
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "keys were not read again", line));
    assert_non_null(strstr(line, "keys:1: the digest has 64 hexadecimal digits"));
    shell_assert_exit("curl -sf -X POST -H \"Authorization: Bearer $BEN\" $U/v1/games", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    shell_assert_exit("env -i $A --check-config --operator-keys $F/keys 2>/dev/null", 78);
    shell_assert_exit("env -i $A --check-config --operator-keys $F/none 2>/dev/null", 78);
}

static void an_operator_whose_key_was_taken_away_watches_no_longer(void **state)
{
    (void)state;
    char keys[DAEMON_PATH_SIZE + 16], line[DAEMON_LINE_SIZE];
    (void)snprintf(keys, sizeof keys, "%s/keys", daemon_process.folder);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--operator-keys", keys, NULL};
    shell_assert_exit("$A token --operator anna >$F/anna && sed -n 2p $F/anna >$F/keys", 0);
    shell_set("ANNA", "head -1 $F/anna");
    run(arguments);
    new_game("access=seats&visibility=private");
    shell_set("T", "curl -sf -X POST -H \"Authorization: Bearer $ANNA\" $U/v1/games/$G/stream-tickets.txt");
    struct http_watch watch;
    char target[64], fields[96];
    (void)snprintf(target, sizeof target, "/v1/games/%s/events", getenv("G"));
    (void)snprintf(fields, sizeof fields, "Authorization: Bearer %s\r\n", getenv("ANNA"));
    assert_true(http_watch_open(&watch, daemon_process.port, target, fields));
    assert_int_equal(watch.status, 200);
    shell_assert_exit("echo '# nobody' >$F/keys", 0);
    daemon_process_signal(&daemon_process, SIGHUP);
    assert_true(daemon_process_wait_line(&daemon_process, "operator-keys were read again", line));
    shell_assert_exit("curl -sf -H \"Authorization: Bearer $W\" -d e4 $U/v1/games/$G/moves", 0);
    assert_null(http_watch_until(&watch, "move.played"));
    assert_true(watch.over); /* it was ended */
    http_watch_close(&watch);
    shell_assert_prints("curl -s \"$U/v1/games/$G/events.json?ticket=$T\"", "game-not-found");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void a_lost_token_is_replaced_while_no_service_runs(void **state)
{
    (void)state;
    run(usual);
    new_game("access=seats");
    shell_set("O", "curl -sf -X POST $U/v1/games.txt");
    shell_assert_exit("$A token $G white --db $DB 2>/dev/null", 4);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    shell_set("N", "$A token $G white --db $DB");
    shell_assert_exit("$A token $O white --db $DB 2>/dev/null", 1);
    shell_assert_exit("$A token zzzzzzzzzzzz white --db $DB 2>/dev/null", 1);
    shell_assert_exit("$A token $G operator --db $DB 2>/dev/null", 2);
    shell_assert_exit("$A token $G --db $DB 2>/dev/null", 2);
    shell_assert_exit("$A token --operator 'a b' 2>/dev/null", 2);
    run(usual);
    shell_assert_prints("curl -s -H \"Authorization: Bearer $W\" -d e4 $U/v1/games/$G/moves",
                        "token-invalid");
    shell_assert_exit("curl -sf -H \"Authorization: Bearer $N\" -d e4 $U/v1/games/$G/moves", 0);
    shell_assert_exit("curl -sf -H \"Authorization: Bearer $K\" -d e5 $U/v1/games/$G/moves", 0);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void imported_games_follow_the_default(void **state)
{
    (void)state;
    shell_assert_exit(
        "echo '1. e4 e5 *' | $A import - --visibility public --listen 0.0.0.0:0 --db $DB >/dev/null", 0);
    shell_assert_exit("echo '1. d4 d5 *' | $A import - --db $DB >/dev/null", 0);
    run(usual);
    shell_assert_prints("curl -s $U/v1/games?order=asc | grep -o '\"access\":\"[a-z]*\"' | tr '\\n' ' '",
                        "\"access\":\"seats\" \"access\":\"open\"");
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* openapi.yaml, parameter `visibility`, of both ways into a store: public where games are open by default, else unlisted. */
static void an_import_is_listed_where_one_over_the_api_is(void **state)
{
    (void)state;
    static const struct {
        const char *access, *word, *listed;
    } cases[] = {
        {"open", "", "2"},
        {"seats", "", "0"},
        {"open", "unlisted", "0"},
        {"seats", "public", "2"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *const arguments[] = {"--listen", "127.0.0.1:0", "--default-access", cases[i].access,
                                         NULL};
        const char *word = cases[i].word;
        char line[256];
        shell_assert_exit("rm -f $F/arbiter.db*", 0);
        (void)snprintf(line, sizeof line,
                       "echo '1. e4 e5 *' | $A import - --db $DB --default-access %s %s%s >/dev/null",
                       cases[i].access, *word ? "--visibility " : "", word);
        shell_assert_exit(line, 0);
        run(arguments);
        (void)snprintf(line, sizeof line,
                       "echo '1. d4 *' | curl -sf --data-binary @- \"$U/v1/pgn/import%s%s\"",
                       *word ? "?visibility=" : "", word);
        shell_assert_prints(line, "\"imported\":1");
        shell_assert_prints("curl -sf $U/v1/games | grep -o '\"access\"' | wc -l", cases[i].listed);
        assert_int_equal(daemon_process_stop(&daemon_process), 0);
    }
}

/* ---- secrets ------------------------------------------------------------------------------------------- */

/* Everything that a service writes but the answers that tell a token: into files of $F that are searched afterwards. */
static void write_all_answers(void)
{
    static const char *const rests[] = {"",       ".pgn",    "/moves", "/seats",
                                        "/board", "/status", "/draw",  "/fork"};
    static const char *const tokens[] = {"$W", "$K", "$S", "$C", "$O", "cw_nonsense"};
    char line[512];
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++)
        for (size_t j = 0; j < sizeof tokens / sizeof tokens[0]; j++) {
            const char *method = strcmp(rests[i], "/fork") == 0 ? "POST" : "GET";
            (void)snprintf(line, sizeof line,
                           "curl -si -X %s -H \"Authorization: Bearer %s\" $U/v1/games/$G%s >>$F/answers",
                           method, tokens[j], rests[i]);
            shell_assert_exit(line, 0);
        }
    static const char *const acts[] = {"moves -d e4",        "moves -d nonsense", "undo -d 1",
                                       "resign -d white",    "adjudicate -d 1-0", "seats -d color=black",
                                       "tokens -d role=none"};
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++)
        for (size_t j = 0; j < sizeof tokens / sizeof tokens[0]; j++) {
            (void)snprintf(line, sizeof line,
                           "curl -si -H \"Authorization: Bearer %s\" $U/v1/games/$G/%s >>$F/answers",
                           tokens[j], acts[i]);
            shell_assert_exit(line, 0);
        }
}

/* Tokens where they do not belong: in another scheme, in a query, in a body, in a path. */
static void misplace_tokens(void)
{
    shell_assert_exit("curl -si -H \"Authorization: $W\" -d e4 $U/v1/games/$G/moves >>$F/answers", 0);
    shell_assert_exit("curl -si -H \"Authorization: Basic $W\" -d e4 $U/v1/games/$G/moves >>$F/answers", 0);
    shell_assert_exit("curl -si \"$U/v1/games?limit=$W\" >$F/misplaced", 0);
    shell_assert_exit("curl -si \"$U/v1/games/$G/board?ticket=$W\" >>$F/misplaced", 0);
    shell_assert_exit("curl -si \"$U/v1/games/$W\" >>$F/misplaced", 0);
    shell_assert_exit("curl -s $U/metrics >>$F/answers", 0);
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
    shell_assert_exit("$A token --operator anna >$F/anna && sed -n 2p $F/anna >$F/keys", 0);
    shell_set("O", "head -1 $F/anna");
    run(arguments);
    new_game("access=seats&visibility=unlisted");
    shell_set("V", "curl -sf -H \"Authorization: Bearer $S\" -X POST $U/v1/games/$G/stream-tickets.txt");
    shell_set("R", "curl -sf -H \"Authorization: Bearer $C\" -d role=spectator $U/v1/games/$G/tokens.txt | "
                   "cut -d' ' -f2");
    shell_set(
        "I",
        "curl -sf -H 'Idempotency-Key: again' -d access=seats $U/v1/games.txt | tail -1 | cut -d' ' -f2");
    shell_assert_prints("curl -sf -H 'Idempotency-Key: again' -d access=seats $U/v1/games.txt", getenv("I"));
    write_all_answers();
    misplace_tokens();
    write_log();
    shell_assert_exit("rm $F/anna $F/made", 0);
    static const char *const secrets[] = {"W", "K", "S", "C", "O", "V", "R", "I"};
    for (size_t i = 0; i < sizeof secrets / sizeof secrets[0]; i++) {
        char line[128];
        (void)snprintf(line, sizeof line, "test ${#%s} = 35 && ! grep -rlF \"$%s\" --exclude=misplaced $F",
                       secrets[i], secrets[i]);
        shell_assert_exit(line, 0);
    }
    shell_assert_exit("test -s $F/answers && test -s $F/log && test -s $F/arbiter.db", 0);
    shell_assert_prints("grep -c '\"status\":401' $F/log",
                        ""); /* the log was written, and of those very requests */
    shell_assert_prints("grep -F 'HTTP/1.1 4' $F/misplaced", "400");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(two_play_to_mate_by_their_tokens),
        DAEMON_TEST(a_restart_keeps_seats_and_tokens),
        DAEMON_TEST(what_others_reach_has_seats_by_default),
        DAEMON_TEST(operators_create_and_sighup_reads_their_keys_again),
        DAEMON_TEST(an_operator_whose_key_was_taken_away_watches_no_longer),
        DAEMON_TEST(a_lost_token_is_replaced_while_no_service_runs),
        DAEMON_TEST(imported_games_follow_the_default),
        DAEMON_TEST(an_import_is_listed_where_one_over_the_api_is),
        DAEMON_TEST(no_token_is_found_in_log_metrics_answers_or_database),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
