/* What the parts of the conformance suite share; see conformance.h. */
#pragma once

#include "tests/support/storage_fixture.h"

/* The store of the running test, empty when it began. */
extern struct storage *conformance_storage;

/* Around each test. */
int conformance_open_empty(void **state);
int conformance_close_and_discard(void **state);
#define CONFORMANCE_TEST(name)                                                                               \
    cmocka_unit_test_setup_teardown(name, conformance_open_empty, conformance_close_and_discard)

void conformance_reopen(void);

/* Loads into *kept, which it zeroes first. */
enum storage_status conformance_load(const char *id, struct fixture_rows *kept);

/* The number of actions of a game, -1 if there is none. */
int conformance_actions_of(const char *id);

/* The number of moves in force. */
size_t conformance_moves_of(int64_t key);

enum storage_status conformance_append_moves(int64_t key, size_t count, uint32_t version);

/* Fails the test unless all that is stored of both is equal. */
void conformance_assert_game(const struct storage_game *found, const struct storage_game *wanted);
void conformance_assert_action(const struct storage_action *found, const struct storage_action *wanted);

/* The parts; each gives the number of tests that failed. */
int conformance_run_games(void);
int conformance_run_lists(void);
int conformance_run_writes(void);
int conformance_run_clocks(void);
int conformance_run_receipts(void);
