/* POST /v1/pgn/import and /v1/pgn/validate of the real daemon as streams: lines come while games are stored or judged, the
 * client leaves or rests, the daemon ends or is killed. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/http_watch.h"

enum {
    SOME = 1000,
    MANY = 20000, /* over a thousand commits: they are not stored before a client has read a line and left */
    REFUSED = 40000,
    ID_LENGTH = 12,
    LOOKS_MAX = 20000,
    RECEIVE_BYTES = 4096,
};

static char *repeated(const char *text, unsigned count)
{
    size_t length = strlen(text);
    char *all = malloc(length * count + 1);
    assert_non_null(all);
    for (unsigned i = 0; i < count; i++)
        memcpy(all + length * i, text, length);
    all[length * count] = '\0';
    return all;
}

/* Of which much is told. */
#define NO_GAME "an_unusually_long_word_that_is_nothing_at_all_in_any_notation *\n"

static char *good_games(unsigned count)
{
    return repeated("1. e4 e5 2. Nf3 Nc6 *\n\n", count);
}

static void start(void)
{
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--limit-page-maximum", "1000", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
}

static void stop(void)
{
    http_client_close(&daemon_client);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void begin_at(struct http_watch *watch, const char *target, const char *pgn)
{
    struct http_client client = {.fd = -1};
    char *request = NULL;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(asprintf(&request,
                         "POST %s HTTP/1.1\r\nHost: 127.0.0.1:%u\r\n"
                         "Content-Type: application/vnd.chess-pgn\r\nContent-Length: %zu\r\n\r\n%s",
                         target, daemon_process.port, strlen(pgn), pgn) > 0);
    assert_true(http_watch_begin(watch, &client, request));
    assert_int_equal(watch->status, 200);
    free(request);
}

static void begin_over(struct http_watch *watch, const struct http_client *client, const char *version,
                       const char *key, const char *pgn)
{
    char *request = NULL;
    assert_true(asprintf(&request,
                         "POST /v1/pgn/import HTTP/%s\r\nHost: 127.0.0.1:%u\r\n%s%s%s"
                         "Content-Type: application/vnd.chess-pgn\r\nContent-Length: %zu\r\n\r\n%s",
                         version, daemon_process.port, key ? "Idempotency-Key: " : "", key ? key : "",
                         key ? "\r\n" : "", strlen(pgn), pgn) > 0);
    assert_true(http_watch_begin(watch, client, request));
    assert_int_equal(watch->status, 200);
    free(request);
}

static void begin(struct http_watch *watch, const char *key, const char *pgn)
{
    struct http_client client = {.fd = -1};
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    begin_over(watch, &client, "1.1", key, pgn);
}

/* The id in a line, or what follows it; "" where the line has none. */
static const char *id_of(const char *line)
{
    static const char MEMBER[] = "\"id\":\"";
    const char *at = strstr(line, MEMBER);
    return at ? at + sizeof MEMBER - 1 : "";
}

static bool is_there(const char *id)
{
    char target[64];
    (void)snprintf(target, sizeof target, "/v1/games/%.*s", ID_LENGTH, id);
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
    return daemon_reply.status == 200;
}

static unsigned count_lines(const char *text)
{
    unsigned count = 0;
    for (; (text = strchr(text, '\n')); text++)
        count++;
    return count;
}

static unsigned count_games(void)
{
    char target[96] = "/v1/games.txt?limit=1000", link[256];
    unsigned count = 0;
    for (;;) {
        http_reply_finish(&daemon_reply);
        assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
        assert_int_equal(daemon_reply.status, 200);
        count += daemon_reply.body_length > 1 ? count_lines(daemon_reply.body) : 0;
        if (!http_reply_field(&daemon_reply, "Link", link, sizeof link))
            return count;
        assert_int_equal(sscanf(link, "<%95[^>]>", target), 1);
    }
}

static unsigned number_behind(const char *text, const char *mark)
{
    const char *at = strstr(text, mark);
    assert_non_null(at);
    return (unsigned)strtoul(at + strlen(mark), NULL, 10);
}

/* A value of /metrics without labels. */
static long metric(const char *name)
{
    char start[64];
    (void)snprintf(start, sizeof start, "\n%s ", name);
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", "/metrics", NULL, NULL, &daemon_reply));
    const char *found = strstr(daemon_reply.body, start);
    assert_non_null(found);
    return strtol(found + strlen(start), NULL, 10);
}

/* This question itself is one. */
static void wait_until_nothing_is_under_way(void)
{
    for (int looks = 0; looks < LOOKS_MAX; looks++)
        if (metric("arbiter_http_requests_in_flight") == 1)
            return;
    fail_msg("a request has not ended");
}

/* ---- while it goes on ------------------------------------------------------------------------------------- */

static void lines_come_while_games_are_stored_and_sigterm_ends_it_between_two(void **state)
{
    struct http_watch watch;
    char *pgn = good_games(MANY), value[64];
    (void)state;
    start();
    begin(&watch, NULL, pgn);
    const char *first = http_watch_until(&watch, "\n");
    assert_non_null(first);
    assert_true(is_there(id_of(first)));
    assert_int_equal(metric("arbiter_http_streams"), 0); /* those are of events */
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGTERM);
    assert_true(http_watch_field(&watch, "X-Accel-Buffering", value, sizeof value));
    assert_string_equal(value, "no");
    assert_true(http_watch_field(&watch, "Content-Type", value, sizeof value));
    assert_string_equal(value, "application/x-ndjson");
    const char *rest = http_watch_rest(&watch);
    assert_non_null(rest);
    const char *last = strstr(rest, "{\"done\":false,");
    assert_non_null(last);
    unsigned imported = number_behind(last, "\"imported\":"), next = number_behind(last, "\"index\":");
    assert_non_null(strstr(last, "\"refused\":0,\"detail\":\"the service is shutting down\""));
    assert_int_equal(imported, count_lines(rest)); /* the first line was taken, the last is no game */
    assert_int_equal(next, imported);
    http_watch_close(&watch);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    start();
    assert_int_equal(count_games(), imported);
    free(pgn);
    stop();
}

