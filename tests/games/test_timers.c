/* The deadlines of games: the heap and the hash against a plain list, and the sleeper. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>

#include <cmocka.h>

#include "games/timers.h"
#include "tests/games/random_actions.h"

enum { GAMES = 400, MOST_MS = 1000, FOREVER_MS = 3600000 };

static void name(char id[GAME_ID_SIZE], unsigned number)
{
    (void)snprintf(id, GAME_ID_SIZE, "game%08u", number);
}

static unsigned number_of(const char *id)
{
    unsigned number;
    assert_int_equal(sscanf(id, "game%8u", &number), 1);
    return number;
}

/* ---- against a plain list ----------------------------------------------------------------------------- */

static int64_t first_of(const int64_t deadlines[GAMES])
{
    int64_t first = GAME_NO_DEADLINE;
    for (unsigned i = 0; i < GAMES; i++)
        first = deadlines[i] < first ? deadlines[i] : first;
    return first;
}

static size_t count_of(const int64_t deadlines[GAMES])
{
    size_t count = 0;
    for (unsigned i = 0; i < GAMES; i++)
        count += deadlines[i] != GAME_NO_DEADLINE;
    return count;
}

static void set_one(struct random *random, struct timers *timers, int64_t deadlines[GAMES])
{
    unsigned number = random_below(random, GAMES);
    bool takes = random_chance(random, 20);
    char id[GAME_ID_SIZE];
    name(id, number);
    deadlines[number] = takes ? GAME_NO_DEADLINE : (int64_t)random_below(random, MOST_MS);
    assert_true(timers_set(timers, id, deadlines[number]));
}

/* The first that is due, for good. */
static bool take_one(struct timers *timers, int64_t now_ms, char id[GAME_ID_SIZE])
{
    return timers_next_due(timers, now_ms, MOST_MS, id) && timers_set(timers, id, GAME_NO_DEADLINE);
}

/* All that are due come out, each once, the earliest first. */
static void take_due(struct random *random, struct timers *timers, int64_t deadlines[GAMES])
{
    int64_t now_ms = random_below(random, MOST_MS / 8);
    int64_t last_ms = 0;
    char id[GAME_ID_SIZE];
    while (take_one(timers, now_ms, id)) {
        int64_t *deadline_ms = &deadlines[number_of(id)];
        assert_true(*deadline_ms <= now_ms && *deadline_ms >= last_ms);
        assert_int_equal(*deadline_ms, first_of(deadlines));
        last_ms = *deadline_ms;
        *deadline_ms = GAME_NO_DEADLINE;
    }
    assert_true(first_of(deadlines) > now_ms);
}

static void deadlines_come_up_in_order_whatever_was_done_to_them(void **state)
{
    (void)state;
    struct random random = random_begin(chance_seed(), 1);
    struct timers timers;
    int64_t deadlines[GAMES];
    for (unsigned i = 0; i < GAMES; i++)
        deadlines[i] = GAME_NO_DEADLINE;
    assert_true(timers_init(&timers));
    for (unsigned i = 0; i < 20000; i++) {
        if (random_chance(&random, 3))
            take_due(&random, &timers, deadlines);
        else
            set_one(&random, &timers, deadlines);
        assert_int_equal(timers_first(&timers), first_of(deadlines));
        assert_int_equal(timers_count(&timers), count_of(deadlines));
    }
    timers_finish(&timers);
}

static void many_deadlines_are_found_by_their_ids(void **state)
{
    (void)state;
    enum { MANY = 5000 };
    struct timers timers;
    char id[GAME_ID_SIZE];
    assert_true(timers_init(&timers));
    for (unsigned i = 0; i < MANY; i++) {
        name(id, i);
        assert_true(timers_set(&timers, id, (i * 7919) % MANY)); /* a permutation */
    }
    for (unsigned i = 0; i < MANY; i += 2) {
        name(id, i);
        assert_true(timers_set(&timers, id, GAME_NO_DEADLINE));
    }
    assert_int_equal(timers_count(&timers), MANY / 2);
    unsigned count = 0;
    int64_t last_ms = -1;
    while (take_one(&timers, MANY, id)) {
        unsigned number = number_of(id);
        assert_true(number % 2 == 1 && (number * 7919) % MANY > last_ms);
        last_ms = (number * 7919) % MANY;
        count++;
    }
    assert_int_equal(count, MANY / 2);
    timers_finish(&timers);
}

