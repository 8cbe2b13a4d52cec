/* Every action by everybody: what the table of rights says, and what games does. Private games; a race for a seat. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "games/rights.h"
#include "tests/support/games_seated.h"

/* Who asks: somebody without a token, with one of another game, or in a role. */
enum asker { NOBODY, STRANGER, WHITE, BLACK, SPECTATOR, CREATOR, OPERATOR, ASKER_COUNT };

static const enum game_role roles[ASKER_COUNT] = {
    [NOBODY] = ROLE_NONE,         [STRANGER] = ROLE_NONE,   [WHITE] = ROLE_WHITE,       [BLACK] = ROLE_BLACK,
    [SPECTATOR] = ROLE_SPECTATOR, [CREATOR] = ROLE_CREATOR, [OPERATOR] = ROLE_OPERATOR,
};

#define DONE     ACTION_DONE
#define REQUIRED ACTION_TOKEN_REQUIRED
#define INVALID  ACTION_TOKEN_INVALID
#define SEAT     ACTION_WRONG_SEAT
#define READS    ACTION_SPECTATOR_ONLY
#define MAKER    ACTION_NOT_CREATOR
#define CONSENT  ACTION_CONSENT_REQUIRED
#define TURN     ACTION_NOT_YOUR_TURN
#define OWN      ACTION_OWN_OFFER
#define LATE     ACTION_ABORT_TOO_LATE
#define NONE     ACTION_NO_OPEN_OFFER
#define RUNS     ACTION_CLOCK_RUNNING
#define TAKEN    ACTION_SEAT_TAKEN
#define RULES    ACTION_FORBIDDEN_BY_RULES
#define AGAIN    ACTION_REPLAYED

/* The contract (API 4.5, 5 and 9), written down a second time: in a timed game after 1 e4 e5, where Black has offered
 * what is to be answered; time is given to White, and the seat that is asked for is White's. */
/* clang-format off */
static const enum action_outcome expected[ACTION_KIND_COUNT][ASKER_COUNT] = {
    /*                            nobody    stranger white    black    spectator creator  operator */
    [ACTION_MOVE]              = {REQUIRED, INVALID, DONE,    TURN,    READS,    SEAT,    SEAT},
    [ACTION_UNDO]              = {REQUIRED, INVALID, CONSENT, CONSENT, CONSENT,  CONSENT, CONSENT},
    [ACTION_CLAIM]             = {REQUIRED, INVALID, DONE,    TURN,    READS,    SEAT,    SEAT},
    [ACTION_OFFER_DRAW]        = {REQUIRED, INVALID, DONE,    DONE,    READS,    SEAT,    SEAT},
    [ACTION_ACCEPT_DRAW]       = {REQUIRED, INVALID, DONE,    OWN,     READS,    SEAT,    SEAT},
    [ACTION_DECLINE_DRAW]      = {REQUIRED, INVALID, DONE,    OWN,     READS,    SEAT,    SEAT},
    [ACTION_RESIGN]            = {REQUIRED, INVALID, DONE,    DONE,    READS,    SEAT,    SEAT},
    [ACTION_ABORT]             = {REQUIRED, INVALID, LATE,    LATE,    READS,    LATE,    LATE},
    [ACTION_ADJUDICATE]        = {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    DONE,    DONE},
    [ACTION_TAKEBACK]          = {REQUIRED, INVALID, DONE,    DONE,    READS,    SEAT,    SEAT},
    [ACTION_ACCEPT_TAKEBACK]   = {REQUIRED, INVALID, DONE,    OWN,     READS,    SEAT,    SEAT},
    [ACTION_DECLINE_TAKEBACK]  = {REQUIRED, INVALID, DONE,    OWN,     READS,    SEAT,    SEAT},
    [ACTION_WITHDRAW_TAKEBACK] = {REQUIRED, INVALID, NONE,    DONE,    READS,    SEAT,    SEAT},
    [ACTION_FLAG]              = {RUNS,     RUNS,    RUNS,    RUNS,    RUNS,     RUNS,    RUNS},
    [ACTION_ABANDON]           = {RUNS,     RUNS,    RUNS,    RUNS,    RUNS,     RUNS,    RUNS},
    [ACTION_ADD_TIME]          = {REQUIRED, INVALID, SEAT,    DONE,    READS,    DONE,    DONE},
    [ACTION_ILLEGAL_MOVE]      = {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    DONE,    DONE},
    [ACTION_UPDATE]            = {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    DONE,    DONE},
    [ACTION_DELETE]            = {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    DONE,    DONE},
    [ACTION_TAKE_SEAT]         = {TAKEN,    INVALID, AGAIN,   SEAT,    READS,    TAKEN,   TAKEN},
    [ACTION_LEAVE_SEAT]        = {REQUIRED, INVALID, RULES,   SEAT,    READS,    RULES,   RULES},
    [ACTION_RENEW_TOKEN]       = {REQUIRED, INVALID, MAKER,   MAKER,   MAKER,    DONE,    DONE},
};
/* clang-format on */

