#include "service/store_open.h"

#include <signal.h>
#include <stdio.h>

#include "service/monotonic.h"

enum { LOOK_MS = 20 };

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
    return CODES[status];
}

enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE])
{
    return tell(storage_open(url, options, storage, warning), warning);
}

/* Signals are blocked while a service starts. */
static bool is_told_to_end(void)
{
    sigset_t pending;
    return sigpending(&pending) == 0 &&
           (sigismember(&pending, SIGTERM) == 1 || sigismember(&pending, SIGINT) == 1);
}

enum exit_code store_open_patiently(const char *url, const struct storage_options *options,
                                    const struct store_patience *patience, struct storage **storage,
                                    char warning[STORAGE_ERROR_SIZE])
{
    const struct timespec look = {.tv_nsec = LOOK_MS * 1000000L};
    int64_t until_ms = monotonic_ms() + patience->ms;
    enum storage_open_status status = storage_open(url, options, storage, warning);
    if (status == STORAGE_OPEN_LOCKED && patience->ms)
        patience->on_wait(patience->context);
    while (status == STORAGE_OPEN_LOCKED && monotonic_ms() < until_ms && !is_told_to_end()) {
        (void)nanosleep(&look, NULL);
        status = storage_open(url, options, storage, warning);
    }
    return tell(status, warning);
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
