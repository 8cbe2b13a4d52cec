/* What storage_inspect finds: nothing in a sound store, and each damage by its name. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <sqlite3.h>

#include "storage/storage.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"
#include "tests/support/storage_vfs.h"

enum { FOUND_SIZE = 2048 };

struct look {
    char found[FOUND_SIZE]; /* "what:id;" each */
    unsigned asked;         /* how often it was asked whether it goes on */
    unsigned stop_after;    /* 0: never */
    uint64_t last_bytes;
};

static void take_finding(void *context, const struct storage_finding *finding)
{
    struct look *look = context;
    size_t length = strlen(look->found);
    (void)snprintf(look->found + length, FOUND_SIZE - length, "%s:%s;", finding->what,
                   finding->id ? finding->id : "");
}

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    struct look *look = context;
    assert_true(done_bytes >= look->last_bytes && done_bytes <= total_bytes);
    look->last_bytes = done_bytes;
    return ++look->asked != look->stop_after;
}

static enum storage_status inspect(struct look *look)
{
    const struct storage_options options = {.read_only = true, .even_damaged = true};
    const struct storage_work work = {.context = look, .goes_on = goes_on};
    char error[STORAGE_ERROR_SIZE];
    struct storage *storage = NULL;
    if (storage_open(scene.url, &options, &storage, error) != STORAGE_OPENED)
        fail_msg("%s", error);
    enum storage_status status = storage_inspect(storage, &work, look, take_finding);
    storage_close(storage);
    return status;
}

static void a_sound_store_has_no_findings(void **state)
{
    (void)state;
    struct look look = {0};
    scene_make_store();
    assert_int_equal(inspect(&look), STORAGE_OK);
    assert_string_equal(look.found, "");
    assert_true(look.asked > 10);
}

static void an_empty_store_and_one_that_a_killed_process_left_have_none_either(void **state)
{
    (void)state;
    struct look look = {0};
    storage_close(fixture_open(scene.url));
    assert_int_equal(inspect(&look), STORAGE_OK);
    assert_string_equal(look.found, "");
    assert_int_equal(scene_clear(state), 0);
    assert_int_equal(scene_set(state), 0);
    scene_make_killed();
    struct look again = {0};
    assert_int_equal(inspect(&again), STORAGE_OK);
    assert_string_equal(again.found, "");
}

static void it_stops_when_it_is_told_to(void **state)
{
    (void)state;
    struct look look = {.stop_after = 5};
    scene_make_store();
    assert_int_equal(inspect(&look), STORAGE_STOPPED);
    assert_string_equal(look.found, "");
    assert_int_equal(look.asked, 5);
}

static void keep_text(void *context, enum storage_side side, enum storage_status status, const char *text)
{
    (void)side;
    (void)status;
    (void)snprintf(context, STORAGE_ERROR_SIZE, "%s", text);
}

/* What the disk does not give of the file is a finding; where it takes nothing more, the store is not to blame. */
static void a_disk_that_fails_otherwise_is_no_finding(void **state)
{
    (void)state;
    static const int faults[] = {SQLITE_IOERR_SHMSIZE, SQLITE_IOERR_WRITE, SQLITE_IOERR_NOMEM, SQLITE_FULL};
    for (size_t i = 0; i < sizeof faults / sizeof faults[0]; i++) {
        struct look look = {0};
        char told[STORAGE_ERROR_SIZE] = "", error[STORAGE_ERROR_SIZE];
        const struct storage_options options = {
            .read_only = true, .even_damaged = true, .watch = {.context = told, .note = keep_text}};
        const struct storage_work work = {.context = &look, .goes_on = goes_on};
        struct storage *storage = NULL;
        scene_make_store();
        assert_int_equal(storage_open(scene.url, &options, &storage, error), STORAGE_OPENED);
        vfs_fail(VFS_OPEN, -1, faults[i]);
        enum storage_status status = storage_inspect(storage, &work, &look, take_finding);
        vfs_heal();
        storage_close(storage);
        assert_true(status >= STORAGE_BUSY);
        assert_string_equal(look.found, "");
        scene_assert_contains(told, scene.path);
        assert_int_equal(scene_clear(state), 0);
        assert_int_equal(scene_set(state), 0);
    }
}

