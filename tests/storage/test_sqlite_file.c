/* Files: made, refused untouched, locked, brought forward. */
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite.h"
#include "tests/support/storage_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static char *folder;
static char *path;
static char *url;

static int prepare(void **state)
{
    (void)state;
    folder = fixture_make_folder();
    path = fixture_path(folder, "arbiter.db");
    assert_true(asprintf(&url, "sqlite:%s", path) > 0);
    return 0;
}

static int discard(void **state)
{
    (void)state;
    free(url);
    free(path);
    fixture_remove_folder(folder);
    return 0;
}

static enum storage_open_status try_open_as(const struct storage_options *options,
                                            char error[STORAGE_ERROR_SIZE])
{
    struct storage *storage = NULL;
    enum storage_open_status status = storage_open(url, options, &storage, error);
    storage_close(storage);
    return status;
}

static enum storage_open_status try_open(char error[STORAGE_ERROR_SIZE])
{
    const struct storage_options options = {0};
    return try_open_as(&options, error);
}

static void assert_contains(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("'%s' does not say '%s'", text, part);
}

static void run_sql(const char *sql)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    if (sqlite3_exec(db, sql, NULL, NULL, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void fill_store(struct storage *storage)
{
    for (int game = 0; game < 20; game++) {
        char id[STORAGE_ID_SIZE];
        (void)snprintf(id, sizeof id, "filled%06d", game);
        struct storage_action actions[60];
        struct storage_write write = fixture_moves(fixture_create(storage, id), actions, LENGTH(actions), 1);
        assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    }
}

static void make_store(void)
{
    struct storage *storage = fixture_open(url);
    fill_store(storage);
    storage_close(storage);
}

static void write_bytes(const char *name, const void *bytes, size_t size, off_t at)
{
    int fd = open(name, O_WRONLY | O_CREAT | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(pwrite(fd, bytes, size, at), size);
    assert_int_equal(close(fd), 0);
}

static off_t size_of_store(void)
{
    struct stat file;
    assert_int_equal(stat(path, &file), 0);
    return file.st_size;
}

static void make_empty(void)
{
    write_bytes(path, "", 0, 0);
}

static void make_text(void)
{
    write_bytes(path, "[Event \"?\"]\n1. e4 e5 *\n", 23, 0);
}

static void make_random(void)
{
    unsigned char bytes[9000];
    uint32_t word = 12345;
    for (size_t i = 0; i < sizeof bytes; i++) {
        word = word * 1664525 + 1013904223;
        bytes[i] = (unsigned char)(word >> 24);
    }
    write_bytes(path, bytes, sizeof bytes, 0);
}

static void make_zeros(void)
{
    static const unsigned char zeros[16384];
    write_bytes(path, zeros, sizeof zeros, 0);
}

static void make_foreign(void)
{
    run_sql("CREATE TABLE games(id TEXT); INSERT INTO games VALUES('x')");
}

static void make_foreign_with_a_log(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(
        sqlite3_exec(db, "PRAGMA journal_mode=WAL; CREATE TABLE games(id TEXT)", NULL, NULL, NULL),
        SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_newer(void)
{
    make_store();
    run_sql("PRAGMA user_version = 99");
}

/* As a process of the newer kind that was killed has left it: the version stands in the log only. */
static void make_newer_in_the_log(void)
{
    make_store();
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 99", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_without_version(void)
{
    make_store();
    run_sql("PRAGMA user_version = 0");
}

static void make_without_a_table(void)
{
    make_store();
    run_sql("DROP TABLE moves");
}

static void make_truncated_in_a_page(void)
{
    make_store();
    assert_int_equal(truncate(path, size_of_store() - 100), 0);
}

static void make_truncated_to_half(void)
{
    make_store();
    assert_int_equal(truncate(path, size_of_store() / 2 / 4096 * 4096), 0);
}

static void make_truncated_to_the_header(void)
{
    make_store();
    assert_int_equal(truncate(path, 100), 0);
}

static void make_truncated_below_the_header(void)
{
    make_store();
    assert_int_equal(truncate(path, 50), 0);
}

static void make_longer(void)
{
    make_store();
    write_bytes(path, "more", 4, size_of_store());
}

static void make_zeroed_header(void)
{
    make_store();
    static const unsigned char zeros[100];
    write_bytes(path, zeros, sizeof zeros, 0);
}

static void zero_page(int page)
{
    static const unsigned char zeros[4096];
    write_bytes(path, zeros, sizeof zeros, (off_t)(page - 1) * 4096);
}

static void make_zeroed_schema(void)
{
    make_store();
    static const unsigned char zeros[4096 - 100];
    write_bytes(path, zeros, sizeof zeros, 100);
}

static void make_zeroed_in_the_middle(void)
{
    make_store();
    zero_page((int)(size_of_store() / 4096) / 2);
}

static void make_zeroed_at_the_end(void)
{
    make_store();
    zero_page((int)(size_of_store() / 4096));
}

static void make_scrambled(void)
{
    make_store();
    write_bytes(path, "\xff\xff\xff\xff\xff\xff\xff\xff", 8, size_of_store() - 4096);
}

static void make_odd_page_size(void)
{
    make_store();
    write_bytes(path, "\x12\x34", 2, 16);
}

/* A store as a killed process leaves it, with writes in its log; then something happens to the file. */
static void make_killed(void)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fill_store(fixture_open(url));
        (void)kill(getpid(), SIGKILL);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how));
}

static void move_log_into_file(void)
{
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA wal_checkpoint", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, "PRAGMA user_version = 1", NULL, NULL, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_db_config(db, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void make_killed_and_truncated(void)
{
    make_killed();
    move_log_into_file();
    assert_int_equal(truncate(path, size_of_store() / 2 / 4096 * 4096), 0);
}

static void make_killed_and_zeroed(void)
{
    make_killed();
    static const unsigned char zeros[100];
    write_bytes(path, zeros, sizeof zeros, 0);
}

static void make_killed_and_emptied(void)
{
    make_killed();
    assert_int_equal(truncate(path, 0), 0);
}

static void make_killed_and_removed(void)
{
    make_killed();
    assert_int_equal(unlink(path), 0);
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

static void what_is_no_store_is_refused_untouched(void **state)
{
    for (size_t i = 0; i < LENGTH(refused); i++) {
        refused[i].make();
        uint64_t before = fixture_sum_of_folder(folder);
        char error[STORAGE_ERROR_SIZE] = "";
        enum storage_open_status status = try_open(error);
        if (status != STORAGE_OPEN_REFUSED || !strstr(error, refused[i].says) || !strstr(error, path))
            fail_msg("%s: status %d, '%s'", refused[i].label, (int)status, error);
        if (fixture_sum_of_folder(folder) != before)
            fail_msg("%s: the folder was changed", refused[i].label);
        assert_int_equal(discard(state), 0);
        assert_int_equal(prepare(state), 0);
    }
}

static void a_refusal_is_one_sentence(void **state)
{
    (void)state;
    make_zeroed_in_the_middle();
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_REFUSED);
    assert_null(strchr(error, '\n'));
    assert_int_equal(error[strlen(error) - 1], '.');
}

static void a_foreign_file_is_refused_for_reading_too(void **state)
{
    (void)state;
    make_foreign_with_a_log();
    uint64_t before = fixture_sum_of_folder(folder);
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open_as(&read_only, error), STORAGE_OPEN_REFUSED);
    assert_true(fixture_sum_of_folder(folder) == before);
}

static void a_store_that_was_killed_opens_with_all_it_had(void **state)
{
    (void)state;
    make_killed();
    struct storage *storage = fixture_open(url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000000", &none), STORAGE_OK);
    assert_int_equal(storage_load(storage, "filled000019", &none), STORAGE_OK);
    storage_close(storage);
}

static void a_new_file_is_whole_and_nothing_lies_beside_it_when_closed(void **state)
{
    (void)state;
    char error[STORAGE_ERROR_SIZE] = "x";
    assert_int_equal(try_open(error), STORAGE_OPENED);
    assert_string_equal(error, "");
    assert_int_equal(size_of_store() % 4096, 0);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0);
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void a_link_to_nowhere_is_not_followed(void **state)
{
    (void)state;
    char *nowhere = fixture_path(folder, "nowhere.db");
    assert_int_equal(symlink(nowhere, path), 0);
    uint64_t before = fixture_sum_of_folder(folder);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_FAILED);
    assert_contains(error, "File exists");
    assert_true(fixture_sum_of_folder(folder) == before);
    free(nowhere);
}

struct opener {
    pthread_t thread;
    struct storage *storage;
    enum storage_open_status status;
};

static void *open_in_thread(void *argument)
{
    struct opener *opener = argument;
    const struct storage_options options = {0};
    char error[STORAGE_ERROR_SIZE];
    opener->status = storage_open(url, &options, &opener->storage, error);
    return NULL;
}

static void of_many_who_make_a_file_at_once_one_gets_it(void **state)
{
    (void)state;
    struct opener openers[8] = {0};
    size_t opened = 0;
    for (size_t i = 0; i < LENGTH(openers); i++)
        assert_int_equal(pthread_create(&openers[i].thread, NULL, open_in_thread, &openers[i]), 0);
    for (size_t i = 0; i < LENGTH(openers); i++) {
        assert_int_equal(pthread_join(openers[i].thread, NULL), 0);
        opened += openers[i].status == STORAGE_OPENED;
        assert_true(openers[i].status == STORAGE_OPENED || openers[i].status == STORAGE_OPEN_LOCKED);
    }
    assert_int_equal(opened, 1);
    for (size_t i = 0; i < LENGTH(openers); i++)
        storage_close(openers[i].storage);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(rmdir(folder), 0); /* no draft is left */
    assert_int_equal(mkdir(folder, 0700), 0);
}

static void a_name_with_odd_characters_is_taken_as_it_is(void **state)
{
    (void)state;
    char *odd = fixture_path(folder, "50% of #1?mode=memory&x .db");
    char *odd_url = NULL;
    assert_true(asprintf(&odd_url, "sqlite:%s", odd) > 0);
    storage_close(fixture_open(odd_url));
    storage_close(fixture_open(odd_url));
    assert_int_equal(access(odd, F_OK), 0);
    free(odd_url);
    free(odd);
}

static void a_relative_name_stays_where_it_was_opened(void **state)
{
    (void)state;
    int here = open(".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(here >= 0);
    assert_int_equal(chdir(folder), 0);
    struct storage *storage = fixture_open("sqlite:arbiter.db");
    assert_int_equal(fchdir(here), 0);
    assert_int_equal(close(here), 0);
    (void)fixture_create(storage, "relative2345");
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "relative2345", &none), STORAGE_OK);
    storage_close(storage);
    assert_int_equal(access(path, F_OK), 0);
}

static void a_folder_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkdir(path, 0700), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_FAILED);
    assert_contains(error, "it is a folder");
}

