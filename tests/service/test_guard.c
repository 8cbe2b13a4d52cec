/* service/guard: heads that two parsers could read differently are refused. */
#include "service/guard.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static const struct guard_limits LIMITS = {
    .target_bytes = 64, .head_bytes = 512, .header_fields = 8, .body_bytes = 1000};

static struct guard guard;

/* `fields` are "Name: value" lines, each ended by '\n'. */
static const char *verdict(const char *method, const char *target, const char *version, const char *fields)
{
    const struct guard_request_line line = {.method = method, .target = target, .version = version};
    guard_begin(&guard, &LIMITS, &line);
    static char copy[4096];
    (void)snprintf(copy, sizeof copy, "%s", fields);
    for (char *name = copy; *name;) {
        char *end = strchr(name, '\n'), *colon = strstr(name, ": ");
        *end = '\0';
        *colon = '\0';
        guard_field(&guard, name, strlen(name), colon + 2, strlen(colon + 2));
        name = end + 1;
    }
    guard_end(&guard, &line);
    return guard.verdict.code;
}

struct row {
    const char *label, *method, *target, *version, *fields, *code;
};

static void check_rows(const struct row *rows, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *code = verdict(rows[i].method, rows[i].target, rows[i].version, rows[i].fields);
        if (!code != !rows[i].code || (code && strcmp(code, rows[i].code) != 0))
            fail_msg("%s: expected %s, got %s (%s)", rows[i].label,
                     rows[i].code ? rows[i].code : "no refusal", code ? code : "no refusal",
                     guard.verdict.detail);
    }
}

#define BAD "malformed-request"

static void request_lines_are_plain(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"a path", "GET", "/v1/games?limit=3", "HTTP/1.1", "Host: a\n", NULL},
        {"1.0 without Host", "GET", "/", "HTTP/1.0", "", NULL},
        {"a higher minor version", "GET", "/", "HTTP/1.9", "Host: a\n", NULL},
        {"absolute form", "GET", "http://a/b", "HTTP/1.1", "Host: a\n", NULL},
        {"asterisk with OPTIONS", "OPTIONS", "*", "HTTP/1.1", "Host: a\n", NULL},
        {"asterisk with GET", "GET", "*", "HTTP/1.1", "Host: a\n", BAD},
        {"authority form", "GET", "a.example:80", "HTTP/1.1", "Host: a\n", BAD},
        {"no slash", "GET", "v1", "HTTP/1.1", "Host: a\n", BAD},
        {"https", "GET", "https://a/", "HTTP/1.1", "Host: a\n", BAD},
        {"lower-case method", "get", "/", "HTTP/1.1", "Host: a\n", BAD},
        {"method with a digit", "GET1", "/", "HTTP/1.1", "Host: a\n", BAD},
        {"CONNECT", "CONNECT", "/", "HTTP/1.1", "Host: a\n", BAD},
        {"unknown method is the api's", "FROB", "/", "HTTP/1.1", "Host: a\n", NULL},
        {"blank in the target", "GET", "/a b", "HTTP/1.1", "Host: a\n", BAD},
        {"control byte in the target", "GET", "/a\x01", "HTTP/1.1", "Host: a\n", BAD},
        {"DEL in the target", "GET", "/a\x7f", "HTTP/1.1", "Host: a\n", BAD},
        {"8 bits in the target", "GET", "/\xc3\xa9", "HTTP/1.1", "Host: a\n", BAD},
        {"a target at the limit", "GET", "/345678901234567890123456789012345678901234567890123456789012345",
         "HTTP/1.1", "Host: a\n", NULL},
        {"a target over the limit", "GET",
         "/34567890123456789012345678901234567890123456789012345678901234567", "HTTP/1.1", "Host: a\n",
         "uri-too-long"},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void a_target_cut_by_a_nul_is_refused(void **state)
{
    (void)state;
    const struct guard_request_line line = {
        .method = "GET", .target = "/v1", .version = "HTTP/1.0", .target_cut = true};
    guard_begin(&guard, &LIMITS, &line);
    guard_end(&guard, &line);
    assert_string_equal(guard.verdict.code, BAD);
}

static void a_method_that_more_than_a_blank_follows_is_refused(void **state)
{
    (void)state;
    const struct guard_request_line line = {
        .method = "GET", .target = "/healthz", .version = "HTTP/1.1", .method_cut = true};
    guard_begin(&guard, &LIMITS, &line);
    assert_string_equal(guard.verdict.code, BAD);
}

