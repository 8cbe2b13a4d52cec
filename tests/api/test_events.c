/* Events over HTTP: frames to the byte, cursors, the end of a stream, long polls. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"

/* ---- frames ------------------------------------------------------------------------------------------ */

static const char *const OFFERED =
    "{\"id\":3,\"type\":\"draw.offered\",\"game\":\"%s\",\"version\":3,\"ply\":1,"
    "\"at\":\"2026-01-02T03:04:05.678Z\",\"data\":{\"game\":{\"status\":\"active\",\"result\":\"*\","
    "\"winner\":null,\"termination\":null,\"turn\":\"black\",\"ply\":1,\"version\":3,\"check\":false,"
    "\"clock\":null,\"fen\":\"rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1\","
    "\"draw\":{\"offered_by\":\"white\",\"offered_at_ply\":1},\"takeback\":null},\"by\":\"white\"},"
    "\"server_time\":\"2026-01-02T03:04:05.678Z\"}";

/* The frame with that event of a game. */
static const char *frame(const char *before, const char *id, const char *behind)
{
    static char text[2048];
    char event[1024];
    (void)snprintf(event, sizeof event, OFFERED, id);
    (void)snprintf(text, sizeof text, "%s%s%s", before, event, behind);
    return text;
}

static void offer_draw(struct client *client, const char *id)
{
    assert_status(client_curl(client, match_path(id, "/draw/offer"), "white"), 201);
}

static void server_sent_events_have_these_frames(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *answer = listener_sse(client, id, "?after=2");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "Content-Type"), "text/event-stream");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_string_equal(answer_header(answer, "X-Accel-Buffering"), "no");
    assert_string_equal(answer->body, "retry: 2000\n\n");
    offer_draw(client, id);
    assert_int_equal(atomic_load(&answer->pokes), 1);
    assert_string_equal(answer_listen(answer, STREAM_WANTED),
                        frame("id: 3\nevent: draw.offered\ndata: ", id, "\n\n"));
    assert_string_equal(answer_listen(answer, STREAM_WANTED), "");
    assert_string_equal(answer_listen(answer, STREAM_QUIET), ": ping\n\n");
    assert_int_equal(answer->response.stream.quiet_ms, 15000);
    assert_true(answer->is_open);
    assert_string_equal(answer_listen(answer, STREAM_ENDING), ": the service is shutting down\n\n");
    assert_false(answer->is_open);
}

static void ndjson_has_an_object_a_line_and_empty_lines_for_silence(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *answer = listener_to(client, id, "/events.ndjson?after=2", "*/*");
    assert_string_equal(answer_header(answer, "Content-Type"), "application/x-ndjson");
    assert_string_equal(answer->body, "");
    offer_draw(client, id);
    assert_string_equal(answer_listen(answer, STREAM_WANTED), frame("", id, "\n"));
    assert_string_equal(answer_listen(answer, STREAM_QUIET), "\n");
    assert_string_equal(answer_listen(answer, STREAM_ENDING), "");
    assert_false(answer->is_open);
}

static void a_long_poll_is_one_object(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    offer_draw(client, id);
    struct answer *answer = listener_to(client, id, "/events.json?after=2", "*/*");
    assert_false(answer->is_open);
    assert_string_equal(answer_header(answer, "Content-Type"), "application/json");
    assert_string_equal(answer->body, frame("{\"data\":[", id, "],\"next_after\":3,\"over\":false}\n"));
}

static void who_asks_for_nothing_in_particular_gets_server_sent_events(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    static const char *const accepts[][2] = {
        {"*/*", "text/event-stream"},
        {"application/json", "application/json"},
        {"application/x-ndjson, */*;q=0.1", "application/x-ndjson"},
    };
    for (size_t i = 0; i < sizeof accepts / sizeof accepts[0]; i++)
        assert_string_equal(answer_header(listener_to(client, id, "/events", accepts[i][0]), "Content-Type"),
                            accepts[i][1]);
    assert_problem(listener_to(client, id, "/events", "text/plain"), 406, "not-acceptable");
}

