/* Games with seats: their tokens, the seats, and what changes by them. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "games/secret.h"
#include "tests/api/table.h"

static const struct answer *leave(const struct table *table, const char *bearer, const char *color)
{
    char rest[32];
    (void)snprintf(rest, sizeof rest, "/seats/%s", color);
    return match_ask_with(table->client, "DELETE", match_path(table->id, rest), "Authorization", bearer);
}

static void a_game_with_seats_is_created_with_its_tokens_and_waits(void **state)
{
    const struct answer *answer = match_send(*state, "POST", "/v1/games", "{\"access\":\"seats\"}");
    static const struct member tokens[] = {
        {"white", NULL}, {"black", NULL}, {"spectator", NULL}, {"creator", NULL}};
    assert_status(answer, 201);
    assert_json(answer, "access", "\"seats\"");
    assert_json(answer, "status", "\"waiting\"");
    assert_json(answer, "visibility", "\"public\"");
    assert_json(answer, "legal_move_count", "20");
    ASSERT_MEMBERS(answer, "tokens", tokens);
    for (size_t i = 0; i < sizeof tokens / sizeof tokens[0]; i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "tokens.%s", tokens[i].name);
        const char *token = answer_text(answer, path);
        assert_true(secret_token_is_formed(token, strlen(token)));
        assert_int_equal(token[1], tokens[i].name[0]);
    }
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_false(answer_has(match_get(*state, answer_text(answer, "id"), ""), "tokens"));
}

static void an_open_game_has_no_tokens(void **state)
{
    const struct answer *answer = match_send(*state, "POST", "/v1/games", "{\"access\":\"open\"}");
    assert_status(answer, 201);
    assert_json(answer, "status", "\"active\"");
    assert_false(answer_has(answer, "tokens"));
}

static void what_is_only_validated_has_no_tokens(void **state)
{
    const struct answer *answer =
        match_send(*state, "POST", "/v1/games", "{\"access\":\"seats\",\"validate_only\":true}");
    assert_status(answer, 200);
    assert_json(answer, "status", "\"waiting\"");
    assert_false(answer_has(answer, "tokens"));
}

static void as_text_the_id_comes_first_and_then_a_line_a_token(void **state)
{
    const struct answer *answer =
        match_send_with(*state, "POST", "/v1/games", "{\"access\":\"seats\"}", "Accept", "text/plain");
    char id[16], roles[4][16], tokens[4][40];
    assert_status(answer, 201);
    assert_int_equal(sscanf(answer->body, "%15s %15s %39s %15s %39s %15s %39s %15s %39s", id, roles[0],
                            tokens[0], roles[1], tokens[1], roles[2], tokens[2], roles[3], tokens[3]),
                     9);
    assert_int_equal(strlen(id), 12);
    assert_string_equal(roles[0], "white");
    assert_string_equal(roles[1], "black");
    assert_string_equal(roles[2], "spectator");
    assert_string_equal(roles[3], "creator");
    for (unsigned i = 0; i < 4; i++)
        assert_true(secret_token_is_formed(tokens[i], strlen(tokens[i])));
}

static void two_play_by_their_tokens(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    const struct answer *answer = table_act(&table, table.black, "/moves", "{\"move\":\"e5\"}");
    assert_status(answer, 201);
    assert_json(answer, "game.status", "\"active\"");
    assert_json(answer, "game.white.taken", "true");
    assert_json(answer, "game.black.taken", "true");
    assert_problem(table_act(&table, table.black, "/moves", "{\"move\":\"d5\"}"), 409, "not-your-turn");
    assert_problem(table_act(&table, table.white, "/moves", "{\"moves\":[\"Nf3\",\"Nc6\"]}"), 403,
                   "wrong-seat");
    assert_status(table_act(&table, table.white, "/moves", "{\"moves\":[\"Nf3\"]}"), 201);
}

static void the_scheme_is_read_in_any_case_and_what_is_no_token_counts_as_a_wrong_one(void **state)
{
    struct table table = table_usual(*state);
    char other[80];
    static const char *const bad[] = {"Bearer",     "Bearer ",
                                      "Basic YTpi", "Bearer cw_short",
                                      "cw_",        "Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"};
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++) {
        const struct answer *answer = table_act(&table, bad[i], "/moves", "{\"move\":\"e4\"}");
        assert_problem(answer, 401, "token-invalid");
        assert_string_equal(answer_header(answer, "WWW-Authenticate"), "Bearer error=\"invalid_token\"");
    }
    assert_problem(table_act(&table, table.white + strlen("Bearer "), "/moves", "{\"move\":\"e4\"}"), 401,
                   "token-invalid"); /* the token without its scheme */
    (void)snprintf(other, sizeof other, "bEaReR   %.35s ", table.white + strlen("Bearer "));
    assert_status(table_act(&table, other, "/moves", "{\"move\":\"e4\"}"), 201);
    const struct answer *answer = table_act(&table, NULL, "/moves", "{\"move\":\"e5\"}");
    assert_problem(answer, 401, "token-required");
    assert_string_equal(answer_header(answer, "WWW-Authenticate"), "Bearer");
}

