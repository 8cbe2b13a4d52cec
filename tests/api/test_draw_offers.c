/* Draw offers: made, answered, lapsed; event rules; agreement (FIDE 5.2.3, 9.1). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static const struct answer *act(struct client *client, const char *id, const char *rest)
{
    return match_ask(client, "POST", match_path(id, rest));
}

static const char *after_e4_e5(struct client *client)
{
    return match_new_json(client, "{\"moves\":[\"e4\",\"e5\"]}");
}

static void assert_offer(struct client *client, const char *id, const char *by, const char *ply)
{
    const struct answer *game = match_get(client, id, "");
    assert_json(game, "draw.offered_by", by);
    assert_json(game, "draw.offered_at_ply", ply);
    assert_json(match_get(client, id, "/draw"), "offered_by", by);
}

static void an_offer_stands_and_is_accepted(void **state)
{
    static const struct member TOP[] = {{"game", NULL}, {"server_time", NULL}};
    const char *id = after_e4_e5(*state);
    const struct answer *answer = act(*state, id, "/draw/offer");
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_json(answer, "game.draw.offered_by", "\"white\"");
    assert_json(answer, "game.draw.offered_at_ply", "2");
    assert_json(answer, "game.version", "4");
    assert_string_equal(answer_header(answer, "ETag"), "\"v4\"");
    client_forget(*state);
    assert_offer(*state, id, "\"white\"", "2");
    answer = act(*state, id, "/draw/accept");
    assert_status(answer, 200);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_json(answer, "game.status", "\"ended\"");
    assert_json(answer, "game.result", "\"1/2-1/2\"");
    assert_json(answer, "game.winner", "null");
    assert_json(answer, "game.termination", "\"agreement\"");
    assert_json(answer, "game.termination_detail.article", "\"5.2.3\"");
    assert_json(answer, "game.termination_detail.by", "\"black\"");
    assert_json(answer, "game.termination_detail.decision", "null");
    assert_json(answer, "game.termination_detail.comment", "null");
}

static void text_answers_say_the_fact_first(void **state)
{
    const char *id = after_e4_e5(*state);
    assert_string_equal(match_get(*state, id, "/draw.txt")->body,
                        "nobody offers a draw\nnothing can be claimed now\n");
    assert_string_equal(act(*state, id, "/draw/offer.txt")->body, "white offers a draw\n");
    assert_string_equal(match_text(*state, id, "/draw"), "white offers a draw\nnothing can be claimed now\n");
    assert_string_equal(act(*state, id, "/draw/decline.txt")->body, "the draw offer is declined\n");
    assert_string_equal(client_curl(*state, match_path(id, "/draw/offer.txt"), "black")->body,
                        "black offers a draw\n");
    assert_string_equal(act(*state, id, "/draw/accept.txt")->body, "1/2-1/2 agreement\n");
}

static void the_colour_comes_in_any_form(void **state)
{
    static const struct {
        const char *type, *body;
    } rows[] = {
        {"application/json", "{\"color\":\"black\"}"},
        {"application/x-www-form-urlencoded", "color=black"},
        {"application/x-www-form-urlencoded", "black"},
        {"text/plain", "black\n"},
        {NULL, "black"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = after_e4_e5(*state);
        const struct answer *answer =
            client_post(*state, match_path(id, "/draw/offer"), rows[i].type, rows[i].body);
        assert_status(answer, 201);
        assert_json(answer, "game.draw.offered_by", "\"black\"");
    }
    const char *id = after_e4_e5(*state);
    assert_problem(client_curl(*state, match_path(id, "/draw/offer"), "green"), 400, "invalid-parameter");
    assert_problem(client_curl(*state, match_path(id, "/draw/offer"), "colour=white"), 400, "unknown-field");
    assert_match_at(*state, id, 3, 2);
}

static void a_repeated_offer_is_the_same_offer(void **state)
{
    const char *id = after_e4_e5(*state);
    assert_status(act(*state, id, "/draw/offer"), 201);
    const struct answer *answer = act(*state, id, "/draw/offer");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_match_at(*state, id, 4, 2);
    assert_status(act(*state, id, "/draw/accept"), 200);
    answer = act(*state, id, "/draw/accept");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_match_at(*state, id, 5, 2);
}

static void an_offer_is_answered_by_the_other_side(void **state)
{
    const char *id = after_e4_e5(*state);
    const struct answer *answer = act(*state, id, "/draw/accept");
    assert_problem(answer, 409, "no-open-offer");
    assert_json(answer, "game.version", "3");
    assert_problem(act(*state, id, "/draw/decline"), 409, "no-open-offer");
    assert_status(act(*state, id, "/draw/offer"), 201);
    assert_problem(match_post(*state, id, "/draw/accept", "{\"color\":\"white\"}"), 409, "own-offer");
    assert_problem(match_post(*state, id, "/draw/decline", "{\"color\":\"white\"}"), 409, "own-offer");
    assert_problem(match_post(*state, id, "/draw/offer", "{\"color\":\"black\"}"), 409, "offer-exists");
    assert_match_at(*state, id, 4, 2);
    for (int times = 0; times < 2; times++) { /* the second is a repeat */
        answer = match_post(*state, id, "/draw/decline", "{\"color\":\"black\"}");
        assert_json(answer, "game.draw.offered_by", "null");
        assert_json(answer, "game.version", "5");
    }
    assert_problem(match_post(*state, id, "/draw/decline", "{\"color\":\"white\"}"), 409, "no-open-offer");
}

