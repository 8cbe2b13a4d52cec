/* Every backend: games and actions are kept as they were given, in order, or refused whole. */
#include "tests/storage/conformance_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const struct storage_game full_game = {
    .id = "abcdefgh2345",
    .variant = "chess960",
    .start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    .rules = "{\"profile\":\"online\"}",
    .clock = "300+3",
    .tags = "Event\tIt's \"open\"\n",
    .created_at_ms = 1700000000123,
    .access = "seats",
    .visibility = "private",
    .white_name = "Jos\u00e9 Ra\u00fal \u265a",
    .black_name = "",
    .metadata = "{\"round\":\"1'; DROP TABLE games;--\"}",
    .tokens = "white=00ff black=\u00e9",
    .status = "ended",
    .result = "1-0",
    .termination = "checkmate",
    .ended_at_ms = 1700000009999,
    .watched = true,
};

static const struct storage_action full_actions[] = {
    {.version = 1,
     .at_ms = 1700000000123,
     .kind = "created",
     .position_key = 0,
     .white_ms = 0,
     .black_ms = INT64_MAX,
     .spent_ms = -1,
     .service_ms = INT64_MAX},
    {.version = 2,
     .at_ms = -1,
     .kind = "move",
     .seat = "white",
     .ply = 1,
     .move = "e2e4",
     .san = "e4",
     .position_key = UINT64_MAX,
     .white_ms = 299000,
     .black_ms = -1,
     .spent_ms = 4000,
     .service_ms = 0,
     .payload = "{\"comment\":\"\u2654\"}"},
    {.version = 3,
     .at_ms = 1700000009999,
     .kind = "resign",
     .seat = "black",
     .ply = 1,
     .position_key = UINT64_C(1) << 63,
     .white_ms = -1,
     .black_ms = -1,
     .spent_ms = 0,
     .service_ms = -1,
     .payload = ""},
};

static void a_created_game_is_loaded_as_it_was_given(void **state)
{
    (void)state;
    struct storage_write write = {.kind = STORAGE_CREATE,
                                  .game = full_game,
                                  .actions = full_actions,
                                  .action_count = LENGTH(full_actions)};
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    assert_true(write.game.key > 0);
    struct fixture_rows kept;
    assert_int_equal(conformance_load(full_game.id, &kept), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &write.game);
    assert_int_equal(kept.action_count, LENGTH(full_actions));
    for (size_t i = 0; i < kept.action_count; i++)
        conformance_assert_action(&kept.actions[i], &full_actions[i]);
    fixture_rows_free(&kept);
}

static void a_game_with_nothing_but_what_is_needed_is_loaded(void **state)
{
    (void)state;
    struct storage_write write = fixture_creation("minimal23456");
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(conformance_load("minimal23456", &kept), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &write.game);
    conformance_assert_action(&kept.actions[0], &write.actions[0]);
    fixture_rows_free(&kept);
}

static void an_unknown_id_is_not_found(void **state)
{
    (void)state;
    (void)fixture_create(conformance_storage, "known2345678");
    struct fixture_rows kept;
    assert_int_equal(conformance_load("unknown23456", &kept), STORAGE_NOT_FOUND);
    assert_int_equal(kept.game_count, 0);
}

static void a_taken_id_is_a_conflict(void **state)
{
    (void)state;
    (void)fixture_create(conformance_storage, "taken2345678");
    struct storage_write write = {.kind = STORAGE_CREATE,
                                  .game = full_game,
                                  .actions = full_actions,
                                  .action_count = LENGTH(full_actions)};
    write.game.id = "taken2345678";
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_CONFLICT);
    assert_int_equal(conformance_actions_of("taken2345678"), 1);
}

static void appended_actions_follow_in_order_of_version(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "append234567");
    struct storage_action actions[3];
    struct storage_write write = fixture_moves(key, actions, 3, 1);
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(conformance_load("append234567", &kept), STORAGE_OK);
    assert_int_equal(kept.action_count, 4);
    for (size_t i = 0; i < 3; i++)
        conformance_assert_action(&kept.actions[i + 1], &actions[i]);
    fixture_rows_free(&kept);
}

static void a_version_that_exists_is_a_conflict_and_leaves_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "conflict2345");
    assert_int_equal(conformance_append_moves(key, 2, 1), STORAGE_OK);
    struct storage_action actions[3];
    struct storage_write write = fixture_moves(key, actions, 3, 2);
    write.updates_game = true;
    write.game = fixture_creation("conflict2345").game;
    write.game.key = key;
    write.game.status = "ended";
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_CONFLICT);
    struct fixture_rows kept;
    assert_int_equal(conformance_load("conflict2345", &kept), STORAGE_OK);
    assert_string_equal(kept.games[0].status, "active");
    assert_int_equal(kept.action_count, 3);
    fixture_rows_free(&kept);
    assert_int_equal(conformance_moves_of(key), 2);
}

