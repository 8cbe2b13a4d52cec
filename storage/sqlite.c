#include "storage/sqlite.h"

#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "storage/file_lock.h"
#include "storage/sqlite_copy.h"
#include "storage/sqlite_create.h"
#include "storage/sqlite_file.h"
#include "storage/sqlite_health.h"
#include "storage/sqlite_inspect.h"
#include "storage/sqlite_read.h"
#include "storage/sqlite_write.h"

enum { BUSY_MS = 5000, LOCK_LOOK_MS = 10, LOCK_LOOKS = 50 };

/* A client that thinks is no pause; only a service that nobody uses cuts its log off. */
static const struct writer_pauses pauses = {.rest_ms = 1000, .idle_ms = 60000};

struct sqlite_store {
    struct storage base;
    char *path;
    const struct sqlite_schema *schema;
    struct file_lock lock;
    struct sqlite_health health;
    struct sqlite_writer writer;
    struct sqlite_pool pool;
    struct writer_queue *queue; /* NULL if read only */
    char *uri;                  /* of a file that is read alone; else NULL */
    bool has_lock, has_writer, has_pool;
    bool made_log; /* one that is there at the end comes of reading, or of somebody else */
};

static struct sqlite_store *store_of(struct storage *storage)
{
    return (struct sqlite_store *)storage;
}

static void close_store(struct storage *storage)
{
    struct sqlite_store *store = store_of(storage);
    writer_queue_destroy(store->queue);
    /* Readers first: the writer, closed last, moves the log into the file and removes it.
     * The lock after all. */
    if (store->has_pool)
        sqlite_pool_finish(&store->pool);
    if (store->has_writer)
        sqlite_writer_close(&store->writer);
    if (store->made_log)
        sqlite_file_remove_empty_log(store->path);
    if (store->has_lock)
        file_lock_drop(&store->lock);
    sqlite3_free(store->uri);
    free(store->path);
    free(store);
}

static void submit(struct storage *storage, struct storage_write *write)
{
    struct sqlite_store *store = store_of(storage);
    if (store->queue)
        writer_queue_submit(store->queue, write);
    else
        write->done(write, STORAGE_UNAVAILABLE);
}

static enum storage_status load(struct storage *storage, const char *id, const struct storage_rows *rows)
{
    return sqlite_read_load(&store_of(storage)->pool, id, rows);
}

static enum storage_status moves(struct storage *storage, int64_t key, const struct storage_span *span,
                                 const struct storage_rows *rows)
{
    return sqlite_read_moves(&store_of(storage)->pool, key, span, rows);
}

static enum storage_status actions_after(struct storage *storage, int64_t key,
                                         const struct storage_span *span, const struct storage_rows *rows)
{
    return sqlite_read_actions_after(&store_of(storage)->pool, key, span, rows);
}

static enum storage_status watched(struct storage *storage, int64_t after_key, uint32_t limit,
                                   const struct storage_rows *rows)
{
    return sqlite_read_watched(&store_of(storage)->pool, after_key, limit, rows);
}

static enum storage_status all(struct storage *storage, int64_t after_key, uint32_t limit,
                               const struct storage_rows *rows)
{
    return sqlite_read_all(&store_of(storage)->pool, after_key, limit, rows);
}

static enum storage_status service_ms(struct storage *storage, int64_t *service_ms)
{
    return sqlite_read_service_ms(&store_of(storage)->pool, service_ms);
}

static enum storage_status receipt(struct storage *storage, const uint8_t *id,
                                   const struct storage_rows *rows)
{
    return sqlite_read_receipt(&store_of(storage)->pool, id, rows);
}

static enum storage_status oldest_receipt(struct storage *storage, int64_t *service_ms)
{
    return sqlite_read_oldest_receipt(&store_of(storage)->pool, service_ms);
}

static enum storage_status list(struct storage *storage, const struct storage_query *query,
                                const struct storage_rows *rows)
{
    return sqlite_read_list(&store_of(storage)->pool, query, rows);
}

