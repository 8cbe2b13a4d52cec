/* Receipts: what was answered to requests that may be repeated, found again, kept, and removed when they are old. */
#include <pthread.h>

#include "games/internal.h"

enum { EXPIRE_PAUSE_MS = 60000 /* between two removals, unless the first has left something to remove */ };

#define NO_RECEIPT INT64_MAX

/* In the store's thread, or before it has anything to do: no receipt arrives meanwhile. */
static enum storage_status look_for_oldest(struct games *games)
{
    int64_t oldest_ms = -1;
    enum storage_status status = storage_oldest_receipt(games->storage, &oldest_ms);
    if (oldest_ms > SERVICE_MS_MAX) /* damage; sums stay numbers */
        oldest_ms = SERVICE_MS_MAX;
    if (status == STORAGE_OK)
        atomic_store(&games->receipts.oldest_ms, oldest_ms < 0 ? NO_RECEIPT : oldest_ms);
    return status;
}

bool receipts_init(struct games *games)
{
    struct receipts *receipts = &games->receipts;
    receipts->expired_ms = -EXPIRE_PAUSE_MS;
    atomic_init(&receipts->oldest_ms, NO_RECEIPT);
    atomic_init(&receipts->expires, false);
    atomic_init(&receipts->goes_on, false);
    return !games->storage || look_for_oldest(games) == STORAGE_OK;
}

bool receipts_are_kept(const struct games *games)
{
    return atomic_load(&games->receipts.oldest_ms) != NO_RECEIPT;
}

/* Times rise but for those of requests that overtake each other: what is old is removed a moment too late then. */
void receipts_stored(struct games *games, const struct storage_receipt *receipt)
{
    int64_t none = NO_RECEIPT;
    if (receipt && atomic_compare_exchange_strong(&games->receipts.oldest_ms, &none, receipt->service_ms))
        timers_wake(&games->timers);
}

static void expired(struct storage_write *write, enum storage_status status)
{
    struct games *games = write->owner;
    struct receipts *receipts = &games->receipts;
    /* Where one of them fails, the next removal looks again. */
    bool looked = status == STORAGE_OK && look_for_oldest(games) == STORAGE_OK;
    bool goes_on = looked && atomic_load(&receipts->oldest_ms) < write->service_ms;
    atomic_store(&receipts->goes_on, goes_on);
    atomic_store(&receipts->expires, false);
    if (goes_on)
        timers_wake(&games->timers);
    own_end(&games->own);
}

static void expire(struct games *games, int64_t now_ms)
{
    struct receipts *receipts = &games->receipts;
    receipts->expired_ms = now_ms;
    if (atomic_exchange(&receipts->expires, true))
        return;
    atomic_store(&receipts->goes_on, false);
    own_begin(&games->own);
    receipts->expiry = (struct storage_write){.kind = STORAGE_EXPIRE,
                                              .service_ms = now_ms - games->settings.receipts_ms + 1,
                                              .done = expired,
                                              .owner = games};
    storage_submit(games->storage, &receipts->expiry);
}

int64_t receipts_tick(struct games *games, int64_t now_ms)
{
    const struct receipts *receipts = &games->receipts;
    int64_t oldest_ms = atomic_load(&receipts->oldest_ms);
    if (oldest_ms == NO_RECEIPT)
        return -1;
    int64_t due_ms = oldest_ms + games->settings.receipts_ms;
    if (!atomic_load(&receipts->goes_on) && due_ms < receipts->expired_ms + EXPIRE_PAUSE_MS)
        due_ms = receipts->expired_ms + EXPIRE_PAUSE_MS;
    if (due_ms > now_ms)
        return due_ms - now_ms;
    expire(games, now_ms);
    return EXPIRE_PAUSE_MS;
}

/* ---- found and kept ------------------------------------------------------------------------------------ */

struct taking {
    void (*take)(void *context, const struct storage_receipt *receipt);
    void *context;
};

static bool take_row(void *context, const struct storage_receipt *row)
{
    const struct taking *taking = context;
    taking->take(taking->context, row);
    return true;
}

enum games_status games_receipt(struct games *games, const uint8_t *id,
                                void (*take)(void *context, const struct storage_receipt *receipt),
                                void *context)
{
    struct taking taking = {take, context};
    const struct storage_rows rows = {.context = &taking, .receipt = take_row};
    switch (storage_receipt(games->storage, id, &rows)) {
    case STORAGE_OK:
        return GAMES_OK;
    case STORAGE_NOT_FOUND:
        return GAMES_NOT_FOUND;
    case STORAGE_CONFLICT:
    case STORAGE_STOPPED:
    case STORAGE_DAMAGED:
    case STORAGE_BUSY:
    case STORAGE_FULL:
    case STORAGE_UNAVAILABLE:
        break;
    }
    return GAMES_UNAVAILABLE;
}

struct keeping {
    struct storage_write write;
    struct games *games;
    pthread_mutex_t lock;
    pthread_cond_t done;
    bool is_done;
    enum storage_status status;
};

static void kept(struct storage_write *write, enum storage_status status)
{
    struct keeping *keeping = write->owner;
    if (status == STORAGE_OK)
        receipts_stored(keeping->games, write->receipt);
    pthread_mutex_lock(&keeping->lock);
    keeping->status = status;
    keeping->is_done = true;
    pthread_cond_signal(&keeping->done);
    pthread_mutex_unlock(&keeping->lock);
}

static void await(struct keeping *keeping)
{
    pthread_mutex_lock(&keeping->lock);
    while (!keeping->is_done)
        pthread_cond_wait(&keeping->done, &keeping->lock);
    pthread_mutex_unlock(&keeping->lock);
}

enum action_outcome games_keep_receipt(struct games *games, const struct storage_receipt *receipt)
{
    struct keeping keeping = {
        .games = games,
        .write = {.kind = STORAGE_KEEP, .receipt = receipt, .done = kept, .owner = &keeping},
    };
    pthread_mutex_init(&keeping.lock, NULL);
    pthread_cond_init(&keeping.done, NULL);
    storage_submit(games->storage, &keeping.write);
    await(&keeping);
    pthread_cond_destroy(&keeping.done);
    pthread_mutex_destroy(&keeping.lock);
    return outcome_of_write(keeping.status);
}
