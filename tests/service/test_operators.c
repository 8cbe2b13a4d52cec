/* The keys of operators, as a file has them; and the access of games that do not say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "games/secret.h"
#include "service/default_access.h"
#include "service/operators.h"

static char path[] = "/tmp/arbiter-keys-XXXXXX";

static void write_bytes(const char *bytes, size_t length)
{
    FILE *file = fopen(path, "we");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes, 1, length, file), length);
    assert_int_equal(fclose(file), 0);
}

static void write_keys(const char *text)
{
    write_bytes(text, strlen(text));
}

/* A line of the file for a key. */
static const char *line_of(const char *name, const char *key)
{
    static char lines[4][256];
    static unsigned next;
    char hex[SECRET_HEX_SIZE], *line = lines[next++ % 4];
    uint8_t digest[SECRET_DIGEST_SIZE];
    secret_digest(key, strlen(key), digest);
    secret_format_hex(digest, hex);
    (void)snprintf(line, sizeof lines[0], "%s %s\n", name, hex);
    return line;
}

static bool have(struct operators *operators, const char *key)
{
    uint8_t digest[SECRET_DIGEST_SIZE];
    secret_digest(key, strlen(key), digest);
    return operators_have(operators, digest);
}

static void nobody_is_an_operator_without_a_file(void **state)
{
    char error[OPERATORS_ERROR_SIZE];
    assert_true(operators_read(*state, NULL, error));
    assert_int_equal(operators_count(*state), 0);
    assert_false(have(*state, "anna"));
}

static void those_in_the_file_are_and_nobody_else(void **state)
{
    char text[1024], error[OPERATORS_ERROR_SIZE];
    (void)snprintf(text, sizeof text, "# who may\n\n  %s%s", line_of("anna", "key-a"),
                   line_of("ben", "key-b"));
    write_keys(text);
    assert_true(operators_read(*state, path, error));
    assert_int_equal(operators_count(*state), 2);
    assert_true(have(*state, "key-a"));
    assert_true(have(*state, "key-b"));
    assert_false(have(*state, "key-c"));
    (void)snprintf(text, sizeof text, "%.*s # since May\r\n", (int)strcspn(line_of("ben", "key-b"), "\n"),
                   line_of("ben", "key-b"));
    write_keys(text);
    assert_true(operators_read(*state, path, error));
    assert_int_equal(operators_count(*state), 1);
    assert_false(have(*state, "key-a"));
    assert_true(have(*state, "key-b"));
}

static void a_wrong_line_is_named_and_changes_nothing(void **state)
{
#define HEX_63 "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcde"
    static const char *const wrong[] = {"anna\n", "anna 12\n", "anna " HEX_63 "f x\n", "anna " HEX_63 "ff\n",
                                        "anna g" HEX_63 "\n"};
    char text[1024], error[OPERATORS_ERROR_SIZE];
    write_keys(line_of("anna", "key-a"));
    assert_true(operators_read(*state, path, error));
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        (void)snprintf(text, sizeof text, "# a comment\n%s", wrong[i]);
        write_keys(text);
        assert_false(operators_read(*state, path, error));
        assert_non_null(strstr(error, ":2: "));
        assert_true(have(*state, "key-a"));
    }
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    write_keys(text);
    assert_false(operators_read(*state, path, error));
    assert_non_null(strstr(error, ":1: the line is too long"));
}

static void a_line_with_a_nul_byte_is_wrong(void **state)
{
    char text[1024], error[OPERATORS_ERROR_SIZE];
    int length = snprintf(text, sizeof text, "%s# of anna", line_of("anna", "key-a"));
    text[length - 5] = '\0';
    write_bytes(text, (size_t)length);
    assert_false(operators_read(*state, path, error));
    assert_non_null(strstr(error, ":2: the line holds a NUL byte"));
}

static void a_file_that_is_not_there_is_a_fault(void **state)
{
    char error[OPERATORS_ERROR_SIZE];
    assert_false(operators_read(*state, "/nowhere/keys", error));
    assert_non_null(strstr(error, "/nowhere/keys: No such file"));
}

