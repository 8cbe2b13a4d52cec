/* games/clock: any control and any thoughts, against a clock that ticks (FIDE 6.3, Guideline III.3). */
#include "games/clock.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/games/random_controls.h"

enum { GAMES = 4000, GAME_MOVES = 60, TIME_MAX = 300, STAGE_MOVES = 12 };

/* One player's clock as a machine on a table: a wheel a millisecond, and a sheet of what is given at which move. */
struct ticking {
    int64_t main_ms, move_ms; /* `move_ms` only with time for each move: it is used up before the rest */
    int64_t delay_left_ms, used_ms;
    int64_t increments[GAME_MOVES + 1], times[GAME_MOVES + 1]; /* given for the n-th move */
};

static void fill_sheet(struct ticking *ticking, const struct time_control *control)
{
    unsigned number = 1;
    unsigned i = 0;
    while (number <= GAME_MOVES && control->mode != TIME_PER_MOVE) {
        const struct time_stage *stage = &control->stages[i];
        bool next = i + 1U < control->stage_count;
        for (unsigned n = 0; number <= GAME_MOVES && (n < stage->moves || stage->moves == 0); n++)
            ticking->increments[number++] = stage->increment_ms;
        if (stage->moves > 0)
            ticking->times[number - 1] = next ? stage[1].time_ms : stage->time_ms;
        i += next;
    }
}

static struct ticking ticking_begin(const struct time_control *control)
{
    struct ticking ticking = {0};
    fill_sheet(&ticking, control);
    if (control->mode == TIME_PER_MOVE)
        ticking.main_ms = control->bank_ms;
    else
        ticking.main_ms = control->stages[0].time_ms;
    return ticking;
}

static void wind_up(struct ticking *ticking, const struct time_control *control)
{
    ticking->used_ms = 0;
    ticking->delay_left_ms = control->mode == TIME_DELAY ? control->delay_ms : 0;
    ticking->move_ms = control->mode == TIME_PER_MOVE ? control->stages[0].time_ms : 0;
}

static void tick(struct ticking *ticking)
{
    ticking->used_ms++;
    if (ticking->delay_left_ms > 0)
        ticking->delay_left_ms--;
    else if (ticking->move_ms > 0)
        ticking->move_ms--;
    else
        ticking->main_ms--;
}

static void press(struct ticking *ticking, const struct time_control *control, unsigned number)
{
    for (int64_t back_ms = 0;
         control->mode == TIME_BRONSTEIN && back_ms < control->delay_ms && back_ms < ticking->used_ms;
         back_ms++)
        ticking->main_ms++;
    ticking->main_ms += ticking->increments[number] + ticking->times[number];
}

/* Mostly short, now and then to the end of the time or to the millisecond before it. */
static int64_t random_thought(struct random *random, const struct clock *clock)
{
    unsigned kind = random_below(random, 100);
    if (kind < 3)
        return clock_allowed_ms(clock, COLOR_WHITE) - random_below(random, 2);
    return random_below(random, kind < 80 ? 12 : 120);
}

/* The two show the same at each millisecond of a move; true when the flag fell. */
static bool think(struct random *random, const struct clock *clock, struct ticking *ticking)
{
    int64_t thought_ms = random_thought(random, clock);
    for (int64_t elapsed_ms = 0;; elapsed_ms++) {
        int64_t shown_ms = ticking->main_ms + ticking->move_ms;
        bool fallen = shown_ms == 0;
        assert_int_equal(clock_shows_ms(clock, COLOR_WHITE, elapsed_ms), shown_ms);
        assert_int_equal(fallen, elapsed_ms >= clock_allowed_ms(clock, COLOR_WHITE));
        if (fallen || elapsed_ms >= thought_ms)
            return fallen;
        tick(ticking);
    }
}

/* White's moves; returns the one at which the flag fell, or GAME_MOVES. */
static unsigned play(struct random *random, const struct time_control *control)
{
    struct clock clock;
    struct ticking ticking = ticking_begin(control);
    clock_begin(&clock, control);
    for (unsigned number = 1; number < GAME_MOVES; number++) {
        bool untimed = number == 1 && !control->immediate;
        wind_up(&ticking, control);
        assert_int_equal(clock.remaining_ms[COLOR_WHITE], ticking.main_ms + ticking.move_ms);
        if (random_chance(random, 5)) {
            clock_add(&clock, COLOR_WHITE, 50);
            ticking.main_ms += 50;
        }
        if (untimed) {
            clock_move_untimed(&clock, COLOR_WHITE, number);
            ticking.main_ms += ticking.times[number];
            continue;
        }
        if (think(random, &clock, &ticking))
            return number;
        clock_move(&clock, COLOR_WHITE, number, ticking.used_ms);
        press(&ticking, control, number);
    }
    return GAME_MOVES;
}

static void a_clock_that_ticks_shows_the_same(void **state)
{
    struct random random = random_begin(*(uint64_t *)*state, 1);
    unsigned games = random_work(GAMES);
    unsigned fallen = 0;
    uint64_t moves = 0;
    for (unsigned n = games; n > 0; n--) {
        struct time_control control = random_control(&random, TIME_MAX, STAGE_MOVES);
        unsigned length = play(&random, &control);
        fallen += length < GAME_MOVES;
        moves += length;
    }
    if (games >= 100) { /* games that end by flag fall, and games that go on through their stages */
        assert_in_range(fallen, games / 20, games - games / 20);
        assert_true(moves > UINT64_C(10) * games);
    }
}

int main(void)
{
    uint64_t seed = chance_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_prestate(a_clock_that_ticks_shows_the_same, &seed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
