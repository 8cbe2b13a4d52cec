/* Every backend: receipts, which are what was answered to requests that may be repeated. */
#include "tests/storage/conformance_parts.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { ANSWER_MAX = 200000 };

/* A receipt and what it points to. */
struct given {
    uint8_t id[STORAGE_DIGEST_SIZE], request[STORAGE_DIGEST_SIZE];
    struct storage_receipt receipt;
};

/* Its id and request end in zero bytes, which are no ends. */
static void give(struct given *given, unsigned char number, const char *answer, int64_t service_ms)
{
    *given = (struct given){.id = {number, 0xff, 'a'}, .request = {0, number, 0x80}};
    given->receipt = (struct storage_receipt){.id = given->id,
                                              .request = given->request,
                                              .answer = answer,
                                              .answer_length = answer ? strlen(answer) : 0,
                                              .service_ms = service_ms};
}

struct found {
    int rows;
    uint8_t id[STORAGE_DIGEST_SIZE], request[STORAGE_DIGEST_SIZE];
    unsigned char answer[ANSWER_MAX];
    size_t answer_length;
    int64_t service_ms;
};

static bool keep_receipt(void *context, const struct storage_receipt *row)
{
    struct found *found = context;
    assert_true(row->answer_length <= ANSWER_MAX);
    found->rows++;
    memcpy(found->id, row->id, STORAGE_DIGEST_SIZE);
    memcpy(found->request, row->request, STORAGE_DIGEST_SIZE);
    if (row->answer_length > 0)
        memcpy(found->answer, row->answer, row->answer_length);
    found->answer_length = row->answer_length;
    found->service_ms = row->service_ms;
    return true;
}

static bool refuse_receipt(void *context, const struct storage_receipt *row)
{
    (void)context;
    (void)row;
    return false;
}

static void assert_kept(const struct given *given)
{
    static struct found found;
    found.rows = 0;
    const struct storage_rows rows = {.context = &found, .receipt = keep_receipt};
    assert_int_equal(storage_receipt(conformance_storage, given->id, &rows), STORAGE_OK);
    assert_int_equal(found.rows, 1);
    assert_memory_equal(found.id, given->id, STORAGE_DIGEST_SIZE);
    assert_memory_equal(found.request, given->request, STORAGE_DIGEST_SIZE);
    assert_int_equal(found.answer_length, given->receipt.answer_length);
    if (found.answer_length > 0)
        assert_memory_equal(found.answer, given->receipt.answer, found.answer_length);
    assert_int_equal(found.service_ms, given->receipt.service_ms);
}

static void assert_none(const struct given *given)
{
    const struct storage_rows rows = {.receipt = refuse_receipt};
    assert_int_equal(storage_receipt(conformance_storage, given->id, &rows), STORAGE_NOT_FOUND);
}

static enum storage_status create_with(const char *id, const struct given *given)
{
    struct storage_write write = fixture_creation(id);
    write.receipt = &given->receipt;
    return fixture_write(conformance_storage, &write);
}

static enum storage_status append_with(int64_t key, uint32_t version, const struct given *given)
{
    struct storage_action action;
    struct storage_write write = fixture_moves(key, &action, 1, version);
    write.receipt = &given->receipt;
    return fixture_write(conformance_storage, &write);
}

static enum storage_status expire(int64_t before_ms)
{
    struct storage_write write = {.kind = STORAGE_EXPIRE, .service_ms = before_ms};
    return fixture_write(conformance_storage, &write);
}

static int64_t oldest(void)
{
    int64_t service_ms = -2;
    assert_int_equal(storage_oldest_receipt(conformance_storage, &service_ms), STORAGE_OK);
    return service_ms;
}

static void a_store_without_receipts_has_no_oldest(void **state)
{
    (void)state;
    assert_int_equal(oldest(), -1);
    (void)fixture_create(conformance_storage, "keyless23456");
    assert_int_equal(oldest(), -1);
}

static void a_receipt_may_be_kept_by_itself(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "begun", 7);
    struct storage_write write = {.kind = STORAGE_KEEP, .receipt = &given.receipt};
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_OK);
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_CONFLICT);
    assert_kept(&given);
    assert_int_equal(oldest(), 7);
}

