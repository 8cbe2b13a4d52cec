/* Draws: what may be claimed, claims that hold, claims that do not, what the rules of a game make of both. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define SHUFFLE       "Nf3 Nf6 Ng1 Ng8"
#define TWICE_SHUFFLE SHUFFLE " " SHUFFLE
#define REFUSE        "\"rules\":{\"failed_claim\":\"refuse\"}"
#define AT_99         "7k/8/8/8/8/8/R7/K7 w - - 99 90"
#define AT_100        "7k/8/8/8/8/8/R7/K7 w - - 100 90"

static const char *shuffled(struct client *client, const char *moves)
{
    const char *id = match_new(client);
    match_play(client, id, moves);
    return id;
}

static const struct answer *claim(struct client *client, const char *id, const char *json)
{
    return match_post(client, id, "/draw/claim", json);
}

/* ---- what may be claimed ---- */

static void the_third_occurrence_may_be_claimed_after_eight_half_moves(void **state)
{
    static const struct member EMPTY[] = {
        {"offered_by", "null"}, {"offered_at_ply", "null"}, {"now", "[]"}, {"with_move", "[]"}};
    const char *id = shuffled(*state, SHUFFLE " Nf3 Nf6");
    ASSERT_MEMBERS(match_get(*state, id, "/draw"), "", EMPTY);
    assert_json(match_get(*state, id, ""), "draw.with_move_count", "0");
    match_play(*state, id, "Ng1");
    assert_json(match_get(*state, id, "/draw"), "now", "[]");
    assert_json(match_get(*state, id, "/draw"), "with_move",
                "[{\"uci\":\"f6g8\",\"san\":\"Ng8\",\"reason\":\"threefold_repetition\"}]");
    assert_json(match_get(*state, id, ""), "draw.with_move_count", "1");
    match_play(*state, id, "Ng8");
    assert_json(match_get(*state, id, "/draw"), "now", "[\"threefold_repetition\"]");
    assert_json(match_get(*state, id, ""), "draw.now", "[\"threefold_repetition\"]");
    assert_json(match_get(*state, id, ""), "repetition_count", "3");
    assert_json(match_get(*state, id, ""), "status", "\"active\"");
}

static void fifty_moves_may_be_claimed_at_a_hundred_half_moves(void **state)
{
    const char *id = match_new_fen(*state, AT_99);
    const struct answer *answer = match_get(*state, id, "/draw");
    assert_json(answer, "now", "[]");
    assert_int_equal(answer_count(answer, "with_move"),
                     answer_integer(match_get(*state, id, ""), "legal_move_count"));
    assert_json(answer, "with_move.0.reason", "\"fifty_moves\"");
    id = match_new_fen(*state, AT_100);
    assert_json(match_get(*state, id, "/draw"), "now", "[\"fifty_moves\"]");
    id = match_new_fen(*state, "7k/8/8/8/8/P7/R7/K7 w - - 99 90");
    answer = match_get(*state, id, "/draw");
    const cJSON *item;
    cJSON_ArrayForEach(item, answer_at(answer, "with_move"))
    { /* a pawn move begins a new count */
        assert_int_not_equal(strncmp(cJSON_GetObjectItemCaseSensitive(item, "uci")->valuestring, "a3", 2), 0);
    }
}

/* ---- claims that hold ---- */

static void a_repetition_on_the_board_ends_the_game_with_its_plies(void **state)
{
    static const struct member CLAIM[] = {
        {"reason", "\"threefold_repetition\""},
        {"valid", "true"},
        {"count", "3"},
        {"plies", "[0,4,8]"},
        {"halfmove_clock", "8"},
        {"move", "null"},
        {"stands_as_offer", "false"},
    };
    static const struct member TOP[] = {{"claim", NULL}, {"game", NULL}, {"server_time", NULL}};
    static const char *const bodies[] = {NULL, "{}", "{\"reason\":\"threefold_repetition\"}"};
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const char *id = shuffled(*state, TWICE_SHUFFLE);
        const struct answer *answer = match_send(*state, "POST", match_path(id, "/draw/claim"), bodies[i]);
        assert_status(answer, 200);
        ASSERT_MEMBERS(answer, "", TOP);
        ASSERT_MEMBERS(answer, "claim", CLAIM);
        assert_json(answer, "game.status", "\"ended\"");
        assert_json(answer, "game.result", "\"1/2-1/2\"");
        assert_json(answer, "game.winner", "null");
        assert_json(answer, "game.termination", "\"threefold_repetition\"");
        assert_json(answer, "game.version", "10");
        for (int cold = 0; cold < 2; cold++) {
            const struct answer *game = match_get(*state, id, "");
            assert_json(game, "termination_detail.article", "\"9.2\"");
            assert_json(game, "termination_detail.by", "\"white\"");
            ASSERT_MEMBERS(game, "termination_detail.claim", CLAIM);
            assert_json(game, "draw.now", "[]");
            client_forget(*state);
        }
    }
}

