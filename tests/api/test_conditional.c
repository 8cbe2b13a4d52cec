/* ETag, If-None-Match, If-Match, HEAD, and what may be kept in a cache. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

static const struct {
    const char *rest, *tag; /* at version 3 */
} reads[] = {
    {"", "\"v3\""},
    {".txt", "\"v3.txt\""},
    {".pgn", "\"v3.pgn\""},
    {".fen", "\"v3.fen\""},
    {"/fen.fen", "\"v3.fen\""},
    {"/status", "\"v3\""},
    {"/status.txt", "\"v3.txt\""},
    {"/pgn", "\"v3.pgn\""},
    {"/fen", "\"v3.txt\""},
    {"/fen.json", "\"v3\""},
    {"/moves", "\"v3\""},
    {"/moves.txt", "\"v3.txt\""},
    {"/moves/1", "\"v3\""},
    {"/legal-moves", "\"v3\""},
    {"/legal-moves?group=dests", "\"v3\""},
    {"/board", "\"v3.txt\""},
    {"/board.json", "\"v3\""},
    {"/position", "\"v3\""},
    {"/repetitions", "\"v3\""},
    {"/draw", "\"v3\""},
};
enum { READS = sizeof reads / sizeof reads[0] };

static const char *two_moves(struct client *client)
{
    const char *id = match_new(client);
    match_play(client, id, "e4 e5");
    return id;
}

static void every_read_has_a_tag_of_version_and_format(void **state)
{
    const char *id = two_moves(*state);
    for (size_t i = 0; i < READS; i++) {
        print_message("%s\n", reads[i].rest);
        const struct answer *answer = match_get(*state, id, reads[i].rest);
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "ETag"), reads[i].tag);
        assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
        assert_string_equal(answer_header(answer, "Vary"), "Accept, Origin");
    }
}

static void an_own_tag_is_304_until_the_game_changes(void **state)
{
    const char *id = two_moves(*state);
    for (size_t i = 0; i < READS; i++) {
        print_message("%s\n", reads[i].rest);
        const char *target = match_path(id, reads[i].rest);
        const struct answer *answer = match_ask_with(*state, "GET", target, "If-None-Match", reads[i].tag);
        assert_status(answer, 304);
        assert_int_equal(answer->length, 0);
        assert_string_equal(answer_header(answer, "ETag"), reads[i].tag);
        assert_string_equal(answer_header(answer, "Cache-Control"), "no-cache");
        assert_status(match_ask_with(*state, "HEAD", target, "If-None-Match", reads[i].tag), 304);
    }
    match_play(*state, id, "Nf3");
    for (size_t i = 0; i < READS; i++)
        assert_status(
            match_ask_with(*state, "GET", match_path(id, reads[i].rest), "If-None-Match", reads[i].tag), 200);
}

static void if_none_match_compares_weakly_and_takes_lists(void **state)
{
    static const struct {
        const char *field;
        unsigned status;
    } rows[] = {
        {"\"v3\"", 304},  {"W/\"v3\"", 304}, {"\"v1\", \"v3\"", 304}, {"\"v1\",\"v2\" , W/\"v3\"", 304},
        {"*", 304},       {" * ", 304},      {"\"v2\"", 200},         {"\"v3.txt\"", 200},
        {"\"v30\"", 200}, {"v3", 200},       {"\"V3\"", 200},         {"\"v3", 200},
        {"\"\"", 200},    {"", 200},
    };
    const char *id = two_moves(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].field);
        assert_status(match_ask_with(*state, "GET", match_path(id, ""), "If-None-Match", rows[i].field),
                      rows[i].status);
    }
}

/* RFC 9110 13.2.1: a precondition counts only where the request would have succeeded. */
static void what_is_not_there_is_no_304(void **state)
{
    static const struct {
        const char *rest, *code;
        unsigned status;
    } rows[] = {
        {"/moves/3", "ply-not-found", 404},         {"/moves/0", "ply-not-found", 404},
        {"/fen?ply=3", "ply-not-found", 404},       {"/board?ply=3", "ply-not-found", 404},
        {"/position?ply=3", "ply-not-found", 404},  {"/legal-moves?ply=3", "ply-not-found", 404},
        {"/position?play=3", "unknown-field", 400}, {"/board.gif", NULL, 0},
    };
    const char *id = two_moves(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].rest);
        const struct answer *answer =
            match_ask_with(*state, "GET", match_path(id, rows[i].rest), "If-None-Match", "*");
        if (rows[i].code)
            assert_problem(answer, rows[i].status, rows[i].code);
        else
            assert_true(answer->status >= 400);
    }
    assert_problem(match_ask_with(*state, "GET", "/v1/games/222222222222", "If-None-Match", "*"), 404,
                   "game-not-found");
}

static void head_has_the_fields_of_get(void **state)
{
    const char *id = two_moves(*state);
    for (size_t i = 0; i < READS; i++) {
        const char *target = match_path(id, reads[i].rest);
        const struct answer *get = match_ask(*state, "GET", target);
        const struct answer *head = match_ask(*state, "HEAD", target);
        print_message("%s\n", target);
        assert_int_equal(head->status, 200);
        assert_int_equal(head->response.header_count, get->response.header_count);
        for (size_t h = 0; h < get->response.header_count; h++)
            assert_string_equal(answer_header(head, get->response.headers[h].name),
                                get->response.headers[h].value);
        assert_int_equal(head->length, get->length);
    }
    assert_problem(match_ask(*state, "HEAD", match_path(id, "/moves/9")), 404, "ply-not-found");
    assert_status(match_ask(*state, "HEAD", "/v1/games"), 200);
}

