/* Event streams of the real daemon: frames, restarts, clients that leave or do not read, and the end of the service. */
#include <sched.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"
#include "tests/support/http_watch.h"

enum { ID_SIZE = 13, TARGET_SIZE = 256, STREAMS = 60 };

static char id[ID_SIZE]; /* of the game */

/* ---- helpers ------------------------------------------------------------------------------------------ */

static int64_t now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static const char *path(const char *rest)
{
    static char target[TARGET_SIZE];
    (void)snprintf(target, sizeof target, "/v1/games/%s%s", id, rest);
    return target;
}

/* The body of the answer, the caller's to free. */
static char *ask(const char *method, const char *target, const char *body, unsigned status)
{
    struct http_client client;
    struct http_reply reply = {0};
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&client, method, target, "Accept: */*\r\n", body, &reply));
    if (reply.status != status)
        fail_msg("%s %s: %u %s", method, target, reply.status, reply.body);
    char *text = strdup(reply.body ? reply.body : "");
    http_reply_finish(&reply);
    http_client_close(&client);
    return text;
}

static void tell(const char *method, const char *target, const char *body, unsigned status)
{
    free(ask(method, target, body, status));
}

static void move(const char *text)
{
    tell("POST", path("/moves"), text, 201);
}

static void create_game(const char *json)
{
    char *text = ask("POST", "/v1/games.txt", json, 201);
    (void)snprintf(id, sizeof id, "%s", text);
    free(text);
}

static void run(const char *const *arguments)
{
    if (!daemon_process_run(&daemon_process, arguments))
        fail_msg("the daemon did not start: %s", daemon_process.pending);
    create_game("{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}");
}

static void start_again(void)
{
    static const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_ready(&daemon_process));
}

static void open_watch(struct http_watch *watch, const char *target, const char *fields)
{
    assert_true(http_watch_open(watch, daemon_process.port, target, fields));
    assert_int_equal(watch->status, 200);
}

/* The next frame or line. */
static const char *next(struct http_watch *watch, const char *mark)
{
    const char *text = http_watch_until(watch, mark);
    if (!text)
        fail_msg("the stream has ended: %s", watch->text ? watch->text : "");
    return text;
}

static void expect_begin(const char *text, const char *begin)
{
    if (strncmp(text, begin, strlen(begin)) != 0)
        fail_msg("\"%s\" is not the beginning of: %s", begin, text);
}

static long gauge(const char *name)
{
    char *text = ask("GET", "/metrics", NULL, 200), line[96];
    (void)snprintf(line, sizeof line, "\n%s ", name);
    const char *found = strstr(text, line);
    assert_non_null(found);
    long value = strtol(found + strlen(line), NULL, 10);
    free(text);
    return value;
}

static void wait_streams(long count)
{
    while (gauge("arbiter_http_streams") != count)
        (void)sched_yield();
}

/* ---- frames ------------------------------------------------------------------------------------------- */

static void frames_come_as_they_happen_and_silence_says_so(void **state)
{
    static const char *const arguments[] = {"--limit-heartbeat_ms", "300", NULL};
    struct http_watch sse, lines;
    (void)state;
    run(arguments);
    open_watch(&sse, path("/events"), NULL);
    assert_string_equal(next(&sse, "\n\n"), "retry: 2000\n\n");
    expect_begin(next(&sse, "\n\n"),
                 "id: 1\nevent: snapshot\ndata: {\"id\":1,\"type\":\"snapshot\",\"game\":");
    open_watch(&lines, path("/events.ndjson?after=1"), NULL);
    move("e4");
    expect_begin(next(&sse, "\n\n"), "id: 2\nevent: move.played\ndata: {\"id\":2,\"type\":\"move.played\",");
    expect_begin(next(&lines, "\n"), "{\"id\":2,\"type\":\"move.played\",");
    assert_string_equal(next(&sse, "\n\n"), ": ping\n\n");
    assert_string_equal(next(&lines, "\n"), "\n");
    move("e5");
    expect_begin(next(&sse, "data: "), "id: 3\n");
    assert_int_equal(gauge("arbiter_http_streams"), 2);
    http_watch_close(&sse);
    http_watch_close(&lines);
}

