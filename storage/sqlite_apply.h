/* What each kind of write does to the tables, within the transaction of the writer.
 *
 * Layer: storage, private. Threads: the writer's. */
#pragma once

#include "storage/sqlite_write.h"

/* `apply` of the writer queue: an outcome has changed nothing, after a fault the transaction has to be rolled back. */
enum storage_status sqlite_apply(struct sqlite_writer *writer, struct storage_write *write);
