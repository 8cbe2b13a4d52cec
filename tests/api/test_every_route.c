/* What every row of the route table refuses in the same way, whatever it does: a format that it has not, a body of a
 * type that it does not read or that is too long, a query parameter that nobody knows, a page of a foreign origin; and
 * where it is about a game, an id that no game has, and a store that cannot be read. A new row is asked too. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/route.h"
#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

enum { BODY_LIMIT = 1024, TARGET_SIZE = 256 };

static struct storage *faulty;

static struct storage *wrap(struct storage *storage)
{
    return faulty = faulty_wrap(storage);
}

static int set_up(void **state)
{
    struct client_options options = {.limits = api_limits_default(), .wrap = wrap};
    options.limits.body_bytes = BODY_LIMIT;
    options.limits.pgn_bytes = BODY_LIMIT;
    options.limits.pgn_import_bytes = BODY_LIMIT;
    *state = client_open(&options);
    return 0;
}

/* ---- a request that a row takes ------------------------------------------------------------------------- */

/* What stands in a path for its variable parts, but for ids of games. */
static const struct {
    const char *variable, *value;
} VALUES[] = {
    {"{ply}", "1"}, {"{slug}", "not-found"}, {"{n}", "518"}, {"{name}", "app.js"}, {"{color}", "white"},
};

/* Bodies of the operations that do not take an empty one. */
static const struct {
    const char *operation, *json;
} BODIES[] = {
    {"playMove", "{\"move\":\"e4\"}"},
    {"putMove", "{\"move\":\"e4\"}"},
    {"updateGame", "{\"metadata\":{}}"},
    {"adjudicateGame", "{\"result\":\"1-0\"}"},
    {"addTime", "{\"color\":\"white\",\"ms\":1000}"},
    {"renewToken", "{\"role\":\"white\"}"},
};

static const char *value_of(const char *variable, size_t length)
{
    for (size_t i = 0; i < sizeof VALUES / sizeof VALUES[0]; i++) {
        if (strlen(VALUES[i].variable) == length && strncmp(VALUES[i].variable, variable, length) == 0)
            return VALUES[i].value;
    }
    fail_msg("what stands for %.*s? Add it to VALUES", (int)length, variable);
    return NULL;
}

static const char *target_of(const struct route *route, const char *id, const char *query)
{
    static char target[TARGET_SIZE];
    size_t used = 0;
    for (const char *at = route->path; *at;) {
        size_t length = *at == '{' ? strcspn(at, "}") + 1 : strcspn(at, "{");
        const char *text = *at != '{' ? at : strncmp(at, "{id}", 4) == 0 ? id : value_of(at, length);
        size_t taken = *at == '{' ? strlen(text) : length;
        used += (size_t)snprintf(target + used, sizeof target - used, "%.*s", (int)taken, text);
        at += length;
    }
    (void)snprintf(target + used, sizeof target - used, "%s", query);
    return target;
}

static const char *body_of(const struct route *route)
{
    for (size_t i = 0; i < sizeof BODIES / sizeof BODIES[0]; i++) {
        if (strcmp(BODIES[i].operation, route->operation) == 0)
            return BODIES[i].json;
    }
    return NULL;
}

static const struct answer *ask(struct client *client, const struct route *route, const char *target,
                                struct response_header field)
{
    const char *body = body_of(route);
    struct call call = {
        .method = route_method_name(route->method),
        .target = target,
        .body = body,
        .headers = {field, {body ? "Content-Type" : NULL, "application/json"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    print_message("%s %s\n", call.method, target);
    return client_send(client, &call);
}

static const struct response_header ANY = {"Accept", "*/*"};

#define FOR_EACH(route)                                                                                      \
    for (const struct route *route = route_table; route < route_table + route_count; route++)

static bool is_of_a_game(const struct route *route)
{
    return strstr(route->path, "{id}") != NULL;
}

/* ---- refusals ------------------------------------------------------------------------------------------ */

static void a_format_that_it_has_not_is_not_acceptable(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        if (strcmp(route->operation, "getAsset") == 0) /* each has the type that its name says */
            continue;
        const struct answer *answer =
            ask(*state, route, target_of(route, id, ""), (struct response_header){"Accept", "audio/midi"});
        assert_problem(answer, 406, "not-acceptable");
        assert_true(answer_count(answer, "available") > 0);
    }
}

static void a_query_parameter_that_nobody_knows_is_named(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        const struct answer *answer = ask(*state, route, target_of(route, id, "?no_such_name=1"), ANY);
        assert_problem(answer, 400, "unknown-field");
        assert_string_equal(answer_text(answer, "parameter"), "no_such_name");
    }
}

static void a_page_of_a_foreign_origin_is_refused(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        const struct answer *answer = ask(*state, route, target_of(route, id, ""),
                                          (struct response_header){"Origin", "https://elsewhere.example"});
        assert_problem(answer, 403, "origin-not-allowed");
    }
}

