/* The board as text and JSON, the position, the repetitions of a game. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static void the_board_is_drawn_in_letters(void **state)
{
    static const char AFTER_E4[] = "8  r n b q k b n r\n"
                                   "7  p p p p p p p p\n"
                                   "6  . . . . . . . .\n"
                                   "5  . . . . . . . .\n"
                                   "4  . . . . P . . .\n"
                                   "3  . . . . . . . .\n"
                                   "2  P P P P . P P P\n"
                                   "1  R N B Q K B N R\n"
                                   "\n"
                                   "   a b c d e f g h\n"
                                   "\n"
                                   "Black to move\n";
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    const struct answer *answer = match_get(*state, id, "/board");
    assert_status(answer, 200);
    assert_string_equal(answer->body, AFTER_E4);
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    assert_string_equal(match_get(*state, id, "/board.txt")->body, AFTER_E4);
    assert_string_equal(match_get(*state, id, "/board?style=ascii")->body, AFTER_E4);
}

static void it_turns_and_drops_its_coordinates(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    assert_string_equal(match_get(*state, id, "/board?orientation=black&coordinates=false")->body,
                        "R N B K Q B N R\n"
                        "P P P . P P P P\n"
                        ". . . . . . . .\n"
                        ". . . P . . . .\n"
                        ". . . . . . . .\n"
                        ". . . . . . . .\n"
                        "p p p p p p p p\n"
                        "r n b k q b n r\n"
                        "\n"
                        "Black to move\n");
    const char *turned = match_get(*state, id, "/board?orientation=black")->body;
    assert_int_equal(strncmp(turned, "1  R N B K Q B N R\n2  ", 22), 0);
    assert_non_null(strstr(turned, "\n   h g f e d c b a\n"));
}

static void it_is_drawn_in_figurines_and_told_as_a_list(void **state)
{
    const char *id = match_new_fen(*state, "4k2r/8/8/8/8/8/PP6/R3K3 b k - 0 1");
    const char *unicode = match_get(*state, id, "/board?style=unicode&coordinates=false")->body;
    static const char FIRST_RANK[] = "· · · · ♚ · · ♜\n";
    assert_int_equal(strncmp(unicode, FIRST_RANK, sizeof FIRST_RANK - 1), 0);
    assert_non_null(strstr(unicode, "\n♙ ♙ · · · · · ·\n♖ · · · ♔ · · ·\n"));
    assert_string_equal(match_get(*state, id, "/board?style=list")->body,
                        "White: king e1; rook a1; pawns a2, b2.\n"
                        "Black: king e8; rook h8.\n"
                        "\n"
                        "Black to move\n");
    assert_int_equal(strncmp(match_get(*state, id, "/board?style=list&orientation=black")->body, "Black:", 6),
                     0);
}

static void it_says_who_is_in_check_and_shows_any_ply(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 f5 Qh5");
    const char *now = match_get(*state, id, "/board")->body;
    assert_non_null(strstr(now, "\nBlack to move, in check\n"));
    const char *before = match_get(*state, id, "/board?ply=0")->body;
    assert_non_null(strstr(before, "\n2  P P P P P P P P\n"));
    assert_non_null(strstr(before, "\nWhite to move\n"));
    assert_problem(match_get(*state, id, "/board?ply=4"), 404, "ply-not-found");
}

static void the_last_board_of_a_finished_game_says_how_it_ended(void **state)
{
    const char *mated = match_new(*state);
    match_play(*state, mated, "f3 e5 g4 Qh4#");
    assert_non_null(strstr(match_get(*state, mated, "/board")->body, "\n\n0-1, checkmate\n"));
    assert_non_null(strstr(match_get(*state, mated, "/board?style=list")->body, "\n\n0-1, checkmate\n"));
    assert_null(strstr(match_get(*state, mated, "/board")->body, "to move"));
    assert_non_null(strstr(match_get(*state, mated, "/board?ply=3")->body, "\n\nBlack to move\n"));
    assert_json(match_get(*state, mated, "/board.json"), "status", "\"ended\"");
    assert_json(match_get(*state, mated, "/board.json"), "result", "\"0-1\"");
    const char *resigned = match_new(*state);
    match_post(*state, resigned, "/resign", "{}");
    assert_non_null(strstr(match_get(*state, resigned, "/board")->body, "\n\n0-1, resignation\n"));
    const char *aborted = match_new(*state);
    match_post(*state, aborted, "/abort", "{}");
    assert_non_null(strstr(match_get(*state, aborted, "/board")->body, "\n\n*, aborted\n"));
}

static void the_board_as_json_lists_its_pieces(void **state)
{
    const char *id = match_new_fen(*state, "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1");
    const struct answer *answer = match_get(*state, id, "/board.json");
    assert_json(answer, "fen", "\"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"");
    assert_json(answer, "orientation", "\"white\"");
    assert_json(answer, "pieces",
                "[{\"square\":\"a1\",\"color\":\"white\",\"piece\":\"rook\"},"
                "{\"square\":\"e1\",\"color\":\"white\",\"piece\":\"king\"},"
                "{\"square\":\"e8\",\"color\":\"black\",\"piece\":\"king\"}]");
    assert_json(match_get(*state, id, "/board.json?orientation=black"), "orientation", "\"black\"");
}

static void what_a_board_cannot_be_is_refused(void **state)
{
    static const struct {
        const char *query, *code;
    } rows[] = {
        {"style=svg", "invalid-parameter"},     {"style=", "invalid-parameter"},
        {"orientation=w", "invalid-parameter"}, {"coordinates=2", "invalid-parameter"},
        {"ply=-1", "invalid-parameter"},        {"ply=20001", "invalid-parameter"},
        {"size=400", "unknown-field"},          {"targets=e2", "unknown-field"},
        {"theme=blue", "unknown-field"},        {"arrows=e2e4", "unknown-field"},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char rest[64];
        (void)snprintf(rest, sizeof rest, "/board?%s", rows[i].query);
        print_message("%s\n", rows[i].query);
        assert_problem(match_get(*state, id, rest), 400, rows[i].code);
    }
}

/* ---- position ---- */

