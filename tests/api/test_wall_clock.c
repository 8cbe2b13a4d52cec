/* What is shown of clocks after the wall clock was set, or after a time without a service: from every answer the time that
 * is left can be told, and none that was kept tells another. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"

#define FIVE_AND_THREE "{\"clock\":\"300+3\"}"
/* The time at which a client begins: 2026-01-02T03:04:05.678Z. */
#define BEGIN_MS INT64_C(1767323045678)

enum { HOUR_MS = 3600000, THOUGHT_MS = 50000 };

/* White has thought for 50 s of his 303 when the wall clock is set on by an hour. */
static const char *stepped(struct client *client)
{
    const char *id = match_new_json(client, FIVE_AND_THREE);
    listener_play(client, id, "e4 e5");
    assert_string_equal(answer_header(match_get(client, id, ""), "ETag"), "\"v3\"");
    client_advance(client, THOUGHT_MS);
    client_set_time(client, BEGIN_MS + THOUGHT_MS + HOUR_MS);
    return id;
}

/* The same, but that the service was down for an hour. */
static const char *restarted(struct client *client)
{
    const char *id = stepped(client);
    client_forget(client);
    return id;
}

/* "03:08:18.678" … of any answer that shows a clock: by the wall clock of now White has 250 s left. */
static void assert_shown_anew(const struct answer *answer, const char *clock)
{
    char path[64];
    (void)snprintf(path, sizeof path, "%s.as_of", clock);
    assert_string_equal(answer_text(answer, path), "2026-01-02T04:04:05.678Z");
    (void)snprintf(path, sizeof path, "%s.flag_at", clock);
    assert_string_equal(answer_text(answer, path), "2026-01-02T04:09:05.678Z");
    (void)snprintf(path, sizeof path, "%s.white_ms", clock);
    assert_int_equal(answer_integer(answer, path), 300000);
}

static void every_answer_of_a_game_shows_its_clock_by_the_wall_clock_of_now(void **state)
{
    static const char *(*const WAYS[])(struct client *) = {stepped, restarted};
    for (size_t i = 0; i < sizeof WAYS / sizeof WAYS[0]; i++) {
        struct client *client = client_open(NULL);
        const char *id = WAYS[i](client);
        const struct answer *now = match_get(client, id, "/clock");
        assert_int_equal(answer_integer(now, "clock.white_ms"), 250000);
        assert_string_equal(answer_text(now, "server_time"), "2026-01-02T04:04:55.678Z");
        assert_string_equal(answer_text(now, "clock.as_of"), "2026-01-02T04:04:55.678Z");
        assert_string_equal(answer_text(now, "clock.flag_at"), "2026-01-02T04:09:05.678Z");
        assert_shown_anew(match_get(client, id, ""), "clock");
        assert_shown_anew(match_get(client, id, ""), "clock"); /* as it was kept */
        assert_shown_anew(match_get(client, id, "/status"), "clock");
        assert_shown_anew(client_get(client, "/v1/games"), "data.0.clock");
        assert_shown_anew(match_send(client, "PUT", match_path(id, "/moves/2"), "{\"move\":\"e5\"}"),
                          "game.clock");
        assert_shown_anew(match_post(client, id, "/draw/offer", "{\"color\":\"black\"}"), "game.clock");
        assert_shown_anew(match_get(client, id, "/events.json"), "data.0.data.game.clock");
        assert_shown_anew(match_get(client, id, "/events.json?after=3"), "data.0.data.game.clock");
        client_close(client);
    }
    (void)state;
}

static void the_history_of_clocks_is_not_rewritten(void **state)
{
    const char *id = restarted(*state);
    const struct answer *moves = match_get(*state, id, "/moves");
    assert_string_equal(answer_text(moves, "data.1.played_at"), "2026-01-02T03:04:05.678Z");
    const struct answer *events = match_get(*state, id, "/events.json?after=0");
    assert_string_equal(answer_text(events, "data.2.at"), "2026-01-02T03:04:05.678Z");
    assert_string_equal(answer_text(match_get(*state, id, ""), "updated_at"), "2026-01-02T03:04:05.678Z");
}

