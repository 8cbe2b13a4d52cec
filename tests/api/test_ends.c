/* How games end: by the board, by the count, by resigning, by aborting. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define SHUFFLE "Nf3 Nf6 Ng1 Ng8 "

struct end {
    const char *label, *rules, *fen, *moves; /* NULL: the usual */
    const char *result, *winner, *termination, *article, *by, *material, *also;
};

static void assert_end(struct client *client, const struct end *end)
{
    char body[512], list[256];
    match_moves_json(end->moves, list, sizeof list);
    int put = snprintf(body, sizeof body, "{\"rules\":{%s}", end->rules ? end->rules : "");
    if (end->fen)
        put += snprintf(body + put, sizeof body - (size_t)put, ",\"fen\":\"%s\"", end->fen);
    (void)snprintf(body + put, sizeof body - (size_t)put, "}");
    print_message("%s\n", end->label);
    const char *id = match_new_json(client, body);
    client_set_time(client, 1767323099000);
    const struct answer *played = match_play(client, id, end->moves);
    for (int cold = 0; cold < 2; cold++) {
        const struct answer *game = match_get(client, id, "");
        assert_json(game, "status", "\"ended\"");
        assert_json(game, "result", end->result);
        assert_json(game, "winner", end->winner);
        assert_json(game, "termination", end->termination);
        assert_json(game, "termination_detail.article", end->article);
        assert_json(game, "termination_detail.by", end->by);
        assert_json(game, "termination_detail.material", end->material);
        assert_json(game, "termination_detail.also", end->also);
        assert_json(game, "termination_detail.claim", "null");
        assert_json(game, "ended_at", "\"2026-01-02T03:04:59.000Z\"");
        assert_json(game, "legal_move_count", "0");
        assert_json(game, "draw.now", "[]");
        assert_json(game, "draw.with_move_count", "0");
        assert_string_equal(answer_header(game, "Cache-Control"), "max-age=300");
        client_forget(client);
    }
    assert_json(played, "game.termination", end->termination);
    assert_problem(match_post(client, id, "/moves", "{\"move\":\"e4\"}"), 409, "game-over");
}

