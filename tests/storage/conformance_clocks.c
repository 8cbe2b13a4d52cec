/* Every backend: what clocks need, which is times of actions, watched games, and beats. */
#include "tests/storage/conformance_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static int64_t service_ms(void)
{
    int64_t kept = -1;
    assert_int_equal(storage_service_ms(conformance_storage, &kept), STORAGE_OK);
    return kept;
}

static enum storage_status beat(int64_t at_ms)
{
    struct storage_write write = fixture_beat(at_ms);
    return fixture_write(conformance_storage, &write);
}

static void a_store_without_a_beat_says_0(void **state)
{
    (void)state;
    (void)fixture_create(conformance_storage, "beatless2345");
    assert_int_equal(service_ms(), 0);
}

static void a_beat_never_goes_back(void **state)
{
    (void)state;
    static const struct {
        int64_t beat, kept;
    } rows[] = {{0, 0},       {5000, 5000},           {4999, 5000},   {0, 5000},
                {5000, 5000}, {INT64_MAX, INT64_MAX}, {1, INT64_MAX}, {INT64_MAX - 1, INT64_MAX}};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        assert_int_equal(beat(rows[i].beat), STORAGE_OK);
        assert_int_equal(service_ms(), rows[i].kept);
    }
}

static void a_beat_is_there_after_reopening(void **state)
{
    (void)state;
    assert_int_equal(beat(86400001), STORAGE_OK);
    conformance_reopen();
    assert_int_equal(service_ms(), 86400001);
    assert_int_equal(beat(86400000), STORAGE_OK);
    assert_int_equal(service_ms(), 86400001);
}

/* Refused and broken neighbours, so that batches are done over. */
static void beats_and_other_writes_do_not_touch_each_other(void **state)
{
    (void)state;
    enum { WRITES = 40 };
    static char ids[WRITES][STORAGE_ID_LENGTH + 1];
    struct storage_write writes[WRITES];
    for (size_t i = 0; i < WRITES; i++) {
        /* A game, a beat, a game whose id is taken, a beat; one game lacks what it must have. */
        (void)snprintf(ids[i], sizeof ids[i], "beaten%06zu", i % 4 == 2 ? i - 2 : i);
        writes[i] = i % 2 == 1 ? fixture_beat(1000 + (int64_t)i) : fixture_creation(ids[i]);
    }
    writes[20].game.access = NULL;
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, WRITES);
    fixture_await(answers);
    for (size_t i = 0; i < WRITES; i++) {
        /* The one after the broken game gets its id. */
        enum storage_status refusal = i % 4 == 2 && i != 22 ? STORAGE_CONFLICT : STORAGE_OK;
        assert_int_equal(fixture_answer(answers, &writes[i]), i == 20 ? STORAGE_UNAVAILABLE : refusal);
    }
    fixture_answers_destroy(answers);
    assert_int_equal(service_ms(), 1039);
    assert_int_equal(conformance_actions_of("beaten000020"), 1);
    assert_int_equal(conformance_actions_of("beaten000036"), 1);
}

static void a_beat_counts_as_a_write(void **state)
{
    (void)state;
    assert_int_equal(beat(7), STORAGE_OK);
    assert_int_equal(beat(6), STORAGE_OK);
    struct storage_counters counters;
    storage_counters(conformance_storage, &counters);
    assert_int_equal(counters.writes, 2);
    assert_int_equal(counters.transactions, 2);
    assert_int_equal(counters.conflicts + counters.faults, 0);
}

static int64_t create_watched(const char *id, const char *visibility, bool watched)
{
    struct storage_write write = fixture_creation(id);
    write.game.visibility = visibility;
    write.game.watched = watched;
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    return write.game.key;
}

static void assert_watched(int64_t after_key, uint32_t limit, const int64_t *keys, size_t count)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_watched(conformance_storage, after_key, limit, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, count);
    for (size_t i = 0; i < count; i++) {
        assert_int_equal(kept.games[i].key, keys[i]);
        assert_true(kept.games[i].watched);
    }
    fixture_rows_free(&kept);
}

/* An append that sets the columns that may change. */
static void set_watched(int64_t key, const char *id, bool watched)
{
    static const struct storage_action action = {.version = 2,
                                                 .at_ms = 5,
                                                 .kind = "clock",
                                                 .white_ms = -1,
                                                 .black_ms = -1,
                                                 .spent_ms = -1,
                                                 .service_ms = -1};
    struct storage_write write = {
        .kind = STORAGE_APPEND, .updates_game = true, .actions = &action, .action_count = 1};
    write.game = fixture_creation(id).game;
    write.game.key = key;
    write.game.watched = watched;
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
}

static void watched_games_come_in_order_of_key_whoever_may_see_them(void **state)
{
    (void)state;
    assert_watched(0, 0, NULL, 0);
    int64_t keys[5];
    keys[0] = create_watched("public234567", "public", true);
    (void)create_watched("untimed23456", "public", false);
    keys[1] = create_watched("private23456", "private", true);
    keys[2] = create_watched("unlisted2345", "unlisted", true);
    (void)create_watched("quiet2345678", "private", false);
    keys[3] = create_watched("another23456", "private", true);
    keys[4] = create_watched("last23456789", "public", true);
    assert_watched(0, 0, keys, 5);
    assert_watched(0, 2, keys, 2);
    assert_watched(keys[1], 2, keys + 2, 2);
    assert_watched(keys[3], 2, keys + 4, 1);
    assert_watched(keys[4], 2, NULL, 0);
    assert_watched(INT64_MAX, 0, NULL, 0);
    conformance_reopen();
    assert_watched(0, 0, keys, 5);
}

