/* Positions without a game: lines, validation, perft, the 960 first positions. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- line -------------------------------------------------------------------------------------------- */

static void a_line_is_played_to_its_end(void **state)
{
    const struct answer *answer =
        client_post(*state, "/v1/positions/line", NULL, "{\"moves\":[\"e4\",\"e7e5\",\" Nf3 \"]}");
    assert_int_equal(answer->status, 200);
    assert_int_equal(answer_count(answer, "moves"), 3);
    assert_int_equal(answer_integer(answer, "moves.1.ply"), 2);
    assert_string_equal(answer_text(answer, "moves.1.san"), "e5");
    assert_string_equal(answer_text(answer, "moves.2.uci"), "g1f3");
    assert_string_equal(answer_text(answer, "moves.2.fen"), answer_text(answer, "position.fen"));
    assert_int_equal(answer_integer(answer, "position.ply"), 3);
    assert_true(answer_is_null(answer, "fault"));
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
}

static void a_line_as_text_may_have_move_numbers(void **state)
{
    static const char *const LINES[] = {"e4 e5 Nf3", "1. e4 e5 2. Nf3", "1.e4 e5 2.Nf3", "e4,e5,Nf3",
                                        "e4\ne5\nNf3\n"};
    for (size_t i = 0; i < sizeof LINES / sizeof LINES[0]; i++) {
        const struct answer *answer = client_curl(*state, "/v1/positions/line", LINES[i]);
        assert_int_equal(answer_integer(answer, "position.ply"), 3);
        assert_true(answer_is_null(answer, "fault"));
    }
}

static void a_line_as_a_form_is_read_too(void **state)
{
    const struct answer *answer =
        client_curl(*state, "/v1/positions/line", "fen=7k/P7/8/8/8/8/8/K7+w&moves=a8=Q+Kg7");
    assert_int_equal(answer_integer(answer, "position.ply"), 2);
    assert_string_equal(answer_text(answer, "moves.0.san"), "a8=Q+");
}

static void the_first_fault_of_a_line_stands_in_the_answer(void **state)
{
    const struct answer *answer = client_curl(*state, "/v1/positions/line", "e4 e5 Bb5 a6 Ke3 d6");
    assert_int_equal(answer->status, 200);
    assert_int_equal(answer_count(answer, "moves"), 4);
    assert_int_equal(answer_integer(answer, "fault.index"), 4);
    assert_string_equal(answer_text(answer, "fault.token"), "Ke3");
    assert_string_equal(answer_text(answer, "fault.code"), "illegal-move");
    assert_string_equal(answer_text(answer, "fault.reason"), "piece_cannot_reach");
    assert_string_not_equal(answer_text(answer, "fault.detail"), "");
    answer = client_curl(*state, "/v1/positions/line", "e4 zz");
    assert_string_equal(answer_text(answer, "fault.code"), "unparseable-move");
    assert_false(answer_has(answer, "fault.reason"));
}

static void an_ambiguous_move_names_its_candidates(void **state)
{
    const struct answer *answer = client_post(*state, "/v1/positions/line", NULL,
                                              "{\"fen\":\"4k3/8/8/8/8/5N2/8/1N2K3 w\",\"moves\":[\"Nd2\"]}");
    assert_string_equal(answer_text(answer, "fault.code"), "ambiguous-move");
    assert_int_equal(answer_count(answer, "fault.candidates"), 2);
    const struct answer *moves = client_get(*state, "/v1/positions?fen=4k3/8/8/8/8/5N2/8/1N2K3_w&moves=Nd2");
    assert_problem(moves, 422, "ambiguous-move");
    assert_non_null(strstr(answer_text(moves, "detail"), "Nbd2"));
    assert_non_null(strstr(answer_text(moves, "detail"), "Nfd2"));
}

static void a_missing_promotion_piece_lists_the_four_choices(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?fen=7k/P7/8/8/8/8/8/K7_w&moves=a8");
    assert_problem(answer, 422, "illegal-move");
    assert_string_equal(answer_text(answer, "reason"), "promotion_missing");
    assert_int_equal(answer_count(answer, "alternatives"), 4);
}

