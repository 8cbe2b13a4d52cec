/* Whom a request comes from: addresses, networks, Forwarded and X-Forwarded-For. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/client.h"
#include "api/forwarded.h"
#include "tests/api/exchange_fixture.h"
#include "tests/api/match.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static struct text_span span(const char *text)
{
    return (struct text_span){text, strlen(text)};
}

static void addresses_are_read_and_written(void **state)
{
    (void)state;
    static const struct {
        const char *text, *written; /* NULL: it is none */
        bool local;
        const char *site;
    } rows[] = {
        {"192.0.2.1", "192.0.2.1", false, "192.0.2.1"},
        {"127.0.0.1", "127.0.0.1", true, "127.0.0.1"},
        {"127.255.255.254", "127.255.255.254", true, "127.255.255.254"},
        {"128.0.0.1", "128.0.0.1", false, "128.0.0.1"},
        {"0.0.0.0", "0.0.0.0", false, "0.0.0.0"},
        {"::1", "::1", true, "::"},
        {"::2", "::2", false, "::"},
        {"::", "::", false, "::"},
        {"2001:db8::1", "2001:db8::1", false, "2001:db8::"},
        {"2001:DB8:0:0:0:0:0:1", "2001:db8::1", false, "2001:db8::"},
        {"2001:db8:1:2:ffff:ffff:ffff:ffff", "2001:db8:1:2:ffff:ffff:ffff:ffff", false, "2001:db8:1:2::"},
        {"::ffff:192.0.2.1", "192.0.2.1", false, "192.0.2.1"},
        {"::ffff:127.0.0.1", "127.0.0.1", true, "127.0.0.1"},
        {"unix", "unix", true, "unix"},
        {"", NULL, false, NULL},
        {"UNIX", NULL, false, NULL},
        {"localhost", NULL, false, NULL},
        {"192.0.2", NULL, false, NULL},
        {"192.0.2.256", NULL, false, NULL},
        {"192.0.2.1:80", NULL, false, NULL},
        {"[::1]", NULL, false, NULL},
        {"fe80::1%eth0", NULL, false, NULL},
        {" 192.0.2.1", NULL, false, NULL},
        {"1111:1111:1111:1111:1111:1111:1111:1111:1111:1111:1111", NULL, false, NULL},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        print_message("%s\n", rows[i].text);
        struct client_address address;
        char written[CLIENT_TEXT_SIZE];
        bool is_one = client_parse(span(rows[i].text), &address);
        assert_int_equal(is_one, rows[i].written != NULL);
        if (!is_one)
            continue;
        client_format(&address, written);
        assert_string_equal(written, rows[i].written);
        assert_int_equal(client_is_local(&address), rows[i].local);
        struct client_address site = client_site(&address);
        client_format(&site, written);
        assert_string_equal(written, rows[i].site);
    }
}

static void two_addresses_are_the_same_or_not(void **state)
{
    (void)state;
    static const char *const TEXTS[] = {"192.0.2.1", "192.0.2.2", "::", "::1", "unix"};
    struct client_address addresses[LENGTH(TEXTS)];
    for (size_t i = 0; i < LENGTH(TEXTS); i++)
        assert_true(client_parse(span(TEXTS[i]), &addresses[i]));
    for (size_t i = 0; i < LENGTH(TEXTS); i++)
        for (size_t j = 0; j < LENGTH(TEXTS); j++)
            assert_int_equal(client_is_same(&addresses[i], &addresses[j]), i == j);
}

