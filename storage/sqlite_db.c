#include "storage/sqlite_db.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>

/* What a file may make us do, whoever has had it in his hands: no double-quoted strings, no writing of the
 * schema by SQL, no functions with side effects in views and triggers, no extensions. */
static const struct setting {
    int verb;
    int value;
} hardening[] = {
    {SQLITE_DBCONFIG_DQS_DML, 0},        {SQLITE_DBCONFIG_DQS_DDL, 0},
    {SQLITE_DBCONFIG_DEFENSIVE, 1},      {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
    {SQLITE_DBCONFIG_ENABLE_FKEY, 1},    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0},
    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 1}, {SQLITE_DBCONFIG_ENABLE_VIEW, 1},
};

static int harden(sqlite3 *handle)
{
    for (size_t i = 0; i < sizeof hardening / sizeof hardening[0]; i++) {
        int now = -1;
        int code = sqlite3_db_config(handle, hardening[i].verb, hardening[i].value, &now);
        if (code != SQLITE_OK)
            return code;
        if (now != hardening[i].value)
            return SQLITE_MISUSE;
    }
    return SQLITE_OK;
}

/* The file of a layer without shared memory: exclusive locking keeps the log's index in our own. Whoever has locked it so
 * tidies up at the end, which is not ours. */
static int keep_index_to_ourselves(sqlite3 *handle)
{
    sqlite3_file *file = NULL;
    (void)sqlite3_file_control(handle, "main", SQLITE_FCNTL_FILE_POINTER, &file);
    if (!file || !file->pMethods || (file->pMethods->iVersion >= 2 && file->pMethods->xShmMap))
        return SQLITE_OK;
    int code = sqlite3_db_config(handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    return code == SQLITE_OK ? sqlite3_exec(handle, "PRAGMA locking_mode=EXCLUSIVE", NULL, NULL, NULL) : code;
}

/* To whoever could write the schema SQLite shows what there is, and lets him mend it. */
static int show_what_there_is(sqlite3 *handle)
{
    int code = sqlite3_db_config(handle, SQLITE_DBCONFIG_DEFENSIVE, 0, NULL);
    return code == SQLITE_OK ? sqlite3_db_config(handle, SQLITE_DBCONFIG_WRITABLE_SCHEMA, 1, NULL) : code;
}

int sqlite_db_prepare(struct sqlite_db *db, const char *const *sql)
{
    for (size_t i = 0; sql[i]; i++) {
        int code =
            sqlite3_prepare_v3(db->handle, sql[i], -1, SQLITE_PREPARE_PERSISTENT, &db->statements[i], NULL);
        if (code != SQLITE_OK)
            return code;
    }
    return SQLITE_OK;
}

int sqlite_db_open(struct sqlite_db *db, const struct sqlite_db_setup *setup)
{
    *db = (struct sqlite_db){0};
    int flags = setup->flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
    int code = sqlite3_open_v2(setup->name, &db->handle, flags, setup->vfs);
    if (code == SQLITE_OK)
        code = sqlite3_busy_timeout(db->handle, (int)setup->busy_ms);
    if (code == SQLITE_OK)
        code = harden(db->handle);
    if (code == SQLITE_OK)
        code = keep_index_to_ourselves(db->handle);
    if (code == SQLITE_OK && setup->even_damaged)
        code = show_what_there_is(db->handle);
    if (code == SQLITE_OK && setup->pragmas)
        code = sqlite3_exec(db->handle, setup->pragmas, NULL, NULL, NULL);
    return code;
}

void sqlite_db_close(struct sqlite_db *db)
{
    for (size_t i = 0; i < SQLITE_STATEMENTS_MAX; i++)
        (void)sqlite3_finalize(db->statements[i]);
    (void)sqlite3_close(db->handle);
    *db = (struct sqlite_db){0};
}

const char *sqlite_db_text(const struct sqlite_db *db)
{
    if (!db->handle)
        return strerror(ENOMEM);
    int error = sqlite3_system_errno(db->handle);
    int family = sqlite3_errcode(db->handle) & 0xff; /* the connection gives extended codes */
    bool from_system = family == SQLITE_IOERR || family == SQLITE_CANTOPEN;
    return from_system && error ? strerror(error) : sqlite3_errmsg(db->handle);
}

bool sqlite_db_number(sqlite3 *db, const char *sql, sqlite3_int64 *number)
{
    sqlite3_stmt *statement = NULL;
    bool ok = sqlite3_prepare_v2(db, sql, -1, &statement, NULL) == SQLITE_OK &&
              sqlite3_step(statement) == SQLITE_ROW;
    if (ok)
        *number = sqlite3_column_int64(statement, 0);
    (void)sqlite3_finalize(statement);
    return ok;
}

/* SQLite itself says SQLITE_FULL only for ENOSPC, and keeps the error of the system to itself in a COMMIT. */
static bool is_full(int code)
{
    return (code & 0xff) == SQLITE_IOERR && (errno == ENOSPC || errno == EDQUOT || errno == EFBIG);
}

int sqlite_db_run(struct sqlite_db *db, int statement)
{
    errno = 0;
    int code = sqlite3_step(db->statements[statement]);
    if (is_full(code))
        code = SQLITE_FULL;
    int reset = sqlite3_reset(db->statements[statement]);
    return code == SQLITE_DONE || code == SQLITE_ROW ? reset : code;
}

static enum storage_status status_of_constraint(int code)
{
    switch (code) {
    case SQLITE_CONSTRAINT_PRIMARYKEY:
    case SQLITE_CONSTRAINT_UNIQUE:
    case SQLITE_CONSTRAINT_ROWID:
    case SQLITE_CONSTRAINT_FOREIGNKEY:
        return STORAGE_CONFLICT;
    default:
        return STORAGE_UNAVAILABLE;
    }
}

static enum storage_status status_of(int code)
{
    switch (code & 0xff) {
    case SQLITE_OK:
    case SQLITE_ROW:
    case SQLITE_DONE:
        return STORAGE_OK;
    case SQLITE_CONSTRAINT:
        return status_of_constraint(code);
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
    case SQLITE_PROTOCOL:
        return STORAGE_BUSY;
    case SQLITE_FULL:
        return STORAGE_FULL;
    default:
        return STORAGE_UNAVAILABLE;
    }
}

void sqlite_db_keep_fault(struct sqlite_db *db, int code)
{
    int family = code & 0xff;
    db->found_damage |= family == SQLITE_CORRUPT || family == SQLITE_NOTADB;
    if (*db->fault)
        return;
    bool is_known = db->handle && sqlite3_errcode(db->handle) != SQLITE_OK;
    (void)snprintf(db->fault, sizeof db->fault, "%s (SQLite error %d)",
                   is_known ? sqlite_db_text(db) : sqlite3_errstr(code), code);
}

void sqlite_db_keep_words(struct sqlite_db *db, const char *words)
{
    if (!*db->fault)
        (void)snprintf(db->fault, sizeof db->fault, "%s", words);
}

enum storage_status sqlite_db_status(struct sqlite_db *db, int code)
{
    enum storage_status status = status_of(code);
    if (status >= STORAGE_BUSY)
        sqlite_db_keep_fault(db, code);
    return status;
}

bool sqlite_db_is_out_of_memory(sqlite3_stmt *row)
{
    return (sqlite3_errcode(sqlite3_db_handle(row)) & 0xff) == SQLITE_NOMEM;
}

void sqlite_db_bind_text(sqlite3_stmt *statement, int index, const char *text)
{
    if (text)
        (void)sqlite3_bind_text(statement, index, text, -1, SQLITE_STATIC);
    else
        (void)sqlite3_bind_null(statement, index);
}

void sqlite_db_bind_bytes(sqlite3_stmt *statement, int index, const void *bytes, size_t length)
{
    (void)sqlite3_bind_blob64(statement, index, bytes ? bytes : "", length, SQLITE_STATIC);
}
