#include "storage/sqlite_write.h"

#include "storage/backend.h"
#include "storage/sqlite_apply.h"
#include "storage/sqlite_migrate.h"

/* While clients wait the log is moved into the file when it has LOG_FRAMES, 16 MiB: rarely, and then many of its frames
 * are of one page, which is written once. While they rest a quarter is enough. */
enum { LOG_FRAMES = 4000, RESTING_FRAMES = LOG_FRAMES / 4 };

/* The log is made longer ahead of the commits: the sync of a file that has grown takes nearly twice the time of
 * one that has not. */
enum { FRAME_BYTES = 4096 + 24, GROWTH_BYTES = 512 << 10, GROWTH_STEP = 64 << 10 };

/* The limit of the log has room for LOG_FRAMES and for what lies ahead of them. */
#define WRITER_PRAGMAS                                                                                       \
    "PRAGMA journal_mode=WAL; PRAGMA wal_autocheckpoint=0; PRAGMA journal_size_limit=17301504;"              \
    "PRAGMA mmap_size=0; PRAGMA cache_size=-2048; PRAGMA temp_store=MEMORY;"

static int note_log_frames(void *context, sqlite3 *handle, const char *name, int frames)
{
    (void)handle;
    (void)name;
    struct sqlite_writer *writer = context;
    writer->log_frames = frames;
    return SQLITE_OK;
}

/* Pragmas answer without an error where they could do nothing. */
static const char *missing_property(sqlite3 *handle, bool synchronous_normal)
{
    const struct property {
        const char *sql;
        sqlite3_int64 wanted;
        const char *complaint;
    } properties[] = {
        {"SELECT journal_mode = 'wal' FROM pragma_journal_mode", 1,
         "its file system has no shared memory for a write-ahead log"},
        {"PRAGMA synchronous", synchronous_normal ? 1 : 2, "synchronous commits are not to be had"},
        {"PRAGMA foreign_keys", 1, "foreign keys are not to be had"},
    };
    for (size_t i = 0; i < sizeof properties / sizeof properties[0]; i++) {
        sqlite3_int64 value = -1;
        if (!sqlite_db_number(handle, properties[i].sql, &value) || value != properties[i].wanted)
            return properties[i].complaint;
    }
    return NULL;
}

static int connect_writer(struct sqlite_writer *writer, struct sqlite_db *db)
{
    const struct sqlite_db_setup setup = {
        .name = writer->health->path,
        .flags = SQLITE_OPEN_READWRITE,
        .busy_ms = writer->options.busy_ms,
        .pragmas = writer->options.synchronous_normal ? WRITER_PRAGMAS "PRAGMA synchronous=NORMAL"
                                                      : WRITER_PRAGMAS "PRAGMA synchronous=FULL",
    };
    int code = sqlite_db_open(db, &setup);
    if (code == SQLITE_OK)
        (void)sqlite3_wal_hook(db->handle, note_log_frames, writer);
    return code;
}

static enum storage_open_status failed(char error[STORAGE_ERROR_SIZE], const char *path, const char *why)
{
    storage_sentence(error, "%s cannot be opened: %s.", path, why);
    return STORAGE_OPEN_FAILED;
}

static enum storage_open_status bring_forward(const struct sqlite_writer *writer,
                                              const struct sqlite_schema *schema,
                                              char error[STORAGE_ERROR_SIZE])
{
    const struct sqlite_original original = {writer->health->path, writer->health->path, schema,
                                             writer->options.busy_ms};
    sqlite3_int64 version = 0;
    if (!sqlite_db_number(writer->db.handle, "PRAGMA user_version", &version))
        return failed(error, original.path, sqlite_db_text(&writer->db));
    if (version > schema->version)
        return sqlite_schema_newer(original.path, version, schema, error);
    return version < schema->version ? sqlite_migrate(&original, &writer->options.work, error)
                                     : STORAGE_OPENED;
}

