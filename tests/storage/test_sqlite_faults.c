/* A disk that is full, fails to write or to sync: what is refused, what survives, how it goes on. */
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite_pool.h"
#include "storage/sqlite_read.h"
#include "storage/sqlite_sql.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_vfs.h"

static char *folder;
static char *path;
static char *url;
static struct storage *storage;
static int64_t key;

/* What the store has told of its faults. */
static struct told {
    unsigned faults[STORAGE_SIDE_COUNT], recoveries[STORAGE_SIDE_COUNT];
    char text[STORAGE_ERROR_SIZE]; /* of the last fault */
} told;

/* Called under a lock of the store; read by the test when no call is under way. */
static void hear(void *context, enum storage_side side, enum storage_status status, const char *text)
{
    struct told *heard = context;
    if (status == STORAGE_OK) {
        heard->recoveries[side]++;
        return;
    }
    heard->faults[side]++;
    (void)snprintf(heard->text, sizeof heard->text, "%s", text);
}

static struct storage *open_and_listen(void)
{
    const struct storage_options options = {.watch = {.context = &told, .note = hear}};
    char error[STORAGE_ERROR_SIZE];
    struct storage *opened = NULL;
    assert_int_equal(storage_open(url, &options, &opened, error), STORAGE_OPENED);
    return opened;
}

static int prepare(void **state)
{
    (void)state;
    told = (struct told){0};
    folder = fixture_make_folder();
    path = fixture_path(folder, "arbiter.db");
    assert_true(asprintf(&url, "sqlite:%s", path) > 0);
    storage = open_and_listen();
    key = fixture_create(storage, "faulty234567");
    return 0;
}

static int discard(void **state)
{
    (void)state;
    vfs_heal();
    storage_close(storage);
    free(url);
    free(path);
    fixture_remove_folder(folder);
    return 0;
}

static enum storage_status append(uint32_t version)
{
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, version);
    return fixture_write(storage, &write);
}

static enum storage_status append_much(uint32_t version)
{
    static char payload[1 << 20];
    memset(payload, 'x', sizeof payload - 1);
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, version);
    action.payload = payload;
    return fixture_write(storage, &write);
}

static bool note_version(void *context, const struct storage_action *row)
{
    *(uint32_t *)context = row->version;
    return true;
}

static uint32_t last_version(struct storage *of)
{
    uint32_t version = 0;
    const struct storage_rows rows = {.context = &version, .action = note_version};
    assert_int_equal(storage_load(of, "faulty234567", &rows), STORAGE_OK);
    return version;
}

static void copy_file(const char *from, const char *to)
{
    FILE *source = fopen(from, "rb");
    FILE *target = fopen(to, "wb");
    assert_non_null(source);
    assert_non_null(target);
    char block[4096];
    size_t size = 0;
    while ((size = fread(block, 1, sizeof block, source)) > 0)
        assert_int_equal(fwrite(block, 1, size, target), size);
    assert_int_equal(fclose(target), 0);
    assert_int_equal(fclose(source), 0);
}

/* What somebody finds who copies file and log now: the last version a killed process would come back with. */
static uint32_t version_after_a_crash(void)
{
    char *copy = fixture_path(folder, "crashed.db");
    char *copy_log = fixture_path(folder, "crashed.db-wal");
    char *log = fixture_path(folder, "arbiter.db-wal");
    char *copy_url = NULL;
    assert_true(asprintf(&copy_url, "sqlite:%s", copy) > 0);
    copy_file(path, copy);
    copy_file(log, copy_log);
    struct storage *crashed = fixture_open(copy_url);
    uint32_t version = last_version(crashed);
    storage_close(crashed);
    assert_int_equal(unlink(copy), 0);
    free(copy_url);
    free(log);
    free(copy_log);
    free(copy);
    return version;
}

static void a_full_disk_refuses_writes_and_lets_reads_go_on(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, -1, SQLITE_FULL);
    assert_int_equal(append(1), STORAGE_FULL);
    assert_int_equal(storage_ready(storage), STORAGE_FULL);
    assert_int_equal(append(1), STORAGE_FULL);
    assert_int_equal(last_version(storage), 1);
    vfs_heal();
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(storage_ready(storage), STORAGE_OK); /* the write has gone well: that fault is over */
    assert_int_equal(append(2), STORAGE_OK);
    assert_int_equal(last_version(storage), 3);
    assert_int_equal(version_after_a_crash(), 3);
}

