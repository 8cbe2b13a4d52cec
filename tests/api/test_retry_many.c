/* Idempotency-Key: secrets in answers, many requests at one time, and imports. */
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
#include "tests/support/storage_fixture.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

/* ---- secrets --------------------------------------------------------------------------------------------- */

static bool file_has(const char *path, const char *text)
{
    FILE *file = fopen(path, "rb");
    assert_non_null(file);
    char *bytes = malloc(1 << 24);
    assert_non_null(bytes);
    size_t length = fread(bytes, 1, 1 << 24, file);
    bool found = memmem(bytes, length, text, strlen(text)) != NULL;
    assert_true(feof(file));
    free(bytes);
    (void)fclose(file);
    return found;
}

/* The store and its log. */
static void assert_not_in_store(struct client *client, const char *text)
{
    static const char *const NAMES[] = {"test.db", "test.db-wal"};
    for (size_t i = 0; i < LENGTH(NAMES); i++) {
        char *path = fixture_path(client_folder(client), NAMES[i]);
        if (file_has(path, text))
            fail_msg("%s has %s", NAMES[i], text);
        free(path);
    }
}

static const char *const TOKENS[] = {"tokens.white", "tokens.black", "tokens.spectator", "tokens.creator"};

static void a_repeated_create_tells_the_same_tokens_which_the_store_cannot(void **state)
{
    static const char JSON[] = "{\"access\":\"seats\",\"visibility\":\"private\"}";
    static const char KEY[] = "0b5e9f7c-a-key-of-my-own";
    const struct answer *first = retried_send(*state, "/v1/games", JSON, KEY);
    assert_status(first, 201);
    for (int round = 0; round < 2; round++) {
        const struct answer *again = retried_send(*state, "/v1/games", JSON, KEY);
        assert_replays(again, first);
        client_forget(*state);
    }
    for (size_t i = 0; i < LENGTH(TOKENS); i++)
        assert_not_in_store(*state, answer_text(first, TOKENS[i]));
    assert_not_in_store(*state, KEY);
    assert_not_in_store(*state, "cw_"); /* of no token even the beginning */
    char *path = fixture_path(client_folder(*state), "test.db-wal");
    assert_true(file_has(path, answer_text(first, "id"))); /* it was looked for in the right place */
    free(path);
}

