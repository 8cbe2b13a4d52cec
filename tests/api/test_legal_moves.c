/* GET …/legal-moves: entries, filters, the map for board widgets, text. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static int by_text(const void *a, const void *b)
{
    return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The SANs of the list, sorted, parted by blanks. */
static const char *sans(const struct answer *answer)
{
    static char words[2048];
    const char *list[256];
    size_t count = 0, put = 0;
    const cJSON *item;
    cJSON_ArrayForEach(item, answer_at(answer, "moves"))
    {
        list[count++] = cJSON_GetObjectItemCaseSensitive(item, "san")->valuestring;
    }
    assert_int_equal(answer_integer(answer, "count"), count);
    qsort(list, count, sizeof *list, by_text);
    words[0] = '\0';
    for (size_t i = 0; i < count; i++)
        put += (size_t)snprintf(words + put, sizeof words - put, "%s%s", i ? " " : "", list[i]);
    return words;
}

static void the_first_position_has_twenty_moves(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_get(*state, id, "/legal-moves");
    assert_status(answer, 200);
    assert_json(answer, "fen", "\"" START_FEN "\"");
    assert_json(answer, "turn", "\"white\"");
    assert_json(answer, "count", "20");
    assert_string_equal(sans(answer), "Na3 Nc3 Nf3 Nh3 a3 a4 b3 b4 c3 c4 d3 d4 e3 e4 f3 f4 g3 g4 h3 h4");
    assert_string_equal(answer_header(answer, "ETag"), "\"v1\"");
}

static const struct {
    const char *label, *fen, *query;
    struct member members[13];
} entries[] = {
    {"quiet",
     NULL,
     "from=g1&to=f3",
     {{"san", "\"Nf3\""},
      {"uci", "\"g1f3\""},
      {"from", "\"g1\""},
      {"to", "\"f3\""},
      {"piece", "\"knight\""},
      {"captured", "null"},
      {"captured_square", "null"},
      {"promotion", "null"},
      {"castling", "null"},
      {"rook", "null"},
      {"en_passant", "false"},
      {"gives_check", "false"},
      {"gives_mate", "false"}}},
    {"en passant",
     "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 20",
     "to=d6",
     {{"san", "\"exd6\""},
      {"uci", "\"e5d6\""},
      {"from", "\"e5\""},
      {"to", "\"d6\""},
      {"piece", "\"pawn\""},
      {"captured", "\"pawn\""},
      {"captured_square", "\"d5\""},
      {"promotion", "null"},
      {"castling", "null"},
      {"rook", "null"},
      {"en_passant", "true"},
      {"gives_check", "false"},
      {"gives_mate", "false"}}},
    {"castling by the king's target",
     "5k2/8/8/8/8/8/8/4K2R w K - 0 1",
     "from=e1&to=g1",
     {{"san", "\"O-O+\""},
      {"uci", "\"e1g1\""},
      {"from", "\"e1\""},
      {"to", "\"g1\""},
      {"piece", "\"king\""},
      {"captured", "null"},
      {"captured_square", "null"},
      {"promotion", "null"},
      {"castling", "\"kingside\""},
      {"rook", "{\"from\":\"h1\",\"to\":\"f1\"}"},
      {"en_passant", "false"},
      {"gives_check", "true"},
      {"gives_mate", "false"}}},
    {"mate",
     "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1",
     "from=a1&to=a8",
     {{"san", "\"Ra8#\""},
      {"uci", "\"a1a8\""},
      {"from", "\"a1\""},
      {"to", "\"a8\""},
      {"piece", "\"rook\""},
      {"captured", "null"},
      {"captured_square", "null"},
      {"promotion", "null"},
      {"castling", "null"},
      {"rook", "null"},
      {"en_passant", "false"},
      {"gives_check", "true"},
      {"gives_mate", "true"}}},
};

static void an_entry_has_every_member(void **state)
{
    for (size_t i = 0; i < sizeof entries / sizeof entries[0]; i++) {
        char rest[64];
        const char *id = entries[i].fen ? match_new_fen(*state, entries[i].fen) : match_new(*state);
        (void)snprintf(rest, sizeof rest, "/legal-moves?%s", entries[i].query);
        print_message("%s\n", entries[i].label);
        const struct answer *answer = match_get(*state, id, rest);
        assert_json(answer, "count", "1");
        ASSERT_MEMBERS(answer, "moves.0", entries[i].members);
    }
}

static void filters_choose_by_square_piece_and_ply(void **state)
{
    static const struct {
        const char *query, *sans;
    } rows[] = {
        {"from=g1", "Nf3 Nh3"},
        {"to=f3", "Nf3 f3"},
        {"piece=knight", "Na3 Nc3 Nf3 Nh3"},
        {"piece=knight&to=f3", "Nf3"},
        {"piece=king", ""},
        {"from=e7", ""},
        {"from=e4", ""},
        {"ply=1&from=e7", "e5 e6"},
        {"ply=0&from=e2", "e3 e4"},
    };
    const char *id = match_new(*state);
    match_play(*state, id, "e4 Nf6 e5 Ng8");
    assert_string_equal(sans(match_get(*state, id, "/legal-moves?from=e5")), "e6");
    id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char rest[64];
        bool past = strncmp(rows[i].query, "ply", 3) == 0;
        const char *played = match_new(*state);
        match_play(*state, played, "e4 e5");
        (void)snprintf(rest, sizeof rest, "/legal-moves?%s", rows[i].query);
        print_message("%s\n", rows[i].query);
        assert_string_equal(sans(match_get(*state, past ? played : id, rest)), rows[i].sans);
    }
}

