/* Clocks and restarts: service time stands still while nobody serves, beats, games found again in the store, and a wall
 * clock that is set. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>

#include <cmocka.h>

#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

enum { SECOND = 1000, HOUR = 3600000 };

/* White has a bare king: a decision that costs nothing. */
static const char *const bare_king = "7k/8/8/8/8/8/q7/7K w - - 0 1";

/* Black has 60 s, which run. */
static const char *running_game(struct club *club)
{
    const char *id = club_create_timed(club, "60", bare_king, NULL);
    club_play(club, id, "Kg1");
    return id;
}

static int64_t remaining_ms(struct club *club, const char *id)
{
    assert_int_equal(club_flag(club, id), ACTION_CLOCK_RUNNING);
    return club->last->action.remaining_ms;
}

static enum game_status status_of(struct club *club, const char *id)
{
    return (enum game_status)club_view(club, id)->head.status;
}

/* The service ends, time goes by, and another one begins. */
static void be_down(struct club *club, int64_t ms)
{
    games_destroy(club->games);
    club_advance(club, ms);
    club->games = club_rival(club);
}

static void tick_until_all_are_found(struct club *club)
{
    while (games_tick(club->games) == 0)
        ;
}

/* ---- down --------------------------------------------------------------------------------------------- */

static void clocks_stand_still_while_the_service_is_down(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 10 * SECOND);
    be_down(club, 24 * HOUR);
    assert_int_equal(remaining_ms(club, id), 50 * SECOND);
    club_advance(club, 20 * SECOND);
    club_play(club, id, "Kg7");
    assert_int_equal(club_view(club, id)->clock->remaining_ms[COLOR_BLACK], 30 * SECOND);
}

static void the_time_of_a_reopened_store_goes_on(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    for (int i = 1; i <= 3; i++) {
        club_advance(club, 10 * SECOND);
        club_reopen(club);
        assert_int_equal(remaining_ms(club, id), 60 * SECOND - i * 10 * SECOND);
    }
}

static void patience_stands_still_too(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.abandon_after_ms = 60 * SECOND;
    const char *id = club_create_rules(club, NULL, &rules, NULL);
    club_advance(club, 30 * SECOND);
    be_down(club, 24 * HOUR);
    (void)club_tick(club, id);
    club_advance(club, 29 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ACTIVE);
    club_advance(club, 1 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ABORTED);
}

/* ---- beats -------------------------------------------------------------------------------------------- */

/* Writes are done in order: what was sent before this one is durable. */
static void await_writes(struct club *club)
{
    (void)club_create(club);
}

static int64_t kept_ms(struct club *club)
{
    int64_t service_ms = -1;
    await_writes(club);
    assert_int_equal(storage_service_ms(club->storage, &service_ms), STORAGE_OK);
    return service_ms;
}

static void a_crash_takes_no_more_than_the_time_since_the_last_beat(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 10 * SECOND);
    (void)games_tick(club->games);
    await_writes(club);
    club_advance(club, 900);
    faulty_fail_always(club->front, FAULTY_WRITE, STORAGE_UNAVAILABLE); /* so there is no last beat */
    games_destroy(club->games);
    faulty_heal(club->front);
    club_advance(club, HOUR);
    club->games = club_rival(club);
    assert_int_equal(remaining_ms(club, id), 50 * SECOND);
}

static void a_move_after_the_last_beat_takes_no_time_from_anybody(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 10 * SECOND);
    (void)games_tick(club->games);
    club_advance(club, 900);
    club_play(club, id, "Kg7"); /* durable, and of a later time than the store knows */
    faulty_fail_always(club->front, FAULTY_WRITE, STORAGE_UNAVAILABLE);
    games_destroy(club->games);
    faulty_heal(club->front);
    club->games = club_rival(club);
    assert_int_equal(remaining_ms(club, id), 60 * SECOND);
    club_play(club, id, "Kf1");
    const struct clock *clock = club_view(club, id)->clock;
    assert_int_equal(clock->remaining_ms[COLOR_WHITE], 60 * SECOND);
    assert_int_equal(clock->remaining_ms[COLOR_BLACK], 49 * SECOND + 100);
    assert_int_equal(remaining_ms(club, id), 49 * SECOND + 100);
}

static void beats_are_a_second_apart(void **state)
{
    struct club *club = *state;
    (void)running_game(club);
    int64_t began_ms = games_service_ms(club->games);
    club_advance(club, SECOND - 1);
    assert_int_equal(games_tick(club->games), 1);
    assert_true(kept_ms(club) < began_ms + SECOND - 1);
    club_advance(club, 1);
    assert_int_equal(games_tick(club->games), SECOND);
    assert_int_equal(kept_ms(club), began_ms + SECOND);
    club_advance(club, 5 * SECOND);
    (void)games_tick(club->games);
    assert_int_equal(kept_ms(club), began_ms + 6 * SECOND);
}

