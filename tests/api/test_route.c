/* api/route and api/path: which operation a request means. */
#include "api/route.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

static const char ID[] = "abcdefghjkmn";

static const struct answer *send(struct client *client, const char *method, const char *target)
{
    struct call call = {.method = method, .target = target, .scope = REQUEST_SCOPE_LOOPBACK};
    return client_send(client, &call);
}

static void unknown_paths_are_not_found(void **state)
{
    static const char *const TARGETS[] = {
        "/v2",
        "/v1/",
        "/v1/nothing",
        "/V1/limits",
        "//v1/limits",
        "/v1/limits/",
        "/v1/limits/more",
        "/v1/games/abcdefghjkmn/moves/1/more",
        "/v1/games//moves",
        "/a/b/c/d/e/f/g/h/i/j/k",
        "/openapi",
        "/openapi.xml",
    };
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++)
        assert_problem(client_get(*state, TARGETS[i]), 404, "not-found");
}

static void routes_that_there_are_not_are_not_found(void **state)
{
    static const char *const REST[] = {"event", "seat", "winnable"};
    for (size_t i = 0; i < sizeof REST / sizeof REST[0]; i++) {
        char target[64];
        (void)snprintf(target, sizeof target, "/v1/games/%s/%s", ID, REST[i]);
        assert_problem(client_get(*state, target), 404, "not-found");
    }
}

static void a_path_that_cannot_be_read_is_malformed(void **state)
{
    static const char *const TARGETS[] = {"v1/limits",
                                          "",
                                          "*",
                                          "http://localhost/v1",
                                          "/v1/%",
                                          "/v1/%zz",
                                          "/v1/games/a%00b",
                                          "/v1/games/a%2Fb",
                                          "/v1/%C0%AF",
                                          "/v1/\xFF"};
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++)
        assert_problem(client_get(*state, TARGETS[i]), 400, "malformed-request");
}

static void escaped_letters_of_a_path_are_the_letters(void **state)
{
    assert_int_equal(client_get(*state, "/v1/%6Cimits")->status, 200);
    assert_problem(client_get(*state, "/v1/%25"), 404, "not-found");
}

static void a_game_id_that_cannot_be_one_is_not_found(void **state)
{
    static const char *const IDS[] = {"abc",          "abcdefghjkm",  "abcdefghjkmnp",
                                      "ABCDEFGHJKMN", "abcdefghjkm1", "abcdefghjklm",
                                      "..",           "%2e%2e"};
    for (size_t i = 0; i < sizeof IDS / sizeof IDS[0]; i++) {
        char target[64];
        (void)snprintf(target, sizeof target, "/v1/games/%s", IDS[i]);
        assert_problem(client_get(*state, target), 404, "game-not-found");
    }
}

static void a_ply_that_cannot_be_one_is_not_found(void **state)
{
    static const char *const PLIES[] = {"x", "-1", "1.0", "01", "100000", "99999999999999999999"};
    for (size_t i = 0; i < sizeof PLIES / sizeof PLIES[0]; i++) {
        char target[80];
        (void)snprintf(target, sizeof target, "/v1/games/%s/moves/%s", ID, PLIES[i]);
        assert_problem(client_get(*state, target), 404, "ply-not-found");
    }
}

static void the_longest_target_is_read_and_one_byte_more_is_not(void **state)
{
    char target[4096 + 2];
    memset(target, 'a', sizeof target);
    memcpy(target, "/v1/limits?x_", 13);
    target[4096] = '\0';
    assert_int_equal(client_get(*state, target)->status, 200);
    target[4096] = 'a';
    target[4097] = '\0';
    assert_problem(client_get(*state, target), 414, "uri-too-long");
}

static void a_method_that_the_path_does_not_take_is_told_which_it_takes(void **state)
{
    const struct answer *answer = send(*state, "DELETE", "/v1/limits");
    assert_problem(answer, 405, "method-not-allowed");
    assert_string_equal(answer_header(answer, "Allow"), "GET, HEAD, OPTIONS");
    answer = send(*state, "PUT", "/v1/games");
    assert_string_equal(answer_header(answer, "Allow"), "GET, HEAD, POST, OPTIONS");
    answer = send(*state, "BREW", "/v1/games");
    assert_problem(answer, 405, "method-not-allowed");
    answer = send(*state, "get", "/v1/games");
    assert_problem(answer, 405, "method-not-allowed");
}

static void a_method_on_no_path_is_not_found(void **state)
{
    assert_problem(send(*state, "BREW", "/coffee"), 404, "not-found");
    assert_problem(send(*state, "OPTIONS", "/coffee"), 404, "not-found");
}

