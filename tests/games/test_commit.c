/* Between the submit of an action and its commit: what is seen, what waits, what a failure leaves behind. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/possible.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

static const char *game_after_e4(struct club *club)
{
    const char *id = club_create(club);
    assert_int_equal(club_comment(club, id, "e4", "opening"), ACTION_DONE);
    struct action_update update = {.sets_white = true, .texts = {.white_name = "old"}};
    assert_int_equal(club_update(club, id, &update), ACTION_DONE);
    return id;
}

/* Starts a deed whose commit is held, or which waits behind such a one. */
static struct deed *start(struct deed *deed)
{
    assert_int_equal(deed_start(deed), GAMES_PENDING);
    return deed;
}

static struct deed *start_move(struct club *club, const char *id, uint32_t ply, const char *text)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    deed->action.ply = ply;
    return start(deed);
}

static void expect_same(struct club *club, const char *id, const struct snapshot *before)
{
    struct snapshot *live = club_live(club, id);
    struct snapshot *stored = club_stored(club, id);
    const char *difference = snapshot_difference(before, live);
    if (!difference)
        difference = snapshot_difference(before, stored);
    if (difference)
        fail_msg("%s differs", difference);
    snapshot_free(live);
    snapshot_free(stored);
}

/* ---- nothing is seen before it is durable ------------------------------------------------------------- */

static void no_view_shows_an_action_before_its_commit(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = possible_game(club, (enum action_kind)kind);
        struct snapshot *before = club_live(club, id);
        faulty_hold(club->front);
        struct deed *deed = start(possible_deed(club, (enum action_kind)kind, id));
        faulty_await_held(club->front, 1);
        expect_same(club, id, before);
        assert_int_equal(deed->rendered, 1); /* as it will be */
        assert_false(deed_is_over(deed));
        assert_int_equal(club_look(club, id, false), GAMES_OK);
        faulty_release(club->front);
        assert_int_equal(deed_await(deed), ACTION_DONE);
        struct snapshot *after = club_live(club, id);
        assert_null(snapshot_difference(deed->picture, after));
        assert_non_null(snapshot_difference(before, after));
        snapshot_free(before);
        snapshot_free(after);
    }
}

static void a_game_is_not_found_before_its_creation_is_durable(void **state)
{
    struct club *club = *state;
    faulty_hold(club->front);
    struct deed *deed = start(club_deed(club, ACTION_CREATE, NULL));
    faulty_await_held(club->front, 1);
    assert_int_equal(club_look(club, deed->action.id, true), GAMES_NOT_FOUND);
    faulty_release(club->front);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    assert_int_equal(club_look(club, deed->action.id, false), GAMES_OK);
}

static void a_creation_that_fails_leaves_nothing(void **state)
{
    static const struct {
        enum storage_status stored;
        enum action_outcome outcome;
    } rows[] = {{STORAGE_BUSY, ACTION_STORE_BUSY},
                {STORAGE_FULL, ACTION_STORE_FULL},
                {STORAGE_UNAVAILABLE, ACTION_STORE_FAILED}};
    struct club *club = *state;
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        faulty_fail(club->front, FAULTY_COMMIT, 1, rows[i].stored);
        struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
        deed_set_moves(deed, "e4 e5");
        deed->inputs[1].comment = "open";
        deed->action.create.texts.white_name = "nobody";
        assert_int_equal(club_do(club, deed), rows[i].outcome);
        assert_int_equal(club_look(club, deed->action.id, true), GAMES_NOT_FOUND);
        assert_int_equal(club_counters(club).memory_bytes, 0);
    }
}

static void a_creation_whose_id_is_taken_gets_another(void **state)
{
    struct club *club = *state;
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_WRITE, 1, STORAGE_CONFLICT);
    struct deed *deed = start(club_deed(club, ACTION_CREATE, NULL));
    char first[GAME_ID_SIZE];
    memcpy(first, deed->action.id, GAME_ID_SIZE);
    faulty_release(club->front);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    assert_string_not_equal(deed->action.id, first);
    assert_int_equal(deed->rendered, 2); /* an answer has the id in it */
    assert_string_equal(deed->picture->game.id, deed->action.id);
    assert_int_equal(club_look(club, first, true), GAMES_NOT_FOUND);
    club_forget(club);
    assert_int_equal(club_view(club, deed->action.id)->head.version, 1);
}

