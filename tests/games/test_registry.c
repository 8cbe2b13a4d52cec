/* The games in memory: found, used, dropped, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/live.h"
#include "storage/backend.h"
#include "tests/games/neighbours.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

/* ---- the registry alone ------------------------------------------------------------------------------- */

static const char alphabet[] = "abcdefghjkmnpqrstuvwxyz23456789";

/* The nth of some ids that all fall into the first shard. */
static void id_of_first_shard(struct registry *registry, unsigned n, char id[GAME_ID_SIZE])
{
    for (unsigned i = 0;; i++) {
        memset(id, 'a', GAME_ID_LENGTH);
        id[GAME_ID_LENGTH] = '\0';
        for (unsigned rest = i, at = 0; rest; rest /= sizeof alphabet - 1)
            id[at++] = alphabet[rest % (sizeof alphabet - 1)];
        if (registry_shard(registry, id) == &registry->shards[0] && n-- == 0)
            return;
    }
}

static struct live *insert_nth(struct registry *registry, unsigned n)
{
    char id[GAME_ID_SIZE];
    id_of_first_shard(registry, n, id);
    struct live *live = live_create(id);
    assert_non_null(live);
    assert_true(shard_insert(registry, &registry->shards[0], live));
    return live;
}

static struct live *find_nth(struct registry *registry, unsigned n)
{
    char id[GAME_ID_SIZE];
    id_of_first_shard(registry, n, id);
    struct entry *entry = shard_find(&registry->shards[0], id);
    return entry ? shard_wake(&registry->shards[0], entry) : NULL;
}

static void registry_end(struct registry *registry)
{
    registry_finish(registry);
    free(registry);
}

static struct registry *registry_with(size_t memory_bytes)
{
    struct registry *registry = calloc(1, sizeof *registry);
    assert_non_null(registry);
    assert_true(registry_init(registry, memory_bytes));
    return registry;
}

/* With room for so many games that are awake. */
static struct registry *registry_for(size_t games)
{
    struct registry *registry = registry_with(SIZE_MAX);
    (void)insert_nth(registry, 0);
    size_t bytes = registry->shards[0].bytes;
    registry_end(registry);
    return registry_with(games * bytes * REGISTRY_SHARDS);
}

static void what_was_inserted_is_found_however_many_there_are(void **state)
{
    (void)state;
    enum { MANY = 100 };
    struct registry *registry = registry_for(MANY);
    for (unsigned i = 0; i < MANY; i++)
        (void)insert_nth(registry, i);
    for (unsigned i = 0; i < MANY; i++) {
        char id[GAME_ID_SIZE];
        id_of_first_shard(registry, i, id);
        struct live *live = find_nth(registry, i);
        assert_non_null(live);
        assert_string_equal(live->game.id, id);
    }
    assert_null(find_nth(registry, MANY));
    assert_int_equal(registry->shards[0].count, MANY);
    assert_true(registry->shards[0].bucket_count >= MANY);
    registry_end(registry);
}

static void an_id_is_inserted_once(void **state)
{
    (void)state;
    struct registry *registry = registry_for(4);
    struct live *first = insert_nth(registry, 0);
    struct live *second = live_create(first->game.id);
    assert_non_null(second);
    assert_false(shard_insert(registry, &registry->shards[0], second));
    assert_ptr_equal(find_nth(registry, 0), first);
    assert_int_equal(registry->shards[0].count, 1);
    live_destroy(second);
    registry_end(registry);
}

static void the_least_recently_used_game_goes_first(void **state)
{
    (void)state;
    struct registry *registry = registry_for(3);
    for (unsigned i = 0; i < 3; i++)
        (void)insert_nth(registry, i);
    assert_non_null(find_nth(registry, 0)); /* used: now 1 is the oldest */
    (void)insert_nth(registry, 3);
    assert_null(find_nth(registry, 1));
    assert_non_null(find_nth(registry, 2));
    (void)insert_nth(registry, 4);
    assert_null(find_nth(registry, 0));
    assert_int_equal(registry->shards[0].count, 3);
    assert_int_equal(registry->shards[0].evictions, 2);
    registry_end(registry);
}

static void a_game_with_an_action_in_flight_stays(void **state)
{
    (void)state;
    struct registry *registry = registry_for(1);
    struct action action;
    struct live *busy = insert_nth(registry, 0);
    busy->in_flight = &action;
    (void)insert_nth(registry, 1);
    (void)insert_nth(registry, 2);
    assert_ptr_equal(find_nth(registry, 0), busy);
    assert_null(find_nth(registry, 1));
    busy->in_flight = NULL;
    registry_end(registry);
}