static void prepare(struct seated *seated, enum action_kind kind)
{
    bool draw = kind == ACTION_ACCEPT_DRAW || kind == ACTION_DECLINE_DRAW;
    bool takeback =
        kind == ACTION_ACCEPT_TAKEBACK || kind == ACTION_DECLINE_TAKEBACK || kind == ACTION_WITHDRAW_TAKEBACK;
    if (draw || takeback)
        assert_int_equal(club_do(seated->club,
                                 seated_deed(seated, draw ? ACTION_OFFER_DRAW : ACTION_TAKEBACK, ROLE_BLACK)),
                         ACTION_DONE);
}

static struct deed *deed_of(struct seated *seated, enum action_kind kind, enum asker asker)
{
    struct deed *deed = seated_deed(seated, kind, roles[asker]);
    if (asker == STRANGER)
        deed_by_token(deed, "cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    if (kind == ACTION_MOVE)
        deed_set_moves(deed, "Nf3");
    if (kind == ACTION_UNDO)
        deed->action.undo_plies = 1;
    if (kind == ACTION_UPDATE)
        deed->action.update = (struct action_update){.sets_white = true, .texts = {.white_name = "new"}};
    if (kind == ACTION_ADJUDICATE)
        deed->action.adjudicate = (struct action_adjudicate){.result = RESULT_DRAW};
    if (kind == ACTION_ADD_TIME)
        deed->action.add_time = (struct action_add_time){.seat = SEAT_WHITE, .ms = 1000};
    if (kind == ACTION_TAKE_SEAT || kind == ACTION_LEAVE_SEAT)
        deed->action.place.seat = SEAT_WHITE;
    if (kind == ACTION_RENEW_TOKEN)
        deed->action.renewed = ROLE_WHITE;
    return deed;
}

static void every_action_by_everybody_comes_to_what_the_contract_says(void **state)
{
    struct club *club = *state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++)
        for (int asker = 0; asker < ASKER_COUNT; asker++) {
            struct seated *seated = seated_create(club, "300+3", NULL);
            seated_play(seated, "e4 e5");
            prepare(seated, (enum action_kind)kind);
            struct deed *deed = deed_of(seated, (enum action_kind)kind, (enum asker)asker);
            enum action_outcome outcome = club_do(club, deed);
            if (outcome != expected[kind][asker])
                fail_msg("action %d by %d: outcome %d, not %d", kind, asker, outcome, expected[kind][asker]);
        }
}

/* Refusals that the state of the game alone explains are no matter of rights. */
static void the_table_says_the_same(void **state)
{
    (void)state;
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++)
        for (int asker = 0; asker < ASKER_COUNT; asker++) {
            enum action_outcome wanted = expected[kind][asker];
            enum action_outcome said = rights((enum action_kind)kind, roles[asker]);
            bool of_rights = wanted == REQUIRED || wanted == READS || wanted == MAKER || wanted == CONSENT;
            if (asker != STRANGER && of_rights && said != wanted)
                fail_msg("action %d by %d: %d, not %d", kind, asker, said, wanted);
            if (asker != STRANGER && !of_rights && said != ACTION_DONE && said != wanted)
                fail_msg("action %d by %d may, but the table says %d", kind, asker, said);
        }
}

static void who_may_not_is_told_before_anything_else(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    seated_play(seated, "f3 e5 g4 Qh4");
    struct deed *deed = seated_deed(seated, ACTION_MOVE, ROLE_SPECTATOR);
    deed_set_moves(deed, "nonsense");
    deed->action.ply = 1;
    deed_if_version(deed, 99);
    assert_int_equal(club_do(club, deed), ACTION_SPECTATOR_ONLY);
}

static void the_turn_comes_after_version_end_and_ply_and_before_the_move(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, NULL, NULL);
    seated_play(seated, "e4");
    struct deed *deed = seated_deed(seated, ACTION_MOVE, ROLE_WHITE);
    deed_set_moves(deed, "nonsense");
    assert_int_equal(club_do(club, deed), ACTION_NOT_YOUR_TURN);
    deed = seated_deed(seated, ACTION_MOVE, ROLE_WHITE);
    deed_set_moves(deed, "nonsense");
    deed->action.ply = 3;
    assert_int_equal(club_do(club, deed), ACTION_PLY_CONFLICT);
    deed = seated_deed(seated, ACTION_MOVE, ROLE_WHITE);
    deed_set_moves(deed, "nonsense");
    deed_if_version(deed, 1);
    assert_int_equal(club_do(club, deed), ACTION_VERSION_MISMATCH);
}