enum storage_open_status sqlite_writer_open(struct sqlite_writer *writer, struct sqlite_health *health,
                                            const struct storage_options *options,
                                            const struct sqlite_schema *schema,
                                            char error[STORAGE_ERROR_SIZE])
{
    const char *path = health->path;
    *writer = (struct sqlite_writer){.health = health, .options = *options};
    enum storage_open_status status = STORAGE_OPENED;
    const char *complaint = NULL;
    if (connect_writer(writer, &writer->db) != SQLITE_OK)
        complaint = sqlite_db_text(&writer->db);
    else
        complaint = missing_property(writer->db.handle, options->synchronous_normal);
    if (complaint)
        status = failed(error, path, complaint);
    if (status == STORAGE_OPENED)
        status = bring_forward(writer, schema, error);
    if (status == STORAGE_OPENED && sqlite_db_prepare(&writer->db, sqlite_write_sql) != SQLITE_OK)
        status = failed(error, path, sqlite_db_text(&writer->db));
    if (status != STORAGE_OPENED)
        sqlite_writer_close(writer);
    return status;
}

void sqlite_writer_close(struct sqlite_writer *writer)
{
    sqlite_db_close(&writer->db);
}

enum storage_status sqlite_writer_outcome(struct sqlite_writer *writer, int code)
{
    enum storage_status status = sqlite_db_status(&writer->db, code);
    bool from_disk = status == STORAGE_FULL || status == STORAGE_UNAVAILABLE;
    if (from_disk && (code & 0xff) != SQLITE_CONSTRAINT)
        writer->broken = true;
    if (status >= STORAGE_BUSY)
        sqlite_health_fault(writer->health, STORAGE_WRITES, status, &writer->db);
    return status;
}

enum storage_status sqlite_writer_run(struct sqlite_writer *writer, enum sqlite_write_sql statement)
{
    return sqlite_writer_outcome(writer, sqlite_db_run(&writer->db, (int)statement));
}

static void rollback(void *context)
{
    struct sqlite_writer *writer = context;
    if (writer->db.handle && !sqlite3_get_autocommit(writer->db.handle))
        (void)sqlite_writer_run(writer, WRITE_ROLLBACK);
}

static enum storage_status commit(void *context)
{
    struct sqlite_writer *writer = context;
    enum storage_status status = sqlite_writer_run(writer, WRITE_COMMIT);
    if (status == STORAGE_OK)
        sqlite_health_fine(writer->health, STORAGE_WRITES);
    return status;
}

static enum storage_status prove(struct sqlite_writer *writer)
{
    enum storage_status status = sqlite_writer_run(writer, WRITE_BEGIN);
    if (status == STORAGE_OK)
        status = sqlite_writer_run(writer, WRITE_PROOF);
    if (status == STORAGE_OK) /* on a full disk there may be room for no more than this */
        status = sqlite_writer_run(writer, WRITE_COMMIT);
    if (status != STORAGE_OK)
        rollback(writer);
    return status;
}

static void close_without_checkpoint(struct sqlite_db *db)
{
    if (db->handle)
        (void)sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    sqlite_db_close(db);
}

static enum storage_status mend(struct sqlite_writer *writer)
{
    struct sqlite_db fresh;
    int code = connect_writer(writer, &fresh);
    if (code == SQLITE_OK)
        code = sqlite_db_prepare(&fresh, sqlite_write_sql);
    if (code != SQLITE_OK) {
        enum storage_status status = sqlite_db_status(&fresh, code);
        sqlite_health_fault(writer->health, STORAGE_WRITES, status, &fresh);
        close_without_checkpoint(&fresh);
        return status;
    }
    close_without_checkpoint(&writer->db);
    writer->db = fresh;
    enum storage_status status = prove(writer);
    writer->broken = status != STORAGE_OK;
    return status;
}

static enum storage_status begin(void *context)
{
    struct sqlite_writer *writer = context;
    if (!sqlite_health_in_place(writer->health))
        return STORAGE_UNAVAILABLE;
    enum storage_status status = writer->broken ? mend(writer) : STORAGE_OK;
    return status == STORAGE_OK ? sqlite_writer_run(writer, WRITE_BEGIN) : status;
}

