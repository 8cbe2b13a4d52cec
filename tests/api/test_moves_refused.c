/* What is told of a move that cannot be played: reason, squares, pieces, alternatives, candidates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static void an_illegal_move_has_every_member(void **state)
{
    static const struct member MEMBERS[] = {
        {"type", "\"/v1/problems/illegal-move\""},
        {"title", NULL},
        {"status", "422"},
        {"detail", NULL},
        {"instance", NULL},
        {"code", "\"illegal-move\""},
        {"request_id", NULL},
        {"pointer", "\"/move\""},
        {"reason", "\"path_blocked\""},
        {"move", NULL},
        {"squares", "[\"a2\"]"},
        {"pieces", "[{\"square\":\"a2\",\"color\":\"white\",\"piece\":\"pawn\"}]"},
        {"lost_at_ply", "null"},
        {"alternatives", "[{\"san\":\"a3\",\"uci\":\"a2a3\"},{\"san\":\"Na3\",\"uci\":\"b1a3\"}]"},
        {"game", NULL},
    };
    static const struct member MOVE[] = {{"from", "\"a1\""},
                                         {"to", "\"a3\""},
                                         {"piece", "\"rook\""},
                                         {"promotion", "null"},
                                         {"castling", "null"}};
    const char *id = match_new(*state);
    const struct answer *answer = match_post(*state, id, "/moves", "{\"move\":\"a1a3\"}");
    assert_problem(answer, 422, "illegal-move");
    assert_int_equal(answer_count(answer, "alternatives"), 2);
    ASSERT_MEMBERS(answer, "", MEMBERS);
    ASSERT_MEMBERS(answer, "move", MOVE);
    assert_string_equal(answer_text(answer, "instance"), match_path(id, "/moves"));
    assert_match_at(*state, id, 1, 0);
}

static void every_reason_names_the_squares_that_prove_it(void **state)
{
    static const struct {
        const char *fen, *move, *reason, *squares; /* these among others; NULL: not looked at */
    } rows[] = {
        {NULL, "e4e5", "no_piece", NULL},
        {NULL, "e7e5", "opponent_piece", NULL},
        {NULL, "e2e2", "same_square", NULL},
        {NULL, "e1e2", "own_piece_on_target", "e2"},
        {NULL, "Ke3", "piece_cannot_reach", NULL},
        {NULL, "a1a3", "path_blocked", "a2"},
        {NULL, "e2d3", "pawn_needs_capture", NULL},
        {NULL, "O-O", "castling_blocked", "f1 g1"},
        {NULL, "--", "null_move", NULL},
        {NULL, "0000", "null_move", NULL},
        {NULL, "Z0", "null_move", NULL},
        {NULL, "@@@@", "null_move", NULL},
        {NULL, "Nf3=Q", "promotion_not_allowed", NULL},
        {"4k3/8/8/4p3/4P3/8/8/4K3 w - - 0 1", "e4e5", "pawn_blocked", "e5"},
        {"4k3/8/8/3pP3/8/8/8/4K3 w - - 0 1", "e5d6", "en_passant_not_available", NULL},
        {"8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "exd6", "en_passant_exposes_king", "h5"},
        {"4r2k/8/8/8/8/8/4B3/4K3 w - - 0 1", "Bd3", "pinned", "e8"},
        {"4r2k/8/8/8/8/8/8/R3K3 w - - 0 1", "Ra2", "does_not_answer_check", "e8"},
        {"3r3k/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "king_into_check", "d8"},
        {"4k3/8/8/8/8/8/8/4K2R w - - 0 1", "O-O", "castling_right_lost", NULL},
        {"k3r3/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_out_of_check", "e8"},
        {"k4r2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_through_check", NULL},
        {"k5r1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_into_check", NULL},
        {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8", "promotion_missing", NULL},
        {"7k/4P3/8/8/8/8/8/4K3 w - - 0 1", "e8=K", "promotion_not_allowed", NULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = rows[i].fen ? match_new_fen(*state, rows[i].fen) : match_new(*state);
        const struct answer *answer = client_curl(*state, match_path(id, "/moves"), rows[i].move);
        print_message("%s\n", rows[i].reason);
        assert_problem(answer, 422, "illegal-move");
        assert_string_equal(answer_text(answer, "reason"), rows[i].reason);
        assert_string_not_equal(answer_text(answer, "detail"), "");
        if (rows[i].squares)
            assert_non_null(strstr(answer_words(answer, "squares"), rows[i].squares));
        assert_match_at(*state, id, 1, 0);
    }
}

static void a_lost_castling_right_names_the_ply_that_lost_it(void **state)
{
    static const struct {
        const char *label, *moves, *castle;
        int ply;
    } rows[] = {
        {"the king has moved", "e4 e5 Ke2 Ke7 Ke1 Ke8", "O-O", 3},
        {"and Black's", "e4 e5 Ke2 Ke7 Ke1 Ke8 a3", "O-O-O", 4},
        {"the rook has moved", "h4 a5 Rh3 Ra6 Rh1 Ra8", "O-O", 3},
        {"the rook was captured at home", "b3 g6 Bb2 Nf6 Bxf6 Bg7 Bxg7 a6 Bxh8 a5 a3", "O-O", 9},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new(*state);
        match_play(*state, id, rows[i].moves);
        const struct answer *answer = client_curl(*state, match_path(id, "/moves"), rows[i].castle);
        print_message("%s\n", rows[i].label);
        assert_problem(answer, 422, "illegal-move");
        assert_string_equal(answer_text(answer, "reason"), "castling_right_lost");
        assert_int_equal(answer_integer(answer, "lost_at_ply"), rows[i].ply);
    }
}

static void a_castling_right_lost_earlier_in_the_same_request_names_its_ply_too(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_post(
        *state, id, "/moves", "{\"moves\":[\"e4\",\"e5\",\"Ke2\",\"Ke7\",\"Ke1\",\"Ke8\",\"O-O\"]}");
    assert_problem(answer, 422, "illegal-move");
    assert_json(answer, "index", "6");
    assert_json(answer, "reason", "\"castling_right_lost\"");
    assert_json(answer, "lost_at_ply", "3");
}

static void an_ambiguous_move_lists_its_candidates(void **state)
{
    static const struct {
        const char *fen, *move, *candidates;
    } rows[] = {
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "Nd2",
         "[{\"san\":\"Nbd2\",\"uci\":\"b1d2\"},{\"san\":\"Nfd2\",\"uci\":\"f3d2\"}]"},
        {"4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "nd2",
         "[{\"san\":\"Nbd2\",\"uci\":\"b1d2\"},{\"san\":\"Nfd2\",\"uci\":\"f3d2\"}]"},
        {"4k3/8/8/8/3R4/8/8/3RK3 w - - 0 1", "Rd2+",
         "[{\"san\":\"R1d2\",\"uci\":\"d1d2\"},{\"san\":\"R4d2\",\"uci\":\"d4d2\"}]"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = match_new_fen(*state, rows[i].fen);
        const struct answer *answer = client_curl(*state, match_path(id, "/moves"), rows[i].move);
        assert_problem(answer, 422, "ambiguous-move");
        assert_json(answer, "candidates", rows[i].candidates);
        assert_json(answer, "game.ply", "0");
        assert_false(answer_has(answer, "pointer"));
        assert_match_at(*state, id, 1, 0);
    }
    const char *id = match_new_fen(*state, rows[0].fen);
    assert_json(match_post(*state, id, "/moves", "{\"san\":\"Nd2\"}"), "pointer", "\"/san\"");
    assert_problem(client_curl(*state, match_path(match_new(*state), "/moves"), "bc3"), 422, "illegal-move");
}

static void the_text_form_is_one_line_with_the_sentence(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = client_curl(*state, match_path(id, "/moves.txt"), "Ke2");
    assert_problem(answer, 422, "illegal-move");
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    assert_int_equal(strncmp(answer->body, "error: illegal-move: Ke2: ", 26), 0);
    assert_string_equal(strchr(answer->body, '\n'), "\n");
}

static void a_refused_text_cannot_break_the_line_or_the_json(void **state)
{
    static const char *const bodies[] = {"e4\nerror: none", "\"quoted\"", "back\\slash",
                                         "caf\xC3\xA9",     "a\tb",       "<script>"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof bodies / sizeof bodies[0]; i++) {
        const struct answer *answer = client_post(*state, match_path(id, "/moves"), "text/plain", bodies[i]);
        assert_problem(answer, 400, "unparseable-move");
        answer = client_post(*state, match_path(id, "/moves.txt"), "text/plain", bodies[i]);
        assert_problem(answer, 400, "unparseable-move");
        assert_string_equal(strchr(answer->body, '\n'), "\n");
    }
}

static void a_long_text_is_cut_at_a_character_and_an_empty_one_said_to_be_empty(void **state)
{
    const char *id = match_new(*state);
    char text[400] = "z";
    for (size_t i = 1; i + 2 < sizeof text; i += 2)
        memcpy(text + i, "\u00e9", 3);
    const struct answer *answer = client_post(*state, match_path(id, "/moves"), "text/plain", text);
    assert_problem(answer, 400, "unparseable-move");
    const char *detail = answer_text(answer, "detail");
    assert_int_equal(strncmp(detail, text, 63), 0);
    assert_int_equal(strncmp(detail + 63, "\u2026 cannot be read as a move", 27), 0);
    answer = client_curl(*state, "/v1/games",
                         "aaaaaaaaaabbbbbbbbbbccccccccccddddddddddeeeeeeeeeeffffffffffgggggggggg=1");
    assert_non_null(strstr(answer_text(answer, "detail"), "ffffffffffgggg\u2026\" here"));
    static const char *const empty[] = {"{\"move\":\"\"}", "{\"san\":\" \"}", "{\"moves\":[\"\"]}"};
    for (size_t i = 0; i < sizeof empty / sizeof empty[0]; i++) {
        answer = match_post(*state, id, "/moves", empty[i]);
        assert_problem(answer, 400, "unparseable-move");
        assert_string_equal(answer_text(answer, "detail"), "The move is empty.");
    }
    assert_string_equal(answer_text(client_curl(*state, match_path(id, "/moves"), "move="), "detail"),
                        "The move is empty.");
}

static void what_is_typed_wrongly_is_told_how_to_write(void **state)
{
    static const struct {
        const char *move, *hint;
    } rows[] = {{"E4", "small letters"},    {"E2E4", "small letters"}, {"E2-E4", "small letters"},
                {"NF3", "small letters"},   {"1. e4", "its number"},   {"1.e4", "its number"},
                {"12...Nf6", "its number"}, {"foo", "e4, Nf3, O-O"},   {"Knight", "e4, Nf3, O-O"}};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char body[64];
        (void)snprintf(body, sizeof body, "{\"move\":\"%s\"}", rows[i].move);
        const struct answer *answer = match_send(*state, "POST", match_path(id, "/moves"), body);
        assert_problem(answer, 400, "unparseable-move");
        assert_non_null(strstr(answer_text(answer, "detail"), rows[i].hint));
    }
}

/* openapi: `notation` strict takes what the service itself would write; `uci` is UCI. */
static void what_another_notation_would_take_is_told_so(void **state)
{
    static const struct {
        const char *body, *detail;
    } rows[] = {
        {"{\"uci\":\"e4\"}",
         "e4 cannot be read as a move in UCI: at byte 0. In UCI moves are written as e2e4, e1g1, e7e8q."},
        {"{\"uci\":\"e8=Q\"}",
         "e8=Q cannot be read as a move in UCI: at byte 0. In UCI moves are written as e2e4, e1g1, e7e8q."},
        {"{\"san\":\"e2e4\",\"notation\":\"strict\"}",
         "e2e4 is not strict notation: at byte 1. The move is written as e4."},
        {"{\"uci\":\"e2-e4\",\"notation\":\"strict\"}",
         "e2-e4 is not strict notation: at byte 2. The move is written as e2e4."},
        {"{\"move\":\"Nf3+\",\"notation\":\"strict\"}",
         "Nf3+ is not strict notation: at byte 3. The move is written as Nf3 or g1f3."},
        {"{\"move\":\"Ngf3\",\"notation\":\"strict\"}",
         "Ngf3 is not strict notation: at byte 1. The move is written as Nf3 or g1f3."},
        {"{\"moves\":[\"e4\",\"e5\",\"Ngf3\"],\"notation\":\"strict\"}",
         "Ngf3 is not strict notation: at byte 1. The move is written as Nf3 or g1f3."},
        {"{\"san\":\"hello\",\"notation\":\"strict\"}",
         "hello cannot be read as a move: at byte 2. In SAN moves are written as e4, Nf3, O-O, e8=Q."},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer = match_post(*state, id, "/moves", rows[i].body);
        assert_problem(answer, 400, "unparseable-move");
        assert_string_equal(answer_text(answer, "detail"), rows[i].detail);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(an_illegal_move_has_every_member),
        CLIENT_TEST(every_reason_names_the_squares_that_prove_it),
        CLIENT_TEST(a_lost_castling_right_names_the_ply_that_lost_it),
        CLIENT_TEST(a_castling_right_lost_earlier_in_the_same_request_names_its_ply_too),
        CLIENT_TEST(an_ambiguous_move_lists_its_candidates),
        CLIENT_TEST(the_text_form_is_one_line_with_the_sentence),
        CLIENT_TEST(a_long_text_is_cut_at_a_character_and_an_empty_one_said_to_be_empty),
        CLIENT_TEST(a_refused_text_cannot_break_the_line_or_the_json),
        CLIENT_TEST(what_is_typed_wrongly_is_told_how_to_write),
        CLIENT_TEST(what_another_notation_would_take_is_told_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
