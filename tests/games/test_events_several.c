/* Events of actions with several rows: told at once, without the log being read. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/games/watcher.h"
#include "tests/support/storage_faulty.h"

enum { BACKLOG = 4 };

static int set_up(void **state)
{
    struct club *club = club_open(&(struct club_options){.wrap = faulty_wrap, .events_backlog = BACKLOG});
    watcher_prepare(club);
    club->unchecked = true; /* the laws read the store */
    *state = club;
    return 0;
}

static uint64_t reads(struct club *club)
{
    return faulty_calls(club->front, FAULTY_LOAD) + faulty_calls(club->front, FAULTY_MOVES) +
           faulty_calls(club->front, FAULTY_ACTIONS_AFTER);
}

static void expect_moves(struct watcher *watcher, uint32_t from, uint32_t until)
{
    assert_false(watcher->cut);
    for (uint32_t version = from; version <= until; version++)
        watcher_expect(watcher, watcher->count - 1 - (until - version), EVENT_MOVE_PLAYED, version);
}

static void several_rows_are_told_without_reading_the_store(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    watcher_take(watcher);
    uint64_t before = reads(club);
    assert_int_equal(club_move(club, id, "e4 e5 Nf3 Nc6"), ACTION_DONE);
    watcher_take(watcher);
    assert_int_equal(watcher->count, 5);
    expect_moves(watcher, 2, 5);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, "Bb5"), ACTION_DONE);
    watcher_take(watcher);
    assert_int_equal(watcher->count, 7);
    watcher_expect(watcher, 5, EVENT_CLAIM_REFUSED, 6);
    expect_moves(watcher, 7, 7);
    assert_int_equal(reads(club), before);
    watcher_destroy(watcher);
}

static void more_rows_than_may_wait_cut_whoever_watches(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    watcher_take(watcher);
    assert_int_equal(club_move(club, id, "e4 e5 Nf3 Nc6 Bb5"), ACTION_DONE);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    assert_true(watcher->cut);
    watcher_destroy(watcher);
    watcher = watcher_resume(club, id, 1);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 5);
    expect_moves(watcher, 2, 6);
    watcher_destroy(watcher);
}

static void who_comes_while_several_rows_are_on_their_way_goes_on_with_its_cursor(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5");
    faulty_hold(club->front);
    assert_int_equal(deed_start(deed), GAMES_PENDING);
    faulty_await_held(club->front, 1);
    struct watcher *watcher = watcher_begin(club, id);
    watcher_take(watcher);
    watcher_expect(watcher, 0, EVENT_SNAPSHOT, 1);
    faulty_release(club->front);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 1);
    assert_true(watcher->cut);
    watcher_destroy(watcher);
    watcher = watcher_resume(club, id, 1);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 2);
    expect_moves(watcher, 2, 3);
    watcher_destroy(watcher);
}

/* The comment on a move goes with that move alone, though the game keeps only the last one. */
static void each_of_several_moves_has_its_own_comment(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct watcher *watcher = watcher_begin(club, id);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4 e5 Nf3");
    deed->inputs[0].comment = "best by test";
    deed->inputs[1].comment = "the same";
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    watcher_stop(watcher);
    assert_int_equal(watcher->count, 4);
    watcher_expect_text(watcher, 1, "comment best by test\n");
    watcher_expect_text(watcher, 2, "comment the same\n");
    watcher_expect_text(watcher, 3, "comment -\n");
    watcher_destroy(watcher);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, club_teardown)
    const struct CMUnitTest tests[] = {
        TEST(several_rows_are_told_without_reading_the_store),
        TEST(more_rows_than_may_wait_cut_whoever_watches),
        TEST(who_comes_while_several_rows_are_on_their_way_goes_on_with_its_cursor),
        TEST(each_of_several_moves_has_its_own_comment),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
