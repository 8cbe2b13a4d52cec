#include "tests/storage/conformance.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/storage_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static const struct conformance *backend;
static char *url;
static struct storage *storage;

static int open_empty(void **state)
{
    (void)state;
    url = backend->prepare();
    storage = fixture_open(url);
    return 0;
}

static int close_and_discard(void **state)
{
    (void)state;
    storage_close(storage);
    storage = NULL;
    backend->discard();
    free(url);
    return 0;
}

static void reopen(void)
{
    storage_close(storage);
    storage = fixture_open(url);
}

static enum storage_status load(const char *id, struct fixture_rows *kept)
{
    *kept = (struct fixture_rows){0};
    struct storage_rows rows = fixture_keep(kept);
    return storage_load(storage, id, &rows);
}

/* The number of actions of a game, -1 if there is none. */
static int actions_of(const char *id)
{
    struct fixture_rows kept;
    int count = load(id, &kept) == STORAGE_OK ? (int)kept.action_count : -1;
    fixture_rows_free(&kept);
    return count;
}

static size_t moves_of(int64_t key)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_moves(storage, key, 0, 0, false, &rows), STORAGE_OK);
    size_t count = kept.action_count;
    fixture_rows_free(&kept);
    return count;
}

static enum storage_status append_moves(int64_t key, size_t count, uint32_t version)
{
    struct storage_action actions[16];
    assert_true(count <= LENGTH(actions));
    struct storage_write write = fixture_moves(key, actions, count, version);
    return fixture_write(storage, &write);
}

static void assert_text(const char *found, const char *wanted)
{
    if (!wanted)
        assert_null(found);
    else
        assert_string_equal(found, wanted);
}

static void assert_game(const struct storage_game *found, const struct storage_game *wanted)
{
    assert_int_equal(found->key, wanted->key);
    assert_text(found->id, wanted->id);
    assert_text(found->variant, wanted->variant);
    assert_text(found->start, wanted->start);
    assert_text(found->rules, wanted->rules);
    assert_text(found->clock, wanted->clock);
    assert_int_equal(found->created_at_ms, wanted->created_at_ms);
    assert_text(found->access, wanted->access);
    assert_text(found->visibility, wanted->visibility);
    assert_text(found->white_name, wanted->white_name);
    assert_text(found->black_name, wanted->black_name);
    assert_text(found->metadata, wanted->metadata);
    assert_text(found->status, wanted->status);
    assert_text(found->result, wanted->result);
    assert_text(found->termination, wanted->termination);
    assert_int_equal(found->ended_at_ms, wanted->ended_at_ms);
}

static void assert_action(const struct storage_action *found, const struct storage_action *wanted)
{
    assert_int_equal(found->version, wanted->version);
    assert_int_equal(found->at_ms, wanted->at_ms);
    assert_text(found->kind, wanted->kind);
    assert_text(found->seat, wanted->seat);
    assert_int_equal(found->ply, wanted->ply);
    assert_text(found->move, wanted->move);
    assert_true(found->position_key == wanted->position_key);
    assert_int_equal(found->white_ms, wanted->white_ms);
    assert_int_equal(found->black_ms, wanted->black_ms);
    assert_text(found->payload, wanted->payload);
}

static const struct storage_game full_game = {
    .id = "abcdefgh2345",
    .variant = "chess960",
    .start = "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    .rules = "{\"profile\":\"online\"}",
    .clock = "300+3",
    .created_at_ms = 1700000000123,
    .access = "seats",
    .visibility = "private",
    .white_name = "Jos\u00e9 Ra\u00fal \u265a",
    .black_name = "",
    .metadata = "{\"round\":\"1'; DROP TABLE games;--\"}",
    .status = "ended",
    .result = "1-0",
    .termination = "checkmate",
    .ended_at_ms = 1700000009999,
};

static const struct storage_action full_actions[] = {
    {.version = 1,
     .at_ms = 1700000000123,
     .kind = "created",
     .position_key = 0,
     .white_ms = 0,
     .black_ms = INT64_MAX},
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
     .payload = "{\"comment\":\"\u2654\"}"},
    {.version = 3,
     .at_ms = 1700000009999,
     .kind = "resign",
     .seat = "black",
     .ply = 1,
     .position_key = UINT64_C(1) << 63,
     .white_ms = -1,
     .black_ms = -1,
     .payload = ""},
};