/* White had his turn from 03:04:05.678 on, by the wall clock of then. */
static void assert_told_as_then(const struct answer *events, unsigned n)
{
    char path[64];
    (void)snprintf(path, sizeof path, "data.%u.data.game.clock.as_of", n);
    assert_string_equal(answer_text(events, path), "2026-01-02T03:04:05.678Z");
    (void)snprintf(path, sizeof path, "data.%u.data.game.clock.flag_at", n);
    assert_string_equal(answer_text(events, path), "2026-01-02T03:09:05.678Z");
}

static void an_event_tells_its_clock_by_the_wall_clock_of_then_and_the_last_one_by_that_of_now(void **state)
{
    const char *id = restarted(*state);
    const struct answer *events = match_get(*state, id, "/events.json?after=0");
    assert_told_as_then(events, 1);
    assert_shown_anew(events, "data.2.data.game.clock");
    listener_play(*state, id, "Nf3");
    assert_told_as_then(match_get(*state, id, "/events.json?after=0"), 2);
    (void)match_post(*state, id, "/resign", "{\"color\":\"black\"}");
    events = match_get(*state, id, "/events.json?after=0");
    assert_told_as_then(events, 2);
    assert_string_equal(answer_text(events, "data.3.data.game.clock.as_of"), "2026-01-02T04:04:55.678Z");
}

static void an_offer_on_the_other_side_of_a_step_tells_the_clock_anew(void **state)
{
    const char *id = stepped(*state);
    (void)match_post(*state, id, "/draw/offer", "{\"color\":\"black\"}");
    listener_play(*state, id, "Nf3");
    assert_shown_anew(match_get(*state, id, "/events.json?after=0"), "data.3.data.game.clock");
}

static void a_clock_that_stands_keeps_its_times_and_its_tag(void **state)
{
    const char *id = match_new_json(*state, FIVE_AND_THREE);
    const struct answer *before = match_get(*state, id, "");
    client_set_time(*state, BEGIN_MS + HOUR_MS);
    client_forget(*state);
    const struct answer *after = match_get(*state, id, "");
    assert_string_equal(after->body, before->body);
    assert_string_equal(answer_header(after, "ETag"), "\"v1\"");
}

/* ---- what was kept ------------------------------------------------------------------------------------- */

static void a_tag_of_before_is_no_tag_of_now(void **state)
{
    static const char *const BELOW[] = {"", "/status", "/moves", "/board", "/fen", "/legal-moves"};
    const char *id = restarted(*state);
    for (size_t i = 0; i < sizeof BELOW / sizeof BELOW[0]; i++) {
        const char *target = match_path(id, BELOW[i]);
        assert_status(match_ask_with(*state, "GET", target, "If-None-Match", "\"v3\""), 200);
        const struct answer *now = match_ask(*state, "GET", target);
        const char *tag = answer_header(now, "ETag");
        assert_int_equal(strncmp(tag, "\"v3+3600000", strlen("\"v3+3600000")), 0);
        const struct answer *again = match_ask_with(*state, "GET", target, "If-None-Match", tag);
        assert_status(again, 304);
        assert_string_equal(answer_header(again, "ETag"), tag);
    }
    listener_play(*state, id, "Nf3");
    assert_string_equal(answer_header(match_get(*state, id, ""), "ETag"), "\"v4\"");
}

static void a_clock_that_is_set_back_has_a_tag_too(void **state)
{
    const char *id = stepped(*state);
    client_set_time(*state, BEGIN_MS + THOUGHT_MS - HOUR_MS);
    assert_string_equal(answer_header(match_get(*state, id, ""), "ETag"), "\"v3-3600000\"");
    assert_string_equal(
        answer_header(match_ask_with(*state, "GET", match_path(id, ""), "Accept", "text/plain"), "ETag"),
        "\"v3-3600000.txt\"");
}

