/* Events: what each kind of action tells, at once and from the log. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/watcher.h"
#include "tests/support/games_seated.h"

/* ---- helpers ------------------------------------------------------------------------------------------ */

/* What one action tells, of a game with a clock and three moves; and the same from the log. */
struct told {
    struct club *club;
    const char *id;
    struct watcher *watcher;
};

static struct told begin_told(struct club *club)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    const char *id = club_create_timed(club, "300+3", NULL, &rules);
    club_play(club, id, "e4 e5 Nf3");
    struct told told = {club, id, watcher_begin(club, id)};
    watcher_take(told.watcher);
    watcher_expect(told.watcher, 0, EVENT_SNAPSHOT, 4);
    return told;
}

/* The last event, and that the log tells the same of the versions after 4. */
static void end_told(struct told *told, enum event_kind kind, const char *word)
{
    struct watcher *watcher = told->watcher;
    watcher_stop(watcher);
    size_t last = watcher->count - 1;
    watcher_expect(watcher, last, kind, (uint32_t)(4 + last));
    watcher_expect_text(watcher, last, word);
    struct watcher *again = watcher_resume(told->club, told->id, 4);
    watcher_stop(again);
    assert_int_equal(again->count, watcher->count - 1);
    for (size_t i = 0; i < again->count; i++) {
        char *text = strdup(watcher_text(watcher, i + 1));
        assert_string_equal(watcher_text(again, i), text);
        free(text);
    }
    watcher_destroy(again);
    watcher_destroy(watcher);
}

/* ---- kinds -------------------------------------------------------------------------------------------- */

static void a_kind_of_row_that_nobody_knows_is_no_event(void **state)
{
    (void)state;
    struct game_event event;
    assert_false(event_read(&event, &(struct storage_action){.version = 1, .kind = "sacrifice"}));
}

static void a_move_tells_itself(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_move(told.club, told.id, "Nc6"), ACTION_DONE);
    end_told(&told, EVENT_MOVE_PLAYED, "move seat 2");
}

static void an_offer_and_its_refusal_tell_themselves(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_seat(told.club, ACTION_OFFER_DRAW, told.id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_seat(told.club, ACTION_DECLINE_DRAW, told.id, SEAT_NONE), ACTION_DONE);
    watcher_take(told.watcher);
    watcher_expect(told.watcher, 1, EVENT_DRAW_OFFERED, 5);
    watcher_expect_text(told.watcher, 1, "seat 1");
    end_told(&told, EVENT_DRAW_DECLINED, "seat 2");
}

static void a_wrong_claim_with_a_move_is_two_events(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_claim(told.club, told.id, CLAIM_THREEFOLD, "Nc6"), ACTION_DONE);
    watcher_take(told.watcher);
    assert_int_equal(told.watcher->count, 3);
    watcher_expect(told.watcher, 1, EVENT_CLAIM_REFUSED, 5);
    watcher_expect_text(told.watcher, 1, "offer 1 move b8c6 given 1 120000");
    watcher_expect_text(told.watcher, 1, "ply 3 ");
    end_told(&told, EVENT_MOVE_PLAYED, "ply 4 ");
}

static void a_takeback_is_offered_withdrawn_declined_and_accepted(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_takeback(told.club, told.id, SEAT_WHITE, CLUB_LAST_MOVE), ACTION_DONE);
    assert_int_equal(club_seat(told.club, ACTION_WITHDRAW_TAKEBACK, told.id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_takeback(told.club, told.id, SEAT_WHITE, 1), ACTION_DONE);
    assert_int_equal(club_seat(told.club, ACTION_DECLINE_TAKEBACK, told.id, SEAT_NONE), ACTION_DONE);
    assert_int_equal(club_takeback(told.club, told.id, SEAT_WHITE, 1), ACTION_DONE);
    assert_int_equal(club_seat(told.club, ACTION_ACCEPT_TAKEBACK, told.id, SEAT_NONE), ACTION_DONE);
    watcher_take(told.watcher);
    watcher_expect(told.watcher, 1, EVENT_TAKEBACK_OFFERED, 5);
    watcher_expect_text(told.watcher, 1, "takeback 1 2");
    watcher_expect(told.watcher, 2, EVENT_TAKEBACK_DECLINED, 6);
    watcher_expect_text(told.watcher, 2, "takeback_withdrawn");
    watcher_expect(told.watcher, 4, EVENT_TAKEBACK_DECLINED, 8);
    watcher_expect_text(told.watcher, 4, "takeback_declined");
    end_told(&told, EVENT_POSITION_REWOUND, "ply 1 ");
}

static void an_undo_tells_the_position_that_stands_again(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_undo(told.club, told.id, 2), ACTION_DONE);
    end_told(&told, EVENT_POSITION_REWOUND, "undo seat 0");
}

static void time_that_is_given_tells_itself(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_add_time(told.club, told.id, SEAT_BLACK, 5000), ACTION_DONE);
    end_told(&told, EVENT_CLOCK_UPDATED, "given 2 5000");
}

