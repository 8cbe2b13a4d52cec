/* The SQLite backend: logs that are read along their chains, long ones, rewound ones, and such that do not hold together. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "storage/sqlite_chain.h"
#include "tests/storage/conformance_parts.h"
#include "tests/storage/sqlite_scene.h"
#include "tests/support/chance.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* Many small writes: without a sync each. */
static struct storage *open_store(void)
{
    const struct storage_options options = {.synchronous_normal = true};
    char error[STORAGE_ERROR_SIZE];
    struct storage *storage = NULL;
    if (storage_open(scene.url, &options, &storage, error) != STORAGE_OPENED)
        fail_msg("%s", error);
    return storage;
}

/* ---- long games, with moves taken back ------------------------------------------------------------------ */

enum { VERSIONS_MAX = 700 };

/* What was appended to a game, and which of it are the moves in force: by the book, not by the store. */
struct book {
    int64_t key;
    uint32_t versions, plies;
    struct storage_action actions[VERSIONS_MAX + 1]; /* by version */
    uint32_t in_force[VERSIONS_MAX + 1];             /* versions, by ply */
    char moves[VERSIONS_MAX + 1][8];
};

static void write_row(struct storage *storage, struct book *book, const char *kind, uint32_t ply)
{
    uint32_t version = ++book->versions;
    struct storage_action *action = &book->actions[version];
    bool is_move = strcmp(kind, "move") == 0;
    (void)snprintf(book->moves[version], sizeof book->moves[version], "m%u", version);
    *action = (struct storage_action){
        .version = version,
        .ply = ply,
        .at_ms = version,
        .kind = kind,
        .move = is_move ? book->moves[version] : NULL,
        .san = is_move ? book->moves[version] : NULL,
        .position_key = version,
        .white_ms = version % 3 == 0 ? -1 : (int64_t)version,
        .black_ms = -1,
        .spent_ms = -1,
        .service_ms = -1,
        .payload = version % 5 == 0 ? "payload" : NULL,
    };
    struct storage_write write = {
        .kind = STORAGE_APPEND, .game = {.key = book->key}, .actions = action, .action_count = 1};
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    book->plies = ply;
    if (is_move)
        book->in_force[ply] = version;
}

static void assert_page_of_actions(struct storage *storage, const struct book *book, uint32_t after,
                                   uint32_t limit)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_actions_after(storage, book->key, after, limit, &rows), STORAGE_OK);
    uint32_t left = after < book->versions ? book->versions - after : 0;
    assert_int_equal(kept.action_count, limit == 0 || left < limit ? left : limit);
    for (uint32_t i = 0; i < kept.action_count; i++) {
        if (after + 1 + i == 1)
            assert_string_equal(kept.actions[i].kind, "created");
        else
            conformance_assert_action(&kept.actions[i], &book->actions[after + 1 + i]);
    }
    fixture_rows_free(&kept);
}

static void assert_page_of_moves(struct storage *storage, const struct book *book, uint32_t from,
                                 uint32_t limit)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(
        storage_moves(storage, book->key, &(struct storage_span){.from = from, .limit = limit}, &rows),
        STORAGE_OK);
    uint32_t first = from == 0 ? 1 : from;
    uint32_t left = first <= book->plies ? book->plies - first + 1 : 0;
    assert_int_equal(kept.action_count, limit == 0 || left < limit ? left : limit);
    for (uint32_t i = 0; i < kept.action_count; i++) {
        const struct storage_action *wanted = &book->actions[book->in_force[first + i]];
        conformance_assert_action(&kept.actions[i], wanted);
        assert_string_equal(kept.actions[i].san, wanted->san);
    }
    fixture_rows_free(&kept);
}

/* The moves in force at every version, by the book: those of the log up to there. */
static void assert_past(struct storage *storage, const struct book *book, uint32_t from, uint32_t limit)
{
    uint32_t in_force[VERSIONS_MAX + 1] = {0};
    for (uint32_t version = 1; version <= book->versions; version++) {
        const struct storage_action *last = &book->actions[version];
        const struct storage_span span = {.version = version, .from = from, .limit = limit};
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        if (last->move)
            in_force[last->ply] = version;
        assert_int_equal(storage_moves(storage, book->key, &span, &rows), STORAGE_OK);
        uint32_t left = from <= last->ply ? last->ply - from + 1 : 0;
        assert_int_equal(kept.action_count, limit == 0 || left < limit ? left : limit);
        for (uint32_t i = 0; i < kept.action_count; i++)
            conformance_assert_action(&kept.actions[i], &book->actions[in_force[from + i]]);
        fixture_rows_free(&kept);
    }
}

