/* service/options and service/nearest: one table, four sources. */
#include "service/options.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "service/http_server.h"
#include "service/log.h"
#include "api/nearest.h"

static struct options *options;
static char error[OPTIONS_ERROR_SIZE];

static int set_up(void **state)
{
    (void)state;
    options = options_create();
    *error = '\0';
    return options ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    options_destroy(options);
    return 0;
}

static enum options_taken flag(const char *first, const char *second, int *used)
{
    char one[128], two[128];
    (void)snprintf(one, sizeof one, "%s", first);
    (void)snprintf(two, sizeof two, "%s", second ? second : "");
    char *const arguments[] = {one, second ? two : NULL, NULL};
    return options_read_argument(options, arguments, used, error);
}

static bool variable(const char *text)
{
    char copy[128];
    (void)snprintf(copy, sizeof copy, "%s", text);
    char *const environment[] = {copy, NULL};
    return options_read_environment(options, environment, error);
}

/* The path of a file with that text; the file lives until the next call. */
static const char *file_with(const char *text)
{
    static char path[64];
    if (*path)
        (void)unlink(path);
    (void)snprintf(path, sizeof path, "/tmp/arbiter-options-XXXXXX");
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    (void)close(fd);
    return path;
}

static bool file(const char *text)
{
    return options_read_file(options, file_with(text), error);
}

static const struct options_values *values(void)
{
    return options_values(options);
}

static void defaults_are_those_of_the_table(void **state)
{
    (void)state;
    assert_string_equal(values()->listen[0], "127.0.0.1:8080");
    assert_null(values()->listen[1]);
    assert_string_equal(values()->db, "sqlite:arbiter.db");
    assert_null(values()->config);
    assert_null(values()->allow_origin[0]);
    assert_int_equal(values()->idle_timeout_ms, 15000);
    assert_int_equal(values()->unix_mode, 0660);
    assert_int_equal(values()->memory_bytes, 256 << 20);
    assert_int_equal(values()->synchronous, OPTIONS_SYNCHRONOUS_FULL);
    assert_int_equal(values()->log_level, LOG_LEVEL_INFO);
}

static void every_limit_is_an_option_with_its_own_default(void **state)
{
    (void)state;
#define ASSERT_LIMIT(name, initial, minimum, maximum, unit, sentence)                                        \
    assert_true(values()->limits.name == (initial));
    API_LIMITS(ASSERT_LIMIT)
#undef ASSERT_LIMIT
    int used = 0;
    assert_int_equal(flag("--limit-body-bytes=2000", NULL, &used), OPTIONS_TAKEN);
    assert_int_equal(values()->limits.body_bytes, 2000);
    assert_int_equal(flag("--limit_body_bytes", "3KiB", &used), OPTIONS_TAKEN);
    assert_int_equal(values()->limits.body_bytes, 3072);
}

static void a_flag_takes_its_value_from_either_side(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--db", "sqlite:a", &used), OPTIONS_TAKEN);
    assert_int_equal(used, 2);
    assert_int_equal(flag("--db=sqlite:b", "--listen", &used), OPTIONS_TAKEN);
    assert_int_equal(used, 1);
    assert_string_equal(values()->db, "sqlite:b");
}

static void a_flag_without_its_value_is_refused(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--db", NULL, &used), OPTIONS_WRONG);
    assert_string_equal(error, "--db: db needs a value");
    assert_int_equal(flag("--threads", NULL, &used), OPTIONS_WRONG);
}

static void the_stronger_source_wins_in_any_order(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--threads", "4", &used), OPTIONS_TAKEN);
    assert_true(variable("ARBITER_THREADS=3"));
    assert_true(variable("ARBITER_POOL_THREADS=5"));
    assert_true(file("threads = 2\npool-threads = 6\npool-queue = 7\n"));
    assert_int_equal(values()->threads, 4);
    assert_int_equal(values()->pool_threads, 5);
    assert_int_equal(values()->pool_queue, 7);
}

