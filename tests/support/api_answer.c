#include "tests/support/api_answer.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "api/problem.h"
#include "api/writer.h"

/* ---- the laws of every answer ------------------------------------------------------------------------ */

static bool is_json(const char *type)
{
    return strcmp(type, "application/json") == 0 || strcmp(type, "application/problem+json") == 0;
}

static void check_headers(const struct answer *answer)
{
    assert_string_equal(answer_header(answer, "X-Request-Id"), "test-request");
    assert_string_equal(answer_header(answer, "X-Content-Type-Options"), "nosniff");
    const char *vary = answer_header(answer, "Vary");
    if (strcmp(vary, "Accept, Accept-Encoding, Origin") != 0) /* of what may be compressed */
        assert_string_equal(vary, "Accept, Origin");
    assert_string_not_equal(answer_header(answer, "Cache-Control"), "");
    for (size_t i = 0; i < answer->response.header_count; i++) {
        const struct response_header *header = &answer->response.headers[i];
        assert_non_null(header->value);
        assert_null(strpbrk(header->value, "\r\n"));
        for (size_t j = 0; j < i; j++)
            assert_int_not_equal(strcasecmp(answer->response.headers[j].name, header->name), 0);
    }
}

static void check_problem(const struct answer *answer)
{
    assert_true(answer->status >= 400);
    enum problem_code code = problem_find(answer->code);
    assert_int_not_equal(code, PROBLEM_COUNT);
    assert_int_equal(problem_kind(code)->status, answer->status);
    if (!answer->json) {
        char begin[64];
        int length = snprintf(begin, sizeof begin, "error: %s: ", answer->code);
        assert_int_equal(strncmp(answer->body, begin, (size_t)length), 0);
        return;
    }
    char type[64];
    (void)snprintf(type, sizeof type, "/v1/problems/%s", answer->code);
    assert_string_equal(answer_text(answer, "type"), type);
    assert_string_equal(answer_text(answer, "code"), answer->code);
    assert_int_equal(answer_integer(answer, "status"), answer->status);
    if (strcmp(answer_text(answer, "detail"), "Memory is out.") != 0) /* a static text */
        assert_string_equal(answer_text(answer, "request_id"), "test-request");
    assert_string_not_equal(answer_text(answer, "title"), "");
    assert_string_not_equal(answer_text(answer, "detail"), "");
}

static void check_body(struct answer *answer)
{
    const char *type = answer_header(answer, "Content-Type");
    if (answer->length == 0) {
        assert_true(answer->status == 204 || answer->status == 304 || answer->head_only || answer->is_open);
        return;
    }
    assert_string_not_equal(type, "");
    if (*answer_header(answer, "Content-Encoding") || strcmp(type, "font/woff2") == 0 ||
        strcmp(type, "image/png") == 0)
        return;
    assert_int_equal(answer->body[answer->length - 1], '\n');
    if (!is_json(type))
        return;
    answer->json = cJSON_ParseWithLengthOpts(answer->body, answer->length + 1, NULL, true);
    if (!answer->json)
        fail_msg("not JSON: %s", answer->body);
    assert_true(cJSON_IsObject(answer->json));
}

void answer_obeys_the_laws(struct answer *answer)
{
    check_body(answer);
    check_headers(answer);
    if (*answer->code || answer->status >= 400)
        check_problem(answer);
}

/* ---- reading answers --------------------------------------------------------------------------------- */

const char *answer_header(const struct answer *answer, const char *name)
{
    for (size_t i = 0; i < answer->response.header_count; i++) {
        if (strcasecmp(answer->response.headers[i].name, name) == 0)
            return answer->response.headers[i].value;
    }
    return "";
}

static const cJSON *find_child(const cJSON *parent, const char *name)
{
    if (cJSON_IsArray(parent))
        return cJSON_GetArrayItem(parent, (int)strtol(name, NULL, 10));
    return cJSON_GetObjectItemCaseSensitive(parent, name);
}

const cJSON *answer_at(const struct answer *answer, const char *path)
{
    const cJSON *item = answer->json;
    char name[64];
    while (item && *path) {
        size_t length = strcspn(path, ".");
        assert_true(length < sizeof name);
        memcpy(name, path, length);
        name[length] = '\0';
        item = find_child(item, name);
        path += length + (path[length] == '.');
    }
    return item;
}

static const cJSON *must_have(const struct answer *answer, const char *path, bool good)
{
    if (!good)
        fail_msg("%s is missing or of another type: %u %s", path, answer->status, answer->body);
    return answer_at(answer, path);
}

const char *answer_text(const struct answer *answer, const char *path)
{
    const cJSON *item = answer_at(answer, path);
    return must_have(answer, path, cJSON_IsString(item))->valuestring;
}

int64_t answer_integer(const struct answer *answer, const char *path)
{
    const cJSON *item = answer_at(answer, path);
    return (int64_t)must_have(answer, path, cJSON_IsNumber(item))->valuedouble;
}

bool answer_bool(const struct answer *answer, const char *path)
{
    const cJSON *item = answer_at(answer, path);
    return cJSON_IsTrue(must_have(answer, path, cJSON_IsBool(item)));
}

bool answer_is_null(const struct answer *answer, const char *path)
{
    return cJSON_IsNull(answer_at(answer, path));
}

int answer_count(const struct answer *answer, const char *path)
{
    const cJSON *item = answer_at(answer, path);
    return cJSON_GetArraySize(must_have(answer, path, cJSON_IsArray(item) || cJSON_IsObject(item)));
}

bool answer_has(const struct answer *answer, const char *path)
{
    return answer_at(answer, path) != NULL;
}

const char *answer_words(const struct answer *answer, const char *path)
{
    const cJSON *array = answer_at(answer, path), *item;
    must_have(answer, path, cJSON_IsArray(array));
    struct writer words;
    writer_init(&words, answer->arena, 256);
    cJSON_ArrayForEach(item, array)
    {
        assert_true(cJSON_IsString(item));
        if (words.length)
            writer_char(&words, ' ');
        writer_text(&words, item->valuestring);
    }
    writer_char(&words, '\0');
    return words.data;
}

void assert_problem(const struct answer *answer, unsigned status, const char *code)
{
    if (answer->status != status || strcmp(answer->code, code) != 0)
        fail_msg("expected %u %s, got %u: %s", status, code, answer->status, answer->body);
}
