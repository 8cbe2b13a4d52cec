/* rules/key: scheme v1 worked out again from its documentation, the PolyGlot book hash against the positions
 * that the format's description publishes, and what Law 9.2.3 calls the same position. */
#include "rules/key.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/rules/board_print.h"
#include "tests/rules/given.h"
#include "tests/rules/random_games.h"

/* ---- scheme v1 ----------------------------------------------------------------------------------------- */

/* KEY(i): output i, from 0, of SplitMix64 seeded with the bytes "Arbiter1", big-endian. */
static uint64_t documented_number(unsigned index)
{
    static uint64_t numbers[841];
    if (numbers[0] == 0) {
        struct random_source source = {0};
        for (const char *c = "Arbiter1"; *c; c++)
            source.state = source.state << 8 | (unsigned char)*c;
        for (unsigned i = 0; i < 841; i++)
            numbers[i] = random_next(&source);
    }
    return numbers[index];
}

static uint64_t documented_key(const struct slow_board *board)
{
    static const char types[] = "pnbrqk";
    uint64_t key = board->turn == 'b' ? documented_number(840) : 0;
    for (unsigned s = 0; s < 64; s++) {
        char man = board->men[s / 8][s % 8];
        if (man == '.')
            continue;
        bool black = man >= 'a';
        unsigned type = (unsigned)(strchr(types, man | 0x20) - types) + 1;
        key ^= documented_number(64 * (2 * (type - 1) + black) + s);
        if ((s < 8 && board->rights[0][s]) || (s >= 56 && board->rights[1][s - 56]))
            key ^= documented_number(768 + s);
    }
    if (slow_can_capture_en_passant(board))
        key ^= documented_number(832 + (unsigned)board->passed.file);
    return key;
}

static void the_numbers_of_scheme_v1_are_those_of_splitmix64(void **state)
{
    (void)state;
    assert_string_equal(KEY_SCHEME, "v1");
    assert_int_equal(KEY_COUNT, 841);
    for (unsigned i = 0; i < KEY_COUNT; i++)
        assert_int_equal(key_table[i], documented_number(i));
}

struct tally {
    unsigned failed;
};

static void compare_keys(const struct random_step *step, void *context)
{
    struct tally *tally = context;
    uint64_t expected = documented_key(&step->slow);
    uint64_t actual = step->position.key;
    if (expected == actual && key_compute(&step->position) == expected)
        return;
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%016llx", (unsigned long long)expected);
    (void)snprintf(texts[1], sizeof texts[1], "%016llx", (unsigned long long)actual);
    if (tally->failed++ == 0)
        board_print_failure(&step->position, texts[0], texts[1], "key of scheme v1 (%s, ply %u)", step->start,
                            step->ply);
}

static void the_key_is_that_of_its_documentation_throughout_random_games(void **state)
{
    (void)state;
    struct tally tally = {0};
    struct random_games games = random_games_settings();
    games.positions /= 4;
    games.look = compare_keys;
    games.context = &tally;
    assert_in_range(random_games_play(&games), 1, UINT32_MAX);
    assert_int_equal(tally.failed, 0);
}

/* ---- PolyGlot ---------------------------------------------------------------------------------------------
 */

