/* The real daemon and requests that fill the memory which libmicrohttpd 0.9.75 has for one connection: with parameters,
 * cookies, fields, long values, in a head or behind a body. What is within the limits is answered as if nothing were, what
 * is not is refused, and whatever becomes of a request, it is not counted, kept or waited for afterwards.
 *
 * FULL_ROUNDS: how often each is sent by clients that do not wait for the answer. */
#include <errno.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "tests/http/health.h"
#include "tests/support/daemon_fixture.h"

enum {
    USUAL_ROUNDS = 5,
    PATIENCE_MS = 5000, /* the daemon's own deadlines are much later */
    DRAIN_MS = 5000,    /* half of what a request that is never answered takes */
    ROOM_KIB = 4096,    /* what the allocator may keep */
    PARTS = 6,
};

struct part {
    const char *bytes;
    size_t length, times;
};

enum answer {
    BY_SERVICE,
    BY_LIBRARY, /* a page of its own */
    BY_NOBODY,  /* the connection may be closed without one */
};

struct full {
    const char *label;
    struct part parts[PARTS];
    unsigned status; /* 0: any, or none */
    enum answer answer;
};

#define HOST     "Host: localhost\r\n"
#define LINE_END " HTTP/1.1\r\n" HOST "\r\n"
#define HEAD     "GET /healthz HTTP/1.1\r\n" HOST
#define POST     "POST /v1/games HTTP/1.1\r\n" HOST "Content-Type: application/json\r\n"
#define P(text, times)                                                                                       \
    {                                                                                                        \
        text, sizeof(text) - 1, times                                                                        \
    }
#define QUERY(path, text, times)                                                                             \
    {                                                                                                        \
        P("GET " path "?", 1), P(text, times), P(LINE_END, 1)                                                \
    }
#define FIELDS(text, times)                                                                                  \
    {                                                                                                        \
        P(HEAD, 1), P(text, times), P("\r\n", 1)                                                             \
    }
#define VALUE(name, text, times)                                                                             \
    {                                                                                                        \
        P(HEAD name ": ", 1), P(text, times), P("\r\n\r\n", 1)                                               \
    }

