/* rules/notation, reading: PGN standard 8.2.3, FIDE Laws appendix C, UCI. Which moves are legal was asked of
 * Stockfish ("go perft 1"); what a text means is from the standards. */
#include "rules/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define START       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define PROMOTION   "1r5k/P1P5/8/8/8/8/8/K7 w - - 0 1"
#define EN_PASSANT  "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
#define CAPTURE     "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
#define CASTLING    "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"
#define BISHOP_PAWN "7k/8/8/8/1pPb4/8/8/7K b - c3 0 1"
#define KNIGHTS     "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82"
#define PINNED      "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1"
#define FRC         "960 4k3/8/8/8/8/8/8/R4K1R w HA - 0 1"
#define FRC_INNER   "960 4k3/8/8/8/8/8/8/4K1RR w G - 0 1"
#define FRC_OUTER   "960 4k3/8/8/8/8/8/8/R2RK3 w A - 0 1"

enum { ANSWER_SIZE = 256 };

static int by_text(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void format_candidates(const struct position *position, const struct movelist *list, char *answer)
{
    char texts[MOVELIST_MAX][NOTATION_UCI_SIZE];
    size_t length = (size_t)snprintf(answer, ANSWER_SIZE, "ambiguous");
    for (unsigned i = 0; i < list->count; i++)
        notation_format_uci(position, list->moves[i], texts[i]);
    qsort(texts, list->count, sizeof texts[0], by_text);
    for (unsigned i = 0; i < list->count; i++)
        length += (size_t)snprintf(answer + length, ANSWER_SIZE - length, " %s", texts[i]);
}

/* "g1f3", "g1f3 draw", "syntax 3", "illegal pinned", "ambiguous c2e3 g2e3". */
static void format_reading(const struct position *position, const struct reading *reading, char *answer)
{
    char uci[NOTATION_UCI_SIZE];
    switch (reading->status) {
    case READING_OK:
        notation_format_uci(position, reading->move, uci);
        (void)snprintf(answer, ANSWER_SIZE, "%s%s", uci, reading->draw_offer ? " draw" : "");
        break;
    case READING_SYNTAX:
        (void)snprintf(answer, ANSWER_SIZE, "syntax %zu", reading->offset);
        break;
    case READING_ILLEGAL:
        (void)snprintf(answer, ANSWER_SIZE, "illegal %s", refusal_name(reading->refusal.reason));
        break;
    case READING_AMBIGUOUS:
        format_candidates(position, &reading->candidates, answer);
        break;
    }
}

struct read_case {
    const char *label, *fen, *text, *expected;
};

static void run(const struct read_case *cases, size_t count, enum notation_form form,
                enum notation_style style)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct position position = case_position(cases[i].fen);
        struct reading reading;
        char answer[ANSWER_SIZE];
        char label[ANSWER_SIZE];
        notation_read(&position, cases[i].text, strlen(cases[i].text), form, style, PIECE_NONE, &reading);
        format_reading(&position, &reading, answer);
        (void)snprintf(label, sizeof label, "%s: \"%s\"", cases[i].label, cases[i].text);
        failed += !case_is(&position, cases[i].expected, answer, label);
    }
    assert_int_equal(failed, 0);
}

#define RUN_LENIENT(cases) run(cases, LENGTH(cases), NOTATION_ANY, NOTATION_LENIENT)

/* ---- lenient reading ---------------------------------------------------------------------------------- */

static void pieces_and_squares_are_read_in_short_and_long_form(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"pawn", START, "e4", "e2e4"},
        {"piece", START, "Nf3", "g1f3"},
        {"long form", START, "Ng1f3", "g1f3"},
        {"long form with a dash", START, "Ng1-f3", "g1f3"},
        {"long form with a needless x", START, "Ng1xf3", "g1f3"},
        {"needless file", START, "Ngf3", "g1f3"},
        {"needless rank", START, "N1f3", "g1f3"},
        {"needless x", START, "Nxf3", "g1f3"},
        {"long form of a pawn", START, "e2-e4", "e2e4"},
        {"coordinates of a knight", START, "b1c3", "b1c3"},
        {"pawn by its letter", START, "Pe4", "e2e4"},
        {"pawn by letter and squares", CAPTURE, "Pe4xd5", "e4d5"},
    };
    RUN_LENIENT(cases);
}

