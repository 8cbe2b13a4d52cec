/* api/header_field: names become numbers. */
#include "api/header_field.h"

#include <ctype.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

enum { NAME_SIZE = 64 };

static void every_field_is_found_by_its_name_in_any_case(void **state)
{
    (void)state;
    for (int field = HEADER_OTHER + 1; field < HEADER_FIELD_COUNT; field++) {
        char upper[NAME_SIZE] = "", lower[NAME_SIZE] = "";
        const char *name = header_field_name((enum header_field)field);
        size_t length = strlen(name);
        for (size_t i = 0; i < length; i++) {
            upper[i] = (char)toupper((unsigned char)name[i]);
            lower[i] = (char)tolower((unsigned char)name[i]);
        }
        assert_int_equal(header_field_of(name, length), field);
        assert_int_equal(header_field_of(upper, length), field);
        assert_int_equal(header_field_of(lower, length), field);
    }
}

static void a_name_that_differs_in_one_byte_is_another(void **state)
{
    (void)state;
    for (int field = HEADER_OTHER + 1; field < HEADER_FIELD_COUNT; field++) {
        char name[NAME_SIZE] = "";
        size_t length = strlen(header_field_name((enum header_field)field));
        for (size_t i = 0; i < length; i++) {
            memcpy(name, header_field_name((enum header_field)field), length + 1);
            name[i] = '_';
            assert_int_equal(header_field_of(name, length), HEADER_OTHER);
        }
        memcpy(name, header_field_name((enum header_field)field), length);
        name[length] = 's';
        assert_int_equal(header_field_of(name, length + 1), HEADER_OTHER);
        assert_int_equal(header_field_of(name, length - 1), HEADER_OTHER);
    }
    assert_int_equal(header_field_of("", 0), HEADER_OTHER);
    assert_int_equal(header_field_of("Access-Control-Request-Headers", 30), HEADER_OTHER);
}

static void fields_that_nobody_looks_at_have_no_name(void **state)
{
    (void)state;
    assert_null(header_field_name(HEADER_OTHER));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_field_is_found_by_its_name_in_any_case),
        cmocka_unit_test(a_name_that_differs_in_one_byte_is_another),
        cmocka_unit_test(fields_that_nobody_looks_at_have_no_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