static void an_open_game_looks_at_no_token(void **state)
{
    struct table table = {.client = *state, .id = match_new(*state)};
    assert_status(
        table_act(&table, "Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", "/moves", "{\"move\":\"e4\"}"), 201);
    assert_status(table_act(&table, "Basic YTpi", "/moves", "{\"move\":\"e5\"}"), 201);
    assert_status(table_get(&table, "nonsense", ""), 200);
}

/* ---- seats --------------------------------------------------------------------------------------------- */

static void a_free_seat_is_taken_with_a_token_and_a_name(void **state)
{
    static const struct member members[] = {
        {"token", NULL}, {"color", "\"black\""}, {"game", NULL}, {"server_time", NULL}};
    struct table table = table_usual(*state);
    const struct answer *answer =
        table_act(&table, NULL, "/seats", "{\"color\":\"black\",\"name\":\"Boris\"}");
    char black[64];
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", members);
    table_bear(black, answer_text(answer, "token"));
    assert_json(answer, "game.black", "{\"name\":\"Boris\",\"taken\":true}");
    assert_json(answer, "game.status", "\"waiting\"");
    assert_string_equal(answer_header(answer, "Location"), match_path(table.id, "/seats"));
    assert_problem(table_act(&table, NULL, "/seats", "{\"color\":\"black\"}"), 409, "seat-taken");
    assert_problem(table_act(&table, table.black, "/resign", "{}"), 401, "token-invalid"); /* the old one */
    answer = table_act(&table, table.white, "/seats", "{}");
    assert_status(answer, 200);
    assert_true(answer_is_null(answer, "token"));
    assert_json(answer, "color", "\"white\"");
    assert_json(answer, "game.status", "\"active\"");
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    assert_status(table_act(&table, black, "/moves", "{\"move\":\"e5\"}"), 201);
}

static void taking_ones_own_seat_again_is_a_replay(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/seats", "{\"name\":\"Anna\"}"), 200);
    const struct answer *answer =
        table_act(&table, table.white, "/seats", "{\"color\":\"white\",\"name\":\"Anna\"}");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    answer = table_act(&table, table.white, "/seats", "{\"name\":null}");
    assert_status(answer, 200);
    assert_json(answer, "game.white", "{\"name\":null,\"taken\":true}");
    assert_problem(table_act(&table, table.white, "/seats", "{\"color\":\"black\"}"), 403, "wrong-seat");
}

static void a_seat_by_lot_and_the_other_one(void **state)
{
    struct table table = table_usual(*state);
    const struct answer *first = client_curl(*state, match_path(table.id, "/seats"), "random");
    assert_status(first, 201);
    const struct answer *second = client_act(*state, match_path(table.id, "/seats"));
    assert_status(second, 201);
    assert_string_not_equal(answer_text(first, "color"), answer_text(second, "color"));
    assert_problem(client_act(*state, match_path(table.id, "/seats")), 409, "seat-taken");
}

static void seats_are_shown_to_whoever_may_read(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/seats", "{\"name\":\"Anna\"}"), 200);
    const struct answer *answer = match_get(*state, table.id, "/seats");
    assert_status(answer, 200);
    assert_json(answer, "white",
                "{\"name\":\"Anna\",\"taken\":true,\"connected\":false,\"last_seen_at\":null}");
    assert_json(answer, "black", "{\"name\":null,\"taken\":false,\"connected\":false,\"last_seen_at\":null}");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_string_equal(match_text(*state, table.id, "/seats"), "white taken Anna\nblack free\n");
    assert_string_equal(match_text(*state, match_new(*state), "/seats"), "white free\nblack free\n");
}

static void as_text_a_seat_is_its_colour_and_its_token(void **state)
{
    struct table table = table_usual(*state);
    const struct answer *answer =
        match_ask_with(*state, "POST", match_path(table.id, "/seats.txt"), "Accept", "*/*");
    char color[16], token[40];
    assert_status(answer, 201);
    assert_int_equal(sscanf(answer->body, "%15s %39s", color, token), 2);
    assert_true(secret_token_is_formed(token, strlen(token)));
    answer = match_send_with(*state, "POST", match_path(table.id, "/seats.txt"), "{}", "Authorization",
                             color[0] == 'w' ? table.black : table.white);
    assert_string_equal(answer->body, color[0] == 'w' ? "black\n" : "white\n");
}

