/* rules/refusal: FIDE 3.1 to 3.9: why a move is not legal, and the squares that prove it. */
#include "rules/refusal.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/movegen.h"
#include "rules/notation.h"
#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define START      "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define EN_PASSANT "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"

enum { ANSWER_SIZE = CASE_SQUARES_SIZE + 32 };

struct refusal_case {
    const char *label, *fen, *text, *expected; /* "pinned e1 e8": the reason, and its squares from a1 to h8 */
};

static bool seen[REFUSAL_COUNT];

static struct refusal refusal_of(const struct position *position, const char *text)
{
    struct reading reading;
    notation_read(position, text, strlen(text), NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    if (reading.status != READING_ILLEGAL)
        fail_msg("not refused: %s", text);
    seen[reading.refusal.reason] = true;
    return reading.refusal;
}

static void run(const struct refusal_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct position position = case_position(cases[i].fen);
        struct refusal refusal = refusal_of(&position, cases[i].text);
        char squares[CASE_SQUARES_SIZE];
        char answer[ANSWER_SIZE];
        case_squares(refusal.squares, squares);
        (void)snprintf(answer, sizeof answer, "%s%s%s", refusal_name(refusal.reason), *squares ? " " : "",
                       squares);
        failed += !case_is(&position, cases[i].expected, answer, cases[i].label);
    }
    assert_int_equal(failed, 0);
}

#define RUN(cases) run(cases, LENGTH(cases))

/* ---- what stands where ------------------------------------------------------------------------------ */

static void there_must_be_an_own_piece_to_move(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"an empty square", START, "e4e5", "no_piece e4"},
        {"another piece than was named", START, "Ne2e4", "no_piece e2"},
        {"none of the kind", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Qd4", "no_piece"},
        {"none of the kind on that file", "4k3/8/8/8/8/8/8/N3K3 w - - 0 1", "Nbc2", "no_piece"},
        {"no pawn on the file", "4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "e4", "no_piece"},
        {"the opponent's", START, "e7e5", "opponent_piece e7"},
    };
    RUN(cases);
}

/* 3.1 */
static void a_move_goes_to_another_square_without_an_own_piece(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"the same square", START, "e2e2", "same_square e2"},
        {"an own pawn", START, "Kd2", "own_piece_on_target d2"},
        {"an own pawn, by squares", START, "a1a2", "own_piece_on_target a2"},
        {"king takes rook where nobody castles", "4k3/8/8/8/8/8/4KR2/8 w - - 0 1", "e2f2",
         "own_piece_on_target f2"},
    };
    RUN(cases);
}

/* 3.2 to 3.6 */
static void pieces_move_in_their_own_way(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"a knight", START, "Nf4", "piece_cannot_reach"},
        {"a rook, diagonally", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1b2", "piece_cannot_reach"},
        {"a king, too far", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "Ke3", "piece_cannot_reach"},
        {"a bishop over a pawn", START, "Bb5", "path_blocked e2"},
        {"a rook over two", "4k3/8/8/8/p7/8/P7/R3K3 w - - 0 1", "Ra5", "path_blocked a2 a4"},
        {"a queen over the enemy", "4k3/8/8/8/3p4/8/8/3QK3 w - - 0 1", "Qd8", "path_blocked d4"},
    };
    RUN(cases);
}

/* 3.7 */
static void pawns_move_in_their_own_way(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"straight onto the enemy", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e3", "pawn_blocked e3"},
        {"double step over the enemy (3.7.2)", "4k3/8/8/8/8/4p3/4P3/4K3 w - - 0 1", "e4", "pawn_blocked e3"},
        {"double step onto the enemy", "4k3/8/8/8/4p3/8/4P3/4K3 w - - 0 1", "e4", "pawn_blocked e4"},
        {"double step from the third rank", "4k3/8/8/8/8/4P3/8/4K3 w - - 0 1", "e5", "piece_cannot_reach"},
        {"backwards", "4k3/8/8/8/4P3/8/8/4K3 w - - 0 1", "e4e3", "piece_cannot_reach"},
        {"three steps", START, "e5", "piece_cannot_reach"},
        {"diagonally to nothing (3.7.3)", START, "exd3", "pawn_needs_capture d3"},
        {"files alone, to nothing", START, "ed", "pawn_needs_capture d3"},
        {"Black, diagonally to nothing", "4k3/4p3/8/8/8/8/8/4K3 b - - 0 1", "exd6", "pawn_needs_capture d6"},
    };
    RUN(cases);
}

