/* The one connection that writes and checkpoints: the target of the writer queue.
 *
 * Layer: storage, private. Opened and closed by the owner of the store, in between used by the queue's thread
 * only.
 *
 * After a failed fsync nobody knows what the disk has. What had been committed before is safe: its frames
 * were synced then. The frames of the failed commit lie behind them and must not come back. So the connection
 * is replaced (the new one is opened before the old one is closed: the index of the log in shared memory,
 * which does not know the failed frames, has to live on) and has to make a small commit of its own first,
 * which overwrites them; until that was synced, every write gets the fault. A checkpoint whose fsync fails is
 * made anew from the log. Left is one case: a process that dies between the two may find the failed write
 * stored when it comes back, and its client was told that nobody knew. */
#pragma once

#include "storage/sqlite_schema.h"
#include "storage/sqlite_health.h"
#include "storage/sqlite_sql.h"
#include "storage/writer_queue.h"

struct sqlite_writer {
    struct sqlite_db db;
    struct sqlite_health *health;
    struct storage_options options; /* with busy_ms set */
    bool broken;             /* a fault of the disk: replace the connection before the next transaction */
    int log_frames;          /* in the log at the last commit */
    int checkpointed_frames; /* in the log when it was last moved into the file */
    int64_t log_bytes;       /* of the log, at least, with what lies ready behind its frames; 0: not known */
};

/* Opens the file of `health`, brings the schema forward, prepares. `health` is told of faults and must outlive
 * it. */
enum storage_open_status sqlite_writer_open(struct sqlite_writer *writer, struct sqlite_health *health,
                                            const struct storage_options *options,
                                            const struct sqlite_schema *schema,
                                            char error[STORAGE_ERROR_SIZE]);

/* Moves the log into the file, if no other connection is left. */
void sqlite_writer_close(struct sqlite_writer *writer);

/* Runs a statement whose parameters are bound and that gives no row of interest. A fault is told to the health
 * of the store, and one of the disk breaks the connection. */
enum storage_status sqlite_writer_run(struct sqlite_writer *writer, enum sqlite_write_sql statement);

/* The same for the code that a statement gave. */
enum storage_status sqlite_writer_outcome(struct sqlite_writer *writer, int code);

/* Its context is the struct sqlite_writer. */
extern const struct writer_target sqlite_writer_target;
