/* rules/chess960: FIDE Guidelines II; the numbers are those of R. Scharnagl's published table. */
#include "rules/chess960.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/key.h"
#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void the_published_numbers_give_their_positions(void **state)
{
    (void)state;
    static const struct {
        unsigned number;
        const char *rank;
    } table[] = {
        {0, "BBQNNRKR"}, {1, "BQNBNRKR"},   {2, "BQNNRBKR"},   {3, "BQNNRKRB"},
        {4, "QBBNNRKR"}, {518, "RNBQKBNR"}, {534, "RNBKQBNR"}, {959, "RKRNNQBB"},
    };
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = chess960_position(table[i].number);
        char fen[FEN_SIZE];
        char label[16];
        fen_format(&position, FEN_EN_PASSANT_LEGAL, fen);
        (void)snprintf(label, sizeof label, "number %u", table[i].number);
        fen[35 + strlen(table[i].rank)] = '\0'; /* the last rank begins at byte 35 in each of them */
        assert_true(case_is(&position, table[i].rank, fen + 35, label));
    }
}

static void number_518_is_the_usual_position_with_other_castling_words(void **state)
{
    (void)state;
    struct position usual = position_initial();
    struct position position = chess960_position(CHESS960_STANDARD);
    assert_true(position_same(&position, &usual));
    assert_int_equal(position.key, usual.key);
    assert_true(position.chess960);
    assert_int_equal(chess960_number(&usual), CHESS960_STANDARD);
}

static void all_960_positions_keep_the_rules_and_their_numbers(void **state)
{
    (void)state;
    uint64_t keys[CHESS960_COUNT];
    for (unsigned n = 0; n < CHESS960_COUNT; n++) {
        struct position p = chess960_position(n);
        bitboard bishops = position_pieces(&p, COLOR_WHITE, PIECE_BISHOP);
        bitboard rooks = position_pieces(&p, COLOR_WHITE, PIECE_ROOK);
        bitboard king = position_pieces(&p, COLOR_WHITE, PIECE_KING);
        assert_int_equal(bitboard_count(bishops & BITBOARD_LIGHT), 1);
        assert_int_equal(bitboard_count(bishops & ~BITBOARD_LIGHT), 1);
        assert_int_equal(bitboard_count(rooks & (king - 1)), 1);
        assert_int_equal(bitboard_count(rooks & ~(king - 1)), 1);
        for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++) /* Black mirrors White */
            assert_int_equal(position_pieces(&p, COLOR_BLACK, (enum piece_type)type),
                             __builtin_bswap64(position_pieces(&p, COLOR_WHITE, (enum piece_type)type)));
        assert_int_equal(p.castling_rooks, p.by_type[PIECE_ROOK]);
        assert_int_equal(p.key, key_compute(&p));
        assert_int_equal(chess960_number(&p), n);
        keys[n] = p.key;
        for (unsigned m = 0; m < n; m++)
            assert_true(keys[m] != keys[n]);
    }
}

static void other_positions_have_no_number(void **state)
{
    (void)state;
    static const char *const fens[] = {
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", /* Black to move */
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQk - 0 1",  /* a right is gone */
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 4 3", /* knights went out and came back */
        "rnbqkbnr/pppp1ppp/4p3/8/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2",
        "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQ - 0 1", /* Black does not mirror White */
        "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
        "4k3/8/8/8/8/8/8/B1B1K3 w - - 0 1", /* two bishops, both on dark squares */
    };
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = case_position(fens[i]);
        assert_int_equal(chess960_number(&position), -1);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_published_numbers_give_their_positions),
        cmocka_unit_test(number_518_is_the_usual_position_with_other_castling_words),
        cmocka_unit_test(all_960_positions_keep_the_rules_and_their_numbers),
        cmocka_unit_test(other_positions_have_no_number),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
