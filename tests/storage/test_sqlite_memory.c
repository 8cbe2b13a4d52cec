/* Memory that runs out inside SQLite: every call says so or is whole, whichever allocation fails. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "tests/storage/sqlite_scene.h"
#include "tests/support/storage_fixture.h"

static sqlite3_mem_methods system_memory;
static atomic_int allocations_left = -1; /* negative: no end */

static bool is_out(void)
{
    int left = atomic_load(&allocations_left);
    if (left < 0)
        return false;
    if (left == 0)
        return true;
    atomic_fetch_sub(&allocations_left, 1);
    return false;
}

static void *allocate(int size)
{
    return is_out() ? NULL : system_memory.xMalloc(size);
}

static void *reallocate(void *memory, int size)
{
    return is_out() ? NULL : system_memory.xRealloc(memory, size);
}

static bool install_memory(void)
{
    if (sqlite3_config(SQLITE_CONFIG_GETMALLOC, &system_memory) != SQLITE_OK)
        return false;
    sqlite3_mem_methods failing = system_memory;
    failing.xMalloc = allocate;
    failing.xRealloc = reallocate;
    return sqlite3_config(SQLITE_CONFIG_MALLOC, &failing) == SQLITE_OK;
}

/* From the nth allocation on there is none. */
static void run_out_after(int allocations)
{
    atomic_store(&allocations_left, allocations);
}

static void have_enough(void)
{
    atomic_store(&allocations_left, -1);
}

enum { ALLOCATIONS_MAX = 20000 };

/* Every number at first, then ever fewer of them. */
static int next(int allocations)
{
    return allocations + 1 + allocations / 50;
}

static void a_read_is_whole_or_says_so(void **state)
{
    (void)state;
    scene_make_store();
    int refused = 0;
    for (int allocations = 0; allocations < ALLOCATIONS_MAX; allocations = next(allocations)) {
        struct storage *storage = fixture_open(scene.url);
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        run_out_after(allocations);
        enum storage_status status = storage_load(storage, "filled000003", &rows);
        have_enough();
        if (status == STORAGE_OK) {
            assert_int_equal(kept.game_count, 1);
            assert_string_equal(kept.games[0].rules, "{}");
            assert_int_equal(kept.action_count, 61);
            for (size_t i = 1; i < kept.action_count; i++)
                assert_non_null(kept.actions[i].move);
        } else {
            assert_int_equal(status, STORAGE_UNAVAILABLE);
            refused++;
        }
        fixture_rows_free(&kept);
        assert_int_equal(storage_load(storage, "filled000003", &(struct storage_rows){0}), STORAGE_OK);
        storage_close(storage);
        if (status == STORAGE_OK)
            break;
    }
    assert_true(refused > 5);
}

static void make_watched_store(void)
{
    struct storage *storage = fixture_open(scene.url);
    static const char *const ids[] = {"watched00000", "watched00001", "watched00002"};
    for (size_t i = 0; i < sizeof ids / sizeof ids[0]; i++) {
        struct storage_write write = fixture_creation(ids[i]);
        write.game.tags = "Event\tOut of memory";
        write.game.watched = true;
        assert_int_equal(fixture_write(storage, &write), STORAGE_OK);
    }
    struct storage_write beat = fixture_beat(7000);
    assert_int_equal(fixture_write(storage, &beat), STORAGE_OK);
    storage_close(storage);
}

static void watched_games_are_whole_or_not_told(void **state)
{
    (void)state;
    make_watched_store();
    enum storage_status status = STORAGE_UNAVAILABLE;
    int refused = 0;
    for (int allocations = 0; allocations < ALLOCATIONS_MAX && status != STORAGE_OK;
         allocations = next(allocations)) {
        struct storage *storage = fixture_open(scene.url);
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        run_out_after(allocations);
        status = storage_watched(storage, 0, 0, &rows);
        have_enough();
        assert_true(status == STORAGE_OK || status == STORAGE_UNAVAILABLE);
        refused += status != STORAGE_OK;
        assert_true(status != STORAGE_OK || kept.game_count == 3);
        for (size_t i = 0; status == STORAGE_OK && i < kept.game_count; i++)
            assert_string_equal(kept.games[i].tags, "Event\tOut of memory");
        fixture_rows_free(&kept);
        storage_close(storage);
    }
    assert_int_equal(status, STORAGE_OK);
    assert_true(refused > 5);
}

static void the_service_time_is_told_or_left_alone(void **state)
{
    (void)state;
    make_watched_store();
    enum storage_status status = STORAGE_UNAVAILABLE;
    int refused = 0;
    for (int allocations = 0; allocations < ALLOCATIONS_MAX && status != STORAGE_OK;
         allocations = next(allocations)) {
        struct storage *storage = fixture_open(scene.url);
        int64_t service_ms = -5;
        run_out_after(allocations);
        status = storage_service_ms(storage, &service_ms);
        have_enough();
        assert_true(status == STORAGE_OK || status == STORAGE_UNAVAILABLE);
        refused += status != STORAGE_OK;
        assert_int_equal(service_ms, status == STORAGE_OK ? 7000 : -5);
        storage_close(storage);
    }
    assert_int_equal(status, STORAGE_OK);
    assert_true(refused > 0);
}

/* An answer of some pages, each of which has to be fetched. */
enum { ANSWER_LENGTH = 20000 };
static unsigned char answer[ANSWER_LENGTH];

