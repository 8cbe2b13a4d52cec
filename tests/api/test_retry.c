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
#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { DAY = 86400000 };

static int faulty_setup(void **state)
{
    *state = client_open(&(struct client_options){.wrap = faulty_wrap});
    return 0;
}

#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, faulty_setup, client_teardown)

static const struct answer *send(struct client *client, const char *target, const char *json, const char *key)
{
    return match_send_with(client, "POST", target, json, "Idempotency-Key", key);
}

static bool is_replay(const struct answer *answer)
{
    return strcmp(answer_header(answer, "Idempotent-Replayed"), "true") == 0;
}

/* Everything that belongs to the answer is as it was. */
static void assert_replays(const struct answer *again, const struct answer *first)
{
    static const char *const FIELDS[] = {"Content-Type", "ETag", "Location", "Cache-Control"};
    assert_false(is_replay(first));
    assert_true(is_replay(again));
    assert_int_equal(again->status, first->status);
    assert_int_equal(again->length, first->length);
    assert_memory_equal(again->body, first->body, first->length);
    for (size_t i = 0; i < LENGTH(FIELDS); i++)
        assert_string_equal(answer_header(again, FIELDS[i]), answer_header(first, FIELDS[i]));
}

static int games_listed(struct client *client)
{
    return answer_count(client_get(client, "/v1/games"), "data");
}

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
            assert_problem(send(*state, target, "{}", BAD[i]), 400, "invalid-parameter");
    }
    assert_match_at(*state, id, 1, 0);
    longest[128] = '\0';
    assert_status(send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", longest), 201);
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
    assert_status(send(*state, match_path(one, "/moves"), "{\"move\":\"e4\"}", "k"), 201);
    assert_false(is_replay(send(*state, match_path(other, "/moves"), "{\"move\":\"e4\"}", "k")));
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
    assert_false(is_replay(answer));
    assert_match_at(*state, one, 3, 2);
}

/* ---- answered again ------------------------------------------------------------------------------------- */

static void a_repeated_create_is_the_same_game(void **state)
{
    static const char JSON[] = "{\"white\":{\"name\":\"Ada\"},\"moves\":[\"e4\",\"e5\"]}";
    const struct answer *first = send(*state, "/v1/games", JSON, "create-1");
    assert_status(first, 201);
    assert_replays(send(*state, "/v1/games", JSON, "create-1"), first);
    assert_int_equal(games_listed(*state), 1);
    const struct answer *text = send(*state, "/v1/games.txt", NULL, "create-1");
    assert_status(text, 201);
    assert_replays(send(*state, "/v1/games.txt", NULL, "create-1"), text);
    assert_int_equal(games_listed(*state), 2);
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
        const struct answer *first = send(*state, target, DEEDS[i].json, "k");
        assert_status(first, DEEDS[i].status);
        const char *after = match_get(*state, id, "")->body;
        target = match_path(id, DEEDS[i].rest);
        assert_replays(send(*state, target, DEEDS[i].json, "k"), first);
        assert_problem(send(*state, target, "{\"x_other\":1}", "k"), 422, "idempotency-key-reused");
        assert_string_equal(match_get(*state, id, "")->body, after);
    }
}

