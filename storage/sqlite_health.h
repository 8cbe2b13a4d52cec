/* What a store knows of its own health: the faults it has met, and whether its file is still in its place.
 *
 * Layer: storage, private. Memory: the caller's. Threads: any, after sqlite_health_init. */
#pragma once

#include <pthread.h>

#include "storage/file_lock.h"
#include "storage/sqlite_db.h"

struct sqlite_health {
    const char *path;
    const struct file_lock *lock; /* of the file as it was opened; NULL if read only */
    pthread_mutex_t mutex;        /* of all that follows */
    struct storage_watch watch;
    bool failing[STORAGE_SIDE_COUNT];
    bool damaged; /* SQLite has found the file damaged: that does not heal */
    /* The last faults that sqlite_health_take has not told. That of writes is over with a write that goes well; that of a
     * read is not over with another read. */
    enum storage_status untold[STORAGE_SIDE_COUNT];
    char text[STORAGE_ERROR_SIZE];
};

/* `path` must outlive it. */
void sqlite_health_init(struct sqlite_health *health, const char *path);

/* From now on faults are told to `watch`. */
void sqlite_health_watch(struct sqlite_health *health, const struct storage_watch *watch);

/* Something failed with `status`; SQLite's words are those in db->fault, which is emptied. */
void sqlite_health_fault(struct sqlite_health *health, enum storage_side side, enum storage_status status,
                         struct sqlite_db *db);

/* Something went well. */
void sqlite_health_fine(struct sqlite_health *health, enum storage_side side);

/* A fault since the last call that is not over, if there was one, else STORAGE_OK; always a fault once the file is damaged. */
enum storage_status sqlite_health_take(struct sqlite_health *health);

/* False, and a fault: the path names no file or another one, so what is written now is lost in the end. */
bool sqlite_health_in_place(struct sqlite_health *health);
