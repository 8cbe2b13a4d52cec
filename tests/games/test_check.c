/* What `check` finds: nothing in games that were played, and everything that somebody has changed. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/check.h"
#include "storage/backend.h"
#include "tests/games/random_actions.h"
#include "tests/support/games_seated.h"
#include "tests/support/storage_faulty.h"
#include "tests/support/storage_sql.h"

/* ---- looking ------------------------------------------------------------------------------------------- */

enum { FINDINGS_MAX = 256, LINE_SIZE = 256, SQL_SIZE = 512 };

struct look {
    char lines[FINDINGS_MAX][LINE_SIZE]; /* "id version what: expected, found" */
    size_t count;
    uint64_t stop_after; /* games; 0: never */
    struct check_progress progress;
};

static void take_finding(void *context, const struct storage_finding *finding)
{
    struct look *look = context;
    if (look->count < FINDINGS_MAX)
        (void)snprintf(look->lines[look->count], LINE_SIZE, "%s %u %s: %s, %s",
                       finding->id ? finding->id : "-", finding->version, finding->what,
                       finding->expected ? finding->expected : "-", finding->found ? finding->found : "-");
    look->count++;
}

static bool goes_on(void *context)
{
    const struct look *look = context;
    return look->stop_after == 0 || look->progress.games < look->stop_after;
}

/* Most of what these tests have as metadata is any text. */
static enum metadata_state read_metadata(const char *text)
{
    return text[0] == '{' && text[strlen(text) - 1] != '}' ? METADATA_DAMAGED : METADATA_WHOLE;
}

static enum check_status check_all(struct club *club, struct look *look)
{
    const struct check_handler handler = {
        .context = look, .finding = take_finding, .goes_on = goes_on, .read_metadata = read_metadata};
    uint64_t stop_after = look->stop_after;
    *look = (struct look){.stop_after = stop_after};
    return check_games(club->front, &handler, &look->progress);
}

static void expect_nothing(struct club *club)
{
    struct look look = {0};
    assert_int_equal(check_all(club, &look), CHECK_DONE);
    if (look.count)
        fail_msg("%zu findings, the first: %s", look.count, look.lines[0]);
}

/* ---- games that were played ---------------------------------------------------------------------------- */

static bool act_once(struct random *random, struct club *club, const char *id)
{
    struct snapshot *before = club_live(club, id);
    if (!before)
        return false;
    struct deed *deed = deed_create(club, random_kind(random, false), id);
    assert_non_null(deed);
    random_fill(random, deed, &before->game);
    (void)club_do(club, deed);
    deed_destroy(deed);
    snapshot_free(before);
    if (random_chance(random, 60))
        club_advance(club, random_below(random, 1500));
    if (random_chance(random, 10))
        (void)club_tick(club, id);
    return true;
}

static void nothing_is_found_in_games_whatever_was_done_to_them(void **state)
{
    enum { ACTIONS = 40 };
    struct club *club = *state;
    uint64_t seed = chance_seed();
    club->unchecked = true; /* test_property.c looks at each action */
    for (unsigned i = 0; i < random_work(300); i++) {
        struct random random = random_begin(seed, i);
        struct random_start start;
        struct deed *create = deed_create(club, ACTION_CREATE, NULL);
        assert_non_null(create);
        random_create(&random, create, &start);
        unsigned left = club_do(club, create) == ACTION_DONE ? ACTIONS : 0;
        while (left-- > 0 && act_once(&random, club, create->action.id)) {
        }
        deed_destroy(create);
    }
    expect_nothing(club);
}

/* ---- damage -------------------------------------------------------------------------------------------- */

