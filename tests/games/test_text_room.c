/* games/text_room: words and numbers one behind the other, and never more than the memory holds. */
#include "games/text_room.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static void nothing_put_is_an_empty_text(void **state)
{
    (void)state;
    char text[1] = "x";
    struct text_room room = text_room_begin(text, sizeof text);
    assert_string_equal(text, "");
    text_room_put(&room, "");
    assert_string_equal(text, "");
}

static void words_and_numbers_follow_one_another(void **state)
{
    (void)state;
    char text[32];
    struct text_room room = text_room_begin(text, sizeof text);
    text_room_put(&room, "stages=");
    text_room_put_number(&room, 40);
    text_room_put(&room, "/");
    text_room_put_number(&room, 0);
    assert_string_equal(text, "stages=40/0");
}

static void a_text_may_fill_all_of_the_memory(void **state)
{
    (void)state;
    char memory[sizeof "a4294967295" + 1];
    memory[sizeof memory - 1] = '!';
    struct text_room room = text_room_begin(memory, sizeof memory - 1);
    text_room_put(&room, "a");
    text_room_put_number(&room, UINT32_MAX);
    assert_string_equal(memory, "a4294967295");
    assert_int_equal(memory[sizeof memory - 1], '!');
}

/* Around every power of ten and of two: as printf writes them. */
static void numbers_are_written_as_printf_writes_them(void **state)
{
    (void)state;
    for (uint64_t base = 2; base <= 10; base += 8) {
        for (uint64_t power = 1; power <= UINT32_MAX; power *= base) {
            for (uint64_t number = power - 1; number <= power + 1; number++) {
                char text[16], expected[32];
                struct text_room room = text_room_begin(text, sizeof text);
                text_room_put_number(&room, (uint32_t)number);
                (void)snprintf(expected, sizeof expected, "%u", (unsigned)(uint32_t)number);
                assert_string_equal(text, expected);
            }
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_put_is_an_empty_text),
        cmocka_unit_test(words_and_numbers_follow_one_another),
        cmocka_unit_test(a_text_may_fill_all_of_the_memory),
        cmocka_unit_test(numbers_are_written_as_printf_writes_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
