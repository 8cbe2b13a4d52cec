/* Tickets: used once, and soon. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "api/tickets.h"

enum { CAPACITY = 4 };

static const struct ticket_holder anna = {.id = "abcdefghjkmn", .caller = {.has_token = true, .digest = {7}}};

static int begin(void **state)
{
    *state = tickets_create(CAPACITY);
    return secret_init() && *state ? 0 : -1;
}

static int end(void **state)
{
    tickets_destroy(*state);
    return 0;
}

static bool redeem(struct tickets *tickets, const char *ticket, int64_t now_ms)
{
    struct caller caller;
    return tickets_redeem(tickets, (struct text_span){ticket, strlen(ticket)}, anna.id, now_ms, &caller);
}

static void a_ticket_stands_for_its_holder_once(void **state)
{
    char ticket[SECRET_TOKEN_SIZE];
    struct caller caller = {0};
    tickets_issue(*state, &anna, 1000, ticket);
    assert_true(secret_token_is_formed(ticket, strlen(ticket)));
    assert_int_equal(ticket[1], SECRET_TICKET);
    struct text_span text = {ticket, strlen(ticket)};
    assert_true(tickets_redeem(*state, text, anna.id, 1000, &caller));
    assert_true(caller.has_token);
    assert_memory_equal(caller.digest, anna.caller.digest, SECRET_DIGEST_SIZE);
    assert_false(redeem(*state, ticket, 1000));
}

/* RFC 9110 9.2.1: HEAD is safe. */
static void a_ticket_that_is_looked_at_is_still_good(void **state)
{
    char ticket[SECRET_TOKEN_SIZE];
    struct caller caller = {0};
    tickets_issue(*state, &anna, 1000, ticket);
    struct text_span text = {ticket, strlen(ticket)};
    assert_false(tickets_look(*state, text, "abcdefghjkmp", 1000, &caller));
    assert_true(tickets_look(*state, text, anna.id, 1000, &caller));
    assert_memory_equal(&caller, &anna.caller, sizeof caller);
    assert_true(redeem(*state, ticket, 1000));
    assert_false(tickets_look(*state, text, anna.id, 1000, &caller));
}

static void a_ticket_shown_at_another_game_is_still_good(void **state)
{
    char ticket[SECRET_TOKEN_SIZE];
    struct caller caller = {.is_operator = true};
    tickets_issue(*state, &anna, 1000, ticket);
    struct text_span text = {ticket, strlen(ticket)};
    assert_false(tickets_redeem(*state, text, "abcdefghjkmp", 1000, &caller));
    assert_true(caller.is_operator); /* untouched */
    assert_true(redeem(*state, ticket, 1000));
}

static void a_ticket_dies_after_a_minute(void **state)
{
    char early[SECRET_TOKEN_SIZE], late[SECRET_TOKEN_SIZE];
    tickets_issue(*state, &anna, 0, early);
    tickets_issue(*state, &anna, 0, late);
    assert_true(redeem(*state, early, 59999));
    assert_false(redeem(*state, late, 60000));
}

static void what_is_no_ticket_opens_nothing(void **state)
{
    char ticket[SECRET_TOKEN_SIZE];
    tickets_issue(*state, &anna, 0, ticket);
    assert_false(redeem(*state, "", 0));
    assert_false(redeem(*state, "ct_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", 0));
    ticket[5] = ticket[5] == 'a' ? 'b' : 'a';
    assert_false(redeem(*state, ticket, 0));
}

static void of_too_many_the_oldest_die(void **state)
{
    char tickets[CAPACITY + 2][SECRET_TOKEN_SIZE];
    for (unsigned i = 0; i < CAPACITY + 2; i++)
        tickets_issue(*state, &anna, i, tickets[i]);
    for (unsigned i = 0; i < CAPACITY + 2; i++)
        assert_int_equal(redeem(*state, tickets[i], 10), i >= 2);
}

static void used_and_dead_ones_make_room(void **state)
{
    char ticket[SECRET_TOKEN_SIZE], kept[SECRET_TOKEN_SIZE];
    for (unsigned i = 0; i < 100; i++) {
        tickets_issue(*state, &anna, i, ticket);
        assert_true(redeem(*state, ticket, i));
    }
    tickets_issue(*state, &anna, 100, kept);
    for (unsigned i = 1; i < CAPACITY; i++)
        tickets_issue(*state, &anna, 100, ticket);
    assert_true(redeem(*state, kept, 200));
}

#define TICKETS_TEST(test) cmocka_unit_test_setup_teardown(test, begin, end)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TICKETS_TEST(a_ticket_stands_for_its_holder_once),
        TICKETS_TEST(a_ticket_shown_at_another_game_is_still_good),
        TICKETS_TEST(a_ticket_that_is_looked_at_is_still_good),
        TICKETS_TEST(a_ticket_dies_after_a_minute),
        TICKETS_TEST(what_is_no_ticket_opens_nothing),
        TICKETS_TEST(of_too_many_the_oldest_die),
        TICKETS_TEST(used_and_dead_ones_make_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
