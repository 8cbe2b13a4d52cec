/* The rule options of a game: profiles, what is claimed by itself, automatic ends that are off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/games/random_actions.h"

static const char *const once_more = "Nf3 Nf6 Ng1 Ng8";

static enum game_termination termination_of(struct club *club, const char *id)
{
    return (enum game_termination)club_view(club, id)->head.end.termination;
}

static void the_profiles_are_those_of_the_api(void **state)
{
    (void)state;
    struct game_rules fide = game_rules_default(PROFILE_FIDE);
    assert_int_equal(fide.auto_claim, 0);
    assert_int_equal(fide.failed_claim, FAILED_CLAIM_OFFER);
    struct game_rules online = game_rules_default(PROFILE_ONLINE);
    assert_int_equal(online.auto_claim, 1U << CLAIM_THREEFOLD | 1U << CLAIM_FIFTY);
    assert_int_equal(online.failed_claim, FAILED_CLAIM_REFUSE);
    assert_true(fide.fivefold && fide.seventyfive && online.fivefold && online.seventyfive);
}

static void both_profiles_leave_the_rest_to_the_laws(void **state)
{
    (void)state;
    for (int profile = 0; profile < PROFILE_COUNT; profile++) {
        struct game_rules rules = game_rules_default((enum game_profile)profile);
        assert_int_equal(rules.profile, profile);
        assert_int_equal(rules.dead, ENDING_DEAD_EXACT);
        assert_int_equal(rules.draw_offers, DRAW_OFFERS_ANYTIME);
        assert_int_equal(rules.draw_offers_from_move, 0);
        assert_int_equal(rules.claim_penalty_ms, 120000); /* 9.5.3: two minutes */
        assert_int_equal(rules.takeback, TAKEBACK_CONSENT);
        assert_int_equal(rules.move_limit, 0);
        assert_int_equal(rules.abandon_after_ms, 0);
    }
}

static void online_games_end_at_the_third_occurrence(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, NULL, PROFILE_ONLINE);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_int_equal(termination_of(club, id), TERMINATION_NONE);
    club_play(club, id, "Ng8");
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.end.termination, TERMINATION_THREEFOLD_REPETITION);
    assert_int_equal(game->head.end.result, RESULT_DRAW);
    assert_int_equal(game->head.end.claim, CLAIM_NONE); /* nobody claimed */
    assert_int_equal(game->head.ply, 8);
}

static void online_games_end_at_a_hundred_half_moves(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, "4k3/8/8/8/8/8/8/R3K3 w - - 98 80", PROFILE_ONLINE);
    club_play(club, id, "Ra2");
    assert_int_equal(termination_of(club, id), TERMINATION_NONE);
    club_play(club, id, "Kd8");
    assert_int_equal(termination_of(club, id), TERMINATION_FIFTY_MOVES);
    const char *created = club_create_profile(club, "4k3/8/8/8/8/8/8/R3K3 w - - 100 80", PROFILE_ONLINE);
    assert_int_equal(termination_of(club, created), TERMINATION_FIFTY_MOVES);
}

static void mate_goes_before_what_claims_itself(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 99 80", PROFILE_ONLINE);
    club_play(club, id, "Ra8#");
    assert_int_equal(termination_of(club, id), TERMINATION_CHECKMATE);
}

static void wrong_claims_are_refused_online(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, NULL, PROFILE_ONLINE);
    assert_int_equal(club_claim(club, id, CLAIM_NONE, NULL), ACTION_CLAIM_INVALID);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, "e4"), ACTION_CLAIM_INVALID);
}

static void an_announced_claim_is_possible_online_too(void **state)
{
    struct club *club = *state;
    const char *id = club_create_profile(club, NULL, PROFILE_ONLINE);
    club_play(club, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1");
    assert_int_equal(club_claim(club, id, CLAIM_NONE, "Ng8"), ACTION_DONE);
    assert_int_equal(club_view(club, id)->head.end.claim, CLAIM_THREEFOLD);
}

static void one_claim_may_come_by_itself_and_the_other_not(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.auto_claim = 1U << CLAIM_FIFTY;
    const char *repeated = club_create_rules(club, NULL, &rules, NULL);
    club_play(club, repeated, once_more);
    club_play(club, repeated, once_more);
    assert_int_equal(termination_of(club, repeated), TERMINATION_NONE);
    const char *counted = club_create_rules(club, "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", &rules, "Ra2");
    assert_int_equal(termination_of(club, counted), TERMINATION_FIFTY_MOVES);
}

static void fivefold_repetition_can_be_off(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.fivefold = false;
    const char *id = club_create_rules(club, NULL, &rules, NULL);
    for (int i = 0; i < 5; i++)
        club_play(club, id, once_more);
    const struct game *game = club_view(club, id);
    assert_int_equal(game->head.status, GAME_ACTIVE);
    assert_int_equal(game->head.repetition, 6);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE); /* still claimable */
    assert_int_equal(club->last->action.verdict.count, 6);
    assert_int_equal(termination_of(club, id), TERMINATION_THREEFOLD_REPETITION);
}

