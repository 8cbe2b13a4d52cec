/* Many threads on the same games, with memory for hardly any of them, or for all but with most of them at rest.
 *
 * Asserts in threads would not be seen, so the threads note what went wrong, and the test fails after them.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/live.h"
#include "rules/movegen.h"
#include "tests/games/neighbours.h"
#include "tests/games/random_actions.h"
#include "tests/support/games_check.h"

enum { THREADS = 4, GAMES = 6, GAMES_CROWD = SHARD_RECENT + 2, PLIES = 60 };

static uint64_t seed;

struct arena {
    struct club *club;
    unsigned work;
    unsigned games;
    char ids[GAMES_CROWD][GAME_ID_SIZE];
    atomic_uint wins[PLIES + 2]; /* by ply, of the one game that all race for */
    atomic_uint faults;          /* things that must not happen */
    atomic_bool over;
};

struct runner {
    struct arena *arena;
    unsigned number;
    pthread_t thread;
};

static void expect(struct arena *arena, bool holds, const char *what)
{
    if (holds)
        return;
    if (atomic_fetch_add(&arena->faults, 1) < 5)
        (void)fprintf(stderr, "%s\n", what);
}

static struct arena *arena_open_with(unsigned games, size_t memory_bytes, unsigned work,
                                     const struct time_control *control)
{
    struct arena *arena = calloc(1, sizeof *arena);
    assert_non_null(arena);
    arena->club = club_open(&(struct club_options){.memory_bytes = memory_bytes});
    arena->work = work;
    arena->games = games;
    neighbours_create(arena->club, control, arena->ids, arena->games);
    return arena;
}

/* With memory for hardly a game. */
static struct arena *arena_open(unsigned work, const struct time_control *control)
{
    return arena_open_with(GAMES, 1, work, control);
}

static void arena_run(struct arena *arena, void *(*const run[THREADS])(void *))
{
    struct runner runners[THREADS];
    for (unsigned i = 0; i < THREADS; i++) {
        runners[i] = (struct runner){.arena = arena, .number = i};
        assert_int_equal(pthread_create(&runners[i].thread, NULL, run[i], &runners[i]), 0);
    }
    for (unsigned i = 0; i < THREADS; i++)
        assert_int_equal(pthread_join(runners[i].thread, NULL), 0);
    assert_int_equal(atomic_load(&arena->faults), 0);
}

static void expect_comings_and_goings(struct arena *arena)
{
    struct games_counters counters = club_counters(arena->club);
    assert_true(counters.loads > arena->games && counters.evictions > arena->games);
}

static enum action_outcome act(struct deed *deed)
{
    (void)deed_start(deed);
    return deed_await(deed);
}

/* What the registry has begun for the game by itself is over. */
static void await_rest(struct arena *arena, const char *id)
{
    struct deed *deed = deed_create(arena->club, ACTION_ABANDON, id);
    (void)act(deed);
    deed_destroy(deed);
}

/* Every game is the one of its log, and obeys the laws. */
static void arena_close(struct arena *arena)
{
    for (unsigned i = 0; i < arena->games; i++) {
        await_rest(arena, arena->ids[i]);
        struct snapshot *live = club_live(arena->club, arena->ids[i]);
        struct snapshot *stored = club_stored(arena->club, arena->ids[i]);
        const char *difference = snapshot_difference(live, stored);
        char text[CHECK_TEXT_SIZE];
        if (difference)
            fail_msg("%s differs from the log", difference);
        if (stored && check_finds_fault(arena->club->storage, stored, text))
            fail_msg("%s", text);
        snapshot_free(live);
        snapshot_free(stored);
    }
    club_close(arena->club);
    free(arena);
}

/* ---- one game, everybody wants the next ply ----------------------------------------------------------- */