static const struct answer *send_as(struct client *client, const char *target, const char *json,
                                    const char *token)
{
    struct call call = {
        .method = "POST",
        .target = target,
        .body = json,
        .headers = {{"Content-Type", "application/json"}, {"Idempotency-Key", "k"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    char bearer[64];
    (void)snprintf(bearer, sizeof bearer, "Bearer %s", token ? token : "");
    if (token)
        call.headers[2] = (struct response_header){"Authorization", bearer};
    return client_send(client, &call);
}

static void seats_and_tokens_are_given_once(void **state)
{
    const struct answer *game = retried_send(*state, "/v1/games", "{\"access\":\"seats\"}", "game");
    const char *id = answer_text(game, "id"), *creator = answer_text(game, "tokens.creator");
    const struct answer *seat = send_as(*state, match_path(id, "/seats"), "{\"color\":\"white\"}", NULL);
    assert_status(seat, 201);
    assert_replays(send_as(*state, match_path(id, "/seats"), "{\"color\":\"white\"}", NULL), seat);
    assert_problem(send_as(*state, match_path(id, "/seats"), "{\"color\":\"black\"}", NULL), 422,
                   "idempotency-key-reused");
    const char *token = answer_text(seat, "token");
    assert_not_in_store(*state, token);
    const struct answer *played = send_as(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", token);
    assert_status(played, 201);
    assert_replays(send_as(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", token), played);
    const struct answer *renewed =
        send_as(*state, match_path(id, "/tokens"), "{\"role\":\"white\"}", creator);
    assert_status(renewed, 201);
    assert_replays(send_as(*state, match_path(id, "/tokens"), "{\"role\":\"white\"}", creator), renewed);
    assert_problem(send_as(*state, match_path(id, "/tokens"), "{\"role\":\"black\"}", creator), 422,
                   "idempotency-key-reused");
    assert_not_in_store(*state, answer_text(renewed, "token"));
    /* Whoever has the key alone is another client. */
    assert_problem(send_as(*state, match_path(id, "/moves"), "{\"move\":\"e4\"}", NULL), 401,
                   "token-required");
    assert_problem(send_as(*state, match_path(id, "/tokens"), "{\"role\":\"white\"}", NULL), 401,
                   "token-required");
}

/* Whoever renews his own token needs the answer more than anybody. */
static void a_token_that_a_request_has_renewed_repeats_it(void **state)
{
    const struct answer *game = retried_send(*state, "/v1/games", "{\"access\":\"seats\"}", "game");
    const char *id = answer_text(game, "id"), *old = answer_text(game, "tokens.creator");
    const char *target = match_path(id, "/tokens");
    const struct answer *renewed = send_as(*state, target, "{\"role\":\"creator\"}", old);
    assert_status(renewed, 201);
    assert_replays(send_as(*state, target, "{\"role\":\"creator\"}", old), renewed);
    assert_problem(send_as(*state, target, "{\"role\":\"white\"}", old), 422, "idempotency-key-reused");
    assert_problem(send_as(*state, match_path(id, "/abort"), "{}", old), 401, "token-invalid");
    assert_status(send_as(*state, match_path(id, "/abort"), "{}", answer_text(renewed, "token")), 200);
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
    sender->answer = retried_send(sender->client, sender->target, sender->json, sender->key);
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
    const struct answer *meanwhile = retried_send(*state, "/v1/games", "{}", "k");
    assert_problem(meanwhile, 409, "idempotency-in-progress");
    assert_string_equal(answer_header(meanwhile, "Retry-After"), "1");
    /* Even one that will turn out to be another request. */
    assert_problem(retried_send(*state, "/v1/games", "{ }", "k"), 409, "idempotency-in-progress");
    faulty_release(faulty);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_status(sender.answer, 201);
    assert_replays(retried_send(*state, "/v1/games", "{}", "k"), sender.answer);
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
        faulty_pause_next(faulty, FAULTY_RECEIPT);
        assert_int_equal(pthread_create(&thread, NULL, send_in_thread, &sender), 0);
        faulty_await_paused(faulty, FAULTY_RECEIPT, 1);
        /* It has not been answered yet, so the first request is under way. */
        assert_problem(retried_send(*state, sender.target, "{}", "k"), 409, "idempotency-in-progress");
        faulty_resume(faulty, FAULTY_RECEIPT);
        assert_int_equal(pthread_join(thread, NULL), 0);
        assert_true(sender.answer->status != 409 ||
                    strcmp(sender.answer->code, "idempotency-in-progress") != 0);
    }
}

/* Under way is a repeat, not the first request: 409 would tell of one that is over. */
static void while_a_repeat_is_looked_up_others_are_answered(void **state)
{
    struct storage *faulty = client_storage(*state);
    const struct answer *first = retried_send(*state, "/v1/games", "{}", "k");
    assert_status(first, 201);
    struct sender sender = {.client = *state, .target = "/v1/games", .json = "{}", .key = "k"};
    pthread_t thread;
    faulty_pause_next(faulty, FAULTY_RECEIPT);
    assert_int_equal(pthread_create(&thread, NULL, send_in_thread, &sender), 0);
    faulty_await_paused(faulty, FAULTY_RECEIPT, 1);
    assert_replays(retried_send(*state, "/v1/games", "{}", "k"), first);
    assert_problem(retried_send(*state, "/v1/games", "{ }", "k"), 422, "idempotency-key-reused");
    faulty_fail(faulty, FAULTY_RECEIPT, 1, STORAGE_UNAVAILABLE);
    assert_problem(retried_send(*state, "/v1/games", "{}", "k"), 503, "storage-unavailable");
    faulty_resume(faulty, FAULTY_RECEIPT);
    assert_int_equal(pthread_join(thread, NULL), 0);
    assert_replays(sender.answer, first);
    assert_int_equal(retried_games(*state), 1);
}

enum { CLIENTS = 100 };

static void send_at_once(struct client *client, const char *target, struct sender senders[CLIENTS])
{
    pthread_t threads[CLIENTS];
    for (size_t i = 0; i < CLIENTS; i++) {
        senders[i] =
            (struct sender){.client = client, .target = target, .json = "{\"move\":\"e4\"}", .key = "same"};
        assert_int_equal(pthread_create(&threads[i], NULL, send_in_thread, &senders[i]), 0);
    }
    for (size_t i = 0; i < CLIENTS; i++)
        assert_int_equal(pthread_join(threads[i], NULL), 0);
}

static void a_hundred_repeats_at_once_are_all_answered(void **state)
{
    struct sender senders[CLIENTS];
    const char *id = match_new(*state);
    const char *target = match_path(id, "/moves");
    const struct answer *first = retried_send(*state, target, "{\"move\":\"e4\"}", "same");
    assert_status(first, 201);
    send_at_once(*state, target, senders);
    for (size_t i = 0; i < CLIENTS; i++)
        assert_replays(senders[i].answer, first);
    assert_match_at(*state, id, 2, 1);
}

static void of_a_hundred_clients_with_one_key_one_acts(void **state)
{
    enum { ROUNDS = 3 };
    for (int round = 0; round < ROUNDS; round++) {
        struct sender senders[CLIENTS];
        const char *id = match_new(*state);
        send_at_once(*state, match_path(id, "/moves"), senders);
        const char *body = NULL;
        int acted = 0, told = 0;
        for (size_t i = 0; i < CLIENTS; i++) {
            const struct answer *answer = senders[i].answer;
            if (answer->status == 409) {
                assert_problem(answer, 409, "idempotency-in-progress");
                continue;
            }
            assert_status(answer, 201);
            acted += !retried_is_replay(answer);
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
    assert_false(retried_is_replay(first));
    const struct answer *again = import(*state, FILE_OF_GAMES, "k");
    assert_string_equal(again->body, first->body);
    assert_true(retried_is_replay(again));
    assert_int_equal(retried_games(*state), GOOD_GAMES);
    assert_problem(import(*state, "1. e4 *", "k"), 422, "idempotency-key-reused");
    assert_int_equal(retried_games(*state), GOOD_GAMES);
    client_forget(*state);
    assert_string_equal(import(*state, FILE_OF_GAMES, "k")->body, first->body);
    assert_status(import(*state, FILE_OF_GAMES, "other"), 200);
    assert_int_equal(retried_games(*state), 2 * GOOD_GAMES);
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
        int there = retried_games(client);
        assert_true(there < GOOD_GAMES);
        faulty_heal(client_storage(client));
        const struct answer *whole = import(client, FILE_OF_GAMES, "k");
        assert_status(whole, 200);
        assert_non_null(strstr(whole->body, "{\"done\":true,\"imported\":4,\"refused\":1}"));
        assert_false(retried_is_replay(whole));
        assert_int_equal(retried_games(client), GOOD_GAMES);
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
    static const struct {
        enum storage_status status;
        const char *code;
    } rows[] = {{STORAGE_FULL, "storage-unavailable"},
                {STORAGE_UNAVAILABLE, "storage-unavailable"},
                {STORAGE_BUSY, "storage-busy"}};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        faulty_fail(client_storage(*state), FAULTY_WRITE, 1, rows[i].status);
        assert_problem(import(*state, FILE_OF_GAMES, "k"), 503, rows[i].code);
        assert_int_equal(retried_games(*state), 0);
    }
    assert_status(import(*state, FILE_OF_GAMES, "k"), 200);
    assert_int_equal(retried_games(*state), GOOD_GAMES);
}

static void an_import_that_cannot_look_up_a_game_ends_there(void **state)
{
    /* The mark of the request is the first: of the game that was not stored nothing is known. */
    faulty_fail(client_storage(*state), FAULTY_WRITE, 1 + GOOD_GAMES, STORAGE_FULL);
    (void)import(*state, FILE_OF_GAMES, "k");
    assert_int_equal(retried_games(*state), GOOD_GAMES - 1);
    /* Two are read of the request itself, and two again on the thread that may work. */
    faulty_fail(client_storage(*state), FAULTY_RECEIPT, 6, STORAGE_UNAVAILABLE);
    const struct answer *cut = import(*state, FILE_OF_GAMES, "k");
    assert_status(cut, 200);
    assert_non_null(strstr(cut->body, "\"done\":false,\"imported\":1,"));
    assert_int_equal(retried_games(*state), GOOD_GAMES - 1);
    (void)import(*state, FILE_OF_GAMES, "k");
    assert_int_equal(retried_games(*state), GOOD_GAMES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(a_repeated_create_tells_the_same_tokens_which_the_store_cannot),
        CLIENT_TEST(seats_and_tokens_are_given_once),
        CLIENT_TEST(a_token_that_a_request_has_renewed_repeats_it),
        FAULTY_TEST(while_it_is_under_way_a_repeat_is_refused),
        FAULTY_TEST(while_any_change_is_looked_up_a_repeat_is_refused),
        FAULTY_TEST(while_a_repeat_is_looked_up_others_are_answered),
        FAULTY_TEST(a_hundred_repeats_at_once_are_all_answered),
        CLIENT_TEST(of_a_hundred_clients_with_one_key_one_acts),
        CLIENT_TEST(a_repeated_import_makes_no_game_twice),
        CLIENT_TEST(an_import_that_was_cut_goes_on_where_it_stood),
        FAULTY_TEST(an_import_whose_mark_cannot_be_kept_imports_nothing),
        FAULTY_TEST(an_import_that_cannot_look_up_a_game_ends_there),
    };
    return cmocka_run_group_tests_name("Idempotency-Key: secrets, races, imports", tests, NULL, NULL);
}