static void pawn_captures_are_read_with_and_without_x_and_rank(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"usual", CAPTURE, "exd5", "e4d5"},
        {"without x (C.8)", CAPTURE, "ed5", "e4d5"},
        {"with a colon", CAPTURE, "e:d5", "e4d5"},
        {"long", CAPTURE, "e4xd5", "e4d5"},
        {"files alone", CAPTURE, "ed", "e4d5"},
        {"files alone with x", CAPTURE, "exd", "e4d5"},
        {"without its file it is no capture", CAPTURE, "d5", "illegal piece_cannot_reach"},
        {"x without a file", CAPTURE, "xd5", "syntax 0"},
        {"files that do not touch", CAPTURE, "eb", "syntax 2"},
        {"two pawns can take on that file", "4k3/8/8/3p1p2/4P3/3p4/4P3/4K3 w - - 0 1", "ed",
         "ambiguous e2d3 e4d5"},
        {"to the other side there is one", "4k3/8/8/3p1p2/4P3/3p4/4P3/4K3 w - - 0 1", "ef", "e4f5"},
    };
    RUN_LENIENT(cases);
}

/* 3.7.3.1, C.8 */
static void en_passant_is_read_with_and_without_its_mark(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"PGN", EN_PASSANT, "exf6", "e5f6"},
        {"joined", EN_PASSANT, "exf6e.p.", "e5f6"},
        {"apart", EN_PASSANT, "exf6 e.p.", "e5f6"},
        {"short mark", EN_PASSANT, "exf6 ep", "e5f6"},
        {"short mark joined", EN_PASSANT, "exf6ep", "e5f6"},
        {"with a check mark", EN_PASSANT, "exf6+ e.p.!", "e5f6"},
        {"files alone", EN_PASSANT, "ef", "e5f6"},
        {"too late on the other side", EN_PASSANT, "exd6", "illegal en_passant_not_available"},
        {"a bishop that goes there", BISHOP_PAWN, "Bc3", "d4c3"},
        {"a bishop with a needless x", BISHOP_PAWN, "Bxc3", "d4c3"},
        {"the pawn", BISHOP_PAWN, "bxc3", "b4c3"},
    };
    RUN_LENIENT(cases);
}

/* 3.7.3.3, C.10 */
static void promotions_are_read_in_all_spellings(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"PGN", PROMOTION, "a8=Q", "a7a8q"},
        {"FIDE", PROMOTION, "a8Q", "a7a8q"},
        {"in brackets", PROMOTION, "a8(R)", "a7a8r"},
        {"with a slash", PROMOTION, "a8/B", "a7a8b"},
        {"small letter", PROMOTION, "a8=q", "a7a8q"},
        {"capture", PROMOTION, "axb8N", "a7b8n"},
        {"capture with mark", PROMOTION, "cxb8=R+", "c7b8r"},
        {"files alone", PROMOTION, "ab=N", "a7b8n"},
        {"UCI", PROMOTION, "a7a8q", "a7a8q"},
        {"UCI with a capital", PROMOTION, "a7a8Q", "a7a8q"},
        {"missing (never a queen unasked)", PROMOTION, "a8", "illegal promotion_missing"},
        {"missing in UCI", PROMOTION, "a7a8", "illegal promotion_missing"},
        {"missing, files alone", PROMOTION, "cb", "illegal promotion_missing"},
        {"missing, with a draw offer", PROMOTION, "a8(=)", "illegal promotion_missing"},
        {"king", PROMOTION, "a8=K", "illegal promotion_not_allowed"},
        {"pawn", PROMOTION, "a8=P", "illegal promotion_not_allowed"},
        {"king in UCI", PROMOTION, "a7a8k", "illegal promotion_not_allowed"},
        {"by a piece", START, "Nf3=Q", "illegal promotion_not_allowed"},
        {"before the last rank", START, "e2e4q", "illegal promotion_not_allowed"},
        {"no piece at all", PROMOTION, "a8=X", "syntax 3"},
        {"open bracket", PROMOTION, "a8(Q", "syntax 4"},
    };
    RUN_LENIENT(cases);
}