static void a_seat_is_left_before_the_first_move(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/seats", "{\"name\":\"Anna\"}"), 200);
    assert_problem(leave(&table, table.black, "white"), 403, "wrong-seat");
    const struct answer *answer = leave(&table, table.white, "white");
    assert_status(answer, 200);
    assert_json(answer, "game.white", "{\"name\":null,\"taken\":false}");
    assert_problem(leave(&table, table.white, "white"), 401, "token-invalid");
    answer = leave(&table, table.creator, "white");
    assert_string_equal(answer_header(answer, "Idempotent-Replayed"), "true");
    assert_problem(leave(&table, table.creator, "green"), 404, "not-found");
    assert_status(table_act(&table, NULL, "/seats", "{\"color\":\"white\"}"), 201);
}

static void after_the_first_move_nobody_leaves(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    const struct answer *answer = leave(&table, table.white, "white");
    assert_problem(answer, 409, "not-allowed-by-rules");
    assert_json(answer, "rule", "\"seats\"");
}

static void a_clock_that_runs_at_once_is_not_left_by_its_player(void **state)
{
    struct table table =
        table_new(*state, "{\"access\":\"seats\",\"clock\":{\"initial_ms\":300000,\"start\":\"immediate\"}}");
    assert_status(table_act(&table, table.white, "/seats", "{}"), 200);
    assert_status(table_act(&table, table.black, "/seats", "{}"), 200);
    const struct answer *answer = leave(&table, table.white, "white");
    assert_problem(answer, 409, "not-allowed-by-rules");
    assert_json(answer, "rule", "\"seats\"");
    answer = leave(&table, table.creator, "white");
    assert_status(answer, 200);
    assert_json(answer, "game.status", "\"waiting\"");
    assert_json(answer, "game.clock.running", "null");
}

static void an_open_game_has_no_seats(void **state)
{
    struct table table = {.client = *state, .id = match_new(*state)};
    const struct answer *answers[] = {table_act(&table, NULL, "/seats", "{\"color\":\"white\"}"),
                                      leave(&table, "x", "white"),
                                      table_act(&table, NULL, "/tokens", "{\"role\":\"white\"}")};
    for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
        assert_problem(answers[i], 409, "not-allowed-by-rules");
        assert_json(answers[i], "rule", "\"access\"");
    }
}

static void forms_and_bare_texts_do_the_same(void **state)
{
    struct table table = table_usual(*state);
    struct call call = {
        .method = "POST",
        .target = match_path(table.id, "/seats"),
        .body = "color=white&name=Anna",
        .headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Authorization", table.white}},
    };
    assert_status(client_send(*state, &call), 200);
    call = (struct call){
        .method = "POST",
        .target = match_path(table.id, "/tokens"),
        .body = "role=black",
        .headers = {{"Content-Type", "application/x-www-form-urlencoded"}, {"Authorization", table.creator}},
    };
    assert_json(client_send(*state, &call), "role", "\"black\"");
    call.body = "spectator";
    call.headers[0].value = "text/plain";
    assert_json(client_send(*state, &call), "role", "\"spectator\"");
    const struct answer *answer = match_ask_with(*state, "DELETE", match_path(table.id, "/seats/white.txt"),
                                                 "Authorization", table.white);
    assert_status(answer, 200);
    assert_string_equal(answer->body, "white free\nblack free\n");
}

static void a_game_that_waits_has_not_started(void **state)
{
    struct table table = table_usual(*state);
    assert_problem(table_act(&table, table.white, "/resign", "{}"), 409, "game-not-started");
    assert_problem(table_act(&table, table.black, "/draw/offer", "{}"), 409, "game-not-started");
}

/* ---- tokens -------------------------------------------------------------------------------------------- */

