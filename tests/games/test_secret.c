/* Tokens, digests, and sealed answers. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/seats.h"
#include "games/secret.h"

enum { TOKENS = 2000 };

static void a_token_has_the_form_that_is_asked_of_one(void **state)
{
    (void)state;
    static const char purposes[] = {SECRET_WHITE,   SECRET_BLACK,    SECRET_SPECTATOR,
                                    SECRET_CREATOR, SECRET_OPERATOR, SECRET_TICKET};
    for (size_t i = 0; i < sizeof purposes; i++) {
        char token[SECRET_TOKEN_SIZE];
        secret_make_token(purposes[i], token);
        assert_int_equal(strlen(token), SECRET_TOKEN_LENGTH);
        assert_int_equal(token[1], purposes[i]);
        assert_true(secret_token_is_formed(token, strlen(token)));
    }
}

static void what_has_another_form_is_no_token(void **state)
{
    static const char *const bad[] = {
        "",
        "cw_",
        "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "xw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "cx_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "cw-aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaA",
        "cw_aaaaaaaaaaaaaaa1aaaaaaaaaaaaaaaa",
        "cw_ aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa",
        "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa=",
    };
    (void)state;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        assert_false(secret_token_is_formed(bad[i], strlen(bad[i])));
    assert_false(secret_token_is_formed("cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\0", SECRET_TOKEN_LENGTH));
    assert_false(secret_token_is_formed("c\0_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", SECRET_TOKEN_LENGTH));
}

static int compare_tokens(const void *a, const void *b)
{
    return memcmp(a, b, SECRET_TOKEN_SIZE);
}

/* 2000 × 32 letters, 32 kinds: 2000 of each are expected with a deviation of 44; 300 is beyond any chance. */
static void tokens_differ_and_use_all_letters_alike(void **state)
{
    static char tokens[TOKENS][SECRET_TOKEN_SIZE];
    unsigned seen[256] = {0};
    (void)state;
    for (unsigned i = 0; i < TOKENS; i++) {
        secret_make_token(SECRET_WHITE, tokens[i]);
        for (unsigned j = 3; j < SECRET_TOKEN_LENGTH; j++)
            seen[(unsigned char)tokens[i][j]]++;
    }
    qsort(tokens, TOKENS, sizeof tokens[0], compare_tokens);
    for (unsigned i = 1; i < TOKENS; i++)
        assert_string_not_equal(tokens[i - 1], tokens[i]);
    for (const char *letter = "abcdefghijklmnopqrstuvwxyz234567"; *letter; letter++)
        assert_in_range(seen[(unsigned char)*letter], 1700, 2300);
}

static void expect_digest(const uint8_t digest[SECRET_DIGEST_SIZE], const char *wanted)
{
    char text[SECRET_HEX_SIZE];
    secret_format_hex(digest, text);
    assert_string_equal(text, wanted);
}

/* By Python: blake2b(struct.pack("<Q", len(text)) + text, digest_size=32, person=b"arbiter digest"). */
static void digests_are_those_of_another_implementation(void **state)
{
    (void)state;
    uint8_t digest[SECRET_DIGEST_SIZE];
    secret_digest("", 0, digest);
    expect_digest(digest, "70c62c993115596159564ecd8fe63bd39feb40fbeaa02e7f5176b8462d6e332a");
    secret_digest("cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", SECRET_TOKEN_LENGTH, digest);
    expect_digest(digest, "39aa84d313fd1eceaa123e6415932c3b8b105e13c48c1d5eb536073d302c137d");
    secret_digest_parts((struct secret_part[]){{"ab", 2}, {"c", 1}}, 2, digest);
    expect_digest(digest, "fee2ea600361defae0ac1383d528c51b8bffb5a1708b48373d6113da61bcab23");
    secret_digest_parts((struct secret_part[]){{"a", 1}, {"bc", 2}}, 2, digest);
    expect_digest(digest, "855f3e88bdb43cc9428ff1f22e75725878171087816caaf002864cc2d20d6d29");
}

static void digests_are_equal_only_if_every_bit_is(void **state)
{
    (void)state;
    uint8_t a[SECRET_DIGEST_SIZE], b[SECRET_DIGEST_SIZE];
    secret_digest("x", 1, a);
    memcpy(b, a, sizeof b);
    assert_true(secret_equal(a, b));
    for (unsigned bit = 0; bit < 8 * SECRET_DIGEST_SIZE; bit++) {
        b[bit / 8] ^= (uint8_t)(1U << bit % 8);
        assert_false(secret_equal(a, b));
        b[bit / 8] ^= (uint8_t)(1U << bit % 8);
    }
}

static void hexadecimal_goes_there_and_back(void **state)
{
    (void)state;
    uint8_t digest[SECRET_DIGEST_SIZE], back[SECRET_DIGEST_SIZE];
    char text[SECRET_HEX_SIZE];
    for (unsigned i = 0; i < SECRET_DIGEST_SIZE; i++)
        digest[i] = (uint8_t)(i * 37 + 5);
    secret_format_hex(digest, text);
    assert_true(secret_parse_hex(text, strlen(text), back));
    assert_memory_equal(back, digest, sizeof back);
    for (unsigned i = 0; i < SECRET_HEX_SIZE - 1; i++)
        if (text[i] >= 'a')
            text[i] = (char)(text[i] - 'a' + 'A');
    assert_true(secret_parse_hex(text, strlen(text), back));
    assert_memory_equal(back, digest, sizeof back);
    assert_false(secret_parse_hex(text, strlen(text) - 1, back));
    assert_false(secret_parse_hex(text, strlen(text) - 2, back));
    text[63] = 'g';
    assert_false(secret_parse_hex(text, 64, back));
    text[63] = ' ';
    assert_false(secret_parse_hex(text, 64, back));
}

