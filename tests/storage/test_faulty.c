/* The storage that fails on demand: it fails as it was told, and works when it was not. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/support/storage_faulty.h"
#include "tests/support/storage_fixture.h"

static char *folder;
static struct storage *storage;
static int64_t key;

static int prepare(void **state)
{
    (void)state;
    folder = fixture_make_folder();
    char *url = NULL;
    assert_true(asprintf(&url, "sqlite:%s/arbiter.db", folder) > 0);
    storage = faulty_wrap(fixture_open(url));
    free(url);
    key = fixture_create(storage, "faulty234567");
    return 0;
}

static int discard(void **state)
{
    (void)state;
    storage_close(storage);
    fixture_remove_folder(folder);
    return 0;
}

static const struct storage_rows none = {0};

static enum storage_status append(uint32_t version)
{
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, version);
    return fixture_write(storage, &write);
}

static size_t actions_stored(void)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    assert_int_equal(storage_load(storage, "faulty234567", &rows), STORAGE_OK);
    size_t count = kept.action_count;
    fixture_rows_free(&kept);
    return count;
}

static void the_nth_commit_fails_and_stores_nothing(void **state)
{
    (void)state;
    faulty_fail(storage, FAULTY_COMMIT, 2, STORAGE_FULL);
    assert_int_equal(append(1), STORAGE_OK);
    assert_int_equal(append(2), STORAGE_FULL);
    assert_int_equal(actions_stored(), 2);
    assert_int_equal(append(2), STORAGE_OK);
    assert_int_equal(actions_stored(), 3);
}

static void the_nth_write_of_a_batch_fails_alone(void **state)
{
    (void)state;
    int64_t other = fixture_create(storage, "other2345678");
    struct storage_action actions[2];
    struct storage_write writes[] = {fixture_moves(key, &actions[0], 1, 1),
                                     fixture_moves(other, &actions[1], 1, 1)};
    struct fixture_answers *answers = fixture_answers_create();
    faulty_fail(storage, FAULTY_WRITE, 1, STORAGE_UNAVAILABLE);
    faulty_hold(storage);
    fixture_submit(storage, answers, writes, 2);
    faulty_release(storage);
    fixture_await(answers);
    assert_int_equal(fixture_answer(answers, &writes[0]), STORAGE_UNAVAILABLE);
    assert_int_equal(fixture_answer(answers, &writes[1]), STORAGE_OK);
    fixture_answers_destroy(answers);
}

static void held_writes_are_neither_stored_nor_answered(void **state)
{
    (void)state;
    struct storage_action actions[2];
    struct storage_write write = fixture_moves(key, actions, 2, 1);
    struct fixture_answers *answers = fixture_answers_create();
    faulty_hold(storage);
    fixture_submit(storage, answers, &write, 1);
    faulty_await_held(storage, 1);
    assert_int_equal(fixture_answered(answers), 0);
    assert_int_equal(actions_stored(), 1);
    struct storage_counters counters;
    storage_counters(storage, &counters);
    assert_int_equal(counters.queue_length, 1);
    faulty_release(storage);
    fixture_await(answers);
    assert_int_equal(fixture_answer(answers, &write), STORAGE_OK);
    assert_int_equal(actions_stored(), 3);
    fixture_answers_destroy(answers);
}

static void held_writes_are_one_batch_when_released(void **state)
{
    (void)state;
    struct storage_action actions[3];
    struct storage_write writes[3];
    for (uint32_t i = 0; i < 3; i++)
        writes[i] = fixture_moves(key, &actions[i], 1, i + 1);
    struct fixture_answers *answers = fixture_answers_create();
    uint64_t commits = faulty_calls(storage, FAULTY_COMMIT);
    faulty_hold(storage);
    fixture_submit(storage, answers, writes, 3);
    faulty_fail(storage, FAULTY_COMMIT, 1, STORAGE_FULL);
    faulty_release(storage);
    fixture_await(answers);
    for (size_t i = 0; i < 3; i++)
        assert_int_equal(fixture_answer(answers, &writes[i]), STORAGE_FULL);
    assert_int_equal(faulty_calls(storage, FAULTY_COMMIT), commits + 1);
    assert_int_equal(actions_stored(), 1);
    fixture_answers_destroy(answers);
}

static void a_write_is_the_callers_again_when_it_was_answered(void **state)
{
    (void)state;
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, 1);
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(storage, answers, &write, 1);
    fixture_await(answers);
    assert_ptr_equal(write.owner, answers);
    fixture_answers_destroy(answers);
}

static void every_kind_of_read_can_fail(void **state)
{
    (void)state;
    const struct storage_query everything = {0};
    static const uint8_t unknown[STORAGE_DIGEST_SIZE] = {0};
    int64_t service_ms = 0;
    faulty_fail(storage, FAULTY_LOAD, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_MOVES, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_ACTIONS_AFTER, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_WATCHED, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_SERVICE_MS, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_RECEIPT, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_OLDEST_RECEIPT, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_LIST, 1, STORAGE_BUSY);
    faulty_fail(storage, FAULTY_READY, 1, STORAGE_BUSY);
    for (int round = 0; round < 2; round++) {
        enum storage_status wanted = round == 0 ? STORAGE_BUSY : STORAGE_OK;
        assert_int_equal(storage_load(storage, "faulty234567", &none), wanted);
        assert_int_equal(storage_moves(storage, key, &(struct storage_span){.limit = 1}, &none), wanted);
        assert_int_equal(storage_actions_after(storage, key, 0, 1, &none), wanted);
        assert_int_equal(storage_watched(storage, 0, 1, &none), wanted);
        assert_int_equal(storage_service_ms(storage, &service_ms), wanted);
        assert_int_equal(storage_receipt(storage, unknown, &none),
                         round == 0 ? STORAGE_BUSY : STORAGE_NOT_FOUND);
        assert_int_equal(storage_oldest_receipt(storage, &service_ms), wanted);
        assert_int_equal(storage_list(storage, &everything, &none), wanted);
        assert_int_equal(storage_ready(storage), wanted);
    }
}

static void a_beat_fails_like_any_write(void **state)
{
    (void)state;
    int64_t service_ms = -1;
    struct storage_write beat = fixture_beat(4000);
    faulty_fail(storage, FAULTY_COMMIT, 1, STORAGE_FULL);
    assert_int_equal(fixture_write(storage, &beat), STORAGE_FULL);
    faulty_fail(storage, FAULTY_WRITE, 1, STORAGE_BUSY);
    assert_int_equal(fixture_write(storage, &beat), STORAGE_BUSY);
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 0);
    assert_int_equal(fixture_write(storage, &beat), STORAGE_OK);
    assert_int_equal(storage_service_ms(storage, &service_ms), STORAGE_OK);
    assert_int_equal(service_ms, 4000);
}

static void a_lasting_fault_lasts_until_it_is_healed(void **state)
{
    (void)state;
    faulty_fail_always(storage, FAULTY_COMMIT, STORAGE_FULL);
    for (int i = 0; i < 3; i++)
        assert_int_equal(append(1), STORAGE_FULL);
    faulty_heal(storage);
    assert_int_equal(append(1), STORAGE_OK);
}

static void closing_lets_held_writes_through(void **state)
{
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, 1);
    struct fixture_answers *answers = fixture_answers_create();
    faulty_hold(storage);
    fixture_submit(storage, answers, &write, 1);
    storage_close(storage);
    assert_int_equal(fixture_answer(answers, &write), STORAGE_OK);
    fixture_answers_destroy(answers);
    fixture_remove_folder(folder);
    assert_int_equal(prepare(state), 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, prepare, discard)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(the_nth_commit_fails_and_stores_nothing),
        TEST(the_nth_write_of_a_batch_fails_alone),
        TEST(held_writes_are_neither_stored_nor_answered),
        TEST(held_writes_are_one_batch_when_released),
        TEST(a_write_is_the_callers_again_when_it_was_answered),
        TEST(every_kind_of_read_can_fail),
        TEST(a_beat_fails_like_any_write),
        TEST(a_lasting_fault_lasts_until_it_is_healed),
        TEST(closing_lets_held_writes_through),
    };
    return cmocka_run_group_tests_name("the faulty storage", tests, NULL, NULL);
}