static void evidence_has_room_for_six_plies(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.fivefold = false;
    const char *id = club_create_rules(club, NULL, &rules, NULL);
    for (int i = 0; i < 9; i++)
        club_play(club, id, once_more);
    assert_int_equal(club_claim(club, id, CLAIM_THREEFOLD, NULL), ACTION_DONE);
    assert_int_equal(club->last->action.verdict.count, 10);
    assert_int_equal(club->last->action.verdict.ply_count, ENDING_FIVEFOLD_COUNT + 1);
}

static void seventyfive_moves_can_be_off(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.seventyfive = false;
    const char *id = club_create_rules(club, "4k3/8/8/8/8/8/8/R3K3 w - - 149 120", &rules, "Ra2 Kd8 Ra1");
    assert_int_equal(club_view(club, id)->head.position.halfmove_clock, 152);
    assert_int_equal(termination_of(club, id), TERMINATION_NONE);
    assert_int_equal(club_claim(club, id, CLAIM_FIFTY, NULL), ACTION_DONE);
}

static void dead_positions_can_be_off(void **state)
{
    struct club *club = *state;
    struct game_rules rules = game_rules_default(PROFILE_FIDE);
    rules.dead = ENDING_DEAD_OFF;
    const char *id = club_create_rules(club, "8/8/8/4k3/3P4/8/8/4K3 b - - 0 1", &rules, "Kxd4");
    assert_int_equal(termination_of(club, id), TERMINATION_NONE);
    club_play(club, id, "Ke2");
}

/* ---- as the store keeps them -------------------------------------------------------------------------- */

static uint32_t some_number(struct random *random, uint32_t most)
{
    unsigned kind = random_below(random, 4);
    return kind == 0 ? 0 : kind == 1 ? most : random_below(random, most);
}

static struct game_rules any_rules(struct random *random)
{
    return (struct game_rules){
        .profile = (uint8_t)random_below(random, PROFILE_COUNT),
        .failed_claim = (uint8_t)random_below(random, FAILED_CLAIM_COUNT),
        .auto_claim = (uint8_t)(random_below(random, 4) << CLAIM_THREEFOLD),
        .dead = (uint8_t)random_below(random, ENDING_DEAD_COUNT),
        .draw_offers = (uint8_t)random_below(random, DRAW_OFFERS_COUNT),
        .takeback = (uint8_t)random_below(random, TAKEBACK_COUNT),
        .fivefold = random_chance(random, 50),
        .seventyfive = random_chance(random, 50),
        .draw_offers_from_move = (uint16_t)some_number(random, GAME_DRAW_OFFERS_FROM_MOVE_MAX),
        .move_limit = (uint16_t)some_number(random, GAME_MOVE_LIMIT_MAX),
        .claim_penalty_ms = some_number(random, TIME_MS_MAX),
        .abandon_after_ms = some_number(random, TIME_MS_MAX),
    };
}

static void expect_rules(const struct game_rules *rules, const struct game_rules *expected)
{
    assert_int_equal(rules->profile, expected->profile);
    assert_int_equal(rules->failed_claim, expected->failed_claim);
    assert_int_equal(rules->auto_claim, expected->auto_claim);
    assert_int_equal(rules->dead, expected->dead);
    assert_int_equal(rules->draw_offers, expected->draw_offers);
    assert_int_equal(rules->takeback, expected->takeback);
    assert_int_equal(rules->fivefold, expected->fivefold);
    assert_int_equal(rules->seventyfive, expected->seventyfive);
    assert_int_equal(rules->draw_offers_from_move, expected->draw_offers_from_move);
    assert_int_equal(rules->move_limit, expected->move_limit);
    assert_int_equal(rules->claim_penalty_ms, expected->claim_penalty_ms);
    assert_int_equal(rules->abandon_after_ms, expected->abandon_after_ms);
}

