/* The SQLite backend: files of schema 2, which knew clocks, but neither tokens nor receipts. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/storage/conformance_parts.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const char version_2_rows[] =
    "INSERT INTO games VALUES"
    "(3, 'first2345678', 'standard', NULL, 'profile=online', '300+3', 1700000000123, 'seats', 'private',"
    " 'Ada', '', '{\"round\":1}', 'ended', '1-0', 'resignation', 1700000009999, 'Event\tCup', 0),"
    "(4, 'second234567', 'chess960', 'rnbq', NULL, '60', 1700000000100, 'open', 'public',"
    " NULL, NULL, NULL, 'active', NULL, NULL, NULL, NULL, 1);"
    "UPDATE store SET newest_ms = 1700000000123, skew_ms = 23, proofs = 5, service_ms = 86400123;"
    "INSERT INTO actions VALUES"
    "(3, 1, 1700000000123, 'created', NULL, 0, NULL, 17, 300000, 300000, NULL, NULL, 500),"
    "(3, 2, 1700000001000, 'move', 'white', 1, 'e2e4', -1, 299000, 300000, 'comment=%E2', 1000, 1500),"
    "(3, 3, 1700000009999, 'resign', 'black', 1, NULL, -1, NULL, NULL, '', NULL, NULL),"
    "(4, 1, 1700000000100, 'created', NULL, 0, NULL, 20, 60000, 60000, NULL, NULL, 86400000);"
    "INSERT INTO moves VALUES(3, 1, 2, 'e4');";

static const struct storage_game first_game = {
    .key = 3,
    .id = "first2345678",
    .variant = "standard",
    .rules = "profile=online",
    .clock = "300+3",
    .tags = "Event\tCup",
    .created_at_ms = 1700000000123,
    .access = "seats",
    .visibility = "private",
    .white_name = "Ada",
    .black_name = "",
    .metadata = "{\"round\":1}",
    .status = "ended",
    .result = "1-0",
    .termination = "resignation",
    .ended_at_ms = 1700000009999,
};

static const struct storage_game second_game = {
    .key = 4,
    .id = "second234567",
    .variant = "chess960",
    .start = "rnbq",
    .clock = "60",
    .created_at_ms = 1700000000100,
    .access = "open",
    .visibility = "public",
    .status = "active",
    .watched = true,
};

static const struct storage_action first_actions[] = {
    {.version = 1,
     .at_ms = 1700000000123,
     .kind = "created",
     .position_key = 17,
     .white_ms = 300000,
     .black_ms = 300000,
     .spent_ms = -1,
     .service_ms = 500},
    {.version = 2,
     .at_ms = 1700000001000,
     .kind = "move",
     .seat = "white",
     .ply = 1,
     .move = "e2e4",
     .position_key = UINT64_MAX,
     .white_ms = 299000,
     .black_ms = 300000,
     .spent_ms = 1000,
     .service_ms = 1500,
     .payload = "comment=%E2"},
    {.version = 3,
     .at_ms = 1700000009999,
     .kind = "resign",
     .seat = "black",
     .ply = 1,
     .position_key = UINT64_MAX,
     .white_ms = -1,
     .black_ms = -1,
     .spent_ms = -1,
     .service_ms = -1,
     .payload = ""},
};

static void assert_games_as_before(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "first2345678", &rows), STORAGE_OK);
    assert_int_equal(storage_moves(storage, 3, &(struct storage_span){0}, &rows), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &first_game);
    assert_int_equal(kept.action_count, LENGTH(first_actions) + 1);
    for (size_t i = 0; i < LENGTH(first_actions); i++)
        conformance_assert_action(&kept.actions[i], &first_actions[i]);
    conformance_assert_action(&kept.actions[LENGTH(first_actions)], &first_actions[1]);
    assert_string_equal(kept.actions[LENGTH(first_actions)].san, "e4");
    fixture_rows_free(&kept);
    assert_int_equal(storage_watched(storage, 0, 0, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &second_game);
    fixture_rows_free(&kept);
}

static void assert_times_as_before(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    int64_t service_ms = 0;
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 86400123);
    /* Found only with the skew that was kept. */
    const struct storage_query then = {.since_ms = 1700000000100, .until_ms = 1700000000101};
    assert_int_equal(storage_list(storage, &then, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &second_game);
    fixture_rows_free(&kept);
}

static void read_version_2(enum scene_way_out way_out)
{
    scene_make_version(2, version_2_rows, way_out);
    struct storage *storage = fixture_open(scene.url);
    assert_games_as_before(storage);
    assert_times_as_before(storage);
    storage_close(storage);
    /* Opened again, nothing is brought forward a second time. */
    storage = fixture_open(scene.url);
    assert_games_as_before(storage);
    storage_close(storage);
}

static void games_of_version_2_read_as_before(void **state)
{
    (void)state;
    read_version_2(SCENE_CLOSED);
}

static void games_of_version_2_in_the_log_read_as_before(void **state)
{
    (void)state;
    read_version_2(SCENE_KILLED);
}

static bool count_receipt(void *context, const struct storage_receipt *row)
{
    assert_int_equal(row->service_ms, 86400124);
    assert_int_equal(row->answer_length, 2);
    assert_memory_equal(row->answer, "ok", 2);
    (*(int *)context)++;
    return true;
}

static void games_of_version_2_go_on_with_tokens_and_receipts(void **state)
{
    (void)state;
    scene_make_version(2, version_2_rows, SCENE_CLOSED);
    struct storage *storage = fixture_open(scene.url);
    static const uint8_t digest[STORAGE_DIGEST_SIZE] = {7};
    const struct storage_receipt receipt = {
        .id = digest, .request = digest, .answer = "ok", .answer_length = 2, .service_ms = 86400124};
    struct storage_action move;
    struct storage_write write = fixture_moves(4, &move, 1, 1);
    write.receipt = &receipt;
    write.updates_game = true;
    write.game = second_game;
    write.game.tokens = "white=aa";
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    storage_close(storage);
    storage = fixture_open(scene.url);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "second234567", &rows), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &write.game);
    assert_int_equal(kept.action_count, 2);
    fixture_rows_free(&kept);
    int receipts = 0;
    const struct storage_rows count = {.context = &receipts, .receipt = count_receipt};
    assert_int_equal(storage_receipt(storage, digest, &count), STORAGE_OK);
    assert_int_equal(receipts, 1);
    storage_close(storage);
}

static void version_2_is_kept_beside(void **state)
{
    (void)state;
    scene_make_version(2, version_2_rows, SCENE_KILLED);
    storage_close(fixture_open(scene.url));
    char *copy = fixture_path(scene.folder, "arbiter.db.before-v4");
    assert_int_equal(access(copy, F_OK), 0);
    assert_int_equal(rename(copy, scene.path), 0);
    free(copy);
    /* It is a whole store of schema 2. */
    struct storage *storage = fixture_open(scene.url);
    assert_games_as_before(storage);
    assert_times_as_before(storage);
    storage_close(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(games_of_version_2_read_as_before),
        SCENE_TEST(games_of_version_2_in_the_log_read_as_before),
        SCENE_TEST(games_of_version_2_go_on_with_tokens_and_receipts),
        SCENE_TEST(version_2_is_kept_beside),
    };
    return cmocka_run_group_tests_name("sqlite: files of schema 2", tests, NULL, NULL);
}
