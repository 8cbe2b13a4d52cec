/* Every backend: writes together, one after the other, at the end; readers beside the writer. */
#include "tests/storage/conformance_parts.h"

#include <pthread.h>
#include <stdatomic.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

static void a_refused_write_never_fails_its_neighbours(void **state)
{
    (void)state;
    enum { GAMES = 60 };
    static char ids[GAMES][STORAGE_ID_LENGTH + 1];
    struct storage_write writes[GAMES];
    for (size_t i = 0; i < GAMES; i++) {
        /* Every third takes the id of the one before. */
        (void)snprintf(ids[i], sizeof ids[i], "neighbour%03zu", i % 3 == 2 ? i - 1 : i);
        writes[i] = fixture_creation(ids[i]);
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, GAMES);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), i % 3 == 2 ? STORAGE_CONFLICT : STORAGE_OK);
    fixture_answers_destroy(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(conformance_actions_of(ids[i]), 1);
}

static void a_broken_write_never_fails_its_neighbours(void **state)
{
    (void)state;
    enum { GAMES = 20 };
    static char ids[GAMES][STORAGE_ID_LENGTH + 1];
    struct storage_write writes[GAMES];
    for (size_t i = 0; i < GAMES; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "wholesome%03zu", i);
        writes[i] = fixture_creation(ids[i]);
    }
    writes[7].game.status = NULL; /* a column that must not be NULL */
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, GAMES);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), i == 7 ? STORAGE_UNAVAILABLE : STORAGE_OK);
    fixture_answers_destroy(answers);
    for (size_t i = 0; i < GAMES; i++)
        assert_int_equal(conformance_actions_of(ids[i]), i == 7 ? -1 : 1);
}

static void of_two_appends_of_one_version_the_first_wins(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "race23456789");
    struct storage_action first[1];
    struct storage_action second[1];
    struct storage_write writes[] = {fixture_moves(key, first, 1, 1), fixture_moves(key, second, 1, 1)};
    second[0].move = "b1c3";
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, 2);
    fixture_await(answers);
    assert_int_equal(fixture_answer(answers, &writes[0]), STORAGE_OK);
    assert_int_equal(fixture_answer(answers, &writes[1]), STORAGE_CONFLICT);
    fixture_answers_destroy(answers);
    assert_int_equal(conformance_actions_of("race23456789"), 2);
}

struct chain {
    struct storage_write write;
    struct storage_action action;
    int left;
    bool seen_when_done;
    pthread_mutex_t mutex;
    pthread_cond_t changed;
};

static bool note_version(void *context, const struct storage_action *row)
{
    *(uint32_t *)context = row->version;
    return true;
}

/* Looks for what was just stored, then sends the next write from within `done`. */
static void look_and_go_on(struct storage_write *write, enum storage_status status)
{
    struct chain *chain = write->owner;
    uint32_t version = 0;
    const struct storage_rows rows = {.context = &version, .action = note_version};
    bool seen = status == STORAGE_OK &&
                storage_load(conformance_storage, "chain2345678", &rows) == STORAGE_OK &&
                version == chain->action.version;
    (void)pthread_mutex_lock(&chain->mutex);
    chain->seen_when_done = chain->seen_when_done && seen;
    chain->left--;
    bool more = chain->left > 0;
    (void)pthread_cond_signal(&chain->changed);
    (void)pthread_mutex_unlock(&chain->mutex);
    if (more) {
        chain->action.version++;
        storage_submit(conformance_storage, write);
    }
}

static void a_read_in_done_sees_the_write_and_done_may_submit(void **state)
{
    (void)state;
    struct chain chain = {.left = 20, .seen_when_done = true};
    assert_int_equal(pthread_mutex_init(&chain.mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&chain.changed, NULL), 0);
    chain.action = (struct storage_action){.version = 2, .kind = "offer", .white_ms = -1, .black_ms = -1};
    chain.write = (struct storage_write){.kind = STORAGE_APPEND,
                                         .game = {.key = fixture_create(conformance_storage, "chain2345678")},
                                         .actions = &chain.action,
                                         .action_count = 1,
                                         .done = look_and_go_on,
                                         .owner = &chain};
    storage_submit(conformance_storage, &chain.write);
    (void)pthread_mutex_lock(&chain.mutex);
    while (chain.left > 0)
        (void)pthread_cond_wait(&chain.changed, &chain.mutex);
    (void)pthread_mutex_unlock(&chain.mutex);
    assert_true(chain.seen_when_done);
    assert_int_equal(conformance_actions_of("chain2345678"), 21);
    (void)pthread_cond_destroy(&chain.changed);
    (void)pthread_mutex_destroy(&chain.mutex);
}

