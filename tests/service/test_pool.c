/* service/pool: a bounded queue before a fixed number of threads. */
#include "service/pool.h"

#include <pthread.h>
#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A gate that jobs wait at until the test opens it. */
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool is_open;
static unsigned arrived;
static atomic_uint done;

static int set_up(void **state)
{
    (void)state;
    is_open = false;
    arrived = 0;
    atomic_store(&done, 0);
    return 0;
}

static void wait_at_gate(struct pool_job *job)
{
    (void)job;
    pthread_mutex_lock(&lock);
    arrived++;
    pthread_cond_broadcast(&changed);
    while (!is_open)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    atomic_fetch_add(&done, 1);
}

static void count(struct pool_job *job)
{
    (void)job;
    atomic_fetch_add(&done, 1);
}

static void wait_arrived(unsigned wanted)
{
    pthread_mutex_lock(&lock);
    while (arrived < wanted)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void open_gate(void)
{
    pthread_mutex_lock(&lock);
    is_open = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

static void a_full_queue_refuses(void **state)
{
    (void)state;
    struct pool *pool = pool_create(2, 3);
    struct pool_job running[2] = {{.run = wait_at_gate}, {.run = wait_at_gate}};
    struct pool_job waiting[4] = {{.run = count}, {.run = count}, {.run = count}, {.run = count}};
    assert_true(pool_submit(pool, &running[0]));
    assert_true(pool_submit(pool, &running[1]));
    wait_arrived(2);
    for (int i = 0; i < 3; i++)
        assert_true(pool_submit(pool, &waiting[i]));
    assert_int_equal(pool_waiting(pool), 3);
    assert_false(pool_submit(pool, &waiting[3]));
    open_gate();
    pool_destroy(pool);
    assert_int_equal(atomic_load(&done), 5);
}

static void a_pool_that_ends_runs_what_waits(void **state)
{
    (void)state;
    struct pool *pool = pool_create(1, 100);
    struct pool_job jobs[100];
    for (int i = 0; i < 100; i++) {
        jobs[i] = (struct pool_job){.run = count};
        assert_true(pool_submit(pool, &jobs[i]));
    }
    pool_destroy(pool);
    assert_int_equal(atomic_load(&done), 100);
}

static int order[10], order_length;

struct numbered {
    struct pool_job job;
    int number;
};

static void note(struct pool_job *job)
{
    order[order_length++] = ((struct numbered *)job)->number;
}

static void one_thread_keeps_the_order(void **state)
{
    (void)state;
    struct pool *pool = pool_create(1, 10);
    struct numbered jobs[10];
    for (int i = 0; i < 10; i++) {
        jobs[i] = (struct numbered){.job = {.run = note}, .number = i};
        assert_true(pool_submit(pool, &jobs[i].job));
    }
    pool_destroy(pool);
    for (int i = 0; i < 10; i++)
        assert_int_equal(order[i], i);
}

static void long_work_leaves_a_thread_and_room_to_the_rest(void **state)
{
    (void)state;
    struct pool *pool = pool_create(2, 4);
    struct pool_job running = {.run = wait_at_gate, .is_long = true};
    struct pool_job waiting[3] = {
        {.run = count, .is_long = true}, {.run = count, .is_long = true}, {.run = count, .is_long = true}};
    struct pool_job others[4];
    assert_true(pool_submit(pool, &running));
    wait_arrived(1);
    assert_true(pool_submit(pool, &waiting[0]));
    assert_true(pool_submit(pool, &waiting[1]));
    assert_false(pool_submit(pool, &waiting[2]));
    for (int i = 0; i < 4; i++) {
        others[i] = (struct pool_job){.run = count};
        while (!pool_submit(pool, &others[i])) /* the one before has not been taken yet */
            (void)sched_yield();
    }
    while (atomic_load(&done) < 4)
        (void)sched_yield();
    assert_int_equal(pool_waiting(pool), 2);
    open_gate();
    pool_destroy(pool);
    assert_int_equal(atomic_load(&done), 7);
}

static void a_single_thread_does_long_work_too(void **state)
{
    (void)state;
    struct pool *pool = pool_create(1, 4);
    struct pool_job jobs[3] = {
        {.run = count, .is_long = true}, {.run = count}, {.run = count, .is_long = true}};
    for (int i = 0; i < 3; i++)
        while (!pool_submit(pool, &jobs[i]))
            (void)sched_yield();
    pool_destroy(pool);
    assert_int_equal(atomic_load(&done), 3);
}

static void destroying_none_is_fine(void **state)
{
    (void)state;
    pool_destroy(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(a_full_queue_refuses, set_up),
        cmocka_unit_test_setup(a_pool_that_ends_runs_what_waits, set_up),
        cmocka_unit_test_setup(one_thread_keeps_the_order, set_up),
        cmocka_unit_test_setup(long_work_leaves_a_thread_and_room_to_the_rest, set_up),
        cmocka_unit_test_setup(a_single_thread_does_long_work_too, set_up),
        cmocka_unit_test(destroying_none_is_fine),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
