/* Files that are no store of ours: refused with the remedy, untouched to the byte. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/chance.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static off_t size_of_store(void)
{
    struct stat file;
    assert_int_equal(stat(scene.path, &file), 0);
    return file.st_size;
}

static void make_empty(void)
{
    scene_write_bytes(scene.path, "", 0, 0);
}

static void make_text(void)
{
    scene_write_bytes(scene.path, "[Event \"?\"]\n1. e4 e5 *\n", 23, 0);
}

static void make_random(void)
{
    unsigned char bytes[9000];
    uint64_t state = 12345;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)chance_next(&state);
    scene_write_bytes(scene.path, bytes, sizeof bytes, 0);
}

static void make_zeros(void)
{
    static const unsigned char zeros[16384];
    scene_write_bytes(scene.path, zeros, sizeof zeros, 0);
}

static void make_foreign(void)
{
    storage_sql_run(scene.path, "CREATE TABLE games(id TEXT); INSERT INTO games VALUES('x')");
}

static void make_foreign_with_a_log(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scene.path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA journal_mode=WAL; CREATE TABLE games(id TEXT)", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_newer(void)
{
    scene_make_store();
    storage_sql_run(scene.path, "PRAGMA user_version = 99");
}

/* As a process of the newer kind that was killed has left it: the version stands in the log only. */
static void make_newer_in_the_log(void)
{
    scene_make_store();
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scene.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_without_version(void)
{
    scene_make_store();
    storage_sql_run(scene.path, "PRAGMA user_version = 0");
}

static void make_without_a_table(void)
{
    scene_make_store();
    storage_sql_run(scene.path, "DROP TABLE heads");
}

static void make_truncated_in_a_page(void)
{
    scene_make_store();
    assert_int_equal(truncate(scene.path, size_of_store() - 100), 0);
}

static void make_truncated_to_half(void)
{
    scene_make_store();
    assert_int_equal(truncate(scene.path, size_of_store() / 2 / 4096 * 4096), 0);
}

static void make_truncated_to_the_header(void)
{
    scene_make_store();
    assert_int_equal(truncate(scene.path, 100), 0);
}

static void make_truncated_below_the_header(void)
{
    scene_make_store();
    assert_int_equal(truncate(scene.path, 50), 0);
}

static void make_longer(void)
{
    scene_make_store();
    scene_write_bytes(scene.path, "more", 4, size_of_store());
}

static void make_zeroed_header(void)
{
    scene_make_store();
    static const unsigned char zeros[100];
    scene_write_bytes(scene.path, zeros, sizeof zeros, 0);
}

static void zero_page(int page)
{
    static const unsigned char zeros[4096];
    scene_write_bytes(scene.path, zeros, sizeof zeros, (off_t)(page - 1) * 4096);
}

static void make_zeroed_schema(void)
{
    scene_make_store();
    static const unsigned char zeros[4096 - 100];
    scene_write_bytes(scene.path, zeros, sizeof zeros, 100);
}

static void make_zeroed_in_the_middle(void)
{
    scene_make_store();
    zero_page((int)(size_of_store() / 4096) / 2);
}

static void make_zeroed_at_the_end(void)
{
    scene_make_store();
    zero_page((int)(size_of_store() / 4096));
}

static void make_scrambled(void)
{
    scene_make_store();
    scene_write_bytes(scene.path, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, size_of_store() - 4096);
}

static void make_odd_page_size(void)
{
    scene_make_store();
    scene_write_bytes(scene.path, "\x12\x34", 2, 16);
}

static void move_log_into_file(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scene.path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA wal_checkpoint", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "UPDATE store SET proofs = proofs + 1", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_killed_and_truncated(void)
{
    scene_make_killed();
    move_log_into_file();
    assert_int_equal(truncate(scene.path, size_of_store() / 2 / 4096 * 4096), 0);
}

static void make_killed_and_zeroed(void)
{
    scene_make_killed();
    static const unsigned char zeros[100];
    scene_write_bytes(scene.path, zeros, sizeof zeros, 0);
}

static void make_killed_and_emptied(void)
{
    scene_make_killed();
    assert_int_equal(truncate(scene.path, 0), 0);
}

static void make_killed_and_removed(void)
{
    scene_make_killed();
    assert_int_equal(unlink(scene.path), 0);
}

static const struct refused {
    const char *label;
    void (*make)(void);
    const char *says;
} refused[] = {
    {"empty", make_empty, "is empty"},
    {"text", make_text, "is no database"},
    {"random bytes", make_random, "is no database"},
    {"zeros", make_zeros, "is no database"},
    {"foreign", make_foreign, "another program"},
    {"foreign with a log", make_foreign_with_a_log, "another program"},
    {"newer", make_newer, "run the newer one"},
    {"newer in the log", make_newer_in_the_log, "run the newer one"},
    {"without version", make_without_version, "damaged"},
    {"without a table", make_without_a_table, "damaged"},
    {"truncated in a page", make_truncated_in_a_page, "damaged"},
    {"truncated to half", make_truncated_to_half, "damaged"},
    {"truncated to the header", make_truncated_to_the_header, "damaged"},
    {"truncated below the header", make_truncated_below_the_header, "header is damaged"},
    {"longer", make_longer, "damaged"},
    {"zeroed header", make_zeroed_header, "header is damaged"},
    {"zeroed schema", make_zeroed_schema, "damaged"},
    {"zeroed in the middle", make_zeroed_in_the_middle, "damaged"},
    {"zeroed at the end", make_zeroed_at_the_end, "damaged"},
    {"scrambled", make_scrambled, "damaged"},
    {"odd page size", make_odd_page_size, "damaged"},
    {"killed and truncated", make_killed_and_truncated, "damaged"},
    {"killed and zeroed", make_killed_and_zeroed, "header is damaged"},
    {"killed and emptied", make_killed_and_emptied, "is empty"},
    {"killed and removed", make_killed_and_removed, "its log"},
};

static void check_refused(const struct refused *row, const struct storage_options *options)
{
    uint64_t before = fixture_sum_of_folder(scene.folder);
    char error[STORAGE_ERROR_SIZE] = "";
    enum storage_open_status status = scene_try_open_as(options, error);
    if (status != STORAGE_OPEN_REFUSED || !strstr(error, row->says) || !strstr(error, scene.path))
        fail_msg("%s: status %d, '%s'", row->label, (int)status, error);
    if (fixture_sum_of_folder(scene.folder) != before)
        fail_msg("%s: the scene.folder was changed", row->label);
}

static void refuse_all(void **state, const struct storage_options *options)
{
    for (size_t i = 0; i < LENGTH(refused); i++) {
        refused[i].make();
        /* A missing file is no refusal to those who would not make it. */
        if (!options->read_only || access(scene.path, F_OK) == 0)
            check_refused(&refused[i], options);
        assert_int_equal(scene_clear(state), 0);
        assert_int_equal(scene_set(state), 0);
    }
}

static void what_is_no_store_is_refused_untouched(void **state)
{
    const struct storage_options options = {0};
    refuse_all(state, &options);
}

static void what_is_refused_for_writing_is_refused_for_reading(void **state)
{
    const struct storage_options read_only = {.read_only = true};
    refuse_all(state, &read_only);
}

static void a_refusal_is_one_sentence(void **state)
{
    (void)state;
    make_zeroed_in_the_middle();
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open(error), STORAGE_OPEN_REFUSED);
    assert_null(strchr(error, '\n'));
    assert_int_equal(error[strlen(error) - 1], '.');
}

static void a_foreign_file_is_refused_for_reading_too(void **state)
{
    (void)state;
    make_foreign_with_a_log();
    uint64_t before = fixture_sum_of_folder(scene.folder);
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(scene_try_open_as(&read_only, error), STORAGE_OPEN_REFUSED);
    assert_true(fixture_sum_of_folder(scene.folder) == before);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(what_is_no_store_is_refused_untouched),
        SCENE_TEST(what_is_refused_for_writing_is_refused_for_reading),
        SCENE_TEST(a_refusal_is_one_sentence),
        SCENE_TEST(a_foreign_file_is_refused_for_reading_too),
    };
    return cmocka_run_group_tests_name("sqlite: refused files", tests, NULL, NULL);
}
