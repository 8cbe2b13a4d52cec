/* The routes about the service itself. */
#include "tests/support/api_client.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "api/problem.h"
#include "api/route.h"

static void the_help_has_five_curl_lines_with_the_address_that_was_asked(void **state)
{
    const struct answer *answer = client_get(*state, "/");
    assert_int_equal(answer->status, 200);
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; charset=utf-8");
    int lines = 0;
    for (const char *at = answer->body; (at = strstr(at, "http://127.0.0.1:8080/v1/games")); at++)
        lines++;
    assert_int_equal(lines, 5);
}

static void the_index_links_every_operation_of_the_table(void **state)
{
    const struct answer *answer = client_get(*state, "/v1");
    for (size_t i = 0; i < route_count; i++) {
        const cJSON *link =
            cJSON_GetObjectItemCaseSensitive(answer_at(answer, "links"), route_table[i].operation);
        assert_non_null(link);
    }
    assert_string_equal(answer_text(answer, "links.listMoves.href"), "/v1/games/{id}/moves");
    assert_true(answer_bool(answer, "links.listMoves.templated"));
    assert_string_equal(answer_text(answer, "links.getGame.href"), "/v1/games/{id}");
    assert_string_equal(answer_text(answer, "links.getGamePgn.href"), "/v1/games/{id}/pgn");
    assert_string_equal(answer_text(answer, "links.getGameFen.href"), "/v1/games/{id}/fen");
}

