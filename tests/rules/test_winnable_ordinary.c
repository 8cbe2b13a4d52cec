/* rules/winnable: positions as players have them. The small budget decides them, and the mate it shows is one
 * that a reader follows. The expected verdicts are from the Laws: both sides have men enough, and nothing is
 * shut in. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include <cmocka.h>

#include "rules/winnable.h"
#include "tests/rules/case_text.h"
#include "tests/rules/winnable_oracle.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

struct ordinary {
    const char *label, *fen;
    unsigned white, black; /* half-moves that the line may have; 0: this side is not asked about */
};

static uint64_t memory[WINNABLE_SCRATCH_SMALL / sizeof(uint64_t)];
static const struct winnable_scratch scratch = {memory, sizeof memory};
static struct winnable_result result;

static bool shows_a_mate(const struct ordinary *row, enum color winner, unsigned most)
{
    struct position position = case_position(row->fen);
    winnable_decide(&position, winner, WINNABLE_NODES_SMALL, &scratch, &result);
    if (!case_is(&position, "yes", winnable_verdict_name(result.verdict), row->label))
        return false;
    if (oracle_line_mates(&position, winner, &result) && result.length <= most)
        return true;
    print_error("%s: %s: a line of %u half-moves\n", row->label, winner == COLOR_WHITE ? "White" : "Black",
                (unsigned)result.length);
    return false;
}

static void run(const struct ordinary *rows, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        failed += rows[i].white && !shows_a_mate(&rows[i], COLOR_WHITE, rows[i].white);
        failed += rows[i].black && !shows_a_mate(&rows[i], COLOR_BLACK, rows[i].black);
    }
    assert_int_equal(failed, 0);
}

static void both_sides_mate_soon_from_the_first_position(void **state)
{
    (void)state;
    static const struct ordinary rows[] = {
        {"the first position", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", 20, 20},
        {"after 1. e4", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", 20, 20},
        {"after 1. Nf3", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 1 1", 20, 20},
        {"a first position of Chess960", "960 bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1", 20,
         20},
    };
    run(rows, LENGTH(rows));
}

static void both_sides_mate_soon_in_openings_and_middlegames(void **state)
{
    (void)state;
    static const struct ordinary rows[] = {
        {"Spanish", "r1bqkbnr/1ppp1ppp/p1n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 0 4", 20, 20},
        {"Sicilian", "rnbqkb1r/1p2pppp/p2p1n2/8/3NP3/2N5/PPP2PPP/R1BQKB1R w KQkq - 0 6", 20, 20},
        {"Queen's Gambit declined", "rnbq1rk1/ppp1bppp/4pn2/3p2B1/2PP4/2N1PN2/PP3PPP/R2QKB1R b KQ - 2 6", 20,
         20},
        {"King's Indian", "r1bq1rk1/ppp1npbp/3p1np1/3Pp3/2P1P3/2N2N2/PP2BPPP/R1BQ1RK1 w - - 1 9", 20, 20},
        {"both castled, queens on", "r2q1rk1/1b1nbppp/pp1ppn2/8/2PNP3/1PN1B3/P2QBPPP/R4RK1 w - - 0 12", 20,
         20},
        {"castled to opposite sides", "r1bq1rk1/pp2ppbp/2np1np1/8/3NP3/2N1BP2/PPPQ2PP/2KR1B1R b - - 3 9", 20,
         20},
    };
    run(rows, LENGTH(rows));
}

static void both_sides_mate_soon_in_endgames_with_pieces(void **state)
{
    (void)state;
    static const struct ordinary rows[] = {
        {"queens", "3q2k1/5ppp/8/8/8/8/5PPP/3Q2K1 w - - 0 1", 20, 20},
        {"rooks", "3r2k1/p4ppp/8/8/8/8/P4PPP/3R2K1 w - - 0 1", 20, 20},
        {"a rook against two minor pieces", "2b3k1/p4ppp/5n2/8/8/8/P4PPP/3R2K1 b - - 0 1", 20, 0},
        {"a queen against pawns", "6k1/5ppp/8/8/8/8/6K1/3Q4 w - - 0 1", 20, 0},
        {"a queen alone", "8/8/4k3/8/8/4K3/8/3Q4 w - - 0 1", 30, 0},
        {"a rook alone", "8/8/3k4/8/8/4K3/8/3R4 b - - 0 1", 30, 0},
    };
    run(rows, LENGTH(rows));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(both_sides_mate_soon_from_the_first_position),
        cmocka_unit_test(both_sides_mate_soon_in_openings_and_middlegames),
        cmocka_unit_test(both_sides_mate_soon_in_endgames_with_pieces),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
