/* How much an address may ask for: buckets, the table of clients, header fields, and whom it applies to. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/rate.h"
#include "api/route.h"
#include "games/clock.h"
#include "tests/api/match.h"
#include "tests/support/chance.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { SECOND = 1000, MINUTE = 60 * SECOND };

static struct client_address address(const char *text)
{
    struct client_address parsed = {0};
    assert_true(client_parse((struct text_span){text, strlen(text)}, &parsed));
    return parsed;
}

static struct rates *make_rates(int64_t per_minute, size_t clients)
{
    struct rate_settings settings = {.clients = clients};
    for (int class = RATE_MOVES; class < RATE_CLASS_COUNT; class ++)
        settings.per_minute[class] = per_minute;
    struct rates *rates = rates_create(&settings);
    assert_non_null(rates);
    return rates;
}

static struct rate_left take_as(struct rates *rates, const char *who, enum rate_class class, int64_t now_ms)
{
    struct client_address client = address(who);
    struct rate_left left = {0};
    rates_take(rates, &client, class, now_ms, &left);
    return left;
}

static struct rate_left take(struct rates *rates, const char *who, int64_t now_ms)
{
    return take_as(rates, who, RATE_MOVES, now_ms);
}

/* ---- a bucket -------------------------------------------------------------------------------------------- */

static void a_full_bucket_may_be_emptied_at_once(void **state)
{
    (void)state;
    static const int64_t QUOTAS[] = {1, 7, 120, 1000000};
    for (size_t i = 0; i < LENGTH(QUOTAS); i++) {
        struct rates *rates = make_rates(QUOTAS[i], 4);
        for (int64_t left = QUOTAS[i] - 1; left >= 0; left--) {
            struct rate_left after = take(rates, "192.0.2.1", 5);
            assert_true(after.allowed);
            assert_int_equal(after.remaining, left);
            assert_int_equal(after.next_ms > 0, left == 0);
        }
        struct rate_left denied = take(rates, "192.0.2.1", 5);
        assert_false(denied.allowed);
        assert_int_equal(denied.remaining, 0);
        rates_destroy(rates);
    }
}

static void tokens_come_back_steadily(void **state)
{
    (void)state;
    struct rates *rates = make_rates(60, 4); /* one a second */
    int64_t now_ms = 1000000;
    for (int i = 0; i < 60; i++)
        assert_int_equal(take(rates, "192.0.2.1", now_ms).full_ms, (i + 1) * SECOND);
    struct rate_left denied = take(rates, "192.0.2.1", now_ms);
    assert_false(denied.allowed);
    assert_int_equal(denied.next_ms, SECOND);
    assert_int_equal(denied.full_ms, MINUTE);
    denied = take(rates, "192.0.2.1", now_ms + SECOND - 1);
    assert_false(denied.allowed);
    assert_int_equal(denied.next_ms, 1);
    assert_true(take(rates, "192.0.2.1", now_ms + SECOND).allowed);
    assert_false(take(rates, "192.0.2.1", now_ms + SECOND).allowed);
    /* What was refused costs nothing: after ten seconds there are ten. */
    for (int i = 9; i >= 0; i--)
        assert_int_equal(take(rates, "192.0.2.1", now_ms + 11 * SECOND).remaining, i);
    assert_false(take(rates, "192.0.2.1", now_ms + 11 * SECOND).allowed);
    /* After a minute it is full, and no fuller after an hour. */
    assert_int_equal(take(rates, "192.0.2.1", now_ms + 11 * SECOND + 60 * MINUTE).remaining, 59);
    rates_destroy(rates);
}

/* As long as a service can have lived, which a damaged store may say. */
static void a_very_old_service_counts_as_any_other(void **state)
{
    (void)state;
    static const int64_t NOW_MS[] = {INT64_MAX / 1000000 + 1, SERVICE_MS_MAX};
    for (size_t i = 0; i < LENGTH(NOW_MS); i++) {
        struct rates *rates = make_rates(60, 4);
        for (int left = 59; left >= 0; left--)
            assert_int_equal(take(rates, "192.0.2.1", NOW_MS[i]).remaining, left);
        assert_int_equal(take(rates, "192.0.2.1", NOW_MS[i]).next_ms, SECOND);
        assert_true(take(rates, "192.0.2.1", NOW_MS[i] + SECOND).allowed);
        rates_destroy(rates);
    }
}

