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
#include "tests/rules/case_record.h"
#include "tests/rules/given.h"
#include "tests/rules/random_games.h"
#include "tests/rules/winnable_oracle.h"

enum {
    CASES_MAX = 1000,
    LINE_MAX_BYTES = 1 << 16,
    IDS_SIZE = 1 << 14,
    TEXT_SIZE = MOVELIST_MAX * NOTATION_UCI_SIZE
};

typedef enum record_outcome run_case(const struct record *c);

static struct {
    cJSON *all[CASES_MAX];
    unsigned count;
} cases;

/* ---- kinds of one position ---- */

static enum record_outcome run_perft(const struct record *c)
{
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    return record_compare_numbers(c, &position, "nodes", record_number(c->expect, "nodes"),
                                  movegen_perft(&position, (unsigned)record_number(c->input, "depth")));
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

static enum record_outcome run_legal_moves(const struct record *c)
{
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    struct movelist list;
    char expected[TEXT_SIZE];
    char actual[TEXT_SIZE];
    movegen_legal(&position, &list);
    join_moves(&position, &list, actual);
    join_array(cJSON_GetObjectItemCaseSensitive(c->expect, "moves"), expected);
    return record_worse(
        record_compare_numbers(c, &position, "count", record_number(c->expect, "count"), list.count),
        record_compare(c, &position, "moves", expected, actual));
}

static enum record_outcome run_san(const struct record *c)
{
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    const char *uci = record_text(c->input, "uci");
    move m = given_move(&position, uci);
    if (m == MOVE_NONE)
        return record_compare(c, &position, "legal move", uci, "none");
    char san[NOTATION_SAN_SIZE];
    notation_format_san(&position, m, san);
    return record_compare(c, &position, "san", record_text(c->expect, "san"), san);
}

static enum record_outcome run_parse_san(const struct record *c)
{
    static const char *const names[] = {
        [READING_SYNTAX] = "syntax", [READING_ILLEGAL] = "illegal", [READING_AMBIGUOUS] = "ambiguous"};
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    const char *text = record_text(c->input, "text");
    struct reading reading;
    char uci[NOTATION_UCI_SIZE];
    notation_read(&position, text, strlen(text), NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    if (reading.status == READING_OK)
        notation_format_uci(&position, reading.move, uci);
    const char *expected = record_text(c->expect, "uci");
    return record_compare(c, &position, text, expected ? expected : record_text(c->expect, "error"),
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

static enum record_outcome has_fault(const struct record *c, const char *expected,
                                     const struct setup_report *report)
{
    const char *actual = "none";
    for (unsigned i = 0; i < report->count; i++) {
        actual = fault_class(report->faults[i].code);
        if (strcmp(actual, expected) == 0)
            return RECORD_OK;
    }
    return record_compare(c, NULL, record_text(c->input, "fen"), expected, actual);
}

static enum record_outcome run_fen_valid(const struct record *c)
{
    const char *fen = record_text(c->input, "fen");
    struct position position;
    struct setup_report report = {0};
    bool playable = fen_parse(fen, strlen(fen), record_flag(c->input, "chess960"), &position, &report);
    if (!record_flag(c->expect, "ok"))
        return has_fault(c, record_text(c->expect, "error"), &report);
    if (!playable || report.count > 0)
        return record_compare(c, NULL, fen, "no fault", fault_class(report.faults[0].code));
    char normal[FEN_SIZE];
    fen_format(&position, FEN_EN_PASSANT_LEGAL, normal);
    return record_compare(c, &position, "normal form", record_text(c->expect, "fen"), normal);
}

static enum record_outcome run_same_position(const struct record *c)
{
    struct position a;
    struct position b;
    if (!record_position(c, "fen_a", &a) || !record_position(c, "fen_b", &b))
        return RECORD_FAILED;
    return record_worse(record_compare_flags(c, &a, "same", position_same(&a, &b)),
                        record_compare_flags(c, &b, "same", a.key == b.key));
}

/* ---- kinds of a game ---- */

static bool play_moves(const struct record *c, struct given_game *game)
{
    struct position start;
    if (!record_position(c, "fen", &start))
        return false;
    given_game_start(game, &start);
    const cJSON *item;
    cJSON_ArrayForEach(item, cJSON_GetObjectItemCaseSensitive(c->input, "moves"))
    {
        if (given_game_play(game, item->valuestring))
            continue;
        record_compare(c, &game->position, "legal move", item->valuestring, "none");
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

static enum record_outcome check_claims(const struct record *c, const struct given_game *game)
{
    const struct position *p = &game->position;
    struct movelist list;
    char expected[TEXT_SIZE];
    char actual[TEXT_SIZE];
    moves_to_claim_with(game, CLAIM_THREEFOLD, &list);
    join_moves(p, &list, actual);
    join_array(cJSON_GetObjectItemCaseSensitive(c->expect, "can_claim_threefold_with_move"), expected);
    enum record_outcome outcome = record_compare(c, p, "can_claim_threefold_with_move", expected, actual);
    moves_to_claim_with(game, CLAIM_FIFTY, &list);
    outcome = record_worse(outcome, record_compare_flags(c, p, "can_claim_fifty_with_move", list.count > 0));
    outcome = record_worse(outcome, record_compare_flags(c, p, "can_claim_threefold",
                                                         is_right_claim(game, CLAIM_THREEFOLD, MOVE_NONE)));
    return record_worse(
        outcome, record_compare_flags(c, p, "can_claim_fifty", is_right_claim(game, CLAIM_FIFTY, MOVE_NONE)));
}

static const char *winner(const struct position *position, struct endings endings)
{
    if (endings.first != ENDING_CHECKMATE)
        return "nobody";
    return fen_color_name(color_other(position_turn(position)));
}

static enum record_outcome check_endings(const struct record *c, const struct given_game *game)
{
    static const char *const reasons[ENDING_COUNT] = {"none", "checkmate", "stalemate",
                                                      "dead", "fivefold",  "seventyfive"};
    static const char *const flags[ENDING_COUNT] = {"game_over", "checkmate", "stalemate",
                                                    "dead",      "fivefold",  "seventyfive"};
    const struct position *p = &game->position;
    struct endings endings = given_game_endings(game);
    const char *reason = record_text(c->expect, "reason");
    const char *expected_winner = record_text(c->expect, "winner");
    enum record_outcome outcome =
        record_compare(c, p, "reason", reason ? reason : "none", reasons[endings.first]);
    outcome =
        record_worse(outcome, record_compare(c, p, "winner", expected_winner ? expected_winner : "nobody",
                                             winner(p, endings)));
    outcome = record_worse(outcome, record_compare_flags(c, p, "game_over", endings.set != 0));
    for (unsigned e = ENDING_CHECKMATE; e < ENDING_COUNT; e++)
        outcome = record_worse(outcome, record_compare_flags(c, p, flags[e], endings.set >> e & 1u));
    return record_worse(outcome, record_compare_flags(c, p, "insufficient_material", endings.by_material));
}

static enum record_outcome run_line(const struct record *c)
{
    struct given_game game;
    if (!play_moves(c, &game))
        return RECORD_FAILED;
    char fen[FEN_SIZE];
    const struct position *p = &game.position;
    fen_format(p, FEN_EN_PASSANT_LEGAL, fen);
    enum record_outcome outcome = record_compare(c, p, "fen", record_text(c->expect, "fen"), fen);
    outcome = record_worse(outcome, record_compare_flags(c, p, "check", position_is_check(p)));
    outcome = record_worse(outcome,
                           record_compare_numbers(c, p, "repetition", record_number(c->expect, "repetition"),
                                                  given_game_occurrences(&game)));
    outcome = record_worse(outcome, check_endings(c, &game));
    return record_worse(outcome, check_claims(c, &game));
}

static enum record_outcome run_claim_with_move(const struct record *c)
{
    struct given_game game;
    if (!play_moves(c, &game))
        return RECORD_FAILED;
    const char *uci = record_text(c->input, "move");
    move m = uci ? given_move(&game.position, uci) : MOVE_NONE;
    if (uci && m == MOVE_NONE)
        return record_compare(c, &game.position, "legal move", uci, "none");
    bool threefold = strcmp(record_text(c->input, "claim"), "threefold") == 0;
    return record_compare_flags(c, &game.position, "correct",
                                is_right_claim(&game, threefold ? CLAIM_THREEFOLD : CLAIM_FIFTY, m));
}

/* ---- kinds that ask who can mate (5.1.2, 5.2.2, 6.9) ---- */

/* Asks, and holds the answer against plain means. */
static enum winnable_verdict can_mate(const struct position *position, enum color winner)
{
    static uint64_t memory[WINNABLE_SCRATCH_DEFAULT / sizeof(uint64_t)];
    static struct winnable_result result;
    const struct winnable_scratch scratch = {memory, sizeof memory};
    struct oracle_closure closure = {.whole = false};
    winnable_decide(position, winner, WINNABLE_NODES_DEFAULT, &scratch, &result);
    if (result.verdict == WINNABLE_NO && result.method > WINNABLE_MATERIAL)
        closure = oracle_close(position, 2 * random_games_settings().positions);
    assert_true(oracle_agrees(position, winner, &result, &closure));
    return result.verdict;
}

/* Every side of the collection is decided. */
static enum record_outcome check_verdict(const struct record *c, const struct position *position,
                                         enum color winner)
{
    const char *name = winner == COLOR_WHITE ? "white_can_mate" : "black_can_mate";
    return record_compare(c, position, name, record_flag(c->expect, name) ? "yes" : "no",
                          winnable_verdict_name(can_mate(position, winner)));
}

/* Seven bishops in a cage: winnable_decide needs 50,000 positions, which is too much after each move. */
static const char *const seen_only_when_asked = "dead_position-043";

static enum record_outcome run_dead_position(const struct record *c)
{
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    struct given_game game;
    given_game_start(&game, &position);
    bool seen = given_game_endings(&game).set >> ENDING_DEAD_POSITION & 1u;
    bool excused = !seen && strcmp(c->id, seen_only_when_asked) == 0;
    enum record_outcome decided =
        record_worse(check_verdict(c, &position, COLOR_WHITE), check_verdict(c, &position, COLOR_BLACK));
    return excused ? decided : record_worse(decided, record_compare_flags(c, &position, "dead", seen));
}

/* The result where a side loses unless the other one cannot mate. */
static const char *result_without(const struct position *position, enum color loser)
{
    if (can_mate(position, color_other(loser)) == WINNABLE_NO)
        return "1/2-1/2";
    return loser == COLOR_WHITE ? "0-1" : "1-0";
}

static enum record_outcome run_loss(const struct record *c, const char *who)
{
    struct position position;
    if (!record_position(c, "fen", &position))
        return RECORD_FAILED;
    enum color loser = strcmp(record_text(c->input, who), "white") == 0 ? COLOR_WHITE : COLOR_BLACK;
    return record_compare(c, &position, who, record_text(c->expect, "result"),
                          result_without(&position, loser));
}

static enum record_outcome run_flag_fall(const struct record *c)
{
    return run_loss(c, "flagged");
}

static enum record_outcome run_resign(const struct record *c)
{
    return run_loss(c, "resigns");
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
    {"flag_fall", run_flag_fall},
    {"resign", run_resign},
    {"dead_position", run_dead_position},
};

enum { KINDS = sizeof kinds / sizeof *kinds };

struct tally {
    unsigned run, skipped, failed;
    char failed_ids[IDS_SIZE];
};

static void run_one(const struct kind *kind, const cJSON *object, struct tally *tally)
{
    struct record c = {record_text(object, "id"), cJSON_GetObjectItemCaseSensitive(object, "input"),
                       cJSON_GetObjectItemCaseSensitive(object, "expect")};
    enum record_outcome outcome = kind->run ? kind->run(&c) : RECORD_SKIPPED;
    tally->run += outcome != RECORD_SKIPPED;
    tally->skipped += outcome == RECORD_SKIPPED;
    if (outcome != RECORD_FAILED)
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
        if (strcmp(record_text(cases.all[i], "kind"), kind->name) == 0)
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
        while (k < KINDS && strcmp(record_text(cases.all[i], "kind"), kinds[k].name) != 0)
            k++;
        if (k == KINDS)
            fail_msg("%s: kind %s", record_text(cases.all[i], "id"), record_text(cases.all[i], "kind"));
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
