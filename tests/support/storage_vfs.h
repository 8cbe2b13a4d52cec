/* A disk that fails when it is told to: a layer over SQLite's file system, which becomes the default.
 *
 * Only files that SQLite itself opens are concerned. Any thread. */
#pragma once

#include <stdbool.h>

enum vfs_operation {
    VFS_WRITE_LOG,
    VFS_LENGTHEN_LOG, /* a write to it of more than a page: nothing of SQLite's own */
    VFS_SYNC_LOG,
    VFS_WRITE_FILE,
    VFS_SYNC_FILE,
    VFS_OPEN, /* of any file */
    VFS_OPERATION_COUNT
};

/* Before the first use of SQLite in the process. */
bool vfs_install(void);

/* The next `times` operations of the kind give the code of SQLite (negative: until vfs_heal). A failed sync
 * does not sync; a failed write writes nothing. */
void vfs_fail(enum vfs_operation operation, int times, int code);
void vfs_heal(void);

/* How often the operation was asked for since the process began. */
int vfs_count(enum vfs_operation operation);