/* 3.7.3.1, 3.7.3.2 */
static void en_passant_is_possible_at_once_and_with_a_safe_king(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"a move too late", EN_PASSANT, "exd6", "en_passant_not_available d5"},
        {"too late, by squares", EN_PASSANT, "e5d6", "en_passant_not_available d5"},
        {"too late, by Black", "4k3/8/8/8/3Pp3/8/8/4K3 b - - 0 1", "exd3", "en_passant_not_available d4"},
        {"both pawns leave the rank", "8/8/8/r2Pp2K/8/8/8/4k3 w - e6 0 1", "dxe6",
         "en_passant_exposes_king a5 h5"},
        {"the captured pawn shields a diagonal", "7K/8/8/3Pp3/8/8/8/b3k3 w - e6 0 1", "dxe6",
         "en_passant_exposes_king a1 h8"},
        {"the capturer is pinned on its file", "4r1k1/8/8/3pP3/8/8/8/4K3 w - d6 0 1", "exd6", "pinned e1 e8"},
        {"it does not answer the check that it uncovered", "8/r6K/8/3pP3/8/8/8/k7 w - d6 0 1", "exd6",
         "does_not_answer_check a7"},
    };
    RUN(cases);
}

/* ---- the own king (3.9.2) ------------------------------------------------------------------------------ */

static void a_pinned_piece_does_not_leave_its_line(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"knight on a file", "4r1k1/8/8/8/8/8/4N3/4K3 w - - 0 1", "Nc3", "pinned e1 e8"},
        {"knight on a diagonal, by file", "4k3/8/8/8/1b6/2N5/8/4K1N1 w - - 0 1", "Nce2", "pinned e1 b4"},
        {"rook on a diagonal", "4k3/8/8/8/1b6/2R5/8/4K3 w - - 0 1", "Rc8", "pinned e1 b4"},
        {"pawn on a rank", "8/8/8/8/r2P2K1/8/8/4k3 w - - 0 1", "d5", "pinned a4 g4"},
        {"a pinned piece that takes the checker", "k3r3/8/8/8/8/3n4/4B3/4K3 w - - 0 1", "Bxd3",
         "pinned e1 e8"},
    };
    RUN(cases);
}

static void a_check_has_to_be_answered(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"by a rook", "4r1k1/8/8/8/8/8/P7/4K3 w - - 0 1", "a3", "does_not_answer_check e8"},
        {"by a knight, with a piece", "6k1/8/8/8/8/3n4/8/R3K3 w - - 0 1", "Ra8", "does_not_answer_check d3"},
        {"double check, neither answered", "4r1k1/8/8/8/8/3n4/P7/4K3 w - - 0 1", "a3",
         "does_not_answer_check d3 e8"},
        {"double check, one answered", "4r1k1/8/8/8/8/3n4/2P5/4K3 w - - 0 1", "cxd3",
         "leaves_king_in_check e8"},
    };
    RUN(cases);
}

static void the_king_does_not_go_where_it_is_attacked(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"onto a line", "3r2k1/8/8/8/8/8/8/4K3 w - - 0 1", "Kd1", "king_into_check d8"},
        {"back along the line of the check", "4r1k1/8/8/8/8/8/4K3/8 w - - 0 1", "Ke1", "king_into_check e8"},
        {"beside the other king", "8/8/8/4k3/8/4K3/8/8 w - - 0 1", "Ke4", "king_into_check e5"},
        {"onto a protected piece", "3r2k1/8/8/8/8/8/3n4/4K3 w - - 0 1", "Kxd2", "king_into_check d8"},
        {"attacked by a pinned piece (3.1.2)", "k7/8/8/r7/8/n7/2K5/R7 w - - 0 1", "Kb1",
         "king_into_check a3"},
    };
    RUN(cases);
}

/* ---- castling (3.8.2, Guidelines II) ------------------------------------------------------------------- */