static void assert_all_pages(struct storage *storage, const struct book *book)
{
    static const uint32_t limits[] = {0, 1, 63, 64, 65, 200};
    for (size_t i = 0; i < LENGTH(limits); i++)
        for (uint32_t from = 0; from <= book->versions + 1; from += 1 + from / 16) {
            assert_page_of_actions(storage, book, from, limits[i]);
            assert_page_of_moves(storage, book, from, limits[i]);
        }
}

static void begin_book(struct storage *storage, struct book *book, const char *id)
{
    *book = (struct book){.key = fixture_create(storage, id), .versions = 1};
}

static void every_page_of_a_long_game_is_what_was_written(void **state)
{
    (void)state;
    static struct book book, other;
    struct storage *storage = open_store();
    begin_book(storage, &book, "longgame2345");
    begin_book(storage, &other, "between23456");
    while (book.versions < 400) {
        write_row(storage, &book, "move", book.plies + 1);
        if (book.versions % 3 == 0)
            write_row(storage, &other, "move", other.plies + 1);
    }
    assert_all_pages(storage, &book);
    storage_close(storage);
    assert_int_equal(storage_sql_number(scene.path, "SELECT count(*) FROM marks WHERE game = 1"),
                     400 / SQLITE_STRIDE);
}

static void every_page_of_a_game_with_moves_taken_back_is_what_was_written(void **state)
{
    (void)state;
    static struct book book;
    struct storage *storage = open_store();
    for (uint32_t game = 0; game < 6; game++) {
        uint64_t seed = game;
        char id[STORAGE_ID_LENGTH + 1];
        (void)snprintf(id, sizeof id, "takenback%03u", game % 1000);
        begin_book(storage, &book, id);
        while (book.versions < 300) {
            uint32_t what = chance_below(&seed, 20);
            if (what == 0 && book.plies > 0)
                write_row(storage, &book, "undo", book.plies - 1 - chance_below(&seed, book.plies));
            else if (what < 3)
                write_row(storage, &book, "offer", book.plies);
            else if (what == 3 && book.plies > 0)
                write_row(storage, &book, "undo", book.plies - 1);
            else
                write_row(storage, &book, "move", book.plies + 1);
        }
        assert_all_pages(storage, &book);
        assert_past(storage, &book, 1, 0);
        assert_past(storage, &book, 7, 20);
        char sql[160];
        (void)snprintf(sql, sizeof sql, "SELECT count(*) FROM history WHERE game = '%s'", id);
        assert_int_equal(storage_sql_number(scene.path, sql), book.plies);
    }
    storage_close(storage);
}

/* The short cuts are no more than that. */
static void a_game_without_its_marks_is_read_too(void **state)
{
    (void)state;
    scene_make_store();
    static struct book book;
    struct storage *storage = open_store();
    begin_book(storage, &book, "unmarked2345");
    while (book.versions < 200)
        write_row(storage, &book, "move", book.plies + 1);
    storage_sql_run(scene.path, "DELETE FROM marks");
    assert_all_pages(storage, &book);
    assert_past(storage, &book, 1, 0);
    storage_close(storage);
}

static void the_moves_of_a_version_stay_as_they_were(void **state)
{
    (void)state;
    static struct book book;
    struct storage *storage = open_store();
    const struct storage_rows none = {0};
    begin_book(storage, &book, "pastgame2345");
    assert_past(storage, &book, 1, 0);
    while (book.versions < 130) /* beyond two marks, which the undo lowers */
        write_row(storage, &book, "move", book.plies + 1);
    assert_past(storage, &book, 1, 0);
    write_row(storage, &book, "undo", 0);
    assert_past(storage, &book, 1, 0);
    assert_past(storage, &book, 60, 10);
    const struct storage_span later = {.version = book.versions + 1};
    assert_int_equal(storage_moves(storage, book.key, &later, &none), STORAGE_DAMAGED);
    assert_int_equal(storage_moves(storage, 1000, &later, &none), STORAGE_OK); /* of no game there is none */
    storage_close(storage);
}

/* ---- what does not hold together ------------------------------------------------------------------------ */

