/* Who watches a game: who is present and is told of it, who may not see the game any more. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "tests/games/watcher.h"
#include "tests/support/games_seated.h"

static struct watcher *watch_for(struct club *club, const char *id, enum game_seat seat, bool passes_by)
{
    struct watcher *watcher = watcher_create(club, id);
    watcher->subscriber.seat = seat;
    watcher->subscriber.passes_by = passes_by;
    watcher_start(watcher);
    assert_int_equal(watcher->status, GAMES_OK);
    games_arrive(club->games, &watcher->subscriber);
    return watcher;
}

static struct seat_presence presence_of(struct club *club, const char *id, enum color color)
{
    return club_view(club, id)->seats->presence[color];
}

static void a_player_is_present_while_one_of_his_streams_is_open(void **state)
{
    struct club *club = *state;
    const char *id = seated_create(club, NULL, NULL)->id;
    struct watcher *watcher = watcher_begin(club, id);
    struct watcher *white = watch_for(club, id, SEAT_WHITE, false);
    struct watcher *second = watch_for(club, id, SEAT_WHITE, false);
    assert_int_equal(presence_of(club, id, COLOR_WHITE).streams, 2);
    assert_int_equal(presence_of(club, id, COLOR_BLACK).streams, 0);
    watcher_stop(white);
    watcher_take(watcher);
    assert_int_equal(watcher->count, 2);
    watcher_expect(watcher, 1, EVENT_PRESENCE_CHANGED, 0);
    watcher_expect_text(watcher, 1, "seat 1 reset 0 connected 1");
    int64_t left_ms = games_now_ms(club->games);
    watcher_stop(second);
    watcher_take(watcher);
    assert_int_equal(watcher->count, 3);
    watcher_expect_text(watcher, 2, "seat 1 reset 0 connected 0");
    watcher_stop(watcher);
    club_advance(club, 5000);
    assert_int_equal(presence_of(club, id, COLOR_WHITE).streams, 0);
    assert_int_equal(presence_of(club, id, COLOR_WHITE).seen_at_ms, left_ms);
    watcher_destroy(white);
    watcher_destroy(second);
    watcher_destroy(watcher);
}

static void who_passes_by_is_seen_but_not_present(void **state)
{
    struct club *club = *state;
    const char *id = seated_create(club, NULL, NULL)->id;
    struct watcher *watcher = watcher_begin(club, id);
    watcher_destroy(watch_for(club, id, SEAT_BLACK, true));
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    assert_int_equal(presence_of(club, id, COLOR_BLACK).streams, 0);
    assert_int_equal(presence_of(club, id, COLOR_BLACK).seen_at_ms, games_now_ms(club->games));
    watcher_destroy(watcher);
}

static void who_never_arrives_is_not_seen(void **state)
{
    struct club *club = *state;
    const char *id = seated_create(club, NULL, NULL)->id;
    struct watcher *watcher = watcher_begin(club, id);
    struct watcher *white = watcher_create(club, id);
    white->subscriber.seat = SEAT_WHITE;
    watcher_start(white);
    assert_int_equal(white->status, GAMES_OK);
    assert_int_equal(presence_of(club, id, COLOR_WHITE).streams, 0);
    watcher_destroy(white);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    assert_int_equal(presence_of(club, id, COLOR_WHITE).seen_at_ms, 0);
    watcher_destroy(watcher);
}

static void nobody_is_told_of_himself(void **state)
{
    struct club *club = *state;
    const char *id = seated_create(club, NULL, NULL)->id;
    struct watcher *white = watch_for(club, id, SEAT_WHITE, false);
    struct watcher *black = watch_for(club, id, SEAT_BLACK, false);
    watcher_take(white);
    watcher_take(black);
    assert_int_equal(white->count, 2);
    watcher_expect_text(white, 1, "seat 2 reset 0 connected 1");
    assert_int_equal(black->count, 1);
    watcher_destroy(black);
    watcher_destroy(white);
}

/* Of what waits in one feed each takes what is for it, whatever lies between. */
static void who_is_not_told_of_presence_takes_what_comes_behind_it(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    const char *id = seated->id;
    struct watcher *poll = watch_for(club, id, SEAT_BLACK, true), *all = watcher_begin(club, id);
    watcher_take(poll);
    watcher_take(all);
    seated_play(seated, "e4");
    struct watcher *white = watch_for(club, id, SEAT_WHITE, false);
    watcher_take(poll);
    seated_play(seated, "e5");
    watcher_stop(poll);
    watcher_stop(all);
    assert_int_equal(poll->count, 3);
    watcher_expect(poll, 1, EVENT_MOVE_PLAYED, 2);
    watcher_expect(poll, 2, EVENT_MOVE_PLAYED, 3);
    assert_int_equal(all->count, 4);
    watcher_expect(all, 2, EVENT_PRESENCE_CHANGED, 0);
    watcher_destroy(poll);
    watcher_destroy(all);
    watcher_destroy(white);
}

