/* api_client: requests to the api in process, without a socket.
 *
 *     struct client *client = client_open(NULL);
 *     const struct answer *answer = client_get(client, "/v1/limits");
 *     assert_int_equal(answer->status, 200);
 *     assert_string_equal(answer_text(answer, "data.0.name"), "body_bytes");
 *     client_close(client);
 *
 * The client does what service/ does: it calls again with may_block where the api blocks, and waits where
 * it is pending. Every answer is held against the laws that all answers obey (header fields, a newline at
 * the end, JSON that parses, problems with all their members). Answers live until the client closes. Fails
 * the running cmocka test where something cannot be done.
 * Every exchange is recorded (tests/support/recording.h).
 * Threads: client_send may run in several at once. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "api/api.h"
#include "storage/storage.h"
#include "tests/support/api_answer.h"

struct client;

struct client_options {
    struct api_limits limits;           /* all 0: the defaults */
    const char *const *allowed_origins; /* as in struct api_settings; NULL: none */
    const char *const *allowed_hosts;
    const char *const *public_origins;
    const char *const *trusted_proxies;
    enum api_client_limits rate_limits, stream_limits;
    uint32_t plies_limit; /* of a game; 0: limits.plies */
    bool seats_by_default;
    bool operators_create;
    const char *operator_key; /* the only one; NULL: there is none */
    /* Puts something between the games and the store; NULL: nothing. */
    struct storage *(*wrap)(struct storage *storage);
};

/* A game store in a folder of its own; `options` may be NULL. */
struct client *client_open(const struct client_options *options);
void client_close(struct client *client);
/* The usual client as the state of a cmocka test: CLIENT_TEST(name_of_the_test). */
int client_setup(void **state);
int client_teardown(void **state);
#define CLIENT_TEST(test) cmocka_unit_test_setup_teardown(test, client_setup, client_teardown)

/* What the wall clock shows, in Unix ms; it stands still between calls. The time that counts does not move with it. */
void client_set_time(struct client *client, int64_t unix_ms);
/* Time passes: on the wall and for the clocks of games. */
void client_advance(struct client *client, int64_t ms);
/* How long a request that blocks waits for a thread of the pool. */
void client_set_pool_wait(struct client *client, int64_t ms);
/* What the service's timer does when a deadline comes. */
void client_tick(struct client *client);
/* What accepts_work says. */
void client_set_draining(struct client *client, bool draining);
/* As SIGHUP does it: another operator's key, or NULL, counts from now on. */
void client_set_operator(struct client *client, const char *key);
struct games *client_games(struct client *client);
/* Where the store lies. */
const char *client_folder(const struct client *client);
/* The store as the games see it: with what `wrap` has put around it. */
struct storage *client_storage(struct client *client);
struct api *client_api(struct client *client);
/* The games forget everything: a new registry over the same store. */
void client_forget(struct client *client);
/* The same, with another limit of half-moves from then on. */
void client_forget_to(struct client *client, uint32_t plies_limit);

enum { CALL_HEADERS_MAX = 12 };

struct call {
    const char *method, *target;
    const char *body;   /* NULL: none */
    size_t body_length; /* 0: strlen(body) */
    /* Host is 127.0.0.1:8080 unless given; "" takes it away. */
    struct response_header headers[CALL_HEADERS_MAX];
    enum request_scope scope;
    bool on_pool;       /* may_block from the start */
    bool unread;        /* of a stream nothing is read before answer_listen */
    const char *client; /* the peer's address; NULL: a Unix socket */
};

const struct answer *client_send(struct client *client, const struct call *call);
/* GET from loopback with Accept: any. */
const struct answer *client_get(struct client *client, const char *target);
/* The same with an Accept field. */
const struct answer *client_get_as(struct client *client, const char *target, const char *accept);
/* With a body and its type; NULL: no type. */
const struct answer *client_post(struct client *client, const char *target, const char *type,
                                 const char *body);
/* As curl -d sends it: a form by name. */
const struct answer *client_curl(struct client *client, const char *target, const char *body);
/* As curl -X POST. */
const struct answer *client_act(struct client *client, const char *target);
/* The service's own refusal. */
const struct answer *client_refuse(struct client *client, const struct call *call, const char *code,
                                   const char *detail);
