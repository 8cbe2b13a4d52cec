/* Idempotency-Key: a request that is sent again is answered again, and acts once. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/route.h"
#include "tests/api/retried.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { DAY = 86400000 };

/* ---- the key -------------------------------------------------------------------------------------------- */

static void every_post_takes_a_key_of_visible_letters(void **state)
{
    static char longest[130];
    memset(longest, 'k', 129);
    const char *id = match_new(*state);
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        const char *brace = strchr(row->path, '}');
        const char *target = brace ? match_path(id, brace + 1) : row->path;
        if (row->method != METHOD_POST)
            continue;
        print_message("%s\n", target);
        static const char *const BAD[] = {"a b", "k\x7f", "k\xc3\xa9", longest};
        for (size_t i = 0; i < LENGTH(BAD); i++)
            assert_problem(retried_send(*state, target, "{}", BAD[i]), 400, "invalid-parameter");
    }
    assert_match_at(*state, id, 1, 0);
    longest[128] = '\0';
    assert_status(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", longest), 201);
}

static void every_post_acts_once_but_those_that_change_no_game(void **state)
{
    (void)state;
    static const char *const CHANGE_NOTHING[] = {"playLine", "validatePosition", "decideWinnable",
                                                 "runBatch", "validatePgn",      "createStreamTicket"};
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        bool changes = row->method == METHOD_POST;
        for (size_t i = 0; i < LENGTH(CHANGE_NOTHING); i++)
            changes = changes && strcmp(row->operation, CHANGE_NOTHING[i]) != 0;
        if (row->acts_once != changes)
            fail_msg("%s %s", row->operation, changes ? "acts twice" : "keeps what is no answer");
    }
}

static void put_does_not_look_at_a_key(void **state)
{
    const char *id = match_new(*state);
    assert_status(match_send_with(*state, "PUT", match_path(id, "/moves/1"), "{\"move\":\"e4\"}",
                                  "Idempotency-Key", "a b"),
                  201);
}

