/* service/http_server: what is answered, and what is refused. */
#include "service/http_server.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/service/http_fixture.h"

static void answers_at_once_keep_the_connection(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        http_fixture_get("/v1/fast");
        assert_int_equal(http_fixture.reply.status, 200);
        assert_int_equal(http_fixture.reply.body_length, 600);
        assert_null(http_fixture_field("Connection"));
    }
    assert_non_null(http_fixture_field("Date"));
    assert_string_equal(http_fixture_field("Content-Length"), "600");
}

static void every_way_to_answer_answers(void **state)
{
    (void)state;
    static const char *const ROWS[][2] = {{"/v1/blocks", "blocked\n"},
                                          {"/v1/pending", "woken\n"},
                                          {"/v1/early", "early\n"},
                                          {"/v1/both", "woken\n"}};
    for (int round = 0; round < 20; round++) {
        for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
            http_fixture_get(ROWS[i][0]);
            assert_int_equal(http_fixture.reply.status, 200);
            assert_string_equal(http_fixture.reply.body, ROWS[i][1]);
            assert_null(http_fixture_field("Connection"));
        }
    }
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

static void a_handler_that_only_blocks_is_an_internal_fault(void **state)
{
    (void)state;
    http_fixture_get("/v1/always-blocks");
    assert_int_equal(http_fixture.reply.status, 500);
}

static void head_has_the_fields_of_get_and_no_body(void **state)
{
    (void)state;
    http_fixture_ask(&http_fixture.client, "HEAD", "/v1/fast", NULL, NULL);
    assert_string_equal(http_fixture_field("Content-Length"), "600");
    http_fixture_get("/healthz");
    assert_string_equal(http_fixture.reply.body, "ok\n");
}