static void the_same_deadline_again_changes_nothing(void **state)
{
    (void)state;
    struct timers timers;
    char id[GAME_ID_SIZE];
    name(id, 1);
    assert_true(timers_init(&timers));
    assert_int_equal(timers_first(&timers), GAME_NO_DEADLINE);
    assert_true(timers_set(&timers, id, GAME_NO_DEADLINE)); /* there is none to take */
    assert_true(timers_set(&timers, id, 5));
    assert_true(timers_set(&timers, id, 5));
    assert_int_equal(timers_count(&timers), 1);
    assert_false(take_one(&timers, 4, id));
    assert_true(take_one(&timers, 5, id));
    assert_false(take_one(&timers, 5, id));
    timers_finish(&timers);
}

static void what_came_up_comes_up_again_until_another_deadline_is_set(void **state)
{
    (void)state;
    struct timers timers;
    char id[GAME_ID_SIZE];
    char due[GAME_ID_SIZE];
    name(id, 1);
    assert_true(timers_init(&timers));
    assert_true(timers_set(&timers, id, 5));
    assert_true(timers_next_due(&timers, 5, 1005, due));
    assert_string_equal(due, id);
    assert_false(timers_next_due(&timers, 1004, 2004, due));
    assert_true(timers_next_due(&timers, 1005, 2005, due));
    assert_true(timers_set(&timers, id, 3000));
    assert_int_equal(timers_first(&timers), 3000);
    timers_finish(&timers);
}

/* ---- the sleeper -------------------------------------------------------------------------------------- */

struct sleeper {
    struct timers timers;
    pthread_t thread;
    int64_t ms;
};

static void *sleep_once(void *argument)
{
    struct sleeper *sleeper = argument;
    timers_sleep(&sleeper->timers, sleeper->ms);
    return NULL;
}

/* Two deadlines, and somebody who has asked for the first and sleeps. */
static void lie_down(struct sleeper *sleeper, int64_t ms)
{
    char id[GAME_ID_SIZE];
    assert_true(timers_init(&sleeper->timers));
    for (unsigned i = 1; i <= 2; i++) {
        name(id, i);
        assert_true(timers_set(&sleeper->timers, id, 1000 * i));
    }
    (void)timers_first(&sleeper->timers);
    sleeper->ms = ms;
    assert_int_equal(pthread_create(&sleeper->thread, NULL, sleep_once, sleeper), 0);
}

/* Returns only when the sleeper has woken up; a test that fails hangs here. */
static void get_up(struct sleeper *sleeper)
{
    assert_int_equal(pthread_join(sleeper->thread, NULL), 0);
    timers_finish(&sleeper->timers);
}

static void an_earlier_deadline_wakes_the_sleeper(void **state)
{
    (void)state;
    struct sleeper sleeper;
    char id[GAME_ID_SIZE];
    lie_down(&sleeper, FOREVER_MS);
    name(id, 3);
    assert_true(timers_set(&sleeper.timers, id, 500));
    get_up(&sleeper);
}

static void a_deadline_that_becomes_the_first_wakes_the_sleeper(void **state)
{
    (void)state;
    struct sleeper sleeper;
    char id[GAME_ID_SIZE];
    lie_down(&sleeper, -1);
    name(id, 2);
    assert_true(timers_set(&sleeper.timers, id, 500));
    get_up(&sleeper);
}

static void a_stop_wakes_the_sleeper(void **state)
{
    (void)state;
    struct sleeper sleeper;
    lie_down(&sleeper, -1);
    timers_stop(&sleeper.timers);
    get_up(&sleeper);
}

static void after_a_stop_nobody_sleeps(void **state)
{
    (void)state;
    struct timers timers;
    assert_true(timers_init(&timers));
    timers_stop(&timers);
    (void)timers_first(&timers); /* as one does who has not heard of it yet */
    timers_sleep(&timers, -1);
    assert_true(timers_stopped(&timers));
    timers_finish(&timers);
}

static void a_sleep_of_no_time_ends_by_itself(void **state)
{
    (void)state;
    struct timers timers;
    assert_true(timers_init(&timers));
    (void)timers_first(&timers);
    timers_sleep(&timers, 0);
    timers_sleep(&timers, 1);
    timers_finish(&timers);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(deadlines_come_up_in_order_whatever_was_done_to_them),
        cmocka_unit_test(many_deadlines_are_found_by_their_ids),
        cmocka_unit_test(the_same_deadline_again_changes_nothing),
        cmocka_unit_test(what_came_up_comes_up_again_until_another_deadline_is_set),
        cmocka_unit_test(an_earlier_deadline_wakes_the_sleeper),
        cmocka_unit_test(a_deadline_that_becomes_the_first_wakes_the_sleeper),
        cmocka_unit_test(a_stop_wakes_the_sleeper),
        cmocka_unit_test(after_a_stop_nobody_sleeps),
        cmocka_unit_test(a_sleep_of_no_time_ends_by_itself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
