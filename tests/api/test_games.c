/* One game: reading, status, FEN, changing names and metadata, removing. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"

#define AFTER_E4 "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1"

/* ---- reading ---- */

static void a_game_reads_the_same_from_memory_and_from_the_log(void **state)
{
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"A\"},\"moves\":[\"e4\",\"e5\",\"Qh5\"]}");
    const char *live = match_get(*state, id, "")->body;
    client_forget(*state);
    const struct answer *cold = match_get(*state, id, "");
    assert_true(cold->blocked);
    assert_string_equal(cold->body, live);
    assert_false(match_get(*state, id, "")->blocked);
}

static void what_no_game_has_is_game_not_found(void **state)
{
    static const char *const ids[] = {"222222222222",  "22222222222", "2222222222222", "AAAAAAAAAAAA",
                                      "2222222222%20", "..",          "l0o1l0o1l0o1"};
    static const char *const routes[] = {"",         "/status", "/pgn",         "/fen",      "/moves",
                                         "/moves/1", "/board",  "/legal-moves", "/position", "/repetitions",
                                         "/draw",    ".pgn",    "/board.json"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        for (size_t r = 0; r < sizeof routes / sizeof routes[0]; r++) {
            print_message("%s%s\n", ids[i], routes[r]);
            assert_problem(match_get(*state, ids[i], routes[r]), 404, "game-not-found");
        }
    }
    static const char *const actions[] = {"/moves", "/undo", "/fork", "/draw/claim", "/resign", "/abort"};
    for (size_t a = 0; a < sizeof actions / sizeof actions[0]; a++) {
        bool plays = strcmp(actions[a], "/moves") == 0;
        const struct answer *answer =
            match_send(*state, "POST", match_path(ids[0], actions[a]), plays ? "{\"move\":\"e4\"}" : NULL);
        assert_problem(answer, 404, "game-not-found");
    }
    assert_problem(match_send(*state, "PUT", match_path(ids[0], "/moves/1"), "{\"move\":\"e4\"}"), 404,
                   "game-not-found");
    assert_problem(match_send(*state, "PATCH", match_path(ids[0], ""), "{\"visibility\":\"unlisted\"}"), 404,
                   "game-not-found");
    assert_problem(match_ask(*state, "DELETE", match_path(ids[0], "")), 404, "game-not-found");
}

static void a_problem_has_all_members_and_a_line_of_text_where_only_text_is_read(void **state)
{
    static const struct member MEMBERS[] = {
        {"type", "\"/v1/problems/game-not-found\""},
        {"title", "\"There is no such game\""},
        {"status", "404"},
        {"detail", NULL},
        {"instance", "\"/v1/games/222222222222\""},
        {"code", "\"game-not-found\""},
        {"request_id", "\"test-request\""},
    };
    const struct answer *answer = client_get(*state, "/v1/games/222222222222?x_secret=1");
    ASSERT_MEMBERS(answer, "", MEMBERS);
    assert_string_equal(answer_header(answer, "Content-Type"), "application/problem+json");
    static const char *const accepts[] = {"text/plain", "text/*", "text/plain;q=0.5, application/json;q=0"};
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++) {
        answer = client_get_as(*state, "/v1/games/222222222222", accepts[i]);
        assert_problem(answer, 404, "game-not-found");
        assert_int_equal(strncmp(answer->body, "error: game-not-found: ", 23), 0);
        assert_string_equal(strchr(answer->body, '\n'), "\n");
    }
    assert_int_equal(strncmp(client_get(*state, "/v1/games/222222222222.txt")->body, "error: ", 7), 0);
    assert_non_null(client_get_as(*state, "/v1/games/222222222222", "text/html, */*")->json);
}

static void status_is_the_small_form(void **state)
{
    static const struct member ACTIVE[] = {
        {"status", "\"active\""}, {"result", "\"*\""},   {"winner", "null"},
        {"termination", "null"},  {"turn", "\"black\""}, {"ply", "1"},
        {"version", "2"},         {"check", "false"},    {"clock", "null"},
    };
    static const struct member ENDED[] = {
        {"status", "\"ended\""}, {"result", "\"0-1\""},
        {"winner", "\"black\""}, {"termination", "\"checkmate\""},
        {"turn", "\"white\""},   {"ply", "4"},
        {"version", "5"},        {"check", "true"},
        {"clock", "null"},
    };
    const char *id = match_new_json(*state, "{\"moves\":[\"f3\"]}");
    ASSERT_MEMBERS(match_get(*state, id, "/status"), "", ACTIVE);
    assert_string_equal(match_text(*state, id, "/status"), "active *\n");
    match_play(*state, id, "e5 g4 Qh4");
    ASSERT_MEMBERS(match_get(*state, id, "/status"), "", ENDED);
    assert_string_equal(match_text(*state, id, "/status"), "ended 0-1 checkmate\n");
    assert_string_equal(match_get(*state, id, "/status.txt")->body, "ended 0-1 checkmate\n");
}

