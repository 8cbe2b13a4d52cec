/* Results that hang on a long search: nobody waits for it but who asked, and those behind him in the same game. */
#include <semaphore.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/solver.h"
#include "rules/fen.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

enum { SECOND = 1000 };

/* White is to move, and it takes long to see that White can mate: so when Black resigns. The pawns stand in each
 * other's way. */
static const char *const candidates[] = {
    "4k3/1p6/pPp5/P1Pp1p1p/3PpPpP/4P1P1/P7/R3K3 w Q - 0 1",
    "4k3/1p3p2/pPp1pPp1/P1PpP1Pp/3P3P/8/P7/R3K3 w Q - 0 1",
    "4k3/2p3p1/1pPp1pPp/pP1PpP1P/P3P3/8/P7/R3K3 w Q - 0 1",
};

static bool takes_long(const char *fen)
{
    struct position position;
    struct setup_report report = {0};
    assert_true(fen_parse(fen, strlen(fen), false, &position, &report));
    struct game_decision *decision =
        decision_make(&position, COLOR_WHITE, WINNABLE_NODES_SMALL, WINNABLE_SCRATCH_SMALL);
    assert_non_null(decision);
    bool undecided = decision->verdict == WINNABLE_UNDETERMINED;
    free(decision);
    return undecided;
}

static const char *hard_fen(void)
{
    for (size_t i = 0; i < sizeof candidates / sizeof candidates[0]; i++)
        if (takes_long(candidates[i]))
            return candidates[i];
    fail_msg("a small effort decides all of these positions: put in harder ones");
    return NULL;
}

static struct deed *resignation(struct club *club, const char *id)
{
    struct deed *deed = club_deed(club, ACTION_RESIGN, id);
    deed->action.seat = SEAT_BLACK;
    deed->action.may_block = false; /* a network thread */
    return deed;
}

static struct deed *start(struct deed *deed)
{
    assert_int_equal(deed_start(deed), GAMES_PENDING);
    return deed;
}

static const struct game_end *expect_lost(struct club *club, const char *id,
                                          enum game_termination termination)
{
    const struct game_end *end = &club_view(club, id)->head.end;
    assert_int_equal(end->termination, termination);
    assert_int_equal(end->result, RESULT_WHITE_WINS);
    assert_non_null(end->decision);
    assert_int_equal(end->decision->verdict, WINNABLE_YES);
    assert_true(end->decision->nodes > WINNABLE_NODES_SMALL);
    return end;
}

static void a_network_thread_does_not_search(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    assert_int_equal(club_do(club, resignation(club, id)), ACTION_DONE);
    assert_int_equal(club->last->suspended, 1);
    (void)expect_lost(club, id, TERMINATION_RESIGNATION);
    assert_int_equal(club_do(club, resignation(club, id)), ACTION_REPLAYED);
    assert_int_equal(club->last->status, GAMES_OK);
    club_reopen(club);
    (void)expect_lost(club, id, TERMINATION_RESIGNATION);
}

static void those_behind_wait_and_are_judged_in_order(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    struct deed *resign = start(resignation(club, id));
    struct deed *moved = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(moved, "e4");
    struct deed *behind[] = {moved, resignation(club, id), club_deed(club, ACTION_OFFER_DRAW, id),
                             club_deed(club, ACTION_UPDATE, id)};
    static const enum action_outcome outcomes[] = {ACTION_GAME_OVER, ACTION_REPLAYED, ACTION_GAME_OVER,
                                                   ACTION_DONE};
    behind[3]->action.update = (struct action_update){.sets_white = true, .texts.white_name = "Anna"};
    for (size_t i = 0; i < 4; i++)
        (void)deed_start(behind[i]);
    assert_int_equal(deed_await(resign), ACTION_DONE);
    for (size_t i = 0; i < 4; i++)
        assert_int_equal(deed_await(behind[i]), outcomes[i]);
    club_check(club, id);
    (void)expect_lost(club, id, TERMINATION_RESIGNATION);
}

static void the_game_is_read_as_it_was_meanwhile(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    faulty_hold(club->front);
    struct deed *resign = start(resignation(club, id));
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    faulty_await_held(club->front, 1); /* it is found, and not yet durable */
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    faulty_release(club->front);
    assert_int_equal(deed_await(resign), ACTION_DONE);
    (void)expect_lost(club, id, TERMINATION_RESIGNATION);
}