static const struct answer *send_body(struct client *client, const struct route *route, const char *target,
                                      const char *type, const char *body)
{
    struct call call = {
        .method = route_method_name(route->method),
        .target = target,
        .body = body,
        .headers = {ANY, {"Content-Type", type}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    print_message("%s %s\n", call.method, target);
    return client_send(client, &call);
}

static void a_body_of_another_type_is_told_those_that_are_read(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        if (!route->bodies)
            continue;
        const struct answer *answer = send_body(*state, route, target_of(route, id, ""), "image/png", "PNG");
        assert_problem(answer, 415, "unsupported-media-type");
        const char *list = route->method == METHOD_PATCH ? "Accept-Patch" : "Accept-Post";
        assert_string_not_equal(answer_header(answer, list), "");
    }
}

/* RFC 9110 15.5.16. The service refuses it before the api sees it; the api does where that has not happened. */
static void a_coded_body_is_told_the_one_coding_that_is_read(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        if (!route->bodies)
            continue;
        const struct call call = {
            .method = route_method_name(route->method),
            .target = target_of(route, id, ""),
            .body = "{}",
            .headers = {ANY, {"Content-Encoding", "gzip"}},
            .scope = REQUEST_SCOPE_LOOPBACK,
        };
        const struct answer *answer = client_send(*state, &call);
        assert_problem(answer, 415, "unsupported-media-type");
        assert_string_equal(answer_header(answer, "Accept-Encoding"), "identity");
    }
}

/* What the service says where no thread of its pool is to be had. */
static void a_busy_service_says_when_to_come_back(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        const struct call call = {.method = route_method_name(route->method),
                                  .target = target_of(route, id, ""),
                                  .headers = {ANY},
                                  .scope = REQUEST_SCOPE_LOOPBACK};
        const struct answer *answer = client_refuse(*state, &call, "storage-busy", "Too many requests wait.");
        assert_problem(answer, 503, "storage-busy");
        assert_string_equal(answer_header(answer, "Retry-After"), "1");
    }
}

static void a_body_above_its_limit_is_too_large(void **state)
{
    static char json[BODY_LIMIT + 64], pgn[BODY_LIMIT + 64], blanks[BODY_LIMIT + 64];
    const char *id = match_new(*state);
    memset(json, ' ', sizeof json - 1);
    memcpy(json, "{\"x_a\":\"", 8);
    memcpy(json + sizeof json - 3, "\"}", 2);
    memset(pgn, ' ', sizeof pgn - 1);
    pgn[sizeof pgn - 2] = '*';
    memset(blanks, ' ', sizeof blanks - 1);
    FOR_EACH(route)
    {
        if (!route->bodies)
            continue;
        const char *target = target_of(route, id, "");
        bool takes_json = route->bodies & BODY_BIT(JSON);
        const char *type = takes_json ? "application/json" : "application/vnd.chess-pgn";
        assert_problem(send_body(*state, route, target, type, takes_json ? json : pgn), 413,
                       "payload-too-large");
        assert_problem(send_body(*state, route, target, type, blanks), 413, "payload-too-large");
    }
}

static void an_id_that_no_game_has_is_not_found(void **state)
{
    FOR_EACH(route)
    {
        if (is_of_a_game(route))
            assert_problem(ask(*state, route, target_of(route, "zzzzzzzzzzzz", ""), ANY), 404,
                           "game-not-found");
    }
}

/* Changes, but for what makes something beside the game. */
static bool takes_if_match(const struct route *route)
{
    return is_of_a_game(route) && route->method != METHOD_GET && strcmp(route->operation, "forkGame") != 0 &&
           strcmp(route->operation, "createStreamTicket") != 0;
}