static void any_tag_of_the_version_lets_a_change_through(void **state)
{
    static const char *const TAGS[] = {"\"v3\"", "\"v4+3600000\"", "\"v5-1.txt\""};
    static const char *const MOVES[] = {"{\"move\":\"Nf3\"}", "{\"move\":\"Nc6\"}", "{\"move\":\"Bc4\"}"};
    const char *id = restarted(*state);
    for (size_t i = 0; i < sizeof TAGS / sizeof TAGS[0]; i++)
        assert_status(
            match_send_with(*state, "POST", match_path(id, "/moves"), MOVES[i], "If-Match", TAGS[i]), 201);
    assert_problem(match_send_with(*state, "POST", match_path(id, "/moves"), "{\"move\":\"Bc5\"}", "If-Match",
                                   "\"v5+3600000\""),
                   412, "version-mismatch");
}

/* ---- streams ------------------------------------------------------------------------------------------- */

/* Its data, of which there is one line. */
static void assert_clock_is_told(const char *text)
{
    assert_int_equal(listener_count(text, "data: "), 1);
    assert_has(text, "event: clock.updated\ndata: {\"type\":\"clock.updated\",");
    assert_has(text, "\"version\":3,");
    assert_has(text, "\"as_of\":\"2026-01-02T04:04:05.678Z\",\"flag_at\":\"2026-01-02T04:09:05.678Z\"");
    assert_has(text, "\"by\":null,\"reason\":\"wall_clock\",\"time_added\":null}");
    assert_has(text, "\"server_time\":\"2026-01-02T04:04:55.678Z\"}");
}

static void a_stream_that_goes_on_is_told_the_clock_first(void **state)
{
    const char *id = restarted(*state);
    struct answer *stream = listener_behind(*state, id, "3");
    assert_clock_is_told(stream->body);
    listener_play(*state, id, "Nf3");
    assert_string_equal(listener_ids(answer_listen(stream, STREAM_WANTED)), "4");
    assert_has(listener_sse(*state, id, "")->body, "\"type\":\"snapshot\"");
}

static void a_stream_that_is_open_is_told_of_a_step(void **state)
{
    struct client *client = *state;
    const char *id = match_new_json(client, FIVE_AND_THREE);
    listener_play(client, id, "e4 e5");
    struct answer *stream = listener_sse(client, id, "");
    client_advance(client, THOUGHT_MS);
    client_tick(client);
    assert_string_equal(answer_listen(stream, STREAM_WANTED), "");
    client_set_time(client, BEGIN_MS + THOUGHT_MS + HOUR_MS);
    client_tick(client);
    assert_clock_is_told(answer_listen(stream, STREAM_WANTED));
}

static void a_poll_waits_for_what_happens_but_is_told_of_a_step(void **state)
{
    struct client *client = *state;
    const char *id = restarted(client);
    struct answer *poll = listener_to(client, id, "/events.json?after=3&wait=25", "*/*");
    assert_true(poll->is_open);
    client_set_time(client, BEGIN_MS + THOUGHT_MS);
    client_tick(client);
    const char *text = answer_listen(poll, STREAM_WANTED);
    assert_has(text, "\"reason\":\"wall_clock\"");
    assert_has(text, "\"next_after\":3,");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_answer_of_a_game_shows_its_clock_by_the_wall_clock_of_now),
        CLIENT_TEST(the_history_of_clocks_is_not_rewritten),
        CLIENT_TEST(an_event_tells_its_clock_by_the_wall_clock_of_then_and_the_last_one_by_that_of_now),
        CLIENT_TEST(an_offer_on_the_other_side_of_a_step_tells_the_clock_anew),
        CLIENT_TEST(a_clock_that_stands_keeps_its_times_and_its_tag),
        CLIENT_TEST(a_tag_of_before_is_no_tag_of_now),
        CLIENT_TEST(a_clock_that_is_set_back_has_a_tag_too),
        CLIENT_TEST(any_tag_of_the_version_lets_a_change_through),
        CLIENT_TEST(a_stream_that_goes_on_is_told_the_clock_first),
        CLIENT_TEST(a_stream_that_is_open_is_told_of_a_step),
        CLIENT_TEST(a_poll_waits_for_what_happens_but_is_told_of_a_step),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
