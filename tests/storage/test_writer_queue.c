/* The group-commit writer over a target that only takes notes. */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "storage/writer_queue.h"

#define LENGTH(array) (sizeof(array) / sizeof(array)[0])

enum { WRITES_MAX = 1000, NOTES_MAX = 4096 };

static const struct writer_pauses pauses = {1, 1};

/* What the target does with a write, by its key. */
enum { ACCEPTED = 0, CONFLICTS = 1, BREAKS = 2, DAMAGED = 3 };

static struct {
    pthread_mutex_t mutex;
    pthread_cond_t changed;
    bool held;    /* begin waits */
    bool waiting; /* begin is waiting */
    int tidyings[WRITER_IDLE + 1];
    int idle_in_vain; /* how often there is something in the way */
    size_t answered;
    enum storage_status begin_status, commit_status, probe_status;
    char notes[NOTES_MAX]; /* b begin, a apply, c commit, r rollback, p probe */
} target;

static struct writer_queue *queue;
static struct storage_write writes[WRITES_MAX];
static enum storage_status answers[WRITES_MAX];
static size_t order[WRITES_MAX]; /* of the answers */

static void lock(void)
{
    (void)pthread_mutex_lock(&target.mutex);
}

static void unlock(void)
{
    (void)pthread_cond_broadcast(&target.changed);
    (void)pthread_mutex_unlock(&target.mutex);
}

static void note(char call)
{
    size_t length = strlen(target.notes);
    if (length + 1 < NOTES_MAX)
        target.notes[length] = call;
}

static enum storage_status begin(void *context)
{
    (void)context;
    lock();
    note('b');
    target.waiting = true;
    (void)pthread_cond_broadcast(&target.changed);
    while (target.held)
        (void)pthread_cond_wait(&target.changed, &target.mutex);
    target.waiting = false;
    enum storage_status status = target.begin_status;
    unlock();
    return status;
}

static enum storage_status apply(void *context, struct storage_write *write)
{
    (void)context;
    lock();
    note('a');
    unlock();
    switch (write->game.key) {
    case CONFLICTS:
        return STORAGE_CONFLICT;
    case BREAKS:
        return STORAGE_UNAVAILABLE;
    case DAMAGED:
        return STORAGE_DAMAGED;
    default:
        return STORAGE_OK;
    }
}

static enum storage_status commit(void *context)
{
    (void)context;
    lock();
    note('c');
    enum storage_status status = target.commit_status;
    unlock();
    return status;
}

static void rollback(void *context)
{
    (void)context;
    lock();
    note('r');
    unlock();
}

static enum storage_status probe(void *context)
{
    (void)context;
    lock();
    note('p');
    enum storage_status status = target.probe_status;
    unlock();
    return status;
}

static bool tidy(void *context, enum writer_pause pause)
{
    (void)context;
    lock();
    int times = ++target.tidyings[pause];
    unlock();
    return pause != WRITER_IDLE || times > target.idle_in_vain;
}

static const struct writer_target noting = {
    .begin = begin, .apply = apply, .commit = commit, .rollback = rollback, .probe = probe, .tidy = tidy};

static int start(void **state)
{
    (void)state;
    memset(&target, 0, sizeof target);
    memset(writes, 0, sizeof writes);
    assert_int_equal(pthread_mutex_init(&target.mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&target.changed, NULL), 0);
    queue = writer_queue_create(&noting, NULL, &pauses);
    assert_non_null(queue);
    return 0;
}

static int stop(void **state)
{
    (void)state;
    writer_queue_destroy(queue);
    (void)pthread_cond_destroy(&target.changed);
    (void)pthread_mutex_destroy(&target.mutex);
    return 0;
}

static void note_answer(struct storage_write *write, enum storage_status status)
{
    size_t index = (size_t)(write - writes);
    lock();
    answers[index] = status;
    order[target.answered++] = index;
    unlock();
}

static void submit(size_t first, size_t count)
{
    for (size_t i = first; i < first + count; i++) {
        writes[i].done = note_answer;
        writer_queue_submit(queue, &writes[i]);
    }
}

static void await_answers(size_t count)
{
    lock();
    while (target.answered < count)
        (void)pthread_cond_wait(&target.changed, &target.mutex);
    unlock();
}

/* The writer is stopped in the begin of a batch that has only write 0. */
static void hold_with_first_write(void)
{
    lock();
    target.held = true;
    unlock();
    submit(0, 1);
    lock();
    while (!target.waiting)
        (void)pthread_cond_wait(&target.changed, &target.mutex);
    unlock();
}

