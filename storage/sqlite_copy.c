#include "storage/sqlite_copy.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/backend.h"
#include "storage/sqlite_create.h"
#include "storage/sqlite_file.h"
#include "storage/sqlite_pool.h"
#include "storage/sqlite_reads.h"

/* Pages between two looks at whether it goes on; of the whole work, the copying is one part and the looking through
 * about two. */
enum { PAGES_AT_ONCE = 256, PARTS = 3 };

struct copying {
    const struct sqlite_original *original;
    const char *path;
    char *draft;
    const struct storage_work *work;
    char *error;
    struct file_lock lock; /* of the draft */
    uint64_t bytes;        /* of the copy */
};

static enum storage_copy_status failed(const struct copying *copying, const char *why)
{
    storage_sentence(copying->error, "%s cannot be written: %s.", copying->path, why);
    return STORAGE_COPY_FAILED;
}

static enum storage_copy_status exists(const struct copying *copying)
{
    storage_sentence(copying->error, "%s is there already and was left as it is: name a new file.",
                     copying->path);
    return STORAGE_COPY_REFUSED;
}

/* Neither the file, nor what SQLite would take for a part of it (an empty one says nothing). */
static enum storage_copy_status look_for_room(const struct copying *copying)
{
    static const char *const parts[] = {"-wal", "-journal"};
    struct stat file;
    if (lstat(copying->path, &file) == 0)
        return exists(copying);
    for (size_t i = 0; i < sizeof parts / sizeof parts[0]; i++) {
        char *name = sqlite3_mprintf("%s%s", copying->path, parts[i]);
        if (!name)
            return failed(copying, strerror(ENOMEM));
        bool is_there = lstat(name, &file) == 0 && file.st_size > 0;
        if (is_there)
            storage_sentence(copying->error,
                             "%s is there and would be taken for a part of the copy: move it away.", name);
        sqlite3_free(name);
        if (is_there)
            return STORAGE_COPY_REFUSED;
    }
    return STORAGE_COPIED;
}

/* ---- the pages --------------------------------------------------------------------------------------- */

static enum storage_copy_status step(struct copying *copying, sqlite3_backup *backup,
                                     sqlite3_int64 page_bytes, int *code)
{
    const struct storage_work *work = copying->work;
    do {
        *code = sqlite3_backup_step(backup, PAGES_AT_ONCE);
        sqlite3_int64 pages = sqlite3_backup_pagecount(backup);
        uint64_t done = (uint64_t)((pages - sqlite3_backup_remaining(backup)) * page_bytes);
        copying->bytes = (uint64_t)(pages * page_bytes);
        if (!work->goes_on(work->context, done, copying->bytes * PARTS))
            return STORAGE_COPY_STOPPED;
    } while (*code == SQLITE_OK);
    return STORAGE_COPIED;
}

/* The two connections are open, and the original's snapshot is taken. */
static enum storage_copy_status copy_pages(struct copying *copying, struct sqlite_db *from,
                                           struct sqlite_db *to)
{
    sqlite3_int64 page_bytes = 0;
    if (!sqlite_db_number(from->handle, "PRAGMA page_size", &page_bytes))
        return failed(copying, sqlite_db_text(from));
    sqlite3_backup *backup = sqlite3_backup_init(to->handle, "main", from->handle, "main");
    if (!backup)
        return failed(copying, sqlite_db_text(to));
    int code = SQLITE_OK;
    errno = 0;
    enum storage_copy_status status = step(copying, backup, page_bytes, &code);
    int cause = errno;
    (void)sqlite3_backup_finish(backup);
    if (status == STORAGE_COPIED && code != SQLITE_DONE)
        status =
            failed(copying, (code & 0xff) == SQLITE_IOERR && cause ? strerror(cause) : sqlite3_errstr(code));
    return status;
}

/* A file in WAL mode cannot be read without making files beside it, and so neither by another user nor on read-only media.
 * Who opens the copy to write sets the mode that he wants.
 * https://www.sqlite.org/fileformat2.html#file_format_version_numbers */
static bool leave_wal_mode(const struct copying *copying)
{
    enum { VERSIONS_AT = 18 };
    static const char rollback_journal[] = {1, 1};
    return pwrite(copying->lock.fd, rollback_journal, sizeof rollback_journal, VERSIONS_AT) ==
           (ssize_t)sizeof rollback_journal;
}

/* Nothing of a draft has to be rolled back or synced on the way. */
static int open_draft(struct sqlite_db *to, const char *draft)
{
    const struct sqlite_db_setup setup = {
        .name = draft,
        .flags = SQLITE_OPEN_READWRITE,
        .pragmas = "PRAGMA locking_mode=EXCLUSIVE; PRAGMA journal_mode=MEMORY; PRAGMA synchronous=OFF; "
                   "PRAGMA mmap_size=0",
    };
    return sqlite_db_open(to, &setup);
}