/* 3.8.2, C.11 */
static void castling_is_read_in_letters_zeros_and_squares(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"letters", CASTLING, "O-O", "e1g1"},
        {"letters, long", CASTLING, "O-O-O", "e1c1"},
        {"zeros", CASTLING, "0-0", "e1g1"},
        {"zeros, long", CASTLING, "0-0-0", "e1c1"},
        {"small letters", CASTLING, "o-o", "e1g1"},
        {"with a mark", CASTLING, "O-O-O+", "e1c1"},
        {"en dash", CASTLING, "O\u2013O", "e1g1"},
        {"em dashes", CASTLING, "O\u2014O\u2014O", "e1c1"},
        {"the king's step", CASTLING, "e1g1", "e1g1"},
        {"the king's step, long", CASTLING, "e1c1", "e1c1"},
        {"king takes rook", CASTLING, "e1h1", "e1g1"},
        {"king takes rook, long", CASTLING, "e1a1", "e1c1"},
        {"a king's move of two squares is none", CASTLING, "Kg1", "illegal piece_cannot_reach"},
        {"the king's single step is no castling", CASTLING, "e1f1", "e1f1"},
        {"no right left", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1", "illegal castling_right_lost"},
    };
    RUN_LENIENT(cases);
}

/* Guidelines II; UCI. The rook that is taken is the one that has the right, not whichever stands there. */
static void in_chess960_only_king_takes_rook_castles(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"letters", FRC, "O-O", "f1h1"},
        {"king takes rook", FRC, "f1h1", "f1h1"},
        {"king takes rook, long", FRC, "f1a1", "f1a1"},
        {"a step to g1 is a step", FRC, "f1g1", "f1g1"},
        {"a step to g1 in SAN", FRC, "Kg1", "f1g1"},
        {"the king's target is no castling", FRC, "f1c1", "illegal piece_cannot_reach"},
        {"a named king does not take its rook", FRC, "Kxh1", "illegal own_piece_on_target"},
        {"king on e1: e1g1 is no castling either", "960 4k3/8/8/8/8/8/8/R3K2R w HA - 0 1", "e1g1",
         "illegal piece_cannot_reach"},
        {"the rook was the only shield", "960 4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1", "O-O-O",
         "illegal castling_into_check"},
        {"the inner rook", FRC_INNER, "e1g1", "e1g1"},
        {"the inner rook, by letters", FRC_INNER, "O-O", "e1g1"},
        {"the outer rook has no right", FRC_INNER, "e1h1", "illegal castling_right_lost"},
        {"the inner rook has no right", FRC_OUTER, "e1d1", "illegal castling_right_lost"},
        {"the inner rook is in the way of the outer", FRC_OUTER, "e1a1", "illegal castling_blocked"},
        {"neither has", "960 4k3/8/8/8/8/8/8/4K1RR w - - 0 1", "e1g1", "illegal castling_right_lost"},
        {"Black's", "960 4k1rr/8/8/8/8/8/8/4K3 b g - 0 1", "e8h8", "illegal castling_right_lost"},
        {"standard: a rook on the king's target", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1", "e1g1",
         "illegal castling_blocked"},
    };
    RUN_LENIENT(cases);
}

static void marks_and_dashes_and_figurines_are_read(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"a check that is none", START, "Nf3+", "g1f3"},
        {"a mate that is none", START, "Nf3#", "g1f3"},
        {"double plus", START, "Nf3++", "g1f3"},
        {"good", START, "Nf3!", "g1f3"},
        {"interesting", START, "Nf3!?", "g1f3"},
        {"after a blank", START, "Nf3 !?", "g1f3"},
        {"minus sign", START, "e2\u2212e4", "e2e4"},
        {"hyphen", START, "e2\u2010e4", "e2e4"},
        {"multiplication sign", CAPTURE, "e\u00D7d5", "e4d5"},
        {"white knight", START, "\u2658f3", "g1f3"},
        {"black knight", START, "\u265Ef3", "g1f3"},
        {"knight as text", START, "\u2658\uFE0Ef3", "g1f3"},
        {"white pawn", START, "\u2659e4", "e2e4"},
        {"promotion to a figurine", PROMOTION, "a8=\u2655", "a7a8q"},
        {"dagger", START, "Nf3\u2020", "g1f3"},
        {"draw offer (C.12)", START, "e4(=)", "e2e4 draw"},
        {"draw offer apart", START, "e4 (=)", "e2e4 draw"},
        {"draw offer behind a mark", START, "Nf3! (=)", "g1f3 draw"},
    };
    RUN_LENIENT(cases);
}

