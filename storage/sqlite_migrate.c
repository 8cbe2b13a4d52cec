#include "storage/sqlite_migrate.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "storage/backend.h"
#include "storage/sqlite_db.h"
#include "storage/sqlite_file.h"
#include "storage/sqlite_reads.h"

/* The bytes of the file are read about so often: by the copy, and by the migrations. */
enum { COPY_PARTS = 3, MIGRATION_PARTS = 5, PARTS = COPY_PARTS + MIGRATION_PARTS };

struct migration {
    const struct sqlite_original *original;
    const struct storage_work *work;
    char *error;
    uint64_t file_bytes;
    struct sqlite_db db;
    struct sqlite_reads reads;
};

static bool goes_on(const struct migration *migration, uint64_t done_bytes)
{
    const struct storage_work *work = migration->work;
    return !work->goes_on || work->goes_on(work->context, done_bytes, migration->file_bytes * PARTS);
}

static enum storage_open_status stopped(const struct migration *migration)
{
    storage_sentence(migration->error, "%s was not brought to schema %d and is as it was: it was stopped.",
                     migration->original->path, migration->original->schema->version);
    return STORAGE_OPEN_STOPPED;
}

/* ---- the copy ---------------------------------------------------------------------------------------- */

static bool tell_copy(void *context, uint64_t done_bytes, uint64_t total_bytes)
{
    const struct migration *migration = context;
    uint64_t most = migration->file_bytes * COPY_PARTS;
    double part = total_bytes ? (double)done_bytes / (double)total_bytes : 0;
    return goes_on(migration, (uint64_t)(part * (double)most));
}

static enum storage_open_status no_copy(const struct migration *migration, enum storage_open_status status,
                                        const char *why)
{
    storage_sentence(migration->error,
                     "%.200s needs a new schema, but no copy of it could be made beside it. %s",
                     migration->original->path, why);
    return status;
}

/* Under another name first: that of the copy may be taken by an earlier one, which gives way only to a whole one. */
static enum storage_open_status copy_and_rename(struct migration *migration, const char *fresh,
                                                const char *aside)
{
    const struct storage_work work = {.context = migration, .goes_on = tell_copy};
    char why[STORAGE_ERROR_SIZE] = "";
    if (unlink(fresh) != 0 && errno != ENOENT)
        return no_copy(migration, STORAGE_OPEN_FAILED, strerror(errno));
    switch (sqlite_copy(migration->original, fresh, &work, why)) {
    case STORAGE_COPIED:
        return rename(fresh, aside) == 0 ? STORAGE_OPENED
                                         : no_copy(migration, STORAGE_OPEN_FAILED, strerror(errno));
    case STORAGE_COPY_STOPPED:
        return stopped(migration);
    case STORAGE_COPY_REFUSED:
        return no_copy(migration, STORAGE_OPEN_REFUSED, why);
    case STORAGE_COPY_LOCKED:
    case STORAGE_COPY_FAILED:
        break;
    }
    return no_copy(migration, STORAGE_OPEN_FAILED, why);
}

static enum storage_open_status copy_aside(struct migration *migration)
{
    const struct sqlite_original *original = migration->original;
    char *aside = sqlite3_mprintf("%s.before-v%d", original->path, original->schema->version);
    char *fresh = aside ? sqlite3_mprintf("%s.new", aside) : NULL;
    enum storage_open_status status = fresh ? copy_and_rename(migration, fresh, aside)
                                            : no_copy(migration, STORAGE_OPEN_FAILED, strerror(ENOMEM));
    sqlite3_free(fresh);
    sqlite3_free(aside);
    return status;
}

/* ---- the migrations ---------------------------------------------------------------------------------- */

static bool tell_reads(void *context, uint64_t bytes)
{
    const struct migration *migration = context;
    uint64_t most = migration->file_bytes * MIGRATION_PARTS;
    return goes_on(migration, migration->file_bytes * COPY_PARTS + (bytes < most ? bytes : most));
}

/* What SQLite has to remember of a large file meanwhile does not stay in memory. */
static int open_file(struct migration *migration)
{
    const struct sqlite_db_setup setup = {
        .name = migration->original->path,
        .flags = SQLITE_OPEN_READWRITE,
        .busy_ms = migration->original->busy_ms,
        .vfs = sqlite_reads_vfs(),
        .pragmas = "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA mmap_size=0; "
                   "PRAGMA synchronous=FULL; PRAGMA cache_size=-32768; PRAGMA temp_store=FILE",
    };
    return sqlite_db_open(&migration->db, &setup);
}

static bool run(struct migration *migration)
{
    sqlite3 *db = migration->db.handle;
    sqlite3_int64 version = 0;
    return sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL) == SQLITE_OK &&
           sqlite_db_number(db, "PRAGMA user_version", &version) &&
           sqlite_schema_apply(db, migration->original->schema, (int)version) &&
           sqlite3_exec(db, "COMMIT", NULL, NULL, NULL) == SQLITE_OK;
}

static enum storage_open_status bring_forward(struct migration *migration)
{
    if (open_file(migration) == SQLITE_OK && run(migration)) {
        /* So that the header of the file itself tells the new version. */
        (void)sqlite3_exec(migration->db.handle, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL);
        return STORAGE_OPENED;
    }
    if (migration->reads.stopped)
        return stopped(migration);
    storage_sentence(migration->error, "%s could not be brought to schema %d and is as it was: %s.",
                     migration->original->path, migration->original->schema->version,
                     sqlite_db_text(&migration->db));
    return STORAGE_OPEN_FAILED;
}

enum storage_open_status sqlite_migrate(const struct sqlite_original *original,
                                        const struct storage_work *work, char error[STORAGE_ERROR_SIZE])
{
    struct migration migration = {
        .original = original,
        .work = work,
        .error = error,
        .file_bytes = sqlite_file_bytes(original->path),
    };
    error[0] = '\0';
    enum storage_open_status status = copy_aside(&migration);
    if (status != STORAGE_OPENED)
        return status;
    migration.reads = (struct sqlite_reads){.context = &migration, .goes_on = tell_reads};
    sqlite_reads_watch(&migration.reads);
    status = bring_forward(&migration);
    sqlite_reads_watch(NULL);
    sqlite_db_close(&migration.db); /* rolls back what is not committed */
    return status;
}