#define SET(what, version) "UPDATE actions SET " what " WHERE game = 4 AND version = " #version

/* All of the fourth of the games of scene_make_store, which has 61 versions, and of the one after it. */
static const struct {
    const char *sql;
    bool moves_too; /* storage_moves goes by there */
} damages[] = {
    {"UPDATE heads SET seq = 0 WHERE game = 4", true},
    {"UPDATE heads SET seq = 1000000 WHERE game = 4", true},
    {"UPDATE heads SET seq = (SELECT seq FROM heads WHERE game = 5) WHERE game = 4", true},
    {"UPDATE heads SET seq = seq - 1 WHERE game = 4", true},
    {"UPDATE heads SET version = 70 WHERE game = 4", true},
    {"UPDATE heads SET version = 3 WHERE game = 4", true},
    {"DELETE FROM heads WHERE game = 4", false},
    {SET("previous = NULL", 30), true},
    {SET("previous = seq - 2", 30), true},
    {SET("previous = (SELECT seq FROM actions WHERE game = 3 AND version = 29)", 30), true},
    {SET("game = 5", 30), true},
    {SET("version = 90", 30), true},
    {SET("version = 31", 30), true},
    {"DELETE FROM actions WHERE game = 4 AND version = 30", true},
    {"DELETE FROM actions WHERE game = 4 AND version = 1", false},
    {"DELETE FROM actions WHERE game = 4", true},
    /* Circles, which the checks of the table would not let anybody make. */
    {"PRAGMA ignore_check_constraints = 1;" SET("previous = seq", 30), true},
    {"PRAGMA ignore_check_constraints = 1;" SET("previous = seq + 10", 30), true},
    {"PRAGMA ignore_check_constraints = 1; UPDATE actions SET previous ="
     " (SELECT seq FROM heads WHERE game = 4) WHERE game = 4",
     true},
    {"PRAGMA ignore_check_constraints = 1;" SET("previous = (SELECT seq FROM heads WHERE game = 4)", 1),
     false},
};

static void a_log_that_does_not_hold_together_is_damage_of_its_game_alone(void **state)
{
    (void)state;
    const struct storage_rows none = {0};
    for (size_t i = 0; i < LENGTH(damages); i++) {
        scene_make_store();
        storage_sql_run(scene.path,
                        "DROP TRIGGER actions_never_change; DROP TRIGGER actions_go_with_their_game");
        storage_sql_run(scene.path, damages[i].sql);
        struct storage *storage = open_store();
        if (storage_load(storage, "filled000003", &none) != STORAGE_DAMAGED)
            fail_msg("%s: it is loaded", damages[i].sql);
        enum storage_status moves = storage_moves(storage, 4, &(struct storage_span){0}, &none);
        if (moves != (damages[i].moves_too ? STORAGE_DAMAGED : STORAGE_OK))
            fail_msg("%s: moves are %d", damages[i].sql, (int)moves);
        const struct storage_span past = {.version = 40};
        moves = storage_moves(storage, 4, &past, &none);
        if (moves != (damages[i].moves_too ? STORAGE_DAMAGED : STORAGE_OK))
            fail_msg("%s: moves of the past are %d", damages[i].sql, (int)moves);
        struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = 4}};
        bool is_found_whole = i == LENGTH(damages) - 1;
        if ((fixture_write(storage, &deletion) == STORAGE_OK) != is_found_whole)
            fail_msg("%s: deletion", damages[i].sql);
        assert_int_equal(storage_load(storage, "filled000002", &none), STORAGE_OK);
        assert_int_equal(storage_ready(storage), STORAGE_OK);
        (void)fixture_create(storage, "afterwards23");
        storage_close(storage);
        assert_int_equal(remove(scene.path), 0);
    }
}

static void a_mark_that_leads_elsewhere_is_damage(void **state)
{
    (void)state;
    static const char *const sql[] = {
        "UPDATE marks SET seq = seq - 1 WHERE version = 64",
        "UPDATE marks SET seq = 0 WHERE version = 64",
        "UPDATE marks SET version = 65 WHERE version = 64",
        "UPDATE marks SET version = 10000 WHERE version = 192",
        "UPDATE marks SET ply = 10000 WHERE version = 192",
    };
    static struct book book;
    const struct storage_rows none = {0};
    for (size_t i = 0; i < LENGTH(sql); i++) {
        struct storage *storage = open_store();
        begin_book(storage, &book, "marked234567");
        while (book.versions < 200)
            write_row(storage, &book, "move", book.plies + 1);
        storage_sql_run(scene.path, sql[i]);
        if (storage_load(storage, "marked234567", &none) != STORAGE_DAMAGED)
            fail_msg("%s", sql[i]);
        storage_close(storage);
        assert_int_equal(remove(scene.path), 0);
    }
}