static void the_position_has_every_member_of_its_shape(void **state)
{
    static const struct member FIRST[] = {
        {"fen", "\"" START_FEN "\""},
        {"turn", "\"white\""},
        {"ply", "0"},
        {"fullmove_number", "1"},
        {"halfmove_clock", "0"},
        {"castling", "\"KQkq\""},
        {"en_passant", "null"},
        {"check", "false"},
        {"checkers", "[]"},
        {"legal_move_count", "20"},
        {"position_key", NULL},
        {"key_scheme", "\"v1\""},
        {"polyglot_key", "\"463b96181691fc9c\""},
        {"repetition_count", "1"},
        {"status", "\"ongoing\""},
    };
    static const struct member CHECKED[] = {
        {"fen", "\"rnbqkbnr/ppppp1pp/8/5p1Q/4P3/8/PPPP1PPP/RNB1KBNR b KQkq - 1 2\""},
        {"turn", "\"black\""},
        {"ply", "3"},
        {"fullmove_number", "2"},
        {"halfmove_clock", "1"},
        {"castling", "\"KQkq\""},
        {"en_passant", "null"},
        {"check", "true"},
        {"checkers", "[\"h5\"]"},
        {"legal_move_count", "1"},
        {"position_key", NULL},
        {"key_scheme", "\"v1\""},
        {"polyglot_key", NULL},
        {"repetition_count", "1"},
        {"status", "\"ongoing\""},
    };
    const char *id = match_new(*state);
    ASSERT_MEMBERS(match_get(*state, id, "/position"), "", FIRST);
    match_play(*state, id, "e4 f5 Qh5");
    ASSERT_MEMBERS(match_get(*state, id, "/position"), "", CHECKED);
    ASSERT_MEMBERS(match_get(*state, id, "/position?ply=0"), "", FIRST);
    assert_problem(match_get(*state, id, "/position?ply=4"), 404, "ply-not-found");
}

