#include "tests/support/storage_faulty.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdlib.h>

#include <cmocka.h>

#include "storage/backend.h"

struct fault {
    uint64_t calls;
    uint64_t at; /* the call that fails; 0: none */
    bool always;
    enum storage_status status;
};

/* A write on its way through the storage inside, whose caller's `done` and `owner` are kept here meanwhile.
 */
struct passage {
    struct faulty *faulty;
    struct storage_write *write;
    void (*done)(struct storage_write *write, enum storage_status status);
    void *owner;
    enum storage_status status;
    bool arrived;
};

enum pause { PAUSE_NOBODY, PAUSE_ONE, PAUSE_ALL };

struct faulty {
    struct storage base;
    struct storage *inner;
    pthread_t thread;
    pthread_mutex_t mutex; /* all that follows */
    pthread_cond_t changed;
    struct fault faults[FAULTY_CALL_COUNT];
    bool paused[FAULTY_CALL_COUNT];     /* whoever waits goes on waiting */
    enum pause next[FAULTY_CALL_COUNT]; /* whether whoever comes waits too, while it is paused */
    unsigned met[FAULTY_CALL_COUNT];    /* calls that wait while it is paused */
    struct storage_write *head, **tail;
    size_t waiting; /* writes from head on */
    bool held, closing;
};

static struct faulty *faulty_of(struct storage *storage)
{
    return (struct faulty *)storage;
}

static void lock(struct faulty *faulty)
{
    (void)pthread_mutex_lock(&faulty->mutex);
}

static void unlock(struct faulty *faulty)
{
    (void)pthread_cond_broadcast(&faulty->changed);
    (void)pthread_mutex_unlock(&faulty->mutex);
}

/* With the mutex held. */
static void wait_while_paused(struct faulty *faulty, enum faulty_call call)
{
    if (faulty->next[call] == PAUSE_ONE)
        faulty->next[call] = PAUSE_NOBODY;
    faulty->met[call]++;
    (void)pthread_cond_broadcast(&faulty->changed);
    while (faulty->paused[call])
        (void)pthread_cond_wait(&faulty->changed, &faulty->mutex);
    faulty->met[call]--;
}

/* Counts a call; STORAGE_OK if it is to be made. */
static enum storage_status meet(struct faulty *faulty, enum faulty_call call)
{
    lock(faulty);
    struct fault *fault = &faulty->faults[call];
    uint64_t nth = ++fault->calls;
    if (faulty->next[call] != PAUSE_NOBODY)
        wait_while_paused(faulty, call);
    bool fails = fault->always || nth == fault->at;
    enum storage_status status = fails ? fault->status : STORAGE_OK;
    unlock(faulty);
    return status;
}

static void arrive(struct storage_write *write, enum storage_status status)
{
    struct passage *passage = write->owner;
    lock(passage->faulty);
    passage->status = status;
    passage->arrived = true;
    unlock(passage->faulty);
}

static void send_inside(struct passage *passage)
{
    passage->write->done = arrive;
    passage->write->owner = passage;
    storage_submit(passage->faulty->inner, passage->write);
}

static void await_arrival(struct passage *passage)
{
    lock(passage->faulty);
    while (!passage->arrived)
        (void)pthread_cond_wait(&passage->faulty->changed, &passage->faulty->mutex);
    unlock(passage->faulty);
}

/* A batch: the writes that are not made to fail go inside, then all are answered in order. */
static void pass(struct faulty *faulty, struct passage *passages, size_t count)
{
    enum storage_status commit = meet(faulty, FAULTY_COMMIT);
    for (size_t i = 0; i < count; i++) {
        enum storage_status status = meet(faulty, FAULTY_WRITE);
        passages[i].status = commit != STORAGE_OK ? commit : status;
        passages[i].arrived = passages[i].status != STORAGE_OK;
        if (!passages[i].arrived)
            send_inside(&passages[i]);
    }
    for (size_t i = 0; i < count; i++)
        await_arrival(&passages[i]);
    for (size_t i = 0; i < count; i++) {
        passages[i].write->done = passages[i].done;
        passages[i].write->owner = passages[i].owner;
        passages[i].done(passages[i].write, passages[i].status);
    }
}