/* ---- the tables ----------------------------------------------------------------------------------------- */

static void a_deleted_game_leaves_nothing(void **state)
{
    (void)state;
    static struct book book;
    struct storage *storage = open_store();
    begin_book(storage, &book, "deleted23456");
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = book.key}};
    (void)fixture_create(storage, "remains23456");
    while (book.versions < 150)
        write_row(storage, &book, "move", book.plies + 1);
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    storage_close(storage);
    assert_int_equal(storage_sql_number(
                         scene.path,
                         "SELECT (SELECT count(*) FROM actions) * 1000 + (SELECT count(*) FROM heads) * 100 +"
                         " (SELECT count(*) FROM marks) * 10 + (SELECT count(*) FROM games)"),
                     1101);
}

/* The numbers of the rows at the end are used again; no game sees another's. */
static void a_row_number_that_was_used_before_is_no_matter(void **state)
{
    (void)state;
    struct storage *storage = open_store();
    int64_t first = fixture_create(storage, "stays2345678");
    int64_t second = fixture_create(storage, "goes23456789");
    struct storage_action actions[3];
    struct storage_write write = fixture_moves(second, actions, 3, 1);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = second}};
    assert_int_equal(fixture_write(storage, &deletion), STORAGE_OK);
    write = fixture_moves(first, actions, 3, 1);
    assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    assert_int_equal(storage_sql_number(scene.path, "SELECT max(seq) FROM actions"), 4);
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "stays2345678", &rows), STORAGE_OK);
    assert_int_equal(kept.action_count, 4);
    fixture_rows_free(&kept);
    assert_int_equal(storage_load(storage, "goes23456789", &rows), STORAGE_NOT_FOUND);
    storage_close(storage);
}

static void the_log_of_a_game_that_is_there_cannot_be_deleted_by_hand(void **state)
{
    (void)state;
    scene_make_store();
    sqlite3 *db = NULL;
    assert_int_equal(sqlite3_open(scene.path, &db), SQLITE_OK);
    assert_int_not_equal(sqlite3_exec(db, "DELETE FROM actions WHERE seq = 5", NULL, NULL, NULL), SQLITE_OK);
    assert_string_equal(sqlite3_errmsg(db), "the log of actions is deleted only with its game");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* One game in few pages, whatever lies between its rows. */
static void a_commit_writes_the_end_of_one_tree(void **state)
{
    (void)state;
    scene_make_store();
    assert_int_equal(
        storage_sql_number(
            scene.path, "SELECT count(*) FROM sqlite_schema WHERE tbl_name = 'actions' AND type = 'index'"),
        0);
    assert_int_equal(storage_sql_number(scene.path,
                                        "SELECT count(*) FROM actions a JOIN actions b ON b.seq = a.previous"
                                        " WHERE b.game <> a.game OR b.version <> a.version - 1"),
                     0);
    assert_int_equal(storage_sql_number(scene.path,
                                        "SELECT count(*) FROM heads h JOIN actions a ON a.seq = h.seq"
                                        " WHERE a.game = h.game AND a.version = h.version AND a.ply = h.ply"),
                     20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(every_page_of_a_long_game_is_what_was_written),
        SCENE_TEST(every_page_of_a_game_with_moves_taken_back_is_what_was_written),
        SCENE_TEST(the_moves_of_a_version_stay_as_they_were),
        SCENE_TEST(a_game_without_its_marks_is_read_too),
        SCENE_TEST(a_log_that_does_not_hold_together_is_damage_of_its_game_alone),
        SCENE_TEST(a_mark_that_leads_elsewhere_is_damage),
        SCENE_TEST(a_deleted_game_leaves_nothing),
        SCENE_TEST(a_row_number_that_was_used_before_is_no_matter),
        SCENE_TEST(the_log_of_a_game_that_is_there_cannot_be_deleted_by_hand),
        SCENE_TEST(a_commit_writes_the_end_of_one_tree),
    };
    return cmocka_run_group_tests_name("sqlite: chains", tests, NULL, NULL);
}