static void a_client_of_http_1_0_reads_to_the_end_of_the_connection(void **state)
{
    struct http_watch watch;
    struct http_client client = {.fd = -1};
    char *pgn = good_games(40);
    (void)state;
    start();
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    begin_over(&watch, &client, "1.0", NULL, pgn);
    assert_false(watch.chunked);
    const char *last = http_watch_until(&watch, "{\"done\":true,\"imported\":40,\"refused\":0}\n");
    assert_non_null(last);
    assert_int_equal(count_lines(last), 41);
    assert_null(http_watch_until(&watch, "\n"));
    assert_true(watch.ended);
    http_watch_close(&watch);
    free(pgn);
    stop();
}

/* What the daemon has had at most, in KiB. */
static long peak_kib(void)
{
    char path[64], line[128];
    long kib = -1;
    (void)snprintf(path, sizeof path, "/proc/%d/status", daemon_process.pid);
    FILE *file = fopen(path, "r");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "VmHWM:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    (void)fclose(file);
    assert_true(kib > 0);
    return kib;
}

/* Until the connection is closed; what it ended with. */
static size_t read_all(struct http_watch *watch, char end[128])
{
    static char buffer[RECEIVE_BYTES];
    size_t total = watch->client.length;
    ssize_t length;
    memset(end, 0, 128);
    while ((length = recv(watch->client.fd, buffer, sizeof buffer, 0)) > 0) {
        size_t kept = length < 127 ? (size_t)length : 127;
        memmove(end, end + kept, 127 - kept);
        memcpy(end + 127 - kept, buffer + length - kept, kept);
        total += (size_t)length;
    }
    for (size_t i = 0; i < 127; i++)
        if (!end[i])
            end[i] = ' ';
    return total;
}