static void the_squares_and_pieces_that_are_in_the_way_are_named(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?moves=Ra5");
    assert_string_equal(answer_text(answer, "reason"), "path_blocked");
    assert_string_equal(answer_text(answer, "squares.0"), "a2");
    assert_string_equal(answer_text(answer, "pieces.0.square"), "a2");
    assert_string_equal(answer_text(answer, "pieces.0.piece"), "pawn");
    assert_string_equal(answer_text(answer, "pieces.0.color"), "white");
    assert_true(answer_is_null(answer, "lost_at_ply"));
}

static void a_position_is_said_once_or_with_one_voice(void **state)
{
    static const char *const targets[] = {"/v1/positions/line?fen=4k3/8/8/8/8/8/8/4K3",
                                          "/v1/positions/line?variant=chess960",
                                          "/v1/positions/validate?variant=chess960"};
    static const char *const pointers[] = {"/fen", "/variant", "/variant"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const struct answer *answer =
            client_post(*state, targets[i], NULL, "{\"fen\":\"" START "\",\"variant\":\"standard\"}");
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "pointer"), pointers[i]);
    }
    const struct answer *answer = client_post(*state, "/v1/positions/line?variant=chess960", NULL,
                                              "{\"variant\":\"chess960\",\"moves\":[\"e4\"]}");
    assert_int_equal(answer->status, 200);
}

static void faults_of_the_first_position_point_at_where_it_came_from(void **state)
{
    const struct answer *answer =
        client_post(*state, "/v1/positions/line", NULL, "{\"fen\":\"x\",\"moves\":[]}");
    assert_problem(answer, 400, "invalid-fen");
    assert_string_equal(answer_text(answer, "pointer"), "/fen");
    answer = client_curl(*state, "/v1/positions/line?fen=x", "e4");
    assert_string_equal(answer_text(answer, "parameter"), "fen");
}

static void an_empty_line_is_the_position_itself(void **state)
{
    assert_int_equal(answer_count(client_act(*state, "/v1/positions/line"), "moves"), 0);
    const struct answer *answer = client_post(*state, "/v1/positions/line.txt", "text/plain", "e4 Ke5");
    assert_non_null(strstr(answer->body, "4P3"));
    assert_non_null(strstr(answer->body, "\nfault at 1: Ke5: "));
}

/* ---- validate ---------------------------------------------------------------------------------------- */

static void a_good_fen_is_valid_and_comes_back_in_full(void **state)
{
    const struct answer *answer =
        client_post(*state, "/v1/positions/validate", NULL, "{\"fen\":\"4k3/8/8/8/8/8/8/4K3\"}");
    assert_true(answer_bool(answer, "valid"));
    assert_string_equal(answer_text(answer, "fen"), "4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_int_equal(answer_count(answer, "faults"), 0);
    assert_true(answer_bool(client_curl(*state, "/v1/positions/validate", START), "valid"));
    assert_string_equal(client_post(*state, "/v1/positions/validate.txt", "text/plain", START)->body,
                        "valid\n");
}

static void all_faults_come_at_once(void **state)
{
    const struct answer *answer =
        client_curl(*state, "/v1/positions/validate", "P3k3/8/8/8/8/8/8/4Q3 w KQ e3 x 1");
    assert_int_equal(answer->status, 200);
    assert_false(answer_bool(answer, "valid"));
    assert_true(answer_is_null(answer, "fen"));
    assert_true(answer_count(answer, "faults") >= 3);
    for (int i = 0; i < answer_count(answer, "faults"); i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "faults.%d.detail", i);
        assert_string_not_equal(answer_text(answer, path), "");
    }
}

static void what_cannot_be_reached_is_not_valid_but_has_a_fen(void **state)
{
    const struct answer *answer =
        client_curl(*state, "/v1/positions/validate", "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1");
    assert_false(answer_bool(answer, "valid"));
    assert_string_equal(answer_text(answer, "fen"), "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1");
    assert_string_equal(answer_text(answer, "faults.0.code"), "too_many_pawns");
}

