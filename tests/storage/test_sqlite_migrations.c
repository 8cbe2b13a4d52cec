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
#include "tests/storage/conformance_parts.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

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

/* ---- files as the first release left them ---- */

static const char version_1_rows[] =
    "INSERT INTO games VALUES"
    "(3, 'first2345678', 'standard', NULL, 'profile=online', '300+3', 1700000000123, 'seats', 'private',"
    " 'Ada', '', '{\"round\":1}', 'ended', '1-0', 'resignation', 1700000009999),"
    "(4, 'second234567', 'chess960', 'rnbq', NULL, NULL, 1700000000100, 'open', 'public',"
    " NULL, NULL, NULL, 'active', NULL, NULL, NULL);"
    "UPDATE store SET newest_ms = 1700000000123, skew_ms = 23, proofs = 5;"
    "INSERT INTO actions VALUES"
    "(3, 1, 1700000000123, 'created', NULL, 0, NULL, 17, 300000, 300000, NULL),"
    "(3, 2, 1700000001000, 'move', 'white', 1, 'e2e4', -1, 299000, 300000, 'comment=%E2'),"
    "(3, 3, 1700000002000, 'move', 'black', 2, 'e7e5', 18, 299000, 297500, NULL),"
    "(3, 4, 1700000003000, 'undo', NULL, 1, NULL, -1, 299000, 300000, NULL),"
    "(3, 5, 1700000004000, 'move', 'black', 2, 'c7c5', 19, 299000, 0, NULL),"
    "(3, 6, 1700000009999, 'resign', 'black', 2, NULL, 19, NULL, NULL, ''),"
    "(4, 1, 1700000000100, 'created', NULL, 0, NULL, 20, NULL, NULL, NULL);"
    "INSERT INTO moves VALUES(3, 1, 2, 'e4'), (3, 2, 5, 'c5');";

static const struct storage_game first_game = {
    .key = 3,
    .id = "first2345678",
    .variant = "standard",
    .rules = "profile=online",
    .clock = "300+3",
    .created_at_ms = 1700000000123,
    .access = "seats",
    .visibility = "private",
    .white_name = "Ada",
    .black_name = "",
    .metadata = "{\"round\":1}",
    .status = "ended",
    .result = "1-0",
    .termination = "resignation",
    .ended_at_ms = 1700000009999,
};

static const struct storage_game second_game = {
    .key = 4,
    .id = "second234567",
    .variant = "chess960",
    .start = "rnbq",
    .created_at_ms = 1700000000100,
    .access = "open",
    .visibility = "public",
    .status = "active",
};

/* In the order of the columns of version 1 from `version` on. */
#define ACTION(version_, at, kind_, seat_, ply_, move_, key, white, black, payload_)                         \
    {                                                                                                        \
        .version = (version_), .at_ms = (at), .kind = (kind_), .seat = (seat_), .ply = (ply_),               \
        .move = (move_), .position_key = (key), .white_ms = (white), .black_ms = (black), .spent_ms = -1,    \
        .service_ms = -1, .payload = (payload_)                                                              \
    }

static const struct storage_action first_actions[] = {
    ACTION(1, 1700000000123, "created", NULL, 0, NULL, 17, 300000, 300000, NULL),
    ACTION(2, 1700000001000, "move", "white", 1, "e2e4", UINT64_MAX, 299000, 300000, "comment=%E2"),
    ACTION(3, 1700000002000, "move", "black", 2, "e7e5", 18, 299000, 297500, NULL),
    ACTION(4, 1700000003000, "undo", NULL, 1, NULL, UINT64_MAX, 299000, 300000, NULL),
    ACTION(5, 1700000004000, "move", "black", 2, "c7c5", 19, 299000, 0, NULL),
    ACTION(6, 1700000009999, "resign", "black", 2, NULL, 19, -1, -1, ""),
};

enum { FIRST_ACTIONS = sizeof first_actions / sizeof first_actions[0] };

static void assert_games_as_before(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "first2345678", &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &first_game);
    assert_int_equal(kept.action_count, FIRST_ACTIONS);
    for (size_t i = 0; i < FIRST_ACTIONS; i++)
        conformance_assert_action(&kept.actions[i], &first_actions[i]);
    fixture_rows_free(&kept);
    assert_int_equal(storage_load(storage, "second234567", &rows), STORAGE_OK);
    conformance_assert_game(&kept.games[0], &second_game);
    assert_int_equal(kept.action_count, 1);
    fixture_rows_free(&kept);
}

static void assert_moves_as_before(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_moves(storage, 3, &(struct storage_span){0}, &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 2);
    conformance_assert_action(&kept.actions[0], &first_actions[1]);
    conformance_assert_action(&kept.actions[1], &first_actions[4]);
    assert_string_equal(kept.actions[0].san, "e4");
    assert_string_equal(kept.actions[1].san, "c5");
    fixture_rows_free(&kept);
}

