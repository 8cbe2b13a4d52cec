/* service/log and service/log_line: one line an event, whatever bytes come in. */
#include "service/log.h"

#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

#include <cmocka.h>

#include "api/timestamp.h"
#include "service/log_line.h"
#include "service/store_watch.h"

static int ends[2];
static char got[1 << 20];

static int set_up(void **state)
{
    (void)state;
    return pipe2(ends, O_CLOEXEC);
}

static int tear_down(void **state)
{
    (void)state;
    (void)close(ends[0]);
    if (ends[1] >= 0)
        (void)close(ends[1]);
    return 0;
}

/* Everything that was logged; ends the log. */
static const char *finish(struct log *log)
{
    log_destroy(log);
    (void)close(ends[1]);
    ends[1] = -1;
    size_t length = 0;
    for (ssize_t n = 1; n > 0; length += n > 0 ? (size_t)n : 0)
        n = read(ends[0], got + length, sizeof got - 1 - length);
    got[length] = '\0';
    return got;
}

/* The line without its time, which is checked for its form. */
static const char *without_time(const char *line, const char *before)
{
    assert_memory_equal(line, before, strlen(before));
    line += strlen(before);
    assert_int_equal(line[10], 'T');
    assert_int_equal(line[23], 'Z');
    return line + 24;
}

static const struct log_request REQUEST = {
    .request_id = "r1",
    .method = "GET",
    .route = "/v1/games/{id}",
    .client = "127.0.0.1",
    .status = 200,
    .bytes = 12,
    .duration_ns = 1234567,
};

static void a_request_is_one_json_line(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], true, LOG_LEVEL_INFO);
    log_request(log, &REQUEST);
    assert_string_equal(without_time(finish(log), "{\"time\":\""),
                        "\",\"level\":\"info\",\"msg\":\"request\",\"request_id\":\"r1\",\"method\":\"GET\","
                        "\"route\":\"/v1/games/{id}\",\"status\":200,\"bytes\":12,\"duration_ms\":1.234,"
                        "\"client\":\"127.0.0.1\"}\n");
}

static void a_request_is_one_logfmt_line(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_INFO);
    struct log_request request = REQUEST;
    request.code = "not-found";
    request.route = "";
    log_request(log, &request);
    assert_string_equal(without_time(finish(log), "time="),
                        " level=info msg=request request_id=r1 method=GET route=\"\" status=200 bytes=12 "
                        "duration_ms=1.234 client=127.0.0.1 code=not-found\n");
}

/* As long as a head may be. */
static void a_request_of_long_texts_is_cut(void **state)
{
    (void)state;
    char method[8193];
    memset(method, '"', sizeof method - 1);
    method[sizeof method - 1] = '\0';
    struct log *log = log_create(ends[1], true, LOG_LEVEL_INFO);
    struct log_request request = REQUEST;
    request.method = method;
    request.traceparent = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
    log_request(log, &request);
    log_request(log, &REQUEST);
    const char *lines = finish(log), *end = strchr(lines, '\n');
    assert_true(end - lines < LOG_LINE_SIZE);
    assert_memory_equal(end - 2, "\"}", 2);
    assert_non_null(strstr(lines, "...\",\"route\":\"/v1/games/{id}\""));
    assert_non_null(strstr(end, "\"method\":\"GET\",\"route\":\"/v1/games/{id}\",\"status\":200,\"bytes\":12,"
                                "\"duration_ms\":1.234,\"client\":\"127.0.0.1\"}\n"));
}

static void an_event_carries_its_pairs(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_INFO);
    log_event(log, LOG_LEVEL_WARN, "two words", "a", "1", "none", (char *)NULL, "b", "x=y", (char *)NULL);
    assert_string_equal(without_time(finish(log), "time="), " level=warn msg=\"two words\" a=1 b=\"x=y\"\n");
}

static void bytes_of_clients_cannot_break_a_line(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], true, LOG_LEVEL_INFO);
    log_event(log, LOG_LEVEL_INFO, "m", "v", "a\n\"\\\x1b[31m\xff\x7f", (char *)NULL);
    assert_non_null(strstr(finish(log), "\"v\":\"a\\u000a\\\"\\\\\\u001b[31m\\u00ff\\u007f\"}\n"));
}