static void the_fen_comes_as_a_line_at_any_ply(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    const struct answer *answer = match_get(*state, id, "/fen");
    assert_string_equal(answer->body, AFTER_E4 "\n");
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    assert_string_equal(match_get(*state, id, ".fen")->body, AFTER_E4 "\n");
    assert_string_equal(match_get(*state, id, "/fen.txt")->body, AFTER_E4 "\n");
    assert_string_equal(match_get(*state, id, "/fen?ply=0")->body, START_FEN "\n");
    assert_string_equal(match_get(*state, id, ".fen?ply=0")->body, START_FEN "\n");
    assert_string_equal(match_get(*state, id, "/fen?fen_ep=always")->body,
                        "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1\n");
    answer = match_get(*state, id, "/fen.json");
    assert_json(answer, "fen", "\"" AFTER_E4 "\"");
    assert_json(answer, "ply", "1");
    answer = match_get(*state, id, "/fen?ply=2");
    assert_problem(answer, 404, "ply-not-found");
    assert_json(answer, "game.ply", "1");
    assert_problem(match_get(*state, id, "/fen?ply=-1"), 400, "invalid-parameter");
    assert_problem(match_get(*state, id, "/fen?ply=one"), 400, "invalid-parameter");
    assert_problem(match_get(*state, id, "/fen?ply="), 400, "invalid-parameter");
}

static void formats_follow_suffix_then_accept(void **state)
{
    static const struct {
        const char *rest, *accept, *type; /* NULL: 406 */
    } rows[] = {
        {"", "*/*", "application/json"},
        {"", NULL, "application/json"},
        {"", "application/json", "application/json"},
        {"", "text/plain", "text/plain; charset=utf-8"},
        {"", "application/vnd.chess-pgn", "application/vnd.chess-pgn; charset=utf-8"},
        {"", "application/x-chess-pgn", "application/vnd.chess-pgn; charset=utf-8"},
        {"", "text/plain;q=0.2, application/json;q=0.1", "text/plain; charset=utf-8"},
        {".json", "text/plain", "application/json"},
        {".txt", "application/json", "text/plain; charset=utf-8"},
        {".pgn", "application/json", "application/vnd.chess-pgn; charset=utf-8"},
        {".fen", "image/png", "text/plain; charset=utf-8"},
        {"", "image/png", NULL},
        {".svg", "*/*", NULL},
        {"/board.svg", "text/plain", "image/svg+xml"},
        {"/board.png", "*/*", "image/png"},
        /* As browsers ask for <img>. */
        {"/board", "image/avif,image/webp,image/apng,image/svg+xml,image/*,*/*;q=0.8", "image/svg+xml"},
        {"/board", "image/png", "image/png"},
        {"/board", "image/gif", NULL},
        {"/board", "*/*", "text/plain; charset=utf-8"},
        {"/board", "application/json", "application/json"},
        {"/board", "image/svg+xml", "image/svg+xml"},
        {"/fen", "*/*", "text/plain; charset=utf-8"},
        {"/fen", "application/json", "application/json"},
        {"/pgn", "*/*", "application/vnd.chess-pgn; charset=utf-8"},
        {"/pgn", "application/json", NULL},
        {"/pgn.json", "*/*", NULL},
        {"/moves.txt", NULL, "text/plain; charset=utf-8"},
        {"/draw", "text/html", NULL},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        const struct answer *answer =
            client_get_as(*state, match_path(id, rows[i].rest), rows[i].accept ? rows[i].accept : "");
        print_message("%s as %s\n", rows[i].rest, rows[i].accept);
        if (rows[i].type) {
            assert_status(answer, 200);
            assert_string_equal(answer_header(answer, "Content-Type"), rows[i].type);
        } else if (answer->status != 404) { /* a suffix that no format has is part of the name */
            assert_problem(answer, 406, "not-acceptable");
            assert_true(answer_count(answer, "available") > 0);
        }
    }
}

static void the_text_of_a_game_begins_with_its_fen(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    assert_string_equal(match_text(*state, id, ""), AFTER_E4 "\nactive *\n");
}

/* ---- changing ---- */

