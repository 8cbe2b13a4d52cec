#include "tests/fuzz/fuzz_exchange.h"

#include <string.h>

#include "api/json_check.h"
#include "api/problem.h"
#include "api/route.h"
#include "api/route_tree.h"
#include "tests/fuzz/fuzz.h"

/* One for all: it never changes. */
static struct route_tree *routes(void)
{
    static struct route_tree *tree;
    if (!tree)
        tree = route_tree_create(route_table, route_count);
    FUZZ_CHECK(tree);
    return tree;
}

void fuzz_exchange_begin(struct fuzz_exchange *bare, const char *method, const char *target)
{
    *bare = (struct fuzz_exchange){
        .request = {.method = method, .target = target, .body = "", .id = "fuzz"},
        .response = {.route = ""},
        .api = {.routes = routes(), .settings = {.limits = api_limits_default()}},
    };
    bare->request.arena = &bare->arena;
    bare->exchange = (struct exchange){
        .api = &bare->api,
        .request = &bare->request,
        .response = &bare->response,
        .arena = &bare->arena,
        .method = METHOD_POST,
        .format = FORMAT_JSON,
    };
}

void fuzz_exchange_end(struct fuzz_exchange *bare)
{
    arena_finish(&bare->arena);
}

static bool is_json(const struct response *response)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcmp(response->headers[i].name, "Content-Type") == 0)
            return strcmp(response->headers[i].value, "application/problem+json") == 0;
    return false;
}

/* What a target with the suffix of a text form is told. */
static bool is_one_line(const struct response *response)
{
    return memchr(response->body, '\n', response->length) == response->body + response->length - 1;
}

void fuzz_check_refused(const struct fuzz_exchange *bare)
{
    const struct response *response = &bare->response;
    struct arena arena = {0};
    struct json_fault fault;
    FUZZ_CHECK(response->status >= 400 && response->status < 500);
    FUZZ_CHECK(response->code && problem_find(response->code) < PROBLEM_COUNT);
    FUZZ_CHECK(problem_kind(problem_find(response->code))->status == response->status);
    FUZZ_CHECK(response->header_count <= RESPONSE_HEADERS_MAX);
    FUZZ_CHECK(response->length > 0 && response->body[response->length - 1] == '\n');
    FUZZ_CHECK(is_json(response) ? json_check(&arena, response->body, response->length, 8, &fault)
                                 : is_one_line(response));
    arena_finish(&arena);
}

void fuzz_check_unanswered(const struct fuzz_exchange *bare)
{
    FUZZ_CHECK(bare->response.status == 0 && !bare->response.code);
    FUZZ_CHECK(bare->response.length == 0);
}
