/* service/http_kept: answers that are sent again. */
#include "service/http_kept.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "tests/service/api_stub.h"
#include "tests/service/http_fixture.h"

#define TARGET "/v1/again?1"
enum { BODY_LENGTH = 900, CLIENTS = 4, ROUNDS = 400, TARGETS = 3 };

/* How many of the forms that were watched are destroyed. */
static atomic_uint destroyed;
static void (*destroy_in_earnest)(struct response_form *form);

static void count_destroyed(struct response_form *form)
{
    atomic_fetch_add(&destroyed, 1);
    destroy_in_earnest(form);
}

static struct response_slot *slot(void)
{
    return api_stub_slot(http_fixture.parts.api, TARGET);
}

/* Watches the form that is kept now; false: there is none. */
static bool watch(void)
{
    struct response_form *form = atomic_exchange(&slot()->form, NULL);
    if (!form)
        return false;
    destroy_in_earnest = form->destroy;
    form->destroy = count_destroyed;
    atomic_store(&destroyed, 0);
    atomic_store(&slot()->form, form);
    return true;
}

static void ask(const char *method, const char *fields)
{
    http_fixture_ask(&http_fixture.client, method, TARGET, fields, NULL);
    assert_int_equal(http_fixture.reply.status, 200);
    assert_string_equal(http_fixture_field("Content-Length"), "900");
    assert_string_equal(http_fixture_field("Content-Type"), "text/plain");
}

/* The answer of the request before this one is out before this one is read. */
static void settle(void)
{
    http_fixture_get("/healthz");
}

static void an_answer_that_is_sent_again_has_the_id_of_its_request(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        char fields[64], id[32];
        (void)snprintf(id, sizeof id, "request-%.*s", i + 1, "0123456");
        (void)snprintf(fields, sizeof fields, "X-Request-Id: %s\r\n", id);
        ask("GET", fields);
        assert_string_equal(http_fixture_field("X-Request-Id"), id);
        assert_int_equal(http_fixture.reply.body_length, BODY_LENGTH);
        assert_memory_equal(http_fixture.reply.body, TARGET TARGET, 2 * strlen(TARGET));
        settle();
        assert_true(i > 0 || watch());
    }
    assert_int_equal(atomic_load(&destroyed), 0);
}

static void head_shares_it_with_get(void **state)
{
    (void)state;
    ask("GET", NULL);
    settle();
    assert_true(watch());
    ask("HEAD", NULL);
    ask("GET", NULL);
    assert_int_equal(http_fixture.reply.body_length, BODY_LENGTH);
    settle();
    assert_int_equal(atomic_load(&destroyed), 0);
}

static void what_is_left_of_a_rate_limit_is_that_of_its_request(void **state)
{
    (void)state;
    for (int i = 0; i < 5; i++) {
        char fields[64], rate[32];
        (void)snprintf(rate, sizeof rate, "r=%d;t=%d", 100 - i, i);
        (void)snprintf(fields, sizeof fields, "Prefer: %s\r\n", rate);
        ask("GET", fields);
        assert_string_equal(http_fixture_field("RateLimit"), rate);
        settle();
        assert_true(i > 0 || watch());
    }
    assert_int_equal(atomic_load(&destroyed), 0);
    ask("GET", NULL); /* of somebody who is not counted */
    assert_null(http_fixture_field("RateLimit"));
    ask("GET", "Prefer: r=1;t=1\r\n");
    assert_string_equal(http_fixture_field("RateLimit"), "r=1;t=1");
}

static void fields_that_others_have_not_are_sent_to_nobody_else(void **state)
{
    (void)state;
    for (int i = 0; i < 3; i++) {
        ask("GET", NULL);
        assert_null(http_fixture_field("X-Prefer"));
        settle();
        assert_true(watch());
        ask("GET", "Prefer: tea\r\n");
        assert_string_equal(http_fixture_field("X-Prefer"), "tea");
        assert_int_equal(atomic_load(&destroyed), 1);
        ask("GET", "Prefer: water\r\n");
        assert_string_equal(http_fixture_field("X-Prefer"), "water");
    }
}

