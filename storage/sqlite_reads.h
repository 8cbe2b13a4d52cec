/* What SQLite reads, told while it reads: for work that is one long call to it.
 *
 * Layer: storage, private. A layer over SQLite's file system, for connections that are opened with its name. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Of the calling thread, which has one at a time. */
struct sqlite_reads {
    void *context;
    /* `bytes` have been read since the beginning. False: no more is read, every further read fails. */
    bool (*goes_on)(void *context, uint64_t bytes);
    uint64_t bytes;
    bool stopped; /* what has come of the reads since then means nothing */
};

/* The name of the layer; NULL, which is that of the usual file system, where there is none. */
const char *sqlite_reads_vfs(void);

/* The same over files without locks and shared memory: for who knows that nobody writes. NULL: SQLite was built without. */
const char *sqlite_reads_vfs_alone(void);

/* From now on the reads of this thread are told to it, until the next call; NULL: to nobody. */
void sqlite_reads_watch(struct sqlite_reads *reads);
