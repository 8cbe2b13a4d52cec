#include "storage/sqlite_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/vfs.h>
#include <time.h>
#include <unistd.h>

#include "storage/backend.h"
#include "storage/sqlite_db.h"
#include "storage/sqlite_read.h"
#include "storage/sqlite_reads.h"
#include "storage/sqlite_sql.h"

/* https://www.sqlite.org/fileformat2.html#the_database_header */
enum { HEADER_SIZE = 100 };
static const char magic[16] = "SQLite format 3";

struct header {
    uint32_t page_bytes, pages, application_id;
    int32_t user_version;
    bool counts_pages; /* `pages` is valid */
    bool is_sqlite;
};

static uint32_t big_endian(const unsigned char *at)
{
    return (uint32_t)at[0] << 24 | (uint32_t)at[1] << 16 | (uint32_t)at[2] << 8 | (uint32_t)at[3];
}

static struct header read_header(const unsigned char bytes[HEADER_SIZE])
{
    struct header header = {
        .page_bytes = (uint32_t)bytes[16] << 8 | bytes[17],
        .pages = big_endian(bytes + 28),
        .application_id = big_endian(bytes + 68),
        .user_version = (int32_t)big_endian(bytes + 60),
        .counts_pages = big_endian(bytes + 24) == big_endian(bytes + 92),
        .is_sqlite = memcmp(bytes, magic, sizeof magic) == 0,
    };
    if (header.page_bytes == 1)
        header.page_bytes = 65536;
    return header;
}

static sqlite3_int64 size_of(const char *path, const char *suffix)
{
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    struct stat file;
    bool found = name && stat(name, &file) == 0;
    sqlite3_free(name);
    return found ? (sqlite3_int64)file.st_size : 0;
}

void sqlite_file_measure(const char *path, uint64_t *file_bytes, uint64_t *log_bytes)
{
    *file_bytes = (uint64_t)size_of(path, "");
    *log_bytes = (uint64_t)size_of(path, "-wal");
}

uint64_t sqlite_file_bytes(const char *path)
{
    return (uint64_t)(size_of(path, "") + size_of(path, "-wal"));
}

static enum storage_open_status damaged(const char *path, const char *how, char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error, "%s is damaged (%s) and was left as it is: restore it from a backup.", path, how);
    return STORAGE_OPEN_REFUSED;
}

/* Is it ours at all, and of a schema that is known? */
static enum storage_open_status judge_kind(const char *path, const struct header *header, sqlite3_int64 size,
                                           const struct sqlite_schema *schema, char error[STORAGE_ERROR_SIZE])
{
    if (size == 0) {
        storage_sentence(
            error, "%s is empty: delete it to begin a new store there, or restore it from a backup.", path);
        return STORAGE_OPEN_REFUSED;
    }
    if (!header->is_sqlite || size < HEADER_SIZE) {
        storage_sentence(
            error,
            "%s is no database, or its header is damaged: name another file, or restore it from a backup.",
            path);
        return STORAGE_OPEN_REFUSED;
    }
    if (header->application_id != SQLITE_APPLICATION_ID) {
        storage_sentence(error,
                         "%s is the database of another program (application id %u): name another file.",
                         path, header->application_id);
        return STORAGE_OPEN_REFUSED;
    }
    if (header->user_version > schema->version)
        return sqlite_schema_newer(path, header->user_version, schema, error);
    return STORAGE_OPENED;
}

static enum storage_open_status judge_pages(const char *path, const struct header *header, sqlite3_int64 size,
                                            char error[STORAGE_ERROR_SIZE])
{
    if (header->page_bytes < 512 || (header->page_bytes & (header->page_bytes - 1)) != 0)
        return damaged(path, "its page size makes no sense", error);
    /* While a log lies beside the file, pages may be missing here and stand there. */
    if (size_of(path, "-wal") == 0 && header->counts_pages &&
        size != (sqlite3_int64)header->pages * header->page_bytes)
        return damaged(path, "it has another length than it should", error);
    return STORAGE_OPENED;
}

/* Through SQLite's own file layer: a descriptor of ours would, when closed, drop the locks of every
 * connection that this process has to the file. */