/* ---- what fails leaves the game as it was ------------------------------------------------------------- */

static void a_commit_that_fails_changes_nothing_and_says_why(void **state)
{
    static const struct {
        enum storage_status stored;
        enum action_outcome outcome;
    } rows[] = {{STORAGE_BUSY, ACTION_STORE_BUSY},
                {STORAGE_FULL, ACTION_STORE_FULL},
                {STORAGE_UNAVAILABLE, ACTION_STORE_FAILED}};
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        const char *id = possible_game(club, (enum action_kind)kind);
        struct snapshot *before = club_live(club, id);
        for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
            faulty_fail(club->front, FAULTY_COMMIT, 1, rows[i].stored);
            assert_int_equal(club_do(club, possible_deed(club, (enum action_kind)kind, id)), rows[i].outcome);
            expect_same(club, id, before);
        }
        assert_int_equal(club_do(club, possible_deed(club, (enum action_kind)kind, id)), ACTION_DONE);
        snapshot_free(before);
    }
}

static void a_write_that_fails_leaves_the_other_games_alone(void **state)
{
    struct club *club = *state;
    const char *unlucky = club_create(club);
    const char *lucky = club_create(club);
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_WRITE, 1, STORAGE_FULL);
    struct deed *first = start_move(club, unlucky, 0, "e4");
    struct deed *second = start_move(club, lucky, 0, "d4");
    faulty_await_held(club->front, 2);
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_STORE_FULL);
    assert_int_equal(deed_await(second), ACTION_DONE);
    assert_int_equal(club_view(club, unlucky)->head.ply, 0);
    assert_int_equal(club_view(club, lucky)->head.ply, 1);
}

/* ---- what waits --------------------------------------------------------------------------------------- */

static void actions_that_wait_are_judged_in_order_against_what_was_committed(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    faulty_hold(club->front);
    struct deed *first = start_move(club, id, 1, "e4");
    struct deed *repeat = start_move(club, id, 1, "e2e4");
    struct deed *rival = start_move(club, id, 1, "d4");
    struct deed *stale = club_deed(club, ACTION_RESIGN, id);
    deed_if_version(stale, 1);
    start(stale);
    struct deed *answer = start_move(club, id, 0, "e5");
    struct deed *illegal = start_move(club, id, 0, "e5");
    struct deed *third = start_move(club, id, 3, "Nf3");
    assert_int_equal(repeat->rendered + rival->rendered + answer->rendered, 0);
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_DONE);
    assert_int_equal(deed_await(repeat), ACTION_REPLAYED);
    assert_int_equal(deed_await(rival), ACTION_PLY_CONFLICT);
    assert_int_equal(deed_await(stale), ACTION_VERSION_MISMATCH);
    assert_int_equal(deed_await(answer), ACTION_DONE);
    assert_int_equal(deed_await(illegal), ACTION_MOVE_REFUSED);
    assert_int_equal(deed_await(third), ACTION_DONE);
    assert_int_equal(illegal->picture->game.head.ply, 2);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.ply, 3);
    assert_int_equal(game->head.version, 4);
}

static void a_waiting_action_is_judged_against_the_old_state_when_a_commit_fails(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_COMMIT, 1, STORAGE_FULL);
    struct deed *lost = start_move(club, id, 1, "e4");
    struct deed *next = start_move(club, id, 1, "d4");
    faulty_release(club->front);
    assert_int_equal(deed_await(lost), ACTION_STORE_FULL);
    assert_int_equal(deed_await(next), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 1);
    assert_int_equal(club_do(club, possible_deed(club, ACTION_CLAIM, id)), ACTION_DONE); /* checks the laws */
}

