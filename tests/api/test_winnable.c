/* Whether a side can still mate, asked about loose positions (FIDE 5.1.2, 5.2.2, 6.9). */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/winnable.h"
#include "tests/api/match.h"

#define TARGET "/v1/positions/winnable"
#define FORM   "application/x-www-form-urlencoded"

static const struct answer *ask(struct client *client, const char *fen, const char *color)
{
    char body[256];
    (void)snprintf(body, sizeof body, "{\"fen\":\"%s\",\"color\":\"%s\"}", fen, color);
    const struct answer *answer = match_send(client, "POST", TARGET, body);
    assert_status(answer, 200);
    return answer;
}

/* The line at `path` is legal from the FEN and ends in mate by `winner`. */
static void assert_mates(struct client *client, const struct answer *answer, const char *fen,
                         const char *path, const char *winner)
{
    char body[16384];
    int put = snprintf(body, sizeof body, "{\"fen\":\"%s\",\"moves\":[", fen);
    for (int i = 0; i < answer_count(answer, path); i++) {
        char uci[64];
        (void)snprintf(uci, sizeof uci, "%s.%d.uci", path, i);
        put += snprintf(body + put, sizeof body - (size_t)put, "%s\"%s\"", i ? "," : "",
                        answer_text(answer, uci));
    }
    (void)snprintf(body + put, sizeof body - (size_t)put, "]}");
    const struct answer *line = match_send(client, "POST", "/v1/positions/line", body);
    assert_json(line, "fault", "null");
    assert_json(line, "position.status", "\"checkmate\"");
    assert_string_not_equal(answer_text(line, "position.turn"), winner);
}

static void yes_comes_with_a_mate(void **state)
{
    static const struct {
        const char *fen, *color;
    } rows[] = {
        {START_FEN, "white"},
        {START_FEN, "black"},
        {"7k/8/8/8/8/8/R7/K7 w - - 0 1", "white"},
        {"7k/7p/8/8/8/8/8/K5N1 w - - 0 1",
         "white"}, /* a knight can, as the pawn takes a square from its king */
        {"8/8/8/8/4k3/8/4p3/4K3 w - - 0 1", "black"},
    };
    static const struct member TOP[] = {{"fen", NULL},    {"color", NULL}, {"winnable", "\"yes\""},
                                        {"method", NULL}, {"nodes", NULL}, {"line", NULL}};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s %s\n", rows[i].fen, rows[i].color);
        const struct answer *answer = ask(*state, rows[i].fen, rows[i].color);
        ASSERT_MEMBERS(answer, "", TOP);
        assert_string_equal(answer_text(answer, "fen"), rows[i].fen);
        assert_string_equal(answer_text(answer, "color"), rows[i].color);
        assert_mates(*state, answer, rows[i].fen, "line", rows[i].color);
    }
}

static void no_says_how_it_is_proven(void **state)
{
    static const struct {
        const char *label, *fen, *color, *method;
    } rows[] = {
        {"a bare king", "7k/8/8/8/8/8/R7/K7 w - - 0 1", "black", "\"material\""},
        {"a knight alone", "7k/8/8/8/8/8/8/K5N1 w - - 0 1", "white", "\"material\""},
        {"a wall of pawns", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/6K1/8 b - - 0 1", "white", "\"structure\""},
        {"stalemate", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "white", "\"terminal\""},
        {"mated oneself", "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "black", "\"terminal\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].label);
        const struct answer *answer = ask(*state, rows[i].fen, rows[i].color);
        assert_json(answer, "winnable", "\"no\"");
        assert_json(answer, "method", rows[i].method);
        assert_json(answer, "line", "[]");
    }
    const struct answer *mate = ask(*state, "R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "white");
    assert_json(mate, "winnable", "\"yes\"");
    assert_json(mate, "method", "\"terminal\"");
    assert_json(mate, "line", "[]");
}

static void the_question_comes_in_any_form(void **state)
{
    static const struct {
        const char *type, *body, *color;
    } rows[] = {
        {"application/json", "{\"fen\":\"7k/8/8/8/8/8/R7/K7 w - - 0 1\"}", "\"white\""},
        {"application/json", "{\"fen\":\"7k/8/8/8/8/8/R7/K7_b\",\"variant\":\"standard\"}", "\"black\""},
        {FORM, "fen=7k/8/8/8/8/8/R7/K7+w&color=black", "\"black\""},
        {FORM, "7k/8/8/8/8/8/R7/K7 w - - 0 1", "\"white\""},
        {"text/plain", "7k/8/8/8/8/8/R7/K7_b_-_-_0_1\n", "\"black\""},
        {NULL, "7k/8/8/8/8/8/R7/K7 b", "\"black\""},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].body);
        const struct answer *answer = client_post(*state, TARGET, rows[i].type, rows[i].body);
        assert_status(answer, 200);
        assert_json(answer, "color", rows[i].color);
    }
}