static void validate_needs_a_fen(void **state)
{
    const struct answer *answer = client_act(*state, "/v1/positions/validate");
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), "/fen");
    assert_problem(client_post(*state, "/v1/positions/validate", NULL, "{\"fan\":\"\"}"), 400,
                   "unknown-field");
}

/* ---- perft ------------------------------------------------------------------------------------------- */

static void perft_counts_the_leaves(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/perft?depth=4");
    assert_int_equal(answer_integer(answer, "nodes"), 197281);
    assert_int_equal(answer_integer(answer, "depth"), 4);
    assert_true(answer->blocked);
    assert_false(answer_has(answer, "moves"));
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/perft?depth=0"), "nodes"), 1);
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/perft?depth=1"), "nodes"), 20);
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/perft?depth=2"), "nodes"), 400);
    assert_string_equal(client_get(*state, "/v1/positions/perft.txt?depth=3")->body, "8902\n");
}

static void divide_gives_the_leaves_below_each_move(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/perft?depth=3&divide=true");
    int64_t sum = 0;
    assert_int_equal(answer_count(answer, "moves"), 20);
    for (int i = 0; i < 20; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "moves.%d.nodes", i);
        sum += answer_integer(answer, path);
    }
    assert_int_equal(sum, 8902);
    answer = client_get(*state, "/v1/positions/perft?depth=3&fen=7k/5Q2/6K1/8/8/8/8/8_b");
    assert_int_equal(answer_integer(answer, "nodes"), 0);
}

static void a_tree_that_is_too_large_is_refused_before_it_is_counted(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/perft?depth=15");
    assert_problem(answer, 422, "too-expensive");
    assert_int_equal(answer_integer(answer, "limit"), 50000000);
    assert_problem(client_get(*state, "/v1/positions/perft"), 400, "invalid-parameter");
    assert_problem(client_get(*state, "/v1/positions/perft?depth=16"), 400, "invalid-parameter");
}

/* ---- chess960 ---------------------------------------------------------------------------------------- */

static void chess960_positions_are_numbered_from_0_to_959(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/chess960/518");
    assert_string_equal(answer_text(answer, "fen"), START);
    assert_int_equal(answer_integer(answer, "chess960_number"), 518);
    assert_string_equal(answer_text(client_get(*state, "/v1/chess960/0"), "fen"),
                        "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1");
    assert_string_equal(answer_text(client_get(*state, "/v1/chess960/959"), "fen"),
                        "rkrnnqbb/pppppppp/8/8/8/8/PPPPPPPP/RKRNNQBB w KQkq - 0 1");
    static const char *const NONE[] = {"/v1/chess960/960", "/v1/chess960/-1", "/v1/chess960/x",
                                       "/v1/chess960/007"};
    for (size_t i = 0; i < sizeof NONE / sizeof NONE[0]; i++)
        assert_problem(client_get(*state, NONE[i]), 404, "not-found");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_line_is_played_to_its_end),
        CLIENT_TEST(a_line_as_text_may_have_move_numbers),
        CLIENT_TEST(a_line_as_a_form_is_read_too),
        CLIENT_TEST(the_first_fault_of_a_line_stands_in_the_answer),
        CLIENT_TEST(an_ambiguous_move_names_its_candidates),
        CLIENT_TEST(a_missing_promotion_piece_lists_the_four_choices),
        CLIENT_TEST(the_squares_and_pieces_that_are_in_the_way_are_named),
        CLIENT_TEST(a_position_is_said_once_or_with_one_voice),
        CLIENT_TEST(faults_of_the_first_position_point_at_where_it_came_from),
        CLIENT_TEST(an_empty_line_is_the_position_itself),
        CLIENT_TEST(a_good_fen_is_valid_and_comes_back_in_full),
        CLIENT_TEST(all_faults_come_at_once),
        CLIENT_TEST(what_cannot_be_reached_is_not_valid_but_has_a_fen),
        CLIENT_TEST(validate_needs_a_fen),
        CLIENT_TEST(perft_counts_the_leaves),
        CLIENT_TEST(divide_gives_the_leaves_below_each_move),
        CLIENT_TEST(a_tree_that_is_too_large_is_refused_before_it_is_counted),
        CLIENT_TEST(chess960_positions_are_numbered_from_0_to_959),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