static const struct full ROWS[] = {
    {"parameters", QUERY("/healthz", "a=1&", 250), 400, BY_SERVICE},
    {"parameters up to the limit", QUERY("/v1/games", "limit=1&", 500), 400, BY_SERVICE},
    {"parameters over the limit", QUERY("/healthz", "a=1&", 2000), 414, BY_SERVICE},
    {"parameters to nowhere", QUERY("/nowhere", "a&", 2000), 404, BY_SERVICE},
    {"parameters of one name", QUERY("/v1/events", "game=aaaaaaaaaaaa&", 195), 400, BY_SERVICE},
    {"empty parameters", QUERY("/healthz", "&", 4000), 200, BY_SERVICE},
    {"nameless parameters", QUERY("/healthz", "=&", 1300), 400, BY_SERVICE},
    {"a target that leaves no room for an answer",
     {P("GET /", 1), P("a", 16000), P(LINE_END, 1)},
     414,
     BY_SERVICE},
    {"a NUL before parameters", QUERY("/healthz\0", "a&", 1000), 0, BY_NOBODY},
    {"a NUL and a version before parameters", QUERY("/healthz\0HTTP/1.1\0", "a=1&", 1000), 0, BY_NOBODY},
    {"a NUL among parameters", QUERY("/healthz", "a=1&\0", 700), 400, BY_SERVICE},
    {"fields", FIELDS("X:\r\n", 63), 200, BY_SERVICE},
    {"fields over the limit", FIELDS("X:\r\n", 150), 431, BY_SERVICE},
    {"fields that leave no room for an answer", FIELDS("X:\r\n", 235), 431, BY_SERVICE},
    {"fields beyond the memory", FIELDS("X:\r\n", 1000), 431, BY_LIBRARY},
    {"cookies", VALUE("Cookie", "a=1;", 1900), 200, BY_SERVICE},
    {"empty cookies", VALUE("Cookie", ";", 3000), 200, BY_SERVICE},
    {"a long cookie", VALUE("Cookie", "a", 8000), 200, BY_SERVICE},
    {"cookies in many fields", FIELDS("Cookie: a=1; b=2\r\n", 63), 200, BY_SERVICE},
    {"cookies over the limit", VALUE("Cookie", "a=1;", 3000), 431, BY_SERVICE},
    {"cookies and a length that is none",
     {P(HEAD "Content-Length: x\r\nCookie: ", 1), P(";", 3000), P("\r\n\r\n", 1)},
     400,
     BY_LIBRARY},
    {"a value up to the limit", VALUE("X", "a", 8000), 200, BY_SERVICE},
    {"a value over the limit", VALUE("X", "a", 12000), 431, BY_SERVICE},
    {"a value that leaves no room for an answer", VALUE("X", "a", 15900), 431, BY_SERVICE},
    {"a value beyond the memory", VALUE("X", "a", 16200), 431, BY_LIBRARY},
    {"everything up to the limits",
     {P("GET /", 1), P("a", 4090), P(" HTTP/1.1\r\n" HOST, 1), P("X:\r\n", 62), P("Y: ", 1),
      P("a\r\n\r\n", 1)},
     404,
     BY_SERVICE},
    {"an origin that would not fit into the answer", VALUE("Origin", "a", 7900), 403, BY_SERVICE},
    {"a body behind a long head",
     {P(POST "Content-Length: 20000\r\nX: ", 1), P("a", 7900), P("\r\n\r\n", 1), P("[]", 10000)},
     400,
     BY_SERVICE},
    {"chunks behind a long head",
     {P(POST "Transfer-Encoding: chunked\r\nX: ", 1), P("a", 7900), P("\r\n\r\n", 1), P("2\r\n[]\r\n", 3000),
      P("0\r\n\r\n", 1)},
     400,
     BY_SERVICE},
    {"fields behind a body",
     {P(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n", 1), P("X:\r\n", 100), P("\r\n", 1)},
     400,
     BY_SERVICE},
    {"fields beyond the memory behind a body",
     {P(POST "Transfer-Encoding: chunked\r\n\r\n2\r\n[]\r\n0\r\n", 1), P("X:\r\n", 1000), P("\r\n", 1)},
     431,
     BY_LIBRARY},
};

enum { ROW_COUNT = sizeof ROWS / sizeof ROWS[0] };

/* ---- sending ----------------------------------------------------------------------------------------------- */

/* Bytes that are refused may be left unread: sending them fails then. */
static void send_parts(const struct full *full, struct http_client *client)
{
    static char bytes[1 << 16];
    size_t at = 0;
    for (const struct part *part = full->parts; part < full->parts + PARTS; part++)
        for (size_t i = 0; i < part->times; i++, at += part->length) {
            assert_true(at + part->length <= sizeof bytes);
            memcpy(bytes + at, part->bytes, part->length);
        }
    assert_true(http_client_open(client, "127.0.0.1", daemon_process.port));
    (void)http_client_send(client, bytes, at);
}

/* How a client ends that does not wait for its answer. */
static void leave_at_once(const struct http_client *client)
{
    (void)client;
}

static void leave_with_a_reset(const struct http_client *client)
{
    const struct linger reset = {.l_onoff = 1};
    (void)setsockopt(client->fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset);
}

static void leave_at_the_first_byte(const struct http_client *client)
{
    char byte;
    (void)recv(client->fd, &byte, 1, 0);
}

static void send_and_leave(const struct full *full, void (*leave)(const struct http_client *client))
{
    struct http_client client;
    send_parts(full, &client);
    leave(&client);
    http_client_close(&client);
}

/* ---- looking ----------------------------------------------------------------------------------------------- */

static enum answer who_answered(const struct http_reply *reply)
{
    char id[128];
    return http_reply_field(reply, "X-Request-Id", id, sizeof id) ? BY_SERVICE : BY_LIBRARY;
}

static void check_reply(const struct full *full, const struct http_reply *reply)
{
    char type[128];
    if (full->status && reply->status != full->status)
        fail_msg("%s: %u\n%s%s", full->label, reply->status, reply->head, reply->body);
    if (full->answer != BY_NOBODY && who_answered(reply) != full->answer)
        fail_msg("%s: not who should have answered\n%s", full->label, reply->head);
    if (full->answer == BY_SERVICE && reply->status >= 400 &&
        (!http_reply_field(reply, "Content-Type", type, sizeof type) ||
         strcmp(type, "application/problem+json") != 0))
        fail_msg("%s: a refusal that is no problem\n%s", full->label, reply->head);
}

/* ---- tests ------------------------------------------------------------------------------------------------- */

static void check_answer(const struct full *full)
{
    struct http_client client;
    struct http_reply reply = {0};
    int64_t begun_ms = health_now_ms();
    send_parts(full, &client);
    if (http_client_read(&client, false, &reply))
        check_reply(full, &reply);
    else if (full->answer != BY_NOBODY || health_now_ms() - begun_ms > PATIENCE_MS)
        fail_msg("%s, %zu times: no answer in %lld ms", full->label, full->parts[1].times,
                 (long long)(health_now_ms() - begun_ms));
    http_reply_finish(&reply);
    http_client_close(&client);
}

static void whoever_waits_is_answered_or_cut(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROW_COUNT; i++) {
        check_answer(&ROWS[i]);
        health_wait_none_in_flight(ROWS[i].label);
    }
}

static void however_full_a_head_is_there_is_an_answer(void **state)
{
    (void)state;
    struct {
        struct full full;
        unsigned count, step;
    } rows[] = {{{"a value", VALUE("X", "a", 15000), 431, BY_SERVICE}, 3, 400},
                {{"a target", {P("GET /", 1), P("a", 15000), P(LINE_END, 1)}, 414, BY_SERVICE}, 3, 400},
                {{"fields", FIELDS("X:\r\n", 150), 431, BY_SERVICE}, 86, 1}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (unsigned j = 0; j < rows[i].count; j++, rows[i].full.parts[1].times += rows[i].step)
            check_answer(&rows[i].full);
}

/* Whoever waits for the first byte of a long head waits for the library, which reads it in small pieces: once is enough. */
static void send_all(long rounds)
{
    for (size_t i = 0; i < ROW_COUNT; i++) {
        for (long j = 0; j < rounds; j++) {
            send_and_leave(&ROWS[i], leave_at_once);
            send_and_leave(&ROWS[i], leave_with_a_reset);
        }
        if (ROWS[i].answer != BY_NOBODY)
            send_and_leave(&ROWS[i], leave_at_the_first_byte);
        health_wait_none_in_flight(ROWS[i].label);
    }
}

static void whoever_leaves_is_forgotten(void **state)
{
    (void)state;
    const char *given = getenv("FULL_ROUNDS");
    long rounds = given ? strtol(given, NULL, 10) : USUAL_ROUNDS;
    health_assert("the start");
    const unsigned descriptors = health_descriptors();
    send_all(rounds);
    long first_kib = health_resident_kib();
    send_all(rounds);
    health_assert("requests that fill the memory");
    health_wait_descriptors(descriptors);
    long last_kib = health_resident_kib();
    print_message("%ld rounds of %d: %ld KiB before, %ld KiB after\n", rounds, ROW_COUNT, first_kib,
                  last_kib);
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
    assert_true(last_kib <= first_kib + ROOM_KIB);
#endif
}

/* The library's memory grows with the limits. */
static void limits_that_are_set_high_are_answered_too(void **state)
{
    (void)state;
    static const char *const ARGUMENTS[] = {
        "--limit-header-fields", "128", "--limit-target-bytes", "8192", "--log-level", "error", NULL};
    static const struct full MOST = {
        "the most that may be allowed",
        {P("GET /", 1), P("a", 7400), P(" HTTP/1.1\r\n" HOST, 1), P("X:\r\n", 127), P("\r\n", 1)},
        404,
        BY_SERVICE};
    struct daemon_process usual = daemon_process;
    daemon_process = (struct daemon_process){.output = -1};
    assert_true(daemon_process_run(&daemon_process, ARGUMENTS));
    check_answer(&MOST);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    daemon_process_finish(&daemon_process);
    daemon_process = usual;
}

/* Last: the daemon has ended then. */
static void a_drain_waits_for_none_of_them(void **state)
{
    (void)state;
    for (size_t i = 0; i < ROW_COUNT; i++)
        send_and_leave(&ROWS[i], leave_at_once);
    int64_t begun_ms = health_now_ms();
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
    if (health_now_ms() - begun_ms > DRAIN_MS)
        fail_msg("the drain took %lld ms", (long long)(health_now_ms() - begun_ms));
}

/* With deadlines so late that they are no help, and a log that nobody has to read. */
static int set_up(void **state)
{
    static const char *const ARGUMENTS[] = {"--idle-timeout", "60s",         "--limit-request-ms",
                                            "60000",          "--log-level", "error",
                                            "--allow-origin", "*",           NULL};
    return daemon_set_up(state) == 0 && daemon_process_run(&daemon_process, ARGUMENTS) ? 0 : -1;
}

static int tear_down(void **state)
{
    health_end();
    return daemon_tear_down(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(whoever_waits_is_answered_or_cut),
        cmocka_unit_test(however_full_a_head_is_there_is_an_answer),
        cmocka_unit_test(whoever_leaves_is_forgotten),
        cmocka_unit_test(limits_that_are_set_high_are_answered_too),
        cmocka_unit_test(a_drain_waits_for_none_of_them),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
