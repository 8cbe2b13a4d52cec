/* rules/setup: FIDE 3.10.3: what can be played, what cannot, and what no game can lead to. */
#include "rules/setup.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { ANSWER_SIZE = 1024 };

/* "playable: too_many_pawns g2": whether it can be played, each fault, and its square. */
static void answer_to(const char *text, char answer[ANSWER_SIZE])
{
    struct position position;
    struct setup_report report;
    bool chess960 = strncmp(text, "960 ", 4) == 0;
    const char *fen = text + (chess960 ? 4 : 0);
    bool playable = fen_parse(fen, strlen(fen), chess960, &position, &report);
    size_t length = (size_t)snprintf(answer, ANSWER_SIZE, "%s", playable ? "playable" : "not playable");
    for (unsigned i = 0; i < report.count; i++) {
        const struct setup_fault *fault = &report.faults[i];
        char at[4] = " ";
        if (fault->square == SQUARE_NONE)
            at[0] = '\0';
        else
            fen_format_square(fault->square, at + 1);
        length += (size_t)snprintf(answer + length, ANSWER_SIZE - length, "%s%s%s", i ? ", " : ": ",
                                   setup_fault_name(fault->code, fault->field), at);
    }
}

struct setup_case {
    const char *label, *fen, *expected;
};

static void run(const struct setup_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        char answer[ANSWER_SIZE];
        answer_to(cases[i].fen, answer);
        failed += !case_is(NULL, cases[i].expected, answer, cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* ---- what cannot be played --------------------------------------------------------------------------- */

static void each_side_has_one_king(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"no white king", "4k3/8/8/8/8/8/8/8 w - - 0 1", "not playable: no_white_king"},
        {"no black king", "8/8/8/8/8/8/8/4K3 w - - 0 1", "not playable: no_black_king"},
        {"no king at all", "8/8/8/8/8/8/8/8 w - - 0 1", "not playable: no_white_king, no_black_king"},
        {"two black kings", "k6k/8/8/8/8/8/8/R3K3 w - - 0 1", "not playable: too_many_kings h8"},
        {"two white, no black", "8/2K5/8/8/2K5/8/8/8 w - - 0 1",
         "not playable: no_black_king, too_many_kings c7"},
    };
    run(cases, LENGTH(cases));
}

static void no_pawn_stands_on_a_back_rank(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"white on the eighth", "2P1k3/8/8/8/8/8/8/4K3 w - - 0 1", "not playable: pawn_on_back_rank c8"},
        {"black on the first", "4k3/8/8/8/8/8/8/4K2p w - - 0 1", "not playable: pawn_on_back_rank h1"},
        {"several", "4k2p/8/8/8/8/8/8/P3K3 w - - 0 1",
         "not playable: pawn_on_back_rank h8, pawn_on_back_rank a1"},
    };
    run(cases, LENGTH(cases));
}

/* 3.9.2 */
static void the_side_that_has_moved_is_not_in_check(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"by a rook", "4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "not playable: side_not_to_move_in_check e8"},
        {"kings side by side", "8/8/8/3kK3/8/8/8/8 w - - 0 1", "not playable: side_not_to_move_in_check d5"},
        {"by a pawn", "8/8/8/4k3/5P2/8/8/K7 w - - 0 1", "not playable: side_not_to_move_in_check e5"},
        {"a pinned knight still gives check (3.1.2)", "4r3/8/8/8/5k2/8/4N3/4K3 w - - 0 1",
         "not playable: side_not_to_move_in_check f4"},
    };
    run(cases, LENGTH(cases));
}

