/* Random games: whatever is done to them, the game in memory is the game of the log, and obeys the laws.
 *
 * club_do checks after each action; see tests/support/games_club.h and games_check.h. What may come out of an
 * action is predicted here, as far as the order of checks says (API section 5). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "games/judge.h"
#include "games/rights.h"
#include "tests/games/neighbours.h"
#include "tests/games/possible.h"
#include "tests/games/random_actions.h"

enum { ACTIONS_A_GAME = 60, ACTIONS_AFTER_THE_END = 5 };

static uint64_t seed;

/* What was met on the way; printed, so that a generator that has become lame shows. */
struct tally {
    unsigned outcomes[ACTION_OUTCOME_COUNT], terminations[TERMINATION_COUNT];
};

static bool names_version(const struct action *action, uint32_t version)
{
    for (unsigned i = 0; i < action->if_count; i++)
        if (action->if_versions[i] == version)
            return true;
    return !action->if_given;
}

/* The action is one that may be repeated, and this could be the repeat. */
static bool may_be_replay(const struct action *action, const struct game *game)
{
    switch (action->kind) {
    case ACTION_MOVE:
        return action->ply && action->ply <= game->head.ply;
    case ACTION_CLAIM:
        return game->head.end.claim != CLAIM_NONE;
    case ACTION_RESIGN:
        return game->head.end.termination == TERMINATION_RESIGNATION ||
               game->head.end.termination == TERMINATION_RESIGNATION_UNWINNABLE;
    case ACTION_ABORT:
        return game->head.end.termination == TERMINATION_ABORTED;
    case ACTION_ILLEGAL_MOVE:
        return game->head.end.termination == TERMINATION_RULES_INFRACTION;
    case ACTION_OFFER_DRAW:
        return game->head.offer_by != SEAT_NONE;
    case ACTION_ACCEPT_DRAW:
        return game->head.end.termination == TERMINATION_AGREEMENT;
    case ACTION_ADJUDICATE:
        return game->head.end.termination == TERMINATION_ADJUDICATION;
    case ACTION_FLAG:
        return game->head.end.termination == TERMINATION_TIMEOUT ||
               game->head.end.termination == TERMINATION_TIMEOUT_UNWINNABLE;
    case ACTION_TAKEBACK:
        return game->head.takeback_by != SEAT_NONE;
    case ACTION_DECLINE_DRAW:
        return game->head.offer_by == SEAT_NONE;
    case ACTION_ACCEPT_TAKEBACK:
    case ACTION_DECLINE_TAKEBACK:
    case ACTION_WITHDRAW_TAKEBACK:
        return game->head.takeback_by == SEAT_NONE;
    case ACTION_UPDATE:
        return true;
    case ACTION_CREATE:
    case ACTION_UNDO:
    case ACTION_ABANDON:
    case ACTION_ADD_TIME:
    case ACTION_DELETE:
    case ACTION_RENEW_TOKEN:
    case ACTION_KIND_COUNT:
        break;
    case ACTION_TAKE_SEAT:
    case ACTION_LEAVE_SEAT:
        return game->seats != NULL;
    }
    return false;
}

/* Who may comes before anything else; ACTION_DONE: the caller may. */
static enum action_outcome refusal_of_rights(const struct action *action, const struct game *before)
{
    struct action copy = *action;
    enum action_outcome refusal = rights_check(before, &copy);
    bool stranger = action->caller.has_token && game_role_of(before, &action->caller) == ROLE_NONE;
    if (refusal == ACTION_DONE && action->kind == ACTION_TAKE_SEAT && before->seats && stranger)
        return ACTION_TOKEN_INVALID;
    return refusal;
}

