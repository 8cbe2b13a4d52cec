/* Who may see a game, who may create one, and what games are that do not say. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/table.h"

#define KEY "co_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* ---- who may see, who may create ------------------------------------------------------------------------ */

static void a_private_game_is_read_and_played_with_its_tokens(void **state)
{
    struct table table = table_new(*state, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    const char *const readers[] = {table.white, table.black, table.spectator, table.creator};
    for (size_t i = 0; i < sizeof readers / sizeof readers[0]; i++) {
        const struct answer *answer = table_get(&table, readers[i], "");
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "Cache-Control"), "private, no-cache");
        assert_status(table_get(&table, readers[i], ".pgn"), 200);
        assert_status(table_get(&table, readers[i], "/moves"), 200);
    }
    assert_problem(match_get(*state, table.id, ""), 404, "game-not-found");
    assert_int_equal(answer_count(client_get(*state, "/v1/games"), "data"), 0);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    assert_problem(table_act(&table, table.spectator, "/moves", "{\"move\":\"e5\"}"), 403, "spectator-only");
}

static void a_game_becomes_private_and_public_again(void **state)
{
    struct table table = table_usual(*state);
    const char *path = match_path(table.id, "");
    assert_status(match_send_with(*state, "PATCH", path, "{\"visibility\":\"private\"}", "Authorization",
                                  table.creator),
                  200);
    assert_problem(match_get(*state, table.id, ""), 404, "game-not-found");
    assert_status(
        match_send_with(*state, "PATCH", path, "{\"visibility\":\"public\"}", "Authorization", table.creator),
        200);
    assert_status(match_get(*state, table.id, ""), 200);
}

static void a_fork_of_a_game_with_seats_is_open(void **state)
{
    struct table table =
        table_new(*state, "{\"access\":\"seats\",\"visibility\":\"private\",\"moves\":[\"e4\"]}");
    const struct answer *answer = table_act(&table, table.spectator, "/fork", "{}");
    assert_status(answer, 201);
    assert_json(answer, "access", "\"open\"");
    assert_json(answer, "visibility", "\"unlisted\"");
    assert_json(answer, "status", "\"active\"");
    assert_false(answer_has(answer, "tokens"));
    assert_status(match_play(*state, answer_text(answer, "id"), "e5"), 201);
}

static int set_up_guarded(void **state)
{
    struct client_options options = {.seats_by_default = true, .operators_create = true, .operator_key = KEY};
    *state = client_open(&options);
    return 0;
}

static void games_are_made_by_operators_where_that_is_asked_for(void **state)
{
    static const struct {
        const char *bearer, *code;
        unsigned status;
    } rows[] = {
        {NULL, "token-required", 401},
        {"Bearer co_bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb", "token-invalid", 401},
        {"Bearer nonsense", "token-invalid", 401},
        {"Bearer cc_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "not-creator", 403},
    };
    static const char *const targets[] = {"/v1/games", "/v1/games/zzzzzzzzzzzz/fork", "/v1/pgn/import"};
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++)
        for (size_t j = 0; j < sizeof targets / sizeof targets[0]; j++)
            assert_problem(match_ask_with(*state, "POST", targets[j],
                                          rows[i].bearer ? "Authorization" : "X-Nothing",
                                          rows[i].bearer ? rows[i].bearer : "x"),
                           rows[i].status, rows[i].code);
    assert_status(match_send(*state, "POST", "/v1/games", "{\"validate_only\":true}"), 200);
    assert_status(match_ask_with(*state, "POST", "/v1/games", "Authorization", "Bearer " KEY), 201);
}

static void defaults_are_those_of_the_service_and_can_be_read(void **state)
{
    const struct answer *answer = match_ask_with(*state, "POST", "/v1/games", "Authorization", "Bearer " KEY);
    assert_json(answer, "access", "\"seats\"");
    assert_json(answer, "visibility", "\"unlisted\"");
    answer =
        match_send_with(*state, "POST", "/v1/games", "{\"access\":\"open\"}", "Authorization", "Bearer " KEY);
    assert_json(answer, "access", "\"open\"");
    assert_json(answer, "visibility", "\"unlisted\"");
    answer = client_get(*state, "/v1");
    assert_json(answer, "default_access", "\"seats\"");
    assert_json(answer, "creators", "\"operators\"");
}

static void imported_games_are_an_archive_that_operators_look_after(void **state)
{
    const struct call call = {
        .method = "POST",
        .target = "/v1/pgn/import",
        .body = "1. e4 e5 *",
        .headers = {{"Content-Type", "application/vnd.chess-pgn"}, {"Authorization", "Bearer " KEY}},
    };
    const struct answer *answer = client_send(*state, &call);
    char id[16];
    assert_int_equal(sscanf(answer->body, "{\"index\":0,\"id\":\"%12[a-z0-9]\"", id), 1);
    struct table table = {.client = *state, .id = id};
    assert_json(table_get(&table, "x", ""), "access", "\"seats\"");
    assert_problem(table_act(&table, NULL, "/moves", "{\"move\":\"Nf3\"}"), 401, "token-required");
    answer = table_act(&table, "Bearer " KEY, "/tokens", "{\"role\":\"white\"}");
    table_bear(table.white, answer_text(answer, "token"));
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"Nf3\"}"), 201);
}

static void an_operator_reads_private_games_and_looks_after_them(void **state)
{
    const struct answer *answer = match_send_with(*state, "POST", "/v1/games", "{\"visibility\":\"private\"}",
                                                  "Authorization", "Bearer " KEY);
    struct table table = {.client = *state, .id = answer_text(answer, "id")};
    assert_problem(match_get(*state, table.id, ""), 404, "game-not-found");
    assert_status(table_get(&table, "Bearer " KEY, ""), 200);
    assert_status(table_act(&table, "Bearer " KEY, "/adjudicate", "{\"result\":\"1-0\"}"), 200);
    assert_status(match_ask_with(*state, "DELETE", match_path(table.id, ""), "Authorization", "Bearer " KEY),
                  204);
}

int main(void)
{
#define GUARDED(name) cmocka_unit_test_setup_teardown(name, set_up_guarded, client_teardown)
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_private_game_is_read_and_played_with_its_tokens),
        CLIENT_TEST(a_game_becomes_private_and_public_again),
        CLIENT_TEST(a_fork_of_a_game_with_seats_is_open),
        GUARDED(games_are_made_by_operators_where_that_is_asked_for),
        GUARDED(defaults_are_those_of_the_service_and_can_be_read),
        GUARDED(imported_games_are_an_archive_that_operators_look_after),
        GUARDED(an_operator_reads_private_games_and_looks_after_them),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