static void asking_what_would_be_searches_too_and_changes_nothing(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    struct deed *deed = resignation(club, id);
    deed->action.validate_only = true;
    assert_int_equal(club_do(club, deed), ACTION_DONE); /* which sees that nothing has changed */
    const struct game_end *end = &deed->picture->game.head.end;
    assert_int_equal(end->termination, TERMINATION_RESIGNATION);
    assert_int_equal(end->decision->verdict, WINNABLE_YES);
    assert_int_equal(club_view(club, id)->head.version, 1);
    club_play(club, id, "a3");
}

static void a_game_may_be_removed_while_it_is_searched(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    struct deed *resign = start(resignation(club, id));
    struct deed *removal = club_deed(club, ACTION_DELETE, id);
    struct deed *second = resignation(club, id);
    (void)deed_start(removal);
    (void)deed_start(second);
    assert_int_equal(deed_await(resign), ACTION_DONE);
    assert_int_equal(deed_await(removal), ACTION_DONE);
    enum action_outcome last = deed_await(second); /* behind the removal, or after it */
    assert_true(last == ACTION_GONE || second->status == GAMES_NOT_FOUND);
    assert_int_equal(club_look(club, id, true), GAMES_NOT_FOUND);
    assert_int_equal(club_counters(club).memory_bytes, 0);
}

static void a_stale_version_is_not_searched_for(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    struct deed *deed = resignation(club, id);
    deed_if_version(deed, 9);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
    assert_int_equal(deed->status, GAMES_OK);
}

static void what_was_found_and_not_stored_can_be_asked_for_again(void **state)
{
    struct club *club = *state;
    const char *id = club_create_fen(club, hard_fen());
    faulty_fail(club->front, FAULTY_COMMIT, 1, STORAGE_FULL);
    assert_int_equal(club_do(club, resignation(club, id)), ACTION_STORE_FULL);
    assert_int_equal(club_view(club, id)->head.status, GAME_ACTIVE);
    assert_int_equal(club_do(club, resignation(club, id)), ACTION_DONE);
}

static void a_game_is_not_dropped_while_it_is_searched(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1});
    enum { OTHERS = 100 };
    const char *others[OTHERS];
    for (int i = 0; i < OTHERS; i++)
        others[i] = club_create(club);
    const char *id = club_create_fen(club, hard_fen());
    struct deed *resign = start(resignation(club, id));
    for (int i = 0; i < OTHERS; i++)
        assert_int_equal(club_look(club, others[i], true), GAMES_OK);
    assert_int_equal(deed_await(resign), ACTION_DONE);
    club_check(club, id);
    (void)expect_lost(club, id, TERMINATION_RESIGNATION);
    club_close(club);
}

static void many_games_are_searched_one_after_the_other(void **state)
{
    struct club *club = *state;
    enum { GAMES = 8 };
    struct deed *deeds[GAMES];
    for (int i = 0; i < GAMES; i++)
        deeds[i] = resignation(club, club_create_fen(club, hard_fen()));
    for (int i = 0; i < GAMES; i++)
        (void)start(deeds[i]);
    for (int i = 0; i < GAMES; i++) {
        assert_int_equal(deed_await(deeds[i]), ACTION_DONE);
        (void)expect_lost(club, deeds[i]->action.id, TERMINATION_RESIGNATION);
    }
}

/* ---- by the timer ------------------------------------------------------------------------------------- */

/* A timed game in which Black is to move in a hard position, and one in which he has overstepped. */
static const char *hard_timed_game(struct club *club)
{
    static const struct time_control control = {
        .immediate = true, .stage_count = 1, .stages = {{.time_ms = 60 * SECOND}}};
    const char *id = club_create_control(club, &control, hard_fen(), NULL);
    club_play(club, id, "a3");
    return id;
}