static void what_came_before_the_own_arrival_is_taken_and_the_arrival_is_not(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    struct watcher *white = watcher_create(club, seated->id);
    white->subscriber.seat = SEAT_WHITE;
    watcher_start(white);
    assert_int_equal(white->status, GAMES_OK);
    seated_play(seated, "e4");
    games_arrive(club->games, &white->subscriber);
    seated_play(seated, "e5");
    watcher_stop(white);
    assert_int_equal(white->count, 3);
    watcher_expect(white, 1, EVENT_MOVE_PLAYED, 2);
    watcher_expect(white, 2, EVENT_MOVE_PLAYED, 3);
    watcher_destroy(white);
}

/* Where it was counted among those of the presence too, the other one would find it gone. */
static void who_leaves_with_events_untaken_takes_nothing_from_the_others(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    struct watcher *poll = watch_for(club, seated->id, SEAT_BLACK, true);
    struct watcher *all = watcher_begin(club, seated->id);
    seated_play(seated, "e4");
    struct watcher *white = watch_for(club, seated->id, SEAT_WHITE, false);
    games_unsubscribe(club->games, &poll->subscriber);
    poll->status = GAMES_PENDING;
    watcher_stop(all);
    assert_int_equal(all->count, 3);
    watcher_expect(all, 1, EVENT_MOVE_PLAYED, 2);
    watcher_expect(all, 2, EVENT_PRESENCE_CHANGED, 0);
    watcher_destroy(poll);
    watcher_destroy(all);
    watcher_destroy(white);
}

static bool admit_to_what_is_listed(struct subscriber *subscriber, const struct game *game)
{
    (void)subscriber;
    return game->visibility == VISIBILITY_PUBLIC;
}

static void who_may_not_see_the_game_any_more_is_cut(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *stranger = watcher_create(club, id), *friend = watcher_begin(club, id);
    stranger->subscriber.admit = admit_to_what_is_listed;
    watcher_start(stranger);
    assert_int_equal(stranger->status, GAMES_OK);
    struct action_update update = {.sets_visibility = true, .visibility = VISIBILITY_UNLISTED};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    watcher_stop(stranger);
    watcher_stop(friend);
    assert_int_equal(stranger->count, 1);
    assert_true(stranger->cut);
    assert_int_equal(friend->count, 2);
    watcher_start(stranger);
    assert_int_equal(stranger->status, GAMES_NOT_FOUND);
    watcher_destroy(stranger);
    watcher_destroy(friend);
}

/* Renders nothing to read, and hides the game when it is asked for the second move. */
struct hider {
    struct club *club;
    const char *id;
};

static bool render_and_hide(void *context, const struct game_event *event, const struct game *game,
                            struct event_text **text)
{
    struct hider *hider = context;
    struct action_update update = {.sets_visibility = true, .visibility = VISIBILITY_UNLISTED};
    if (event->kind == EVENT_MOVE_PLAYED && event->version == 3)
        assert_int_equal(club_update(hider->club, hider->id, &update), ACTION_DONE);
    *text = event_text_create(event, game_is_over(game), "", 0);
    return *text != NULL;
}

static void who_is_cut_while_the_log_is_read_gets_no_snapshot(void **state)
{
    (void)state;
    struct club *club =
        club_open(&(struct club_options){.events_bytes = 1}); /* the second event has no room */
    club->unchecked = true;
    const char *id = club_create(club);
    struct hider hider = {club, id};
    games_set_renderer(club->games, render_and_hide, &hider);
    club_play(club, id, "e4 e5 Nf3");
    struct watcher *stranger = watcher_create(club, id);
    stranger->subscriber.admit = admit_to_what_is_listed;
    stranger->subscriber.has_cursor = true;
    stranger->subscriber.cursor = 1;
    watcher_start(stranger);
    assert_int_equal(stranger->status, GAMES_OK);
    watcher_stop(stranger);
    assert_int_equal(stranger->count, 0);
    assert_true(stranger->cut);
    watcher_destroy(stranger);
    club_close(club);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, watcher_set_up, club_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_player_is_present_while_one_of_his_streams_is_open),
        TEST(who_passes_by_is_seen_but_not_present),
        TEST(who_never_arrives_is_not_seen),
        TEST(nobody_is_told_of_himself),
        TEST(who_is_not_told_of_presence_takes_what_comes_behind_it),
        TEST(what_came_before_the_own_arrival_is_taken_and_the_arrival_is_not),
        TEST(who_leaves_with_events_untaken_takes_nothing_from_the_others),
        TEST(who_may_not_see_the_game_any_more_is_cut),
        cmocka_unit_test(who_is_cut_while_the_log_is_read_gets_no_snapshot),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