static void an_append_to_a_deleted_game_is_a_conflict(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "deleted23456");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_int_equal(conformance_append_moves(key, 1, 1), STORAGE_CONFLICT);
    struct storage_write change = {.kind = STORAGE_APPEND, .updates_game = true};
    change.game = full_game;
    change.game.key = key;
    assert_int_equal(fixture_write(conformance_storage, &change), STORAGE_CONFLICT);
}

static void a_move_that_does_not_fit_the_moves_in_force_leaves_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "misfit234567");
    assert_int_equal(conformance_append_moves(key, 2, 1), STORAGE_OK);
    static const struct {
        const char *move;
        uint32_t ply;
    } misfits[] = {{"e2e4", 1}, {"e2e4", 3}, {"e2e4", 5}, {NULL, 4}};
    for (size_t i = 0; i < LENGTH(misfits); i++) {
        struct storage_action actions[2];
        struct storage_write write = fixture_moves(key, actions, 2, 3);
        actions[1].move = misfits[i].move;
        actions[1].ply = misfits[i].ply;
        assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_DAMAGED);
    }
    assert_int_equal(conformance_actions_of("misfit234567"), 3);
    assert_int_equal(conformance_moves_of(key), 2);
    assert_int_equal(storage_ready(conformance_storage), STORAGE_OK); /* the store is none the worse */
}

static void the_game_row_changes_only_where_it_may(void **state)
{
    (void)state;
    struct storage_write creation = {
        .kind = STORAGE_CREATE, .game = full_game, .actions = full_actions, .action_count = 1};
    assert_int_equal(fixture_write(conformance_storage, &creation), STORAGE_OK);
    static const struct storage_action ended = {
        .version = 2, .at_ms = 5, .kind = "resign", .seat = "white", .white_ms = -1, .black_ms = -1};
    struct storage_write write = {
        .kind = STORAGE_APPEND, .updates_game = true, .actions = &ended, .action_count = 1};
    write.game = (struct storage_game){.key = creation.game.key,
                                       .id = "otherid23456",
                                       .variant = "other",
                                       .access = "open",
                                       .visibility = "public",
                                       .black_name = "Bo",
                                       .tokens = "white=12",
                                       .status = "ended",
                                       .result = "0-1",
                                       .termination = "resignation",
                                       .ended_at_ms = 7};
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    struct storage_game wanted = write.game;
    wanted.id = full_game.id;
    wanted.variant = full_game.variant;
    wanted.start = full_game.start;
    wanted.rules = full_game.rules;
    wanted.clock = full_game.clock;
    wanted.tags = full_game.tags;
    wanted.created_at_ms = full_game.created_at_ms;
    struct fixture_rows kept;
    assert_int_equal(conformance_load(full_game.id, &kept), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &wanted);
    fixture_rows_free(&kept);
}

static void an_append_that_does_not_update_leaves_the_game_row(void **state)
{
    (void)state;
    struct storage_write creation = {
        .kind = STORAGE_CREATE, .game = full_game, .actions = full_actions, .action_count = 1};
    assert_int_equal(fixture_write(conformance_storage, &creation), STORAGE_OK);
    assert_int_equal(conformance_append_moves(creation.game.key, 1, 1), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(conformance_load(full_game.id, &kept), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &creation.game);
    fixture_rows_free(&kept);
}

static void a_rewind_takes_moves_back_and_no_action(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "rewind234567");
    assert_int_equal(conformance_append_moves(key, 4, 1), STORAGE_OK);
    static const struct storage_action undone[] = {
        {.version = 6, .at_ms = 1, .kind = "undo", .ply = 2, .white_ms = -1, .black_ms = -1},
        {.version = 7,
         .at_ms = 2,
         .kind = "move",
         .seat = "white",
         .ply = 3,
         .move = "b1c3",
         .san = "Nc3",
         .white_ms = -1,
         .black_ms = -1},
    };
    struct storage_write write = {
        .kind = STORAGE_APPEND, .game = {.key = key}, .actions = undone, .action_count = 2};
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    assert_int_equal(conformance_actions_of("rewind234567"), 7);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(
        storage_moves(conformance_storage, key, &(struct storage_span){.from = 1, .limit = 10}, &rows),
        STORAGE_OK);
    assert_int_equal(kept.action_count, 3);
    assert_int_equal(kept.actions[1].version, 3);
    conformance_assert_action(&kept.actions[2], &undone[1]);
    assert_string_equal(kept.actions[2].san, "Nc3");
    fixture_rows_free(&kept);
}