static void text_is_one_line(void **state)
{
    assert_string_equal(client_curl(*state, TARGET ".txt", "7k/8/8/8/8/8/8/K5N1 w - - 0 1")->body,
                        "no: material\n");
    const char *text = client_curl(*state, TARGET ".txt", "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1")->body;
    assert_int_equal(strncmp(text, "yes: search: ", strlen("yes: search: ")), 0);
    assert_string_equal(text + strlen(text) - 2, "#\n");
}

static void what_is_no_question_is_refused(void **state)
{
    static const struct {
        const char *json, *code, *pointer;
        unsigned status;
    } rows[] = {
        {"{}", "invalid-parameter", "\"/fen\"", 400},
        {"{\"color\":\"white\"}", "invalid-parameter", "\"/fen\"", 400},
        {"{\"fen\":\"\"}", "invalid-parameter", "\"/fen\"", 400},
        {"{\"fen\":\"9/8\"}", "invalid-fen", "\"/fen\"", 400},
        {"{\"fen\":\"8/8/8/8/8/8/8/K7 w - - 0 1\"}", "illegal-position", "\"/fen\"", 422},
        {"{\"fen\":\"7k/8/8/8/8/8/R7/K7 w\",\"color\":\"red\"}", "invalid-parameter", "\"/color\"", 400},
        {"{\"fen\":\"7k/8/8/8/8/8/R7/K7 w\",\"nodes\":5}", "unknown-field", "\"/nodes\"", 400},
        {"{\"fen\":\"7k/8/8/8/8/8/R7/K7 w\",\"moves\":[]}", "unknown-field", "\"/moves\"", 400},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json);
        const struct answer *answer = match_send(*state, "POST", TARGET, rows[i].json);
        assert_problem(answer, rows[i].status, rows[i].code);
        assert_json(answer, "pointer", rows[i].pointer);
    }
    assert_problem(client_act(*state, TARGET), 400, "invalid-parameter");
    assert_problem(client_get(*state, TARGET), 405, "method-not-allowed");
}

/* It may work long: never on a network thread. */
static void the_search_runs_on_the_pool(void **state)
{
    assert_true(ask(*state, START_FEN, "white")->blocked);
    assert_true(client_get(*state, "/v1/positions")->blocked);
    assert_false(client_get(*state, "/v1/positions.txt")->blocked);
    assert_false(client_get(*state, "/v1/positions?fen=9/8")->blocked);
}

static void a_position_says_who_can_still_win(void **state)
{
    static const struct member DECISION[] = {
        {"winnable", "\"yes\""}, {"method", "\"search\""}, {"nodes", NULL}, {"line", NULL}};
    const struct answer *answer = client_get(*state, "/v1/positions?fen=7k/8/8/8/8/8/R7/K7_w");
    ASSERT_MEMBERS(answer, "winnable.white", DECISION);
    assert_mates(*state, answer, "7k/8/8/8/8/8/R7/K7 w - - 0 1", "winnable.white.line", "white");
    assert_json(answer, "winnable.black.winnable", "\"no\"");
    assert_json(answer, "winnable.black.method", "\"material\"");
    answer = client_get(*state, "/v1/positions?moves=f3,e5,g4,Qh4");
    assert_json(answer, "winnable.white.method", "\"terminal\"");
    assert_json(answer, "winnable.black.winnable", "\"yes\"");
}

/* ---- the limit ----------------------------------------------------------------------------------------- */

static int set_up_small(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.winnable_nodes = 1000;
    *state = client_open(&options);
    return 0;
}

/* In the first position a mate is easily set up, but not found among the first thousand positions. */
static void the_search_ends_at_its_limit(void **state)
{
    /* The pawns stand in each other's way. */
    static const char blocked[] = "4k3/1p3p2/pPp1pPp1/P1PpP1Pp/3P3P/8/P7/R3K3 w Q - 0 1";
    const struct answer *answer = ask(*state, blocked, "white");
    assert_json(answer, "winnable", "\"undetermined\"");
    assert_json(answer, "method", "null");
    assert_json(answer, "line", "[]");
    assert_in_range(answer_integer(answer, "nodes"), 500, 4000); /* several searches */
    assert_string_equal(client_curl(*state, TARGET ".txt", blocked)->body, "undetermined\n");
    assert_int_equal(api_limits_default().winnable_nodes, WINNABLE_NODES_DEFAULT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(yes_comes_with_a_mate),
        CLIENT_TEST(no_says_how_it_is_proven),
        CLIENT_TEST(the_question_comes_in_any_form),
        CLIENT_TEST(text_is_one_line),
        CLIENT_TEST(what_is_no_question_is_refused),
        CLIENT_TEST(the_search_runs_on_the_pool),
        CLIENT_TEST(a_position_says_who_can_still_win),
        cmocka_unit_test_setup_teardown(the_search_ends_at_its_limit, set_up_small, client_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
