/* The group-commit writer: one thread that turns queued writes into transactions.
 *
 * Layer: storage, private; knows no backend. It commits at once when idle and takes all that gathered
 * meanwhile, up to WRITER_BATCH_MAX, as the next batch; nothing waits on a timer. What a backend has to know:
 * all calls of a target come from the writer's thread, begin .. commit or rollback around the applies. A
 * batch that a write has broken is rolled back and done over, each write in a transaction of its own, so that
 * only the one to blame fails; if a commit fails, every write of the batch gets the fault. Threads: submit,
 * probe and counters from any thread, also from a `done`; create and destroy from one. */
#pragma once

#include "storage/storage.h"

enum { WRITER_BATCH_MAX = 256 };

/* How long nothing has come to be written. */
enum writer_pause { WRITER_BETWEEN, WRITER_RESTING, WRITER_IDLE };

/* Until the writer rests, and from there until it is idle. */
struct writer_pauses {
    uint32_t rest_ms, idle_ms;
};

struct writer_target {
    /* Opens a transaction, after mending what an earlier fault has broken. A fault fails the whole batch. */
    enum storage_status (*begin)(void *context);
    /* Outcome other than STORAGE_OK: the write is refused and has changed nothing. Fault: the write may have
     * changed something, or the transaction is gone. */
    enum storage_status (*apply)(void *context, struct storage_write *write);
    /* STORAGE_OK once durable; a fault if nothing is stored. */
    enum storage_status (*commit)(void *context);
    /* Ends the transaction after a fault of apply or commit; it may be gone already. */
    void (*rollback)(void *context);
    /* A transaction of the backend's own, to see whether the disk takes writes again. */
    enum storage_status (*probe)(void *context);
    /* Housekeeping: after each batch was answered, and once at each pause that follows. False: again, when the pause
     * has lasted as long once more. */
    bool (*tidy)(void *context, enum writer_pause pause);
};

struct writer_queue;

/* Starts the thread; `target` and `context` must outlive the queue. NULL if memory or threads are out. */
struct writer_queue *writer_queue_create(const struct writer_target *target, void *context,
                                         const struct writer_pauses *pauses);

/* Does what is queued, then ends the thread. NULL is fine. */
void writer_queue_destroy(struct writer_queue *queue);

void writer_queue_submit(struct writer_queue *queue, struct storage_write *write);

/* STORAGE_OK if the last transaction went well; else waits for a probe and returns its status. Not from
 * `done`. */
enum storage_status writer_queue_probe(struct writer_queue *queue);

void writer_queue_counters(struct writer_queue *queue, struct storage_counters *counters);