/* 9.1.2.1: it survives the offerer's own move, and is refused by the opponent's. */
static void an_offer_lives_until_the_opponent_moves(void **state)
{
    const char *id = after_e4_e5(*state);
    assert_status(act(*state, id, "/draw/offer"), 201);
    match_play(*state, id, "Nf3");
    assert_offer(*state, id, "\"white\"", "2");
    match_play(*state, id, "Nc6");
    assert_offer(*state, id, "null", "null");
    assert_problem(act(*state, id, "/draw/accept"), 409, "no-open-offer");
}

static void an_offer_is_made_with_a_move(void **state)
{
    static const struct {
        const char *type, *body;
    } rows[] = {
        {"application/json", "{\"move\":\"e4\",\"draw_offer\":true}"},
        {"application/json", "{\"from\":\"e2\",\"to\":\"e4\",\"draw_offer\":true}"},
        {"application/json", "{\"move\":\"e4(=)\"}"},
        {"application/json", "{\"moves\":[\"e4 (=)\"]}"},
        {"application/x-www-form-urlencoded", "move=e4&draw_offer=true"},
        {"application/x-www-form-urlencoded", "e4(=)"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new(*state);
        print_message("%s\n", rows[i].body);
        const struct answer *answer =
            client_post(*state, match_path(id, "/moves"), rows[i].type, rows[i].body);
        assert_status(answer, 201);
        assert_json(answer, "game.draw.offered_by", "\"white\"");
        assert_json(answer, "game.version", "2");
        client_forget(*state);
        assert_offer(*state, id, "\"white\"", "1");
    }
    const char *id = match_new(*state);
    assert_json(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"draw_offer\":false}"),
                "game.draw.offered_by", "null");
    assert_json(
        match_send(*state, "PUT", match_path(id, "/moves/2"), "{\"move\":\"e5\",\"draw_offer\":true}"),
        "game.draw.offered_by", "\"black\"");
}

static void several_moves_offer_no_draw(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer =
        match_post(*state, id, "/moves", "{\"moves\":[\"e4\"],\"draw_offer\":true}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_json(answer, "pointer", "\"/draw_offer\"");
    assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"draw_offer\":\"yes\"}"), 400,
                   "invalid-parameter");
    assert_match_at(*state, id, 1, 0);
}

/* 5.2.3: after a move by each side. */
static void nobody_agrees_before_both_have_moved(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    assert_status(match_post(*state, id, "/draw/offer", "{\"color\":\"white\"}"), 201);
    const struct answer *answer = act(*state, id, "/draw/accept");
    assert_problem(answer, 409, "not-allowed-by-rules");
    assert_json(answer, "rule", "\"5.2.3\"");
    assert_non_null(strstr(answer_text(answer, "detail"), "Article 5.2.3"));
}

/* ---- the rules of the event ---------------------------------------------------------------------------- */

