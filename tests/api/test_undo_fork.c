/* Taking moves back, and games that branch off others. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

/* ---- undo ---- */

static void one_move_is_taken_back_unless_more_are_asked_for(void **state)
{
    static const struct member TOP[] = {{"game", NULL}, {"server_time", NULL}};
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3 Nc6 Bb5");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/undo"));
    assert_status(answer, 200);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_json(answer, "game.ply", "4");
    assert_json(answer, "game.version", "7");
    assert_json(answer, "game.turn", "\"white\"");
    assert_json(answer, "game.last_move.san", "\"Nc6\"");
    answer = match_post(*state, id, "/undo", "{\"plies\":3}");
    assert_json(answer, "game.ply", "1");
    assert_json(answer, "game.version", "8");
    assert_json(answer, "game.last_move.san", "\"e4\"");
    answer = client_curl(*state, match_path(id, "/undo.txt"), "plies=1");
    assert_string_equal(answer->body, START_FEN "\n");
    assert_json(match_get(*state, id, ""), "last_move", "null");
    client_forget(*state);
    assert_match_at(*state, id, 9, 0);
}

static void a_bare_number_is_how_many_are_taken_back(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3");
    assert_json(client_curl(*state, match_path(id, "/undo"), "2"), "game.ply", "1");
    const struct answer *answer = client_curl(*state, match_path(id, "/undo"), "two");
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), "/plies");
    answer = client_curl(*state, match_path(id, "/undo"), "3");
    assert_problem(answer, 409, "nothing-to-undo");
    assert_string_equal(answer_text(answer, "detail"), "1 half-move has been played in this game.");
    assert_status(client_curl(*state, match_path(id, "/undo"), "1"), 200);
    answer = client_curl(*state, match_path(id, "/undo"), "1");
    assert_string_equal(answer_text(answer, "detail"), "0 half-moves have been played in this game.");
}

static void what_was_taken_back_is_out_of_the_history(void **state)
{
    const char *id = match_new(*state);
    client_set_time(*state, 1767323050000);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"comment\":\"first\"}"), 201);
    client_set_time(*state, 1767323060000);
    match_play(*state, id, "e5 Nf3");
    assert_status(match_post(*state, id, "/undo", "{\"plies\":2}"), 200);
    for (int cold = 0; cold < 2; cold++) {
        const struct answer *game = match_get(*state, id, "");
        assert_json(game, "last_move.comment", "\"first\"");
        assert_json(game, "last_move.played_at", "\"2026-01-02T03:04:10.000Z\"");
        assert_json(game, "updated_at", "\"2026-01-02T03:04:20.000Z\"");
        assert_int_equal(answer_count(match_get(*state, id, "/moves"), "data"), 1);
        assert_problem(match_get(*state, id, "/moves/2"), 404, "ply-not-found");
        client_forget(*state);
    }
    assert_status(match_send(*state, "PUT", match_path(id, "/moves/2"), "{\"move\":\"c5\"}"), 201);
    assert_json(match_get(*state, id, "/moves"), "data.1.san", "\"c5\"");
    assert_non_null(strstr(match_get(*state, id, ".pgn")->body, "1. e4 { first } 1... c5 *"));
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/2"), "{\"move\":\"e5\"}"), 409,
                   "ply-conflict");
}

static void undo_reopens_a_game_that_a_move_has_ended(void **state)
{
    static const struct {
        const char *label, *rules, *fen, *moves;
    } rows[] = {
        {"mate", "", START_FEN, "f3 e5 g4 Qh4"},
        {"stalemate", "", "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7"},
        {"dead position", "", "7k/8/8/8/8/2K5/1r6/8 w - - 0 1", "Kxb2"},
        {"seventy-five", "", "7k/8/8/8/8/8/R7/K7 w - - 149 120", "Ra3"},
        {"threefold by rule", "\"profile\":\"online\"", START_FEN, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "{\"rules\":{%s},\"fen\":\"%s\"}", rows[i].rules, rows[i].fen);
        print_message("%s\n", rows[i].label);
        const char *id = match_new_json(*state, body);
        const struct answer *answer = match_play(*state, id, rows[i].moves);
        assert_json(answer, "game.status", "\"ended\"");
        answer = match_ask(*state, "POST", match_path(id, "/undo"));
        assert_status(answer, 200);
        for (int cold = 0; cold < 2; cold++) {
            answer = match_get(*state, id, "");
            assert_json(answer, "status", "\"active\"");
            assert_json(answer, "result", "\"*\"");
            assert_json(answer, "termination", "null");
            assert_json(answer, "termination_detail", "null");
            assert_json(answer, "ended_at", "null");
            assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
            client_forget(*state);
        }
        assert_int_not_equal(answer_integer(answer, "legal_move_count"), 0);
    }
}

