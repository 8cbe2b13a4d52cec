/* Memory that runs out once, at each allocation of every kind of action and of every read: it is done or it is a fault, and
 * what memory and the log have of the game is the same, before as after. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/possible.h"
#include "tests/support/allocations.h"
#include "tests/support/games_club.h"

/* What the club makes of a game is no part of what is tried. */
struct snapshot *__real_snapshot_take(const struct game *game);
struct snapshot *__wrap_snapshot_take(const struct game *game);
struct snapshot *__wrap_snapshot_take(const struct game *game)
{
    allocations_pause();
    struct snapshot *snapshot = __real_snapshot_take(game);
    allocations_resume();
    return snapshot;
}

static void expect_same(const struct snapshot *before, struct snapshot *now, enum action_kind kind,
                        unsigned nth)
{
    const char *difference = snapshot_difference(before, now);
    if (difference)
        fail_msg("kind %d without allocation %u: %s differs", kind, nth, difference);
    snapshot_free(now);
}

static enum action_outcome outcome_of(struct deed *deed)
{
    (void)deed_start(deed);
    return deed_await(deed);
}

/* A fault of memory, or of the store that had none; nothing has happened where games_act says so. */
static bool is_fault(const struct deed *deed, enum action_outcome outcome)
{
    if (outcome == ACTION_OUTCOME_COUNT)
        return deed->status == GAMES_UNAVAILABLE && deed->rendered == 0 && deed->over == 0;
    return outcome == ACTION_NO_MEMORY || outcome == ACTION_STORE_FAILED;
}

/* False: it went well, as there were fewer allocations. */
static bool try_without(struct club *club, enum action_kind kind, const char **id, unsigned nth)
{
    struct snapshot *before = club_live(club, *id);
    struct deed *deed = possible_deed(club, kind, *id);
    allocations_fail(nth);
    enum action_outcome outcome = outcome_of(deed);
    bool failed = allocations_heal();
    if (outcome == ACTION_DONE) {
        if (kind != ACTION_DELETE)
            club_check(club, *id);
        *id = failed ? possible_game(club, kind) : *id;
    } else {
        if (!failed || !is_fault(deed, outcome))
            fail_msg("kind %d without allocation %u: outcome %d, status %d", kind, nth, outcome,
                     deed->status);
        expect_same(before, club_live(club, *id), kind, nth);
        expect_same(before, club_stored(club, *id), kind, nth);
    }
    snapshot_free(before);
    return failed;
}

static void every_action_is_done_or_not_at_all(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_CREATE + 1; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = possible_game(club, (enum action_kind)kind);
        unsigned nth = 1;
        while (try_without(club, (enum action_kind)kind, &id, nth))
            nth++;
        assert_true(nth > 3);
    }
}

static struct deed *new_game(struct club *club)
{
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.create.texts = (struct game_texts){"Ada", "Bob", "{\"round\":1}", "Event=a\n", NULL};
    deed_set_moves(deed, "e4 e5 Nf3");
    return deed;
}

static void a_game_is_made_or_not_at_all(void **state)
{
    struct club *club = *state;
    bool failed = true;
    for (unsigned nth = 1; failed; nth++) {
        struct deed *deed = new_game(club);
        allocations_fail(nth);
        enum action_outcome outcome = outcome_of(deed);
        failed = allocations_heal();
        if (outcome == ACTION_DONE)
            club_check(club, deed->action.id);
        else if (!failed || !is_fault(deed, outcome))
            fail_msg("a create without allocation %u: outcome %d, status %d", nth, outcome, deed->status);
    }
}

static void a_cold_game_is_told_whole_or_not_at_all(void **state)
{
    struct club *club = *state;
    const char *id = possible_game(club, ACTION_MOVE);
    struct snapshot *before = club_live(club, id);
    bool failed = true;
    unsigned refused = 0;
    for (unsigned nth = 1; failed; nth++) {
        club_forget(club);
        allocations_fail(nth);
        enum games_status status = club_look(club, id, true);
        failed = allocations_heal();
        assert_true(status == GAMES_OK || (failed && status == GAMES_UNAVAILABLE));
        refused += status != GAMES_OK;
        expect_same(before, club_live(club, id), ACTION_MOVE, nth);
    }
    assert_true(refused > 3);
    snapshot_free(before);
}

static void count_game(void *context, const struct game *game)
{
    assert_true(game->head.version > 0);
    ++*(unsigned *)context;
}

static void a_list_is_whole_or_a_fault(void **state)
{
    struct club *club = *state;
    enum { GAMES = 5 };
    for (int i = 0; i < GAMES; i++)
        (void)club_create(club);
    bool failed = true;
    unsigned refused = 0;
    for (unsigned nth = 1; failed; nth++) {
        const struct storage_query query = {.limit = GAMES};
        unsigned count = 0;
        int64_t next_key = 0;
        club_forget(club);
        allocations_fail(nth);
        enum games_status status = games_list(club->games, &query, count_game, &count, &next_key);
        failed = allocations_heal();
        assert_true(status == GAMES_OK || (failed && status == GAMES_UNAVAILABLE));
        refused += status != GAMES_OK;
        /* One that cannot be read is left out of its page. */
        assert_true(status != GAMES_OK || count == GAMES || (failed && count == GAMES - 1));
    }
    assert_true(refused > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(every_action_is_done_or_not_at_all),
        CLUB_TEST(a_game_is_made_or_not_at_all),
        CLUB_TEST(a_cold_game_is_told_whole_or_not_at_all),
        CLUB_TEST(a_list_is_whole_or_a_fault),
    };
    if (!allocations_install())
        return 1;
    return cmocka_run_group_tests_name("games out of memory", tests, NULL, NULL);
}