static bool rests(struct registry *registry, unsigned n)
{
    char id[GAME_ID_SIZE];
    id_of_first_shard(registry, n, id);
    return shard_find(&registry->shards[0], id)->rests;
}

static void the_games_used_last_are_awake_and_the_others_rest(void **state)
{
    (void)state;
    enum { MANY = SHARD_RECENT + 3 };
    struct registry *registry = registry_for(MANY);
    for (unsigned i = 0; i < MANY; i++)
        (void)insert_nth(registry, i);
    for (unsigned i = 0; i < MANY; i++)
        assert_int_equal(rests(registry, i), i < MANY - SHARD_RECENT);
    struct shard *shard = &registry->shards[0];
    assert_non_null(find_nth(registry, 0)); /* it wakes, and 3 has waited longest */
    assert_false(rests(registry, 0));
    assert_true(rests(registry, 3));
    assert_int_equal(shard->resting, MANY - SHARD_RECENT);
    for (unsigned i = 0; i < MANY; i++) {
        struct live *live = find_nth(registry, i);
        shard_remove(shard, live);
        live_destroy(live);
    }
    assert_int_equal(shard->bytes, 0);
    assert_int_equal(shard->resting, 0);
    registry_end(registry);
}

static void a_busy_game_stays_awake_until_it_has_been_idle_for_long(void **state)
{
    (void)state;
    struct registry *registry = registry_for((size_t)4 * SHARD_RECENT);
    struct shard *shard = &registry->shards[0];
    struct action action;
    struct live *busy = insert_nth(registry, 0);
    busy->in_flight = &action;
    unsigned n = 1;
    for (; n <= SHARD_RECENT; n++)
        (void)insert_nth(registry, n);
    assert_false(rests(registry, 0));
    busy->in_flight = NULL;
    shard_settle(shard, busy);
    for (unsigned i = 1; i < SHARD_RECENT; i++)
        (void)insert_nth(registry, n++);
    assert_false(rests(registry, 0));
    (void)insert_nth(registry, n);
    assert_true(rests(registry, 0));
    registry_end(registry);
}

static void a_game_that_leaves_is_not_put_to_rest_later(void **state)
{
    (void)state;
    struct registry *registry = registry_for((size_t)4 * SHARD_RECENT);
    struct live *gone = insert_nth(registry, 0);
    shard_remove(&registry->shards[0], gone);
    live_destroy(gone);
    for (unsigned n = 1; n <= 2 * SHARD_RECENT; n++)
        (void)insert_nth(registry, n);
    assert_int_equal(registry->shards[0].count, 2 * SHARD_RECENT);
    registry_end(registry);
}

static void games_at_rest_leave_too_when_memory_is_short(void **state)
{
    (void)state;
    enum { ROOM = 2 * SHARD_RECENT };
    struct registry *registry = registry_for(ROOM);
    for (unsigned n = 0; n < 10 * ROOM; n++)
        (void)insert_nth(registry, n);
    struct shard *shard = &registry->shards[0];
    assert_true(shard->bytes <= registry->shard_bytes);
    assert_int_equal(shard->count + shard->evictions, 10 * ROOM);
    assert_true(shard->count > ROOM); /* as they are smaller */
    assert_null(find_nth(registry, 0));
    registry_end(registry);
}

static void a_load_is_stale_when_its_game_has_left_meanwhile(void **state)
{
    (void)state;
    struct registry *registry = registry_for(4);
    struct shard *shard = &registry->shards[0];
    char ids[2][GAME_ID_SIZE];
    struct loading loadings[2];
    for (unsigned i = 0; i < 2; i++) {
        id_of_first_shard(registry, i, ids[i]);
        loadings[i] = (struct loading){.id = ids[i]};
        assert_false(shard_is_loading(shard, ids[i]));
        shard_begin_loading(shard, &loadings[i]);
        assert_true(shard_is_loading(shard, ids[i]));
    }
    struct live *live = insert_nth(registry, 0);
    shard_remove(shard, live);
    live_destroy(live);
    assert_true(loadings[0].stale);
    assert_false(loadings[1].stale);
    shard_end_loading(shard, &loadings[0]);
    assert_false(shard_is_loading(shard, ids[0]));
    assert_true(shard_is_loading(shard, ids[1]));
    shard_end_loading(shard, &loadings[1]);
    registry_end(registry);
}

static void a_game_larger_than_the_budget_stays_until_the_next_one(void **state)
{
    (void)state;
    struct registry *registry = registry_for(0);
    (void)insert_nth(registry, 0);
    assert_non_null(find_nth(registry, 0));
    (void)insert_nth(registry, 1);
    assert_null(find_nth(registry, 0));
    assert_non_null(find_nth(registry, 1));
    registry_end(registry);
}