static void what_the_disk_does_not_give_is_a_finding(void **state)
{
    (void)state;
    struct look look = {0};
    const struct storage_options options = {.read_only = true, .even_damaged = true};
    const struct storage_work work = {.context = &look, .goes_on = goes_on};
    char error[STORAGE_ERROR_SIZE];
    struct storage *storage = NULL;
    scene_make_store();
    assert_int_equal(storage_open(scene.url, &options, &storage, error), STORAGE_OPENED);
    vfs_fail(VFS_OPEN, -1, SQLITE_IOERR_READ);
    assert_int_equal(storage_inspect(storage, &work, &look, take_finding), STORAGE_OK);
    vfs_heal();
    storage_close(storage);
    assert_string_equal(look.found, "file:;");
}

#define COLUMNS                                                                                              \
    "game, version, ply, kind, seat, move, san, position_key, at_ms, white_ms, black_ms, spent_ms,"          \
    " service_ms, payload"

/* Game 3 is filled000002. */
static const struct damage {
    const char *sql, *finding;
} damages[] = {
    {"DELETE FROM heads WHERE game = 3", "head:filled000002;"},
    {"UPDATE heads SET seq = 999999 WHERE game = 3", "head:filled000002;"},
    {"UPDATE heads SET seq = (SELECT seq FROM heads WHERE game = 4) WHERE game = 3", "head:filled000002;"},
    {"UPDATE heads SET version = version - 1 WHERE game = 3", "head:filled000002;"},
    {"UPDATE heads SET ply = ply - 1 WHERE game = 3", "head:filled000002;"},
    {"UPDATE actions SET previous = NULL WHERE game = 3 AND version = 5", "previous:filled000002;"},
    {"UPDATE actions SET previous = previous - 1 WHERE game = 3 AND version = 5", "previous:filled000002;"},
    {"UPDATE actions SET previous = 1 WHERE game = 3 AND version = 1", "previous:filled000002;"},
    {"DELETE FROM actions WHERE game = 3 AND version = 5", "previous:filled000002;"},
    {"UPDATE actions SET game = 4 WHERE game = 3 AND version = 5", "previous:filled000002;"},
    {"INSERT INTO actions(previous, " COLUMNS ") SELECT previous, " COLUMNS
     " FROM actions WHERE game = 3 AND version = 5",
     "rows:filled000002;"},
    {"DELETE FROM games WHERE key = 3", "game:;"},
    {"DELETE FROM games WHERE key = 3", "foreign_key:;"},
    {"INSERT INTO marks(game, version, seq, ply) VALUES(3, 64, 5, 5)", "mark:filled000002;"},
    {"PRAGMA writable_schema = 1; DELETE FROM sqlite_schema WHERE name = 'games_status'", "schema:;"},
};

static void each_damage_is_found_by_its_name(void **state)
{
    for (size_t i = 0; i < sizeof damages / sizeof damages[0]; i++) {
        struct look look = {0};
        scene_make_store();
        storage_sql_run(scene.path,
                        "DROP TRIGGER actions_never_change; DROP TRIGGER actions_go_with_their_game");
        storage_sql_run(scene.path, damages[i].sql);
        assert_int_equal(inspect(&look), STORAGE_OK);
        if (!strstr(look.found, damages[i].finding))
            fail_msg("%s: found '%s', not %s", damages[i].sql, look.found, damages[i].finding);
        assert_int_equal(scene_clear(state), 0);
        assert_int_equal(scene_set(state), 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_sound_store_has_no_findings),
        SCENE_TEST(an_empty_store_and_one_that_a_killed_process_left_have_none_either),
        SCENE_TEST(it_stops_when_it_is_told_to),
        SCENE_TEST(each_damage_is_found_by_its_name),
        SCENE_TEST(a_disk_that_fails_otherwise_is_no_finding),
        SCENE_TEST(what_the_disk_does_not_give_is_a_finding),
    };
    if (!vfs_install())
        return EXIT_FAILURE;
    return cmocka_run_group_tests_name("inspection", tests, NULL, NULL);
}
