/* rules/movegen, rules/position, and FEN and SAN as round trips: at each position of random games everything
 * is the same as by the slow rules. The games are played once, before the tests; each test asks for one
 * property. */
#include "rules/movegen.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/key.h"
#include "rules/movegen_builds.h"
#include "rules/notation.h"
#include "tests/rules/board_print.h"
#include "tests/rules/random_games.h"

enum {
    FAILURES_PRINTED = 3,
    POSITIONS_TO_MEET_ALL = 50000,
    MOVES_TEXT_SIZE = SLOW_MOVES_MAX * SLOW_UCI_SIZE
};

/* A position with its moves by both rules, as one text each: sorted UCI. */
struct view {
    const struct random_step *step;
    const struct position *position;
    struct movelist list;
    char expected[MOVES_TEXT_SIZE], actual[MOVES_TEXT_SIZE];
};

typedef bool check(const struct view *view);

static bool fails(const struct view *view, const char *question, const char *expected, const char *actual)
{
    static unsigned printed;
    if (printed++ < FAILURES_PRINTED)
        board_print_failure(view->position, expected, actual, "%s (%s, ply %u)", question, view->step->start,
                            view->step->ply);
    return false;
}

static bool same_number(const struct view *view, const char *question, uint64_t expected, uint64_t actual)
{
    if (expected == actual)
        return true;
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)expected);
    (void)snprintf(texts[1], sizeof texts[1], "%llu", (unsigned long long)actual);
    return fails(view, question, texts[0], texts[1]);
}

static bool same_text(const struct view *view, const char *question, const char *expected, const char *actual)
{
    return strcmp(expected, actual) == 0 || fails(view, question, expected, actual);
}

/* ---- moves as sorted text --------------------------------------------------------------------------------
 */

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void join_sorted(char (*texts)[SLOW_UCI_SIZE], unsigned count, char *joined)
{
    qsort(texts, count, sizeof *texts, compare_texts);
    for (unsigned i = 0; i < count; i++) {
        for (const char *c = texts[i]; *c;)
            *joined++ = *c++;
        *joined++ = ' ';
    }
    *joined = 0;
}

static void join_slow(const struct random_step *step, char joined[MOVES_TEXT_SIZE])
{
    char texts[SLOW_MOVES_MAX][SLOW_UCI_SIZE];
    for (unsigned i = 0; i < step->legal.count; i++)
        slow_format_uci(&step->slow, step->legal.moves[i], texts[i]);
    join_sorted(texts, step->legal.count, joined);
}

static void join_list(const struct position *position, const struct movelist *list,
                      char joined[MOVES_TEXT_SIZE])
{
    char texts[SLOW_MOVES_MAX][SLOW_UCI_SIZE];
    for (unsigned i = 0; i < list->count; i++)
        notation_format_uci(position, list->moves[i], texts[i]);
    join_sorted(texts, list->count, joined);
}

static move find_move(const struct view *view, const char *uci)
{
    for (unsigned i = 0; i < view->list.count; i++) {
        char text[NOTATION_UCI_SIZE];
        notation_format_uci(view->position, view->list.moves[i], text);
        if (strcmp(text, uci) == 0)
            return view->list.moves[i];
    }
    return MOVE_NONE;
}

/* ---- the properties --------------------------------------------------------------------------------------
 */

static bool check_moves(const struct view *view)
{
    return same_text(view, "legal moves", view->expected, view->actual);
}

static bool check_no_duplicates(const struct view *view)
{
    for (unsigned i = 0; i < view->list.count; i++)
        for (unsigned j = 0; j < i; j++)
            if (view->list.moves[i] == view->list.moves[j])
                return fails(view, "duplicates", "every move once", view->actual);
    return true;
}

static bool check_counts(const struct view *view)
{
    struct movelist list;
    return same_number(view, "movegen_count", view->list.count, movegen_count(view->position)) &&
           same_number(view, "what movegen_legal returns", view->list.count,
                       movegen_legal(view->position, &list)) &&
           same_number(view, "movegen_any", view->list.count > 0, movegen_any(view->position)) &&
           same_number(view, "movegen_perft 1", view->list.count, movegen_perft(view->position, 1));
}

static bool check_check(const struct view *view)
{
    return same_number(view, "check", slow_is_check(&view->step->slow), position_is_check(view->position));
}