static void more_than_the_most_are_refused(void **state)
{
    static char text[(OPERATORS_MAX + 1) * 80];
    char error[OPERATORS_ERROR_SIZE];
    size_t length = 0;
    for (unsigned i = 0; i < OPERATORS_MAX; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s", line_of("n", "k"));
    write_keys(text);
    assert_true(operators_read(*state, path, error));
    (void)snprintf(text + length, sizeof text - length, "%s", line_of("n", "k"));
    write_keys(text);
    assert_false(operators_read(*state, path, error));
    assert_non_null(strstr(error, ":257: there are more than 256 keys"));
}

static void names_are_visible_and_short(void **state)
{
    static const char *const bad[] = {"", "a b", "a#b", "a\tb", "\x7f", "ü"};
    char name[OPERATOR_NAME_MAX + 1];
    (void)state;
    memset(name, 'n', sizeof name);
    assert_true(operators_is_name(name, OPERATOR_NAME_MAX));
    assert_false(operators_is_name(name, OPERATOR_NAME_MAX + 1));
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(operators_is_name(bad[i], strlen(bad[i])));
}

static void games_are_open_by_default_where_nobody_from_elsewhere_comes(void **state)
{
    static const struct {
        const char *addresses[3];
        enum options_access setting;
        enum game_access access;
        const char *proxy;
    } rows[] = {
        {{"127.0.0.1:80"}, OPTIONS_ACCESS_AUTO, ACCESS_OPEN, NULL},
        {{"localhost:80", "[::1]:80"}, OPTIONS_ACCESS_AUTO, ACCESS_OPEN, NULL},
        {{"unix:/run/a.sock", "127.9.9.9:80"}, OPTIONS_ACCESS_AUTO, ACCESS_OPEN, NULL},
        {{"127.0.0.1:80", ":80"}, OPTIONS_ACCESS_AUTO, ACCESS_SEATS, NULL},
        {{"192.0.2.1:80"}, OPTIONS_ACCESS_AUTO, ACCESS_SEATS, NULL},
        {{"[2001:db8::1]:80"}, OPTIONS_ACCESS_AUTO, ACCESS_SEATS, NULL},
        {{"192.0.2.1:80"}, OPTIONS_ACCESS_OPEN, ACCESS_OPEN, NULL},
        {{"127.0.0.1:80"}, OPTIONS_ACCESS_SEATS, ACCESS_SEATS, NULL},
        {{"127.0.0.1:80"}, OPTIONS_ACCESS_AUTO, ACCESS_SEATS, "127.0.0.1"},
        {{"unix:/run/a.sock"}, OPTIONS_ACCESS_AUTO, ACCESS_SEATS, "unix"},
        {{"127.0.0.1:80"}, OPTIONS_ACCESS_OPEN, ACCESS_OPEN, "127.0.0.1"},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *addresses[3] = {rows[i].addresses[0], rows[i].addresses[1], NULL};
        const char *proxies[2] = {rows[i].proxy, NULL};
        const struct options_values values = {
            .listen = addresses, .trusted_proxy = proxies, .default_access = rows[i].setting};
        assert_int_equal(default_access_of_settings(&values), rows[i].access);
    }
}

static int set_up_all(void **state)
{
    (void)state;
    int fd = mkstemp(path);
    return fd >= 0 && close(fd) == 0 && secret_init() ? 0 : -1;
}

static int tear_down_all(void **state)
{
    (void)state;
    return unlink(path);
}

static int begin(void **state)
{
    *state = operators_create();
    return *state ? 0 : -1;
}

static int end(void **state)
{
    operators_destroy(*state);
    return 0;
}

int main(void)
{
#define OPERATORS_TEST(name) cmocka_unit_test_setup_teardown(name, begin, end)
    const struct CMUnitTest tests[] = {
        OPERATORS_TEST(nobody_is_an_operator_without_a_file),
        OPERATORS_TEST(those_in_the_file_are_and_nobody_else),
        OPERATORS_TEST(a_wrong_line_is_named_and_changes_nothing),
        OPERATORS_TEST(a_line_with_a_nul_byte_is_wrong),
        OPERATORS_TEST(a_file_that_is_not_there_is_a_fault),
        OPERATORS_TEST(more_than_the_most_are_refused),
        cmocka_unit_test(names_are_visible_and_short),
        cmocka_unit_test(games_are_open_by_default_where_nobody_from_elsewhere_comes),
    };
    return cmocka_run_group_tests(tests, set_up_all, tear_down_all);
}
