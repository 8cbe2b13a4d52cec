/* Every backend: lists and their pages; readers that stop. */
#include "tests/storage/conformance_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void a_reader_may_stop_and_the_storage_goes_on(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "stops2345678");
    (void)fixture_create(conformance_storage, "stops2345679");
    assert_int_equal(conformance_append_moves(key, 3, 1), STORAGE_OK);
    for (size_t stop_after = 1; stop_after <= 2; stop_after++) {
        struct fixture_rows kept = {.stop_after = stop_after};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_load(conformance_storage, "stops2345678", &rows), STORAGE_STOPPED);
        assert_int_equal(kept.game_count + kept.action_count, stop_after);
        fixture_rows_free(&kept);
    }
    struct fixture_rows kept = {.stop_after = 1};
    struct storage_rows rows = fixture_keep(&kept);
    const struct storage_query everything = {0};
    assert_int_equal(storage_list(conformance_storage, &everything, &rows), STORAGE_STOPPED);
    fixture_rows_free(&kept);
    assert_int_equal(conformance_append_moves(key, 1, 4), STORAGE_OK);
    assert_int_equal(conformance_actions_of("stops2345678"), 5);
}

static void rows_that_nobody_wants_need_no_callback(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "quiet2345678");
    const struct storage_rows none = {0};
    const struct storage_query everything = {0};
    assert_int_equal(storage_load(conformance_storage, "quiet2345678", &none), STORAGE_OK);
    assert_int_equal(storage_actions_after(conformance_storage, key, 0, 1, &none), STORAGE_OK);
    assert_int_equal(storage_list(conformance_storage, &everything, &none), STORAGE_OK);
}

static void assert_all(int64_t after_key, uint32_t limit, const int64_t *keys, size_t count)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_all(conformance_storage, after_key, limit, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(kept.games[i].key, keys[i]);
    fixture_rows_free(&kept);
}

static void all_games_come_in_order_of_creation_whoever_may_see_them(void **state)
{
    (void)state;
    static const char *const visibilities[] = {"public", "unlisted", "private", "public"};
    int64_t keys[LENGTH(visibilities)];
    assert_all(0, 0, NULL, 0);
    for (size_t i = 0; i < LENGTH(visibilities); i++) {
        char id[STORAGE_ID_LENGTH + 1];
        (void)snprintf(id, sizeof id, "everyone%04zu", LENGTH(visibilities) - i);
        struct storage_write write = fixture_creation(id);
        write.game.visibility = visibilities[i];
        write.game.created_at_ms -= (int64_t)i; /* the clock goes back */
        assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
        keys[i] = write.game.key;
    }
    assert_all(0, 0, keys, 4);
    assert_all(0, 3, keys, 3);
    assert_all(keys[1], 0, keys + 2, 2);
    assert_all(keys[3], 1, NULL, 0);
}

/* Eight games; the clock steps back by an hour after the fourth. */
static const struct listed {
    const char *id;
    int64_t created_at_ms;
    const char *visibility, *status, *white, *black;
} listed[] = {
    {"listed000001", 10000000, "public", "active", "Ann", "Bob"},
    {"listed000002", 10000500, "public", "ended", "Bob", "Ann"},
    {"listed000003", 10001000, "private", "active", "Ann", "Bob"},
    {"listed000004", 10001500, "public", "active", "Cyd", NULL},
    {"listed000005", 6401500, "public", "active", NULL, NULL},
    {"listed000006", 6402000, "unlisted", "ended", "Ann", "Ann"},
    {"listed000007", 6402500, "public", "ended", "Ann", "Ann"},
    {"listed000008", 10002000, "public", "active", "bob", "Dee"},
};

static void create_listed_games(void)
{
    for (size_t i = 0; i < LENGTH(listed); i++) {
        struct storage_write write = fixture_creation(listed[i].id);
        write.game.created_at_ms = listed[i].created_at_ms;
        write.game.visibility = listed[i].visibility;
        write.game.status = listed[i].status;
        write.game.white_name = listed[i].white;
        write.game.black_name = listed[i].black;
        assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    }
}

/* The last digits of the ids that a list gives. */
static void list_digits(const struct storage_query *query, char digits[16])
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_list(conformance_storage, query, &rows), STORAGE_OK);
    assert_true(kept.game_count < 16);
    for (size_t i = 0; i < kept.game_count; i++)
        digits[i] = kept.games[i].id[STORAGE_ID_LENGTH - 1];
    digits[kept.game_count] = '\0';
    fixture_rows_free(&kept);
}

