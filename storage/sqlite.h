/* The embedded backend: one SQLite file, one process that writes it.
 *
 * Layer: storage, private. No other layer and no other file but these includes sqlite3.h:
 *   sqlite.c         opens and closes: path, lock, check, writer, readers; hands each call to its part
 *   file_lock.c      one writing process a file
 *   sqlite_create.c  makes a new file in one step
 *   sqlite_file.c    looks at an old one without a trace
 *   sqlite_schema.c  the tables; migrations
 *   sqlite_migrate.c an earlier schema brought forward
 *   sqlite_sql.c     all statements
 *   sqlite_db.c      one hardened connection; its errors as statuses
 *   sqlite_write.c   the connection that writes and checkpoints, driven by writer_queue.c; failing disks
 *   sqlite_apply.c   what each kind of write does to the tables
 *   sqlite_pool.c    connections for reading
 *   sqlite_read.c    the reads
 *   sqlite_chain.c   the log of one game, read along its chain
 *   sqlite_steps.c   what makes a walk along a chain one statement
 *   sqlite_inspect.c what is wrong with a file
 *   sqlite_copy.c    a copy beside whoever writes
 *   sqlite_reads.c   what is read, told while it is
 * To add a statement: a row in sqlite_sql.[ch]. To change the schema: append to the migrations, and run
 * tests/storage. */
#pragma once

#include "storage/backend.h"
#include "storage/sqlite_schema.h"

/* Backend of "sqlite:PATH". */
storage_opener sqlite_open;

/* Of SQLite, as it runs: "3.40.1". */
const char *sqlite_version(void);

/* The same with another history of the schema: for tests of migrations. */
enum storage_open_status sqlite_open_schema(const char *path, const struct storage_options *options,
                                            const struct sqlite_schema *schema, struct storage **storage,
                                            char error[STORAGE_ERROR_SIZE]);