static void lower_case_pieces_are_read_but_b_is_a_file(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"knight", START, "nf3", "g1f3"},
        {"knight that cannot", START, "nf4", "illegal piece_cannot_reach"},
        {"queen", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", "qxa8+", "a1a8"},
        {"two knights fit", "4k3/8/8/8/4r3/8/2N3N1/4K3 w - - 0 1", "ne3", "ambiguous c2e3 g2e3"},
        {"pawn", "r4br1/pp1Npkp1/2P4p/5P2/6P1/5KnP/PP6/R1B5 b - - 0 1", "bxc6", "b7c6"},
        {"never a bishop", "4k3/8/8/8/8/8/1B6/4K3 w - - 0 1", "bc3", "illegal no_piece"},
        {"capital files are none", "r4br1/pp1Npkp1/2P4p/5P2/6P1/5KnP/PP6/R1B5 b - - 0 1", "BXC6", "syntax 1"},
    };
    RUN_LENIENT(cases);
}

/* PGN 8.2.3.4 */
static void reading_never_guesses_between_two_moves(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"two knights", "4k3/8/8/8/4r3/8/2N3N1/4K3 w - - 0 1", "Ne3", "ambiguous c2e3 g2e3"},
        {"the file is not enough", KNIGHTS, "Nec3", "ambiguous e2c3 e4c3"},
        {"the rank is not enough", KNIGHTS, "N2c3", "ambiguous a2c3 e2c3"},
        {"the rank is enough", KNIGHTS, "N4c3", "e4c3"},
        {"the square is enough", KNIGHTS, "Ne2c3", "e2c3"},
        {"a check mark does not choose", "5rk1/4R2R/5r2/8/8/8/5PPP/6K1 w - - 0 1", "Rg7+",
         "ambiguous e7g7 h7g7"},
        {"a pinned twin does not count", PINNED, "Ne2", "g1e2"},
        {"the pinned twin by name", PINNED, "Nce2", "illegal pinned"},
        {"only one answers the check", "6k1/8/8/8/8/2N5/8/r3KN2 w - - 0 1", "Nd1", "c3d1"},
    };
    RUN_LENIENT(cases);
}

/* 7.5.3 */
static void passing_is_refused_by_name(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"dashes", START, "--", "illegal null_move"},
        {"long dashes", START, "\u2013\u2013", "illegal null_move"},
        {"Z0", START, "Z0", "illegal null_move"},
        {"UCI", START, "0000", "illegal null_move"},
        {"at signs", START, "@@@@", "illegal null_move"},
        {"a word is no move", START, "null", "syntax 1"},
        {"angles are no move", START, "<>", "syntax 0"},
    };
    RUN_LENIENT(cases);
}

static void what_is_no_move_says_where_it_fails(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"nothing", START, "", "syntax 0"},
        {"unknown piece", START, "Xf3", "syntax 0"},
        {"unknown file", START, "i4", "syntax 0"},
        {"unknown rank", START, "e9", "syntax 1"},
        {"piece alone", START, "N", "syntax 1"},
        {"square missing", START, "Nf", "syntax 2"},
        {"rest", START, "e4e5e6", "syntax 4"},
        {"word", START, "Nf3x", "syntax 4"},
        {"mark alone", START, "+", "syntax 0"},
        {"blank within", START, "e2 e4", "syntax 2"},
        {"control character", START, "e4\n", "syntax 2"},
        {"offset behind a figurine is in bytes", START, "\u2658f9", "syntax 4"},
        {"broken UTF-8", START, "\xE2\x99", "syntax 0"},
        {"four castling letters", START, "O-O-O-O", "syntax 0"},
    };
    RUN_LENIENT(cases);
}

