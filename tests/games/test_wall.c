/* The wall clock against the clock that counts: steps, sleep, and times without a service. In a club every deed is a
 * second later by the wall clock, and at the same time by the other. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <time.h>

#include <cmocka.h>

#include "games/internal.h"
#include "tests/games/watcher.h"

enum { HOUR_MS = 3600000, SECOND_MS = 1000 };

static void step(struct club *club, int64_t ms)
{
    atomic_fetch_add(&club->now_ms, ms);
}

/* A timed game with a move of each side, made at one moment. */
static const char *played(struct club *club)
{
    const char *id = club_create_timed(club, "300+3", NULL, NULL);
    club_play(club, id, "e4 e5");
    return id;
}

static int64_t shift_ms(struct club *club, const char *id)
{
    return game_wall_shift_ms(club_view(club, id), games_epoch_ms(club->games));
}

/* ---- what is known ------------------------------------------------------------------------------------- */

static void the_epoch_stands_until_a_step_can_be_seen(void **state)
{
    static const struct {
        int64_t step_ms, seen_ms;
    } rows[] = {
        {99, 0}, {-99, 0}, {60, 0}, {60, 120}, {-220, -220}, {HOUR_MS, HOUR_MS}, {-HOUR_MS, -HOUR_MS}};
    struct club *club = *state;
    int64_t epoch_ms = games_epoch_ms(club->games);
    assert_true(epoch_ms + games_service_ms(club->games) == atomic_load(&club->now_ms));
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        step(club, rows[i].step_ms);
        club_advance(club, SECOND_MS);
        epoch_ms += rows[i].seen_ms;
        if (games_epoch_ms(club->games) != epoch_ms)
            fail_msg("row %zu", i);
    }
}

static void a_row_has_one_moment_on_both_clocks(void **state)
{
    struct club *club = *state;
    const char *id = played(club);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "Nf3");
    deed->action.received_ms = games_service_ms(club->games);
    club_advance(club, 5000); /* it was there, and had to wait */
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    const struct game_head *head = &club_view(club, id)->head;
    assert_true(head->since_ms == games_service_ms(club->games) - 5000);
    assert_true(head->move_at_ms == atomic_load(&club->now_ms) - 5000);
    assert_int_equal(shift_ms(club, id), 0);
}

static void a_step_shifts_a_running_clock_and_no_other(void **state)
{
    struct club *club = *state;
    const char *running = played(club);
    const char *untimed = club_create(club);
    const char *unbegun = club_create_timed(club, "300+3", NULL, NULL);
    const char *over = played(club);
    club_play(club, untimed, "e4 e5");
    assert_int_equal(club_resign(club, over, SEAT_WHITE), ACTION_DONE);
    int64_t before_ms = shift_ms(club, running);
    step(club, HOUR_MS);
    assert_int_equal(shift_ms(club, running), before_ms + HOUR_MS);
    assert_int_equal(shift_ms(club, untimed), 0);
    assert_int_equal(shift_ms(club, unbegun), 0);
    assert_int_equal(shift_ms(club, over), 0);
    club_play(club, running, "Nf3"); /* a move begins by the wall clock of now */
    assert_int_equal(shift_ms(club, running), 0);
}

static void a_time_without_a_service_shifts_what_it_had_begun(void **state)
{
    struct club *club = *state;
    const char *id = played(club);
    int64_t deadline_ms = game_deadline(club_view(club, id));
    club_advance(club, 53007);
    int64_t left_ms = deadline_ms - games_service_ms(club->games);
    step(club, HOUR_MS);
    club_forget(club);
    assert_int_equal(shift_ms(club, id), HOUR_MS);
    assert_int_equal(game_deadline(club_view(club, id)), deadline_ms); /* the log is what it was */
    assert_int_equal(deadline_ms - games_service_ms(club->games), left_ms);
}

/* ---- what is told -------------------------------------------------------------------------------------- */