static void a_replay_tells_what_was_true_then(void **state)
{
    const char *id = match_new(*state);
    const struct answer *first = send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k");
    match_play(*state, id, "e5 Nf3");
    assert_replays(send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k"), first);
    assert_status(match_ask(*state, "DELETE", match_path(id, "")), 204);
    assert_replays(send(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", "k"), first);
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
    assert_true(is_replay(again));
    assert_string_equal(answer_header(again, "Access-Control-Allow-Origin"), "http://localhost:4000");
    assert_non_null(strstr(answer_header(again, "Access-Control-Expose-Headers"), "Idempotent-Replayed"));
    assert_string_equal(again->route, "/v1/games");
}

static void answers_outlive_the_process(void **state)
{
    const struct answer *first = send(*state, "/v1/games", "{}", "k");
    client_forget(*state);
    assert_replays(send(*state, "/v1/games", "{}", "k"), first);
}

static void answers_are_kept_for_a_day(void **state)
{
    const struct answer *first = send(*state, "/v1/games", "{}", "k");
    client_advance(*state, DAY - 1);
    client_tick(*state);
    (void)match_new(*state); /* writes are done in order: whatever the tick has begun is over */
    assert_replays(send(*state, "/v1/games", "{}", "k"), first);
    client_advance(*state, 1);
    client_tick(*state);
    (void)match_new(*state);
    const struct answer *later = send(*state, "/v1/games", "{}", "k");
    assert_status(later, 201);
    assert_false(is_replay(later));
    assert_string_not_equal(answer_text(later, "id"), answer_text(first, "id"));
}

static void the_time_answers_are_kept_is_a_limit(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default()};
    options.limits.idempotency_ms = 60000;
    struct client *client = client_open(&options);
    (void)send(client, "/v1/games", "{}", "k");
    client_advance(client, 60000);
    client_tick(client);
    (void)match_new(client);
    assert_false(is_replay(send(client, "/v1/games", "{}", "k")));
    client_close(client);
}

/* ---- another request ------------------------------------------------------------------------------------- */

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
    assert_status(send(*state, "/v1/games", "{}", "k"), 201);
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
    assert_int_equal(games_listed(*state), 1);
}

/* ---- what is not kept ------------------------------------------------------------------------------------ */

static void refusals_are_judged_again(void **state)
{
    const char *id = match_new(*state);
    assert_problem(send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k"), 422, "illegal-move");
    match_play(*state, id, "e4");
    const struct answer *first = send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k");
    assert_status(first, 201);
    assert_replays(send(*state, match_path(id, "/moves"), "{\"move\":\"e5\"}", "k"), first);
    /* A refusal leaves the key to another request. */
    assert_problem(send(*state, match_path(id, "/moves"), "{\"move\":\"Ke8\"}", "l"), 422, "illegal-move");
    assert_status(send(*state, match_path(id, "/moves"), "{\"move\":\"Nf3\"}", "l"), 201);
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
            const struct answer *answer = send(*state, TARGETS[i], BODIES[i], "k");
            assert_status(answer, 200);
            assert_false(is_replay(answer));
        }
    }
    const struct answer *checked = send(*state, "/v1/games", "{\"validate_only\":true}", "m");
    assert_status(checked, 200);
    assert_false(is_replay(send(*state, "/v1/games", "{}", "m")));
    assert_int_equal(games_listed(*state), 1);
}

static void a_replay_by_ply_stays_one(void **state)
{
    const char *id = match_new(*state);
    match_play(*state, id, "e4");
    for (int round = 0; round < 2; round++) {
        const struct answer *answer =
            send(*state, match_path(id, "/moves"), "{\"move\":\"e4\",\"ply\":1}", "k");
        assert_status(answer, 200);
        assert_true(is_replay(answer));
    }
    assert_match_at(*state, id, 2, 1);
}

static void a_commit_that_failed_leaves_the_key_free(void **state)
{
    struct storage *faulty = client_storage(*state);
    faulty_fail(faulty, FAULTY_COMMIT, 1, STORAGE_FULL);
    assert_problem(send(*state, "/v1/games", "{}", "k"), 503, "storage-unavailable");
    const struct answer *first = send(*state, "/v1/games", "{}", "k");
    assert_status(first, 201);
    assert_replays(send(*state, "/v1/games", "{}", "k"), first);
    assert_int_equal(games_listed(*state), 1);
}

static void a_store_that_cannot_be_read_acts_on_nothing(void **state)
{
    struct storage *faulty = client_storage(*state);
    faulty_fail(faulty, FAULTY_RECEIPT, 1, STORAGE_UNAVAILABLE);
    const struct answer *answer = send(*state, "/v1/games", "{}", "k");
    assert_problem(answer, 503, "storage-unavailable");
    assert_string_equal(answer_header(answer, "Retry-After"), "5");
    assert_int_equal(games_listed(*state), 0);
}

/* ---- at one time ---------------------------------------------------------------------------------------- */

struct sender {
    struct client *client;
    const char *target, *json, *key;
    const struct answer *answer;
};

static void *send_in_thread(void *argument)
{
    struct sender *sender = argument;
    sender->answer = send(sender->client, sender->target, sender->json, sender->key);
    return NULL;
}

static void while_it_is_under_way_a_repeat_is_refused(void **state)
{
    struct storage *faulty = client_storage(*state);
    struct sender sender = {.client = *state, .target = "/v1/games", .json = "{}", .key = "k"};
    pthread_t thread;
    faulty_hold(faulty);
    assert_int_equal(pthread_create(&thread, NULL, send_in_thread, &sender), 0);
    faulty_await_held(faulty, 1);
    const struct answer *meanwhile = send(*state, "/v1/games", "{}", "k");
    assert_problem(meanwhile, 409, "idempotency-in-progress");
    assert_string_equal(answer_header(meanwhile, "Retry-After"), "1");
    /* Even one that will turn out to be another request. */
    assert_problem(send(*state, "/v1/games", "{ }", "k"), 409, "idempotency-in-progress");
    faulty_release(faulty);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_status(sender.answer, 201);
    assert_replays(send(*state, "/v1/games", "{}", "k"), sender.answer);
}