static void a_client_that_reads_slowly_is_waited_for_in_flat_memory(void **state)
{
    enum { TOTAL_KIB = 6 << 10, MORE_KIB = 3 << 10 };
    bool is_plain = !getenv("TEST_POSITIONS"); /* a sanitizer keeps what was freed */
    struct http_watch watch;
    struct http_client client = {.fd = -1};
    int bytes = 64 << 10; /* a smaller one has TCP wait for its timers */
    char end[128], *pgn = repeated("x *\n", is_plain ? REFUSED : REFUSED / 8), *good = good_games(40);
    (void)state;
    start();
    begin(&watch, NULL, good);
    assert_non_null(http_watch_rest(&watch));
    http_watch_close(&watch);
    long before_kib = peak_kib();
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_int_equal(setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
    begin_over(&watch, &client, "1.0", NULL, pgn); /* no chunk parts what it ends with */
    size_t total = read_all(&watch, end);
    if (!strstr(end, "{\"done\":true,\"imported\":0,\"refused\":"))
        fail_msg("ended with %s", end);
    print_message("%zu KiB of lines, %ld KiB more memory\n", total >> 10, peak_kib() - before_kib);
    if (is_plain)
        assert_true(peak_kib() - before_kib < MORE_KIB && total > (size_t)TOTAL_KIB << 10);
    http_watch_close(&watch);
    free(pgn);
    free(good);
    stop();
}

/* With one thread for all long work, which an import needs for far longer than a second. */
static void others_have_the_thread_of_an_import_in_turns(void **state)
{
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--pool-threads", "1", NULL};
    struct http_watch watch;
    char *pgn = good_games(MANY);
    (void)state;
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    begin(&watch, NULL, pgn);
    assert_non_null(http_watch_until(&watch, "\n"));
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/pgn/validate", NULL, "1. e4 *", &daemon_reply));
    assert_int_equal(daemon_reply.status, 200);
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGTERM);
    const char *rest = http_watch_rest(&watch);
    assert_non_null(rest);
    assert_non_null(strstr(rest, "{\"done\":false,")); /* it was not over when the other was answered */
    http_watch_close(&watch);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
    free(pgn);
}

/* ---- validation ------------------------------------------------------------------------------------------- */

/* Whether its positions are dead takes long to find out: a hundred milliseconds for some ten such games. */
#define HARD_GAME                                                                                            \
    "[FEN \"8/1p1p1p1p/pPpPpPpP/P1P1P1P1/8/8/8/K1k5 w - - 0 1\"]\n\n"                                        \
    "1. Ka2 Kd2 2. Ka1 Kc2 3. Ka2 Kd2 4. Ka1 Kc2 *\n\n"

/* What it needs minutes for. */
static void begin_validation(struct http_watch *watch, const char *target)
{
    char *pgn = repeated(HARD_GAME, MANY);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--pool-threads", "1", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    begin_at(watch, target, pgn);
    free(pgn);
}

static void others_have_the_thread_of_a_validation_in_turns_and_sigterm_cuts_it(void **state)
{
    struct http_watch watch;
    (void)state;
    begin_validation(&watch, "/v1/pgn/validate");
    for (unsigned i = 0; i < 2; i++) {
        const char *target = i ? "/v1/games" : "/v1/positions/perft?depth=3";
        http_reply_finish(&daemon_reply);
        assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
        assert_int_equal(daemon_reply.status, 200);
    }
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGTERM);
    const char *rest = http_watch_rest(&watch);
    assert_non_null(rest);
    assert_memory_equal(rest, "{\"games\":[{\"plies\":8,", 21);
    assert_null(strstr(rest, "]}\n")); /* it is not taken for the whole */
    http_watch_close(&watch);
    assert_int_equal(daemon_process_wait(&daemon_process), 0);
}

/* Without a reset: the daemon has to write to know. As text it has nothing to say meanwhile. */
static void a_client_that_leaves_ends_the_validation(void **state)
{
    static const char *const targets[] = {"/v1/pgn/validate", "/v1/pgn/validate.txt"};
    char line[DAEMON_LINE_SIZE];
    (void)state;
    for (size_t i = 0; i < 2; i++) {
        struct http_watch watch;
        begin_validation(&watch, targets[i]);
        http_watch_close(&watch);
        assert_true(daemon_process_wait_line(&daemon_process, "\"/v1/pgn/validate\"", line));
        assert_non_null(strstr(line, "connection-lost"));
        wait_until_nothing_is_under_way();
        stop();
    }
}

/* ---- ends before its end ---------------------------------------------------------------------------------- */

static void a_client_that_leaves_ends_the_import_and_may_come_again(void **state)
{
    struct http_watch watch;
    char *pgn = good_games(MANY), line[DAEMON_LINE_SIZE], ids[2][ID_LENGTH + 1];
    (void)state;
    start();
    for (unsigned i = 0; i < 2; i++) {
        begin(&watch, "left", pgn);
        const char *first = http_watch_until(&watch, "\n");
        assert_non_null(first);
        (void)snprintf(ids[i], sizeof ids[i], "%.*s", ID_LENGTH, id_of(first));
        http_watch_close(&watch);
        assert_true(daemon_process_wait_line(&daemon_process, "\"/v1/pgn/import\"", line));
        assert_non_null(strstr(line, "connection-lost"));
        wait_until_nothing_is_under_way();
    }
    assert_true(is_there(ids[0]));
    assert_string_equal(ids[1], ids[0]);
    unsigned stored = count_games();
    print_message("%u games were stored\n", stored);
    assert_true(stored < MANY);
    free(pgn);
    stop();
}

