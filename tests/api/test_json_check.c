/* api/json_check and api/json_span: strict JSON, and pieces of it. */
#include "api/json_check.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/json_span.h"

enum { DEPTH = 16 };

static struct arena arena;

static int tear_down(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static bool check(const char *text, size_t length, struct json_fault *fault)
{
    /* An exact copy on the heap, so that a sanitizer sees a read beyond the end. */
    char *copy = malloc(length + 1);
    assert_non_null(copy);
    memcpy(copy, text, length);
    copy[length] = '\0';
    bool good = json_check(&arena, copy, length, DEPTH, fault);
    free(copy);
    return good;
}

static void texts_of_the_grammar_are_good(void **state)
{
    (void)state;
    static const char *const GOOD[] = {
        "{}",
        "[]",
        "null",
        "true",
        "false",
        "\"\"",
        "0",
        "-0",
        "-12.50e+10",
        "1E5",
        "0.1",
        "-12345678901234567890123456789012345678901234567890123456789012",
        " \t\r\n{} \n",
        "{\"a\":[1,2,{\"b\":null}],\"c\":\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9\"}",
        "\"\\ud83d\\ude00\"",
        "\"\xF0\x9F\x98\x80\xC3\xA9\xE2\x82\xAC\"",
        "[[[[]]]]",
        "{\"a\":1,\"A\":2}",
        "{\"a\":{\"a\":1},\"b\":{\"a\":1}}",
        "\"\x7F\"",
    };
    for (size_t i = 0; i < sizeof GOOD / sizeof GOOD[0]; i++) {
        struct json_fault fault = {0, "?"};
        if (!check(GOOD[i], strlen(GOOD[i]), &fault))
            fail_msg("%s: %zu %s", GOOD[i], fault.offset, fault.sentence);
    }
}

struct bad_row {
    const char *label, *text;
    int offset;
};

static const struct bad_row BAD[] = {
    {"nothing at all", "", 0},
    {"white space only", "  ", 2},
    {"something behind the value", "{} x", 3},
    {"two values", "1 2", 2},
    {"a leading zero", "[007]", 2},
    {"a point without digits", "[1.]", 3},
    {"a number that begins with a point", "[.5]", 1},
    {"a number of 64 characters", "[1, -123456789012345678901234567890123456789012345678901234567890123]", 4},
    {"a plus sign", "[+1]", 1},
    {"an exponent without digits", "[1e]", 3},
    {"a lone minus", "[-]", 2},
    {"not a number", "[NaN]", 1},
    {"hexadecimal", "[0x10]", 2},
    {"a word in capitals", "[True]", 1},
    {"a word cut short", "[nul]", 1},
    {"a comma at the end of an array", "[1,]", 3},
    {"a comma at the end of an object", "{\"a\":1,}", 7},
    {"a missing comma", "[1 2]", 3},
    {"a missing colon", "{\"a\" 1}", 5},
    {"a name that is no string", "{a:1}", 1},
    {"single quotes", "{'a':1}", 1},
    {"an array that does not end", "[1", 2},
    {"an object that does not end", "{\"a\":1", 6},
    {"a string that does not end", "\"abc", 4},
    {"a string that ends in a backslash", "\"abc\\", 4},
    {"a comment", "/* */ {}", 0},
    {"a line feed in a string", "\"a\nb\"", 2},
    {"a tabulator in a string", "\"a\tb\"", 2},
    {"an unknown escape", "\"a\\x\"", 2},
    {"an escape of three digits", "\"\\u12\"", 1},
    {"an escaped NUL", "\"\\u0000\"", 1},
    {"a lone high surrogate", "\"\\ud800\"", 1},
    {"a high surrogate before another character", "\"\\ud800\\u0041\"", 1},
    {"a lone low surrogate", "\"\\udc00\"", 1},
    {"a byte order mark", "\xEF\xBB\xBF{}", 0},
    {"an overlong slash", "\"\xC0\xAF\"", 1},
    {"an overlong three-byte form", "\"\xE0\x80\xAF\"", 1},
    {"an encoded surrogate", "\"\xED\xA0\x80\"", 1},
    {"beyond the last character", "\"\xF4\x90\x80\x80\"", 1},
    {"a lone continuation byte", "\"\x80\"", 1},
    {"a sequence cut short", "\"\xE2\x82\"", 1},
    {"the same member twice", "{\"a\":1,\"b\":2,\"a\":3}", 13},
    {"the same member in two spellings", "{\"a\":1,\"\\u0061\":2}", 7},
    {"the same member in a nested object", "[{\"x\":1},{\"y\":1,\"y\":2}]", 16},
};

static void texts_outside_the_grammar_are_refused_at_the_byte_at_fault(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof BAD / sizeof BAD[0]; i++) {
        struct json_fault fault = {0, NULL};
        if (check(BAD[i].text, strlen(BAD[i].text), &fault))
            fail_msg("%s was accepted", BAD[i].label);
        assert_non_null(fault.sentence);
        if (fault.offset != (size_t)BAD[i].offset)
            fail_msg("%s: offset %zu, expected %d", BAD[i].label, fault.offset, BAD[i].offset);
    }
}

static void a_nul_byte_is_no_white_space(void **state)
{
    (void)state;
    struct json_fault fault;
    assert_false(check("{}\0", 3, &fault));
    assert_int_equal(fault.offset, 2);
    assert_false(check("\"a\0b\"", 5, &fault));
    assert_int_equal(fault.offset, 2);
}

