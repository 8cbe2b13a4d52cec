/* The statements of the rule documents that Arbiter started from, continued: the board and the first
 * position, what holds for every square, the diagrams that count moves, and the long counts. See
 * test_seeds.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/notation.h"
#include "tests/rules/given.h"

/* ---- board and first position -----------------------------------------------------------------------------
 */

static void light_and_dark_squares_alternate_and_each_player_has_a_light_square_bottom_right(void **state)
{
    (void)state;
    for (unsigned file = 0; file < 8; file++)
        for (unsigned rank = 0; rank < 8; rank++) {
            bool light = square_is_light(square_at(file, rank));
            assert_true(file == 7 || light != square_is_light(square_at(file + 1, rank)));
            assert_true(rank == 7 || light != square_is_light(square_at(file, rank + 1)));
        }
    assert_true(square_is_light(square_at(FILE_H, RANK_1)));
    assert_true(square_is_light(square_at(FILE_A, RANK_8)));
}

static void files_are_a_to_h_and_ranks_1_to_8_so_that_every_square_has_a_name(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SQUARE_COUNT; s++) {
        const char expected[3] = {(char)('a' + s % 8), (char)('1' + s / 8), 0};
        char name[3];
        fen_format_square((square)s, name);
        assert_string_equal(name, expected);
        assert_int_equal(notation_parse_square(expected, 2), s);
    }
}

static void the_initial_placement_is_right_square_by_square(void **state)
{
    (void)state;
    static const char *const ranks[8] = {"RNBQKBNR", "PPPPPPPP", "........", "........",
                                         "........", "........", "pppppppp", "rnbqkbnr"};
    struct position p = position_initial();
    for (unsigned s = 0; s < SQUARE_COUNT; s++) {
        enum piece_type type = position_piece_at(&p, (square)s);
        char man = '.';
        if (type != PIECE_NONE)
            man = fen_piece_letter(position_color_at(&p, (square)s), type);
        assert_int_equal(man, ranks[s / 8][s % 8]);
    }
}

static void each_side_has_one_king_one_queen_two_rooks_two_bishops_two_knights_and_eight_pawns(void **state)
{
    (void)state;
    static const unsigned numbers[PIECE_COUNT] = {16, 8, 2, 2, 2, 1, 1};
    struct position p = position_initial();
    for (unsigned type = 0; type < PIECE_COUNT; type++)
        for (unsigned color = 0; color < COLOR_COUNT; color++)
            assert_int_equal(bitboard_count(position_pieces(&p, (enum color)color, (enum piece_type)type)),
                             numbers[type]);
}

static void the_queen_goes_on_the_square_of_her_own_color(void **state)
{
    (void)state;
    struct position p = position_initial();
    assert_true(square_is_light(bitboard_first(position_pieces(&p, COLOR_WHITE, PIECE_QUEEN))));
    assert_false(square_is_light(bitboard_first(position_pieces(&p, COLOR_BLACK, PIECE_QUEEN))));
}

static void each_side_has_one_light_squared_and_one_dark_squared_bishop(void **state)
{
    (void)state;
    struct position p = position_initial();
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        assert_int_equal(
            bitboard_count(position_pieces(&p, (enum color)color, PIECE_BISHOP) & BITBOARD_LIGHT), 1);
}

static void white_has_20_moves_at_first(void **state)
{
    (void)state;
    struct position p = position_initial();
    assert_int_equal(movegen_count(&p), 20);
}

static void there_are_400_sequences_after_one_move_by_each_side(void **state)
{
    (void)state;
    struct position p = position_initial();
    assert_int_equal(movegen_perft(&p, 2), 400);
}

static void there_are_8902_sequences_after_white_s_next_move(void **state)
{
    (void)state;
    struct position p = position_initial();
    assert_int_equal(movegen_perft(&p, 3), 8902);
}

