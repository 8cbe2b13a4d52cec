/* rules/notation, writing: PGN standard 8.2.3 and UCI. */
#include "rules/notation.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

struct write_case {
    const char *label, *fen, *uci, *san;
};

/* The legal move with that UCI text, found without reading. */
static move legal_move(const struct position *position, const char *uci)
{
    struct movelist legal;
    movegen_legal(position, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        char text[NOTATION_UCI_SIZE];
        size_t length = notation_format_uci(position, legal.moves[i], text);
        assert_int_equal(length, strlen(text));
        if (strcmp(text, uci) == 0)
            return legal.moves[i];
    }
    fail_msg("not legal: %s", uci);
    return MOVE_NONE;
}

static void run(const struct write_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct position position = case_position(cases[i].fen);
        char text[NOTATION_SAN_SIZE];
        size_t length = notation_format_san(&position, legal_move(&position, cases[i].uci), text);
        assert_int_equal(length, strlen(text));
        failed += !case_is(&position, cases[i].san, text, cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* PGN 8.2.3.4 */
static void disambiguation_is_file_else_rank_else_both(void **state)
{
    (void)state;
    static const char *const queens = "6k1/8/8/8/8/Q7/8/Q1Q4K w - - 0 1";
    static const char *const rooks = "6k1/8/8/R6R/8/8/8/R3K3 w - - 0 1";
    const struct write_case cases[] = {
        {"file", "3r1rk1/8/8/8/8/8/8/3R1RK1 b - - 0 1", "d8e8", "Rde8"},
        {"rank", "7k/R7/8/8/8/8/8/R3K3 w - - 0 1", "a7a4", "R7a4"},
        {"both", queens, "a1b2", "Qa1b2"},
        {"rank of three", queens, "a3b2", "Q3b2"},
        {"file of three", queens, "c1b2", "Qcb2"},
        {"rooks, rank", rooks, "a5a3", "R5a3"},
        {"rooks, file", rooks, "a5d5", "Rad5"},
        {"rank of knights on one file", "4k3/8/8/6N1/8/8/8/4K1N1 w - - 0 1", "g5f3", "N5f3"},
        {"file goes before rank", "4k3/8/8/8/3N4/8/7N/4K3 w - - 0 1", "h2f3", "Nhf3"},
        {"captures too", "4k3/8/8/8/8/5p2/7N/4K1N1 w - - 0 1", "g1f3", "Ngxf3"},
        {"three knights need both", "4k3/8/8/8/4N3/8/N3N3/4K3 w - - 0 1", "e2c3", "Ne2c3"},
    };
    run(cases, LENGTH(cases));
}

static void only_legal_twins_count(void **state)
{
    (void)state;
    static const struct write_case cases[] = {
        {"twin pinned on a diagonal", "4k3/8/8/7b/8/5N2/4K3/1N6 w - - 0 1", "b1d2", "Nd2"},
        {"twin pinned on a file", "rn2k2r/pppq1ppp/5p2/3p4/1b1P4/2NQP3/PPP2PPP/R3K1NR w KQkq - 0 1", "g1e2",
         "Ne2"},
        {"twin does not answer the check", "6k1/8/8/8/8/2N5/8/r3KN2 w - - 0 1", "c3d1", "Nd1"},
        {"bishop pinned towards the king", "3k4/8/8/q7/8/2B5/8/B3K3 w - - 0 1", "a1b2", "Bb2"},
        {"a rook pinned along the line of the move still counts", "4r1k1/8/8/8/4R3/8/8/R3K3 w - - 0 1",
         "e4e3", "Re3"},
        {"blocked twin", "4k3/8/8/8/8/8/8/R2RK3 w - - 0 1", "a1b1", "Rab1"},
        {"twin behind another piece", "4k3/8/8/8/8/8/8/R1BRK3 w - - 0 1", "a1b1", "Rb1"},
    };
    run(cases, LENGTH(cases));
}

/* PGN 8.2.3.3 */
static void pawns_name_their_file_when_they_take(void **state)
{
    (void)state;
    static const struct write_case cases[] = {
        {"push", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "e2e4", "e4"},
        {"capture", "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "d4e5", "dxe5"},
        {"en passant has no mark", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6",
         "exf6"},
        {"en passant by Black", "8/8/8/8/k1pP4/8/8/3RK3 b - d3 0 1", "c4d3", "cxd3"},
        {"a bishop on the en passant square takes nothing", "7k/8/8/8/1pPb4/8/8/7K b - c3 0 1", "d4c3",
         "Bc3"},
        {"promotion", "7k/P7/8/8/8/8/8/K7 w - - 0 1", "a7a8n", "a8=N"},
        {"promotion that takes", "1r5k/P1P5/8/8/8/8/8/K7 w - - 0 1", "c7b8b", "cxb8=B"},
    };
    run(cases, LENGTH(cases));
}

/* 3.8.2, Guidelines II */
static void castling_is_written_by_its_side(void **state)
{
    (void)state;
    static const struct write_case cases[] = {
        {"kingside", "k7/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O"},
        {"queenside", "r3k2r/8/8/8/8/8/8/4K3 b kq - 0 1", "e8c8", "O-O-O"},
        {"with check", "5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+"},
        {"with mate", "2rkr3/2p1p3/8/8/8/8/8/R3K3 w Q - 0 1", "e1c1", "O-O-O#"},
        {"Chess960, to the a-rook", "960 4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "b1a1", "O-O-O"},
        {"Chess960, to the h-rook", "960 4k3/8/8/8/8/8/8/RK5R w HA - 0 1", "b1h1", "O-O"},
        {"Chess960, only the rook moves", "960 5k2/8/8/8/8/8/8/R5KR w HA - 0 1", "g1h1", "O-O+"},
        {"Chess960, a step is a step", "960 4k3/8/8/8/8/8/8/R4K1R w HA - 0 1", "f1g1", "Kg1"},
    };
    run(cases, LENGTH(cases));
}

/* 3.9.1, 5.1.1 */
static void check_and_mate_are_marked(void **state)
{
    (void)state;
    static const struct write_case cases[] = {
        {"check by a promoted piece", "6rk/5P1p/8/6N1/8/8/8/K7 w - - 0 1", "f7g8q", "fxg8=Q+"},
        {"mate by a promoted piece", "7k/5P2/6K1/8/8/8/8/8 w - - 0 1", "f7f8q", "f8=Q#"},
        {"no check by another", "7k/5P2/6K1/8/8/8/8/8 w - - 0 1", "f7f8b", "f8=B"},
        {"mate", "7k/5K2/8/6Q1/8/8/8/8 w - - 0 1", "g5h6", "Qh6#"},
        {"stalemate has no mark", "7k/8/5KQ1/8/8/8/8/8 w - - 0 1", "f6f7", "Kf7"},
        {"uncovered by a knight", "4k3/8/8/8/8/8/4N3/4RK2 w - - 0 1", "e2c3", "Nc3+"},
        {"uncovered by the king", "4k3/8/8/8/8/8/4K3/4R3 w - - 0 1", "e2d2", "Kd2+"},
        {"capture by the king", "4k3/8/8/8/8/8/4r3/R3K2R w - - 0 1", "e1e2", "Kxe2"},
        {"uncovered by an en passant capture", "3k4/8/8/3pP3/8/8/8/3RK3 w - d6 0 1", "e5d6", "exd6"},
    };
    run(cases, LENGTH(cases));
}

static void the_longest_san_fits(void **state)
{
    (void)state;
    static const struct write_case cases[] = {
        {"both, capture and mark", "7k/8/8/8/8/Q7/1p6/Q1Q4K w - - 0 1", "a1b2", "Qa1xb2+"},
        {"pawn: capture, promotion, mark", "6rk/5P1p/8/6N1/8/8/8/K7 w - - 0 1", "f7g8q", "fxg8=Q+"},
    };
    run(cases, LENGTH(cases));
}

/* The moves of whole trees: each text is read back as its move, strictly and leniently, and no two are the
 * same. */
static unsigned check_texts(const struct position *position, unsigned depth)
{
    struct movelist legal;
    char texts[MOVELIST_MAX][NOTATION_SAN_SIZE];
    unsigned checked = movegen_legal(position, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        struct position after;
        struct reading reading;
        position_play(position, legal.moves[i], &after);
        size_t length = notation_format_san_with(position, legal.moves[i], &after, texts[i]);
        notation_read(position, texts[i], length, NOTATION_SAN, NOTATION_STRICT, PIECE_NONE, &reading);
        assert_int_equal(reading.status, READING_OK);
        assert_int_equal(reading.move, legal.moves[i]);
        for (unsigned j = 0; j < i; j++)
            assert_string_not_equal(texts[i], texts[j]);
        if (depth > 1)
            checked += check_texts(&after, depth - 1);
    }
    return checked;
}

static void every_text_is_unique_and_read_back(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
        "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
        "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
        "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        "960 rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
        "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1", /* 218 moves */
    };
    unsigned checked = 0;
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = case_position(fens[i]);
        checked += check_texts(&position, 2);
    }
    assert_in_range(checked, 4000, UINT32_MAX);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disambiguation_is_file_else_rank_else_both),
        cmocka_unit_test(only_legal_twins_count),
        cmocka_unit_test(pawns_name_their_file_when_they_take),
        cmocka_unit_test(castling_is_written_by_its_side),
        cmocka_unit_test(check_and_mate_are_marked),
        cmocka_unit_test(the_longest_san_fits),
        cmocka_unit_test(every_text_is_unique_and_read_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