static void a_flag_is_searched_too_and_comes_before_who_waits(void **state)
{
    struct club *club = *state;
    const char *id = hard_timed_game(club);
    club_advance(club, 60 * SECOND);
    (void)games_tick(club->games);
    struct deed *late = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(late, "Kd8");
    (void)deed_start(late);
    assert_int_equal(deed_await(late), ACTION_GAME_OVER);
    club_check(club, id);
    const struct game_end *end = &club_view(club, id)->head.end;
    assert_int_equal(end->termination, TERMINATION_TIMEOUT);
    assert_int_equal(end->decision->verdict, WINNABLE_YES);
}

static void a_move_after_the_flag_waits_for_the_search(void **state)
{
    struct club *club = *state;
    const char *id = hard_timed_game(club);
    club_advance(club, 60 * SECOND);
    assert_int_equal(club_move(club, id, "Kd8"), ACTION_GAME_OVER); /* no tick has come before it */
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_TIMEOUT);
}

static void who_ends_the_service_waits_for_a_flag_that_is_searched(void **state)
{
    struct club *club = *state;
    const char *id = hard_timed_game(club);
    club_advance(club, 60 * SECOND);
    (void)games_tick(club->games);
    club_forget(club);
    assert_int_equal(club_view(club, id)->head.end.termination, TERMINATION_TIMEOUT);
}

static void a_flag_that_takes_long_to_decide_comes_up_once(void **state)
{
    struct club *club = *state;
    const char *id = hard_timed_game(club);
    club_advance(club, 60 * SECOND);
    for (int i = 0; i < 5; i++) {
        (void)games_tick(club->games);
        club_advance(club, SECOND);
    }
    (void)club_tick(club, id);
    assert_int_equal(club_view(club, id)->head.version, 3); /* created, moved, flagged */
}

static void effort_shrinks_as_actions_wait_and_never_below_the_judge_s(void **state)
{
    (void)state;
    assert_int_equal(solver_nodes(0), WINNABLE_NODES_DEFAULT);
    for (size_t waiting = 1; waiting < 1000; waiting++) {
        assert_true(solver_nodes(waiting) <= solver_nodes(waiting - 1));
        assert_true(solver_nodes(waiting) >= WINNABLE_NODES_SMALL);
    }
    assert_true(solver_nodes(200) <= WINNABLE_NODES_DEFAULT / 32);
}

static sem_t begun, go_on;

static void wait_here(void *context, struct action *action)
{
    (void)context;
    (void)action;
    sem_post(&begun);
    sem_wait(&go_on);
}

/* The effort for a flag of one game does not hang on how many moves others send to theirs (6.9). */
static void moves_that_are_only_judged_do_not_count_as_decisions_to_be_found(void **state)
{
    struct solver solver;
    struct action first = {.only_judged = true}, second = {.only_judged = true};
    (void)state;
    sem_init(&begun, 0, 0);
    sem_init(&go_on, 0, 0);
    assert_true(solver_init(&solver, wait_here, NULL));
    solver_submit(&solver, &first);
    solver_submit(&solver, &second);
    assert_int_equal(solver_undecided(&solver), 0);
    sem_post(&go_on);
    sem_post(&go_on);
    sem_wait(&begun);
    sem_wait(&begun);
    solver_finish(&solver);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(effort_shrinks_as_actions_wait_and_never_below_the_judge_s),
        CLUB_TEST(a_network_thread_does_not_search),
        CLUB_TEST(those_behind_wait_and_are_judged_in_order),
        FAULTY_TEST(the_game_is_read_as_it_was_meanwhile),
        CLUB_TEST(asking_what_would_be_searches_too_and_changes_nothing),
        CLUB_TEST(a_game_may_be_removed_while_it_is_searched),
        CLUB_TEST(a_stale_version_is_not_searched_for),
        FAULTY_TEST(what_was_found_and_not_stored_can_be_asked_for_again),
        cmocka_unit_test(a_game_is_not_dropped_while_it_is_searched),
        CLUB_TEST(many_games_are_searched_one_after_the_other),
        CLUB_TEST(a_flag_is_searched_too_and_comes_before_who_waits),
        CLUB_TEST(a_move_after_the_flag_waits_for_the_search),
        CLUB_TEST(who_ends_the_service_waits_for_a_flag_that_is_searched),
        CLUB_TEST(a_flag_that_takes_long_to_decide_comes_up_once),
        cmocka_unit_test(moves_that_are_only_judged_do_not_count_as_decisions_to_be_found),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
