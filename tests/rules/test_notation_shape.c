/* rules/notation_shape: what has the form of a move (FIDE appendix C, PGN 8.2.3, UCI) and what it says. */
#include "rules/notation_shape.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static bool has_shape(const char *text)
{
    struct notation_shape shape;
    size_t offset;
    return notation_shape_read(text, strlen(text), &shape, &offset);
}

static void the_shape_of_a_move_is_known_without_a_position(void **state)
{
    (void)state;
    static const char *const moves[] = {"e4",    "O-O", "0-0-0",     "e8=Q+",   "Qh5#", "e2e4",
                                        "e7e8q", "nf3", "exd6 e.p.", "a8=K",    "Nf3!", "--",
                                        "0000",  "ed",  "e4(=)",     "\u2658f3"};
    static const char *const others[] = {"",      "move=e4", "{}",       "rnbqkbnr/8", "resign",
                                         "e4 e5", "1. e4",   "draw=yes", "null",       "e9",
                                         "Nf3=",  "white",   "-",        "=Q"};
    for (size_t i = 0; i < LENGTH(moves); i++)
        if (!has_shape(moves[i]))
            fail_msg("no move: %s", moves[i]);
    for (size_t i = 0; i < LENGTH(others); i++)
        if (has_shape(others[i]))
            fail_msg("a move: %s", others[i]);
}

static struct notation_shape shape_of(const char *text)
{
    struct notation_shape shape;
    size_t offset;
    if (!notation_shape_read(text, strlen(text), &shape, &offset))
        fail_msg("no move: %s", text);
    return shape;
}

static void a_shape_holds_only_what_was_written(void **state)
{
    (void)state;
    struct notation_shape knight = shape_of("Nbd2");
    assert_int_equal(knight.attempt.piece, PIECE_KNIGHT);
    assert_int_equal(knight.attempt.from, SQUARE_NONE);
    assert_int_equal(knight.attempt.from_file, FILE_B);
    assert_int_equal(knight.attempt.from_rank, ATTEMPT_NOT_SAID);
    assert_int_equal(knight.attempt.to, square_at(FILE_D, RANK_2));
    assert_int_equal(knight.attempt.promotion, PIECE_NONE);
    assert_false(knight.coordinates);
    assert_false(knight.draw_offer);
}

static void two_squares_alone_are_coordinates_of_any_piece(void **state)
{
    (void)state;
    struct notation_shape shape = shape_of("e7e8q");
    assert_true(shape.coordinates);
    assert_int_equal(shape.attempt.piece, PIECE_NONE);
    assert_int_equal(shape.attempt.promotion, PIECE_QUEEN);
    assert_false(shape_of("Pe7e8q").coordinates);
}

static void a_pawn_capture_may_name_files_alone(void **state)
{
    (void)state;
    struct notation_shape shape = shape_of("exd");
    assert_int_equal(shape.attempt.piece, PIECE_PAWN);
    assert_int_equal(shape.attempt.from_file, FILE_E);
    assert_int_equal(shape.to_file, FILE_D);
    assert_int_equal(shape.attempt.to, SQUARE_NONE);
    assert_int_equal(shape_of("e4").to_file, NOTATION_SHAPE_NO_FILE);
}

static void castling_passing_and_offers_are_told_apart(void **state)
{
    (void)state;
    assert_true(shape_of("0-0-0").attempt.castling);
    assert_int_equal(shape_of("0-0-0").attempt.side, CASTLING_QUEENSIDE);
    assert_int_equal(shape_of("O-O").attempt.side, CASTLING_KINGSIDE);
    assert_true(shape_of("--").attempt.null_move);
    assert_true(shape_of("O-O (=)").draw_offer);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_shape_of_a_move_is_known_without_a_position),
        cmocka_unit_test(a_shape_holds_only_what_was_written),
        cmocka_unit_test(two_squares_alone_are_coordinates_of_any_piece),
        cmocka_unit_test(a_pawn_capture_may_name_files_alone),
        cmocka_unit_test(castling_passing_and_offers_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
