/* retried: what tests of Idempotency-Key send again and again. */
#pragma once

#include "tests/api/match.h"
#include "tests/support/storage_faulty.h"

/* A client over a store that fails on demand: client_storage. */
int retried_setup(void **state);
#define FAULTY_TEST(test) cmocka_unit_test_setup_teardown(test, retried_setup, client_teardown)

/* A POST with a key; `json` may be NULL. */
const struct answer *retried_send(struct client *client, const char *target, const char *json,
                                  const char *key);
/* It says that it was given before. */
bool retried_is_replay(const struct answer *answer);
/* Everything that belongs to the answer is as it was. */
void assert_replays(const struct answer *again, const struct answer *first);
int retried_games(struct client *client);