static void options_survive_a_reload(void **state)
{
    struct club *club = *state;
    struct random random = random_begin(chance_seed(), 1);
    for (unsigned i = 0; i < 64; i++) {
        struct game_rules rules = any_rules(&random);
        const char *id = club_create_rules(club, NULL, &rules, NULL);
        club_forget(club);
        expect_rules(&club_view(club, id)->rules, &rules);
    }
}

static void what_is_written_is_read(void **state)
{
    (void)state;
    struct random random = random_begin(chance_seed(), 2);
    for (unsigned i = 0; i < 10000; i++) {
        struct game_rules rules = any_rules(&random);
        struct game_rules read;
        char text[GAME_RULES_SIZE];
        game_rules_format(&rules, text);
        assert_true(game_rules_parse(text, &read));
        expect_rules(&read, &rules);
    }
}

/* The least that a store may hold: seven options, in this order. */
static void expect_first_release(unsigned n)
{
    static const char *const profiles[] = {"fide", "online"};
    static const char *const failed[] = {"offer", "refuse"};
    static const char *const dead[] = {"exact", "material", "off"};
    struct game_rules expected = {.profile = n & 1,
                                  .failed_claim = n >> 1 & 1,
                                  .auto_claim = (uint8_t)((n >> 2 & 3) << CLAIM_THREEFOLD),
                                  .fivefold = n >> 4 & 1,
                                  .seventyfive = n >> 5 & 1,
                                  .dead = (uint8_t)(n >> 6),
                                  .claim_penalty_ms = GAME_CLAIM_PENALTY_MS};
    char text[GAME_RULES_SIZE];
    (void)snprintf(text, sizeof text,
                   "profile=%s failed_claim=%s auto_threefold=%u auto_fifty=%u dead_position=%s fivefold=%u "
                   "seventyfive=%u",
                   profiles[n & 1], failed[n >> 1 & 1], n >> 2 & 1, n >> 3 & 1, dead[n >> 6], n >> 4 & 1,
                   n >> 5 & 1);
    struct game_rules read;
    if (!game_rules_parse(text, &read))
        fail_msg("%s", text);
    expect_rules(&read, &expected);
}

static void every_text_of_the_first_release_is_read(void **state)
{
    (void)state;
    for (unsigned n = 0; n < 3U << 6; n++)
        expect_first_release(n);
}

#define FIRST_RELEASE                                                                                        \
    "profile=fide failed_claim=offer auto_threefold=0 auto_fifty=0 dead_position=exact fivefold=1 "          \
    "seventyfive=1"

static void a_line_of_options_that_nobody_wrote_is_refused(void **state)
{
    static const char *const lines[] = {
        "",
        "profile=fide",
        "profile=chess failed_claim=offer auto_threefold=0 auto_fifty=0 dead_position=material fivefold=1 "
        "seventyfive=1",
        "profile=fide failed_claim=maybe auto_threefold=0 auto_fifty=0 dead_position=material fivefold=1 "
        "seventyfive=1",
        "profile=fide failed_claim=offer auto_threefold=0 auto_fifty=0 dead_position=undead fivefold=1 "
        "seventyfive=1",
        "profile=fide failed_claim=offer auto_threefold=x auto_fifty=0 dead_position=material fivefold=1 "
        "seventyfive=1",
        FIRST_RELEASE " takeback=never",
        FIRST_RELEASE " draw_offers=",
        FIRST_RELEASE " draw_offers_from_move=-1",
        FIRST_RELEASE " move_limit=65536",
        FIRST_RELEASE " move_limit=10x",
        FIRST_RELEASE " claim_penalty_ms=4294967296",
        FIRST_RELEASE " abandon_after_ms=",
        FIRST_RELEASE " fivefold=2",
        FIRST_RELEASE " boredom=1",
        FIRST_RELEASE " takeback",
    };
    (void)state;
    for (size_t i = 0; i < sizeof lines / sizeof lines[0]; i++) {
        struct game_rules rules;
        memset(&rules, 0x55, sizeof rules);
        struct game_rules untouched = rules;
        assert_false(game_rules_parse(lines[i], &rules));
        assert_memory_equal(&rules, &untouched, sizeof rules);
    }
}