/* As README and openapi.yaml say of what a crash gives back. */
static void beats_follow_a_64th_of_what_is_left_up_to_ten_seconds(void **state)
{
    static const struct {
        const char *control;
        int64_t pause_ms; /* of 300 s, 295.385 are left by then */
    } rows[] = {{"1/1209600", 10000}, {"7200", 10000}, {"300", 4615}, {"60", 1000}};
    struct club *club = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) { /* the nearest deadline counts */
        const char *id = club_create_timed(club, rows[i].control, NULL, NULL);
        club_advance(club, 10000);
        club_play(club, id, "e4");
        (void)games_tick(club->games);
        int64_t beaten_ms = games_service_ms(club->games);
        assert_int_equal(kept_ms(club), beaten_ms);
        club_advance(club, rows[i].pause_ms - 1);
        (void)games_tick(club->games);
        assert_int_equal(kept_ms(club), beaten_ms);
        club_advance(club, 1);
        (void)games_tick(club->games);
        assert_int_equal(kept_ms(club), beaten_ms + rows[i].pause_ms);
    }
}

static void where_nobody_has_a_deadline_there_are_no_beats(void **state)
{
    struct club *club = *state;
    (void)club_create(club);
    club_advance(club, HOUR);
    assert_int_equal(games_tick(club->games), -1);
    assert_int_equal(kept_ms(club), 0);
}

static void a_beat_that_fails_is_made_up_for_by_the_next(void **state)
{
    struct club *club = *state;
    (void)running_game(club);
    int64_t began_ms = games_service_ms(club->games);
    club_advance(club, SECOND);
    faulty_fail(club->front, FAULTY_WRITE, 1, STORAGE_BUSY);
    (void)games_tick(club->games);
    assert_int_equal(kept_ms(club), 0);
    club_advance(club, SECOND);
    (void)games_tick(club->games);
    assert_int_equal(kept_ms(club), began_ms + 2 * SECOND);
}

/* ---- a wall clock that is set ------------------------------------------------------------------------- */

static void a_step_of_the_wall_clock_changes_nothing(void **state)
{
    static const int64_t steps_ms[] = {HOUR, -2 * HOUR, 24 * HOUR};
    struct club *club = *state;
    const char *id = running_game(club);
    club->unchecked = true; /* the dates of the log step as well */
    for (size_t i = 0; i < sizeof steps_ms / sizeof steps_ms[0]; i++) {
        atomic_fetch_add(&club->now_ms, steps_ms[i]);
        (void)club_tick(club, id);
        assert_int_equal(remaining_ms(club, id), 60 * SECOND);
    }
    club_advance(club, 10 * SECOND);
    atomic_fetch_sub(&club->now_ms, HOUR);
    club_play(club, id, "Kg7");
    assert_int_equal(club_view(club, id)->clock->remaining_ms[COLOR_BLACK], 50 * SECOND);
    atomic_fetch_add(&club->now_ms, HOUR);
    assert_int_equal(remaining_ms(club, id), 60 * SECOND);
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
}

/* ---- games found again -------------------------------------------------------------------------------- */

static void a_flag_that_fell_in_the_last_moment_falls_after_the_start(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND); /* and no tick */
    club_forget(club);
    assert_int_equal(club_counters(club).deadlines, 0);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
}

static void a_start_finds_more_games_than_a_page_holds(void **state)
{
    struct club *club = *state;
    enum { GAMES = 600 };
    const char *ids[GAMES];
    club->unchecked = true;
    for (int i = 0; i < GAMES; i++) {
        ids[i] = running_game(club);
        (void)club_create(club); /* it has no deadline */
    }
    assert_int_equal(club_resign(club, ids[7], SEAT_WHITE), ACTION_DONE); /* it is over */
    club_forget(club);
    assert_int_equal(games_tick(club->games), 0); /* a page at a time: again, at once */
    assert_in_range(club_counters(club).deadlines, 1, GAMES - 2);
    tick_until_all_are_found(club);
    assert_int_equal(club_counters(club).deadlines, GAMES - 1);
    club_advance(club, 60 * SECOND);
    (void)games_tick(club->games);
    for (int i = 0; i < GAMES; i++) {
        (void)club_tick(club, ids[i]);
        assert_int_equal(status_of(club, ids[i]), GAME_ENDED);
    }
    assert_int_equal(club_counters(club).deadlines, 0);
}

