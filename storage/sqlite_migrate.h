/* How a file of an earlier schema is brought to this one: a copy beside it, then all migrations in one transaction.
 *
 * Layer: storage, private. On a connection of its own, before anybody else reads or writes; the file is locked by the
 * caller. A process that is killed meanwhile leaves the file whole, as it was or brought forward; what lies beside it
 * then, `path`.before-vN.new and its draft, the next start replaces. */
#pragma once

#include "storage/sqlite_copy.h"

/* Copies the file to `path`.before-vN and brings it to `original->schema`. Both are told to `work`, whose goes_on may
 * be NULL. On anything but STORAGE_OPENED the file is as it was, and `error` has one sentence: STORAGE_OPEN_REFUSED if
 * it is damaged, _STOPPED, _FAILED. */
enum storage_open_status sqlite_migrate(const struct sqlite_original *original,
                                        const struct storage_work *work, char error[STORAGE_ERROR_SIZE]);