static void hosts_are_one_and_well_formed(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"missing", "GET", "/", "HTTP/1.1", "", BAD},
        {"twice", "GET", "/", "HTTP/1.1", "Host: a\nhost: a\n", BAD},
        {"empty", "GET", "/", "HTTP/1.1", "Host: \n", BAD},
        {"port", "GET", "/", "HTTP/1.1", "Host: a.example:8080\n", NULL},
        {"empty port", "GET", "/", "HTTP/1.1", "Host: a.example:\n", NULL},
        {"long port", "GET", "/", "HTTP/1.1", "Host: a:123456\n", BAD},
        {"no port", "GET", "/", "HTTP/1.1", "Host: a:b\n", BAD},
        {"IPv6", "GET", "/", "HTTP/1.1", "Host: [::1]:80\n", NULL},
        {"bare IPv6", "GET", "/", "HTTP/1.1", "Host: ::1\n", BAD},
        {"open bracket", "GET", "/", "HTTP/1.1", "Host: [::1\n", BAD},
        {"empty brackets", "GET", "/", "HTTP/1.1", "Host: []\n", BAD},
        {"path", "GET", "/", "HTTP/1.1", "Host: a/b\n", BAD},
        {"user", "GET", "/", "HTTP/1.1", "Host: u@a\n", BAD},
        {"blank", "GET", "/", "HTTP/1.1", "Host: a b\n", BAD},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void bodies_have_one_length(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"a length", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 12\n", NULL},
        {"the limit", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 1000\n", NULL},
        {"over the limit", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 1001\n", "payload-too-large"},
        {"over 2^64", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 18446744073709551618\n",
         "payload-too-large"},
        {"far over 2^64", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 99999999999999999999999999999\n",
         "payload-too-large"},
        {"two equal", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 2\nContent-Length: 2\n", BAD},
        {"two that differ", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 2\ncontent-length: 3\n", BAD},
        {"a list", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 2, 2\n", BAD},
        {"a sign", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: +2\n", BAD},
        {"negative", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: -2\n", BAD},
        {"empty", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: \n", BAD},
        {"hex", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 0x2\n", BAD},
        {"chunked", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: CHUNKED\n", NULL},
        {"both", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 2\nTransfer-Encoding: chunked\n", BAD},
        {"both, other order", "POST", "/", "HTTP/1.1",
         "Host: a\nTransfer-Encoding: chunked\nContent-Length: 0\n", BAD},
        {"xchunked", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: xchunked\n", BAD},
        {"identity", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: identity\n", BAD},
        {"gzip, chunked", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: gzip, chunked\n", BAD},
        {"empty coding", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: \n", BAD},
        {"two codings", "POST", "/", "HTTP/1.1",
         "Host: a\nTransfer-Encoding: chunked\nTransfer-Encoding: chunked\n", BAD},
        {"chunked in 1.0", "POST", "/", "HTTP/1.0", "Transfer-Encoding: chunked\n", BAD},
        {"compressed", "POST", "/", "HTTP/1.1", "Host: a\nContent-Encoding: gzip\n",
         "unsupported-media-type"},
        {"identity is none", "POST", "/", "HTTP/1.1", "Host: a\nContent-Encoding: identity\n", NULL},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void what_is_no_list_stands_once(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"one type", "POST", "/", "HTTP/1.1", "Host: a\nContent-Type: text/plain\n", NULL},
        {"two types", "POST", "/", "HTTP/1.1", "Host: a\nContent-Type: text/plain\ncontent-type: a/b\n", BAD},
        {"two origins", "GET", "/", "HTTP/1.1", "Host: a\nOrigin: http://a\nOrigin: http://b\n", BAD},
        {"two authorizations", "GET", "/", "HTTP/1.1", "Host: a\nAuthorization: b\nAuthorization: c\n", BAD},
        {"a list", "GET", "/", "HTTP/1.1", "Host: a\nAccept: text/plain\nAccept: a/b\n", NULL},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void fields_are_tokens_with_visible_values(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"every token byte", "GET", "/", "HTTP/1.1", "Host: a\n!#$%&'*+-.^_`|~09azAZ: v\n", NULL},
        {"blank before the colon", "GET", "/", "HTTP/1.1", "Host: a\nX-A : b\n", BAD},
        {"blank in the name", "GET", "/", "HTTP/1.1", "Host: a\nX A: b\n", BAD},
        {"blank before the name", "GET", "/", "HTTP/1.1", "Host: a\n X: b\n", BAD},
        {"control byte in the name", "GET", "/", "HTTP/1.1", "Host: a\nX\x01: b\n", BAD},
        {"8 bits in the name", "GET", "/", "HTTP/1.1", "Host: a\nX\xe9: b\n", BAD},
        {"empty name", "GET", "/", "HTTP/1.1", "Host: a\n: b\n", BAD},
        {"obs-text", "GET", "/", "HTTP/1.1", "Host: a\nX: caf\xc3\xa9\n", NULL},
        {"tab", "GET", "/", "HTTP/1.1", "Host: a\nX: a\tb\n", NULL},
        {"bare CR", "GET", "/", "HTTP/1.1", "Host: a\nX: a\rb\n", BAD},
        {"control byte", "GET", "/", "HTTP/1.1", "Host: a\nX: a\x07\n", BAD},
        {"DEL", "GET", "/", "HTTP/1.1", "Host: a\nX: a\x7f\n", BAD},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
}

static void heads_have_limits(void **state)
{
    (void)state;
    assert_null(verdict("GET", "/", "HTTP/1.1", "Host: a\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\n"));
    assert_string_equal(
        verdict("GET", "/", "HTTP/1.1", "Host: a\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\nA: 1\n"),
        "headers-too-large");
    char fields[1024] = "Host: a\nA: ";
    memset(fields + strlen(fields), 'a', 500);
    strncat(fields, "\n", 2);
    assert_string_equal(verdict("GET", "/", "HTTP/1.1", fields), "headers-too-large");
}

static void the_first_fault_is_told(void **state)
{
    (void)state;
    assert_string_equal(verdict("get", "/", "HTTP/1.1", "Host: a\nContent-Length: 5000\n"), BAD);
    assert_string_equal(verdict("POST", "/", "HTTP/1.1", "Content-Length: 5000\n"), "payload-too-large");
}

static void values_of_interest_are_found(void **state)
{
    (void)state;
    assert_null(verdict("POST", "/", "HTTP/1.1", "HOST: a.example\ncontent-length: 7\n"));
    assert_true(guard.has_content_length);
    assert_int_equal(guard.content_length, 7);
    assert_false(guard.is_chunked);
}

/* RFC 9112 5.1; but what the library reads with its blanks is refused with them. */
static void blanks_behind_a_value_are_no_part_of_it(void **state)
{
    (void)state;
    static const struct row ROWS[] = {
        {"a host", "GET", "/", "HTTP/1.1", "Host: a.example:80 \n", NULL},
        {"a host, and a tab", "GET", "/", "HTTP/1.1", "Host: a \t \n", NULL},
        {"nothing but blanks", "GET", "/", "HTTP/1.1", "Host:  \t\n", BAD},
        {"a blank inside", "GET", "/", "HTTP/1.1", "Host: a b \n", BAD},
        {"no coding", "POST", "/", "HTTP/1.1", "Host: a\nContent-Encoding: identity \n", NULL},
        {"a beginning of it", "POST", "/", "HTTP/1.1", "Host: a\nContent-Encoding: ident \n",
         "unsupported-media-type"},
        {"a coding", "POST", "/", "HTTP/1.1", "Host: a\nContent-Encoding: gzip \n", "unsupported-media-type"},
        {"a length", "POST", "/", "HTTP/1.1", "Host: a\nContent-Length: 2 \n", BAD},
        {"chunks", "POST", "/", "HTTP/1.1", "Host: a\nTransfer-Encoding: chunked \n", BAD},
    };
    check_rows(ROWS, sizeof ROWS / sizeof *ROWS);
    assert_int_equal(guard_value_length("a b \t", 5), 3);
    assert_int_equal(guard_value_length(" \t", 2), 0);
}

static void ids_that_could_break_a_log_are_not_echoed(void **state)
{
    (void)state;
    char long_id[66];
    memset(long_id, 'a', 65);
    long_id[65] = '\0';
    assert_false(guard_is_request_id(""));
    assert_false(guard_is_request_id("a b"));
    assert_false(guard_is_request_id("a\"b"));
    assert_false(guard_is_request_id(long_id));
    assert_true(guard_is_request_id(long_id + 1));
    assert_false(guard_is_traceparent("00-4BF92F3577B34DA6A3CE929D0E0E4736-00f067aa0ba902b7-01"));
    assert_false(guard_is_traceparent("00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-011"));
    assert_false(guard_is_traceparent("01-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(request_lines_are_plain),
        cmocka_unit_test(a_target_cut_by_a_nul_is_refused),
        cmocka_unit_test(a_method_that_more_than_a_blank_follows_is_refused),
        cmocka_unit_test(hosts_are_one_and_well_formed),
        cmocka_unit_test(bodies_have_one_length),
        cmocka_unit_test(what_is_no_list_stands_once),
        cmocka_unit_test(fields_are_tokens_with_visible_values),
        cmocka_unit_test(heads_have_limits),
        cmocka_unit_test(the_first_fault_is_told),
        cmocka_unit_test(values_of_interest_are_found),
        cmocka_unit_test(blanks_behind_a_value_are_no_part_of_it),
        cmocka_unit_test(ids_that_could_break_a_log_are_not_echoed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