static void castling_is_refused_with_its_cause(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"right lost", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "O-O", "castling_right_lost e1"},
        {"right lost, by the king's step", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1g1",
         "castling_right_lost e1"},
        {"right lost, king takes rook", "4k3/8/8/8/8/8/8/R3K2R w Q - 0 1", "e1h1", "castling_right_lost e1"},
        {"in check", "4r1k1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_out_of_check e8"},
        {"in check and blocked", "4r1k1/8/8/8/8/8/8/4KB1R w K - 0 1", "O-O", "castling_out_of_check e8"},
        {"over an attacked square", "5rk1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_through_check f1 f8"},
        {"over d1", "3r2k1/8/8/8/8/8/8/R3K3 w Q - 0 1", "O-O-O", "castling_through_check d1 d8"},
        {"to an attacked square", "k5r1/8/8/8/8/8/8/4K2R w K - 0 1", "O-O", "castling_into_check g1 g8"},
        {"blocked", START, "O-O", "castling_blocked f1 g1"},
        {"blocked for the rook alone", "4k3/8/8/8/8/8/8/RN2K3 w Q - 0 1", "O-O-O", "castling_blocked b1"},
        {"Black's", "r3k3/8/8/8/8/8/8/3R3K b q - 0 1", "O-O-O", "castling_through_check d1 d8"},
        {"Chess960: the rook was the shield", "960 4k3/8/8/8/8/8/8/rR2K1N1 w B - 0 1", "O-O-O",
         "castling_into_check a1 c1"},
        {"Chess960: a right on the other side alone", "960 4k3/8/8/8/8/8/8/1RK4R w B - 0 1", "O-O",
         "castling_right_lost c1"},
        {"Chess960: blocked by another rook", "960 4k3/8/8/8/8/8/8/1K3RR1 w G - 0 1", "O-O",
         "castling_blocked f1"},
    };
    RUN(cases);
}

/* b1 may be attacked, and the rook too (3.8.2.2): these are legal. */
static void castling_is_not_refused_for_the_rooks_sake(void **state)
{
    (void)state;
    struct position position = case_position("1r4k1/8/8/8/8/8/8/R3K2R w KQ - 0 1");
    struct attempt attempt = {.castling = true, .side = CASTLING_QUEENSIDE};
    assert_int_equal(refusal_explain(&position, &attempt).reason, REFUSAL_NONE);
}

/* ---- promotion and passing ------------------------------------------------------------------------------
 */

