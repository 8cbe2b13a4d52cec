/* Moves taken back by consent, at will, or not at all. */
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

/* White is to move. */
static const char *after_four_plies(struct client *client, const char *takeback)
{
    char body[128];
    (void)snprintf(body, sizeof body,
                   "{\"rules\":{\"takeback\":\"%s\"},\"moves\":[\"e4\",\"e5\",\"Nf3\",\"Nc6\"]}", takeback);
    return match_new_json(client, body);
}

static void a_takeback_is_asked_for_and_agreed_to(void **state)
{
    static const struct member TOP[] = {{"game", NULL}, {"server_time", NULL}};
    const char *id = after_four_plies(*state, "consent");
    const struct answer *answer = act(*state, id, "/takeback");
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_json(answer, "game.takeback", "{\"offered_by\":\"white\",\"to_ply\":2}");
    assert_json(answer, "game.ply", "4");
    assert_json(answer, "game.version", "6");
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "takeback", "{\"offered_by\":\"white\",\"to_ply\":2}");
    answer = act(*state, id, "/takeback/accept");
    assert_status(answer, 200);
    ASSERT_MEMBERS(answer, "", TOP);
    assert_json(answer, "game.takeback", "null");
    assert_json(answer, "game.ply", "2");
    assert_json(answer, "game.version", "7");
    assert_json(answer, "game.fen", "\"rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2\"");
}

static void the_last_move_of_the_asker_goes(void **state)
{
    static const struct {
        const char *json, *to_ply;
    } rows[] = {
        {NULL, "2"},
        {"{\"color\":\"white\"}", "2"},
        {"{\"color\":\"black\"}", "3"},
        {"{\"to_ply\":0}", "0"},
        {"{\"to_ply\":1,\"color\":\"black\"}", "1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = after_four_plies(*state, "consent");
        const struct answer *answer = match_send(*state, "POST", match_path(id, "/takeback"), rows[i].json);
        assert_status(answer, 201);
        assert_json(answer, "game.takeback.to_ply", rows[i].to_ply);
    }
    const char *id = after_four_plies(*state, "consent");
    const struct answer *answer = client_curl(*state, match_path(id, "/takeback.txt"), "black");
    assert_string_equal(answer->body, "black asks to go back to half-move 3\n");
    assert_string_equal(act(*state, id, "/takeback/accept.txt")->body, "back at half-move 3\n");
    answer = client_curl(*state, match_path(id, "/takeback.txt"), "2");
    assert_string_equal(answer->body, "black asks to go back to half-move 2\n");
    answer = client_curl(*state, match_path(id, "/takeback"), "-1");
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), "/to_ply");
}

static void a_request_is_declined_withdrawn_or_overtaken(void **state)
{
    const char *id = after_four_plies(*state, "consent");
    assert_status(act(*state, id, "/takeback"), 201);
    const struct answer *answer = act(*state, id, "/takeback/decline.txt");
    assert_status(answer, 200);
    assert_string_equal(answer->body, "no moves are taken back\n");
    assert_json(match_get(*state, id, ""), "takeback", "null");
    assert_status(act(*state, id, "/takeback"), 201);
    answer = match_ask(*state, "DELETE", match_path(id, "/takeback"));
    assert_status(answer, 200);
    assert_json(answer, "game.takeback", "null");
    assert_json(answer, "game.ply", "4");
    assert_status(act(*state, id, "/takeback"), 201);
    assert_json(match_play(*state, id, "Bb5"), "game.takeback", "null");
    assert_problem(act(*state, id, "/takeback/accept"), 409, "no-open-offer");
}

