/* service/http_server: requests that wait: for a pool, for a client, for the end of the service. */
#include "service/http_server.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/listener.h"
#include "service/pool.h"
#include "service/selfcheck.h"
#include "tests/service/api_stub.h"
#include "tests/service/http_fixture.h"

static void wait_in_flight(size_t count)
{
    while (http_server_in_flight(http_fixture.server) != count)
        (void)sched_yield();
}

/* Holds the pool's thread until the test lets it go. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void pass_gate(struct pool_job *job)
{
    (void)job;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static void a_full_pool_is_busy(void **state)
{
    (void)state;
    struct pool_job jobs[2] = {{.run = pass_gate}, {.run = pass_gate}};
    pthread_mutex_lock(&gate);
    for (size_t i = 0; i < 2; i++)
        while (!pool_submit(http_fixture.parts.pool,
                            &jobs[i])) /* the first has not been taken by the thread yet */
            (void)sched_yield();
    http_fixture_get("/v1/blocks");
    assert_int_equal(http_fixture.reply.status, 503);
    assert_string_equal(http_fixture.reply.body, "storage-busy");
    http_fixture_get("/healthz");
    assert_int_equal(http_fixture.reply.status, 200);
    pthread_mutex_unlock(&gate);
    while (pool_waiting(http_fixture.parts.pool))
        (void)sched_yield();
    http_fixture_get("/v1/blocks");
    assert_int_equal(http_fixture.reply.status, 200);
}

static void clients_that_leave_while_suspended_are_no_fault(void **state)
{
    (void)state;
    struct http_client others[4];
    for (size_t i = 0; i < 4; i++) {
        http_fixture_open(&others[i]);
        assert_true(http_client_send_text(&others[i], "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n"));
    }
    api_stub_wait_held(http_fixture.parts.api, 4);
    for (size_t i = 0; i < 4; i++)
        http_client_close(&others[i]);
    assert_int_equal(http_server_suspended(http_fixture.server), 4);
    api_stub_release(http_fixture.parts.api);
    wait_in_flight(0);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
    http_fixture_get("/healthz");
    assert_int_equal(http_fixture.reply.status, 200);
}

static void a_request_that_does_not_arrive_in_time_is_cut(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client,
                                      "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\nabc"));
    assert_true(http_client_is_closed(&http_fixture.client));
    wait_in_flight(0);
}

/* The library misses an end that comes together with bytes, now and then. */
static void clients_that_leave_in_mid_request_are_noticed(void **state)
{
    (void)state;
    for (size_t i = 0; i < 40; i++) {
        struct http_client other;
        http_fixture_open(&other);
        assert_true(http_client_send_text(
            &other, "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\nabc"));
        http_client_close(&other);
    }
    wait_in_flight(0); /* long before the deadline of 20 seconds */
}

static void bodies_have_a_memory_together(void **state)
{
    (void)state;
    static const char BEGINNING[] =
        "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n\r\nbeginning";
    struct http_client others[8];
    for (size_t i = 0; i < 8; i++) {
        http_fixture_open(&others[i]);
        assert_true(http_client_send_text(&others[i], BEGINNING));
    }
    while (http_server_body_bytes(http_fixture.server) < 8000)
        (void)sched_yield();
    http_fixture_ask(&http_fixture.client, "POST", "/v1/echo", NULL, "x");
    assert_int_equal(http_fixture.reply.status, 503);
    assert_string_equal(http_fixture.reply.body, "storage-busy");
    assert_string_equal(http_fixture_field("Connection"), "close");
    for (size_t i = 0; i < 8; i++)
        http_client_close(&others[i]);
    wait_in_flight(0);
    assert_int_equal(http_server_body_bytes(http_fixture.server), 0);
}

static void a_body_that_is_only_announced_takes_no_memory(void **state)
{
    (void)state;
    struct http_client others[16];
    for (size_t i = 0; i < 16; i++) {
        http_fixture_open(&others[i]);
        assert_true(http_client_send_text(&others[i],
                                          "POST /v1/echo HTTP/1.1\r\nHost: a\r\nContent-Length: 999\r\n"
                                          "Expect: 100-continue\r\n\r\n"));
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&others[i], false, &http_fixture.reply)); /* its head was read */
        assert_int_equal(http_fixture.reply.status, 100);
    }
    assert_int_equal(http_server_body_bytes(http_fixture.server), 0);
    http_fixture_ask(&http_fixture.client, "POST", "/v1/echo", NULL, "x");
    assert_string_equal(http_fixture.reply.body, "x");
    for (size_t i = 0; i < 16; i++)
        http_client_close(&others[i]);
    wait_in_flight(0);
}