static void a_long_run_gets_its_share_and_no_more(void **state)
{
    (void)state;
    struct rates *rates = make_rates(7, 4); /* does not divide a minute */
    int64_t allowed = 0;
    for (int64_t now_ms = 0; now_ms < 100 * MINUTE; now_ms += 100)
        allowed += take(rates, "192.0.2.1", now_ms).allowed;
    assert_in_range(allowed, 7 * 100, 7 * 101);
    rates_destroy(rates);
}

static void classes_have_buckets_of_their_own(void **state)
{
    (void)state;
    struct rates *rates = make_rates(1, 4);
    for (int class = RATE_MOVES; class < RATE_CLASS_COUNT; class ++) {
        assert_true(take_as(rates, "192.0.2.1", (enum rate_class) class, 0).allowed);
        assert_false(take_as(rates, "192.0.2.1", (enum rate_class) class, 0).allowed);
    }
    rates_destroy(rates);
}

/* ---- clients ---------------------------------------------------------------------------------------------- */

static void clients_do_not_share_but_for_one_ipv6_site(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        bool shared;
    } rows[] = {
        {"192.0.2.1", "192.0.2.2", false},
        {"192.0.2.1", "::ffff:192.0.2.1", true},
        {"2001:db8:0:1::1", "2001:db8:0:1:ffff:ffff:ffff:ffff", true},
        {"2001:db8:0:1::1", "2001:db8:0:2::1", false},
        {"unix", "unix", true},
        {"unix", "::", false},
        {"unix", "::1", false},
        {"127.0.0.1", "::1", false},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        print_message("%s %s\n", rows[i].one, rows[i].other);
        struct rates *rates = make_rates(1, 4);
        assert_true(take(rates, rows[i].one, 0).allowed);
        assert_int_equal(take(rates, rows[i].other, 0).allowed, !rows[i].shared);
        assert_int_equal(rates_clients(rates), rows[i].shared ? 1 : 2);
        rates_destroy(rates);
    }
}

static const char *numbered(unsigned n)
{
    static char text[32];
    (void)snprintf(text, sizeof text, "198.%u.%u.%u", n >> 16 & 255, n >> 8 & 255, n & 255);
    return text;
}

static void of_a_full_table_who_was_away_longest_is_forgotten(void **state)
{
    (void)state;
    struct rates *rates = make_rates(1, 3);
    for (unsigned n = 0; n < 3; n++)
        assert_true(take(rates, numbered(n), 0).allowed);
    assert_false(take(rates, numbered(0), 0).allowed); /* now 1 is the oldest */
    assert_true(take(rates, numbered(3), 0).allowed);
    assert_int_equal(rates_clients(rates), 3);
    assert_false(take(rates, numbered(0), 0).allowed);
    assert_false(take(rates, numbered(2), 0).allowed);
    assert_true(take(rates, numbered(1), 0).allowed); /* forgotten, so it is new; 3 leaves */
    assert_false(take(rates, numbered(0), 0).allowed);
    assert_true(take(rates, numbered(3), 0).allowed);
    rates_destroy(rates);
}

/* A model that knows nothing of hashes: a list in order of use. */
static void the_table_forgets_as_a_list_in_order_of_use_would(void **state)
{
    (void)state;
    enum { CLIENTS = 37, NAMES = 80, STEPS = 20000 };
    struct rates *rates = make_rates(1, CLIENTS);
    unsigned list[CLIENTS], count = 0;
    uint64_t random = 12345;
    for (int step = 0; step < STEPS; step++) {
        unsigned name = chance_below(&random, NAMES);
        unsigned at = 0;
        while (at < count && list[at] != name)
            at++;
        bool known = at < count;
        if (!known && count < CLIENTS)
            count++;
        unsigned last = known ? at : count - 1;
        memmove(list + 1, list, last * sizeof list[0]);
        list[0] = name;
        assert_int_equal(take(rates, numbered(name), 0).allowed, !known);
    }
    assert_int_equal(rates_clients(rates), CLIENTS);
    rates_destroy(rates);
}