static void a_created_game_is_loaded_as_it_was_given(void **state)
{
    (void)state;
    struct storage_write write = {.kind = STORAGE_CREATE,
                                  .game = full_game,
                                  .actions = full_actions,
                                  .action_count = LENGTH(full_actions)};
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    assert_true(write.game.key > 0);
    struct fixture_rows kept;
    assert_int_equal(load(full_game.id, &kept), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    assert_game(&kept.games[0], &write.game);
    assert_int_equal(kept.action_count, LENGTH(full_actions));
    for (size_t i = 0; i < kept.action_count; i++)
        assert_action(&kept.actions[i], &full_actions[i]);
    fixture_rows_free(&kept);
}

static void a_game_with_nothing_but_what_is_needed_is_loaded(void **state)
{
    (void)state;
    struct storage_write write = fixture_creation("minimal23456");
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(load("minimal23456", &kept), STORAGE_OK);
    assert_game(&kept.games[0], &write.game);
    assert_action(&kept.actions[0], &write.actions[0]);
    fixture_rows_free(&kept);
}

static void an_unknown_id_is_not_found(void **state)
{
    (void)state;
    (void)fixture_create(storage, "known2345678");
    struct fixture_rows kept;
    assert_int_equal(load("unknown23456", &kept), STORAGE_NOT_FOUND);
    assert_int_equal(kept.game_count, 0);
}

static void a_taken_id_is_a_conflict(void **state)
{
    (void)state;
    (void)fixture_create(storage, "taken2345678");
    struct storage_write write = {.kind = STORAGE_CREATE,
                                  .game = full_game,
                                  .actions = full_actions,
                                  .action_count = LENGTH(full_actions)};
    write.game.id = "taken2345678";
    assert_int_equal(fixture_write(storage, &write), STORAGE_CONFLICT);
    assert_int_equal(actions_of("taken2345678"), 1);
}

static void appended_actions_follow_in_order_of_version(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "append234567");
    struct storage_action actions[3];
    struct storage_write write = fixture_moves(key, actions, 3, 1);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(load("append234567", &kept), STORAGE_OK);
    assert_int_equal(kept.action_count, 4);
    for (size_t i = 0; i < 3; i++)
        assert_action(&kept.actions[i + 1], &actions[i]);
    fixture_rows_free(&kept);
}

static void a_version_that_exists_is_a_conflict_and_leaves_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "conflict2345");
    assert_int_equal(append_moves(key, 2, 1), STORAGE_OK);
    struct storage_action actions[3];
    struct storage_write write = fixture_moves(key, actions, 3, 2);
    write.updates_game = true;
    write.game = fixture_creation("conflict2345").game;
    write.game.key = key;
    write.game.status = "ended";
    assert_int_equal(fixture_write(storage, &write), STORAGE_CONFLICT);
    struct fixture_rows kept;
    assert_int_equal(load("conflict2345", &kept), STORAGE_OK);
    assert_string_equal(kept.games[0].status, "active");
    assert_int_equal(kept.action_count, 3);
    fixture_rows_free(&kept);
    assert_int_equal(moves_of(key), 2);
}

static void an_append_to_a_deleted_game_is_a_conflict(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "deleted23456");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    assert_int_equal(append_moves(key, 1, 1), STORAGE_CONFLICT);
    struct storage_write change = {.kind = STORAGE_APPEND, .updates_game = true};
    change.game = full_game;
    change.game.key = key;
    assert_int_equal(fixture_write(storage, &change), STORAGE_CONFLICT);
}

static void a_move_that_does_not_fit_the_moves_in_force_leaves_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "misfit234567");
    assert_int_equal(append_moves(key, 2, 1), STORAGE_OK);
    struct storage_action actions[2];
    struct storage_write write = fixture_moves(key, actions, 2, 3);
    actions[1].ply = 1;
    assert_int_equal(fixture_write(storage, &write), STORAGE_UNAVAILABLE);
    assert_int_equal(actions_of("misfit234567"), 3);
    assert_int_equal(moves_of(key), 2);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
}