static void a_renewed_token_replaces_the_old_one(void **state)
{
    static const struct member members[] = {
        {"role", "\"white\""}, {"token", NULL}, {"game", NULL}, {"server_time", NULL}};
    struct table table = table_usual(*state);
    const struct answer *answer = table_act(&table, table.creator, "/tokens", "{\"role\":\"white\"}");
    char white[64];
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", members);
    table_bear(white, answer_text(answer, "token"));
    assert_problem(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 401, "token-invalid");
    assert_status(table_act(&table, white, "/moves", "{\"move\":\"e4\"}"), 201);
    assert_problem(table_act(&table, table.creator, "/tokens", "{}"), 400, "invalid-parameter");
    assert_problem(table_act(&table, table.creator, "/tokens", "{\"role\":\"operator\"}"), 400,
                   "invalid-parameter");
    answer = match_send_with(*state, "POST", match_path(table.id, "/tokens.txt"), "{\"role\":\"creator\"}",
                             "Authorization", table.creator);
    assert_int_equal(strncmp(answer->body, "creator cc_", 11), 0);
    assert_problem(table_act(&table, table.creator, "/tokens", "{\"role\":\"white\"}"), 401, "token-invalid");
}

static void a_ticket_is_for_whoever_may_read(void **state)
{
    static const struct member members[] = {{"ticket", NULL}, {"expires_at", "\"2026-01-01T00:01:00.000Z\""}};
    struct table table = table_new(*state, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    client_set_time(*state, INT64_C(1767225600000));
    const struct answer *answer = table_act(&table, table.spectator, "/stream-tickets", "{}");
    assert_status(answer, 201);
    ASSERT_MEMBERS(answer, "", members);
    assert_int_equal(strncmp(answer_text(answer, "ticket"), "ct_", 3), 0);
    assert_problem(table_act(&table, NULL, "/stream-tickets", "{}"), 404, "game-not-found");
    answer = match_ask(*state, "POST", match_path(match_new(*state), "/stream-tickets.txt"));
    assert_status(answer, 201);
    assert_int_equal(strlen(answer->body), SECRET_TOKEN_LENGTH + 1);
}

static void a_token_of_nobody_has_no_ticket(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, NULL, "/stream-tickets", "{}"), 201);
    assert_status(table_act(&table, table.white, "/stream-tickets", "{}"), 201);
    assert_status(table_act(&table, table.creator, "/tokens", "{\"role\":\"white\"}"), 201);
    const struct answer *answer = table_act(&table, table.white, "/stream-tickets", "{}");
    assert_problem(answer, 401, "token-invalid");
    assert_string_equal(answer_header(answer, "WWW-Authenticate"), "Bearer error=\"invalid_token\"");
    assert_problem(table_act(&table, "Basic YTpi", "/stream-tickets", "{}"), 401, "token-invalid");
    struct table open = {.client = *state, .id = match_new(*state)};
    assert_status(table_act(&open, table.white, "/stream-tickets", "{}"), 201);
}

static void a_restart_keeps_the_tokens(void **state)
{
    struct table table = table_usual(*state);
    assert_status(table_act(&table, table.white, "/seats", "{\"name\":\"Anna\"}"), 200);
    client_forget(*state);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    client_forget(*state);
    assert_json(match_get(*state, table.id, ""), "white", "{\"name\":\"Anna\",\"taken\":true}");
    assert_status(table_act(&table, table.black, "/moves", "{\"move\":\"e5\"}"), 201);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_game_with_seats_is_created_with_its_tokens_and_waits),
        CLIENT_TEST(an_open_game_has_no_tokens),
        CLIENT_TEST(what_is_only_validated_has_no_tokens),
        CLIENT_TEST(as_text_the_id_comes_first_and_then_a_line_a_token),
        CLIENT_TEST(two_play_by_their_tokens),
        CLIENT_TEST(the_scheme_is_read_in_any_case_and_what_is_no_token_counts_as_a_wrong_one),
        CLIENT_TEST(an_open_game_looks_at_no_token),
        CLIENT_TEST(a_free_seat_is_taken_with_a_token_and_a_name),
        CLIENT_TEST(taking_ones_own_seat_again_is_a_replay),
        CLIENT_TEST(a_seat_by_lot_and_the_other_one),
        CLIENT_TEST(seats_are_shown_to_whoever_may_read),
        CLIENT_TEST(as_text_a_seat_is_its_colour_and_its_token),
        CLIENT_TEST(a_seat_is_left_before_the_first_move),
        CLIENT_TEST(after_the_first_move_nobody_leaves),
        CLIENT_TEST(a_clock_that_runs_at_once_is_not_left_by_its_player),
        CLIENT_TEST(an_open_game_has_no_seats),
        CLIENT_TEST(a_renewed_token_replaces_the_old_one),
        CLIENT_TEST(a_ticket_is_for_whoever_may_read),
        CLIENT_TEST(a_token_of_nobody_has_no_ticket),
        CLIENT_TEST(a_restart_keeps_the_tokens),
        CLIENT_TEST(forms_and_bare_texts_do_the_same),
        CLIENT_TEST(a_game_that_waits_has_not_started),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