/* 3.8.2.1, Guidelines II */
static void castling_rights_fit_king_and_rook(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"no rook", "4k3/8/8/8/8/8/8/R3K3 w KQ - 0 1", "not playable: bad_castling_right"},
        {"an enemy rook", "4k3/8/8/8/8/8/8/4K2r b K - 0 1",
         "not playable: side_not_to_move_in_check e1, bad_castling_right"},
        {"a queen in the corner", "4k2Q/8/8/8/8/8/8/4K3 b k - 0 1", "not playable: bad_castling_right"},
        {"the king has gone up", "4k3/8/8/8/8/8/4K3/R6R w KQ - 0 1",
         "not playable: bad_castling_right, bad_castling_right"},
        {"the king has stepped aside", "4k3/8/8/8/8/8/8/R4K1R w KQ - 0 1",
         "not playable: bad_castling_right, bad_castling_right"},
        {"the rook stands one file in", "4k3/8/8/8/8/8/8/4K1R1 w K - 0 1",
         "not playable: bad_castling_right"},
        {"no king", "4k3/8/8/8/8/8/8/R6R w Q - 0 1", "not playable: no_white_king, bad_castling_right"},
        {"given twice", "4k3/8/8/8/8/8/8/4K2R w KK - 0 1", "not playable: bad_castling_right"},
        {"given as K and as H", "4k3/8/8/8/8/8/8/4K2R w KH - 0 1", "not playable: bad_castling_right"},
        {"Chess960: two on one side", "960 4k3/8/8/8/8/8/8/4K1RR w HG - 0 1",
         "not playable: bad_castling_right"},
        {"Chess960: king off its rank", "960 4k3/8/8/8/8/4K3/8/R6R w K - 0 1",
         "not playable: bad_castling_right"},
        {"Chess960: no rook on that file", "960 4k3/8/8/8/8/8/8/4K1R1 w F - 0 1",
         "not playable: bad_castling_right"},
        {"Chess960: no rook on that side", "960 4k3/8/8/8/8/8/8/R3K3 w K - 0 1",
         "not playable: bad_castling_right"},
    };
    run(cases, LENGTH(cases));
}

/* 3.7.3.1 */
static void an_en_passant_square_lies_behind_a_double_step(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"good for White to move", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "playable"},
        {"good for Black to move", "4k3/8/8/8/3P4/8/8/4K3 b - d3 0 1", "playable"},
        {"wrong rank for the side to move", "4k3/8/8/8/3P4/8/8/4K3 w - d3 0 1",
         "not playable: bad_en_passant d3"},
        {"no pawn", "4k3/8/8/8/8/8/8/4K3 w - d6 0 1", "not playable: bad_en_passant d6"},
        {"a piece where the pawn should be", "4k3/8/8/3n4/8/8/8/4K3 w - d6 0 1",
         "not playable: bad_en_passant d6"},
        {"an own pawn there", "4k3/8/8/3P4/8/8/8/4K3 w - d6 0 1", "not playable: bad_en_passant d6"},
        {"the square itself is taken", "4k3/8/3n4/3p4/8/8/8/4K3 w - d6 0 1",
         "not playable: bad_en_passant d6"},
        {"the pawn's home is taken", "4k3/3p4/8/3p4/8/8/8/4K3 w - d6 0 1", "not playable: bad_en_passant d6"},
    };
    run(cases, LENGTH(cases));
}

static void a_side_has_sixteen_men_at_most(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"seventeen knights", "4k3/8/8/8/8/NNNNNNNN/NNNNNNNN/4K3 b - - 0 1", "not playable: too_many_pieces"},
        {"sixteen pawns and a king", "4k3/8/8/8/PPPPPPPP/8/PPPPPPPP/4K3 b - - 0 1",
         "not playable: too_many_pawns, too_many_pieces"},
    };
    run(cases, LENGTH(cases));
}

/* ---- what can be played, but never comes about ------------------------------------------------------- */

static void promoted_pieces_have_cost_pawns(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"nine pawns", "4k3/8/8/8/P7/8/PPPPPPPP/4K3 w - - 0 1", "playable: too_many_pawns"},
        {"eight pawns, two queens", "4k3/8/8/8/8/Q7/PPPPPPPP/Q3K3 w - - 0 1", "playable: too_many_pieces"},
        {"seven pawns, two queens", "4k3/8/8/8/8/Q7/PPPPPPP1/Q3K3 w - - 0 1", "playable"},
        {"seven pawns, three queens", "4k3/8/8/8/8/QQ6/PPPPPPP1/Q3K3 w - - 0 1", "playable: too_many_pieces"},
        {"eight pawns, both bishops on dark squares", "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1",
         "playable: too_many_pieces"},
        {"eight pawns, a bishop of each colour", "4k3/8/8/8/8/8/PPPPPPPP/B2BK3 w - - 0 1", "playable"},
        {"three rooks and seven pawns", "4k3/8/8/8/8/RR6/PPPPPPP1/R3K3 w - - 0 1", "playable"},
        {"three knights and eight pawns", "4k3/8/8/8/8/NN6/PPPPPPPP/N3K3 w - - 0 1",
         "playable: too_many_pieces"},
        {"Black is counted alike", "q3k3/pppppppp/q7/8/8/8/8/4K3 w - - 0 1", "playable: too_many_pieces"},
        {"nine queens and no pawn", "6k1/8/8/8/QQQ5/QQQ5/QQQ5/7K b - - 0 1", "playable"},
    };
    run(cases, LENGTH(cases));
}