/* Its whole body, the caller's to free. */
static char *repeat_import(const char *pgn, bool is_replay)
{
    struct http_watch watch;
    char value[8];
    begin(&watch, "killed", pgn);
    assert_int_equal(http_watch_field(&watch, "Idempotent-Replayed", value, sizeof value), is_replay);
    const char *body = http_watch_rest(&watch);
    assert_non_null(body);
    char *copy = strdup(body);
    http_watch_close(&watch);
    assert_int_equal(count_games(), SOME);
    return copy;
}

static void a_kill_takes_back_no_line_that_was_read_and_the_key_brings_the_rest(void **state)
{
    enum { READ = 40 };
    struct http_watch watch;
    char *pgn = good_games(SOME), lines[READ][64];
    (void)state;
    start();
    begin(&watch, "killed", pgn);
    for (unsigned i = 0; i < READ; i++) {
        const char *line = http_watch_until(&watch, "\n");
        assert_non_null(line);
        (void)snprintf(lines[i], sizeof lines[i], "%s", line);
    }
    http_client_close(&daemon_client);
    daemon_process_signal(&daemon_process, SIGKILL);
    assert_int_equal(daemon_process_wait(&daemon_process), 128 + SIGKILL);
    http_watch_close(&watch);
    start();
    for (unsigned i = 0; i < READ; i++)
        assert_true(is_there(id_of(lines[i])));
    char *whole = repeat_import(pgn, false), *again = repeat_import(pgn, true), *at = whole;
    for (unsigned i = 0; i < READ; at += strlen(lines[i++]))
        assert_memory_equal(at, lines[i], strlen(lines[i]));
    assert_non_null(strstr(at, "{\"done\":true,\"imported\":1000,\"refused\":0}\n"));
    assert_string_equal(again, whole);
    free(whole);
    free(again);
    free(pgn);
    stop();
}

/* Its lines fill all buffers on the way: the deadline of the connection ends it. */
static void a_client_that_reads_nothing_is_cut_and_holds_nothing(void **state)
{
    const char *const arguments[] = {
        "--listen", "127.0.0.1:0", "--limit-request-ms", "1000", "--pool-threads", "1", NULL};
    struct http_watch watch;
    struct http_client client = {.fd = -1};
    int bytes = RECEIVE_BYTES;
    char *pgn = repeated(NO_GAME, REFUSED), line[DAEMON_LINE_SIZE];
    (void)state;
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_int_equal(setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &bytes, sizeof bytes), 0);
    begin_over(&watch, &client, "1.1", NULL, pgn);
    /* The only thread of the pool is free meanwhile. */
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/pgn/validate", NULL, "1. e4 *", &daemon_reply));
    assert_int_equal(daemon_reply.status, 200);
    assert_true(daemon_process_wait_line(&daemon_process, "\"/v1/pgn/import\"", line));
    assert_non_null(strstr(line, "connection-lost"));
    wait_until_nothing_is_under_way();
    http_watch_close(&watch);
    free(pgn);
    stop();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(lines_come_while_games_are_stored_and_sigterm_ends_it_between_two),
        DAEMON_TEST(a_client_of_http_1_0_reads_to_the_end_of_the_connection),
        DAEMON_TEST(a_client_that_reads_slowly_is_waited_for_in_flat_memory),
        DAEMON_TEST(others_have_the_thread_of_an_import_in_turns),
        DAEMON_TEST(others_have_the_thread_of_a_validation_in_turns_and_sigterm_cuts_it),
        DAEMON_TEST(a_client_that_leaves_ends_the_validation),
        DAEMON_TEST(a_client_that_leaves_ends_the_import_and_may_come_again),
        DAEMON_TEST(a_kill_takes_back_no_line_that_was_read_and_the_key_brings_the_rest),
        DAEMON_TEST(a_client_that_reads_nothing_is_cut_and_holds_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
