/* store_open: a store opened for a command, its status as an exit code.
 *
 * Layer: service. */
#pragma once

#include "service/commands/commands.h"
#include "storage/storage.h"

/* storage_open. On anything but EXIT_DONE the reason is on stderr; else `warning` has a sentence, or is empty. */
enum exit_code store_open(const char *url, const struct storage_options *options, struct storage **storage,
                          char warning[STORAGE_ERROR_SIZE]);