static void names_metadata_and_visibility_change_by_patch(void **state)
{
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"A\"},\"metadata\":{\"a\":1}}");
    client_set_time(*state, 1767323046000);
    const struct answer *answer =
        match_send(*state, "PATCH", match_path(id, ""),
                   "{\"black\":{\"name\":\"B\"},\"metadata\":{\"b\": 2},\"visibility\":\"unlisted\"}");
    assert_status(answer, 200);
    assert_json(answer, "version", "2");
    assert_json(answer, "white.name", "\"A\"");
    assert_json(answer, "black.name", "\"B\"");
    assert_json(answer, "metadata", "{\"b\":2}");
    assert_json(answer, "visibility", "\"unlisted\"");
    assert_json(answer, "created_at", "\"2026-01-02T03:04:05.678Z\"");
    assert_json(answer, "updated_at", "\"2026-01-02T03:04:06.000Z\"");
    assert_string_equal(answer_header(answer, "ETag"), "\"v2\"");
    const char *changed = answer->body;
    assert_string_equal(match_get(*state, id, "")->body, changed);
    client_forget(*state);
    assert_string_equal(match_get(*state, id, "")->body, changed);
}

static void null_takes_a_name_and_metadata_away(void **state)
{
    const char *id = match_new_json(*state, "{\"white\":{\"name\":\"A\"},\"metadata\":{\"a\":1}}");
    const struct answer *answer =
        match_send(*state, "PATCH", match_path(id, ""), "{\"white\":{\"name\":null},\"metadata\":null}");
    assert_status(answer, 200);
    assert_json(answer, "white", "{\"name\":null,\"taken\":false}");
    assert_json(answer, "metadata", "{}");
    client_forget(*state);
    assert_json(match_get(*state, id, ""), "white.name", "null");
    assert_json(match_get(*state, id, ""), "metadata", "{}");
}

static void a_patch_that_says_nothing_known_changes_nothing(void **state)
{
    static const struct {
        const char *json, *code;
    } rows[] = {
        {"{}", "invalid-parameter"},
        {NULL, "invalid-parameter"},
        {"{\"white\":{}}", "invalid-parameter"},
        {"{\"x_only\":1}", "invalid-parameter"},
        {"{\"visibility\":\"hidden\"}", "invalid-parameter"},
        {"{\"visibility\":null}", "invalid-parameter"},
        {"{\"fen\":\"8/8/8/8/8/8/8/8\"}", "unknown-field"},
        {"{\"rules\":{}}", "unknown-field"},
        {"{\"visibilty\":\"public\"}", "unknown-field"},
        {"{\"result\":\"1-0\"}", "unknown-field"},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i].json ? rows[i].json : "no body");
        assert_problem(match_send(*state, "PATCH", match_path(id, ""), rows[i].json), 400, rows[i].code);
    }
    assert_json(match_send(*state, "PATCH", match_path(id, ""), "{\"visibilty\":\"public\"}"), "nearest",
                "\"visibility\"");
    struct call call = {.method = "PATCH",
                        .target = match_path(id, ""),
                        .body = "<visibility/>",
                        .headers = {{"Content-Type", "application/xml"}},
                        .scope = REQUEST_SCOPE_LOOPBACK};
    const struct answer *answer = client_send(*state, &call);
    assert_problem(answer, 415, "unsupported-media-type");
    assert_string_equal(answer_header(answer, "Accept-Patch"),
                        "application/json, application/x-www-form-urlencoded");
    assert_match_at(*state, id, 1, 0);
}

static void an_ended_game_can_still_get_names(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"f3\",\"e5\",\"g4\",\"Qh4\"]}");
    const struct answer *answer =
        match_send(*state, "PATCH", match_path(id, ""), "{\"white\":{\"name\":\"Fool\"}}");
    assert_status(answer, 200);
    assert_json(answer, "white.name", "\"Fool\"");
    assert_json(answer, "termination", "\"checkmate\"");
}

/* ---- removing ---- */

static void a_game_is_removed_once(void **state)
{
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    const struct answer *answer = match_ask(*state, "DELETE", match_path(id, ""));
    assert_status(answer, 204);
    assert_int_equal(answer->length, 0);
    assert_problem(match_ask(*state, "DELETE", match_path(id, "")), 404, "game-not-found");
    assert_problem(match_get(*state, id, ""), 404, "game-not-found");
    assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e5\"}"), 404, "game-not-found");
    assert_json(client_get(*state, "/v1/games"), "data", "[]");
    client_forget(*state);
    assert_problem(match_get(*state, id, ""), 404, "game-not-found");
}

/* ---- what is not there ---- */