static void a_list_replaces_that_of_a_weaker_source(void **state)
{
    (void)state;
    int used = 0;
    assert_true(options_is_default(options, "listen"));
    assert_true(file("listen = 127.0.0.1:1\nlisten = 127.0.0.1:2\n"));
    assert_string_equal(values()->listen[1], "127.0.0.1:2");
    assert_true(variable("ARBITER_LISTEN=[::1]:3,unix:/run/a,:4"));
    assert_string_equal(values()->listen[0], "[::1]:3");
    assert_string_equal(values()->listen[2], ":4");
    assert_null(values()->listen[3]);
    assert_int_equal(flag("--listen", ":5", &used), OPTIONS_TAKEN);
    assert_int_equal(flag("--listen", ":6", &used), OPTIONS_TAKEN);
    assert_string_equal(values()->listen[0], ":5");
    assert_string_equal(values()->listen[1], ":6");
    assert_null(values()->listen[2]);
    assert_false(options_is_default(options, "listen"));
}

static void numbers_come_with_their_units(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        int64_t number; /* -1: refused */
    } ROWS[] = {
        {"idle-timeout", "1500", 1500},
        {"idle-timeout", "500ms", 500},
        {"idle-timeout", "2s", 2000},
        {"idle-timeout", "1m", 60000},
        {"idle-timeout", "1h", 3600000},
        {"idle-timeout", "2h", -1},
        {"idle-timeout", "1d", -1},
        {"idle-timeout", "-1s", -1},
        {"idle-timeout", "", -1},
        {"idle-timeout", "s", -1},
        {"idle-timeout", " 1s", -1},
        {"idle-timeout", "9999999999999999999s", -1},
        {"idle-timeout", "99999999999999999s", -1},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        bool taken = options_set(options, ROWS[i].name, ROWS[i].text, OPTIONS_FLAG, "test", error);
        assert_int_equal(taken, ROWS[i].number >= 0);
        if (taken)
            assert_int_equal(values()->idle_timeout_ms, ROWS[i].number);
    }
    assert_true(options_set(options, "unix-mode", "600", OPTIONS_FLAG, "test", error));
    assert_int_equal(values()->unix_mode, 0600);
    assert_false(options_set(options, "unix-mode", "0680", OPTIONS_FLAG, "test", error));
    assert_true(options_set(options, "memory", "1GiB", OPTIONS_FLAG, "test", error));
    assert_int_equal(values()->memory_bytes, 1 << 30);
    assert_false(options_set(options, "threads", "2s", OPTIONS_FLAG, "test", error));
}

static void a_wrong_value_is_explained(void **state)
{
    (void)state;
    assert_false(file("\n# comment\nidle-timeout = soon\n"));
    assert_non_null(strstr(
        error,
        ":3: 'soon' is no value of idle-timeout: give a time such as 500ms, 30s or 2m, from 100ms to 1h"));
    assert_false(options_set(options, "limit-name-bytes", "0", OPTIONS_FLAG, "--limit-name-bytes", error));
    assert_non_null(strstr(error, "'0' is no value of limit-name-bytes: give a"));
    assert_false(options_set(options, "log-level", "verbose", OPTIONS_FLAG, "--log-level", error));
    assert_string_equal(error, "--log-level: 'verbose' is no value of log-level: give error|warn|info|debug");
}

