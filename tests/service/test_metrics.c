/* service/metrics: Prometheus text. */
#include "service/metrics.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/writer.h"

static struct metrics *metrics;
static struct arena arena;

static int set_up(void **state)
{
    (void)state;
    metrics = metrics_create();
    return metrics ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    metrics_destroy(metrics);
    arena_finish(&arena);
    return 0;
}

static const char *text(void)
{
    struct writer out;
    const struct metrics_gauges gauges = {.in_flight = 3, .connections = 5, .version = "1.2.3"};
    writer_init(&out, &arena, 0);
    metrics_write(metrics, &gauges, &out);
    writer_char(&out, '\0');
    assert_false(out.failed);
    return out.data;
}

static void assert_has(const char *all, const char *line)
{
    if (!strstr(all, line))
        fail_msg("missing: %s in\n%s", line, all);
}

static void requests_are_counted_by_route_method_and_status(void **state)
{
    (void)state;
    metrics_request_end(metrics, "/v1/games", "POST", 201, 1);
    metrics_request_end(metrics, "/v1/games", "POST", 201, 1);
    metrics_request_end(metrics, "/v1/games", "GET", 200, 1);
    metrics_request_end(metrics, "/v1/games", "BREW", 418, 1);
    const char *all = text();
    assert_has(all, "\narbiter_http_requests_total{method=\"POST\",route=\"/v1/games\",status=\"201\"} 2\n");
    assert_has(all, "\narbiter_http_requests_total{method=\"GET\",route=\"/v1/games\",status=\"200\"} 1\n");
    assert_has(all,
               "\narbiter_http_requests_total{method=\"other\",route=\"/v1/games\",status=\"other\"} 1\n");
}

static void durations_fill_cumulative_buckets(void **state)
{
    (void)state;
    metrics_request_end(metrics, "/a", "GET", 200, 100000);      /* 0.1 ms: within the first */
    metrics_request_end(metrics, "/a", "GET", 200, 100001);      /* the second */
    metrics_request_end(metrics, "/a", "GET", 200, 60000000000); /* a minute: the last */
    const char *all = text();
    assert_has(all, "arbiter_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.0001\"} 1\n");
    assert_has(all, "arbiter_http_request_duration_seconds_bucket{route=\"/a\",le=\"0.00025\"} 2\n");
    assert_has(all, "arbiter_http_request_duration_seconds_bucket{route=\"/a\",le=\"5\"} 2\n");
    assert_has(all, "arbiter_http_request_duration_seconds_bucket{route=\"/a\",le=\"+Inf\"} 3\n");
    assert_has(all, "arbiter_http_request_duration_seconds_sum{route=\"/a\"} 60.000200001\n");
    assert_has(all, "arbiter_http_request_duration_seconds_count{route=\"/a\"} 3\n");
}

static void equal_routes_at_two_addresses_are_one(void **state)
{
    (void)state;
    char one[] = "/v1/same", two[] = "/v1/same";
    metrics_request_end(metrics, one, "GET", 200, 1);
    metrics_request_end(metrics, two, "GET", 200, 1);
    assert_has(text(), "arbiter_http_requests_total{method=\"GET\",route=\"/v1/same\",status=\"200\"} 2\n");
}

static void a_full_table_loses_routes_and_says_so(void **state)
{
    (void)state;
    static char names[300][16];
    for (int i = 0; i < 300; i++) {
        (void)snprintf(names[i], sizeof names[i], "/r%d", i);
        metrics_request_end(metrics, names[i], "GET", 200, 1);
    }
    assert_has(text(), "\narbiter_http_routes_lost_total 44\n");
}

static void gauges_and_process_are_there(void **state)
{
    (void)state;
    metrics_connection_opened(metrics);
    metrics_deadline_passed(metrics);
    const char *all = text();
    assert_has(all, "arbiter_build_info{version=\"1.2.3\"} 1\n");
    assert_has(all, "\narbiter_http_requests_in_flight 3\n");
    assert_has(all, "\narbiter_http_connections 5\n");
    assert_has(all, "\narbiter_http_connections_total 1\n");
    assert_has(all, "\narbiter_http_deadlines_total 1\n");
    assert_has(all, "\nprocess_start_time_seconds ");
    assert_has(all, "\nprocess_resident_memory_bytes ");
    assert_has(all, "\nprocess_open_fds ");
    assert_has(all, "\nprocess_cpu_seconds_total ");
}

/* Every series has its HELP and TYPE before it, once. */
static void every_line_is_of_the_format(void **state)
{
    (void)state;
    metrics_request_end(metrics, "/a", "GET", 200, 1);
    const char *all = text();
    char family[128] = "";
    for (const char *line = all; *line; line = strchr(line, '\n') + 1) {
        if (strncmp(line, "# HELP ", 7) == 0) {
            (void)snprintf(family, sizeof family, "%.*s", (int)strcspn(line + 7, " "), line + 7);
            char type[160];
            (void)snprintf(type, sizeof type, "# TYPE %s ", family);
            const char *found = strstr(all, type);
            assert_non_null(found);
            assert_null(strstr(found + 1, type));
        } else if (*line != '#') {
            assert_memory_equal(line, family, strlen(family));
        }
    }
}

static void *count_many(void *argument)
{
    (void)argument;
    for (int i = 0; i < 20000; i++)
        metrics_request_end(metrics, i % 2 ? "/even" : "/odd", "GET", 200, 1);
    return NULL;
}

static void threads_lose_no_count(void **state)
{
    (void)state;
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, count_many, NULL), 0);
    for (int i = 0; i < 4; i++)
        pthread_join(threads[i], NULL);
    const char *all = text();
    assert_has(all, "arbiter_http_requests_total{method=\"GET\",route=\"/even\",status=\"200\"} 40000\n");
    assert_has(all, "arbiter_http_requests_total{method=\"GET\",route=\"/odd\",status=\"200\"} 40000\n");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(requests_are_counted_by_route_method_and_status),
        TEST(durations_fill_cumulative_buckets),
        TEST(equal_routes_at_two_addresses_are_one),
        TEST(a_full_table_loses_routes_and_says_so),
        TEST(gauges_and_process_are_there),
        TEST(every_line_is_of_the_format),
        TEST(threads_lose_no_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
