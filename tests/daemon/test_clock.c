/* Clocks of the real program: flags fall by themselves, steps of the wall clock change nothing, and clocks stand still
 * while the service is down. The wall clock of the daemon is moved by libfaketime; its monotonic one is not. */
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "tests/support/daemon_process.h"
#include "tests/support/http_watch.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define SANITIZED 1 /* its runtime wants to be the first library of the process */
#else
#define SANITIZED 0
#endif

enum { TARGET_SIZE = 96, PATH_SIZE = 512, FIVE_MINUTES_MS = 300000, HOUR_S = 3600 };

static char step_file[PATH_SIZE];

/* ---- the wall clock of the daemon ---- */

static void step_wall_clock(long seconds)
{
    FILE *file = fopen(step_file, "w");
    assert_non_null(file);
    assert_true(fprintf(file, "%+ld\n", seconds) > 0);
    assert_int_equal(fclose(file), 0);
}

/* The library that `faketime` would load; empty: there is none. */
static void find_library(char path[PATH_SIZE])
{
    path[0] = '\0';
    FILE *pipe = popen("faketime -f +0 printenv LD_PRELOAD 2>/dev/null", "r");
    if (!pipe)
        return;
    if (fgets(path, PATH_SIZE, pipe))
        path[strcspn(path, "\n")] = '\0';
    (void)pclose(pipe);
}

static void start(struct daemon_process *process)
{
    static const char *const arguments[] = {"--listen", "127.0.0.1:0", NULL};
    assert_true(daemon_process_start(process, arguments));
    assert_true(daemon_process_wait_ready(process));
}

static void start_with_false_time(struct daemon_process *process)
{
    char library[PATH_SIZE];
    find_library(library);
    if (SANITIZED || !library[0])
        skip();
    (void)snprintf(step_file, sizeof step_file, "%s/wall-clock", process->folder);
    step_wall_clock(0);
    assert_int_equal(setenv("FAKETIME_TIMESTAMP_FILE", step_file, 1), 0);
    assert_int_equal(setenv("FAKETIME_NO_CACHE", "1", 1), 0);
    assert_int_equal(setenv("FAKETIME_DONT_FAKE_MONOTONIC", "1", 1), 0);
    assert_int_equal(setenv("LD_PRELOAD", library, 1), 0);
    start(process);
}

/* ---- asking ---- */

static cJSON *ask(const struct daemon_process *process, const char *method, const char *target,
                  const char *body)
{
    struct http_client client;
    struct http_reply reply = {0};
    assert_true(http_client_open(&client, "127.0.0.1", process->port));
    assert_true(http_client_ask(&client, method, target, body ? "Content-Type: application/json\r\n" : NULL,
                                body, &reply));
    cJSON *json = cJSON_Parse(reply.body);
    assert_non_null(json);
    http_reply_finish(&reply);
    http_client_close(&client);
    return json;
}

static const char *text_of(const cJSON *json, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(json, name));
}

static char *game_path(const struct daemon_process *process, const char *clock)
{
    char body[TARGET_SIZE];
    char *path = NULL;
    (void)snprintf(body, sizeof body, "{\"clock\": %s}", clock);
    cJSON *game = ask(process, "POST", "/v1/games", body);
    assert_non_null(text_of(game, "id"));
    assert_true(asprintf(&path, "/v1/games/%s", text_of(game, "id")) > 0);
    cJSON_Delete(game);
    return path;
}

static cJSON *ask_below(const struct daemon_process *process, const char *path, const char *below)
{
    char target[TARGET_SIZE];
    (void)snprintf(target, sizeof target, "%s%s", path, below);
    return ask(process, "GET", target, NULL);
}

/* What White's clock shows now; and the wall clock of the daemon. */
static int64_t white_ms(const struct daemon_process *process, const char *path, char wall[32])
{
    cJSON *answer = ask_below(process, path, "/clock");
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(answer, "clock");
    const cJSON *ms = cJSON_GetObjectItemCaseSensitive(clock, "white_ms");
    assert_true(cJSON_IsNumber(ms));
    assert_non_null(text_of(answer, "server_time"));
    (void)snprintf(wall, 32, "%s", text_of(answer, "server_time"));
    int64_t value = (int64_t)cJSON_GetNumberValue(ms);
    cJSON_Delete(answer);
    return value;
}