static bool check_attackers(const struct view *view)
{
    for (unsigned s = 0; s < SQUARE_COUNT; s++)
        for (unsigned color = 0; color < COLOR_COUNT; color++) {
            struct slow_square target = {(int)(s % 8), (int)(s / 8)};
            bool expected = slow_is_attacked(&view->step->slow, target, color == COLOR_WHITE ? 'w' : 'b');
            bool actual = position_attackers(view->position, (square)s, (enum color)color,
                                             position_occupied(view->position)) != 0;
            if (expected != actual)
                return same_number(view, "an attacked square", expected ? s + 1 : 0, actual ? s + 1 : 0);
        }
    return true;
}

static bool check_key(const struct view *view)
{
    return same_number(view, "key", key_compute(view->position), view->position->key);
}

static bool check_fen(const struct view *view)
{
    char expected[SLOW_FEN_SIZE];
    char actual[FEN_SIZE];
    slow_format_fen(&view->step->slow, expected);
    return same_number(view, "length of the FEN", strlen(expected),
                       fen_format(view->position, FEN_EN_PASSANT_LEGAL, actual)) &&
           same_text(view, "FEN", expected, actual);
}

static bool reads_back(const struct view *view, enum fen_en_passant form)
{
    char fen[FEN_SIZE];
    struct position read;
    struct setup_report report;
    size_t length = fen_format(view->position, form, fen);
    if (!fen_parse(fen, length, view->position->chess960, &read, &report))
        return fails(view, "FEN read back", "a playable position", fen);
    const struct position *p = view->position;
    if (!position_same(p, &read) || p->key != read.key || p->chess960 != read.chess960 ||
        p->halfmove_clock != read.halfmove_clock || p->fullmove_number != read.fullmove_number)
        return fails(view, "FEN read back", "the same position", fen);
    return true;
}

static bool check_fen_round_trip(const struct view *view)
{
    return reads_back(view, FEN_EN_PASSANT_LEGAL) && reads_back(view, FEN_EN_PASSANT_ALWAYS);
}

typedef bool move_check(const struct view *view, const char *san, move m);

static bool each_move(const struct view *view, move_check *holds)
{
    const struct random_step *step = view->step;
    for (unsigned i = 0; i < step->legal.count; i++) {
        char uci[SLOW_UCI_SIZE];
        char san[SLOW_SAN_SIZE];
        slow_format_uci(&step->slow, step->legal.moves[i], uci);
        slow_format_san(&step->slow, &step->legal, step->legal.moves[i], san);
        move m = find_move(view, uci);
        if (m != MOVE_NONE && !holds(view, san, m))
            return false;
    }
    return true;
}

static bool writes_san(const struct view *view, const char *san, move m)
{
    char actual[NOTATION_SAN_SIZE];
    return same_number(view, "length of the SAN", strlen(san),
                       notation_format_san(view->position, m, actual)) &&
           same_text(view, "SAN", san, actual);
}

static bool check_san(const struct view *view)
{
    return each_move(view, writes_san);
}

/* What is told of a move in a list is what is told of it alone. */
static bool same_in_list(const struct view *view, move m, const struct move_text *text)
{
    char alone[NOTATION_SAN_SIZE];
    struct position after;
    struct move_facts facts = position_move_facts(view->position, m);
    position_play(view->position, m, &after);
    bool in_check = position_is_check(&after);
    return same_number(view, "length of a listed SAN", notation_format_san(view->position, m, alone),
                       text->length) &&
           same_text(view, "listed SAN", alone, text->san) &&
           same_number(view, "listed piece", facts.piece, text->piece) &&
           same_number(view, "listed capture", facts.captured, text->captured) &&
           same_number(view, "listed check", in_check, text->check) &&
           same_number(view, "listed mate", in_check && !movegen_any(&after), text->mate);
}

static bool check_san_list(const struct view *view)
{
    struct movelist legal;
    struct move_text texts[MOVELIST_MAX];
    movegen_legal(view->position, &legal);
    notation_format_list(view->position, &legal, &legal, texts);
    for (unsigned i = 0; i < legal.count; i++)
        if (!same_in_list(view, legal.moves[i], &texts[i]))
            return false;
    return true;
}

static bool reads(const struct view *view, const char *text, enum notation_form form,
                  enum notation_style style, move m)
{
    struct reading reading;
    notation_read(view->position, text, strlen(text), form, style, PIECE_NONE, &reading);
    if (reading.status == READING_OK && reading.move == m)
        return true;
    char actual[NOTATION_UCI_SIZE] = "none";
    if (reading.status == READING_OK)
        notation_format_uci(view->position, reading.move, actual);
    return fails(view, style == NOTATION_STRICT ? "read strictly" : "read leniently", text, actual);
}

