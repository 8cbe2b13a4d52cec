/* store_open: a store opened for a command, its status as an exit code.
 *
 * Layer: service. */
#pragma once

#include "service/commands/commands.h"
#include "storage/storage.h"

/* storage_open. On anything but EXIT_DONE the reason is on stderr; else `warning` has a sentence, or is empty. */
enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE]);
/* The same for a command that logs nothing: a warning, too, is on stderr. */
enum exit_code store_open_told(const char *url, const struct storage_options *options,
                               struct storage **storage);