static void the_position_knows_mate_stalemate_and_dead(void **state)
{
    static const struct {
        const char *fen, *status;
    } rows[] = {
        {"R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "\"checkmate\""},
        {"7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "\"stalemate\""},
        {"7k/8/8/8/8/8/8/K6N w - - 0 1", "\"dead_position\""},
        {"7k/8/8/8/8/8/R7/K7 w - - 150 120", "\"ongoing\""}, /* an end of the game, not of the position */
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        assert_json(match_get(*state, match_new_fen(*state, rows[i].fen), "/position"), "status",
                    rows[i].status);
}

static void en_passant_stands_in_the_fen_where_it_is_legal_or_always(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4 a6 e5 d5");
    assert_json(match_get(*state, id, "/position"), "en_passant", "\"d6\"");
    assert_json(match_get(*state, id, "/position?ply=1"), "en_passant", "null");
    const struct answer *answer = match_get(*state, id, "/position?ply=1&fen_ep=always");
    assert_json(answer, "en_passant", "\"e3\"");
    assert_json(answer, "fen", "\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\"");
}

/* ---- repetitions ---- */

static void repetitions_list_positions_that_came_twice(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_get(*state, id, "/repetitions");
    assert_json(answer, "current.count", "1");
    assert_json(answer, "current.plies", "[0]");
    assert_json(answer, "keys", "[]");
    assert_json(answer, "claimable", "false");
    match_play(*state, id, "Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8");
    answer = match_get(*state, id, "/repetitions");
    assert_json(answer, "current.count", "3");
    assert_json(answer, "current.plies", "[0,4,8]");
    assert_string_equal(answer_text(answer, "current.key"),
                        answer_text(match_get(*state, id, "/position"), "position_key"));
    assert_int_equal(answer_count(answer, "keys"), 4);
    assert_json(answer, "claimable", "true");
    assert_int_equal(answer_count(match_get(*state, id, "/repetitions?min_count=3"), "keys"), 1);
    assert_int_equal(answer_count(match_get(*state, id, "/repetitions?min_count=4"), "keys"), 0);
    assert_int_equal(answer_count(match_get(*state, id, "/repetitions?min_count=1"), "keys"), 4);
    assert_problem(match_get(*state, id, "/repetitions?min_count=0"), 400, "invalid-parameter");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    assert_json(match_get(*state, id, "/repetitions"), "claimable", "false");
}

/* 9.2.3: castling rights are part of the position, an en-passant square only where the capture is legal. */
static void positions_that_differ_in_rights_are_not_the_same(void **state)
{
    const char *id = match_new_fen(*state, "4k3/8/8/8/8/8/8/4K2R w K - 0 1");
    match_play(*state, id, "Rh2 Kd8 Rh1 Ke8");
    assert_json(match_get(*state, id, "/repetitions"), "current.count", "1");
    match_play(*state, id, "Rh2 Kd8 Rh1 Ke8");
    assert_json(match_get(*state, id, "/repetitions"), "current.count", "2");
    id = match_new(*state);
    match_play(*state, id, "e4 Nf6 Nf3 Ng8 Ng1 Nf6 Nf3 Ng8 Ng1");
    assert_json(match_get(*state, id, ""), "repetition_count", "3"); /* after 1. e4 no capture was legal */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(the_board_is_drawn_in_letters),
        CLIENT_TEST(it_turns_and_drops_its_coordinates),
        CLIENT_TEST(it_is_drawn_in_figurines_and_told_as_a_list),
        CLIENT_TEST(it_says_who_is_in_check_and_shows_any_ply),
        CLIENT_TEST(the_last_board_of_a_finished_game_says_how_it_ended),
        CLIENT_TEST(the_board_as_json_lists_its_pieces),
        CLIENT_TEST(what_a_board_cannot_be_is_refused),
        CLIENT_TEST(the_position_has_every_member_of_its_shape),
        CLIENT_TEST(the_position_knows_mate_stalemate_and_dead),
        CLIENT_TEST(en_passant_stands_in_the_fen_where_it_is_legal_or_always),
        CLIENT_TEST(repetitions_list_positions_that_came_twice),
        CLIENT_TEST(positions_that_differ_in_rights_are_not_the_same),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
