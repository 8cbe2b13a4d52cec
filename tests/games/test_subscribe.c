/* Who watches a game: joining, being slow, games that leave. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/watcher.h"

static struct club *open_small(uint32_t catchup, uint32_t backlog, size_t bytes)
{
    struct club *club = club_open(
        &(struct club_options){.events_catchup = catchup, .events_backlog = backlog, .events_bytes = bytes});
    watcher_prepare(club);
    return club;
}

/* ---- joining ------------------------------------------------------------------------------------------ */

static void a_game_that_is_not_there_cannot_be_watched(void **state)
{
    struct watcher *watcher = watcher_begin(*state, "abcdefghjkmn");
    assert_int_equal(watcher->status, GAMES_NOT_FOUND);
    watcher_destroy(watcher);
}

static void only_a_cold_game_and_the_log_have_to_be_waited_for(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5");
    static const struct {
        bool forgotten, has_cursor;
        uint32_t cursor;
        enum games_status status;
    } rows[] = {
        {false, false, 0, GAMES_OK}, {false, true, 3, GAMES_OK},   {false, true, 2, GAMES_COLD},
        {false, true, 99, GAMES_OK}, {true, false, 0, GAMES_COLD}, {true, true, 3, GAMES_COLD},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        if (rows[i].forgotten) {
            club_forget(club);
            watcher_prepare(club);
        }
        struct watcher *watcher = watcher_create(club, id);
        watcher->subscriber.may_block = false;
        watcher->subscriber.has_cursor = rows[i].has_cursor;
        watcher->subscriber.cursor = rows[i].cursor;
        watcher_start(watcher);
        if (watcher->status != rows[i].status)
            fail_msg("row %zu: status %d", i, watcher->status);
        watcher_destroy(watcher);
    }
}

static void a_cursor_that_is_up_to_date_is_told_nothing_old(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    struct watcher *watcher = watcher_resume(club, id, 2);
    watcher_take(watcher);
    assert_int_equal(watcher->count, 0);
    assert_int_equal(watcher->subscriber.version, 2);
    assert_false(watcher->subscriber.over);
    club_play(club, id, "e5");
    assert_int_equal(atomic_load(&watcher->pokes), 1);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    watcher_expect(watcher, 0, EVENT_MOVE_PLAYED, 3);
    watcher_destroy(watcher);
}

static void a_cursor_ahead_of_the_game_is_reset(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_resume(club, id, 2);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    watcher_expect(watcher, 0, EVENT_SNAPSHOT, 1);
    watcher_expect_text(watcher, 0, "reset 1");
    watcher_destroy(watcher);
}

static void a_cursor_too_far_behind_is_reset(void **state)
{
    (void)state;
    struct club *club = open_small(3, 0, 0);
    const char *id = club_create(club);
    club_play(club, id, "e4 e5 Nf3 Nc6");
    struct watcher *near = watcher_resume(club, id, 2), *far = watcher_resume(club, id, 1);
    watcher_stop(near);
    watcher_stop(far);
    assert_int_equal(near->count, 3);
    watcher_expect(near, 0, EVENT_MOVE_PLAYED, 3);
    assert_int_equal(far->count, 1);
    watcher_expect(far, 0, EVENT_SNAPSHOT, 5);
    watcher_expect_text(far, 0, "reset 1");
    watcher_destroy(near);
    watcher_destroy(far);
    club_close(club);
}

static void where_memory_has_no_room_for_the_missed_ones_the_cursor_is_reset(void **state)
{
    (void)state;
    struct club *club = open_small(0, 0, 2000);
    const char *id = club_create(club);
    club_play(club, id, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O");
    struct watcher *watcher = watcher_resume(club, id, 1);
    club_play(club, id, "Be7");
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 2);
    watcher_expect(watcher, 0, EVENT_SNAPSHOT, 10);
    watcher_expect_text(watcher, 0, "reset 1");
    watcher_expect(watcher, 1, EVENT_MOVE_PLAYED, 11);
    watcher_destroy(watcher);
    club_close(club);
}