static void release(void)
{
    lock();
    target.held = false;
    unlock();
}

static void set(enum storage_status *status, enum storage_status value)
{
    lock();
    *status = value;
    unlock();
}

static void assert_notes(const char *wanted)
{
    lock();
    char notes[NOTES_MAX];
    memcpy(notes, target.notes, sizeof notes);
    unlock();
    assert_string_equal(notes, wanted);
}

static void assert_answers(size_t first, size_t count, enum storage_status status)
{
    for (size_t i = first; i < first + count; i++)
        assert_int_equal(answers[i], status);
}

static void a_single_write_is_committed_at_once(void **state)
{
    (void)state;
    submit(0, 1);
    await_answers(1);
    assert_notes("bac");
    assert_int_equal(answers[0], STORAGE_OK);
}

static void what_gathers_meanwhile_is_one_transaction(void **state)
{
    (void)state;
    hold_with_first_write();
    submit(1, 4);
    release();
    await_answers(5);
    assert_notes("bacbaaaac");
    assert_answers(0, 5, STORAGE_OK);
    for (size_t i = 0; i < 5; i++)
        assert_int_equal(order[i], i);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.transactions, 2);
    assert_int_equal(counters.writes, 5);
    assert_int_equal(counters.largest_batch, 4);
    assert_int_equal(counters.queue_length, 0);
}

static void a_batch_has_an_upper_bound(void **state)
{
    (void)state;
    hold_with_first_write();
    submit(1, WRITER_BATCH_MAX + 10);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.queue_length, WRITER_BATCH_MAX + 11);
    release();
    await_answers(WRITER_BATCH_MAX + 11);
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.transactions, 3);
    assert_int_equal(counters.largest_batch, WRITER_BATCH_MAX);
}

static void a_refused_write_does_not_touch_its_neighbours(void **state)
{
    (void)state;
    hold_with_first_write();
    writes[2].game.key = CONFLICTS;
    submit(1, 3);
    release();
    await_answers(4);
    assert_notes("bacbaaac");
    assert_int_equal(answers[1], STORAGE_OK);
    assert_int_equal(answers[2], STORAGE_CONFLICT);
    assert_int_equal(answers[3], STORAGE_OK);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.conflicts, 1);
    assert_int_equal(counters.faults, 0);
}

static void a_batch_that_a_write_breaks_is_done_over_singly(void **state)
{
    (void)state;
    hold_with_first_write();
    writes[2].game.key = BREAKS;
    writes[3].game.key = CONFLICTS;
    submit(1, 4);
    release();
    await_answers(5);
    assert_notes("bac"
                 "baar"
                 "bac"
                 "bar"
                 "bac"
                 "bac");
    assert_int_equal(answers[1], STORAGE_OK);
    assert_int_equal(answers[2], STORAGE_UNAVAILABLE);
    assert_int_equal(answers[3], STORAGE_CONFLICT);
    assert_int_equal(answers[4], STORAGE_OK);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.transactions, 4); /* what is rolled back is none */
    assert_int_equal(counters.writes, 4);
    assert_int_equal(counters.largest_batch, 1);
    assert_int_equal(counters.conflicts, 1);
    assert_int_equal(counters.faults, 1);
}

static void if_the_commit_fails_all_fail_and_the_next_batch_is_tried(void **state)
{
    (void)state;
    hold_with_first_write();
    writes[2].game.key = CONFLICTS; /* perhaps with a neighbour that is not stored now */
    submit(1, 3);
    set(&target.commit_status, STORAGE_FULL);
    release();
    await_answers(4);
    assert_answers(0, 4, STORAGE_FULL);
    assert_notes("bacrbaaacr");
    set(&target.commit_status, STORAGE_OK);
    submit(4, 1);
    await_answers(5);
    assert_int_equal(answers[4], STORAGE_OK);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.faults, 4);
    assert_int_equal(counters.conflicts, 0);
    assert_int_equal(counters.transactions, 1);
    assert_int_equal(counters.writes, 1);
    assert_int_equal(counters.largest_batch, 1);
    assert_int_equal(counters.queue_length, 0);
}

/* It is one of its game, which is counted there. */
static void damage_of_a_game_is_no_fault_of_the_store(void **state)
{
    (void)state;
    writes[0].game.key = DAMAGED;
    submit(0, 1);
    await_answers(1);
    assert_int_equal(answers[0], STORAGE_DAMAGED);
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.faults, 0);
}