static void long_values_are_cut_and_lines_stay_whole(void **state)
{
    (void)state;
    char value[5000];
    memset(value, 1, sizeof value - 1);
    value[sizeof value - 1] = '\0';
    struct log_line line;
    log_line_begin(&line, true, 0, "info");
    for (int i = 0; i < 20; i++)
        log_line_text(&line, "name", value);
    log_line_count(&line, "last", UINT64_MAX);
    log_line_end(&line);
    assert_true(line.length <= LOG_LINE_SIZE);
    assert_memory_equal(line.text + line.length - 2, "}\n", 2);
    for (size_t i = 0; i + 1 < line.length; i++)
        assert_int_not_equal(line.text[i], '\n');
}

static void assert_time(int64_t unix_ms)
{
    char time[TIMESTAMP_SIZE], wanted[128];
    struct log_line line;
    timestamp_format(unix_ms, time);
    log_line_begin(&line, true, unix_ms, "info");
    log_line_end(&line);
    (void)snprintf(wanted, sizeof wanted, "{\"time\":\"%s\",\"level\":\"info\"}\n", time);
    assert_int_equal(line.length, strlen(wanted));
    assert_memory_equal(line.text, wanted, line.length);
    log_line_begin(&line, false, unix_ms, "info");
    log_line_end(&line);
    (void)snprintf(wanted, sizeof wanted, "time=%s level=info\n", time);
    assert_memory_equal(line.text, wanted, line.length);
}

/* The date is kept from line to line. */
static void every_line_has_its_own_time(void **state)
{
    (void)state;
    static const int64_t TIMES[] = {0,
                                    7,
                                    999,
                                    1000,
                                    1050,
                                    1050,
                                    1999,
                                    2000,
                                    -1,
                                    -1000,
                                    -1001,
                                    5,
                                    1767225599998,
                                    1767225599999,
                                    1767225600000,
                                    1767225600120,
                                    1767225599001,
                                    INT64_MAX,
                                    INT64_MAX - 1,
                                    INT64_MIN,
                                    1767225599001};
    for (size_t i = 0; i < sizeof TIMES / sizeof *TIMES; i++)
        assert_time(TIMES[i]);
}

/* Of every length at which something could be cut, beside each other. */
static void a_line_holds_whole_fields_only(void **state)
{
    (void)state;
    char value[LOG_LINE_SIZE];
    for (size_t length = 1; length < sizeof value; length++) {
        memset(value, 'x', length - 1);
        value[length - 1] = '\0';
        struct log_line line;
        log_line_begin(&line, true, 0, "info");
        for (int i = 0; i < 5; i++)
            log_line_text(&line, "a", value);
        log_line_end(&line);
        size_t kept = length - 1 < LOG_VALUE_MAX ? length - 1 : LOG_VALUE_MAX;
        size_t head = strlen("{\"time\":\"1970-01-01T00:00:00.000Z\",\"level\":\"info\"");
        size_t field = strlen(",\"a\":\"\"") + kept + (length - 1 > kept ? 3 : 0);
        assert_true(line.length <= LOG_LINE_SIZE);
        assert_int_equal((line.length - head - 2) % field, 0);
        assert_memory_equal(line.text + line.length - 3, "\"}\n", 3);
    }
}

static void levels_decide_and_can_change(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_WARN);
    log_request(log, &REQUEST);
    log_event(log, LOG_LEVEL_INFO, "unheard", (char *)NULL);
    assert_false(log_is_on(log, LOG_LEVEL_INFO));
    log_set_level(log, LOG_LEVEL_DEBUG);
    assert_true(log_is_on(log, LOG_LEVEL_DEBUG));
    log_event(log, LOG_LEVEL_DEBUG, "heard", (char *)NULL);
    const char *text = finish(log);
    assert_null(strstr(text, "unheard"));
    assert_null(strstr(text, "request"));
    assert_non_null(strstr(text, "heard"));
}

static void a_failed_request_is_an_error(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_ERROR);
    struct log_request request = REQUEST;
    request.status = 503;
    log_request(log, &request);
    request.status = 500;
    log_request(log, &request);
    const char *text = finish(log);
    assert_non_null(strstr(text, "level=error msg=request"));
    assert_null(strstr(text, "503"));
}