static void at_first_only_pawns_and_knights_which_jump_can_move(void **state)
{
    (void)state;
    struct position p = position_initial();
    struct movelist list;
    movegen_legal(&p, &list);
    unsigned numbers[PIECE_COUNT] = {0};
    for (unsigned i = 0; i < list.count; i++)
        numbers[position_piece_at(&p, move_from(list.moves[i]))]++;
    assert_int_equal(numbers[PIECE_PAWN], 16);
    assert_int_equal(numbers[PIECE_KNIGHT], 4);
}

/* ---- pieces ---- */

/* On an otherwise empty board neither square can be reached from the other in one move of any piece. */
static bool are_apart(unsigned a, unsigned b)
{
    unsigned across = a % 8 > b % 8 ? a % 8 - b % 8 : b % 8 - a % 8;
    unsigned up = a / 8 > b / 8 ? a / 8 - b / 8 : b / 8 - a / 8;
    return across > 0 && up > 0 && across != up && across * up != 2;
}

/* A piece, and two kings that are not in its way. */
static struct position lone_piece(enum piece_type type, unsigned from)
{
    struct setup setup = {.turn = COLOR_WHITE, .en_passant = SQUARE_NONE, .fullmove_number = 1};
    unsigned white = 0;
    unsigned black = 0;
    while (!are_apart(white, from))
        white++;
    while (!are_apart(black, from) || !are_apart(black, white))
        black++;
    setup.type[from] = (uint8_t)type;
    setup.type[white] = setup.type[black] = PIECE_KING;
    setup.color[black] = COLOR_BLACK;
    struct position position;
    struct setup_report report;
    assert_true(setup_position(&setup, false, false, &position, &report));
    return position;
}

static bitboard reach(enum piece_type type, unsigned from)
{
    struct position position = lone_piece(type, from);
    struct movelist list;
    bitboard targets = 0;
    movegen_legal(&position, &list);
    for (unsigned i = 0; i < list.count; i++)
        if (move_from(list.moves[i]) == from)
            targets |= bit(move_to(list.moves[i]));
    return targets;
}

static void the_queen_combines_the_movement_of_rook_and_bishop(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SQUARE_COUNT; s++)
        assert_int_equal(reach(PIECE_QUEEN, s), reach(PIECE_ROOK, s) | reach(PIECE_BISHOP, s));
}

static void a_bishop_always_stays_on_squares_of_its_initial_color(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SQUARE_COUNT; s++) {
        bitboard other = square_is_light((square)s) ? ~BITBOARD_LIGHT : BITBOARD_LIGHT;
        assert_int_equal(reach(PIECE_BISHOP, s) & other, 0);
    }
}

static void a_knight_s_jump_always_ends_on_a_square_of_the_other_color(void **state)
{
    (void)state;
    for (unsigned s = 0; s < SQUARE_COUNT; s++) {
        bitboard own = square_is_light((square)s) ? BITBOARD_LIGHT : ~BITBOARD_LIGHT;
        assert_int_equal(reach(PIECE_KNIGHT, s) & own, 0);
    }
}

static void the_king_is_never_captured_so_a_position_where_it_could_be_is_refused(void **state)
{
    (void)state;
    static const char *const fens[] = {"4k3/8/8/8/8/8/8/4RK2 w - - 0 1", "4K3/8/8/8/8/8/8/4rk2 b - - 0 1",
                                       "8/8/8/3kK3/8/8/8/8 w - - 0 1"};
    for (unsigned i = 0; i < 3; i++) {
        struct position p;
        struct setup_report report;
        assert_false(fen_parse(fens[i], strlen(fens[i]), false, &p, &report));
        assert_int_equal(report.faults[0].code, SETUP_SIDE_NOT_TO_MOVE_IN_CHECK);
    }
}

/* ---- diagrams and long counts ---- */

static void of_the_43_legal_moves_qxf7_is_the_only_one_that_gives_checkmate(void **state)
{
    (void)state;
    struct position p = given_position("r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4");
    struct movelist list;
    unsigned mates = 0;
    assert_int_equal(movegen_legal(&p, &list), 43);
    for (unsigned i = 0; i < list.count; i++) {
        struct position after;
        position_play(&p, list.moves[i], &after);
        mates += position_is_check(&after) && !movegen_any(&after);
    }
    assert_int_equal(mates, 1);
}