static bool outcome_fits(const struct action *action, const struct game *before, enum action_outcome outcome)
{
    enum action_outcome refusal = refusal_of_rights(action, before);
    if (refusal != ACTION_DONE)
        return outcome == refusal;
    if (action->kind == ACTION_MOVE && may_be_replay(action, before))
        return outcome == ACTION_REPLAYED || outcome == ACTION_PLY_CONFLICT || outcome == ACTION_MOVE_REFUSED;
    if (may_be_replay(action, before) && outcome == ACTION_REPLAYED)
        return true;
    if (!names_version(action, before->head.version))
        return outcome == ACTION_VERSION_MISMATCH;
    enum action_outcome life = lifecycle(action->kind, (enum game_status)before->head.status);
    if (life != ACTION_DONE)
        return outcome == life;
    if (action_is_of_seats(action->kind) && !before->seats)
        return outcome == ACTION_FORBIDDEN_BY_RULES;
    return outcome != ACTION_VERSION_MISMATCH && outcome != ACTION_REPLAYED && outcome < ACTION_GONE;
}

/* The game as the action finds it: a flag that had fallen, or an abandonment, came first. */
static struct game as_found(const struct action *action, const struct game *before)
{
    struct game found = *before;
    enum action_kind overdue = judge_overdue_before(before, action);
    if (overdue == ACTION_KIND_COUNT)
        return found;
    found.head.version++;
    found.head.offer_by = found.head.takeback_by = SEAT_NONE;
    found.head.status = overdue == ACTION_ABANDON && before->head.ply < 2 ? GAME_ABORTED : GAME_ENDED;
    found.head.end = (struct game_end){.termination = overdue == ACTION_FLAG ? TERMINATION_TIMEOUT
                                                                             : TERMINATION_ABANDONMENT};
    return found;
}

/* How many versions an action that was done has made. */
static unsigned versions_made(const struct action *action)
{
    if (action->kind == ACTION_MOVE)
        return (unsigned)action->move.count;
    bool played = action->kind == ACTION_CLAIM && !action->verdict.valid && action->verdict.move != MOVE_NONE;
    return played ? 2 : 1;
}

static void expect_fitting(const struct deed *deed, const struct snapshot *before,
                           const struct snapshot *after, enum action_outcome outcome)
{
    const struct action *action = &deed->action;
    struct game found = as_found(action, &before->game);
    if (!outcome_fits(action, &found, outcome))
        fail_msg("action %d in status %d: outcome %d", action->kind, found.head.status, outcome);
    if (!after)
        return;
    bool done = outcome == ACTION_DONE && !action->validate_only;
    assert_int_equal(after->game.head.version, found.head.version + (done ? versions_made(action) : 0));
}

/* Time goes by, mostly less than a clock has; now and then nobody has done anything for long. */
static void pass_time(struct random *random, struct club *club, const char *id)
{
    if (random_chance(random, 60))
        club_advance(club, random_below(random, 1500));
    if (random_chance(random, 2))
        club_advance(club, random_below(random, 100000));
    if (random_chance(random, 15)) {
        (void)club_tick(club, id);
        club_check(club, id);
    }
}

/* `neighbour` drives the game out of memory; NULL: there is none. */
static void shake(struct random *random, struct club *club, const char *neighbour)
{
    if (neighbour && random_chance(random, 50))
        assert_int_equal(club_look(club, neighbour, true), GAMES_OK);
    if (random_chance(random, 6))
        club_forget(club);
    if (random_chance(random, 1))
        club_reopen(club);
}

/* How many actions are still worth while; `left` of those before. */
static unsigned actions_left(const struct snapshot *after, unsigned left)
{
    if (!after)
        return 0;
    bool over = after->game.head.status == GAME_ENDED || after->game.head.status == GAME_ABORTED;
    return over && left > ACTIONS_AFTER_THE_END ? ACTIONS_AFTER_THE_END : left - 1;
}

