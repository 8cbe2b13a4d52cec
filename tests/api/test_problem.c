/* api/problem: every error that a client can be told. */
#include "api/problem.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/reply.h"
#include "tests/api/exchange_fixture.h"
#include "tests/support/api_client.h"

struct slug_row {
    const char *slug;
    unsigned status;
};

/* API 5, by hand: the table must not lose or move one. */
static const struct slug_row SLUGS[] = {
    {"malformed-request", 400},
    {"unknown-field", 400},
    {"invalid-parameter", 400},
    {"invalid-fen", 400},
    {"invalid-pgn", 400},
    {"unparseable-move", 400},
    {"token-required", 401},
    {"token-invalid", 401},
    {"wrong-seat", 403},
    {"spectator-only", 403},
    {"not-creator", 403},
    {"consent-required", 403},
    {"origin-not-allowed", 403},
    {"not-found", 404},
    {"game-not-found", 404},
    {"ply-not-found", 404},
    {"method-not-allowed", 405},
    {"not-acceptable", 406},
    {"not-your-turn", 409},
    {"game-over", 409},
    {"game-not-started", 409},
    {"ply-conflict", 409},
    {"seat-taken", 409},
    {"no-open-offer", 409},
    {"own-offer", 409},
    {"offer-exists", 409},
    {"not-allowed-by-rules", 409},
    {"nothing-to-undo", 409},
    {"abort-too-late", 409},
    {"clock-running", 409},
    {"no-clock", 409},
    {"idempotency-in-progress", 409},
    {"version-mismatch", 412},
    {"payload-too-large", 413},
    {"uri-too-long", 414},
    {"unsupported-media-type", 415},
    {"misdirected-request", 421},
    {"illegal-move", 422},
    {"ambiguous-move", 422},
    {"claim-not-valid", 422},
    {"illegal-position", 422},
    {"too-expensive", 422},
    {"idempotency-key-reused", 422},
    {"rate-limited", 429},
    {"too-many-streams", 429},
    {"headers-too-large", 431},
    {"internal", 500},
    {"storage-unavailable", 503},
    {"storage-busy", 503},
    {"shutting-down", 503},
};

static void the_table_has_every_slug_with_its_status(void **state)
{
    (void)state;
    assert_int_equal(sizeof SLUGS / sizeof SLUGS[0], PROBLEM_COUNT);
    for (size_t i = 0; i < sizeof SLUGS / sizeof SLUGS[0]; i++) {
        enum problem_code code = problem_find(SLUGS[i].slug);
        if (code == PROBLEM_COUNT)
            fail_msg("%s is not there", SLUGS[i].slug);
        assert_int_equal(problem_kind(code)->status, SLUGS[i].status);
        assert_string_not_equal(problem_kind(code)->title, "");
        assert_string_not_equal(problem_kind(code)->sentence, "");
    }
    assert_int_equal(problem_find(""), PROBLEM_COUNT);
}

static const char *find_header(const struct fixture *fixture, const char *name)
{
    for (size_t i = 0; i < fixture->response.header_count; i++) {
        if (strcmp(fixture->response.headers[i].name, name) == 0)
            return fixture->response.headers[i].value;
    }
    return "";
}

static void a_problem_has_all_members(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    fixture.request.target = "/v1/games?secret=1";
    assert_int_equal(problem_field(&fixture.exchange, "/a", "%s is \"%d\".", "it", 7), API_DONE);
    assert_string_equal(fixture_body(&fixture),
                        "{\"type\":\"/v1/problems/invalid-parameter\",\"title\":\"A value is not allowed\","
                        "\"status\":400,\"detail\":\"it is \\\"7\\\".\",\"instance\":\"/v1/games\","
                        "\"code\":\"invalid-parameter\",\"request_id\":\"test\",\"pointer\":\"/a\"}\n");
    assert_string_equal(find_header(&fixture, "Content-Type"), "application/problem+json");
    fixture_end(&fixture);
}

