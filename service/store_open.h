/* store_open: a store opened for a command, its status as an exit code. How far it is brought to a new schema, if it has
 * an earlier one, is told on stderr (progress.h) and to the service manager, and a blocked signal that ends the process
 * stops it: EXIT_SIGNALLED and its number.
 *
 * Layer: service. */
#pragma once

#include "service/commands/commands.h"
#include "storage/storage.h"

/* For a store that another process is about to leave. */
struct store_patience {
    int64_t ms; /* how long to wait; less where a signal that ends the process is pending */
    void (*on_wait)(void *context); /* called once, before it waits */
    void *context;
};

/* storage_open. On anything but EXIT_DONE the reason is on stderr; else `warning` has a sentence, or is empty. */
enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE]);
/* The same, and it waits while the store is in use; EXIT_SIGNALLED and its number where a signal ends the waiting. */
enum exit_code store_open_patiently(const char *url, const struct storage_options *options,
                                    const struct store_patience *patience, struct storage **storage,
                                    char warning[STORAGE_ERROR_SIZE]);
/* store_open for a command that logs nothing: a warning, too, is on stderr. */
enum exit_code store_open_told(const char *url, const struct storage_options *options,
                               struct storage **storage);