static void the_game_row_changes_only_where_it_may(void **state)
{
    (void)state;
    struct storage_write creation = {
        .kind = STORAGE_CREATE, .game = full_game, .actions = full_actions, .action_count = 1};
    assert_int_equal(fixture_write(storage, &creation), STORAGE_OK);
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
                                       .status = "ended",
                                       .result = "0-1",
                                       .termination = "resignation",
                                       .ended_at_ms = 7};
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    struct storage_game wanted = write.game;
    wanted.id = full_game.id;
    wanted.variant = full_game.variant;
    wanted.start = full_game.start;
    wanted.rules = full_game.rules;
    wanted.clock = full_game.clock;
    wanted.created_at_ms = full_game.created_at_ms;
    struct fixture_rows kept;
    assert_int_equal(load(full_game.id, &kept), STORAGE_OK);
    assert_game(&kept.games[0], &wanted);
    fixture_rows_free(&kept);
}

static void an_append_that_does_not_update_leaves_the_game_row(void **state)
{
    (void)state;
    struct storage_write creation = {
        .kind = STORAGE_CREATE, .game = full_game, .actions = full_actions, .action_count = 1};
    assert_int_equal(fixture_write(storage, &creation), STORAGE_OK);
    assert_int_equal(append_moves(creation.game.key, 1, 1), STORAGE_OK);
    struct fixture_rows kept;
    assert_int_equal(load(full_game.id, &kept), STORAGE_OK);
    assert_game(&kept.games[0], &creation.game);
    fixture_rows_free(&kept);
}

static void a_rewind_takes_moves_back_and_no_action(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "rewind234567");
    assert_int_equal(append_moves(key, 4, 1), STORAGE_OK);
    static const struct storage_action undone[] = {
        {.version = 6, .at_ms = 1, .kind = "undo", .ply = 2, .white_ms = -1, .black_ms = -1, .rewinds = true},
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
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    assert_int_equal(actions_of("rewind234567"), 7);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_moves(storage, key, 1, 10, false, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 3);
    assert_int_equal(kept.actions[1].version, 3);
    assert_action(&kept.actions[2], &undone[1]);
    assert_string_equal(kept.actions[2].san, "Nc3");
    fixture_rows_free(&kept);
}

static void moves_are_read_in_pages_both_ways(void **state)
{
    (void)state;
    int64_t other = fixture_create(storage, "other2345678");
    int64_t key = fixture_create(storage, "pages2345678");
    assert_int_equal(append_moves(other, 3, 1), STORAGE_OK);
    assert_int_equal(append_moves(key, 9, 1), STORAGE_OK);
    static const struct {
        const char *label;
        uint32_t from, limit;
        bool descending;
        uint32_t first, last;
        size_t count;
    } pages[] = {
        {"the first three", 0, 3, false, 1, 3, 3},
        {"the middle", 4, 3, false, 4, 6, 3},
        {"a short last page", 8, 5, false, 8, 9, 2},
        {"behind the last", 10, 5, false, 0, 0, 0},
        {"the last two", 0, 2, true, 9, 8, 2},
        {"down to a ply", 7, 50, true, 9, 7, 3},
        {"all", 0, 0, false, 1, 9, 9},
    };
    for (size_t i = 0; i < LENGTH(pages); i++) {
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(
            storage_moves(storage, key, pages[i].from, pages[i].limit, pages[i].descending, &rows),
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
    int64_t key = fixture_create(storage, "events234567");
    assert_int_equal(append_moves(key, 5, 1), STORAGE_OK);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_actions_after(storage, key, 2, 3, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 3);
    assert_int_equal(kept.actions[0].version, 3);
    assert_int_equal(kept.actions[2].version, 5);
    fixture_rows_free(&kept);
    assert_int_equal(storage_actions_after(storage, key, 6, 3, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 0);
}

static void a_deleted_game_is_gone_with_all_its_rows(void **state)
{
    (void)state;
    int64_t kept_key = fixture_create(storage, "stays2345678");
    int64_t key = fixture_create(storage, "goes23456789");
    assert_int_equal(append_moves(kept_key, 2, 1), STORAGE_OK);
    assert_int_equal(append_moves(key, 2, 1), STORAGE_OK);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    assert_int_equal(actions_of("goes23456789"), -1);
    assert_int_equal(moves_of(key), 0);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_actions_after(storage, key, 0, 9, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 0);
    assert_int_equal(actions_of("stays2345678"), 3);
    assert_int_equal(moves_of(kept_key), 2);
}

static void a_second_deletion_finds_nothing(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "twice2345678");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_NOT_FOUND);
}

static void a_key_is_never_used_twice(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "first2345678");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    assert_true(fixture_create(storage, "second234567") > key);
    assert_true(fixture_create(storage, "first2345678") > key + 1);
}

