/* Every action in every status: what the table says, and what games does. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>

#include <cmocka.h>

#include "games/judge.h"
#include "tests/games/possible.h"
#include "tests/support/games_club.h"

/* The contract (API sections 3 to 5), written down a second time. */
static const enum action_outcome expected[ACTION_KIND_COUNT][GAME_STATUS_COUNT] = {
    [ACTION_CREATE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
    [ACTION_MOVE] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UNDO] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER},
    [ACTION_CLAIM] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_OFFER_DRAW] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ACCEPT_DRAW] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_DECLINE_DRAW] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RESIGN] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABORT] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ADJUDICATE] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_TAKEBACK] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ACCEPT_TAKEBACK] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_DECLINE_TAKEBACK] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_WITHDRAW_TAKEBACK] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_FLAG] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ABANDON] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ADD_TIME] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_ILLEGAL_MOVE] = {ACTION_NOT_STARTED, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_UPDATE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
    [ACTION_DELETE] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
    [ACTION_TAKE_SEAT] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_LEAVE_SEAT] = {ACTION_DONE, ACTION_DONE, ACTION_GAME_OVER, ACTION_GAME_OVER},
    [ACTION_RENEW_TOKEN] = {ACTION_DONE, ACTION_DONE, ACTION_DONE, ACTION_DONE},
};

static void the_table_is_that_of_the_contract(void **state)
{
    (void)state;
    for (int kind = 0; kind < ACTION_KIND_COUNT; kind++)
        for (int status = 0; status < GAME_STATUS_COUNT; status++)
            if (lifecycle((enum action_kind)kind, (enum game_status)status) != expected[kind][status])
                fail_msg("action %d in status %s", kind, game_status_name((enum game_status)status));
}

/* Of an open game in that status, which has no seats. */
static enum action_outcome expected_of(enum action_kind kind, enum game_status status)
{
    enum action_outcome outcome = expected[kind][status];
    return action_is_of_seats(kind) && outcome == ACTION_DONE ? ACTION_FORBIDDEN_BY_RULES : outcome;
}

static void expect_row_by_row(struct club *club, enum game_status status,
                              void (*bring)(struct club *, const char *))
{
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = club_create(club);
        bring(club, id);
        assert_int_equal(club_view(club, id)->head.status, status);
        enum action_outcome outcome = club_do(club, possible_deed(club, (enum action_kind)kind, id));
        if (outcome != expected_of((enum action_kind)kind, status))
            fail_msg("action %d in status %s: outcome %d", kind, game_status_name(status), outcome);
    }
}

static void bring_to_mate(struct club *club, const char *id)
{
    club_play(club, id, "f3 e5 g4 Qh4");
}

static void bring_to_resignation(struct club *club, const char *id)
{
    club_play(club, id, "e4");
    assert_int_equal(club_resign(club, id, SEAT_WHITE), ACTION_DONE);
}

static void bring_to_abortion(struct club *club, const char *id)
{
    club_play(club, id, "e4");
    assert_int_equal(club_abort(club, id), ACTION_DONE);
}

static void an_active_game_takes_every_action(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = possible_game(club, (enum action_kind)kind);
        struct deed *deed = possible_deed(club, (enum action_kind)kind, id);
        if (club_do(club, deed) != ACTION_DONE)
            fail_msg("action %d: outcome %d", kind, deed->action.outcome);
    }
}

static void whatever_was_done_to_a_game_its_memory_is_given_back(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = possible_game(club, (enum action_kind)kind);
        (void)club_do(club, possible_deed(club, (enum action_kind)kind, id));
        if (kind != ACTION_DELETE)
            assert_int_equal(club_delete(club, id), ACTION_DONE);
        if (club_counters(club).memory_bytes != 0)
            fail_msg("action %d", kind);
    }
}

static void a_game_that_a_move_has_ended_obeys_the_table(void **state)
{
    expect_row_by_row(*state, GAME_ENDED, bring_to_mate);
}

static void a_resigned_game_takes_only_updates_and_removal(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = club_create(club);
        bring_to_resignation(club, id); /* by White; now Black is to move and would be the one to resign */
        enum action_outcome outcome = club_do(club, possible_deed(club, (enum action_kind)kind, id));
        bool may = kind == ACTION_UPDATE || kind == ACTION_DELETE;
        if (!action_is_of_seats((enum action_kind)kind))
            assert_int_equal(outcome, may ? ACTION_DONE : ACTION_GAME_OVER);
    }
}

static void an_aborted_game_takes_only_updates_removal_and_the_same_again(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = club_create(club);
        bring_to_abortion(club, id);
        enum action_outcome outcome = club_do(club, possible_deed(club, (enum action_kind)kind, id));
        enum action_outcome wanted = expected_of((enum action_kind)kind, GAME_ABORTED);
        assert_int_equal(outcome, kind == ACTION_ABORT ? ACTION_REPLAYED : wanted);
    }
}

/* Put together here and judged without a store: a game with seats asks who acts before anything else. */
static struct live *waiting_game(void)
{
    static const struct time_control control = {.stage_count = 1, .stages = {{.time_ms = 60000}}};
    struct live *live = live_create("abcdefghjkmn");
    assert_non_null(live);
    assert_true(live_reserve(live, 2, 2) && live_set_clock(live, &control));
    live->game.rules = game_rules_default(PROFILE_FIDE);
    live->game.head.position = position_initial();
    live->game.head.status = GAME_WAITING;
    live->game.head.version = 1;
    live->game.head.keys_count = live->game.head.repetition = live->game.head.most_repeated = 1;
    live->game.keys[0] = live->game.head.position.key;
    return live;
}

static enum action_outcome judge_alone(struct club *club, struct live *live, struct deed *deed)
{
    deed->action.received_ms = 1;
    struct change *change = change_create(club->games, &deed->action, live, 2);
    assert_non_null(change);
    assert_int_equal(judge(change, club->games), GAMES_OK);
    change_destroy(change);
    return deed->action.outcome;
}

static void a_waiting_game_obeys_the_table(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_TAKE_SEAT; kind++) {
        struct live *live = waiting_game();
        struct deed *deed = possible_deed(club, (enum action_kind)kind, "abcdefghjkmn");
        if (kind == ACTION_MOVE)
            deed_set_moves(deed, "e4");
        if (judge_alone(club, live, deed) != expected[kind][GAME_WAITING])
            fail_msg("action %d: outcome %d", kind, deed->action.outcome);
        live_destroy(live);
    }
}

static void not_started_goes_after_the_version(void **state)
{
    struct club *club = *state;
    struct live *live = waiting_game();
    struct deed *deed = possible_deed(club, ACTION_CLAIM, "abcdefghjkmn");
    deed_if_version(deed, 2);
    assert_int_equal(judge_alone(club, live, deed), ACTION_VERSION_MISMATCH);
    deed->action.if_given = false;
    assert_int_equal(judge_alone(club, live, deed), ACTION_NOT_STARTED);
    live_destroy(live);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_is_that_of_the_contract),
        CLUB_TEST(an_active_game_takes_every_action),
        CLUB_TEST(whatever_was_done_to_a_game_its_memory_is_given_back),
        CLUB_TEST(a_game_that_a_move_has_ended_obeys_the_table),
        CLUB_TEST(a_resigned_game_takes_only_updates_and_removal),
        CLUB_TEST(an_aborted_game_takes_only_updates_removal_and_the_same_again),
        CLUB_TEST(a_waiting_game_obeys_the_table),
        CLUB_TEST(not_started_goes_after_the_version),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