/* A timed game, with a comment, taken back moves, and an end; all below is done to it. */
static const char *make_game(struct club *club)
{
    const char *id = club_create_timed(club, "5+3", NULL, NULL);
    static const char *const moves[] = {"e4", "e5", "Nf3", "Nc6", "Bb5"};
    for (size_t i = 0; i < sizeof moves / sizeof moves[0]; i++) {
        club_advance(club, 1000);
        assert_int_equal(club_move(club, id, moves[i]), ACTION_DONE);
    }
    assert_int_equal(club_takeback(club, id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_seat(club, ACTION_ACCEPT_TAKEBACK, id, SEAT_BLACK), ACTION_DONE);
    club_advance(club, 1000);
    assert_int_equal(club_move(club, id, "Bc4"), ACTION_DONE);
    assert_int_equal(club_resign(club, id, SEAT_BLACK), ACTION_DONE);
    return id;
}

/* What is done to the game of that key, and how the line of the first finding begins behind the id: the row where it
 * stands, its word, and what is expected and found, where that is fixed. */
struct damage {
    const char *sql, *finding;
};

#define ACTION(set, version) "UPDATE actions SET " set " WHERE game = KEY AND version = " #version
#define GAME(set)            "UPDATE games SET " set " WHERE key = KEY"
#define NO_ACTION(which)     "DELETE FROM actions WHERE game = KEY" which

/* Versions: 1 created, 2 to 6 the five moves, 7 asked for a takeback, 8 granted, 9 Bc4, 10 resigned. */
static const struct damage damages[] = {
    {GAME("status = 'active'"), " 0 status: ended, active"},
    {GAME("status = 'lost'"), " 0 status: ended, lost"},
    {GAME("result = '1/2-1/2'"), " 0 result: 1-0, 1/2-1/2"},
    {GAME("termination = NULL"), " 0 termination: resignation, nothing"},
    {GAME("ended_at_ms = 12"), " 0 ended_at: "},
    {GAME("watched = 1"), " 0 watched: 0, 1"},
    {GAME("rules = 'profile=none'"), " 0 rules: rule options, profile=none"},
    {GAME("rules = NULL"), " 0 rules: "},
    {GAME("access = 'closed'"), " 0 access: "},
    {GAME("access = 'seats'"), " 0 tokens: digests, -"},
    {GAME("visibility = 'dim'"), " 0 visibility: "},
    {GAME("variant = 'draughts'"), " 0 variant: "},
    {GAME("start = '8/8/8/8/8/8/8/8 w - - 0 1'"), " 0 start: "},
    {GAME("start = 'k7/8/8/8/8/8/8/K7 w - - 0 1'"), " 1 position_key: "},
    {GAME("clock = 'sometimes'"), " 0 clock: "},
    {GAME("clock = NULL"), " 2 spent_ms: nothing, 0"},
    {GAME("white_name = CAST(x'416eff' AS TEXT)"), " 0 white_name: UTF-8, -"},
    {GAME("metadata = CAST(x'7bff7d' AS TEXT)"), " 0 metadata: UTF-8, -"},
    {GAME("metadata = '{\"a\":'"), " 0 metadata: a JSON object, {\"a\":"},
    {GAME("created_at_ms = -1"), " 0 created_at: a time, -1"},
    {NO_ACTION(""), " 0 log: "},
    {NO_ACTION(" AND version = 1"), " 0 log: "},
    {NO_ACTION(" AND version = 4"), " 0 log: "},
    {NO_ACTION(" AND version = 10"), " 0 log: "},
    {ACTION("version = 20", 5), " 0 log: "},
    {ACTION("previous = NULL", 5), " 0 log: "},
    {ACTION("previous = seq - 2", 5), " 0 log: "},
    {ACTION("game = KEY + 1", 5), " 0 log: "},
    {"UPDATE heads SET seq = seq - 1 WHERE game = KEY", " 0 log: "},
    {"UPDATE heads SET version = version - 1 WHERE game = KEY", " 0 log: "},
    {"DELETE FROM heads WHERE game = KEY", " 0 log: "},
    {ACTION("kind = 'sacrifice'", 3), " 3 kind: a kind of row, sacrifice"},
    {ACTION("kind = 'created'", 3), " 3 kind: "},
    {ACTION("kind = 'updated'", 1), " 1 kind: created, updated"},
    {ACTION("kind = 'move', move = 'e7e5'", 10), " 10 ply: 6, 5"},
    {ACTION("seat = 'green'", 3), " 3 seat: white or black, green"},
    {ACTION("seat = 'white'", 3), " 3 seat: black, white"},
    {ACTION("seat = NULL", 7), " 7 seat: a side, -"},
    {ACTION("ply = 3", 3), " 3 ply: 2, 3"},
    {ACTION("ply = 9", 8), " 8 ply: 5, 9"},
    {ACTION("ply = 1", 10), " 10 ply: 5, 1"},
    {ACTION("move = 'e7e4'", 3), " 3 move: a legal move, e7e4"},
    {ACTION("move = 'd7d5'", 3), " 3 position_key: "},
    {ACTION("move = NULL", 3), " 3 move: a legal move, -"},
    {ACTION("move = 'f1a6'", 6), " 6 position_key: "}, /* of a move that was taken back */
    {ACTION("position_key = 5", 4), " 4 position_key: "},
    {ACTION("position_key = 5", 10), " 10 position_key: "},
    {ACTION("white_ms = NULL", 4), " 4 white_ms: what a clock shows, -1"},
    {ACTION("white_ms = 9000000000", 4), " 4 white_ms: what a clock shows, 9000000000"},
    {ACTION("white_ms = white_ms + 1", 4), " 4 white_ms: "},
    {ACTION("black_ms = black_ms + 1", 4), " 4 black_ms: "},
    {ACTION("spent_ms = spent_ms + 1", 4), " 4 spent_ms: 1000, 1001"},
    {ACTION("spent_ms = NULL", 4), " 4 spent_ms: "},
    {ACTION("service_ms = 9223372036854775807", 4), " 4 service_ms: "},
    {ACTION("service_ms = service_ms - 500", 4), " 4 spent_ms: 500, 1000"},
    {ACTION("at_ms = -5", 4), " 4 at: a time, -5"},
    {ACTION("payload = CAST(x'636f6d6d656e743dff0a' AS TEXT)", 4), " 4 payload: UTF-8, -"},
    {ACTION("kind = 'updated', payload = 'metadata={' || char(10)", 7), " 7 metadata: a JSON object, {"},
    {ACTION("payload = NULL", 7), " 7 to_ply: a ply, -"},
    {ACTION("payload = 'to_ply=70000' || char(10)", 7), " 7 to_ply: a ply before this one, 70000"},
    {ACTION("payload = NULL", 10), " 10 payload: how the game ended, -"},
    {ACTION("payload = 'end=boredom' || char(10)", 10), " 10 payload: an end of a game, "},
};

enum { DAMAGE_COUNT = sizeof damages / sizeof damages[0] };

static const char *first_line_of(const struct look *look, const char *id)
{
    for (size_t i = 0; i < look->count && i < FINDINGS_MAX; i++)
        if (strncmp(look->lines[i], id, GAME_ID_LENGTH) == 0)
            return look->lines[i] + GAME_ID_LENGTH;
    return "nothing";
}

/* Of the file of the store. */
static const char *path_of(const struct club *club)
{
    return strchr(club->url, ':') + 1;
}

/* Each KEY in it is that number. */
static void put_key(const char *text, int key, char sql[SQL_SIZE])
{
    size_t length = 0;
    for (const char *at; (at = strstr(text, "KEY")); text = at + strlen("KEY"))
        length += (size_t)snprintf(sql + length, SQL_SIZE - length, "%.*s%d", (int)(at - text), text, key);
    (void)snprintf(sql + length, SQL_SIZE - length, "%s", text);
}

/* The log itself never changes, but for whoever wants to. */
static void each_damage_is_found_by_its_name(void **state)
{
    static struct look look;
    struct club *club = *state;
    const char *ids[DAMAGE_COUNT];
    char sql[SQL_SIZE];
    for (int i = 0; i < DAMAGE_COUNT; i++)
        ids[i] = make_game(club);
    expect_nothing(club);
    storage_sql_run(path_of(club),
                    "DROP TRIGGER actions_never_change; DROP TRIGGER actions_go_with_their_game");
    for (int i = 0; i < DAMAGE_COUNT; i++) {
        put_key(damages[i].sql, i + 1, sql);
        storage_sql_run(path_of(club), sql);
    }
    assert_int_equal(check_all(club, &look), CHECK_DONE);
    for (int i = 0; i < DAMAGE_COUNT; i++) {
        const char *line = first_line_of(&look, ids[i]);
        if (strncmp(line, damages[i].finding, strlen(damages[i].finding)) != 0)
            fail_msg("%s: found %s, not %s", damages[i].sql, line, damages[i].finding);
    }
    assert_int_equal(look.progress.games, DAMAGE_COUNT);
    assert_int_equal(look.progress.damaged, DAMAGE_COUNT);
}

/* ---- the way through the store ------------------------------------------------------------------------- */

static void other_games_are_looked_at_behind_a_damaged_one(void **state)
{
    struct club *club = *state;
    struct look look = {0};
    const char *ids[3];
    for (int i = 0; i < 3; i++)
        ids[i] = make_game(club);
    storage_sql_run(
        path_of(club),
        "UPDATE games SET status = 'active' WHERE key IN (1, 3); UPDATE games SET rules = '' WHERE key = 2");
    assert_int_equal(check_all(club, &look), CHECK_DONE);
    assert_int_equal(look.count, 3);
    for (int i = 0; i < 3; i++)
        assert_memory_equal(look.lines[i], ids[i], GAME_ID_LENGTH);
    assert_int_equal(look.progress.games, 3);
}

static void more_games_than_a_page_are_all_looked_at(void **state)
{
    struct club *club = *state;
    club->unchecked = true;
    for (int i = 0; i < 600; i++)
        (void)club_create(club);
    struct look look = {0};
    assert_int_equal(check_all(club, &look), CHECK_DONE);
    assert_int_equal(look.progress.games, 600);
    assert_int_equal(look.progress.rows, 600);
    look.stop_after = 300;
    assert_int_equal(check_all(club, &look), CHECK_STOPPED);
    assert_int_equal(look.progress.games, 300);
}

/* ---- beside a service ---------------------------------------------------------------------------------- */

/* What happens to a game between the look at its log and that at its moves in force. */
static struct {
    void (*act)(struct club *club, const char *id); /* once; NULL: nothing, or it has happened */
    struct club *club;
    const char *id;
    const struct storage_ops *plain;
} meanwhile;

static enum storage_status moves_meanwhile(struct storage *storage, int64_t key,
                                           const struct storage_span *span, const struct storage_rows *rows)
{
    void (*act)(struct club * club, const char *id) = meanwhile.act;
    meanwhile.act = NULL;
    if (act)
        act(meanwhile.club, meanwhile.id);
    return meanwhile.plain->moves(storage, key, span, rows);
}

static void take_back(struct club *club, const char *id)
{
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
}

static void play_another(struct club *club, const char *id)
{
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_move(club, id, "Bc4"), ACTION_DONE);
}