static void undo_does_not_reopen_what_people_have_ended(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/undo"));
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "game.termination", "\"resignation\"");
    id = match_new(*state);
    match_play(*state, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    assert_status(match_ask(*state, "POST", match_path(id, "/draw/claim")), 200);
    assert_problem(match_ask(*state, "POST", match_path(id, "/undo")), 409, "game-over");
}

static void undo_brings_repetitions_and_claims_back_to_what_they_were(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    match_play(*state, id, "e4");
    assert_status(match_ask(*state, "POST", match_path(id, "/undo")), 200);
    assert_json(match_get(*state, id, ""), "repetition_count", "3");
    assert_json(match_get(*state, id, "/draw"), "now", "[\"threefold_repetition\"]");
    assert_status(match_ask(*state, "POST", match_path(id, "/undo")), 200);
    assert_json(match_get(*state, id, "/draw"), "now", "[]");
    assert_json(match_get(*state, id, ""), "draw.with_move_count", "1");
}

static void there_is_no_more_to_take_back_than_was_played(void **state)
{
    const char *id = match_new(*state);
    assert_problem(match_ask(*state, "POST", match_path(id, "/undo")), 409, "nothing-to-undo");
    match_play(*state, id, "e4");
    const struct answer *answer = match_post(*state, id, "/undo", "{\"plies\":2}");
    assert_problem(answer, 409, "nothing-to-undo");
    assert_json(answer, "game.ply", "1");
    static const struct {
        const char *json, *code;
    } rows[] = {{"{\"plies\":0}", "invalid-parameter"},     {"{\"plies\":-1}", "invalid-parameter"},
                {"{\"plies\":20001}", "invalid-parameter"}, {"{\"plies\":\"1\"}", "invalid-parameter"},
                {"{\"plies\":null}", "invalid-parameter"},  {"{\"ply\":1}", "unknown-field"}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        assert_problem(match_post(*state, id, "/undo", rows[i].json), 400, rows[i].code);
    }
    assert_match_at(*state, id, 2, 1);
}

/* ---- fork ---- */

static void a_fork_is_a_new_game_with_the_history_up_to_a_ply(void **state)
{
    const char *id = match_new_json(
        *state, "{\"white\":{\"name\":\"Anna\"},\"metadata\":{\"a\":1},\"rules\":{\"profile\":\"online\"}}");
    match_play(*state, id, "e4 e5 Nf3 Nc6");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork?ply=2"));
    assert_status(answer, 201);
    const char *fork = answer_text(answer, "id");
    assert_string_not_equal(fork, id);
    assert_string_equal(answer_header(answer, "Location"), match_path(fork, ""));
    assert_string_equal(answer_header(answer, "ETag"), "\"v3\"");
    assert_json(answer, "version", "3");
    assert_json(answer, "ply", "2");
    assert_json(answer, "white.name", "\"Anna\"");
    assert_json(answer, "metadata", "{\"a\":1}");
    assert_json(answer, "rules.profile", "\"online\"");
    assert_json(answer, "access", "\"open\"");
    assert_json(match_get(*state, fork, "/moves"), "data.1.san", "\"e5\"");
    match_play(*state, fork, "f4");
    assert_match_at(*state, id, 5, 4);
    assert_match_at(*state, fork, 4, 3);
}

static void a_fork_without_a_ply_is_the_whole_game(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork"));
    assert_status(answer, 201);
    assert_json(answer, "ply", "3");
    answer = match_ask(*state, "POST", match_path(id, "/fork?ply=0"));
    assert_json(answer, "ply", "0");
    assert_json(answer, "version", "1");
    answer = match_ask(*state, "POST", match_path(id, "/fork.txt?ply=1"));
    assert_status(answer, 201);
    assert_int_equal(answer->length, 13);
}