static void many_lines_arrive_in_order(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_INFO);
    for (int i = 0; i < 500; i++) {
        char number[16];
        (void)snprintf(number, sizeof number, "%d", i);
        log_event(log, LOG_LEVEL_INFO, "m", "n", number, (char *)NULL);
    }
    const char *text = finish(log);
    for (int i = 0; i < 500; i++) {
        char number[16];
        (void)snprintf(number, sizeof number, " n=%d\n", i);
        text = strstr(text, number);
        assert_non_null(text);
    }
}

static void a_file_gets_every_byte(void **state)
{
    (void)state;
    char path[] = "/tmp/arbiter-log-XXXXXX";
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(unlink(path), 0);
    struct log *log = log_create(fd, true, LOG_LEVEL_INFO);
    for (int i = 0; i < 500; i++)
        log_request(log, &REQUEST);
    log_destroy(log);
    ssize_t length = pread(fd, got, sizeof got, 0);
    (void)close(fd);
    assert_true(length > 0);
    size_t line = strcspn(got, "\n") + 1, lines = 0;
    assert_int_equal((size_t)length, 500 * line);
    for (ssize_t i = 0; i < length; i++)
        lines += got[i] == '\n';
    assert_int_equal(lines, 500);
}

/* Nobody reads the pipe: callers go on, lines are counted as dropped, the end comes all the same. */
static void a_reader_that_sleeps_costs_lines_and_no_time(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], true, LOG_LEVEL_INFO);
    for (int i = 0; i < 10000; i++)
        log_request(log, &REQUEST);
    assert_true(log_dropped(log) > 1000);
    log_destroy(log);
}

static void await_dropped(struct log *log, uint64_t count)
{
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int ms = 0; log_dropped(log) < count; ms++) {
        assert_true(ms < 10000);
        (void)nanosleep(&pause, NULL);
    }
}

static size_t count_lines(const char *text)
{
    size_t lines = 0;
    for (; *text; text++)
        lines += *text == '\n';
    return lines;
}

/* A file that is full in the middle of a line, and later has room again. */
static void what_a_full_disk_takes_no_more_is_counted_and_cuts_no_later_line(void **state)
{
    (void)state;
    enum { ROOM = 1000, LINES = 20, LINE = 192 };
    struct rlimit unlimited, narrow;
    char path[] = "/tmp/arbiter-log-XXXXXX", wanted[64];
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(getrlimit(RLIMIT_FSIZE, &unlimited), 0);
    narrow = (struct rlimit){ROOM, unlimited.rlim_max};
    struct log *log = log_create(fd, true, LOG_LEVEL_INFO);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &narrow), 0);
    for (int i = 0; i < LINES; i++)
        log_request(log, &REQUEST);
    await_dropped(log, LINES - ROOM / LINE);
    assert_int_equal(setrlimit(RLIMIT_FSIZE, &unlimited), 0);
    log_event(log, LOG_LEVEL_WARN, "there is room again", (char *)NULL);
    log_destroy(log);
    ssize_t length = pread(fd, got, sizeof got - 1, 0);
    (void)close(fd);
    got[length] = '\0';
    size_t line = strcspn(got, "\n") + 1, whole = ROOM / line;
    assert_int_not_equal(ROOM % line, 0);
    assert_int_equal(got[ROOM], '\n');
    (void)without_time(got + ROOM + 1, "{\"time\":\"");
    assert_non_null(strstr(got + ROOM, "\"msg\":\"there is room again\"}\n"));
    (void)snprintf(wanted, sizeof wanted, "\"msg\":\"log lines were dropped\",\"count\":%zu}\n",
                   LINES - whole);
    assert_non_null(strstr(got + ROOM, wanted));
    assert_int_equal(count_lines(got), whole + 3);
}

static void a_reader_that_is_gone_is_no_fault(void **state)
{
    (void)state;
    (void)close(ends[0]);
    struct log *log = log_create(ends[1], true, LOG_LEVEL_INFO);
    log_request(log, &REQUEST);
    log_destroy(log);
    ends[0] = open("/dev/null", O_RDONLY | O_CLOEXEC);
}

