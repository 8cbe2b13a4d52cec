/* The SQLite backend: the suite of all backends, what people see with sqlite3, and a process that is killed.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite_schema.h"
#include "storage/sqlite_sql.h"
#include "storage/sqlite_steps.h"
#include "tests/storage/conformance.h"
#include "tests/support/storage_fixture.h"

static char *folder;
static char *path;
static char *url;

static char *prepare(void)
{
    folder = fixture_make_folder();
    char *made = NULL;
    assert_true(asprintf(&made, "sqlite:%s/arbiter.db", folder) > 0);
    return made;
}

static void discard(void)
{
    fixture_remove_folder(folder);
}

static int prepare_path(void **state)
{
    (void)state;
    url = prepare();
    path = fixture_path(folder, "arbiter.db");
    return 0;
}

static int discard_path(void **state)
{
    (void)state;
    discard();
    free(url);
    free(path);
    return 0;
}

/* What `sqlite3 -readonly` shows: the columns of all rows, with | and ; between. */
static void select_as_a_person(const char *sql, char *text, size_t size)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *row = NULL;
    assert_int_equal(sqlite3_open_v2(path, &db, SQLITE_OPEN_READONLY, NULL), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &row, NULL) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    size_t length = 0;
    text[0] = '\0';
    while (sqlite3_step(row) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(row); i++) {
            const char *column = (const char *)sqlite3_column_text(row, i);
            length += (size_t)snprintf(text + length, size - length, "%s%s", column ? column : "",
                                       i + 1 < sqlite3_column_count(row) ? "|" : ";");
            assert_true(length < size);
        }
    assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void histories_are_plain_columns_beside_a_running_writer(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(url);
    struct storage_action actions[2];
    struct storage_write write = fixture_moves(fixture_create(storage, "people234567"), actions, 2, 1);
    actions[0].at_ms = 1700000000999;
    actions[0].position_key = 0xF;
    actions[1].at_ms = 1700000001000;
    actions[1].position_key = UINT64_MAX;
    actions[1].white_ms = 299000;
    actions[1].black_ms = 0;
    actions[1].spent_ms = 301;
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    char text[1024];
    select_as_a_person("SELECT * FROM history WHERE game = 'people234567' ORDER BY ply", text, sizeof text);
    assert_string_equal(text, "people234567|1|Nf3|g1f3|000000000000000f|2023-11-14T22:13:20.999Z||;"
                              "people234567|2|Nf6|g8f6|ffffffffffffffff|2023-11-14T22:13:21.000Z|301|0;");
    select_as_a_person("SELECT version, kind, seat, ply, move, white_ms FROM actions ORDER BY version", text,
                       sizeof text);
    assert_string_equal(text, "1|created||0||;2|move|white|1|g1f3|;3|move|black|2|g8f6|299000;");
    storage_close(storage);
}

static void the_sizes_of_the_file_and_of_its_log_are_counted(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(url);
    struct storage_counters before, after;
    struct stat file, log;
    char *log_path = fixture_path(folder, "arbiter.db-wal");
    storage_counters(storage, &before);
    (void)fixture_create(storage, "counted23456");
    storage_counters(storage, &after);
    assert_int_equal(stat(path, &file), 0);
    assert_int_equal(stat(log_path, &log), 0);
    assert_int_equal(before.log_bytes, 0);
    assert_true(after.log_bytes > 0 && after.log_bytes <= (uint64_t)log.st_size);
    assert_int_equal(after.file_bytes, file.st_size);
    free(log_path);
    storage_close(storage);
}

static void a_closed_store_is_one_file(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(url);
    (void)fixture_create(storage, "onefile23456");
    storage_close(storage);
    char *log = fixture_path(folder, "arbiter.db-wal");
    char *memory = fixture_path(folder, "arbiter.db-shm");
    assert_int_not_equal(access(log, F_OK), 0);
    assert_int_not_equal(access(memory, F_OK), 0);
    free(log);
    free(memory);
    char text[64];
    select_as_a_person("PRAGMA integrity_check", text, sizeof text);
    assert_string_equal(text, "ok;");
    select_as_a_person("PRAGMA application_id", text, sizeof text);
    assert_string_equal(text, "1098015348;");
}