static void an_append_may_begin_and_end_the_watch(void **state)
{
    (void)state;
    int64_t keys[2];
    int64_t ended = create_watched("ended2345678", "public", true);
    keys[0] = create_watched("begun2345678", "private", false);
    keys[1] = create_watched("stays2345678", "public", true);
    set_watched(ended, "ended2345678", false);
    set_watched(keys[0], "begun2345678", true);
    assert_int_equal(conformance_append_moves(keys[1], 1, 1), STORAGE_OK); /* sets no column of the game */
    assert_watched(0, 0, keys, 2);
}

static void a_refused_append_leaves_the_watch(void **state)
{
    (void)state;
    int64_t key = create_watched("refused23456", "public", true);
    static const struct storage_action taken = {.version = 1, .kind = "clock"};
    struct storage_write write = {
        .kind = STORAGE_APPEND, .updates_game = true, .actions = &taken, .action_count = 1};
    write.game = fixture_creation("refused23456").game;
    write.game.key = key;
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_CONFLICT);
    assert_watched(0, 0, &key, 1);
}

static void a_deleted_game_is_watched_no_more(void **state)
{
    (void)state;
    int64_t gone = create_watched("gone23456789", "public", true);
    int64_t left = create_watched("left23456789", "public", true);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = gone}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_watched(0, 0, &left, 1);
}

static void a_reader_may_stop_among_watched_games(void **state)
{
    (void)state;
    (void)create_watched("stop00234567", "public", true);
    (void)create_watched("stop01234567", "public", true);
    struct fixture_rows kept = {.stop_after = 1};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_watched(conformance_storage, 0, 0, &rows), STORAGE_STOPPED);
    assert_int_equal(kept.game_count, 1);
    fixture_rows_free(&kept);
}

static void tags_and_watch_come_back_from_every_read_of_games(void **state)
{
    (void)state;
    struct storage_write write = fixture_creation("tagged234567");
    write.game.tags = "Event\tCaf\u00e9 \"Schach\"\nRound\t1.2";
    write.game.clock = "40/5400+30:1800+30";
    write.game.watched = true;
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    const struct storage_query everything = {0};
    assert_int_equal(storage_load(conformance_storage, "tagged234567", &rows), STORAGE_OK);
    assert_int_equal(storage_list(conformance_storage, &everything, &rows), STORAGE_OK);
    assert_int_equal(storage_watched(conformance_storage, 0, 0, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 3);
    for (size_t i = 0; i < kept.game_count; i++)
        conformance_assert_game(&kept.games[i], &write.game);
    fixture_rows_free(&kept);
}

static void times_come_back_from_every_read_of_actions(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "timed2345678");
    static const struct {
        int64_t white_ms, black_ms, spent_ms, service_ms;
    } times[] = {{-1, -1, -1, -1}, {0, 0, 0, 0}, {1, 2, 3, 4}, {INT64_MAX, -1, INT64_MAX, -1}};
    enum { MOVES = LENGTH(times) };
    struct storage_action actions[MOVES];
    struct storage_write write = fixture_moves(key, actions, MOVES, 1);
    for (size_t i = 0; i < MOVES; i++) {
        actions[i].white_ms = times[i].white_ms;
        actions[i].black_ms = times[i].black_ms;
        actions[i].spent_ms = times[i].spent_ms;
        actions[i].service_ms = times[i].service_ms;
    }
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_moves(conformance_storage, key, &(struct storage_span){0}, &rows), STORAGE_OK);
    assert_int_equal(storage_actions_after(conformance_storage, key, 1, 0, &rows), STORAGE_OK);
    assert_int_equal(storage_load(conformance_storage, "timed2345678", &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 3 * MOVES + 1);
    for (size_t i = 0; i < MOVES; i++) {
        conformance_assert_action(&kept.actions[i], &actions[i]);
        conformance_assert_action(&kept.actions[MOVES + i], &actions[i]);
        conformance_assert_action(&kept.actions[2 * MOVES + 1 + i], &actions[i]); /* behind the creation */
    }
    fixture_rows_free(&kept);
}

int conformance_run_clocks(void)
{
    const struct CMUnitTest tests[] = {
        CONFORMANCE_TEST(a_store_without_a_beat_says_0),
        CONFORMANCE_TEST(a_beat_never_goes_back),
        CONFORMANCE_TEST(a_beat_is_there_after_reopening),
        CONFORMANCE_TEST(beats_and_other_writes_do_not_touch_each_other),
        CONFORMANCE_TEST(a_beat_counts_as_a_write),
        CONFORMANCE_TEST(watched_games_come_in_order_of_key_whoever_may_see_them),
        CONFORMANCE_TEST(an_append_may_begin_and_end_the_watch),
        CONFORMANCE_TEST(a_refused_append_leaves_the_watch),
        CONFORMANCE_TEST(a_deleted_game_is_watched_no_more),
        CONFORMANCE_TEST(a_reader_may_stop_among_watched_games),
        CONFORMANCE_TEST(tags_and_watch_come_back_from_every_read_of_games),
        CONFORMANCE_TEST(times_come_back_from_every_read_of_actions),
    };
    return cmocka_run_group_tests_name("every backend: clocks", tests, NULL, NULL);
}
