/* api/picture_cache: pictures that were drawn before. */
#include "api/picture_cache.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

static struct arena arena;

static int teardown(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static struct scene *scene_of(struct arena *memory, unsigned size)
{
    static const struct picture EMPTY = {
        .last_from = SQUARE_NONE, .selected = SQUARE_NONE, .step = SQUARE_NONE};
    struct position position = position_initial();
    struct picture picture = EMPTY;
    picture.position = &position;
    picture.size = size;
    return picture_scene(memory, &picture);
}

static bool has(struct picture_cache *cache, const struct scene *scene, const char *expected)
{
    const char *bytes;
    size_t length;
    if (!picture_cache_find(cache, scene, &arena, &bytes, &length))
        return false;
    assert_int_equal(length, strlen(expected));
    assert_memory_equal(bytes, expected, length);
    return true;
}

static void what_was_kept_is_found_and_nothing_else(void **state)
{
    (void)state;
    struct picture_cache *cache = picture_cache_create(1 << 20);
    const struct scene *one = scene_of(&arena, 400), *two = scene_of(&arena, 401);
    assert_false(has(cache, one, ""));
    picture_cache_keep(cache, one, "first", 5);
    assert_true(has(cache, one, "first"));
    assert_true(has(cache, scene_of(&arena, 400), "first"));
    assert_false(has(cache, two, ""));
    struct scene *other = scene_of(&arena, 400);
    assert_non_null(other);
    other->desc = "Something else.";
    other->desc_length = strlen(other->desc);
    assert_false(has(cache, other, ""));
    struct scene *dark = scene_of(&arena, 400);
    assert_non_null(dark);
    dark->theme = THEME_DARK; /* pieces are not painted in colours of the shapes */
    assert_false(has(cache, dark, ""));
    picture_cache_keep(cache, one, "again", 5); /* there already */
    assert_true(has(cache, one, "first"));
    picture_cache_destroy(cache);
}

/* Each entry takes its key, of some 2 KB, and 1000 bytes of picture. */
static void beyond_the_budget_the_one_that_was_not_asked_for_longest_goes(void **state)
{
    (void)state;
    static char bytes[1001];
    memset(bytes, 'x', 1000);
    size_t entry = 1000 + sizeof(unsigned) + scene_of(&arena, 400)->count * sizeof(struct shape) +
                   scene_of(&arena, 400)->title_length + scene_of(&arena, 400)->desc_length;
    struct picture_cache *cache = picture_cache_create(3 * entry + 3 * 128);
    for (unsigned i = 0; i < 3; i++)
        picture_cache_keep(cache, scene_of(&arena, 400 + i), bytes, 1000);
    for (unsigned i = 0; i < 3; i++)
        assert_true(has(cache, scene_of(&arena, 400 + i), bytes));
    assert_true(has(cache, scene_of(&arena, 400), bytes)); /* the oldest is now 401 */
    picture_cache_keep(cache, scene_of(&arena, 403), bytes, 1000);
    assert_false(has(cache, scene_of(&arena, 401), bytes));
    assert_true(has(cache, scene_of(&arena, 400), bytes) && has(cache, scene_of(&arena, 402), bytes) &&
                has(cache, scene_of(&arena, 403), bytes));
    picture_cache_destroy(cache);
}

static void what_is_larger_than_the_budget_is_not_kept(void **state)
{
    (void)state;
    struct picture_cache *cache = picture_cache_create(100);
    picture_cache_keep(cache, scene_of(&arena, 400), "x", 1);
    assert_false(has(cache, scene_of(&arena, 400), "x"));
    picture_cache_destroy(cache);
    picture_cache_keep(NULL, scene_of(&arena, 400), "x", 1);
    assert_false(has(NULL, scene_of(&arena, 400), "x"));
    picture_cache_destroy(NULL);
}

static void *keep_and_find(void *context)
{
    struct arena memory = {0};
    for (unsigned i = 0; i < 300; i++) {
        const struct scene *scene = scene_of(&memory, 400 + i % 7);
        char text[16];
        const char *bytes;
        size_t length = (size_t)snprintf(text, sizeof text, "picture %u", i % 7), found;
        picture_cache_keep(context, scene, text, length);
        if (picture_cache_find(context, scene, &memory, &bytes, &found) &&
            (found != length || memcmp(bytes, text, length) != 0))
            return context;
        arena_reset(&memory);
    }
    arena_finish(&memory);
    return NULL;
}

static void threads_use_it_at_once(void **state)
{
    (void)state;
    struct picture_cache *cache = picture_cache_create(8192); /* room for two or three */
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, keep_and_find, cache), 0);
    for (int i = 0; i < 4; i++) {
        void *fault;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
    }
    picture_cache_destroy(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_was_kept_is_found_and_nothing_else, teardown),
        cmocka_unit_test_teardown(beyond_the_budget_the_one_that_was_not_asked_for_longest_goes, teardown),
        cmocka_unit_test_teardown(what_is_larger_than_the_budget_is_not_kept, teardown),
        cmocka_unit_test_teardown(threads_use_it_at_once, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