static void the_log_of_actions_cannot_be_changed_by_hand(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(url);
    (void)fixture_create(storage, "byhand234567");
    storage_close(storage);
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(db, "UPDATE actions SET kind = 'x'", NULL, NULL, NULL), SQLITE_OK);
    assert_string_equal(sqlite3_errmsg(db), "the log of actions is never changed");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void no_read_scans_a_table_of_games(void **state)
{
    (void)state;
    storage_close(fixture_open(url));
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    struct sqlite_db reader = {.handle = db};
    assert_int_equal(sqlite_steps_install(&reader), SQLITE_OK);
    for (size_t i = 0; i < READ_COUNT; i++) {
        char *sql = sqlite3_mprintf("EXPLAIN QUERY PLAN %s", sqlite_read_sql[i]);
        sqlite3_stmt *row = NULL;
        assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &row, NULL), SQLITE_OK);
        while (sqlite3_step(row) == SQLITE_ROW) {
            const char *step = (const char *)sqlite3_column_text(row, 3);
            bool scans = strncmp(step, "SCAN", 4) == 0;
            if (scans && strcmp(step, "SCAN store") != 0 && strcmp(step, "SCAN page") != 0 &&
                strncmp(step, "SCAN steps", strlen("SCAN steps")) != 0)
                fail_msg("%s: %s", sqlite_read_sql[i], step);
        }
        assert_int_equal(sqlite3_finalize(row), SQLITE_OK);
        sqlite3_free(sql);
    }
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void a_lock_of_another_program_is_busy_and_passes(void **state)
{
    (void)state;
    const struct storage_options impatient = {.busy_ms = 1};
    char error[STORAGE_ERROR_SIZE];
    struct storage *storage = NULL;
    assert_int_equal(storage_open(url, &impatient, &storage, error), STORAGE_OPENED);
    int64_t key = fixture_create(storage, "patient23456");
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, 1);
    assert_int_equal(fixture_write(storage, &write), STORAGE_BUSY);
    assert_int_equal(storage_ready(storage), STORAGE_BUSY);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    storage_close(storage);
}

/* Writes that wait for a lock from outside are committed together, and a broken one among them is alone to
 * blame. */
static void a_batch_with_a_broken_write_is_done_over_singly(void **state)
{
    (void)state;
    enum { GAMES = 6 };
    static const char *const ids[GAMES] = {"batched00000", "batched00001", "batched00002",
                                           "batched00003", "batched00004", "batched00005"};
    struct storage *storage = fixture_open(url);
    sqlite3 *other = NULL;
    assert_int_equal(sqlite3_open(path, &other), SQLITE_OK);
    assert_int_equal(sqlite3_exec(other, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
    struct storage_write writes[GAMES];
    for (size_t i = 0; i < GAMES; i++)
        writes[i] = fixture_creation(ids[i]);
    writes[1] = fixture_beat(1234);
    writes[2].game.access = NULL;
    writes[4].game.id = ids[3];
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, writes, GAMES);
    assert_int_equal(sqlite3_close(other), SQLITE_OK);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), i == 2   ? STORAGE_UNAVAILABLE
                                                              : i == 4 ? STORAGE_CONFLICT
                                                                       : STORAGE_OK);
    fixture_answers_destroy(answers);
    int64_t service_ms = 0;
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 1234);
    storage_close(storage);
    char text[256];
    select_as_a_person("SELECT id FROM games ORDER BY key", text, sizeof text);
    assert_string_equal(text, "batched00000;batched00003;batched00005;");
}

static void a_read_only_store_reads_beside_a_writer_and_refuses_writes(void **state)
{
    (void)state;
    struct storage *writer = fixture_open(url);
    (void)fixture_create(writer, "beside234567");
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    struct storage *reader = NULL;
    assert_int_equal(storage_open(url, &read_only, &reader, error), STORAGE_OPENED);
    assert_string_equal(error, "");
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(reader, "beside234567", &none), STORAGE_OK);
    struct storage_write write = fixture_creation("refused23456");
    assert_int_equal(fixture_write(reader, &write), STORAGE_UNAVAILABLE);
    storage_close(reader);
    (void)fixture_create(writer, "goeson234567");
    storage_close(writer);
}

static bool take_no_receipt(void *context, const struct storage_receipt *row)
{
    (void)context, (void)row;
    fail_msg("a receipt without its digests is handed on");
    return false;
}

/* Constraints hold for what is written; what a disk has made of it is not held against them. */
static void a_receipt_whose_digest_is_cut_off_is_damage(void **state)
{
    (void)state;
    static const char *const digests[] = {"x'0011'", "x''", "zeroblob(31)", "zeroblob(33)"};
    static const uint8_t id[STORAGE_DIGEST_SIZE] = {1}, request[STORAGE_DIGEST_SIZE] = {2};
    const struct storage_receipt receipt = {
        .id = id, .request = request, .answer = (const uint8_t *)"", .service_ms = 1};
    struct storage_write write = {.kind = STORAGE_KEEP, .receipt = &receipt};
    struct storage *storage = fixture_open(url);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    for (size_t i = 0; i < sizeof digests / sizeof digests[0]; i++) {
        char sql[128];
        (void)snprintf(sql, sizeof sql, "PRAGMA ignore_check_constraints=1; UPDATE receipts SET request = %s",
                       digests[i]);
        sqlite3 *db = NULL;
        assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
        assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
        assert_int_equal(sqlite3_close(db), SQLITE_OK);
        const struct storage_rows rows = {.receipt = take_no_receipt};
        assert_int_equal(storage_receipt(storage, id, &rows), STORAGE_DAMAGED);
    }
    storage_close(storage);
}

