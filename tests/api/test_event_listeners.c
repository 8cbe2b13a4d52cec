/* Events over HTTP: several games in one stream, who may listen, and how many. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"
#include "tests/api/table.h"

/* ---- several games ----------------------------------------------------------------------------------- */

static void several_games_are_told_in_one_stream(void **state)
{
    struct client *client = *state;
    const char *a = match_new(client), *b = listener_game(client);
    char expected[128];
    struct answer *answer = listener_many(client, "*/*", "/v1/events?game=%s&game=%s", a, b);
    (void)snprintf(expected, sizeof expected, "%s:1 %s:1,%s:2", a, a, b);
    assert_string_equal(listener_ids(answer->body), expected);
    listener_play(client, b, "e5");
    listener_play(client, a, "d4");
    (void)snprintf(expected, sizeof expected, "%s:2,%s:2 %s:2,%s:3", a, b, a, b);
    assert_string_equal(listener_ids(answer_listen(answer, STREAM_WANTED)), expected);
    char cursor[64];
    (void)snprintf(cursor, sizeof cursor, "\ndata: {\"cursor\":\"%s:2,%s:3\",\"id\":3,\"type\":", a, b);
    assert_has(answer->body, cursor);
}

static void a_cursor_of_several_games_goes_on_with_each(void **state)
{
    struct client *client = *state;
    const char *a = listener_game(client), *b = listener_game(client);
    listener_play(client, a, "e5 Nf3");
    listener_play(client, b, "e5");
    struct answer *answer = listener_many(
        client, "application/json", "/v1/events?game=%s,%s&after=%s:3,%s:2,%s:7", a, b, a, b, "abcdefghjkmn");
    assert_int_equal(answer_count(answer, "data"), 2);
    char expected[64];
    (void)snprintf(expected, sizeof expected, "%s:4,%s:3", a, b);
    assert_string_equal(answer_text(answer, "next_after"), expected);
    assert_string_equal(answer_text(answer, "data.1.cursor"), expected);
    answer = listener_many(client, "application/json", "/v1/events?game=%s,%s&after=%s:4", a, b, a);
    assert_int_equal(answer_count(answer, "data"), 1); /* b: a snapshot */
    assert_string_equal(answer_text(answer, "data.0.type"), "snapshot");
    answer = listener_many(client, "application/x-ndjson", "/v1/events?game=%s&after=%s:4", a, a);
    assert_string_equal(answer->body, "");
}

static void several_games_come_in_every_form(void **state)
{
    struct client *client = *state;
    const char *a = listener_game(client), *b = match_new(client);
    char target[128], cursor[64], text[64];
    (void)snprintf(cursor, sizeof cursor, "%s:1,%s:1", a, b);
    struct answer *lines =
        listener_many(client, "application/x-ndjson", "/v1/events?game=%s,%s&after=%s", a, b, cursor);
    (void)snprintf(text, sizeof text, "{\"cursor\":\"%s:2,%s:1\",\"id\":2,", a, b);
    assert_int_equal(strncmp(lines->body, text, strlen(text)), 0);
    assert_int_equal(listener_count(lines->body, "\n"), 1);
    (void)snprintf(target, sizeof target, "/v1/events.json?game=%s&game=%s&wait=25", a, b);
    struct answer *poll = listener_ask(client, target, "*/*", "Last-Event-ID", cursor);
    (void)snprintf(text, sizeof text, "%s:2,%s:1", a, b);
    assert_string_equal(answer_text(poll, "next_after"), text);
    poll = listener_ask(client, target, "*/*", "Last-Event-ID", text);
    assert_true(poll->is_open);
    listener_play(client, b, "d4");
    (void)snprintf(text, sizeof text, "],\"next_after\":\"%s:2,%s:2\",\"over\":false}\n", a, b);
    assert_has(answer_listen(poll, STREAM_WANTED), text);
    poll = listener_ask(client, target, "*/*", "Last-Event-ID", "nonsense");
    assert_int_equal(answer_count(poll, "data"), 2); /* a snapshot of each */
    assert_json(poll, "data.1.data.reset", "true");
}

