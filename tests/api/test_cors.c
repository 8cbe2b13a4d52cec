/* api/access and api/cors: which web pages may use the service, and under which names. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

static const char *const ORIGINS[] = {"https://chess.example", "null-like", NULL};
static const char *const HOSTS[] = {"chess.test", "other.test:99", NULL};
static const char *const PUBLIC[] = {"http://127.0.0.1:8080", "https://arbiter.example", NULL};
static const char *const ANY[] = {"*", NULL};

static int setup_configured(void **state)
{
    struct client_options options = {
        .allowed_origins = ORIGINS, .allowed_hosts = HOSTS, .public_origins = PUBLIC};
    *state = client_open(&options);
    return 0;
}

static int setup_any(void **state)
{
    struct client_options options = {.allowed_origins = ANY};
    *state = client_open(&options);
    return 0;
}

static const struct answer *ask(struct client *client, enum request_scope scope, const char *host,
                                const char *origin)
{
    struct call call = {.method = "GET", .target = "/healthz", .headers = {{"Host", host}}, .scope = scope};
    if (origin)
        call.headers[1] = (struct response_header){"Origin", origin};
    return client_send(client, &call);
}

struct origin_row {
    const char *label, *host, *origin;
    enum request_scope scope;
    bool allowed;
};

static const struct origin_row ORIGIN_ROWS[] = {
    {"no origin", "arbiter.example", NULL, REQUEST_SCOPE_NETWORK, true},
    {"an added origin", "arbiter.example", "https://chess.example", REQUEST_SCOPE_NETWORK, true},
    {"an added origin in capitals", "arbiter.example", "HTTPS://Chess.Example", REQUEST_SCOPE_NETWORK, true},
    {"an added origin with a port", "arbiter.example", "https://chess.example:444", REQUEST_SCOPE_NETWORK,
     false},
    {"an added origin with another scheme", "arbiter.example", "http://chess.example", REQUEST_SCOPE_NETWORK,
     false},
    {"what begins like an added origin", "arbiter.example", "https://chess.example.evil",
     REQUEST_SCOPE_NETWORK, false},
    {"our own public origin", "x", "https://arbiter.example", REQUEST_SCOPE_NETWORK, true},
    {"the origin of the Host asked", "a.example:81", "http://a.example:81", REQUEST_SCOPE_NETWORK, true},
    {"another port of the Host asked", "a.example:81", "http://a.example:82", REQUEST_SCOPE_NETWORK, false},
    {"a stranger", "arbiter.example", "https://evil.example", REQUEST_SCOPE_NETWORK, false},
    {"null", "arbiter.example", "null", REQUEST_SCOPE_NETWORK, false},
    {"null on loopback", "localhost", "null", REQUEST_SCOPE_LOOPBACK, false},
    {"loopback from the network", "arbiter.example", "http://localhost:3000", REQUEST_SCOPE_NETWORK, false},
    {"localhost on loopback", "127.0.0.1:8080", "http://localhost:3000", REQUEST_SCOPE_LOOPBACK, true},
    {"127.0.0.9 on loopback", "127.0.0.1:8080", "https://127.0.0.9", REQUEST_SCOPE_LOOPBACK, true},
    {"::1 on loopback", "127.0.0.1:8080", "http://[::1]:8080", REQUEST_SCOPE_LOOPBACK, true},
    {"localhost on a Unix socket", "localhost", "http://localhost:3000", REQUEST_SCOPE_UNIX, true},
    {"a name that begins like a number", "localhost", "http://127.0.0.1.evil.example", REQUEST_SCOPE_LOOPBACK,
     false},
    {"a name that begins like localhost", "localhost", "http://localhost.evil.example",
     REQUEST_SCOPE_LOOPBACK, false},
    {"a user before the host", "localhost", "http://localhost:1@evil.example", REQUEST_SCOPE_LOOPBACK, false},
    {"a file", "localhost", "file://localhost", REQUEST_SCOPE_LOOPBACK, false},
    {"a rebound name that calls itself our own", "evil.example:8080", "http://evil.example:8080",
     REQUEST_SCOPE_LOOPBACK, false},
};

static void an_origin_is_refused_unless_it_is_allowed(void **state)
{
    for (size_t i = 0; i < sizeof ORIGIN_ROWS / sizeof ORIGIN_ROWS[0]; i++) {
        const struct origin_row *row = &ORIGIN_ROWS[i];
        const struct answer *answer = ask(*state, row->scope, row->host, row->origin);
        if (row->allowed != (answer->status == 200))
            fail_msg("%s: %s", row->label, answer->body);
        if (!row->allowed)
            assert_problem(answer, 403, "origin-not-allowed");
        const char *echoed = answer_header(answer, "Access-Control-Allow-Origin");
        assert_string_equal(echoed, row->allowed && row->origin ? row->origin : "");
    }
}

struct host_row {
    const char *label, *host; /* "": none */
    enum request_scope scope;
    bool ours;
};