static bool reads_san(const struct view *view, const char *san, move m)
{
    char uci[NOTATION_UCI_SIZE];
    notation_format_uci(view->position, m, uci);
    return reads(view, san, NOTATION_ANY, NOTATION_LENIENT, m) &&
           reads(view, san, NOTATION_SAN, NOTATION_STRICT, m) &&
           reads(view, uci, NOTATION_ANY, NOTATION_LENIENT, m) &&
           reads(view, uci, NOTATION_UCI, NOTATION_STRICT, m);
}

static bool check_reading(const struct view *view)
{
    return each_move(view, reads_san);
}

static bool is_sound(const struct position *p)
{
    bitboard all = 0;
    for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++) {
        if (all & p->by_type[type])
            return false;
        all |= p->by_type[type];
    }
    const bitboard corners = bitboard_rank(RANK_1) | bitboard_rank(RANK_8);
    return all == p->by_type[PIECE_NONE] && all == (p->by_color[0] | p->by_color[1]) &&
           (p->by_color[0] & p->by_color[1]) == 0 &&
           bitboard_count(position_pieces(p, COLOR_WHITE, PIECE_KING)) == 1 &&
           bitboard_count(position_pieces(p, COLOR_BLACK, PIECE_KING)) == 1 &&
           (p->by_type[PIECE_PAWN] & corners) == 0 && (p->castling_rooks & ~p->by_type[PIECE_ROOK]) == 0 &&
           (p->castling_rooks & ~corners) == 0 && p->turn < COLOR_COUNT &&
           (p->en_passant == SQUARE_NONE || p->en_passant == p->double_step);
}

static bool check_invariants(const struct view *view)
{
    if (!is_sound(view->position))
        return fails(view, "invariants of struct position", "kept", "broken");
    return true;
}

static uint64_t sum_of_replies(const struct position *position, unsigned depth)
{
    struct movelist list;
    uint64_t sum = 0;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        struct position after;
        position_play(position, list.moves[i], &after);
        sum += depth == 1 ? 1 : sum_of_replies(&after, depth - 1);
    }
    return sum;
}

static bool check_perft(const struct view *view)
{
    return same_number(view, "perft 2", sum_of_replies(view->position, 2), movegen_perft(view->position, 2));
}

static bool same_value(const struct position *a, const struct position *b)
{
    return position_same(a, b) && position_occupied(a) == position_occupied(b) && a->key == b->key &&
           a->double_step == b->double_step && a->chess960 == b->chess960 &&
           a->halfmove_clock == b->halfmove_clock && a->fullmove_number == b->fullmove_number;
}

static bool check_unplay(const struct view *view)
{
    for (unsigned i = 0; i < view->list.count; i++) {
        move m = view->list.moves[i];
        struct position after, before;
        position_play(view->position, m, &after);
        struct position_past past = position_past(view->position, m, &after);
        position_unplay(&after, m, &past, &before);
        if (!same_value(view->position, &before))
            return fails(view, "each move taken back", "the position before it", "another");
    }
    return true;
}

/* The builds may list moves in different orders. */
static bool same_in_build(const struct view *view, const char *name,
                          void (*legal)(const struct position *, struct movelist *),
                          unsigned (*count)(const struct position *),
                          void (*play)(const struct position *, move, struct position *))
{
    struct movelist list;
    char moves[MOVES_TEXT_SIZE];
    legal(view->position, &list);
    join_list(view->position, &list, moves);
    if (!same_text(view, name, view->expected, moves) ||
        !same_number(view, name, list.count, count(view->position)))
        return false;
    for (unsigned i = 0; i < list.count; i++) {
        struct position expected;
        struct position actual;
        position_play(view->position, list.moves[i], &expected);
        play(view->position, list.moves[i], &actual);
        if (!position_same(&expected, &actual) || expected.key != actual.key ||
            expected.double_step != actual.double_step)
            return fails(view, name, "the same position after each move", "another");
    }
    return true;
}

static bool check_portable(const struct view *view)
{
    return same_in_build(view, "the portable build", movegen_portable_legal, movegen_portable_count,
                         movegen_portable_play);
}

#ifdef __x86_64__
static bool check_popcnt(const struct view *view)
{
    if (!__builtin_cpu_supports("popcnt"))
        return true;
    return same_in_build(view, "the POPCNT build", movegen_popcnt_legal, movegen_popcnt_count,
                         movegen_popcnt_play);
}

static bool check_bmi2(const struct view *view)
{
    if (!__builtin_cpu_supports("bmi2"))
        return true;
    return same_in_build(view, "the BMI2 build", movegen_bmi2_legal, movegen_bmi2_count, movegen_bmi2_play);
}
#endif