static void note(struct store_watch *watch, enum storage_status status, int64_t now_ms)
{
    const struct store_note one = {STORAGE_WRITES, status, "a.db: disk I/O error", now_ms};
    store_watch_note(watch, &one);
}

static void faults_of_the_store_are_one_line_a_minute_and_one_at_the_end(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_WARN);
    struct store_watch *watch = store_watch_create(log);
    note(watch, STORAGE_OK, 1); /* nothing has failed: no line */
    note(watch, STORAGE_UNAVAILABLE, 1000);
    for (int i = 0; i < 500; i++)
        note(watch, STORAGE_UNAVAILABLE, 60999);
    note(watch, STORAGE_UNAVAILABLE, 61000);
    note(watch, STORAGE_UNAVAILABLE, 61001);
    note(watch, STORAGE_OK, 61002);
    note(watch, STORAGE_UNAVAILABLE, 61003); /* fails and works by turns: silent until the minute is over */
    note(watch, STORAGE_OK, 61004);
    store_watch_destroy(watch);
    static const char *const ENDS[] = {
        " level=error msg=\"the store takes no writes\" reason=\"The storage failed: its disk, its file or "
        "the "
        "memory.\" cause=\"a.db: disk I/O error\"",
        " level=error msg=\"the store takes no writes\" reason=\"The storage failed: its disk, its file or "
        "the "
        "memory.\" cause=\"a.db: disk I/O error\" suppressed=500",
        " level=warn msg=\"the store takes writes again\" store=\"a.db: disk I/O error\" suppressed=1",
    };
    const char *line = finish(log);
    for (size_t i = 0; i < sizeof ENDS / sizeof *ENDS; i++) {
        const char *end = strchr(line, '\n');
        assert_non_null(end);
        const char *rest = without_time(line, "time=");
        assert_int_equal(end - rest, strlen(ENDS[i]));
        assert_memory_equal(rest, ENDS[i], strlen(ENDS[i]));
        line = end + 1;
    }
    assert_string_equal(line, "");
}

/* The last word may be wrong for a minute, and no longer. */
static void a_store_that_fails_again_at_once_is_told_when_the_minute_is_over(void **state)
{
    (void)state;
    struct log *log = log_create(ends[1], false, LOG_LEVEL_WARN);
    struct store_watch *watch = store_watch_create(log);
    note(watch, STORAGE_UNAVAILABLE, 1000);
    note(watch, STORAGE_OK, 2000);
    note(watch, STORAGE_UNAVAILABLE, 3000);
    note(watch, STORAGE_UNAVAILABLE, 60999);
    note(watch, STORAGE_UNAVAILABLE, 61000);
    note(watch, STORAGE_OK, 61001);
    store_watch_destroy(watch);
    const char *text = finish(log);
    static const char *const WORDS[] = {"no writes", "writes again", "no writes", "suppressed=2\n",
                                        "writes again"};
    for (size_t i = 0; i < sizeof WORDS / sizeof *WORDS; i++) {
        text = strstr(text, WORDS[i]);
        assert_non_null(text);
    }
    assert_string_equal(strchr(text, '\n'), "\n");
}

int main(void)
{
    (void)signal(SIGPIPE, SIG_IGN);
    (void)signal(SIGXFSZ, SIG_IGN);
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(a_request_is_one_json_line),
        TEST(a_request_is_one_logfmt_line),
        TEST(a_request_of_long_texts_is_cut),
        TEST(an_event_carries_its_pairs),
        TEST(bytes_of_clients_cannot_break_a_line),
        TEST(long_values_are_cut_and_lines_stay_whole),
        TEST(every_line_has_its_own_time),
        TEST(a_line_holds_whole_fields_only),
        TEST(levels_decide_and_can_change),
        TEST(a_failed_request_is_an_error),
        TEST(many_lines_arrive_in_order),
        TEST(a_file_gets_every_byte),
        TEST(a_reader_that_sleeps_costs_lines_and_no_time),
        TEST(what_a_full_disk_takes_no_more_is_counted_and_cuts_no_later_line),
        TEST(a_reader_that_is_gone_is_no_fault),
        TEST(faults_of_the_store_are_one_line_a_minute_and_one_at_the_end),
        TEST(a_store_that_fails_again_at_once_is_told_when_the_minute_is_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