static void a_table_of_one_client_works(void **state)
{
    (void)state;
    struct rates *rates = make_rates(2, 1);
    assert_int_equal(take(rates, "192.0.2.1", 0).remaining, 1);
    assert_int_equal(take(rates, "192.0.2.1", 0).remaining, 0);
    assert_int_equal(take(rates, "192.0.2.2", 0).remaining, 1);
    assert_int_equal(take(rates, "192.0.2.1", 0).remaining, 1);
    rates_destroy(rates);
}

/* A target that finds the row: values for what the path leaves open, and a suffix for its format. */
static const char *reach(const struct route *row, const char *id)
{
    static const struct {
        const char *name, *value;
    } VALUES[] = {{"{ply}", "1"}, {"{n}", "518"}, {"{slug}", "game-over"}, {"{color}", "white"}};
    static char target[256];
    const char *value = id;
    size_t length = 0;
    for (const char *at = row->path; *at; at++) {
        if (*at != '{') {
            target[length++] = *at;
            continue;
        }
        for (size_t i = 0; i < LENGTH(VALUES); i++)
            if (strncmp(at, VALUES[i].name, strlen(VALUES[i].name)) == 0)
                value = VALUES[i].value;
        length += (size_t)snprintf(target + length, sizeof target - length, "%s", value);
        at = strchr(at, '}');
        value = id;
    }
    target[length] = '\0';
    return target;
}

/* ---- requests --------------------------------------------------------------------------------------------- */

static struct client *open_limited(enum api_client_limits rate_limits)
{
    struct client_options options = {.limits = api_limits_default(), .rate_limits = rate_limits};
    options.limits.rate_moves = 2;
    options.limits.rate_creates = 3;
    options.limits.rate_reads = 4;
    options.limits.rate_heavy = 1;
    return client_open(&options);
}

static const struct answer *ask(struct client *client, const char *method, const char *target,
                                const char *peer)
{
    const struct call call = {.method = method,
                              .target = target,
                              .body = strcmp(method, "POST") == 0 ? "" : NULL,
                              .client = peer,
                              .scope = REQUEST_SCOPE_NETWORK};
    return client_send(client, &call);
}

static void every_answer_tells_what_is_left(void **state)
{
    (void)state;
    struct client *client = open_limited(API_CLIENT_LIMITS_AUTO);
    const struct answer *answer = ask(client, "GET", "/version", "192.0.2.1");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "RateLimit-Policy"), "\"reads\";q=4;w=60");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"reads\";r=3;t=15");
    client_advance(client, 10 * SECOND);
    answer = ask(client, "GET", "/v1/games/abcdefghjkmn", "192.0.2.1"); /* problems too */
    assert_problem(answer, 404, "game-not-found");
    assert_true(answer->blocked); /* counted once, though the api was called twice */
    assert_string_equal(answer_header(answer, "RateLimit"), "\"reads\";r=2;t=20");
    answer = ask(client, "HEAD", "/version", "192.0.2.1");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"reads\";r=1;t=35");
    answer = ask(client, "POST", "/v1/games", "192.0.2.1");
    assert_status(answer, 201);
    assert_string_equal(answer_header(answer, "RateLimit-Policy"), "\"creates\";q=3;w=60");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"creates\";r=2;t=20");
    client_close(client);
}

static void too_many_requests_are_429(void **state)
{
    (void)state;
    struct client *client = open_limited(API_CLIENT_LIMITS_AUTO);
    for (int i = 0; i < 4; i++)
        assert_status(ask(client, "GET", "/version", "192.0.2.1"), 200);
    const struct answer *answer = ask(client, "GET", "/version", "192.0.2.1");
    assert_problem(answer, 429, "rate-limited");
    assert_string_equal(answer_header(answer, "Retry-After"), "15");
    assert_string_equal(answer_header(answer, "RateLimit-Policy"), "\"reads\";q=4;w=60");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"reads\";r=0;t=60");
    assert_status(ask(client, "GET", "/version", "192.0.2.2"), 200); /* others go on */
    assert_status(ask(client, "POST", "/v1/games", "192.0.2.1"), 201);
    client_advance(client, 15 * SECOND - 1);
    answer = ask(client, "GET", "/version", "192.0.2.1");
    assert_problem(answer, 429, "rate-limited");
    assert_string_equal(answer_header(answer, "Retry-After"), "1");
    client_advance(client, 1);
    assert_status(ask(client, "GET", "/version", "192.0.2.1"), 200);
    client_close(client);
}