/* Returns how many actions are left of `left`. */
static unsigned act_once(struct random *random, struct club *club, const char *id, struct tally *tally,
                         unsigned left)
{
    struct snapshot *before = club_live(club, id);
    assert_non_null(before);
    struct deed *deed = deed_create(club, random_kind(random, true), id);
    assert_non_null(deed);
    random_fill(random, deed, &before->game);
    if (random_chance(random, 5)) /* it was there before, and comes to be judged only now */
        deed->action.received_ms = games_service_ms(club->games) - random_below(random, 500);
    if (deed->action.received_ms < 0)
        deed->action.received_ms = 0;
    enum action_outcome outcome = club_do(club, deed);
    struct snapshot *after = club_live(club, id);
    expect_fitting(deed, before, after, outcome);
    tally->outcomes[outcome]++;
    if (after && before->game.head.status == GAME_ACTIVE && after->game.head.status != GAME_ACTIVE)
        tally->terminations[after->game.head.end.termination]++;
    left = actions_left(after, left);
    snapshot_free(before);
    snapshot_free(after);
    deed_destroy(deed);
    return left;
}

static void create_game(struct random *random, struct club *club, char id[GAME_ID_SIZE], struct tally *tally)
{
    struct random_start start;
    struct deed *create = deed_create(club, ACTION_CREATE, NULL);
    assert_non_null(create);
    random_create(random, create, &start);
    enum action_outcome outcome = club_do(club, create);
    if (outcome == ACTION_OUTCOME_COUNT || outcome == ACTION_GAME_OVER || outcome == ACTION_MOVE_REFUSED) {
        deed_destroy(create); /* its moves went on after the end, or do not fit the position */
        create_game(random, club, id, tally);
        return;
    }
    assert_int_equal(outcome, ACTION_DONE);
    snprintf(id, GAME_ID_SIZE, "%s", create->action.id);
    tally->terminations[create->picture->game.head.end.termination]++;
    deed_destroy(create);
}

static void play_games(struct club *club, unsigned games, bool crowded, struct tally *tally)
{
    char neighbour[GAME_ID_SIZE];
    for (unsigned i = 0; i < games; i++) {
        struct random random = random_begin(seed, i);
        char id[GAME_ID_SIZE];
        create_game(&random, club, id, tally);
        if (crowded)
            neighbours_beside(club, id, neighbour);
        for (unsigned left = ACTIONS_A_GAME; left > 0;) {
            pass_time(&random, club, id);
            left = act_once(&random, club, id, tally, left);
            shake(&random, club, crowded ? neighbour : NULL);
        }
        if (random_chance(&random, 90)) { /* a few are left to their timers */
            club->unchecked = true;
            (void)club_delete(club, id); /* it may be gone already */
            club->unchecked = false;
        }
    }
}

static void print_tally(const struct tally *tally)
{
    for (int i = 0; i < ACTION_OUTCOME_COUNT; i++)
        printf("outcome %2d: %u\n", i, tally->outcomes[i]);
    for (int i = TERMINATION_NONE + 1; i < TERMINATION_COUNT; i++)
        printf("%s: %u\n", game_termination_name((enum game_termination)i), tally->terminations[i]);
}

static void the_game_in_memory_is_the_game_of_the_log_after_any_action(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.plies_limit = 30});
    struct tally tally = {0};
    unsigned games = random_work(300);
    play_games(club, games, false, &tally);
    print_tally(&tally);
    for (int i = TERMINATION_NONE + 1; i < TERMINATION_COUNT && games >= 2000; i++)
        if (!tally.terminations[i])
            fail_msg("%u games, and none has ended by %s", games,
                     game_termination_name((enum game_termination)i));
    club_close(club);
}

static void nothing_is_lost_when_memory_holds_hardly_a_game(void **state)
{
    (void)state;
    struct club *club = club_open(&(struct club_options){.memory_bytes = 1});
    struct tally tally = {0};
    play_games(club, random_work(300) / 5, true, &tally);
    club_close(club);
}

int main(void)
{
    seed = chance_seed();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_game_in_memory_is_the_game_of_the_log_after_any_action),
        cmocka_unit_test(nothing_is_lost_when_memory_holds_hardly_a_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