static void remove_game(struct club *club, const char *id)
{
    assert_int_equal(club_delete(club, id), ACTION_DONE);
}

static void games_that_change_meanwhile_are_no_findings(void **state)
{
    static void (*const acts[])(struct club * club, const char *id) = {take_back, play_another, remove_game};
    struct club *club = *state;
    struct storage_ops ops = *club->storage->ops;
    meanwhile.club = club;
    meanwhile.plain = club->storage->ops;
    ops.moves = moves_meanwhile;
    club->storage->ops = &ops;
    for (size_t i = 0; i < sizeof acts / sizeof acts[0]; i++) {
        meanwhile.id = club_create(club);
        assert_int_equal(club_move(club, meanwhile.id, "e4 e5 Nf3"), ACTION_DONE);
        meanwhile.act = acts[i];
        expect_nothing(club);
        assert_null(meanwhile.act);
        if (i + 1 < sizeof acts / sizeof acts[0])
            remove_game(club, meanwhile.id); /* the next game is the only one */
    }
    club->storage->ops = meanwhile.plain;
}

static void a_store_that_is_busy_is_no_finding(void **state)
{
    static const enum faulty_call calls[] = {FAULTY_ALL, FAULTY_LOAD, FAULTY_MOVES};
    (void)state;
    struct club *club = club_open(&(struct club_options){.wrap = faulty_wrap});
    (void)make_game(club);
    for (size_t i = 0; i < sizeof calls / sizeof calls[0]; i++) {
        struct look look = {0};
        faulty_fail(club->front, calls[i], 1, STORAGE_BUSY);
        assert_int_equal(check_all(club, &look), CHECK_FAILED);
        assert_int_equal(look.count, 0);
    }
    expect_nothing(club);
    club_close(club);
}