static enum storage_status probe(void *context)
{
    struct sqlite_writer *writer = context;
    if (!sqlite_health_in_place(writer->health))
        return STORAGE_UNAVAILABLE;
    return writer->broken ? mend(writer) : prove(writer);
}

static enum storage_status apply(void *context, struct storage_write *write)
{
    return sqlite_apply(context, write);
}

/* False: somebody was in the way. */
static bool checkpoint(struct sqlite_writer *writer, int mode)
{
    int code = sqlite3_wal_checkpoint_v2(writer->db.handle, "main", mode, NULL, NULL);
    bool is_busy = (code & 0xff) == SQLITE_BUSY || (code & 0xff) == SQLITE_LOCKED;
    if (!is_busy)
        (void)sqlite_writer_outcome(writer, code);
    writer->checkpointed_frames = writer->log_frames;
    return !is_busy;
}

/* Writes zeros behind the end, which are no frames to SQLite. What fails here fails again in a commit, if it lasts. */
static void lengthen(sqlite3_file *log, sqlite3_int64 end)
{
    static const char zeros[GROWTH_STEP];
    for (sqlite3_int64 at = end; at < end + GROWTH_BYTES; at += GROWTH_STEP)
        if (log->pMethods->xWrite(log, zeros, GROWTH_STEP, at) != SQLITE_OK)
            return;
}

static void keep_log_ahead(struct sqlite_writer *writer)
{
    sqlite3_int64 needed = (sqlite3_int64)writer->log_frames * FRAME_BYTES + GROWTH_BYTES / 2;
    sqlite3_file *log = NULL;
    sqlite3_int64 size = 0;
    if (needed <= writer->log_bytes || writer->log_frames >= LOG_FRAMES)
        return;
    int code = sqlite3_file_control(writer->db.handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &log);
    if (code != SQLITE_OK || !log || !log->pMethods || log->pMethods->xFileSize(log, &size) != SQLITE_OK)
        return;
    if (size < needed)
        lengthen(log, size);
    writer->log_bytes = size < needed ? size + GROWTH_BYTES : size;
}

static void tidy_between(struct sqlite_writer *writer)
{
    if (writer->log_frames < writer->checkpointed_frames)
        writer->checkpointed_frames = 0;
    if (writer->log_frames - writer->checkpointed_frames >= LOG_FRAMES)
        (void)checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE);
    else
        keep_log_ahead(writer);
}

static void tidy_resting(struct sqlite_writer *writer)
{
    if (writer->log_frames - writer->checkpointed_frames >= RESTING_FRAMES)
        (void)checkpoint(writer, SQLITE_CHECKPOINT_PASSIVE);
}

/* Cuts the log off, without waiting for readers: somebody may write again at any moment. A long read, such as a backup,
 * is in the way until it is over; then the log may be long. */
static bool tidy_idle(struct sqlite_writer *writer)
{
    (void)sqlite3_busy_timeout(writer->db.handle, 0);
    bool done = checkpoint(writer, SQLITE_CHECKPOINT_TRUNCATE);
    (void)sqlite3_busy_timeout(writer->db.handle, (int)writer->options.busy_ms);
    writer->log_bytes = 0;
    return done;
}

/* A reader that sits on the log would make us try in vain after every batch: so only when the log has grown
 * by as much again. */
static bool tidy(void *context, enum writer_pause pause)
{
    struct sqlite_writer *writer = context;
    if (writer->broken)
        return true;
    switch (pause) {
    case WRITER_BETWEEN:
        tidy_between(writer);
        break;
    case WRITER_RESTING:
        tidy_resting(writer);
        break;
    case WRITER_IDLE:
        return tidy_idle(writer);
    }
    return true;
}

const struct writer_target sqlite_writer_target = {
    .begin = begin,
    .apply = apply,
    .commit = commit,
    .rollback = rollback,
    .probe = probe,
    .tidy = tidy,
};