static void networks_are_addresses_with_bits(void **state)
{
    (void)state;
    static const char *const GOOD[] = {"10.0.0.0/8",
                                       "10.1.2.3",
                                       "0.0.0.0/0",
                                       "192.0.2.1/32",
                                       "2001:db8::/32",
                                       "2001:db8::1",
                                       "::/0",
                                       "::1/128",
                                       "unix",
                                       "10.1.2.3/007",
                                       "10.1.2.3/08",
                                       "::ffff:0:0/96",
                                       "::ffff:10.0.0.0/104",
                                       "::ffff:10.0.0.1/128",
                                       "::ffff:10.0.0.1"};
    static const char *const BAD[] = {"",
                                      "10.0.0.0/33",
                                      "10.0.0.0/",
                                      "10.0.0.0/-1",
                                      "10/8",
                                      "::/129",
                                      "unix/8",
                                      "unix:/run/x",
                                      "host",
                                      "10.0.0.0/8 ",
                                      "10.0.0.0/8/8",
                                      "[::1]",
                                      "10.0.0.0/a",
                                      "/8",
                                      "10.0.0.0/0008",
                                      "*",
                                      "::ffff:10.0.0.0/129"};
    for (size_t i = 0; i < LENGTH(GOOD); i++)
        if (!client_is_network(GOOD[i]))
            fail_msg("%s is a network", GOOD[i]);
    for (size_t i = 0; i < LENGTH(BAD); i++)
        if (client_is_network(BAD[i]))
            fail_msg("%s is no network", BAD[i]);
}

/* The hops, joined by "|"; NULL: malformed. */
static const char *hops_of(const char *value, bool is_list)
{
    static char text[4096];
    struct forwarded forwarded;
    if (is_list)
        forwarded_read_list(value, &forwarded);
    else if (!forwarded_read(value, &forwarded))
        return NULL;
    size_t length = 0;
    *text = '\0';
    for (size_t i = 0; i < forwarded.count; i++)
        length += (size_t)snprintf(text + length, sizeof text - length, "%s%.*s", i ? "|" : "",
                                   (int)forwarded.hops[i].length, forwarded.hops[i].text);
    return text;
}

static void forwarded_fields_are_read_by_their_grammar(void **state)
{
    (void)state;
    static const struct {
        const char *value, *hops; /* NULL: malformed */
    } rows[] = {
        /* RFC 7239 4 and 7.1 */
        {"for=\"_gazonk\"", "_gazonk"},
        {"For=\"[2001:db8:cafe::17]:4711\"", "[2001:db8:cafe::17]:4711"},
        {"for=192.0.2.60;proto=http;by=203.0.113.43", "192.0.2.60"},
        {"for=192.0.2.43, for=198.51.100.17", "192.0.2.43|198.51.100.17"},
        {"for=192.0.2.43,for=\"[2001:db8:cafe::17]\",for=unknown", "192.0.2.43|[2001:db8:cafe::17]|unknown"},
        {"for=_hidden, for=_SEVKISEK", "_hidden|_SEVKISEK"},
        {"proto=http;FOR=192.0.2.1", "192.0.2.1"},
        {"proto=https", ""},
        {"", ""},
        {" , ,for=192.0.2.1, ", "192.0.2.1"},
        {"for=192.0.2.1; proto=http", "192.0.2.1"},
        {"by=\"a,b;c\";for=192.0.2.1", "192.0.2.1"},
        {"for=192.0.2.1,proto=http,for=192.0.2.2", "192.0.2.1||192.0.2.2"},
        {"for=\"\"", ""},
        /* malformed */
        {"for", NULL},
        {"for=", NULL},
        {"=192.0.2.1", NULL},
        {"for=[2001:db8::1]", NULL}, /* must be quoted */
        {"for=\"192.0.2.1", NULL},
        {"for=\"192.0.2.1\\\"\"", NULL},
        {"for=192.0.2.1 for=192.0.2.2", NULL},
        {"for=192.0.2.1;;proto=http", NULL},
        {"for=192.0.2.1;", NULL},
        {"for=192.0.2.1;for=192.0.2.2", NULL},
        {"192.0.2.1", NULL},
        {"for = 192.0.2.1", NULL},
        {"for=192.0.2.1:80", NULL}, /* a colon must be quoted */
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        print_message("%s\n", rows[i].value);
        const char *hops = hops_of(rows[i].value, false);
        if (!rows[i].hops)
            assert_null(hops);
        else
            assert_string_equal(hops, rows[i].hops);
    }
}

static void lists_of_addresses_are_split_at_commas(void **state)
{
    (void)state;
    assert_string_equal(hops_of("192.0.2.1", true), "192.0.2.1");
    assert_string_equal(hops_of(" 192.0.2.1 ,\t2001:db8::1,, [::1]:80 , ", true),
                        "192.0.2.1|2001:db8::1|[::1]:80");
    assert_string_equal(hops_of("", true), "");
}