static void an_ended_game_may_be_kept_for_five_minutes(void **state)
{
    const char *id = two_moves(*state);
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    for (size_t i = 0; i < READS; i++) {
        const struct answer *answer = match_get(*state, id, reads[i].rest);
        print_message("%s\n", reads[i].rest);
        assert_string_equal(answer_header(answer, "Cache-Control"), "max-age=300");
    }
    const struct answer *answer =
        match_ask_with(*state, "GET", match_path(id, ""), "If-None-Match", "\"v4\"");
    assert_status(answer, 304);
    assert_string_equal(answer_header(answer, "Cache-Control"), "max-age=300");
}

/* ---- If-Match ---- */

struct change {
    const char *method, *rest, *json;
    unsigned status;
};

static const struct change changes[] = {
    {"POST", "/moves", "{\"move\":\"Nf3\"}", 201},
    {"PUT", "/moves/3", "{\"move\":\"Nf3\"}", 201},
    {"POST", "/undo", NULL, 200},
    {"PATCH", "", "{\"white\":{\"name\":\"A\"}}", 200},
    {"POST", "/resign", NULL, 200},
    {"POST", "/draw/claim", NULL, 200},
    {"DELETE", "", NULL, 204},
};
enum { CHANGES = sizeof changes / sizeof changes[0] };

static void every_change_can_be_bound_to_a_version(void **state)
{
    for (size_t i = 0; i < CHANGES; i++) {
        const struct change *change = &changes[i];
        const char *id = two_moves(*state);
        print_message("%s %s\n", change->method, change->rest);
        const struct answer *answer = match_send_with(*state, change->method, match_path(id, change->rest),
                                                      change->json, "If-Match", "\"v2\"");
        assert_problem(answer, 412, "version-mismatch");
        assert_json(answer, "game.version", "3");
        assert_json(answer, "game.ply", "2");
        assert_match_at(*state, id, 3, 2);
        answer = match_send_with(*state, change->method, match_path(id, change->rest), change->json,
                                 "If-Match", "\"v3\"");
        assert_status(answer, change->status);
    }
    const char *id = match_new(*state);
    assert_problem(match_ask_with(*state, "POST", match_path(id, "/abort"), "If-Match", "\"v9\""), 412,
                   "version-mismatch");
    assert_status(match_ask_with(*state, "POST", match_path(id, "/abort"), "If-Match", "\"v1\""), 200);
}

static void if_match_compares_strongly_and_takes_lists(void **state)
{
    static const struct {
        const char *field;
        bool fits;
    } rows[] = {
        {"\"v3\"", true},
        {"*", true},
        {"\"v2\", \"v3\"", true},
        {"\"v9\",\"v3.pgn\"", true},
        {"\"v3.txt\"", true},
        {"W/\"v3\"", false},
        {"\"v2\"", false},
        {"\"v03\"", false},
        {"\"v3.zip\"", false},
        {"v3", false},
        {"\"v3", false},
        {"\"\"", false},
        {"\"v33\"", false},
        {"\"4294967299\"", false},
        {"\"v4294967299\"", false},
        {"\"a\",\"b\",\"c\",\"d\",\"e\",\"f\",\"g\",\"h\",\"i\",\"v3\"", true},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const char *id = two_moves(*state);
        print_message("%s\n", rows[i].field);
        const struct answer *answer = match_send_with(*state, "POST", match_path(id, "/moves"),
                                                      "{\"move\":\"Nf3\"}", "If-Match", rows[i].field);
        if (rows[i].fits)
            assert_status(answer, 201);
        else
            assert_problem(answer, 412, "version-mismatch");
    }
}

/* API 5: readable, replay by ply, If-Match, game over, legality. */
static void the_order_of_checks_is_that_of_the_contract(void **state)
{
    const char *id = two_moves(*state);
    const char *moves = match_path(id, "/moves");
    assert_problem(match_send_with(*state, "POST", moves, "{\"mvoe\":1}", "If-Match", "\"v1\""), 400,
                   "unknown-field");
    const struct answer *answer =
        match_send_with(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\"}", "If-Match", "\"v1\"");
    assert_status(answer, 200); /* it is what was wanted already */
    assert_problem(match_send_with(*state, "POST", moves, "{\"move\":\"Ke8\"}", "If-Match", "\"v1\""), 412,
                   "version-mismatch");
    assert_status(match_ask(*state, "POST", match_path(id, "/resign")), 200);
    assert_problem(match_send_with(*state, "POST", moves, "{\"move\":\"Nf3\"}", "If-Match", "\"v1\""), 412,
                   "version-mismatch");
    assert_problem(match_send_with(*state, "POST", moves, "{\"move\":\"Ke8\"}", "If-Match", "\"v4\""), 409,
                   "game-over");
    answer = match_send_with(*state, "POST", match_path(id, "/resign"), NULL, "If-Match", "\"v1\"");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
}

static void a_create_has_no_version_to_match(void **state)
{
    assert_status(match_send_with(*state, "POST", "/v1/games", "{}", "If-Match", "\"v7\""), 201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_read_has_a_tag_of_version_and_format),
        CLIENT_TEST(an_own_tag_is_304_until_the_game_changes),
        CLIENT_TEST(if_none_match_compares_weakly_and_takes_lists),
        CLIENT_TEST(what_is_not_there_is_no_304),
        CLIENT_TEST(head_has_the_fields_of_get),
        CLIENT_TEST(an_ended_game_may_be_kept_for_five_minutes),
        CLIENT_TEST(every_change_can_be_bound_to_a_version),
        CLIENT_TEST(if_match_compares_strongly_and_takes_lists),
        CLIENT_TEST(the_order_of_checks_is_that_of_the_contract),
        CLIENT_TEST(a_create_has_no_version_to_match),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