static void who_watches_a_running_clock_is_told_of_a_step_once(void **state)
{
    struct club *club = *state;
    const char *ids[] = {played(club), club_create_timed(club, "300+3", NULL, NULL), club_create(club)};
    struct watcher *watchers[3];
    (void)games_tick(club->games); /* with all seconds that the deeds have taken */
    for (int i = 0; i < 3; i++)
        watchers[i] = watcher_begin(club, ids[i]);
    (void)games_tick(club->games);
    step(club, HOUR_MS);
    for (int i = 0; i < 3; i++)
        (void)games_tick(club->games);
    for (int i = 0; i < 3; i++) {
        watcher_take(watchers[i]);
        assert_int_equal(watchers[i]->clocks_told, i == 0);
        assert_int_equal(atomic_load(&watchers[i]->pokes), i == 0);
        watcher_destroy(watchers[i]);
    }
}

/* The seconds between the deeds are steps that nobody has looked at. */
static void whoever_sees_a_step_has_it_told_at_once(void **state)
{
    struct club *club = *state;
    const char *id = played(club);
    (void)games_tick(club->games);
    (void)timers_first(&club->games->timers);
    step(club, HOUR_MS);
    assert_true(shift_ms(club, id) >= HOUR_MS);
    time_t begun = time(NULL);
    timers_sleep(&club->games->timers, 60000); /* the ticking thread is wanted, and does not sleep */
    assert_true(time(NULL) - begun < 30);
}

static unsigned looks_left; /* at the wall clock; with the last one it is set on by an hour */

static int64_t now_until_it_is_set(void *context)
{
    struct club *club = context;
    if (looks_left > 0 && --looks_left == 0)
        step(club, HOUR_MS);
    return atomic_load(&club->now_ms);
}

/* A flag that falls looks at the wall clock, too. */
static void a_step_in_the_middle_of_a_tick_is_told_or_wakes(void **state)
{
    enum { LOOKS = 8 };
    struct club *club = *state;
    const struct games *games = club->games;
    for (unsigned look = 1; look <= LOOKS; look++) {
        const char *id = club_create_timed(club, "60", NULL, NULL);
        club_play(club, id, "e4 e5");
        (void)games_tick(club->games);
        club->games->settings.now_ms = now_until_it_is_set;
        club_advance(club, 61 * SECOND_MS);
        looks_left = look;
        (void)club_tick(club, id);
        if (atomic_load(&games->epoch_ms) != games->told_epoch_ms && !games->timers.sooner)
            fail_msg("nobody is told of the step at look %u", look);
    }
}

static void who_goes_on_is_told_how_the_clock_stands(void **state)
{
    struct club *club = *state;
    const char *timed = played(club), *untimed = club_create(club);
    club_play(club, untimed, "e4 e5");
    const struct {
        const char *id;
        uint32_t cursor;
        bool passes_by;
        unsigned clocks;
        size_t others;
    } rows[] = {
        {timed, 3, false, 1, 0}, {timed, 2, false, 0, 1}, /* the last event tells it */
        {timed, 9, false, 0, 1},                          /* so does a snapshot */
        {timed, 3, true, 0, 0},  {untimed, 3, false, 0, 0},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct watcher *watcher = watcher_create(club, rows[i].id);
        watcher->subscriber.has_cursor = true;
        watcher->subscriber.cursor = rows[i].cursor;
        watcher->subscriber.passes_by = rows[i].passes_by;
        watcher_start(watcher);
        watcher_stop(watcher);
        if (watcher->clocks_told != rows[i].clocks || watcher->count != rows[i].others)
            fail_msg("row %zu: %u clocks, %zu others", i, watcher->clocks_told, watcher->count);
        watcher_destroy(watcher);
    }
}

static void without_memory_nobody_goes_on(void **state)
{
    struct club *club = *state;
    const char *id = played(club);
    atomic_store(&watcher_rendering_fails, true);
    struct watcher *watcher = watcher_resume(club, id, 3);
    atomic_store(&watcher_rendering_fails, false);
    assert_int_equal(watcher->status, GAMES_UNAVAILABLE);
    watcher_destroy(watcher);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, watcher_set_up, club_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_epoch_stands_until_a_step_can_be_seen),
        TEST(a_row_has_one_moment_on_both_clocks),
        TEST(a_step_shifts_a_running_clock_and_no_other),
        TEST(a_time_without_a_service_shifts_what_it_had_begun),
        TEST(who_watches_a_running_clock_is_told_of_a_step_once),
        TEST(whoever_sees_a_step_has_it_told_at_once),
        TEST(a_step_in_the_middle_of_a_tick_is_told_or_wakes),
        TEST(who_goes_on_is_told_how_the_clock_stands),
        TEST(without_memory_nobody_goes_on),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