static int peek(const char *path, unsigned char bytes[HEADER_SIZE], sqlite3_int64 *size)
{
    sqlite3_vfs *vfs = sqlite3_vfs_find(NULL);
    sqlite3_filename name = sqlite3_create_filename(path, "", "", 0, NULL);
    sqlite3_file *file = vfs ? calloc(1, (size_t)vfs->szOsFile) : NULL;
    int code = SQLITE_NOMEM;
    if (name && file) {
        code = vfs->xOpen(vfs, name, file, SQLITE_OPEN_READONLY | SQLITE_OPEN_MAIN_DB, NULL);
        if (code == SQLITE_OK)
            code = file->pMethods->xFileSize(file, size);
        if (code == SQLITE_OK)
            code = file->pMethods->xRead(file, bytes, HEADER_SIZE, 0);
        if (file->pMethods)
            (void)file->pMethods->xClose(file);
    }
    free(file);
    sqlite3_free_filename(name);
    return code == SQLITE_IOERR_SHORT_READ ? SQLITE_OK : code;
}

static enum storage_open_status look(const char *path, const struct sqlite_schema *schema, bool even_damaged,
                                     char error[STORAGE_ERROR_SIZE])
{
    unsigned char bytes[HEADER_SIZE] = {0};
    sqlite3_int64 size = 0;
    int code = peek(path, bytes, &size);
    if (code != SQLITE_OK) {
        storage_sentence(error, "%s cannot be read: %s.", path, sqlite3_errstr(code));
        return STORAGE_OPEN_FAILED;
    }
    struct header header = read_header(bytes);
    enum storage_open_status status = judge_kind(path, &header, size, schema, error);
    return status == STORAGE_OPENED && !even_damaged ? judge_pages(path, &header, size, error) : status;
}

enum storage_open_status sqlite_file_look(const char *path, const struct sqlite_schema *schema,
                                          char error[STORAGE_ERROR_SIZE])
{
    return look(path, schema, false, error);
}

enum storage_open_status sqlite_file_recognize(const char *path, const struct sqlite_schema *schema,
                                               char error[STORAGE_ERROR_SIZE])
{
    return look(path, schema, true, error);
}

/* To a connection without shared memory the index of the log is in its own; without a log the file is all there is, and
 * SQLite would make one. */
char *sqlite_file_uri_alone(const char *path)
{
    const char *layer = sqlite_reads_vfs_alone();
    bool has_log = size_of(path, "-wal") > 0;
    if (has_log && !layer) /* the file alone would be an older state */
        return NULL;
    sqlite3_str *uri = sqlite3_str_new(NULL);
    sqlite3_str_appendall(uri, "file:");
    for (const char *at = path; *at; at++) {
        if (*at == '%' || *at == '?' || *at == '#')
            sqlite3_str_appendf(uri, "%%%02x", (unsigned)(unsigned char)*at);
        else
            sqlite3_str_appendchar(uri, 1, *at);
    }
    if (has_log)
        sqlite3_str_appendf(uri, "?vfs=%s", layer);
    else
        sqlite3_str_appendall(uri, "?immutable=1");
    return sqlite3_str_finish(uri);
}

static bool is_beside(const char *path, const char *suffix)
{
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    struct stat file;
    bool is = name && lstat(name, &file) == 0;
    sqlite3_free(name);
    return is;
}

bool sqlite_file_has_log(const char *path)
{
    return is_beside(path, "-wal");
}

bool sqlite_file_can_read_log(const char *path)
{
    char *name = sqlite3_mprintf("%s-wal", path);
    bool can = !name || faccessat(AT_FDCWD, name, R_OK, AT_EACCESS) == 0 || errno != EACCES;
    sqlite3_free(name);
    return can;
}

bool sqlite_file_has_left_log(const char *path)
{
    return size_of(path, "-wal") > 0 && !is_beside(path, "-shm");
}

bool sqlite_file_wants_neighbours(const char *path, uint32_t busy_ms)
{
    const struct sqlite_db_setup setup = {.name = path, .flags = SQLITE_OPEN_READONLY, .busy_ms = busy_ms};
    struct sqlite_db db = {0};
    sqlite3_int64 version = 0;
    if (sqlite_db_open(&db, &setup) == SQLITE_OK)
        (void)sqlite_db_number(db.handle, "PRAGMA user_version", &version);
    int code = sqlite3_errcode(db.handle), family = code & 0xff;
    sqlite_db_close(&db);
    return family == SQLITE_CANTOPEN || family == SQLITE_READONLY || code == SQLITE_IOERR_SHMOPEN ||
           code == SQLITE_IOERR_SHMSIZE || code == SQLITE_IOERR_SHMMAP;
}

