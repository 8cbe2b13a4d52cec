#include "service/store_open.h"

#include <inttypes.h>
#include <signal.h>
#include <stdio.h>

#include "service/monotonic.h"
#include "service/progress.h"
#include "service/systemd.h"

enum { LOOK_MS = 20, NOTIFY_MS = 1000 };

/* A store of an earlier schema is brought forward, which may take minutes. The service manager is asked to wait for so
 * long behind each time that it is told: also for the sync of all at the end, of which nothing is told. */
#define PATIENCE "EXTEND_TIMEOUT_USEC=300000000"

struct opening {
    struct progress progress;
    int64_t notified_ms;
};

/* The signal that ends the process and is blocked, as while a service starts; 0: none has come. */
static int pending_end(void)
{
    sigset_t pending;
    if (sigpending(&pending) != 0)
        return 0;
    return sigismember(&pending, SIGTERM) == 1 ? SIGTERM : sigismember(&pending, SIGINT) == 1 ? SIGINT : 0;
}

static void notify(struct opening *opening, uint64_t done_bytes, uint64_t total_bytes)
{
    char state[128];
    int64_t now_ms = monotonic_coarse_ms();
    if (now_ms - opening->notified_ms < NOTIFY_MS)
        return;
    opening->notified_ms = now_ms;
    (void)snprintf(state, sizeof state,
                   PATIENCE "\nSTATUS=Bringing the store to a new schema: %" PRIu64 " %%",
                   total_bytes ? done_bytes * 100 / total_bytes : 0);
    (void)systemd_notify(state);
}

static bool goes_on(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    struct opening *opening = context;
    opening->progress.total_bytes = total_bytes;
    progress_tell(&opening->progress, 0, done_bytes);
    notify(opening, done_bytes, total_bytes);
    return pending_end() == 0;
}

static enum storage_open_status open_told(const char *url, const struct storage_options *options,
                                          struct storage **storage, char warning[STORAGE_ERROR_SIZE])
{
    struct opening opening = {.notified_ms = 0};
    struct storage_options told = *options;
    told.work = (struct storage_work){.context = &opening, .goes_on = goes_on};
    progress_begin_bytes(&opening.progress, "the store's new schema", 0);
    enum storage_open_status status = storage_open(url, &told, storage, warning);
    progress_clear(&opening.progress);
    return status;
}

static enum exit_code tell(enum storage_open_status status, const char *reason)
{
    static const enum exit_code CODES[] = {
        [STORAGE_OPENED] = EXIT_DONE,
        [STORAGE_OPEN_REFUSED] = EXIT_REFUSED,
        [STORAGE_OPEN_LOCKED] = EXIT_LOCKED,
        [STORAGE_OPEN_FAILED] = EXIT_FAILED,
    };
    if (status != STORAGE_OPENED)
        (void)fprintf(stderr, "arbiterd: %s\n", reason);
    return status == STORAGE_OPEN_STOPPED ? (enum exit_code)(EXIT_SIGNALLED + pending_end()) : CODES[status];
}

enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE])
{
    return tell(open_told(url, options, storage, warning), warning);
}

enum exit_code store_open_patiently(const char *url, const struct storage_options *options,
                                    const struct store_patience *patience, struct storage **storage,
                                    char warning[STORAGE_ERROR_SIZE])
{
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    int64_t until_ms = monotonic_ms() + patience->ms;
    enum storage_open_status status = open_told(url, options, storage, warning);
    if (status == STORAGE_OPEN_LOCKED && patience->ms)
        patience->on_wait(patience->context);
    while (status == STORAGE_OPEN_LOCKED && monotonic_ms() < until_ms && !pending_end()) {
        (void)nanosleep(&look, NULL);
        status = open_told(url, options, storage, warning);
    }
    enum exit_code code = tell(status, warning);
    bool is_ended = code == EXIT_LOCKED && patience->ms && pending_end();
    return is_ended ? (enum exit_code)(EXIT_SIGNALLED + pending_end()) : code;
}

enum exit_code store_open_told(const char *url, const struct storage_options *options,
                               struct storage **storage)
{
    char warning[STORAGE_ERROR_SIZE] = "";
    enum exit_code code = store_open(url, options, storage, warning);
    if (code == EXIT_DONE && *warning)
        (void)fprintf(stderr, "arbiterd: %s\n", warning);
    return code;
}
