/* What an arbiter does: adjudication, illegal moves at a board; and the proof behind an end. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

/* ---- adjudication -------------------------------------------------------------------------------------- */

static void a_game_is_given_a_result(void **state)
{
    static const struct {
        const char *type, *body, *result, *winner, *comment;
    } rows[] = {
        {"application/json", "{\"result\":\"1-0\",\"comment\":\"Black left.\"}", "\"1-0\"", "\"white\"",
         "\"Black left.\""},
        {"application/json", "{\"result\":\"1/2-1/2\",\"comment\":null}", "\"1/2-1/2\"", "null", "null"},
        {"application/x-www-form-urlencoded", "result=0-1&comment=Late.", "\"0-1\"", "\"black\"",
         "\"Late.\""},
        {"application/x-www-form-urlencoded", "1/2-1/2", "\"1/2-1/2\"", "null", "null"},
        {"text/plain", "0-1", "\"0-1\"", "\"black\"", "null"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new(*state);
        print_message("%s\n", rows[i].body);
        const struct answer *answer =
            client_post(*state, match_path(id, "/adjudicate"), rows[i].type, rows[i].body);
        static const struct member TOP[] = {{"game", NULL}, {"server_time", NULL}};
        assert_status(answer, 200);
        ASSERT_MEMBERS(answer, "", TOP);
        for (int cold = 0; cold < 2; cold++) {
            const struct answer *game = match_get(*state, id, "");
            assert_json(game, "status", "\"ended\"");
            assert_json(game, "result", rows[i].result);
            assert_json(game, "winner", rows[i].winner);
            assert_json(game, "termination", "\"adjudication\"");
            assert_json(game, "termination_detail.article", "null");
            assert_json(game, "termination_detail.comment", rows[i].comment);
            client_forget(*state);
        }
    }
}

static void the_same_decision_again_is_200_and_another_too_late(void **state)
{
    const char *id = match_new(*state);
    assert_string_equal(client_curl(*state, match_path(id, "/adjudicate.txt"), "1-0")->body,
                        "1-0 adjudication\n");
    const struct answer *answer = client_curl(*state, match_path(id, "/adjudicate"), "1-0");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_problem(client_curl(*state, match_path(id, "/adjudicate"), "0-1"), 409, "game-over");
    assert_match_at(*state, id, 2, 0);
}

static void a_decision_needs_a_result(void **state)
{
    static const char *const bodies[] = {"{}", "{\"result\":\"*\"}", "{\"result\":\"white\"}",
                                         "{\"result\":null}", "{\"comment\":\"why\"}"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct answer *answer = match_post(*state, id, "/adjudicate", bodies[i]);
        assert_problem(answer, 400, "invalid-parameter");
        assert_json(answer, "pointer", "\"/result\"");
    }
    assert_problem(match_ask(*state, "POST", match_path(id, "/adjudicate")), 400, "invalid-parameter");
    assert_match_at(*state, id, 1, 0);
}

/* ---- illegal moves at a board (7.5.5) ------------------------------------------------------------------ */

static void the_first_illegal_move_gives_time_and_the_second_loses(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"300\",\"moves\":[\"e4\",\"e5\"]}");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/illegal-move"));
    assert_status(answer, 200);
    assert_json(answer, "game.status", "\"active\"");
    assert_json(answer, "game.clock.black_ms", "420000");
    assert_json(answer, "game.clock.white_ms", "300000");
    answer = client_curl(*state, match_path(id, "/illegal-move"), "black");
    assert_json(answer, "game.clock.white_ms", "420000");
    answer = match_post(*state, id, "/illegal-move", "{\"color\":\"white\"}");
    assert_status(answer, 200);
    assert_json(answer, "game.result", "\"0-1\"");
    assert_json(answer, "game.termination", "\"rules_infraction\"");
    assert_json(answer, "game.termination_detail.article", "\"7.5.5\"");
    assert_json(answer, "game.termination_detail.by", "\"white\"");
    assert_json(answer, "game.termination_detail.decision.flagged", "null");
    assert_json(answer, "game.termination_detail.decision.winnable", "\"yes\"");
}

static void the_penalty_is_a_rule_of_the_game(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"300\",\"rules\":{\"claim_penalty_ms\":60000}}");
    assert_json(match_ask(*state, "POST", match_path(id, "/illegal-move")), "game.clock.black_ms", "360000");
    id = match_new_json(*state, "{\"clock\":\"300\"}");
    const struct answer *answer = match_post(*state, id, "/draw/claim", "{}"); /* 9.5.3 */
    assert_json(answer, "game.clock.black_ms", "420000");
    id = match_new(*state);
    assert_string_equal(match_ask(*state, "POST", match_path(id, "/illegal-move.txt"))->body,
                        "the illegal move is noted; a second one ends the game\n");
}