static void pipelined_requests_are_answered_in_order(void **state)
{
    (void)state;
    static const char *const TARGETS[] = {"/v1/pending", "/healthz", "/v1/blocks", "/v1/early"};
    static const char *const BODIES[] = {"woken\n", "ok\n", "blocked\n", "early\n"};
    for (size_t i = 0; i < 4; i++) {
        char request[128];
        (void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", TARGETS[i]);
        assert_true(http_client_send_text(&http_fixture.client, request));
    }
    for (size_t i = 0; i < 4; i++) {
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
        assert_string_equal(http_fixture.reply.body, BODIES[i]);
    }
}

static void a_body_comes_through_whole(void **state)
{
    (void)state;
    char body[1001];
    memset(body, 'b', sizeof body - 1);
    body[1000] = '\0';
    http_fixture_ask(&http_fixture.client, "POST", "/v1/echo", NULL, body);
    assert_string_equal(http_fixture.reply.body, body);
    http_fixture_ask(&http_fixture.client, "POST", "/v1/echo", NULL, "");
    assert_string_equal(http_fixture.reply.body, "");
    http_fixture_ask(&http_fixture.client, "POST", "/v1/echo", NULL, NULL);
    assert_string_equal(http_fixture.reply.body, "");
}

static void a_chunked_body_is_joined(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client,
                                      "POST /v1/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n"
                                      "\r\n3\r\nabc\r\n2;x=y\r\nde\r\n0\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_string_equal(http_fixture.reply.body, "abcde");
}

static void a_client_may_wait_to_be_told_to_send(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client,
                                      "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n"
                                      "Expect: 100-continue\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 100);
    http_reply_finish(&http_fixture.reply);
    assert_true(http_client_send_text(&http_fixture.client, "abc"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_string_equal(http_fixture.reply.body, "abc");
}

static void a_declared_body_over_the_limit_is_refused_unread(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client,
                                      "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 1001\r\n"
                                      "Expect: 100-continue\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 413);
    assert_string_equal(http_fixture_field("Connection"), "close");
    assert_true(http_client_is_closed(&http_fixture.client));
}

enum { CHUNK_LENGTH = 7 + 65536 + 2 };

static const char *chunk_of_64k(void)
{
    static char chunk[CHUNK_LENGTH + 1];
    char body[65536 + 1];
    memset(body, 'x', sizeof body - 1);
    body[sizeof body - 1] = '\0';
    (void)snprintf(chunk, sizeof chunk, "10000\r\n%s\r\n", body);
    return chunk;
}

static void a_chunked_body_over_the_limit_is_read_and_refused(void **state)
{
    (void)state;
    assert_true(http_client_send_text(
        &http_fixture.client, "POST /v1/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    for (int i = 0; i < 4; i++)
        assert_true(http_client_send(&http_fixture.client, chunk_of_64k(), CHUNK_LENGTH));
    assert_true(http_client_send_text(&http_fixture.client, "0\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 413);
    assert_true(http_client_is_closed(&http_fixture.client));
}

static void a_chunked_body_without_end_is_cut(void **state)
{
    (void)state;
    assert_true(http_client_send_text(
        &http_fixture.client, "POST /v1/echo HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n"));
    bool open = true;
    for (int i = 0; open && i < 1000; i++)
        open = http_client_send(&http_fixture.client, chunk_of_64k(), CHUNK_LENGTH);
    assert_false(open);
}

static void a_malformed_head_is_refused_and_ends_the_connection(void **state)
{
    (void)state;
    assert_true(
        http_client_send_text(&http_fixture.client, "GET /v1/fast HTTP/1.1\r\nHost: a\r\nX A: 1\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 400);
    assert_string_equal(http_fixture.reply.body, "malformed-request");
    assert_true(http_client_is_closed(&http_fixture.client));
}

static void a_nul_in_the_target_is_refused(void **state)
{
    (void)state;
    static const char REQUEST[] = "GET /v1/fast\0x HTTP/1.1\r\nHost: a\r\n\r\n";
    assert_true(http_client_send(&http_fixture.client, REQUEST, sizeof REQUEST - 1));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 400);
}

static void targets_reach_the_api_undecoded(void **state)
{
    (void)state;
    http_fixture_get("/v1%2ffast");
    assert_int_equal(http_fixture.reply.status, 404);
    http_fixture_get("/v1/fast?a=%00&b=+");
    assert_int_equal(http_fixture.reply.status, 200);
}

static void an_absolute_target_is_a_path_and_a_host(void **state)
{
    (void)state;
    http_fixture_ask(&http_fixture.client, "GET", "http://other.example/v1/header?Host", NULL, NULL);
    assert_string_equal(http_fixture.reply.body, "other.example");
    http_fixture_ask(&http_fixture.client, "GET", "http://other.example?x", NULL, NULL);
    assert_int_equal(http_fixture.reply.status, 404);
    http_fixture_ask(&http_fixture.client, "GET", "http://a b/", NULL, NULL);
    assert_int_equal(http_fixture.reply.status, 400);
}

static void header_fields_are_found_without_regard_to_case_and_trimmed(void **state)
{
    (void)state;
    http_fixture_ask(&http_fixture.client, "GET", "/v1/header?if-match", "IF-MATCH:  \"v1\" \t\r\n", NULL);
    assert_string_equal(http_fixture.reply.body, "\"v1\"");
    http_fixture_ask(&http_fixture.client, "GET", "/v1/header?Origin", NULL, NULL);
    assert_string_equal(http_fixture.reply.body, "(none)");
}

static void lines_of_one_name_are_one_list(void **state)
{
    (void)state;
    http_fixture_ask(&http_fixture.client, "GET", "/v1/header?If-Match",
                     "If-Match: \"v1\" \r\nAccept: a/b\r\nif-match: \"v2\", \"v3\"\r\n", NULL);
    assert_string_equal(http_fixture.reply.body, "\"v1\", \"v2\", \"v3\"");
}

static void request_ids_are_echoed_if_well_formed(void **state)
{
    (void)state;
    http_fixture_ask(&http_fixture.client, "GET", "/v1/fast", "X-Request-Id: abc-1\r\n", NULL);
    assert_string_equal(http_fixture_field("X-Request-Id"), "abc-1");
    http_fixture_ask(&http_fixture.client, "GET", "/v1/fast", "X-Request-Id: a b\r\n", NULL);
    char first[256];
    (void)snprintf(first, sizeof first, "%s", http_fixture_field("X-Request-Id"));
    assert_int_equal(strlen(first), 16);
    http_fixture_get("/v1/fast");
    assert_string_not_equal(http_fixture_field("X-Request-Id"), first);
}

static void a_header_with_a_line_end_is_left_out(void **state)
{
    (void)state;
    http_fixture_get("/v1/bad-header");
    assert_int_equal(http_fixture.reply.status, 200);
    assert_null(http_fixture_field("X-Bad"));
    assert_null(http_fixture_field("X-Injected"));
}

static void http_1_0_is_answered_and_closed(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client, "GET /v1/pending HTTP/1.0\r\n\r\n"));
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_string_equal(http_fixture.reply.body, "woken\n");
    assert_true(http_client_is_closed(&http_fixture.client));
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(answers_at_once_keep_the_connection),
        TEST(every_way_to_answer_answers),
        TEST(a_handler_that_only_blocks_is_an_internal_fault),
        TEST(head_has_the_fields_of_get_and_no_body),
        TEST(pipelined_requests_are_answered_in_order),
        TEST(a_body_comes_through_whole),
        TEST(a_chunked_body_is_joined),
        TEST(a_client_may_wait_to_be_told_to_send),
        TEST(a_declared_body_over_the_limit_is_refused_unread),
        TEST(a_chunked_body_over_the_limit_is_read_and_refused),
        TEST(a_chunked_body_without_end_is_cut),
        TEST(a_malformed_head_is_refused_and_ends_the_connection),
        TEST(a_nul_in_the_target_is_refused),
        TEST(targets_reach_the_api_undecoded),
        TEST(an_absolute_target_is_a_path_and_a_host),
        TEST(header_fields_are_found_without_regard_to_case_and_trimmed),
        TEST(lines_of_one_name_are_one_list),
        TEST(request_ids_are_echoed_if_well_formed),
        TEST(a_header_with_a_line_end_is_left_out),
        TEST(http_1_0_is_answered_and_closed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