static void routes_that_there_are_not_are_not_found(void **state)
{
    static const char *const posts[] = {"/seat", "/token", "/draw/refuse", "/clock/take"};
    static const char *const gets[] = {"/event", "/nothing", "/moves/1/2", "/"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof posts / sizeof posts[0]; i++)
        assert_problem(match_ask(*state, "POST", match_path(id, posts[i])), 404, "not-found");
    for (size_t i = 0; i < sizeof gets / sizeof gets[0]; i++)
        assert_problem(match_get(*state, id, gets[i]), 404, "not-found");
}

static void a_method_that_a_route_has_not_is_told_those_it_has(void **state)
{
    static const struct {
        const char *method, *rest, *allow;
    } rows[] = {
        {"POST", "", "GET, HEAD, PATCH, DELETE, OPTIONS"},
        {"PUT", "/moves", "GET, HEAD, POST, OPTIONS"},
        {"POST", "/moves/1", "GET, HEAD, PUT, OPTIONS"},
        {"DELETE", "/moves/1", "GET, HEAD, PUT, OPTIONS"},
        {"GET", "/undo", "POST, OPTIONS"},
        {"HEAD", "/fork", "POST, OPTIONS"},
        {"GET", "/draw/claim", "POST, OPTIONS"},
        {"GET", "/resign", "POST, OPTIONS"},
        {"PUT", "/abort", "POST, OPTIONS"},
        {"POST", "/draw", "GET, HEAD, OPTIONS"},
        {"POST", "/board", "GET, HEAD, OPTIONS"},
        {"PATCH", "/status", "GET, HEAD, OPTIONS"},
        {"POST", "/legal-moves", "GET, HEAD, OPTIONS"},
        {"BREW", "/pgn", "GET, HEAD, OPTIONS"},
    };
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s %s\n", rows[i].method, rows[i].rest);
        const struct answer *answer = match_ask(*state, rows[i].method, match_path(id, rows[i].rest));
        assert_problem(answer, 405, "method-not-allowed");
        assert_string_equal(answer_header(answer, "Allow"), rows[i].allow);
    }
}

static void no_route_of_a_game_takes_a_parameter_that_it_does_not_know(void **state)
{
    static const char *const rows[] = {"?ply=1",           "/status?ply=0",         "/pgn?comment=false",
                                       "/fen?plyy=0",      "/moves?offset=1",       "/moves/1?ply=1",
                                       "/board?color=red", "/position?fen=1",       "/repetitions?count=2",
                                       "/draw?reason=1",   "/legal-moves?square=e2"};
    const char *id = match_new_json(*state, "{\"moves\":[\"e4\"]}");
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        print_message("%s\n", rows[i]);
        const struct answer *answer = match_get(*state, id, rows[i]);
        assert_problem(answer, 400, "unknown-field");
        assert_true(answer_has(answer, "parameter"));
    }
    assert_json(match_get(*state, id, "/fen?plyy=0"), "nearest", "\"ply\"");
    assert_problem(match_get(*state, id, "/fen?ply=0&ply=0"), 400, "invalid-parameter");
    assert_status(match_get(*state, id, "/fen?x_mine=1"), 200);
}

static void a_target_that_is_too_long_is_414(void **state)
{
    char target[4098] = "/v1/games?x_a=";
    memset(target + strlen(target), 'a', 4096 - strlen(target));
    target[4096] = '\0';
    assert_status(client_get(*state, target), 200);
    target[4096] = 'a';
    target[4097] = '\0';
    assert_problem(client_get(*state, target), 414, "uri-too-long");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_game_reads_the_same_from_memory_and_from_the_log),
        CLIENT_TEST(what_no_game_has_is_game_not_found),
        CLIENT_TEST(a_problem_has_all_members_and_a_line_of_text_where_only_text_is_read),
        CLIENT_TEST(status_is_the_small_form),
        CLIENT_TEST(the_fen_comes_as_a_line_at_any_ply),
        CLIENT_TEST(formats_follow_suffix_then_accept),
        CLIENT_TEST(the_text_of_a_game_begins_with_its_fen),
        CLIENT_TEST(names_metadata_and_visibility_change_by_patch),
        CLIENT_TEST(null_takes_a_name_and_metadata_away),
        CLIENT_TEST(a_patch_that_says_nothing_known_changes_nothing),
        CLIENT_TEST(an_ended_game_can_still_get_names),
        CLIENT_TEST(a_game_is_removed_once),
        CLIENT_TEST(routes_that_there_are_not_are_not_found),
        CLIENT_TEST(a_method_that_a_route_has_not_is_told_those_it_has),
        CLIENT_TEST(no_route_of_a_game_takes_a_parameter_that_it_does_not_know),
        CLIENT_TEST(a_target_that_is_too_long_is_414),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