/* Whoever sends more hides what is far away, not what is near. */
static void of_too_many_hops_the_last_count(void **state)
{
    (void)state;
    char value[4096];
    size_t length = 0;
    for (int i = 0; i < FORWARDED_HOPS_MAX + 5; i++)
        length += (size_t)snprintf(value + length, sizeof value - length, "192.0.2.%d,", i);
    struct forwarded forwarded;
    forwarded_read_list(value, &forwarded);
    assert_int_equal(forwarded.count, FORWARDED_HOPS_MAX);
    assert_memory_equal(forwarded.hops[0].text, "192.0.2.5", 9);
    assert_memory_equal(forwarded.hops[FORWARDED_HOPS_MAX - 1].text, "192.0.2.36", 10);
}

static void ports_and_brackets_are_no_part_of_an_address(void **state)
{
    (void)state;
    static const struct {
        const char *hop, *address;
    } rows[] = {
        {"192.0.2.1", "192.0.2.1"},
        {"192.0.2.1:4711", "192.0.2.1"},
        {"[2001:db8::1]", "2001:db8::1"},
        {"[2001:db8::1]:80", "2001:db8::1"},
        {"2001:db8::1", "2001:db8::1"},
        {"192.0.2.1:_x", "192.0.2.1"},
        {"192.0.2.1:", ""},
        {"[2001:db8::1", ""},
        {"[2001:db8::1]x", ""},
        {"unix:", ""},
        {"unknown", "unknown"},
        {"", ""},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        struct text_span address = forwarded_address(span(rows[i].hop));
        if (!text_is(address, rows[i].address))
            fail_msg("%s: %.*s", rows[i].hop, (int)address.length, address.text);
    }
}

/* ---- whom to believe ------------------------------------------------------------------------------------- */

static const char *const PROXIES[] = {"10.0.0.0/8", "2001:db8:ffff::/48", "unix", NULL};

struct sight {
    const char *peer, *forwarded, *list;
    const char *client; /* NULL: the peer, and nothing else was looked at */
};

static void assert_seen(struct client *client, const struct sight *sight)
{
    print_message("%s, Forwarded: %s, X-Forwarded-For: %s\n", sight->peer ? sight->peer : "-",
                  sight->forwarded ? sight->forwarded : "-", sight->list ? sight->list : "-");
    struct call call = {.method = "GET", .target = "/version", .client = sight->peer};
    int count = 0;
    if (sight->forwarded)
        call.headers[count++] = (struct response_header){"Forwarded", sight->forwarded};
    if (sight->list)
        call.headers[count++] = (struct response_header){"X-Forwarded-For", sight->list};
    const struct answer *answer = client_send(client, &call);
    if (!sight->client)
        assert_null(answer->response.client);
    else
        assert_string_equal(answer->response.client, sight->client);
}

/* RFC 4291 2.3: the bits of a prefix are counted in the form that it is written in. */
static void a_network_counts_its_bits_as_it_is_written(void **state)
{
    (void)state;
    static const struct {
        const char *network, *inside, *outside;
    } rows[] = {
        {"10.0.0.0/8", "10.255.0.1", "11.0.0.1"},
        {"::ffff:10.0.0.0/104", "10.255.0.1", "11.0.0.1"},
        {"::ffff:a00:0/104", "10.255.0.1", "11.0.0.1"},
        {"::ffff:192.0.2.0/120", "192.0.2.255", "192.0.3.0"},
        {"::ffff:192.0.2.1/128", "192.0.2.1", "192.0.2.2"},
        {"::ffff:192.0.2.1", "192.0.2.1", "192.0.2.2"},
        {"::ffff:0:0/96", "192.0.2.1", "::fffe:c000:201"},
        {"0.0.0.0/0", "192.0.2.1", "2001:db8::1"},
        /* fewer than those of the prefix: more than IPv4 */
        {"::ffff:10.0.0.0/95", "::fffe:c000:201", "::fffd:c000:201"},
        {"::ffff:10.0.0.0/8", "192.0.2.1", "2001:db8::1"},
        {"::ffff:10.0.0.0/8", "::1", "2001:db8::1"},
        {"::/0", "192.0.2.1", "unix"},
    };
    for (size_t i = 0; i < LENGTH(rows); i++) {
        print_message("%s\n", rows[i].network);
        const char *const proxies[] = {rows[i].network, NULL};
        struct client *client = client_open(&(struct client_options){.trusted_proxies = proxies});
        struct sight sight = {rows[i].inside, NULL, "198.51.100.1", "198.51.100.1"};
        assert_seen(client, &sight);
        sight = (struct sight){rows[i].outside, NULL, "198.51.100.1", NULL};
        assert_seen(client, &sight);
        client_close(client);
    }
}