/* The span of time that holds the second game alone is found only with the skew that was kept. */
static void assert_lists_as_before(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    const struct storage_query then = {.since_ms = 1700000000100, .until_ms = 1700000000101};
    assert_int_equal(storage_list(storage, &then, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &second_game);
    fixture_rows_free(&kept);
}

static void assert_nothing_of_clocks(struct storage *storage)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    int64_t service_ms = -1;
    assert_int_equal(storage_watched(storage, 0, 0, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 0);
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 0);
}

static void read_version_1(enum scene_way_out way_out)
{
    scene_make_version(1, version_1_rows, way_out);
    struct storage *storage = fixture_open(scene.url);
    assert_games_as_before(storage);
    assert_moves_as_before(storage);
    assert_lists_as_before(storage);
    assert_nothing_of_clocks(storage);
    storage_close(storage);
}

static void games_of_version_1_read_as_before(void **state)
{
    (void)state;
    read_version_1(SCENE_CLOSED);
}

static void games_of_version_1_in_the_log_read_as_before(void **state)
{
    (void)state;
    read_version_1(SCENE_KILLED);
}

static void games_of_version_1_go_on(void **state)
{
    (void)state;
    scene_make_version(1, version_1_rows, SCENE_CLOSED);
    struct storage *storage = fixture_open(scene.url);
    struct storage_action move;
    struct storage_write write = fixture_moves(4, &move, 1, 1);
    move.spent_ms = 1500;
    move.service_ms = 9000;
    write.updates_game = true;
    write.game = second_game;
    write.game.watched = true;
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    struct storage_write beat = fixture_beat(9001);
    assert_int_equal(fixture_write(storage, &beat), STORAGE_OK);
    assert_true(fixture_create(storage, "newer2345678") > 4);
    storage_close(storage);
    storage = fixture_open(scene.url);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_watched(storage, 0, 0, &rows), STORAGE_OK);
    assert_int_equal(storage_actions_after(storage, 4, 1, 0, &rows), STORAGE_OK);
    assert_int_equal(kept.game_count, 1);
    conformance_assert_game(&kept.games[0], &write.game);
    assert_int_equal(kept.action_count, 1);
    conformance_assert_action(&kept.actions[0], &move);
    fixture_rows_free(&kept);
    int64_t service_ms = 0;
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 9001);
    storage_close(storage);
}

static void version_1_is_kept_beside_and_brought_forward_once(void **state)
{
    (void)state;
    scene_make_version(1, version_1_rows, SCENE_KILLED);
    char *copy = copy_before(sqlite_schema.version);
    storage_close(fixture_open(scene.url));
    assert_int_equal(storage_sql_number(scene.path, "PRAGMA user_version"), sqlite_schema.version);
    assert_int_equal(storage_sql_number(copy, "PRAGMA user_version"), 1);
    assert_int_equal(storage_sql_number(copy, "SELECT count(*) FROM actions"), FIRST_ACTIONS + 1);
    assert_int_equal(storage_sql_number(copy, "SELECT count(*) FROM pragma_table_info('games')"), 16);
    assert_int_equal(unlink(copy), 0);
    int64_t changes_of_schema = storage_sql_number(scene.path, "PRAGMA schema_version");
    storage_close(fixture_open(scene.url));
    assert_int_not_equal(access(copy, F_OK), 0);
    assert_int_equal(storage_sql_number(scene.path, "PRAGMA schema_version"), changes_of_schema);
    free(copy);
}