static void a_change_of_another_version_is_refused_and_changes_nothing(void **state)
{
    const char *id = match_new(*state);
    const char *before = match_get(*state, id, "")->body;
    FOR_EACH(route)
    {
        if (!takes_if_match(route))
            continue;
        const struct answer *answer =
            ask(*state, route, target_of(route, id, ""), (struct response_header){"If-Match", "\"v99\""});
        assert_problem(answer, 412, "version-mismatch");
        assert_int_equal(answer_integer(answer, "game.version"), 1);
    }
    assert_string_equal(match_get(*state, id, "")->body, before);
}

static void a_game_that_cannot_be_loaded_is_not_taken_for_a_missing_one(void **state)
{
    const char *id = match_new(*state);
    FOR_EACH(route)
    {
        if (!is_of_a_game(route))
            continue;
        client_forget(*state);
        faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
        const struct answer *answer = ask(*state, route, target_of(route, id, ""), ANY);
        assert_problem(answer, 503, "storage-unavailable");
        assert_string_not_equal(answer_header(answer, "Retry-After"), "");
    }
    char target[TARGET_SIZE];
    (void)snprintf(target, sizeof target, "/v1/events?game=%s", id);
    client_forget(*state);
    faulty_fail(faulty, FAULTY_LOAD, 1, STORAGE_UNAVAILABLE);
    assert_problem(client_get(*state, target), 503, "storage-unavailable");
    assert_status(match_get(*state, id, ""), 200);
}

/* ---- private games ------------------------------------------------------------------------------------- */

enum { MASKED_SIZE = 4096 };

/* What an answer says, with the id of its game masked. */
static const char *mask(const struct answer *answer, const char *id, char text[MASKED_SIZE])
{
    size_t used = (size_t)snprintf(text, MASKED_SIZE, "%u\n", answer->status);
    for (size_t i = 0; i < answer->response.header_count; i++)
        used += (size_t)snprintf(text + used, MASKED_SIZE - used, "%s: %s\n",
                                 answer->response.headers[i].name, answer->response.headers[i].value);
    (void)snprintf(text + used, MASKED_SIZE - used, "%s", answer->body);
    for (char *at; (at = strstr(text, id));)
        memset(at, '*', strlen(id));
    return text;
}

static void expect_no_difference(struct client *client, const struct route *route, const char *id,
                                 struct response_header field)
{
    static const char *const suffixes[] = {"", ".txt", ".json", ".pgn", "?ply=0", "?after=0"};
    char hidden[MASKED_SIZE], missing[MASKED_SIZE];
    for (size_t i = 0; i < sizeof suffixes / sizeof suffixes[0]; i++) {
        (void)mask(ask(client, route, target_of(route, id, suffixes[i]), field), id, hidden);
        const struct answer *none = ask(client, route, target_of(route, "zzzzzzzzzzzz", suffixes[i]), field);
        assert_string_equal(hidden, mask(none, "zzzzzzzzzzzz", missing));
        assert_in_range(none->status, 400, 406);
    }
}

/* Whether it is in memory or in the store, and whatever is sent for a token. */
static void a_private_game_looks_exactly_as_if_there_were_none(void **state)
{
    static const struct response_header fields[] = {
        {"Accept", "*/*"},
        {"Authorization", "Bearer cw_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"},
        {"Authorization", "Basic YTpi"},
        {"If-None-Match", "*"},
        {"If-Match", "*"},
    };
    const char *id = match_new_json(*state, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    FOR_EACH(route)
    {
        if (!is_of_a_game(route))
            continue;
        for (size_t i = 0; i < sizeof fields / sizeof fields[0]; i++)
            expect_no_difference(*state, route, id, fields[i]);
        client_forget(*state);
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, set_up, client_teardown)
    const struct CMUnitTest tests[] = {
        TEST(a_format_that_it_has_not_is_not_acceptable),
        TEST(a_query_parameter_that_nobody_knows_is_named),
        TEST(a_page_of_a_foreign_origin_is_refused),
        TEST(a_coded_body_is_told_the_one_coding_that_is_read),
        TEST(a_busy_service_says_when_to_come_back),
        TEST(a_body_of_another_type_is_told_those_that_are_read),
        TEST(a_body_above_its_limit_is_too_large),
        TEST(an_id_that_no_game_has_is_not_found),
        TEST(a_change_of_another_version_is_refused_and_changes_nothing),
        TEST(a_game_that_cannot_be_loaded_is_not_taken_for_a_missing_one),
        TEST(a_private_game_looks_exactly_as_if_there_were_none),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