static void receipts_come_back_as_they_were_given(void **state)
{
    (void)state;
    struct given first;
    struct given second;
    struct given empty;
    struct given other;
    give(&first, 1, "HTTP\x01 201 \u265a", 0);
    give(&second, 2, "another", INT64_MAX);
    give(&empty, 3, NULL, 5);
    give(&other, 4, NULL, 6);
    int64_t key = fixture_create(conformance_storage, "receipt23456");
    assert_int_equal(create_with("receipt34567", &first), STORAGE_OK);
    assert_int_equal(append_with(key, 1, &second), STORAGE_OK);
    assert_int_equal(append_with(key, 2, &empty), STORAGE_OK);
    for (int round = 0; round < 2; round++) {
        assert_kept(&first);
        assert_kept(&second);
        assert_kept(&empty);
        assert_none(&other);
        conformance_reopen();
    }
    assert_int_equal(conformance_actions_of("receipt23456"), 3);
    assert_int_equal(conformance_actions_of("receipt34567"), 1);
}

static void an_answer_is_any_bytes(void **state)
{
    (void)state;
    static unsigned char bytes[ANSWER_MAX];
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (unsigned char)(i * 7);
    struct given given;
    give(&given, 9, NULL, 1);
    given.receipt.answer = bytes;
    given.receipt.answer_length = sizeof bytes;
    assert_int_equal(create_with("anybytes2345", &given), STORAGE_OK);
    assert_kept(&given);
}

static void a_receipt_whose_id_exists_refuses_the_whole_write(void **state)
{
    (void)state;
    struct given given;
    struct given again;
    give(&given, 1, "first", 10);
    give(&again, 1, "second", 11);
    again.request[7] = 1;
    int64_t key = fixture_create(conformance_storage, "twice2345678");
    assert_int_equal(append_with(key, 1, &given), STORAGE_OK);
    assert_int_equal(append_with(key, 2, &again), STORAGE_CONFLICT);
    assert_int_equal(create_with("twice3456789", &again), STORAGE_CONFLICT);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = key}, .receipt = &again.receipt};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_CONFLICT);
    assert_int_equal(conformance_actions_of("twice2345678"), 2);
    assert_int_equal(conformance_actions_of("twice3456789"), -1);
    assert_kept(&given);
    assert_int_equal(storage_ready(conformance_storage), STORAGE_OK); /* an outcome, no fault */
}

static void a_refused_write_leaves_no_receipt(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "never given", 10);
    int64_t key = fixture_create(conformance_storage, "refused23456");
    assert_int_equal(conformance_append_moves(key, 1, 1), STORAGE_OK);
    assert_int_equal(append_with(key, 1, &given), STORAGE_CONFLICT); /* the version exists */
    assert_int_equal(create_with("refused23456", &given), STORAGE_CONFLICT);
    assert_none(&given);
    /* The id is free for the write that succeeds. */
    assert_int_equal(append_with(key, 2, &given), STORAGE_OK);
    assert_kept(&given);
}

static void a_write_that_fails_leaves_no_receipt(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "never given", 10);
    struct storage_write write = fixture_creation("broken234567");
    write.receipt = &given.receipt;
    write.game.status = NULL; /* a column that must not be NULL */
    assert_int_equal(fixture_write(conformance_storage, &write), STORAGE_UNAVAILABLE);
    assert_none(&given);
}

static void a_receipt_that_cannot_be_kept_leaves_nothing_of_the_write(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "before time began", -1);
    assert_int_equal(create_with("negative2345", &given), STORAGE_UNAVAILABLE);
    assert_none(&given);
    assert_int_equal(conformance_actions_of("negative2345"), -1);
}

/* Of writes that carry one id, in one batch or several, one is stored. */
static void of_many_writes_with_one_receipt_the_first_wins(void **state)
{
    (void)state;
    enum { GAMES = 40 };
    static char ids[GAMES][STORAGE_ID_LENGTH + 1];
    struct storage_write writes[GAMES];
    struct given given;
    give(&given, 1, "one", 10);
    for (size_t i = 0; i < GAMES; i++) {
        (void)snprintf(ids[i], sizeof ids[i], "onlyone%05zu", i);
        writes[i] = fixture_creation(ids[i]);
        writes[i].receipt = &given.receipt;
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, GAMES);
    fixture_await(answers);
    for (size_t i = 0; i < GAMES; i++) {
        assert_int_equal(fixture_answer(answers, &writes[i]), i == 0 ? STORAGE_OK : STORAGE_CONFLICT);
        assert_int_equal(conformance_actions_of(ids[i]), i == 0 ? 1 : -1);
    }
    fixture_answers_destroy(answers);
    assert_kept(&given);
}

static void a_receipt_outlives_its_game(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "created", 10);
    struct storage_write creation = fixture_creation("outlived2345");
    creation.receipt = &given.receipt;
    assert_int_equal(fixture_write(conformance_storage, &creation), STORAGE_OK);
    struct storage_write deletion = {.kind = STORAGE_DELETE, .game = {.key = creation.game.key}};
    assert_int_equal(fixture_write(conformance_storage, &deletion), STORAGE_OK);
    assert_kept(&given);
}

