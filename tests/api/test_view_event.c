/* What each type of event says of itself. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"

/* A request and what the event that it makes has in `data` beside `game`. */
struct step {
    const char *method, *rest, *json;
    const char *type;
    struct {
        const char *name, *json;
    } data[5];
};

static void expect_data(const struct answer *events, size_t n, const struct step *step)
{
    char path[64];
    (void)snprintf(path, sizeof path, "data.%zu.type", n);
    assert_string_equal(answer_text(events, path), step->type);
    int members = 1; /* game */
    for (size_t i = 0; i < 5 && step->data[i].name; i++, members++) {
        (void)snprintf(path, sizeof path, "data.%zu.data.%s", n, step->data[i].name);
        if (step->data[i].json)
            assert_json(events, path, step->data[i].json);
        assert_true(answer_has(events, path));
    }
    (void)snprintf(path, sizeof path, "data.%zu.data", n);
    assert_int_equal(cJSON_GetArraySize(answer_at(events, path)), members);
}

static const struct answer *all_events(struct client *client, const char *id)
{
    return client_get(client, match_path(id, "/events.json?after=1"));
}

static void expect_events(struct client *client, const char *id, const struct step *steps, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (steps[i].method)
            assert_in_range(
                match_send(client, steps[i].method, match_path(id, steps[i].rest), steps[i].json)->status,
                200, 201);
    const struct answer *events = all_events(client, id);
    assert_int_equal(answer_count(events, "data"), (int)count);
    for (size_t i = 0; i < count; i++)
        expect_data(events, i, &steps[i]);
}

static const struct step steps[] = {
    {"POST", "/moves", "{\"move\":\"e4\"}", "move.played", {{"move", NULL}}},
    {"POST", "/moves", "{\"move\":\"e5\"}", "move.played", {{"move", NULL}}},
    {"POST", "/draw/offer", "{\"color\":\"white\"}", "draw.offered", {{"by", "\"white\""}}},
    {"POST", "/draw/decline", "{}", "draw.declined", {{"by", "\"black\""}}},
    {"POST",
     "/draw/claim",
     "{\"reason\":\"fifty_moves\",\"move\":\"Nf3\"}",
     "draw.claim_refused",
     {{"by", "\"white\""},
      {"reason", "\"fifty_moves\""},
      {"announced_move", "\"g1f3\""},
      {"stands_as_offer", "true"},
      {"time_added", "{\"color\":\"black\",\"ms\":120000}"}}},
    {NULL, NULL, NULL, "move.played", {{"move", NULL}}}, /* it had to be played: 9.5.3 */
    {"POST", "/takeback", "{\"color\":\"white\"}", "takeback.offered", {{"by", "\"white\""}}},
    {"DELETE", "/takeback", "{}", "takeback.declined", {{"by", "\"white\""}, {"withdrawn", "true"}}},
    {"POST", "/takeback", "{\"color\":\"white\"}", "takeback.offered", {{"by", "\"white\""}}},
    {"POST", "/takeback/decline", "{}", "takeback.declined", {{"by", "\"black\""}, {"withdrawn", "false"}}},
    {"POST", "/takeback", "{\"color\":\"white\"}", "takeback.offered", {{"by", "\"white\""}}},
    {"POST",
     "/takeback/accept",
     "{}",
     "position.rewound",
     {{"by", "\"black\""}, {"reason", "\"takeback_accepted\""}, {"last_move", NULL}}},
    {"POST",
     "/undo",
     "{\"plies\":2}",
     "position.rewound",
     {{"by", "null"}, {"reason", "\"undo\""}, {"last_move", "null"}}},
    {"POST",
     "/clock/add",
     "{\"color\":\"black\",\"ms\":5000}",
     "clock.updated",
     {{"by", "null"}, {"reason", "\"time_added\""}, {"time_added", "{\"color\":\"black\",\"ms\":5000}"}}},
    {"POST",
     "/illegal-move",
     "{\"color\":\"black\"}",
     "clock.updated",
     {{"by", "\"black\""},
      {"reason", "\"illegal_move\""},
      {"time_added", "{\"color\":\"white\",\"ms\":120000}"}}},
    {"PATCH",
     "",
     "{\"white\":{\"name\":\"A\\\"na\"},\"metadata\":{\"x\":[1]},\"visibility\":\"unlisted\"}",
     "game.updated",
     {{"changed",
       "{\"white\":{\"name\":\"A\\\"na\"},\"metadata\":{\"x\":[1]},\"visibility\":\"unlisted\"}"}}},
    {"PATCH",
     "",
     "{\"white\":{\"name\":null}}",
     "game.updated",
     {{"changed", "{\"white\":{\"name\":null}}"}}},
    {"POST", "/resign", "{\"color\":\"black\"}", "game.ended", {{"by", "\"black\""}}},
};