static enum storage_status ready(struct storage *storage)
{
    struct sqlite_store *store = store_of(storage);
    if (!store->queue)
        return STORAGE_UNAVAILABLE;
    if (!sqlite_health_in_place(&store->health)) {
        (void)sqlite_health_take(&store->health); /* it is told now */
        return STORAGE_UNAVAILABLE;
    }
    /* A small probe may go well where the next write will not: each fault is told once in any case. */
    enum storage_status before = sqlite_health_take(&store->health);
    enum storage_status now = writer_queue_probe(store->queue);
    if (now == STORAGE_OK)
        now = sqlite_read_probe(&store->pool);
    if (now == STORAGE_OK)
        return before;
    (void)sqlite_health_take(&store->health); /* it is told now */
    return now;
}

static enum storage_status inspect(struct storage *storage, const struct storage_work *work, void *context,
                                   void (*finding)(void *context, const struct storage_finding *finding))
{
    struct sqlite_store *store = store_of(storage);
    const struct sqlite_inspector inspector = {
        store->path, store->pool.name,    store->schema, &store->health,
        work,        store->pool.busy_ms, context,       finding};
    return sqlite_inspect(&inspector);
}

static enum storage_copy_status copy(struct storage *storage, const char *path,
                                     const struct storage_work *work, char error[STORAGE_ERROR_SIZE])
{
    const struct sqlite_store *store = store_of(storage);
    const struct sqlite_original original = {store->path, store->pool.name, store->schema,
                                             store->pool.busy_ms};
    return sqlite_copy(&original, path, work, error);
}

static void counters(struct storage *storage, struct storage_counters *counters)
{
    struct sqlite_store *store = store_of(storage);
    if (store->queue)
        writer_queue_counters(store->queue, counters);
    else
        *counters = (struct storage_counters){0};
    sqlite_file_measure(store->path, &counters->file_bytes, &counters->log_bytes);
}

static const struct storage_ops ops = {
    .close = close_store,
    .submit = submit,
    .load = load,
    .moves = moves,
    .actions_after = actions_after,
    .watched = watched,
    .all = all,
    .service_ms = service_ms,
    .receipt = receipt,
    .oldest_receipt = oldest_receipt,
    .list = list,
    .ready = ready,
    .inspect = inspect,
    .copy = copy,
    .counters = counters,
};

static enum storage_open_status failed(const char *path, const char *why, char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error, "%s cannot be opened: %s.", path, why);
    return STORAGE_OPEN_FAILED;
}

/* The one name of a file, existing or not, that later changes of the folder do not change. */
static char *absolute(const char *path)
{
    char *existing = realpath(path, NULL);
    if (existing || errno != ENOENT)
        return existing;
    char *for_folder = strdup(path);
    char *for_name = strdup(path);
    char *folder = for_folder ? realpath(dirname(for_folder), NULL) : NULL;
    char *whole = NULL;
    if (folder && for_name &&
        asprintf(&whole, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, basename(for_name)) < 0)
        whole = NULL;
    int error = errno;
    free(folder);
    free(for_folder);
    free(for_name);
    errno = error;
    return whole;
}

static enum storage_open_status check_kind(const struct stat *file, const char *path,
                                           char error[STORAGE_ERROR_SIZE])
{
    if (S_ISDIR(file->st_mode))
        return failed(path, "it is a folder", error);
    if (!S_ISREG(file->st_mode))
        return failed(path, "it is no file", error);
    return STORAGE_OPENED;
}

/* Whoever opens the file to read holds the lock while he looks at it, which is no reason not to start. */
static enum storage_open_status lock_file(struct sqlite_store *store, char error[STORAGE_ERROR_SIZE])
{
    const struct timespec look = {.tv_nsec = LOCK_LOOK_MS * 1000000L};
    enum storage_open_status status = file_lock_take(&store->lock, store->path, O_RDWR, error);
    for (int looks = 0; status == STORAGE_OPEN_LOCKED && looks < LOCK_LOOKS; looks++) {
        (void)nanosleep(&look, NULL);
        status = file_lock_take(&store->lock, store->path, O_RDWR, error);
    }
    store->has_lock = status == STORAGE_OPENED;
    return status;
}