static void a_start_before_the_store_can_be_read_looks_again(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_forget(club);
    faulty_fail(club->front, FAULTY_WATCHED, 1, STORAGE_UNAVAILABLE);
    assert_int_equal(games_tick(club->games), SECOND);
    assert_int_equal(club_counters(club).deadlines, 0);
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
}

static void while_the_store_cannot_be_read_flags_of_games_in_memory_fall_in_time(void **state)
{
    struct club *club = *state;
    club_forget(club);
    faulty_fail_always(club->front, FAULTY_WATCHED, STORAGE_UNAVAILABLE);
    const char *id = running_game(club);
    club_advance(club, 60 * SECOND - 200);
    assert_int_equal(games_tick(club->games), 200);
    club_advance(club, 200);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
    faulty_heal(club->front);
}

static void a_game_that_cannot_be_read_at_the_start_is_looked_for_again(void **state)
{
    struct club *club = *state;
    const char *id = running_game(club);
    club_forget(club);
    faulty_fail(club->front, FAULTY_LOAD, 1, STORAGE_BUSY);
    (void)games_tick(club->games);
    assert_int_equal(club_counters(club).live, 0);
    club_advance(club, SECOND);
    (void)games_tick(club->games);
    assert_int_equal(club_counters(club).live, 1);
    club_advance(club, 60 * SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
}

static void a_due_game_that_cannot_be_read_comes_up_again(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1, .wrap = faulty_wrap});
    const char *id = running_game(club);
    club->unchecked = true;
    while (club_look(club, id, false) == GAMES_OK) /* until another one has driven it out */
        (void)club_create(club);
    club_advance(club, 60 * SECOND);
    faulty_fail(club->front, FAULTY_LOAD, 1, STORAGE_BUSY);
    (void)games_tick(club->games);
    assert_int_equal(status_of(club, id), GAME_ACTIVE);
    club_advance(club, SECOND);
    (void)club_tick(club, id);
    assert_int_equal(status_of(club, id), GAME_ENDED);
    club_close(club);
}

/* ---- the thread that ticks ---------------------------------------------------------------------------- */

static void *keep_ticking(void *argument)
{
    games_keep_ticking(argument);
    return NULL;
}

static void await_end(struct club *club, const char *id)
{
    bool over = false;
    while (!over) {
        struct snapshot *live = club_live(club, id);
        assert_non_null(live);
        over = live->game.head.status != GAME_ACTIVE;
        snapshot_free(live);
        (void)sched_yield();
    }
}

static void a_thread_that_ticks_is_woken_by_a_sooner_deadline(void **state)
{
    struct club *club = *state;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, keep_ticking, club->games), 0);
    club->unchecked = true;
    const char *late = running_game(club);
    club_advance(club, 59 * SECOND);
    const char *soon = club_create_timed(club, "0.001", bare_king, NULL);
    club_play(club, soon, "Kg1");
    club_advance(club, 1 * SECOND);
    await_end(club, soon);
    await_end(club, late);
    games_stop_ticking(club->games);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(clocks_stand_still_while_the_service_is_down),
        CLUB_TEST(the_time_of_a_reopened_store_goes_on),
        CLUB_TEST(patience_stands_still_too),
        FAULTY_TEST(a_crash_takes_no_more_than_the_time_since_the_last_beat),
        FAULTY_TEST(a_move_after_the_last_beat_takes_no_time_from_anybody),
        CLUB_TEST(beats_are_a_second_apart),
        CLUB_TEST(beats_follow_a_64th_of_what_is_left_up_to_ten_seconds),
        CLUB_TEST(where_nobody_has_a_deadline_there_are_no_beats),
        FAULTY_TEST(a_beat_that_fails_is_made_up_for_by_the_next),
        CLUB_TEST(a_step_of_the_wall_clock_changes_nothing),
        CLUB_TEST(a_flag_that_fell_in_the_last_moment_falls_after_the_start),
        CLUB_TEST(a_start_finds_more_games_than_a_page_holds),
        FAULTY_TEST(a_start_before_the_store_can_be_read_looks_again),
        FAULTY_TEST(while_the_store_cannot_be_read_flags_of_games_in_memory_fall_in_time),
        FAULTY_TEST(a_game_that_cannot_be_read_at_the_start_is_looked_for_again),
        cmocka_unit_test(a_due_game_that_cannot_be_read_comes_up_again),
        CLUB_TEST(a_thread_that_ticks_is_woken_by_a_sooner_deadline),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
