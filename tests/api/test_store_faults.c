/* A store that fails: 503 with Retry-After, the game unchanged, and everything well again when it is. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"
#include "tests/support/storage_faulty.h"

static struct storage *faulty;

static struct storage *wrap(struct storage *storage)
{
    return faulty = faulty_wrap(storage);
}

static int set_up(void **state)
{
    *state = client_open(&(struct client_options){.wrap = wrap});
    return 0;
}

static const struct {
    const char *method, *rest, *json;
} changes[] = {
    {"POST", "/moves", "{\"move\":\"Nf3\"}"},
    {"PUT", "/moves/3", "{\"move\":\"Nf3\"}"},
    {"POST", "/moves", "{\"moves\":[\"Nf3\",\"Nc6\"]}"},
    {"POST", "/undo", NULL},
    {"PATCH", "", "{\"white\":{\"name\":\"A\"}}"},
    {"POST", "/resign", NULL},
    {"POST", "/draw/offer", NULL},
    {"POST", "/adjudicate", "{\"result\":\"1-0\"}"},
    {"POST", "/illegal-move", NULL},
    {"POST", "/takeback", NULL},
    {"POST", "/draw/claim", "{\"move\":\"Nf3\"}"},
    {"DELETE", "", NULL},
};

static void a_commit_that_fails_is_503_and_changes_nothing(void **state)
{
    static const struct {
        const char *label;
        enum storage_status status;
        const char *code;
    } faults[] = {
        {"unavailable", STORAGE_UNAVAILABLE, "storage-unavailable"},
        {"full", STORAGE_FULL, "storage-unavailable"},
        {"busy", STORAGE_BUSY, "storage-busy"},
    };
    const char *id = match_new(*state);
    match_play(*state, id, "e4 e5");
    const char *before = match_get(*state, id, "")->body;
    for (size_t f = 0; f < sizeof faults / sizeof faults[0]; f++) {
        for (size_t i = 0; i < sizeof changes / sizeof changes[0]; i++) {
            print_message("%s: %s %s\n", faults[f].label, changes[i].method, changes[i].rest);
            faulty_fail(faulty, FAULTY_COMMIT, 1, faults[f].status);
            const struct answer *answer =
                match_send(*state, changes[i].method, match_path(id, changes[i].rest), changes[i].json);
            assert_problem(answer, 503, faults[f].code);
            assert_string_not_equal(answer_header(answer, "Retry-After"), "");
            assert_string_equal(answer_header(answer, "ETag"), "");
            assert_string_equal(answer_header(answer, "Location"), "");
            assert_string_equal(match_get(*state, id, "")->body, before);
        }
    }
    client_forget(*state);
    assert_string_equal(match_get(*state, id, "")->body, before);
    assert_status(match_post(*state, id, "/moves", "{\"move\":\"Nf3\"}"), 201);
}

static void a_create_that_fails_leaves_no_game(void **state)
{
    faulty_fail(faulty, FAULTY_COMMIT, 1, STORAGE_FULL);
    const struct answer *answer = match_send(*state, "POST", "/v1/games", "{\"moves\":[\"e4\"]}");
    assert_problem(answer, 503, "storage-unavailable");
    assert_string_equal(answer_header(answer, "Location"), "");
    faulty_fail(faulty, FAULTY_COMMIT, 1, STORAGE_UNAVAILABLE);
    answer = match_ask_with(*state, "POST", "/v1/games", "Accept", "text/plain");
    assert_problem(answer, 503, "storage-unavailable");
    assert_int_equal(strncmp(answer->body, "error: storage-unavailable: ", 28), 0);
    assert_json(client_get(*state, "/v1/games"), "data", "[]");
    assert_status(client_act(*state, "/v1/games"), 201);
}

static void a_game_that_cannot_be_loaded_is_503_and_not_404(void **state)
{
    const char *id = match_new(*state);
    client_forget(*state);
    static const char *const rests[] = {"", "/moves", "/board", ".pgn", "/events", "/events.json?after=1"};
    for (size_t i = 0; i < sizeof rests / sizeof rests[0]; i++) {
        faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
        assert_problem(match_get(*state, id, rests[i]), 503, "storage-unavailable");
    }
    faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
    assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e4\"}"), 503, "storage-unavailable");
    faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
    assert_problem(match_ask(*state, "POST", match_path(id, "/fork")), 503, "storage-unavailable");
    assert_status(match_get(*state, id, ""), 200);
}

static void events_that_the_log_does_not_give_are_503(void **state)
{
    const char *id = listener_game(*state);
    faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
    assert_problem(match_get(*state, id, "/events.json?after=1"), 503, "storage-unavailable");
    struct answer *stream = listener_sse(*state, id, "?after=2");
    faulty_fail_always(faulty, FAULTY_LOAD, STORAGE_UNAVAILABLE); /* who listens needs no log */
    assert_status(match_post(*state, id, "/moves", "{\"moves\":[\"e5\",\"Nf3\"]}"), 201);
    assert_string_equal(listener_ids(answer_listen(stream, STREAM_WANTED)), "3 4");
    assert_true(stream->is_open);
    faulty_heal(faulty);
}

