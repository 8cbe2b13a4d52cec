/* The real daemon and requests that no correct client sends: what is refused, with which status, and that the
 * bytes behind a refused head are never taken for another request. What libmicrohttpd answers by itself,
 * before the service sees a request, is not tested here. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"

/* One connection: sends `bytes`, reads one reply. `*closed`: the server ended the connection behind it. */
static unsigned status_of(const char *bytes, size_t length, bool *closed)
{
    struct http_client client;
    struct http_reply reply;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_send(&client, bytes, length));
    unsigned status = http_client_read(&client, false, &reply) ? reply.status : 0;
    char type[64] = "";
    if (status) {
        (void)http_reply_field(&reply, "Content-Type", type, sizeof type);
        char id[80] = "";
        if (strcmp(type, "application/problem+json") == 0)
            assert_true(http_reply_field(&reply, "X-Request-Id", id, sizeof id));
    }
    if (status >= 400)
        assert_string_equal(type, "application/problem+json");
    *closed = status >= 400 && http_client_is_closed(&client);
    http_reply_finish(&reply);
    http_client_close(&client);
    return status;
}

/* A whole second request: whoever takes bytes of it for one has been smuggled. */
#define HIDDEN "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"
#define POST   "POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

static void heads_that_two_parsers_read_differently_end_the_connection(void **state)
{
    (void)state;
    static const struct {
        const char *label, *request;
        unsigned status;
    } ROWS[] = {
        {"two lengths", POST "Content-Length: 2\r\nContent-Length: 60\r\n\r\n{}" HIDDEN, 400},
        {"length and chunked",
         POST "Content-Length: 60\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n" HIDDEN, 400},
        {"chunked and length",
         POST "Transfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n2\r\n{}\r\n0\r\n\r\n" HIDDEN, 400},
        {"unknown coding", POST "Transfer-Encoding: xchunked\r\n\r\n0\r\n\r\n" HIDDEN, 400},
        {"two codings",
         POST "Transfer-Encoding: chunked\r\nTransfer-Encoding: identity\r\n\r\n0\r\n\r\n" HIDDEN, 400},
        {"blank before the colon", POST "Content-Length : 50\r\n\r\n" HIDDEN, 400},
        {"blank in a name", "GET /v1 HTTP/1.1\r\nHost: localhost\r\nX A: b\r\n\r\n" HIDDEN, 400},
        {"bare CR in a value", "GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: a\rY: b\r\n\r\n" HIDDEN, 400},
        {"control byte in a value", "GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: a\x07\r\n\r\n" HIDDEN, 400},
        {"folded length", POST "Content-Length: 4\r\n 8\r\n\r\n" HIDDEN, 400},
        {"length below its name", POST "Content-Length:\r\n\t48\r\n\r\n" HIDDEN, 400},
        {"a name in two lines", POST "Content: 2\r\n -Length\r\n\r\n{}" HIDDEN, 400},
        {"folded coding", POST "Transfer-Encoding: chunk\r\n ed\r\n\r\n0\r\n\r\n" HIDDEN, 400},
        {"any field, folded", POST "Accept: */*\r\n ,a/b\r\nX: y\r\n\r\n" HIDDEN, 400},
        {"no Host", "GET /v1 HTTP/1.1\r\n\r\n" HIDDEN, 400},
        {"two Hosts", "GET /v1 HTTP/1.1\r\nHost: localhost\r\nHost: localhost\r\n\r\n" HIDDEN, 400},
        {"empty Host", "GET /v1 HTTP/1.1\r\nHost:\r\n\r\n" HIDDEN, 400},
        {"lower-case method", "get /v1 HTTP/1.1\r\nHost: localhost\r\n\r\n" HIDDEN, 400},
        {"CONNECT", "CONNECT localhost:80 HTTP/1.1\r\nHost: localhost\r\n\r\n" HIDDEN, 400},
        {"8 bits in the target", "GET /v1\xff HTTP/1.1\r\nHost: localhost\r\n\r\n" HIDDEN, 400},
        {"GET of an asterisk", "GET * HTTP/1.1\r\nHost: localhost\r\n\r\n" HIDDEN, 400},
        {"chunked in HTTP/1.0",
         "POST /v1/games HTTP/1.0\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n", 400},
        {"compressed body", POST "Content-Encoding: gzip\r\nContent-Length: 2\r\n\r\n{}" HIDDEN, 415},
        {"body over any limit", POST "Content-Length: 10737418240\r\n\r\n", 413},
        {"the same, asking first", POST "Expect: 100-continue\r\nContent-Length: 10737418240\r\n\r\n", 413},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        bool closed = false;
        unsigned status = status_of(ROWS[i].request, strlen(ROWS[i].request), &closed);
        if (status != ROWS[i].status || !closed)
            fail_msg("%s: %u, connection %s", ROWS[i].label, status, closed ? "closed" : "open");
    }
}