static void if_no_transaction_begins_all_fail(void **state)
{
    (void)state;
    hold_with_first_write();
    submit(1, 3);
    set(&target.begin_status, STORAGE_BUSY);
    release();
    await_answers(4);
    assert_answers(0, 4, STORAGE_BUSY);
    assert_notes("bb");
    struct storage_counters counters;
    writer_queue_counters(queue, &counters);
    assert_int_equal(counters.transactions, 0);
    assert_int_equal(counters.writes, 0);
    assert_int_equal(counters.faults, 4);
}

static void a_probe_is_made_only_after_a_fault(void **state)
{
    (void)state;
    submit(0, 1);
    await_answers(1);
    assert_int_equal(writer_queue_probe(queue), STORAGE_OK);
    assert_notes("bac");
    set(&target.commit_status, STORAGE_FULL);
    submit(1, 1);
    await_answers(2);
    set(&target.probe_status, STORAGE_FULL);
    assert_int_equal(writer_queue_probe(queue), STORAGE_FULL);
    set(&target.probe_status, STORAGE_OK);
    assert_int_equal(writer_queue_probe(queue), STORAGE_OK);
    assert_int_equal(writer_queue_probe(queue), STORAGE_OK);
    assert_notes("bacbacrpp");
}

static void *probe_in_thread(void *status)
{
    *(enum storage_status *)status = writer_queue_probe(queue);
    return NULL;
}

static void probes_of_many_threads_are_all_answered(void **state)
{
    (void)state;
    set(&target.commit_status, STORAGE_FULL);
    set(&target.probe_status, STORAGE_FULL);
    submit(0, 1);
    await_answers(1);
    pthread_t threads[8];
    enum storage_status found[LENGTH(threads)];
    for (size_t i = 0; i < LENGTH(threads); i++)
        assert_int_equal(pthread_create(&threads[i], NULL, probe_in_thread, &found[i]), 0);
    for (size_t i = 0; i < LENGTH(threads); i++) {
        assert_int_equal(pthread_join(threads[i], NULL), 0);
        assert_int_equal(found[i], STORAGE_FULL);
    }
}

static void await_idle(int times)
{
    lock();
    while (target.tidyings[WRITER_IDLE] < times)
        (void)pthread_cond_wait(&target.changed, &target.mutex);
    unlock();
}

static void a_writer_tidies_once_after_each_batch_and_at_each_pause(void **state)
{
    (void)state;
    submit(0, 1);
    await_idle(1);
    submit(1, 1);
    await_idle(2);
    writer_queue_destroy(queue);
    queue = NULL;
    assert_int_equal(target.tidyings[WRITER_BETWEEN], 2);
    assert_int_equal(target.tidyings[WRITER_RESTING], 2);
    assert_int_equal(target.tidyings[WRITER_IDLE], 2);
    assert_notes("bacbac");
}

static void a_writer_tidies_again_where_something_was_in_the_way(void **state)
{
    (void)state;
    target.idle_in_vain = 3;
    submit(0, 1);
    await_idle(4);
    writer_queue_destroy(queue);
    queue = NULL;
    assert_int_equal(target.tidyings[WRITER_RESTING], 1);
    assert_int_equal(target.tidyings[WRITER_IDLE], 4);
    assert_notes("bac");
}

static void closing_answers_what_is_queued(void **state)
{
    (void)state;
    hold_with_first_write();
    submit(1, WRITES_MAX - 1);
    release();
    writer_queue_destroy(queue);
    queue = NULL;
    assert_int_equal(target.answered, WRITES_MAX);
    assert_answers(0, WRITES_MAX, STORAGE_OK);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, start, stop)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(a_single_write_is_committed_at_once),
        TEST(what_gathers_meanwhile_is_one_transaction),
        TEST(a_batch_has_an_upper_bound),
        TEST(a_refused_write_does_not_touch_its_neighbours),
        TEST(a_batch_that_a_write_breaks_is_done_over_singly),
        TEST(if_the_commit_fails_all_fail_and_the_next_batch_is_tried),
        TEST(damage_of_a_game_is_no_fault_of_the_store),
        TEST(if_no_transaction_begins_all_fail),
        TEST(a_probe_is_made_only_after_a_fault),
        TEST(probes_of_many_threads_are_all_answered),
        TEST(a_writer_tidies_once_after_each_batch_and_at_each_pause),
        TEST(a_writer_tidies_again_where_something_was_in_the_way),
        TEST(closing_answers_what_is_queued),
    };
    return cmocka_run_group_tests_name("the writer queue", tests, NULL, NULL);
}