static void each_type_has_its_members(void **state)
{
    struct client *client = *state;
    const char *id = match_new_json(client, "{\"clock\":\"300+3\"}");
    expect_events(client, id, steps, sizeof steps / sizeof steps[0]);
    const struct answer *events = all_events(client, id);
    assert_json(events, "data.17.data.game.result", "\"1-0\"");
    assert_json(events, "data.6.data.game.takeback", "{\"offered_by\":\"white\",\"to_ply\":2}");
    assert_json(events, "data.5.data.game.draw", "{\"offered_by\":\"white\",\"offered_at_ply\":2}");
    assert_json(events, "data.13.data.game.clock.black_ms", "425000"); /* what was given stays given */
    assert_json(events, "data.11.data.last_move.san", "\"e5\"");
}

/* 9.1.2.3: the claim is refused, and no offer of the claimant's stands beside the opponent's. */
static void a_claim_against_an_open_offer_stands_as_none(void **state)
{
    static const struct step steps_of_it[] = {
        {"POST", "/moves", "{\"moves\":[\"e4\",\"e5\"]}", "move.played", {{"move", NULL}}},
        {NULL, NULL, NULL, "move.played", {{"move", NULL}}},
        {"POST", "/draw/offer", "{\"color\":\"black\"}", "draw.offered", {{"by", "\"black\""}}},
        {"POST",
         "/draw/claim",
         "{}",
         "draw.claim_refused",
         {{"by", "\"white\""},
          {"reason", "null"},
          {"announced_move", "null"},
          {"stands_as_offer", "false"},
          {"time_added", "null"}}},
    };
    struct client *client = *state;
    const char *id = match_new_json(client, "{}");
    struct answer *stream = listener_sse(client, id, "");
    expect_events(client, id, steps_of_it, sizeof steps_of_it / sizeof steps_of_it[0]);
    assert_has(answer_listen(stream, STREAM_WANTED), "\"stands_as_offer\":false");
}

static void seats_say_who_and_why(void **state)
{
    static const struct step taken = {
        .type = "seat.changed",
        .data = {{"reason", "\"taken\""}, {"color", "\"black\""}, {"role", "null"}, {"name", "\"Bo\""}}};
    static const struct step renewed = {
        .type = "seat.changed",
        .data = {
            {"reason", "\"token_renewed\""}, {"color", "null"}, {"role", "\"spectator\""}, {"name", "null"}}};
    struct client *client = *state;
    const struct answer *made = match_send(client, "POST", "/v1/games", "{\"access\":\"seats\"}");
    const char *id = answer_text(made, "id");
    char bearer[64];
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", answer_text(made, "tokens.creator"));
    assert_status(match_post(client, id, "/seats", "{\"color\":\"black\",\"name\":\"Bo\"}"), 201);
    assert_status(match_send_with(client, "POST", match_path(id, "/tokens"), "{\"role\":\"spectator\"}",
                                  "Authorization", bearer),
                  201);
    const struct answer *events = all_events(client, id);
    expect_data(events, 0, &taken);
    expect_data(events, 1, &renewed);
    assert_json(events, "data.0.data.game.status", "\"waiting\"");
}

static void a_snapshot_tells_the_names(void **state)
{
    struct client *client = *state;
    const char *id = match_new_json(client, "{\"white\":{\"name\":\"Anna\"},\"moves\":[\"e4\"]}");
    const struct answer *events = client_get(client, match_path(id, "/events.json"));
    assert_json(events, "data.0.data.white", "{\"name\":\"Anna\"}");
    assert_json(events, "data.0.data.black", "{\"name\":null}");
    assert_json(events, "data.0.data.reset", "false");
    assert_json(events, "data.0.data.last_move.san", "\"e4\"");
    assert_json(events, "data.0.version", "2");
    assert_json(events, "data.0.ply", "1");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(each_type_has_its_members),
        CLIENT_TEST(a_claim_against_an_open_offer_stands_as_none),
        CLIENT_TEST(seats_say_who_and_why),
        CLIENT_TEST(a_snapshot_tells_the_names),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
