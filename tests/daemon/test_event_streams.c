/* Many streams on one game, in every form, that are torn and taken up again while it is played: each client is told each
 * event once, and in order. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/support/chance.h"
#include "tests/support/daemon_fixture.h"
#include "tests/support/http_watch.h"

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
enum { CLIENTS = 100, MOVES = 100 };
#else
enum { CLIENTS = 500, MOVES = 300 };
#endif

enum {
    ID_SIZE = 13,
    READY_AT_ONCE = 64,
    PATIENCE_MS = 30000,
    TEARS_PERCENT = 2, /* of the times that a client has read something */
};

static char id[ID_SIZE];
static uint64_t random_state;

enum form { FORM_SSE, FORM_NDJSON, FORM_POLL, FORM_COUNT };

struct client {
    struct http_watch watch;
    enum form form;
    unsigned long last; /* version that was told */
    size_t streams;
};

static struct client clients[CLIENTS];
static int ready;

/* ---- one client --------------------------------------------------------------------------------------- */

static void begin(struct client *client)
{
    static const char *const forms[FORM_COUNT] = {"events", "events.ndjson", "events.json"};
    char target[128], fields[64] = "";
    bool by_header = chance_below(&random_state, 2) == 0;
    (void)snprintf(target, sizeof target, "/v1/games/%s/%s?wait=20", id, forms[client->form]);
    if (by_header)
        (void)snprintf(fields, sizeof fields, "Last-Event-ID: %lu\r\n", client->last);
    else
        (void)snprintf(target + strlen(target), sizeof target - strlen(target), "&after=%lu", client->last);
    assert_true(http_watch_open(&client->watch, daemon_process.port, target, fields));
    assert_int_equal(client->watch.status, 200);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    assert_int_equal(epoll_ctl(ready, EPOLL_CTL_ADD, client->watch.client.fd, &event), 0);
    client->streams++;
}

/* An event has its id once, at its beginning. */
static void read_line(struct client *client, const char *line)
{
    static const char mark[] = "{\"id\":";
    for (const char *at = line; (at = strstr(at, mark)); at++) {
        unsigned long version = strtoul(at + strlen(mark), NULL, 10);
        if (version != client->last + 1)
            fail_msg("%lu was told behind %lu", version, client->last);
        client->last = version;
    }
}

/* False: the stream is over. */
static bool read_what_is_there(struct client *client)
{
    const char *line;
    bool goes_on = http_watch_poll(&client->watch);
    while ((line = http_watch_line(&client->watch)))
        read_line(client, line);
    return goes_on;
}

/* A part of the body may have come with the head. */
static void read_on(struct client *client)
{
    bool goes_on = read_what_is_there(client);
    while (!goes_on || chance_below(&random_state, 100) < TEARS_PERCENT) {
        http_watch_close(&client->watch);
        begin(client);
        goes_on = read_what_is_there(client);
    }
}

/* ---- the game ----------------------------------------------------------------------------------------- */

static void ask(struct http_client *client, const char *target, const char *body, struct http_reply *reply)
{
    http_reply_finish(reply);
    if (!http_client_ask(client, "POST", target, "Accept: text/plain\r\n", body, reply))
        abort();
}

static void *play(void *argument)
{
    static const char *const moves[] = {"Nf3", "Nf6", "Ng1", "Ng8"};
    struct http_client client;
    struct http_reply reply = {0};
    char target[64];
    size_t *played = argument;
    (void)snprintf(target, sizeof target, "/v1/games/%s/moves", id);
    if (!http_client_open(&client, "127.0.0.1", daemon_process.port))
        return NULL;
    for (unsigned i = 0, count; i < MOVES; i += count) {
        char body[64];
        count = i % 8 == 4 ? 2 : 1; /* now and then two moves in one action */
        (void)snprintf(body, sizeof body, count == 2 ? "{\"moves\":[\"%s\",\"%s\"]}" : "{\"move\":\"%s\"}",
                       moves[i % 4], moves[(i + 1) % 4]);
        ask(&client, target, body, &reply);
        *played += reply.status == 201 ? count : 0;
    }
    http_reply_finish(&reply);
    http_client_close(&client);
    return NULL;
}

static void create_game(void)
{
    struct http_client client;
    struct http_reply reply = {0};
    assert_true(http_client_open(&client, "127.0.0.1", daemon_process.port));
    ask(&client, "/v1/games", "{\"rules\":{\"fivefold\":false,\"seventyfive\":false}}", &reply);
    assert_int_equal(reply.status, 201);
    (void)snprintf(id, sizeof id, "%s", reply.body);
    http_reply_finish(&reply);
    http_client_close(&client);
}

/* ---- all of it ---------------------------------------------------------------------------------------- */

static size_t count_done(void)
{
    size_t done = 0;
    for (size_t i = 0; i < CLIENTS; i++)
        done += clients[i].last == 1 + MOVES;
    return done;
}

static void read_all(void)
{
    struct epoll_event events[READY_AT_ONCE];
    while (count_done() < CLIENTS) {
        int count = epoll_wait(ready, events, READY_AT_ONCE, PATIENCE_MS);
        if (count <= 0)
            fail_msg("only %zu of %d clients were told all", count_done(), CLIENTS);
        for (int i = 0; i < count; i++)
            read_on(events[i].data.ptr);
    }
}

static void allow_descriptors(void)
{
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    limit.rlim_cur = limit.rlim_max;
    (void)setrlimit(RLIMIT_NOFILE, &limit);
}

static void each_client_is_told_each_event_once_and_in_order(void **state)
{
    pthread_t player;
    size_t played = 0, streams = 0;
    (void)state;
    allow_descriptors();
    assert_true(daemon_process_run(&daemon_process, NULL));
    create_game();
    ready = epoll_create1(EPOLL_CLOEXEC);
    for (size_t i = 0; i < CLIENTS; i++) {
        clients[i] = (struct client){.form = (enum form)(i % FORM_COUNT), .last = i % 2 ? 1 : 0};
        begin(&clients[i]);
        read_on(&clients[i]);
    }
    assert_int_equal(pthread_create(&player, NULL, play, &played), 0);
    read_all();
    pthread_join(player, NULL);
    assert_int_equal(played, MOVES);
    for (size_t i = 0; i < CLIENTS; i++) {
        streams += clients[i].streams;
        http_watch_close(&clients[i].watch);
    }
    printf("%d clients, %d moves, %zu streams\n", CLIENTS, MOVES, streams);
    (void)close(ready);
    assert_int_equal(daemon_process_stop(&daemon_process), 0);
}

static int set_up(void **state)
{
    random_state = chance_seed();
    return daemon_set_up(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test_setup_teardown(
        each_client_is_told_each_event_once_and_in_order, set_up, daemon_tear_down)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