static void a_pipe_is_no_file(void **state)
{
    (void)state;
    assert_int_equal(mkfifo(path, 0600), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_FAILED);
    assert_contains(error, "it is no file");
}

static void a_missing_folder_is_said(void **state)
{
    (void)state;
    struct storage *storage = NULL;
    const struct storage_options options = {0};
    char error[STORAGE_ERROR_SIZE];
    char *missing = NULL;
    assert_true(asprintf(&missing, "sqlite:%s/no/arbiter.db", folder) > 0);
    assert_int_equal(storage_open(missing, &options, &storage, error), STORAGE_OPEN_FAILED);
    assert_contains(error, "No such file or directory");
    assert_null(storage);
    free(missing);
}

static void missing_rights_are_said(void **state)
{
    (void)state;
    if (geteuid() == 0)
        skip(); /* root may do everything */
    make_store();
    assert_int_equal(chmod(path, 0), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_FAILED);
    assert_contains(error, "Permission denied");
}

static void a_missing_file_is_not_made_for_reading(void **state)
{
    (void)state;
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open_as(&read_only, error), STORAGE_OPEN_FAILED);
    assert_int_not_equal(access(path, F_OK), 0);
}

static void an_unknown_kind_of_storage_is_said(void **state)
{
    (void)state;
    static const char *const urls[] = {"", "arbiter.db", "mysql://x", "SQLITE:x", "sqlite:"};
    for (size_t i = 0; i < LENGTH(urls); i++) {
        struct storage *storage = NULL;
        const struct storage_options options = {0};
        char error[STORAGE_ERROR_SIZE];
        assert_int_equal(storage_open(urls[i], &options, &storage, error), STORAGE_OPEN_FAILED);
        assert_int_equal(error[strlen(error) - 1], '.');
    }
}

