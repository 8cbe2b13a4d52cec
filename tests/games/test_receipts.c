/* Receipts: kept with what an action writes, found again, and removed when they are old. */
#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

enum { MINUTE = 60000, HOUR = 60 * MINUTE, DAY = 24 * HOUR };

/* A receipt and what it points to. */
struct given {
    uint8_t id[STORAGE_DIGEST_SIZE];
    struct storage_receipt receipt;
};

/* `number` tells it from others. */
static struct given *give(struct given *given, struct club *club, uint8_t number)
{
    *given = (struct given){.id = {number, 1}};
    given->receipt = (struct storage_receipt){.id = given->id,
                                              .request = given->id,
                                              .answer = "answer",
                                              .answer_length = 6,
                                              .service_ms = games_service_ms(club->games)};
    return given;
}

static void check_answer(void *context, const struct storage_receipt *receipt)
{
    assert_int_equal(receipt->answer_length, 6);
    assert_memory_equal(receipt->answer, "answer", 6);
    ++*(int *)context;
}

static bool is_kept(struct club *club, const struct given *given)
{
    int found = 0;
    enum games_status status = games_receipt(club->games, given->id, check_answer, &found);
    assert_int_equal(status, found ? GAMES_OK : GAMES_NOT_FOUND);
    return found == 1;
}

static const struct storage_receipt *next_receipt;

static void leave_receipt(struct action *action, const struct game *game)
{
    (void)game;
    action->receipt = next_receipt;
}

/* A move whose answer, once it is rendered, is the receipt. */
static enum action_outcome play(struct club *club, const char *id, const char *san, const struct given *given)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, san);
    deed->action.render = leave_receipt;
    next_receipt = &given->receipt;
    (void)deed_start(deed);
    return deed_await(deed);
}

static void receipts_are_stored_with_what_the_action_writes(void **state)
{
    struct club *club = *state;
    struct given given;
    const char *id = club_create(club);
    assert_int_equal(play(club, id, "e4", give(&given, club, 1)), ACTION_DONE);
    assert_true(is_kept(club, &given));
    club_reopen(club);
    assert_true(is_kept(club, &given));
    assert_int_equal(club_view(club, id)->head.ply, 1);
}

static void what_writes_nothing_leaves_no_receipt(void **state)
{
    struct club *club = *state;
    struct given given;
    const char *id = club_create(club);
    assert_int_equal(play(club, id, "e5", give(&given, club, 1)), ACTION_MOVE_REFUSED);
    assert_false(is_kept(club, &given));
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, "e4");
    deed->action.render = leave_receipt;
    deed->action.validate_only = true;
    (void)deed_start(deed);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    assert_false(is_kept(club, &given));
}

/* Never by two requests of one process, which are told apart before. */
static void a_receipt_that_exists_refuses_the_action(void **state)
{
    struct club *club = *state;
    struct given given;
    const char *id = club_create(club);
    assert_int_equal(play(club, id, "e4", give(&given, club, 1)), ACTION_DONE);
    assert_int_equal(play(club, id, "e5", &given), ACTION_STORE_BUSY);
    assert_int_equal(club_view(club, id)->head.ply, 1);
    struct deed *deed = club_deed(club, ACTION_CREATE, NULL);
    deed->action.render = leave_receipt;
    (void)deed_start(deed);
    assert_int_equal(deed_await(deed), ACTION_STORE_BUSY);
    club_check(club, id);
}

static void a_receipt_is_kept_by_itself(void **state)
{
    struct club *club = *state;
    struct given given;
    give(&given, club, 1);
    assert_int_equal(games_keep_receipt(club->games, &given.receipt), ACTION_DONE);
    assert_true(is_kept(club, &given));
    assert_int_equal(games_keep_receipt(club->games, &given.receipt), ACTION_STORE_BUSY);
}

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

static void faults_of_the_store_are_told(void **state)
{
    struct club *club = *state;
    struct given given;
    give(&given, club, 1);
    faulty_fail(club->front, FAULTY_RECEIPT, 1, STORAGE_UNAVAILABLE);
    assert_int_equal(games_receipt(club->games, given.id, check_answer, NULL), GAMES_UNAVAILABLE);
    static const struct {
        enum storage_status status;
        enum action_outcome outcome;
    } rows[] = {{STORAGE_BUSY, ACTION_STORE_BUSY},
                {STORAGE_FULL, ACTION_STORE_FULL},
                {STORAGE_UNAVAILABLE, ACTION_STORE_FAILED}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        faulty_fail(club->front, FAULTY_WRITE, 1, rows[i].status);
        assert_int_equal(games_keep_receipt(club->games, &given.receipt), rows[i].outcome);
        assert_false(is_kept(club, &given));
    }
}

