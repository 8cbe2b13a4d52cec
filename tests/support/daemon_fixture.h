/* daemon_fixture: the daemon of a test, its folder, and a client of it. Each test begins without any of it running, and
 * leaves nothing behind. */
#pragma once

#include "tests/support/daemon_process.h"
#include "tests/support/http_client.h"

extern struct daemon_process daemon_process;
extern struct http_client daemon_client;
extern struct http_reply daemon_reply; /* to the last request */

/* For cmocka. The folder is $F, a store in it $DB, the program $A, for lines of shell. */
int daemon_set_up(void **state);
int daemon_tear_down(void **state);
/* The same, and it runs as usual, at the address $U. When that ends, so has it, and well. */
int daemon_set_up_running(void **state);
int daemon_tear_down_running(void **state);

#define DAEMON_TEST(name) cmocka_unit_test_setup_teardown(name, daemon_set_up, daemon_tear_down)
