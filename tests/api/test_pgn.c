/* A game as PGN: tags, movetext, comments, line lengths, results. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

/* The text with the id of the game put for its "%s". */
static void assert_pgn(struct client *client, const char *id, const char *rest, const char *format)
{
    char expected[4096];
    const char *hole = strstr(format, "%s");
    if (hole)
        (void)snprintf(expected, sizeof expected, "%.*s%s%s", (int)(hole - format), format, id, hole + 2);
    else
        (void)snprintf(expected, sizeof expected, "%s", format);
    const struct answer *answer = match_get(client, id, rest);
    assert_status(answer, 200);
    assert_string_equal(answer->body, expected);
    assert_string_equal(answer_header(answer, "Content-Type"), "application/vnd.chess-pgn; charset=utf-8");
}

static void a_game_begins_with_the_seven_tags_in_order(void **state)
{
    static const char EXPECTED[] = "[Event \"?\"]\n"
                                   "[Site \"?\"]\n"
                                   "[Date \"2026.01.02\"]\n"
                                   "[Round \"?\"]\n"
                                   "[White \"Anna\"]\n"
                                   "[Black \"?\"]\n"
                                   "[Result \"0-1\"]\n"
                                   "[GameId \"%s\"]\n"
                                   "[Termination \"normal\"]\n"
                                   "[UTCDate \"2026.01.02\"]\n"
                                   "[UTCTime \"03:04:05\"]\n"
                                   "\n"
                                   "1. f3 e5 2. g4 Qh4# 0-1\n";
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"Anna\"}}");
    match_play(*state, id, "f3 e5 g4 Qh4");
    assert_pgn(*state, id, ".pgn", EXPECTED);
    assert_pgn(*state, id, "/pgn", EXPECTED);
    assert_pgn(*state, id, "/pgn.pgn", EXPECTED);
    client_forget(*state);
    assert_pgn(*state, id, ".pgn", EXPECTED);
    assert_string_equal(answer_header(match_get(*state, id, "/pgn.txt"), "Content-Type"),
                        "text/plain; charset=utf-8");
    const char *disposition = answer_header(match_get(*state, id, ".pgn"), "Content-Disposition");
    assert_non_null(strstr(disposition, id));
}

static void an_empty_game_is_a_result_alone(void **state)
{
    const char *id = match_new(*state);
    assert_pgn(*state, id, "/pgn?tags=false", "*\n");
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "[Result \"*\"]\n"));
    assert_non_null(strstr(pgn, "[Termination \"unterminated\"]\n"));
    assert_non_null(strstr(pgn, "\"]\n\n*\n"));
}

static void other_first_positions_have_setup_fen_and_black_dots(void **state)
{
    static const char FEN[] = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7";
    const char *id = match_new_fen(*state, FEN);
    match_play(*state, id, "e5 Nf3");
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "\n[SetUp \"1\"]\n"));
    assert_non_null(strstr(pgn, "\n[FEN \"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 7\"]\n"));
    assert_non_null(strstr(pgn, "\n7... e5 8. Nf3 *\n"));
    assert_null(strstr(pgn, "Variant"));
}

static void chess960_says_its_variant_and_castles_as_usual(void **state)
{
    const char *id =
        match_new_json(*state, "{\"variant\":\"chess960\",\"fen\":\"4k3/8/8/8/8/8/8/1R3KR1 w KQ - "
                               "0 1\",\"moves\":[\"f1b1\"]}");
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "\n[Variant \"Chess960\"]\n"));
    assert_non_null(strstr(pgn, "\n[FEN \"4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1\"]\n"));
    assert_non_null(strstr(pgn, "\n1. O-O-O *\n"));
    id = match_new_json(*state, "{\"variant\":\"chess960\"}");
    pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "\n[Variant \"Chess960\"]\n"));
    assert_non_null(strstr(pgn, "\n[SetUp \"1\"]\n"));
}

