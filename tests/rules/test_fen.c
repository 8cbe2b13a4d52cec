/* rules/fen: PGN standard 16.1, X-FEN, Shredder-FEN. */
#include "rules/fen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/case_text.h"

#define START         "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { ANSWER_SIZE = 1024 };

/* "bad_field_1@13 no_white_king@0": the faults of a text with their offsets. */
static void format_report(const struct setup_report *report, char answer[ANSWER_SIZE])
{
    size_t length = 0;
    answer[0] = '\0';
    for (unsigned i = 0; i < report->count; i++)
        length += (size_t)snprintf(answer + length, ANSWER_SIZE - length, "%s%s@%u", i ? " " : "",
                                   setup_fault_name(report->faults[i].code, report->faults[i].field),
                                   report->faults[i].offset);
}

/* The FEN written again, or the faults. */
static void answer_to(const char *text, size_t length, bool chess960, char answer[ANSWER_SIZE])
{
    struct position position;
    struct setup_report report;
    char fen[FEN_SIZE];
    if (fen_parse(text, length, chess960, &position, &report) && report.count == 0) {
        fen_format(&position, FEN_EN_PASSANT_LEGAL, fen);
        (void)snprintf(answer, ANSWER_SIZE, "%s", fen);
    } else {
        format_report(&report, answer);
    }
}

struct text_case {
    const char *label, *text, *expected;
};

static void run(const struct text_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        char answer[ANSWER_SIZE];
        bool chess960 = strncmp(cases[i].text, "960 ", 4) == 0;
        const char *text = cases[i].text + (chess960 ? 4 : 0);
        answer_to(text, strlen(text), chess960, answer);
        failed += !case_is(NULL, cases[i].expected, answer, cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* ---- what can be read ------------------------------------------------------------------------------- */

static void a_fen_is_written_as_it_was_read(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b Kq - 7 12",
        "8/8/8/3k4/3pP3/8/8/B3K3 b - e3 0 1",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 150 100",
        "4k3/8/8/8/8/8/4P3/4K3 w - - 9999 9999",
        "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1",
        "r1b1k1n1/1p1p1p1p/p1p1p1p1/1n3b1r/R1B3N1/P1P1P1P1/1P1P1P1P/1N2B1KR b - - 9999 9999",
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = case_position(fens[i]);
        char fen[FEN_SIZE];
        size_t length = fen_format(&position, FEN_EN_PASSANT_LEGAL, fen);
        assert_int_equal(length, strlen(fen));
        failed += !case_is(&position, fens[i], fen, "round trip");
    }
    assert_int_equal(failed, 0);
}

static void separators_may_be_blanks_or_what_addresses_make_of_them(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"underscores", START "_w_KQkq_-_0_1", START " w KQkq - 0 1"},
        {"plus signs", START "+w+KQkq+-+0+1", START " w KQkq - 0 1"},
        {"escaped blanks", START "%20w%20KQkq%20-%200%201", START " w KQkq - 0 1"},
        {"many of all kinds", "  " START " _w\tKQkq%20+- 0\r1\n ", START " w KQkq - 0 1"},
    };
    run(cases, LENGTH(cases));
}

static void fields_missing_at_the_end_take_their_defaults(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"placement alone: White, and no castling rights", START, START " w - - 0 1"},
        {"to the turn", START " b", START " b - - 0 1"},
        {"to the rights", START " b KQkq", START " b KQkq - 0 1"},
        {"to the clock", START " b KQkq - 3", START " b KQkq - 3 1"},
        {"leading zeros", START " w KQkq - 007 012", START " w KQkq - 7 12"},
        {"some count moves from 0", START " w KQkq - 0 0", START " w KQkq - 0 1"},
    };
    run(cases, LENGTH(cases));
}

static void castling_letters_are_read_in_all_dialects(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"any order", "r3k2r/8/8/8/8/8/8/R3K2R w qkQK - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"Shredder letters", "r3k2r/8/8/8/8/8/8/R3K2R w HAha - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"},
        {"K is the outermost rook", "960 4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"},
        {"H is that rook too", "960 4k3/8/8/8/8/8/8/4K1RR w H - 0 1", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1"},
        {"G is the inner one", "960 4k3/8/8/8/8/8/8/4K1RR w G - 0 1", "4k3/8/8/8/8/8/8/4K1RR w G - 0 1"},
        {"four inner rooks", "960 rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
         "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1"},
        {"an enemy rook is none of ours", "960 4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1",
         "4k3/8/8/8/8/8/8/rR2K3 w Q - 0 1"},
        {"file letters tell that it is Chess960", "bbqnnrkr/8/8/8/8/8/8/BBQNNRKR w HFhf - 0 1",
         "bbqnnrkr/8/8/8/8/8/8/BBQNNRKR w KQkq - 0 1"},
    };
    run(cases, LENGTH(cases));
}