static void a_stream_of_several_games_ends_with_the_last(void **state)
{
    struct client *client = *state;
    const char *a = match_new(client), *b = match_new(client);
    struct answer *answer = listener_many(client, "*/*", "/v1/events?game=%s&game=%s", a, b);
    assert_status(client_curl(client, match_path(a, "/resign"), "black"), 200);
    assert_has(answer_listen(answer, STREAM_WANTED), "event: game.ended\n");
    assert_true(answer->is_open);
    struct call call = {.method = "DELETE", .target = match_path(b, ""), .headers = {{"Accept", "*/*"}}};
    assert_status(client_send(client, &call), 204);
    assert_has(answer_listen(answer, STREAM_WANTED), "event: game.deleted\n");
    assert_false(answer->is_open);
    assert_status(listener_many(client, "*/*", "/v1/events?game=%s&after=%s:2", a, a), 204);
    assert_problem(listener_many(client, "*/*", "/v1/events?game=%s&game=%s", a, b), 404, "game-not-found");
}

static void the_games_of_a_stream_are_read_strictly(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.stream_games = 2;
    struct client *client = client_open(&options);
    const char *a = match_new(client);
    static const char *const targets[] = {"/v1/events", "/v1/events?game=", "/v1/events?game=ABC",
                                          "/v1/events?game=abcdefghjkmn,",
                                          "/v1/events?game=abcdefghjkmn,abcdefghjkmp,abcdefghjkmq"};
    for (size_t i = 0; i < sizeof targets / sizeof targets[0]; i++) {
        const struct answer *answer = listener_many(client, "*/*", "%s", targets[i]);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "parameter"), "game");
    }
    static const char *const cursors[] = {"3",
                                          "abcdefghjkmn",
                                          "abcdefghjkmn:",
                                          "abcdefghjkmn:x",
                                          "abcdefghjkmn:1,",
                                          "abcdefghjkmn:1,,abcdefghjkmp:1"};
    for (size_t i = 0; i < sizeof cursors / sizeof cursors[0]; i++)
        assert_problem(listener_many(client, "*/*", "/v1/events?game=%s&after=%s", a, cursors[i]), 400,
                       "invalid-parameter");
    assert_problem(listener_many(client, "*/*", "/v1/events?game=%s&ticket=x", a), 400, "unknown-field");
    client_close(client);
}

/* ---- who may listen ---------------------------------------------------------------------------------- */

static struct answer *listen_by(struct client *client, const char *id, const char *bearer)
{
    return listener_ask(client, match_path(id, "/events"), "*/*", "Authorization", bearer);
}