/* Principle 2 of the contract: the state that is wanted holds. */
static void an_answer_that_is_sent_again_is_a_repeat(void **state)
{
    static const struct {
        const char *method, *rest, *other;
    } rows[] = {
        {"POST", "/takeback/decline", "{\"color\":\"white\"}"},
        {"DELETE", "/takeback", "{\"color\":\"black\"}"},
        {"POST", "/takeback/accept", "{\"color\":\"white\"}"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = after_four_plies(*state, "consent");
        assert_status(act(*state, id, "/takeback"), 201);
        for (int times = 0; times < 3; times++) {
            const struct answer *answer = match_ask(*state, rows[i].method, match_path(id, rows[i].rest));
            assert_status(answer, 200);
            assert_string_equal(answer_header(answer, "Idempotent-Replayed"), times > 0 ? "true" : "");
            assert_json(answer, "game.version", "7");
        }
        assert_problem(match_send(*state, rows[i].method, match_path(id, rows[i].rest), rows[i].other), 409,
                       "no-open-offer");
        assert_status(match_play(*state, id, "a3"), 201);
        assert_problem(match_ask(*state, rows[i].method, match_path(id, rows[i].rest)), 409, "no-open-offer");
    }
}

static void a_request_is_answered_by_the_other_side(void **state)
{
    const char *id = after_four_plies(*state, "consent");
    assert_problem(act(*state, id, "/takeback/accept"), 409, "no-open-offer");
    assert_problem(act(*state, id, "/takeback/decline"), 409, "no-open-offer");
    assert_problem(match_ask(*state, "DELETE", match_path(id, "/takeback")), 409, "no-open-offer");
    assert_status(act(*state, id, "/takeback"), 201);
    assert_problem(match_post(*state, id, "/takeback/accept", "{\"color\":\"white\"}"), 409, "own-offer");
    assert_problem(client_curl(*state, match_path(id, "/takeback/decline"), "white"), 409, "own-offer");
    assert_problem(match_post(*state, id, "/takeback", "{\"color\":\"black\"}"), 409, "offer-exists");
    assert_problem(match_send(*state, "DELETE", match_path(id, "/takeback"), "{\"color\":\"black\"}"), 409,
                   "no-open-offer");
    const struct answer *again = act(*state, id, "/takeback");
    assert_status(again, 200);
    assert_string_equal(answer_header(again, "Idempotent-Replayed"), "true");
    assert_match_at(*state, id, 6, 4);
}

static void where_it_is_free_the_moves_go_at_once(void **state)
{
    const char *id = after_four_plies(*state, "free");
    const struct answer *answer = act(*state, id, "/takeback");
    assert_status(answer, 200);
    assert_json(answer, "game.ply", "2");
    assert_json(answer, "game.takeback", "null");
    assert_string_equal(act(*state, id, "/takeback.txt")->body, "back at half-move 0\n");
    assert_problem(act(*state, id, "/takeback"), 409, "nothing-to-undo");
}

static void where_it_is_off_nothing_is_taken_back(void **state)
{
    static const char *const rests[] = {"/takeback", "/undo"};
    const char *id = after_four_plies(*state, "off");
    for (size_t i = 0; i < 2; i++) {
        const struct answer *answer = act(*state, id, rests[i]);
        assert_problem(answer, 409, "not-allowed-by-rules");
        assert_json(answer, "rule", "\"takeback\"");
    }
    assert_match_at(*state, id, 5, 4);
}

static void there_must_be_a_move_to_take_back(void **state)
{
    static const struct {
        const char *json, *code;
        unsigned status;
    } rows[] = {
        {"{\"to_ply\":4}", "nothing-to-undo", 409},    {"{\"to_ply\":9}", "nothing-to-undo", 409},
        {"{\"to_ply\":-1}", "invalid-parameter", 400}, {"{\"to_ply\":null}", "invalid-parameter", 400},
        {"{\"plies\":1}", "unknown-field", 400},       {"{\"to_ply\":20001}", "invalid-parameter", 400},
    };
    const char *id = after_four_plies(*state, "consent");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        assert_problem(match_post(*state, id, "/takeback", rows[i].json), rows[i].status, rows[i].code);
    }
    assert_match_at(*state, id, 5, 4);
}

/* In an open game the side to move asks, unless the request says another. */
static void it_is_said_whose_move_is_missing(void **state)
{
    const char *id = match_new(*state);
    assert_problem(act(*state, id, "/takeback"), 409, "nothing-to-undo");
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e4\"}"), 201);
    const struct answer *answer = act(*state, id, "/takeback");
    assert_problem(answer, 409, "nothing-to-undo");
    assert_string_equal(answer_text(answer, "detail"),
                        "Black has made no move in this game that could be taken back.");
    assert_status(match_post(*state, id, "/takeback", "{\"color\":\"white\"}"), 201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_takeback_is_asked_for_and_agreed_to),
        CLIENT_TEST(the_last_move_of_the_asker_goes),
        CLIENT_TEST(a_request_is_declined_withdrawn_or_overtaken),
        CLIENT_TEST(an_answer_that_is_sent_again_is_a_repeat),
        CLIENT_TEST(a_request_is_answered_by_the_other_side),
        CLIENT_TEST(where_it_is_free_the_moves_go_at_once),
        CLIENT_TEST(where_it_is_off_nothing_is_taken_back),
        CLIENT_TEST(there_must_be_a_move_to_take_back),
        CLIENT_TEST(it_is_said_whose_move_is_missing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