static void begin_request(struct http_client *client)
{
    size_t in_flight = http_server_in_flight(http_fixture.server);
    assert_true(http_client_send_text(client, "GET /v1/fast HTTP/1.1\r\nHost: a\r\n"));
    wait_in_flight(in_flight + 1);
}

/* The first one has been open for as long as a request may take when its line comes; the second opens then. */
static void a_first_line_that_comes_late_leaves_less_time_for_the_rest(void **state)
{
    (void)state;
    struct http_client measure, fresh;
    http_fixture_open(&measure);
    begin_request(&measure);
    assert_true(http_client_is_closed(&measure));
    http_client_close(&measure);
    wait_in_flight(0);
    http_fixture_open(&fresh);
    begin_request(&fresh);
    begin_request(&http_fixture.client);
    assert_true(http_client_is_closed(&http_fixture.client));
    char byte = 0;
    assert_int_equal(recv(fresh.fd, &byte, 1, MSG_DONTWAIT), -1); /* still open */
    assert_true(http_client_is_closed(&fresh));
    http_client_close(&fresh);
}

static void a_silent_connection_is_closed(void **state)
{
    (void)state;
    assert_true(http_client_is_closed(&http_fixture.client));
}

static void a_kept_connection_that_stays_silent_is_closed(void **state)
{
    (void)state;
    http_fixture_get("/healthz");
    assert_true(http_client_is_closed(&http_fixture.client));
}

static void a_suspended_request_has_no_deadline(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client, "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n"));
    api_stub_wait_held(http_fixture.parts.api, 1);
    /* A second connection is cut for its silence meanwhile: so much time has passed for the first one too. */
    struct http_client other;
    http_fixture_open(&other);
    assert_true(http_client_is_closed(&other));
    http_client_close(&other);
    api_stub_release(http_fixture.parts.api);
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_string_equal(http_fixture.reply.body, "held\n");
}

struct drain {
    pthread_t thread;
    int64_t timeout_ms;
    bool is_empty;
};

static void *run_drain(void *argument)
{
    struct drain *drain = argument;
    drain->is_empty = http_server_drain(http_fixture.server, drain->timeout_ms);
    return NULL;
}

static void start_drain(struct drain *drain, int64_t timeout_ms)
{
    drain->timeout_ms = timeout_ms;
    assert_int_equal(pthread_create(&drain->thread, NULL, run_drain, drain), 0);
    while (!http_server_is_draining(http_fixture.server))
        (void)sched_yield();
}

static void a_drain_waits_for_what_has_begun_and_answers_health(void **state)
{
    (void)state;
    struct http_client late;
    struct drain drain;
    assert_true(http_client_send_text(&http_fixture.client, "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n"));
    api_stub_wait_held(http_fixture.parts.api, 1);
    start_drain(&drain, 20000);
    http_fixture_open(&late);
    http_fixture_ask(&late, "GET", "/healthz", NULL, NULL);
    assert_int_equal(http_fixture.reply.status, 200);
    assert_string_equal(http_fixture_field("Connection"), "close");
    http_client_close(&late);
    http_fixture_open(&late);
    http_fixture_ask(&late, "GET", "/v1/fast", NULL, NULL);
    assert_int_equal(http_fixture.reply.status, 503);
    assert_string_equal(http_fixture.reply.body, "shutting-down");
    http_client_close(&late);
    api_stub_release(http_fixture.parts.api);
    http_reply_finish(&http_fixture.reply);
    assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
    assert_string_equal(http_fixture.reply.body, "held\n");
    assert_string_equal(http_fixture_field("Connection"), "close");
    pthread_join(drain.thread, NULL);
    assert_true(drain.is_empty);
}

static void a_drain_shuts_idle_connections(void **state)
{
    (void)state;
    http_fixture_get("/healthz");
    assert_true(http_server_drain(http_fixture.server, 20000));
    assert_true(http_client_is_closed(&http_fixture.client));
}

static void a_drain_gives_up_after_its_time(void **state)
{
    (void)state;
    assert_true(http_client_send_text(&http_fixture.client, "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n"));
    api_stub_wait_held(http_fixture.parts.api, 1);
    assert_false(http_server_drain(http_fixture.server, 50));
    assert_int_equal(http_server_suspended(http_fixture.server), 1);
    api_stub_release(http_fixture.parts.api);
    wait_in_flight(0);
}

