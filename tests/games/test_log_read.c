/* Actions for which the log has to be read: nobody waits for the disk but those who act on the same game. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

static void *begin(void *deed)
{
    (void)deed_start(deed);
    return NULL;
}

/* The disk does not answer for a while. The game is read as by a network thread, and a move is sent that waits in turn. */
static void act_on_a_slow_disk(struct club *club, struct deed *deed, enum faulty_call read, const char *then)
{
    const char *id = deed->action.id;
    struct deed *behind = club_deed(club, ACTION_MOVE, id);
    pthread_t thread;
    deed_set_moves(behind, then);
    faulty_pause(club->front, read);
    assert_int_equal(pthread_create(&thread, NULL, begin, deed), 0);
    faulty_await_paused(club->front, read, 1);
    assert_int_equal(club_look(club, id, false), GAMES_OK);
    assert_int_equal(deed_start(behind), GAMES_PENDING);
    assert_false(deed_is_over(behind));
    faulty_resume(club->front, read);
    pthread_join(thread, NULL);
    (void)deed_await(deed);
    assert_int_equal(deed_await(behind), ACTION_DONE);
    club_check(club, id);
}

static void moves_that_are_sent_again(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *again = club_deed(club, ACTION_MOVE, id);
    club_play(club, id, "e4 e5");
    deed_set_moves(again, "e4 e5");
    again->action.ply = 1;
    act_on_a_slow_disk(club, again, FAULTY_MOVES, "Nf3");
    assert_int_equal(again->action.outcome, ACTION_REPLAYED);
    assert_int_equal(again->action.replayed_count, 2);
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static void moves_that_are_taken_back(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *undo = club_deed(club, ACTION_UNDO, id);
    club_play(club, id, "e4 e5 Nf3");
    undo->action.undo_plies = 1;
    act_on_a_slow_disk(club, undo, FAULTY_MOVES, "f4");
    assert_int_equal(undo->action.outcome, ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 3);
}

static void an_answer_to_an_offer_that_is_repeated(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    club_play(club, id, "e4");
    assert_int_equal(club_seat(club, ACTION_OFFER_DRAW, id, SEAT_WHITE), ACTION_DONE);
    assert_int_equal(club_seat(club, ACTION_DECLINE_DRAW, id, SEAT_BLACK), ACTION_DONE);
    struct deed *again = club_deed(club, ACTION_DECLINE_DRAW, id);
    again->action.seat = SEAT_BLACK;
    act_on_a_slow_disk(club, again, FAULTY_ACTIONS_AFTER, "e5");
    assert_int_equal(again->action.outcome, ACTION_REPLAYED);
    assert_int_equal(club_view(club, id)->head.ply, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTY_TEST(moves_that_are_sent_again),
        FAULTY_TEST(moves_that_are_taken_back),
        FAULTY_TEST(an_answer_to_an_offer_that_is_repeated),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