static void an_end_that_was_not_committed_does_not_end_the_game_for_those_who_wait(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "f3 e5 g4");
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_COMMIT, 1, STORAGE_BUSY);
    struct deed *mate = start_move(club, id, 0, "Qh4");
    struct deed *other = start_move(club, id, 0, "d5");
    faulty_release(club->front);
    assert_int_equal(deed_await(mate), ACTION_STORE_BUSY);
    assert_int_equal(deed_await(other), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
}

static void after_the_end_those_who_wait_hear_that_the_game_is_over(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    faulty_hold(club->front);
    struct deed *resign = start(club_deed(club, ACTION_RESIGN, id));
    struct deed *again = start(club_deed(club, ACTION_RESIGN, id));
    struct deed *move_after = start_move(club, id, 0, "e4");
    faulty_release(club->front);
    assert_int_equal(deed_await(resign), ACTION_DONE);
    assert_int_equal(deed_await(again), ACTION_REPLAYED);
    assert_int_equal(deed_await(move_after), ACTION_GAME_OVER);
}

static void those_who_wait_while_a_game_is_removed_hear_that_it_is_gone(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    faulty_hold(club->front);
    struct deed *removal = start(club_deed(club, ACTION_DELETE, id));
    struct deed *first = start_move(club, id, 0, "e5");
    struct deed *second = start(club_deed(club, ACTION_DELETE, id));
    faulty_release(club->front);
    assert_int_equal(deed_await(removal), ACTION_DONE);
    assert_int_equal(deed_await(first), ACTION_GONE);
    assert_int_equal(deed_await(second), ACTION_GONE);
    assert_int_equal(first->rendered + second->rendered, 0);
    assert_int_equal(club_look(club, id, true), GAMES_NOT_FOUND);
    assert_int_equal(club_counters(club).memory_bytes, 0);
}

static void a_removal_that_fails_lets_those_who_wait_go_on(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_COMMIT, 1, STORAGE_FULL);
    struct deed *removal = start(club_deed(club, ACTION_DELETE, id));
    struct deed *next = start_move(club, id, 2, "e5");
    faulty_release(club->front);
    assert_int_equal(deed_await(removal), ACTION_STORE_FULL);
    assert_int_equal(deed_await(next), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
}

static void a_waiting_undo_reads_the_log_in_its_turn(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    club_play(club, id, "e5");
    faulty_hold(club->front);
    struct deed *first = start_move(club, id, 0, "Nf3");
    struct deed *undo = club_deed(club, ACTION_UNDO, id);
    undo->action.undo_plies = 2;
    undo->action.may_block = false; /* nobody can be asked to come again later */
    start(undo);
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_DONE);
    assert_int_equal(deed_await(undo), ACTION_DONE);
    assert_string_equal(club_view(club, id)->head.comment, "opening");
}

static void a_waiting_undo_that_cannot_read_the_log_fails_alone(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    club_play(club, id, "e5");
    faulty_hold(club->front);
    faulty_fail(club->front, FAULTY_MOVES, 1, STORAGE_UNAVAILABLE);
    struct deed *first = start_move(club, id, 0, "Nf3");
    struct deed *undo = possible_deed(club, ACTION_UNDO, id);
    undo->action.undo_plies = 2;
    start(undo);
    struct deed *next = start_move(club, id, 0, "Nc6");
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_DONE);
    assert_int_equal(deed_await(undo), ACTION_STORE_FAILED);
    assert_int_equal(deed_await(next), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 4);
}

/* ---- reads that fail ---------------------------------------------------------------------------------- */