static enum action_outcome try_next_ply(struct arena *arena, struct random *random,
                                        const struct snapshot *seen)
{
    struct movelist list;
    movegen_legal(&seen->game.head.position, &list);
    char word[NOTATION_UCI_SIZE];
    notation_format_uci(&seen->game.head.position, list.moves[random_below(random, list.count)], word);
    struct deed *deed = deed_create(arena->club, ACTION_MOVE, arena->ids[0]);
    deed_set_moves(deed, word);
    deed->action.ply = seen->game.head.ply + 1U;
    enum action_outcome outcome = act(deed);
    if (outcome == ACTION_DONE)
        atomic_fetch_add(&arena->wins[deed->action.first_ply], 1);
    deed_destroy(deed);
    return outcome;
}

static void *race_for_plies(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    struct random random = random_begin(seed, runner->number);
    for (;;) {
        if (random_chance(&random, 50)) /* drives the game out of memory */
            (void)club_look(arena->club, arena->ids[1], true);
        struct snapshot *seen = club_live(arena->club, arena->ids[0]);
        bool goes_on = seen->game.head.status == GAME_ACTIVE && seen->game.head.ply < PLIES;
        enum action_outcome outcome = goes_on ? try_next_ply(arena, &random, seen) : ACTION_DONE;
        expect(arena,
               outcome == ACTION_DONE || outcome == ACTION_REPLAYED || outcome == ACTION_PLY_CONFLICT ||
                   outcome == ACTION_GAME_OVER,
               "a race for a ply has another outcome");
        snapshot_free(seen);
        if (!goes_on)
            return NULL;
    }
}

static void exactly_one_wins_each_ply(void **state)
{
    (void)state;
    unsigned rounds = random_work(10);
    for (unsigned round = 0; round < rounds; round++, seed++) {
        struct arena *arena = arena_open(1, NULL);
        arena_run(arena,
                  (void *(*const[])(void *)){race_for_plies, race_for_plies, race_for_plies, race_for_plies});
        expect_comings_and_goings(arena);
        unsigned last = club_view(arena->club, arena->ids[0])->head.ply;
        for (unsigned ply = 1; ply <= last; ply++)
            assert_int_equal(atomic_load(&arena->wins[ply]), 1);
        arena_close(arena);
    }
}

/* ---- two that exclude each other ---------------------------------------------------------------------- */

static void *shuffle_until_over(void *argument)
{
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    const char *id = arena->ids[runner->number / 2];
    for (unsigned i = 0; i < 12; i++) {
        struct deed *deed = deed_create(arena->club, ACTION_MOVE, id);
        deed_set_moves(deed, moves[i % 4]);
        enum action_outcome outcome = act(deed);
        bool gone = deed->status == GAMES_NOT_FOUND || outcome == ACTION_GONE;
        expect(arena, gone || outcome == ACTION_DONE || outcome == ACTION_GAME_OVER,
               "a move against an end has another outcome");
        deed_destroy(deed);
        if (outcome != ACTION_DONE)
            break;
    }
    return NULL;
}

static void *resign_in_between(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    const char *id = arena->ids[runner->number / 2];
    for (;;) { /* until somebody has moved */
        struct snapshot *seen = club_live(arena->club, id);
        bool begun = seen->game.head.ply > 2;
        snapshot_free(seen);
        if (begun)
            break;
    }
    struct deed *deed = deed_create(arena->club, ACTION_RESIGN, id);
    deed->action.seat = SEAT_WHITE;
    expect(arena, act(deed) == ACTION_DONE, "a resignation was not done");
    deed_destroy(deed);
    return NULL;
}

static void *remove_in_between(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    struct deed *deed = deed_create(arena->club, ACTION_DELETE, arena->ids[runner->number / 2]);
    expect(arena, act(deed) == ACTION_DONE, "a removal was not done");
    deed_destroy(deed);
    return NULL;
}

static void a_move_and_a_resignation_follow_each_other_or_not_at_all(void **state)
{
    (void)state;
    unsigned rounds = random_work(20);
    for (unsigned round = 0; round < rounds; round++) {
        struct arena *arena = arena_open(1, NULL);
        arena_run(arena, (void *(*const[])(void *)){shuffle_until_over, resign_in_between, shuffle_until_over,
                                                    resign_in_between});
        for (int i = 0; i < 2; i++)
            assert_int_equal(club_view(arena->club, arena->ids[i])->head.end.termination,
                             TERMINATION_RESIGNATION);
        arena_close(arena);
    }
}