static enum storage_open_status take_file(struct sqlite_store *store, const struct storage_options *options,
                                          const struct sqlite_schema *schema, char error[STORAGE_ERROR_SIZE])
{
    struct stat file;
    if (stat(store->path, &file) != 0) {
        if (errno != ENOENT || options->must_exist)
            return failed(store->path, strerror(errno), error);
        enum storage_open_status made = sqlite_create(store->path, schema, &store->lock, error);
        store->has_lock = made == STORAGE_OPENED;
        return made;
    }
    enum storage_open_status status = check_kind(&file, store->path, error);
    if (status != STORAGE_OPENED)
        return status;
    status = lock_file(store, error);
    return status == STORAGE_OPENED ? sqlite_file_check(store->path, schema, error) : status;
}

static enum storage_open_status open_for_writing(struct sqlite_store *store,
                                                 const struct storage_options *options,
                                                 const struct sqlite_schema *schema,
                                                 char error[STORAGE_ERROR_SIZE])
{
    enum storage_open_status status = take_file(store, options, schema, error);
    store->health.lock = store->has_lock ? &store->lock : NULL;
    if (status == STORAGE_OPENED)
        status = sqlite_writer_open(&store->writer, &store->health, options, schema, error);
    store->has_writer = status == STORAGE_OPENED;
    if (!store->has_writer)
        return status;
    store->queue = writer_queue_create(&sqlite_writer_target, &store->writer, &pauses);
    return store->queue ? STORAGE_OPENED : failed(store->path, "no thread could be started", error);
}

static enum storage_open_status earlier(const char *path, enum storage_open_status status,
                                        char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error, "%s has an earlier schema: it can be read once a start has brought it forward.",
                     path);
    return status;
}

/* All that opening to write would look at. Whoever holds the file has done so. */
static enum storage_open_status check_unless_held(struct sqlite_store *store,
                                                  const struct storage_options *options,
                                                  const struct sqlite_schema *schema,
                                                  char error[STORAGE_ERROR_SIZE])
{
    int access_mode = options->needs_write_access ? O_RDWR : O_RDONLY;
    enum storage_open_status status = file_lock_take(&store->lock, store->path, access_mode, error);
    if (status == STORAGE_OPEN_LOCKED) {
        *error = '\0'; /* that was no fault */
        return sqlite_file_look(store->path, schema, error);
    }
    if (status != STORAGE_OPENED)
        return status;
    status = sqlite_file_check(store->path, schema, error);
    file_lock_drop(&store->lock);
    return status;
}

/* Without a trace, as long as nobody writes: the lock is kept. */
static enum storage_open_status read_alone(struct sqlite_store *store, char error[STORAGE_ERROR_SIZE])
{
    enum storage_open_status status = file_lock_take(&store->lock, store->path, O_RDONLY, error);
    store->has_lock = status == STORAGE_OPENED;
    if (status != STORAGE_OPENED)
        return status;
    store->uri = sqlite_file_uri_alone(store->path);
    return store->uri ? STORAGE_OPENED : failed(store->path, strerror(ENOMEM), error);
}

/* Where SQLite can make no file beside it. A log of a file that may not be written may not be written either, nor removed
 * again. */
static bool must_read_alone(const struct sqlite_store *store, uint32_t busy_ms)
{
    bool is_writable = faccessat(AT_FDCWD, store->path, W_OK, AT_EACCESS) == 0;
    return (store->made_log && !is_writable) || sqlite_file_wants_neighbours(store->path, busy_ms);
}

/* What SQLite would make beside a log that was left alone would stay there. */
static enum storage_open_status read_alone_if_better(struct sqlite_store *store, uint32_t busy_ms,
                                                     char error[STORAGE_ERROR_SIZE])
{
    if (sqlite_file_has_left_log(store->path)) {
        enum storage_open_status status = read_alone(store, error);
        if (status != STORAGE_OPEN_LOCKED)
            return status;
        *error = '\0'; /* whoever writes is about to make it */
    }
    return must_read_alone(store, busy_ms) ? read_alone(store, error) : STORAGE_OPENED;
}

static const char *name_to_read(const struct sqlite_store *store)
{
    return store->uri ? store->uri : store->path;
}