static void a_move_text_has_a_length_limit_and_may_hold_nul(void **state)
{
    (void)state;
    struct position position = case_position(START);
    struct reading reading;
    char text[NOTATION_TEXT_MAX + 1];
    memset(text, '!', sizeof text);
    text[0] = 'e';
    text[1] = '4';
    notation_read(&position, text, NOTATION_TEXT_MAX, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    assert_int_equal(reading.status, READING_OK);
    notation_read(&position, text, NOTATION_TEXT_MAX + 1, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  &reading);
    assert_int_equal(reading.status, READING_SYNTAX);
    assert_int_equal(reading.offset, NOTATION_TEXT_MAX);
    notation_read(&position, "e4\0", 3, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    assert_int_equal(reading.status, READING_SYNTAX);
    assert_int_equal(reading.offset, 2);
}

static void a_default_promotion_is_taken_only_where_a_piece_is_missing(void **state)
{
    (void)state;
    static const char *const texts[][2] = {
        {"a8", "a7a8q"}, {"a7a8", "a7a8q"}, {"cb", "c7b8q"}, {"a8=N", "a7a8n"}, {"Ka2", "a1a2"}};
    struct position position = case_position(PROMOTION);
    for (size_t i = 0; i < LENGTH(texts); i++) {
        struct reading reading;
        char answer[ANSWER_SIZE];
        notation_read(&position, texts[i][0], strlen(texts[i][0]), NOTATION_ANY, NOTATION_LENIENT,
                      PIECE_QUEEN, &reading);
        format_reading(&position, &reading, answer);
        assert_string_equal(answer, texts[i][1]);
    }
}

/* ---- forms and strictness ------------------------------------------------------------------------------ */

static void strict_san_is_what_would_be_written(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"exact", START, "Nf3", "g1f3"},
        {"needless file", START, "Ngf3", "syntax 1"},
        {"needless mark", START, "Nf3+", "syntax 3"},
        {"missing mark", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "syntax 3"},
        {"exact mark", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "O-O+", "e1g1"},
        {"missing x", CAPTURE, "ed5", "syntax 1"},
        {"zeros", CASTLING, "0-0", "syntax 0"},
        {"small letter", START, "nf3", "syntax 0"},
        {"coordinates", START, "e2e4", "syntax 1"},
        {"ambiguous stays ambiguous", KNIGHTS, "Nec3", "ambiguous e2c3 e4c3"},
        {"illegal stays illegal", START, "Nf4", "illegal piece_cannot_reach"},
    };
    run(cases, LENGTH(cases), NOTATION_SAN, NOTATION_STRICT);
}

static void strict_uci_is_what_would_be_written(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"exact", START, "g1f3", "g1f3"},
        {"dash", START, "e2-e4", "syntax 2"},
        {"capital promotion", PROMOTION, "a7a8Q", "syntax 4"},
        {"king takes rook in standard chess", CASTLING, "e1h1", "syntax 2"},
        {"king takes rook in Chess960", FRC, "f1h1", "f1h1"},
        {"SAN", START, "Nf3", "syntax 0"},
        {"null", START, "0000", "illegal null_move"},
    };
    run(cases, LENGTH(cases), NOTATION_UCI, NOTATION_STRICT);
}

static void lenient_uci_still_needs_both_squares(void **state)
{
    (void)state;
    static const struct read_case cases[] = {
        {"exact", START, "g1f3", "g1f3"},      {"dash", START, "e2-e4", "e2e4"},
        {"mark", START, "e2e4!", "e2e4"},      {"capital", PROMOTION, "a7a8Q", "a7a8q"},
        {"SAN", START, "Nf3", "syntax 0"},     {"castling letters", CASTLING, "O-O", "syntax 0"},
        {"pawn SAN", START, "e4", "syntax 0"},
    };
    run(cases, LENGTH(cases), NOTATION_UCI, NOTATION_LENIENT);
}

