/* Memory that runs out once, at each allocation of every operation of a store: the operation is whole or a fault, the store
 * goes on, and what it said is what it holds. (test_sqlite_memory.c: it runs out and stays out.) */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "tests/storage/sqlite_scene.h"
#include "tests/support/allocations.h"
#include "tests/support/storage_fixture.h"

enum { ROWS = 3 };

/* Every number at first, then ever fewer of them: an opening has thousands, of which each one of a table is alike. */
static unsigned next(unsigned nth)
{
    return nth + 1 + nth / 5;
}

static const char *label; /* what is tried just now */

static void assert_fault(enum storage_status status, unsigned nth)
{
    if (status != STORAGE_UNAVAILABLE)
        fail_msg("%s without allocation %u: status %d", label, nth, status);
}

/* ---- writes ---- */

static struct storage_action actions[ROWS];
static unsigned char bytes[STORAGE_DIGEST_SIZE];
static struct storage_receipt receipt = {
    .id = bytes, .request = bytes, .answer = "answer", .answer_length = 6};

/* A game of its own for each try, as it was when the store had this version of it. */
struct subject {
    char id[STORAGE_ID_LENGTH + 1];
    int64_t key;
    uint32_t version; /* 0: it is not there */
};

static struct storage_write creation_of(struct subject *subject)
{
    return fixture_creation(subject->id);
}

static struct storage_write moves_of(struct subject *subject)
{
    struct storage_write write = fixture_moves(subject->key, actions, ROWS, subject->version);
    write.receipt = &receipt;
    return write;
}

static struct storage_write deletion_of(struct subject *subject)
{
    return (struct storage_write){.kind = STORAGE_DELETE, .game = {.key = subject->key}};
}

static struct storage_write beat_of(struct subject *subject)
{
    return fixture_beat(subject->key);
}

static struct storage_write expiry_of(struct subject *subject)
{
    (void)subject;
    return (struct storage_write){.kind = STORAGE_EXPIRE, .service_ms = 0};
}

static const struct {
    const char *name;
    struct storage_write (*make)(struct subject *subject);
    bool needs_game;
    int adds; /* versions; negative: the game goes */
} WRITES[] = {
    {"a create", creation_of, false, 1},   {"an append", moves_of, true, ROWS},
    {"a deletion", deletion_of, true, -1}, {"a beat", beat_of, true, 0},
    {"an expiry", expiry_of, true, 0},
};

static uint32_t version_of(struct storage *storage, const char *id)
{
    struct fixture_rows kept = {0};
    struct storage_rows rows = fixture_keep(&kept);
    enum storage_status status = storage_load(storage, id, &rows);
    assert_true(status == STORAGE_OK || (status == STORAGE_NOT_FOUND && kept.action_count == 0));
    uint32_t version = (uint32_t)kept.action_count;
    fixture_rows_free(&kept);
    return version;
}

static uint32_t version_after(const struct subject *subject, int adds)
{
    return adds < 0 ? 0 : subject->version + (uint32_t)adds;
}

static bool is_written_without(struct storage *storage, size_t kind, struct subject *subject, unsigned nth)
{
    memcpy(bytes, subject->id, STORAGE_ID_LENGTH);
    struct storage_write write = WRITES[kind].make(subject);
    allocations_fail(nth);
    allocations_pause(); /* in this thread: the fixture's; those of a write are its writer's */
    enum storage_status status = fixture_write(storage, &write);
    allocations_resume();
    bool failed = allocations_heal();
    if (status != STORAGE_OK)
        assert_fault(status, nth);
    assert_true(failed || status == STORAGE_OK);
    uint32_t wanted = status == STORAGE_OK ? version_after(subject, WRITES[kind].adds) : subject->version;
    assert_int_equal(version_of(storage, subject->id), wanted);
    return !failed;
}

static void a_write_is_done_or_not_at_all(void **state)
{
    (void)state;
    struct storage *storage = fixture_open(scene.url);
    for (size_t kind = 0; kind < sizeof WRITES / sizeof WRITES[0]; kind++) {
        bool written = false;
        label = WRITES[kind].name;
        for (unsigned nth = 1; !written; nth = next(nth)) {
            struct subject subject = {0};
            (void)snprintf(subject.id, sizeof subject.id, "try%03zu%06u", kind % 1000, nth % 1000000);
            if (WRITES[kind].needs_game) {
                subject.key = fixture_create(storage, subject.id);
                subject.version = 1;
            }
            written = is_written_without(storage, kind, &subject, nth);
        }
    }
    storage_close(storage);
}

/* ---- reads ---- */

static enum storage_status read_load(struct storage *storage, const struct storage_rows *rows)
{
    return storage_load(storage, "filled000003", rows);
}

