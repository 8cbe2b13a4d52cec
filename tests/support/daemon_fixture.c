#include "tests/support/daemon_fixture.h"

#include <stdio.h>
#include <stdlib.h>

struct daemon_process daemon_process = {.output = -1};
struct http_client daemon_client = {.fd = -1};
struct http_reply daemon_reply;

int daemon_set_up(void **state)
{
    char program[DAEMON_PATH_SIZE], url[DAEMON_PATH_SIZE + 32];
    (void)state;
    daemon_client = (struct http_client){.fd = -1};
    daemon_reply = (struct http_reply){0};
    if (!daemon_process_binary(program) || !daemon_process_init(&daemon_process))
        return -1;
    (void)snprintf(url, sizeof url, "sqlite:%s/arbiter.db", daemon_process.folder);
    return setenv("A", program, 1) || setenv("F", daemon_process.folder, 1) || setenv("DB", url, 1);
}

int daemon_tear_down(void **state)
{
    (void)state;
    http_reply_finish(&daemon_reply);
    http_client_close(&daemon_client);
    daemon_process_finish(&daemon_process);
    return 0;
}

int daemon_set_up_running(void **state)
{
    char url[64];
    if (daemon_set_up(state) != 0 || !daemon_process_run(&daemon_process, NULL))
        return -1;
    (void)snprintf(url, sizeof url, "http://127.0.0.1:%u", daemon_process.port);
    return setenv("U", url, 1);
}

int daemon_tear_down_running(void **state)
{
    int code = daemon_process_stop(&daemon_process);
    return code | daemon_tear_down(state);
}