static void a_refused_write_never_fails_its_neighbours(void **state)
{
    (void)state;
    enum { GAMES = 60 };
    static char ids[GAMES][STORAGE_ID_SIZE];
    struct storage_write writes[GAMES];
    for (size_t i = 0; i < GAMES; i++) {
        /* Every third takes the id of the one before. */
        (void)snprintf(ids[i], sizeof ids[i], "neighbour%03zu", i % 3 == 2 ? i - 1 : i);
        writes[i] = fixture_creation(ids[i]);
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, writes, GAMES);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), i % 3 == 2 ? STORAGE_CONFLICT : STORAGE_OK);
    fixture_answers_destroy(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(actions_of(ids[i]), 1);
}

static void a_broken_write_never_fails_its_neighbours(void **state)
{
    (void)state;
    enum { GAMES = 20 };
    static char ids[GAMES][STORAGE_ID_SIZE];
    struct storage_write writes[GAMES];
    for (size_t i = 0; i < GAMES; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "wholesome%03zu", i);
        writes[i] = fixture_creation(ids[i]);
    }
    writes[7].game.status = NULL; /* a column that must not be NULL */
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, writes, GAMES);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), i == 7 ? STORAGE_UNAVAILABLE : STORAGE_OK);
    fixture_answers_destroy(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(actions_of(ids[i]), i == 7 ? -1 : 1);
}

static void of_two_appends_of_one_version_the_first_wins(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "race23456789");
    struct storage_action first[1];
    struct storage_action second[1];
    struct storage_write writes[] = {fixture_moves(key, first, 1, 1), fixture_moves(key, second, 1, 1)};
    second[0].move = "b1c3";
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, writes, 2);
    fixture_await(answers);
    assert_int_equal(fixture_answer(answers, &writes[0]), STORAGE_OK);
    assert_int_equal(fixture_answer(answers, &writes[1]), STORAGE_CONFLICT);
    fixture_answers_destroy(answers);
    assert_int_equal(actions_of("race23456789"), 2);
}