static void remove_beside(const char *path, const char *suffix)
{
    char *name = sqlite3_mprintf("%s%s", path, suffix);
    if (name)
        (void)unlink(name);
    sqlite3_free(name);
}

/* SQLite removes the log by itself when the last connection is closed that could have written. Its exclusive locking needs
 * no shared memory, which a full disk does not give, and lets nobody else have any. */
void sqlite_file_remove_empty_log(const char *path)
{
    const struct sqlite_db_setup setup = {
        .name = path, .flags = SQLITE_OPEN_READWRITE, .pragmas = "PRAGMA locking_mode=EXCLUSIVE"};
    struct sqlite_db db = {0};
    sqlite3_int64 version = 0;
    if (!sqlite_file_has_log(path) || size_of(path, "-wal") > 0)
        return;
    if (sqlite_db_open(&db, &setup) == SQLITE_OK &&
        sqlite_db_number(db.handle, "PRAGMA user_version", &version) && size_of(path, "-wal") == 0)
        remove_beside(path, "-shm");
    sqlite_db_close(&db);
}

static int open_alone(struct sqlite_db *db, const char *path)
{
    char *uri = sqlite_file_uri_alone(path);
    if (!uri)
        return SQLITE_NOMEM;
    const struct sqlite_db_setup setup = {
        .name = uri, .flags = SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, .vfs = sqlite_reads_vfs()};
    int code = sqlite_db_open(db, &setup);
    sqlite3_free(uri);
    return code;
}

/* With a log beside the file: exclusive locking keeps the log's index in our own memory, so that no shared
 * memory is made or changed, and closing must not move the log into the file. */