/* Where a game cannot be read any more behind the last key that there is. */
static enum storage_status all_torn(struct storage *storage, int64_t after_key, uint32_t limit,
                                    const struct storage_rows *rows)
{
    const struct storage_game last = {.key = INT64_MAX, .id = "abcdefghjkmn"};
    (void)storage;
    (void)after_key;
    (void)limit;
    if (rows->game)
        (void)rows->game(rows->context, &last);
    return STORAGE_UNAVAILABLE;
}

static void nothing_is_looked_for_behind_the_last_key(void **state)
{
    struct club *club = *state;
    const struct storage_ops *plain = club->storage->ops;
    struct storage_ops ops = *plain;
    struct look look = {0};
    ops.all = all_torn;
    club->storage->ops = &ops;
    assert_int_equal(check_all(club, &look), CHECK_DONE);
    assert_int_equal(look.count, 1);
    assert_non_null(strstr(look.lines[0], "no row behind key 9223372036854775807"));
    club->storage->ops = plain;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(nothing_is_found_in_games_whatever_was_done_to_them),
        CLUB_TEST(each_damage_is_found_by_its_name),
        CLUB_TEST(other_games_are_looked_at_behind_a_damaged_one),
        CLUB_TEST(more_games_than_a_page_are_all_looked_at),
        CLUB_TEST(games_that_change_meanwhile_are_no_findings),
        cmocka_unit_test(a_store_that_is_busy_is_no_finding),
        CLUB_TEST(nothing_is_looked_for_behind_the_last_key),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
