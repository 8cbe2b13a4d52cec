/* api/limits: what a client can grow, and how far. */
#include "api/limits.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

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

static void the_limits_that_are_told_are_those_in_force(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/limits");
    for (int i = 0; i < answer_count(answer, "data"); i++) {
        char path[32];
        (void)snprintf(path, sizeof path, "data.%d.name", i);
        if (strcmp(answer_text(answer, path), "perft_nodes") != 0)
            continue;
        (void)snprintf(path, sizeof path, "data.%d.value", i);
        assert_int_equal(answer_integer(answer, path), 8902);
        return;
    }
    fail_msg("perft_nodes is not told");
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
