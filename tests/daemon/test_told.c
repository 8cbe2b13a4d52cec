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

#include "tests/support/daemon_fixture.h"

static unsigned status_of(const char *target)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "GET", target, NULL, NULL, &daemon_reply));
    return daemon_reply.status;
}

static void a_store_whose_file_is_gone_is_not_ready_and_the_log_says_why(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], path[DAEMON_PATH_SIZE + 16];
    assert_true(daemon_process_run(&daemon_process, NULL));
    (void)snprintf(path, sizeof path, "%s/arbiter.db", daemon_process.folder);
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_int_equal(status_of("/readyz"), 200);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(status_of("/readyz"), 503);
    assert_true(daemon_process_wait_line(&daemon_process, "the store takes no writes", line));
    assert_non_null(strstr(line, "removed or replaced"));
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/games", NULL, "{}", &daemon_reply));
    assert_int_equal(daemon_reply.status, 503);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* The soft limit of the daemon, which may be raised again. */
static void let_it_write_files_of(rlim_t bytes)
{
    struct rlimit limit;
    assert_int_equal(prlimit(daemon_process.pid, RLIMIT_FSIZE, NULL, &limit), 0);
    limit.rlim_cur = bytes < limit.rlim_max ? bytes : limit.rlim_max;
    assert_int_equal(prlimit(daemon_process.pid, RLIMIT_FSIZE, &limit, NULL), 0);
}

static unsigned create(void)
{
    http_reply_finish(&daemon_reply);
    assert_true(http_client_ask(&daemon_client, "POST", "/v1/games", NULL, "{}", &daemon_reply));
    return daemon_reply.status;
}

static void files_that_may_not_grow_are_a_full_disk(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE], location[64], retry_after[16];
    assert_true(daemon_process_run(&daemon_process, NULL));
    assert_true(http_client_open(&daemon_client, "127.0.0.1", daemon_process.port));
    assert_int_equal(create(), 201);
    assert_true(http_reply_field(&daemon_reply, "Location", location, sizeof location));
    let_it_write_files_of(4096);
    assert_int_equal(create(), 503);
    assert_non_null(strstr(daemon_reply.body, "/storage-unavailable\""));
    assert_true(http_reply_field(&daemon_reply, "Retry-After", retry_after, sizeof retry_after));
    assert_true(daemon_process_wait_line(&daemon_process, "the store takes no writes", line));
    assert_int_equal(status_of("/readyz"), 503);
    assert_int_equal(status_of(location), 200);
    let_it_write_files_of(RLIM_INFINITY);
    assert_int_equal(create(), 201);
    assert_int_equal(status_of("/readyz"), 200);
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
    assert_warned_of(network, "http://0.0.0.0:");
    assert_warned_of(proxied, "http://127.0.0.1:");
}

static void help_says_where_the_options_are(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const char *const arguments[] = {"--hlep", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "Try:", line));
    assert_int_equal(daemon_process_wait(&daemon_process), 2);
    assert_string_equal(line, "Try: arbiterd serve --help");
}

static void body_memory_that_holds_no_longest_body_is_told(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const char *const arguments[] = {
        "--listen", "127.0.0.1:0", "--body-memory", "1MiB", "--limit-pgn-import-bytes", "2MiB", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "body-memory", line));
    assert_non_null(strstr(line, "\"body_memory\":\"2097153\""));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

/* This and what follows come last: the limit cannot be raised again. */
static void connections_that_the_system_lowers_are_told(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    /* 64 for the process, 3 for each network thread, and the rest is for connections. */
    const struct rlimit narrow = {.rlim_cur = 570, .rlim_max = 570};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &narrow), 0);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", "--threads", "2", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "RLIMIT_NOFILE", line));
    assert_non_null(strstr(line, "\"connections\":\"500\""));
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static void a_start_with_too_few_descriptors_is_refused(void **state)
{
    (void)state;
    char line[DAEMON_LINE_SIZE];
    const struct rlimit narrow = {.rlim_cur = 72, .rlim_max = 72};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &narrow), 0);
    const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(&daemon_process, arguments));
    assert_true(daemon_process_wait_line(&daemon_process, "RLIMIT_NOFILE", line));
    assert_non_null(strstr(line, "leaves fewer than 8 connections for each address: raise it"));
    assert_int_equal(daemon_process_wait(&daemon_process), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        DAEMON_TEST(a_store_whose_file_is_gone_is_not_ready_and_the_log_says_why),
        DAEMON_TEST(files_that_may_not_grow_are_a_full_disk),
        DAEMON_TEST(an_address_that_others_reach_is_warned_of),
        DAEMON_TEST(help_says_where_the_options_are),
        DAEMON_TEST(body_memory_that_holds_no_longest_body_is_told),
        DAEMON_TEST(connections_that_the_system_lowers_are_told),
        DAEMON_TEST(a_start_with_too_few_descriptors_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