static int told; /* the pipe's end of the process that will be killed */

static void tell(struct storage_write *stored, enum storage_status status)
{
    uint32_t version = status == STORAGE_OK ? stored->actions->version : 0;
    if (write(told, &version, sizeof version) != (ssize_t)sizeof version)
        _exit(2);
}

/* Submits moves without end, each of which is told once it is durable. */
static void write_until_killed(int64_t key)
{
    struct storage *storage = fixture_open(url);
    for (uint32_t version = 1;; version++) {
        struct storage_write *write = calloc(1, sizeof *write);
        struct storage_action *action = calloc(1, sizeof *action);
        if (!write || !action)
            _exit(3);
        *write = fixture_moves(key, action, 1, version);
        write->done = tell;
        storage_submit(storage, write);
        struct storage_counters counters;
        do
            storage_counters(storage, &counters);
        while (counters.queue_length > 64);
    }
}

static uint32_t kill_after(uint32_t tellings, int64_t key)
{
    int ends[2];
    assert_int_equal(pipe(ends), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        told = ends[1];
        write_until_killed(key);
    }
    (void)close(ends[1]);
    uint32_t last = 1; /* the creation */
    uint32_t version = 0;
    bool killed = false;
    /* What was told before the process died counts, also if it is read after. */
    while (read(ends[0], &version, sizeof version) == (ssize_t)sizeof version) {
        assert_int_equal(version, last + 1);
        last = version;
        if (!killed && version >= tellings) {
            assert_int_equal(kill(child, SIGKILL), 0);
            killed = true;
        }
    }
    (void)close(ends[0]);
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) && WTERMSIG(how) == SIGKILL);
    return last;
}

static void nothing_that_was_told_is_lost_when_the_process_is_killed(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(url);
    int64_t key = fixture_create(storage, "killed234567");
    storage_close(storage);
    uint32_t last = kill_after(300, key);
    storage = fixture_open(url);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "killed234567", &rows), STORAGE_OK);
    assert_true(kept.action_count >= last);
    for (size_t i = 0; i < kept.action_count; i++)
        assert_int_equal(kept.actions[i].version, i + 1);
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, (uint32_t)kept.action_count);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    fixture_rows_free(&kept);
    storage_close(storage);
    char text[64];
    select_as_a_person("PRAGMA integrity_check", text, sizeof text);
    assert_string_equal(text, "ok;");
    select_as_a_person("SELECT (SELECT count(*) FROM actions WHERE move IS NOT NULL) - count(*) FROM history",
                       text, sizeof text);
    assert_string_equal(text, "0;");
}

static void the_version_of_sqlite_is_told(void **state)
{
    (void)state;
    char text[STORAGE_VERSIONS_SIZE], expected[STORAGE_VERSIONS_SIZE];
    (void)snprintf(expected, sizeof expected, "sqlite %s", sqlite3_libversion());
    storage_versions(text);
    assert_string_equal(text, expected);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare_path, discard_path)

int main(void)
{
    const struct conformance sqlite = {.name = "sqlite conforms", .prepare = prepare, .discard = discard};
    const struct CMUnitTest tests[] = {
        TEST(histories_are_plain_columns_beside_a_running_writer),
        TEST(a_closed_store_is_one_file),
        TEST(the_sizes_of_the_file_and_of_its_log_are_counted),
        TEST(the_log_of_actions_cannot_be_changed_by_hand),
        TEST(no_read_scans_a_table_of_games),
        TEST(a_lock_of_another_program_is_busy_and_passes),
        TEST(a_batch_with_a_broken_write_is_done_over_singly),
        TEST(a_read_only_store_reads_beside_a_writer_and_refuses_writes),
        TEST(a_receipt_whose_digest_is_cut_off_is_damage),
        TEST(the_version_of_sqlite_is_told),
        TEST(nothing_that_was_told_is_lost_when_the_process_is_killed),
    };
    int failed = conformance_run(&sqlite);
    return failed + cmocka_run_group_tests_name("sqlite", tests, NULL, NULL);
}
