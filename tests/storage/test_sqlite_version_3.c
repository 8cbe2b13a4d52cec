/* The SQLite backend: files of schema 3, which kept the moves in force in a table of their own, and a start that is killed
 * while it brings one forward. */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/storage/conformance_parts.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

/* Game 5: 99 moves, all but ten taken back in version 101, then 99 others. Game 7 lacks version 3. Rows of a game 99
 * that is not there, as somebody leaves them who deletes a game by hand. */
static const char version_3_rows[] =
    "INSERT INTO games(key, id, variant, rules, created_at_ms, access, visibility, tokens, status) VALUES"
    "(5, 'long23456789', 'standard', '{}', 1000, 'open', 'public', 'white=aa', 'active'),"
    "(6, 'short2345678', 'standard', '{}', 1000, 'open', 'public', NULL, 'active'),"
    "(7, 'gap234567892', 'standard', '{}', 1000, 'open', 'public', NULL, 'active');"
    "INSERT INTO actions(game, version, at_ms, kind, ply, position_key) VALUES"
    "(5, 1, 1000, 'created', 0, 1), (6, 1, 1000, 'created', 0, 1), (7, 1, 1000, 'created', 0, 1),"
    "(5, 101, 1101, 'undo', 10, 11), (99, 1, 1, 'created', 0, 1), (99, 2, 1, 'resign', 0, 1);"
    "WITH RECURSIVE n(version) AS (SELECT 2 UNION ALL SELECT version + 1 FROM n WHERE version < 200)"
    "INSERT INTO actions(game, version, at_ms, kind, seat, ply, move, position_key, service_ms, payload)"
    " SELECT 5, version, 1000 + version, 'move', 'white', iif(version < 101, version - 1, version - 91),"
    " 'm' || version, -version, version, 'comment=' || version FROM n WHERE version <> 101;"
    "INSERT INTO actions(game, version, at_ms, kind, ply, move, position_key) VALUES"
    "(7, 2, 1, 'move', 1, 'e2e4', 2), (7, 4, 1, 'move', 2, 'e7e5', 3);"
    "INSERT INTO moves SELECT 5, ply, version, 's' || version FROM actions"
    " WHERE game = 5 AND move IS NOT NULL AND (version > 101 OR ply <= 10);"
    "INSERT INTO moves VALUES(7, 1, 2, 'e4'), (7, 2, 4, 'e5');"
    "INSERT INTO receipts VALUES(zeroblob(32), zeroblob(32), x'6f6b', 3);"
    "UPDATE store SET service_ms = 777;";

enum { VERSIONS = 200, UNDO = 101, KEPT_PLIES = 10, PLIES = 109 };

/* What the row of game 5 with that version says. */
static void assert_action(const struct storage_action *found, uint32_t version)
{
    char move[16], payload[32];
    (void)snprintf(move, sizeof move, "m%u", version);
    (void)snprintf(payload, sizeof payload, "comment=%u", version);
    const struct storage_action moved = {.version = version,
                                         .at_ms = 1000 + (int64_t)version,
                                         .kind = "move",
                                         .seat = "white",
                                         .ply = version < UNDO ? version - 1 : version - 91,
                                         .move = move,
                                         .position_key = (uint64_t) - (int64_t)version,
                                         .white_ms = -1,
                                         .black_ms = -1,
                                         .spent_ms = -1,
                                         .service_ms = version,
                                         .payload = payload};
    const struct storage_action undone = {.version = UNDO,
                                          .at_ms = 1101,
                                          .kind = "undo",
                                          .ply = KEPT_PLIES,
                                          .position_key = 11,
                                          .white_ms = -1,
                                          .black_ms = -1,
                                          .spent_ms = -1,
                                          .service_ms = -1};
    conformance_assert_action(found, version == UNDO ? &undone : &moved);
}

static uint32_t version_of_ply(uint32_t ply)
{
    return ply <= KEPT_PLIES ? ply + 1 : ply + 91;
}

static void assert_long_game(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "long23456789", &rows), STORAGE_OK);
    assert_string_equal(kept.games[0].tokens, "white=aa");
    assert_int_equal(kept.action_count, VERSIONS);
    for (uint32_t version = 2; version <= VERSIONS; version++)
        assert_action(&kept.actions[version - 1], version);
    fixture_rows_free(&kept);
}

static void assert_page_of_moves(struct storage *storage, uint32_t from, uint32_t limit)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    char san[16];
    assert_int_equal(storage_moves(storage, 5, &(struct storage_span){.from = from, .limit = limit}, &rows),
                     STORAGE_OK);
    uint32_t left = PLIES - from + 1;
    assert_int_equal(kept.action_count, left < limit ? left : limit);
    for (uint32_t i = 0; i < kept.action_count; i++) {
        uint32_t version = version_of_ply(from + i);
        assert_action(&kept.actions[i], version);
        (void)snprintf(san, sizeof san, "s%u", version);
        assert_string_equal(kept.actions[i].san, san);
    }
    fixture_rows_free(&kept);
}