static void whoever_is_exempt_is_not_limited(void **state)
{
    (void)state;
    static const struct {
        const char *peer;
        bool exempt;
    } rows[] = {
        {"127.0.0.1", true},  {"127.255.0.1", true},       {"unix", true},      {NULL, true},
        {"::1", false},       {"::ffff:127.0.0.1", false}, {"12.7.0.1", false}, {"128.0.0.1", false},
        {"1.127.0.1", false}, {"2001:db8::127.", false},   {"unix2", false},    {"2001:db8::1", false},
    };
    static const enum api_client_limits SETTINGS[] = {API_CLIENT_LIMITS_AUTO, API_CLIENT_LIMITS_ON,
                                                      API_CLIENT_LIMITS_OFF};
    for (size_t i = 0; i < LENGTH(rows); i++) {
        for (size_t j = 0; j < 2 * LENGTH(SETTINGS); j++) {
            enum api_client_limits setting = SETTINGS[j / 2];
            struct fixture fixture;
            fixture_begin(&fixture, "GET", NULL, "");
            fixture.request.client = rows[i].peer;
            fixture.api.proxy_count = j % 2;
            struct client_address client = client_address(&fixture.exchange);
            bool exempt = client_is_exempt(&fixture.exchange, setting);
            assert_int_equal(exempt, rows[i].exempt && setting == API_CLIENT_LIMITS_AUTO && j % 2 == 0);
            if (exempt)
                assert_false(client_is_limited(&fixture.exchange, setting, &client));
            fixture_end(&fixture);
        }
    }
}

static void proxies_that_are_trusted_say_who_the_client_is(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.trusted_proxies = PROXIES});
    static const struct sight SIGHTS[] = {
        /* Whoever is not trusted says nothing. */
        {"192.0.2.1", NULL, "198.51.100.1", NULL},
        {"192.0.2.1", "for=198.51.100.1", NULL, NULL},
        {"11.0.0.1", NULL, "198.51.100.1", NULL},
        {"2001:db8:fffe::1", NULL, "198.51.100.1", NULL},
        {"127.0.0.1", NULL, "198.51.100.1", NULL},
        /* A trusted one does. */
        {"10.1.2.3", NULL, "198.51.100.1", "198.51.100.1"},
        {"10.1.2.3", "for=198.51.100.1;proto=https", NULL, "198.51.100.1"},
        {"2001:db8:ffff:1::2", "for=\"[2001:db8::17]:4711\"", NULL, "2001:db8::17"},
        {"unix", NULL, "198.51.100.1", "198.51.100.1"},
        {NULL, NULL, "198.51.100.1", "198.51.100.1"},
        {"::ffff:10.1.2.3", NULL, "::ffff:198.51.100.1", "198.51.100.1"},
        {"10.1.2.3", NULL, "198.51.100.1:5678", "198.51.100.1"},
        /* The last one that is not trusted counts: what stands before it may be anybody's invention. */
        {"10.1.2.3", NULL, "203.0.113.9, 198.51.100.1", "198.51.100.1"},
        {"10.1.2.3", NULL, "203.0.113.9, 198.51.100.1, 10.9.9.9", "198.51.100.1"},
        {"10.1.2.3", "for=127.0.0.1, for=198.51.100.1, for=10.9.9.9", NULL, "198.51.100.1"},
        {"10.1.2.3", NULL, "127.0.0.1, unix, 198.51.100.1", "198.51.100.1"},
        /* Only proxies: the farthest of them. */
        {"10.1.2.3", NULL, "10.7.7.7, 10.9.9.9", "10.7.7.7"},
        {"10.1.2.3", NULL, NULL, "10.1.2.3"},
        {"10.1.2.3", NULL, "", "10.1.2.3"},
        /* A proxy that hides its client stands for it. */
        {"10.1.2.3", "for=198.51.100.1, for=_hidden", NULL, "10.1.2.3"},
        {"10.1.2.3", "for=198.51.100.1, for=unknown, for=10.9.9.9", NULL, "10.9.9.9"},
        {"10.1.2.3", "for=198.51.100.1, proto=https", NULL, "10.1.2.3"},
        {"10.1.2.3", NULL, "198.51.100.1, nonsense", "10.1.2.3"},
        /* What is malformed is not believed. */
        {"10.1.2.3", "for=198.51.100.1, for=\"", NULL, "10.1.2.3"},
        {"10.1.2.3", "198.51.100.1", NULL, "10.1.2.3"},
        /* Nor are two fields that differ: a proxy sets one of them, the other is the client's own. */
        {"10.1.2.3", "for=198.51.100.1", "198.51.100.1", "198.51.100.1"},
        {"10.1.2.3", "for=203.0.113.9", "198.51.100.1", "10.1.2.3"},
        {"10.1.2.3", "nonsense", "198.51.100.1", "10.1.2.3"},
    };
    for (size_t i = 0; i < LENGTH(SIGHTS); i++)
        assert_seen(client, &SIGHTS[i]);
    client_close(client);
}