static void lists_show_the_public_games_that_were_asked_for(void **state)
{
    (void)state;
    create_listed_games();
    static const struct {
        const char *label;
        struct storage_query query;
        const char *digits;
    } rows[] = {
        {"everything, newest first", {.limit = 50}, "875421"},
        {"everything, no limit", {.limit = 0}, "875421"},
        {"oldest first", {.order = STORAGE_OLDEST_FIRST, .limit = 50}, "124578"},
        {"a limit", {.limit = 2}, "87"},
        {"by status", {.status = "ended", .limit = 50}, "72"},
        {"by status, oldest first", {.status = "active", .order = STORAGE_OLDEST_FIRST}, "1458"},
        {"by status, limited", {.status = "active", .limit = 3}, "854"},
        {"by an unknown status", {.status = "lost"}, ""},
        {"by player on either side, once where on both", {.player = "Ann"}, "721"},
        {"by player, oldest first, limited",
         {.player = "Ann", .order = STORAGE_OLDEST_FIRST, .limit = 2},
         "12"},
        {"by player, case as given", {.player = "bob"}, "8"},
        {"by player and status", {.player = "Ann", .status = "ended"}, "72"},
        {"by an unknown player", {.player = "Eve"}, ""},
        {"since, across the step of the clock", {.since_ms = 10000500}, "842"},
        {"until is excluded", {.until_ms = 10000500}, "751"},
        {"a span before the step", {.since_ms = 10000000, .until_ms = 10001500}, "21"},
        {"a span after the step", {.since_ms = 6401501, .until_ms = 6402501}, "7"},
        {"a span of nothing", {.since_ms = 7000000, .until_ms = 9000000}, ""},
        {"a span, status and player",
         {.since_ms = 6000000, .until_ms = 7000000, .status = "ended", .player = "Ann"},
         "7"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char digits[16];
        list_digits(&rows[i].query, digits);
        if (strcmp(digits, rows[i].digits) != 0)
            fail_msg("%s: %s instead of %s", rows[i].label, digits, rows[i].digits);
    }
}

static size_t pages_until_end(struct storage_query query, char *digits)
{
    size_t pages = 0;
    for (;; pages++) {
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_list(conformance_storage, &query, &rows), STORAGE_OK);
        size_t count = kept.game_count;
        for (size_t i = 0; i < count; i++)
            *digits++ = kept.games[i].id[STORAGE_ID_LENGTH - 1];
        if (count > 0)
            query.after_key = kept.games[count - 1].key;
        fixture_rows_free(&kept);
        if (count == 0)
            break;
    }
    *digits = '\0';
    return pages;
}

static void pages_of_a_list_neither_skip_nor_repeat(void **state)
{
    (void)state;
    create_listed_games();
    static const struct {
        struct storage_query query;
        const char *digits;
    } rows[] = {
        {{.limit = 1}, "875421"},
        {{.limit = 4}, "875421"},
        {{.limit = 2, .order = STORAGE_OLDEST_FIRST}, "124578"},
        {{.limit = 1, .status = "active"}, "8541"},
        {{.limit = 1, .player = "Ann"}, "721"},
        {{.limit = 2, .player = "Ann", .order = STORAGE_OLDEST_FIRST}, "127"},
        {{.limit = 1, .since_ms = 10000500}, "842"},
        {{.limit = 1, .until_ms = 10000500, .order = STORAGE_OLDEST_FIRST}, "157"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        char digits[16];
        size_t pages = pages_until_end(rows[i].query, digits);
        assert_string_equal(digits, rows[i].digits);
        assert_int_equal(pages, (strlen(digits) + rows[i].query.limit - 1) / rows[i].query.limit);
    }
}

static void a_list_shows_a_game_as_it_is_now(void **state)
{
    (void)state;
    create_listed_games();
    struct fixture_rows kept;
    assert_int_equal(conformance_load("listed000001", &kept), STORAGE_OK);
    struct storage_write write = {.kind = STORAGE_APPEND, .updates_game = true, .game = kept.games[0]};
    write.game.status = "ended";
    write.game.white_name = "Fay";
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    fixture_rows_free(&kept);
    char digits[16];
    const struct storage_query ended = {.status = "ended"};
    const struct storage_query of_fay = {.player = "Fay"};
    const struct storage_query of_ann = {.player = "Ann"};
    list_digits(&ended, digits);
    assert_string_equal(digits, "721");
    list_digits(&of_fay, digits);
    assert_string_equal(digits, "1");
    list_digits(&of_ann, digits);
    assert_string_equal(digits, "72");
}

int conformance_run_lists(void)
{
    const struct CMUnitTest tests[] = {
        CONFORMANCE_TEST(a_reader_may_stop_and_the_storage_goes_on),
        CONFORMANCE_TEST(all_games_come_in_order_of_creation_whoever_may_see_them),
        CONFORMANCE_TEST(rows_that_nobody_wants_need_no_callback),
        CONFORMANCE_TEST(lists_show_the_public_games_that_were_asked_for),
        CONFORMANCE_TEST(pages_of_a_list_neither_skip_nor_repeat),
        CONFORMANCE_TEST(a_list_shows_a_game_as_it_is_now),
    };
    return cmocka_run_group_tests_name("every backend: lists", tests, NULL, NULL);
}
