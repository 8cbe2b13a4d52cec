/* What the real daemon tells whoever runs it: faults, warnings, hints. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/daemon_process.h"
#include "tests/support/http_client.h"

static struct daemon_process daemon_process;
static struct http_client client;
static struct http_reply reply;

static int set_up(void **state)
{
    (void)state;
    daemon_process = (struct daemon_process){.output = -1};
    client = (struct http_client){.fd = -1};
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    http_reply_finish(&reply);
    http_client_close(&client);
    daemon_process_finish(&daemon_process);
    return 0;
}

static unsigned status_of(const char *target)
{
    http_reply_finish(&reply);
    assert_true(http_client_ask(&client, "GET", target, NULL, NULL, &reply));
    return reply.status;
}

static void a_store_whose_file_is_gone_is_not_ready_and_the_log_says_why(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], path[DAEMON_PATH_SIZE + 16];
    assert_true(daemon_process_run(&daemon_process, NULL));
    (void)snprintf(path, sizeof path, "%s/arbiter.db", daemon_process.folder);
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    assert_int_equal(status_of("/readyz"), 200);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(status_of("/readyz"), 503);
    assert_true(daemon_process_wait_line(&daemon_process, "the store takes no writes", line));
    assert_non_null(strstr(line, "removed or replaced"));
    http_reply_finish(&reply);
    assert_true(http_client_ask(&client, "POST", "/v1/games", NULL, "{}", &reply));
    assert_int_equal(reply.status, 503);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void assert_warned_of(const char *const *arguments, const char *address)
{
    char line[DAEMON_LINE_SIZE];
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "whoever reaches this address", line));
    assert_non_null(strstr(line, address));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void an_address_that_others_reach_is_warned_of(void **state)
{
    (void)state;
    static const char *const network[] = {"--listen", "0.0.0.0:0", "--default-access", "open", NULL};
    static const char *const proxied[] = {
        "--listen", "127.0.0.1:0", "--trusted-proxy", "127.0.0.1", "--default-access", "open", NULL};
    assert_true(daemon_process_init(&daemon_process));
    assert_warned_of(network, "http://0.0.0.0:");
    assert_warned_of(proxied, "http://127.0.0.1:");
}

static void help_says_where_the_options_are(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    assert_true(daemon_process_init(&daemon_process));
    const char *const arguments[] = {"--hlep", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "Try:", line));
    assert_int_equal(daemon_process_wait(&daemon_process), 2);
    assert_string_equal(line, "Try: arbiterd serve --help");
}

/* The last one: the limit cannot be raised again. */
static void connections_that_the_system_lowers_are_told(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const struct rlimit narrow = {.rlim_cur = 564, .rlim_max = 564};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &narrow), 0);
    assert_true(daemon_process_init(&daemon_process));
    const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "RLIMIT_NOFILE", line));
    assert_non_null(strstr(line, "\"connections\":\"500\""));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_store_whose_file_is_gone_is_not_ready_and_the_log_says_why),
        TEST(an_address_that_others_reach_is_warned_of),
        TEST(help_says_where_the_options_are),
        TEST(connections_that_the_system_lowers_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
