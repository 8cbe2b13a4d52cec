/* One connection to SQLite: opened hardened, its statements prepared once, its errors turned into statuses.
 *
 * Layer: storage, private. A connection belongs to one thread at a time (SQLITE_OPEN_NOMUTEX). */
#pragma once

#include <sqlite3.h>

#include "storage/storage.h"

enum { SQLITE_STATEMENTS_MAX = 24, SQLITE_FAULT_SIZE = 256 };

struct sqlite_db {
    sqlite3 *handle;
    sqlite3_stmt *statements[SQLITE_STATEMENTS_MAX];
    char fault[SQLITE_FAULT_SIZE]; /* the words of the first fault that nobody has taken; empty: none */
    bool found_damage;             /* one of its faults was that the file is no sound database */
    struct sqlite_walk *walk;      /* what a running statement of sqlite_steps.h walks along */
};

struct sqlite_db_setup {
    const char *name; /* file name, or URI with SQLITE_OPEN_URI among the flags */
    int flags;        /* of sqlite3_open_v2 */
    uint32_t busy_ms;
    const char *vfs; /* NULL: the usual one */
    /* For reading alone: opens where the file is shorter than it says, or its schema is odd. */
    bool even_damaged;
    const char *pragmas; /* run after the hardening; NULL for none */
};

/* SQLITE_OK, or the code that stopped it: then sqlite_db_text says why and sqlite_db_close has to be called
 * too. */
int sqlite_db_open(struct sqlite_db *db, const struct sqlite_db_setup *setup);

/* Prepares the texts of `sql`, up to NULL, into statements[]. SQLITE_OK, or the code that stopped it. */
int sqlite_db_prepare(struct sqlite_db *db, const char *const *sql);

/* Finalizes and closes; zeroed or half-open is fine. */
void sqlite_db_close(struct sqlite_db *db);

/* Why the last call failed, as words for a sentence. */
const char *sqlite_db_text(const struct sqlite_db *db);

/* The one number that `sql` gives; false if it fails or gives none. */
bool sqlite_db_number(sqlite3 *db, const char *sql, sqlite3_int64 *number);

/* STORAGE_OK for SQLITE_OK, _ROW and _DONE; STORAGE_CONFLICT for a unique or foreign key; else a fault, whose
 * words are kept in db->fault: call it before anything else is done with the connection. */
enum storage_status sqlite_db_status(struct sqlite_db *db, int code);

/* Keeps SQLite's words for the last failure, `code`, as those of a fault. */
void sqlite_db_keep_fault(struct sqlite_db *db, int code);
/* Keeps other words. */
void sqlite_db_keep_words(struct sqlite_db *db, const char *words);

/* Steps a statement that gives no row of interest, and resets it. SQLITE_OK, or what went wrong; SQLITE_FULL
 * for a quota or a limit of the system too. */
int sqlite_db_run(struct sqlite_db *db, int statement);

/* Did a column of this row come as NULL for want of memory? It must not pass for an SQL NULL. */
bool sqlite_db_is_out_of_memory(sqlite3_stmt *row);

/* NULL is SQL NULL. The text must live until the statement was reset; it is not copied,
 * so nothing can fail. */
void sqlite_db_bind_text(sqlite3_stmt *statement, int index, const char *text);

/* As sqlite_db_bind_text, but NULL is no SQL NULL: it stands for no bytes. */
void sqlite_db_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t length);