static void by_default_nobody_is_believed(void **state)
{
    static const struct sight SIGHTS[] = {{"10.1.2.3", "for=198.51.100.1", NULL, NULL},
                                          {"127.0.0.1", NULL, "198.51.100.1", NULL},
                                          {"unix", NULL, "198.51.100.1", NULL}};
    for (size_t i = 0; i < LENGTH(SIGHTS); i++)
        assert_seen(*state, &SIGHTS[i]);
}

static void everybody_may_be_trusted(void **state)
{
    (void)state;
    static const char *const ALL[] = {"0.0.0.0/0", "::/0", NULL};
    struct client *client = client_open(&(struct client_options){.trusted_proxies = ALL});
    assert_seen(client, &(struct sight){"192.0.2.1", NULL, "198.51.100.1, 203.0.113.9", "198.51.100.1"});
    assert_seen(client, &(struct sight){"2001:db8::1", NULL, "2001:db8::2", "2001:db8::2"});
    assert_seen(client, &(struct sight){"unix", NULL, "198.51.100.1", NULL});
    client_close(client);
}

/* The service's own refusals are logged like answers. */
static void refusals_of_the_service_name_the_client_too(void **state)
{
    (void)state;
    struct client *client = client_open(&(struct client_options){.trusted_proxies = PROXIES});
    const struct call call = {.method = "GET",
                              .target = "/",
                              .client = "10.1.2.3",
                              .headers = {{"X-Forwarded-For", "198.51.100.1"}}};
    const struct answer *answer = client_refuse(client, &call, "uri-too-long", "Too long.");
    assert_string_equal(answer->response.client, "198.51.100.1");
    client_close(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(addresses_are_read_and_written),
        cmocka_unit_test(two_addresses_are_the_same_or_not),
        cmocka_unit_test(networks_are_addresses_with_bits),
        cmocka_unit_test(forwarded_fields_are_read_by_their_grammar),
        cmocka_unit_test(lists_of_addresses_are_split_at_commas),
        cmocka_unit_test(of_too_many_hops_the_last_count),
        cmocka_unit_test(ports_and_brackets_are_no_part_of_an_address),
        cmocka_unit_test(a_network_counts_its_bits_as_it_is_written),
        cmocka_unit_test(whoever_is_exempt_is_not_limited),
        cmocka_unit_test(proxies_that_are_trusted_say_who_the_client_is),
        CLIENT_TEST(by_default_nobody_is_believed),
        cmocka_unit_test(everybody_may_be_trusted),
        cmocka_unit_test(refusals_of_the_service_name_the_client_too),
    };
    return cmocka_run_group_tests_name("whom a request comes from", tests, NULL, NULL);
}
