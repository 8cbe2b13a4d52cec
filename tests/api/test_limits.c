/* api/limits: what a client can grow, and how far. */
#include "api/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/api/listener.h"
#include "tests/api/table.h"

static void every_default_lies_between_its_bounds(void **state)
{
    (void)state;
    struct api_limits limits = api_limits_default();
#define CHECK(name, initial, minimum, maximum, unit, sentence)                                               \
    assert_int_equal(limits.name, initial);                                                                  \
    assert_in_range(limits.name, minimum, maximum);                                                          \
    assert_int_equal((sentence)[strlen(sentence) - 1], '.');
    API_LIMITS(CHECK)
#undef CHECK
}

/* A client whose limits are small, so that tests can reach them. */
static int setup_small(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.perft_nodes = 8902;
    options.limits.moves_per_request = 4;
    options.limits.json_depth = 4;
    options.limits.body_bytes = 1024;
    *state = client_open(&options);
    return 0;
}

static void a_tree_is_counted_to_its_limit_and_not_one_node_more(void **state)
{
    assert_int_equal(answer_integer(client_get(*state, "/v1/positions/perft?depth=3"), "nodes"), 8902);
    const struct answer *answer =
        client_get(*state, "/v1/positions/perft?depth=2&fen=R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1_w");
    assert_int_equal(answer->status, 200);
    answer = client_get(*state, "/v1/positions/perft?depth=3&fen=r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/"
                                "PPPBBPPP/R3K2R_w_KQkq");
    assert_problem(answer, 422, "too-expensive");
    assert_int_equal(answer_integer(answer, "limit"), 8902);
}

static void a_line_has_as_many_moves_as_it_may_and_not_one_more(void **state)
{
    assert_int_equal(client_get(*state, "/v1/positions?moves=e4,e5,Nf3,Nc6")->status, 200);
    assert_problem(client_get(*state, "/v1/positions?moves=e4,e5,Nf3,Nc6,Bb5"), 400, "invalid-parameter");
    assert_int_equal(client_curl(*state, "/v1/positions/line", "e4 e5 Nf3 Nc6")->status, 200);
    assert_problem(client_curl(*state, "/v1/positions/line", "e4 e5 Nf3 Nc6 Bb5"), 400, "invalid-parameter");
    assert_int_equal(
        client_post(*state, "/v1/positions/line", NULL, "{\"moves\":[\"e4\",\"e5\",\"Nf3\",\"Nc6\"]}")
            ->status,
        200);
    const struct answer *answer = client_post(*state, "/v1/positions/line", NULL,
                                              "{\"moves\":[\"e4\",\"e5\",\"Nf3\",\"Nc6\",\"Bb5\"]}");
    assert_problem(answer, 400, "invalid-parameter");
    assert_string_equal(answer_text(answer, "pointer"), "/moves");
}

static void json_is_as_deep_as_it_may_be_and_not_one_deeper(void **state)
{
    assert_int_equal(client_post(*state, "/v1/positions/line", NULL, "{\"x_a\":[[[1]]]}")->status, 200);
    assert_problem(client_post(*state, "/v1/positions/line", NULL, "{\"x_a\":[[[[1]]]]}"), 400,
                   "malformed-request");
}

static void a_body_is_as_long_as_it_may_be_and_not_one_byte_longer(void **state)
{
    char body[1024 + 2];
    memset(body, ' ', sizeof body);
    memcpy(body, "e4", 2);
    body[1023] = '.';
    body[1024] = '\0';
    assert_int_not_equal(client_post(*state, "/v1/positions/line", "text/plain", body)->status, 413);
    body[1024] = '.';
    body[1025] = '\0';
    assert_problem(client_post(*state, "/v1/positions/line", "text/plain", body), 413, "payload-too-large");
}

/* The index in `data` of the limit of that name. */
static int limit_index(const struct answer *answer, const char *name)
{
    int found = -1, times = 0;
    for (int i = 0; i < answer_count(answer, "data"); i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "data.%d.name", i);
        if (strcmp(answer_text(answer, path), name) == 0) {
            found = i;
            times++;
        }
    }
    print_message("%s\n", name);
    assert_int_equal(times, 1);
    return found;
}

static void assert_limit(const struct answer *answer, const char *name, int64_t value, bool is_fixed)
{
    char path[32];
    int index = limit_index(answer, name);
    (void)snprintf(path, sizeof path, "data.%d.value", index);
    assert_int_equal(answer_integer(answer, path), value);
    (void)snprintf(path, sizeof path, "data.%d.fixed", index);
    assert_int_equal(answer_bool(answer, path), is_fixed);
}