static void a_fork_keeps_first_position_and_variant(void **state)
{
    const char *id = match_new_json(*state, "{\"chess960_number\":0,\"moves\":[\"e4\",\"e5\"]}");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork?ply=1"));
    assert_json(answer, "variant", "\"chess960\"");
    assert_json(answer, "chess960_number", "0");
    id = match_new_json(*state, "{\"variant\":\"chess960\",\"fen\":\"4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1\","
                                "\"moves\":[\"O-O-O\"]}");
    answer = match_ask(*state, "POST", match_path(id, "/fork"));
    assert_status(answer, 201);
    assert_json(answer, "last_move.castling", "\"queenside\"");
    id = match_new_json(*state, "{\"moves\":[\"e4\",\"e5\",\"Nf3\",\"Nc6\",\"Bc4\",\"Bc5\",\"O-O\"]}");
    assert_json(match_ask(*state, "POST", match_path(id, "/fork")), "last_move.san", "\"O-O\"");
}

static void a_fork_of_an_ended_game_goes_on_where_no_move_has_ended_it(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "f3 e5 g4 Qh4");
    assert_json(match_ask(*state, "POST", match_path(id, "/fork")), "termination", "\"checkmate\"");
    assert_json(match_ask(*state, "POST", match_path(id, "/fork?ply=3")), "status", "\"active\"");
    id = match_new(*state);
    match_play(*state, id, "e4");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    assert_json(match_ask(*state, "POST", match_path(id, "/fork")), "status", "\"active\"");
}

static void a_fork_from_nowhere_is_refused(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork?ply=2"));
    assert_problem(answer, 404, "ply-not-found");
    assert_json(answer, "game.ply", "1");
    assert_problem(match_ask(*state, "POST", match_path(id, "/fork?ply=-1")), 400, "invalid-parameter");
    assert_problem(match_ask(*state, "POST", match_path(id, "/fork?plies=1")), 400, "unknown-field");
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 1);
}

/* The ply of a fork stands in the query; in the body it would be passed over in silence. */
static void a_fork_refuses_fields_in_its_body(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    const struct answer *answer = match_post(*state, id, "/fork", "{\"ply\":0}");
    assert_problem(answer, 400, "unknown-field");
    assert_json(answer, "pointer", "\"/ply\"");
    assert_status(match_post(*state, id, "/fork", "{}"), 201);
    assert_status(client_curl(*state, match_path(id, "/fork"), ""), 201);
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 3);
}

/* Of a game that was longer before the limit was lowered. What was sent has no moves that a pointer could lead to. */
static void a_fork_is_no_longer_than_the_limit(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5 Nf3 Nc6");
    client_forget_to(*state, 3);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork"));
    assert_problem(answer, 422, "too-expensive");
    assert_json(answer, "limit", "3");
    assert_false(answer_has(answer, "pointer"));
    assert_false(answer_has(answer, "index"));
    assert_status(match_ask(*state, "POST", match_path(id, "/fork?ply=3")), 201);
}

static void a_cold_game_is_forked_too(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    client_forget(*state);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/fork?ply=1"));
    assert_status(answer, 201);
    assert_true(answer->blocked);
    assert_json(answer, "last_move.san", "\"e4\"");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(one_move_is_taken_back_unless_more_are_asked_for),
        CLIENT_TEST(a_bare_number_is_how_many_are_taken_back),
        CLIENT_TEST(what_was_taken_back_is_out_of_the_history),
        CLIENT_TEST(undo_reopens_a_game_that_a_move_has_ended),
        CLIENT_TEST(undo_does_not_reopen_what_people_have_ended),
        CLIENT_TEST(undo_brings_repetitions_and_claims_back_to_what_they_were),
        CLIENT_TEST(there_is_no_more_to_take_back_than_was_played),
        CLIENT_TEST(a_fork_is_a_new_game_with_the_history_up_to_a_ply),
        CLIENT_TEST(a_fork_without_a_ply_is_the_whole_game),
        CLIENT_TEST(a_fork_keeps_first_position_and_variant),
        CLIENT_TEST(a_fork_of_an_ended_game_goes_on_where_no_move_has_ended_it),
        CLIENT_TEST(a_fork_from_nowhere_is_refused),
        CLIENT_TEST(a_fork_refuses_fields_in_its_body),
        CLIENT_TEST(a_fork_is_no_longer_than_the_limit),
        CLIENT_TEST(a_cold_game_is_forked_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
