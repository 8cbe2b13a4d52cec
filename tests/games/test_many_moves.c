/* Many moves in one action: they take long to judge, and nobody but those behind them in the same game waits for it. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/internal.h"
#include "tests/support/games_club.h"
#include "tests/support/storage_faulty.h"

static int faulty_setup(void **state)
{
    *state = club_open(&(struct club_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, club_teardown)

static struct deed *start(struct deed *deed)
{
    assert_int_equal(deed_start(deed), GAMES_PENDING);
    return deed;
}

static struct deed *moves(struct club *club, const char *id, const char *text)
{
    struct deed *deed = club_deed(club, ACTION_MOVE, id);
    deed_set_moves(deed, text);
    return deed;
}

/* Of render and done of the actions below. */
static pthread_t stored_in, judged_in[2];
static void (*usual_done)(struct action *action);

static void note_store(struct action *action)
{
    stored_in = pthread_self();
    usual_done(action);
}

static void note_first(struct action *action, const struct game *game)
{
    (void)action;
    (void)game;
    judged_in[0] = pthread_self();
}

static void note_second(struct action *action, const struct game *game)
{
    (void)action;
    (void)game;
    judged_in[1] = pthread_self();
}

static void many_moves_that_waited_are_not_judged_in_the_thread_that_writes(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *ahead = moves(club, id, "e4"), *few = moves(club, id, "e5"),
                *many = moves(club, id, "Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 d6 O-O"), *behind = moves(club, id, "O-O");
    usual_done = ahead->action.done;
    ahead->action.done = note_store;
    few->action.render = note_first;
    many->action.render = note_second;
    faulty_hold(club->front);
    start(ahead);
    start(few);
    start(many);
    start(behind);
    faulty_release(club->front);
    assert_int_equal(deed_await(ahead), ACTION_DONE);
    assert_int_equal(deed_await(few), ACTION_DONE);
    assert_int_equal(deed_await(many), ACTION_DONE);
    assert_int_equal(deed_await(behind), ACTION_DONE);
    assert_true(pthread_equal(judged_in[0], stored_in));
    assert_false(pthread_equal(judged_in[1], stored_in));
    assert_int_equal(club_view(club, id)->head.ply, 12);
    club_check(club, id);
}

/* One of them is illegal: the others wait no longer for it. */
static void who_waits_behind_many_moves_that_are_refused_is_next(void **state)
{
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *ahead = moves(club, id, "e4"), *many = moves(club, id, "e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 Ke2"),
                *behind = moves(club, id, "c5");
    faulty_hold(club->front);
    start(ahead);
    start(many);
    start(behind);
    faulty_release(club->front);
    assert_int_equal(deed_await(many), ACTION_MOVE_REFUSED);
    assert_int_equal(many->action.index, 8);
    assert_int_equal(deed_await(behind), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.ply, 2);
    club_check(club, id);
}

/* What happened to the actions below, in one thread. */
static char happened[8];

static void note(char what)
{
    happened[strlen(happened)] = what;
}

static void note_judged(struct action *action, const struct game *game)
{
    (void)action;
    (void)game;
    note('j');
}

static void note_answered(struct action *action)
{
    note('a');
    usual_done(action);
}

static struct deed *noted(struct deed *deed)
{
    usual_done = deed->action.done;
    deed->action.render = note_judged;
    deed->action.done = note_answered;
    return deed;
}

static void each_of_those_that_waited_is_answered_before_the_next_is_judged(void **state)
{
    static const char refused[] = "e5 Nf3 Nc6 Bc4 Bc5 c3 Nf6 d3 Ke2";
    struct club *club = *state;
    const char *id = club_create(club);
    struct deed *ahead = moves(club, id, "e4"), *first = noted(moves(club, id, refused)),
                *second = noted(moves(club, id, refused));
    memset(happened, 0, sizeof happened);
    faulty_hold(club->front);
    start(ahead);
    start(first);
    start(second);
    faulty_release(club->front);
    assert_int_equal(deed_await(first), ACTION_MOVE_REFUSED);
    assert_int_equal(deed_await(second), ACTION_MOVE_REFUSED);
    assert_string_equal(happened, "jaja");
}

/* ---- a game whose moves take long to judge ------------------------------------------------------------------------- */

/* Whether this is dead is not seen at once. */
static const char *const hard = "4k3/1p6/pPp5/P1Pp1p1p/3PpPpP/4P1P1/P7/R3K3 w Q - 0 1";
enum { ROUNDS = 40, ROUND_PLIES = 4 };