static void a_key_is_of_one_path_and_one_client(void **state)
{
    const char *one = match_new(*state), *other = match_new(*state);
    assert_status(retried_send(*state, match_path(one, "/moves"), "{\"move\":\"e4\"}", "k"), 201);
    assert_false(
        retried_is_replay(retried_send(*state, match_path(other, "/moves"), "{\"move\":\"e4\"}", "k")));
    struct call call = {
        .method = "POST",
        .target = match_path(one, "/moves"),
        .body = "{\"move\":\"e5\"}",
        .headers = {{"Content-Type", "application/json"},
                    {"Idempotency-Key", "k"},
                    {"Authorization", "Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    const struct answer *answer = client_send(*state, &call);
    assert_status(answer, 201);
    assert_false(retried_is_replay(answer));
    assert_match_at(*state, one, 3, 2);
}

/* ---- answered again ------------------------------------------------------------------------------------- */

static void a_repeated_create_is_the_same_game(void **state)
{
    static const char JSON[] = "{\"white\":{\"name\":\"Ada\"},\"moves\":[\"e4\",\"e5\"]}";
    const struct answer *first = retried_send(*state, "/v1/games", JSON, "create-1");
    assert_status(first, 201);
    assert_replays(retried_send(*state, "/v1/games", JSON, "create-1"), first);
    assert_int_equal(retried_games(*state), 1);
    const struct answer *text = retried_send(*state, "/v1/games.txt", NULL, "create-2");
    assert_status(text, 201);
    assert_replays(retried_send(*state, "/v1/games.txt", NULL, "create-2"), text);
    assert_int_equal(retried_games(*state), 2);
}

/* It is not compared, whether it is asked for by suffix or by Accept: the answer is that of the first request. */
static void a_repeat_in_another_form_does_nothing_and_is_told_the_first(void **state)
{
    const struct answer *json = retried_send(*state, "/v1/games", NULL, "json");
    assert_status(json, 201);
    assert_replays(retried_send(*state, "/v1/games.txt", NULL, "json"), json);
    const struct answer *text = retried_send(*state, "/v1/games.txt", NULL, "text");
    assert_status(text, 201);
    assert_replays(retried_send(*state, "/v1/games", NULL, "text"), text);
    assert_replays(retried_send(*state, "/v1/games.json", NULL, "text"), text);
    assert_int_equal(retried_games(*state), 2);
    const char *id = match_new(*state);
    const struct answer *played =
        retried_send(*state, match_path(id, "/moves.txt"), "{\"move\":\"e4\"}", "k");
    assert_status(played, 201);
    assert_replays(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k"), played);
    assert_match_at(*state, id, 2, 1);
    assert_problem(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k"), 422,
                   "idempotency-key-reused");
}

/* Everything that a POST changes. */
static const struct deed {
    const char *moves; /* before, one request; NULL: none */
    const char *first; /* before, a POST to the game with `first_json`; NULL: none */
    const char *first_json;
    const char *rest, *json;
    unsigned status;
} DEEDS[] = {
    {NULL, NULL, NULL, "/moves", "{\"move\":\"e4\"}", 201},
    {NULL, NULL, NULL, "/moves", "{\"moves\":[\"e4\",\"e5\",\"Nf3\"]}", 201},
    {"e4", NULL, NULL, "/undo", NULL, 200},
    {"e4 e5", NULL, NULL, "/draw/offer", NULL, 201},
    {"e4 e5", "/draw/offer", NULL, "/draw/accept", NULL, 200},
    {"e4 e5", "/draw/offer", NULL, "/draw/decline", NULL, 200},
    {"e4 e5", NULL, NULL, "/resign", "{\"color\":\"white\"}", 200},
    {NULL, NULL, NULL, "/abort", NULL, 200},
    {"e4 e5", NULL, NULL, "/takeback", "{\"color\":\"black\"}", 201},
    {"e4 e5", "/takeback", "{\"color\":\"black\"}", "/takeback/accept", NULL, 200},
    {"e4 e5", "/takeback", "{\"color\":\"black\"}", "/takeback/decline", NULL, 200},
    {"e4 e5", NULL, NULL, "/adjudicate", "{\"result\":\"1/2-1/2\"}", 200},
    {"e4 e5", NULL, NULL, "/illegal-move", "{\"color\":\"white\"}", 200},
    {"e4 e5", NULL, NULL, "/fork", "{}", 201},
    {"e4 e5", NULL, NULL, "/clock/add", "{\"color\":\"white\",\"ms\":5000}", 200},
    {"e4 e5", "", NULL, "/flag", NULL, 200},
    {"Nf3 Nf6 Ng1 Ng8 Nf3 Nf6 Ng1 Ng8", NULL, NULL, "/draw/claim", NULL, 200},
    {"e4 e5", NULL, NULL, "/draw/claim", NULL, 200}, /* a claim that does not hold stands as an offer */
};

/* A game in which the deed can be done. */
static const char *prepare(struct client *client, const struct deed *deed)
{
    const char *id = match_new_json(client, "{\"clock\":\"300+3\"}");
    print_message("%s %s\n", deed->rest, deed->json ? deed->json : "");
    if (deed->moves)
        match_play(client, id, deed->moves);
    if (deed->first && *deed->first)
        (void)match_post(client, id, deed->first, deed->first_json);
    else if (deed->first)
        client_advance(client, 400000); /* the flag falls */
    return id;
}

static void a_repeated_deed_is_done_once(void **state)
{
    for (size_t i = 0; i < LENGTH(DEEDS); i++) {
        const char *id = prepare(*state, &DEEDS[i]);
        const char *target = match_path(id, DEEDS[i].rest);
        const struct answer *first = retried_send(*state, target, DEEDS[i].json, "k");
        assert_status(first, DEEDS[i].status);
        const char *after = match_get(*state, id, "")->body;
        target = match_path(id, DEEDS[i].rest);
        assert_replays(retried_send(*state, target, DEEDS[i].json, "k"), first);
        assert_problem(retried_send(*state, target, "{\"x_other\":1}", "k"), 422, "idempotency-key-reused");
        assert_string_equal(match_get(*state, id, "")->body, after);
    }
}

static void a_replay_tells_what_was_true_then(void **state)
{
    const char *id = match_new(*state);
    const struct answer *first = retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k");
    match_play(*state, id, "e5 Nf3");
    assert_replays(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k"), first);
}

static void a_replay_is_an_answer_to_the_request_at_hand(void **state)
{
    struct call call = {
        .method = "POST",
        .target = "/v1/games",
        .headers = {{"Idempotency-Key", "k"}, {"Origin", "http://localhost:3000"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    (void)client_send(*state, &call);
    call.headers[1].value = "http://localhost:4000";
    const struct answer *again = client_send(*state, &call);
    assert_true(retried_is_replay(again));
    assert_string_equal(answer_header(again, "Access-Control-Allow-Origin"), "http://localhost:4000");
    assert_non_null(strstr(answer_header(again, "Access-Control-Expose-Headers"), "Idempotent-Replayed"));
    assert_string_equal(again->route, "/v1/games");
}

static void answers_outlive_the_process(void **state)
{
    const struct answer *first = retried_send(*state, "/v1/games", "{}", "k");
    client_forget(*state);
    assert_replays(retried_send(*state, "/v1/games", "{}", "k"), first);
}

static void answers_are_kept_for_a_day(void **state)
{
    const struct answer *first = retried_send(*state, "/v1/games", "{}", "k");
    client_advance(*state, DAY - 1);
    client_tick(*state);
    (void)match_new(*state); /* writes are done in order: whatever the tick has begun is over */
    assert_replays(retried_send(*state, "/v1/games", "{}", "k"), first);
    client_advance(*state, 1);
    client_tick(*state);
    (void)match_new(*state);
    const struct answer *later = retried_send(*state, "/v1/games", "{}", "k");
    assert_status(later, 201);
    assert_false(retried_is_replay(later));
    assert_string_not_equal(answer_text(later, "id"), answer_text(first, "id"));
}

static void the_time_answers_are_kept_is_a_limit(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.idempotency_ms = 60000;
    struct client *client = client_open(&options);
    (void)retried_send(client, "/v1/games", "{}", "k");
    client_advance(client, 60000);
    client_tick(client);
    (void)match_new(client);
    assert_false(retried_is_replay(retried_send(client, "/v1/games", "{}", "k")));
    client_close(client);
}

/* ---- another request ------------------------------------------------------------------------------------- */

/* DELETE leaves nothing of a game, not even answers. */
static void of_a_game_that_was_removed_nothing_is_answered_again(void **state)
{
    static const char *const rests[] = {"/moves", "/fork", "/draw/offer"};
    static const char *const bodies[] = {"{\"move\":\"e4\"}", NULL, NULL};
    const char *id = answer_text(retried_send(*state, "/v1/games", "{}", "create"), "id"), *forked = NULL;
    for (size_t i = 0; i < LENGTH(rests); i++) {
        const struct answer *answer = retried_send(*state, match_path(id, rests[i]), bodies[i], "k");
        assert_status(answer, 201);
        if (i == 1)
            forked = answer_text(answer, "id");
    }
    assert_status(match_ask(*state, "DELETE", match_path(id, "")), 204);
    const struct answer *created = retried_send(*state, "/v1/games", "{}", "create");
    assert_problem(created, 404, "game-not-found");
    assert_false(retried_is_replay(created));
    assert_problem(retried_send(*state, match_path(id, "/moves"), bodies[0], "k"), 404, "game-not-found");
    assert_problem(retried_send(*state, match_path(id, "/draw/offer"), NULL, "k"), 404, "game-not-found");
    client_forget(*state);
    assert_problem(retried_send(*state, "/v1/games", "{}", "create"), 404, "game-not-found");
    assert_true(
        retried_is_replay(retried_send(*state, match_path(id, "/fork"), NULL, "k"))); /* it is there */
    assert_status(match_ask(*state, "DELETE", match_path(forked, "")), 204);
    assert_problem(retried_send(*state, match_path(id, "/fork"), NULL, "k"), 404, "game-not-found");
    assert_int_equal(retried_games(*state), 0);
}

static void another_request_with_the_key_is_refused(void **state)
{
    static const struct {
        const char *target, *type, *body;
    } others[] = {
        {"/v1/games", "application/json", "{\"white\":{\"name\":\"B\"}}"},
        {"/v1/games", "application/json", "{ }"},
        {"/v1/games", "application/json", ""},
        {"/v1/games?variant=standard", "application/json", "{}"},
        {"/v1/games", "text/plain", "{}"},
        {"/v1/games?validate_only=true", "application/json", "{}"},
    };
    assert_status(retried_send(*state, "/v1/games", "{}", "k"), 201);
    for (size_t i = 0; i < LENGTH(others); i++) {
        print_message("%s %s %s\n", others[i].target, others[i].type, others[i].body);
        struct call call = {
            .method = "POST",
            .target = others[i].target,
            .body = others[i].body,
            .headers = {{"Content-Type", others[i].type}, {"Idempotency-Key", "k"}},
            .scope = REQUEST_SCOPE_LOOPBACK,
        };
        assert_problem(client_send(*state, &call), 422, "idempotency-key-reused");
    }
    assert_int_equal(retried_games(*state), 1);
}

static void what_a_client_prefers_is_no_other_request(void **state)
{
    static const char *const FIELDS[][2] = {
        {"Accept", "text/plain"}, {"Prefer", "return=minimal"}, {"If-Match", "\"7\""}};
    const char *id = match_new(*state);
    const char *target = match_path(id, "/moves");
    const struct answer *first = retried_send(*state, target, "{\"move\":\"e4\"}", "k");
    for (size_t i = 0; i < LENGTH(FIELDS); i++) {
        const struct call call = {
            .method = "POST",
            .target = target,
            .body = "{\"move\":\"e4\"}",
            .headers = {{"Content-Type", "application/json"},
                        {"Idempotency-Key", "k"},
                        {FIELDS[i][0], FIELDS[i][1]}},
            .scope = REQUEST_SCOPE_LOOPBACK,
        };
        assert_replays(client_send(*state, &call), first);
    }
    assert_match_at(*state, id, 2, 1);
}

/* ---- what is not kept ------------------------------------------------------------------------------------ */

static void refusals_are_judged_again(void **state)
{
    const char *id = match_new(*state);
    assert_problem(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k"), 422,
                   "illegal-move");
    match_play(*state, id, "e4");
    const struct answer *first = retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k");
    assert_status(first, 201);
    assert_replays(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k"), first);
    /* A refusal leaves the key to another request. */
    assert_problem(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"Ke8\"}", "l"), 422,
                   "illegal-move");
    assert_status(retried_send(*state, match_path(id, "/moves"), "{\"move\":\"Nf3\"}", "l"), 201);
}

static void what_is_only_checked_keeps_nothing(void **state)
{
    static const char *const TARGETS[] = {"/v1/games?validate_only=true", "/v1/positions/validate",
                                          "/v1/positions/winnable", "/v1/positions/line"};
    static const char *const BODIES[] = {"{}", "{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"}",
                                         "{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\",\"color\":\"white\"}",
                                         "{\"fen\":\"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\",\"moves\":[\"e4\"]}"};
    for (size_t i = 0; i < LENGTH(TARGETS); i++) {
        for (int round = 0; round < 2; round++) {
            const struct answer *answer = retried_send(*state, TARGETS[i], BODIES[i], "k");
            assert_status(answer, 200);
            assert_false(retried_is_replay(answer));
        }
    }
    const struct call pgn = {
        .method = "POST",
        .target = "/v1/pgn/validate",
        .body = "1. e4 e5 *",
        .headers = {{"Content-Type", "application/vnd.chess-pgn"}, {"Idempotency-Key", "k"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    for (int round = 0; round < 2; round++) {
        const struct answer *answer = client_send(*state, &pgn);
        assert_status(answer, 200);
        assert_false(retried_is_replay(answer));
    }
    const struct answer *checked = retried_send(*state, "/v1/games", "{\"validate_only\":true}", "m");
    assert_status(checked, 200);
    assert_false(retried_is_replay(retried_send(*state, "/v1/games", "{}", "m")));
    assert_int_equal(retried_games(*state), 1);
}

/* A ticket is used once and lives for a minute: there is nothing to give again. */
static void each_ticket_is_a_new_one(void **state)
{
    const char *id = match_new(*state);
    const struct answer *first = retried_send(*state, match_path(id, "/stream-tickets"), "{}", "k");
    const struct answer *again = retried_send(*state, match_path(id, "/stream-tickets"), "{}", "k");
    assert_status(first, 201);
    assert_status(again, 201);
    assert_false(retried_is_replay(again));
    assert_string_not_equal(answer_text(again, "ticket"), answer_text(first, "ticket"));
}

static void a_replay_by_ply_stays_one(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (int round = 0; round < 2; round++) {
        const struct answer *answer =
            retried_send(*state, match_path(id, "/moves"), "{\"move\":\"e4\",\"ply\":1}", "k");
        assert_status(answer, 200);
        assert_true(retried_is_replay(answer));
    }
    assert_match_at(*state, id, 2, 1);
}

static void a_commit_that_failed_leaves_the_key_free(void **state)
{
    struct storage *faulty = client_storage(*state);
    faulty_fail(faulty, FAULTY_COMMIT, 1, STORAGE_FULL);
    assert_problem(retried_send(*state, "/v1/games", "{}", "k"), 503, "storage-unavailable");
    const struct answer *first = retried_send(*state, "/v1/games", "{}", "k");
    assert_status(first, 201);
    assert_replays(retried_send(*state, "/v1/games", "{}", "k"), first);
    assert_int_equal(retried_games(*state), 1);
}

static void a_store_that_cannot_be_read_acts_on_nothing(void **state)
{
    struct storage *faulty = client_storage(*state);
    faulty_fail(faulty, FAULTY_RECEIPT, 1, STORAGE_UNAVAILABLE);
    const struct answer *answer = retried_send(*state, "/v1/games", "{}", "k");
    assert_problem(answer, 503, "storage-unavailable");
    assert_string_equal(answer_header(answer, "Retry-After"), "5");
    assert_int_equal(retried_games(*state), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_post_takes_a_key_of_visible_letters),
        CLIENT_TEST(every_post_acts_once_but_those_that_change_no_game),
        CLIENT_TEST(put_does_not_look_at_a_key),
        CLIENT_TEST(a_key_is_of_one_path_and_one_client),
        CLIENT_TEST(a_repeated_create_is_the_same_game),
        CLIENT_TEST(a_repeat_in_another_form_does_nothing_and_is_told_the_first),
        CLIENT_TEST(a_repeated_deed_is_done_once),
        CLIENT_TEST(a_replay_tells_what_was_true_then),
        CLIENT_TEST(a_replay_is_an_answer_to_the_request_at_hand),
        CLIENT_TEST(answers_outlive_the_process),
        CLIENT_TEST(answers_are_kept_for_a_day),
        CLIENT_TEST(the_time_answers_are_kept_is_a_limit),
        CLIENT_TEST(of_a_game_that_was_removed_nothing_is_answered_again),
        CLIENT_TEST(another_request_with_the_key_is_refused),
        CLIENT_TEST(what_a_client_prefers_is_no_other_request),
        CLIENT_TEST(refusals_are_judged_again),
        CLIENT_TEST(what_is_only_checked_keeps_nothing),
        CLIENT_TEST(each_ticket_is_a_new_one),
        CLIENT_TEST(a_replay_by_ply_stays_one),
        FAULTY_TEST(a_commit_that_failed_leaves_the_key_free),
        FAULTY_TEST(a_store_that_cannot_be_read_acts_on_nothing),
    };
    return cmocka_run_group_tests_name("Idempotency-Key", tests, NULL, NULL);
}
