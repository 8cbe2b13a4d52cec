/* A storage that fails when it is told to, around one that works; for tests of the layers above.
 *
 * It behaves as storage.h says, `done` in one thread of its own included. Each kind of call is counted, from
 * 1 for the next one after faulty_fail. A write that is made to fail never reaches the storage inside. Held
 * commits: what is submitted waits, neither stored nor answered, until faulty_release; then all of it is one
 * batch. So a test can look at the time between submit and durable. */
#pragma once

#include "storage/storage.h"

enum faulty_call {
    FAULTY_LOAD,
    FAULTY_MOVES,
    FAULTY_ACTIONS_AFTER,
    FAULTY_WATCHED,
    FAULTY_ALL,
    FAULTY_SERVICE_MS,
    FAULTY_RECEIPT,
    FAULTY_OLDEST_RECEIPT,
    FAULTY_LIST,
    FAULTY_READY,
    FAULTY_WRITE,  /* one of a batch; its neighbours are stored */
    FAULTY_COMMIT, /* of a batch: all its writes */
    FAULTY_CALL_COUNT
};

/* Takes `inner` over: closing the result closes it. Fails the running cmocka test if memory is out. */
struct storage *faulty_wrap(struct storage *inner);

/* The nth call of the kind from now on, 1 being the next, gives `status` instead of being made; once. */
void faulty_fail(struct storage *storage, enum faulty_call call, unsigned nth, enum storage_status status);

/* All calls of the kind do, until faulty_heal. */
void faulty_fail_always(struct storage *storage, enum faulty_call call, enum storage_status status);

/* Takes back all faults that have not come yet. */
void faulty_heal(struct storage *storage);

/* How many calls of the kind were made, failed ones included. */
uint64_t faulty_calls(struct storage *storage, enum faulty_call call);

void faulty_hold(struct storage *storage);
void faulty_release(struct storage *storage);

/* Calls of the kind wait from now on, and go on after faulty_resume. */
void faulty_pause(struct storage *storage, enum faulty_call call);
/* The next call of the kind alone does. */
void faulty_pause_next(struct storage *storage, enum faulty_call call);
void faulty_resume(struct storage *storage, enum faulty_call call);
/* Waits until so many of them wait. */
void faulty_await_paused(struct storage *storage, enum faulty_call call, unsigned calls);

/* Waits until so many writes are held back. */
void faulty_await_held(struct storage *storage, size_t writes);