static const char *create_hard(struct club *club)
{
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.fivefold = false;
    rules.seventyfive = false;
    return club_create_rules(club, hard, &rules, NULL);
}

/* The kings go to and fro; behind that a last move. */
static struct deed *many_moves(struct club *club, const char *id, const char *last)
{
    static const char round[] = "Kd1 Kd8 Ke1 Ke8 ";
    char text[ROUNDS * (sizeof round - 1) + 16] = "";
    for (size_t i = 0; i < ROUNDS; i++)
        memcpy(text + i * (sizeof round - 1), round, sizeof round);
    strcat(text, last);
    return moves(club, id, text);
}

static struct meanwhile {
    struct club *club;
    const char *id;
    atomic_uint reads;
    atomic_bool judging, over;
} meanwhile;

static void note_judgement(struct action *action, const struct game *game)
{
    (void)action;
    (void)game;
    atomic_store(&meanwhile.judging, false);
}

static bool are_judged(void)
{
    struct shard *shard = registry_shard(&meanwhile.club->games->registry, meanwhile.id);
    pthread_mutex_lock(&shard->lock);
    const struct live *live = entry_awake(shard_find(shard, meanwhile.id));
    bool in_flight = live && live->in_flight;
    pthread_mutex_unlock(&shard->lock);
    return in_flight && atomic_load(&meanwhile.judging);
}

/* As a network thread does. Counts the reads that were answered before the moves were judged: one that had waited for all of
 * them is none. */
static void *read_meanwhile(void *context)
{
    (void)context;
    while (!atomic_load(&meanwhile.over)) {
        bool judging = are_judged();
        bool read = club_look(meanwhile.club, meanwhile.id, false) == GAMES_OK;
        if (judging && read && atomic_load(&meanwhile.judging))
            atomic_fetch_add(&meanwhile.reads, 1);
    }
    return NULL;
}

static void begin_reading(struct club *club, const char *id, struct deed *deed, pthread_t *thread)
{
    meanwhile.club = club;
    meanwhile.id = id;
    atomic_store(&meanwhile.reads, 0);
    atomic_store(&meanwhile.judging, true);
    atomic_store(&meanwhile.over, false);
    deed->action.render = note_judgement;
    assert_int_equal(pthread_create(thread, NULL, read_meanwhile, NULL), 0);
}

static void end_reading(pthread_t thread)
{
    atomic_store(&meanwhile.over, true);
    pthread_join(thread, NULL);
    assert_true(atomic_load(&meanwhile.reads) > 0);
}

static void a_game_is_read_while_many_of_its_moves_are_judged(void **state)
{
    struct club *club = *state;
    const char *id = create_hard(club);
    struct deed *deed = many_moves(club, id, "");
    pthread_t reader;
    begin_reading(club, id, deed, &reader);
    assert_int_equal(deed_start(deed), GAMES_PENDING);
    assert_int_equal(deed_await(deed), ACTION_DONE);
    end_reading(reader);
    assert_int_equal(club_view(club, id)->head.ply, ROUNDS * ROUND_PLIES);
    club_check(club, id);
}

/* Acts as soon as they are. */
static void *come_meanwhile(void *deed)
{
    while (atomic_load(&meanwhile.reads) == 0 && atomic_load(&meanwhile.judging))
        continue;
    (void)deed_start(deed);
    return NULL;
}

static void who_comes_while_many_moves_are_judged_is_next(void **state)
{
    struct club *club = *state;
    const char *id = create_hard(club);
    struct deed *refused = many_moves(club, id, "Kh8"), *behind = moves(club, id, "Kd2");
    pthread_t reader, player;
    begin_reading(club, id, refused, &reader);
    assert_int_equal(pthread_create(&player, NULL, come_meanwhile, behind), 0);
    assert_int_equal(deed_start(refused), GAMES_OK);
    assert_int_equal(refused->action.outcome, ACTION_MOVE_REFUSED);
    pthread_join(player, NULL);
    assert_int_equal(deed_await(behind), ACTION_DONE);
    end_reading(reader);
    assert_int_equal(club_view(club, id)->head.ply, 1);
    club_check(club, id);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        FAULTY_TEST(many_moves_that_waited_are_not_judged_in_the_thread_that_writes),
        FAULTY_TEST(who_waits_behind_many_moves_that_are_refused_is_next),
        FAULTY_TEST(each_of_those_that_waited_is_answered_before_the_next_is_judged),
        CLUB_TEST(a_game_is_read_while_many_of_its_moves_are_judged),
        CLUB_TEST(who_comes_while_many_moves_are_judged_is_next),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
