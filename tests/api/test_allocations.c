/* Memory that runs out once, at each allocation of a request, in whatever thread: the answer is the usual one or says so by
 * 500 or 503, and what it says has happened is what the store has. (test_memory.c: the arena of a request.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/match.h"
#include "tests/support/allocations.h"

/* In the test's own thread only what the api asks for counts. */
enum api_result __real_api_handle(struct api *api, struct request *request, struct response *response);
enum api_result __wrap_api_handle(struct api *api, struct request *request, struct response *response);
enum api_result __wrap_api_handle(struct api *api, struct request *request, struct response *response)
{
    allocations_resume();
    enum api_result result = __real_api_handle(api, request, response);
    allocations_pause();
    return result;
}

static const struct {
    const char *method, *rest, *body, *key;
} CHANGES[] = {
    {"POST", "/moves", "{\"move\":\"Nf3\",\"comment\":\"why\"}", NULL},
    {"POST", "/moves", "{\"moves\":[\"Nf3\",\"Nc6\"]}", NULL},
    {"POST", "/moves", "{\"move\":\"Nf3\"}", "a key"},
    {"PUT", "/moves/3", "{\"move\":\"Nf3\"}", NULL},
    {"POST", "/undo", "{\"plies\":2}", NULL},
    {"PATCH", "", "{\"metadata\":{\"a\":[1,2]},\"white\":{\"name\":\"Clara\"}}", NULL},
    {"POST", "/takeback", "{\"to_ply\":0}", NULL},
    {"POST", "/draw/offer", "{}", NULL},
    {"POST", "/resign", "{}", NULL},
    {"POST", "/adjudicate", "{\"result\":\"1-0\",\"comment\":\"late\"}", NULL},
    {"DELETE", "", NULL, NULL},
};

static struct call call_of(const char *method, const char *target, const char *body, const char *key)
{
    return (struct call){
        .method = method,
        .target = target,
        .body = body,
        .headers = {{"Accept", "*/*"},
                    {body ? "Content-Type" : NULL, "application/json"},
                    {body && key ? "Idempotency-Key" : NULL, key}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
}

static const char *new_game(struct client *client)
{
    return match_new_json(client, "{\"white\":{\"name\":\"Anna\"},\"metadata\":{\"a\":1},"
                                  "\"moves\":[\"e4\",\"e5\"]}");
}

/* The game as it is told, for free(): the same from memory and from the store. */
static char *tell(struct client *client, const char *id)
{
    char *live = strdup(match_ask(client, "GET", match_path(id, ""))->body);
    client_forget(client);
    assert_string_equal(match_ask(client, "GET", match_path(id, ""))->body, live);
    return live;
}

static void assert_says_so(const struct answer *answer, const struct call *call, unsigned nth)
{
    if (answer->status != 503 && !(answer->status == 500 && strstr(answer->body, "Memory is out.")))
        fail_msg("%s %s without allocation %u: %u %s", call->method, call->target, nth, answer->status,
                 answer->body);
}

/* False: there were fewer allocations. */
static bool change_without(struct client *client, size_t row, const char **id, unsigned nth)
{
    char key[32];
    (void)snprintf(key, sizeof key, "key-%zu-%u", row, nth);
    const struct call call = call_of(CHANGES[row].method, match_path(*id, CHANGES[row].rest),
                                     CHANGES[row].body, CHANGES[row].key ? key : NULL);
    char *before = tell(client, *id);
    allocations_fail(nth);
    const struct answer *answer = client_send(client, &call);
    bool failed = allocations_heal();
    bool done = answer->status < 300;
    if (!done)
        assert_says_so(answer, &call, nth);
    assert_true(done || failed);
    char *after = tell(client, *id);
    assert_int_equal(strcmp(before, after) == 0, !done);
    free(before);
    free(after);
    if (done)
        *id = new_game(client);
    return failed;
}

static void every_change_is_done_or_says_that_it_is_not(void **state)
{
    allocations_pause();
    for (size_t row = 0; row < sizeof CHANGES / sizeof CHANGES[0]; row++) {
        const char *id = new_game(*state);
        for (unsigned nth = 1; change_without(*state, row, &id, nth); nth++) {
        }
    }
}

static void every_read_is_whole_or_says_that_it_is_not(void **state)
{
    static const char *const READS[] = {
        "",      ".pgn", "/moves", "/legal-moves", "/board.png?size=80", "/board.svg", "/events.json?after=0",
        "/draw",
    };
    allocations_pause();
    const char *id = new_game(*state);
    for (size_t i = 0; i < sizeof READS / sizeof READS[0]; i++) {
        const struct call call = call_of("GET", match_path(id, READS[i]), NULL, NULL);
        bool failed = true;
        for (unsigned nth = 1; failed; nth++) {
            client_forget(*state);
            allocations_fail(nth);
            const struct answer *answer = client_send(*state, &call);
            failed = allocations_heal();
            if (answer->status != 200)
                assert_says_so(answer, &call, nth);
            assert_true(failed || answer->status == 200);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(every_change_is_done_or_says_that_it_is_not),
        CLIENT_TEST(every_read_is_whole_or_says_that_it_is_not),
    };
    if (!allocations_install())
        return 1;
    return cmocka_run_group_tests_name("api out of memory", tests, NULL, NULL);
}