static void a_removed_game_does_not_come_back_by_a_move(void **state)
{
    (void)state;
    unsigned rounds = random_work(20);
    for (unsigned round = 0; round < rounds; round++) {
        struct arena *arena = arena_open(1, NULL);
        arena_run(arena, (void *(*const[])(void *)){shuffle_until_over, remove_in_between, shuffle_until_over,
                                                    remove_in_between});
        for (int i = 0; i < 2; i++)
            assert_int_equal(club_look(arena->club, arena->ids[i], true), GAMES_NOT_FOUND);
        arena_close(arena);
    }
}

/* ---- everything at once ------------------------------------------------------------------------------- */

static void act_at_random(struct arena *arena, struct random *random, bool removes)
{
    const char *id = arena->ids[random_below(random, arena->games)];
    struct snapshot *seen = club_live(arena->club, id);
    if (!seen)
        return; /* removed */
    struct deed *deed = deed_create(arena->club, random_kind(random, removes), id);
    random_fill(random, deed, &seen->game);
    deed->action.may_block = random_chance(random, 80);
    enum action_outcome outcome = act(deed);
    expect(arena, outcome <= ACTION_GONE || outcome == ACTION_OUTCOME_COUNT, "a fault without a cause");
    expect(arena,
           outcome != ACTION_OUTCOME_COUNT || deed->status == GAMES_COLD || deed->status == GAMES_NOT_FOUND,
           "an action was not judged");
    if (outcome == ACTION_DONE && deed->action.kind != ACTION_DELETE)
        expect(arena, deed->picture && deed->picture->game.head.version >= seen->game.head.version,
               "a game has become older");
    deed_destroy(deed);
    snapshot_free(seen);
}

static void *do_anything(void *argument)
{
    struct runner *runner = argument;
    struct random random = random_begin(seed, 100 + runner->number);
    for (unsigned i = 0; i < runner->arena->work; i++)
        act_at_random(runner->arena, &random, false);
    atomic_store(&runner->arena->over, true);
    return NULL;
}

static void *do_anything_and_remove(void *argument)
{
    struct runner *runner = argument;
    struct random random = random_begin(seed, 200 + runner->number);
    for (unsigned i = 0; i < runner->arena->work; i++)
        act_at_random(runner->arena, &random, true);
    atomic_store(&runner->arena->over, true);
    return NULL;
}

/* What is seen belongs together, and never goes back. */
static void *watch(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    uint32_t versions[GAMES_CROWD] = {0};
    for (unsigned i = 0; !atomic_load(&arena->over); i = (i + 1) % arena->games) {
        struct snapshot *seen = club_live(arena->club, arena->ids[i]);
        if (!seen)
            continue;
        const struct game *game = &seen->game;
        struct position position = game_start(game);
        for (unsigned ply = 0; ply < game->head.ply; ply++) {
            struct position before = position;
            position_play(&before, game->moves[ply], &position);
        }
        expect(arena, !snapshot_position_difference(&position, &game->head.position),
               "a view shows a position that is not that of its moves");
        expect(arena, game->head.version >= versions[i], "a view goes back in time");
        versions[i] = game->head.version;
        snapshot_free(seen);
    }
    return NULL;
}

static void anything_at_once_leaves_games_that_are_those_of_their_logs(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3; round++, seed++) {
        struct arena *arena = arena_open(random_work(150) + 30, NULL);
        arena_run(arena, (void *(*const[])(void *)){do_anything, do_anything, do_anything, watch});
        expect_comings_and_goings(arena);
        arena_close(arena);
    }
}

static void removals_among_anything_leave_no_ghosts(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3; round++, seed++) {
        struct arena *arena = arena_open(random_work(150) + 30, NULL);
        arena_run(arena, (void *(*const[])(void *)){do_anything_and_remove, do_anything_and_remove,
                                                    do_anything_and_remove, watch});
        expect_comings_and_goings(arena);
        arena_close(arena);
    }
}