static void a_text_that_cannot_be_served_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *name, *value;
        bool is_good;
    } ROWS[] = {
        {"listen", "127.0.0.1:0", true},
        {"listen", "[::1]:80", true},
        {"listen", ":8080", true},
        {"listen", "*:8080", true},
        {"listen", "localhost:8080", true},
        {"listen", "unix:/run/a b.sock", true},
        {"listen", "unix:", false},
        {"listen", "foo", false},
        {"listen", "foo:80", false},
        {"listen", "127.0.0.1", false},
        {"listen", "127.0.0.1:65536", false},
        {"listen", "127.0.0.1:1 [::1]:2", false},
        {"db", "sqlite:a", true},
        {"db", "sqlite:", false},
        {"db", "mysql:x", false},
        {"db", "arbiter.db", false},
        {"allow-origin", "*", true},
        {"allow-origin", "null", true},
        {"allow-origin", "https://a.example", true},
        {"allow-origin", "http://[::1]:3000", true},
        {"allow-origin", "moz-extension://0a1b-2c", true},
        {"allow-origin", "foo", false},
        {"allow-origin", "https://", false},
        {"allow-origin", "https://a.example/", false},
        {"allow-origin", "https://*.example", false},
        {"allow-host", "a.example", true},
        {"allow-host", "a.example:80", true},
        {"allow-host", "[2001:db8::1]", true},
        {"allow-host", "a b", false},
        {"allow-host", "http://a", false},
        {"allow-host", "*", false},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++)
        if (options_set(options, ROWS[i].name, ROWS[i].value, OPTIONS_FLAG, "here", error) != ROWS[i].is_good)
            fail_msg("%s '%s': %s", ROWS[i].name, ROWS[i].value, error);
    assert_false(options_set(options, "listen", "foo", OPTIONS_FLAG, "--listen", error));
    assert_string_equal(error, "--listen: 'foo' is no value of listen: give HOST:PORT with a numeric host, "
                               "[IPV6]:PORT, :PORT or unix:PATH");
    assert_false(options_set(options, "db", "mysql://me:secret@host/x", OPTIONS_FLAG, "--db", error));
    assert_string_equal(error, "--db: 'mysql' is no value of db: give sqlite:PATH");
}

static void items_of_a_variable_are_separated_by_commas(void **state)
{
    (void)state;
    assert_false(variable("ARBITER_LISTEN=127.0.0.1:1 [::1]:2"));
    assert_true(variable("ARBITER_LISTEN=127.0.0.1:1, [::1]:2"));
}

static void addresses_are_as_many_as_can_be_served(void **state)
{
    (void)state;
    int used = 0;
    for (int i = 0; i < HTTP_LISTENERS_MAX; i++)
        assert_int_equal(flag("--listen", ":0", &used), OPTIONS_TAKEN);
    assert_int_equal(flag("--listen", ":0", &used), OPTIONS_WRONG);
    assert_non_null(strstr(error, "more than"));
}

static void an_unknown_name_is_refused_with_the_nearest(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--lisen", ":1", &used), OPTIONS_UNKNOWN);
    assert_string_equal(error, "there is no setting 'lisen': did you mean listen?");
    assert_int_equal(flag("--lisen=:1", NULL, &used), OPTIONS_UNKNOWN);
    assert_string_equal(error, "there is no setting 'lisen': did you mean listen?");
    assert_int_equal(flag("--=:1", NULL, &used), OPTIONS_UNKNOWN);
    assert_string_equal(error, "there is no setting ''");
    assert_int_equal(flag("--xyzzy", NULL, &used), OPTIONS_UNKNOWN);
    assert_string_equal(error, "there is no setting 'xyzzy'");
    assert_int_equal(flag("stray", NULL, &used), OPTIONS_UNKNOWN);
    assert_false(file("log_levle = info"));
    assert_non_null(strstr(error, ":1: there is no setting 'log_levle': did you mean log-level?"));
    assert_false(file("limit-body-byte = 5000"));
    assert_non_null(strstr(error, "did you mean limit-body-bytes?"));
}

static void variables_of_others_are_left_alone(void **state)
{
    (void)state;
    assert_true(variable("ARBITER_PORT=tcp://10.0.0.1:8080"));
    assert_true(variable("ARBITER_SERVICE_HOST=10.0.0.1"));
    assert_true(variable("ARBITER_=1"));
    assert_true(variable("ARBITER_THREADS="));
    assert_int_equal(values()->threads, 1);
    assert_false(variable("ARBITER_THREADS=many"));
    assert_non_null(strstr(error, "ARBITER_THREADS: 'many'"));
}

static void a_file_has_comments_blanks_and_any_line_end(void **state)
{
    (void)state;
    assert_true(
        file("# a\r\n\r\n  threads=2  \r\n\tallow-origin =  https://a.example \n db = sqlite:/a b#x.db"));
    assert_int_equal(values()->threads, 2);
    assert_string_equal(values()->allow_origin[0], "https://a.example");
    assert_string_equal(values()->db, "sqlite:/a b#x.db");
}