static struct property {
    const char *name;
    check *holds;
    unsigned every; /* asked at each n-th position */
    unsigned asked, failed;
} properties[] = {
    {"the_legal_moves_are_those_of_the_slow_rules", check_moves, 1, 0, 0},
    {"no_move_is_listed_twice", check_no_duplicates, 1, 0, 0},
    {"counting_agrees_with_listing", check_counts, 1, 0, 0},
    {"check_is_seen_by_both", check_check, 1, 0, 0},
    {"the_attacked_squares_are_the_same", check_attackers, 8, 0, 0},
    {"the_key_kept_up_by_moves_is_the_key_from_scratch", check_key, 1, 0, 0},
    {"the_fen_written_is_that_of_the_slow_rules", check_fen, 1, 0, 0},
    {"a_fen_written_reads_back_as_the_same_position", check_fen_round_trip, 1, 0, 0},
    {"the_san_of_every_move_is_that_of_the_slow_rules", check_san, 1, 0, 0},
    {"the_san_of_a_move_in_a_list_is_that_of_the_move_alone", check_san_list, 1, 0, 0},
    {"every_move_written_is_read_back", check_reading, 1, 0, 0},
    {"moves_keep_the_invariants_of_a_position", check_invariants, 1, 0, 0},
    {"a_move_taken_back_leaves_the_position_before_it", check_unplay, 1, 0, 0},
    {"perft_without_the_last_ply_made_is_the_sum_over_moves_made", check_perft, 64, 0, 0},
    {"the_portable_build_gives_the_same", check_portable, 1, 0, 0},
#ifdef __x86_64__
    {"the_popcnt_build_gives_the_same", check_popcnt, 1, 0, 0},
    {"the_bmi2_build_gives_the_same", check_bmi2, 1, 0, 0},
#endif
};

enum { PROPERTIES = sizeof properties / sizeof *properties };

/* What the games have met: a run that saw no en passant has shown nothing about it. */
static struct {
    unsigned positions, moves, en_passant, castlings, promotions, checks, mates, stalemates;
} seen;

static void take_note(const struct random_step *step)
{
    bool in_check = slow_is_check(&step->slow);
    seen.moves += step->legal.count;
    seen.checks += in_check;
    seen.mates += in_check && step->legal.count == 0;
    seen.stalemates += !in_check && step->legal.count == 0;
    for (unsigned i = 0; i < step->legal.count; i++) {
        seen.en_passant += slow_is_en_passant(&step->slow, step->legal.moves[i]);
        seen.castlings += step->legal.moves[i].castling;
        seen.promotions += step->legal.moves[i].promotion != 0;
    }
}

static void look(const struct random_step *step, void *context)
{
    (void)context;
    struct view view = {.step = step, .position = &step->position};
    movegen_legal(view.position, &view.list);
    join_slow(step, view.expected);
    join_list(view.position, &view.list, view.actual);
    take_note(step);
    for (unsigned i = 0; i < PROPERTIES; i++) {
        if (seen.positions % properties[i].every != 0)
            continue;
        properties[i].asked++;
        properties[i].failed += !properties[i].holds(&view);
    }
    seen.positions++;
}

static void a_property_holds(void **state)
{
    const struct property *property = *state;
    assert_in_range(property->asked, 1, UINT32_MAX);
    assert_int_equal(property->failed, 0);
}

static void the_games_have_met_every_kind_of_move_and_end(void **state)
{
    (void)state;
    print_message("%u positions, %u moves: %u en passant, %u castlings, %u promotions; %u checks, %u mates, "
                  "%u stalemates\n",
                  seen.positions, seen.moves, seen.en_passant, seen.castlings, seen.promotions, seen.checks,
                  seen.mates, seen.stalemates);
    if (seen.positions < POSITIONS_TO_MEET_ALL)
        skip();
    assert_in_range(seen.en_passant, 1, UINT32_MAX);
    assert_in_range(seen.castlings, 1, UINT32_MAX);
    assert_in_range(seen.promotions, 1, UINT32_MAX);
    assert_in_range(seen.mates, 1, UINT32_MAX);
    assert_in_range(seen.stalemates, 1, UINT32_MAX);
}

static int play_games(void **state)
{
    (void)state;
    struct random_games games = random_games_settings();
    games.look = look;
    return random_games_play(&games) ? 0 : -1;
}

int main(void)
{
    struct CMUnitTest tests[PROPERTIES + 1] = {
        cmocka_unit_test(the_games_have_met_every_kind_of_move_and_end),
    };
    for (unsigned i = 0; i < PROPERTIES; i++)
        tests[i + 1] = (struct CMUnitTest){properties[i].name, a_property_holds, NULL, NULL, &properties[i]};
    return cmocka_run_group_tests(tests, play_games, NULL);
}