static void a_target_that_is_not_utf_8_is_left_out(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    fixture.request.target = "/\xFF";
    problem_reply(&fixture.exchange, PROBLEM_MALFORMED_REQUEST, "Bad.");
    assert_null(strstr(fixture_body(&fixture), "instance"));
    fixture_end(&fixture);
}

static void a_problem_as_text_is_one_line(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    fixture.request.headers[HEADER_ACCEPT] = "text/plain";
    problem_reply(&fixture.exchange, PROBLEM_GAME_OVER, "It is over.");
    assert_string_equal(fixture_body(&fixture), "error: game-over: It is over.\n");
    assert_string_equal(find_header(&fixture, "Content-Type"), "text/plain; charset=utf-8");
    fixture_end(&fixture);
}

/* Nothing but the request is looked at: a problem comes before there is a route, and when memory is out. */
static void the_suffix_of_a_target_decides_before_accept(void **state)
{
    (void)state;
    static const struct {
        const char *target, *accept, *type;
    } rows[] = {
        {"/v1/nothing.txt", "application/json", "text/plain; charset=utf-8"},
        {"/v1/nothing.fen?a=b", NULL, "text/plain; charset=utf-8"},
        {"/v1/nothing.json", "text/plain", "application/problem+json"},
        {"/v1/nothing?a=b.txt", "*/*", "application/problem+json"},
        {"/v1/nothing", "text/plain, application/json;q=0.1", "application/problem+json"},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        struct fixture fixture;
        fixture_begin(&fixture, "GET", NULL, "");
        fixture.request.target = rows[i].target;
        fixture.request.headers[HEADER_ACCEPT] = rows[i].accept;
        problem_reply(&fixture.exchange, PROBLEM_GAME_OVER, "It is over.");
        assert_string_equal(find_header(&fixture, "Content-Type"), rows[i].type);
        problem_out_of_memory(&fixture.exchange);
        assert_string_equal(find_header(&fixture, "Content-Type"), rows[i].type);
        fixture_end(&fixture);
    }
}

static void a_problem_replaces_what_was_answered_before(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    struct writer *out = reply_begin(&fixture.exchange, 201);
    json_object_begin(out, NULL);
    json_object_end(out);
    reply_header(&fixture.exchange, "Location", "/here");
    reply_end(&fixture.exchange);
    assert_int_equal(fixture.response.status, 201);
    problem_reply(&fixture.exchange, PROBLEM_STORAGE_BUSY, "Later.");
    assert_int_equal(fixture.response.status, 503);
    assert_string_equal(find_header(&fixture, "Location"), "");
    assert_string_equal(find_header(&fixture, "Retry-After"), "1");
    fixture_end(&fixture);
}

static size_t read_nothing(void *context, enum stream_why why, char *buffer, size_t size, bool *end)
{
    (void)context;
    (void)why;
    (void)buffer;
    *end = size > 0;
    return 0;
}

/* A slot would send the body that was kept there, a stream its own. */
static void a_problem_has_nothing_of_a_body_that_was_to_be_sent_otherwise(void **state)
{
    (void)state;
    for (int round = 0; round < 2; round++) {
        struct fixture fixture;
        struct response_slot slot = {NULL};
        fixture_begin(&fixture, "GET", NULL, "");
        struct response *response = &fixture.response;
        reply_static(&fixture.exchange, "kept", 4);
        response->slot = &slot;
        response->is_unmeasured = true;
        response->stream = (struct response_stream){.read = read_nothing, .quiet_ms = 1};
        if (round)
            problem_out_of_memory(&fixture.exchange);
        else
            problem_reply(&fixture.exchange, PROBLEM_INTERNAL, "Bad.");
        assert_int_equal(response->status, 500);
        assert_string_equal(response->code, "internal");
        assert_null(response->slot);
        assert_false(response->is_unmeasured);
        assert_true(!response->stream.read && response->stream.quiet_ms == 0);
        fixture_end(&fixture);
    }
}