static void a_long_poll_answers_with_the_event_or_when_time_is_over(void **state)
{
    struct http_watch poll;
    (void)state;
    run(NULL);
    open_watch(&poll, path("/events?after=1&wait=20"), "Accept: application/json\r\n");
    move("e4");
    const char *text = http_watch_rest(&poll);
    assert_non_null(text);
    expect_begin(text, "{\"data\":[{\"id\":2,");
    assert_string_equal(text + strlen(text) - strlen("],\"next_after\":2,\"over\":false}\n"),
                        "],\"next_after\":2,\"over\":false}\n");
    http_watch_close(&poll);
    int64_t began_ms = now_ms();
    char *body = ask("GET", path("/events.json?after=2&wait=1"), NULL, 200);
    assert_string_equal(body, "{\"data\":[],\"next_after\":2,\"over\":false}\n");
    assert_in_range(now_ms() - began_ms, 990, 10000);
    free(body);
}

static void several_games_come_in_one_stream(void **state)
{
    struct http_watch watch;
    char first[ID_SIZE], target[TARGET_SIZE], expected[TARGET_SIZE];
    (void)state;
    run(NULL);
    (void)snprintf(first, sizeof first, "%s", id);
    create_game("{}");
    (void)snprintf(target, sizeof target, "/v1/events?game=%s&game=%s&after=%s:1,%s:1", first, id, first, id);
    open_watch(&watch, target, NULL);
    assert_string_equal(next(&watch, "\n\n"), "retry: 2000\n\n");
    move("e4");
    (void)snprintf(expected, sizeof expected,
                   "id: %s:1,%s:2\nevent: move.played\ndata: {\"cursor\":\"%s:1,%s:2\",", first, id, first,
                   id);
    expect_begin(next(&watch, "\n\n"), expected);
    http_watch_close(&watch);
}

/* ---- restarts and ends -------------------------------------------------------------------------------- */

static void a_stream_goes_on_behind_its_cursor_after_a_restart(void **state)
{
    struct http_watch watch;
    (void)state;
    run(NULL);
    open_watch(&watch, path("/events"), NULL);
    move("e4");
    (void)next(&watch, "id: 2\n");
    move("e5");
    daemon_process_signal(&daemon_process, SIGKILL); /* the client may have got the last one, or not */
    (void)daemon_process_wait(&daemon_process);
    http_watch_close(&watch);
    start_again();
    open_watch(&watch, path("/events"), "Last-Event-ID: 2\r\n");
    assert_string_equal(next(&watch, "\n\n"), "retry: 2000\n\n");
    expect_begin(next(&watch, "\n\n"), "id: 3\nevent: move.played\n");
    move("Nf3");
    expect_begin(next(&watch, "\n\n"), "id: 4\n");
    http_watch_close(&watch);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    start_again();
    open_watch(&watch, path("/events.ndjson?after=1"), NULL);
    for (int i = 2; i <= 4; i++) {
        char begin[32];
        (void)snprintf(begin, sizeof begin, "{\"id\":%d,", i);
        expect_begin(next(&watch, "\n"), begin);
    }
    http_watch_close(&watch);
    open_watch(&watch, path("/events?after=77"), NULL);
    (void)next(&watch, "\n\n");
    const char *text = next(&watch, "\n\n");
    expect_begin(text, "id: 4\nevent: snapshot\n");
    assert_non_null(strstr(text, "\"reset\":true"));
    http_watch_close(&watch);
}