static void while_any_change_is_looked_up_a_repeat_is_refused(void **state)
{
    struct storage *faulty = client_storage(*state);
    const char *id = match_new(*state);
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        const char *brace = strchr(row->path, '}');
        if (row->method != METHOD_POST || (row->rate != RATE_MOVES && row->rate != RATE_CREATES))
            continue;
        print_message("%s\n", row->path);
        struct sender sender = {.client = *state,
                                .target = brace ? match_path(id, brace + 1) : row->path,
                                .json = "{}",
                                .key = "k"};
        pthread_t thread;
        faulty_pause(faulty, FAULTY_RECEIPT);
        assert_int_equal(pthread_create(&thread, NULL, send_in_thread, &sender), 0);
        faulty_await_paused(faulty, FAULTY_RECEIPT, 1);
        assert_problem(send(*state, sender.target, "{}", "k"), 409, "idempotency-in-progress");
        faulty_resume(faulty, FAULTY_RECEIPT);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(sender.answer->status != 409 ||
                    strcmp(sender.answer->code, "idempotency-in-progress") != 0);
    }
}

static void of_a_hundred_clients_with_one_key_one_acts(void **state)
{
    enum { CLIENTS = 100, ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        struct sender senders[CLIENTS];
        pthread_t threads[CLIENTS];
        const char *id = match_new(*state);
        const char *target = match_path(id, "/moves");
        for (size_t i = 0; i < CLIENTS; i++) {
            senders[i] = (struct sender){
                .client = *state, .target = target, .json = "{\"move\":\"e4\"}", .key = "same"};
            assert_int_equal(pthread_create(&threads[i], NULL, send_in_thread, &senders[i]), 0);
        }
        const char *body = NULL;
        int acted = 0, told = 0;
        for (size_t i = 0; i < CLIENTS; i++)
            assert_int_equal(pthread_join(threads[i], NULL), 0);
        for (size_t i = 0; i < CLIENTS; i++) {
            const struct answer *answer = senders[i].answer;
            if (answer->status == 409) {
                assert_problem(answer, 409, "idempotency-in-progress");
                continue;
            }
            assert_status(answer, 201);
            acted += !is_replay(answer);
            told++;
            body = body ? body : answer->body;
            assert_string_equal(answer->body, body);
        }
        assert_int_equal(acted, 1);
        assert_true(told >= 1);
        assert_match_at(*state, id, 2, 1);
    }
}

/* ---- many games ------------------------------------------------------------------------------------------ */

static const char FILE_OF_GAMES[] = "[White \"A\"]\n\n1. e4 e5 *\n\n"
                                    "[White \"B\"]\n\n1. e5 *\n\n"
                                    "[White \"C\"]\n\n1. d4 *\n\n"
                                    "[White \"D\"]\n\n1. c4 *\n\n"
                                    "[White \"E\"]\n\n1. Nf3 *\n";
enum { GOOD_GAMES = 4 };