static void filters_that_cannot_be_are_refused(void **state)
{
    static const char *const queries[] = {
        "from=e9", "to=", "piece=soldier", "piece=", "ply=x", "group=from", "fen_ep=never"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        char rest[64];
        (void)snprintf(rest, sizeof rest, "/legal-moves?%s", queries[i]);
        print_message("%s\n", queries[i]);
        assert_problem(match_get(*state, id, rest), 400, "invalid-parameter");
    }
    assert_problem(match_get(*state, id, "/legal-moves?ply=1"), 404, "ply-not-found");
}

static void the_map_goes_from_square_to_squares(void **state)
{
    const char *id = match_new(*state);
    const struct answer *answer = match_get(*state, id, "/legal-moves?group=dests");
    assert_json(answer, "count", "20");
    assert_false(answer_has(answer, "moves"));
    assert_int_equal(answer_count(answer, "dests"), 10);
    assert_json(answer, "dests.e2", "[\"e3\",\"e4\"]");
    assert_json(answer, "dests.g1", "[\"f3\",\"h3\"]");
    answer = match_get(*state, id, "/legal-moves?group=dests&from=b1");
    assert_json(answer, "dests", "{\"b1\":[\"a3\",\"c3\"]}");
    assert_json(answer, "count", "2");
    id = match_new_fen(*state, "3k4/P7/8/8/8/8/8/4K2R w K - 0 1");
    answer = match_get(*state, id, "/legal-moves?group=dests");
    assert_json(answer, "dests.a7", "[\"a8\"]"); /* four promotions, one square */
    assert_json(answer, "dests.e1", "[\"d1\",\"f1\",\"g1\",\"d2\",\"e2\",\"f2\"]");
}

static void chess960_drops_the_king_on_the_rook(void **state)
{
    const char *id =
        match_new_json(*state, "{\"variant\":\"chess960\",\"fen\":\"4k3/8/8/8/8/8/8/1R3KR1 w KQ - 0 1\"}");
    const struct answer *answer = match_get(*state, id, "/legal-moves?group=dests&from=f1");
    assert_json(answer, "dests.f1", "[\"b1\",\"e1\",\"g1\",\"e2\",\"f2\",\"g2\"]");
    answer = match_get(*state, id, "/legal-moves?from=f1&to=c1");
    assert_json(answer, "moves.0.san", "\"O-O-O\"");
    assert_json(answer, "moves.0.uci", "\"f1b1\"");
    assert_json(answer, "moves.0.to", "\"c1\"");
}

static void text_is_one_san_a_word(void **state)
{
    const char *id = match_new_fen(*state, "7k/8/8/8/8/8/6P1/K7 w - - 0 1");
    char *text = strdup(match_text(*state, id, "/legal-moves"));
    const char *words[8], *got;
    size_t count = 0;
    assert_int_equal(text[strlen(text) - 1], '\n');
    text[strlen(text) - 1] = '\0';
    for (char *at = strtok(text, " "); at; at = strtok(NULL, " "))
        words[count++] = at;
    assert_int_equal(count, 5);
    qsort(words, count, sizeof *words, by_text);
    static const char *const expected[] = {"Ka2", "Kb1", "Kb2", "g3", "g4"};
    for (size_t i = 0; i < 5; i++)
        assert_string_equal(words[i], expected[i]);
    free(text);
    got = match_get(*state, id, "/legal-moves.txt?from=g2")->body;
    assert_true(strcmp(got, "g3 g4\n") == 0 || strcmp(got, "g4 g3\n") == 0);
}

static void a_game_that_is_over_has_no_legal_moves_at_its_last_ply(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    const struct answer *answer = match_get(*state, id, "/legal-moves");
    assert_json(answer, "count", "0");
    assert_json(answer, "moves", "[]");
    assert_json(match_get(*state, id, "/legal-moves?group=dests"), "dests", "{}");
    assert_string_equal(match_text(*state, id, "/legal-moves"), "\n");
    assert_json(match_get(*state, id, "/legal-moves?ply=0"), "count", "20");
    assert_json(match_get(*state, id, "/legal-moves?ply=1"), "count", "0");
    assert_json(match_get(*state, id, ""), "legal_move_count", "0");
    assert_string_equal(answer_header(answer, "Cache-Control"), "max-age=300");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(the_first_position_has_twenty_moves),
        CLIENT_TEST(an_entry_has_every_member),
        CLIENT_TEST(filters_choose_by_square_piece_and_ply),
        CLIENT_TEST(filters_that_cannot_be_are_refused),
        CLIENT_TEST(the_map_goes_from_square_to_squares),
        CLIENT_TEST(chess960_drops_the_king_on_the_rook),
        CLIENT_TEST(text_is_one_san_a_word),
        CLIENT_TEST(a_game_that_is_over_has_no_legal_moves_at_its_last_ply),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