static enum storage_status read_moves(struct storage *storage, const struct storage_rows *rows)
{
    return storage_moves(storage, 4, &(struct storage_span){.from = 1}, rows);
}

static enum storage_status read_actions_after(struct storage *storage, const struct storage_rows *rows)
{
    return storage_actions_after(storage, 4, 1, 0, rows);
}

static enum storage_status read_watched(struct storage *storage, const struct storage_rows *rows)
{
    return storage_watched(storage, 0, 0, rows);
}

static enum storage_status read_all(struct storage *storage, const struct storage_rows *rows)
{
    return storage_all(storage, 0, 0, rows);
}

static enum storage_status read_list(struct storage *storage, const struct storage_rows *rows)
{
    return storage_list(storage, &(struct storage_query){0}, rows);
}

static enum storage_status read_readiness(struct storage *storage, const struct storage_rows *rows)
{
    (void)rows;
    return storage_ready(storage);
}

static const struct {
    const char *name;
    enum storage_status (*read)(struct storage *storage, const struct storage_rows *rows);
    size_t games, actions;
} READS[] = {
    {"a load", read_load, 1, 61},
    {"moves", read_moves, 0, 60},
    {"actions", read_actions_after, 0, 60},
    {"watched games", read_watched, 0, 0},
    {"all games", read_all, 20, 0},
    {"a list", read_list, 20, 0},
    {"a look at readiness", read_readiness, 0, 0},
};

struct counted {
    size_t games, actions;
};

static bool count_game(void *context, const struct storage_game *row)
{
    assert_non_null(row->id);
    assert_non_null(row->status);
    ((struct counted *)context)->games++;
    return true;
}

static bool count_action(void *context, const struct storage_action *row)
{
    assert_non_null(row->kind);
    assert_true(row->version == 1 || row->move);
    ((struct counted *)context)->actions++;
    return true;
}

static bool is_read_without(struct storage *storage, size_t kind, unsigned nth)
{
    struct counted counted = {0};
    const struct storage_rows rows = {.context = &counted, .game = count_game, .action = count_action};
    allocations_fail(nth);
    enum storage_status status = READS[kind].read(storage, &rows);
    bool failed = allocations_heal();
    assert_true(failed || status == STORAGE_OK);
    if (status != STORAGE_OK) {
        assert_fault(status, nth);
    } else {
        assert_int_equal(counted.games, READS[kind].games);
        assert_int_equal(counted.actions, READS[kind].actions);
    }
    (void)storage_ready(storage); /* the fault is told */
    assert_int_equal(storage_ready(storage), STORAGE_OK);
    return !failed;
}

/* The first read of a store opens its connection. */
static void a_read_is_whole_or_a_fault(void **state)
{
    (void)state;
    scene_make_store();
    for (size_t kind = 0; kind < sizeof READS / sizeof READS[0]; kind++) {
        bool whole = false;
        label = READS[kind].name;
        for (unsigned nth = 1; !whole; nth = next(nth)) {
            struct storage *storage = fixture_open(scene.url);
            whole = is_read_without(storage, kind, nth);
            storage_close(storage);
        }
    }
}

/* ---- opening ---- */

/* From here, the nth allocation of an opening at a time. What is there must be opened by the next. */
static void open_without_each(void)
{
    char error[STORAGE_ERROR_SIZE];
    bool failed = true;
    unsigned unopened = 0;
    for (unsigned nth = 1; failed; nth = next(nth)) {
        allocations_fail(nth);
        enum storage_open_status status = scene_try_open(error);
        failed = allocations_heal();
        if (status != STORAGE_OPENED && (!failed || status != STORAGE_OPEN_FAILED || !*error))
            fail_msg("%s without allocation %u: %d %s", label, nth, status, error);
        unopened += status != STORAGE_OPENED;
        assert_int_equal(scene_try_open(error), STORAGE_OPENED);
        if (strcmp(label, "a new store") == 0)
            assert_int_equal(remove(scene.path), 0);
    }
    assert_true(unopened > 10);
}

static void a_store_is_opened_or_left_as_it_was(void **state)
{
    (void)state;
    label = "a new store";
    open_without_each();
    label = "a store";
    scene_make_store();
    open_without_each();
}

static void a_killed_store_is_opened_or_left_as_it_was(void **state)
{
    (void)state;
    label = "a store that was killed";
    scene_make_killed();
    open_without_each();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        SCENE_TEST(a_write_is_done_or_not_at_all),
        SCENE_TEST(a_read_is_whole_or_a_fault),
        SCENE_TEST(a_store_is_opened_or_left_as_it_was),
        SCENE_TEST(a_killed_store_is_opened_or_left_as_it_was),
    };
    if (!allocations_install())
        return 1;
    return cmocka_run_group_tests_name("store out of memory", tests, NULL, NULL);
}