static void who_is_slow_is_cut_and_goes_on_with_its_cursor(void **state)
{
    (void)state;
    struct club *club = open_small(0, 4, 0);
    const char *id = club_create(club);
    struct watcher *slow = watcher_begin(club, id), *quick = watcher_begin(club, id);
    watcher_take(slow);
    const char *const moves[] = {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"};
    for (size_t i = 0; i < 6; i++) {
        club_play(club, id, moves[i]);
        watcher_take(quick);
    }
    watcher_stop(slow);
    watcher_stop(quick);
    assert_int_equal(quick->count, 7);
    assert_int_equal(slow->count, 1); /* better nothing than a gap */
    assert_true(slow->cut);
    struct watcher *again = watcher_resume(club, id, 1);
    watcher_stop(again);
    assert_int_equal(again->count, 6);
    watcher_destroy(again);
    watcher_destroy(slow);
    watcher_destroy(quick);
    club_close(club);
}

static void who_is_slow_is_cut_sooner_where_memory_has_no_room(void **state)
{
    (void)state;
    struct club *club = open_small(0, 0, 1);
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    watcher_take(watcher);
    club_play(club, id, "e4");
    watcher_take(watcher);
    assert_int_equal(watcher->count, 2);
    club_play(club, id, "e5 Nf3");
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 2);
    assert_true(watcher->cut);
    watcher_destroy(watcher);
    club_close(club);
}

static void an_event_that_cannot_be_rendered_cuts_instead_of_being_missed(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    atomic_store(&watcher_rendering_fails, true);
    club_play(club, id, "e4");
    struct watcher *refused = watcher_begin(club, id);
    assert_int_equal(refused->status, GAMES_UNAVAILABLE);
    watcher_destroy(refused);
    refused = watcher_resume(club, id, 1);
    assert_int_equal(refused->status, GAMES_UNAVAILABLE);
    watcher_destroy(refused);
    atomic_store(&watcher_rendering_fails, false);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    assert_true(watcher->cut);
    watcher_destroy(watcher);
}

/* ---- games that leave --------------------------------------------------------------------------------- */

static void the_removal_of_a_game_is_told_last(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id), *late = watcher_begin(club, id);
    club_play(club, id, "e4");
    watcher_take(watcher);
    assert_int_equal(club_delete(club, id), ACTION_DONE);
    watcher_stop(watcher);
    watcher_stop(late);
    assert_int_equal(watcher->count, 3);
    assert_int_equal(late->count, 3);
    watcher_expect(late, 2, EVENT_GAME_DELETED, 0);
    assert_true(watcher_told(late, 2)->ends);
    watcher_expect_text(late, 2, "ply 1 ");
    watcher_destroy(watcher);
    watcher_destroy(late);
}

static void a_game_that_is_watched_stays_in_memory(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1});
    watcher_prepare(club);
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    for (int i = 0; i < 300; i++)
        (void)club_create(club);
    assert_int_equal(club_look(club, id, false), GAMES_OK);
    club_play(club, id, "e4");
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 2);
    assert_int_equal(club_look(club, id, false), GAMES_COLD); /* over the budget, it leaves at once */
    watcher_destroy(watcher);
    club_close(club);
}

static void what_another_process_has_written_tears_the_stream(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    struct games *rival = club_rival(club), *own = club->games;
    club->games = rival;
    club_play(club, id, "e4");
    club->games = own;
    club->unchecked = true;
    assert_int_equal(club_move(club, id, "d4"), ACTION_STORE_BUSY);
    club->unchecked = false;
    watcher_stop(watcher);
    assert_true(watcher->cut);
    struct watcher *again = watcher_resume(club, id, 1);
    watcher_stop(again);
    assert_int_equal(again->count, 1);
    watcher_expect(again, 0, EVENT_MOVE_PLAYED, 2);
    watcher_destroy(again);
    watcher_destroy(watcher);
    games_destroy(rival);
}

static void what_was_missed_is_told_after_a_restart(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5 Nf3");
    club_reopen(club);
    watcher_prepare(club);
    struct watcher *watcher = watcher_resume(club, id, 2);
    club_play(club, id, "Nc6");
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 3);
    for (uint32_t i = 0; i < 3; i++)
        watcher_expect(watcher, i, EVENT_MOVE_PLAYED, i + 3);
    watcher_destroy(watcher);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, watcher_set_up, club_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_game_that_is_not_there_cannot_be_watched),
        TEST(only_a_cold_game_and_the_log_have_to_be_waited_for),
        TEST(a_cursor_that_is_up_to_date_is_told_nothing_old),
        TEST(a_cursor_ahead_of_the_game_is_reset),
        cmocka_unit_test(a_cursor_too_far_behind_is_reset),
        cmocka_unit_test(where_memory_has_no_room_for_the_missed_ones_the_cursor_is_reset),
        cmocka_unit_test(who_is_slow_is_cut_and_goes_on_with_its_cursor),
        cmocka_unit_test(who_is_slow_is_cut_sooner_where_memory_has_no_room),
        TEST(an_event_that_cannot_be_rendered_cuts_instead_of_being_missed),
        TEST(the_removal_of_a_game_is_told_last),
        cmocka_unit_test(a_game_that_is_watched_stays_in_memory),
        TEST(what_another_process_has_written_tears_the_stream),
        TEST(what_was_missed_is_told_after_a_restart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
