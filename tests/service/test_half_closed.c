/* service/http_server: clients that end their side after a whole request and wait for the answer (RFC 9112 9.6). */
#include "service/http_server.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "service/pool.h"
#include "tests/service/api_stub.h"
#include "tests/service/http_fixture.h"

static void wait_in_flight(size_t count)
{
    while (http_server_in_flight(http_fixture.server) != count)
        (void)sched_yield();
}

/* Its whole request is here, and nothing will follow. */
static void send_and_half_close(struct http_client *client, const char *bytes)
{
    http_fixture_open(client);
    assert_true(http_client_send_text(client, bytes));
    http_client_half_close(client);
}

static void read_last(struct http_client *client, const char *body)
{
    http_reply_finish(&http_fixture.reply);
    assert_true(http_client_read(client, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.status, 200);
    assert_string_equal(http_fixture.reply.body, body);
    assert_true(http_client_is_closed(client));
    http_client_close(client);
}

/* Each has ended its side before its answer is there. The fixture's own client, which has been
 * silent for longest, stays open: the library treats the connection that it heard least of differently. */
static void a_client_that_has_ended_its_side_gets_what_it_waits_for(void **state)
{
    (void)state;
    static const char *const REQUESTS[] = {
        "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n",
        "POST /v1/held HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\ne4",
        "PUT /v1/held HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n2\r\ne4\r\n0\r\n\r\n",
        "GET /v1/held HTTP/1.0\r\n\r\n",
    };
    struct http_client others[4];
    for (size_t round = 0; round < 10; round++) {
        http_fixture_get("/healthz");
        for (size_t i = 0; i < 4; i++)
            send_and_half_close(&others[i], REQUESTS[i]);
        api_stub_wait_held(http_fixture.parts.api, 4);
        api_stub_release(http_fixture.parts.api);
        for (size_t i = 0; i < 4; i++)
            read_last(&others[i], "held\n");
    }
    wait_in_flight(0);
}

/* No idle connection is kept for one that has nothing more to say. */
static void a_client_that_has_ended_its_side_sees_the_end_soon(void **state)
{
    (void)state;
    struct http_client others[20];
    int64_t began_ms = monotonic_ms();
    for (size_t i = 0; i < 20; i++) {
        send_and_half_close(&others[i], "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n");
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&others[i], false, &http_fixture.reply));
        assert_string_equal(http_fixture.reply.body, "ok\n");
    }
    for (size_t i = 0; i < 20; i++) {
        assert_true(http_client_is_closed(&others[i]));
        http_client_close(&others[i]);
    }
    assert_in_range(monotonic_ms() - began_ms, 0, 5000); /* a second as a rule, far less than 20 */
}

/* Holds the pool's thread until the test lets it go. */
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;

static void pass_gate(struct pool_job *job)
{
    (void)job;
    pthread_mutex_lock(&gate);
    pthread_mutex_unlock(&gate);
}

static void a_client_that_has_ended_its_side_gets_what_the_pool_makes(void **state)
{
    (void)state;
    struct pool_job job = {.run = pass_gate};
    struct http_client other;
    http_fixture_get("/healthz");
    pthread_mutex_lock(&gate);
    assert_true(pool_submit(http_fixture.parts.pool, &job));
    while (pool_waiting(http_fixture.parts.pool))
        (void)sched_yield();
    send_and_half_close(&other, "GET /v1/blocks HTTP/1.1\r\nHost: a\r\n\r\n");
    while (!pool_waiting(http_fixture.parts.pool))
        (void)sched_yield();
    pthread_mutex_unlock(&gate);
    read_last(&other, "blocked\n");
}

static void a_client_that_has_ended_its_side_gets_all_that_it_asked_for(void **state)
{
    (void)state;
    struct http_client other;
    http_fixture_get("/healthz");
    send_and_half_close(&other,
                        "GET /v1/held HTTP/1.1\r\nHost: a\r\n\r\nGET /v1/held HTTP/1.1\r\nHost: a\r\n\r\n"
                        "GET /v1/fast HTTP/1.1\r\nHost: a\r\n\r\n");
    for (size_t i = 0; i < 2; i++) {
        api_stub_wait_held(http_fixture.parts.api, 1);
        api_stub_release(http_fixture.parts.api);
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&other, false, &http_fixture.reply));
        assert_string_equal(http_fixture.reply.body, "held\n");
    }
    http_reply_finish(&http_fixture.reply);
    assert_true(http_client_read(&other, false, &http_fixture.reply));
    assert_int_equal(http_fixture.reply.body_length, 600);
    assert_true(http_client_is_closed(&other));
    http_client_close(&other);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_client_that_has_ended_its_side_gets_what_it_waits_for),
        cmocka_unit_test_setup_teardown(a_client_that_has_ended_its_side_gets_what_it_waits_for,
                                        http_fixture_set_up_two_threads, http_fixture_tear_down),
        TEST(a_client_that_has_ended_its_side_gets_what_the_pool_makes),
        TEST(a_client_that_has_ended_its_side_sees_the_end_soon),
        TEST(a_client_that_has_ended_its_side_gets_all_that_it_asked_for),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