static void checks_that_exclude_each_other_are_impossible(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"three checkers", "k3r3/8/8/8/7b/5n2/8/4K3 w - - 0 1", "playable: impossible_check e1"},
        {"two rooks, king between", "8/8/8/8/8/4K3/8/R3k2R b - - 0 1", "playable: impossible_check e1"},
        {"queen and bishop, king between", "8/8/q7/8/2K5/3b4/8/7k w - - 0 1",
         "playable: impossible_check c4"},
        {"two knights", "k7/2N5/1N6/8/8/8/8/K7 b - - 0 1", "playable: impossible_check a8"},
        {"two pawns", "8/8/4k3/3P1P2/8/8/8/K7 b - - 0 1", "playable: impossible_check e6"},
        {"pawn and knight", "8/8/4k3/3P4/5N2/8/8/K7 b - - 0 1", "playable: impossible_check e6"},
    };
    run(cases, LENGTH(cases));
}

/* 3.7.3.1: the double step was the last move, and before it the king cannot have stood in check. */
static void a_check_older_than_the_double_step_is_impossible(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"by a knight", "k7/8/8/3pP3/8/7n/5K2/8 w - d6 0 1", "playable: impossible_check f2"},
        {"by a rook elsewhere", "k7/8/8/3pP2K/8/8/7r/8 w - d6 0 1", "playable: impossible_check h5"},
        {"by the pawn and a knight", "k7/8/8/3p4/2K1P3/n7/8/8 w - d6 0 1", "playable: impossible_check c4"},
        {"the same knight without the double step", "k7/8/8/3pP3/8/7n/5K2/8 w - - 0 1", "playable"},
    };
    run(cases, LENGTH(cases));
}

static void checks_that_can_come_about_are_not_called_impossible(void **state)
{
    (void)state;
    static const struct setup_case cases[] = {
        {"rook uncovered by a knight that checks", "4k3/8/5N2/8/8/8/8/4R1K1 b - - 0 1", "playable"},
        {"rook uncovered by a pawn that took with check", "8/8/4k3/3P4/8/8/8/K3R3 b - - 0 1", "playable"},
        {"bishop uncovered by a pawn that became a queen", "3Q1k2/8/8/8/8/B7/8/K7 b - - 0 1", "playable"},
        {"rook uncovered by a pawn that became a knight", "4N3/R5k1/8/8/8/8/8/K7 b - - 0 1", "playable"},
        {"exd6 en passant opens the e-file and the long diagonal", "B3R3/8/3P4/8/4k3/8/8/K7 b - - 0 1",
         "playable"},
        {"exd6 en passant checks and opens the e-file", "8/4k3/3P4/8/8/8/8/K3R3 b - - 0 1", "playable"},
        {"the double step itself checks", "8/8/8/3k4/3pP3/8/8/B3K3 b - e3 0 1", "playable"},
        {"the double step opened the seventh rank", "8/r6K/8/3pP3/8/8/8/k7 w - d6 0 1", "playable"},
        {"one check by a rook", "k7/8/8/8/8/8/8/K6q w - - 0 1", "playable"},
    };
    run(cases, LENGTH(cases));
}

/* ---- the interface ------------------------------------------------------------------------------------ */

static struct setup kings_alone(void)
{
    struct setup setup = {.turn = COLOR_WHITE, .en_passant = SQUARE_NONE, .fullmove_number = 1};
    setup.type[square_at(FILE_E, RANK_1)] = PIECE_KING;
    setup.type[square_at(FILE_E, RANK_8)] = PIECE_KING;
    setup.color[square_at(FILE_E, RANK_8)] = COLOR_BLACK;
    return setup;
}

static void a_setup_needs_no_text(void **state)
{
    (void)state;
    struct setup setup = kings_alone();
    struct position position;
    struct setup_report report;
    struct position expected = case_position("4k3/8/8/8/8/8/8/4K3 w - - 0 1");
    assert_true(setup_position(&setup, false, false, &position, &report));
    assert_int_equal(report.count, 0);
    assert_true(position_same(&position, &expected));
    assert_int_equal(position.key, expected.key);
}