static const struct secret_part key = {"client-key-1", 12}, other_key = {"client-key-2", 12};

static void only_the_same_key_opens_what_was_sealed(void **state)
{
    static const char plain[] = "{\"tokens\":{\"white\":\"cw_aaaa\"}}";
    (void)state;
    char sealed[sizeof plain + 64], opened[sizeof plain];
    size_t size = secret_sealed_size(sizeof plain);
    assert_true(size <= sizeof sealed);
    secret_seal(&key, plain, sizeof plain, sealed);
    assert_null(memmem(sealed, size, "cw_", 3));
    assert_int_equal(secret_opened_size(size), sizeof plain);
    assert_true(secret_open(&key, sealed, size, opened));
    assert_memory_equal(opened, plain, sizeof plain);
    assert_false(secret_open(&other_key, sealed, size, opened));
}

static void a_changed_or_cut_seal_does_not_open(void **state)
{
    static const char plain[] = "an answer";
    (void)state;
    unsigned char sealed[sizeof plain + 64], opened[sizeof plain];
    size_t size = secret_sealed_size(sizeof plain);
    secret_seal(&key, plain, sizeof plain, sealed);
    for (size_t i = 0; i < size; i++) {
        sealed[i] ^= 1;
        assert_false(secret_open(&key, sealed, size, opened));
        sealed[i] ^= 1;
    }
    for (size_t length = 0; length < size; length++)
        assert_false(secret_open(&key, sealed, length, opened));
    assert_int_equal(secret_opened_size(secret_sealed_size(0) - 1), 0);
}

static void the_same_text_is_sealed_differently_each_time(void **state)
{
    (void)state;
    char first[128], second[128];
    secret_seal(&key, "text", 4, first);
    secret_seal(&key, "text", 4, second);
    assert_memory_not_equal(first, second, secret_sealed_size(4));
}

static void a_secret_that_is_forgotten_is_gone(void **state)
{
    (void)state;
    char token[SECRET_TOKEN_SIZE];
    static const char zeros[SECRET_TOKEN_SIZE];
    secret_make_token(SECRET_CREATOR, token);
    secret_forget(token, sizeof token);
    assert_memory_equal(token, zeros, sizeof token);
}

/* ---- comparisons --------------------------------------------------------------------------------------- */

static unsigned compared; /* in constant time */

int __real_sodium_memcmp(const void *a, const void *b, size_t length);
int __wrap_sodium_memcmp(const void *a, const void *b, size_t length);
int __wrap_sodium_memcmp(const void *a, const void *b, size_t length)
{
    compared++;
    return __real_sodium_memcmp(a, b, length);
}

/* Whose it is, and whether it is anybody's: all four are compared, each in constant time. */
static void a_token_is_compared_with_all_and_in_constant_time(void **state)
{
    (void)state;
    struct game_seats seats = {0};
    const struct game game = {.seats = &seats};
    char tokens[GAME_TOKENS + 1][SECRET_TOKEN_SIZE];
    for (unsigned i = 0; i < GAME_TOKENS; i++)
        seats_issue(&seats, (enum game_role)(ROLE_WHITE + i), tokens[i]);
    secret_make_token(SECRET_WHITE, tokens[GAME_TOKENS]);
    for (unsigned i = 0; i <= GAME_TOKENS; i++) {
        struct caller caller = {.has_token = true};
        secret_digest(tokens[i], SECRET_TOKEN_LENGTH, caller.digest);
        compared = 0;
        enum game_role role = game_role_of(&game, &caller);
        assert_int_equal(role, i < GAME_TOKENS ? ROLE_WHITE + i : ROLE_NONE);
        assert_int_equal(compared, GAME_TOKENS);
    }
}

static int begin(void **state)
{
    (void)state;
    return secret_init() ? 0 : -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_token_has_the_form_that_is_asked_of_one),
        cmocka_unit_test(what_has_another_form_is_no_token),
        cmocka_unit_test(tokens_differ_and_use_all_letters_alike),
        cmocka_unit_test(digests_are_those_of_another_implementation),
        cmocka_unit_test(digests_are_equal_only_if_every_bit_is),
        cmocka_unit_test(hexadecimal_goes_there_and_back),
        cmocka_unit_test(only_the_same_key_opens_what_was_sealed),
        cmocka_unit_test(a_changed_or_cut_seal_does_not_open),
        cmocka_unit_test(the_same_text_is_sealed_differently_each_time),
        cmocka_unit_test(a_secret_that_is_forgotten_is_gone),
        cmocka_unit_test(a_token_is_compared_with_all_and_in_constant_time),
    };
    return cmocka_run_group_tests(tests, begin, NULL);
}