static void strict_reading_of_any_form_takes_both(void **state)
{
    (void)state;
    static const struct read_case cases[] = {{"SAN", START, "Nf3", "g1f3"},
                                             {"UCI", START, "g1f3", "g1f3"},
                                             {"neither", START, "Ng1f3", "syntax 1"}};
    run(cases, LENGTH(cases), NOTATION_ANY, NOTATION_STRICT);
}

/* ---- squares as fields --------------------------------------------------------------------- */

static void squares_that_come_as_fields_are_resolved(void **state)
{
    (void)state;
    static const struct {
        const char *fen, *from, *to;
        enum piece_type promotion, default_promotion;
        const char *expected;
    } table[] = {
        {START, "g1", "f3", PIECE_NONE, PIECE_NONE, "g1f3"},
        {PROMOTION, "a7", "a8", PIECE_ROOK, PIECE_NONE, "a7a8r"},
        {PROMOTION, "a7", "a8", PIECE_NONE, PIECE_QUEEN, "a7a8q"},
        {PROMOTION, "a7", "a8", PIECE_NONE, PIECE_NONE, "illegal promotion_missing"},
        {CASTLING, "e1", "g1", PIECE_NONE, PIECE_NONE, "e1g1"},
        {CASTLING, "e1", "a1", PIECE_NONE, PIECE_NONE, "e1c1"},
        {FRC, "f1", "h1", PIECE_NONE, PIECE_NONE, "f1h1"},
        {FRC, "f1", "g1", PIECE_NONE, PIECE_NONE, "f1g1"},
        {START, "e2", "e2", PIECE_NONE, PIECE_NONE, "illegal same_square"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = case_position(table[i].fen);
        struct attempt attempt = {.from = notation_parse_square(table[i].from, 2),
                                  .to = notation_parse_square(table[i].to, 2),
                                  .promotion = table[i].promotion};
        struct reading reading;
        char answer[ANSWER_SIZE];
        notation_resolve(&position, &attempt, table[i].default_promotion, &reading);
        format_reading(&position, &reading, answer);
        assert_true(case_is(&position, table[i].expected, answer, table[i].from));
    }
}

static void a_square_is_two_characters(void **state)
{
    (void)state;
    assert_int_equal(notation_parse_square("a1", 2), 0);
    assert_int_equal(notation_parse_square("h8", 2), 63);
    assert_int_equal(notation_parse_square("i1", 2), SQUARE_NONE);
    assert_int_equal(notation_parse_square("a9", 2), SQUARE_NONE);
    assert_int_equal(notation_parse_square("A1", 2), SQUARE_NONE);
    assert_int_equal(notation_parse_square("a", 1), SQUARE_NONE);
    assert_int_equal(notation_parse_square("a11", 3), SQUARE_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_and_squares_are_read_in_short_and_long_form),
        cmocka_unit_test(pawn_captures_are_read_with_and_without_x_and_rank),
        cmocka_unit_test(en_passant_is_read_with_and_without_its_mark),
        cmocka_unit_test(promotions_are_read_in_all_spellings),
        cmocka_unit_test(castling_is_read_in_letters_zeros_and_squares),
        cmocka_unit_test(in_chess960_only_king_takes_rook_castles),
        cmocka_unit_test(marks_and_dashes_and_figurines_are_read),
        cmocka_unit_test(lower_case_pieces_are_read_but_b_is_a_file),
        cmocka_unit_test(reading_never_guesses_between_two_moves),
        cmocka_unit_test(passing_is_refused_by_name),
        cmocka_unit_test(what_is_no_move_says_where_it_fails),
        cmocka_unit_test(a_move_text_has_a_length_limit_and_may_hold_nul),
        cmocka_unit_test(a_default_promotion_is_taken_only_where_a_piece_is_missing),
        cmocka_unit_test(strict_san_is_what_would_be_written),
        cmocka_unit_test(strict_uci_is_what_would_be_written),
        cmocka_unit_test(lenient_uci_still_needs_both_squares),
        cmocka_unit_test(strict_reading_of_any_form_takes_both),
        cmocka_unit_test(squares_that_come_as_fields_are_resolved),
        cmocka_unit_test(a_square_is_two_characters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