static void a_nul_in_the_target_ends_the_connection(void **state)
{
    (void)state;
    static const char REQUEST[] = "GET /healthz\0/../v1 HTTP/1.1\r\nHost: localhost\r\n\r\n" HIDDEN;
    bool closed = false;
    assert_int_equal(status_of(REQUEST, sizeof REQUEST - 1, &closed), 400);
    assert_true(closed);
}

/* `length` bytes between a beginning and an end. */
static unsigned status_of_long(const char *beginning, size_t length, const char *end)
{
    char *filling = malloc(length + 1), *request = NULL;
    assert_non_null(filling);
    memset(filling, 'a', length);
    filling[length] = '\0';
    int size = asprintf(&request, "%s%s%s", beginning, filling, end);
    assert_true(size > 0);
    bool closed = false;
    unsigned status = status_of(request, (size_t)size, &closed);
    free(request);
    free(filling);
    return status;
}

static void long_targets_and_heads_are_refused_by_name(void **state)
{
    (void)state;
    static const char END[] = "\r\n\r\n";
    assert_int_equal(status_of_long("GET /v1?q=", 5000, " HTTP/1.1\r\nHost: localhost\r\n\r\n"), 414);
    assert_int_equal(status_of_long("GET /v1 HTTP/1.1\r\nHost: localhost\r\nX: ", 8300, END), 431);
}

static void too_many_fields_are_refused(void **state)
{
    (void)state;
    char request[2048] = "GET /v1 HTTP/1.1\r\nHost: localhost\r\n";
    size_t length = strlen(request);
    for (int i = 0; i < 64; i++)
        length += (size_t)snprintf(request + length, sizeof request - length, "X-%d: v\r\n", i);
    length += (size_t)snprintf(request + length, sizeof request - length, "\r\n");
    bool closed = false;
    assert_int_equal(status_of(request, length, &closed), 431);
}

static void a_refusal_is_text_for_those_who_ask_for_text(void **state)
{
    (void)state;
    struct http_client client;
    struct http_reply reply;
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_true(http_client_send_text(&client, "GET /v1 HTTP/1.1\r\nAccept: text/plain\r\n\r\n"));
    assert_true(http_client_read(&client, false, &reply));
    assert_int_equal(reply.status, 400);
    assert_memory_equal(reply.body, "error: malformed-request: ", 26);
    http_reply_finish(&reply);
    http_client_close(&client);
}

static void clients_that_vanish_leave_nothing_behind(void **state)
{
    (void)state;
    static const char *const BEGINNINGS[] = {"", "GET /v1", POST, (POST "Content-Length: 100\r\n\r\n{"),
                                             HIDDEN};
    for (int round = 0; round < 40; round++) {
        struct http_client client;
        const char *bytes = BEGINNINGS[round % 5];
        assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
        assert_true(http_client_send(&client, bytes, strlen(bytes)));
        http_client_close(&client);
    }
    bool closed = false;
    assert_int_equal(status_of(HIDDEN, strlen(HIDDEN), &closed), 200);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(heads_that_two_parsers_read_differently_end_the_connection),
        cmocka_unit_test(a_nul_in_the_target_ends_the_connection),
        cmocka_unit_test(long_targets_and_heads_are_refused_by_name),
        cmocka_unit_test(too_many_fields_are_refused),
        cmocka_unit_test(a_refusal_is_text_for_those_who_ask_for_text),
        cmocka_unit_test(clients_that_vanish_leave_nothing_behind),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
