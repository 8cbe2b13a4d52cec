/* Positions without a game: GET /v1/positions and its legal moves. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

/* ---- GET /v1/positions ------------------------------------------------------------------------------- */

static void without_a_fen_it_is_the_usual_first_position(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions");
    assert_string_equal(answer_text(answer, "fen"), START);
    assert_string_equal(answer_text(answer, "turn"), "white");
    assert_int_equal(answer_integer(answer, "ply"), 0);
    assert_int_equal(answer_integer(answer, "fullmove_number"), 1);
    assert_int_equal(answer_integer(answer, "halfmove_clock"), 0);
    assert_string_equal(answer_text(answer, "castling"), "KQkq");
    assert_true(answer_is_null(answer, "en_passant"));
    assert_false(answer_bool(answer, "check"));
    assert_int_equal(answer_count(answer, "checkers"), 0);
    assert_int_equal(answer_integer(answer, "legal_move_count"), 20);
    assert_string_equal(answer_text(answer, "polyglot_key"), "463b96181691fc9c");
    assert_int_equal(strlen(answer_text(answer, "position_key")), 16);
    assert_string_equal(answer_text(answer, "key_scheme"), "v1");
    assert_int_equal(answer_integer(answer, "repetition_count"), 1);
    assert_string_equal(answer_text(answer, "status"), "ongoing");
}

static void a_fen_may_have_underscores_plusses_or_escapes(void **state)
{
    static const char *const TARGETS[] = {
        "/v1/positions?fen=8/8/8/4k3/8/8/4P3/4K3_w_-_-_0_1",
        "/v1/positions?fen=8/8/8/4k3/8/8/4P3/4K3+w+-+-+0+1",
        "/v1/positions?fen=8/8/8/4k3/8/8/4P3/4K3%20w%20-%20-%200%201",
        "/v1/positions?fen=8%2F8%2F8%2F4k3%2F8%2F8%2F4P3%2F4K3%2520w",
        "/v1/positions?fen=8/8/8/4k3/8/8/4P3/4K3",
    };
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++)
        assert_string_equal(answer_text(client_get(*state, TARGETS[i]), "fen"),
                            "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1");
}

static void moves_are_played_and_repetitions_counted(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?moves=Nf3,Nf6,Ng1,Ng8,Nf3,Nf6,Ng1,f6g8");
    assert_int_equal(answer_integer(answer, "ply"), 8);
    assert_int_equal(answer_integer(answer, "repetition_count"), 3);
    assert_int_equal(answer_integer(answer, "fullmove_number"), 5);
    answer = client_get(*state, "/v1/positions?moves=1.e4+e5+2.+Nf3_Nc6");
    assert_int_equal(answer_integer(answer, "ply"), 4);
}

static void an_en_passant_square_stands_only_where_a_capture_is_legal(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?moves=e4");
    assert_true(answer_is_null(answer, "en_passant"));
    answer = client_get(*state, "/v1/positions?moves=e4&fen_ep=always");
    assert_string_equal(answer_text(answer, "en_passant"), "e3");
    assert_non_null(strstr(answer_text(answer, "fen"), " e3 "));
    answer = client_get(*state, "/v1/positions?moves=e4,a6,e5,d5");
    assert_string_equal(answer_text(answer, "en_passant"), "d6");
}

static void the_end_of_the_board_is_its_status(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?moves=f3,e5,g4,Qh4");
    assert_string_equal(answer_text(answer, "status"), "checkmate");
    assert_true(answer_bool(answer, "check"));
    assert_string_equal(answer_text(answer, "checkers.0"), "h4");
    answer = client_get(*state, "/v1/positions?fen=7k/5Q2/6K1/8/8/8/8/8_b");
    assert_string_equal(answer_text(answer, "status"), "stalemate");
    answer = client_get(*state, "/v1/positions?fen=7k/8/6K1/8/8/8/8/6N1_b");
    assert_string_equal(answer_text(answer, "status"), "dead_position");
    answer = client_get(*state, "/v1/positions?fen=7k/8/6K1/8/8/8/8/6R1_w_-_-_150_120");
    assert_string_equal(answer_text(answer, "status"), "ongoing");
}

static void a_fen_that_cannot_be_read_lists_its_faults(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?fen=8/8/8/8/8/8/8/7x+w+-+-+a+1");
    assert_problem(answer, 400, "invalid-fen");
    assert_string_equal(answer_text(answer, "parameter"), "fen");
    assert_true(answer_count(answer, "faults") >= 2);
    assert_string_equal(answer_text(answer, "faults.0.code"), "bad_field_1");
    assert_int_equal(answer_integer(answer, "faults.0.field"), 1);
    assert_int_equal(answer_integer(answer, "faults.0.offset"), 15);
}

