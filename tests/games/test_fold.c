/* Games rebuilt from their log, and logs that do not add up. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/fold.h"
#include "rules/fen.h"
#include "storage/backend.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_fixture.h"
#include "tests/support/storage_sql.h"

static const char id_text[] = "abcdefghjkmn";
static const char rules_text[] = "profile=fide failed_claim=offer auto_threefold=0 auto_fifty=0 "
                                 "dead_position=material fivefold=1 seventyfive=1";

/* ---- logs written by hand ----------------------------------------------------------------------------- */

static struct storage_game good_game(void)
{
    return (struct storage_game){.id = id_text,
                                 .variant = "standard",
                                 .rules = rules_text,
                                 .created_at_ms = 1000,
                                 .access = "open",
                                 .visibility = "public",
                                 .status = "active",
                                 .result = "*"};
}

static struct storage_action created_row(void)
{
    return (struct storage_action){.version = 1,
                                   .at_ms = 1000,
                                   .kind = "created",
                                   .white_ms = -1,
                                   .black_ms = -1,
                                   .spent_ms = -1,
                                   .service_ms = -1};
}

static uint64_t key_after_e4(void)
{
    struct position before = position_initial();
    struct position after;
    position_play(&before, notation_find_uci(&before, "e2e4"), &after);
    return after.key;
}

static struct storage_action e4_row(void)
{
    return (struct storage_action){.version = 2,
                                   .at_ms = 2000,
                                   .kind = "move",
                                   .seat = "white",
                                   .ply = 1,
                                   .move = "e2e4",
                                   .san = "e4",
                                   .position_key = key_after_e4(),
                                   .white_ms = -1,
                                   .black_ms = -1,
                                   .spent_ms = -1,
                                   .service_ms = -1};
}

static struct club *club_with_log(const struct storage_game *game, const struct storage_action *rows,
                                  size_t count)
{
    struct club *club = club_open(NULL);
    struct storage_write write = {
        .kind = STORAGE_CREATE, .game = *game, .actions = rows, .action_count = count};
    assert_int_equal(fixture_write(club->storage, &write), STORAGE_OK);
    return club;
}

static enum games_status look_and_close(struct club *club)
{
    enum games_status status = club_look(club, id_text, true);
    club_close(club);
    return status;
}

/* How games find a game whose log is this. */
static enum games_status status_of_log(const struct storage_game *game, const struct storage_action *rows,
                                       size_t count)
{
    return look_and_close(club_with_log(game, rows, count));
}

/* The storage takes half-moves only as they follow on those before; a disk may make anything of them. */
static enum games_status status_of_second_row(struct storage_action row)
{
    char sql[128];
    struct storage_game game = good_game();
    struct storage_action rows[] = {created_row(), row};
    rows[1].ply = row.move ? 1 : 0;
    struct club *club = club_with_log(&game, rows, 2);
    (void)snprintf(sql, sizeof sql,
                   "DROP TRIGGER actions_never_change; UPDATE actions SET ply = %u WHERE version = 2",
                   row.ply);
    if (row.ply != rows[1].ply)
        storage_sql_run(strchr(club->url, ':') + 1, sql);
    return look_and_close(club);
}

static void a_log_written_by_hand_is_read(void **state)
{
    (void)state;
    assert_int_equal(status_of_second_row(e4_row()), GAMES_OK);
}

static void a_log_without_rows_is_damaged(void **state)
{
    (void)state;
    struct storage_game game = good_game();
    assert_int_equal(status_of_log(&game, NULL, 0), GAMES_DAMAGED);
}

static void a_game_with_words_that_nobody_knows_is_damaged(void **state)
{
    (void)state;
    struct storage_action row = created_row();
    struct storage_game games[5];
    for (int i = 0; i < 5; i++)
        games[i] = good_game();
    games[0].rules = NULL;
    games[1].rules = "profile=none";
    games[2].access = "closed";
    games[3].visibility = "dim";
    games[4].start = "no position";
    for (int i = 0; i < 5; i++)
        if (status_of_log(&games[i], &row, 1) != GAMES_DAMAGED)
            fail_msg("game %d", i);
}

static void a_move_that_does_not_add_up_is_damage(void **state)
{
    (void)state;
    struct storage_action rows[8];
    for (int i = 0; i < 8; i++)
        rows[i] = e4_row();
    rows[0].move = "e2e5"; /* not legal */
    rows[1].move = "zz";
    rows[2].move = "e2e4qqqq";
    rows[3].move = "e2e4q";
    rows[4].ply = 2;
    rows[5].position_key ^= 1;
    rows[6].seat = "green";
    rows[7].move = "";
    for (int i = 0; i < 8; i++)
        if (status_of_second_row(rows[i]) != GAMES_DAMAGED)
            fail_msg("row %d", i);
}

static void a_version_that_is_missing_is_damage(void **state)
{
    (void)state;
    struct storage_action gap = e4_row();
    gap.version = 3;
    assert_int_equal(status_of_second_row(gap), GAMES_DAMAGED);
    struct storage_game game = good_game();
    struct storage_action late = created_row();
    late.version = 2;
    assert_int_equal(status_of_log(&game, &late, 1), GAMES_DAMAGED);
}

