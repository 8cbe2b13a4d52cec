/* Somebody else writes to the same store: another daemon, or a reader that is faster than the news. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/backend.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

/* What another daemon does to a game of this one. */
static void play_elsewhere(struct club *club, const char *id, const char *moves)
{
    struct games *here = club->games;
    club->games = club_rival(club);
    club_play(club, id, moves);
    games_destroy(club->games);
    club->games = here;
}

static void remove_elsewhere(struct club *club, const char *id)
{
    struct games *here = club->games;
    club->games = club_rival(club);
    assert_int_equal(club_delete(club, id), ACTION_DONE);
    games_destroy(club->games);
    club->games = here;
}

static void who_loses_a_race_between_daemons_is_told_to_come_again(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    play_elsewhere(club, id, "e4");
    club->unchecked = true;
    assert_int_equal(club_move(club, id, "d4"), ACTION_STORE_BUSY);
    assert_int_equal(club_counters(club).live, 0); /* what was in memory is stale */
    assert_int_equal(club_view(club, id)->head.ply, 1);
    club->unchecked = false;
    assert_int_equal(club_move_at(club, id, 1, "e4"), ACTION_REPLAYED);
    assert_int_equal(club_move(club, id, "e5"), ACTION_DONE);
}

static void those_who_wait_behind_a_lost_race_are_told_too(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    play_elsewhere(club, id, "e4");
    faulty_hold(club->front);
    struct deed *deeds[3];
    for (int i = 0; i < 3; i++) {
        deeds[i] = club_deed(club, ACTION_MOVE, id);
        deed_set_moves(deeds[i], "d4");
        assert_int_equal(deed_start(deeds[i]), GAMES_PENDING);
    }
    faulty_release(club->front);
    for (int i = 0; i < 3; i++)
        assert_int_equal(deed_await(deeds[i]), ACTION_STORE_BUSY);
    assert_int_equal(club_move(club, id, "e5"), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
}

static void a_game_removed_elsewhere_is_not_found_after_the_first_try(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    remove_elsewhere(club, id);
    club->unchecked = true;
    assert_int_equal(club_move(club, id, "e4"), ACTION_STORE_BUSY);
    assert_int_equal(club_move(club, id, "e4"), ACTION_OUTCOME_COUNT);
    assert_int_equal(club->last->status, GAMES_NOT_FOUND);
}

static void removing_what_was_removed_elsewhere_is_gone_and_forgotten(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    remove_elsewhere(club, id);
    club->unchecked = true;
    assert_int_equal(club_delete(club, id), ACTION_GONE);
    assert_int_equal(club_look(club, id, true), GAMES_NOT_FOUND);
}

/* ---- a store that lets somebody look between a commit and the news of it ------------------------------ */

struct early {
    struct storage base;
    struct storage *inner;
    struct club *club;
    struct storage_write *write;
    void (*done)(struct storage_write *write, enum storage_status status);
    void *owner;
    enum games_status seen;
};

static struct early *early_of(struct storage *storage)
{
    return (struct early *)storage;
}

static void look_and_tell(struct storage_write *write, enum storage_status status)
{
    struct early *early = write->owner;
    early->seen = club_look(early->club, write->game.id, true);
    write->owner = early->owner;
    write->done = early->done;
    early->done(write, status);
}

static void submit_early(struct storage *storage, struct storage_write *write)
{
    struct early *early = early_of(storage);
    early->done = write->done;
    early->owner = write->owner;
    write->done = look_and_tell;
    write->owner = early;
    storage_submit(early->inner, write);
}

static enum storage_status load_early(struct storage *storage, const char *id,
                                      const struct storage_rows *rows)
{
    return storage_load(early_of(storage)->inner, id, rows);
}

static enum storage_status service_ms_early(struct storage *storage, int64_t *service_ms)
{
    return storage_service_ms(early_of(storage)->inner, service_ms);
}

static enum storage_status watched_early(struct storage *storage, int64_t after_key, uint32_t limit,
                                         const struct storage_rows *rows)
{
    return storage_watched(early_of(storage)->inner, after_key, limit, rows);
}

static enum storage_status oldest_receipt_early(struct storage *storage, int64_t *service_ms)
{
    return storage_oldest_receipt(early_of(storage)->inner, service_ms);
}

static void close_early(struct storage *storage)
{
    storage_close(early_of(storage)->inner);
    free(storage);
}

static struct storage *early_wrap(struct storage *inner)
{
    static const struct storage_ops ops = {.close = close_early,
                                           .submit = submit_early,
                                           .load = load_early,
                                           .service_ms = service_ms_early,
                                           .watched = watched_early,
                                           .oldest_receipt = oldest_receipt_early};
    struct early *early = calloc(1, sizeof *early);
    assert_non_null(early);
    early->base.ops = &ops;
    early->inner = inner;
    return &early->base;
}

static void a_game_that_was_read_before_its_creation_was_told_is_there_once(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.wrap = early_wrap});
    struct early *early = early_of(club->front);
    early->club = club;
    const char *id = club_create(club);
    assert_int_equal(early->seen, GAMES_OK); /* as a list would, which finds the id in the store */
    assert_int_equal(club_counters(club).live, 1);
    assert_int_equal(club_move(club, id, "e4"), ACTION_DONE);
    assert_int_equal(club_delete(club, id), ACTION_DONE);
    assert_int_equal(club_counters(club).memory_bytes, 0);
    club_close(club);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTY_TEST(who_loses_a_race_between_daemons_is_told_to_come_again),
        FAULTY_TEST(those_who_wait_behind_a_lost_race_are_told_too),
        FAULTY_TEST(a_game_removed_elsewhere_is_not_found_after_the_first_try),
        FAULTY_TEST(removing_what_was_removed_elsewhere_is_gone_and_forgotten),
        cmocka_unit_test(a_game_that_was_read_before_its_creation_was_told_is_there_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