static void games_leave_from_either_end_and_the_middle(void **state)
{
    (void)state;
    static const unsigned orders[][3] = {{0, 1, 2}, {2, 1, 0}, {1, 0, 2}, {1, 2, 0}};
    for (size_t i = 0; i < sizeof orders / sizeof orders[0]; i++) {
        struct registry *registry = registry_for(3);
        struct shard *shard = &registry->shards[0];
        struct live *lives[3];
        for (unsigned n = 0; n < 3; n++)
            lives[n] = insert_nth(registry, n);
        for (unsigned n = 0; n < 3; n++) {
            shard_remove(shard, lives[orders[i][n]]);
            live_destroy(lives[orders[i][n]]);
            assert_int_equal(shard->count, 2 - n);
        }
        assert_int_equal(shard->bytes, 0);
        assert_true(!shard->newest && !shard->oldest);
        registry_end(registry);
    }
}

/* ---- games over it ------------------------------------------------------------------------------------ */

static void a_new_registry_is_cold_until_somebody_may_block(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    assert_int_equal(club_look(club, id, false), GAMES_OK);
    club_forget(club);
    assert_int_equal(club_look(club, id, false), GAMES_COLD);
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4");
    deed->action.may_block = false;
    assert_int_equal(deed_start(deed), GAMES_COLD);
    assert_int_equal(deed->suspended + deed->rendered, 0); /* nothing happened */
    assert_int_equal(club_look(club, id, true), GAMES_OK);
    assert_int_equal(club_look(club, id, false), GAMES_OK);
    assert_int_equal(club_counters(club).loads, 1);
    assert_int_equal(club_do(club, deed), ACTION_DONE);
}

static void bytes_return_to_zero_when_all_games_are_removed(void **state)
{
    struct club *club = *state;
    const char *ids[6];
    for (int i = 0; i < 6; i++)
        ids[i] = club_create(club);
    assert_int_equal(club_counters(club).live, 6);
    size_t fresh_bytes = club_counters(club).memory_bytes;
    assert_true(fresh_bytes > 0);
    struct action_update named = {.sets_white = true,
                                  .sets_metadata = true,
                                  .texts = {.white_name = "somebody", .metadata = "{\"round\":1}"}};
    assert_int_equal(club_comment(club, ids[0], "e4", "with a comment"), ACTION_DONE);
    assert_int_equal(club_update(club, ids[1], &named), ACTION_DONE);
    club_play(club, ids[2], "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8 e4 e5");
    assert_int_equal(club_undo(club, ids[2], 3), ACTION_DONE);
    assert_int_equal(club_resign(club, ids[3], SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_move(club, ids[4], "e4 e5 Ke5"), ACTION_MOVE_REFUSED); /* leaves room behind */
    assert_true(club_counters(club).memory_bytes > fresh_bytes);
    for (int i = 0; i < 6; i++)
        assert_int_equal(club_delete(club, ids[i]), ACTION_DONE);
    assert_int_equal(club_counters(club).live, 0);
    assert_int_equal(club_counters(club).memory_bytes, 0);
}

static void the_bytes_are_those_of_the_games(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4 e5 Nf3 Nc6 Bb5 a6 Ba4 Nf6 O-O Be7");
    size_t bytes = club_counters(club).memory_bytes;
    assert_true(bytes < 512 + sizeof(struct position)); /* a budget of 400 at 10 plies was the aim */
    club_forget(club);
    assert_int_equal(club_look(club, id, true), GAMES_OK);
    assert_true(club_counters(club).memory_bytes <= bytes + 64);
}

static void eviction_loses_nothing(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1});
    enum { GAMES = 200 };
    static const char *const moves[] = {"e4", "e5", "Nf3", "Nc6", "Bb5", "a6"};
    const char *ids[GAMES];
    club->unchecked = true;
    for (int i = 0; i < GAMES; i++)
        ids[i] = club_create(club);
    for (int ply = 0; ply < 6; ply++)
        for (int i = 0; i < GAMES; i++)
            assert_int_equal(club_move(club, ids[i], moves[ply]), ACTION_DONE);
    for (int i = 0; i < GAMES; i++)
        assert_int_equal(club_view(club, ids[i])->head.ply, 6);
    struct games_counters counters = club_counters(club);
    assert_true(counters.live <= REGISTRY_SHARDS);
    assert_true(counters.evictions > GAMES);
    assert_true(counters.loads > GAMES);
    club_close(club);
}

/* ---- loads -------------------------------------------------------------------------------------------- */

/* While one game is loaded, its neighbours drive each other out of memory. */
static struct {
    struct club *club;
    char ids[3][GAME_ID_SIZE]; /* the first one's loads are disturbed */
    unsigned loads;
    const struct storage_ops *plain;
    struct storage_ops disturbed;
} street;