struct chain {
    struct storage_write write;
    struct storage_action action;
    int left;
    bool seen_when_done;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static bool note_version(void *context, const struct storage_action *row)
{
    *(uint32_t *)context = row->version;
    return true;
}

/* Looks for what was just stored, then sends the next write from within `done`. */
static void look_and_go_on(struct storage_write *write, enum storage_status status)
{
    struct chain *chain = write->owner;
    uint32_t version = 0;
    const struct storage_rows rows = {.context = &version, .action = note_version};
    bool seen = status == STORAGE_OK && storage_load(storage, "chain2345678", &rows) == STORAGE_OK &&
                version == chain->action.version;
    (void)pthread_mutex_lock(&chain->mutex);
    chain->seen_when_done = chain->seen_when_done && seen;
    chain->left--;
    bool more = chain->left > 0;
    (void)pthread_cond_signal(&chain->changed);
    (void)pthread_mutex_unlock(&chain->mutex);
    if (more) {
        chain->action.version++;
        storage_submit(storage, write);
    }
}

static void a_read_in_done_sees_the_write_and_done_may_submit(void **state)
{
    (void)state;
    struct chain chain = {.left = 20, .seen_when_done = true};
    assert_int_equal(pthread_mutex_init(&chain.mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&chain.changed, NULL), 0);
    chain.action = (struct storage_action){.version = 2, .kind = "offer", .white_ms = -1, .black_ms = -1};
    chain.write = (struct storage_write){.kind = STORAGE_APPEND,
                                         .game = {.key = fixture_create(storage, "chain2345678")},
                                         .actions = &chain.action,
                                         .action_count = 1,
                                         .done = look_and_go_on,
                                         .owner = &chain};
    storage_submit(storage, &chain.write);
    (void)pthread_mutex_lock(&chain.mutex);
    while (chain.left > 0)
        (void)pthread_cond_wait(&chain.changed, &chain.mutex);
    (void)pthread_mutex_unlock(&chain.mutex);
    assert_true(chain.seen_when_done);
    assert_int_equal(actions_of("chain2345678"), 21);
    (void)pthread_cond_destroy(&chain.changed);
    (void)pthread_mutex_destroy(&chain.mutex);
}

static void a_reader_may_stop_and_the_storage_goes_on(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "stops2345678");
    (void)fixture_create(storage, "stops2345679");
    assert_int_equal(append_moves(key, 3, 1), STORAGE_OK);
    for (size_t stop_after = 1; stop_after <= 2; stop_after++) {
        struct fixture_rows kept = {.stop_after = stop_after};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_load(storage, "stops2345678", &rows), STORAGE_STOPPED);
        assert_int_equal(kept.game_count + kept.action_count, stop_after);
        fixture_rows_free(&kept);
    }
    struct fixture_rows kept = {.stop_after = 1};
    struct storage_rows rows = fixture_keep(&kept);
    const struct storage_query everything = {0};
    assert_int_equal(storage_list(storage, &everything, &rows), STORAGE_STOPPED);
    fixture_rows_free(&kept);
    assert_int_equal(append_moves(key, 1, 4), STORAGE_OK);
    assert_int_equal(actions_of("stops2345678"), 5);
}

static void rows_that_nobody_wants_need_no_callback(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "quiet2345678");
    const struct storage_rows none = {0};
    const struct storage_query everything = {0};
    assert_int_equal(storage_load(storage, "quiet2345678", &none), STORAGE_OK);
    assert_int_equal(storage_actions_after(storage, key, 0, 1, &none), STORAGE_OK);
    assert_int_equal(storage_list(storage, &everything, &none), STORAGE_OK);
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
        assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    }
}

/* The last digits of the ids that a list gives. */
static void list_digits(const struct storage_query *query, char digits[16])
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_list(storage, query, &rows), STORAGE_OK);
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
        assert_int_equal(storage_list(storage, &query, &rows), STORAGE_OK);
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
    assert_int_equal(load("listed000001", &kept), STORAGE_OK);
    struct storage_write write = {.kind = STORAGE_APPEND, .updates_game = true, .game = kept.games[0]};
    write.game.status = "ended";
    write.game.white_name = "Fay";
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
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

static void everything_is_there_after_reopening(void **state)
{
    (void)state;
    int64_t key = fixture_create(storage, "reopen234567");
    assert_int_equal(append_moves(key, 3, 1), STORAGE_OK);
    reopen();
    assert_int_equal(actions_of("reopen234567"), 4);
    assert_int_equal(moves_of(key), 3);
    assert_int_equal(append_moves(key, 1, 4), STORAGE_OK);
}

static void closing_stores_what_is_queued(void **state)
{
    (void)state;
    enum { GAMES = 600 };
    static char ids[GAMES][STORAGE_ID_SIZE];
    struct storage_write *writes = calloc(GAMES, sizeof *writes);
    assert_non_null(writes);
    for (size_t i = 0; i < GAMES; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "queued%06zu", i);
        writes[i] = fixture_creation(ids[i]);
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, writes, GAMES);
    reopen();
    assert_int_equal(fixture_answered(answers), GAMES);
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(fixture_answer(answers, &writes[i]), STORAGE_OK);
        assert_int_equal(actions_of(ids[i]), 1);
    }
    fixture_answers_destroy(answers);
    free(writes);
}

static void counters_tell_what_was_done(void **state)
{
    (void)state;
    struct storage_counters counters;
    storage_counters(storage, &counters);
    assert_int_equal(counters.writes, 0);
    int64_t key = fixture_create(storage, "count2345678");
    assert_int_equal(append_moves(key, 1, 1), STORAGE_OK);
    assert_int_equal(append_moves(key, 1, 1), STORAGE_CONFLICT);
    storage_counters(storage, &counters);
    assert_int_equal(counters.writes, 3);
    assert_int_equal(counters.transactions, 3);
    assert_int_equal(counters.conflicts, 1);
    assert_int_equal(counters.faults, 0);
    assert_int_equal(counters.largest_batch, 1);
    assert_int_equal(counters.queue_length, 0);
}

