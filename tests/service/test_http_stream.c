/* service/http_stream: bodies that are written as they come. */
#include "service/http_server.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "tests/service/api_stub.h"
#include "tests/service/http_fixture.h"
#include "tests/support/http_watch.h"

static void open_watch(struct http_watch *watch, const char *target)
{
    assert_true(http_watch_open(watch, http_fixture_port(), target, NULL));
    assert_int_equal(watch->status, 200);
}

static void wait_in_flight(size_t count)
{
    while (http_server_in_flight(http_fixture.server) != count)
        (void)sched_yield();
}

static void what_is_said_arrives_at_once_and_the_connection_is_kept(void **state)
{
    (void)state;
    struct http_watch watch;
    open_watch(&watch, "/v1/stream");
    api_stub_say(http_fixture.parts.api, "one\n");
    assert_string_equal(http_watch_until(&watch, "\n"), "one\n");
    assert_int_equal(http_server_streams(http_fixture.server), 1);
    api_stub_say(http_fixture.parts.api, "two\n");
    api_stub_say(http_fixture.parts.api, "three\n");
    assert_string_equal(http_watch_until(&watch, "three\n"), "two\nthree\n");
    api_stub_end_streams(http_fixture.parts.api);
    assert_string_equal(http_watch_rest(&watch), "");
    http_fixture_ask(&watch.client, "GET", "/healthz", NULL, NULL); /* on the same connection */
    assert_int_equal(http_fixture.reply.status, 200);
    http_watch_close(&watch);
    assert_int_equal(http_server_streams(http_fixture.server), 0);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

/* RFC 9110 8.6: no length but that of the GET; 9.3.2: no body, nor the last chunk of one. */
static void head_of_a_stream_tells_no_length(void **state)
{
    (void)state;
    static const char *const REQUESTS[] = {"HEAD /v1/stream HTTP/1.1\r\nHost: a\r\n\r\n",
                                           "HEAD /v1/stream HTTP/1.0\r\n\r\n"};
    for (size_t i = 0; i < 2; i++) {
        struct http_client client;
        http_fixture_open(&client);
        assert_true(http_client_send_text(&client, REQUESTS[i]));
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&client, true, &http_fixture.reply));
        assert_int_equal(http_fixture.reply.status, 200);
        assert_string_equal(http_fixture_field("Content-Type"), "text/plain");
        assert_null(http_fixture_field("Content-Length"));
        assert_true(http_client_is_closed(&client));
        http_client_close(&client);
    }
    assert_int_equal(http_server_streams(http_fixture.server), 0);
}

static void a_client_of_http_1_0_reads_until_the_end(void **state)
{
    (void)state;
    struct http_watch watch;
    struct http_client client;
    http_fixture_open(&client);
    assert_true(http_watch_begin(&watch, &client, "GET /v1/stream?dots HTTP/1.0\r\n\r\n"));
    assert_false(watch.chunked);
    api_stub_say(http_fixture.parts.api, "end");
    api_stub_end_streams(http_fixture.parts.api);
    const char *text = http_watch_rest(&watch);
    assert_non_null(text);
    assert_int_equal(strlen(text), 20000000 + strlen("end"));
    http_watch_close(&watch);
}

static void a_stream_that_is_quiet_says_that_it_lives(void **state)
{
    (void)state;
    struct http_watch watch;
    open_watch(&watch, "/v1/stream");
    assert_string_equal(http_watch_until(&watch, "quiet\n"), "quiet\n");
    assert_string_equal(http_watch_until(&watch, "quiet\n"), "quiet\n");
    http_watch_close(&watch);
}

