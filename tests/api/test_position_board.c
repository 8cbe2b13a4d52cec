/* GET /v1/positions/board as text and JSON. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define BOARD "/v1/positions/board"

static void a_position_is_drawn_in_letters_like_a_game(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 c5");
    static const char *const QUERIES[][2] = {
        {"/board", BOARD "?moves=e4,c5"},
        {"/board.txt?orientation=black&coordinates=false",
         BOARD ".txt?moves=e4,c5&orientation=black&coordinates=false"},
        {"/board?style=unicode", BOARD "?moves=1.e4%20c5&style=unicode"},
        {"/board?style=list", BOARD "?moves=e4,c5&style=list"},
        {"/board?ply=0", BOARD},
    };
    for (size_t i = 0; i < sizeof QUERIES / sizeof QUERIES[0]; i++) {
        const struct answer *answer = client_get(*state, QUERIES[i][1]);
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
        assert_string_equal(answer->body, match_get(*state, id, QUERIES[i][0])->body);
    }
}

/* One fact a line, each a sentence; squares parted so that a voice pauses. */
static void a_list_reads_well_aloud(void **state)
{
    assert_string_equal(
        client_get(*state, BOARD "?style=list&fen=r3k3/8/8/8/8/8/4P1P1/4K2R_b_q&moves=O-O-O")->body,
        "White: king e1; rook h1; pawns e2, g2.\n"
        "Black: king c8; rook d8.\n"
        "Last move: Black castles queenside.\n"
        "\n"
        "White to move\n");
    assert_string_equal(
        client_get(*state, BOARD "?style=list&moves=f3,e5,g4,Qh4&orientation=black")->body,
        "Black: king e8; queen h4; rooks a8, h8; bishops c8, f8; knights b8, g8; pawns a7, b7, c7, "
        "d7, e5, f7, g7, h7.\n"
        "White: king e1; queen d1; rooks a1, h1; bishops c1, f1; knights b1, g1; pawns a2, b2, c2, "
        "d2, e2, f3, g4, h2.\n"
        "Last move: Black queen d8 to h4.\n"
        "\n"
        "0-1, checkmate\n");
}

static void a_position_that_is_over_says_so(void **state)
{
    static const struct {
        const char *query, *end;
    } rows[] = {
        {"fen=R5k1/5ppp/8/8/8/8/8/4K3_b", "\n\n1-0, checkmate\n"},
        {"fen=7k/5Q2/6K1/8/8/8/8/8_b", "\n\n1/2-1/2, stalemate\n"},
        {"fen=7k/8/8/8/8/8/8/K6N_w", "\n\n1/2-1/2, dead position\n"},
        {"fen=4k3/8/8/8/8/8/8/K3R3_b", "\n\nBlack to move, in check\n"},
        {"fen=7k/8/8/8/8/8/R7/K7_w_-_-_150_120",
         "\n\nWhite to move\n"}, /* an end of games, not of positions */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char target[128];
        (void)snprintf(target, sizeof target, BOARD "?%s", rows[i].query);
        assert_non_null(strstr(client_get(*state, target)->body, rows[i].end));
    }
}

static void as_json_it_lists_its_pieces_and_has_no_status_of_a_game(void **state)
{
    static const struct member MEMBERS[] = {
        {"fen", "\"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\""},
        {"orientation", "\"black\""},
        {"pieces", "[{\"square\":\"a1\",\"color\":\"white\",\"piece\":\"rook\"},"
                   "{\"square\":\"e1\",\"color\":\"white\",\"piece\":\"king\"},"
                   "{\"square\":\"e8\",\"color\":\"black\",\"piece\":\"king\"}]"},
    };
    ASSERT_MEMBERS(client_get(*state, BOARD ".json?orientation=black&fen=4k3/8/8/8/8/8/8/R3K3_w_Q"), "",
                   MEMBERS);
}

static void what_cannot_be_a_position_is_refused(void **state)
{
    assert_problem(client_get(*state, BOARD "?fen=x"), 400, "invalid-fen");
    assert_problem(client_get(*state, BOARD "?fen=8/8/8/8/8/8/8/8_w"), 422, "illegal-position");
    assert_problem(client_get(*state, BOARD "?moves=e5"), 422, "illegal-move");
    assert_problem(client_get(*state, BOARD "?style=svg"), 400, "invalid-parameter");
    assert_problem(client_get(*state, BOARD "?ply=1"), 400, "unknown-field");
    assert_problem(client_get_as(*state, BOARD, "text/html"), 406, "not-acceptable");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_position_is_drawn_in_letters_like_a_game),
        CLIENT_TEST(a_list_reads_well_aloud),
        CLIENT_TEST(a_position_that_is_over_says_so),
        CLIENT_TEST(as_json_it_lists_its_pieces_and_has_no_status_of_a_game),
        CLIENT_TEST(what_cannot_be_a_position_is_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