static void a_second_store_of_a_file_is_locked_out_in_this_process(void **state)
{
    (void)state;
    struct storage *first = fixture_open(url);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_LOCKED);
    assert_contains(error, "in use by another arbiterd");
    (void)fixture_create(first, "unharmed2345");
    storage_close(first);
    assert_int_equal(try_open(error), STORAGE_OPENED);
}

static void every_name_of_a_file_meets_the_same_lock(void **state)
{
    (void)state;
    struct storage *first = fixture_open(url);
    free(url);
    char *link_path = fixture_path(folder, "alias.db");
    assert_true(asprintf(&url, "sqlite:%s", link_path) > 0);
    assert_int_equal(symlink(path, link_path), 0);
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_LOCKED);
    assert_int_equal(unlink(link_path), 0);
    assert_int_equal(link(path, link_path), 0);
    assert_int_equal(try_open(error), STORAGE_OPEN_LOCKED);
    free(link_path);
    storage_close(first);
}

/* A process that holds the store until it is killed. */
static pid_t hold_in_another_process(void)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        struct storage *storage = fixture_open(url);
        (void)fixture_create(storage, "holder234567");
        if (write(ends[1], "x", 1) == 1)
            for (;;)
                (void)pause();
        _exit(1);
    }
    assert_int_equal(close(ends[1]), 0);
    char sign = 0;
    assert_int_equal(read(ends[0], &sign, 1), 1);
    assert_int_equal(close(ends[0]), 0);
    return child;
}

