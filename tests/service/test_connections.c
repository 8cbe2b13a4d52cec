/* service/connections: how long a request may take to arrive. */
#include "service/connections.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/socket.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/monotonic.h"

enum {
    IDLE_MS = 15000,
    REQUEST_MS = 15000,
    SLACK_MS = 2000, /* for a test that is not run at once */
};

static struct connections *connections;
static struct connection *connection;
static int ends[2];

static void look(void *context)
{
    (void)context;
}

static int set_up(void **state)
{
    (void)state;
    if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends) != 0)
        return -1;
    connections = connections_create(look, look, NULL);
    connection = connections ? connections_add(connections, ends[0], NULL, false, IDLE_MS) : NULL;
    return connection ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    connections_remove(connections, connection);
    connections_destroy(connections);
    (void)close(ends[0]);
    (void)close(ends[1]);
    return 0;
}

/* It has been in its state for so long. */
static void let_pass(int64_t ms)
{
    atomic_fetch_sub(&connection->since_ms, ms);
}

static void assert_left(int64_t ms)
{
    assert_in_range(atomic_load(&connection->deadline_ms) - monotonic_coarse_ms(), ms - SLACK_MS, ms);
}

static void the_first_request_has_its_time_from_the_opening(void **state)
{
    (void)state;
    let_pass(6000);
    connection_begin(connection, REQUEST_MS);
    assert_int_equal(atomic_load(&connection->state), CONNECTION_READING);
    assert_left(REQUEST_MS - 6000);
}

static void a_first_line_that_comes_late_leaves_a_third(void **state)
{
    (void)state;
    let_pass(14000);
    connection_begin(connection, REQUEST_MS);
    assert_left(REQUEST_MS / 3);
}

static void later_requests_have_their_time_from_their_line(void **state)
{
    (void)state;
    connection_begin(connection, REQUEST_MS);
    for (int i = 0; i < 2; i++) {
        connection_enter(connection, CONNECTION_IDLE, IDLE_MS);
        let_pass(14000);
        connection_begin(connection, REQUEST_MS);
        assert_left(REQUEST_MS);
    }
}

static bool is_shut(void)
{
    char byte = 0;
    return recv(ends[0], &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void only_who_has_been_idle_for_a_moment_is_shut(void **state)
{
    (void)state;
    assert_in_range(connections_shut_idle(connections, IDLE_MS), IDLE_MS - SLACK_MS, IDLE_MS);
    assert_false(is_shut());
    connection_begin(connection, REQUEST_MS);
    let_pass(IDLE_MS);
    assert_int_equal(connections_shut_idle(connections, IDLE_MS), 0); /* it is not idle */
    assert_false(is_shut());
    connection_enter(connection, CONNECTION_IDLE, IDLE_MS);
    let_pass(IDLE_MS);
    assert_int_equal(connections_shut_idle(connections, IDLE_MS), 0);
    assert_true(is_shut());
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(the_first_request_has_its_time_from_the_opening),
        TEST(a_first_line_that_comes_late_leaves_a_third),
        TEST(later_requests_have_their_time_from_their_line),
        TEST(only_who_has_been_idle_for_a_moment_is_shut),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