static void the_limits_that_are_told_are_those_in_force(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/limits");
    assert_limit(answer, "perft_nodes", 8902, false);
    assert_limit(answer, "moves_per_request", 4, false);
}

/* Nobody should learn of a limit from a refusal alone. */
static void limits_that_nothing_sets_are_told_too(void **state)
{
    static const struct {
        const char *name;
        int64_t value;
    } rows[] = {
        {"fen_bytes", 512},
        {"fen_field_bytes", 4096},
        {"origin_bytes", 512},
        {"json_number_bytes", 63},
        {"pgn_texts_bytes", 4194304},
        {"pgn_warnings", 16},
        {"pgn_tag_errors", 16},
        {"fen_faults", 32},
        {"move_bytes", 512},
        {"move_notation_bytes", 64},
        {"form_fields", 64},
        {"ply_number", 20000},
        {"pgn_tags", 128},
        {"pgn_tag_name_bytes", 255},
        {"pgn_tag_value_bytes", 4096},
        {"pgn_comment_bytes", 32768},
        {"clock_text_bytes", 240},
        {"clock_time_ms", INT64_C(31) * 86400 * 1000},
        {"clock_stages", 8},
        {"clock_stage_moves", 1000},
        {"clock_shown_ms", INT64_C(4200000000)},
        {"move_limit", 10000},
        {"draw_offers_from_move", 1000},
        {"abandon_after_ms", INT64_C(31) * 86400 * 1000},
        {"claim_penalty_ms", INT64_C(31) * 86400 * 1000},
        {"position_nodes", 2000},
        {"winnable_plies", 512},
        {"ticket_life_ms", 60000},
        {"ticket_bytes", 128},
        {"forwarded_hops", 32},
    };
    const struct answer *answer = client_get(*state, "/v1/limits");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_limit(answer, rows[i].name, rows[i].value, true);
    const char *text = client_get(*state, "/v1/limits.txt")->body;
    assert_non_null(strstr(text, "\nclock_stage_moves             1000 moves "));
}

/* The greatest value of a row is taken, one more is refused. */
static void fixed_limits_are_those_in_force(void **state)
{
    static const struct {
        const char *limit, *before, *after;
    } rows[] = {
        {"clock_time_ms", "{\"clock\":{\"initial_ms\":", "}}"},
        {"clock_stage_moves", "{\"clock\":{\"stages\":[{\"moves\":", ",\"time_ms\":1}]}}"},
        {"move_limit", "{\"rules\":{\"move_limit\":", "}}"},
        {"draw_offers_from_move", "{\"rules\":{\"draw_offers_from_move\":", "}}"},
        {"abandon_after_ms", "{\"rules\":{\"abandon_after_ms\":", "}}"},
        {"claim_penalty_ms", "{\"rules\":{\"claim_penalty_ms\":", "}}"},
    };
    const struct answer *limits = client_get(*state, "/v1/limits");
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        char path[32], body[128];
        (void)snprintf(path, sizeof path, "data.%d.value", limit_index(limits, rows[i].limit));
        int64_t most = answer_integer(limits, path);
        (void)snprintf(body, sizeof body, "%s%lld%s", rows[i].before, (long long)most, rows[i].after);
        assert_int_equal(client_post(*state, "/v1/games", NULL, body)->status, 201);
        (void)snprintf(body, sizeof body, "%s%lld%s", rows[i].before, (long long)most + 1, rows[i].after);
        assert_problem(client_post(*state, "/v1/games", NULL, body), 400, "invalid-parameter");
    }
}

enum { TEXT_MAX = 4097 };

/* A text of so many of a letter. */
static const char *text_of(char letter, size_t length)
{
    static char text[TEXT_MAX + 1];
    assert_true(length <= TEXT_MAX);
    memset(text, letter, length);
    text[length] = '\0';
    return text;
}

/* One that cannot be read is told what is wrong with it; one that is longer is not looked at. */
static void a_fen_to_validate_is_as_long_as_it_may_be_in_every_form(void **state)
{
    for (size_t length = 4096; length <= 4097; length++) {
        char json[TEXT_MAX + 64];
        const char *fen = text_of('x', length);
        (void)snprintf(json, sizeof json, "{\"fen\":\"%s\"}", fen);
        const struct answer *answers[] = {
            client_post(*state, "/v1/positions/validate", "application/json", json),
            client_post(*state, "/v1/positions/validate", "text/plain", fen),
            client_curl(*state, "/v1/positions/validate", fen),
        };
        for (size_t i = 0; i < sizeof answers / sizeof answers[0]; i++) {
            assert_int_equal(answers[i]->status, length == 4096 ? 200 : 400);
            if (length == 4096)
                assert_false(answer_bool(answers[i], "valid"));
            else
                assert_problem(answers[i], 400, "invalid-parameter");
        }
        assert_problem(client_post(*state, "/v1/positions/line", "application/json", json), 400,
                       length == 4096 ? "invalid-fen" : "invalid-parameter");
    }
}