/* 3.7.3.1, 9.2.3.1 */
static void an_en_passant_square_is_kept_where_a_capture_is_legal(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"legal", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"},
        {"nobody to capture", "4k3/8/8/3p4/8/8/8/4K3 w - d6 0 1", "4k3/8/8/3p4/8/8/8/4K3 w - - 0 1"},
        {"the capturer is pinned on its file", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1",
         "4r1k1/8/8/3pP3/8/8/8/4K3 w - - 0 1"},
        {"both pawns leave the king's rank", "8/8/8/r2Pp2K/8/8/8/4k3 w - e6 0 1",
         "8/8/8/r2Pp2K/8/8/8/4k3 w - - 0 1"},
    };
    run(cases, LENGTH(cases));
}

static void every_double_step_can_be_written(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"nobody to capture", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - e3 0 1"},
        {"no double step", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1", "4k3/8/8/8/4P3/8/8/4K3 b - - 0 1"},
    };
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct position position = case_position(cases[i].text);
        char fen[FEN_SIZE];
        fen_format(&position, FEN_EN_PASSANT_ALWAYS, fen);
        assert_string_equal(fen, cases[i].expected);
    }
}

/* ---- what cannot ------------------------------------------------------------------------------------- */

static void placement_faults_are_found_at_their_bytes(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"no text", "", "bad_field_1@0"},
        {"only blanks", "   ", "bad_field_1@3"},
        {"an unknown letter", "rnbqkbnr/pppxpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@12"},
        {"two unknown letters", "xnbqkbnr/pppxpppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
         "bad_field_1@0 bad_field_1@12"},
        {"nine squares", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@17"},
        {"seven squares", "rnbqkbnr/ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@16"},
        {"a piece and eight empty squares", "rnbqkbnr/p8/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
         "bad_field_1@10"},
        {"two digits in a row", "rnbqkbnr/44/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@10"},
        {"the digit nine", "rnbqkbnr/9/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@9"},
        {"the digit zero", "rnbqkbnr/0pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@9"},
        {"an empty rank", "/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1", "bad_field_1@0"},
        {"seven ranks", "8/8/8/8/8/8/8 w - - 0 1", "bad_field_1@13"},
        {"nine ranks", "8/8/8/8/8/8/8/8/8 w - - 0 1", "bad_field_1@15"},
        {"a slash at the end", "8/8/8/8/8/8/8/8/ w - - 0 1", "bad_field_1@15"},
        {"the mark of a promoted piece", "rnbqkbnr~/8/8/8/8/8/8/RNBQKBNR w - - 0 1", "bad_field_1@8"},
        {"pieces in hand", START "[] w - - 0 1", "bad_field_1@43 bad_field_1@44"},
        {"a letter beyond ASCII", "rnbqkbnr/\xC3\xA9ppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1",
         "bad_field_1@9 bad_field_1@10"},
    };
    run(cases, LENGTH(cases));
}

static void faults_of_the_other_fields_are_found_at_their_bytes(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"turn", START " r KQkq - 0 1", "bad_field_2@44"},
        {"turn in capitals", START " W KQkq - 0 1", "bad_field_2@44"},
        {"an unknown castling letter", START " w KQXq - 0 1", "bad_field_3@48"},
        {"a dash among castling letters", START " w KQ- - 0 1", "bad_field_3@48"},
        {"a right given twice", START " w KKkq - 0 1", "bad_castling_right@47"},
        {"an en passant rank", START " b KQkq e5 0 1", "bad_field_4@51"},
        {"an en passant word", START " b KQkq e33 0 1", "bad_field_4@51"},
        {"a clock that is no number", START " w KQkq - x 1", "bad_field_5@53"},
        {"a negative clock", START " w KQkq - -1 1", "bad_field_5@53"},
        {"a clock beyond all numbers", START " w KQkq - 99999999999999999999 1", "bad_field_5@57"},
        {"a clock just too large", START " w KQkq - 10000 1", "bad_field_5@57"},
        {"a move number that is none", START " w KQkq - 0 1.", "bad_field_6@56"},
        {"a move number too large", START " w KQkq - 0 10000", "bad_field_6@59"},
        {"a seventh field", START " w KQkq - 0 1 c9", "bad_field_0@57"},
    };
    run(cases, LENGTH(cases));
}

static void all_faults_are_reported_at_once(void **state)
{
    (void)state;
    static const struct text_case cases[] = {
        {"syntax in every field", "x7/8/8/8/8/8/8/8 r Z z z z z",
         "bad_field_1@0 bad_field_2@17 bad_field_3@19 bad_field_4@21 bad_field_5@23 bad_field_6@25 "
         "bad_field_0@27"},
        {"syntax and board together", "8/8/8/8/8/8/8/4K2p w Kz e4 0 1",
         "no_black_king@0 pawn_on_back_rank@17 bad_castling_right@21 bad_field_3@22 bad_field_4@24"},
        {"without a turn there is no check to speak of", "4k3/8/8/8/8/8/8/R3K2R x KQk - 0 1",
         "bad_field_2@22 bad_castling_right@26"},
        {"an unreadable placement tells nothing of rights", "x7/8/8/8/8/8/8/4K3 w KQkq - 0 1",
         "bad_field_1@0"},
    };
    run(cases, LENGTH(cases));
}

