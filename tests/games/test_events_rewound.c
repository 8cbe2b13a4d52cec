/* Events of games in which moves were taken back again and again: what a catch-up costs has a bound. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/watcher.h"

enum {
    PLIES = 1000,
    LAST_MOVE = PLIES + 1,                        /* the version that it made */
    REWINDS = EVENTS_REPLAYED_PLIES / (PLIES - 1) /* of one move each, so many are within the limit */
};

/* Knights go out and come back. */
static const char *begin_long_game(struct club *club)
{
    static const char *const moves[] = {"Nf3 ", "Nf6 ", "Ng1 ", "Ng8 "};
    char text[PLIES * 4 + 1] = "";
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.fivefold = rules.seventyfive = false;
    for (size_t i = 0; i < PLIES; i++)
        memcpy(text + 4 * i, moves[i % 4], 5);
    club->unchecked = true;
    return club_create_rules(club, NULL, &rules, text);
}

static void rewind_once(struct club *club, const char *id)
{
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
    assert_int_equal(club_move(club, id, "Ng8"), ACTION_DONE);
}

static struct watcher *catch_up(struct club *club, const char *id, uint32_t cursor)
{
    struct watcher *watcher = watcher_resume(club, id, cursor);
    assert_int_equal(watcher->status, GAMES_OK);
    watcher_stop(watcher);
    return watcher;
}

static void a_catch_up_that_would_play_too_much_again_is_a_snapshot(void **state)
{
    struct club *club = *state;
    const char *id = begin_long_game(club);
    for (int i = 0; i < REWINDS; i++)
        rewind_once(club, id);
    struct watcher *within = catch_up(club, id, LAST_MOVE - 1);
    assert_int_equal(within->count, 1 + 2 * REWINDS);
    watcher_expect(within, 0, EVENT_MOVE_PLAYED, LAST_MOVE);
    watcher_expect(within, 1, EVENT_POSITION_REWOUND, LAST_MOVE + 1);
    watcher_expect(within, 2 * REWINDS, EVENT_MOVE_PLAYED, LAST_MOVE + 2 * REWINDS);
    watcher_destroy(within);
    rewind_once(club, id);
    struct watcher *beyond = catch_up(club, id, LAST_MOVE - 1);
    assert_int_equal(beyond->count, 1);
    watcher_expect(beyond, 0, EVENT_SNAPSHOT, LAST_MOVE + 2 * (REWINDS + 1));
    watcher_expect_text(beyond, 0, "reset 1");
    watcher_destroy(beyond);
    struct watcher *later = catch_up(club, id, LAST_MOVE + 2);
    assert_int_equal(later->count, 2 * REWINDS);
    watcher_expect(later, 0, EVENT_POSITION_REWOUND, LAST_MOVE + 3);
    watcher_destroy(later);
}

/* Nobody looks at the game in between, and nothing is played twice. */
static void a_game_is_found_however_often_moves_were_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = begin_long_game(club);
    for (int i = 0; i <= REWINDS; i++)
        rewind_once(club, id);
    club_forget(club);
    assert_int_equal(club_view(club, id)->head.ply, PLIES);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, watcher_set_up, club_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_catch_up_that_would_play_too_much_again_is_a_snapshot),
        TEST(a_game_is_found_however_often_moves_were_taken_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