static void a_missing_token_is_answered_with_the_scheme(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    problem_reply(&fixture.exchange, PROBLEM_TOKEN_REQUIRED, "Who are you?");
    assert_string_equal(find_header(&fixture, "WWW-Authenticate"), "Bearer");
    problem_reply(&fixture.exchange, PROBLEM_TOKEN_INVALID, "Not you.");
    assert_string_equal(find_header(&fixture, "WWW-Authenticate"), "Bearer error=\"invalid_token\"");
    fixture_end(&fixture);
}

static void when_to_come_back_is_said(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    problem_reply(&fixture.exchange, PROBLEM_STORAGE_BUSY, "In a moment.");
    assert_string_equal(find_header(&fixture, "Retry-After"), "1");
    problem_reply(&fixture.exchange, PROBLEM_RATE_LIMITED, "Slower.");
    assert_string_equal(find_header(&fixture, "Retry-After"), "5");
    problem_reply(&fixture.exchange, PROBLEM_GAME_OVER, "Over.");
    assert_string_equal(find_header(&fixture, "Retry-After"), "");
    fixture_end(&fixture);
}

static void a_detail_that_no_memory_was_left_for_is_out_of_memory(void **state)
{
    (void)state;
    struct fixture fixture;
    fixture_begin(&fixture, "GET", NULL, "");
    problem_reply(&fixture.exchange, PROBLEM_GAME_OVER, NULL);
    assert_int_equal(fixture.response.status, 500);
    fixture_expect(&fixture, "internal", "Memory is out.");
    fixture_end(&fixture);
}

static void what_the_service_refuses_looks_like_any_problem(void **state)
{
    struct call call = {.method = "POST", .target = "/v1/games", .headers = {{"Accept", "*/*"}}};
    const struct answer *answer =
        client_refuse(*state, &call, "payload-too-large", "The body is longer than the head says.");
    assert_problem(answer, 413, "payload-too-large");
    assert_string_equal(answer->route, "unmatched");
    call.headers[0].value = "text/plain";
    answer = client_refuse(*state, &call, "headers-too-large", "Too many.");
    assert_string_equal(answer->body, "error: headers-too-large: Too many.\n");
    assert_string_equal(answer_header(answer, "Accept-Encoding"), "");
    answer = client_refuse(*state, &call, "no-such-slug", "?");
    assert_problem(answer, 500, "internal");
}

/* RFC 9110 15.5.16: a head can only have a coding that is not read. */
static void a_coding_that_the_service_refuses_is_told_the_one_that_is_read(void **state)
{
    const struct call call = {.method = "POST", .target = "/v1/games"};
    const struct answer *answer = client_refuse(*state, &call, "unsupported-media-type",
                                                "Bodies have to come without Content-Encoding.");
    assert_problem(answer, 415, "unsupported-media-type");
    assert_string_equal(answer_header(answer, "Accept-Encoding"), "identity");
}

static void text_is_answered_to_those_who_read_nothing_else(void **state)
{
    const struct answer *answer = client_get_as(*state, "/nothing", "text/plain");
    assert_problem(answer, 404, "not-found");
    assert_null(answer->json);
    answer = client_get_as(*state, "/v1/problems/nothing.txt", "*/*");
    assert_null(answer->json);
    answer = client_get_as(*state, "/v1/problems/nothing.json", "text/plain");
    assert_non_null(answer->json);
}

