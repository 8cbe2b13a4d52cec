/* rules/winnable: FIDE 5.1.2, 5.2.2, 6.9. A wrong answer here takes a game away, so every YES is replayed and
 * every NO of random positions is held against a plain closure that knows no shortcuts. */
#include "rules/winnable.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/attacks.h"
#include "rules/fen.h"
#include "rules/movegen.h"
#include "tests/rules/case_text.h"
#include "tests/rules/given.h"
#include "tests/rules/random_games.h"
#include "tests/rules/winnable_oracle.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static uint64_t memory[WINNABLE_SCRATCH_DEFAULT / sizeof(uint64_t)];
static const struct winnable_scratch scratch = {memory, sizeof memory};
static struct winnable_result result;

static const char *answer(const struct position *position, enum color winner)
{
    winnable_decide(position, winner, WINNABLE_NODES_DEFAULT, &scratch, &result);
    if (result.verdict == WINNABLE_YES && !oracle_line_mates(position, winner, &result))
        return "yes, with a line that does not mate";
    return winnable_verdict_name(result.verdict);
}

struct winnable_case {
    const char *label, *fen, *white, *black;
};

static void run(const struct winnable_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct position position = case_position(cases[i].fen);
        failed += !case_is(&position, cases[i].white, answer(&position, COLOR_WHITE), cases[i].label);
        failed += !case_is(&position, cases[i].black, answer(&position, COLOR_BLACK), cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* ---- verdicts -------------------------------------------------------------------------------------------- */

static void a_finished_game_is_won_by_who_mated(void **state)
{
    (void)state;
    static const struct winnable_case cases[] = {
        {"fool's mate", "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "no", "yes"},
        {"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "no", "no"},
        {"smothered", "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", "yes", "no"},
    };
    run(cases, LENGTH(cases));
}

static void material_can_mate_or_not(void **state)
{
    (void)state;
    static const struct winnable_case cases[] = {
        {"kings alone", "8/8/8/4k3/8/8/8/4K3 w - - 0 1", "no", "no"},
        {"a knight against a bare king", "8/8/8/4k3/8/8/8/4KN2 w - - 0 1", "no", "no"},
        {"a queen against a bare king", "8/8/8/4k3/8/8/8/4KQ2 b - - 0 1", "yes", "no"},
        {"a knight against queens", "8/8/8/4k3/3qq3/8/8/4KN2 w - - 0 1", "no", "yes"},
        {"a knight against a rook", "8/8/8/4kr2/8/8/8/4KN2 w - - 0 1", "yes", "yes"},
        {"a knight each", "8/8/8/4kn2/8/8/8/4KN2 w - - 0 1", "yes", "yes"},
        {"bishops of one colour", "8/8/8/4kb2/8/8/8/4KB2 w - - 0 1", "no", "no"},
        {"bishops of both colours", "8/8/8/4k1b1/8/8/8/4KB2 w - - 0 1", "yes", "yes"},
        {"a bishop against a rook", "8/8/8/4kr2/8/8/8/4KB2 w - - 0 1", "no", "yes"},
        {"a bishop against a knight", "8/8/8/4kn2/8/8/8/4KB2 w - - 0 1", "yes", "yes"},
        {"a bishop against a pawn", "8/4p3/8/4k3/8/8/8/4KB2 w - - 0 1", "yes", "yes"},
        {"two knights", "8/8/8/4k3/8/8/8/3NKN2 w - - 0 1", "yes", "no"},
        {"a pawn", "8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "yes", "no"},
        {"everything", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "yes", "yes"},
    };
    run(cases, LENGTH(cases));
}

static void forced_moves_can_take_the_last_mate_away(void **state)
{
    (void)state;
    static const struct winnable_case cases[] = {
        {"the rook must be taken", "r7/K1k5/8/8/8/8/8/8 w - - 0 1", "no", "no"},
        {"the rook is out of reach", "8/2r5/2k5/8/8/8/8/K7 w - - 0 1", "no", "yes"},
    };
    run(cases, LENGTH(cases));
}

static void a_wall_of_pawns_may_shut_everything_out(void **state)
{
    (void)state;
    static const struct winnable_case cases[] = {
        {"a full wall", "8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1", "no", "no"},
        {"a full wall with bishops that see only their own pawns",
         "8/2kb4/p1p1p1p1/PpPpPpPp/1P1P1P1P/4B3/2K5/8 w - - 0 1", "no", "no"},
        {"a full wall with a bishop that breaks it", "8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/3B4/2K5/8 w - - 0 1",
         "yes", "yes"},
        {"a gap in the wall", "8/2k5/p1p1p1p1/P1PpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1", "yes", "yes"},
    };
    run(cases, LENGTH(cases));
}

/* ---- names ----------------------------------------------------------------------------------------------- */

static void verdicts_and_methods_are_read_back_from_their_names(void **state)
{
    (void)state;
    enum winnable_verdict verdict = WINNABLE_UNDETERMINED;
    enum winnable_method method = WINNABLE_NONE;
    for (unsigned v = 0; v < WINNABLE_VERDICT_COUNT; v++) {
        assert_true(winnable_verdict_parse(winnable_verdict_name((enum winnable_verdict)v), &verdict));
        assert_int_equal(verdict, v);
    }
    for (unsigned m = 0; m < WINNABLE_METHOD_COUNT; m++) {
        assert_true(winnable_method_parse(winnable_method_name((enum winnable_method)m), &method));
        assert_int_equal(method, m);
    }
    assert_string_equal(winnable_verdict_name(WINNABLE_UNDETERMINED), "undetermined");
    assert_string_equal(winnable_method_name(WINNABLE_STRUCTURE), "structure");
    assert_false(winnable_verdict_parse("maybe", &verdict));
    assert_false(winnable_method_parse("", &method));
    assert_false(winnable_method_parse(NULL, &method));
    assert_int_equal(method, WINNABLE_SEARCH);
}

/* ---- the limits of the answer ---------------------------------------------------------------------------- */

static void without_memory_only_what_is_seen_at_once_is_answered(void **state)
{
    (void)state;
    const struct winnable_scratch none = {NULL, 0};
    struct position start = position_initial(), bare = given_position("8/8/8/4k3/8/8/8/4K3 w - - 0 1");
    winnable_decide(&start, COLOR_WHITE, WINNABLE_NODES_DEFAULT, &none, &result);
    assert_int_equal(result.verdict, WINNABLE_UNDETERMINED);
    assert_int_equal(result.method, WINNABLE_NONE);
    winnable_decide(&bare, COLOR_WHITE, WINNABLE_NODES_DEFAULT, &none, &result);
    assert_int_equal(result.verdict, WINNABLE_NO);
    assert_int_equal(result.method, WINNABLE_MATERIAL);
}

static void no_budget_gives_no_wrong_answer(void **state)
{
    (void)state;
    struct position start = position_initial();
    for (uint32_t nodes = 0; nodes < 40; nodes++) {
        winnable_decide(&start, COLOR_BLACK, nodes, &scratch, &result);
        assert_int_not_equal(result.verdict, WINNABLE_NO);
    }
}

static void little_memory_gives_no_wrong_answer(void **state)
{
    (void)state;
    static const char *const fens[] = {"8/8/8/4kn2/8/8/8/4KN2 w - - 0 1",
                                       "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"};
    for (size_t i = 0; i < LENGTH(fens); i++) {
        struct position position = given_position(fens[i]);
        for (size_t bytes = WINNABLE_SCRATCH_MIN; bytes <= sizeof memory / 4; bytes += bytes / 3 * 2 + 8) {
            const struct winnable_scratch part = {memory, bytes};
            winnable_decide(&position, COLOR_WHITE, WINNABLE_NODES_DEFAULT, &part, &result);
            assert_int_not_equal(result.verdict, WINNABLE_NO);
            assert_true(result.verdict == WINNABLE_UNDETERMINED ||
                        oracle_line_mates(&position, COLOR_WHITE, &result));
        }
    }
}

/* ---- after each move (5.2.2) ----------------------------------------------------------------------------- */

struct dead_case {
    const char *label, *fen;
    bool dead;
};

static void dead_positions_are_seen_after_a_move(void **state)
{
    (void)state;
    static const struct dead_case cases[] = {
        {"kings alone", "8/8/8/4k3/8/8/8/4K3 w - - 0 1", true},
        {"a forced capture leaves kings alone", "r7/K1k5/8/8/8/8/8/8 w - - 0 1", true},
        {"a full wall", "8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1", true},
        {"the first position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false},
        {"one side can still mate", "8/8/8/4k3/8/8/8/4KQ2 b - - 0 1", false},
        {"stalemate is an end of its own", "7k/5K2/6B1/8/8/8/8/8 b - - 0 1", false},
        {"mate on the board", "6rk/5Npp/8/8/8/8/8/K7 b - - 0 1", false},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct position position = case_position(cases[i].fen);
        bool dead = winnable_is_dead(&position, &scratch);
        failed +=
            !case_is(&position, cases[i].dead ? "dead" : "alive", dead ? "dead" : "alive", cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* ---- the material rules, by trying everything ------------------------------------------------------------- */

static bool takes(bitboard from, bitboard blocked, square target)
{
    while (from)
        if (bitboard_has(attacks_queen(bitboard_pop(&from), blocked), target))
            return true;
    return false;
}

/* With queens on every square beside the king that king and knight leave open, one of them takes the knight.
 * Further queens only add captures or stand between others; those in the pattern stand next to their king. */
static void a_knight_never_mates_among_queens(void **state)
{
    (void)state;
    for (square victim = 0; victim < SQUARE_COUNT; victim++) {
        for (square king = 0; king < SQUARE_COUNT; king++) {
            if (king == victim || bitboard_has(attacks_king(king), victim))
                continue;
            for (bitboard knights = attacks_knight(victim) & ~bit(king); knights;) {
                square knight = bitboard_pop(&knights);
                bitboard open =
                    attacks_king(victim) & ~attacks_king(king) & ~attacks_knight(knight) & ~bit(king);
                bitboard men = open | bit(victim) | bit(king) | bit(knight);
                if (!open)
                    fail_msg("a knight mates alone");
                bool safe = takes(open, men, knight);
                assert_true(safe);
            }
        }
    }
}

/* ---- random positions against a plain closure ------------------------------------------------------------- */

enum { CLOSURE_MAX = 3000 };

static void strew(struct random_source *source, char board[SQUARE_COUNT], const char *letters, unsigned count)
{
    while (count > 0) {
        unsigned s = random_below(source, SQUARE_COUNT);
        char letter = letters[random_below(source, (unsigned)strlen(letters))];
        if (board[s] || ((letter | 32) == 'p' && (s < 8 || s >= 56)))
            continue;
        board[s] = letter;
        count--;
    }
}

/* A broken wall of pawns face to face, some pieces, two kings. False where that cannot be played. */
static bool random_wall(struct random_source *source, struct position *position)
{
    struct setup setup = {
        .turn = (uint8_t)random_below(source, 2), .en_passant = SQUARE_NONE, .fullmove_number = 1};
    struct setup_report report = {0};
    char board[SQUARE_COUNT] = {0};
    for (unsigned file = 0, rank = 3; file < 8; file++) {
        rank = rank == 1 || (rank < 5 && random_below(source, 2)) ? rank + 1 : rank - 1;
        if (random_below(source, 12) != 0)
            board[rank * 8 + file] = 'P', board[rank * 8 + 8 + file] = 'p';
    }
    strew(source, board, "K", 1);
    strew(source, board, "k", 1);
    strew(source, board, "BbBbBbNnRrPp", random_below(source, 3));
    static const char letters[] = ".pnbrqk";
    for (unsigned s = 0; s < SQUARE_COUNT; s++) {
        const char *letter = board[s] ? strchr(letters, board[s] | 32) : letters;
        setup.type[s] = (uint8_t)(letter - letters);
        setup.color[s] = (board[s] & 32) ? COLOR_BLACK : COLOR_WHITE;
    }
    return setup_position(&setup, false, false, position, &report);
}

static void no_closure_finds_a_mate_after_a_no(void **state)
{
    (void)state;
    struct random_source source = {random_games_settings().seed};
    unsigned forbidden[WINNABLE_METHOD_COUNT] = {0};
    const unsigned positions = random_games_settings().positions / 60 + 100;
    for (unsigned n = 0; n < positions;) {
        struct position position;
        if (!random_wall(&source, &position))
            continue;
        n++;
        struct oracle_closure closure = {.whole = false};
        for (unsigned color = 0; color < COLOR_COUNT; color++) {
            winnable_decide(&position, (enum color)color, 300, &scratch, &result);
            forbidden[result.method] += result.verdict == WINNABLE_NO;
            if (result.verdict == WINNABLE_NO && closure.count == 0)
                closure = oracle_close(&position, CLOSURE_MAX);
            assert_true(oracle_agrees(&position, (enum color)color, &result, &closure));
        }
    }
    assert_true(forbidden[WINNABLE_STRUCTURE] > positions / 15);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_finished_game_is_won_by_who_mated),
        cmocka_unit_test(material_can_mate_or_not),
        cmocka_unit_test(forced_moves_can_take_the_last_mate_away),
        cmocka_unit_test(a_wall_of_pawns_may_shut_everything_out),
        cmocka_unit_test(verdicts_and_methods_are_read_back_from_their_names),
        cmocka_unit_test(without_memory_only_what_is_seen_at_once_is_answered),
        cmocka_unit_test(no_budget_gives_no_wrong_answer),
        cmocka_unit_test(little_memory_gives_no_wrong_answer),
        cmocka_unit_test(dead_positions_are_seen_after_a_move),
        cmocka_unit_test(a_knight_never_mates_among_queens),
        cmocka_unit_test(no_closure_finds_a_mate_after_a_no),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