/* ---- the time between submit and durable ---- */

struct sender {
    struct client *client;
    const char *id, *json;
    const struct answer *answer;
};

static void *send_move(void *context)
{
    struct sender *sender = context;
    sender->answer = match_post(sender->client, sender->id, "/moves", sender->json);
    return NULL;
}

static void nobody_sees_a_move_before_it_is_durable(void **state)
{
    const char *id = match_new(*state);
    pthread_t thread;
    struct sender sender = {*state, id, "{\"move\":\"e4\"}", NULL};
    faulty_hold(faulty);
    assert_int_equal(pthread_create(&thread, NULL, send_move, &sender), 0);
    faulty_await_held(faulty, 1);
    assert_match_at(*state, id, 1, 0);
    assert_problem(match_get(*state, id, "/moves/1"), 404, "ply-not-found");
    faulty_release(faulty);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_status(sender.answer, 201);
    assert_match_at(*state, id, 2, 1);
}

static void a_stream_that_opens_while_several_moves_are_stored_is_torn_and_goes_on(void **state)
{
    const char *id = listener_game(*state);
    pthread_t thread;
    struct sender sender = {*state, id, "{\"moves\":[\"e5\",\"Nf3\"]}", NULL};
    faulty_hold(faulty);
    assert_int_equal(pthread_create(&thread, NULL, send_move, &sender), 0);
    faulty_await_held(faulty, 1);
    struct answer *stream = listener_sse(*state, id, "?after=2");
    faulty_release(faulty);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_status(sender.answer, 201);
    assert_string_equal(answer_listen(stream, STREAM_WANTED), "");
    assert_false(stream->is_open);
    assert_string_equal(listener_ids(listener_sse(*state, id, "?after=2")->body), "3 4");
}

/* API 6: of N clients that race for one ply exactly one wins; the others are told so. */
static void of_racing_clients_one_wins_and_the_others_are_told(void **state)
{
    enum { CLIENTS = 8 };
    static const char *const moves[CLIENTS] = {"a3", "b3", "c3", "d3", "e3", "f3", "g3", "h3"};
    const char *id = match_new(*state);
    pthread_t threads[CLIENTS];
    struct sender senders[CLIENTS];
    char bodies[CLIENTS][64];
    int won = 0, conflicts = 0;
    for (int i = 0; i < CLIENTS; i++) {
        (void)snprintf(bodies[i], sizeof bodies[i], "{\"move\":\"%s\",\"ply\":1}", moves[i]);
        senders[i] = (struct sender){*state, id, bodies[i], NULL};
        assert_int_equal(pthread_create(&threads[i], NULL, send_move, &senders[i]), 0);
    }
    for (int i = 0; i < CLIENTS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        won += senders[i].answer->status == 201;
        conflicts += strcmp(senders[i].answer->code, "ply-conflict") == 0;
    }
    assert_int_equal(won, 1);
    assert_int_equal(conflicts, CLIENTS - 1);
    assert_match_at(*state, id, 2, 1);
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, client_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_commit_that_fails_is_503_and_changes_nothing),
        TEST(a_create_that_fails_leaves_no_game),
        TEST(a_game_that_cannot_be_loaded_is_503_and_not_404),
        TEST(events_that_the_log_does_not_give_are_503),
        TEST(nobody_sees_a_move_before_it_is_durable),
        TEST(a_stream_that_opens_while_several_moves_are_stored_is_torn_and_goes_on),
        TEST(of_racing_clients_one_wins_and_the_others_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