static void a_log_that_cannot_be_read_is_unavailable_until_it_can(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    club_forget(club);
    faulty_fail(club->front, FAULTY_LOAD, 1, STORAGE_BUSY);
    assert_int_equal(club_look(club, id, true), GAMES_UNAVAILABLE);
    faulty_fail(club->front, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
    struct deed *deed = possible_deed(club, ACTION_MOVE, id);
    assert_int_equal(deed_start(deed), GAMES_UNAVAILABLE);
    assert_int_equal(deed->suspended + deed->rendered, 0);
    assert_int_equal(club_do(club, deed), ACTION_DONE);
}

static void an_undo_that_cannot_read_the_log_does_nothing(void **state)
{
    struct club *club = *state;
    const char *id = game_after_e4(club);
    club_play(club, id, "e5");
    faulty_fail(club->front, FAULTY_MOVES, 1, STORAGE_UNAVAILABLE);
    assert_int_equal(club_undo(club, id, 1), ACTION_OUTCOME_COUNT);
    assert_int_equal(club->last->status, GAMES_UNAVAILABLE);
    assert_int_equal(club_undo(club, id, 1), ACTION_DONE);
}

static void never_shown(void *context, const struct game *game)
{
    (void)context;
    (void)game;
    fail_msg("a game was shown");
}

static void a_list_that_cannot_be_read_is_unavailable(void **state)
{
    struct club *club = *state;
    (void)game_after_e4(club);
    faulty_fail(club->front, FAULTY_LIST, 1, STORAGE_BUSY);
    struct storage_query query = {.limit = 5};
    int64_t next_key = 0;
    assert_int_equal(games_list(club->games, &query, never_shown, NULL, &next_key), GAMES_UNAVAILABLE);
}

static void readiness_is_that_of_the_store(void **state)
{
    struct club *club = *state;
    assert_true(games_ready(club->games));
    faulty_fail(club->front, FAULTY_READY, 1, STORAGE_FULL);
    assert_false(games_ready(club->games));
    assert_true(games_ready(club->games));
}

/* ---- memory while something is under way -------------------------------------------------------------- */

static void a_game_is_not_dropped_while_its_action_is_under_way(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1, .wrap = faulty_wrap});
    enum { OTHERS = 150 };
    const char *others[OTHERS];
    const char *id = game_after_e4(club);
    club->unchecked = true;
    for (int i = 0; i < OTHERS; i++)
        others[i] = club_create(club);
    assert_int_equal(club_look(club, id, true), GAMES_OK);
    faulty_hold(club->front);
    struct deed *deed = start_move(club, id, 0, "e5");
    for (int i = 0; i < OTHERS; i++)
        assert_int_equal(club_look(club, others[i], true), GAMES_OK);
    assert_int_equal(club_look(club, id, false), GAMES_OK);
    faulty_release(club->front);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    club_close(club);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTY_TEST(no_view_shows_an_action_before_its_commit),
        FAULTY_TEST(a_game_is_not_found_before_its_creation_is_durable),
        FAULTY_TEST(a_creation_that_fails_leaves_nothing),
        FAULTY_TEST(a_creation_whose_id_is_taken_gets_another),
        FAULTY_TEST(a_commit_that_fails_changes_nothing_and_says_why),
        FAULTY_TEST(a_write_that_fails_leaves_the_other_games_alone),
        FAULTY_TEST(actions_that_wait_are_judged_in_order_against_what_was_committed),
        FAULTY_TEST(a_waiting_action_is_judged_against_the_old_state_when_a_commit_fails),
        FAULTY_TEST(an_end_that_was_not_committed_does_not_end_the_game_for_those_who_wait),
        FAULTY_TEST(after_the_end_those_who_wait_hear_that_the_game_is_over),
        FAULTY_TEST(those_who_wait_while_a_game_is_removed_hear_that_it_is_gone),
        FAULTY_TEST(a_removal_that_fails_lets_those_who_wait_go_on),
        FAULTY_TEST(a_waiting_undo_reads_the_log_in_its_turn),
        FAULTY_TEST(a_waiting_undo_that_cannot_read_the_log_fails_alone),
        FAULTY_TEST(a_log_that_cannot_be_read_is_unavailable_until_it_can),
        FAULTY_TEST(an_undo_that_cannot_read_the_log_does_nothing),
        FAULTY_TEST(a_list_that_cannot_be_read_is_unavailable),
        FAULTY_TEST(readiness_is_that_of_the_store),
        cmocka_unit_test(a_game_is_not_dropped_while_its_action_is_under_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
