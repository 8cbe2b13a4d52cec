/* rules/utf8: RFC 3629. */
#include "rules/utf8.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void every_code_point_is_well_formed_and_nothing_else_is(void **state)
{
    (void)state;
    for (unsigned code = 0x80; code < 0x120000; code++) {
        char text[4];
        size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
        unsigned rest = code;
        for (size_t i = length - 1; i > 0; i--, rest >>= 6)
            text[i] = (char)(0x80 | (rest & 0x3F));
        text[0] = (char)((length == 2 ? 0xC0 : length == 3 ? 0xE0 : 0xF0) | rest);
        bool good = code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
        assert_int_equal(utf8_valid(text, length), good ? length : 0);
        assert_int_equal(utf8_character_size(text, length), good ? length : 0);
        assert_int_equal(utf8_valid(text, length - 1), 0);
    }
}

/* Wherever it stands to the steps of eight bytes. */
static void the_first_bad_byte_is_told(void **state)
{
    (void)state;
    enum { LENGTH = 40 };
    for (size_t bad = 0; bad < LENGTH; bad++) {
        char text[LENGTH];
        memset(text, 'a', LENGTH);
        text[bad] = (char)0x80;
        assert_int_equal(utf8_valid(text, LENGTH), bad);
        if (bad + 1 < LENGTH) {
            text[bad] = (char)0xC3;
            text[bad + 1] = (char)0xA9;
            assert_int_equal(utf8_valid(text, LENGTH), LENGTH);
            assert_int_equal(utf8_valid(text, bad + 1), bad);
        }
    }
    assert_int_equal(utf8_valid("", 0), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_code_point_is_well_formed_and_nothing_else_is),
        cmocka_unit_test(the_first_bad_byte_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
