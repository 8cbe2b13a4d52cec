/* api/route_tree: the tree finds what a walk through the table finds. */
#include "api/route_tree.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/path.h"
#include "api/route.h"
#include "tests/support/chance.h"

enum { TEXT_SIZE = 256, WORDS_MAX = 256, RANDOM_PATHS = 200000 };

/* Split at slashes, nothing decoded. */
static struct path split(const char *text)
{
    struct path path = {.count = 0};
    while (*text == '/') {
        text++;
        struct text_span segment = {text, strcspn(text, "/")};
        if (path.count < PATH_SEGMENTS_MAX)
            path.segments[path.count] = segment;
        path.count++;
        text += segment.length;
    }
    return path;
}

/* The slow way. */
static bool matches(const struct path *path, const char *template)
{
    struct path wanted = split(template);
    if (wanted.count != path->count)
        return false;
    for (size_t i = 0; i < path->count; i++) {
        const struct text_span *segment = &path->segments[i], *word = &wanted.segments[i];
        bool is_value = word->length > 0 && word->text[0] == '{';
        if (is_value
                ? segment->length == 0
                : segment->length != word->length || memcmp(segment->text, word->text, word->length) != 0)
            return false;
    }
    return true;
}

static const struct route *walk(const struct path *path)
{
    for (size_t i = 0; i < route_count; i++)
        if (matches(path, route_table[i].path))
            return &route_table[i];
    return NULL;
}

static void assert_as_walked(const struct route_tree *tree, const char *text)
{
    struct path path = split(text);
    const struct route_rows *rows = route_tree_find(tree, &path);
    const struct route *first = walk(&path);
    if ((rows ? rows->first : NULL) != first)
        fail_msg("%s: %s, not %s", text, rows ? rows->first->path : "nothing",
                 first ? first->path : "nothing");
}

static void every_path_of_the_table_is_found_with_all_its_rows(void **state)
{
    struct route_tree *tree = *state;
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        struct path path = split(row->path); /* "{id}" is as good an id as any here */
        const struct route_rows *rows = route_tree_find(tree, &path);
        assert_non_null(rows);
        assert_true(rows->first <= row && row < rows->end);
        assert_true(rows->methods >> row->method & 1u);
        assert_true(rows->methods >> METHOD_OPTIONS & 1u);
        assert_int_equal(rows->methods >> METHOD_HEAD & 1u, rows->methods >> METHOD_GET & 1u);
        for (const struct route *other = rows->first; other < rows->end; other++)
            assert_string_equal(other->path, row->path);
    }
}

/* All words of the table, and some that are none. */
static size_t gather_words(struct text_span words[WORDS_MAX])
{
    static const char *const OTHERS[] = {"", "x", "v", "v11", "game", "gamess", "{id}", "{", "V1"};
    size_t count = 0;
    for (size_t i = 0; i < sizeof OTHERS / sizeof *OTHERS; i++)
        words[count++] = (struct text_span){OTHERS[i], strlen(OTHERS[i])};
    for (size_t i = 0; i < route_count; i++) {
        struct path path = split(route_table[i].path);
        for (size_t j = 0; j < path.count && count < WORDS_MAX; j++)
            words[count++] = path.segments[j];
    }
    return count;
}

/* Half of them begin like a game, so that more than a few are found. */
static void the_tree_finds_what_a_walk_finds(void **state)
{
    struct text_span words[WORDS_MAX];
    size_t count = gather_words(words);
    uint64_t seed = 5;
    for (int i = 0; i < RANDOM_PATHS; i++) {
        char text[TEXT_SIZE];
        size_t length = 0, segments = 1 + chance_below(&seed, PATH_SEGMENTS_MAX + 1);
        if (i % 2)
            length = (size_t)snprintf(text, sizeof text, "/v1/games/x");
        for (size_t j = 0; j < segments && length < TEXT_SIZE - 32; j++) {
            const struct text_span *word = &words[chance_below(&seed, (unsigned)count)];
            length +=
                (size_t)snprintf(text + length, sizeof text - length, "/%.*s", (int)word->length, word->text);
        }
        assert_as_walked(*state, text);
    }
}

static void more_segments_than_any_path_has_match_nothing(void **state)
{
    assert_as_walked(*state, "/v1/games/x/moves/1/1/1/1");
    assert_as_walked(*state, "/v1/games/x/moves/1/1/1/1/1");
}

static enum api_result handle(struct exchange *exchange)
{
    (void)exchange;
    return API_DONE;
}

static void a_word_goes_before_a_value_beside_it(void **state)
{
    (void)state;
    static const struct route ROWS[] = {
        {.method = METHOD_GET, .path = "/a/last", .handler = handle},
        {.method = METHOD_GET, .path = "/a/{n}", .handler = handle},
        {.method = METHOD_PUT, .path = "/a/{n}", .handler = handle},
    };
    struct route_tree *tree = route_tree_create(ROWS, sizeof ROWS / sizeof *ROWS);
    struct path word = split("/a/last"), value = split("/a/lasts"), none = split("/a/"), part = split("/a");
    assert_ptr_equal(route_tree_find(tree, &word)->first, &ROWS[0]);
    assert_ptr_equal(route_tree_find(tree, &word)->end, &ROWS[1]);
    assert_ptr_equal(route_tree_find(tree, &value)->first, &ROWS[1]);
    assert_ptr_equal(route_tree_find(tree, &value)->end, &ROWS[3]);
    assert_null(route_tree_find(tree, &none));
    assert_null(route_tree_find(tree, &part));
    route_tree_destroy(tree);
}

static int set_up(void **state)
{
    *state = route_tree_create(route_table, route_count);
    return *state ? 0 : -1;
}

static int tear_down(void **state)
{
    route_tree_destroy(*state);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_path_of_the_table_is_found_with_all_its_rows),
        cmocka_unit_test(the_tree_finds_what_a_walk_finds),
        cmocka_unit_test(more_segments_than_any_path_has_match_nothing),
        cmocka_unit_test(a_word_goes_before_a_value_beside_it),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
