/* The collection of cases in tests/data/rules.jsonl, one test a kind. Each line is an object with id, kind,
 * input and expect; where an expectation is not the Laws' but a choice, it has "policy": true. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include <cjson/cJSON.h>

#include "rules/fen.h"
#include "rules/notation.h"
#include "tests/rules/board_print.h"
#include "tests/rules/given.h"

enum {
    CASES_MAX = 1000,
    LINE_MAX_BYTES = 1 << 16,
    IDS_SIZE = 1 << 14,
    TEXT_SIZE = MOVELIST_MAX * NOTATION_UCI_SIZE
};

enum outcome { CASE_OK, CASE_FAILED, CASE_SKIPPED };

struct test_case {
    const char *id;
    const cJSON *input, *expect;
};

typedef enum outcome run_case(const struct test_case *c);

static struct {
    cJSON *all[CASES_MAX];
    unsigned count;
} cases;

/* ---- what a case says ---- */

static const char *text_of(const cJSON *object, const char *name)
{
    return cJSON_GetStringValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static bool flag_of(const cJSON *object, const char *name)
{
    return cJSON_IsTrue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static uint64_t number_of(const cJSON *object, const char *name)
{
    return (uint64_t)cJSON_GetNumberValue(cJSON_GetObjectItemCaseSensitive(object, name));
}

static enum outcome compare(const struct test_case *c, const struct position *position, const char *question,
                            const char *expected, const char *actual)
{
    if (strcmp(expected, actual) == 0)
        return CASE_OK;
    board_print_failure(position, expected, actual, "%s: %s", c->id, question);
    return CASE_FAILED;
}

static enum outcome compare_numbers(const struct test_case *c, const struct position *position,
                                    const char *question, uint64_t expected, uint64_t actual)
{
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%llu", (unsigned long long)expected);
    (void)snprintf(texts[1], sizeof texts[1], "%llu", (unsigned long long)actual);
    return compare(c, position, question, texts[0], texts[1]);
}

static enum outcome compare_flags(const struct test_case *c, const struct position *position,
                                  const char *name, bool actual)
{
    return compare(c, position, name, flag_of(c->expect, name) ? "true" : "false", actual ? "true" : "false");
}

static enum outcome worse(enum outcome a, enum outcome b)
{
    return a == CASE_FAILED || b == CASE_FAILED ? CASE_FAILED : a;
}

static bool read_fen(const struct test_case *c, const char *name, struct position *position)
{
    const char *fen = text_of(c->input, name);
    struct setup_report report;
    if (fen_parse(fen, strlen(fen), flag_of(c->input, "chess960"), position, &report))
        return true;
    compare(c, NULL, "FEN", fen, "refused");
    return false;
}

/* ---- kinds of one position ---- */

static enum outcome run_perft(const struct test_case *c)
{
    struct position position;
    if (!read_fen(c, "fen", &position))
        return CASE_FAILED;
    return compare_numbers(c, &position, "nodes", number_of(c->expect, "nodes"),
                           movegen_perft(&position, (unsigned)number_of(c->input, "depth")));
}

static int compare_texts(const void *a, const void *b)
{
    return strcmp(a, b);
}

static void join_moves(const struct position *position, const struct movelist *list, char joined[TEXT_SIZE])
{
    char texts[MOVELIST_MAX][NOTATION_UCI_SIZE];
    for (unsigned i = 0; i < list->count; i++)
        notation_format_uci(position, list->moves[i], texts[i]);
    qsort(texts, list->count, sizeof *texts, compare_texts);
    char *out = joined;
    for (unsigned i = 0; i < list->count; i++)
        out += snprintf(out, NOTATION_UCI_SIZE + 1, "%s ", texts[i]);
    *out = 0;
}

static void join_array(const cJSON *array, char joined[TEXT_SIZE])
{
    char *out = joined;
    const cJSON *item;
    cJSON_ArrayForEach(item, array) out += snprintf(out, NOTATION_UCI_SIZE + 1, "%s ", item->valuestring);
    *out = 0;
}

static enum outcome run_legal_moves(const struct test_case *c)
{
    struct position position;
    if (!read_fen(c, "fen", &position))
        return CASE_FAILED;
    struct movelist list;
    char expected[TEXT_SIZE];
    char actual[TEXT_SIZE];
    movegen_legal(&position, &list);
    join_moves(&position, &list, actual);
    join_array(cJSON_GetObjectItemCaseSensitive(c->expect, "moves"), expected);
    return worse(compare_numbers(c, &position, "count", number_of(c->expect, "count"), list.count),
                 compare(c, &position, "moves", expected, actual));
}

static enum outcome run_san(const struct test_case *c)
{
    struct position position;
    if (!read_fen(c, "fen", &position))
        return CASE_FAILED;
    const char *uci = text_of(c->input, "uci");
    move m = given_move(&position, uci);
    if (m == MOVE_NONE)
        return compare(c, &position, "legal move", uci, "none");
    char san[NOTATION_SAN_SIZE];
    notation_format_san(&position, m, san);
    return compare(c, &position, "san", text_of(c->expect, "san"), san);
}

static enum outcome run_parse_san(const struct test_case *c)
{
    static const char *const names[] = {
        [READING_SYNTAX] = "syntax", [READING_ILLEGAL] = "illegal", [READING_AMBIGUOUS] = "ambiguous"};
    struct position position;
    if (!read_fen(c, "fen", &position))
        return CASE_FAILED;
    const char *text = text_of(c->input, "text");
    struct reading reading;
    char uci[NOTATION_UCI_SIZE];
    notation_read(&position, text, strlen(text), NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    if (reading.status == READING_OK)
        notation_format_uci(&position, reading.move, uci);
    const char *expected = text_of(c->expect, "uci");
    return compare(c, &position, text, expected ? expected : text_of(c->expect, "error"),
                   reading.status == READING_OK ? uci : names[reading.status]);
}

/* The collection names classes of faults. */
static const char *fault_class(enum setup_fault_code code)
{
    switch (code) {
    case SETUP_OK:
    case SETUP_FAULT_COUNT:
        break;
    case SETUP_BAD_FIELD:
        return "syntax";
    case SETUP_NO_WHITE_KING:
    case SETUP_NO_BLACK_KING:
    case SETUP_TOO_MANY_KINGS:
        return "kings";
    case SETUP_PAWN_ON_BACK_RANK:
        return "pawn_on_backrank";
    case SETUP_SIDE_NOT_TO_MOVE_IN_CHECK:
        return "opposite_check";
    case SETUP_BAD_CASTLING_RIGHT:
        return "castling";
    case SETUP_BAD_EN_PASSANT:
        return "en_passant";
    case SETUP_TOO_MANY_PAWNS:
        return "too_many_pawns";
    case SETUP_TOO_MANY_MEN:
    case SETUP_TOO_MANY_PIECES:
        return "too_many_pieces";
    case SETUP_IMPOSSIBLE_CHECK:
        return "impossible_check";
    }
    return "none";
}

static enum outcome has_fault(const struct test_case *c, const char *expected,
                              const struct setup_report *report)
{
    const char *actual = "none";
    for (unsigned i = 0; i < report->count; i++) {
        actual = fault_class(report->faults[i].code);
        if (strcmp(actual, expected) == 0)
            return CASE_OK;
    }
    return compare(c, NULL, text_of(c->input, "fen"), expected, actual);
}

static enum outcome run_fen_valid(const struct test_case *c)
{
    const char *fen = text_of(c->input, "fen");
    struct position position;
    struct setup_report report = {0};
    bool playable = fen_parse(fen, strlen(fen), flag_of(c->input, "chess960"), &position, &report);
    if (!flag_of(c->expect, "ok"))
        return has_fault(c, text_of(c->expect, "error"), &report);
    if (!playable || report.count > 0)
        return compare(c, NULL, fen, "no fault", fault_class(report.faults[0].code));
    char normal[FEN_SIZE];
    fen_format(&position, FEN_EN_PASSANT_LEGAL, normal);
    return compare(c, &position, "normal form", text_of(c->expect, "fen"), normal);
}

static enum outcome run_same_position(const struct test_case *c)
{
    struct position a;
    struct position b;
    if (!read_fen(c, "fen_a", &a) || !read_fen(c, "fen_b", &b))
        return CASE_FAILED;
    return worse(compare_flags(c, &a, "same", position_same(&a, &b)),
                 compare_flags(c, &b, "same", a.key == b.key));
}

/* ---- kinds of a game ---- */

static bool play_moves(const struct test_case *c, struct given_game *game)
{
    struct position start;
    if (!read_fen(c, "fen", &start))
        return false;
    given_game_start(game, &start);
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(c->input, "moves"))
    {
        if (given_game_play(game, item->valuestring))
            continue;
        compare(c, &game->position, "legal move", item->valuestring, "none");
        return false;
    }
    return true;
}

static bool game_is_over(const struct given_game *game)
{
    return given_game_endings(game).first != ENDING_NONE;
}

static bool is_right_claim(const struct given_game *game, enum claim_reason reason, move m)
{
    struct key_history history = given_game_history(game);
    unsigned set =
        m == MOVE_NONE ? claim_now(&game->position, &history) : claim_with_move(&game->position, &history, m);
    return !game_is_over(game) && (set >> reason & 1u);
}

/* The moves with which a claim for that reason is right. */
static void moves_to_claim_with(const struct given_game *game, enum claim_reason reason,
                                struct movelist *list)
{
    struct movelist legal;
    list->count = 0;
    movegen_legal(&game->position, &legal);
    for (unsigned i = 0; i < legal.count; i++)
        if (is_right_claim(game, reason, legal.moves[i]))
            list->moves[list->count++] = legal.moves[i];
}

static enum outcome check_claims(const struct test_case *c, const struct given_game *game)
{
    const struct position *p = &game->position;
    struct movelist list;
    char expected[TEXT_SIZE];
    char actual[TEXT_SIZE];
    moves_to_claim_with(game, CLAIM_THREEFOLD, &list);
    join_moves(p, &list, actual);
    join_array(cJSON_GetObjectItemCaseSensitive(c->expect, "can_claim_threefold_with_move"), expected);
    enum outcome outcome = compare(c, p, "can_claim_threefold_with_move", expected, actual);
    moves_to_claim_with(game, CLAIM_FIFTY, &list);
    outcome = worse(outcome, compare_flags(c, p, "can_claim_fifty_with_move", list.count > 0));
    outcome = worse(outcome, compare_flags(c, p, "can_claim_threefold",
                                           is_right_claim(game, CLAIM_THREEFOLD, MOVE_NONE)));
    return worse(outcome,
                 compare_flags(c, p, "can_claim_fifty", is_right_claim(game, CLAIM_FIFTY, MOVE_NONE)));
}

static const char *winner(const struct position *position, struct endings endings)
{
    if (endings.first != ENDING_CHECKMATE)
        return "nobody";
    return fen_color_name(color_other(position_turn(position)));
}

static enum outcome check_endings(const struct test_case *c, const struct given_game *game)
{
    static const char *const reasons[ENDING_COUNT] = {"none", "checkmate", "stalemate",
                                                      "dead", "fivefold",  "seventyfive"};
    static const char *const flags[ENDING_COUNT] = {"game_over", "checkmate", "stalemate",
                                                    "dead",      "fivefold",  "seventyfive"};
    const struct position *p = &game->position;
    struct endings endings = given_game_endings(game);
    const char *reason = text_of(c->expect, "reason");
    const char *expected_winner = text_of(c->expect, "winner");
    enum outcome outcome = compare(c, p, "reason", reason ? reason : "none", reasons[endings.first]);
    outcome = worse(
        outcome, compare(c, p, "winner", expected_winner ? expected_winner : "nobody", winner(p, endings)));
    outcome = worse(outcome, compare_flags(c, p, "game_over", endings.set != 0));
    for (unsigned e = ENDING_CHECKMATE; e < ENDING_COUNT; e++)
        outcome = worse(outcome, compare_flags(c, p, flags[e], endings.set >> e & 1u));
    return worse(outcome, compare_flags(c, p, "insufficient_material", endings.by_material));
}

static enum outcome run_line(const struct test_case *c)
{
    /* Dead for a reason other than material: judged by a later part of the rules. */
    if (flag_of(c->expect, "dead") && !flag_of(c->expect, "insufficient_material"))
        return CASE_SKIPPED;
    struct given_game game;
    if (!play_moves(c, &game))
        return CASE_FAILED;
    char fen[FEN_SIZE];
    const struct position *p = &game.position;
    fen_format(p, FEN_EN_PASSANT_LEGAL, fen);
    enum outcome outcome = compare(c, p, "fen", text_of(c->expect, "fen"), fen);
    outcome = worse(outcome, compare_flags(c, p, "check", position_is_check(p)));
    outcome = worse(outcome, compare_numbers(c, p, "repetition", number_of(c->expect, "repetition"),
                                             given_game_occurrences(&game)));
    outcome = worse(outcome, check_endings(c, &game));
    return worse(outcome, check_claims(c, &game));
}

static enum outcome run_claim_with_move(const struct test_case *c)
{
    struct given_game game;
    if (!play_moves(c, &game))
        return CASE_FAILED;
    const char *uci = text_of(c->input, "move");
    move m = uci ? given_move(&game.position, uci) : MOVE_NONE;
    if (uci && m == MOVE_NONE)
        return compare(c, &game.position, "legal move", uci, "none");
    bool threefold = strcmp(text_of(c->input, "claim"), "threefold") == 0;
    return compare_flags(c, &game.position, "correct",
                         is_right_claim(&game, threefold ? CLAIM_THREEFOLD : CLAIM_FIFTY, m));
}

/* ---- kinds ---- */

static struct kind {
    const char *name;
    run_case *run; /* NULL: of a part of the rules that is tested elsewhere */
} kinds[] = {
    {"perft", run_perft},
    {"legal_moves", run_legal_moves},
    {"san", run_san},
    {"parse_san", run_parse_san},
    {"fen_valid", run_fen_valid},
    {"line", run_line},
    {"same_position", run_same_position},
    {"claim_with_move", run_claim_with_move},
    {"pgn_import", NULL},
    {"pgn_export", NULL},
    {"flag_fall", NULL},
    {"resign", NULL},
    {"dead_position", NULL},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct tally {
    unsigned run, skipped, failed;
    char failed_ids[IDS_SIZE];
};

static void run_one(const struct kind *kind, const cJSON *object, struct tally *tally)
{
    struct test_case c = {text_of(object, "id"), cJSON_GetObjectItemCaseSensitive(object, "input"),
                          cJSON_GetObjectItemCaseSensitive(object, "expect")};
    enum outcome outcome = kind->run ? kind->run(&c) : CASE_SKIPPED;
    tally->run += outcome != CASE_SKIPPED;
    tally->skipped += outcome == CASE_SKIPPED;
    if (outcome != CASE_FAILED)
        return;
    size_t used = strlen(tally->failed_ids);
    tally->failed++;
    (void)snprintf(tally->failed_ids + used, IDS_SIZE - used, " %s", c.id);
}

static void the_cases_of_a_kind_hold(void **state)
{
    const struct kind *kind = *state;
    static struct tally tally;
    tally = (struct tally){0};
    for (unsigned i = 0; i < cases.count; i++)
        if (strcmp(text_of(cases.all[i], "kind"), kind->name) == 0)
            run_one(kind, cases.all[i], &tally);
    print_message("%s: %u cases run, %u not run\n", kind->name, tally.run, tally.skipped);
    if (tally.failed)
        fail_msg("%s: %u cases failed:%s", kind->name, tally.failed, tally.failed_ids);
    assert_in_range(tally.run + tally.skipped, 1, CASES_MAX);
    if (!kind->run)
        skip();
    assert_in_range(tally.run, 1, CASES_MAX);
}

static void every_case_is_of_a_known_kind(void **state)
{
    (void)state;
    for (unsigned i = 0; i < cases.count; i++) {
        unsigned k = 0;
        while (k < KINDS && strcmp(text_of(cases.all[i], "kind"), kinds[k].name) != 0)
            k++;
        if (k == KINDS)
            fail_msg("%s: kind %s", text_of(cases.all[i], "id"), text_of(cases.all[i], "kind"));
    }
}

static int read_cases(void **state)
{
    (void)state;
    static char line[LINE_MAX_BYTES];
    FILE *file = fopen("tests/data/rules.jsonl", "r");
    if (!file)
        return -1;
    bool whole = true;
    while (whole && fgets(line, sizeof line, file)) {
        cJSON *object = cases.count < CASES_MAX ? cJSON_Parse(line) : NULL;
        whole = object != NULL;
        if (object)
            cases.all[cases.count++] = object;
    }
    (void)fclose(file);
    return whole && cases.count > 0 ? 0 : -1;
}

static int free_cases(void **state)
{
    (void)state;
    while (cases.count > 0)
        cJSON_Delete(cases.all[--cases.count]);
    return 0;
}

int main(void)
{
    struct CMUnitTest tests[KINDS + 1] = {cmocka_unit_test(every_case_is_of_a_known_kind)};
    for (unsigned i = 0; i < KINDS; i++)
        tests[i + 1] = (struct CMUnitTest){kinds[i].name, the_cases_of_a_kind_hold, NULL, NULL, &kinds[i]};
    return cmocka_run_group_tests(tests, read_cases, free_cases);
}