/* No byte is sent in between: nothing would be noticed without looking at the socket. */
static void a_client_that_leaves_is_noticed_soon(void **state)
{
    (void)state;
    struct http_watch watches[8];
    int64_t began_ms = monotonic_ms();
    for (size_t i = 0; i < 8; i++)
        open_watch(&watches[i], "/v1/stream");
    api_stub_wait_streams(http_fixture.parts.api, 8);
    for (size_t i = 0; i < 8; i++)
        http_watch_close(&watches[i]);
    api_stub_wait_streams(http_fixture.parts.api, 0);
    wait_in_flight(0);
    assert_in_range(monotonic_ms() - began_ms, 0, 5000); /* a second as a rule, far less than 20 */
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

static void a_client_that_resets_its_connection_is_noticed_soon(void **state)
{
    (void)state;
    struct http_watch watch;
    const struct linger at_once = {.l_onoff = 1};
    open_watch(&watch, "/v1/stream");
    api_stub_wait_streams(http_fixture.parts.api, 1);
    assert_int_equal(setsockopt(watch.client.fd, SOL_SOCKET, SO_LINGER, &at_once, sizeof at_once), 0);
    http_watch_close(&watch);
    api_stub_wait_streams(http_fixture.parts.api, 0);
}

static void a_client_that_has_ended_only_its_own_side_is_served_on(void **state)
{
    (void)state;
    struct http_watch watch;
    open_watch(&watch, "/v1/stream");
    http_client_half_close(&watch.client);
    assert_string_equal(http_watch_until(&watch, "quiet\n"), "quiet\n"); /* asked whether it lives */
    api_stub_say(http_fixture.parts.api, "one\n");
    assert_non_null(http_watch_until(&watch, "one\n"));
    assert_non_null(http_watch_until(&watch, "quiet\n"));
    api_stub_say(http_fixture.parts.api, "two\n");
    assert_non_null(http_watch_until(&watch, "two\n"));
    api_stub_end_streams(http_fixture.parts.api);
    assert_non_null(http_watch_rest(&watch));
    http_watch_close(&watch);
}

/* Patience is 300 ms in this fixture. */
static void a_client_that_does_not_read_is_cut(void **state)
{
    (void)state;
    struct http_watch watch;
    int small = 4096;
    struct http_client client;
    http_fixture_open(&client);
    assert_int_equal(setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    assert_true(http_watch_begin(&watch, &client, "GET /v1/stream?dots HTTP/1.1\r\nHost: a\r\n\r\n"));
    api_stub_wait_streams(http_fixture.parts.api, 0);
    http_watch_close(&watch);
}

static void a_stream_lives_longer_than_any_request_may(void **state)
{
    (void)state;
    struct http_watch watch;
    struct http_client silent;
    open_watch(&watch, "/v1/stream");
    http_fixture_open(&silent);
    assert_true(http_client_is_closed(&silent)); /* so much time has passed */
    http_client_close(&silent);
    api_stub_say(http_fixture.parts.api, "still here\n");
    assert_non_null(http_watch_until(&watch, "still here\n"));
    http_watch_close(&watch);
}

static void a_drain_ends_streams_and_says_goodbye(void **state)
{
    (void)state;
    struct http_watch watches[8], deaf;
    int small = 4096;
    struct http_client client;
    http_fixture_open(&client);
    assert_int_equal(setsockopt(client.fd, SOL_SOCKET, SO_RCVBUF, &small, sizeof small), 0);
    assert_true(http_watch_begin(&deaf, &client, "GET /v1/stream?dots HTTP/1.1\r\nHost: a\r\n\r\n"));
    for (size_t i = 0; i < 8; i++)
        open_watch(&watches[i], "/v1/stream");
    api_stub_wait_streams(http_fixture.parts.api, 9);
    int64_t began_ms = monotonic_ms();
    assert_true(http_server_drain(http_fixture.server, 20000));
    assert_in_range(monotonic_ms() - began_ms, 0, 5000); /* a second as a rule, far less than 20 */
    for (size_t i = 0; i < 8; i++) {
        const char *text = http_watch_rest(&watches[i]);
        assert_non_null(text);
        assert_non_null(strstr(text, "bye\n"));
        http_watch_close(&watches[i]);
    }
    http_watch_close(&deaf);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

/* ---- races ---- */

enum { TALKERS = 2, LISTENERS = 4, SAYINGS = 400, STREAMS = 30 };

static atomic_bool talking;

static void *talk(void *argument)
{
    (void)argument;
    while (atomic_load(&talking)) {
        api_stub_say(http_fixture.parts.api, "x\n");
        (void)sched_yield();
    }
    return NULL;
}

/* Reads a little of many streams and leaves them in mid-sentence. */
static void *listen_a_little(void *argument)
{
    size_t *good = argument;
    for (size_t i = 0; i < STREAMS; i++) {
        struct http_watch watch;
        bool open = http_watch_open(&watch, http_fixture_port(), "/v1/stream", NULL);
        *good += open && http_watch_until(&watch, "x\nx\nx\n") != NULL;
        http_watch_close(&watch);
    }
    return NULL;
}

static void streams_that_come_and_go_while_others_talk_lose_no_poke(void **state)
{
    (void)state;
    pthread_t talkers[TALKERS], listeners[LISTENERS];
    size_t good[LISTENERS] = {0};
    atomic_store(&talking, true);
    for (size_t i = 0; i < TALKERS; i++)
        assert_int_equal(pthread_create(&talkers[i], NULL, talk, NULL), 0);
    for (size_t i = 0; i < LISTENERS; i++)
        assert_int_equal(pthread_create(&listeners[i], NULL, listen_a_little, &good[i]), 0);
    for (size_t i = 0; i < LISTENERS; i++) {
        pthread_join(listeners[i], NULL);
        assert_int_equal(good[i], STREAMS);
    }
    atomic_store(&talking, false);
    for (size_t i = 0; i < TALKERS; i++)
        pthread_join(talkers[i], NULL);
    api_stub_wait_streams(http_fixture.parts.api, 0);
    wait_in_flight(0);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

static void each_saying_arrives_though_it_comes_between_two_questions(void **state)
{
    (void)state;
    struct http_watch watch;
    open_watch(&watch, "/v1/stream");
    api_stub_wait_streams(http_fixture.parts.api, 1);
    for (int i = 0; i < SAYINGS; i++) {
        char text[16];
        (void)snprintf(text, sizeof text, "n%d\n", i);
        api_stub_say(http_fixture.parts.api, text);
        if (i % 3 == 0)
            assert_non_null(http_watch_until(&watch, text));
    }
    api_stub_end_streams(http_fixture.parts.api);
    assert_non_null(http_watch_rest(&watch));
    http_watch_close(&watch);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)
#define TEST_IMPATIENT(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, http_fixture_set_up_impatient, http_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(what_is_said_arrives_at_once_and_the_connection_is_kept),
        TEST(head_of_a_stream_tells_no_length),
        TEST(a_client_of_http_1_0_reads_until_the_end),
        TEST(a_stream_that_is_quiet_says_that_it_lives),
        TEST(a_client_that_leaves_is_noticed_soon),
        TEST(a_client_that_resets_its_connection_is_noticed_soon),
        TEST(a_client_that_has_ended_only_its_own_side_is_served_on),
        TEST_IMPATIENT(a_client_that_does_not_read_is_cut),
        TEST_IMPATIENT(a_stream_lives_longer_than_any_request_may),
        TEST(a_drain_ends_streams_and_says_goodbye),
        TEST(streams_that_come_and_go_while_others_talk_lose_no_poke),
        cmocka_unit_test_setup_teardown(streams_that_come_and_go_while_others_talk_lose_no_poke,
                                        http_fixture_set_up_two_threads, http_fixture_tear_down),
        TEST(each_saying_arrives_though_it_comes_between_two_questions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