static void an_intended_move_is_announced_and_not_played(void **state)
{
    static const struct member CLAIM[] = {
        {"reason", "\"threefold_repetition\""},
        {"valid", "true"},
        {"count", "3"},
        {"plies", "[0,4]"},
        {"halfmove_clock", "8"},
        {"move", "{\"san\":\"Ng8\",\"uci\":\"f6g8\"}"},
        {"stands_as_offer", "false"},
    };
    const char *id = shuffled(*state, SHUFFLE " Nf3 Nf6 Ng1");
    const struct answer *answer = claim(*state, id, "{\"move\":\"Ng8\"}");
    assert_status(answer, 200);
    ASSERT_MEMBERS(answer, "claim", CLAIM);
    assert_json(answer, "game.ply", "7");
    assert_json(answer, "game.termination", "\"threefold_repetition\"");
    for (int cold = 0; cold < 2; cold++) {
        ASSERT_MEMBERS(match_get(*state, id, ""), "termination_detail.claim", CLAIM);
        assert_json(match_get(*state, id, ""), "termination_detail.by", "\"black\"");
        client_forget(*state);
    }
}

static void fifty_moves_hold_at_a_hundred_or_with_a_move_at_ninety_nine(void **state)
{
    static const struct {
        const char *label, *fen, *json, *clock;
    } rows[] = {
        {"on the board", AT_100, "{}", "100"},
        {"on the board, by name", AT_100, "{\"reason\":\"fifty_moves\"}", "100"},
        {"with a move", AT_99, "{\"reason\":\"fifty_moves\",\"move\":\"Ra3\"}", "100"},
        {"with a move, by UCI", AT_99, "{\"move\":\"a2a3\"}", "100"},
        {"with a move though it holds already", AT_100, "{\"move\":\"Ra3\"}", "101"},
        {"with a move that would mate", "7k/R7/8/8/8/8/1R6/K7 w - - 99 90", "{\"move\":\"Rb8#\"}", "100"},
        {"with a move that would stalemate", "7k/8/6K1/8/8/8/5Q2/8 w - - 99 90", "{\"move\":\"Qf7\"}", "100"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new_fen(*state, rows[i].fen);
        const struct answer *answer = claim(*state, id, rows[i].json);
        print_message("%s\n", rows[i].label);
        assert_status(answer, 200);
        assert_json(answer, "claim.valid", "true");
        assert_json(answer, "claim.reason", "\"fifty_moves\"");
        assert_json(answer, "claim.halfmove_clock", rows[i].clock);
        assert_json(answer, "game.termination", "\"fifty_moves\"");
        assert_json(answer, "game.result", "\"1/2-1/2\"");
        assert_json(answer, "game.termination_detail.article", "\"9.3\"");
        assert_json(answer, "game.ply", "0");
    }
}

/* 9.2.1, 9.2.2, 9.3.2 */
static void as_text_there_is_a_line_for_each_move_that_may_be_claimed_with(void **state)
{
    const char *id = shuffled(*state, TWICE_SHUFFLE);
    assert_string_equal(
        match_get(*state, id, "/draw.txt")->body,
        "nobody offers a draw\nto be claimed now: threefold_repetition\n"
        "with Nf3: threefold_repetition\n"); /* after it too, the position is there a third time */
    id = shuffled(*state, SHUFFLE " Nf3 Nf6 Ng1");
    assert_string_equal(match_get(*state, id, "/draw.txt")->body,
                        "nobody offers a draw\nnothing can be claimed now\nwith Ng8: threefold_repetition\n");
    const char *both = match_get(*state, match_new_fen(*state, AT_100), "/draw.txt")->body;
    assert_non_null(strstr(both, "\nto be claimed now: fifty_moves\nwith "));
    assert_non_null(strstr(both, "\nwith Ra3: fifty_moves\n"));
}

static void a_bare_move_is_the_intended_one_and_text_is_the_result(void **state)
{
    const char *id = match_new_fen(*state, AT_99);
    const struct answer *answer = client_curl(*state, match_path(id, "/draw/claim.txt"), "Ra3");
    assert_status(answer, 200);
    assert_string_equal(answer->body, "1/2-1/2 fifty_moves\n");
    id = match_new_fen(*state, AT_99);
    answer = client_curl(*state, match_path(id, "/draw/claim.txt"), "reason=fifty_moves&move=Ra3");
    assert_string_equal(answer->body, "1/2-1/2 fifty_moves\n");
}

static void the_same_claim_again_is_200_and_another_is_game_over(void **state)
{
    const char *id = match_new_fen(*state, AT_99);
    assert_status(claim(*state, id, "{\"move\":\"Ra3\"}"), 200);
    const struct answer *answer = claim(*state, id, "{\"move\":\"Ra3\"}");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_json(answer, "claim.valid", "true");
    assert_json(answer, "game.version", "2");
    assert_problem(claim(*state, id, "{\"move\":\"Ra4\"}"), 409, "game-over");
    assert_problem(claim(*state, id, "{\"move\":\"Ra3\",\"reason\":\"threefold_repetition\"}"), 409,
                   "game-over");
    assert_problem(claim(*state, id, "{}"), 409, "game-over");
    assert_match_at(*state, id, 2, 0);
}

/* ---- claims that do not hold ---- */

static void a_wrong_claim_is_refused_where_the_rules_say_so(void **state)
{
    static const struct member MEMBERS[] = {
        {"type", NULL},
        {"title", NULL},
        {"status", "422"},
        {"detail", NULL},
        {"instance", NULL},
        {"code", "\"claim-not-valid\""},
        {"request_id", NULL},
        {"reason", "\"threefold_repetition\""},
        {"count", "2"},
        {"plies", "[0,4]"},
        {"needed", "3"},
        {"halfmove_clock", "4"},
        {"stands_as_offer", "false"},
        {"game", NULL},
    };
    const char *id = match_new_json(*state, "{" REFUSE ",\"moves\":[\"Nf3\",\"Nf6\",\"Ng1\",\"Ng8\"]}");
    const struct answer *answer = claim(*state, id, "{\"reason\":\"threefold_repetition\"}");
    assert_problem(answer, 422, "claim-not-valid");
    ASSERT_MEMBERS(answer, "", MEMBERS);
    answer = claim(*state, id, "{\"reason\":\"fifty_moves\"}");
    assert_problem(answer, 422, "claim-not-valid");
    assert_json(answer, "reason", "\"fifty_moves\"");
    assert_json(answer, "needed", "100");
    assert_problem(claim(*state, id, "{}"), 422, "claim-not-valid");
    answer = claim(*state, id, "{\"move\":\"e4\"}");
    assert_problem(answer, 422, "claim-not-valid");
    assert_json(answer, "count", "1");
    assert_json(answer, "halfmove_clock", "0");
    assert_match_at(*state, id, 5, 4);
    assert_json(match_get(*state, id, "/draw"), "offered_by", "null");
}

static void a_pawn_move_at_ninety_nine_is_no_claim(void **state)
{
    const char *id = match_new_json(*state, "{" REFUSE ",\"fen\":\"7k/8/8/8/8/P7/R7/K7 w - - 99 90\"}");
    assert_problem(claim(*state, id, "{\"move\":\"a4\"}"), 422, "claim-not-valid");
    assert_problem(claim(*state, id, "{}"), 422, "claim-not-valid");
    assert_status(claim(*state, id, "{\"move\":\"Kb1\"}"), 200);
}

/* 9.1.2.3 */
static void a_wrong_claim_stands_as_an_offer(void **state)
{
    const char *id = shuffled(*state, SHUFFLE);
    const struct answer *answer = claim(*state, id, "{}");
    assert_status(answer, 200);
    assert_json(answer, "claim.valid", "false");
    assert_json(answer, "claim.stands_as_offer", "true");
    assert_json(answer, "claim.count", "2");
    assert_json(answer, "game.status", "\"active\"");
    assert_json(answer, "game.version", "6");
    assert_json(answer, "game.ply", "4");
    for (int cold = 0; cold < 2; cold++) {
        assert_json(match_get(*state, id, "/draw"), "offered_by", "\"white\"");
        assert_json(match_get(*state, id, "/draw"), "offered_at_ply", "4");
        assert_json(match_get(*state, id, ""), "draw.offered_by", "\"white\"");
        client_forget(*state);
    }
    match_play(*state, id, "e4"); /* one's own move does not end the offer */
    assert_json(match_get(*state, id, "/draw"), "offered_by", "\"white\"");
    match_play(*state, id, "e5"); /* the opponent's does (9.1.2.1) */
    assert_json(match_get(*state, id, "/draw"), "offered_by", "null");
}

/* 9.5.3 */
static void the_penalty_of_a_wrong_claim_is_to_play_the_announced_move(void **state)
{
    const char *id = shuffled(*state, SHUFFLE);
    const struct answer *answer = claim(*state, id, "{\"move\":\"e4\",\"reason\":\"fifty_moves\"}");
    assert_status(answer, 200);
    assert_json(answer, "claim.valid", "false");
    assert_json(answer, "claim.move", "{\"san\":\"e4\",\"uci\":\"e2e4\"}");
    assert_json(answer, "claim.reason", "\"fifty_moves\"");
    assert_json(answer, "game.ply", "5");
    assert_json(answer, "game.last_move.san", "\"e4\"");
    assert_json(answer, "game.draw.offered_by", "\"white\"");
    assert_json(match_get(*state, id, "/moves/5"), "san", "\"e4\"");
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "ply", "5");
    assert_json(match_get(*state, id, ""), "draw.offered_by", "\"white\"");
    answer = client_curl(*state, match_path(id, "/draw/claim.txt"), "e5");
    assert_string_equal(answer->body, "The claim is not valid; it stands as a draw offer.\n");
}

