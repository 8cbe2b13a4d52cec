/* The connection that writes, without its queue: what it does with its log in the pauses, and what it tells of tables that
 * a hand has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite_apply.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

static struct sqlite_health health;
static struct sqlite_writer writer;

static int open_writer(void **state)
{
    char error[STORAGE_ERROR_SIZE];
    const struct storage_options options = {.busy_ms = 5000};
    if (scene_set(state) != 0)
        return -1;
    scene_make_store();
    sqlite_health_init(&health, scene.path);
    return (int)sqlite_writer_open(&writer, &health, &options, &sqlite_schema, error);
}

static int close_writer(void **state)
{
    sqlite_writer_close(&writer);
    return scene_clear(state);
}

static off_t bytes_of_log(void)
{
    char *log = NULL;
    struct stat file;
    assert_true(asprintf(&log, "%s-wal", scene.path) > 0);
    assert_int_equal(stat(log, &file), 0);
    free(log);
    return file.st_size;
}

static void commit_something(void)
{
    assert_int_equal(sqlite_writer_target.probe(&writer), STORAGE_OK);
}

/* As a backup does for as long as it takes. */
static void a_log_that_is_read_is_cut_off_when_the_reader_is_gone(void **state)
{
    (void)state;
    sqlite3 *reader = NULL;
    commit_something();
    assert_int_equal(sqlite3_open_v2(scene.path, &reader, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(reader, "BEGIN; SELECT proofs FROM store", NULL, NULL, NULL), SQLITE_OK);
    commit_something();
    assert_false(sqlite_writer_target.tidy(&writer, WRITER_IDLE));
    assert_true(bytes_of_log() > 0);
    commit_something();
    assert_int_equal(sqlite3_close(reader), SQLITE_OK);
    assert_true(sqlite_writer_target.tidy(&writer, WRITER_IDLE));
    assert_int_equal(bytes_of_log(), 0);
}

static void a_log_is_made_ready_between_commits_and_cut_off_at_rest(void **state)
{
    (void)state;
    commit_something();
    off_t committed = bytes_of_log();
    assert_true(sqlite_writer_target.tidy(&writer, WRITER_BETWEEN));
    off_t ready = bytes_of_log();
    assert_true(ready > committed);
    for (int i = 0; i < 20; i++)
        commit_something();
    assert_int_equal(bytes_of_log(), ready);
    assert_true(sqlite_writer_target.tidy(&writer, WRITER_RESTING));
    assert_int_equal(bytes_of_log(), ready);
    assert_true(sqlite_writer_target.tidy(&writer, WRITER_IDLE));
    assert_int_equal(bytes_of_log(), 0);
}

static void a_game_whose_row_is_gone_is_told_in_words_of_our_own(void **state)
{
    (void)state;
    struct storage_action action;
    struct storage_write write = fixture_moves(1, &action, 1, 61);
    write.updates_game = true;
    storage_sql_run(scene.path, "DELETE FROM games WHERE key = 1");
    assert_int_equal(sqlite_writer_target.begin(&writer), STORAGE_OK);
    assert_int_equal(sqlite_apply(&writer, &write), STORAGE_UNAVAILABLE);
    sqlite_writer_target.rollback(&writer);
    scene_assert_contains(health.text, "arbiter.db: the tables do not fit each other");
}

#define WRITER_TEST(name) cmocka_unit_test_setup_teardown(name, open_writer, close_writer)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WRITER_TEST(a_log_that_is_read_is_cut_off_when_the_reader_is_gone),
        WRITER_TEST(a_log_is_made_ready_between_commits_and_cut_off_at_rest),
        WRITER_TEST(a_game_whose_row_is_gone_is_told_in_words_of_our_own),
    };
    return cmocka_run_group_tests_name("sqlite: the writer's log", tests, NULL, NULL);
}