static void a_move_is_as_long_as_it_may_be_and_not_one_byte_longer(void **state)
{
    static const char *const FIELDS[] = {"move", "san", "uci"};
    const char *id = match_new(*state);
    for (size_t i = 0; i < sizeof FIELDS / sizeof FIELDS[0]; i++) {
        for (size_t length = 512; length <= 513; length++) {
            char json[TEXT_MAX + 64];
            (void)snprintf(json, sizeof json, "{\"%s\":\"%s\"}", FIELDS[i], text_of('x', length));
            assert_problem(match_post(*state, id, "/moves", json), 400,
                           length == 512 ? "unparseable-move" : "invalid-parameter");
        }
    }
}

static void the_greatest_half_move_is_the_same_in_a_path_and_in_a_body(void **state)
{
    const char *id = match_new(*state);
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/20000"), "{\"move\":\"e4\"}"), 409,
                   "ply-conflict");
    assert_problem(match_send(*state, "PUT", match_path(id, "/moves/20001"), "{\"move\":\"e4\"}"), 404,
                   "ply-not-found");
    assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"ply\":20000}"), 409, "ply-conflict");
    assert_problem(match_post(*state, id, "/moves", "{\"move\":\"e4\",\"ply\":20001}"), 400,
                   "invalid-parameter");
}

static void a_number_is_as_long_as_it_may_be_and_not_one_character_longer(void **state)
{
    for (size_t length = 63; length <= 64; length++) {
        char json[TEXT_MAX + 64];
        (void)snprintf(json, sizeof json, "{\"x_n\":%s}", text_of('1', length));
        const struct answer *answer = client_post(*state, "/v1/positions/line", NULL, json);
        assert_int_equal(answer->status, length == 63 ? 200 : 400);
    }
}

static void an_origin_is_as_long_as_it_may_be_and_not_one_byte_longer(void **state)
{
    (void)state;
    static const char *const ANY[] = {"*", NULL};
    struct client *client = client_open(&(struct client_options){.allowed_origins = ANY});
    for (size_t length = 512; length <= 513; length++) {
        char origin[TEXT_MAX + 64];
        (void)snprintf(origin, sizeof origin, "https://%s", text_of('a', length - 8));
        const struct answer *answer = match_ask_with(client, "GET", "/version", "Origin", origin);
        assert_int_equal(answer->status, length == 512 ? 200 : 403);
    }
    client_close(client);
}

static int setup_small_pages(void **state)
{
    struct client_options options = {.limits = api_limits_default()};
    options.limits.page_maximum = 3;
    *state = client_open(&options);
    return 0;
}

/* The target of the rel="next" link. */
static const char *next_of(const struct answer *page)
{
    static char target[512];
    const char *link = answer_header(page, "Link");
    assert_int_equal(link[0], '<');
    (void)snprintf(target, sizeof target, "%.*s", (int)strcspn(link + 1, ">"), link + 1);
    return target;
}

static void a_page_that_is_not_asked_for_is_no_longer_than_any_may_be(void **state)
{
    const char *id = match_new(*state);
    for (int i = 0; i < 3; i++)
        match_new(*state);
    match_play(*state, id, "e4 e5");
    match_play(*state, id, "Nf3 Nc6");
    const struct answer *page = match_get(*state, id, "/moves");
    assert_int_equal(answer_count(page, "data"), 3);
    page = client_get(*state, next_of(page));
    assert_int_equal(page->status, 200);
    assert_int_equal(answer_count(page, "data"), 1);
    page = match_get(*state, id, "/moves?order=desc");
    assert_int_equal(answer_count(page, "data"), 3);
    page = client_get(*state, next_of(page));
    assert_int_equal(page->status, 200);
    page = client_get(*state, "/v1/games");
    assert_int_equal(answer_count(page, "data"), 3);
    page = client_get(*state, next_of(page));
    assert_int_equal(answer_count(page, "data"), 1);
}

/* ---- limits of clients ---- */

/* A client of the service with these limits, which counts loopback too. */
static struct client *open_with(const struct api_limits *limits)
{
    const struct client_options options = {
        .limits = *limits, .rate_limits = API_CLIENT_LIMITS_ON, .stream_limits = API_CLIENT_LIMITS_ON};
    return client_open(&options);
}

static void make_ticket(const struct table *table, char rest[96])
{
    const struct answer *made = table_act(table, table->white, "/stream-tickets", NULL);
    assert_status(made, 201);
    (void)snprintf(rest, 96, "?ticket=%s", answer_text(made, "ticket"));
}

