#include "storage/writer_queue.h"

#include <errno.h>
#include <pthread.h>
#include <stdlib.h>
#include <time.h>

struct writer_queue {
    const struct writer_target *target;
    void *context;
    struct writer_pauses pauses;
    pthread_t thread;

    pthread_mutex_t mutex; /* all that follows, up to the batch */
    pthread_cond_t work;
    pthread_cond_t probed;
    struct storage_write *head, **tail;
    bool asleep; /* the writer waits for somebody to wake it */
    bool closing;
    uint64_t probes_wanted, probes_done;
    enum storage_status last; /* of the last transaction or probe */
    struct storage_counters counters;

    /* The writer thread's own. */
    struct storage_write *gathered; /* taken from the queue, and not yet of a batch */
    enum writer_pause tidied;       /* for so long a pause, since the last transaction */
    uint64_t commit_us;             /* of the last commit */
    struct storage_write *batch[WRITER_BATCH_MAX];
    enum storage_status statuses[WRITER_BATCH_MAX];
};

static bool is_fault(enum storage_status status)
{
    return status >= STORAGE_BUSY;
}

static uint64_t monotonic_us(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000U + (uint64_t)now.tv_nsec / 1000U;
}

static struct timespec deadline_after(uint32_t ms)
{
    uint64_t us = monotonic_us() + (uint64_t)ms * 1000U;
    return (struct timespec){.tv_sec = (time_t)(us / 1000000U), .tv_nsec = (long)(us % 1000000U) * 1000L};
}

/* Of a transaction that was committed. */
static void count_commit(struct storage_counters *counters, size_t writes, uint64_t commit_us)
{
    counters->transactions++;
    counters->commit_us_total += commit_us;
    counters->writes += writes;
    if (writes > counters->largest_batch)
        counters->largest_batch = writes;
}

/* With the mutex held. */
static void note_transaction(struct writer_queue *queue, size_t first, size_t writes,
                             enum storage_status fault)
{
    struct storage_counters *counters = &queue->counters;
    queue->last = fault;
    counters->queue_length -= writes;
    if (fault == STORAGE_OK)
        count_commit(counters, writes, queue->commit_us);
    for (size_t i = first; i < first + writes; i++) {
        counters->conflicts += queue->statuses[i] == STORAGE_CONFLICT;
        counters->faults += is_fault(queue->statuses[i]);
    }
}

/* Answers the writes of a transaction that is over. A fault of the transaction overrides what each was told:
 * a conflict may have been one with a neighbour that is not stored now. */
static void settle(struct writer_queue *queue, size_t first, size_t writes, enum storage_status fault)
{
    for (size_t i = first; fault != STORAGE_OK && i < first + writes; i++)
        queue->statuses[i] = fault;
    (void)pthread_mutex_lock(&queue->mutex);
    note_transaction(queue, first, writes, fault);
    (void)pthread_mutex_unlock(&queue->mutex);
    queue->commit_us = 0;
    queue->tidied = WRITER_BETWEEN;
    for (size_t i = first; i < first + writes; i++)
        queue->batch[i]->done(queue->batch[i], queue->statuses[i]);
}

static enum storage_status apply_all(struct writer_queue *queue, size_t first, size_t writes)
{
    for (size_t i = first; i < first + writes; i++) {
        queue->statuses[i] = queue->target->apply(queue->context, queue->batch[i]);
        if (is_fault(queue->statuses[i]))
            return queue->statuses[i];
    }
    return STORAGE_OK;
}

static enum storage_status commit(struct writer_queue *queue)
{
    uint64_t begun_us = monotonic_us();
    enum storage_status status = queue->target->commit(queue->context);
    queue->commit_us = monotonic_us() - begun_us;
    return status;
}

/* The rest of a batch, each write in a transaction of its own. */
static void transact_singly(struct writer_queue *queue, size_t writes)
{
    for (size_t i = 0; i < writes; i++) {
        enum storage_status status = queue->target->begin(queue->context);
        if (status != STORAGE_OK) {
            settle(queue, i, writes - i, status);
            return;
        }
        status = apply_all(queue, i, 1);
        if (status == STORAGE_OK)
            status = commit(queue);
        if (status != STORAGE_OK)
            queue->target->rollback(queue->context);
        settle(queue, i, 1, status);
    }
}

static void transact(struct writer_queue *queue, size_t writes)
{
    enum storage_status status = queue->target->begin(queue->context);
    if (status != STORAGE_OK) {
        settle(queue, 0, writes, status);
        return;
    }
    if (apply_all(queue, 0, writes) != STORAGE_OK) {
        queue->target->rollback(queue->context);
        transact_singly(queue, writes);
        return;
    }
    status = commit(queue);
    if (status != STORAGE_OK)
        queue->target->rollback(queue->context);
    settle(queue, 0, writes, status);
}

static size_t take_batch(struct writer_queue *queue)
{
    size_t writes = 0;
    while (queue->gathered && writes < WRITER_BATCH_MAX) {
        queue->batch[writes++] = queue->gathered;
        queue->gathered = queue->gathered->next;
    }
    return writes;
}

/* With the mutex held. */
static bool has_work(const struct writer_queue *queue)
{
    return queue->gathered || queue->head || queue->closing || queue->probes_done < queue->probes_wanted;
}

/* With the mutex held, which it gives up while it sleeps. False: `deadline` passed before anybody woke it. */
static bool sleep_until(struct writer_queue *queue, const struct timespec *deadline)
{
    int error = 0;
    queue->asleep = true;
    while (queue->asleep && error == 0)
        error = deadline ? pthread_cond_timedwait(&queue->work, &queue->mutex, deadline)
                         : pthread_cond_wait(&queue->work, &queue->mutex);
    queue->asleep = false;
    return error == 0;
}