/* 3.7.3.3 */
static void promotion_pieces_are_named_where_they_belong(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"missing", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8", "promotion_missing a8"},
        {"king", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=K", "promotion_not_allowed a8"},
        {"pawn", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=P", "promotion_not_allowed a8"},
        {"by a knight", START, "Nf3=Q", "promotion_not_allowed f3"},
        {"too early", START, "e4=Q", "promotion_not_allowed e4"},
        {"castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1q", "promotion_not_allowed g1"},
        {"another reason goes first", "n6k/P7/8/8/8/8/8/K7 w - - 0 1", "a8=K", "pawn_blocked a8"},
    };
    RUN(cases);
}

/* 1.3 */
static void passing_is_no_move(void **state)
{
    (void)state;
    static const struct refusal_case cases[] = {
        {"UCI", START, "0000", "null_move"},
        {"dashes", START, "--", "null_move"},
    };
    RUN(cases);
}

/* ---- which piece was meant ------------------------------------------------------------------------------
 */

static void of_several_pieces_the_nearest_to_a_legal_move_is_explained(void **state)
{
    (void)state;
    static const struct {
        const char *label, *fen, *text, *from, *candidates;
    } table[] = {
        {"pinned rather than out of reach", "4k3/8/8/8/1b6/2N5/8/N3K3 w - - 0 1", "Ne2", "c3", "a1 c3"},
        {"blocked rather than out of reach", "4k3/8/8/8/8/P7/8/R3K2R w - - 0 1", "Ra5", "a1", "a1 h1"},
        {"of equals the nearer one", START, "Nf4", "g1", "b1 g1"},
        {"the file that was named", START, "Nbc4", "b1", "b1"},
        {"the pawn of the target's file", START, "e5", "e2", "e2"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = case_position(table[i].fen);
        struct refusal refusal = refusal_of(&position, table[i].text);
        char squares[CASE_SQUARES_SIZE];
        case_squares(bit(refusal.move.from), squares);
        assert_true(case_is(&position, table[i].from, squares, table[i].label));
        case_squares(refusal.candidates, squares);
        assert_true(case_is(&position, table[i].candidates, squares, table[i].label));
    }
}

static void a_refusal_fills_in_what_the_text_left_out(void **state)
{
    (void)state;
    struct position position = position_initial();
    struct refusal castling = refusal_of(&position, "O-O");
    assert_int_equal(castling.move.piece, PIECE_KING);
    assert_int_equal(castling.move.from, square_at(FILE_E, RANK_1));
    assert_int_equal(castling.move.to, square_at(FILE_G, RANK_1));
    struct refusal squares = refusal_of(&position, "b1b3");
    assert_int_equal(squares.move.piece, PIECE_KNIGHT);
}

/* ---- laws -----------------------------------------------------------------------------------------------
 */

static bool is_a_legal_step(const struct movelist *legal, square from, square to)
{
    for (unsigned i = 0; i < legal->count; i++)
        if (move_kind(legal->moves[i]) != MOVE_CASTLING && move_from(legal->moves[i]) == from &&
            move_to(legal->moves[i]) == to)
            return true;
    return false;
}

/* Reading one square pair: no reason if and only if the generator has the move. */
static void compare_with_generator(const struct position *position, const struct movelist *legal, square from,
                                   square to)
{
    struct attempt attempt = {.from = from, .to = to};
    if (position_piece_at(position, from) == PIECE_PAWN &&
        (square_rank(to) == RANK_1 || square_rank(to) == RANK_8))
        attempt.promotion = PIECE_QUEEN;
    bool refused = refusal_explain(position, &attempt).reason != REFUSAL_NONE;
    char label[32];
    (void)snprintf(label, sizeof label, "from %u to %u", from, to);
    bool legal_step = is_a_legal_step(legal, from, to);
    assert_true(case_is(position, legal_step ? "legal" : "refused", refused ? "refused" : "legal", label));
}

static void a_pair_of_squares_has_a_reason_exactly_where_it_is_not_legal(void **state)
{
    (void)state;
    static const char *const fens[] = {
        START,
        EN_PASSANT,
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "8/8/8/r2Pp2K/8/8/8/4k3 w - e6 0 1",
        "4r1k1/8/8/8/8/3n4/2P5/4K3 w - - 0 1",
        "8/8/8/8/k1pP3Q/8/8/4K3 b - d3 0 1",
        "8/8/8/3k4/3pP3/8/8/B3K3 b - e3 0 1",
        "k3r3/8/8/8/1b6/2N5/3BR3/4K3 w - - 0 1",
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = case_position(fens[i]);
        struct movelist legal;
        movegen_legal(&position, &legal);
        for (unsigned from = 0; from < SQUARE_COUNT; from++)
            for (unsigned to = 0; to < SQUARE_COUNT; to++)
                compare_with_generator(&position, &legal, (square)from, (square)to);
    }
}

static void every_reason_has_a_name_and_a_sentence_and_was_seen(void **state)
{
    (void)state;
    for (unsigned reason = REFUSAL_NONE; reason < REFUSAL_COUNT; reason++) {
        assert_non_null(refusal_name((enum refusal_reason)reason));
        assert_non_null(strchr(refusal_text((enum refusal_reason)reason), '.'));
        if (reason != REFUSAL_NONE && !seen[reason])
            fail_msg("no case above is refused with %s", refusal_name((enum refusal_reason)reason));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(there_must_be_an_own_piece_to_move),
        cmocka_unit_test(a_move_goes_to_another_square_without_an_own_piece),
        cmocka_unit_test(pieces_move_in_their_own_way),
        cmocka_unit_test(pawns_move_in_their_own_way),
        cmocka_unit_test(en_passant_is_possible_at_once_and_with_a_safe_king),
        cmocka_unit_test(a_pinned_piece_does_not_leave_its_line),
        cmocka_unit_test(a_check_has_to_be_answered),
        cmocka_unit_test(the_king_does_not_go_where_it_is_attacked),
        cmocka_unit_test(castling_is_refused_with_its_cause),
        cmocka_unit_test(castling_is_not_refused_for_the_rooks_sake),
        cmocka_unit_test(promotion_pieces_are_named_where_they_belong),
        cmocka_unit_test(passing_is_no_move),
        cmocka_unit_test(of_several_pieces_the_nearest_to_a_legal_move_is_explained),
        cmocka_unit_test(a_refusal_fills_in_what_the_text_left_out),
        cmocka_unit_test(a_pair_of_squares_has_a_reason_exactly_where_it_is_not_legal),
        cmocka_unit_test(every_reason_has_a_name_and_a_sentence_and_was_seen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
