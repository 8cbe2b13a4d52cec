/* The games in memory: found, used, dropped, counted. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/live.h"
#include "tests/support/games_club.h"

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
    return shard_find(&registry->shards[0], id);
}

static struct registry *registry_for(size_t games)
{
    struct registry *registry = calloc(1, sizeof *registry);
    struct live *live = live_create("abcdefghjkmn");
    assert_true(registry && live);
    assert_true(registry_init(registry, games * live_bytes(live) * REGISTRY_SHARDS));
    live_destroy(live);
    return registry;
}

static void registry_end(struct registry *registry)
{
    registry_finish(registry);
    free(registry);
}

static void what_was_inserted_is_found_however_many_there_are(void **state)
{
    (void)state;
    enum { MANY = 100 };
    struct registry *registry = registry_for(MANY);
    struct live *lives[MANY];
    for (unsigned i = 0; i < MANY; i++)
        lives[i] = insert_nth(registry, i);
    for (unsigned i = 0; i < MANY; i++)
        assert_ptr_equal(find_nth(registry, i), lives[i]);
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
    assert_int_equal(registry->shards[0].departures, 2);
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

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_inserted_is_found_however_many_there_are),
        cmocka_unit_test(an_id_is_inserted_once),
        cmocka_unit_test(the_least_recently_used_game_goes_first),
        cmocka_unit_test(a_game_with_an_action_in_flight_stays),
        cmocka_unit_test(a_game_larger_than_the_budget_stays_until_the_next_one),
        cmocka_unit_test(games_leave_from_either_end_and_the_middle),
        CLUB_TEST(a_new_registry_is_cold_until_somebody_may_block),
        CLUB_TEST(bytes_return_to_zero_when_all_games_are_removed),
        CLUB_TEST(the_bytes_are_those_of_the_games),
        cmocka_unit_test(eviction_loses_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