static void events_are_told_of_but_not_opened_by_head(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct call call = {
        .method = "HEAD", .target = match_path(id, "/events"), .headers = {{"Accept", "*/*"}}};
    const struct answer *answer = client_send(client, &call);
    assert_status(answer, 200);
    assert_false(answer->is_open);
    assert_string_equal(answer_header(answer, "Content-Type"), "text/event-stream");
    const char *const targets[] = {match_path(id, "/events"), match_path(id, "/events.json"),
                                   match_path(id, "/events.ndjson"), "/v1/events?game="};
    for (size_t i = 0; i < 4; i++) {
        char target[128];
        (void)snprintf(target, sizeof target, "%s%s", targets[i], i == 3 ? id : "");
        call.target = target;
        answer = client_send(client, &call);
        assert_status(answer, 200);
        assert_true(answer->response.is_unmeasured); /* a GET has a body, however long */
    }
    call.target = "/v1/games/zzzzzzzzzzzz/events";
    answer = client_send(client, &call);
    assert_int_equal(answer->status, 404);
    assert_false(answer->response.is_unmeasured);
}

/* ---- cursors ----------------------------------------------------------------------------------------- */

static void without_a_cursor_a_snapshot_comes_first(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *answer = listener_sse(client, id, "");
    assert_string_equal(listener_ids(answer->body), "2");
    assert_has(answer->body, "event: snapshot\n");
    assert_has(answer->body, "\"reset\":false,\"white\":{\"name\":null},\"black\":{\"name\":null},");
    assert_has(answer->body, "\"last_move\":{\"ply\":1,\"number\":1,\"color\":\"white\",\"san\":\"e4\"");
    listener_play(client, id, "e5");
    assert_string_equal(listener_ids(answer_listen(answer, STREAM_WANTED)), "3");
}

static void what_was_missed_comes_behind_the_cursor(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    listener_play(client, id, "e5 Nf3 Nc6");
    assert_string_equal(listener_ids(listener_sse(client, id, "?after=0")->body), "1 2 3 4 5");
    assert_string_equal(listener_ids(listener_sse(client, id, "?after=3")->body), "4 5");
    assert_string_equal(listener_ids(listener_behind(client, id, "4")->body), "5");
    assert_string_equal(listener_ids(listener_behind(client, id, "")->body),
                        "5"); /* a snapshot: no cursor at all */
    client_forget(client);
    struct answer *answer = listener_behind(client, id, "2");
    assert_true(answer->blocked);
    assert_string_equal(listener_ids(answer->body), "3 4 5");
    assert_int_equal(listener_count(answer->body, "event: move.played\n"), 3);
}

static void the_header_counts_more_than_the_query(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    listener_play(client, id, "e5 Nf3");
    struct answer *answer =
        listener_ask(client, match_path(id, "/events?after=0"), "text/event-stream", "Last-Event-ID", "3");
    assert_string_equal(listener_ids(answer->body), "4");
}

static void a_cursor_that_leads_nowhere_is_a_snapshot_with_reset(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    static const char *const headers[] = {"99", "x", "-1", "4294967295", "abcdefghjkmn:3"};
    for (size_t i = 0; i < sizeof headers / sizeof headers[0]; i++) {
        struct answer *answer = listener_behind(client, id, headers[i]);
        assert_status(answer, 200);
        assert_string_equal(listener_ids(answer->body), "2");
        assert_has(answer->body, "\"reset\":true,");
    }
    assert_has(listener_sse(client, id, "?after=99")->body, "\"reset\":true,");
}

static void a_cursor_in_the_query_is_read_strictly(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    static const char *const queries[] = {"?after=x", "?after=-1", "?after=4294967296", "?after=1.5",
                                          "?after="};
    for (size_t i = 0; i < sizeof queries / sizeof queries[0]; i++) {
        const struct answer *answer = listener_sse(client, id, queries[i]);
        assert_problem(answer, 400, "invalid-parameter");
        assert_string_equal(answer_text(answer, "parameter"), "after");
    }
    assert_problem(listener_sse(client, id, "?wait=61"), 400, "invalid-parameter");
    assert_problem(listener_sse(client, id, "?game=abc"), 400, "unknown-field");
    assert_problem(listener_sse(client, "zzzzzzzzzzzz", ""), 404, "game-not-found");
}