static void a_malformed_line_is_refused_with_its_number(void **state)
{
    (void)state;
    assert_false(file("threads = 2\nthreads\n"));
    assert_non_null(strstr(error, ":2: a setting is written `name = value`"));
    assert_false(file("config = /etc/other.conf\n"));
    assert_non_null(strstr(error, ":1: a config file cannot name another one"));
    assert_false(file("pool-queue = 2\n\npool-queue = 3\n"));
    assert_non_null(strstr(error, ":3: pool-queue is set already at "));
    assert_false(file("db =\n"));
    assert_non_null(strstr(error, ":1: db needs a value"));
}

static void assert_told_of_a_control_character(const char *sentence)
{
    if (strcmp(error, sentence) != 0)
        fail_msg("%s", error);
    *error = '\0';
}

static void a_control_character_is_refused_wherever_it_stands(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--db", "sqlite:a\n.db", &used), OPTIONS_WRONG);
    assert_told_of_a_control_character(
        "--db: the value of db holds a control character, U+000A behind 8 bytes: leave it out");
    assert_int_equal(flag("--allow-origin=https://a\x1b[31m", NULL, &used), OPTIONS_WRONG);
    assert_told_of_a_control_character("--allow-origin: the value of allow-origin holds a control character, "
                                       "U+001B behind 9 bytes: leave it out");
    assert_false(variable("ARBITER_OPERATOR_KEYS=\x7f/keys"));
    assert_told_of_a_control_character("ARBITER_OPERATOR_KEYS: the value of operator-keys holds a control "
                                       "character, U+007F behind 0 bytes: leave it out");
    assert_false(variable("ARBITER_LISTEN=:1,unix:/run/\ta"));
    assert_told_of_a_control_character("ARBITER_LISTEN: the value of listen holds a control character, "
                                       "U+0009 behind 10 bytes: leave it out");
    assert_false(file("# one\ndb = sqlite:\xc2\x9b.db\n")); /* CSI: a terminal obeys it */
    assert_non_null(
        strstr(error, ":2: the value of db holds a control character, U+009B behind 7 bytes: leave it out"));
    assert_false(file("log-level = in\rfo\n"));
    assert_non_null(strstr(error, ":1: the value of log-level holds a control character, U+000D behind 2 "));
    assert_false(file("memory = 64\vMiB\n"));
    assert_non_null(strstr(error, "U+000B behind 2 bytes"));
    assert_true(file("db = sqlite:\xc3\x9b \xe2\x82\xac.db\n")); /* letters whose bytes look like those */
    assert_string_equal(values()->db, "sqlite:\xc3\x9b \xe2\x82\xac.db");
}

/* A config file loses them: `arbiterd config` printed a setting that was another one when it was read. */
static void blanks_around_a_value_are_refused(void **state)
{
    (void)state;
    int used = 0;
    assert_int_equal(flag("--allow-origin", "https://a ", &used), OPTIONS_WRONG);
    assert_string_equal(
        error, "--allow-origin: the value of allow-origin begins or ends with a blank: leave it out");
    assert_int_equal(flag("--db= sqlite:a", NULL, &used), OPTIONS_WRONG);
    assert_false(variable("ARBITER_OPERATOR_KEYS= "));
    assert_true(file("operator-keys =  a b  \n"));
    assert_string_equal(values()->operator_keys, "a b");
    assert_true(variable("ARBITER_ALLOW_ORIGIN= https://a \t,\t https://b\t")); /* none of the items' */
    assert_string_equal(values()->allow_origin[0], "https://a");
    assert_string_equal(values()->allow_origin[1], "https://b");
}

static void a_name_is_told_without_its_control_characters(void **state)
{
    (void)state;
    int used = 0;
    assert_false(file("li\x1b[2Jsten = :1\n"));
    assert_non_null(strstr(error, "there is no setting 'li?[2Jsten'"));
    assert_int_equal(flag("--a\n\xc2\x9b", "1", &used), OPTIONS_UNKNOWN);
    assert_non_null(strstr(error, "there is no setting 'a\?\?\?'"));
}