static void a_private_game_is_told_to_those_who_have_a_token(void **state)
{
    struct client *client = *state;
    struct table table = table_new(client, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    assert_problem(listener_sse(client, table.id, ""), 404, "game-not-found");
    assert_status(listen_by(client, table.id, table.white), 200);
    assert_problem(listener_many(client, "*/*", "/v1/events?game=%s", table.id), 404, "game-not-found");
}

static void a_ticket_opens_one_stream(void **state)
{
    struct client *client = *state;
    struct table table = table_new(client, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    const struct answer *made = match_send_with(client, "POST", match_path(table.id, "/stream-tickets"), NULL,
                                                "Authorization", table.white);
    assert_status(made, 201);
    char rest[96];
    (void)snprintf(rest, sizeof rest, "?ticket=%s", answer_text(made, "ticket"));
    assert_status(listener_sse(client, table.id, rest), 200);
    assert_problem(listener_sse(client, table.id, rest), 401, "token-invalid");
    assert_problem(listener_sse(client, table.id, "?ticket=x"), 401, "token-invalid");
}

static void a_player_who_listens_is_connected_and_others_are_told(void **state)
{
    struct client *client = *state;
    struct table table = table_usual(client);
    struct answer *watcher = listener_sse(client, table.id, "?after=1");
    struct answer *white = listen_by(client, table.id, table.white);
    const char *text = answer_listen(watcher, STREAM_WANTED);
    assert_int_equal(strncmp(text, "event: presence.changed\ndata: {\"type\":\"presence.changed\",", 56), 0);
    assert_has(text, "\"color\":\"white\",\"connected\":true}");
    assert_true(answer_bool(client_get(client, match_path(table.id, "/seats")), "white.connected"));
    answer_leave(white);
    assert_has(answer_listen(watcher, STREAM_WANTED), "\"color\":\"white\",\"connected\":false}");
    const struct answer *seats = client_get(client, match_path(table.id, "/seats"));
    assert_false(answer_bool(seats, "white.connected"));
    assert_string_equal(answer_text(seats, "white.last_seen_at"), "2026-01-02T03:04:05.678Z");
    struct call poll = {.method = "GET",
                        .target = match_path(table.id, "/events.json?after=1&wait=25"),
                        .headers = {{"Accept", "*/*"}, {"Authorization", table.white}}};
    assert_true(client_send(client, &poll)->is_open); /* it passes by: nobody is told */
    assert_string_equal(answer_listen(watcher, STREAM_WANTED), "");
}

static void a_long_poll_is_not_told_of_presence(void **state)
{
    struct client *client = *state;
    struct table table = table_usual(client);
    struct answer *poll = listener_ask(client, match_path(table.id, "/events.json?after=1&wait=25"), "*/*",
                                       "Authorization", table.black);
    struct answer *watcher = listener_sse(client, table.id, "?after=1");
    struct answer *white = listen_by(client, table.id, table.white);
    assert_has(answer_listen(watcher, STREAM_WANTED), "event: presence.changed\n");
    assert_string_equal(answer_listen(poll, STREAM_WANTED), "");
    assert_true(poll->is_open);
    answer_leave(white);
    assert_string_equal(answer_listen(poll, STREAM_WANTED), "");
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    const char *text = answer_listen(poll, STREAM_WANTED);
    assert_int_equal(listener_count(text, "\"type\":"), 1);
    assert_has(text, "],\"next_after\":2,");
    assert_false(poll->is_open);
}

static void a_token_that_is_renewed_ends_the_streams_of_the_old_one(void **state)
{
    struct client *client = *state;
    struct table table = table_usual(client);
    struct answer *white = listen_by(client, table.id, table.white);
    struct answer *watcher = listener_sse(client, table.id, "?after=1");
    assert_status(match_send_with(client, "POST", match_path(table.id, "/tokens"), "{\"role\":\"white\"}",
                                  "Authorization", table.creator),
                  201);
    assert_string_equal(answer_listen(white, STREAM_WANTED), "");
    assert_false(white->is_open);
    const char *text = answer_listen(watcher, STREAM_WANTED);
    assert_has(text, "event: seat.changed\n");
    assert_has(text, "\"reason\":\"token_renewed\",\"color\":\"white\",\"role\":\"white\",\"name\":null}");
    assert_true(watcher->is_open);
}

#define NOBODYS "Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

static void a_token_of_nobody_opens_no_stream_where_there_are_seats(void **state)
{
    struct client *client = *state;
    const char *open = match_new(client);
    struct table table = table_usual(client);
    struct table other = table_usual(client);
    char target[96];
    assert_problem(listen_by(client, table.id, NOBODYS), 401, "token-invalid");
    assert_problem(listen_by(client, table.id, "Basic YTpi"), 401, "token-invalid");
    const struct answer *refused = listen_by(client, table.id, other.white);
    assert_problem(refused, 401, "token-invalid");
    assert_string_equal(answer_header(refused, "WWW-Authenticate"), "Bearer error=\"invalid_token\"");
    assert_status(listener_sse(client, table.id, ""), 200);
    assert_status(listen_by(client, open, NOBODYS), 200);
    (void)snprintf(target, sizeof target, "/v1/events?game=%s,%s,%s", open, table.id, other.id);
    assert_problem(listener_ask(client, target, "*/*", "Authorization", NOBODYS), 401, "token-invalid");
    assert_status(listener_ask(client, target, "*/*", "Authorization", other.white), 200);
}

static void a_ticket_dies_with_its_token(void **state)
{
    struct client *client = *state;
    struct table table = table_usual(client);
    const struct answer *made = match_send_with(client, "POST", match_path(table.id, "/stream-tickets"), NULL,
                                                "Authorization", table.white);
    char rest[96];
    (void)snprintf(rest, sizeof rest, "?ticket=%s", answer_text(made, "ticket"));
    assert_status(match_send_with(client, "POST", match_path(table.id, "/tokens"), "{\"role\":\"white\"}",
                                  "Authorization", table.creator),
                  201);
    assert_problem(listener_sse(client, table.id, rest), 401, "token-invalid");
}

#define OPERATOR "co_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"

/* "?ticket=…" for the game of the table. */
static void take_ticket(const struct table *table, const char *bearer, char rest[96])
{
    const struct answer *made = table_act(table, bearer, "/stream-tickets", NULL);
    assert_status(made, 201);
    (void)snprintf(rest, 96, "?ticket=%s", answer_text(made, "ticket"));
}

static void an_operator_whose_key_was_taken_away_is_told_nothing_more(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.operator_key = OPERATOR});
    struct table table = table_new(client, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    char unused[96], used[96];
    take_ticket(&table, "Bearer " OPERATOR, unused);
    take_ticket(&table, "Bearer " OPERATOR, used);
    struct answer *streams[] = {
        listen_by(client, table.id, "Bearer " OPERATOR),
        listener_sse(client, table.id, used),
        listener_ask(client, match_path(table.id, "/events.json?after=1&wait=25"), "*/*", "Authorization",
                     "Bearer " OPERATOR),
    };
    struct answer *white = listen_by(client, table.id, table.white);
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++)
        assert_true(streams[i]->is_open);
    client_set_operator(client, NULL);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    for (size_t i = 0; i < sizeof streams / sizeof streams[0]; i++) {
        assert_null(strstr(answer_listen(streams[i], STREAM_WANTED), "move.played"));
        assert_false(streams[i]->is_open);
    }
    assert_has(answer_listen(white, STREAM_WANTED), "event: move.played\n");
    assert_true(white->is_open);
    assert_problem(listener_sse(client, table.id, unused), 404, "game-not-found");
    assert_problem(listen_by(client, table.id, "Bearer " OPERATOR), 404, "game-not-found");
    client_close(client);
}

