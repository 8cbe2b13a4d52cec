#include "service/store_watch.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "service/log.h"
#include "service/monotonic.h"

enum { QUIET_MS = 60000 };

struct side {
    bool is_told;    /* a fault was, and its end was not */
    int64_t told_ms; /* when the last one was; 0: never */
    uint64_t untold; /* faults since then */
};

struct store_watch {
    struct log *log;
    pthread_mutex_t lock; /* of the sides */
    struct side sides[STORAGE_SIDE_COUNT];
};

static const struct {
    const char *fails, *works;
} MESSAGES[] = {
    [STORAGE_READS] = {"the store cannot be read", "the store can be read again"},
    [STORAGE_WRITES] = {"the store takes no writes", "the store takes writes again"},
};

struct store_watch *store_watch_create(struct log *log)
{
    struct store_watch *watch = calloc(1, sizeof *watch);
    if (!watch)
        return NULL;
    watch->log = log;
    pthread_mutex_init(&watch->lock, NULL);
    return watch;
}

void store_watch_destroy(struct store_watch *watch)
{
    if (!watch)
        return;
    pthread_mutex_destroy(&watch->lock);
    free(watch);
}

/* Resets what was counted; NULL where nothing was. */
static const char *take_untold(struct side *side, char text[24])
{
    if (side->untold == 0)
        return NULL;
    (void)snprintf(text, 24, "%" PRIu64, side->untold);
    side->untold = 0;
    return text;
}

static void tell_end(struct store_watch *watch, const struct store_note *note)
{
    struct side *side = &watch->sides[note->side];
    char untold[24];
    if (!side->is_told)
        return;
    side->is_told = false;
    log_event(watch->log, LOG_LEVEL_WARN, MESSAGES[note->side].works, "store", note->text, "suppressed",
              take_untold(side, untold), (char *)NULL);
}

static void tell_fault(struct store_watch *watch, const struct store_note *note)
{
    struct side *side = &watch->sides[note->side];
    char untold[24];
    if (side->told_ms && note->now_ms - side->told_ms < QUIET_MS) {
        side->untold++;
        return;
    }
    side->is_told = true;
    side->told_ms = note->now_ms;
    log_event(watch->log, LOG_LEVEL_ERROR, MESSAGES[note->side].fails, "reason",
              storage_status_text(note->status), "cause", note->text, "suppressed", take_untold(side, untold),
              (char *)NULL);
}

void store_watch_note(struct store_watch *watch, const struct store_note *note)
{
    pthread_mutex_lock(&watch->lock);
    if (note->status == STORAGE_OK)
        tell_end(watch, note);
    else
        tell_fault(watch, note);
    pthread_mutex_unlock(&watch->lock);
}

static void note_now(void *context, enum storage_side side, enum storage_status status, const char *text)
{
    const struct store_note note = {
        .side = side, .status = status, .text = text, .now_ms = monotonic_coarse_ms() + 1};
    store_watch_note(context, &note);
}

struct storage_watch store_watch_of(struct store_watch *watch)
{
    return (struct storage_watch){.context = watch, .note = note_now};
}