static void assert_forbidden(const struct answer *answer, const char *rule)
{
    assert_problem(answer, 409, "not-allowed-by-rules");
    assert_string_equal(answer_text(answer, "rule"), rule);
    assert_non_null(strstr(answer_text(answer, "detail"), rule));
}

static void an_event_may_forbid_offers(void **state)
{
    const char *id =
        match_new_json(*state, "{\"rules\":{\"draw_offers\":\"off\"},\"moves\":[\"e4\",\"e5\"]}");
    assert_forbidden(act(*state, id, "/draw/offer"), "draw_offers");
    assert_forbidden(match_post(*state, id, "/moves", "{\"move\":\"Nf3\",\"draw_offer\":true}"),
                     "draw_offers");
    assert_forbidden(client_curl(*state, match_path(id, "/moves"), "Nf3(=)"), "draw_offers");
    assert_match_at(*state, id, 3, 2);
}

static void an_event_may_take_offers_with_a_move_only(void **state)
{
    const char *id = match_new_json(*state, "{\"rules\":{\"draw_offers\":\"with_move\"}}");
    assert_forbidden(act(*state, id, "/draw/offer"), "draw_offers");
    assert_json(client_curl(*state, match_path(id, "/moves"), "e4(=)"), "game.draw.offered_by", "\"white\"");
}

static void an_event_may_forbid_early_offers(void **state)
{
    const char *id =
        match_new_json(*state, "{\"rules\":{\"draw_offers_from_move\":2},\"moves\":[\"e4\",\"e5\",\"Nf3\"]}");
    assert_forbidden(act(*state, id, "/draw/offer"), "draw_offers_from_move");
    match_play(*state, id, "Nc6");
    assert_status(act(*state, id, "/draw/offer"), 201);
}

/* 9.2 is a right of the Laws; no rule against offers stands in its way. */
static void no_event_rule_stands_in_the_way_of_a_claim(void **state)
{
    const char *id = match_new_json(
        *state,
        "{\"rules\":{\"draw_offers\":\"off\",\"draw_offers_from_move\":100},\"moves\":[\"Nf3\",\"Nf6\","
        "\"Ng1\",\"Ng8\",\"Nf3\",\"Nf6\",\"Ng1\",\"Ng8\"]}");
    assert_json(act(*state, id, "/draw/claim"), "game.termination", "\"threefold_repetition\"");
}

static void a_game_that_is_over_takes_no_offers(void **state)
{
    static const char *const rests[] = {"/draw/offer", "/draw/accept", "/draw/decline"};
    const char *id = match_new_json(*state, "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}");
    for (size_t i = 0; i < 3; i++)
        assert_problem(act(*state, id, rests[i]), 409, "game-over");
}

static void a_move_limit_draws(void **state)
{
    const char *id = match_new_json(*state, "{\"rules\":{\"move_limit\":2}}");
    match_play(*state, id, "e4 e5 Nf3");
    const struct answer *answer = match_play(*state, id, "Nc6");
    assert_json(answer, "game.result", "\"1/2-1/2\"");
    assert_json(answer, "game.termination", "\"move_limit\"");
    assert_json(answer, "game.termination_detail.article", "null");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(an_offer_stands_and_is_accepted),
        CLIENT_TEST(text_answers_say_the_fact_first),
        CLIENT_TEST(the_colour_comes_in_any_form),
        CLIENT_TEST(a_repeated_offer_is_the_same_offer),
        CLIENT_TEST(an_offer_is_answered_by_the_other_side),
        CLIENT_TEST(an_offer_lives_until_the_opponent_moves),
        CLIENT_TEST(an_offer_is_made_with_a_move),
        CLIENT_TEST(several_moves_offer_no_draw),
        CLIENT_TEST(nobody_agrees_before_both_have_moved),
        CLIENT_TEST(an_event_may_forbid_offers),
        CLIENT_TEST(an_event_may_take_offers_with_a_move_only),
        CLIENT_TEST(an_event_may_forbid_early_offers),
        CLIENT_TEST(no_event_rule_stands_in_the_way_of_a_claim),
        CLIENT_TEST(a_game_that_is_over_takes_no_offers),
        CLIENT_TEST(a_move_limit_draws),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