static void an_operator_whose_key_stays_watches_on(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.operator_key = OPERATOR});
    struct table table = table_new(client, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    struct answer *stream = listen_by(client, table.id, "Bearer " OPERATOR);
    client_set_operator(client, OPERATOR);
    assert_status(table_act(&table, table.white, "/moves", "{\"move\":\"e4\"}"), 201);
    assert_has(answer_listen(stream, STREAM_WANTED), "event: move.played\n");
    assert_true(stream->is_open);
    client_close(client);
}

/* ---- too many ---------------------------------------------------------------------------------------- */

static struct client *open_for_few(int64_t streams, int64_t each, enum api_client_limits stream_limits)
{
    struct client_options options = {.limits = api_limits_default(), .stream_limits = stream_limits};
    options.limits.streams = streams;
    options.limits.streams_per_client = each;
    return client_open(&options);
}

static void all_streams_together_have_a_limit(void **state)
{
    (void)state;
    struct client *client = open_for_few(2, 8, API_CLIENT_LIMITS_AUTO);
    const char *id = match_new(client);
    struct answer *first = listener_sse(client, id, "");
    assert_status(first, 200);
    assert_status(listener_sse(client, id, ""), 200);
    const struct answer *refused = listener_sse(client, id, "");
    assert_problem(refused, 429, "too-many-streams");
    assert_string_equal(answer_header(refused, "Retry-After"), "5");
    assert_problem(listener_many(client, "*/*", "/v1/events?game=%s", id), 429, "too-many-streams");
    answer_leave(first);
    assert_status(listener_sse(client, id, ""), 200);
    client_close(client);
}

