/* api/arena: a request's memory. */
#include "api/arena.h"

#include <setjmp.h>
#include <stdalign.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

static void pieces_are_aligned_and_do_not_overlap(void **state)
{
    (void)state;
    struct arena arena;
    arena_init(&arena);
    unsigned char *pieces[400];
    for (size_t i = 0; i < 400; i++) {
        pieces[i] = arena_alloc(&arena, i);
        assert_non_null(pieces[i]);
        assert_int_equal((uintptr_t)pieces[i] % alignof(max_align_t), 0);
        memset(pieces[i], (int)i, i);
    }
    for (size_t i = 0; i < 400; i++)
        for (size_t j = 0; j < i; j++)
            assert_int_equal(pieces[i][j], (unsigned char)i);
    arena_finish(&arena);
}

static void a_zeroed_piece_is_zero_after_a_reset_too(void **state)
{
    (void)state;
    struct arena arena = {0};
    memset(arena_alloc(&arena, 1000), 0xff, 1000);
    arena_reset(&arena);
    const unsigned char *piece = arena_zalloc(&arena, 1000);
    for (size_t i = 0; i < 1000; i++)
        assert_int_equal(piece[i], 0);
    arena_finish(&arena);
}

static void count_release(void *held)
{
    ++*(int *)held;
}

static void what_is_held_is_released_once_by_a_reset_or_the_end(void **state)
{
    (void)state;
    struct arena arena = {0};
    int reset = 0, finished = 0, large = 0;
    assert_true(arena_hold(&arena, count_release, &reset));
    assert_true(arena_hold(&arena, count_release, &reset));
    assert_non_null(arena_alloc(&arena, 1 << 20));
    assert_true(arena_hold(&arena, count_release, &large));
    assert_int_equal(reset + large, 0);
    arena_reset(&arena);
    assert_int_equal(reset, 2);
    assert_int_equal(large, 1);
    assert_true(arena_hold(&arena, count_release, &finished));
    arena_finish(&arena);
    arena_finish(&arena);
    assert_int_equal(finished, 1);
    assert_int_equal(reset, 2);
}

static void a_reset_keeps_one_block_for_the_next_request(void **state)
{
    (void)state;
    struct arena arena = {0};
    const void *first = arena_alloc(&arena, 100);
    assert_non_null(arena_alloc(&arena, 1 << 20));
    arena_reset(&arena);
    assert_ptr_equal(arena_alloc(&arena, 100), first);
    arena_finish(&arena);
    assert_null(arena.blocks);
}

static void a_reset_keeps_no_large_block(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_non_null(arena_alloc(&arena, 1 << 20));
    arena_reset(&arena);
    assert_null(arena.blocks);
    assert_non_null(arena_alloc(&arena, 1));
    arena_finish(&arena);
}

static void a_large_piece_leaves_the_block_in_use(void **state)
{
    (void)state;
    struct arena arena = {0};
    const char *small = arena_alloc(&arena, 16);
    assert_non_null(arena_alloc(&arena, 1 << 16));
    assert_ptr_equal(arena_alloc(&arena, 16), small + 16);
    arena_finish(&arena);
}

static void the_last_piece_grows_in_place(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *piece = arena_alloc(&arena, 10);
    memcpy(piece, "abc", 4);
    assert_ptr_equal(arena_grow(&arena, piece, 10, 1000), piece);
    assert_string_equal(piece, "abc");
    assert_true((char *)arena_alloc(&arena, 1) >= piece + 1000);
    arena_finish(&arena);
}

static void an_earlier_piece_moves_when_it_grows(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *piece = arena_alloc(&arena, 10);
    memcpy(piece, "abc", 4);
    assert_non_null(arena_alloc(&arena, 10));
    char *moved = arena_grow(&arena, piece, 10, 20);
    assert_ptr_not_equal(moved, piece);
    assert_string_equal(moved, "abc");
    assert_non_null(arena_grow(&arena, NULL, 0, 5));
    arena_finish(&arena);
}

static void what_held_a_token_is_overwritten(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *small = arena_alloc(&arena, 100);
    memset(small, 'x', 100);
    arena_wipe_at_end(&arena);
    char *later = arena_alloc(&arena, 100);
    memset(later, 'y', 100);
    arena_reset(&arena); /* keeps the block */
    for (size_t i = 0; i < 100; i++)
        assert_int_equal(small[i] | later[i], 0);
    small = arena_alloc(&arena, 100);
    memset(small, 'z', 100);
    arena_reset(&arena);
    assert_int_equal(small[0], 'z'); /* once: the next request has no secrets */
    arena_finish(&arena);
}

static void a_size_that_no_memory_holds_is_null(void **state)
{
    (void)state;
    struct arena arena = {0};
    char *piece = arena_alloc(&arena, 10);
    assert_null(arena_alloc(&arena, SIZE_MAX));
    assert_null(arena_alloc(&arena, SIZE_MAX - 8));
    assert_null(arena_grow(&arena, piece, 10, SIZE_MAX));
    assert_null(arena_copy(&arena, "", SIZE_MAX));
    arena_finish(&arena);
}

static void texts_are_copied_and_printed_with_a_nul(void **state)
{
    (void)state;
    struct arena arena = {0};
    assert_string_equal(arena_copy(&arena, "abcdef", 3), "abc");
    assert_string_equal(arena_copy(&arena, NULL, 0), "");
    assert_string_equal(arena_printf(&arena, "%s/%d", "games", 7), "games/7");
    arena_finish(&arena);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_aligned_and_do_not_overlap),
        cmocka_unit_test(a_zeroed_piece_is_zero_after_a_reset_too),
        cmocka_unit_test(what_is_held_is_released_once_by_a_reset_or_the_end),
        cmocka_unit_test(a_reset_keeps_one_block_for_the_next_request),
        cmocka_unit_test(a_reset_keeps_no_large_block),
        cmocka_unit_test(a_large_piece_leaves_the_block_in_use),
        cmocka_unit_test(the_last_piece_grows_in_place),
        cmocka_unit_test(an_earlier_piece_moves_when_it_grows),
        cmocka_unit_test(what_held_a_token_is_overwritten),
        cmocka_unit_test(a_size_that_no_memory_holds_is_null),
        cmocka_unit_test(texts_are_copied_and_printed_with_a_nul),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