static void games_rest_and_wake_among_anything(void **state)
{
    (void)state;
    for (unsigned round = 0; round < 3; round++, seed++) {
        struct arena *arena = arena_open_with(GAMES_CROWD, 0, random_work(150), NULL);
        /* Later so many may be removed that none rests. */
        assert_true(club_counters(arena->club).resting > 0);
        arena_run(arena, (void *(*const[])(void *)){do_anything, do_anything, do_anything_and_remove, watch});
        assert_int_equal(club_counters(arena->club).evictions, 0);
        arena_close(arena);
    }
}

/* Time goes by in small steps, and flags fall. */
static void *tick(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    struct random random = random_begin(seed, 300 + runner->number);
    while (!atomic_load(&arena->over)) {
        club_advance(arena->club, random_below(&random, 20));
        (void)games_tick(arena->club->games);
    }
    return NULL;
}

static unsigned count_timeouts(struct arena *arena)
{
    unsigned count = 0;
    for (unsigned i = 0; i < arena->games; i++) {
        struct snapshot *live = club_live(arena->club, arena->ids[i]);
        count += live && live->game.head.end.termination == TERMINATION_TIMEOUT;
        snapshot_free(live);
    }
    return count;
}

static void flags_fall_among_anything(void **state)
{
    static const struct time_control control = {
        .immediate = true, .stage_count = 1, .stages = {{.time_ms = 5000, .increment_ms = 100}}};
    unsigned timeouts = 0;
    (void)state;
    /* How far time gets while the others work is up to the scheduler: rounds go on until a flag has fallen. */
    for (unsigned round = 0; round < 3 || (timeouts == 0 && round < 100); round++, seed++) {
        struct arena *arena = arena_open(random_work(150) + 30, &control);
        arena_run(arena, (void *(*const[])(void *)){do_anything, do_anything_and_remove, tick, watch});
        timeouts += count_timeouts(arena);
        arena_close(arena);
    }
    assert_true(timeouts > 0);
}

/* Creations and lists at the same time: a list may find a game before its creator hears of it. */
static void *create_many(void *argument)
{
    struct runner *runner = argument;
    for (unsigned i = 0; i < runner->arena->work; i++) {
        struct deed *deed = deed_create(runner->arena->club, ACTION_CREATE, NULL);
        expect(runner->arena, act(deed) == ACTION_DONE, "a creation was not done");
        deed_destroy(deed);
    }
    atomic_store(&runner->arena->over, true);
    return NULL;
}

static void show_next(void *context, const struct game *game)
{
    expect(context, game->head.version > 0, "a game without a version was shown");
}

static void *list_again_and_again(void *argument)
{
    struct runner *runner = argument;
    struct arena *arena = runner->arena;
    const struct storage_query query = {.limit = 20};
    while (!atomic_load(&arena->over)) {
        int64_t next_key = 0;
        expect(arena, games_list(arena->club->games, &query, show_next, arena, &next_key) == GAMES_OK,
               "a list was not shown");
    }
    return NULL;
}

static void lists_among_creations_show_whole_games(void **state)
{
    (void)state;
    struct arena *arena = arena_open(random_work(100), NULL);
    arena_run(arena, (void *(*const[])(void *)){create_many, create_many, list_again_and_again, watch});
    arena_close(arena);
}

int main(void)
{
    seed = chance_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(exactly_one_wins_each_ply),
        cmocka_unit_test(a_move_and_a_resignation_follow_each_other_or_not_at_all),
        cmocka_unit_test(a_removed_game_does_not_come_back_by_a_move),
        cmocka_unit_test(anything_at_once_leaves_games_that_are_those_of_their_logs),
        cmocka_unit_test(removals_among_anything_leave_no_ghosts),
        cmocka_unit_test(games_rest_and_wake_among_anything),
        cmocka_unit_test(flags_fall_among_anything),
        cmocka_unit_test(lists_among_creations_show_whole_games),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
