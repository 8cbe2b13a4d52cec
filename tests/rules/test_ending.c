/* rules/ending: FIDE 5.1.1, 5.2.1, 5.2.2, 9.2, 9.3, 9.6. */
#include "rules/ending.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"
#include "tests/rules/case_text.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

#define START "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"

static const struct ending_rules all_rules = {
    .fivefold = true, .seventyfive = true, .dead = ENDING_DEAD_MATERIAL};

/* ---- dead by material (5.2.2) ---------------------------------------------------------------------------
 */

struct material_case {
    const char *label, *fen;
    bool dead;
};

static void material_alone_is_dead_without_a_possible_mate(void **state)
{
    (void)state;
    static const struct material_case cases[] = {
        {"kings alone", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"one knight", "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", true},
        {"one black knight", "4kn2/8/8/8/8/8/8/4K3 w - - 0 1", true},
        {"one bishop", "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
        {"a bishop each, both on light squares", "2b1k3/8/8/8/8/8/8/4KB2 w - - 0 1", true},
        {"many bishops, one of them on the other colour", "b3k3/b7/8/8/8/8/8/B1B1K3 w - - 0 1", false},
        {"many bishops, all on one colour", "1b1bk3/8/1b6/8/8/8/8/B1B1K3 w - - 0 1", true},
        {"a bishop each, on both colours (not dead: a corner mate)", "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1",
         false},
        {"two bishops of one side on both colours", "4k3/8/8/8/8/8/8/2B1KB2 w - - 0 1", false},
        {"two knights (not dead: the king may help)", "4k3/8/8/8/8/8/8/1N2KN2 w - - 0 1", false},
        {"a knight each", "4kn2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"knight against bishop", "4kb2/8/8/8/8/8/8/4KN2 w - - 0 1", false},
        {"bishop and knight", "4k3/8/8/8/8/8/8/4KBN1 w - - 0 1", false},
        {"a pawn", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", false},
        {"a rook", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", false},
        {"a queen", "4k3/8/8/8/8/8/8/Q3K3 w - - 0 1", false},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(cases); i++) {
        struct position position = case_position(cases[i].fen);
        bool dead = ending_is_dead_by_material(&position);
        failed +=
            !case_is(&position, cases[i].dead ? "dead" : "alive", dead ? "dead" : "alive", cases[i].label);
    }
    assert_int_equal(failed, 0);
}

/* ---- which end counts ---- */

static struct endings judge(const char *fen, unsigned repetition, struct ending_rules rules)
{
    struct position position = case_position(fen);
    return ending_judge(&position, movegen_count(&position), repetition, &rules);
}

/* "checkmate seventyfive": the ends that hold, the one that counts first. */
static void format_endings(struct endings endings, char text[64])
{
    static const char *const names[ENDING_COUNT] = {"none", "checkmate", "stalemate",
                                                    "dead", "fivefold",  "seventyfive"};
    size_t length = (size_t)snprintf(text, 64, "%s", names[endings.first]);
    for (unsigned e = ENDING_NONE + 1; e < ENDING_COUNT; e++)
        if (endings.set >> e & 1u && e != endings.first)
            length += (size_t)snprintf(text + length, 64 - length, " %s", names[e]);
}

static void ends_are_found_in_their_order(void **state)
{
    (void)state;
    static const struct {
        const char *label, *fen;
        unsigned repetition;
        const char *expected;
    } table[] = {
        {"nothing", START, 1, "none"},
        {"mate (5.1.1)", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1, "checkmate"},
        {"stalemate (5.2.1)", "7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", 1, "stalemate"},
        {"dead (5.2.2)", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", 1, "dead"},
        {"a fourth occurrence", START, 4, "none"},
        {"a fifth occurrence (9.6.1)", START, 5, "fivefold"},
        {"149 half-moves", "4k3/8/8/8/8/8/4P3/R3K3 w - - 149 100", 1, "none"},
        {"150 half-moves (9.6.2)", "4k3/8/8/8/8/8/4P3/R3K3 w - - 150 100", 1, "seventyfive"},
        {"mate with the 150th half-move (9.6.2)", "7k/6Q1/6K1/8/8/8/8/8 b - - 150 100", 1,
         "checkmate seventyfive"},
        {"stalemate with the 150th half-move", "7k/5K2/6Q1/8/8/8/8/8 b - - 150 100", 1,
         "stalemate seventyfive"},
        {"stalemate by a lone knight: dead too", "k7/3N4/1K6/8/8/8/8/8 b - - 0 1", 1, "stalemate dead"},
        {"a check by a lone knight", "k7/2K5/1N6/8/8/8/8/8 b - - 0 1", 1, "dead"},
        {"fivefold and seventy-five together", "4k3/8/8/8/8/8/4P3/R3K3 w - - 150 100", 5,
         "fivefold seventyfive"},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = case_position(table[i].fen);
        char text[64];
        format_endings(judge(table[i].fen, table[i].repetition, all_rules), text);
        failed += !case_is(&position, table[i].expected, text, table[i].label);
    }
    assert_int_equal(failed, 0);
}

static void ends_that_are_switched_off_do_not_hold(void **state)
{
    (void)state;
    const char *seventyfive = "4k3/8/8/8/8/8/4P3/R3K3 w - - 150 100";
    const char *kings = "4k3/8/8/8/8/8/8/4K3 w - - 150 100";
    struct ending_rules none = {.dead = ENDING_DEAD_OFF};
    assert_int_equal(judge(seventyfive, 5, none).first, ENDING_NONE);
    assert_int_equal(judge(kings, 5, none).set, 0);
    assert_int_equal(judge(seventyfive, 5, (struct ending_rules){.seventyfive = true}).first,
                     ENDING_SEVENTYFIVE);
    assert_int_equal(judge(seventyfive, 5, (struct ending_rules){.fivefold = true}).first, ENDING_FIVEFOLD);
    assert_int_equal(judge("7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", 1, none).first, ENDING_CHECKMATE);
    assert_int_equal(judge("7k/5K2/6Q1/8/8/8/8/8 b - - 0 1", 1, none).first, ENDING_STALEMATE);
}

static void exact_and_material_dead_positions_both_see_material(void **state)
{
    (void)state;
    const char *kings = "4k3/8/8/8/8/8/8/4K3 w - - 0 1";
    assert_true(judge(kings, 1, (struct ending_rules){.dead = ENDING_DEAD_EXACT}).by_material);
    assert_true(judge(kings, 1, (struct ending_rules){.dead = ENDING_DEAD_MATERIAL}).by_material);
    assert_false(judge(START, 1, all_rules).by_material);
}

static void exact_also_sees_walls_and_forced_captures(void **state)
{
    (void)state;
    static const struct {
        const char *label, *fen;
        enum ending ending;
        enum winnable_method method;
    } table[] = {
        {"nothing", START, ENDING_NONE, WINNABLE_NONE},
        {"kings alone", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", ENDING_DEAD_POSITION, WINNABLE_MATERIAL},
        {"a wall", "8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1", ENDING_DEAD_POSITION,
         WINNABLE_STRUCTURE},
        {"the rook must be taken", "r7/K1k5/8/8/8/8/8/8 w - - 0 1", ENDING_DEAD_POSITION, WINNABLE_SEARCH},
        {"a wall with a gap", "8/2k5/p1p1p1p1/P1PpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1", ENDING_NONE,
         WINNABLE_NONE},
        {"stalemate behind a wall (5.2.1)", "k7/P7/K7/1p1p1p2/1P1P1P2/8/8/8 b - - 0 1", ENDING_STALEMATE,
         WINNABLE_NONE},
    };
    unsigned failed = 0;
    for (size_t i = 0; i < LENGTH(table); i++) {
        struct position position = case_position(table[i].fen);
        struct endings exact = judge(table[i].fen, 1, (struct ending_rules){.dead = ENDING_DEAD_EXACT});
        char text[64];
        char expected[64];
        format_endings(exact, text);
        format_endings((struct endings){.first = table[i].ending}, expected);
        failed += !case_is(&position, expected, text, table[i].label);
        failed += !case_is(&position, winnable_method_name(table[i].method),
                           winnable_method_name(exact.dead_method), table[i].label);
        assert_int_equal(exact.by_material, table[i].method == WINNABLE_MATERIAL);
    }
    assert_int_equal(failed, 0);
}

static void material_alone_does_not_see_a_wall(void **state)
{
    (void)state;
    static const char *const wall = "8/2k5/p1p1p1p1/PpPpPpPp/1P1P1P1P/8/2K5/8 w - - 0 1";
    assert_int_equal(judge(wall, 1, all_rules).set, 0);
    assert_int_equal(judge(wall, 1, (struct ending_rules){.dead = ENDING_DEAD_OFF}).set, 0);
}

/* ---- claims (9.2, 9.3) ---- */

enum { KEYS_MAX = 64 };

struct played {
    struct position position;
    uint64_t keys[KEYS_MAX];
    struct key_history history;
};

/* Plays UCI moves parted by blanks; keeps the keys since the last move that cannot be undone. */
static void play(struct played *game, const char *fen, const char *moves)
{
    game->position = case_position(fen);
    game->keys[0] = game->position.key;
    game->history = (struct key_history){game->keys, 1};
    while (*moves) {
        size_t length = strcspn(moves, " ");
        struct reading reading;
        struct position after;
        notation_read(&game->position, moves, length, NOTATION_UCI, NOTATION_STRICT, PIECE_NONE, &reading);
        assert_int_equal(reading.status, READING_OK);
        position_play(&game->position, reading.move, &after);
        game->position = after;
        if (after.halfmove_clock == 0)
            game->history.count = 0;
        game->keys[game->history.count++] = after.key;
        moves += length + (moves[length] == ' ');
    }
}

static const char *claim_text(unsigned claims)
{
    static const char *const texts[] = {"nothing", "threefold", "fifty", "threefold fifty"};
    return texts[claims >> CLAIM_THREEFOLD & 3u];
}

static const char *claim_in(const struct played *game, const char *announced)
{
    struct reading reading;
    if (!announced)
        return claim_text(claim_now(&game->position, &game->history));
    notation_read(&game->position, announced, strlen(announced), NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  &reading);
    assert_int_equal(reading.status, READING_OK);
    return claim_text(claim_with_move(&game->position, &game->history, reading.move));
}

struct claim_case {
    const char *label, *fen, *moves, *announced, *expected;
};

static void run_claims(const struct claim_case *cases, size_t count)
{
    unsigned failed = 0;
    for (size_t i = 0; i < count; i++) {
        struct played game;
        play(&game, cases[i].fen, cases[i].moves);
        failed +=
            !case_is(&game.position, cases[i].expected, claim_in(&game, cases[i].announced), cases[i].label);
    }
    assert_int_equal(failed, 0);
}

static void a_third_occurrence_may_be_claimed(void **state)
{
    (void)state;
    static const char *const twice = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1";
    static const char *const thrice = "g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1 f6g8";
    static const char *const rooks = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
    const struct claim_case cases[] = {
        {"on the board: the first position counts (9.2.2)", START, thrice, NULL, "threefold"},
        {"not after the second time", START, twice, NULL, "nothing"},
        {"with the move that brings it about (9.2.1)", START, twice, "Ng8", "threefold"},
        {"not with another move", START, twice, "Nc6", "nothing"},
        {"on the board and with a move", START, thrice, "Nf3", "threefold"},
        {"not with a pawn move", START, thrice, "e4", "nothing"},
        {"rights have changed since (9.2.3.2)", rooks, "a1b1 a8b8 b1a1 b8a8 a1b1 a8b8 b1a1", "Ra8",
         "nothing"},
        {"en passant was possible the first time (9.2.3.1)",
         "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", twice, "Ng8", "nothing"},
        {"en passant was never possible: pinned", "6k1/8/6r1/5pP1/8/6K1/8/8 w - f6 0 1",
         "g3h4 g8h8 h4g3 h8g8 g3h4 g8h8 h4g3", "Kg8", "threefold"},
        {"castling is a first occurrence", "4k2r/8/8/8/8/8/8/4K3 b k - 0 1", "", "O-O", "nothing"},
    };
    run_claims(cases, LENGTH(cases));
}

static void fifty_moves_without_pawn_or_capture_may_be_claimed(void **state)
{
    (void)state;
    static const char *const at_99 = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 99 80";
    static const char *const at_100 = "4k3/8/8/8/8/8/4P3/R3K3 w Q - 100 80";
    const struct claim_case cases[] = {
        {"100 half-moves (9.3.2)", at_100, "", NULL, "fifty"},
        {"99 half-moves", at_99, "", NULL, "nothing"},
        {"the 100th announced (9.3.1)", at_99, "", "Ra2", "fifty"},
        {"castling counts on", at_99, "", "O-O-O", "fifty"},
        {"a pawn move does not", at_99, "", "e4", "nothing"},
        {"a capture does not", "4k3/8/8/8/8/8/r3P3/R3K3 w Q - 99 80", "", "Rxa2", "nothing"},
        {"a pawn move does not, even at 100", at_100, "", "e4", "nothing"},
        {"98 half-moves are too few for it", "4k3/8/8/8/8/8/4P3/R3K3 w Q - 98 80", "", "Ra2", "nothing"},
        {"a move that mates: it is announced, not played", "7k/8/5KQ1/8/8/8/8/8 w - - 99 90", "", "Qg7#",
         "fifty"},
        {"a move that stalemates", "7k/8/4K1Q1/8/8/8/8/8 w - - 99 90", "", "Kf7", "fifty"},
        {"a promotion does not", "7k/P7/8/8/8/8/8/K7 w - - 99 90", "", "a8=Q", "nothing"},
    };
    run_claims(cases, LENGTH(cases));
}

static void both_claims_can_hold_at_once(void **state)
{
    (void)state;
    static const struct claim_case cases[] = {
        {"on the board", "4k3/8/8/8/8/8/4P3/R3K3 w - - 92 80", "a1a2 e8d8 a2a1 d8e8 a1a2 e8d8 a2a1 d8e8",
         NULL, "threefold fifty"},
        {"with a move", "4k3/8/8/8/8/8/4P3/R3K3 w - - 92 80", "a1a2 e8d8 a2a1 d8e8 a1a2 e8d8 a2a1", "Ke8",
         "threefold fifty"},
    };
    run_claims(cases, LENGTH(cases));
}

static void occurrences_are_counted_in_the_whole_history(void **state)
{
    (void)state;
    static const uint64_t keys[] = {1, 2, 1, 3, 1};
    const struct key_history history = {keys, LENGTH(keys)};
    assert_int_equal(key_history_count(&history, 1), 3);
    assert_int_equal(key_history_count(&history, 2), 1);
    assert_int_equal(key_history_count(&history, 4), 0);
    assert_int_equal(key_history_count(&(struct key_history){0}, 1), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(material_alone_is_dead_without_a_possible_mate),
        cmocka_unit_test(ends_are_found_in_their_order),
        cmocka_unit_test(ends_that_are_switched_off_do_not_hold),
        cmocka_unit_test(exact_and_material_dead_positions_both_see_material),
        cmocka_unit_test(exact_also_sees_walls_and_forced_captures),
        cmocka_unit_test(material_alone_does_not_see_a_wall),
        cmocka_unit_test(a_third_occurrence_may_be_claimed),
        cmocka_unit_test(fifty_moves_without_pawn_or_capture_may_be_claimed),
        cmocka_unit_test(both_claims_can_hold_at_once),
        cmocka_unit_test(occurrences_are_counted_in_the_whole_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
