/* rules/winnable: each answer held against plain means (winnable_oracle.h). The verdicts of the table are those of
 * the closure of positions where that is whole, and else of chess. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/case_text.h"
#include "tests/rules/random_games.h"
#include "tests/rules/winnable_oracle.h"

static const struct proof {
    const char *label, *fen, *white, *black;
} proofs[] = {
    /* a finished game (5.1.1, 5.2.1) */
    {"a back rank mate", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", "yes", "no"},
    {"mate by a rook", "k1K5/8/8/8/8/8/8/R7 b - - 0 1", "yes", "no"},
    {"mate by one queen of eight", "qqqqqqqq/8/8/8/8/8/8/K1k4N w - - 0 1", "no", "yes"},
    {"stalemate", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", "no", "no"},
    {"stalemate by a pawn", "5k2/5P2/5K2/8/8/8/8/8 b - - 0 1", "no", "no"},
    {"stalemate behind one's own pawn", "K1k5/P7/8/8/8/8/8/1r6 w - - 0 1", "no", "no"},
    {"stalemate behind pawns", "7k/6pP/6P1/8/8/8/8/K7 b - - 0 1", "no", "no"},
    /* material */
    {"bishops of one colour", "8/8/8/2kb4/8/5B2/3K4/8 w - - 0 1", "no", "no"},
    {"a bishop against a queen", "8/8/8/2kq4/8/5B2/3K4/8 w - - 0 1", "no", "yes"},
    {"a bishop against a rook", "8/8/8/2kr4/8/5B2/3K4/8 w - - 0 1", "no", "yes"},
    {"a knight against a queen", "8/8/8/2kq4/8/5N2/3K4/8 w - - 0 1", "no", "yes"},
    {"two bishops against a king", "8/8/8/2kbb3/8/8/3K4/8 w - - 0 1", "no", "yes"},
    {"two knights against a king", "8/8/8/2k5/8/4NN2/3K4/8 w - - 0 1", "yes", "no"},
    {"a rook that may castle", "r3k3/8/8/8/8/8/8/4K3 w q - 0 1", "no", "yes"},
    /* enough, if the other side helps */
    {"a bishop against a knight", "8/8/8/2kn4/8/5B2/3K4/8 w - - 0 1", "yes", "yes"},
    {"a knight against a rook", "8/8/8/2kr4/8/5N2/3K4/8 w - - 0 1", "yes", "yes"},
    {"a knight against queen and knight", "8/8/8/2kqn3/8/5N2/3K4/8 w - - 0 1", "yes", "yes"},
    {"a bishop against a pawn", "8/8/8/2kp4/8/5B2/3K4/8 w - - 0 1", "yes", "yes"},
    {"a knight against a pawn", "8/8/8/2kp4/8/5N2/3K4/8 w - - 0 1", "yes", "yes"},
    {"a rook", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "yes", "no"},
    {"rook's pawns face to face", "8/8/8/8/8/5k1p/7P/7K w - - 0 1", "yes", "yes"},
    /* walls */
    {"four pairs of pawns with gaps", "8/1k6/8/p1p1p1p1/P1P1P1P1/8/5K2/8 w - - 0 1", "no", "no"},
    {"four pairs further up", "8/1k6/1p1p1p1p/1P1P1P1P/8/8/6K1/8 b - - 0 1", "no", "no"},
    {"three pairs", "8/8/2k5/1p1p2p1/1P1P2P1/8/4K3/8 w - - 0 1", "no", "no"},
    {"three pairs further up", "3k4/8/1p2p2p/1P2P2P/8/8/3K4/8 b - - 0 1", "no", "no"},
    {"a wall with a step", "8/2k5/3p4/p1pPp1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "no", "no"},
    {"a wall of slopes", "8/8/1k1p1p2/1p1P1Pp1/pP4P1/P7/4K3/8 w - - 0 1", "no", "no"},
    {"a wall of seven", "1k6/8/2p1p1p1/1pPpPpPp/1P1P1P1P/8/8/5K2 w - - 0 1", "no", "no"},
    {"a wall and two bishops that see only their own pawns",
     "1k6/5b2/2p1p1p1/1pPpPpPp/1P1P1P1P/2B5/8/5K2 b - - 0 1", "no", "no"},
    {"a bishop that breaks the wall", "8/2kb4/3p4/p1pPp1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "yes", "yes"},
    {"a knight that jumps over it", "8/2kn4/3p4/p1pPp1p1/P1P1P1P1/8/4K3/8 w - - 0 1", "yes", "yes"},
    {"bishops that can take pawns of the wall", "1kb5/8/2p1p1p1/1pPpPpPp/1P1P1P1P/8/8/3B1K2 b - - 0 1", "yes",
     "yes"},
    {"rooks that can take pawns of the wall", "1k6/5r2/2p1p1p1/1pPpPpPp/1P1P1P1P/8/2R5/5K2 b - - 0 1", "yes",
     "yes"},
    /* forced moves */
    {"stalemate to come", "kb6/p1p5/P1P5/8/8/8/8/7K w - - 0 1", "no", "no"},
    {"stalemate to come, at the other end", "6bk/5p1p/5P1P/8/8/8/8/4K3 w - - 0 1", "no", "no"},
    {"the rook must be taken", "r7/K1k5/8/8/8/8/8/8 w - - 0 1", "no", "no"},
    {"the queen must be taken", "kQ6/8/1K6/8/8/8/8/8 b - - 0 1", "no", "no"},
    {"the pawn must be taken, or it is stalemate", "8/8/8/8/8/5k2/7p/7K w - - 0 1", "no", "no"},
    {"the rook need not be taken", "kR6/2K5/8/8/8/8/8/8 b - - 0 1", "yes", "no"},
    {"the rook need not be lost", "7K/5k1P/6R1/8/8/8/8/8 w - - 0 1", "yes", "no"},
    {"en passant opens the game", "8/8/8/8/1kpP4/1p6/1P6/1K6 b - d3 0 1", "yes", "yes"},
    {"a pawn about to promote", "6k1/5P2/6K1/8/8/8/8/8 b - - 0 1", "yes", "no"},
    {"a pawn held up", "5k2/5P2/4K3/8/8/8/8/8 b - - 0 1", "yes", "no"},
    {"a knight that may be taken", "8/8/8/8/8/2kp4/3N4/K7 w - - 0 1", "yes", "yes"},
    /* shut in */
    {"a bishop breaks in", "kb6/p1p5/PpP5/1P6/8/8/8/6BK w - - 0 1", "yes", "yes"},
    {"a king among its own men", "nrb5/kp6/1p6/1P6/8/8/8/K6B w - - 0 1", "yes", "yes"},
    {"a king and a bishop in a corner", "b7/kp6/1p6/1P6/8/8/8/K7 w - - 0 1", "yes", "yes"},
    {"the loser has to free itself", "2b5/1p6/kPp5/p1P5/P7/8/8/K7 w - - 0 1", "yes", "yes"},
};

enum { PROOFS = sizeof proofs / sizeof *proofs };

/* Most of the closures below end before. */
enum { CLOSURE_MIN = 10000 };

static uint64_t memory[WINNABLE_SCRATCH_DEFAULT / sizeof(uint64_t)];
static const struct winnable_scratch scratch = {memory, sizeof memory};

static struct {
    unsigned methods[WINNABLE_VERDICT_COUNT][WINNABLE_METHOD_COUNT];
    unsigned open;   /* undetermined with a small budget */
    unsigned closed; /* NO, and every position that may come was looked at */
} tally;

static unsigned failures(const struct proof *proof, const struct position *position, enum color winner,
                         const struct oracle_closure *closure)
{
    static struct winnable_result result;
    winnable_decide(position, winner, WINNABLE_NODES_DEFAULT, &scratch, &result);
    tally.methods[result.verdict][result.method]++;
    tally.closed += result.verdict == WINNABLE_NO && closure->whole;
    const char *expected = winner == COLOR_WHITE ? proof->white : proof->black;
    return !case_is(position, expected, winnable_verdict_name(result.verdict), proof->label) +
           !oracle_agrees(position, winner, &result, closure);
}

static bool has_no(const struct proof *proof)
{
    return strcmp(proof->white, "no") == 0 || strcmp(proof->black, "no") == 0;
}

static void yes_is_a_line_of_legal_moves_and_no_is_no_mate_anywhere(void **state)
{
    (void)state;
    unsigned failed = 0, positions = random_games_settings().positions;
    unsigned limit = positions > CLOSURE_MIN ? positions : CLOSURE_MIN;
    for (unsigned i = 0; i < PROOFS; i++) {
        struct position position = case_position(proofs[i].fen);
        struct oracle_closure closure = {.whole = false};
        if (has_no(&proofs[i]))
            closure = oracle_close(&position, limit);
        failed += failures(&proofs[i], &position, COLOR_WHITE, &closure);
        failed += failures(&proofs[i], &position, COLOR_BLACK, &closure);
    }
    assert_int_equal(failed, 0);
}

static void every_method_has_had_its_cases(void **state)
{
    (void)state;
    assert_true(tally.methods[WINNABLE_YES][WINNABLE_TERMINAL] >= 3);
    assert_true(tally.methods[WINNABLE_YES][WINNABLE_SEARCH] >= 30);
    assert_true(tally.methods[WINNABLE_NO][WINNABLE_TERMINAL] >= 8);
    assert_true(tally.methods[WINNABLE_NO][WINNABLE_MATERIAL] >= 10);
    assert_true(tally.methods[WINNABLE_NO][WINNABLE_STRUCTURE] >= 14);
    assert_true(tally.methods[WINNABLE_NO][WINNABLE_SEARCH] >= 6);
    assert_true(tally.closed >= 30);
}

static bool holds_or_is_open(const struct proof *proof, const struct position *position, enum color winner)
{
    static struct winnable_result result;
    const struct winnable_scratch small = {memory, WINNABLE_SCRATCH_SMALL};
    winnable_decide(position, winner, WINNABLE_NODES_SMALL, &small, &result);
    tally.open += result.verdict == WINNABLE_UNDETERMINED;
    const char *expected = winner == COLOR_WHITE ? proof->white : proof->black;
    return result.verdict == WINNABLE_UNDETERMINED ||
           case_is(position, expected, winnable_verdict_name(result.verdict), proof->label);
}

static void a_small_budget_decides_most_and_nothing_wrong(void **state)
{
    (void)state;
    unsigned failed = 0;
    for (unsigned i = 0; i < PROOFS; i++) {
        struct position position = case_position(proofs[i].fen);
        failed += !holds_or_is_open(&proofs[i], &position, COLOR_WHITE);
        failed += !holds_or_is_open(&proofs[i], &position, COLOR_BLACK);
    }
    assert_int_equal(failed, 0);
    assert_true(tally.open <= PROOFS / 2); /* a quarter of the sides */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(yes_is_a_line_of_legal_moves_and_no_is_no_mate_anywhere),
        cmocka_unit_test(every_method_has_had_its_cases),
        cmocka_unit_test(a_small_budget_decides_most_and_nothing_wrong),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