static void a_look_at_readiness_notices_that_the_disk_is_well_again(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, -1, SQLITE_FULL);
    assert_int_equal(append(1), STORAGE_FULL);
    assert_int_equal(storage_ready(storage), STORAGE_FULL);
    vfs_heal();
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    int writes = vfs_count(VFS_WRITE_LOG);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    assert_int_equal(vfs_count(VFS_WRITE_LOG), writes);
}

static void a_fault_is_told_with_the_words_of_sqlite_and_so_is_its_end(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, -1, SQLITE_FULL);
    assert_int_equal(append(1), STORAGE_FULL);
    assert_int_not_equal(told.faults[STORAGE_WRITES], 0);
    assert_non_null(strstr(told.text, path));
    assert_non_null(strstr(told.text, "database or disk is full (SQLite error 13)"));
    assert_int_equal(told.recoveries[STORAGE_WRITES], 0);
    vfs_heal();
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(append(2), STORAGE_OK);
    assert_int_equal(told.recoveries[STORAGE_WRITES], 1);
    assert_int_equal(told.faults[STORAGE_READS], 0);
}

/* A full disk may have room for the probe where it has none for a game. */
static void a_fault_is_told_by_the_next_look_even_if_a_probe_goes_well(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, 1, SQLITE_FULL);
    assert_int_equal(append(1), STORAGE_FULL);
    assert_int_equal(storage_ready(storage), STORAGE_FULL);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    assert_int_equal(told.recoveries[STORAGE_WRITES], 0); /* that takes a write of somebody's */
}

static void a_connection_that_cannot_be_opened_is_told(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, 1, SQLITE_IOERR_WRITE);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    vfs_fail(VFS_OPEN, -1, SQLITE_CANTOPEN);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_non_null(strstr(told.text, "(SQLite error 14)"));
    assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    vfs_heal();
    assert_int_equal(storage_ready(storage), STORAGE_OK);
}

/* Pages behind those of a new store, so that the probes find theirs sound. */
static void a_damaged_file_is_never_ready(void **state)
{
    (void)state;
    const struct storage_rows none = {0};
    for (uint32_t version = 1; version < 2400; version += 60) {
        struct storage_action actions[60];
        struct storage_write write = fixture_moves(key, actions, 60, version);
        assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    }
    storage_close(storage);
    storage = open_and_listen();
    FILE *file = fopen(path, "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, 0, SEEK_END), 0);
    long pages = ftell(file) / 4096;
    assert_true(pages > 24);
    for (long page = 18; page < pages; page++) {
        static const char scrap[4096] = "scrap";
        assert_int_equal(fseek(file, page * 4096, SEEK_SET), 0);
        assert_int_equal(fwrite(scrap, sizeof scrap, 1, file), 1);
    }
    assert_int_equal(fclose(file), 0);
    assert_int_equal(storage_load(storage, "faulty234567", &none), STORAGE_UNAVAILABLE);
    assert_non_null(strstr(told.text, "malformed"));
    for (int i = 0; i < 3; i++)
        assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    assert_int_equal(told.recoveries[STORAGE_READS], 0);
}

static void a_file_that_is_gone_takes_no_writes_until_it_is_back(void **state)
{
    (void)state;
    char *aside = fixture_path(folder, "aside.db");
    assert_int_equal(rename(path, aside), 0);
    assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_non_null(strstr(told.text, "removed or replaced"));
    copy_file(aside, path);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    assert_int_equal(rename(aside, path), 0);
    assert_int_equal(storage_ready(storage), STORAGE_OK); /* it was told while it was so */
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(last_version(storage), 2);
    free(aside);
}

static void a_disk_that_fails_to_write_is_unavailable_and_recovers(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, -1, SQLITE_IOERR_WRITE);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    vfs_heal();
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(last_version(storage), 2);
    assert_int_equal(version_after_a_crash(), 2);
}

static void a_write_whose_sync_failed_does_not_come_back(void **state)
{
    (void)state;
    vfs_fail(VFS_SYNC_LOG, 1, SQLITE_IOERR_FSYNC);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_int_equal(last_version(storage), 1);
    /* Before anything else is written, a commit of nothing takes its place in the log. */
    assert_int_equal(storage_ready(storage), STORAGE_UNAVAILABLE);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    assert_int_equal(version_after_a_crash(), 1);
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(version_after_a_crash(), 2);
}