/* Whatever step refuses, and whatever it knows of the request by then. */
static void every_step_tells_problems_in_the_form_that_was_asked_for(void **state)
{
    static const struct {
        const char *slug, *method, *target, *json_target;
        struct response_header field;
    } rows[] = {
        {"misdirected-request", "GET", "/v1/limits.txt", "/v1/limits.json", {"Host", "example.com"}},
        {"origin-not-allowed", "GET", "/v1/limits.txt", "/v1/limits.json", {"Origin", "http://example.com"}},
        {"origin-not-allowed", "OPTIONS", "/v1/limits.txt", "/v1/limits", {"Origin", "http://example.com"}},
        {"not-found", "GET", "/nothing.txt", "/nothing", {NULL, NULL}},
        {"not-found", "GET", "/nothing.fen?x=y.json", "/nothing.pgn?x=y.txt", {NULL, NULL}},
        {"method-not-allowed", "POST", "/v1/limits.txt", "/v1/limits.json", {NULL, NULL}},
        {"method-not-allowed", "BREW", "/v1/limits.txt", "/v1/limits", {NULL, NULL}},
        {"malformed-request", "GET", "/v1/%2.txt", "/v1/%2", {NULL, NULL}},
        {"unknown-field", "GET", "/v1/limits.txt?x=1", "/v1/limits?x=1.txt", {NULL, NULL}},
        {"game-not-found", "GET", "/v1/games/x.txt", "/v1/games/x", {NULL, NULL}},
        {"not-acceptable", "GET", "/v1/problems/x.fen", "/v1/problems/x.pgn", {NULL, NULL}},
    };
    for (size_t i = 0; i < sizeof rows / sizeof rows[0]; i++) {
        char begin[64];
        struct call call = {.method = rows[i].method,
                            .target = rows[i].target,
                            .headers = {{"Accept", "application/json"}, rows[i].field},
                            .scope = REQUEST_SCOPE_LOOPBACK};
        (void)snprintf(begin, sizeof begin, "error: %s: ", rows[i].slug);
        const struct answer *answer = client_send(*state, &call);
        assert_problem(answer, problem_kind(problem_find(rows[i].slug))->status, rows[i].slug);
        assert_int_equal(strncmp(answer->body, begin, strlen(begin)), 0);
        assert_ptr_equal(strchr(answer->body, '\n'), answer->body + strlen(answer->body) - 1);
        call.target = rows[i].json_target;
        assert_string_equal(answer_text(client_send(*state, &call), "code"), rows[i].slug);
    }
}

static void accept_alone_asks_for_a_line_of_text(void **state)
{
    struct call call = {.method = "GET",
                        .target = "/v1/limits",
                        .headers = {{"Accept", "text/plain"}, {"Host", "example.com"}},
                        .scope = REQUEST_SCOPE_LOOPBACK};
    const struct answer *answer = client_send(*state, &call);
    assert_problem(answer, 421, "misdirected-request");
    assert_int_equal(strncmp(answer->body, "error: misdirected-request: ", 28), 0);
    call.headers[0].value = "*/*";
    assert_string_equal(answer_text(client_send(*state, &call), "code"), "misdirected-request");
    call.target = "/v1/limits.txt";
    assert_int_equal(strncmp(client_refuse(*state, &call, "headers-too-large", "Too many.")->body,
                             "error: headers-too-large: Too many.\n", 36),
                     0);
    call.target = "/v1/limits.json";
    call.headers[0].value = "text/plain";
    assert_string_equal(answer_text(client_refuse(*state, &call, "headers-too-large", "Too many."), "code"),
                        "headers-too-large");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_table_has_every_slug_with_its_status),
        cmocka_unit_test(a_problem_has_all_members),
        cmocka_unit_test(a_target_that_is_not_utf_8_is_left_out),
        cmocka_unit_test(a_problem_as_text_is_one_line),
        cmocka_unit_test(the_suffix_of_a_target_decides_before_accept),
        cmocka_unit_test(a_problem_has_nothing_of_a_body_that_was_to_be_sent_otherwise),
        cmocka_unit_test(a_problem_replaces_what_was_answered_before),
        cmocka_unit_test(a_missing_token_is_answered_with_the_scheme),
        cmocka_unit_test(when_to_come_back_is_said),
        cmocka_unit_test(a_detail_that_no_memory_was_left_for_is_out_of_memory),
        CLIENT_TEST(a_coding_that_the_service_refuses_is_told_the_one_that_is_read),
        CLIENT_TEST(what_the_service_refuses_looks_like_any_problem),
        CLIENT_TEST(text_is_answered_to_those_who_read_nothing_else),
        CLIENT_TEST(every_step_tells_problems_in_the_form_that_was_asked_for),
        CLIENT_TEST(accept_alone_asks_for_a_line_of_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