static void nesting_is_accepted_to_its_limit_and_not_one_deeper(void **state)
{
    (void)state;
    struct json_fault fault;
    char text[2 * (DEPTH + 1) + 1];
    memset(text, '[', DEPTH);
    memset(text + DEPTH, ']', DEPTH);
    assert_true(check(text, (size_t)2 * DEPTH, &fault));
    memset(text, '[', DEPTH + 1);
    memset(text + DEPTH + 1, ']', DEPTH + 1);
    assert_false(check(text, (size_t)2 * (DEPTH + 1), &fault));
    assert_int_equal(fault.offset, DEPTH);
}

static void every_prefix_of_a_good_text_is_read_without_harm(void **state)
{
    (void)state;
    static const char TEXT[] = "{\"a\":[1.5e3,true,\"\\ud83d\\ude00\xE2\x82\xAC\"],\"b\":{\"c\":null}}";
    for (size_t length = 0; length < sizeof TEXT - 1; length++) {
        struct json_fault fault;
        assert_false(check(TEXT, length, &fault));
        assert_true(fault.offset <= length);
    }
}

static void ten_thousand_members_are_compared_in_no_time(void **state)
{
    (void)state;
    enum { MEMBERS = 10000, SIZE = MEMBERS * 12 + 3 };
    char *text = malloc(SIZE);
    assert_non_null(text);
    size_t length = 0;
    text[length++] = '{';
    for (int i = 0; i < MEMBERS; i++)
        length += (size_t)snprintf(text + length, SIZE - length, "%s\"k%05d\":1", i ? "," : "", i);
    text[length++] = '}';
    text[length] = '\0';
    struct json_fault fault;
    assert_true(check(text, length, &fault));
    char *last = strstr(text, "k09999");
    assert_non_null(last);
    last[2] = last[3] = last[4] = last[5] = '0';
    assert_false(check(text, length, &fault));
    free(text);
}

static struct text_span whole(const char *text)
{
    return (struct text_span){text, strlen(text)};
}

static void a_member_is_found_by_its_unescaped_name(void **state)
{
    (void)state;
    struct text_span value;
    struct text_span object = whole("{ \"x\" : [1,{\"a\":0},\"]}\"] , \"\\u0061\" : -17 , \"b\":\"q\\\"\" }");
    assert_true(json_span_member(object, "a", &value));
    assert_int_equal(value.length, 3);
    assert_memory_equal(value.text, "-17", 3);
    assert_true(json_span_member(object, "b", &value));
    assert_memory_equal(value.text, "\"q\\\"\"", 5);
    assert_true(json_span_member(object, "x", &value));
    assert_int_equal(value.length, strlen("[1,{\"a\":0},\"]}\"]"));
    assert_false(json_span_member(object, "c", &value));
    assert_false(json_span_member(whole("{}"), "a", &value));
}

static void elements_are_found_one_after_the_other(void **state)
{
    (void)state;
    static const char *const elements[] = {"1", "\"],\"", "[2,[3]]", "{\"a\":[4]}", "null"};
    struct text_span value;
    struct text_span array = whole("[ 1 ,\"],\",[2,[3]] , {\"a\":[4]},null ]");
    const char *at = NULL;
    for (size_t i = 0; i < sizeof elements / sizeof elements[0]; i++) {
        assert_true(json_span_next_element(array, &at, &value));
        assert_int_equal(value.length, strlen(elements[i]));
        assert_memory_equal(value.text, elements[i], value.length);
    }
    assert_false(json_span_next_element(array, &at, &value));
    at = NULL;
    assert_false(json_span_next_element(whole("[ ]"), &at, &value));
}

static void strings_are_compared_as_they_read(void **state)
{
    (void)state;
    assert_true(json_span_is(whole("\"op\""), "op"));
    assert_true(json_span_is(whole("\"\\u006fp\""), "op"));
    assert_true(json_span_is(whole("\"\""), ""));
    assert_false(json_span_is(whole("\"o\""), "op"));
    assert_false(json_span_is(whole("\"opt\""), "op"));
}

static void compacting_keeps_numbers_and_strings_as_they_are(void **state)
{
    (void)state;
    size_t length;
    char *text = json_span_compact(
        &arena, whole("{ \"a b\" : 9007199254740993 ,\n\t\"c\" : [ 1e999 , \"x \\\" y\" ] }"), &length);
    assert_string_equal(text, "{\"a b\":9007199254740993,\"c\":[1e999,\"x \\\" y\"]}");
    assert_int_equal(length, strlen(text));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(texts_of_the_grammar_are_good, tear_down),
        cmocka_unit_test_teardown(texts_outside_the_grammar_are_refused_at_the_byte_at_fault, tear_down),
        cmocka_unit_test_teardown(a_nul_byte_is_no_white_space, tear_down),
        cmocka_unit_test_teardown(nesting_is_accepted_to_its_limit_and_not_one_deeper, tear_down),
        cmocka_unit_test_teardown(every_prefix_of_a_good_text_is_read_without_harm, tear_down),
        cmocka_unit_test_teardown(ten_thousand_members_are_compared_in_no_time, tear_down),
        cmocka_unit_test_teardown(a_member_is_found_by_its_unescaped_name, tear_down),
        cmocka_unit_test_teardown(elements_are_found_one_after_the_other, tear_down),
        cmocka_unit_test_teardown(strings_are_compared_as_they_read, tear_down),
        cmocka_unit_test_teardown(compacting_keeps_numbers_and_strings_as_they_are, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
