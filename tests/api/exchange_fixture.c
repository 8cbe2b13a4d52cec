#include "tests/api/exchange_fixture.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

void fixture_begin(struct fixture *fixture, const char *method, const char *type, const char *body)
{
    *fixture = (struct fixture){
        .request = {.method = method, .target = "/", .id = "test"},
        .api = {.settings = {.limits = api_limits_default()}},
    };
    fixture->request.headers[HEADER_CONTENT_TYPE] = type;
    fixture->request.arena = &fixture->arena;
    fixture->request.body = arena_copy(&fixture->arena, body, strlen(body));
    fixture->request.body_length = strlen(body);
    fixture->exchange = (struct exchange){
        .api = &fixture->api,
        .request = &fixture->request,
        .response = &fixture->response,
        .arena = &fixture->arena,
        .method = strcmp(method, "GET") == 0     ? METHOD_GET
                  : strcmp(method, "PATCH") == 0 ? METHOD_PATCH
                                                 : METHOD_POST,
        .format = FORMAT_JSON,
    };
}

void fixture_end(struct fixture *fixture)
{
    arena_finish(&fixture->arena);
}

const char *fixture_body(struct fixture *fixture)
{
    const struct response *response = &fixture->response;
    return response->body ? arena_copy(&fixture->arena, response->body, response->length) : "";
}

void fixture_expect(struct fixture *fixture, const char *code, const char *part)
{
    const char *body = fixture_body(fixture);
    if (!fixture->response.code || strcmp(fixture->response.code, code) != 0 || !strstr(body, part))
        fail_msg("expected %s with %s, got %s", code, part, body);
}