static const struct host_row HOST_ROWS[] = {
    {"localhost", "localhost", REQUEST_SCOPE_LOOPBACK, true},
    {"localhost with a port", "LocalHost:8080", REQUEST_SCOPE_LOOPBACK, true},
    {"127.0.0.1", "127.0.0.1:9", REQUEST_SCOPE_LOOPBACK, true},
    {"127.5.6.7", "127.5.6.7", REQUEST_SCOPE_LOOPBACK, true},
    {"::1", "[::1]:8080", REQUEST_SCOPE_LOOPBACK, true},
    {"no Host, as in HTTP/1.0", "", REQUEST_SCOPE_LOOPBACK, true},
    {"an allowed host", "chess.test:8080", REQUEST_SCOPE_LOOPBACK, true},
    {"an allowed host with its port", "other.test:99", REQUEST_SCOPE_LOOPBACK, true},
    {"an allowed host with another port", "other.test:98", REQUEST_SCOPE_LOOPBACK, false},
    {"a rebound name", "evil.example", REQUEST_SCOPE_LOOPBACK, false},
    {"a rebound name that begins like a number", "127.0.0.1.evil.example", REQUEST_SCOPE_LOOPBACK, false},
    {"another address", "192.168.0.1", REQUEST_SCOPE_LOOPBACK, false},
    {"a bad port", "localhost:80x", REQUEST_SCOPE_LOOPBACK, false},
    {"an address without its bracket", "[::1", REQUEST_SCOPE_LOOPBACK, false},
    {"any name on the network", "evil.example", REQUEST_SCOPE_NETWORK, true},
    {"any name on a Unix socket", "whatever", REQUEST_SCOPE_UNIX, true},
};

static void on_loopback_the_host_must_be_ours(void **state)
{
    for (size_t i = 0; i < sizeof HOST_ROWS / sizeof HOST_ROWS[0]; i++) {
        const struct host_row *row = &HOST_ROWS[i];
        const struct answer *answer = ask(*state, row->scope, row->host, NULL);
        if (row->ours != (answer->status == 200))
            fail_msg("%s: %s", row->label, answer->body);
        if (!row->ours)
            assert_problem(answer, 421, "misdirected-request");
    }
}

static void every_origin_is_allowed_where_the_operator_says_so(void **state)
{
    assert_int_equal(ask(*state, REQUEST_SCOPE_NETWORK, "x", "https://anybody.example")->status, 200);
    assert_int_equal(ask(*state, REQUEST_SCOPE_NETWORK, "x", "null")->status, 200);
}

/* It would be told back in an answer that has less room than a request. */
static void what_is_too_long_for_an_origin_is_none(void **state)
{
    char origin[600] = "https://";
    memset(origin + 8, 'a', sizeof origin - 9);
    assert_problem(ask(*state, REQUEST_SCOPE_NETWORK, "x", origin), 403, "origin-not-allowed");
    origin[512] = '\0';
    assert_int_equal(ask(*state, REQUEST_SCOPE_NETWORK, "x", origin)->status, 200);
}

static void an_origin_is_refused_before_anything_else(void **state)
{
    struct call call = {.method = "BREW", .target = "%%%", .headers = {{"Origin", "https://evil.example"}}};
    assert_problem(client_send(*state, &call), 403, "origin-not-allowed");
}