static void an_end_that_does_not_add_up_is_damage(void **state)
{
    static const char *const payloads[] = {
        "end=boredom\nresult=1-0\n",
        "end=resignation\n",
        "end=resignation\nresult=2-0\n",
        "end=resignation\nresult=1-0\nby=green\n",
        "end=fifty_moves\nresult=1/2-1/2\nclaim=draw\n",
        "end=checkmate\nresult=1-0\nalso=seventyfive_moves,boredom\n",
    };
    (void)state;
    struct storage_action row = created_row();
    row.version = 2;
    row.kind = "resign";
    for (size_t i = 0; i < sizeof payloads / sizeof payloads[0]; i++) {
        row.payload = payloads[i];
        if (status_of_second_row(row) != GAMES_DAMAGED)
            fail_msg("payload %zu", i);
    }
    row.payload = "end=resignation\nresult=1-0\nby=black\n";
    assert_int_equal(status_of_second_row(row), GAMES_OK);
}

static void a_row_of_no_known_kind_is_damage(void **state)
{
    (void)state;
    struct storage_action row = created_row();
    row.version = 2;
    row.kind = "sacrifice";
    assert_int_equal(status_of_second_row(row), GAMES_DAMAGED);
    row.kind = "updated";
    assert_int_equal(status_of_second_row(row), GAMES_OK);
}

static void taking_back_more_than_there_is_is_damage(void **state)
{
    (void)state;
    struct storage_action row = created_row();
    row.version = 2;
    row.kind = "undo";
    row.ply = 1;
    assert_int_equal(status_of_second_row(row), GAMES_DAMAGED);
}

static void a_damaged_game_takes_no_action_and_is_in_no_list(void **state)
{
    struct club *club = *state;
    struct storage_game game = good_game();
    struct storage_action rows[] = {created_row(), e4_row()};
    rows[1].move = "e2e5";
    struct storage_write write = {.kind = STORAGE_CREATE, .game = game, .actions = rows, .action_count = 2};
    assert_int_equal(fixture_write(club->storage, &write), STORAGE_OK);
    const char *good = club_create(club);
    struct deed *deed = club_deed(club, ACTION_RESIGN, id_text);
    assert_int_equal(deed_start(deed), GAMES_DAMAGED);
    assert_int_equal(deed->suspended + deed->rendered, 0);
    assert_int_equal(club_counters(club).live, 1);
    assert_int_equal(club_view(club, good)->head.version, 1);
}

/* ---- times that cannot be ------------------------------------------------------------------------------ */

static void a_time_that_no_service_has_lived_to_is_damage(void **state)
{
    (void)state;
    struct storage_action row = created_row();
    row.version = 2;
    row.kind = "updated";
    static const int64_t times_ms[] = {INT64_MAX, INT64_MAX - 1, SERVICE_MS_MAX + 1};
    for (size_t i = 0; i < sizeof times_ms / sizeof times_ms[0]; i++) {
        row.service_ms = times_ms[i];
        assert_int_equal(status_of_second_row(row), GAMES_DAMAGED);
    }
    row.service_ms = SERVICE_MS_MAX;
    assert_int_equal(status_of_second_row(row), GAMES_OK);
}

static void a_clock_that_shows_more_than_clocks_do_is_damage(void **state)
{
    (void)state;
    struct storage_game game = good_game();
    static const struct time_control control = {.stage_count = 1, .stages = {{.time_ms = 300000}}};
    char clock[TIME_CONTROL_SIZE];
    time_control_format(&control, clock);
    game.clock = clock;
    struct storage_action row = created_row();
    row.white_ms = row.black_ms = CLOCK_MS_MAX;
    assert_int_equal(status_of_log(&game, &row, 1), GAMES_OK);
    row.black_ms = INT64_MAX;
    assert_int_equal(status_of_log(&game, &row, 1), GAMES_DAMAGED);
}

static void a_beat_that_cannot_be_is_told_and_no_clock_runs_on_it(void **state)
{
    struct club *club = *state;
    struct games_settings settings = games_settings_usual(1 << 20);
    struct storage_write possible = fixture_beat(SERVICE_MS_MAX);
    assert_int_equal(fixture_write(club->storage, &possible), STORAGE_OK);
    games_destroy(club->games);
    club->games = games_create(club->storage, &settings);
    assert_non_null(club->games);
    assert_in_range(games_service_ms(club->games), SERVICE_MS_MAX, SERVICE_MS_MAX + 600000);
    struct storage_write damaged = fixture_beat(INT64_MAX);
    assert_int_equal(fixture_write(club->storage, &damaged), STORAGE_OK);
    assert_null(games_create(club->storage, &settings));
    assert_non_null(strstr(games_create_failure(club->storage), "damaged"));
}

static enum storage_status service_ms_below_zero(struct storage *storage, int64_t *service_ms)
{
    (void)storage;
    *service_ms = -5000;
    return STORAGE_OK;
}

