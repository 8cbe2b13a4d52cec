/* Two parts for SQL of a connection, by which one statement walks from row to row as the program says:
 *
 *     SELECT 1 FROM steps CROSS JOIN actions a ON a.seq = steps.seq WHERE take(a.previous, …)
 *
 * `steps` is a table whose next row is asked for when the last one is done with; `take` is never true, and hands over
 * the columns of each row. So a walk is one call of sqlite3_step, while a statement a row would open and close
 * everything each time: twice the instructions.
 *
 * Layer: storage, private. Threads: that of the connection. */
#pragma once

#include "storage/sqlite_db.h"

struct sqlite_walk {
    /* `seq` of the row to go to, or false: the walk is over. */
    bool (*next)(struct sqlite_walk *walk, sqlite3_int64 *seq);
    /* The arguments of `take`. SQLITE_OK, or a code with which the statement fails. */
    int (*take)(struct sqlite_walk *walk, sqlite3_value *const *columns);
};

/* Makes `steps` and `take` known to the connection. They serve db->walk, whatever it is at that moment: `db` must stay
 * where it is. SQLITE_OK, or the code that stopped it. */
int sqlite_steps_install(struct sqlite_db *db);