static void a_body_that_ends_after_the_drain_is_refused_and_suspends_nothing(void **state)
{
    (void)state;
    static const char *const TARGETS[] = {"/v1/held", "/v1/blocks"};
    struct http_client begun[2];
    for (size_t i = 0; i < 2; i++) {
        char head[128];
        (void)snprintf(head, sizeof head,
                       "POST %s HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\nExpect: 100-continue\r\n\r\n",
                       TARGETS[i]);
        http_fixture_open(&begun[i]);
        assert_true(http_client_send_text(&begun[i], head));
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&begun[i], false, &http_fixture.reply)); /* its head was read */
    }
    assert_false(http_server_drain(http_fixture.server, 0));
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
    for (size_t i = 0; i < 2; i++) {
        assert_true(http_client_send_text(&begun[i], "{}"));
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&begun[i], false, &http_fixture.reply));
        assert_int_equal(http_fixture.reply.status, 503);
        assert_string_equal(http_fixture.reply.body, "shutting-down");
        http_client_close(&begun[i]);
    }
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

static void each_listener_is_full_by_itself(void **state)
{
    (void)state;
    struct http_client others[2];
    http_fixture_get("/healthz");
    for (size_t i = 0; i < 2; i++) {
        assert_false(http_server_is_full(http_fixture.server, 1));
        http_fixture_open_second(&others[i]);
        http_fixture_ask(&others[i], "GET", "/healthz", NULL, NULL);
    }
    assert_true(http_server_is_full(http_fixture.server, 1));
    assert_false(http_server_is_full(http_fixture.server, 0));
    for (size_t i = 0; i < 2; i++)
        http_client_close(&others[i]);
    while (http_server_is_full(http_fixture.server, 1))
        (void)sched_yield();
}

static void the_service_finds_that_it_answers(void **state)
{
    (void)state;
    assert_true(selfcheck_answers(http_fixture.listener.fd, 10000));
    assert_false(selfcheck_answers(STDERR_FILENO, 100));
    struct listener silent;
    char error[LISTENER_ERROR_SIZE];
    assert_true(listener_open(&silent, "127.0.0.1:0", 0, error));
    assert_false(selfcheck_answers(silent.fd, 100));
    listener_close(&silent);
}

static void *ask_many(void *argument)
{
    static const char *const TARGETS[] = {"/v1/fast", "/v1/pending", "/v1/early",
                                          "/v1/both", "/v1/blocks",  "/healthz"};
    struct http_client own;
    struct http_reply got;
    size_t *good = argument;
    if (!http_client_open(&own, "127.0.0.1", http_fixture_port()))
        return NULL;
    for (size_t i = 0; i < 300; i++) {
        bool answered =
            http_client_ask(&own, i % 7 ? "GET" : "POST", TARGETS[i % 6], NULL, i % 7 ? NULL : "body", &got);
        *good += answered && (got.status == 200 || got.status == 503);
        if (answered)
            http_reply_finish(&got);
    }
    http_client_close(&own);
    return NULL;
}

static void many_clients_at_one_time_are_all_answered(void **state)
{
    (void)state;
    pthread_t threads[8];
    size_t good[8] = {0};
    for (size_t i = 0; i < 8; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &good[i]), 0);
    for (size_t i = 0; i < 8; i++) {
        pthread_join(threads[i], NULL);
        assert_int_equal(good[i], 300);
    }
    wait_in_flight(0);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)
#define TEST_IMPATIENT(name)                                                                                 \
    cmocka_unit_test_setup_teardown(name, http_fixture_set_up_impatient, http_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_full_pool_is_busy),
        TEST(clients_that_leave_while_suspended_are_no_fault),
        TEST(clients_that_leave_in_mid_request_are_noticed),
        TEST(bodies_have_a_memory_together),
        TEST(a_body_that_is_only_announced_takes_no_memory),
        TEST_IMPATIENT(a_request_that_does_not_arrive_in_time_is_cut),
        cmocka_unit_test_setup_teardown(a_first_line_that_comes_late_leaves_less_time_for_the_rest,
                                        http_fixture_set_up_short_requests, http_fixture_tear_down),
        TEST_IMPATIENT(a_silent_connection_is_closed),
        TEST_IMPATIENT(a_kept_connection_that_stays_silent_is_closed),
        TEST_IMPATIENT(a_suspended_request_has_no_deadline),
        TEST(a_drain_waits_for_what_has_begun_and_answers_health),
        TEST(a_drain_shuts_idle_connections),
        TEST(a_drain_gives_up_after_its_time),
        TEST(a_body_that_ends_after_the_drain_is_refused_and_suspends_nothing),
        cmocka_unit_test_setup_teardown(each_listener_is_full_by_itself, http_fixture_set_up_two_listeners,
                                        http_fixture_tear_down),
        TEST(the_service_finds_that_it_answers),
        TEST(many_clients_at_one_time_are_all_answered),
        cmocka_unit_test_setup_teardown(many_clients_at_one_time_are_all_answered,
                                        http_fixture_set_up_two_threads, http_fixture_tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