static void a_preflight_is_told_methods_headers_and_age(void **state)
{
    struct call call = {
        .method = "OPTIONS",
        .target = "/v1/games",
        .headers = {{"Origin", "http://localhost:3000"},
                    {"Access-Control-Request-Method", "POST"},
                    {"Access-Control-Request-Headers", "content-type, if-match"}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    const struct answer *answer = client_send(*state, &call);
    assert_int_equal(answer->status, 204);
    assert_string_equal(answer_header(answer, "Allow"), "GET, HEAD, POST, OPTIONS");
    assert_string_equal(answer_header(answer, "Access-Control-Allow-Methods"), "GET, HEAD, POST, OPTIONS");
    assert_string_equal(answer_header(answer, "Access-Control-Max-Age"), "86400");
    assert_string_equal(answer_header(answer, "Access-Control-Allow-Origin"), "http://localhost:3000");
    static const char *const NEEDED[] = {"Content-Type", "If-Match",      "Authorization",
                                         "Prefer",       "Last-Event-ID", "Idempotency-Key"};
    for (size_t i = 0; i < sizeof NEEDED / sizeof NEEDED[0]; i++)
        assert_non_null(strstr(answer_header(answer, "Access-Control-Allow-Headers"), NEEDED[i]));
    assert_string_equal(answer_header(answer, "Access-Control-Allow-Credentials"), "");
}

static void options_without_an_origin_says_nothing_of_cors(void **state)
{
    struct call call = {.method = "OPTIONS", .target = "/v1/games"};
    const struct answer *answer = client_send(*state, &call);
    assert_int_equal(answer->status, 204);
    assert_string_equal(answer_header(answer, "Access-Control-Max-Age"), "");
}

static void errors_carry_the_headers_too(void **state)
{
    struct call call = {
        .method = "GET", .target = "/nothing", .headers = {{"Origin", "http://localhost:3000"}}};
    call.scope = REQUEST_SCOPE_LOOPBACK;
    const struct answer *answer = client_send(*state, &call);
    assert_problem(answer, 404, "not-found");
    assert_string_equal(answer_header(answer, "Access-Control-Allow-Origin"), "http://localhost:3000");
    assert_string_equal(
        answer_header(answer, "Access-Control-Expose-Headers"),
        "ETag, Location, Link, Retry-After, RateLimit, RateLimit-Policy, Idempotent-Replayed, "
        "X-Request-Id");
    answer = client_refuse(*state, &call, "headers-too-large", "Too large.");
    assert_string_equal(answer_header(answer, "Access-Control-Allow-Origin"), "http://localhost:3000");
}

static void the_help_names_the_origin_that_was_asked(void **state)
{
    struct call call = {.method = "GET", .target = "/", .headers = {{"Host", "arbiter.example"}}};
    assert_non_null(strstr(client_send(*state, &call)->body, " https://arbiter.example/v1/games"));
    call.headers[0].value = "elsewhere.example:81";
    assert_non_null(strstr(client_send(*state, &call)->body, " http://elsewhere.example:81/v1/games"));
    call.headers[0].value = "chess.example"; /* a proxy speaks TLS for us */
    assert_non_null(strstr(client_send(*state, &call)->body, " https://chess.example/v1/games"));
    call.headers[0].value = "";
    assert_non_null(strstr(client_send(*state, &call)->body, " http://127.0.0.1:8080/v1/games"));
    call.headers[0].value = "<script>";
    assert_null(strstr(client_send(*state, &call)->body, "<script>"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(an_origin_is_refused_unless_it_is_allowed, setup_configured,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(on_loopback_the_host_must_be_ours, setup_configured, client_teardown),
        cmocka_unit_test_setup_teardown(every_origin_is_allowed_where_the_operator_says_so, setup_any,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(what_is_too_long_for_an_origin_is_none, setup_any, client_teardown),
        CLIENT_TEST(an_origin_is_refused_before_anything_else),
        CLIENT_TEST(a_preflight_is_told_methods_headers_and_age),
        CLIENT_TEST(options_without_an_origin_says_nothing_of_cors),
        CLIENT_TEST(errors_carry_the_headers_too),
        cmocka_unit_test_setup_teardown(the_help_names_the_origin_that_was_asked, setup_configured,
                                        client_teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