static void while_syncs_fail_nothing_is_taken(void **state)
{
    (void)state;
    vfs_fail(VFS_SYNC_LOG, -1, SQLITE_IOERR_FSYNC);
    for (int i = 0; i < 5; i++)
        assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_int_equal(last_version(storage), 1);
    vfs_heal();
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(append(2), STORAGE_OK);
    assert_int_equal(version_after_a_crash(), 3);
}

static void a_checkpoint_that_fails_loses_nothing(void **state)
{
    (void)state;
    vfs_fail(VFS_SYNC_FILE, 1, SQLITE_IOERR_FSYNC);
    /* Enough for the log to be moved into the file more than once. */
    int syncs = vfs_count(VFS_SYNC_FILE);
    uint32_t version = 1;
    while (vfs_count(VFS_SYNC_FILE) < syncs + 2)
        assert_int_equal(append_much(version++), STORAGE_OK);
    assert_int_equal(last_version(storage), version);
    assert_int_equal(version_after_a_crash(), version);
    storage_close(storage);
    storage = fixture_open(url);
    assert_int_equal(last_version(storage), version);
}

static void a_disk_that_fails_in_a_checkpoint_only_is_no_fault_of_a_write(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_FILE, -1, SQLITE_FULL);
    int writes = vfs_count(VFS_WRITE_FILE);
    uint32_t version = 1;
    while (vfs_count(VFS_WRITE_FILE) < writes + 2)
        assert_int_equal(append_much(version++), STORAGE_OK);
    assert_int_equal(version_after_a_crash(), version);
    vfs_heal();
    assert_int_equal(append(version), STORAGE_OK);
}

static void a_log_that_cannot_be_made_longer_ahead_is_no_fault_of_a_write(void **state)
{
    (void)state;
    vfs_fail(VFS_LENGTHEN_LOG, -1, SQLITE_FULL);
    uint32_t version = 1;
    for (int tried = vfs_count(VFS_LENGTHEN_LOG); vfs_count(VFS_LENGTHEN_LOG) < tried + 2; version++)
        assert_int_equal(append_much(version), STORAGE_OK);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    assert_int_equal(version_after_a_crash(), version);
}

static void a_connection_that_cannot_be_reopened_is_tried_again(void **state)
{
    (void)state;
    vfs_fail(VFS_WRITE_LOG, 1, SQLITE_IOERR_WRITE);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    vfs_fail(VFS_OPEN, -1, SQLITE_CANTOPEN);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    assert_int_equal(append(1), STORAGE_UNAVAILABLE);
    vfs_heal();
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(last_version(storage), 2);
}

static void a_store_with_a_failing_disk_can_be_closed(void **state)
{
    (void)state;
    assert_int_equal(append(1), STORAGE_OK);
    vfs_fail(VFS_WRITE_LOG, -1, SQLITE_IOERR_WRITE);
    vfs_fail(VFS_SYNC_FILE, -1, SQLITE_IOERR_FSYNC);
    vfs_fail(VFS_WRITE_FILE, -1, SQLITE_IOERR_WRITE);
    assert_int_equal(append(2), STORAGE_UNAVAILABLE);
    storage_close(storage);
    vfs_heal();
    storage = fixture_open(url);
    assert_int_equal(last_version(storage), 2);
}

/* In a process of its own, since the limit is the process's. The kernel gives EFBIG, as it would EDQUOT. */
static int write_against_a_limit(void)
{
    struct rlimit limit;
    if (signal(SIGXFSZ, SIG_IGN) == SIG_ERR || getrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 1;
    struct storage *limited = fixture_open(url);
    const struct rlimit narrow = {.rlim_cur = 60000, .rlim_max = limit.rlim_max};
    if (setrlimit(RLIMIT_FSIZE, &narrow) != 0)
        return 2;
    enum storage_status status = STORAGE_OK;
    uint32_t version = 1;
    while (status == STORAGE_OK) {
        struct storage_action action;
        struct storage_write write = fixture_moves(key, &action, 1, version);
        status = fixture_write(limited, &write);
        version += status == STORAGE_OK;
    }
    if (status != STORAGE_FULL || storage_ready(limited) != STORAGE_FULL || last_version(limited) != version)
        return 3;
    if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
        return 4;
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, version);
    if (fixture_write(limited, &write) != STORAGE_OK || last_version(limited) != version + 1)
        return 5;
    storage_close(limited);
    return 0;
}

