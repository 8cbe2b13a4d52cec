/* The real daemon and many requests that come at one and the same time: all are answered, however many they are. The HTTP
 * library takes 128 events at once, and must not wait for more when it has got just so many. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/wait.h>

#include <cmocka.h>

#include "service/monotonic.h"
#include "tests/support/daemon_fixture.h"

enum { CLIENTS = 300, SOON_MS = 10000 };

static struct http_client clients[CLIENTS];

static void assert_answered(struct http_client *client)
{
    struct http_reply reply;
    assert_true(http_client_read(client, false, &reply));
    assert_int_equal(reply.status, 200);
    http_reply_finish(&reply);
}

/* While the daemon stands still all of them arrive, so that it finds them together. */
static void ask_together(size_t count)
{
    daemon_process_signal(&daemon_process, SIGSTOP);
    int status = 0;
    assert_int_equal(waitpid(daemon_process.pid, &status, WUNTRACED), daemon_process.pid);
    assert_true(WIFSTOPPED(status));
    for (size_t i = 0; i < count; i++)
        assert_true(http_client_send_text(&clients[i], "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n"));
    daemon_process_signal(&daemon_process, SIGCONT);
}

static void requests_that_come_together_are_all_answered(void **state)
{
    (void)state;
    static const size_t COUNTS[] = {1, 127, 128, 129, 255, 256, 257, CLIENTS};
    for (size_t i = 0; i < CLIENTS; i++) {
        assert_true(http_client_open(&clients[i], "127.0.0.1", daemon_process.port));
        assert_true(http_client_ask(&clients[i], "GET", "/healthz", NULL, NULL, &daemon_reply));
        http_reply_finish(&daemon_reply);
    }
    for (size_t i = 0; i < sizeof COUNTS / sizeof *COUNTS; i++) {
        int64_t begun_ms = monotonic_coarse_ms();
        ask_together(COUNTS[i]);
        for (size_t j = 0; j < COUNTS[i]; j++)
            assert_answered(&clients[j]);
        int64_t took_ms = monotonic_coarse_ms() - begun_ms;
        if (took_ms > SOON_MS)
            fail_msg("%zu requests at once: %lld ms", COUNTS[i], (long long)took_ms);
    }
    for (size_t i = 0; i < CLIENTS; i++)
        http_client_close(&clients[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_that_come_together_are_all_answered),
    };
    return cmocka_run_group_tests(tests, daemon_set_up_running, daemon_tear_down_running);
}