static void every_word_reads_back_as_what_it_names(void **state)
{
    (void)state;
    for (int i = 0; i < GAME_STATUS_COUNT; i++) {
        enum game_status status;
        assert_true(game_status_parse(game_status_name((enum game_status)i), &status));
        assert_int_equal(status, i);
    }
    for (int i = 0; i < RESULT_COUNT; i++) {
        enum game_result result;
        assert_true(game_result_parse(game_result_name((enum game_result)i), &result));
        assert_int_equal(result, i);
    }
    for (int i = TERMINATION_NONE + 1; i < TERMINATION_COUNT; i++) {
        enum game_termination termination;
        assert_true(game_termination_parse(game_termination_name((enum game_termination)i), &termination));
        assert_int_equal(termination, i);
    }
    for (int i = 0; i < VISIBILITY_COUNT; i++) {
        enum game_visibility visibility;
        assert_true(game_visibility_parse(game_visibility_name((enum game_visibility)i), &visibility));
        assert_int_equal(visibility, i);
    }
    for (int i = CLAIM_NONE + 1; i < CLAIM_REASON_COUNT; i++) {
        enum claim_reason reason;
        assert_true(game_claim_parse(game_claim_name((enum claim_reason)i), &reason));
        assert_int_equal(reason, i);
    }
}

static void every_word_of_an_option_reads_back_as_what_it_names(void **state)
{
    (void)state;
    for (int i = 0; i < PROFILE_COUNT; i++) {
        enum game_profile profile;
        assert_true(game_profile_parse(game_profile_name((enum game_profile)i), &profile));
        assert_int_equal(profile, i);
    }
    for (int i = 0; i < FAILED_CLAIM_COUNT; i++) {
        enum game_failed_claim failed;
        assert_true(game_failed_claim_parse(game_failed_claim_name((enum game_failed_claim)i), &failed));
        assert_int_equal(failed, i);
    }
    for (int i = 0; i < ENDING_DEAD_COUNT; i++) {
        enum ending_dead dead;
        assert_true(game_dead_parse(game_dead_name((enum ending_dead)i), &dead));
        assert_int_equal(dead, i);
    }
    for (int i = 0; i < DRAW_OFFERS_COUNT; i++) {
        enum game_draw_offers offers;
        assert_true(game_draw_offers_parse(game_draw_offers_name((enum game_draw_offers)i), &offers));
        assert_int_equal(offers, i);
    }
    for (int i = 0; i < TAKEBACK_COUNT; i++) {
        enum game_takeback takeback;
        assert_true(game_takeback_parse(game_takeback_name((enum game_takeback)i), &takeback));
        assert_int_equal(takeback, i);
    }
}

static void no_word_at_all_is_in_no_table(void **state)
{
    (void)state;
    enum game_status status;
    enum game_result result;
    enum game_termination termination;
    enum game_seat seat;
    enum game_access access;
    enum game_visibility visibility;
    enum claim_reason reason;
    enum game_draw_offers offers;
    enum game_takeback takeback;
    static const char *const words[] = {NULL, "", "Active", "none"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_false(game_status_parse(words[i], &status));
        assert_false(game_result_parse(words[i], &result));
        assert_false(game_termination_parse(words[i], &termination));
        assert_false(game_seat_parse(words[i], &seat));
        assert_false(game_access_parse(words[i], &access));
        assert_false(game_visibility_parse(words[i], &visibility));
        assert_false(game_claim_parse(words[i], &reason));
        assert_false(game_draw_offers_parse(words[i], &offers));
        assert_false(game_takeback_parse(words[i], &takeback));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_profiles_are_those_of_the_api),
        cmocka_unit_test(both_profiles_leave_the_rest_to_the_laws),
        CLUB_TEST(online_games_end_at_the_third_occurrence),
        CLUB_TEST(online_games_end_at_a_hundred_half_moves),
        CLUB_TEST(mate_goes_before_what_claims_itself),
        CLUB_TEST(wrong_claims_are_refused_online),
        CLUB_TEST(an_announced_claim_is_possible_online_too),
        CLUB_TEST(one_claim_may_come_by_itself_and_the_other_not),
        CLUB_TEST(fivefold_repetition_can_be_off),
        CLUB_TEST(evidence_has_room_for_six_plies),
        CLUB_TEST(seventyfive_moves_can_be_off),
        CLUB_TEST(dead_positions_can_be_off),
        CLUB_TEST(options_survive_a_reload),
        cmocka_unit_test(what_is_written_is_read),
        cmocka_unit_test(every_text_of_the_first_release_is_read),
        cmocka_unit_test(a_line_of_options_that_nobody_wrote_is_refused),
        cmocka_unit_test(every_word_reads_back_as_what_it_names),
        cmocka_unit_test(every_word_of_an_option_reads_back_as_what_it_names),
        cmocka_unit_test(no_word_at_all_is_in_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