static void a_cursor_too_far_behind_is_a_snapshot_with_reset(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.events_catchup = 2;
    struct client *client = client_open(&options);
    const char *id = listener_game(client);
    listener_play(client, id, "e5 Nf3 Nc6");
    assert_string_equal(listener_ids(listener_sse(client, id, "?after=3")->body), "4 5");
    struct answer *answer = listener_sse(client, id, "?after=2");
    assert_string_equal(listener_ids(answer->body), "5");
    assert_has(answer->body, "\"reset\":true,");
    client_close(client);
}

static void who_is_slow_is_cut(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.stream_backlog = 4;
    struct client *client = client_open(&options);
    const char *id = listener_game(client);
    struct answer *answer = listener_sse(client, id, "?after=2");
    listener_play(client, id, "e5 Nf3 Nc6 Bb5 a6");
    assert_string_equal(answer_listen(answer, STREAM_WANTED), "");
    assert_false(answer->is_open);
    assert_string_equal(listener_ids(listener_sse(client, id, "?after=2")->body), "3 4 5 6 7");
    client_close(client);
}

/* ---- the end ----------------------------------------------------------------------------------------- */

static void the_event_that_ends_the_game_ends_the_stream(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *sse = listener_sse(client, id, "?after=2");
    struct answer *lines = listener_to(client, id, "/events.ndjson?after=2", "*/*");
    assert_status(client_curl(client, match_path(id, "/resign"), "black"), 200);
    const char *text = answer_listen(sse, STREAM_WANTED);
    assert_string_equal(listener_ids(text), "3");
    assert_has(text, "event: game.ended\n");
    assert_has(
        text, "\"status\":\"ended\",\"result\":\"1-0\",\"winner\":\"white\",\"termination\":\"resignation\"");
    assert_has(text, "\"by\":\"black\"");
    assert_false(sse->is_open);
    assert_int_equal(listener_count(answer_listen(lines, STREAM_WANTED), "\n"), 1);
    assert_false(lines->is_open);
}

static void a_game_that_is_over_has_nothing_to_tell_to_who_knows_it(void **state)
{
    struct client *client = *state;
    const char *id = match_new(client);
    listener_play(client, id, "f3 e5 g4 Qh4#");
    struct answer *answer = listener_behind(client, id, "5");
    assert_status(answer, 204);
    assert_status(listener_to(client, id, "/events.ndjson?after=5", "*/*"), 204);
    answer = listener_to(client, id, "/events.json?after=5&wait=60", "*/*");
    assert_string_equal(answer->body, "{\"data\":[],\"next_after\":5,\"over\":true}\n");
    assert_true(answer_bool(listener_to(client, id, "/events.json?after=4&wait=60", "*/*"), "over"));
    assert_true(answer_bool(listener_to(client, id, "/events.json", "*/*"), "over"));
    answer = listener_behind(client, id, "4");
    assert_string_equal(listener_ids(answer->body), "5");
    assert_has(answer->body, "\"termination\":\"checkmate\"");
    assert_false(answer->is_open);
    answer = listener_sse(client, id, "");
    assert_has(answer->body, "event: snapshot\n");
    assert_false(answer->is_open);
}

static void a_game_that_was_reopened_goes_on(void **state)
{
    struct client *client = *state;
    const char *id = match_new(client);
    listener_play(client, id, "f3 e5 g4 Qh4#");
    assert_status(client_act(client, match_path(id, "/undo")), 200);
    struct answer *answer = listener_behind(client, id, "4");
    assert_string_equal(listener_ids(answer->body), "5 6");
    assert_has(answer->body, "event: position.rewound\n");
    assert_has(answer->body, "\"by\":null,\"reason\":\"undo\",\"last_move\":{\"ply\":3,");
    assert_true(answer->is_open);
}