static void withdraw(struct action *action, const struct game *game)
{
    (void)game;
    action->is_withdrawn = action->outcome == ACTION_DONE;
}

static struct deed *start_withdrawn(struct club *club, enum action_kind kind, const char *id)
{
    struct deed *deed = club_deed(club, kind, id);
    if (kind == ACTION_MOVE)
        deed_set_moves(deed, "e5");
    deed->action.render = withdraw;
    (void)deed_start(deed);
    return deed;
}

/* Whether it was judged at once or had to wait for its turn. */
static void an_action_without_memory_for_its_answer_says_so(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    faulty_hold(club->front);
    struct deed *first = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(first, "e4");
    (void)deed_start(first);
    struct deed *waiting = start_withdrawn(club, ACTION_MOVE, id);
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_DONE);
    assert_int_equal(deed_await(waiting), ACTION_NO_MEMORY);
    assert_int_equal(deed_await(start_withdrawn(club, ACTION_MOVE, id)), ACTION_NO_MEMORY);
    assert_int_equal(deed_await(start_withdrawn(club, ACTION_CREATE, NULL)), ACTION_NO_MEMORY);
    assert_int_equal(club_view(club, id)->head.ply, 1);
}

/* ---- age ---------------------------------------------------------------------------------------------- */

/* Writes are done in order: what was sent before this one is over. */
static void await_writes(struct club *club)
{
    (void)club_create(club);
}

static int64_t tick(struct club *club)
{
    int64_t wait_ms = games_tick(club->games);
    await_writes(club);
    return wait_ms;
}

static void receipts_are_removed_after_a_day(void **state)
{
    struct club *club = *state;
    struct given first;
    struct given second;
    assert_int_equal(tick(club), -1);
    assert_int_equal(games_keep_receipt(club->games, &give(&first, club, 1)->receipt), ACTION_DONE);
    club_advance(club, HOUR);
    assert_int_equal(games_keep_receipt(club->games, &give(&second, club, 2)->receipt), ACTION_DONE);
    club_advance(club, DAY - HOUR - 1);
    assert_int_equal(tick(club), 1);
    assert_true(is_kept(club, &first));
    club_advance(club, 1);
    (void)tick(club);
    assert_false(is_kept(club, &first));
    assert_true(is_kept(club, &second));
    club_advance(club, HOUR);
    (void)tick(club);
    assert_false(is_kept(club, &second));
    assert_int_equal(tick(club), -1);
}

static void removals_are_a_minute_apart(void **state)
{
    struct club *club = *state;
    struct given first;
    struct given second;
    assert_int_equal(games_keep_receipt(club->games, &give(&first, club, 1)->receipt), ACTION_DONE);
    club_advance(club, 1000);
    assert_int_equal(games_keep_receipt(club->games, &give(&second, club, 2)->receipt), ACTION_DONE);
    club_advance(club, DAY - 1000);
    (void)tick(club);
    assert_false(is_kept(club, &first));
    club_advance(club, 2000);
    assert_int_equal(tick(club), MINUTE - 2000);
    assert_true(is_kept(club, &second));
    club_advance(club, MINUTE - 2000);
    (void)tick(club);
    assert_false(is_kept(club, &second));
}

enum { MANY = STORAGE_EXPIRE_MOST + 1 };

/* One more than a removal takes, a millisecond apart, all of them old. */
static void keep_many(struct club *club, struct given given[MANY])
{
    for (size_t i = 0; i < MANY; i++) {
        give(&given[i], club, (uint8_t)(i % 256));
        given[i].id[2] = (uint8_t)(i / 256);
        assert_int_equal(games_keep_receipt(club->games, &given[i].receipt), ACTION_DONE);
        club_advance(club, 1);
    }
    club_advance(club, DAY);
}

/* The next removal follows without a pause. */
static void many_old_receipts_are_removed_one_part_after_the_other(void **state)
{
    struct club *club = *state;
    static struct given given[MANY];
    keep_many(club, given);
    (void)tick(club);
    assert_false(is_kept(club, &given[MANY - 2]));
    assert_true(is_kept(club, &given[MANY - 1]));
    (void)tick(club);
    assert_false(is_kept(club, &given[MANY - 1]));
    assert_int_equal(tick(club), -1);
}