static void a_move_ends_the_game_by_the_laws(void **state)
{
#define DRAW "\"1/2-1/2\"", "null"
    static const struct end rows[] = {
        {"checkmate by Black", NULL, NULL, "f3 e5 g4 Qh4", "\"0-1\"", "\"black\"", "\"checkmate\"",
         "\"5.1.1\"", "\"black\"", "false", "[]"},
        {"checkmate by White", NULL, "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "Ra8", "\"1-0\"", "\"white\"",
         "\"checkmate\"", "\"5.1.1\"", "\"white\"", "false", "[]"},
        {"stalemate", NULL, "7k/8/6K1/8/8/8/5Q2/8 w - - 0 1", "Qf7", DRAW, "\"stalemate\"", "\"5.2.1\"",
         "\"white\"", "false", "[]"},
        {"dead by material", NULL, "7k/8/8/8/8/2K5/1r6/8 w - - 0 1", "Kxb2", DRAW, "\"dead_position\"",
         "\"5.2.2\"", "\"white\"", "true", "[]"},
        {"dead with a knight left", NULL, "6nk/8/8/8/8/2K5/1r6/8 w - - 0 1", "Kxb2", DRAW,
         "\"dead_position\"", "\"5.2.2\"", "\"white\"", "true", "[]"},
        {"fivefold", NULL, NULL, SHUFFLE SHUFFLE SHUFFLE SHUFFLE, DRAW, "\"fivefold_repetition\"",
         "\"9.6.1\"", "\"black\"", "false", "[]"},
        {"seventy-five moves", NULL, "7k/8/8/8/8/8/R7/K7 w - - 149 120", "Ra3", DRAW, "\"seventyfive_moves\"",
         "\"9.6.2\"", "\"white\"", "false", "[]"},
        {"mate on the last of seventy-five moves", NULL, "7k/R7/8/8/8/8/1R6/K7 w - - 149 120", "Rb8",
         "\"1-0\"", "\"white\"", "\"checkmate\"", "\"5.1.1\"", "\"white\"", "false",
         "[\"seventyfive_moves\"]"},
        {"stalemate on the last of seventy-five moves", NULL, "7k/8/6K1/8/8/8/5Q2/8 w - - 149 120", "Qf7",
         DRAW, "\"stalemate\"", "\"5.2.1\"", "\"white\"", "false", "[\"seventyfive_moves\"]"},
        {"fivefold on the last of seventy-five moves", NULL,
         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 134 90", SHUFFLE SHUFFLE SHUFFLE SHUFFLE, DRAW,
         "\"fivefold_repetition\"", "\"9.6.1\"", "\"black\"", "false", "[\"seventyfive_moves\"]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_end(*state, &rows[i]);
}

static void the_rules_of_a_game_add_ends_that_nobody_claims(void **state)
{
    static const struct end rows[] = {
        {"online: threefold", "\"profile\":\"online\"", NULL, SHUFFLE SHUFFLE, DRAW,
         "\"threefold_repetition\"", "\"9.2\"", "\"black\"", "false", "[]"},
        {"online: fifty moves", "\"profile\":\"online\"", "7k/8/8/8/8/8/R7/K7 w - - 99 90", "Ra3", DRAW,
         "\"fifty_moves\"", "\"9.3\"", "\"white\"", "false", "[]"},
        {"threefold alone", "\"auto_claim\":[\"threefold_repetition\"]", NULL, SHUFFLE SHUFFLE, DRAW,
         "\"threefold_repetition\"", "\"9.2\"", "\"black\"", "false", "[]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_end(*state, &rows[i]);
}

static void the_rules_of_a_game_take_ends_away(void **state)
{
    static const struct {
        const char *label, *rules, *fen, *moves;
    } rows[] = {
        {"no fivefold", "\"fivefold\":false", NULL, SHUFFLE SHUFFLE SHUFFLE SHUFFLE "e4"},
        {"no seventy-five", "\"seventyfive\":false", "7k/8/8/8/8/8/R7/K7 w - - 149 120", "Ra3 Kg7 Ra4"},
        {"no dead positions", "\"dead_position\":\"off\"", "7k/8/8/8/8/8/1r6/K7 w - - 0 1", "Kxb2 Kg7"},
        {"no claims of its own", "\"profile\":\"online\",\"auto_claim\":[]", NULL, SHUFFLE SHUFFLE},
        {"fifty moves alone", "\"auto_claim\":[\"fifty_moves\"]", NULL, SHUFFLE SHUFFLE},
        {"one short of seventy-five", "", "7k/8/8/8/8/8/R7/K7 w - - 148 120", "Ra3"},
        {"one short of fivefold", "", NULL, SHUFFLE SHUFFLE SHUFFLE "Nf3 Nf6 Ng1"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[256];
        (void)snprintf(body, sizeof body, "{\"rules\":{%s},\"fen\":\"%s\"}", rows[i].rules,
                       rows[i].fen ? rows[i].fen : START_FEN);
        print_message("%s\n", rows[i].label);
        const char *id = match_new_json(*state, body);
        assert_json(match_play(*state, id, rows[i].moves), "game.status", "\"active\"");
    }
}

/* ---- resigning ---- */

static void resigning_loses_for_the_side_to_move_or_the_one_named(void **state)
{
    static const struct {
        const char *label, *moves, *json, *result, *by;
    } rows[] = {
        {"White to move", "e4 e5", NULL, "\"0-1\"", "\"white\""},
        {"Black to move", "e4", NULL, "\"1-0\"", "\"black\""},
        {"Black, named", "e4 e5", "{\"color\":\"black\"}", "\"1-0\"", "\"black\""},
        {"White, named, before a move", "", "{\"color\":\"white\"}", "\"0-1\"", "\"white\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new(*state);
        print_message("%s\n", rows[i].label);
        if (*rows[i].moves)
            match_play(*state, id, rows[i].moves);
        const struct answer *answer = match_send(*state, "POST", match_path(id, "/resign"), rows[i].json);
        static const struct member TOP[] = {{"game", NULL}, {"server_time", NULL}};
        assert_status(answer, 200);
        ASSERT_MEMBERS(answer, "", TOP);
        assert_json(answer, "game.status", "\"ended\"");
        assert_json(answer, "game.result", rows[i].result);
        assert_json(answer, "game.termination", "\"resignation\"");
        assert_json(answer, "game.termination_detail.article", "\"5.1.2\"");
        assert_json(answer, "game.termination_detail.by", rows[i].by);
    }
}

/* 5.1.2: against a side that cannot mate it is a draw. */
static void resigning_against_a_bare_king_draws(void **state)
{
    const char *id = match_new_fen(*state, "7k/8/8/8/8/8/R7/K7 w - - 0 1");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/resign"));
    assert_status(answer, 200);
    assert_json(answer, "game.result", "\"1/2-1/2\"");
    assert_json(answer, "game.winner", "null");
    assert_json(answer, "game.termination", "\"resignation_unwinnable\"");
    assert_json(answer, "game.termination_detail.by", "\"white\"");
    assert_json(answer, "game.termination_detail.material", "true");
    id = match_new_fen(*state, "7k/8/8/8/8/8/R7/K7 w - - 0 1");
    answer = client_curl(*state, match_path(id, "/resign.txt"), "color=black");
    assert_string_equal(answer->body, "1-0 resignation\n");
}

/* Pawns would be enough, were they not a wall. */
static void a_draw_by_structure_is_not_of_material(void **state)
{
    const char *id = match_new_json(*state, "{\"fen\":\"4k3/8/8/p1p1p1p1/P1P1P1P1/8/6K1/8 b - - 0 1\","
                                            "\"rules\":{\"dead_position\":\"material\"}}");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/resign"));
    assert_json(answer, "game.termination", "\"resignation_unwinnable\"");
    assert_json(answer, "game.termination_detail.decision.method", "\"structure\"");
    assert_json(answer, "game.termination_detail.material", "false");
}

static void resigning_again_is_200_and_the_other_side_is_too_late(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/resign"));
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_status(match_post(*state, id, "/resign", "{\"color\":\"black\"}"), 200);
    answer = match_post(*state, id, "/resign", "{\"color\":\"white\"}");
    assert_problem(answer, 409, "game-over");
    assert_json(answer, "game.termination", "\"resignation\"");
    assert_match_at(*state, id, 3, 1);
    id = match_new_json(*state, "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}");
    assert_problem(match_ask(*state, "POST", match_path(id, "/resign")), 409, "game-over");
}

static void resigning_takes_a_colour_and_nothing_else(void **state)
{
    static const struct {
        const char *json, *code, *pointer;
    } rows[] = {
        {"{\"color\":\"red\"}", "invalid-parameter", "\"/color\""},
        {"{\"color\":null}", "invalid-parameter", "\"/color\""},
        {"{\"colour\":\"white\"}", "unknown-field", "\"/colour\""},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = match_post(*state, id, "/resign", rows[i].json);
        assert_problem(answer, 400, rows[i].code);
        assert_json(answer, "pointer", rows[i].pointer);
    }
    assert_problem(client_post(*state, match_path(id, "/resign"), "text/plain", "red"), 400,
                   "invalid-parameter");
    assert_problem(client_post(*state, match_path(id, "/resign"), "application/vnd.chess-pgn", "white"), 415,
                   "unsupported-media-type");
    assert_match_at(*state, id, 1, 0);
    const struct answer *answer = client_curl(*state, match_path(id, "/resign.txt"), "white");
    assert_string_equal(answer->body, "0-1 resignation\n");
}

/* ---- aborting ---- */

static void a_game_is_aborted_before_both_sides_have_moved(void **state)
{
    static const char *const moves[] = {"", "e4"};
    for (size_t i = 0; i < 2; i++) {
        const char *id = match_new(*state);
        if (*moves[i])
            match_play(*state, id, moves[i]);
        const struct answer *answer = match_ask(*state, "POST", match_path(id, "/abort"));
        assert_status(answer, 200);
        assert_json(answer, "game.status", "\"aborted\"");
        assert_json(answer, "game.result", "\"*\"");
        assert_json(answer, "game.winner", "null");
        assert_json(answer, "game.termination", "\"aborted\"");
        assert_json(answer, "game.termination_detail.article", "null");
        assert_json(answer, "game.legal_move_count", "0");
        answer = match_ask(*state, "POST", match_path(id, "/abort.txt"));
        assert_status(answer, 200);
        assert_string_equal(answer->body, "* aborted\n");
        assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
        assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e5\"}"), 409, "game-over");
        assert_problem(match_ask(*state, "POST", match_path(id, "/undo")), 409, "game-over");
        assert_problem(match_ask(*state, "POST", match_path(id, "/resign")), 409, "game-over");
        assert_problem(match_ask(*state, "POST", match_path(id, "/draw/claim")), 409, "game-over");
        assert_string_equal(answer_header(match_get(*state, id, ""), "Cache-Control"), "max-age=300");
    }
}

static void a_game_that_both_sides_have_begun_is_not_aborted(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    const struct answer *answer = match_ask(*state, "POST", match_path(id, "/abort"));
    assert_problem(answer, 409, "abort-too-late");
    assert_json(answer, "game.ply", "2");
    assert_match_at(*state, id, 3, 2);
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    assert_problem(match_ask(*state, "POST", match_path(id, "/abort")), 409, "game-over");
    answer = match_post(*state, match_new(*state), "/abort", "{\"reason\":\"late\"}");
    assert_problem(answer, 400, "unknown-field");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_move_ends_the_game_by_the_laws),
        CLIENT_TEST(the_rules_of_a_game_add_ends_that_nobody_claims),
        CLIENT_TEST(the_rules_of_a_game_take_ends_away),
        CLIENT_TEST(resigning_loses_for_the_side_to_move_or_the_one_named),
        CLIENT_TEST(resigning_against_a_bare_king_draws),
        CLIENT_TEST(a_draw_by_structure_is_not_of_material),
        CLIENT_TEST(resigning_again_is_200_and_the_other_side_is_too_late),
        CLIENT_TEST(resigning_takes_a_colour_and_nothing_else),
        CLIENT_TEST(a_game_is_aborted_before_both_sides_have_moved),
        CLIENT_TEST(a_game_that_both_sides_have_begun_is_not_aborted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