static void a_stream_ends_with_its_game(void **state)
{
    struct http_watch watch;
    struct http_client client;
    struct http_reply reply = {0};
    (void)state;
    run(NULL);
    open_watch(&watch, path("/events?after=1"), NULL);
    tell("POST", path("/resign"), "white", 200);
    const char *text = http_watch_rest(&watch);
    assert_non_null(text);
    expect_begin(text, "retry: 2000\n\nid: 2\nevent: game.ended\n");
    http_watch_close(&watch);
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&client, "GET", path("/events"), "Last-Event-ID: 2\r\n", NULL, &reply));
    assert_int_equal(reply.status, 204);
    assert_int_equal(reply.body_length, 0);
    http_reply_finish(&reply);
    http_client_close(&client);
}

static void a_stream_ends_with_the_removal_of_its_game(void **state)
{
    struct http_watch watch;
    (void)state;
    run(NULL);
    open_watch(&watch, path("/events.ndjson?after=1"), NULL);
    tell("DELETE", path(""), NULL, 204);
    const char *text = http_watch_rest(&watch);
    assert_non_null(text);
    expect_begin(text, "{\"type\":\"game.deleted\",");
    http_watch_close(&watch);
    tell("GET", path("/events"), NULL, 404);
}

/* ---- clients ------------------------------------------------------------------------------------------ */

static void clients_that_have_gone_are_noticed_within_about_a_second(void **state)
{
    struct http_watch watches[8];
    (void)state;
    run(NULL);
    for (size_t i = 0; i < 8; i++)
        open_watch(&watches[i], path("/events"), NULL);
    wait_streams(8);
    int64_t began_ms = now_ms();
    for (size_t i = 0; i < 8; i++)
        http_watch_close(&watches[i]);
    wait_streams(0);
    assert_in_range(now_ms() - began_ms, 0, 5000); /* far less than a heartbeat */
}

/* Four thousand moves to and fro, a thousand a request. */
static void play_long(void)
{
    static const char *const moves[] = {"\"g1f3\"", "\"g8f6\"", "\"f3g1\"", "\"f6g8\""};
    enum { MOVES = 1000, MOVE_ROOM = 8 };
    char *json = malloc(MOVES * MOVE_ROOM + 32);
    assert_non_null(json);
    size_t length = (size_t)sprintf(json, "{\"moves\":[");
    for (int i = 0; i < MOVES; i++)
        length += (size_t)sprintf(json + length, "%s%s", i ? "," : "", moves[i % 4]);
    (void)sprintf(json + length, "]}");
    for (int i = 0; i < 4; i++)
        move(json);
    free(json);
}