static void an_announced_move_that_mates_ends_the_game_by_mate(void **state)
{
    const char *id = shuffled(*state, "f3 e5 g4");
    const struct answer *answer = claim(*state, id, "{\"move\":\"Qh4\"}");
    assert_status(answer, 200);
    assert_json(answer, "claim.valid", "false");
    assert_json(answer, "game.termination", "\"checkmate\"");
    assert_json(answer, "game.result", "\"0-1\"");
    assert_json(answer, "game.draw.offered_by", "null");
}

static void an_announced_move_must_be_legal(void **state)
{
    const char *id = shuffled(*state, TWICE_SHUFFLE);
    const struct answer *answer = claim(*state, id, "{\"move\":\"Ke2\"}");
    assert_problem(answer, 422, "illegal-move");
    assert_json(answer, "pointer", "\"/move\"");
    assert_json(answer, "reason", "\"own_piece_on_target\"");
    assert_problem(claim(*state, id, "{\"move\":\"hello\"}"), 400, "unparseable-move");
    assert_match_at(*state, id, 9, 8);
}

static void a_claim_of_what_is_no_reason_is_refused(void **state)
{
    static const struct {
        const char *json, *code, *pointer;
    } rows[] = {
        {"{\"reason\":\"stalemate\"}", "invalid-parameter", "\"/reason\""},
        {"{\"reason\":null}", "invalid-parameter", "\"/reason\""},
        {"{\"move\":\"\"}", "invalid-parameter", "\"/move\""},
        {"{\"moves\":[\"e4\"]}", "unknown-field", "\"/moves\""},
        {"{\"color\":\"white\"}", "unknown-field", "\"/color\""},
        {"{\"resaon\":\"fifty_moves\"}", "unknown-field", "\"/resaon\""},
    };
    const char *id = shuffled(*state, TWICE_SHUFFLE);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        const struct answer *answer = claim(*state, id, rows[i].json);
        assert_problem(answer, 400, rows[i].code);
        assert_json(answer, "pointer", rows[i].pointer);
    }
    assert_match_at(*state, id, 9, 8);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(the_third_occurrence_may_be_claimed_after_eight_half_moves),
        CLIENT_TEST(fifty_moves_may_be_claimed_at_a_hundred_half_moves),
        CLIENT_TEST(a_repetition_on_the_board_ends_the_game_with_its_plies),
        CLIENT_TEST(an_intended_move_is_announced_and_not_played),
        CLIENT_TEST(fifty_moves_hold_at_a_hundred_or_with_a_move_at_ninety_nine),
        CLIENT_TEST(as_text_there_is_a_line_for_each_move_that_may_be_claimed_with),
        CLIENT_TEST(a_bare_move_is_the_intended_one_and_text_is_the_result),
        CLIENT_TEST(the_same_claim_again_is_200_and_another_is_game_over),
        CLIENT_TEST(a_wrong_claim_is_refused_where_the_rules_say_so),
        CLIENT_TEST(a_pawn_move_at_ninety_nine_is_no_claim),
        CLIENT_TEST(a_wrong_claim_stands_as_an_offer),
        CLIENT_TEST(the_penalty_of_a_wrong_claim_is_to_play_the_announced_move),
        CLIENT_TEST(an_announced_move_that_mates_ends_the_game_by_mate),
        CLIENT_TEST(an_announced_move_must_be_legal),
        CLIENT_TEST(a_claim_of_what_is_no_reason_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