static void a_healthy_storage_is_ready(void **state)
{
    (void)state;
    assert_int_equal(storage_ready(storage), STORAGE_OK);
}

struct reading {
    atomic_bool *over;
    int faults, reads;
};

static bool check_order(void *context, const struct storage_action *row)
{
    uint32_t *last = context;
    if (row->version != *last + 1)
        return false;
    *last = row->version;
    return true;
}

/* A snapshot has every version from 1 up to its last one. */
static void *read_until_over(void *argument)
{
    struct reading *reading = argument;
    uint32_t seen = 0;
    while (!atomic_load(reading->over)) {
        uint32_t last = 0;
        const struct storage_rows rows = {.context = &last, .action = check_order};
        reading->faults += storage_load(storage, "busy23456789", &rows) != STORAGE_OK || last < seen;
        seen = last;
        reading->reads++;
    }
    return NULL;
}

static void many_threads_read_while_the_writer_writes(void **state)
{
    (void)state;
    enum { READERS = 12, MOVES = 100 };
    int64_t key = fixture_create(storage, "busy23456789");
    atomic_bool over = false;
    struct reading readings[READERS] = {0};
    pthread_t threads[READERS];
    for (size_t i = 0; i < READERS; i++) {
        readings[i].over = &over;
        assert_int_equal(pthread_create(&threads[i], NULL, read_until_over, &readings[i]), 0);
    }
    for (uint32_t version = 1; version <= MOVES; version++)
        assert_int_equal(append_moves(key, 1, version), STORAGE_OK);
    atomic_store(&over, true);
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(readings[i].faults, 0);
    }
    assert_int_equal(actions_of("busy23456789"), MOVES + 1);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, open_empty, close_and_discard)

int conformance_run(const struct conformance *tested)
{
    const struct CMUnitTest tests[] = {
        TEST(a_created_game_is_loaded_as_it_was_given),
        TEST(a_game_with_nothing_but_what_is_needed_is_loaded),
        TEST(an_unknown_id_is_not_found),
        TEST(a_taken_id_is_a_conflict),
        TEST(appended_actions_follow_in_order_of_version),
        TEST(a_version_that_exists_is_a_conflict_and_leaves_nothing),
        TEST(an_append_to_a_deleted_game_is_a_conflict),
        TEST(a_move_that_does_not_fit_the_moves_in_force_leaves_nothing),
        TEST(the_game_row_changes_only_where_it_may),
        TEST(an_append_that_does_not_update_leaves_the_game_row),
        TEST(a_rewind_takes_moves_back_and_no_action),
        TEST(moves_are_read_in_pages_both_ways),
        TEST(actions_after_a_version_are_read_up_to_a_limit),
        TEST(a_deleted_game_is_gone_with_all_its_rows),
        TEST(a_second_deletion_finds_nothing),
        TEST(a_key_is_never_used_twice),
        TEST(a_refused_write_never_fails_its_neighbours),
        TEST(a_broken_write_never_fails_its_neighbours),
        TEST(of_two_appends_of_one_version_the_first_wins),
        TEST(a_read_in_done_sees_the_write_and_done_may_submit),
        TEST(a_reader_may_stop_and_the_storage_goes_on),
        TEST(rows_that_nobody_wants_need_no_callback),
        TEST(lists_show_the_public_games_that_were_asked_for),
        TEST(pages_of_a_list_neither_skip_nor_repeat),
        TEST(a_list_shows_a_game_as_it_is_now),
        TEST(everything_is_there_after_reopening),
        TEST(closing_stores_what_is_queued),
        TEST(counters_tell_what_was_done),
        TEST(a_healthy_storage_is_ready),
        TEST(many_threads_read_while_the_writer_writes),
    };
    backend = tested;
    return cmocka_run_group_tests_name(tested->name, tests, NULL, NULL);
}
