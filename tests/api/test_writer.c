/* api/writer, api/json, api/put and api/timestamp: text and JSON. */
#include "api/json.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <inttypes.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/timestamp.h"

static struct arena arena;
static struct writer writer;

static int set_up(void **state)
{
    (void)state;
    writer_init(&writer, &arena, 0);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static void assert_written(const char *expected)
{
    assert_false(writer.failed);
    writer_char(&writer, '\0');
    assert_string_equal(writer.data, expected);
    writer.length--;
}

static void commas_stand_between_members_and_items_only(void **state)
{
    (void)state;
    json_object_begin(&writer, NULL);
    json_string(&writer, "id", "g1");
    json_array_begin(&writer, "moves");
    json_object_begin(&writer, NULL);
    json_object_end(&writer);
    json_int(&writer, NULL, 1);
    json_array_begin(&writer, NULL);
    json_array_end(&writer);
    json_array_end(&writer);
    json_bool(&writer, "check", false);
    json_null(&writer, "clock");
    json_raw(&writer, "metadata", "{\"a\":1}", 7);
    json_object_end(&writer);
    assert_written(
        "{\"id\":\"g1\",\"moves\":[{},1,[]],\"check\":false,\"clock\":null,\"metadata\":{\"a\":1}}");
}

static void strings_are_escaped_as_rfc_8259_asks(void **state)
{
    (void)state;
    json_string_n(&writer, NULL, "\"\\/\b\f\n\r\t\0\x1f\x7f\xc3\xa9", 13);
    assert_written("\"\\\"\\\\/\\b\\f\\n\\r\\t\\u0000\\u001f\x7f\xc3\xa9\"");
}

/* RFC 8259, 7, byte by byte. Returns the length. */
static size_t escaped(unsigned byte, char text[8])
{
    static const char SHORT[] = "\"\"\\\\\bb\ff\nn\rr\tt";
    for (const char *pair = SHORT; *pair; pair += 2) {
        if ((unsigned char)*pair == byte)
            return (size_t)snprintf(text, 8, "\\%c", pair[1]);
    }
    if (byte < 0x20)
        return (size_t)snprintf(text, 8, "\\u%04x", byte);
    text[0] = (char)byte;
    return 1;
}

static void assert_is_escaped_at(unsigned byte, size_t place, size_t length)
{
    char text[24], expected[40], escape[8];
    size_t escape_length = escaped(byte, escape), expected_length = length - 1 + escape_length + 2;
    memset(text, 'x', length);
    text[place] = (char)byte;
    memset(expected, 'x', expected_length);
    expected[0] = expected[expected_length - 1] = '"';
    for (size_t i = 0; i < escape_length; i++)
        expected[1 + place + i] = escape[i];
    writer.length = 0;
    writer.comma = false;
    json_string_n(&writer, NULL, text, length);
    assert_int_equal(writer.length, expected_length);
    assert_memory_equal(writer.data, expected, expected_length);
}

/* The scan looks at eight bytes at once: each byte stands at each place of texts of each length around that. */
static void every_byte_is_escaped_or_left_wherever_it_stands(void **state)
{
    (void)state;
    for (unsigned byte = 0; byte < 256; byte++)
        for (size_t length = 1; length <= 17; length++)
            for (size_t place = 0; place < length; place++)
                assert_is_escaped_at(byte, place, length);
}

static void a_line_has_no_control_characters(void **state)
{
    (void)state;
    writer_line(&writer, "a\nb\x1B[1m\x7F\xC2\x80\xC2\x9F.\xC2\xA0\xC3\x80\xE2\x82\xAC\t");
    writer_line(&writer, "");
    assert_written("a b [1m   .\xC2\xA0\xC3\x80\xE2\x82\xAC ");
}

static void an_empty_and_a_missing_string_differ(void **state)
{
    (void)state;
    json_array_begin(&writer, NULL);
    json_string(&writer, NULL, "");
    json_string(&writer, NULL, NULL);
    json_array_end(&writer);
    assert_written("[\"\",null]");
}

static void integers_keep_all_64_bits(void **state)
{
    (void)state;
    json_array_begin(&writer, NULL);
    json_int(&writer, NULL, INT64_MIN);
    json_int(&writer, NULL, INT64_MAX);
    json_int(&writer, NULL, 0);
    json_int(&writer, NULL, -10);
    json_hex64(&writer, NULL, UINT64_C(0x0123456789abcdef));
    json_array_end(&writer);
    assert_written("[-9223372036854775808,9223372036854775807,0,-10,\"0123456789abcdef\"]");
}

/* Each number of digits, at both of its ends; the reference is the C library's. */
static void integers_and_hex_digits_are_those_of_printf(void **state)
{
    (void)state;
    uint64_t edge = 1;
    for (unsigned digits = 0; digits < 20; digits++, edge *= 10) {
        const uint64_t values[] = {edge - 1, edge, edge + 1, edge * 5 + 7, edge * 9 + 42};
        for (size_t i = 0; i < sizeof values / sizeof *values; i++) {
            char text[64];
            writer.length = 0;
            writer.comma = false;
            int length =
                snprintf(text, sizeof text, "%" PRId64 ",\"%016" PRIx64 "\"", (int64_t)values[i], values[i]);
            json_int(&writer, NULL, (int64_t)values[i]);
            json_hex64(&writer, NULL, values[i]);
            assert_int_equal(writer.length, length);
            assert_memory_equal(writer.data, text, (size_t)length);
        }
    }
}

static void a_value_is_repeated_byte_by_byte(void **state)
{
    (void)state;
    json_object_begin(&writer, NULL);
    json_array_begin(&writer, "a");
    json_string(&writer, NULL,
                "a string that is long enough for the text to move when it is repeated: 1234567890");
    json_word(&writer, NULL, NULL);
    json_word(&writer, NULL, "word");
    json_array_end(&writer);
    const struct json_place place = {5, writer.length - 5};
    json_repeat(&writer, "b", &place);
    json_object_end(&writer);
    assert_written(
        "{\"a\":[\"a string that is long enough for the text to move when it is repeated: 1234567890\","
        "null,\"word\"],\"b\":[\"a string that is long enough for the text to move when it is repeated: "
        "1234567890\",null,\"word\"]}");
}

static void text_grows_past_the_first_capacity(void **state)
{
    (void)state;
    char expected[5001] = "";
    for (int i = 0; i < 1000; i++) {
        writer_printf(&writer, "%04d", i);
        writer_char(&writer, ' ');
        /* Somebody else's piece behind the buffer: it has to move. */
        if (i % 100 == 0)
            assert_non_null(arena_alloc(&arena, 1));
    }
    for (int i = 0; i < 1000; i++) {
        char word[6] = {(char)('0' + i / 1000), (char)('0' + i / 100 % 10), (char)('0' + i / 10 % 10),
                        (char)('0' + i % 10), ' '};
        memcpy(&expected[(size_t)i * 5], word, 5);
    }
    assert_written(expected);
}

static void after_a_failure_every_call_does_nothing(void **state)
{
    (void)state;
    writer_init(&writer, &arena, SIZE_MAX);
    assert_true(writer.failed);
    writer_text(&writer, "a");
    writer_char(&writer, 'a');
    writer_printf(&writer, "%d", 1);
    json_object_begin(&writer, "a");
    json_string(&writer, "a", "b\n");
    json_object_end(&writer);
    assert_true(writer.failed);
    assert_int_equal(writer.length, 0);
}

static void times_are_rfc_3339_utc_with_milliseconds(void **state)
{
    (void)state;
    static const struct {
        int64_t ms;
        const char *text;
    } ROWS[] = {
        {0, "1970-01-01T00:00:00.000Z"},
        {-1, "1969-12-31T23:59:59.999Z"},
        {951782400000, "2000-02-29T00:00:00.000Z"},
        {1709251199999, "2024-02-29T23:59:59.999Z"},
        {4107542400000, "2100-03-01T00:00:00.000Z"},
        {1767323045678, "2026-01-02T03:04:05.678Z"},
        {-62167219200000, "0000-01-01T00:00:00.000Z"},
        {253402300799999, "9999-12-31T23:59:59.999Z"},
        {INT64_MIN, "0000-01-01T00:00:00.000Z"},
        {INT64_MAX, "9999-12-31T23:59:59.999Z"},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof *ROWS; i++) {
        char text[TIMESTAMP_SIZE];
        timestamp_format(ROWS[i].ms, text);
        assert_string_equal(text, ROWS[i].text);
    }
    json_time(&writer, "at", 0);
    assert_written("\"at\":\"1970-01-01T00:00:00.000Z\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(commas_stand_between_members_and_items_only, set_up, tear_down),
        cmocka_unit_test_setup_teardown(strings_are_escaped_as_rfc_8259_asks, set_up, tear_down),
        cmocka_unit_test_setup_teardown(every_byte_is_escaped_or_left_wherever_it_stands, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_line_has_no_control_characters, set_up, tear_down),
        cmocka_unit_test_setup_teardown(an_empty_and_a_missing_string_differ, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integers_keep_all_64_bits, set_up, tear_down),
        cmocka_unit_test_setup_teardown(integers_and_hex_digits_are_those_of_printf, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_value_is_repeated_byte_by_byte, set_up, tear_down),
        cmocka_unit_test_setup_teardown(text_grows_past_the_first_capacity, set_up, tear_down),
        cmocka_unit_test_setup_teardown(after_a_failure_every_call_does_nothing, set_up, tear_down),
        cmocka_unit_test_setup_teardown(times_are_rfc_3339_utc_with_milliseconds, set_up, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
