/* api/cache: answers that were made before. */
#include "api/cache.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

static struct arena arena;

static int teardown(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static void keep(struct cache *cache, const char *first, const char *second, const char *answer)
{
    const struct cache_part key[] = {{first, strlen(first)}, {second, strlen(second)}};
    cache_keep(cache, key, 2, answer, strlen(answer));
}

/* NULL: not there. */
static const char *find_in(struct cache *cache, struct arena *holder, const char *first, const char *second)
{
    const struct cache_part key[] = {{first, strlen(first)}, {second, strlen(second)}};
    struct cache_found found;
    return cache_find(cache, key, 2, holder, &found) ? arena_copy(&arena, found.bytes, found.length) : NULL;
}

static void assert_has(struct cache *cache, const char *first, const char *second, const char *answer)
{
    const char *found = find_in(cache, &arena, first, second);
    assert_non_null(found);
    assert_string_equal(found, answer);
}

static void assert_has_not(struct cache *cache, const char *first, const char *second)
{
    assert_null(find_in(cache, &arena, first, second));
}

static void what_was_kept_is_found_and_nothing_else(void **state)
{
    (void)state;
    struct cache *cache = cache_create(1 << 20);
    assert_has_not(cache, "one", "two");
    keep(cache, "one", "two", "first");
    assert_has(cache, "one", "two", "first");
    assert_has_not(cache, "one", "twp");
    assert_has_not(cache, "onet", "wo"); /* the same bytes, parted elsewhere */
    assert_has_not(cache, "onetwo", "");
    assert_has_not(cache, "", "onetwo");
    keep(cache, "", "onetwo", "second");
    assert_has(cache, "", "onetwo", "second");
    keep(cache, "one", "two", "again"); /* there already */
    assert_has(cache, "one", "two", "first");
    cache_destroy(cache);
}

/* Keys of all lengths around those that are hashed at once. */
static void each_byte_of_a_key_counts(void **state)
{
    (void)state;
    struct cache *cache = cache_create(1 << 20);
    char key[26] = "abcdefghijklmnopqrstuvwxy";
    for (size_t length = 1; length < sizeof key - 1; length++) {
        const struct cache_part part = {key, length};
        struct cache_found found;
        cache_keep(cache, &part, 1, "x", 1);
        for (size_t i = 0; i < length; i++) {
            key[i] ^= 1;
            assert_false(cache_find(cache, &part, 1, &arena, &found));
            key[i] ^= 1;
        }
        assert_true(cache_find(cache, &part, 1, &arena, &found));
    }
    cache_destroy(cache);
}

enum {
    ANSWER = 4000,
    BESIDES = RESPONSE_FORM_BYTES + 128, /* what an entry is counted with */
};

static void keep_numbered(struct cache *cache, unsigned number)
{
    static char answer[ANSWER];
    const struct cache_part key = {&number, sizeof number};
    memset(answer, (int)number, sizeof answer);
    cache_keep(cache, &key, 1, answer, sizeof answer);
}

static const char *find_numbered(struct cache *cache, struct arena *holder, unsigned number)
{
    const struct cache_part key = {&number, sizeof number};
    struct cache_found found;
    if (!cache_find(cache, &key, 1, holder, &found))
        return NULL;
    assert_int_equal(found.length, ANSWER);
    return found.bytes;
}

static void beyond_the_budget_the_one_that_was_not_asked_for_longest_goes(void **state)
{
    (void)state;
    struct cache *cache = cache_create((size_t)3 * (ANSWER + BESIDES));
    for (unsigned i = 0; i < 3; i++)
        keep_numbered(cache, i);
    for (unsigned i = 0; i < 3; i++)
        assert_non_null(find_numbered(cache, &arena, i));
    assert_non_null(find_numbered(cache, &arena, 0)); /* the oldest is now 1 */
    keep_numbered(cache, 3);
    assert_null(find_numbered(cache, &arena, 1));
    assert_true(find_numbered(cache, &arena, 0) && find_numbered(cache, &arena, 2) &&
                find_numbered(cache, &arena, 3));
    cache_destroy(cache);
}

static void what_is_larger_than_the_budget_is_not_kept(void **state)
{
    (void)state;
    struct cache *cache = cache_create(ANSWER + RESPONSE_FORM_BYTES);
    keep_numbered(cache, 1);
    assert_null(find_numbered(cache, &arena, 1));
    keep(cache, "a", "b", "small");
    assert_has(cache, "a", "b", "small");
    cache_destroy(cache);
    cache = cache_create(0);
    keep(cache, "a", "b", "");
    assert_has_not(cache, "a", "b");
    cache_destroy(cache);
    keep(NULL, "a", "b", "small");
    assert_has_not(NULL, "a", "b");
    cache_destroy(NULL);
}

/* The sanitizers see a byte that is read after it was freed, and one that is never freed. */
static void what_an_arena_holds_outlives_its_eviction_and_the_cache(void **state)
{
    (void)state;
    struct cache *cache = cache_create(ANSWER + BESIDES);
    struct arena holder = {0};
    keep_numbered(cache, 1);
    const char *evicted = find_numbered(cache, &holder, 1);
    assert_non_null(evicted);
    assert_ptr_equal(find_numbered(cache, &holder, 1), evicted); /* not a copy */
    keep_numbered(cache, 2);
    assert_null(find_numbered(cache, &arena, 1));
    const char *held = find_numbered(cache, &holder, 2);
    assert_non_null(held);
    cache_destroy(cache);
    for (size_t i = 0; i < ANSWER; i++) {
        assert_int_equal(evicted[i], 1);
        assert_int_equal(held[i], 2);
    }
    arena_finish(&holder);
}

static void keep_again(struct cache *cache, const char *key, const char *answer)
{
    const struct cache_part part = {key, strlen(key)};
    cache_keep_again(cache, &part, 1, answer, strlen(answer));
}

static bool has(struct cache *cache, const char *key)
{
    const struct cache_part part = {key, strlen(key)};
    struct cache_found found;
    return cache_find(cache, &part, 1, &arena, &found);
}

static void what_is_brought_again_is_kept_and_what_is_brought_once_is_not(void **state)
{
    (void)state;
    struct cache *cache = cache_create(1 << 20);
    keep_again(cache, "another", "other");
    keep_again(cache, "key", "first");
    assert_false(has(cache, "key"));
    keep_again(cache, "key", "second");
    assert_true(has(cache, "key"));
    assert_false(has(cache, "another"));
    char name[16];
    for (int i = 0; i < 10000; i++) { /* each once: they take nobody's room */
        (void)snprintf(name, sizeof name, "%d", i);
        keep_again(cache, name, "once");
        assert_false(has(cache, name));
    }
    assert_true(has(cache, "key"));
    cache_destroy(cache);
    cache = cache_create(0);
    keep_again(cache, "key", "x");
    keep_again(cache, "key", "x");
    assert_false(has(cache, "key"));
    cache_destroy(cache);
    keep_again(NULL, "key", "x");
}

struct counted {
    struct response_form form;
    unsigned destroyed;
};

static void count_destroyed(struct response_form *form)
{
    ((struct counted *)form)->destroyed++;
}

static void what_stands_in_a_slot_goes_with_the_last_who_has_the_answer(void **state)
{
    (void)state;
    struct cache *cache = cache_create(ANSWER + BESIDES);
    struct counted counted = {.form = {count_destroyed}};
    struct arena holder = {0};
    struct cache_found found, again;
    const struct cache_part key = {"key", 3};
    cache_keep(cache, &key, 1, "x", 1);
    assert_true(cache_find(cache, &key, 1, &holder, &found));
    assert_null(atomic_load(&found.slot->form));
    atomic_store(&found.slot->form, &counted.form);
    assert_true(cache_find(cache, &key, 1, &arena, &again));
    assert_ptr_equal(again.slot, found.slot);
    arena_reset(&arena);
    keep_numbered(cache, 1); /* there is room for one */
    assert_false(cache_find(cache, &key, 1, &arena, &again));
    assert_int_equal(counted.destroyed, 0);
    arena_finish(&holder);
    assert_int_equal(counted.destroyed, 1);
    assert_non_null(find_numbered(cache, &arena, 1));
    cache_destroy(cache);
}

/* The context where an answer is not that of its key. */
static void *keep_and_find(void *context)
{
    static const char ANSWERS[7][9] = {"answer 0", "answer 1", "answer 2", "answer 3",
                                       "answer 4", "answer 5", "answer 6"};
    struct arena memory = {0};
    for (unsigned i = 0; i < 3000; i++) {
        unsigned number = i % 7;
        const struct cache_part key = {&number, sizeof number};
        struct cache_found found;
        cache_keep(context, &key, 1, ANSWERS[number], sizeof ANSWERS[number]);
        if (cache_find(context, &key, 1, &memory, &found) &&
            (found.length != sizeof ANSWERS[number] ||
             memcmp(found.bytes, ANSWERS[number], found.length) != 0))
            return context;
        if (i % 5 == 0)
            arena_reset(&memory);
    }
    arena_finish(&memory);
    return NULL;
}

struct looking {
    struct response_form form;
    struct cache *cache;
    unsigned destroyed;
};

/* It takes the lock of the cache, which whoever destroys must not have. */
static void look(struct response_form *form)
{
    struct looking *looking = (struct looking *)form;
    assert_has_not(looking->cache, "a", "");
    looking->destroyed++;
}

static void what_is_dropped_is_freed_without_the_lock(void **state)
{
    (void)state;
    const struct cache_part key[] = {{"a", 1}, {"", 0}};
    struct arena holder = {0};
    struct cache_found found;
    struct cache *cache = cache_create(RESPONSE_FORM_BYTES + 1000);
    struct looking looking = {.form = {look}, .cache = cache};
    keep(cache, "a", "", "first");
    assert_true(cache_find(cache, key, 2, &holder, &found));
    atomic_store(&found.slot->form, &looking.form);
    arena_finish(&holder);
    (void)alarm(10);
    keep(cache, "b", "", "second");
    (void)alarm(0);
    assert_int_equal(looking.destroyed, 1);
    assert_has(cache, "b", "", "second");
    cache_destroy(cache);
}

static void threads_use_it_at_once(void **state)
{
    (void)state;
    struct cache *cache = cache_create((size_t)3 * BESIDES); /* room for three */
    pthread_t threads[4];
    for (int i = 0; i < 4; i++)
        assert_int_equal(pthread_create(&threads[i], NULL, keep_and_find, cache), 0);
    for (int i = 0; i < 4; i++) {
        void *fault;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
    }
    cache_destroy(cache);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(what_was_kept_is_found_and_nothing_else, teardown),
        cmocka_unit_test_teardown(each_byte_of_a_key_counts, teardown),
        cmocka_unit_test_teardown(beyond_the_budget_the_one_that_was_not_asked_for_longest_goes, teardown),
        cmocka_unit_test_teardown(what_is_larger_than_the_budget_is_not_kept, teardown),
        cmocka_unit_test_teardown(what_an_arena_holds_outlives_its_eviction_and_the_cache, teardown),
        cmocka_unit_test_teardown(what_is_brought_again_is_kept_and_what_is_brought_once_is_not, teardown),
        cmocka_unit_test_teardown(what_stands_in_a_slot_goes_with_the_last_who_has_the_answer, teardown),
        cmocka_unit_test_teardown(what_is_dropped_is_freed_without_the_lock, teardown),
        cmocka_unit_test_teardown(threads_use_it_at_once, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
