/* service/http_stream: bodies that are made by work of their own, in the pool of the fixture: one thread, room for one. */
#include "service/http_server.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/socket.h>

#include <cmocka.h>

#include "tests/service/api_stub.h"
#include "tests/service/http_fixture.h"
#include "tests/support/http_watch.h"

#define WHOLE "worked\nworked\nworked\n"

static void open_watch(struct http_watch *watch)
{
    assert_true(http_watch_open(watch, http_fixture_port(), "/v1/work", NULL));
    assert_int_equal(watch->status, 200);
}

static void wait_in_flight(size_t count)
{
    while (http_server_in_flight(http_fixture.server) != count)
        (void)sched_yield();
}

static void assert_whole(struct http_watch *watch)
{
    const char *text = http_watch_rest(watch);
    assert_non_null(text);
    assert_string_equal(text, WHOLE);
    http_watch_close(watch);
}

static void assert_nothing_is_left(void)
{
    wait_in_flight(0);
    api_stub_wait_streams(http_fixture.parts.api, 0);
    assert_int_equal(http_server_suspended(http_fixture.server), 0);
}

static void it_works_until_the_body_is_whole_and_the_connection_is_kept(void **state)
{
    (void)state;
    struct http_watch watch;
    api_stub_let_work(http_fixture.parts.api);
    open_watch(&watch);
    const char *text = http_watch_rest(&watch);
    assert_non_null(text);
    assert_string_equal(text, WHOLE);
    http_fixture_ask(&watch.client, "GET", "/healthz", NULL, NULL);
    assert_int_equal(http_fixture.reply.status, 200);
    http_watch_close(&watch);
    assert_nothing_is_left();
}

/* With a reset, so that the server need not write to know. */
static void a_client_that_leaves_is_told_to_the_work_which_ends_the_request(void **state)
{
    (void)state;
    struct http_watch watch;
    const struct linger reset = {.l_onoff = 1};
    open_watch(&watch);
    api_stub_wait_working(http_fixture.parts.api, 1);
    assert_int_equal(http_server_streams(http_fixture.server), 0); /* of events */
    assert_true(http_server_suspended(http_fixture.server) > 0);
    assert_int_equal(setsockopt(watch.client.fd, SOL_SOCKET, SO_LINGER, &reset, sizeof reset), 0);
    http_watch_close(&watch);
    assert_nothing_is_left();
}

static void work_that_finds_no_room_is_put_off(void **state)
{
    (void)state;
    struct http_watch watches[3];
    open_watch(&watches[0]);
    api_stub_wait_working(http_fixture.parts.api, 1);
    for (size_t i = 1; i < 3; i++)
        open_watch(&watches[i]);
    api_stub_wait_streams(http_fixture.parts.api, 3);
    api_stub_let_work(http_fixture.parts.api);
    for (size_t i = 0; i < 3; i++)
        assert_whole(&watches[i]);
    assert_nothing_is_left();
}

static void *drain(void *patience_ms)
{
    static bool is_empty;
    is_empty = http_server_drain(http_fixture.server, *(const int64_t *)patience_ms);
    return is_empty ? &is_empty : NULL;
}

static void a_drain_waits_for_work(void **state)
{
    (void)state;
    struct http_watch watch;
    pthread_t thread;
    int64_t patience_ms = 20000;
    void *is_empty = NULL;
    open_watch(&watch);
    api_stub_wait_working(http_fixture.parts.api, 1);
    assert_int_equal(pthread_create(&thread, NULL, drain, &patience_ms), 0);
    while (!http_server_is_draining(http_fixture.server))
        (void)sched_yield();
    api_stub_let_work(http_fixture.parts.api);
    assert_whole(&watch);
    pthread_join(thread, &is_empty);
    assert_non_null(is_empty);
    assert_nothing_is_left();
}

static void what_is_not_whole_when_a_drain_is_over_is_cut(void **state)
{
    (void)state;
    struct http_watch watch;
    open_watch(&watch);
    api_stub_wait_working(http_fixture.parts.api, 1);
    assert_false(http_server_drain(http_fixture.server, 100));
    assert_null(http_watch_rest(&watch)); /* and the work is told that the client has gone */
    assert_true(watch.broken);
    http_watch_close(&watch);
    assert_nothing_is_left();
}

#define WORK_TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WORK_TEST(it_works_until_the_body_is_whole_and_the_connection_is_kept),
        WORK_TEST(a_client_that_leaves_is_told_to_the_work_which_ends_the_request),
        WORK_TEST(work_that_finds_no_room_is_put_off),
        WORK_TEST(a_drain_waits_for_work),
        WORK_TEST(what_is_not_whole_when_a_drain_is_over_is_cut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