/* Rows would be written with times that no fold takes. */
static void a_beat_below_zero_is_told_too(void **state)
{
    struct club *club = *state;
    struct games_settings settings = games_settings_usual(1 << 20);
    const struct storage_ops *plain = club->storage->ops;
    struct storage_ops damaged = *plain;
    damaged.service_ms = service_ms_below_zero;
    club->storage->ops = &damaged;
    assert_null(games_create(club->storage, &settings));
    assert_non_null(strstr(games_create_failure(club->storage), "damaged"));
    club->storage->ops = plain;
}

/* ---- moves by name ------------------------------------------------------------------------------------ */

static move find(const char *fen, const char *uci, bool chess960)
{
    struct position position;
    struct setup_report report = {0};
    assert_true(fen_parse(fen, strlen(fen), chess960, &position, &report));
    return notation_find_uci(&position, uci);
}

static void moves_are_found_by_their_exact_uci(void **state)
{
    static const struct {
        const char *fen, *uci;
        bool chess960, found;
    } rows[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", false, true},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1c1", false, true},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", false, false},
        {"r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8c8", false, true},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1h1", true, true},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1", true, false},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", false, true},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8", false, false},
        {"4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8k", false, false},
        {"4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1", "b4a3", false, true},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1e2q", false, false},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "e1", false, false},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", false, false},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "i1e2", false, false},
        {"4k3/8/8/8/8/8/8/4K3 w - - 0 1", "0000", false, false},
    };
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        if ((find(rows[i].fen, rows[i].uci, rows[i].chess960) != MOVE_NONE) != rows[i].found)
            fail_msg("%s in %s", rows[i].uci, rows[i].fen);
}

static void a_king_that_steps_beside_its_rook_has_not_castled_chess960(void **state)
{
    (void)state;
    const char *fen = "4k3/8/8/8/8/8/8/5K1R w H - 0 1";
    move step = find(fen, "f1g1", true);
    move castling = find(fen, "f1h1", true);
    assert_int_equal(move_kind(step), MOVE_NORMAL);
    assert_int_equal(move_kind(castling), MOVE_CASTLING);
}

/* ---- a long story, read again ------------------------------------------------------------------------- */

static void what_was_taken_back_leaves_no_trace_but_its_rows(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4 Qh4");
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "e4"), ACTION_DONE);
    club_play(club, id, "Nf6");
    assert_int_equal(club_undo(club, id, 3), ACTION_DONE);
    assert_int_equal(club_comment(club, id, "e5", "again"), ACTION_DONE);
    assert_int_equal(club_undo(club, id, 2), ACTION_DONE);
    club_play(club, id, "d4 d5 c4 dxc4 e3 b5 a4 c6 axb5 cxb5 Qf3");
    assert_int_equal(club_resign(club, id, SEAT_BLACK), ACTION_DONE);
    club_reopen(club);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 11);
    assert_int_equal(game->head.version, 24);
    assert_int_equal(game->head.end.termination, TERMINATION_RESIGNATION);
}

static void every_kind_of_move_survives_a_reload(void **state)
{
    static const struct {
        const char *fen, *moves;
    } rows[] = {
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O O-O-O"},
        {"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "O-O-O O-O"},
        {"1r2k3/P6P/8/8/8/8/p7/1R2K3 w - - 0 1", "axb8=N axb1=B h8=R+"},
        {"4k3/1p6/8/P7/8/8/6P1/4K3 b - - 0 1", "b5 axb6 Kd7 b7 Kc7 b8=Q+"},
        {"4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1", "a4 bxa3"},
    };
    struct club *club = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = club_create_fen(club, rows[i].fen);
        club_play(club, id, rows[i].moves);
        club_forget(club);
        (void)club_view(club, id);
        assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_log_written_by_hand_is_read),
        cmocka_unit_test(a_log_without_rows_is_damaged),
        cmocka_unit_test(a_game_with_words_that_nobody_knows_is_damaged),
        cmocka_unit_test(a_move_that_does_not_add_up_is_damage),
        cmocka_unit_test(a_version_that_is_missing_is_damage),
        cmocka_unit_test(an_end_that_does_not_add_up_is_damage),
        cmocka_unit_test(a_row_of_no_known_kind_is_damage),
        cmocka_unit_test(taking_back_more_than_there_is_is_damage),
        cmocka_unit_test(a_time_that_no_service_has_lived_to_is_damage),
        cmocka_unit_test(a_clock_that_shows_more_than_clocks_do_is_damage),
        CLUB_TEST(a_beat_that_cannot_be_is_told_and_no_clock_runs_on_it),
        CLUB_TEST(a_beat_below_zero_is_told_too),
        CLUB_TEST(a_damaged_game_takes_no_action_and_is_in_no_list),
        cmocka_unit_test(moves_are_found_by_their_exact_uci),
        cmocka_unit_test(a_king_that_steps_beside_its_rook_has_not_castled_chess960),
        CLUB_TEST(what_was_taken_back_leaves_no_trace_but_its_rows),
        CLUB_TEST(every_kind_of_move_survives_a_reload),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