/* "2026-01-02T03:04:05.678Z" as Unix ms. */
static int64_t unix_ms(const char *text)
{
    struct tm parts = {0};
    const char *rest = strptime(text, "%Y-%m-%dT%H:%M:%S", &parts);
    assert_non_null(rest);
    assert_int_equal(*rest, '.');
    return (int64_t)timegm(&parts) * 1000 + strtol(rest + 1, NULL, 10);
}

/* What White has left by what a game shows, at a time that the daemon has told. */
static int64_t left_ms(const cJSON *game, const char *wall)
{
    const cJSON *clock = cJSON_GetObjectItemCaseSensitive(game, "clock");
    assert_non_null(text_of(clock, "flag_at"));
    return unix_ms(text_of(clock, "flag_at")) - unix_ms(wall);
}

/* The same of every form in which it is asked for: each says what GET clock says, within the time that asking takes. */
static void assert_all_tell(const struct daemon_process *process, const char *path)
{
    static const char *const BELOW[] = {"", "/status", "/events.json", ""};
    char wall[32];
    for (size_t i = 0; i < sizeof BELOW / sizeof BELOW[0]; i++) {
        cJSON *answer = ask_below(process, path, BELOW[i]);
        const cJSON *event = cJSON_GetArrayItem(cJSON_GetObjectItemCaseSensitive(answer, "data"), 0);
        const cJSON *data = cJSON_GetObjectItemCaseSensitive(event, "data");
        const cJSON *game = event ? cJSON_GetObjectItemCaseSensitive(data, "game") : answer;
        int64_t white = white_ms(process, path, wall);
        int64_t told = left_ms(game, wall);
        if (told < white - 1000 || told > white + 1000)
            fail_msg("%s tells %lld ms, the clock %lld", BELOW[i], (long long)told, (long long)white);
        cJSON_Delete(answer);
    }
}

static int64_t monotonic_now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

/* ---- tests ---- */

static void a_flag_falls_though_nobody_asks_for_it(void **state)
{
    struct daemon_process *process = *state;
    start(process);
    char *path = game_path(process, "{\"initial_ms\": 50, \"start\": \"immediate\"}");
    int64_t until_ms = monotonic_now_ms() + 10000;
    char status[16] = "";
    char result[16] = "";
    while (strcmp(status, "ended") != 0 && monotonic_now_ms() < until_ms) {
        cJSON *game = ask_below(process, path, "/status");
        (void)snprintf(status, sizeof status, "%s", text_of(game, "status"));
        (void)snprintf(result, sizeof result, "%s", text_of(game, "result"));
        cJSON_Delete(game);
    }
    assert_string_equal(status, "ended");
    assert_string_equal(result, "0-1"); /* 6.9 */
    free(path);
}

static void a_step_of_the_wall_clock_changes_nothing(void **state)
{
    struct daemon_process *process = *state;
    start_with_false_time(process);
    char *path = game_path(process, "{\"initial_ms\": 300000, \"start\": \"immediate\"}");
    char before[32];
    char forward[32];
    char back[32];
    int64_t began_ms = monotonic_now_ms();
    (void)white_ms(process, path, before);
    step_wall_clock(HOUR_S);
    int64_t after_ms = white_ms(process, path, forward);
    step_wall_clock(-HOUR_S);
    int64_t later_ms = white_ms(process, path, back);
    int64_t passed_ms = monotonic_now_ms() - began_ms;
    assert_true(strcmp(forward, before) > 0); /* the daemon has seen the steps */
    assert_true(strcmp(back, before) < 0);
    assert_in_range(after_ms, FIVE_MINUTES_MS - passed_ms - 1000, FIVE_MINUTES_MS);
    assert_in_range(later_ms, FIVE_MINUTES_MS - passed_ms - 1000, after_ms);
    free(path);
}