static struct answer *listen_from(struct client *client, const char *id, const char *address,
                                  const char *bearer)
{
    struct call call = {.method = "GET",
                        .target = match_path(id, "/events"),
                        .headers = {{"Accept", "*/*"}, {bearer ? "Authorization" : NULL, bearer}},
                        .scope = REQUEST_SCOPE_NETWORK,
                        .client = address};
    union {
        const struct answer *sent;
        struct answer *read_on;
    } answer = {client_send(client, &call)};
    return answer.read_on;
}

static void each_address_and_each_token_has_a_limit(void **state)
{
    (void)state;
    struct client *client = open_for_few(100, 1, API_CLIENT_LIMITS_AUTO);
    struct table table = table_usual(client);
    struct answer *first = listen_from(client, table.id, "192.0.2.1", NULL);
    assert_status(first, 200);
    assert_problem(listen_from(client, table.id, "192.0.2.1", NULL), 429, "too-many-streams");
    assert_status(listen_from(client, table.id, "192.0.2.2", NULL), 200);
    assert_status(listen_from(client, table.id, "192.0.2.1", table.white), 200);
    assert_problem(listen_from(client, table.id, "192.0.2.3", table.white), 429, "too-many-streams");
    assert_status(listen_from(client, table.id, "2001:db8::1", NULL), 200);
    assert_problem(listen_from(client, table.id, "2001:db8::2", NULL), 429, "too-many-streams"); /* its /64 */
    assert_status(listen_from(client, table.id, "2001:db8:0:1::1", NULL), 200);
    answer_leave(first);
    assert_status(listen_from(client, table.id, "192.0.2.1", NULL), 200);
    client_close(client);
}

static void tokens_do_not_give_an_address_more_than_its_limit(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.streams_per_address = 2;
    struct client *client = client_open(&options);
    struct table first = table_usual(client);
    struct table second = table_usual(client);
    struct answer *answer = listen_from(client, first.id, "192.0.2.1", first.white);
    assert_status(answer, 200);
    assert_status(listen_from(client, second.id, "192.0.2.1", second.white), 200);
    const struct answer *refused = listen_from(client, second.id, "192.0.2.1", second.creator);
    assert_problem(refused, 429, "too-many-streams");
    assert_has(refused->body, "`streams_per_address`");
    assert_problem(listen_from(client, first.id, "192.0.2.1", NULL), 429, "too-many-streams");
    assert_status(listen_from(client, second.id, "192.0.2.2", second.creator), 200);
    answer_leave(answer);
    assert_status(listen_from(client, first.id, "192.0.2.1", NULL), 200);
    client_close(client);
}

static struct answer *ask_by(struct client *client, const char *method, const char *target,
                             const char *bearer)
{
    struct call call = {
        .method = method, .target = target, .headers = {{"Accept", "*/*"}, {"Authorization", bearer}}};
    union {
        const struct answer *sent;
        struct answer *read_on;
    } answer = {client_send(client, &call)};
    return answer.read_on;
}

static void of_what_comes_to_no_stream_nobody_is_told(void **state)
{
    (void)state;
    struct client *client = open_for_few(2, 8, API_CLIENT_LIMITS_AUTO);
    struct table table = table_usual(client);
    struct answer *watcher = listener_sse(client, table.id, "?after=1");
    struct answer *other = listener_sse(client, table.id, "?after=1");
    assert_problem(listen_by(client, table.id, table.white), 429, "too-many-streams");
    assert_string_equal(answer_listen(watcher, STREAM_WANTED), "");
    assert_status(ask_by(client, "HEAD", match_path(table.id, "/events"), table.white), 200);
    assert_string_equal(answer_listen(watcher, STREAM_WANTED), "");
    assert_true(answer_is_null(client_get(client, match_path(table.id, "/seats")), "white.last_seen_at"));
    answer_leave(other);
    assert_status(listen_by(client, table.id, table.white), 200);
    assert_has(answer_listen(watcher, STREAM_WANTED), "\"color\":\"white\",\"connected\":true}");
    client_close(client);
}