static void options_is_answered_on_every_row_of_the_table(void **state)
{
    for (size_t i = 0; i < route_count; i++) {
        const struct answer *answer = send(*state, "OPTIONS", route_table[i].path);
        assert_int_equal(answer->status, 204);
        assert_non_null(strstr(answer_header(answer, "Allow"), "OPTIONS"));
        assert_string_equal(answer->route, route_table[i].path);
    }
}

static void options_of_the_whole_service_names_all_methods(void **state)
{
    const struct answer *answer = send(*state, "OPTIONS", "*");
    assert_int_equal(answer->status, 204);
    assert_string_equal(answer_header(answer, "Allow"), "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS");
}

static void head_is_answered_wherever_get_is(void **state)
{
    static const char *const TARGETS[] = {"/",        "/v1",           "/v1/limits",
                                          "/healthz", "/openapi.yaml", "/v1/positions"};
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        const struct answer *head = send(*state, "HEAD", TARGETS[i]), *get = send(*state, "GET", TARGETS[i]);
        assert_int_equal(head->status, get->status);
        assert_int_equal(head->length, get->length);
        assert_string_equal(answer_header(head, "Content-Type"), answer_header(get, "Content-Type"));
        assert_string_equal(answer_header(head, "Cache-Control"), answer_header(get, "Cache-Control"));
    }
}

static void a_suffix_beats_the_accept_field(void **state)
{
    const struct answer *answer = client_get_as(*state, "/healthz.txt", "application/json");
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    answer = client_get_as(*state, "/healthz.json", "text/plain");
    assert_string_equal(answer_header(answer, "Content-Type"), "application/json");
}

static void a_format_that_there_is_not_is_refused_with_those_there_are(void **state)
{
    const struct answer *answer = client_get_as(*state, "/v1/limits", "image/png");
    assert_problem(answer, 406, "not-acceptable");
    assert_string_equal(answer_words(answer, "available"), "application/json text/plain");
    assert_problem(client_get(*state, "/v1/limits.pgn"), 406, "not-acceptable");
}

static void rows_of_one_path_are_told_apart_by_format(void **state)
{
    char target[64];
    (void)snprintf(target, sizeof target, "/v1/games/%s", ID);
    const struct answer *answer = client_get_as(*state, target, "image/png");
    assert_string_equal(answer_words(answer, "available"),
                        "application/json text/plain application/vnd.chess-pgn text/plain");
    /* Each row has query parameters of its own. */
    (void)snprintf(target, sizeof target, "/v1/games/%s.pgn?tags=false", ID);
    assert_problem(client_get(*state, target), 404, "game-not-found");
    (void)snprintf(target, sizeof target, "/v1/games/%s?tags=false", ID);
    assert_problem(client_get(*state, target), 400, "unknown-field");
}

static void the_route_of_an_answer_is_a_template(void **state)
{
    char target[64];
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves/3", ID);
    assert_string_equal(client_get(*state, target)->route, "/v1/games/{id}/moves/{ply}");
    assert_string_equal(client_get(*state, "/nothing/here")->route, "unmatched");
}

static void rows_of_one_path_stand_together(void **state)
{
    (void)state;
    for (size_t i = 1; i < route_count; i++) {
        for (size_t j = 0; j + 1 < i; j++) {
            if (strcmp(route_table[i].path, route_table[j].path) == 0)
                assert_string_equal(route_table[i - 1].path, route_table[i].path);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(unknown_paths_are_not_found),
        CLIENT_TEST(routes_that_there_are_not_are_not_found),
        CLIENT_TEST(a_path_that_cannot_be_read_is_malformed),
        CLIENT_TEST(escaped_letters_of_a_path_are_the_letters),
        CLIENT_TEST(a_game_id_that_cannot_be_one_is_not_found),
        CLIENT_TEST(a_ply_that_cannot_be_one_is_not_found),
        CLIENT_TEST(the_longest_target_is_read_and_one_byte_more_is_not),
        CLIENT_TEST(a_method_that_the_path_does_not_take_is_told_which_it_takes),
        CLIENT_TEST(a_method_on_no_path_is_not_found),
        CLIENT_TEST(options_is_answered_on_every_row_of_the_table),
        CLIENT_TEST(options_of_the_whole_service_names_all_methods),
        CLIENT_TEST(head_is_answered_wherever_get_is),
        CLIENT_TEST(a_suffix_beats_the_accept_field),
        CLIENT_TEST(a_format_that_there_is_not_is_refused_with_those_there_are),
        CLIENT_TEST(rows_of_one_path_are_told_apart_by_format),
        CLIENT_TEST(the_route_of_an_answer_is_a_template),
        CLIENT_TEST(rows_of_one_path_stand_together),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