static void clocks_stand_still_while_nothing_serves(void **state)
{
    struct daemon_process *process = *state;
    start_with_false_time(process);
    char *path = game_path(process, "{\"initial_ms\": 300000, \"start\": \"immediate\"}");
    char wall[32];
    int64_t began_ms = monotonic_now_ms();
    daemon_process_signal(process, SIGKILL);
    assert_int_equal(daemon_process_wait(process), 128 + SIGKILL);
    step_wall_clock(2L * HOUR_S); /* it is down for two hours */
    start(process);
    int64_t left_ms = white_ms(process, path, wall);
    int64_t passed_ms = monotonic_now_ms() - began_ms;
    assert_in_range(left_ms, FIVE_MINUTES_MS - passed_ms - 1000, FIVE_MINUTES_MS);
    cJSON *game = ask_below(process, path, "/status");
    assert_string_equal(text_of(game, "status"), "active");
    cJSON_Delete(game);
    free(path);
}

static void every_answer_tells_what_is_left_after_a_step_or_a_restart(void **state)
{
    struct daemon_process *process = *state;
    start_with_false_time(process);
    char *path = game_path(process, "{\"initial_ms\": 300000, \"start\": \"immediate\"}");
    assert_all_tell(process, path);
    step_wall_clock(HOUR_S);
    assert_all_tell(process, path);
    step_wall_clock(-HOUR_S);
    assert_all_tell(process, path);
    daemon_process_signal(process, SIGTERM);
    assert_int_equal(daemon_process_wait(process), 0);
    step_wall_clock(2L * HOUR_S); /* it is down for three hours */
    start(process);
    assert_all_tell(process, path);
    free(path);
}

/* The stream that watched before the restart goes on with the id of its last event. */
static void a_stream_that_comes_again_is_told_the_clock_first(void **state)
{
    struct daemon_process *process = *state;
    start_with_false_time(process);
    char *path = game_path(process, "{\"initial_ms\": 300000, \"start\": \"immediate\"}");
    char target[TARGET_SIZE], wall[32];
    daemon_process_signal(process, SIGTERM);
    assert_int_equal(daemon_process_wait(process), 0);
    step_wall_clock(HOUR_S);
    start(process);
    (void)snprintf(target, sizeof target, "%s/events.ndjson", path);
    struct http_watch watch;
    assert_true(http_watch_open(&watch, process->port, target, "Last-Event-ID: 1\r\n"));
    cJSON *event = cJSON_Parse(http_watch_until(&watch, "\n"));
    assert_non_null(event);
    assert_string_equal(text_of(event, "type"), "clock.updated");
    const cJSON *data = cJSON_GetObjectItemCaseSensitive(event, "data");
    assert_string_equal(text_of(data, "reason"), "wall_clock");
    int64_t told = left_ms(cJSON_GetObjectItemCaseSensitive(data, "game"), text_of(event, "server_time"));
    int64_t white = white_ms(process, path, wall);
    assert_in_range(told, white, white + 1000);
    cJSON_Delete(event);
    http_watch_close(&watch);
    free(path);
}

static int begin(void **state)
{
    static struct daemon_process process;
    process = (struct daemon_process){0};
    *state = &process;
    return daemon_process_init(&process) ? 0 : -1;
}

static int end(void **state)
{
    daemon_process_finish(*state);
    return unsetenv("LD_PRELOAD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_flag_falls_though_nobody_asks_for_it, begin, end),
        cmocka_unit_test_setup_teardown(a_step_of_the_wall_clock_changes_nothing, begin, end),
        cmocka_unit_test_setup_teardown(clocks_stand_still_while_nothing_serves, begin, end),
        cmocka_unit_test_setup_teardown(every_answer_tells_what_is_left_after_a_step_or_a_restart, begin,
                                        end),
        cmocka_unit_test_setup_teardown(a_stream_that_comes_again_is_told_the_clock_first, begin, end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