/* 9.5.3: so a retry has to be guarded. */
static void each_wrong_claim_costs_again_unless_the_version_guards_it(void **state)
{
    const char *id = match_new_json(*state, "{\"clock\":\"300\"}");
    const struct answer *answer = match_post(*state, id, "/draw/claim", "{}");
    assert_json(answer, "game.clock.black_ms", "420000");
    answer = match_send_with(*state, "POST", match_path(id, "/draw/claim"), "{}", "If-Match", "\"v1\"");
    assert_problem(answer, 412, "version-mismatch");
    assert_json(match_get(*state, id, ""), "clock.black_ms", "420000");
    answer = match_post(*state, id, "/draw/claim", "{}");
    assert_json(answer, "game.clock.black_ms", "540000");
}

static void a_second_illegal_move_draws_against_who_cannot_mate(void **state)
{
    const char *id = match_new_fen(*state, "7k/8/8/8/8/8/R7/K7 w - - 0 1");
    assert_status(match_ask(*state, "POST", match_path(id, "/illegal-move")), 200);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/illegal-move"));
    assert_json(answer, "game.result", "\"1/2-1/2\"");
    assert_json(answer, "game.termination", "\"rules_infraction\"");
    assert_json(answer, "game.termination_detail.decision.winnable", "\"no\"");
    answer = match_ask(*state, "POST", match_path(id, "/illegal-move"));
    assert_status(answer, 200); /* the very action that has ended the game */
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_problem(client_curl(*state, match_path(id, "/illegal-move"), "black"), 409, "game-over");
}

/* ---- proofs -------------------------------------------------------------------------------------------- */

/* 5.1.2: the line behind a lost game is a mate that the winner could have given, from the last position. */
static void a_resignation_comes_with_a_mate_that_could_have_been(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\",\"e5\"]}");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/resign"));
    assert_json(answer, "game.termination_detail.decision.winnable", "\"yes\"");
    int length = answer_count(answer, "game.termination_detail.decision.line");
    assert_true(length > 0);
    const char *fen = answer_text(answer, "game.fen");
    char body[8192];
    int put = snprintf(body, sizeof body, "{\"fen\":\"%s\",\"moves\":[", fen);
    for (int i = 0; i < length; i++) {
        char path[64];
        (void)snprintf(path, sizeof path, "game.termination_detail.decision.line.%d.uci", i);
        put += snprintf(body + put, sizeof body - (size_t)put, "%s\"%s\"", i ? "," : "",
                        answer_text(answer, path));
    }
    (void)snprintf(body + put, sizeof body - (size_t)put, "]}");
    const struct answer *line = match_send(*state, "POST", "/v1/positions/line", body);
    assert_json(line, "fault", "null");
    assert_json(line, "position.status", "\"checkmate\"");
    assert_json(line, "position.turn", "\"white\"");
    client_forget(*state);
    assert_int_equal(answer_count(match_get(*state, id, ""), "termination_detail.decision.line"), length);
}

/* A wall of pawns that no king can pass: nothing is left but king moves once the rook is gone. */
#define WALL "4k3/8/8/p1p1p1p1/P1P1P1P1/8/6r1/5K2 w - - 0 1"

static void a_dead_position_says_how_it_is_proven(void **state)
{
    const char *id = match_new_fen(*state, WALL);
    const struct answer *answer = match_play(*state, id, "Kxg2");
    assert_json(answer, "game.termination", "\"dead_position\"");
    assert_json(answer, "game.termination_detail.article", "\"5.2.2\"");
    assert_json(answer, "game.termination_detail.material", "false");
    assert_json(answer, "game.termination_detail.method", "\"structure\"");
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "termination_detail.method", "\"structure\"");
    id = match_new_fen(*state, "7k/8/8/8/8/2K5/1r6/8 w - - 0 1");
    answer = match_play(*state, id, "Kxb2");
    assert_json(answer, "game.termination_detail.material", "true");
    assert_json(answer, "game.termination_detail.method", "\"material\"");
}

static void a_game_may_ask_for_less_proof(void **state)
{
    static const char *const rules[] = {"material", "off"};
    for (size_t i = 0; i < 2; i++) {
        char body[192];
        (void)snprintf(body, sizeof body, "{\"fen\":\"" WALL "\",\"rules\":{\"dead_position\":\"%s\"}}",
                       rules[i]);
        const char *id = match_new_json(*state, body);
        assert_json(match_play(*state, id, "Kxg2"), "game.status", "\"active\"");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_game_is_given_a_result),
        CLIENT_TEST(the_same_decision_again_is_200_and_another_too_late),
        CLIENT_TEST(a_decision_needs_a_result),
        CLIENT_TEST(the_first_illegal_move_gives_time_and_the_second_loses),
        CLIENT_TEST(the_penalty_is_a_rule_of_the_game),
        CLIENT_TEST(each_wrong_claim_costs_again_unless_the_version_guards_it),
        CLIENT_TEST(a_second_illegal_move_draws_against_who_cannot_mate),
        CLIENT_TEST(a_resignation_comes_with_a_mate_that_could_have_been),
        CLIENT_TEST(a_dead_position_says_how_it_is_proven),
        CLIENT_TEST(a_game_may_ask_for_less_proof),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
