/* The rule options of a game: profiles, what is claimed by itself, automatic ends that are off. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/games_club.h"

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

static void options_survive_a_reload(void **state)
{
    struct club *club = *state;
    for (unsigned bits = 0; bits < 64; bits++) {
        struct game_rules rules = {.profile = bits & 1,
                                   .failed_claim = bits >> 1 & 1,
                                   .auto_claim = (uint8_t)((bits >> 2 & 3) << CLAIM_THREEFOLD),
                                   .dead = (uint8_t)(bits % 3),
                                   .fivefold = bits >> 4 & 1,
                                   .seventyfive = bits >> 5 & 1};
        const char *id = club_create_rules(club, NULL, &rules, NULL);
        club_forget(club);
        const struct game_rules *kept = &club_view(club, id)->rules;
        assert_int_equal(kept->profile, rules.profile);
        assert_int_equal(kept->failed_claim, rules.failed_claim);
        assert_int_equal(kept->auto_claim, rules.auto_claim);
        assert_int_equal(kept->dead, rules.dead);
        assert_int_equal(kept->fivefold, rules.fivefold);
        assert_int_equal(kept->seventyfive, rules.seventyfive);
    }
}

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
    static const char *const words[] = {NULL, "", "Active", "none"};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        assert_false(game_status_parse(words[i], &status));
        assert_false(game_result_parse(words[i], &result));
        assert_false(game_termination_parse(words[i], &termination));
        assert_false(game_seat_parse(words[i], &seat));
        assert_false(game_access_parse(words[i], &access));
        assert_false(game_visibility_parse(words[i], &visibility));
        assert_false(game_claim_parse(words[i], &reason));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_profiles_are_those_of_the_api),
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
        cmocka_unit_test(a_line_of_options_that_nobody_wrote_is_refused),
        cmocka_unit_test(every_word_reads_back_as_what_it_names),
        cmocka_unit_test(no_word_at_all_is_in_no_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