/* With the mutex held. */
static struct passage *take_batch(struct faulty *faulty, size_t *count)
{
    struct passage *passages = calloc(faulty->waiting, sizeof *passages);
    if (!passages)
        abort();
    *count = faulty->waiting;
    for (size_t i = 0; i < *count; i++) {
        struct storage_write *write = faulty->head;
        faulty->head = write->next;
        passages[i] =
            (struct passage){.faulty = faulty, .write = write, .done = write->done, .owner = write->owner};
    }
    faulty->tail = &faulty->head;
    faulty->waiting = 0;
    return passages;
}

static void *pass_until_closed(void *argument)
{
    struct faulty *faulty = argument;
    for (;;) {
        lock(faulty);
        while ((faulty->held || faulty->waiting == 0) && !faulty->closing)
            (void)pthread_cond_wait(&faulty->changed, &faulty->mutex);
        if (faulty->waiting == 0) {
            unlock(faulty);
            return NULL;
        }
        size_t count = 0;
        struct passage *passages = take_batch(faulty, &count);
        unlock(faulty);
        pass(faulty, passages, count);
        free(passages);
    }
}

static void close_faulty(struct storage *storage)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    faulty->closing = true;
    unlock(faulty);
    (void)pthread_join(faulty->thread, NULL);
    storage_close(faulty->inner);
    (void)pthread_cond_destroy(&faulty->changed);
    (void)pthread_mutex_destroy(&faulty->mutex);
    free(faulty);
}

static void submit(struct storage *storage, struct storage_write *write)
{
    struct faulty *faulty = faulty_of(storage);
    write->next = NULL;
    lock(faulty);
    *faulty->tail = write;
    faulty->tail = &write->next;
    faulty->waiting++;
    unlock(faulty);
}

static enum storage_status load(struct storage *storage, const char *id, const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_LOAD);
    return status == STORAGE_OK ? storage_load(faulty_of(storage)->inner, id, rows) : status;
}

static enum storage_status moves(struct storage *storage, int64_t key, const struct storage_span *span,
                                 const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_MOVES);
    return status == STORAGE_OK ? storage_moves(faulty_of(storage)->inner, key, span, rows) : status;
}

static enum storage_status actions_after(struct storage *storage, int64_t key,
                                         const struct storage_span *span, const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_ACTIONS_AFTER);
    if (status != STORAGE_OK)
        return status;
    return storage_actions_after(faulty_of(storage)->inner, key, span->from, span->limit, rows);
}

static enum storage_status watched(struct storage *storage, int64_t after_key, uint32_t limit,
                                   const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_WATCHED);
    if (status != STORAGE_OK)
        return status;
    return storage_watched(faulty_of(storage)->inner, after_key, limit, rows);
}

static enum storage_status all(struct storage *storage, int64_t after_key, uint32_t limit,
                               const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_ALL);
    return status == STORAGE_OK ? storage_all(faulty_of(storage)->inner, after_key, limit, rows) : status;
}

static enum storage_status service_ms(struct storage *storage, int64_t *service_ms)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_SERVICE_MS);
    return status == STORAGE_OK ? storage_service_ms(faulty_of(storage)->inner, service_ms) : status;
}

static enum storage_status receipt(struct storage *storage, const uint8_t *id,
                                   const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_RECEIPT);
    return status == STORAGE_OK ? storage_receipt(faulty_of(storage)->inner, id, rows) : status;
}

static enum storage_status oldest_receipt(struct storage *storage, int64_t *service_ms)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_OLDEST_RECEIPT);
    return status == STORAGE_OK ? storage_oldest_receipt(faulty_of(storage)->inner, service_ms) : status;
}