static void so_many_tickets_wait_and_one_more_ends_the_oldest(void **state)
{
    (void)state;
    enum { TICKETS = 16 };
    char rests[TICKETS + 1][96];
    struct api_limits limits = api_limits_default();
    limits.stream_tickets = TICKETS;
    struct client *client = open_with(&limits);
    struct table table = table_new(client, "{\"access\":\"seats\",\"visibility\":\"private\"}");
    for (size_t i = 0; i <= TICKETS; i++)
        make_ticket(&table, rests[i]);
    assert_problem(listener_sse(client, table.id, rests[0]), 401, "token-invalid");
    assert_status(listener_sse(client, table.id, rests[1]), 200);
    assert_status(listener_sse(client, table.id, rests[TICKETS]), 200);
    client_close(client);
}

static void a_ticket_is_as_long_as_it_may_be_and_not_one_byte_longer(void **state)
{
    char rest[8 + 128 + 2] = "?ticket=";
    struct table table = table_usual(*state);
    memset(rest + 8, 'x', 128);
    rest[8 + 128] = '\0';
    assert_problem(listener_sse(*state, table.id, rest), 401, "token-invalid");
    rest[8 + 128] = 'x';
    rest[8 + 129] = '\0';
    assert_problem(listener_sse(*state, table.id, rest), 400, "invalid-parameter");
}

static unsigned status_for(struct client *client, const char *address)
{
    const struct call call = {
        .method = "GET", .target = "/version", .client = address, .scope = REQUEST_SCOPE_NETWORK};
    return client_send(client, &call)->status;
}

static void so_many_addresses_are_remembered_and_one_more_forgets_the_oldest(void **state)
{
    (void)state;
    struct api_limits limits = api_limits_default();
    limits.rate_clients = 2;
    limits.rate_reads = 1;
    struct client *client = open_with(&limits);
    assert_int_equal(status_for(client, "192.0.2.1"), 200);
    assert_int_equal(status_for(client, "192.0.2.2"), 200);
    assert_int_equal(status_for(client, "192.0.2.1"), 429);
    assert_int_equal(status_for(client, "192.0.2.3"), 200); /* 192.0.2.2 was away longest */
    assert_int_equal(status_for(client, "192.0.2.1"), 429);
    assert_int_equal(status_for(client, "192.0.2.2"), 200);
    client_close(client);
}

static void a_poll_waits_as_long_as_it_may_and_not_a_second_longer(void **state)
{
    (void)state;
    struct api_limits limits = api_limits_default();
    limits.poll_wait_s = 5;
    struct client *client = open_with(&limits);
    const char *id = match_new(client);
    assert_status(listener_to(client, id, "/events.json?after=1&wait=5", "*/*"), 200);
    assert_problem(listener_to(client, id, "/events.json?after=1&wait=6", "*/*"), 400, "invalid-parameter");
    client_close(client);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_default_lies_between_its_bounds),
        cmocka_unit_test_setup_teardown(a_tree_is_counted_to_its_limit_and_not_one_node_more, setup_small,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(a_line_has_as_many_moves_as_it_may_and_not_one_more, setup_small,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(json_is_as_deep_as_it_may_be_and_not_one_deeper, setup_small,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(a_body_is_as_long_as_it_may_be_and_not_one_byte_longer, setup_small,
                                        client_teardown),
        cmocka_unit_test_setup_teardown(the_limits_that_are_told_are_those_in_force, setup_small,
                                        client_teardown),
        CLIENT_TEST(limits_that_nothing_sets_are_told_too),
        CLIENT_TEST(fixed_limits_are_those_in_force),
        CLIENT_TEST(a_fen_to_validate_is_as_long_as_it_may_be_in_every_form),
        CLIENT_TEST(a_move_is_as_long_as_it_may_be_and_not_one_byte_longer),
        CLIENT_TEST(the_greatest_half_move_is_the_same_in_a_path_and_in_a_body),
        CLIENT_TEST(a_number_is_as_long_as_it_may_be_and_not_one_character_longer),
        cmocka_unit_test(an_origin_is_as_long_as_it_may_be_and_not_one_byte_longer),
        cmocka_unit_test_setup_teardown(a_page_that_is_not_asked_for_is_no_longer_than_any_may_be,
                                        setup_small_pages, client_teardown),
        cmocka_unit_test(so_many_tickets_wait_and_one_more_ends_the_oldest),
        CLIENT_TEST(a_ticket_is_as_long_as_it_may_be_and_not_one_byte_longer),
        cmocka_unit_test(so_many_addresses_are_remembered_and_one_more_forgets_the_oldest),
        cmocka_unit_test(a_poll_waits_as_long_as_it_may_and_not_a_second_longer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
