#include "tests/http/health.h"

#include <dirent.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/daemon_fixture.h"

enum { PATIENCE_MS = 20000 };

static struct http_client client = {.fd = -1};
static int64_t longest_ms;
static unsigned late;

int64_t health_now_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool ask(void)
{
    struct http_reply reply;
    bool answered = client.fd >= 0 &&
                    http_client_send_text(&client, "GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n") &&
                    http_client_read(&client, false, &reply);
    bool is_well = answered && reply.status == 200;
    if (answered)
        http_reply_finish(&reply);
    return is_well;
}

void health_assert(const char *after)
{
    const char *most = getenv("HTTP_HEALTH_MS");
    int64_t begun_ms = health_now_ms();
    bool is_well = ask();
    if (!is_well) { /* an idle connection may have been closed */
        http_client_close(&client);
        is_well = http_client_open(&client, "127.0.0.1", daemon_process.port) && ask();
    }
    int64_t took_ms = health_now_ms() - begun_ms;
    longest_ms = took_ms > longest_ms ? took_ms : longest_ms;
    late += took_ms > HEALTH_LATE_MS;
    if (!is_well || took_ms > (most ? strtol(most, NULL, 10) : 1000))
        fail_msg("%s: health %s after %lld ms", after, is_well ? "answers" : "does not answer",
                 (long long)took_ms);
}

int64_t health_longest_ms(void)
{
    return longest_ms;
}

unsigned health_late(void)
{
    return late;
}

void health_end(void)
{
    http_client_close(&client);
}

/* The store opens its file once more when it has to; how often says nothing of requests. */
static bool is_of_store(int folder, const char *name)
{
    char target[4096] = "";
    return readlinkat(folder, name, target, sizeof target - 1) > 0 && strstr(target, "/arbiter.db");
}

unsigned health_descriptors(void)
{
    char path[64];
    unsigned count = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/fd", (int)daemon_process.pid);
    DIR *folder = opendir(path);
    assert_non_null(folder);
    for (const struct dirent *entry = readdir(folder); entry; entry = readdir(folder))
        count += entry->d_name[0] != '.' && !is_of_store(dirfd(folder), entry->d_name);
    (void)closedir(folder);
    return count;
}

void health_wait_descriptors(unsigned most)
{
    const struct timespec moment = {.tv_nsec = 10000000};
    int64_t until_ms = health_now_ms() + PATIENCE_MS;
    unsigned count = health_descriptors();
    for (; count > most && health_now_ms() < until_ms; count = health_descriptors())
        (void)nanosleep(&moment, NULL);
    if (count > most)
        fail_msg("%u descriptors are left open, of %u", count, most);
}

long health_resident_kib(void)
{
    char path[64], line[128];
    long kib = 0;
    (void)snprintf(path, sizeof path, "/proc/%d/status", (int)daemon_process.pid);
    FILE *file = fopen(path, "re");
    assert_non_null(file);
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "VmRSS:", 6) == 0)
            kib = strtol(line + 6, NULL, 10);
    (void)fclose(file);
    return kib;
}

/* The request that asks is one. */
static long others_in_flight(void)
{
    static const char GAUGE[] = "\narbiter_http_requests_in_flight ";
    struct http_client asking;
    struct http_reply reply = {0};
    assert_true(http_client_open(&asking, "127.0.0.1", daemon_process.port));
    assert_true(http_client_ask(&asking, "GET", "/metrics", NULL, NULL, &reply));
    const char *gauge = strstr(reply.body, GAUGE);
    assert_non_null(gauge);
    long count = strtol(gauge + sizeof GAUGE - 1, NULL, 10) - 1;
    http_reply_finish(&reply);
    http_client_close(&asking);
    return count;
}

void health_wait_none_in_flight(const char *after)
{
    const struct timespec moment = {.tv_nsec = 5000000};
    int64_t until_ms = health_now_ms() + PATIENCE_MS;
    long count = others_in_flight();
    for (; count && health_now_ms() < until_ms; count = others_in_flight())
        (void)nanosleep(&moment, NULL);
    if (count)
        fail_msg("%s: %ld requests are in flight for ever", after, count);
}
