/* http_fixture: a server with the stub of the api on a free loopback port, and one client of it. */
#pragma once

#include "service/http_server.h"
#include "service/listener.h"
#include "tests/support/http_client.h"

struct http_fixture {
    struct http_settings settings;
    struct http_parts parts; /* the pool has one thread and room for one job */
    struct http_server *server;
    struct listener listener, second; /* the second one where the fixture says so */
    struct http_client client;
    struct http_reply reply; /* the last one */
};
extern struct http_fixture http_fixture;

/* cmocka's fixtures. Usual: bodies of 1,000 bytes, 20 s of patience; impatient: 300 ms. */
int http_fixture_set_up(void **state);
int http_fixture_set_up_impatient(void **state);
/* A request has 1.5 s to arrive, a connection 20 s to begin one. */
int http_fixture_set_up_short_requests(void **state);
int http_fixture_set_up_two_threads(void **state);
/* Two listeners, two connections each. */
int http_fixture_set_up_two_listeners(void **state);
int http_fixture_tear_down(void **state);

unsigned http_fixture_port(void);
/* Another client. */
void http_fixture_open(struct http_client *client);
/* One of the second listener. */
void http_fixture_open_second(struct http_client *client);
/* The reply goes into http_fixture.reply; no reply fails the test. */
void http_fixture_ask(struct http_client *client, const char *method, const char *target, const char *fields,
                      const char *body);
void http_fixture_get(const char *target);
/* A field of that reply, or NULL; the text lives until the next call. */
const char *http_fixture_field(const char *name);
