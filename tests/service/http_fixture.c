#include "tests/service/http_fixture.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/log.h"
#include "service/metrics.h"
#include "service/pool.h"
#include "tests/service/api_stub.h"

struct http_fixture http_fixture;

static int null_fd;

static const struct http_settings USUAL = {
    .threads = 1,
    .connections = 64,
    .idle_ms = 20000,
    .request_ms = 20000,
    .body_bytes = 1000,
    .body_memory = 8000,
    .target_bytes = 4096,
    .head_bytes = 8192,
    .header_fields = 64,
};

static unsigned port_of(const struct listener *listener)
{
    return (unsigned)strtoul(strrchr(listener->url, ':') + 1, NULL, 10);
}

unsigned http_fixture_port(void)
{
    return port_of(&http_fixture.listener);
}

void http_fixture_open(struct http_client *client)
{
    assert_true(http_client_open(client, "127.0.0.1", http_fixture_port()));
}

void http_fixture_open_second(struct http_client *client)
{
    assert_true(http_client_open(client, "127.0.0.1", port_of(&http_fixture.second)));
}

static int start(const struct http_settings *settings)
{
    char error[LISTENER_ERROR_SIZE];
    (void)signal(SIGPIPE, SIG_IGN);
    (void)unsetenv("TEST_RECORD"); /* what the stub answers is not in openapi.yaml */
    null_fd = open("/dev/null", O_WRONLY | O_CLOEXEC);
    http_fixture = (struct http_fixture){.settings = *settings, .second = {.fd = -1}};
    http_fixture.parts = (struct http_parts){
        .api = api_stub_create(),
        .pool = pool_create(1, 1),
        .log = log_create(null_fd, true, LOG_LEVEL_INFO),
        .metrics = metrics_create(),
    };
    http_fixture.server = http_server_create(settings, &http_fixture.parts);
    if (!http_fixture.server || !listener_open(&http_fixture.listener, "127.0.0.1:0", 0, error) ||
        !http_server_start(http_fixture.server, &http_fixture.listener))
        return -1;
    http_fixture_open(&http_fixture.client);
    return 0;
}

int http_fixture_set_up(void **state)
{
    (void)state;
    return start(&USUAL);
}

int http_fixture_set_up_impatient(void **state)
{
    (void)state;
    struct http_settings settings = USUAL;
    settings.idle_ms = 300;
    settings.request_ms = 300;
    return start(&settings);
}

int http_fixture_set_up_short_requests(void **state)
{
    (void)state;
    struct http_settings settings = USUAL;
    settings.request_ms = 1500;
    return start(&settings);
}

int http_fixture_set_up_two_threads(void **state)
{
    (void)state;
    struct http_settings settings = USUAL;
    settings.threads = 2;
    return start(&settings);
}

int http_fixture_set_up_two_listeners(void **state)
{
    (void)state;
    char error[LISTENER_ERROR_SIZE];
    struct http_settings settings = USUAL;
    settings.connections = 2;
    return start(&settings) == 0 && listener_open(&http_fixture.second, "127.0.0.1:0", 0, error) &&
                   http_server_start(http_fixture.server, &http_fixture.second)
               ? 0
               : -1;
}

int http_fixture_tear_down(void **state)
{
    (void)state;
    http_reply_finish(&http_fixture.reply);
    http_client_close(&http_fixture.client);
    (void)http_server_drain(http_fixture.server, 0);
    http_server_stop(http_fixture.server);
    pool_destroy(http_fixture.parts.pool);
    http_server_destroy(http_fixture.server);
    listener_close(&http_fixture.listener);
    listener_close(&http_fixture.second);
    api_destroy(http_fixture.parts.api);
    metrics_destroy(http_fixture.parts.metrics);
    log_destroy(http_fixture.parts.log);
    (void)close(null_fd);
    return 0;
}

void http_fixture_ask(struct http_client *client, const char *method, const char *target, const char *fields,
                      const char *body)
{
    http_reply_finish(&http_fixture.reply);
    if (!http_client_ask(client, method, target, fields, body, &http_fixture.reply))
        fail_msg("no reply to %s %s", method, target);
}

void http_fixture_get(const char *target)
{
    http_fixture_ask(&http_fixture.client, "GET", target, NULL, NULL);
}

const char *http_fixture_field(const char *name)
{
    static char value[256];
    return http_reply_field(&http_fixture.reply, name, value, sizeof value) ? value : NULL;
}
