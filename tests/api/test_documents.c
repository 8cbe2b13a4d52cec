/* Files that are built in: the description, the cookbook, and the page with what it loads. Where the api was built
 * without the page (WITH_WEB=0), browsers get the texts. */
#include "api/documents.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/api_client.h"

static const char BROWSER[] = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

static const struct answer *get(struct client *client, const char *target, const char *encoding,
                                const char *tag)
{
    const struct call call = {
        .method = "GET",
        .target = target,
        .scope = REQUEST_SCOPE_LOOPBACK,
        .headers = {{"Accept", BROWSER},
                    {encoding ? "Accept-Encoding" : "X-Nothing", encoding ? encoding : "0"},
                    {tag ? "If-None-Match" : "X-None", tag ? tag : "0"}}};
    return client_send(client, &call);
}

static bool has_page(void)
{
    return document_find("index.html") != NULL;
}

static void assert_type(const struct answer *answer, const char *type)
{
    assert_int_equal(answer->status, 200);
    assert_string_equal(answer_header(answer, "Content-Type"), type);
}

static void browsers_get_pages_and_curl_gets_text(void **state)
{
    static const char *const TARGETS[] = {"/", "/docs"};
    static const char TEXT[] = "text/plain; charset=utf-8";
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        assert_type(client_get(*state, TARGETS[i]), TEXT);
        assert_type(client_get_as(*state, TARGETS[i], "text/plain"), TEXT);
        const char *type = has_page() ? "text/html; charset=utf-8" : TEXT;
        assert_type(client_get_as(*state, TARGETS[i], BROWSER), type);
        assert_type(client_get_as(*state, TARGETS[i], "text/html"), type);
        assert_problem(client_get_as(*state, TARGETS[i], "application/json"), 406, "not-acceptable");
    }
}

/* Each directive that the page needs, and the proof that nothing is let in beside. */
static void a_page_has_a_policy_without_unsafe_words(void **state)
{
    static const char *const TARGETS[] = {"/", "/docs"};
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0] && has_page(); i++) {
        const struct answer *answer = get(*state, TARGETS[i], NULL, NULL);
        const char *policy = answer_header(answer, "Content-Security-Policy");
        assert_int_equal(strncmp(policy, "default-src 'none'; ", 20), 0);
        assert_non_null(strstr(policy, "script-src 'self';"));
        assert_non_null(strstr(policy, "style-src 'self';"));
        assert_non_null(strstr(policy, "frame-ancestors 'none'"));
        assert_null(strstr(policy, "unsafe"));
        assert_null(strstr(policy, "*"));
        assert_string_equal(answer_header(answer, "Referrer-Policy"), "no-referrer");
        assert_null(strstr(answer->body, "<style"));
        assert_null(strstr(answer->body, " style="));
    }
}

static void a_document_that_the_client_has_is_not_sent_again(void **state)
{
    static const char *const TARGETS[] = {"/docs", "/openapi.yaml", "/openapi.json"};
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0]; i++) {
        const char *tag = answer_header(get(*state, TARGETS[i], NULL, NULL), "ETag");
        assert_int_equal(strlen(tag), 18);
        const struct answer *again = get(*state, TARGETS[i], NULL, tag);
        assert_int_equal(again->status, 304);
        assert_int_equal(again->length, 0);
        assert_string_equal(answer_header(again, "ETag"), tag);
        assert_string_equal(answer_header(again, "Content-Security-Policy"), "");
        assert_int_equal(get(*state, TARGETS[i], NULL, "\"0123456789abcdef\"")->status, 200);
    }
}

/* RFC 1952 2.3.1: 1f 8b, and deflate (8) is the only method. */
static void documents_are_compressed_where_the_client_takes_that(void **state)
{
    const struct answer *plain = get(*state, "/openapi.yaml", NULL, NULL);
    const struct answer *gzip = get(*state, "/openapi.yaml", "gzip, br", NULL);
    assert_string_equal(answer_header(plain, "Content-Encoding"), "");
    assert_string_equal(answer_header(gzip, "Content-Encoding"), "gzip");
    assert_memory_equal(gzip->body, "\x1f\x8b\x08", 3);
    assert_true(gzip->length < plain->length / 3);
    assert_string_equal(answer_header(plain, "Vary"), "Accept, Accept-Encoding, Origin");
    assert_string_equal(answer_header(gzip, "Vary"), "Accept, Accept-Encoding, Origin");
    const char *tag = answer_header(gzip, "ETag");
    assert_string_not_equal(tag, answer_header(plain, "ETag"));
    assert_int_equal(get(*state, "/openapi.yaml", "gzip", tag)->status, 304);
    assert_int_equal(get(*state, "/openapi.yaml", NULL, tag)->status, 200);
}

static const char *type_of(const char *name)
{
    const char *suffix = strrchr(name, '.');
    return strcmp(suffix, ".css") == 0  ? "text/css; charset=utf-8"
           : strcmp(suffix, ".js") == 0 ? "text/javascript; charset=utf-8"
                                        : "font/woff2";
}

static bool is_asset(const char *name)
{
    const char *suffix = strrchr(name, '.');
    return strcmp(suffix, ".css") == 0 || strcmp(suffix, ".js") == 0 || strcmp(suffix, ".woff2") == 0;
}

static void assets_have_their_type_and_may_be_kept_for_ever(void **state)
{
    int assets = 0;
    for (size_t i = 0; i < document_count; i++) {
        char target[128];
        (void)snprintf(target, sizeof target, "/assets/%s", documents[i].name);
        const struct answer *answer = client_get(*state, target);
        if (!is_asset(documents[i].name)) {
            assert_true(answer->status == 404 || answer->status == 406);
            continue;
        }
        assets++;
        assert_type(answer, type_of(documents[i].name));
        assert_int_equal(answer->length, documents[i].size);
        assert_string_equal(answer_header(answer, "Cache-Control"), "public, max-age=31536000, immutable");
    }
    assert_true(assets >= 5 || !has_page());
    assert_problem(client_get(*state, "/assets/none.js"), 404, "not-found");
    assert_problem(client_get(*state, "/assets/none"), 404, "not-found");
}

/* A page with a reference to nothing would be a page without its style. */
static void pages_load_what_is_there(void **state)
{
    static const char *const TARGETS[] = {"/", "/docs"};
    for (size_t i = 0; i < sizeof TARGETS / sizeof TARGETS[0] && has_page(); i++) {
        const char *at = get(*state, TARGETS[i], NULL, NULL)->body;
        int loaded = 0;
        for (; (at = strstr(at, "\"/assets/")); at++, loaded++) {
            char target[128] = "";
            strncat(target, at + 1, strcspn(at + 1, "\""));
            assert_int_equal(client_get(*state, target)->status, 200);
        }
        assert_true(loaded >= 2);
    }
}

static void the_cookbook_is_curl_lines(void **state)
{
    const struct answer *answer = client_get(*state, "/docs");
    int lines = 0;
    for (const char *at = answer->body; (at = strstr(at, "curl ")); at++)
        lines++;
    assert_true(lines > 20);
    assert_null(strchr(answer->body, '\t'));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        CLIENT_TEST(browsers_get_pages_and_curl_gets_text),
        CLIENT_TEST(a_page_has_a_policy_without_unsafe_words),
        CLIENT_TEST(a_document_that_the_client_has_is_not_sent_again),
        CLIENT_TEST(documents_are_compressed_where_the_client_takes_that),
        CLIENT_TEST(assets_have_their_type_and_may_be_kept_for_ever),
        CLIENT_TEST(pages_load_what_is_there),
        CLIENT_TEST(the_cookbook_is_curl_lines),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