static void assert_as_before(struct storage *storage)
{
    const struct storage_rows none = {0};
    int64_t service_ms = 0;
    assert_long_game(storage);
    for (uint32_t from = 1; from <= PLIES; from += 7)
        assert_page_of_moves(storage, from, 20);
    assert_int_equal(storage_load(storage, "short2345678", &none), STORAGE_OK);
    assert_int_equal(storage_load(storage, "gap234567892", &none), STORAGE_DAMAGED);
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 777);
    assert_int_equal(storage_sql_number(scene.path, "SELECT count(*) FROM receipts"), 1);
}

static void read_version_3(enum scene_way_out way_out)
{
    scene_make_version(3, version_3_rows, way_out);
    struct storage *storage = fixture_open(scene.url);
    assert_as_before(storage);
    storage_close(storage);
    static const struct {
        const char *sql;
        int64_t number;
    } rows[] = {
        {"SELECT count(*) FROM history WHERE game = 'long23456789'", PLIES},
        {"SELECT count(*) FROM sqlite_schema WHERE name IN ('moves', 'actions_3')", 0},
        {"SELECT count(*) FROM actions WHERE game = 99", 0},
        {"SELECT count(*) FROM heads", 3},
        {"SELECT group_concat(version || ':' || ply, ' ') = '64:10 128:37 192:101' FROM marks", 1},
        {"SELECT count(*) FROM actions WHERE san IS NULL AND move IS NOT NULL", 89},
        {"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'", 1},
        {"SELECT count(*) FROM pragma_foreign_key_check", 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (storage_sql_number(scene.path, rows[i].sql) != rows[i].number)
            fail_msg("%s", rows[i].sql);
}

static void games_of_version_3_read_as_before(void **state)
{
    (void)state;
    read_version_3(SCENE_CLOSED);
}

static void games_of_version_3_in_the_log_read_as_before(void **state)
{
    (void)state;
    read_version_3(SCENE_KILLED);
}

static void games_of_version_3_go_on_and_are_deleted(void **state)
{
    (void)state;
    scene_make_version(3, version_3_rows, SCENE_CLOSED);
    struct storage *storage = fixture_open(scene.url);
    struct storage_action action = {
        .version = VERSIONS + 1, .kind = "undo", .ply = 3, .white_ms = -1, .black_ms = -1};
    struct storage_write write = {
        .kind = STORAGE_APPEND, .game = {.key = 5}, .actions = &action, .action_count = 1};
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    assert_int_equal(storage_sql_number(scene.path, "SELECT max(ply) FROM marks"), 3);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = 5}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    assert_int_equal(storage_sql_number(scene.path, "SELECT count(*) FROM actions"),
                     4); /* of the other two */
    storage_close(storage);
}

/* ---- killed meanwhile ----------------------------------------------------------------------------------- */

static int statements_left; /* of the migration, until the process dies; negative: not begun */

static int count_statement(unsigned event, void *context, void *statement, void *sql)
{
    (void)event;
    (void)statement;
    if (strcmp(sql, "BEGIN IMMEDIATE") == 0)
        statements_left = *(const int *)context;
    else if (statements_left >= 0 && statements_left-- == 0)
        (void)kill(getpid(), SIGKILL);
    return 0;
}

static int deadly;

static int watch_statements(sqlite3 *db, char **error, const struct sqlite3_api_routines *routines)
{
    (void)error;
    (void)routines;
    return sqlite3_trace_v2(db, SQLITE_TRACE_STMT, count_statement, &deadly);
}

/* False: the migration was over before that statement. */
static bool kill_before_statement(int number)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        deadly = number;
        statements_left = -1;
        if (sqlite3_auto_extension((void (*)(void))watch_statements) != SQLITE_OK)
            _exit(2);
        storage_close(fixture_open(scene.url));
        _exit(0);
    }
    int how = 0;
    assert_int_equal(waitpid(child, &how, 0), child);
    assert_true(WIFSIGNALED(how) || (WIFEXITED(how) && WEXITSTATUS(how) == 0));
    return WIFSIGNALED(how);
}

static void a_start_that_is_killed_while_it_brings_a_file_forward_leaves_it_whole(void **state)
{
    (void)state;
    int number = 0;
    for (bool killed = true; killed; number++) {
        scene_make_version(3, version_3_rows, SCENE_CLOSED);
        killed = kill_before_statement(number);
        struct storage *storage = fixture_open(scene.url);
        assert_as_before(storage);
        storage_close(storage);
        assert_int_equal(unlink(scene.path), 0);
    }
    assert_true(number > 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(games_of_version_3_read_as_before),
        SCENE_TEST(games_of_version_3_in_the_log_read_as_before),
        SCENE_TEST(games_of_version_3_go_on_and_are_deleted),
        SCENE_TEST(a_start_that_is_killed_while_it_brings_a_file_forward_leaves_it_whole),
    };
    return cmocka_run_group_tests_name("sqlite: files of schema 3", tests, NULL, NULL);
}
