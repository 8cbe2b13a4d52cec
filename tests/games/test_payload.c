/* What an action says beyond the columns of the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/payload.h"

static void expect(const char *text, const char *key, const char *value)
{
    char *found;
    assert_true(payload_text(text, key, &found));
    if (value)
        assert_string_equal(found, value);
    else
        assert_null(found);
    free(found);
}

static void nothing_added_is_no_text(void **state)
{
    (void)state;
    struct payload payload = {0};
    payload_add(&payload, "comment", NULL);
    assert_null(payload.text);
    payload_finish(&payload);
    expect(NULL, "comment", NULL);
    expect("", "comment", NULL);
}

static void values_of_any_kind_come_back(void **state)
{
    static const char *const values[] = {"",
                                         "plain",
                                         "\n",
                                         "\\",
                                         "\\n",
                                         "\\\\n",
                                         "\n\n\\",
                                         "a=b\nc=d",
                                         "ends in backslash\\",
                                         "über 中文 \x7f\x01"};
    (void)state;
    struct payload payload = {0};
    char keys[][4] = {"k0", "k1", "k2", "k3", "k4", "k5", "k6", "k7", "k8", "k9"};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        payload_add(&payload, keys[i], values[i]);
    assert_false(payload.failed);
    assert_int_equal(payload.length, strlen(payload.text));
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++)
        expect(payload.text, keys[i], values[i]);
    payload_finish(&payload);
    assert_null(payload.text);
}

static void long_values_come_back(void **state)
{
    (void)state;
    struct payload payload = {0};
    char value[5000];
    for (size_t i = 0; i + 1 < sizeof value; i++)
        value[i] = "\n\\ab"[i % 4];
    value[sizeof value - 1] = '\0';
    payload_add(&payload, "first", value);
    payload_add(&payload, "second", value);
    expect(payload.text, "first", value);
    expect(payload.text, "second", value);
    payload_finish(&payload);
}

static void a_key_is_not_found_inside_a_value_or_another_key(void **state)
{
    (void)state;
    struct payload payload = {0};
    payload_add(&payload, "claim_move", "e2e4\nend=checkmate");
    payload_add(&payload, "claim", "fifty_moves");
    expect(payload.text, "end", NULL);
    expect(payload.text, "move", NULL);
    expect(payload.text, "cla", NULL);
    expect(payload.text, "claim", "fifty_moves");
    payload_finish(&payload);
}

static void the_first_of_equal_keys_counts(void **state)
{
    (void)state;
    expect("a=1\na=2\n", "a", "1");
}

static void a_last_line_without_an_end_is_read(void **state)
{
    (void)state;
    expect("a=1\nb=2", "b", "2");
    expect("a=1\\", "a", "1\\");
}

static void a_word_is_copied_and_a_longer_text_is_none(void **state)
{
    (void)state;
    struct payload payload = {0};
    char word[PAYLOAD_WORD_SIZE] = "as it was";
    char longest[PAYLOAD_WORD_SIZE];
    memset(longest, 'a', sizeof longest - 1);
    longest[sizeof longest - 1] = '\0';
    payload_add(&payload, "end", "checkmate");
    payload_add(&payload, "longest", longest);
    assert_true(payload_word(payload.text, "end", word));
    assert_string_equal(word, "checkmate");
    assert_true(payload_word(payload.text, "longest", word));
    assert_string_equal(word, longest);
    assert_false(
        payload_word("key=aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
                     "aaaaaaaaaaaaaaaaaaaaaaaaaaa\n",
                     "key", word));
    assert_false(payload_word(payload.text, "en", word));
    assert_false(payload_word(NULL, "end", word));
    assert_string_equal(word, longest);
    assert_true(payload_has(payload.text, "end"));
    assert_false(payload_has(payload.text, "en"));
    payload_finish(&payload);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nothing_added_is_no_text),
        cmocka_unit_test(values_of_any_kind_come_back),
        cmocka_unit_test(long_values_come_back),
        cmocka_unit_test(a_key_is_not_found_inside_a_value_or_another_key),
        cmocka_unit_test(the_first_of_equal_keys_counts),
        cmocka_unit_test(a_last_line_without_an_end_is_read),
        cmocka_unit_test(a_word_is_copied_and_a_longer_text_is_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