/* With the snapshot that is copied: a read that does not end. */
static int open_original(struct sqlite_db *from, const struct sqlite_original *original)
{
    const struct sqlite_db_setup setup = {
        .name = original->name,
        .flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI,
        .busy_ms = original->busy_ms,
        .pragmas = SQLITE_READER_PRAGMAS "; BEGIN; SELECT count(*) FROM sqlite_schema",
    };
    return sqlite_db_open(from, &setup);
}

static enum storage_copy_status fill_draft(struct copying *copying)
{
    struct sqlite_db from = {0}, to = {0};
    enum storage_copy_status status = STORAGE_COPIED;
    if (open_original(&from, copying->original) != SQLITE_OK) {
        storage_sentence(copying->error, "%s cannot be read: %s.", copying->original->path,
                         sqlite_db_text(&from));
        status = STORAGE_COPY_FAILED;
    } else if (open_draft(&to, copying->draft) != SQLITE_OK) {
        status = failed(copying, sqlite_db_text(&to));
    } else {
        status = copy_pages(copying, &from, &to);
    }
    sqlite_db_close(&to);
    sqlite_db_close(&from);
    return status;
}

/* ---- the copy ---------------------------------------------------------------------------------------- */

static bool tell_reads(void *context, uint64_t bytes)
{
    const struct copying *copying = context;
    uint64_t most = copying->bytes * (PARTS - 1);
    return copying->work->goes_on(copying->work->context, copying->bytes + (bytes < most ? bytes : most),
                                  copying->bytes * PARTS);
}

static enum storage_copy_status look_through(struct copying *copying)
{
    char why[STORAGE_ERROR_SIZE] = "";
    struct sqlite_reads reads = {.context = copying, .goes_on = tell_reads};
    sqlite_reads_watch(&reads);
    enum storage_open_status status = sqlite_file_check_whole(copying->draft, copying->original->schema, why);
    sqlite_reads_watch(NULL);
    if (reads.stopped)
        return STORAGE_COPY_STOPPED;
    if (status == STORAGE_OPENED)
        return STORAGE_COPIED;
    if (status != STORAGE_OPEN_REFUSED)
        return failed(copying, why);
    storage_sentence(copying->error,
                     "%s is damaged, and a copy of it would be too: 'arbiterd check' tells more (%.300s)",
                     copying->original->path, why);
    return STORAGE_COPY_REFUSED;
}

static enum storage_copy_status place_draft(struct copying *copying)
{
    if (fsync(copying->lock.fd) != 0)
        return failed(copying, strerror(errno));
    if (sqlite_create_place(copying->draft, copying->path))
        return STORAGE_COPIED;
    return errno == EEXIST ? exists(copying) : failed(copying, strerror(errno));
}

static enum storage_copy_status fill_and_place(struct copying *copying)
{
    enum storage_copy_status status =
        ftruncate(copying->lock.fd, 0) == 0 ? fill_draft(copying) : failed(copying, strerror(errno));
    if (status == STORAGE_COPIED && !leave_wal_mode(copying))
        status = failed(copying, strerror(errno));
    if (status == STORAGE_COPIED)
        status = look_through(copying);
    return status == STORAGE_COPIED ? place_draft(copying) : status;
}

static enum storage_copy_status write_draft(struct copying *copying)
{
    struct stat file;
    if (lstat(copying->draft, &file) == 0 && !S_ISREG(file.st_mode)) {
        storage_sentence(copying->error,
                         "%s is no file, and stands where the draft of the copy would: move it away.",
                         copying->draft);
        return STORAGE_COPY_REFUSED;
    }
    switch (file_lock_take(&copying->lock, copying->draft, O_RDWR | O_CREAT | O_NOFOLLOW, copying->error)) {
    case STORAGE_OPENED:
        break;
    case STORAGE_OPEN_LOCKED:
        storage_sentence(copying->error, "%s is being written by another arbiterd: let that one end.",
                         copying->draft);
        return STORAGE_COPY_LOCKED;
    case STORAGE_OPEN_REFUSED:
    case STORAGE_OPEN_FAILED:
    case STORAGE_OPEN_STOPPED:
        return STORAGE_COPY_FAILED;
    }
    enum storage_copy_status status = fill_and_place(copying);
    if (status != STORAGE_COPIED)
        (void)unlink(copying->draft);
    file_lock_drop(&copying->lock);
    return status;
}

enum storage_copy_status sqlite_copy(const struct sqlite_original *original, const char *path,
                                     const struct storage_work *work, char error[STORAGE_ERROR_SIZE])
{
    struct copying copying = {.original = original, .path = path, .work = work, .error = error};
    error[0] = '\0';
    enum storage_copy_status status = look_for_room(&copying);
    if (status != STORAGE_COPIED)
        return status;
    copying.draft = sqlite3_mprintf("%s.draft", path);
    status = copying.draft ? write_draft(&copying) : failed(&copying, strerror(ENOMEM));
    sqlite3_free(copying.draft);
    return status;
}