static enum storage_status list(struct storage *storage, const struct storage_query *query,
                                const struct storage_rows *rows)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_LIST);
    return status == STORAGE_OK ? storage_list(faulty_of(storage)->inner, query, rows) : status;
}

static enum storage_status ready(struct storage *storage)
{
    enum storage_status status = meet(faulty_of(storage), FAULTY_READY);
    return status == STORAGE_OK ? storage_ready(faulty_of(storage)->inner) : status;
}

static void counters(struct storage *storage, struct storage_counters *counters)
{
    struct faulty *faulty = faulty_of(storage);
    storage_counters(faulty->inner, counters);
    lock(faulty);
    counters->queue_length += faulty->waiting;
    unlock(faulty);
}

static const struct storage_ops ops = {
    .close = close_faulty,
    .submit = submit,
    .load = load,
    .moves = moves,
    .actions_after = actions_after,
    .watched = watched,
    .all = all,
    .service_ms = service_ms,
    .receipt = receipt,
    .oldest_receipt = oldest_receipt,
    .list = list,
    .ready = ready,
    .counters = counters,
};

struct storage *faulty_wrap(struct storage *inner)
{
    struct faulty *faulty = calloc(1, sizeof *faulty);
    assert_non_null(faulty);
    faulty->base.ops = &ops;
    faulty->inner = inner;
    faulty->tail = &faulty->head;
    assert_int_equal(pthread_mutex_init(&faulty->mutex, NULL), 0);
    assert_int_equal(pthread_cond_init(&faulty->changed, NULL), 0);
    assert_int_equal(pthread_create(&faulty->thread, NULL, pass_until_closed, faulty), 0);
    return &faulty->base;
}

void faulty_fail(struct storage *storage, enum faulty_call call, unsigned nth, enum storage_status status)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    struct fault *fault = &faulty->faults[call];
    *fault = (struct fault){.calls = fault->calls, .at = fault->calls + nth, .status = status};
    unlock(faulty);
}

void faulty_fail_always(struct storage *storage, enum faulty_call call, enum storage_status status)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    struct fault *fault = &faulty->faults[call];
    *fault = (struct fault){.calls = fault->calls, .always = true, .status = status};
    unlock(faulty);
}

void faulty_heal(struct storage *storage)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    for (size_t i = 0; i < FAULTY_CALL_COUNT; i++)
        faulty->faults[i] = (struct fault){.calls = faulty->faults[i].calls};
    unlock(faulty);
}

uint64_t faulty_calls(struct storage *storage, enum faulty_call call)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    uint64_t calls = faulty->faults[call].calls;
    unlock(faulty);
    return calls;
}

void faulty_hold(struct storage *storage)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    faulty->held = true;
    unlock(faulty);
}

void faulty_release(struct storage *storage)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    faulty->held = false;
    unlock(faulty);
}

static void set_pause(struct storage *storage, enum faulty_call call, enum pause pause)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    faulty->paused[call] = pause != PAUSE_NOBODY;
    faulty->next[call] = pause;
    unlock(faulty);
}

void faulty_pause(struct storage *storage, enum faulty_call call)
{
    set_pause(storage, call, PAUSE_ALL);
}

void faulty_pause_next(struct storage *storage, enum faulty_call call)
{
    set_pause(storage, call, PAUSE_ONE);
}

void faulty_resume(struct storage *storage, enum faulty_call call)
{
    set_pause(storage, call, PAUSE_NOBODY);
}

void faulty_await_paused(struct storage *storage, enum faulty_call call, unsigned calls)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    while (faulty->met[call] < calls)
        (void)pthread_cond_wait(&faulty->changed, &faulty->mutex);
    unlock(faulty);
}

void faulty_await_held(struct storage *storage, size_t writes)
{
    struct faulty *faulty = faulty_of(storage);
    lock(faulty);
    while (faulty->waiting < writes)
        (void)pthread_cond_wait(&faulty->changed, &faulty->mutex);
    unlock(faulty);
}