static enum storage_open_status look_before_reading(struct sqlite_store *store,
                                                    const struct storage_options *options,
                                                    const struct sqlite_schema *schema,
                                                    char error[STORAGE_ERROR_SIZE])
{
    struct stat file;
    if (stat(store->path, &file) != 0 || access(store->path, R_OK) != 0)
        return failed(store->path, strerror(errno), error);
    enum storage_open_status status = check_kind(&file, store->path, error);
    if (status != STORAGE_OPENED)
        return status;
    if (!sqlite_file_can_read_log(store->path)) {
        storage_sentence(error,
                         "%s cannot be read: its log %s-wal is there and may not be read: read it with the "
                         "rights of its owner.",
                         store->path, store->path);
        return STORAGE_OPEN_FAILED;
    }
    return options->even_damaged ? sqlite_file_recognize(store->path, schema, error)
                                 : check_unless_held(store, options, schema, error);
}

static enum storage_open_status open_for_reading(struct sqlite_store *store,
                                                 const struct storage_options *options,
                                                 const struct sqlite_schema *schema,
                                                 char error[STORAGE_ERROR_SIZE])
{
    store->made_log = !sqlite_file_has_log(store->path);
    enum storage_open_status status = look_before_reading(store, options, schema, error);
    if (status == STORAGE_OPENED)
        status = read_alone_if_better(store, options->busy_ms, error);
    if (status == STORAGE_OPENED && options->even_damaged &&
        sqlite_schema_is_earlier(name_to_read(store), schema))
        status = earlier(store->path, STORAGE_OPEN_FAILED, error);
    return status;
}

static enum storage_open_status open_parts(struct sqlite_store *store, const struct storage_options *options,
                                           const struct sqlite_schema *schema, char error[STORAGE_ERROR_SIZE])
{
    enum storage_open_status status = options->read_only ? open_for_reading(store, options, schema, error)
                                                         : open_for_writing(store, options, schema, error);
    if (status != STORAGE_OPENED)
        return status;
    store->has_pool = sqlite_pool_init(&store->pool, &store->health, options->busy_ms);
    if (!store->has_pool)
        return failed(store->path, "no mutex could be made", error);
    store->pool.even_damaged = options->even_damaged;
    store->pool.name = name_to_read(store);
    if (options->even_damaged || sqlite_read_probe(&store->pool) == STORAGE_OK)
        return STORAGE_OPENED;
    if (options->read_only && sqlite_schema_is_earlier(name_to_read(store), schema)) {
        return earlier(store->path, STORAGE_OPENED, error);
    }
    storage_sentence(error, "%s.", store->health.text);
    return STORAGE_OPEN_FAILED;
}

/* SQLite counts its memory under a lock of the whole process, for nobody. Where it runs already, it goes on. */
static void configure(void)
{
    (void)sqlite3_config(SQLITE_CONFIG_MEMSTATUS, 0);
}

enum storage_open_status sqlite_open_schema(const char *path, const struct storage_options *options,
                                            const struct sqlite_schema *schema, struct storage **storage,
                                            char error[STORAGE_ERROR_SIZE])
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    struct storage_options given = *options;
    (void)pthread_once(&once, configure);
    if (given.busy_ms == 0)
        given.busy_ms = BUSY_MS;
    struct sqlite_store *store = calloc(1, sizeof *store);
    if (!store)
        return failed(path, strerror(ENOMEM), error);
    store->base.ops = &ops;
    store->path = absolute(path);
    store->schema = schema;
    sqlite_health_init(&store->health, store->path);
    error[0] = '\0';
    enum storage_open_status status =
        store->path ? open_parts(store, &given, schema, error) : failed(path, strerror(errno), error);
    if (status != STORAGE_OPENED) {
        close_store(&store->base);
        return status;
    }
    const char *warning = sqlite_file_warning(store->path);
    if (warning && !*error)
        storage_sentence(error, "%s", warning);
    sqlite_health_watch(&store->health, &options->watch);
    *storage = &store->base;
    return STORAGE_OPENED;
}

const char *sqlite_version(void)
{
    return sqlite3_libversion();
}

enum storage_open_status sqlite_open(const char *path, const struct storage_options *options,
                                     struct storage **storage, char error[STORAGE_ERROR_SIZE])
{
    return sqlite_open_schema(path, options, &sqlite_schema, storage, error);
}