static void a_game_that_is_removed_says_so_and_has_no_id(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *sse = listener_sse(client, id, "?after=2");
    struct call call = {.method = "DELETE", .target = match_path(id, ""), .headers = {{"Accept", "*/*"}}};
    assert_status(client_send(client, &call), 204);
    const char *text = answer_listen(sse, STREAM_WANTED);
    assert_int_equal(strncmp(text, "event: game.deleted\ndata: {\"type\":\"game.deleted\",",
                             strlen("event: game.deleted\ndata: {\"type\":\"game.deleted\",")),
                     0);
    assert_false(sse->is_open);
    assert_problem(listener_behind(client, id, "2"), 404, "game-not-found");
}

/* ---- long polls -------------------------------------------------------------------------------------- */

static void a_long_poll_waits_for_an_event(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *answer = listener_to(client, id, "/events.json?after=2&wait=25", "*/*");
    assert_true(answer->is_open);
    assert_string_equal(answer->body, "");
    assert_int_equal(answer->response.stream.quiet_ms, 25000);
    listener_play(client, id, "e5");
    const char *text = answer_listen(answer, STREAM_WANTED);
    assert_false(answer->is_open);
    assert_int_equal(listener_count(text, "\"type\":\"move.played\""), 1);
    assert_has(text, "}],\"next_after\":3,\"over\":false}\n");
}

static void a_long_poll_that_has_waited_is_empty(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    struct answer *answer = listener_to(client, id, "/events.json?after=2&wait=25", "*/*");
    assert_string_equal(answer_listen(answer, STREAM_QUIET),
                        "{\"data\":[],\"next_after\":2,\"over\":false}\n");
    assert_false(answer->is_open);
    assert_string_equal(listener_to(client, id, "/events.json?after=2", "*/*")->body,
                        "{\"data\":[],\"next_after\":2,\"over\":false}\n");
    answer = listener_to(client, id, "/events.json?after=2&wait=25", "*/*");
    assert_string_equal(answer_listen(answer, STREAM_ENDING),
                        "{\"data\":[],\"next_after\":2,\"over\":false}\n");
}

static void a_long_poll_brings_all_that_is_there(void **state)
{
    struct client *client = *state;
    const char *id = listener_game(client);
    listener_play(client, id, "e5 Nf3");
    struct answer *answer = listener_to(client, id, "/events.json?after=0&wait=25", "*/*");
    assert_false(answer->is_open);
    assert_int_equal(answer_count(answer, "data"), 4);
    assert_int_equal(answer_integer(answer, "data.0.id"), 1);
    assert_int_equal(answer_integer(answer, "data.3.id"), 4);
    assert_int_equal(answer_integer(answer, "next_after"), 4);
    answer = listener_to(client, id, "/events.json", "*/*");
    assert_string_equal(answer_text(answer, "data.0.type"), "snapshot");
    assert_int_equal(answer_integer(answer, "next_after"), 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(server_sent_events_have_these_frames),
        CLIENT_TEST(ndjson_has_an_object_a_line_and_empty_lines_for_silence),
        CLIENT_TEST(a_long_poll_is_one_object),
        CLIENT_TEST(who_asks_for_nothing_in_particular_gets_server_sent_events),
        CLIENT_TEST(events_are_told_of_but_not_opened_by_head),
        CLIENT_TEST(without_a_cursor_a_snapshot_comes_first),
        CLIENT_TEST(what_was_missed_comes_behind_the_cursor),
        CLIENT_TEST(the_header_counts_more_than_the_query),
        CLIENT_TEST(a_cursor_that_leads_nowhere_is_a_snapshot_with_reset),
        CLIENT_TEST(a_cursor_in_the_query_is_read_strictly),
        cmocka_unit_test(a_cursor_too_far_behind_is_a_snapshot_with_reset),
        cmocka_unit_test(who_is_slow_is_cut),
        CLIENT_TEST(the_event_that_ends_the_game_ends_the_stream),
        CLIENT_TEST(a_game_that_is_over_has_nothing_to_tell_to_who_knows_it),
        CLIENT_TEST(a_game_that_was_reopened_goes_on),
        CLIENT_TEST(a_game_that_is_removed_says_so_and_has_no_id),
        CLIENT_TEST(a_long_poll_waits_for_an_event),
        CLIENT_TEST(a_long_poll_that_has_waited_is_empty),
        CLIENT_TEST(a_long_poll_brings_all_that_is_there),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
