/* A new SQLite file: made in one step.
 *
 * Layer: storage, private. */
#pragma once

#include "storage/file_lock.h"
#include "storage/sqlite_schema.h"

/* Makes a new store at `path`, whole or not at all, locked by `lock`; a process that is killed meanwhile leaves
 * a draft beside it, `path`.new-XXXXXXXX, which the next creation there removes. Errors as of storage_open;
 * STORAGE_OPEN_LOCKED when somebody else was first. */
enum storage_open_status sqlite_create(const char *path, const struct sqlite_schema *schema,
                                       struct file_lock *lock, char error[STORAGE_ERROR_SIZE]);

/* Gives a synced draft its name, for good, unless there is a file of that name. False, errno: it has not got it, and may be
 * gone. */
bool sqlite_create_place(const char *draft, const char *path);