static void a_file_that_cannot_be_read_says_why(void **state)
{
    (void)state;
    assert_false(options_read_file(options, "/nonexistent/arbiter.conf", error));
    assert_string_equal(error, "/nonexistent/arbiter.conf: No such file or directory");
    assert_false(options_read_file(options, "/tmp", error));
}

static char *printed(void)
{
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    options_print(options, out);
    (void)fclose(out);
    return text;
}

static void what_is_printed_reads_back_the_same(void **state)
{
    (void)state;
    assert_true(variable("ARBITER_LISTEN=:1,unix:/run/a"));
    assert_true(variable("ARBITER_MEMORY=64MiB"));
    assert_true(variable("ARBITER_DRAIN_TIMEOUT=1500"));
    char *first = printed();
    assert_non_null(strstr(first, "# ARBITER_LISTEN\nlisten = :1\n"));
    assert_non_null(strstr(first, "memory = 64MiB\n"));
    assert_non_null(strstr(first, "drain-timeout = 1500ms\n"));
    assert_non_null(strstr(first, "# default\nidle-timeout = 15s\n"));
    assert_non_null(strstr(first, "limit-body-bytes = 64KiB\n"));
    options_destroy(options);
    options = options_create();
    assert_true(file(first));
    assert_int_equal(values()->drain_timeout_ms, 1500);
    assert_string_equal(values()->listen[1], "unix:/run/a");
    free(first);
}

static void a_password_is_not_printed(void **state)
{
    (void)state;
    assert_true(variable("ARBITER_DB=sqlite://arbiter:secret@db.example/games"));
    char *text = printed();
    assert_non_null(strstr(text, "db = sqlite://arbiter:***@db.example/games\n"));
    assert_null(strstr(text, "secret"));
    free(text);
}

static void help_names_every_option(void **state)
{
    (void)state;
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    options_print_help(out);
    (void)fclose(out);
    assert_non_null(strstr(text, "  --listen ADDRESS"));
    assert_non_null(strstr(text, "  --limit-head-bytes N"));
    for (const char *line = text; *line; line = strchr(line, '\n') + 1)
        assert_true(strcspn(line, "\n") <= 140);
    free(text);
}

static void distance_counts_edits_and_swaps(void **state)
{
    (void)state;
    assert_int_equal(nearest_distance("listen", "listen"), 0);
    assert_int_equal(nearest_distance("lisetn", "listen"), 1);
    assert_int_equal(nearest_distance("listn", "listen"), 1);
    assert_int_equal(nearest_distance("", "abc"), 3);
    assert_int_equal(nearest_distance("log_level", "log-level"), 0);
    assert_null(nearest_of("zzz", NULL, "listen"));
    assert_string_equal(nearest_of("drain-time", "threads", "drain-timeout"), "drain-timeout");
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, tear_down)
    const struct CMUnitTest tests[] = {
        TEST(defaults_are_those_of_the_table),
        TEST(every_limit_is_an_option_with_its_own_default),
        TEST(a_flag_takes_its_value_from_either_side),
        TEST(a_flag_without_its_value_is_refused),
        TEST(the_stronger_source_wins_in_any_order),
        TEST(a_list_replaces_that_of_a_weaker_source),
        TEST(numbers_come_with_their_units),
        TEST(a_wrong_value_is_explained),
        TEST(a_text_that_cannot_be_served_is_refused),
        TEST(items_of_a_variable_are_separated_by_commas),
        TEST(addresses_are_as_many_as_can_be_served),
        TEST(an_unknown_name_is_refused_with_the_nearest),
        TEST(variables_of_others_are_left_alone),
        TEST(a_file_has_comments_blanks_and_any_line_end),
        TEST(a_malformed_line_is_refused_with_its_number),
        TEST(a_control_character_is_refused_wherever_it_stands),
        TEST(blanks_around_a_value_are_refused),
        TEST(a_name_is_told_without_its_control_characters),
        TEST(a_file_that_cannot_be_read_says_why),
        TEST(what_is_printed_reads_back_the_same),
        TEST(a_password_is_not_printed),
        TEST(help_names_every_option),
        TEST(distance_counts_edits_and_swaps),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