static void moves_are_read_in_pages(void **state)
{
    (void)state;
    int64_t other = fixture_create(conformance_storage, "other2345678");
    int64_t key = fixture_create(conformance_storage, "pages2345678");
    assert_int_equal(conformance_append_moves(other, 3, 1), STORAGE_OK);
    assert_int_equal(conformance_append_moves(key, 9, 1), STORAGE_OK);
    static const struct {
        const char *label;
        uint32_t from, limit;
        uint32_t first, last;
        size_t count;
    } pages[] = {
        {"the first three", 0, 3, 1, 3, 3},
        {"the middle", 4, 3, 4, 6, 3},
        {"a short last page", 8, 5, 8, 9, 2},
        {"behind the last", 10, 5, 0, 0, 0},
        {"all", 0, 0, 1, 9, 9},
    };
    for (size_t i = 0; i < LENGTH(pages); i++) {
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_moves(conformance_storage, key,
                                       &(struct storage_span){.from = pages[i].from, .limit = pages[i].limit},
                                       &rows),
                         STORAGE_OK);
        if (kept.action_count != pages[i].count ||
            (pages[i].count > 0 && (kept.actions[0].ply != pages[i].first ||
                                    kept.actions[kept.action_count - 1].ply != pages[i].last)))
            fail_msg("%s: %zu rows", pages[i].label, kept.action_count);
        fixture_rows_free(&kept);
    }
}

static void actions_after_a_version_are_read_up_to_a_limit(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "events234567");
    assert_int_equal(conformance_append_moves(key, 5, 1), STORAGE_OK);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_actions_after(conformance_storage, key, 2, 3, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 3);
    assert_int_equal(kept.actions[0].version, 3);
    assert_int_equal(kept.actions[2].version, 5);
    fixture_rows_free(&kept);
    assert_int_equal(storage_actions_after(conformance_storage, key, 6, 3, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 0);
}

static void a_deleted_game_is_gone_with_all_its_rows(void **state)
{
    (void)state;
    int64_t kept_key = fixture_create(conformance_storage, "stays2345678");
    int64_t key = fixture_create(conformance_storage, "goes23456789");
    assert_int_equal(conformance_append_moves(kept_key, 2, 1), STORAGE_OK);
    assert_int_equal(conformance_append_moves(key, 2, 1), STORAGE_OK);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_int_equal(conformance_actions_of("goes23456789"), -1);
    assert_int_equal(conformance_moves_of(key), 0);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_actions_after(conformance_storage, key, 0, 9, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 0);
    assert_int_equal(conformance_actions_of("stays2345678"), 3);
    assert_int_equal(conformance_moves_of(kept_key), 2);
}

static void a_second_deletion_finds_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "twice2345678");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_NOT_FOUND);
}

static void a_key_is_never_used_twice(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "first2345678");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_true(fixture_create(conformance_storage, "second234567") > key);
    assert_true(fixture_create(conformance_storage, "first2345678") > key + 1);
}

int conformance_run_games(void)
{
    const struct CMUnitTest tests[] = {
        CONFORMANCE_TEST(a_created_game_is_loaded_as_it_was_given),
        CONFORMANCE_TEST(a_game_with_nothing_but_what_is_needed_is_loaded),
        CONFORMANCE_TEST(an_unknown_id_is_not_found),
        CONFORMANCE_TEST(a_taken_id_is_a_conflict),
        CONFORMANCE_TEST(appended_actions_follow_in_order_of_version),
        CONFORMANCE_TEST(a_version_that_exists_is_a_conflict_and_leaves_nothing),
        CONFORMANCE_TEST(an_append_to_a_deleted_game_is_a_conflict),
        CONFORMANCE_TEST(a_move_that_does_not_fit_the_moves_in_force_leaves_nothing),
        CONFORMANCE_TEST(the_game_row_changes_only_where_it_may),
        CONFORMANCE_TEST(an_append_that_does_not_update_leaves_the_game_row),
        CONFORMANCE_TEST(a_rewind_takes_moves_back_and_no_action),
        CONFORMANCE_TEST(moves_are_read_in_pages),
        CONFORMANCE_TEST(actions_after_a_version_are_read_up_to_a_limit),
        CONFORMANCE_TEST(a_deleted_game_is_gone_with_all_its_rows),
        CONFORMANCE_TEST(a_second_deletion_finds_nothing),
        CONFORMANCE_TEST(a_key_is_never_used_twice),
    };
    return cmocka_run_group_tests_name("every backend: games", tests, NULL, NULL);
}