static void a_text_longer_than_the_limit_is_refused_unread(void **state)
{
    (void)state;
    char text[FEN_TEXT_MAX + 2];
    char answer[ANSWER_SIZE];
    const char *fen = START " w KQkq - 0 1";
    memset(text, ' ', sizeof text);
    for (size_t i = 0; fen[i]; i++)
        text[i] = fen[i];
    answer_to(text, FEN_TEXT_MAX, false, answer);
    assert_string_equal(answer, fen);
    answer_to(text, FEN_TEXT_MAX + 1, false, answer);
    assert_string_equal(answer, "bad_field_0@512");
}

static void a_long_row_of_ranks_or_rights_does_no_harm(void **state)
{
    (void)state;
    char text[FEN_TEXT_MAX];
    struct position position;
    struct setup_report report;
    static const char fill[] = {'8', '/', 'p', 'K', '1', 'x', ' '};
    for (size_t i = 0; i < LENGTH(fill); i++) {
        memset(text, fill[i], sizeof text);
        assert_false(fen_parse(text, sizeof text, false, &position, &report));
        assert_in_range(report.count, 1, SETUP_FAULTS_MAX);
    }
}

static void a_nul_within_the_text_is_a_fault(void **state)
{
    (void)state;
    static const char in_placement[] = "rnbqkbnr/pppp\0ppp/8/8/8/8/PPPPPPPP/RNBQKBNR w - - 0 1";
    static const char in_rights[] = START " w K\0 - 0 1";
    char answer[ANSWER_SIZE];
    answer_to(in_placement, sizeof in_placement - 1, false, answer);
    assert_string_equal(answer, "bad_field_1@13");
    answer_to(in_rights, sizeof in_rights - 1, false, answer);
    assert_string_equal(answer, "bad_field_3@47");
}

static void a_text_that_is_no_position_leaves_the_position_alone(void **state)
{
    (void)state;
    struct position position = position_initial();
    struct position before = position;
    struct setup_report report;
    assert_false(fen_parse("8/8 w", 5, false, &position, &report));
    assert_memory_equal(&position, &before, sizeof position);
}

/* ---- words and letters ------------------------------------------------------------------------------- */

static void the_castling_field_can_be_written_alone(void **state)
{
    (void)state;
    static const char *const fens[][2] = {
        {START " w KQkq - 0 1", "KQkq"},
        {START " w - - 0 1", "-"},
        {"960 rr2k1rr/8/8/8/8/8/8/RR2K1RR w HBga - 0 1", "KBgq"},
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = case_position(fens[i][0]);
        char text[FEN_CASTLING_SIZE];
        fen_format_castling(&position, text);
        assert_string_equal(text, fens[i][1]);
    }
}

static void squares_colours_and_pieces_have_their_names(void **state)
{
    (void)state;
    char text[3];
    fen_format_square(square_at(FILE_E, RANK_4), text);
    assert_string_equal(text, "e4");
    assert_string_equal(fen_color_name(COLOR_WHITE), "white");
    assert_string_equal(fen_color_name(COLOR_BLACK), "black");
    assert_string_equal(fen_piece_name(PIECE_PAWN), "pawn");
    assert_string_equal(fen_piece_name(PIECE_KING), "king");
    assert_int_equal(fen_piece_letter(COLOR_WHITE, PIECE_KNIGHT), 'N');
    assert_int_equal(fen_piece_letter(COLOR_BLACK, PIECE_KNIGHT), 'n');
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_fen_is_written_as_it_was_read),
        cmocka_unit_test(separators_may_be_blanks_or_what_addresses_make_of_them),
        cmocka_unit_test(fields_missing_at_the_end_take_their_defaults),
        cmocka_unit_test(castling_letters_are_read_in_all_dialects),
        cmocka_unit_test(an_en_passant_square_is_kept_where_a_capture_is_legal),
        cmocka_unit_test(every_double_step_can_be_written),
        cmocka_unit_test(placement_faults_are_found_at_their_bytes),
        cmocka_unit_test(faults_of_the_other_fields_are_found_at_their_bytes),
        cmocka_unit_test(all_faults_are_reported_at_once),
        cmocka_unit_test(a_text_longer_than_the_limit_is_refused_unread),
        cmocka_unit_test(a_long_row_of_ranks_or_rights_does_no_harm),
        cmocka_unit_test(a_nul_within_the_text_is_a_fault),
        cmocka_unit_test(a_text_that_is_no_position_leaves_the_position_alone),
        cmocka_unit_test(the_castling_field_can_be_written_alone),
        cmocka_unit_test(squares_colours_and_pieces_have_their_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
