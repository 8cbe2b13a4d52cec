/* games/id: what an id may be. */
#include "games/id.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static const char LETTERS[] = "abcdefghjkmnpqrstuvwxyz23456789";
static const char GOOD[] = "abcdefghjkmn";

static void every_byte_is_a_letter_or_not_at_every_place(void **state)
{
    (void)state;
    for (size_t at = 0; at < GAME_ID_LENGTH; at++) {
        for (int byte = 0; byte < 256; byte++) {
            char id[GAME_ID_SIZE];
            memcpy(id, GOOD, sizeof id);
            id[at] = (char)byte;
            bool is_letter = byte != 0 && strchr(LETTERS, byte) != NULL;
            assert_int_equal(game_id_is_valid(id, GAME_ID_LENGTH), is_letter);
        }
    }
}

static void an_id_has_twelve_letters(void **state)
{
    (void)state;
    static const char LONG[] = "abcdefghjkmnpqrs";
    for (size_t length = 0; length < sizeof LONG; length++)
        assert_int_equal(game_id_is_valid(LONG, length), length == 12);
}

static void a_made_id_is_valid_and_another_each_time(void **state)
{
    (void)state;
    char first[GAME_ID_SIZE], second[GAME_ID_SIZE];
    assert_true(id_make(first));
    assert_true(id_make(second));
    assert_true(game_id_is_valid(first, strlen(first)));
    assert_true(game_id_is_valid(second, strlen(second)));
    assert_string_not_equal(first, second);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_byte_is_a_letter_or_not_at_every_place),
        cmocka_unit_test(an_id_has_twelve_letters),
        cmocka_unit_test(a_made_id_is_valid_and_another_each_time),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