/* `number` tells it from others. */
static struct storage_receipt make_receipt(uint8_t id[STORAGE_DIGEST_SIZE], uint32_t number)
{
    memset(id, 0, STORAGE_DIGEST_SIZE);
    memcpy(id, &number, sizeof number);
    memset(answer, 'a', sizeof answer);
    return (struct storage_receipt){
        .id = id, .request = id, .answer = answer, .answer_length = sizeof answer, .service_ms = 1};
}

static bool check_receipt(void *context, const struct storage_receipt *row)
{
    assert_int_equal(row->answer_length, sizeof answer);
    assert_memory_equal(row->answer, answer, sizeof answer);
    assert_non_null(row->id);
    assert_non_null(row->request);
    ++*(int *)context;
    return true;
}

static enum storage_status find_receipt(struct storage *storage, const uint8_t *id, int *found)
{
    const struct storage_rows rows = {.context = found, .receipt = check_receipt};
    *found = 0;
    return storage_receipt(storage, id, &rows);
}

static void a_receipt_is_whole_or_not_told(void **state)
{
    (void)state;
    uint8_t id[STORAGE_DIGEST_SIZE];
    const struct storage_receipt receipt = make_receipt(id, 1);
    struct storage_write keep = {.kind = STORAGE_KEEP, .receipt = &receipt};
    struct storage *storage = fixture_open(scene.url);
    assert_int_equal(fixture_write(storage, &keep), STORAGE_OK);
    storage_close(storage);
    enum storage_status status = STORAGE_UNAVAILABLE;
    int refused = 0;
    for (int allocations = 0; allocations < ALLOCATIONS_MAX && status != STORAGE_OK;
         allocations = next(allocations)) {
        int found = 0;
        storage = fixture_open(scene.url);
        run_out_after(allocations);
        status = find_receipt(storage, id, &found);
        have_enough();
        assert_true(status == STORAGE_OK || status == STORAGE_UNAVAILABLE);
        assert_int_equal(found, status == STORAGE_OK);
        refused += status != STORAGE_OK;
        storage_close(storage);
    }
    assert_int_equal(status, STORAGE_OK);
    assert_true(refused > 5);
}

static void a_write_is_whole_or_not_there(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(scene.url);
    int64_t key = fixture_create(storage, "memory234567");
    uint32_t version = 1;
    int refused = 0;
    int in_a_row = 0;
    /* A connection that ran out is opened anew, so each try begins with the allocations of an opening. */
    for (int allocations = 0; allocations < ALLOCATIONS_MAX && in_a_row < 3;
         allocations = next(allocations)) {
        struct storage_action actions[3];
        struct storage_write write = fixture_moves(key, actions, 3, version);
        uint8_t id[STORAGE_DIGEST_SIZE];
        const struct storage_receipt receipt = make_receipt(id, (uint32_t)allocations);
        write.receipt = &receipt;
        run_out_after(allocations);
        enum storage_status status = fixture_write(storage, &write);
        have_enough();
        assert_true(status == STORAGE_OK || status == STORAGE_UNAVAILABLE);
        version += status == STORAGE_OK ? 3 : 0;
        refused += status != STORAGE_OK;
        in_a_row = status == STORAGE_OK ? in_a_row + 1 : 0;
        struct fixture_rows kept = {0};
        struct storage_rows rows = fixture_keep(&kept);
        assert_int_equal(storage_load(storage, "memory234567", &rows), STORAGE_OK);
        assert_int_equal(kept.action_count, version);
        fixture_rows_free(&kept);
        int found = 0;
        assert_int_equal(find_receipt(storage, id, &found),
                         status == STORAGE_OK ? STORAGE_OK : STORAGE_NOT_FOUND);
        assert_int_equal(found, status == STORAGE_OK);
    }
    assert_true(refused > 5);
    assert_int_equal(in_a_row, 3);
    assert_int_equal(storage_ready(storage),
                     STORAGE_OK); /* the last fault is over with the writes that went well */
    storage_close(storage);
}

static void a_store_that_cannot_be_opened_is_closed_again(void **state)
{
    (void)state;
    scene_make_store();
    int failed = 0;
    enum storage_open_status status = STORAGE_OPEN_FAILED;
    for (int allocations = 0; allocations < ALLOCATIONS_MAX && status != STORAGE_OPENED;
         allocations = next(allocations)) {
        char error[STORAGE_ERROR_SIZE];
        run_out_after(allocations);
        status = scene_try_open(error);
        have_enough();
        failed += status == STORAGE_OPEN_FAILED;
        if (status == STORAGE_OPEN_REFUSED || status == STORAGE_OPEN_LOCKED)
            fail_msg("after %d allocations: %s", allocations, error);
    }
    assert_true(failed > 20);
    assert_int_equal(status, STORAGE_OPENED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_read_is_whole_or_says_so),
        SCENE_TEST(watched_games_are_whole_or_not_told),
        SCENE_TEST(the_service_time_is_told_or_left_alone),
        SCENE_TEST(a_receipt_is_whole_or_not_told),
        SCENE_TEST(a_write_is_whole_or_not_there),
        SCENE_TEST(a_store_that_cannot_be_opened_is_closed_again),
    };
    if (!install_memory())
        return 1;
    return cmocka_run_group_tests_name("sqlite out of memory", tests, NULL, NULL);
}