static void histories_of_version_1_tell_the_clocks(void **state)
{
    (void)state;
    scene_make_version(1, version_1_rows, SCENE_CLOSED);
    storage_close(fixture_open(scene.url));
    static const struct {
        const char *sql;
        int64_t number;
    } rows[] = {
        {"SELECT count(*) FROM history", 2},
        {"SELECT count(*) FROM history WHERE spent_ms IS NULL", 2},
        {"SELECT clock_ms FROM history WHERE san = 'e4'", 299000},
        {"SELECT clock_ms FROM history WHERE san = 'c5'", 0},
        {"SELECT count(*) FROM pragma_integrity_check WHERE integrity_check = 'ok'", 1},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if (storage_sql_number(scene.path, rows[i].sql) != rows[i].number)
            fail_msg("%s", rows[i].sql);
}

static void version_1_opens_for_reading_and_is_read_once_brought_forward(void **state)
{
    (void)state;
    scene_make_version(1, version_1_rows, SCENE_CLOSED);
    const struct storage_options read_only = {.read_only = true};
    char error[STORAGE_ERROR_SIZE];
    struct storage *reader = NULL;
    assert_int_equal(scene_try_open_as(&read_only, error), STORAGE_OPENED);
    scene_assert_contains(error, "has an earlier schema");
    assert_int_equal(storage_sql_number(scene.path, "PRAGMA user_version"), 1);
    assert_int_equal(storage_open(scene.url, &read_only, &reader, error), STORAGE_OPENED);
    const struct storage_rows none = {0};
    assert_int_equal(storage_load(reader, "first2345678", &none), STORAGE_UNAVAILABLE);
    storage_close(fixture_open(scene.url));
    assert_games_as_before(reader);
    storage_close(reader);
    assert_int_equal(scene_try_open_as(&read_only, error), STORAGE_OPENED);
    assert_string_equal(error, "");
}

/* ---- how far it has come -------------------------------------------------------------------------------- */

struct telling {
    unsigned asked, stop_at; /* 0: never */
    uint64_t last_bytes, total_bytes;
};

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    struct telling *telling = context;
    assert_true(done_bytes >= telling->last_bytes && done_bytes <= total_bytes);
    assert_true(telling->total_bytes == 0 || telling->total_bytes == total_bytes);
    telling->last_bytes = done_bytes;
    telling->total_bytes = total_bytes;
    return ++telling->asked != telling->stop_at;
}

static enum storage_open_status open_told(struct telling *telling, char error[STORAGE_ERROR_SIZE])
{
    const struct storage_options options = {.work = {.context = telling, .goes_on = goes_on}};
    return scene_try_open_as(&options, error);
}

static void how_far_a_file_is_brought_forward_is_told(void **state)
{
    (void)state;
    struct telling telling = {0};
    char error[STORAGE_ERROR_SIZE];
    scene_make_version(1, version_1_rows, SCENE_CLOSED);
    assert_int_equal(open_told(&telling, error), STORAGE_OPENED);
    assert_true(telling.last_bytes > telling.total_bytes / 2);
    telling = (struct telling){0};
    assert_int_equal(open_told(&telling, error), STORAGE_OPENED);
    assert_int_equal(telling.asked, 0);
}

static void assert_not_there(const char *name, const char *end)
{
    char *path = NULL;
    assert_true(asprintf(&path, "%s%s", name, end) > 0);
    assert_int_not_equal(access(path, F_OK), 0);
    free(path);
}

/* Nothing lies beside it but the copy. */
static void assert_left_as_it_was(const char *copy)
{
    assert_not_there(copy, ".new");
    assert_not_there(copy, ".new.draft");
    assert_not_there(scene.path, "-wal");
    assert_int_equal(storage_sql_number(scene.path, "PRAGMA user_version"), 1);
    assert_int_equal(storage_sql_number(scene.path, "SELECT count(*) FROM actions"), FIRST_ACTIONS + 1);
}

static void a_migration_can_be_stopped_at_any_moment(void **state)
{
    (void)state;
    char error[STORAGE_ERROR_SIZE], *copy = copy_before(sqlite_schema.version);
    unsigned moments = 0;
    scene_make_version(1, version_1_rows, SCENE_CLOSED);
    for (;; moments++) {
        struct telling telling = {.stop_at = moments + 1};
        enum storage_open_status status = open_told(&telling, error);
        if (status == STORAGE_OPENED)
            break;
        assert_int_equal(status, STORAGE_OPEN_STOPPED);
        scene_assert_contains(error, "is as it was");
        assert_left_as_it_was(copy);
    }
    assert_true(moments > 10);
    assert_int_equal(storage_sql_number(copy, "PRAGMA user_version"), 1);
    free(copy);
    struct storage *storage = fixture_open(scene.url);
    assert_games_as_before(storage);
    storage_close(storage);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(an_older_schema_is_brought_forward_after_a_copy),
        SCENE_TEST(a_copy_made_before_a_migration_opens_as_a_store),
        SCENE_TEST(a_migration_that_fails_leaves_the_store_as_it_was),
        SCENE_TEST(a_new_file_is_made_by_all_migrations),
        SCENE_TEST(games_of_version_1_read_as_before),
        SCENE_TEST(games_of_version_1_in_the_log_read_as_before),
        SCENE_TEST(games_of_version_1_go_on),
        SCENE_TEST(version_1_is_kept_beside_and_brought_forward_once),
        SCENE_TEST(histories_of_version_1_tell_the_clocks),
        SCENE_TEST(version_1_opens_for_reading_and_is_read_once_brought_forward),
        SCENE_TEST(how_far_a_file_is_brought_forward_is_told),
        SCENE_TEST(a_migration_can_be_stopped_at_any_moment),
    };
    return cmocka_run_group_tests_name("sqlite: migrations", tests, NULL, NULL);
}
