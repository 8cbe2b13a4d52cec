/* The SQLite backend: files of earlier and later releases. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"

/* The schema of a release to come, and one that cannot be reached. */
enum { MIGRATIONS_MAX = 16 };
static const char *next_migrations[MIGRATIONS_MAX];

static enum storage_open_status open_next(const char *migration, struct storage **storage,
                                          char error[STORAGE_ERROR_SIZE])
{
    const struct storage_options options = {0};
    const struct sqlite_schema next_schema = {next_migrations, sqlite_schema.version + 1};
    assert_true(next_schema.version <= MIGRATIONS_MAX);
    for (int i = 0; i < sqlite_schema.version; i++)
        next_migrations[i] = sqlite_schema.migrations[i];
    next_migrations[sqlite_schema.version] = migration;
    return sqlite_open_schema(scene.path, &options, &next_schema, storage, error);
}

/* Where the copy lies that is made before a file is brought to `version`; for free(). */
static char *copy_before(int version)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s.before-v%d", scene.path, version) > 0);
    return path;
}

static bool has_note_column(const char *file)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open_v2(file, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    bool has = sqlite3_exec(db, "SELECT note FROM games", NULL, NULL, NULL) == SQLITE_OK;
    assert_int_equal(sqlite3_exec(db, "SELECT id FROM games", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return has;
}

static void an_older_schema_is_brought_forward_after_a_copy(void **state)
{
    (void)state;
    scene_make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT", &storage, error), STORAGE_OPENED);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000007", &none), STORAGE_OK);
    (void)fixture_create(storage, "newer2345678");
    storage_close(storage);
    char *copy = copy_before(sqlite_schema.version + 1);
    assert_true(has_note_column(scene.path));
    assert_false(has_note_column(copy));
    free(copy);
    /* The older program now refuses it. */
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_REFUSED);
    scene_assert_contains(error, "run the newer one");
    /* The newer one opens it again without another copy. */
    assert_int_equal(open_next("nonsense", &storage, error), STORAGE_OPENED);
    storage_close(storage);
}

static void a_copy_made_before_a_migration_opens_as_a_store(void **state)
{
    (void)state;
    scene_make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT", &storage, error), STORAGE_OPENED);
    storage_close(storage);
    char *copy = copy_before(sqlite_schema.version + 1);
    assert_int_equal(rename(copy, scene.path), 0);
    free(copy);
    storage = fixture_open(scene.url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000007", &none), STORAGE_OK);
    storage_close(storage);
}

static void a_migration_that_fails_leaves_the_store_as_it_was(void **state)
{
    (void)state;
    scene_make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT; CREATE nonsense", &storage, error),
                     STORAGE_OPEN_FAILED);
    scene_assert_contains(error, "is as it was");
    assert_null(storage);
    assert_false(has_note_column(scene.path));
    storage = fixture_open(scene.url);
    (void)fixture_create(storage, "stillold2345");
    storage_close(storage);
}

static void a_new_file_is_made_by_all_migrations(void **state)
{
    (void)state;
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT", &storage, error), STORAGE_OPENED);
    storage_close(storage);
    assert_true(has_note_column(scene.path));
    char *copy = copy_before(sqlite_schema.version + 1);
    assert_int_not_equal(access(copy, F_OK), 0);
    free(copy);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(an_older_schema_is_brought_forward_after_a_copy),
        SCENE_TEST(a_copy_made_before_a_migration_opens_as_a_store),
        SCENE_TEST(a_migration_that_fails_leaves_the_store_as_it_was),
        SCENE_TEST(a_new_file_is_made_by_all_migrations),
    };
    return cmocka_run_group_tests_name("sqlite: migrations", tests, NULL, NULL);
}