static void who_waits_for_a_game_that_is_read_is_told_of_once(void **state)
{
    struct client *client = *state;
    const char *cold = match_new(client);
    struct table table = table_usual(client);
    client_forget(client);
    struct answer *watcher = listener_sse(client, table.id, "?after=1");
    char target[64];
    (void)snprintf(target, sizeof target, "/v1/events?game=%s,%s", table.id, cold);
    const struct answer *white = ask_by(client, "GET", target, table.white);
    assert_status(white, 200);
    assert_true(white->blocked);
    const char *text = answer_listen(watcher, STREAM_WANTED);
    assert_int_equal(listener_count(text, "event: presence.changed\n"), 1);
    assert_has(text, "\"color\":\"white\",\"connected\":true}");
}

static void loopback_is_counted_only_where_it_was_asked_for(void **state)
{
    (void)state;
    struct client *client = open_for_few(100, 1, API_CLIENT_LIMITS_AUTO);
    const char *id = match_new(client);
    for (int i = 0; i < 3; i++)
        assert_status(listen_from(client, id, "127.0.0.1", NULL), 200);
    assert_status(listen_from(client, id, NULL, NULL), 200); /* a Unix socket */
    client_close(client);
    client = open_for_few(100, 1, API_CLIENT_LIMITS_ON);
    id = match_new(client);
    assert_status(listen_from(client, id, "127.0.0.1", NULL), 200);
    assert_problem(listen_from(client, id, "127.0.0.1", NULL), 429, "too-many-streams");
    client_close(client);
    client = open_for_few(100, 1, API_CLIENT_LIMITS_OFF);
    id = match_new(client);
    for (int i = 0; i < 3; i++)
        assert_status(listen_from(client, id, "192.0.2.1", NULL), 200);
    client_close(client);
}

static void behind_a_trusted_proxy_loopback_is_counted(void **state)
{
    (void)state;
    static const char *const PROXIES[] = {"unix", NULL};
    struct client_options options = {.limits = api_limits_default(), .trusted_proxies = PROXIES};
    options.limits.streams_per_client = 1;
    struct client *client = client_open(&options);
    const char *id = match_new(client);
    assert_status(listen_from(client, id, "127.0.0.1", NULL), 200);
    assert_problem(listen_from(client, id, "127.0.0.1", NULL), 429, "too-many-streams");
    client_close(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(several_games_are_told_in_one_stream),
        CLIENT_TEST(a_cursor_of_several_games_goes_on_with_each),
        CLIENT_TEST(several_games_come_in_every_form),
        CLIENT_TEST(a_stream_of_several_games_ends_with_the_last),
        cmocka_unit_test(the_games_of_a_stream_are_read_strictly),
        CLIENT_TEST(a_private_game_is_told_to_those_who_have_a_token),
        CLIENT_TEST(a_ticket_opens_one_stream),
        CLIENT_TEST(a_player_who_listens_is_connected_and_others_are_told),
        CLIENT_TEST(a_long_poll_is_not_told_of_presence),
        CLIENT_TEST(a_token_that_is_renewed_ends_the_streams_of_the_old_one),
        CLIENT_TEST(a_token_of_nobody_opens_no_stream_where_there_are_seats),
        CLIENT_TEST(a_ticket_dies_with_its_token),
        cmocka_unit_test(an_operator_whose_key_was_taken_away_is_told_nothing_more),
        cmocka_unit_test(an_operator_whose_key_stays_watches_on),
        cmocka_unit_test(all_streams_together_have_a_limit),
        cmocka_unit_test(each_address_and_each_token_has_a_limit),
        cmocka_unit_test(tokens_do_not_give_an_address_more_than_its_limit),
        cmocka_unit_test(of_what_comes_to_no_stream_nobody_is_told),
        CLIENT_TEST(who_waits_for_a_game_that_is_read_is_told_of_once),
        cmocka_unit_test(loopback_is_counted_only_where_it_was_asked_for),
        cmocka_unit_test(behind_a_trusted_proxy_loopback_is_counted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