static void a_limit_of_the_system_is_a_full_disk(void **state)
{
    (void)state;
    storage_close(storage);
    storage = NULL;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0)
        _exit(write_against_a_limit());
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFEXITED(how));
    assert_int_equal(WEXITSTATUS(how), 0);
    storage = fixture_open(url);
}

static void what_the_system_said_is_told_for_extended_codes_too(void **state)
{
    (void)state;
    static const int CODES[] = {SQLITE_CANTOPEN, SQLITE_CANTOPEN_DIRTYWAL, SQLITE_IOERR, SQLITE_IOERR_LOCK};
    const struct sqlite_db_setup setup = {.name = path, .flags = SQLITE_OPEN_READONLY};
    for (size_t i = 0; i < sizeof CODES / sizeof CODES[0]; i++) {
        struct sqlite_db db;
        vfs_fail(VFS_OPEN, -1, CODES[i]);
        assert_int_equal(sqlite_db_open(&db, &setup), CODES[i]);
        assert_string_equal(sqlite_db_text(&db), strerror(EIO));
        sqlite_db_close(&db);
    }
}

/* The statement that ends the transaction of a load is replaced by one that fails. */
static void break_the_end(struct sqlite_pool *pool)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    assert_non_null(db);
    (void)sqlite3_finalize(db->statements[READ_END]);
    assert_int_equal(sqlite3_prepare_v2(db->handle, "SELECT abs(-9223372036854775807 - 1)", -1,
                                        &db->statements[READ_END], NULL),
                     SQLITE_OK);
    sqlite_pool_give_back(pool, db, STORAGE_OK);
}

static bool want_no_more(void *context, const struct storage_game *row)
{
    (void)context;
    (void)row;
    return false;
}

static void a_reader_whose_transaction_would_not_end_is_closed(void **state)
{
    (void)state;
    static const struct storage_rows all = {0}, none = {.game = want_no_more};
    static const struct {
        const char *id;
        const struct storage_rows *rows;
        enum storage_status usual;
    } ROWS[] = {
        {"faulty234567", &all, STORAGE_OK},
        {"faulty234567", &none, STORAGE_STOPPED},
        {"nobody234567", &all, STORAGE_NOT_FOUND},
    };
    for (size_t i = 0; i < sizeof ROWS / sizeof ROWS[0]; i++) {
        struct sqlite_pool pool;
        struct sqlite_health health;
        sqlite_health_init(&health, path);
        assert_true(sqlite_pool_init(&pool, &health, 0));
        break_the_end(&pool);
        assert_int_equal(sqlite_read_load(&pool, ROWS[i].id, ROWS[i].rows), STORAGE_UNAVAILABLE);
        assert_int_equal(pool.open_count, 0);
        assert_int_equal(sqlite_read_load(&pool, ROWS[i].id, ROWS[i].rows), ROWS[i].usual);
        sqlite_pool_finish(&pool);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, discard)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_full_disk_refuses_writes_and_lets_reads_go_on),
        TEST(a_look_at_readiness_notices_that_the_disk_is_well_again),
        TEST(a_fault_is_told_with_the_words_of_sqlite_and_so_is_its_end),
        TEST(a_fault_is_told_by_the_next_look_even_if_a_probe_goes_well),
        TEST(a_connection_that_cannot_be_opened_is_told),
        TEST(a_damaged_file_is_never_ready),
        TEST(a_file_that_is_gone_takes_no_writes_until_it_is_back),
        TEST(a_disk_that_fails_to_write_is_unavailable_and_recovers),
        TEST(a_write_whose_sync_failed_does_not_come_back),
        TEST(while_syncs_fail_nothing_is_taken),
        TEST(a_checkpoint_that_fails_loses_nothing),
        TEST(a_disk_that_fails_in_a_checkpoint_only_is_no_fault_of_a_write),
        TEST(a_log_that_cannot_be_made_longer_ahead_is_no_fault_of_a_write),
        TEST(a_connection_that_cannot_be_reopened_is_tried_again),
        TEST(a_store_with_a_failing_disk_can_be_closed),
        TEST(a_limit_of_the_system_is_a_full_disk),
        TEST(what_the_system_said_is_told_for_extended_codes_too),
        TEST(a_reader_whose_transaction_would_not_end_is_closed),
    };
    if (!vfs_install())
        return 1;
    return cmocka_run_group_tests_name("sqlite on a failing disk", tests, NULL, NULL);
}