/* With the mutex held, which it gives up meanwhile. */
static bool unlocked_tidy(struct writer_queue *queue, enum writer_pause pause)
{
    (void)pthread_mutex_unlock(&queue->mutex);
    bool done = queue->target->tidy(queue->context, pause);
    (void)pthread_mutex_lock(&queue->mutex);
    return done;
}

/* With the mutex held, which it gives up while it waits. */
static void wait_for_work(struct writer_queue *queue)
{
    while (!has_work(queue)) {
        bool is_tidy = queue->tidied == WRITER_IDLE;
        uint32_t pause_ms = queue->tidied == WRITER_BETWEEN ? queue->pauses.rest_ms : queue->pauses.idle_ms;
        struct timespec deadline = deadline_after(pause_ms);
        if (sleep_until(queue, is_tidy ? NULL : &deadline) || has_work(queue))
            continue;
        if (unlocked_tidy(queue, queue->tidied + 1))
            queue->tidied++;
    }
}

/* With the mutex held, which it gives up while it probes. */
static void answer_probes(struct writer_queue *queue)
{
    uint64_t wanted = queue->probes_wanted;
    if (queue->probes_done == wanted)
        return;
    (void)pthread_mutex_unlock(&queue->mutex);
    enum storage_status status = queue->target->probe(queue->context);
    (void)pthread_mutex_lock(&queue->mutex);
    queue->last = status;
    queue->probes_done = wanted;
    (void)pthread_cond_broadcast(&queue->probed);
}

/* Takes all that is queued, if nothing is left of what was. False: nothing is, and nothing will be. */
static bool gather(struct writer_queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    wait_for_work(queue);
    answer_probes(queue);
    if (!queue->gathered) {
        queue->gathered = queue->head;
        queue->head = NULL;
        queue->tail = &queue->head;
    }
    bool goes_on = queue->gathered || !queue->closing;
    (void)pthread_mutex_unlock(&queue->mutex);
    return goes_on;
}

static void *write_until_closed(void *argument)
{
    struct writer_queue *queue = argument;
    while (gather(queue)) {
        size_t writes = take_batch(queue);
        if (writes == 0)
            continue;
        transact(queue, writes);
        (void)queue->target->tidy(queue->context, WRITER_BETWEEN);
    }
    return NULL;
}

static bool init_conditions(struct writer_queue *queue)
{
    pthread_condattr_t monotonic;
    if (pthread_condattr_init(&monotonic) != 0)
        return false;
    bool ok = pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC) == 0 &&
              pthread_cond_init(&queue->work, &monotonic) == 0 &&
              pthread_cond_init(&queue->probed, &monotonic) == 0;
    (void)pthread_condattr_destroy(&monotonic);
    return ok && pthread_mutex_init(&queue->mutex, NULL) == 0;
}

static void free_queue(struct writer_queue *queue)
{
    (void)pthread_cond_destroy(&queue->work);
    (void)pthread_cond_destroy(&queue->probed);
    (void)pthread_mutex_destroy(&queue->mutex);
    free(queue);
}

struct writer_queue *writer_queue_create(const struct writer_target *target, void *context,
                                         const struct writer_pauses *pauses)
{
    struct writer_queue *queue = calloc(1, sizeof *queue);
    if (!queue)
        return NULL;
    queue->target = target;
    queue->context = context;
    queue->pauses = *pauses;
    queue->tidied = WRITER_IDLE;
    queue->tail = &queue->head;
    if (!init_conditions(queue)) {
        free(queue);
        return NULL;
    }
    if (pthread_create(&queue->thread, NULL, write_until_closed, queue) != 0) {
        free_queue(queue);
        return NULL;
    }
    return queue;
}

/* With the mutex held. True: the writer sleeps, and is to be signalled once the mutex is free, or it would wake
 * only to wait for that. */
static bool wakes(struct writer_queue *queue)
{
    bool was_asleep = queue->asleep;
    queue->asleep = false;
    return was_asleep;
}

void writer_queue_destroy(struct writer_queue *queue)
{
    if (!queue)
        return;
    (void)pthread_mutex_lock(&queue->mutex);
    queue->closing = true;
    queue->asleep = false;
    (void)pthread_cond_signal(&queue->work);
    (void)pthread_mutex_unlock(&queue->mutex);
    (void)pthread_join(queue->thread, NULL);
    free_queue(queue);
}

void writer_queue_submit(struct writer_queue *queue, struct storage_write *write)
{
    write->next = NULL;
    (void)pthread_mutex_lock(&queue->mutex);
    *queue->tail = write;
    queue->tail = &write->next;
    queue->counters.queue_length++;
    bool was_asleep = wakes(queue);
    (void)pthread_mutex_unlock(&queue->mutex);
    if (was_asleep)
        (void)pthread_cond_signal(&queue->work);
}

enum storage_status writer_queue_probe(struct writer_queue *queue)
{
    (void)pthread_mutex_lock(&queue->mutex);
    if (queue->last != STORAGE_OK) {
        uint64_t ticket = ++queue->probes_wanted;
        if (wakes(queue))
            (void)pthread_cond_signal(&queue->work);
        while (queue->probes_done < ticket)
            (void)pthread_cond_wait(&queue->probed, &queue->mutex);
    }
    enum storage_status status = queue->last;
    (void)pthread_mutex_unlock(&queue->mutex);
    return status;
}

void writer_queue_counters(struct writer_queue *queue, struct storage_counters *counters)
{
    (void)pthread_mutex_lock(&queue->mutex);
    *counters = queue->counters;
    (void)pthread_mutex_unlock(&queue->mutex);
}