static void an_id_that_is_gone_may_be_used_again(void **state)
{
    struct club *club = *state;
    struct given given;
    const char *id = club_create(club);
    assert_int_equal(play(club, id, "e4", give(&given, club, 1)), ACTION_DONE);
    club_advance(club, DAY);
    (void)tick(club);
    assert_int_equal(play(club, id, "e5", give(&given, club, 1)), ACTION_DONE);
    assert_true(is_kept(club, &given));
}

/* Service time goes on by what was beaten: the age of receipts survives restarts. */
static void receipts_grow_old_over_restarts(void **state)
{
    struct club *club = *state;
    struct given given;
    assert_int_equal(games_keep_receipt(club->games, &give(&given, club, 1)->receipt), ACTION_DONE);
    for (int hours = 0; hours < 24; hours += 6) {
        (void)tick(club);
        assert_true(is_kept(club, &given));
        club_advance(club, 6 * HOUR);
        club_reopen(club);
    }
    (void)tick(club);
    assert_false(is_kept(club, &given));
}

/* What a kill leaves: nothing is beaten at the end, but once an hour before. */
static void receipts_grow_old_over_crashes(void **state)
{
    struct club *club = *state;
    struct given given;
    assert_int_equal(games_keep_receipt(club->games, &give(&given, club, 1)->receipt), ACTION_DONE);
    club_advance(club, 3 * HOUR);
    assert_true(tick(club) <= HOUR);
    int64_t kept_ms = -1;
    assert_int_equal(storage_service_ms(club->storage, &kept_ms), STORAGE_OK);
    assert_int_equal(kept_ms, games_service_ms(club->games));
}

static void a_removal_that_failed_is_made_up_for(void **state)
{
    struct club *club = *state;
    struct given given;
    assert_int_equal(games_keep_receipt(club->games, &give(&given, club, 1)->receipt), ACTION_DONE);
    club_advance(club, DAY);
    faulty_fail_always(club->front, FAULTY_WRITE, STORAGE_FULL);
    (void)games_tick(club->games);
    while (faulty_calls(club->front, FAULTY_WRITE) < 2) /* the receipt, and the removal or a beat */
        (void)sched_yield();
    faulty_heal(club->front);
    await_writes(club);
    assert_true(is_kept(club, &given));
    club_advance(club, MINUTE);
    (void)tick(club);
    assert_false(is_kept(club, &given));
}

static void *keep_ticking(void *games)
{
    games_keep_ticking(games);
    return NULL;
}

/* The thread sleeps without end until there is a receipt; then it must know that one will grow old. */
static void a_sleeping_timekeeper_learns_of_the_first_receipt(void **state)
{
    struct club *club = *state;
    struct given given;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, keep_ticking, club->games), 0);
    give(&given, club, 1);
    club_advance(club, DAY); /* old already when it is stored */
    assert_int_equal(games_keep_receipt(club->games, &given.receipt), ACTION_DONE);
    while (is_kept(club, &given))
        (void)sched_yield();
    games_stop_ticking(club->games);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

/* It would sleep for a minute after the first part. */
static void a_timekeeper_is_woken_for_the_next_part(void **state)
{
    struct club *club = *state;
    static struct given given[MANY];
    pthread_t thread;
    keep_many(club, given);
    assert_int_equal(pthread_create(&thread, NULL, keep_ticking, club->games), 0);
    while (is_kept(club, &given[MANY - 1]))
        (void)sched_yield();
    games_stop_ticking(club->games);
    assert_int_equal(pthread_join(thread, NULL), 0);
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(receipts_are_stored_with_what_the_action_writes),
        CLUB_TEST(what_writes_nothing_leaves_no_receipt),
        CLUB_TEST(a_receipt_that_exists_refuses_the_action),
        CLUB_TEST(a_receipt_is_kept_by_itself),
        FAULTY_TEST(faults_of_the_store_are_told),
        FAULTY_TEST(an_action_without_memory_for_its_answer_says_so),
        CLUB_TEST(receipts_are_removed_after_a_day),
        CLUB_TEST(removals_are_a_minute_apart),
        CLUB_TEST(many_old_receipts_are_removed_one_part_after_the_other),
        CLUB_TEST(an_id_that_is_gone_may_be_used_again),
        CLUB_TEST(receipts_grow_old_over_restarts),
        CLUB_TEST(receipts_grow_old_over_crashes),
        FAULTY_TEST(a_removal_that_failed_is_made_up_for),
        CLUB_TEST(a_sleeping_timekeeper_learns_of_the_first_receipt),
        CLUB_TEST(a_timekeeper_is_woken_for_the_next_part),
    };
    return cmocka_run_group_tests_name("games: receipts", tests, NULL, NULL);
}