static void the_result_and_its_tag_agree(void **state)
{
    static const struct {
        const char *label, *fen, *action, *json, *tag, *termination, *marker;
    } rows[] = {
        {"resigned", START_FEN, "/resign", NULL, "[Result \"0-1\"]", "[Termination \"normal\"]", "\n0-1\n"},
        {"aborted", START_FEN, "/abort", NULL, "[Result \"*\"]", "[Termination \"abandoned\"]", "\n*\n"},
        {"claimed", "7k/8/8/8/8/8/R7/K7 w - - 100 90", "/draw/claim", NULL, "[Result \"1/2-1/2\"]",
         "[Termination \"normal\"]", "\n1/2-1/2\n"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new_fen(*state, rows[i].fen);
        print_message("%s\n", rows[i].label);
        assert_status(match_send(*state, "POST", match_path(id, rows[i].action), rows[i].json), 200);
        const char *pgn = match_get(*state, id, ".pgn")->body;
        assert_non_null(strstr(pgn, rows[i].tag));
        assert_non_null(strstr(pgn, rows[i].termination));
        assert_string_equal(pgn + strlen(pgn) - strlen(rows[i].marker), rows[i].marker);
    }
}

static void names_cannot_break_a_tag(void **state)
{
    const char *id = match_new_json(
        *state,
        "{\"white\":{\"name\":\"A \\\"B\\\" \\\\ C\"},\"black\":{\"name\":\"x\\\"][Result \\\"1-0\\\"]\"}}");
    const char *pgn = match_get(*state, id, ".pgn")->body;
    assert_non_null(strstr(pgn, "\n[White \"A \\\"B\\\" \\\\ C\"]\n"));
    assert_non_null(strstr(pgn, "\n[Black \"x\\\"][Result \\\"1-0\\\"]\"]\n"));
}

static void comments_and_tags_can_be_left_out(void **state)
{
    const char *id = match_new(*state);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"comment\":\"best by test\"}"), 201);
    match_play(*state, id, "e5");
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"Nf3\",\"comment\":\"\"}"), 201);
    assert_pgn(*state, id, "/pgn?comments=false&tags=false", "1. e4 e5 2. Nf3 *\n");
    assert_pgn(*state, id, ".pgn?comments=0&tags=false", "1. e4 e5 2. Nf3 *\n");
    assert_pgn(*state, id, "/pgn?tags=false&comments=true", "1. e4 { best by test } 1... e5 2. Nf3 *\n");
    assert_json(match_get(*state, id, "/moves/3"), "comment", "null");
    assert_problem(match_get(*state, id, "/pgn?comments=some"), 400, "invalid-parameter");
    assert_problem(match_get(*state, id, "/pgn?clocks=some"), 400, "invalid-parameter");
    assert_problem(match_get(*state, id, "/pgn?times=true"), 400, "unknown-field");
}

#define BARE "/pgn?comments=false&clocks=false"

/* Only comments and clocks stand in the log alone. */
static void without_comments_and_clocks_no_store_is_asked(void **state)
{
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"Anna\"},\"moves\":[\"e4\",\"e5\"]}");
    assert_false(match_get(*state, id, BARE)->blocked);
    const struct answer *answer = match_get(*state, id, "/pgn");
    assert_true(answer->blocked);
    assert_string_equal(match_get(*state, id, BARE)->body, answer->body);
    assert_status(match_ask_with(*state, "GET", match_path(id, BARE), "If-None-Match", "*"), 304);
    client_forget(*state);
    assert_string_equal(match_get(*state, id, BARE)->body, answer->body);
}

static void no_line_is_eighty_columns_long(void **state)
{
    char moves[2048] = "";
    const char *id = match_new_json(*state, "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}");
    for (int i = 0; i < 60; i++)
        strcat(moves, "Nf3 Nf6 Ng1 Ng8 ");
    match_play(*state, id, moves);
    const char *pgn = match_get(*state, id, ".pgn")->body;
    size_t lines = 0;
    for (const char *line = pgn; *line; line += strcspn(line, "\n") + 1, lines++)
        assert_true(strcspn(line, "\n") < 80);
    assert_true(lines > 20);
    assert_non_null(strstr(pgn, "120. Ng1"));
    assert_int_equal(pgn[strlen(pgn) - 1], '\n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_game_begins_with_the_seven_tags_in_order),
        CLIENT_TEST(an_empty_game_is_a_result_alone),
        CLIENT_TEST(other_first_positions_have_setup_fen_and_black_dots),
        CLIENT_TEST(chess960_says_its_variant_and_castles_as_usual),
        CLIENT_TEST(the_result_and_its_tag_agree),
        CLIENT_TEST(names_cannot_break_a_tag),
        CLIENT_TEST(comments_and_tags_can_be_left_out),
        CLIENT_TEST(without_comments_and_clocks_no_store_is_asked),
        CLIENT_TEST(no_line_is_eighty_columns_long),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