static void the_first_illegal_move_gives_time_and_the_second_ends_the_game(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_seat(told.club, ACTION_ILLEGAL_MOVE, told.id, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(club_seat(told.club, ACTION_ILLEGAL_MOVE, told.id, SEAT_BLACK), ACTION_DONE);
    watcher_take(told.watcher);
    watcher_expect(told.watcher, 1, EVENT_CLOCK_UPDATED, 5);
    watcher_expect_text(told.watcher, 1, "given 1 120000");
    assert_false(watcher_told(told.watcher, 1)->ends);
    assert_true(watcher_told(told.watcher, 2)->ends);
    end_told(&told, EVENT_GAME_ENDED, "illegal_move");
}

static void a_flag_that_falls_tells_itself(void **state)
{
    struct told told = begin_told(*state);
    club_advance(told.club, 304000); /* five minutes, and three seconds for the first move */
    (void)club_tick(told.club, told.id);
    end_told(&told, EVENT_GAME_ENDED, "flagged seat 2");
}

static void a_resignation_and_what_is_changed_after_it_tell_themselves(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_resign(told.club, told.id, SEAT_WHITE), ACTION_DONE);
    struct action_update update = {.sets_white = true,
                                   .sets_black = true,
                                   .sets_visibility = true,
                                   .texts.white_name = "a\\b\nc",
                                   .visibility = VISIBILITY_UNLISTED};
    assert_int_equal(club_update(told.club, told.id, &update), ACTION_DONE);
    watcher_take(told.watcher);
    watcher_expect(told.watcher, 1, EVENT_GAME_ENDED, 5);
    watcher_expect_text(told.watcher, 2, "sets a\\b\nc  - unlisted -");
    end_told(&told, EVENT_GAME_UPDATED, "updated seat 0");
}

static void the_creation_is_a_snapshot_from_the_log(void **state)
{
    struct told told = begin_told(*state);
    struct watcher *whole = watcher_resume(told.club, told.id, 0);
    watcher_stop(whole);
    assert_int_equal(whole->count, 4);
    watcher_expect(whole, 0, EVENT_SNAPSHOT, 1);
    watcher_expect_text(whole, 0, "ply 0 fen rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1");
    watcher_expect_text(whole, 0, "reset 0");
    for (uint32_t i = 1; i < 4; i++)
        watcher_expect(whole, i, EVENT_MOVE_PLAYED, i + 1);
    watcher_destroy(whole);
    watcher_destroy(told.watcher);
}

static void several_moves_of_one_action_are_as_many_events(void **state)
{
    struct told told = begin_told(*state);
    assert_int_equal(club_move(told.club, told.id, "Nc6 Bb5 a6 Ba4"), ACTION_DONE);
    watcher_take(told.watcher);
    assert_int_equal(told.watcher->count, 5);
    for (uint32_t i = 1; i < 5; i++)
        watcher_expect(told.watcher, i, EVENT_MOVE_PLAYED, 4 + i);
    watcher_expect_text(told.watcher, 2, "ply 5 ");
    end_told(&told, EVENT_MOVE_PLAYED, "ply 7 ");
}

static void a_move_that_mates_ends_what_is_told(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4");
    struct watcher *watcher = watcher_begin(club, id);
    club_play(club, id, "Qh4");
    watcher_stop(watcher);
    watcher_expect(watcher, 1, EVENT_MOVE_PLAYED, 5);
    assert_false(watcher_told(watcher, 0)->ends);
    assert_true(watcher_told(watcher, 1)->ends);
    watcher_destroy(watcher);
}

static void seats_that_change_hands_tell_so(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    struct watcher *watcher = watcher_begin(club, seated->id);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_WHITE, "Anna"), ACTION_DONE);
    assert_int_equal(seated_take(seated, ROLE_NONE, SEAT_BLACK, NULL), ACTION_DONE);
    assert_int_equal(seated_leave(seated, ROLE_CREATOR, SEAT_BLACK), ACTION_DONE);
    assert_int_equal(seated_renew(seated, ROLE_CREATOR, ROLE_SPECTATOR), ACTION_DONE);
    assert_int_equal(seated_renew(seated, ROLE_CREATOR, ROLE_WHITE), ACTION_DONE);
    watcher_stop(watcher);
    for (uint32_t i = 1; i < 6; i++)
        watcher_expect(watcher, i, EVENT_SEAT_CHANGED, i + 1);
    watcher_expect_text(watcher, 1, "seat_taken seat 1");
    watcher_expect_text(watcher, 1, "sets - - - - Anna\n");
    watcher_expect_text(watcher, 2, "seat_taken seat 2");
    watcher_expect_text(watcher, 2, "sets - - - - -\n");
    watcher_expect_text(watcher, 3, "seat_left seat 2");
    watcher_expect_text(watcher, 4, "token_renewed seat 0");
    watcher_expect_text(watcher, 4, "role 3 ");
    watcher_expect_text(watcher, 5, "token_renewed seat 1");
    watcher_destroy(watcher);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, watcher_set_up, club_teardown)
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_of_row_that_nobody_knows_is_no_event),
        TEST(a_move_tells_itself),
        TEST(an_offer_and_its_refusal_tell_themselves),
        TEST(a_wrong_claim_with_a_move_is_two_events),
        TEST(a_takeback_is_offered_withdrawn_declined_and_accepted),
        TEST(an_undo_tells_the_position_that_stands_again),
        TEST(time_that_is_given_tells_itself),
        TEST(the_first_illegal_move_gives_time_and_the_second_ends_the_game),
        TEST(a_flag_that_falls_tells_itself),
        TEST(a_resignation_and_what_is_changed_after_it_tell_themselves),
        TEST(the_creation_is_a_snapshot_from_the_log),
        TEST(several_moves_of_one_action_are_as_many_events),
        TEST(a_move_that_mates_ends_what_is_told),
        TEST(seats_that_change_hands_tell_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