static void a_position_that_cannot_be_played_lists_its_faults(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?fen=8/8/8/8/8/8/8/K6P_w");
    assert_problem(answer, 422, "illegal-position");
    assert_true(answer_count(answer, "faults") >= 2);
    char path[32];
    bool no_king = false, pawn = false;
    for (int i = 0; i < answer_count(answer, "faults"); i++) {
        (void)snprintf(path, sizeof path, "faults.%d.code", i);
        no_king |= strcmp(answer_text(answer, path), "no_black_king") == 0;
        pawn |= strcmp(answer_text(answer, path), "pawn_on_back_rank") == 0;
    }
    assert_true(no_king && pawn);
}

static void a_position_that_cannot_be_reached_is_played_all_the_same(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?fen=4k3/8/8/8/P7/8/PPPPPPPP/4K3_w");
    assert_int_equal(answer->status, 200);
}

static void a_move_that_cannot_be_played_says_which_and_why(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions?moves=e4,e5,Ke3");
    assert_problem(answer, 422, "illegal-move");
    assert_int_equal(answer_integer(answer, "index"), 2);
    assert_string_equal(answer_text(answer, "reason"), "piece_cannot_reach");
    assert_string_equal(answer_text(answer, "move.to"), "e3");
    answer = client_get(*state, "/v1/positions?moves=e4,hello");
    assert_problem(answer, 400, "unparseable-move");
    assert_int_equal(answer_integer(answer, "index"), 1);
}

static void a_position_as_text_begins_with_its_fen(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions.txt?moves=e4");
    assert_string_equal(answer->body, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\n"
                                      "black to move, ongoing, 20 legal moves\n");
}

static void chess960_is_chosen_by_variant(void **state)
{
    const struct answer *answer =
        client_get(*state, "/v1/positions/legal-moves?variant=chess960&fen=4k3/8/8/8/8/8/8/"
                           "R3K2R_w_KQ&piece=king");
    assert_non_null(strstr(answer->body, "\"uci\":\"e1h1\""));
    assert_null(strstr(answer->body, "\"uci\":\"e1g1\""));
}

/* ---- legal-moves ------------------------------------------------------------------------------------- */

static void the_legal_moves_of_the_first_position_are_twenty(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/legal-moves");
    assert_string_equal(answer_text(answer, "fen"), START);
    assert_string_equal(answer_text(answer, "turn"), "white");
    assert_int_equal(answer_integer(answer, "count"), 20);
    assert_int_equal(answer_count(answer, "moves"), 20);
}

static void an_entry_says_everything_of_a_move(void **state)
{
    const struct answer *answer =
        client_get(*state, "/v1/positions/legal-moves?fen=3qk3/4P3/8/8/8/8/8/4K3_w&from=e7&to=d8");
    assert_int_equal(answer_integer(answer, "count"), 4);
    const struct answer *castling =
        client_get(*state, "/v1/positions/legal-moves?fen=r3k3/8/8/8/8/8/8/4K3_b_q&to=c8&piece=king");
    assert_string_equal(answer_text(castling, "moves.0.san"), "O-O-O");
    assert_string_equal(answer_text(castling, "moves.0.uci"), "e8c8");
    assert_string_equal(answer_text(castling, "moves.0.castling"), "queenside");
    assert_string_equal(answer_text(castling, "moves.0.rook.from"), "a8");
    assert_string_equal(answer_text(castling, "moves.0.rook.to"), "d8");
    assert_true(answer_is_null(castling, "moves.0.captured"));
    const struct answer *passing =
        client_get(*state, "/v1/positions/legal-moves?fen=4k3/8/8/3pP3/8/8/8/4K3_w_-_d6&to=d6");
    assert_string_equal(answer_text(passing, "moves.0.san"), "exd6");
    assert_true(answer_bool(passing, "moves.0.en_passant"));
    assert_string_equal(answer_text(passing, "moves.0.captured"), "pawn");
    assert_string_equal(answer_text(passing, "moves.0.captured_square"), "d5");
    assert_true(answer_is_null(passing, "moves.0.castling"));
    assert_true(answer_is_null(passing, "moves.0.rook"));
}

static void check_and_mate_are_marked(void **state)
{
    const struct answer *answer =
        client_get(*state, "/v1/positions/legal-moves?fen=6k1/5ppp/8/8/8/8/8/R3K3_w_Q&from=a1&to=a8");
    assert_string_equal(answer_text(answer, "moves.0.san"), "Ra8#");
    assert_true(answer_bool(answer, "moves.0.gives_check"));
    assert_true(answer_bool(answer, "moves.0.gives_mate"));
    answer = client_get(*state, "/v1/positions/legal-moves?fen=6k1/6pp/8/8/8/8/8/R3K3_w_Q&from=a1&to=a8");
    assert_string_equal(answer_text(answer, "moves.0.san"), "Ra8+");
    assert_true(answer_bool(answer, "moves.0.gives_check"));
    assert_false(answer_bool(answer, "moves.0.gives_mate"));
}