static void receipts_expire_by_their_time(void **state)
{
    (void)state;
    static const int64_t times[] = {0, 999, 1000, 1001, INT64_MAX};
    struct given given[LENGTH(times)];
    int64_t key = fixture_create(conformance_storage, "expires23456");
    for (size_t i = 0; i < LENGTH(times); i++) {
        give(&given[i], (unsigned char)(i + 1), "answer", times[i]);
        assert_int_equal(append_with(key, (uint32_t)i + 1, &given[i]), STORAGE_OK);
    }
    static const struct {
        int64_t before_ms;
        size_t gone;
    } rows[] = {{0, 0}, {1, 1}, {1000, 2}, {1000, 2}, {1001, 3}, {INT64_MAX, 4}};
    for (size_t row = 0; row < LENGTH(rows); row++) {
        assert_int_equal(expire(rows[row].before_ms), STORAGE_OK);
        assert_int_equal(oldest(), times[rows[row].gone]);
        for (size_t i = 0; i < LENGTH(times); i++)
            if (i < rows[row].gone)
                assert_none(&given[i]);
            else
                assert_kept(&given[i]);
    }
    assert_int_equal(conformance_actions_of("expires23456"), 1 + (int)LENGTH(times));
    /* An id that has expired may be used again. */
    assert_int_equal(append_with(key, LENGTH(times) + 1, &given[0]), STORAGE_OK);
    assert_kept(&given[0]);
}

/* A removal is one transaction, for which everybody waits: it takes the oldest, and the next one goes on. */
static void a_removal_takes_the_oldest_of_many(void **state)
{
    (void)state;
    enum { COUNT = STORAGE_EXPIRE_MOST + 2 };
    static struct given given[COUNT];
    static struct storage_write writes[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        give(&given[i], (unsigned char)(i % 256), "answer", (int64_t)(COUNT - i));
        given[i].id[3] = (uint8_t)(i / 256);
        writes[i] = (struct storage_write){.kind = STORAGE_KEEP, .receipt = &given[i].receipt};
    }
    struct fixture_answers *answers = fixture_answers_create();
    fixture_submit(conformance_storage, answers, writes, COUNT);
    fixture_await(answers);
    fixture_answers_destroy(answers);
    assert_int_equal(oldest(), 1);
    assert_int_equal(expire(COUNT), STORAGE_OK);
    assert_int_equal(oldest(), STORAGE_EXPIRE_MOST + 1);
    assert_int_equal(expire(COUNT), STORAGE_OK);
    assert_int_equal(oldest(), COUNT);
}

static void a_reader_may_refuse_a_receipt(void **state)
{
    (void)state;
    struct given given;
    give(&given, 1, "answer", 10);
    assert_int_equal(create_with("stopped23456", &given), STORAGE_OK);
    const struct storage_rows refuse = {.receipt = refuse_receipt};
    const struct storage_rows nobody = {0};
    assert_int_equal(storage_receipt(conformance_storage, given.id, &refuse), STORAGE_STOPPED);
    assert_int_equal(storage_receipt(conformance_storage, given.id, &nobody), STORAGE_OK);
}

int conformance_run_receipts(void)
{
    const struct CMUnitTest tests[] = {
        CONFORMANCE_TEST(a_store_without_receipts_has_no_oldest),
        CONFORMANCE_TEST(a_receipt_may_be_kept_by_itself),
        CONFORMANCE_TEST(receipts_come_back_as_they_were_given),
        CONFORMANCE_TEST(an_answer_is_any_bytes),
        CONFORMANCE_TEST(a_receipt_whose_id_exists_refuses_the_whole_write),
        CONFORMANCE_TEST(a_refused_write_leaves_no_receipt),
        CONFORMANCE_TEST(a_write_that_fails_leaves_no_receipt),
        CONFORMANCE_TEST(a_receipt_that_cannot_be_kept_leaves_nothing_of_the_write),
        CONFORMANCE_TEST(of_many_writes_with_one_receipt_the_first_wins),
        CONFORMANCE_TEST(a_receipt_outlives_its_game),
        CONFORMANCE_TEST(receipts_expire_by_their_time),
        CONFORMANCE_TEST(a_removal_takes_the_oldest_of_many),
        CONFORMANCE_TEST(a_reader_may_refuse_a_receipt),
    };
    return cmocka_run_group_tests_name("every backend: receipts", tests, NULL, NULL);
}