/* ---- private games ------------------------------------------------------------------------------------- */

static void a_private_game_is_hidden_from_who_has_no_token_of_it(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create_private(club);
    for (int kind = ACTION_MOVE; kind < ACTION_KIND_COUNT; kind++) {
        assert_int_equal(club_do(club, deed_of(seated, (enum action_kind)kind, NOBODY)), ACTION_HIDDEN);
        assert_int_equal(club_do(club, deed_of(seated, (enum action_kind)kind, STRANGER)), ACTION_HIDDEN);
    }
}

static void a_private_game_is_read_with_any_token_of_it(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create_private(club);
    const struct game *game = club_view(club, seated->id);
    for (int asker = 0; asker < ASKER_COUNT; asker++) {
        const struct caller *caller = &deed_of(seated, ACTION_FLAG, (enum asker)asker)->action.caller;
        assert_int_equal(game_may_read(game, caller), asker != NOBODY && asker != STRANGER);
    }
}

static void a_token_of_another_private_game_does_not_open_this_one(void **state)
{
    struct club *club = *state;
    struct seated *one = seated_create_private(club), *other = seated_create_private(club);
    struct deed *deed = club_deed(club, ACTION_FLAG, one->id);
    deed_by_token(deed, other->tokens[ROLE_CREATOR]);
    assert_int_equal(club_do(club, deed), ACTION_HIDDEN);
}

static void flags_fall_in_private_games_too(void **state)
{
    struct club *club = *state;
    struct seated *seated = seated_create(club, "60+0", NULL);
    struct deed *deed = seated_deed(seated, ACTION_UPDATE, ROLE_CREATOR);
    deed->action.update = (struct action_update){.sets_visibility = true, .visibility = VISIBILITY_PRIVATE};
    assert_int_equal(club_do(club, deed), ACTION_DONE);
    seated_play(seated, "e4");
    club_advance(club, 60001);
    (void)club_tick(club, seated->id);
    assert_int_equal(club_view(club, seated->id)->head.end.termination, TERMINATION_TIMEOUT);
}

/* ---- a race -------------------------------------------------------------------------------------------- */

enum { RACERS = 8, RACES = 20 };

struct racer {
    pthread_t thread;
    struct deed *deed;
    pthread_barrier_t *start;
    enum action_outcome outcome;
};

static void *run(void *context)
{
    struct racer *racer = context;
    (void)pthread_barrier_wait(racer->start);
    (void)deed_start(racer->deed);
    racer->outcome = deed_await(racer->deed);
    return NULL;
}

static void race(struct club *club)
{
    struct seated *seated = seated_create(club, NULL, NULL);
    struct racer racers[RACERS];
    pthread_barrier_t start;
    assert_int_equal(pthread_barrier_init(&start, NULL, RACERS), 0);
    for (unsigned i = 0; i < RACERS; i++) {
        racers[i] = (struct racer){.deed = seated_deed(seated, ACTION_TAKE_SEAT, ROLE_NONE), .start = &start};
        racers[i].deed->action.place.seat = SEAT_BLACK;
        assert_int_equal(pthread_create(&racers[i].thread, NULL, run, &racers[i]), 0);
    }
    unsigned winners = 0;
    for (unsigned i = 0; i < RACERS; i++) {
        assert_int_equal(pthread_join(racers[i].thread, NULL), 0);
        winners += racers[i].outcome == ACTION_DONE;
        assert_true(racers[i].outcome == ACTION_DONE || racers[i].outcome == ACTION_SEAT_TAKEN);
        assert_int_equal(racers[i].deed->action.tokens[1][0] != '\0', racers[i].outcome == ACTION_DONE);
    }
    assert_int_equal(winners, 1);
    (void)pthread_barrier_destroy(&start);
    club_check(club, seated->id);
}

static void of_those_who_race_for_a_seat_one_gets_it(void **state)
{
    for (unsigned i = 0; i < RACES; i++)
        race(*state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLUB_TEST(every_action_by_everybody_comes_to_what_the_contract_says),
        cmocka_unit_test(the_table_says_the_same),
        CLUB_TEST(who_may_not_is_told_before_anything_else),
        CLUB_TEST(the_turn_comes_after_version_end_and_ply_and_before_the_move),
        CLUB_TEST(a_private_game_is_hidden_from_who_has_no_token_of_it),
        CLUB_TEST(a_private_game_is_read_with_any_token_of_it),
        CLUB_TEST(a_token_of_another_private_game_does_not_open_this_one),
        CLUB_TEST(flags_fall_in_private_games_too),
        CLUB_TEST(of_those_who_race_for_a_seat_one_gets_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
