/* A copy of the file beside whoever writes it; see storage_copy.
 *
 * Layer: storage, private. One snapshot is read, on a connection of its own that neither writes nor moves the log into
 * the file: so nothing begins anew however much is written meanwhile, and the writer, who waits for nobody, finds room
 * for what it writes in its log. */
#pragma once

#include "storage/sqlite_schema.h"

struct sqlite_original {
    const char *path, *name; /* as it is told, and as it is opened to read: a URI, or the path again */
    const struct sqlite_schema *schema;
    uint32_t busy_ms;
};

enum storage_copy_status sqlite_copy(const struct sqlite_original *original, const char *path,
                                     const struct storage_work *work, char error[STORAGE_ERROR_SIZE]);
