/* rules/pgn_text: any bytes become UTF-8 without control characters. */
#include "rules/pgn_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { SIZE = 64 };

static void bytes_become_utf8(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *text;
        bool converted;
    } cases[] = {
        {"", "", false},
        {"plain", "plain", false},
        {"\u00FC\u0428\u265E\U0001F600", "\u00FC\u0428\u265E\U0001F600", false},
        {"\xFC", "\u00FC", true},
        {"\xA0\xFF", "\u00A0\u00FF", true},
        {"\x80\x81\x9F", "\u20AC\uFFFD\u0178", true},           /* Windows-1252; 81 is a hole of it */
        {"\xC3", "\u00C3", true},                               /* cut */
        {"\xE2\x99", "\u00E2\u2122", true},                     /* cut */
        {"\xF0\x9F\x98", "\u00F0\u0178\u02DC", true},           /* cut */
        {"\xC0\xAF", "\u00C0\u00AF", true},                     /* overlong (RFC 3629, 3) */
        {"\xE0\x80\xAF", "\u00E0\u20AC\u00AF", true},           /* overlong */
        {"\xED\xA0\x80", "\u00ED\u00A0\u20AC", true},           /* a surrogate */
        {"\xF4\x90\x80\x80", "\u00F4\uFFFD\u20AC\u20AC", true}, /* beyond U+10FFFF */
        {"\xF5\xBF\xBF\xBF", "\u00F5\u00BF\u00BF\u00BF", true},
        {"\xEF\xBF\xBF\xF4\x8F\xBF\xBF\xED\x9F\xBF", "\uFFFF\U0010FFFF\uD7FF", false},
        {"a\x01\t\n\x7F"
         "b",
         "a    b", false},
        {"\xC2\x80\xC2\x9F\xC2\xA0", "  \u00A0", false}, /* C1 */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIZE];
        bool converted = false;
        size_t length = pgn_text_copy(cases[i].bytes, strlen(cases[i].bytes), text, SIZE, &converted);
        assert_string_equal(text, cases[i].text);
        assert_int_equal(length, strlen(cases[i].text));
        assert_int_equal(converted, cases[i].converted);
    }
}

static void a_text_without_room_is_cut_between_characters(void **state)
{
    (void)state;
    static const char bytes[] = "a\u00FC\u265E\U0001F600\xFC";
    static const char *const cut[] = {"",
                                      "a",
                                      "a",
                                      "a\u00FC",
                                      "a\u00FC",
                                      "a\u00FC",
                                      "a\u00FC\u265E",
                                      "a\u00FC\u265E",
                                      "a\u00FC\u265E",
                                      "a\u00FC\u265E",
                                      "a\u00FC\u265E\U0001F600",
                                      "a\u00FC\u265E\U0001F600"};
    for (size_t size = 1; size <= sizeof cut / sizeof cut[0]; size++) {
        char text[SIZE];
        bool converted = false;
        memset(text, '#', sizeof text);
        assert_int_equal(pgn_text_copy(bytes, sizeof bytes - 1, text, size, &converted), size);
        assert_string_equal(text, cut[size - 1]);
        assert_int_equal(text[size], '#');
    }
    char text[SIZE];
    bool converted = false;
    assert_int_equal(pgn_text_copy(bytes, sizeof bytes - 1, text, 13, &converted), 12);
}

static void blanks_are_squeezed(void **state)
{
    (void)state;
    static const char *const cases[][2] = {
        {"", ""}, {" ", ""}, {"   ", ""}, {"a", "a"}, {"  a  b c   ", "a b c"}, {"a ", "a"}, {" a", "a"}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIZE];
        (void)strcpy(text, cases[i][0]);
        assert_int_equal(pgn_text_squeeze(text, strlen(text)), strlen(cases[i][1]));
        assert_string_equal(text, cases[i][1]);
    }
}

static void characters_that_control_are_known(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t length;
    } cases[] = {{"\x1F", 1},     {" ", 0},        {"\x7F", 1},   {"\xC2\x80", 2},
                 {"\xC2\x9F", 2}, {"\xC2\xA0", 0}, {"\u200E", 0}, {"\u2029", 0},
                 {"\u202A", 3},   {"\u202E", 3},   {"\u202F", 0}, {"\u2065", 0},
                 {"\u2066", 3},   {"\u2069", 3},   {"\u206A", 0}, {"a\u202E", 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        char text[SIZE];
        bool converted = false;
        assert_int_equal(pgn_text_control(cases[i].text, strlen(cases[i].text)), cases[i].length);
        (void)pgn_text_copy(cases[i].text, strlen(cases[i].text), text, sizeof text, &converted);
        if (cases[i].length)
            assert_string_equal(text, " ");
        assert_int_equal(pgn_text_control("\xE2\x80\xAE", 2), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_become_utf8),
        cmocka_unit_test(a_text_without_room_is_cut_between_characters),
        cmocka_unit_test(blanks_are_squeezed),
        cmocka_unit_test(characters_that_control_are_known),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