static void filters_narrow_the_list_and_combine(void **state)
{
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/legal-moves?from=g1"), "count"), 2);
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/legal-moves?to=e4"), "count"), 1);
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/legal-moves?piece=knight"), "count"),
                     4);
    assert_int_equal(
        answer_integer(client_get(*state, "/v1/positions/legal-moves?piece=knight&from=g1&to=f3"), "count"),
        1);
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/legal-moves?piece=king"), "count"), 0);
}

static void castling_is_found_by_either_target(void **state)
{
    static const char FEN[] = "/v1/positions/legal-moves?fen=4k3/8/8/8/8/8/8/4K2R_w_K&from=e1&to=";
    char target[100];
    (void)snprintf(target, sizeof target, "%sg1", FEN);
    assert_string_equal(answer_text(client_get(*state, target), "moves.0.san"), "O-O");
    (void)snprintf(target, sizeof target, "%sh1", FEN);
    assert_string_equal(answer_text(client_get(*state, target), "moves.0.san"), "O-O");
}

static void dests_are_what_board_widgets_take(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/legal-moves?group=dests");
    assert_int_equal(answer_integer(answer, "count"), 20);
    assert_false(answer_has(answer, "moves"));
    assert_int_equal(answer_count(answer, "dests"), 10);
    assert_string_equal(answer_words(answer, "dests.e2"), "e3 e4");
    assert_string_equal(answer_words(answer, "dests.g1"), "f3 h3");
    answer =
        client_get(*state, "/v1/positions/legal-moves?group=dests&from=e1&fen=4k3/8/8/8/8/8/3PPP2/4K2R_w_K");
    assert_string_equal(answer_words(answer, "dests.e1"), "d1 f1 g1");
    answer = client_get(*state, "/v1/positions/legal-moves?group=dests&from=e1&variant=chess960&"
                                "fen=4k3/8/8/8/8/8/3PPP2/4K2R_w_K");
    assert_string_equal(answer_words(answer, "dests.e1"), "d1 f1 h1");
    answer = client_get(*state, "/v1/positions/legal-moves?group=dests&fen=7k/P7/8/8/8/8/8/K7_w&from=a7");
    assert_int_equal(answer_integer(answer, "count"), 4);
    assert_string_equal(answer_words(answer, "dests.a7"), "a8");
}

static void as_text_there_is_one_san_a_word(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/positions/legal-moves.txt?from=g1");
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    assert_int_equal(answer->length, strlen("Nf3 Nh3\n"));
    assert_non_null(strstr(answer->body, "Nf3"));
    assert_non_null(strstr(answer->body, "Nh3"));
    assert_string_equal(client_get(*state, "/v1/positions/legal-moves.txt?piece=king")->body, "\n");
}

static void what_a_url_says_of_a_position_may_be_kept(void **state)
{
    assert_string_equal(answer_header(client_get(*state, "/v1/positions/legal-moves"), "Cache-Control"),
                        "public, max-age=3600");
    assert_string_equal(answer_header(client_get(*state, "/v1/positions?fen=x"), "Cache-Control"),
                        "no-store");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(without_a_fen_it_is_the_usual_first_position),
        CLIENT_TEST(a_fen_may_have_underscores_plusses_or_escapes),
        CLIENT_TEST(moves_are_played_and_repetitions_counted),
        CLIENT_TEST(an_en_passant_square_stands_only_where_a_capture_is_legal),
        CLIENT_TEST(the_end_of_the_board_is_its_status),
        CLIENT_TEST(a_fen_that_cannot_be_read_lists_its_faults),
        CLIENT_TEST(a_position_that_cannot_be_played_lists_its_faults),
        CLIENT_TEST(a_position_that_cannot_be_reached_is_played_all_the_same),
        CLIENT_TEST(a_move_that_cannot_be_played_says_which_and_why),
        CLIENT_TEST(a_position_as_text_begins_with_its_fen),
        CLIENT_TEST(chess960_is_chosen_by_variant),
        CLIENT_TEST(the_legal_moves_of_the_first_position_are_twenty),
        CLIENT_TEST(an_entry_says_everything_of_a_move),
        CLIENT_TEST(check_and_mate_are_marked),
        CLIENT_TEST(filters_narrow_the_list_and_combine),
        CLIENT_TEST(castling_is_found_by_either_target),
        CLIENT_TEST(dests_are_what_board_widgets_take),
        CLIENT_TEST(as_text_there_is_one_san_a_word),
        CLIENT_TEST(what_a_url_says_of_a_position_may_be_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