static void everything_is_there_after_reopening(void **state)
{
    (void)state;
    int64_t key = fixture_create(conformance_storage, "reopen234567");
    assert_int_equal(conformance_append_moves(key, 3, 1), STORAGE_OK);
    conformance_reopen();
    assert_int_equal(conformance_actions_of("reopen234567"), 4);
    assert_int_equal(conformance_moves_of(key), 3);
    assert_int_equal(conformance_append_moves(key, 1, 4), STORAGE_OK);
}

static void closing_stores_what_is_queued(void **state)
{
    (void)state;
    enum { GAMES = 600 };
    static char ids[GAMES][STORAGE_ID_LENGTH + 1];
    struct storage_write *writes = calloc(GAMES, sizeof *writes);
    assert_non_null(writes);
    for (size_t i = 0; i < GAMES; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "queued%06zu", i);
        writes[i] = fixture_creation(ids[i]);
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, GAMES);
    conformance_reopen();
    assert_int_equal(fixture_answered(answers), GAMES);
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(fixture_answer(answers, &writes[i]), STORAGE_OK);
        assert_int_equal(conformance_actions_of(ids[i]), 1);
    }
    fixture_answers_destroy(answers);
    free(writes);
}

static void counters_tell_what_was_done(void **state)
{
    (void)state;
    struct storage_counters counters;
    storage_counters(conformance_storage, &counters);
    assert_int_equal(counters.writes, 0);
    int64_t key = fixture_create(conformance_storage, "count2345678");
    assert_int_equal(conformance_append_moves(key, 1, 1), STORAGE_OK);
    assert_int_equal(conformance_append_moves(key, 1, 1), STORAGE_CONFLICT);
    storage_counters(conformance_storage, &counters);
    assert_int_equal(counters.writes, 3);
    assert_int_equal(counters.transactions, 3);
    assert_int_equal(counters.conflicts, 1);
    assert_int_equal(counters.faults, 0);
    assert_int_equal(counters.largest_batch, 1);
    assert_int_equal(counters.queue_length, 0);
}

static void a_healthy_storage_is_ready(void **state)
{
    (void)state;
    assert_int_equal(storage_ready(conformance_storage), STORAGE_OK);
}

struct reading {
    atomic_bool *over;
    int faults, reads;
};

static bool check_order(void *context, const struct storage_action *row)
{
    uint32_t *last = context;
    if (row->version != *last + 1)
        return false;
    *last = row->version;
    return true;
}

/* A snapshot has every version from 1 up to its last one. */
static void *read_until_over(void *argument)
{
    struct reading *reading = argument;
    uint32_t seen = 0;
    while (!atomic_load(reading->over)) {
        uint32_t last = 0;
        const struct storage_rows rows = {.context = &last, .action = check_order};
        reading->faults +=
            storage_load(conformance_storage, "busy23456789", &rows) != STORAGE_OK || last < seen;
        seen = last;
        reading->reads++;
    }
    return NULL;
}

static void many_threads_read_while_the_writer_writes(void **state)
{
    (void)state;
    enum { READERS = 12, MOVES = 100 };
    int64_t key = fixture_create(conformance_storage, "busy23456789");
    atomic_bool over = false;
    struct reading readings[READERS] = {0};
    pthread_t threads[READERS];
    for (size_t i = 0; i < READERS; i++) {
        readings[i].over = &over;
        assert_int_equal(pthread_create(&threads[i], NULL, read_until_over, &readings[i]), 0);
    }
    for (uint32_t version = 1; version <= MOVES; version++)
        assert_int_equal(conformance_append_moves(key, 1, version), STORAGE_OK);
    atomic_store(&over, true);
    for (size_t i = 0; i < READERS; i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(readings[i].faults, 0);
    }
    assert_int_equal(conformance_actions_of("busy23456789"), MOVES + 1);
}

int conformance_run_writes(void)
{
    const struct CMUnitTest tests[] = {
        CONFORMANCE_TEST(a_refused_write_never_fails_its_neighbours),
        CONFORMANCE_TEST(a_broken_write_never_fails_its_neighbours),
        CONFORMANCE_TEST(of_two_appends_of_one_version_the_first_wins),
        CONFORMANCE_TEST(a_read_in_done_sees_the_write_and_done_may_submit),
        CONFORMANCE_TEST(everything_is_there_after_reopening),
        CONFORMANCE_TEST(closing_stores_what_is_queued),
        CONFORMANCE_TEST(counters_tell_what_was_done),
        CONFORMANCE_TEST(a_healthy_storage_is_ready),
        CONFORMANCE_TEST(many_threads_read_while_the_writer_writes),
    };
    return cmocka_run_group_tests_name("every backend: writes", tests, NULL, NULL);
}