static enum storage_status load_disturbed(struct storage *storage, const char *id,
                                          const struct storage_rows *rows)
{
    if (street.club && strcmp(id, street.ids[0]) == 0 && street.loads++ < 10)
        assert_int_equal(club_look(street.club, street.ids[1 + street.loads % 2], true), GAMES_OK);
    return street.plain->load(storage, id, rows);
}

static struct storage *disturb(struct storage *storage)
{
    street.plain = storage->ops;
    street.disturbed = *storage->ops;
    street.disturbed.load = load_disturbed;
    storage->ops = &street.disturbed;
    return storage;
}

static void a_load_is_not_done_over_because_neighbours_leave(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1, .wrap = disturb});
    neighbours_create(club, NULL, street.ids, 3);
    club_forget(club);
    street.club = club;
    street.loads = 0;
    assert_int_equal(club_look(club, street.ids[0], true), GAMES_OK);
    assert_int_equal(street.loads, 1);
    street.club = NULL;
    club_close(club);
}

struct reader {
    struct club *club;
    const char *id;
    enum games_status status;
    pthread_t thread;
};

static void *look(void *context)
{
    struct reader *reader = context;
    reader->status = club_look(reader->club, reader->id, true);
    return NULL;
}

static void a_cold_game_is_loaded_once_however_many_ask_for_it(void **state)
{
    (void)state;
    enum { READERS = 8 };
    struct club *club = club_open(&(struct club_options){.wrap = faulty_wrap});
    const char *id = club_create(club);
    club_forget(club);
    uint64_t loads = faulty_calls(club->front, FAULTY_LOAD);
    faulty_pause(club->front, FAULTY_LOAD);
    struct reader readers[READERS];
    for (int i = 0; i < READERS; i++) {
        readers[i] = (struct reader){.club = club, .id = id, .status = GAMES_COLD};
        assert_int_equal(pthread_create(&readers[i].thread, NULL, look, &readers[i]), 0);
    }
    faulty_await_paused(club->front, FAULTY_LOAD, 1);
    faulty_resume(club->front, FAULTY_LOAD);
    for (int i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        assert_int_equal(readers[i].status, GAMES_OK);
    }
    assert_int_equal(faulty_calls(club->front, FAULTY_LOAD) - loads, 1);
    club_close(club);
}

static void who_waits_for_a_load_that_fails_loads_himself(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.wrap = faulty_wrap});
    const char *id = club_create(club);
    club_forget(club);
    faulty_pause(club->front, FAULTY_LOAD);
    faulty_fail(club->front, FAULTY_LOAD, 1, STORAGE_BUSY);
    struct reader readers[2];
    for (int i = 0; i < 2; i++) {
        readers[i] = (struct reader){.club = club, .id = id, .status = GAMES_COLD};
        assert_int_equal(pthread_create(&readers[i].thread, NULL, look, &readers[i]), 0);
    }
    faulty_await_paused(club->front, FAULTY_LOAD, 1);
    faulty_resume(club->front, FAULTY_LOAD);
    unsigned found = 0;
    for (int i = 0; i < 2; i++) {
        assert_int_equal(pthread_join(readers[i].thread, NULL), 0);
        found += readers[i].status == GAMES_OK;
    }
    assert_int_equal(found, 1); /* one met the fault */
    club_close(club);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_inserted_is_found_however_many_there_are),
        cmocka_unit_test(an_id_is_inserted_once),
        cmocka_unit_test(the_least_recently_used_game_goes_first),
        cmocka_unit_test(a_game_with_an_action_in_flight_stays),
        cmocka_unit_test(the_games_used_last_are_awake_and_the_others_rest),
        cmocka_unit_test(a_busy_game_stays_awake_until_it_has_been_idle_for_long),
        cmocka_unit_test(a_game_that_leaves_is_not_put_to_rest_later),
        cmocka_unit_test(games_at_rest_leave_too_when_memory_is_short),
        cmocka_unit_test(a_load_is_stale_when_its_game_has_left_meanwhile),
        cmocka_unit_test(a_game_larger_than_the_budget_stays_until_the_next_one),
        cmocka_unit_test(games_leave_from_either_end_and_the_middle),
        CLUB_TEST(a_new_registry_is_cold_until_somebody_may_block),
        CLUB_TEST(bytes_return_to_zero_when_all_games_are_removed),
        CLUB_TEST(the_bytes_are_those_of_the_games),
        cmocka_unit_test(eviction_loses_nothing),
        cmocka_unit_test(a_load_is_not_done_over_because_neighbours_leave),
        cmocka_unit_test(a_cold_game_is_loaded_once_however_many_ask_for_it),
        cmocka_unit_test(who_waits_for_a_load_that_fails_loads_himself),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