static void polyglot_hashes_are_those_the_format_publishes(void **state)
{
    (void)state;
    static const struct {
        const char *moves;
        uint64_t hash;
    } rows[] = {
        {"", 0x463b96181691fc9cULL},
        {"e2e4", 0x823c9b50fd114196ULL},
        {"e2e4 d7d5", 0x0756b94461c50fb0ULL},
        {"e2e4 d7d5 e4e5", 0x662fafb965db29d4ULL},
        {"e2e4 d7d5 e4e5 f7f5", 0x22a48b5a8e47ff78ULL},
        {"e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a607ca3f242c1ULL},
        {"e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fdd303c946bdd9ULL},
        {"a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c8123ea7b067637ULL},
        {"a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f9b829b279560ULL},
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct position position = given_after(position_initial(), rows[i].moves);
        if (key_polyglot(&position) != rows[i].hash)
            fail_msg("\"%s\": %016llx", rows[i].moves, (unsigned long long)key_polyglot(&position));
    }
}

/* The format asks for a pawn beside the double step, not for a legal capture. */
static void a_polyglot_hash_has_the_en_passant_file_for_a_pinned_pawn_too(void **state)
{
    (void)state;
    struct position start = given_position("4k3/2p5/8/KP5r/8/8/8/8 b - - 0 1");
    struct position stepped = given_after(start, "c7c5");
    struct position waited = given_position("4k3/8/8/KPp4r/8/8/8/8 w - - 0 2");
    assert_int_equal(stepped.en_passant, SQUARE_NONE);
    assert_true(key_polyglot(&stepped) != key_polyglot(&waited));
    assert_int_equal(stepped.key, waited.key);
}

/* ---- Law 9.2.3 ---- */

struct pair {
    const char *label, *a, *b;
    bool chess960, same;
};

static struct pair pairs[] = {
    {"en passant that may be played", "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
     "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3", false, false},
    {"a double step that no pawn stands beside",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1",
     "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", false, true},
    {"the capturing pawn pinned on its file", "4r3/8/8/3pP3/8/8/4K3/7k w - d6 0 2",
     "4r3/8/8/3pP3/8/8/4K3/7k w - - 0 2", false, true},
    {"the capturing pawn pinned on a diagonal that leads elsewhere", "4k3/6b1/8/3pP3/8/2K5/8/8 w - d6 0 2",
     "4k3/6b1/8/3pP3/8/2K5/8/8 w - - 0 2", false, true},
    {"the capturing pawn pinned on the diagonal of the capture, which it may make",
     "1b2k3/8/8/3pP3/5K2/8/8/8 w - d6 0 2", "1b2k3/8/8/3pP3/5K2/8/8/8 w - - 0 2", false, false},
    {"the capture opens the rank", "4k3/8/8/r2pP2K/8/8/8/8 w - d6 0 2", "4k3/8/8/r2pP2K/8/8/8/8 w - - 0 2",
     false, true},
    {"the capture answers the check that the double step gave", "8/8/8/2k5/3Pp3/8/8/4K3 b - d3 0 2",
     "8/8/8/2k5/3Pp3/8/8/4K3 b - - 0 2", false, false},
    {"one castling right less", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQk - 0 1",
     false, false},
    {"a right that is blocked and attacked counts", "1r2k1r1/8/8/8/8/8/8/RN2KB1R w KQ - 0 1",
     "1r2k1r1/8/8/8/8/8/8/RN2KB1R w - - 0 1", false, false},
    {"rights of the other side count", "r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1", "r3k2r/8/8/8/8/8/8/4K3 w q - 0 1",
     false, false},
    {"the other side to move", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/8/4K2R b - - 0 1", false,
     false},
    {"clocks do not count", "4k3/8/8/8/8/8/8/4K2R w K - 99 80", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", false,
     true},
    {"a piece on another square", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", false,
     false},
    {"a piece of the other colour", "4k3/8/8/8/8/8/n7/4K3 w - - 0 1", "4k3/8/8/8/8/8/N7/4K3 w - - 0 1", false,
     false},
    {"a piece of another kind", "4k3/8/8/8/8/8/N7/4K3 w - - 0 1", "4k3/8/8/8/8/8/B7/4K3 w - - 0 1", false,
     false},
    {"Chess960: the right of another rook", "4k3/8/8/8/8/8/8/4K1RR w H - 0 1",
     "4k3/8/8/8/8/8/8/4K1RR w G - 0 1", true, false},
    {"Chess960: one right written in two ways", "4k3/8/8/8/8/8/8/4K1RR w K - 0 1",
     "4k3/8/8/8/8/8/8/4K1RR w H - 0 1", true, true},
};

static void a_pair_is_the_same_or_not(void **state)
{
    const struct pair *pair = *state;
    struct position a = pair->chess960 ? given_chess960(pair->a) : given_position(pair->a);
    struct position b = pair->chess960 ? given_chess960(pair->b) : given_position(pair->b);
    bool same = position_same(&a, &b);
    if (same != pair->same || position_same(&b, &a) != same || (a.key == b.key) != pair->same) {
        board_print_failure(&a, pair->same ? "same" : "not the same", same ? "same" : "not the same",
                            "%s: position_same; the keys are %s", pair->label,
                            a.key == b.key ? "equal" : "not equal");
        fail();
    }
}

/* Two lines that arrive at positions which are the same by 9.2.3, though their histories differ. */
static void two_lines_arrive_at_the_same(const char *fen, const char *line_a, const char *line_b, bool same)
{
    struct position a = given_after(given_position(fen), line_a);
    struct position b = given_after(given_position(fen), line_b);
    if (position_same(&a, &b) != same || (a.key == b.key) != same) {
        board_print(&b);
        fail_msg("%s / %s", line_a, line_b);
    }
}

static void twins_that_changed_places_make_the_same_position(void **state)
{
    (void)state;
    two_lines_arrive_at_the_same(
        "4k3/8/8/8/8/8/8/N3K1N1 w - - 0 1", "a1b3 e8d8 b3d4 d8e8 g1f3 e8d8 d4e2 d8e8",
        "g1e2 e8d8 e2g1 d8e8 g1e2 e8d8 a1b3 d8e8 b3a1 e8d8 a1c2 d8e8 c2d4 e8d8 d4f3 d8e8", true);
}

static void a_promoted_piece_is_a_piece_like_any_other(void **state)
{
    (void)state;
    struct position promoted =
        given_after(given_position("8/P6k/8/8/8/8/8/4K3 w - - 0 1"), "a7a8q h7g7 a8a1 g7h7");
    struct position plain = given_position("8/7k/8/8/8/8/8/Q3K3 w - - 2 3");
    assert_true(position_same(&promoted, &plain));
    assert_int_equal(promoted.key, plain.key);
}

static void a_king_that_went_and_came_back_has_lost_its_rights(void **state)
{
    (void)state;
    two_lines_arrive_at_the_same("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1e2 e8e7 e2e1 e7e8", "", false);
}

static void a_rook_that_went_and_came_back_has_lost_its_right(void **state)
{
    (void)state;
    two_lines_arrive_at_the_same("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2 a8a7 a2a1 a7a8", "", false);
    two_lines_arrive_at_the_same("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2 a8a7 a2a1 a7a8",
                                 "a1a2 a8a7 a2a1 a7a8 h1h2 h8h7 h2h1 h7h8", false);
}

static void knights_that_went_and_came_back_make_the_first_position_again(void **state)
{
    (void)state;
    two_lines_arrive_at_the_same("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                                 "g1f3 g8f6 f3g1 f6g8", "", true);
}

static void an_en_passant_capture_not_made_leaves_another_position(void **state)
{
    (void)state;
    two_lines_arrive_at_the_same("rnbqkbnr/pppp1ppp/8/8/4p3/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "d2d4",
                                 "d2d4 g8f6 g1f3 f6g8 f3g1", false);
}

static const struct CMUnitTest plain_tests[] = {
    cmocka_unit_test(the_numbers_of_scheme_v1_are_those_of_splitmix64),
    cmocka_unit_test(the_key_is_that_of_its_documentation_throughout_random_games),
    cmocka_unit_test(polyglot_hashes_are_those_the_format_publishes),
    cmocka_unit_test(a_polyglot_hash_has_the_en_passant_file_for_a_pinned_pawn_too),
    cmocka_unit_test(twins_that_changed_places_make_the_same_position),
    cmocka_unit_test(a_promoted_piece_is_a_piece_like_any_other),
    cmocka_unit_test(a_king_that_went_and_came_back_has_lost_its_rights),
    cmocka_unit_test(a_rook_that_went_and_came_back_has_lost_its_right),
    cmocka_unit_test(knights_that_went_and_came_back_make_the_first_position_again),
    cmocka_unit_test(an_en_passant_capture_not_made_leaves_another_position),
};

enum { PLAIN = sizeof plain_tests / sizeof *plain_tests, PAIRS = sizeof pairs / sizeof *pairs };

int main(void)
{
    struct CMUnitTest tests[PLAIN + PAIRS];
    memcpy(tests, plain_tests, sizeof plain_tests);
    for (unsigned i = 0; i < PAIRS; i++)
        tests[PLAIN + i] =
            (struct CMUnitTest){pairs[i].label, a_pair_is_the_same_or_not, NULL, NULL, &pairs[i]};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