static void every_limit_is_told_with_value_unit_and_sentence(void **state)
{
    const struct answer *answer = client_get(*state, "/v1/limits");
    int limits = 0;
#define CHECK(limit, initial, minimum, maximum, what, text)                                                  \
    {                                                                                                        \
        char path[32];                                                                                       \
        (void)snprintf(path, sizeof path, "data.%d.name", limits);                                           \
        assert_string_equal(answer_text(answer, path), #limit);                                              \
        (void)snprintf(path, sizeof path, "data.%d.fixed", limits++);                                        \
        assert_false(answer_bool(answer, path));                                                             \
    }
    API_LIMITS(CHECK)
#undef CHECK
    for (; limits < answer_count(answer, "data"); limits++) { /* test_limits has their values */
        char path[32];
        (void)snprintf(path, sizeof path, "data.%d.fixed", limits);
        assert_true(answer_bool(answer, path));
    }
    assert_string_equal(answer_text(answer, "data.0.name"), "body_bytes");
    assert_int_equal(answer_integer(answer, "data.0.value"), 65536);
    assert_string_equal(answer_text(answer, "data.0.unit"), "bytes");
    assert_non_null(strstr(client_get(*state, "/v1/limits.txt")->body, "perft_nodes"));
}

static void every_problem_has_a_page_of_its_own(void **state)
{
    const struct answer *list = client_get(*state, "/v1/problems");
    assert_int_equal(answer_count(list, "data"), PROBLEM_COUNT);
    for (int code = 0; code < PROBLEM_COUNT; code++) {
        const struct problem_kind *kind = problem_kind((enum problem_code)code);
        char target[64];
        (void)snprintf(target, sizeof target, "/v1/problems/%s", kind->slug);
        const struct answer *answer = client_get(*state, target);
        assert_int_equal(answer->status, 200);
        assert_string_equal(answer_text(answer, "code"), kind->slug);
        assert_string_equal(answer_text(answer, "type"), target);
    }
    assert_problem(client_get(*state, "/v1/problems/no-such-thing"), 404, "not-found");
}

static void health_asks_nothing_and_is_not_cached(void **state)
{
    const struct answer *answer = client_get(*state, "/healthz");
    assert_string_equal(answer_text(answer, "status"), "ok");
    assert_string_equal(answer_header(answer, "Cache-Control"), "no-store");
    assert_false(answer->blocked);
    assert_string_equal(client_get(*state, "/healthz.txt")->body, "ok\n");
}

static void readiness_waits_for_the_store_on_the_pool(void **state)
{
    const struct answer *answer = client_get(*state, "/readyz");
    assert_int_equal(answer->status, 200);
    assert_true(answer->blocked);
}

static void readiness_ends_when_the_service_drains(void **state)
{
    client_set_draining(*state, true);
    const struct answer *answer = client_get(*state, "/readyz");
    assert_problem(answer, 503, "shutting-down");
    assert_string_not_equal(answer_header(answer, "Retry-After"), "");
}

static void metrics_come_from_the_service_in_their_own_type(void **state)
{
    const struct answer *answer = client_get(*state, "/metrics");
    assert_string_equal(answer_header(answer, "Content-Type"), "text/plain; version=0.0.4; charset=utf-8");
    assert_non_null(strstr(answer->body, "arbiter_up 1\n"));
}

static void the_version_names_build_and_key_scheme(void **state)
{
    const struct answer *answer = client_get(*state, "/version");
    assert_string_equal(answer_text(answer, "version"), "0.0.0-test");
    assert_string_equal(answer_text(answer, "key_scheme"), "v1");
}

static void the_description_comes_as_yaml_and_as_json(void **state)
{
    const struct answer *yaml = client_get(*state, "/openapi.yaml");
    assert_string_equal(answer_header(yaml, "Content-Type"), "application/yaml");
    assert_int_equal(strncmp(yaml->body, "openapi: 3.1.", 13), 0);
    const struct answer *json = client_get(*state, "/openapi.json");
    assert_int_equal(strncmp(answer_text(json, "openapi"), "3.1.", 4), 0);
    assert_string_equal(answer_header(json, "Cache-Control"), "max-age=300");
}

/* {method lower case} of the row's path in the description. */
static const cJSON *describe(const struct answer *json, const struct route *row)
{
    static const char *const NAMES[METHOD_COUNT] = {
        [METHOD_GET] = "get",     [METHOD_POST] = "post",     [METHOD_PUT] = "put",
        [METHOD_PATCH] = "patch", [METHOD_DELETE] = "delete",
    };
    const cJSON *path = cJSON_GetObjectItemCaseSensitive(answer_at(json, "paths"), row->path);
    return cJSON_GetObjectItemCaseSensitive(path, NAMES[row->method]);
}

static void the_description_has_every_row_of_the_table(void **state)
{
    const struct answer *json = client_get(*state, "/openapi.json");
    for (size_t i = 0; i < route_count; i++) {
        const cJSON *operation = describe(json, &route_table[i]);
        const cJSON *name = cJSON_GetObjectItemCaseSensitive(operation, "operationId");
        if (!cJSON_IsString(name))
            fail_msg("%s is not described", route_table[i].path);
        /* Rows that differ in their formats alone share what the first one is called. */
        if (i == 0 || strcmp(route_table[i].path, route_table[i - 1].path) != 0)
            assert_string_equal(name->valuestring, route_table[i].operation);
    }
}

static bool has_parameter(const struct answer *json, const struct route *row, const char *name)
{
    const cJSON *item, *list = cJSON_GetObjectItemCaseSensitive(describe(json, row), "parameters");
    cJSON_ArrayForEach(item, list)
    {
        const cJSON *reference = cJSON_GetObjectItemCaseSensitive(item, "$ref");
        const char *last = cJSON_IsString(reference) ? strrchr(reference->valuestring, '/') + 1 : "";
        const cJSON *own = cJSON_GetObjectItemCaseSensitive(item, "name");
        if (strcmp(last, name) == 0 || (cJSON_IsString(own) && strcmp(own->valuestring, name) == 0))
            return true;
    }
    return false;
}

static void the_description_has_every_query_parameter_of_the_table(void **state)
{
    const struct answer *json = client_get(*state, "/openapi.json");
    for (size_t i = 0; i < route_count; i++) {
        for (int parameter = 0; parameter < QUERY_COUNT; parameter++) {
            const char *name = query_name((enum query_parameter)parameter);
            if ((route_table[i].query >> parameter & 1u) && !has_parameter(json, &route_table[i], name))
                fail_msg("%s: %s is not described", route_table[i].path, name);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(the_help_has_five_curl_lines_with_the_address_that_was_asked),
        CLIENT_TEST(the_index_links_every_operation_of_the_table),
        CLIENT_TEST(every_limit_is_told_with_value_unit_and_sentence),
        CLIENT_TEST(every_problem_has_a_page_of_its_own),
        CLIENT_TEST(health_asks_nothing_and_is_not_cached),
        CLIENT_TEST(readiness_waits_for_the_store_on_the_pool),
        CLIENT_TEST(readiness_ends_when_the_service_drains),
        CLIENT_TEST(metrics_come_from_the_service_in_their_own_type),
        CLIENT_TEST(the_version_names_build_and_key_scheme),
        CLIENT_TEST(the_description_comes_as_yaml_and_as_json),
        CLIENT_TEST(the_description_has_every_row_of_the_table),
        CLIENT_TEST(the_description_has_every_query_parameter_of_the_table),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