static void chess960_is_inferred_from_file_letters_only_where_asked(void **state)
{
    (void)state;
    static const struct {
        const char *label;
        unsigned rook_file;
        char letter;
        bool infer, playable, chess960;
    } table[] = {
        {"G, inferred", FILE_G, 'G', true, true, true},
        {"G, not to be inferred", FILE_G, 'G', false, false, false},
        {"K, rook on g1", FILE_G, 'K', true, false, false},
        {"H, rook on h1", FILE_H, 'H', true, true, false},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct setup setup = kings_alone();
        struct position position = position_initial();
        struct setup_report report;
        setup.type[square_at(table[i].rook_file, RANK_1)] = PIECE_ROOK;
        setup.rights[setup.right_count++].letter = table[i].letter;
        bool playable = setup_position(&setup, false, table[i].infer, &position, &report);
        if (playable != table[i].playable || position.chess960 != table[i].chess960)
            fail_msg("%s", table[i].label);
    }
}

/* Guidelines II.3.1: what one first position can have left. */
static void chess960_is_inferred_from_k_and_q_where_both_colours_agree(void **state)
{
    (void)state;
    static const struct {
        const char *label, *fen;
        bool playable, chess960;
    } table[] = {
        {"number 0", "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", true, true},
        {"one right each, on different sides", "1r2k2r/8/8/8/8/8/8/1R2K2R w Kq - 0 1", true, true},
        {"the usual squares", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", true, false},
        {"rights of one colour only", "6k1/8/8/8/8/8/8/R4K1R w KQ - 0 1", false, false},
        {"kings on two files", "r3k2r/8/8/8/8/8/8/R4K1R w KQkq - 0 1", false, false},
        {"rooks of one side on two files", "1r2k3/8/8/8/8/8/8/R3K3 w Qq - 0 1", false, false},
        {"a right without a rook", "bbqnnrk1/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", false, false},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = position_initial();
        struct setup_report report;
        bool playable = fen_parse(table[i].fen, strlen(table[i].fen), false, &position, &report);
        if (playable != table[i].playable || position.chess960 != table[i].chess960)
            fail_msg("%s: playable %d, chess960 %d", table[i].label, playable, position.chess960);
    }
}

static void an_unknown_turn_is_never_playable(void **state)
{
    (void)state;
    struct setup setup = kings_alone();
    struct position position;
    struct setup_report report;
    setup.turn = COLOR_COUNT;
    assert_false(setup_position(&setup, false, false, &position, &report));
    assert_int_equal(report.count, 0);
}

static void a_report_is_in_order_of_offset_and_never_overflows(void **state)
{
    (void)state;
    struct setup_report report = {0};
    for (unsigned i = 0; i < 2 * SETUP_FAULTS_MAX; i++)
        setup_report_add(&report, SETUP_BAD_FIELD, 1, 2 * SETUP_FAULTS_MAX - i, SQUARE_NONE);
    assert_int_equal(report.count, SETUP_FAULTS_MAX);
    for (unsigned i = 0; i < report.count; i++)
        assert_int_equal(report.faults[i].offset, i + 1);
}

static void every_fault_has_a_name_and_a_sentence(void **state)
{
    (void)state;
    for (unsigned code = SETUP_OK; code < SETUP_FAULT_COUNT; code++) {
        assert_non_null(setup_fault_name((enum setup_fault_code)code, 1));
        assert_non_null(strchr(setup_fault_text((enum setup_fault_code)code, 0), '.'));
    }
    assert_string_equal(setup_fault_name(SETUP_BAD_FIELD, 0), "bad_field_0");
    assert_string_equal(setup_fault_name(SETUP_BAD_FIELD, 6), "bad_field_6");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_side_has_one_king),
        cmocka_unit_test(no_pawn_stands_on_a_back_rank),
        cmocka_unit_test(the_side_that_has_moved_is_not_in_check),
        cmocka_unit_test(castling_rights_fit_king_and_rook),
        cmocka_unit_test(an_en_passant_square_lies_behind_a_double_step),
        cmocka_unit_test(a_side_has_sixteen_men_at_most),
        cmocka_unit_test(promoted_pieces_have_cost_pawns),
        cmocka_unit_test(checks_that_exclude_each_other_are_impossible),
        cmocka_unit_test(a_check_older_than_the_double_step_is_impossible),
        cmocka_unit_test(checks_that_can_come_about_are_not_called_impossible),
        cmocka_unit_test(a_setup_needs_no_text),
        cmocka_unit_test(chess960_is_inferred_from_file_letters_only_where_asked),
        cmocka_unit_test(chess960_is_inferred_from_k_and_q_where_both_colours_agree),
        cmocka_unit_test(an_unknown_turn_is_never_playable),
        cmocka_unit_test(a_report_is_in_order_of_offset_and_never_overflows),
        cmocka_unit_test(every_fault_has_a_name_and_a_sentence),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