static int open_with_log(struct sqlite_db *db, const char *path)
{
    const struct sqlite_db_setup setup = {
        .name = path,
        .flags = SQLITE_OPEN_READWRITE,
        .vfs = sqlite_reads_vfs(),
        .pragmas = "PRAGMA locking_mode=EXCLUSIVE",
    };
    int code = sqlite_db_open(db, &setup);
    if (code == SQLITE_OK)
        code = sqlite3_db_config(db->handle, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    if (code != SQLITE_OK || sqlite3_db_readonly(db->handle, "main") == 0)
        return code;
    sqlite_db_close(db); /* the system gives no exclusive lock of a file that is open only to read */
    return open_alone(db, path);
}

static int open_without_trace(struct sqlite_db *db, const char *path)
{
    return size_of(path, "-wal") > 0 ? open_with_log(db, path) : open_alone(db, path);
}

/* A failure of memory or of the disk is no damage, and passes. */
static enum storage_open_status not_judged(const struct sqlite_db *db, const char *path, const char *how,
                                           char error[STORAGE_ERROR_SIZE])
{
    switch (sqlite3_errcode(db->handle) & 0xff) {
    case SQLITE_ERROR:
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
        return damaged(path, how, error);
    /* A reader from outside is in the way of exclusive locking: to him SQLite has found the file good. */
    case SQLITE_BUSY:
        return STORAGE_OPENED;
    default:
        storage_sentence(error, "%s cannot be read: %s.", path, sqlite_db_text(db));
        return STORAGE_OPEN_FAILED;
    }
}

static enum storage_open_status check_pages(struct sqlite_db *db, const char *path,
                                            char error[STORAGE_ERROR_SIZE])
{
    sqlite3_stmt *statement = NULL;
    enum storage_open_status status = STORAGE_OPENED;
    int code = sqlite3_prepare_v2(db->handle, "PRAGMA quick_check(1)", -1, &statement, NULL);
    if (code == SQLITE_OK)
        code = sqlite3_step(statement);
    const char *text = code == SQLITE_ROW ? (const char *)sqlite3_column_text(statement, 0) : NULL;
    if (!text)
        status = not_judged(db, path, sqlite_db_text(db), error);
    else if (strcmp(text, "ok") != 0)
        status = damaged(path, text, error);
    (void)sqlite3_finalize(statement);
    for (char *at = error; status != STORAGE_OPENED && *at; at++)
        if (*at == '\n')
            *at = ' ';
    return status;
}

/* A start does not wait for a large file. What is first is the list of free pages, from which writes take theirs. */
enum { READ_ANYWAY_BYTES = 4 << 20, CHECK_MS = 100 };

static int64_t monotonic_ms(void)
{
    struct timespec now;
    (void)clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static bool has_time(void *context, uint64_t bytes)
{
    const int64_t *until_ms = context;
    return bytes <= READ_ANYWAY_BYTES || monotonic_ms() < *until_ms;
}

static enum storage_open_status check_some_pages(struct sqlite_db *db, const char *path,
                                                 char error[STORAGE_ERROR_SIZE])
{
    int64_t until_ms = monotonic_ms() + CHECK_MS;
    struct sqlite_reads reads = {.context = &until_ms, .goes_on = has_time};
    sqlite_reads_watch(&reads);
    enum storage_open_status status = check_pages(db, path, error);
    sqlite_reads_watch(NULL);
    if (!reads.stopped)
        return status;
    *error = '\0';
    return STORAGE_OPENED;
}

static bool has_all_tables(struct sqlite_db *db)
{
    struct sqlite_db reader = {.handle = db->handle};
    bool has =
        sqlite_db_prepare(db, sqlite_write_sql) == SQLITE_OK && sqlite_read_prepare(&reader) == SQLITE_OK;
    for (size_t i = 0; i < SQLITE_STATEMENTS_MAX; i++)
        (void)sqlite3_finalize(reader.statements[i]);
    return has;
}

typedef enum storage_open_status page_checker(struct sqlite_db *db, const char *path,
                                              char error[STORAGE_ERROR_SIZE]);

static enum storage_open_status judge_content(struct sqlite_db *db, const char *path,
                                              const struct sqlite_schema *schema, page_checker *check_them,
                                              char error[STORAGE_ERROR_SIZE])
{
    static const char wrong_tables[] = "its tables are not those of a store";
    sqlite3_int64 version = 0;
    if (!sqlite_db_number(db->handle, "PRAGMA user_version", &version))
        return not_judged(db, path, sqlite_db_text(db), error);
    if (version > schema->version)
        return sqlite_schema_newer(path, version, schema, error);
    if (version < 1)
        return damaged(path, wrong_tables, error);
    if (version == schema->version && !has_all_tables(db))
        return not_judged(db, path, wrong_tables, error);
    return check_them(db, path, error);
}

static enum storage_open_status check(const char *path, const struct sqlite_schema *schema,
                                      page_checker *check_them, char error[STORAGE_ERROR_SIZE])
{
    enum storage_open_status status = sqlite_file_look(path, schema, error);
    if (status != STORAGE_OPENED)
        return status;
    struct sqlite_db db = {0};
    if (open_without_trace(&db, path) == SQLITE_OK) {
        status = judge_content(&db, path, schema, check_them, error);
    } else {
        storage_sentence(error, "%s cannot be opened: %s.", path, sqlite_db_text(&db));
        status = STORAGE_OPEN_FAILED;
    }
    sqlite_db_close(&db);
    return status;
}

enum storage_open_status sqlite_file_check(const char *path, const struct sqlite_schema *schema,
                                           char error[STORAGE_ERROR_SIZE])
{
    return check(path, schema, check_some_pages, error);
}

enum storage_open_status sqlite_file_check_whole(const char *path, const struct sqlite_schema *schema,
                                                 char error[STORAGE_ERROR_SIZE])
{
    return check(path, schema, check_pages, error);
}

const char *sqlite_file_warning(const char *path)
{
    static const unsigned long network[] = {0x6969 /* NFS */, 0x517B /* SMB */, 0xFF534D42 /* CIFS */,
                                            0xFE534D42 /* SMB2 */, 0x01021997 /* 9P */};
    struct statfs system;
    if (statfs(path, &system) != 0)
        return NULL;
    for (size_t i = 0; i < sizeof network / sizeof network[0]; i++)
        if (((unsigned long)system.f_type & 0xFFFFFFFFUL) == network[i])
            return "The file lies on a network file system, where SQLite may lose or damage it: keep it on a "
                   "local disk.";
    return NULL;
}