/* Long work is drawing a picture, not finding one that was drawn. */
static void a_picture_counts_as_heavy_where_it_is_drawn(void **state)
{
    (void)state;
    struct client *client = open_limited(API_CLIENT_LIMITS_AUTO);
    const struct answer *answer = ask(client, "GET", "/v1/positions/board.png?size=80", "192.0.2.1");
    assert_status(answer, 200);
    assert_true(answer->blocked); /* counted once, though the api was called twice */
    assert_string_equal(answer_header(answer, "RateLimit-Policy"), "\"heavy\";q=1;w=60");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"heavy\";r=0;t=60");
    answer = ask(client, "GET", "/v1/positions/board.png?size=80", "192.0.2.1");
    assert_status(answer, 200);
    assert_string_equal(answer_header(answer, "RateLimit-Policy"), "\"reads\";q=4;w=60");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"reads\";r=2;t=30"); /* the first counted too */
    answer = ask(client, "GET", "/v1/positions/board.png?size=81", "192.0.2.1");
    assert_problem(answer, 429, "rate-limited");
    assert_string_equal(answer_header(answer, "RateLimit"), "\"heavy\";r=0;t=60");
    assert_string_equal(answer_header(answer, "Retry-After"), "60");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_status(ask(client, "GET", "/v1/positions/board.svg?size=81", "192.0.2.1"), 200);
    assert_problem(ask(client, "GET", "/v1/positions/board.png?size=80", "192.0.2.1"), 429, "rate-limited");
    client_close(client);
}

static void what_is_refused_does_nothing(void **state)
{
    (void)state;
    struct client *client = open_limited(API_CLIENT_LIMITS_AUTO);
    for (int i = 0; i < 3; i++)
        assert_status(ask(client, "POST", "/v1/games", "192.0.2.1"), 201);
    assert_problem(ask(client, "POST", "/v1/games", "192.0.2.1"), 429, "rate-limited");
    assert_int_equal(answer_count(client_get(client, "/v1/games"), "data"), 3);
    client_close(client);
}

/* Machines watch these, and must see the service when it is busy most of all. */
static void only_health_and_metrics_are_never_counted(void **state)
{
    (void)state;
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        bool watched = strcmp(row->path, "/healthz") == 0 || strcmp(row->path, "/readyz") == 0 ||
                       strcmp(row->path, "/metrics") == 0;
        if ((row->rate == RATE_NONE) != watched)
            fail_msg("%s %s", route_method_name(row->method), row->path);
        if (row->rate >= RATE_CLASS_COUNT)
            fail_msg("%s has no class", row->path);
    }
    struct client *client = open_limited(API_CLIENT_LIMITS_ON);
    for (int i = 0; i < 20; i++) {
        const struct answer *answer = ask(client, "GET", "/healthz", "192.0.2.1");
        assert_status(answer, 200);
        assert_string_equal(answer_header(answer, "RateLimit"), "");
    }
    client_close(client);
}

static void assert_limited(enum api_client_limits rate_limits, const char *peer, bool limited)
{
    print_message("%s\n", peer ? peer : "-");
    struct client *client = open_limited(rate_limits);
    for (int i = 0; i < 4; i++) {
        const struct answer *answer = ask(client, "GET", "/version", peer);
        assert_status(answer, 200);
        assert_int_equal(*answer_header(answer, "RateLimit") != '\0', limited);
    }
    assert_status(ask(client, "GET", "/version", peer), limited ? 429 : 200);
    client_close(client);
}

static void nothing_is_limited_over_loopback_unless_it_is_wanted(void **state)
{
    (void)state;
    static const char *const LOCAL[] = {"127.0.0.1", "127.1.2.3", "::1", "::ffff:127.0.0.1", "unix", NULL};
    for (size_t i = 0; i < LENGTH(LOCAL); i++) {
        assert_limited(API_CLIENT_LIMITS_AUTO, LOCAL[i], false);
        assert_limited(API_CLIENT_LIMITS_ON, LOCAL[i], true);
        assert_limited(API_CLIENT_LIMITS_OFF, LOCAL[i], false);
    }
    assert_limited(API_CLIENT_LIMITS_AUTO, "192.0.2.1", true);
    assert_limited(API_CLIENT_LIMITS_AUTO, "2001:db8::1", true);
    assert_limited(API_CLIENT_LIMITS_OFF, "192.0.2.1", false);
}