static void a_second_process_is_locked_out_until_the_first_is_killed(void **state)
{
    (void)state;
    pid_t holder = hold_in_another_process();
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(try_open(error), STORAGE_OPEN_LOCKED);
    assert_contains(error, path);
    /* A look does not loosen it. */
    assert_int_equal(try_open(error), STORAGE_OPEN_LOCKED);
    const struct storage_options read_only = {.read_only = true};
    assert_int_equal(try_open_as(&read_only, error), STORAGE_OPENED);
    assert_int_equal(kill(holder, SIGKILL), 0);
    int how = 0;
    assert_int_equal(waitpid(holder, &how, 0), holder);
    struct storage *storage = fixture_open(url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "holder234567", &none), STORAGE_OK);
    storage_close(storage);
}

/* The schema of a release to come, and one that cannot be reached. */
static const char *next_migrations[2];
static const struct sqlite_schema next_schema = {next_migrations, 2};

static enum storage_open_status open_next(const char *migration, struct storage **storage,
                                          char error[STORAGE_ERROR_SIZE])
{
    const struct storage_options options = {0};
    next_migrations[0] = sqlite_schema.migrations[0];
    next_migrations[1] = migration;
    return sqlite_open_schema(path, &options, &next_schema, storage, error);
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
    make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT", &storage, error), STORAGE_OPENED);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000007", &none), STORAGE_OK);
    (void)fixture_create(storage, "newer2345678");
    storage_close(storage);
    char *copy = fixture_path(folder, "arbiter.db.before-v2");
    assert_true(has_note_column(path));
    assert_false(has_note_column(copy));
    free(copy);
    /* The older program now refuses it. */
    assert_int_equal(try_open(error), STORAGE_OPEN_REFUSED);
    assert_contains(error, "run the newer one");
    /* The newer one opens it again without another copy. */
    assert_int_equal(open_next("nonsense", &storage, error), STORAGE_OPENED);
    storage_close(storage);
}

static void a_copy_made_before_a_migration_opens_as_a_store(void **state)
{
    (void)state;
    make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT", &storage, error), STORAGE_OPENED);
    storage_close(storage);
    char *copy = fixture_path(folder, "arbiter.db.before-v2");
    assert_int_equal(rename(copy, path), 0);
    free(copy);
    storage = fixture_open(url);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(storage, "filled000007", &none), STORAGE_OK);
    storage_close(storage);
}

static void a_migration_that_fails_leaves_the_store_as_it_was(void **state)
{
    (void)state;
    make_store();
    struct storage *storage = NULL;
    char error[STORAGE_ERROR_SIZE];
    assert_int_equal(open_next("ALTER TABLE games ADD COLUMN note TEXT; CREATE nonsense", &storage, error),
                     STORAGE_OPEN_FAILED);
    assert_contains(error, "is as it was");
    assert_null(storage);
    assert_false(has_note_column(path));
    storage = fixture_open(url);
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
    assert_true(has_note_column(path));
    char *copy = fixture_path(folder, "arbiter.db.before-v2");
    assert_int_not_equal(access(copy, F_OK), 0);
    free(copy);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, discard)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(what_is_no_store_is_refused_untouched),
        TEST(a_refusal_is_one_sentence),
        TEST(a_foreign_file_is_refused_for_reading_too),
        TEST(a_store_that_was_killed_opens_with_all_it_had),
        TEST(a_new_file_is_whole_and_nothing_lies_beside_it_when_closed),
        TEST(a_link_to_nowhere_is_not_followed),
        TEST(of_many_who_make_a_file_at_once_one_gets_it),
        TEST(a_name_with_odd_characters_is_taken_as_it_is),
        TEST(a_relative_name_stays_where_it_was_opened),
        TEST(a_folder_is_no_file),
        TEST(a_pipe_is_no_file),
        TEST(a_missing_folder_is_said),
        TEST(missing_rights_are_said),
        TEST(a_missing_file_is_not_made_for_reading),
        TEST(an_unknown_kind_of_storage_is_said),
        TEST(a_second_store_of_a_file_is_locked_out_in_this_process),
        TEST(every_name_of_a_file_meets_the_same_lock),
        TEST(a_second_process_is_locked_out_until_the_first_is_killed),
        TEST(an_older_schema_is_brought_forward_after_a_copy),
        TEST(a_copy_made_before_a_migration_opens_as_a_store),
        TEST(a_migration_that_fails_leaves_the_store_as_it_was),
        TEST(a_new_file_is_made_by_all_migrations),
    };
    return cmocka_run_group_tests_name("sqlite files", tests, NULL, NULL);
}