static void the_allowed_promotions_are_f8_n_check_f8_b_f8_r_and_f8_q(void **state)
{
    (void)state;
    static const char *const rows[][2] = {
        {"f7f8n", "f8=N+"}, {"f7f8b", "f8=B"}, {"f7f8r", "f8=R"}, {"f7f8q", "f8=Q"}};
    struct position p = given_position("8/5P1k/5K2/8/8/8/8/8 w - - 0 1");
    struct movelist list;
    unsigned promotions = 0;
    movegen_legal(&p, &list);
    for (unsigned i = 0; i < list.count; i++)
        promotions += move_promotion(list.moves[i]) != PIECE_NONE;
    assert_int_equal(promotions, 4);
    for (unsigned i = 0; i < 4; i++) {
        char san[NOTATION_SAN_SIZE];
        notation_format_san(&p, given_move(&p, rows[i][0]), san);
        assert_string_equal(san, rows[i][1]);
    }
}

/* A legal move that is neither a pawn's nor a capture, to a position seen as rarely as can be. */
static move quiet_move(const struct given_game *game)
{
    struct key_history history = given_game_history(game);
    struct movelist list;
    move best = MOVE_NONE;
    unsigned fewest = ENDING_THREEFOLD - 1;
    movegen_legal(&game->position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        struct position after;
        position_play(&game->position, list.moves[i], &after);
        unsigned seen = key_history_count(&history, after.key);
        if (after.halfmove_clock == 0 || seen >= fewest)
            continue;
        best = list.moves[i];
        fewest = seen;
    }
    return best;
}

static void fifty_moves_by_each_side_may_be_claimed_and_seventy_five_end_the_game(void **state)
{
    (void)state;
    struct position start = given_position("4k2r/4p3/8/8/8/8/4P3/R3K3 w - - 0 1");
    struct given_game game;
    given_game_start(&game, &start);
    for (unsigned plies = 1; plies <= 150; plies++) {
        char uci[NOTATION_UCI_SIZE];
        notation_format_uci(&game.position, quiet_move(&game), uci);
        assert_true(given_game_play(&game, uci));
        struct key_history history = given_game_history(&game);
        assert_int_equal(claim_now(&game.position, &history) >> CLAIM_FIFTY & 1u, plies >= 100);
        assert_int_equal(given_game_endings(&game).first, plies == 150 ? ENDING_SEVENTYFIVE : ENDING_NONE);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(light_and_dark_squares_alternate_and_each_player_has_a_light_square_bottom_right),
        cmocka_unit_test(files_are_a_to_h_and_ranks_1_to_8_so_that_every_square_has_a_name),
        cmocka_unit_test(the_initial_placement_is_right_square_by_square),
        cmocka_unit_test(each_side_has_one_king_one_queen_two_rooks_two_bishops_two_knights_and_eight_pawns),
        cmocka_unit_test(the_queen_goes_on_the_square_of_her_own_color),
        cmocka_unit_test(each_side_has_one_light_squared_and_one_dark_squared_bishop),
        cmocka_unit_test(white_has_20_moves_at_first),
        cmocka_unit_test(there_are_400_sequences_after_one_move_by_each_side),
        cmocka_unit_test(there_are_8902_sequences_after_white_s_next_move),
        cmocka_unit_test(at_first_only_pawns_and_knights_which_jump_can_move),
        cmocka_unit_test(the_queen_combines_the_movement_of_rook_and_bishop),
        cmocka_unit_test(a_bishop_always_stays_on_squares_of_its_initial_color),
        cmocka_unit_test(a_knight_s_jump_always_ends_on_a_square_of_the_other_color),
        cmocka_unit_test(the_king_is_never_captured_so_a_position_where_it_could_be_is_refused),
        cmocka_unit_test(of_the_43_legal_moves_qxf7_is_the_only_one_that_gives_checkmate),
        cmocka_unit_test(the_allowed_promotions_are_f8_n_check_f8_b_f8_r_and_f8_q),
        cmocka_unit_test(fifty_moves_by_each_side_may_be_claimed_and_seventy_five_end_the_game),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