static void a_client_that_does_not_read_is_cut_and_goes_on_with_its_cursor(void **state)
{
    static const char *const arguments[] = {"--limit-stream_backlog", "16", "--limit-request_ms", "1000",
                                            NULL};
    struct http_watch deaf, again;
    struct http_client client;
    char request[2 * TARGET_SIZE];
    int small = 4096;
    (void)state;
    run(arguments);
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_int_equal(setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    (void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", path("/events?after=1"));
    assert_true(http_watch_begin(&deaf, &client, request));
    play_long();
    wait_streams(0);
    http_watch_close(&deaf);
    open_watch(&again, path("/events.ndjson?after=1"), NULL);
    for (int i = 2; i <= 4001; i++) {
        char begin[32];
        (void)snprintf(begin, sizeof begin, "{\"id\":%d,", i);
        expect_begin(next(&again, "\n"), begin);
    }
    http_watch_close(&again);
}

/* RFC 9110 8.6: a length that is not the GET's is none. */
static void head_tells_no_length(void **state)
{
    const char *const rests[] = {"/events", "/events.json", "/events.ndjson"};
    (void)state;
    run(NULL);
    for (size_t i = 0; i < 3; i++) {
        struct http_client client;
        struct http_reply reply = {0};
        char value[64];
        assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
        assert_true(http_client_ask(&client, "HEAD", path(rests[i]), NULL, NULL, &reply));
        assert_int_equal(reply.status, 200);
        assert_false(http_reply_field(&reply, "Content-Length", value, sizeof value));
        assert_true(http_client_is_closed(&client));
        http_reply_finish(&reply);
        http_client_close(&client);
    }
}

static void too_many_streams_are_refused(void **state)
{
    static const char *const arguments[] = {"--stream-limits", "on", "--limit-streams_per_client", "2", NULL};
    struct http_watch watches[2];
    (void)state;
    run(arguments);
    for (size_t i = 0; i < 2; i++)
        open_watch(&watches[i], path("/events"), NULL);
    char *body = ask("GET", path("/events"), NULL, 429);
    assert_non_null(strstr(body, "\"code\":\"too-many-streams\""));
    free(body);
    http_watch_close(&watches[0]);
    wait_streams(1);
    open_watch(&watches[0], path("/events"), NULL);
    for (size_t i = 0; i < 2; i++)
        http_watch_close(&watches[i]);
}

/* A stream that kept its body would hold room that others need, for as long as it lasts. */
static void a_stream_does_not_hold_the_body_it_was_asked_with(void **state)
{
    enum { BODY = 50000 };
    static char request[TARGET_SIZE + BODY + 1];
    struct http_client client;
    struct http_watch watch;
    (void)state;
    run(NULL);
    int head =
        snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: localhost\r\nContent-Length: %d\r\n\r\n",
                 path("/events"), BODY);
    memset(request + head, 'x', BODY);
    request[head + BODY] = '\0';
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_watch_begin(&watch, &client, request));
    assert_int_equal(watch.status, 200);
    assert_non_null(http_watch_until(&watch, "\n\n"));
    char *metrics = ask("GET", "/metrics", NULL, 200);
    assert_non_null(strstr(metrics, "\narbiter_http_streams 1\n"));
    assert_non_null(strstr(metrics, "\narbiter_http_body_bytes 0\n"));
    free(metrics);
    http_watch_close(&watch);
}

static void sigterm_ends_open_streams_soon_and_well(void **state)
{
    static const char *const targets[] = {"/events?after=1", "/events.ndjson?after=1",
                                          "/events.json?after=1&wait=60"};
    static const char *const ends[] = {"retry: 2000\n\n: the service is shutting down\n\n", "",
                                       "{\"data\":[],\"next_after\":1,\"over\":false}\n"};
    struct http_watch watches[STREAMS];
    (void)state;
    run(NULL);
    for (size_t i = 0; i < STREAMS; i++)
        open_watch(&watches[i], path(targets[i % 3]), NULL);
    wait_streams(STREAMS);
    int64_t began_ms = now_ms();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    assert_in_range(now_ms() - began_ms, 0, 5000); /* a second as a rule, far less than a poll waits */
    for (size_t i = 0; i < STREAMS; i++) {
        const char *text = http_watch_rest(&watches[i]);
        assert_non_null(text);
        assert_string_equal(text, ends[i % 3]);
        http_watch_close(&watches[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(frames_come_as_they_happen_and_silence_says_so),
        DAEMON_TEST(a_long_poll_answers_with_the_event_or_when_time_is_over),
        DAEMON_TEST(several_games_come_in_one_stream),
        DAEMON_TEST(a_stream_goes_on_behind_its_cursor_after_a_restart),
        DAEMON_TEST(a_stream_ends_with_its_game),
        DAEMON_TEST(a_stream_ends_with_the_removal_of_its_game),
        DAEMON_TEST(clients_that_have_gone_are_noticed_within_about_a_second),
        DAEMON_TEST(head_tells_no_length),
        DAEMON_TEST(a_client_that_does_not_read_is_cut_and_goes_on_with_its_cursor),
        DAEMON_TEST(too_many_streams_are_refused),
        DAEMON_TEST(a_stream_does_not_hold_the_body_it_was_asked_with),
        DAEMON_TEST(sigterm_ends_open_streams_soon_and_well),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