static void what_is_long_is_not_kept(void **state)
{
    (void)state;
    char fields[600];
    (void)snprintf(fields, sizeof fields, "Prefer: %0500d\r\n", 7);
    ask("GET", fields);
    settle();
    assert_null(atomic_load(&slot()->form));
    ask("GET", NULL);
    settle();
    assert_non_null(atomic_load(&slot()->form));
}

static void the_last_answer_of_a_connection_is_no_other(void **state)
{
    (void)state;
    struct http_client other = {.fd = -1};
    ask("GET", NULL);
    ask("GET", "Prefer: close\r\n");
    assert_string_equal(http_fixture_field("Connection"), "close");
    assert_true(http_client_is_closed(&http_fixture.client));
    http_fixture_open(&other);
    http_fixture_ask(&other, "GET", TARGET, NULL, NULL);
    assert_null(http_fixture_field("Connection"));
    assert_null(http_fixture_field("X-Prefer"));
    http_client_close(&other);
}

/* The client where something was not as it should be: three targets, of which two are kept at a time. */
static void *ask_many(void *argument)
{
    struct http_client *client = argument;
    struct http_reply reply = {0};
    for (int i = 0; i < ROUNDS; i++) {
        char target[32], fields[64], id[32], got[64];
        (void)snprintf(target, sizeof target, "/v1/again?%d", i / 4 % TARGETS);
        (void)snprintf(id, sizeof id, "%d-%d", client->fd, i);
        (void)snprintf(fields, sizeof fields, "X-Request-Id: %s\r\n", id);
        if (!http_client_ask(client, "GET", target, fields, NULL, &reply) || reply.status != 200 ||
            reply.body_length != BODY_LENGTH || strncmp(reply.body, target, strlen(target)) != 0 ||
            !http_reply_field(&reply, "X-Request-Id", got, sizeof got) || strcmp(got, id) != 0)
            return client;
        http_reply_finish(&reply);
    }
    return NULL;
}

static void many_ask_for_the_same_at_once(void **state)
{
    (void)state;
    struct http_client clients[CLIENTS];
    pthread_t threads[CLIENTS];
    for (int i = 0; i < CLIENTS; i++) {
        http_fixture_open(&clients[i]);
        assert_int_equal(pthread_create(&threads[i], NULL, ask_many, &clients[i]), 0);
    }
    for (int i = 0; i < CLIENTS; i++) {
        void *fault;
        assert_int_equal(pthread_join(threads[i], &fault), 0);
        assert_null(fault);
        http_client_close(&clients[i]);
    }
}

/* One answer fills the connections of those who do not read, and is evicted meanwhile. */
static void who_is_slow_gets_what_was_evicted_meanwhile(void **state)
{
    (void)state;
    enum { PIPELINED = 50 };
    char request[128];
    (void)snprintf(request, sizeof request, "GET %s HTTP/1.1\r\nHost: a\r\n\r\n", TARGET);
    for (int i = 0; i < PIPELINED; i++)
        assert_true(http_client_send_text(&http_fixture.client, request));
    struct http_client other;
    http_fixture_open(&other);
    for (int i = 0; i < PIPELINED; i++)
        http_fixture_ask(&other, "GET", i % 2 ? "/v1/again?2" : "/v1/again?3", NULL, NULL);
    http_client_close(&other);
    for (int i = 0; i < PIPELINED; i++) {
        http_reply_finish(&http_fixture.reply);
        assert_true(http_client_read(&http_fixture.client, false, &http_fixture.reply));
        assert_memory_equal(http_fixture.reply.body, TARGET, strlen(TARGET));
    }
}

int main(void)
{
#define TEST(name) cmocka_unit_test_setup_teardown(name, http_fixture_set_up, http_fixture_tear_down)
    const struct CMUnitTest tests[] = {
        TEST(an_answer_that_is_sent_again_has_the_id_of_its_request),
        TEST(head_shares_it_with_get),
        TEST(what_is_left_of_a_rate_limit_is_that_of_its_request),
        TEST(fields_that_others_have_not_are_sent_to_nobody_else),
        TEST(what_is_long_is_not_kept),
        TEST(the_last_answer_of_a_connection_is_no_other),
        cmocka_unit_test_setup_teardown(many_ask_for_the_same_at_once, http_fixture_set_up_two_threads,
                                        http_fixture_tear_down),
        TEST(who_is_slow_gets_what_was_evicted_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