/* Behind a proxy on loopback each client has a share of its own, and the proxy's word is needed for it. */
static void clients_behind_a_proxy_are_limited_one_by_one(void **state)
{
    (void)state;
    static const char *const PROXIES[] = {"127.0.0.1", NULL};
    struct client_options options = {.limits = api_limits_default(), .trusted_proxies = PROXIES};
    options.limits.rate_reads = 1;
    struct client *client = client_open(&options);
    struct call call = {.method = "GET",
                        .target = "/version",
                        .client = "127.0.0.1",
                        .headers = {{"X-Forwarded-For", "192.0.2.1"}}};
    assert_status(client_send(client, &call), 200);
    assert_status(client_send(client, &call), 429);
    call.headers[0].value = "192.0.2.2";
    assert_status(client_send(client, &call), 200);
    call.headers[0].value = "192.0.2.77, 192.0.2.1"; /* a spoofed one before it changes nothing */
    assert_status(client_send(client, &call), 429);
    call.client = "192.0.2.3"; /* no proxy: its own address counts, whatever it says */
    call.headers[0].value = "192.0.2.4";
    assert_status(client_send(client, &call), 200);
    call.headers[0].value = "192.0.2.5";
    assert_status(client_send(client, &call), 429);
    call.client = "127.0.0.1"; /* and whom the proxy does not name is as limited as others */
    call.headers[0].value = "";
    assert_status(client_send(client, &call), 200);
    call.headers[0].value = "nobody";
    assert_status(client_send(client, &call), 429);
    client_close(client);
}

static void every_operation_that_is_counted_may_be_one_too_many(void **state)
{
    (void)state;
    struct client_options options = {.limits = api_limits_default(), .rate_limits = API_CLIENT_LIMITS_ON};
    options.limits.rate_moves = options.limits.rate_creates = 1;
    options.limits.rate_reads = options.limits.rate_heavy = 1;
    struct client *client = client_open(&options);
    const char *id = match_new(client);
    for (const struct route *row = route_table; row < route_table + route_count; row++) {
        const char *target = reach(row, id);
        if (row->rate == RATE_NONE)
            continue;
        print_message("%s %s\n", route_method_name(row->method), target);
        client_advance(client, MINUTE);
        (void)ask(client, route_method_name(row->method), target, "192.0.2.1");
        assert_problem(ask(client, route_method_name(row->method), target, "192.0.2.1"), 429, "rate-limited");
    }
    client_close(client);
}

static void options_requests_are_not_counted(void **state)
{
    (void)state;
    struct client *client = open_limited(API_CLIENT_LIMITS_ON);
    for (int i = 0; i < 10; i++)
        assert_status(ask(client, "OPTIONS", "/v1/games", "192.0.2.1"), 204);
    assert_string_equal(answer_header(ask(client, "GET", "/version", "192.0.2.1"), "RateLimit"),
                        "\"reads\";r=3;t=15");
    client_close(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_bucket_may_be_emptied_at_once),
        cmocka_unit_test(tokens_come_back_steadily),
        cmocka_unit_test(a_very_old_service_counts_as_any_other),
        cmocka_unit_test(a_long_run_gets_its_share_and_no_more),
        cmocka_unit_test(classes_have_buckets_of_their_own),
        cmocka_unit_test(clients_do_not_share_but_for_one_ipv6_site),
        cmocka_unit_test(of_a_full_table_who_was_away_longest_is_forgotten),
        cmocka_unit_test(the_table_forgets_as_a_list_in_order_of_use_would),
        cmocka_unit_test(a_table_of_one_client_works),
        cmocka_unit_test(every_answer_tells_what_is_left),
        cmocka_unit_test(too_many_requests_are_429),
        cmocka_unit_test(a_picture_counts_as_heavy_where_it_is_drawn),
        cmocka_unit_test(what_is_refused_does_nothing),
        cmocka_unit_test(only_health_and_metrics_are_never_counted),
        cmocka_unit_test(nothing_is_limited_over_loopback_unless_it_is_wanted),
        cmocka_unit_test(clients_behind_a_proxy_are_limited_one_by_one),
        cmocka_unit_test(every_operation_that_is_counted_may_be_one_too_many),
        cmocka_unit_test(options_requests_are_not_counted),
    };
    return cmocka_run_group_tests_name("limits of requests", tests, NULL, NULL);
}
