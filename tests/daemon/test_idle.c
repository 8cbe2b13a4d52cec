/* The real daemon and its network thread, which has nothing to do: a request that stands still costs no processor time,
 * however it stands. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <time.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "tests/support/daemon_fixture.h"

enum { LONG = 40000 /* more than the library keeps of a connection */ };

static int64_t cpu_ms(void)
{
    clockid_t clock;
    struct timespec used;
    assert_int_equal(clock_getcpuclockid(daemon_process.pid, &clock), 0);
    assert_int_equal(clock_gettime(clock, &used), 0);
    return (int64_t)used.tv_sec * 1000 + used.tv_nsec / 1000000;
}

#define POST "POST /v1/games HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n"

static void what_stands_still_costs_nothing(void **state)
{
    static const struct {
        const char *label, *text;
        bool goes_on, half_closed;
    } ROWS[] = {
        {"half a head", "GET /healthz HTTP/1.1\r\nHost: loc", false, false},
        {"half a body", POST "Content-Length: 10\r\n\r\n{", false, false},
        {"half a chunk", POST "Transfer-Encoding: chunked\r\n\r\n5\r\n{", false, false},
        {"the head of a chunk without end", POST "Transfer-Encoding: chunked\r\n\r\n1;", true, false},
        {"the same, and its client has left", POST "Transfer-Encoding: chunked\r\n\r\n1;", true, true},
    };
    static char more[LONG];
    (void)state;
    memset(more, 'x', sizeof more);
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        struct http_client client;
        assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
        assert_true(http_client_send_text(&client, ROWS[i].text));
        assert_true(!ROWS[i].goes_on || http_client_send(&client, more, sizeof more));
        if (ROWS[i].half_closed)
            http_client_half_close(&client);
        int64_t begun_ms = monotonic_coarse_ms(), used_ms = cpu_ms();
        (void)http_client_is_closed(&client); /* its time is over */
        int64_t took_ms = monotonic_coarse_ms() - begun_ms;
        used_ms = cpu_ms() - used_ms;
        if (took_ms < 500 || used_ms > took_ms / 3)
            fail_msg("%s: %lld ms of processor time in %lld ms", ROWS[i].label, (long long)used_ms,
                     (long long)took_ms);
        http_client_close(&client);
    }
}

static int set_up(void **state)
{
    static const char *const ARGUMENTS[] = {"--limit-request-ms", "1000", "--idle-timeout", "1s", NULL};
    (void)state;
    return daemon_process_run(&daemon_process, ARGUMENTS) ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    int code = daemon_process_stop(&daemon_process);
    daemon_process_finish(&daemon_process);
    return code;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_stands_still_costs_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