static const struct answer *import(struct client *client, const char *body, const char *key)
{
    struct call call = {
        .method = "POST",
        .target = "/v1/pgn/import",
        .body = body,
        .headers = {{"Content-Type", "application/vnd.chess-pgn"}, {"Idempotency-Key", key}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    return client_send(client, &call);
}

static void a_repeated_import_makes_no_game_twice(void **state)
{
    const struct answer *first = import(*state, FILE_OF_GAMES, "k");
    assert_status(first, 200);
    assert_false(is_replay(first));
    const struct answer *again = import(*state, FILE_OF_GAMES, "k");
    assert_string_equal(again->body, first->body);
    assert_true(is_replay(again));
    assert_int_equal(games_listed(*state), GOOD_GAMES);
    assert_problem(import(*state, "1. e4 *", "k"), 422, "idempotency-key-reused");
    assert_int_equal(games_listed(*state), GOOD_GAMES);
    client_forget(*state);
    assert_string_equal(import(*state, FILE_OF_GAMES, "k")->body, first->body);
    assert_status(import(*state, FILE_OF_GAMES, "other"), 200);
    assert_int_equal(games_listed(*state), 2 * GOOD_GAMES);
}

/* The id in the line of a game, or "". */
static const char *id_of_line(const struct answer *answer, int index, char id[16])
{
    char start[32];
    (void)snprintf(start, sizeof start, "{\"index\":%d,\"id\":\"", index);
    const char *line = strstr(answer->body, start);
    *id = '\0';
    if (line)
        (void)sscanf(line + strlen(start), "%15[^\"]", id);
    return id;
}

static void an_import_that_was_cut_goes_on_where_it_stood(void **state)
{
    static const int LINES[] = {0, 2, 3, 4}; /* of the good games */
    for (unsigned failing = 1; failing <= GOOD_GAMES; failing++) {
        struct client *client = client_open(&(struct client_options){.wrap = faulty_wrap});
        /* The mark of the request is written first. */
        faulty_fail(client_storage(client), FAULTY_WRITE, failing + 1, STORAGE_FULL);
        const struct answer *cut = import(client, FILE_OF_GAMES, "k");
        int there = games_listed(client);
        assert_true(there < GOOD_GAMES);
        faulty_heal(client_storage(client));
        const struct answer *whole = import(client, FILE_OF_GAMES, "k");
        assert_status(whole, 200);
        assert_non_null(strstr(whole->body, "{\"done\":true,\"imported\":4,\"refused\":1}"));
        assert_false(is_replay(whole));
        assert_int_equal(games_listed(client), GOOD_GAMES);
        for (size_t i = 0; i < LENGTH(LINES); i++) {
            char before[16], after[16];
            if (*id_of_line(cut, LINES[i], before))
                assert_string_equal(id_of_line(whole, LINES[i], after), before);
        }
        client_close(client);
    }
    (void)state;
}

static void an_import_whose_mark_cannot_be_kept_imports_nothing(void **state)
{
    faulty_fail(client_storage(*state), FAULTY_WRITE, 1, STORAGE_FULL);
    assert_problem(import(*state, FILE_OF_GAMES, "k"), 503, "storage-unavailable");
    assert_int_equal(games_listed(*state), 0);
    assert_status(import(*state, FILE_OF_GAMES, "k"), 200);
    assert_int_equal(games_listed(*state), GOOD_GAMES);
}

static void an_import_that_cannot_look_up_a_game_ends_there(void **state)
{
    faulty_fail(client_storage(*state), FAULTY_RECEIPT, 3, STORAGE_UNAVAILABLE);
    const struct answer *cut = import(*state, FILE_OF_GAMES, "k");
    assert_status(cut, 200);
    assert_non_null(strstr(cut->body, "\"done\":false"));
    assert_true(games_listed(*state) < GOOD_GAMES);
    (void)import(*state, FILE_OF_GAMES, "k");
    assert_int_equal(games_listed(*state), GOOD_GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_post_takes_a_key_of_visible_letters),
        CLIENT_TEST(put_does_not_look_at_a_key),
        CLIENT_TEST(a_key_is_of_one_path_and_one_client),
        CLIENT_TEST(a_repeated_create_is_the_same_game),
        CLIENT_TEST(a_repeated_deed_is_done_once),
        CLIENT_TEST(a_replay_tells_what_was_true_then),
        CLIENT_TEST(a_replay_is_an_answer_to_the_request_at_hand),
        CLIENT_TEST(answers_outlive_the_process),
        CLIENT_TEST(answers_are_kept_for_a_day),
        CLIENT_TEST(the_time_answers_are_kept_is_a_limit),
        CLIENT_TEST(another_request_with_the_key_is_refused),
        CLIENT_TEST(refusals_are_judged_again),
        CLIENT_TEST(what_is_only_checked_keeps_nothing),
        CLIENT_TEST(a_replay_by_ply_stays_one),
        FAULTY_TEST(a_commit_that_failed_leaves_the_key_free),
        FAULTY_TEST(a_store_that_cannot_be_read_acts_on_nothing),
        FAULTY_TEST(while_it_is_under_way_a_repeat_is_refused),
        FAULTY_TEST(while_any_change_is_looked_up_a_repeat_is_refused),
        CLIENT_TEST(of_a_hundred_clients_with_one_key_one_acts),
        CLIENT_TEST(a_repeated_import_makes_no_game_twice),
        CLIENT_TEST(an_import_that_was_cut_goes_on_where_it_stood),
        FAULTY_TEST(an_import_whose_mark_cannot_be_kept_imports_nothing),
        FAULTY_TEST(an_import_that_cannot_look_up_a_game_ends_there),
    };
    return cmocka_run_group_tests_name("Idempotency-Key", tests, NULL, NULL);
}
