/* One writing process a database file, or any that only read it and want it to stay as it is.
 *
 * Layer: storage, private. The lock is an open-file-description lock on one byte far behind the end of the
 * database file itself (SQLite's own locks lie below 2^31, its largest file ends below 2^48). Why there and
 * not in a file beside it: nothing is left lying about that somebody deletes while it matters, every name of
 * the file (symbolic and hard links, bind mounts) meets the same lock, and it dies with the process. Closing
 * any descriptor of a file drops the POSIX locks that SQLite holds on it in this process. So the descriptor
 * is closed last, after all connections, and a file that this process has locked already is recognised
 * without opening it. Close read-only stores of a file before the writing one. */
#pragma once

#include <sys/types.h>

#include "storage/storage.h"

struct file_lock {
    int fd; /* open as `flags` say */
    dev_t device;
    ino_t inode;
    struct file_lock *next;
};

/* Opens `path` with `flags` and locks it: with O_RDWR for itself alone, with O_RDONLY together with others who read.
 * STORAGE_OPENED, _LOCKED or _FAILED; the sentence of a failure is in `error`. *lock must stay where it is until it is
 * dropped. */
enum storage_open_status file_lock_take(struct file_lock *lock, const char *path, int flags,
                                        char error[STORAGE_ERROR_SIZE]);

/* Unlocks and closes. */
void file_lock_drop(struct file_lock *lock);
