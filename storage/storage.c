#include "storage/storage.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "storage/backend.h"
#include "storage/sqlite.h"

static const struct backend {
    const char *prefix;
    storage_opener *open;
} backends[] = {
    {"sqlite:", sqlite_open},
};

const char *storage_status_text(enum storage_status status)
{
    switch (status) {
    case STORAGE_OK:
        return "The storage did what was asked.";
    case STORAGE_CONFLICT:
        return "The game has changed in the meantime, or its id or that of its receipt is taken.";
    case STORAGE_NOT_FOUND:
        return "The storage has no such record.";
    case STORAGE_STOPPED:
        return "The reader wanted no more rows.";
    case STORAGE_DAMAGED:
        return "The stored actions of the game do not hold together.";
    case STORAGE_BUSY:
        return "Another program holds the storage.";
    case STORAGE_FULL:
        return "The disk of the storage is full, or its quota is used up.";
    case STORAGE_UNAVAILABLE:
        return "The storage failed: its disk, its file or the memory.";
    }
    return "The storage gave an unknown status.";
}

void storage_sentence(char error[STORAGE_ERROR_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(error, STORAGE_ERROR_SIZE, format, arguments);
    va_end(arguments);
}

/* The backend of that URL and what stands behind its prefix, or NULL. */
static const struct backend *find_backend(const char *url, const char **path)
{
    for (size_t i = 0; i < sizeof backends / sizeof backends[0]; i++) {
        size_t length = strlen(backends[i].prefix);
        *path = url + length;
        if (strncmp(url, backends[i].prefix, length) == 0)
            return &backends[i];
    }
    return NULL;
}

bool storage_is_url(const char *url)
{
    const char *path = NULL;
    return find_backend(url, &path) && *path != '\0';
}

enum storage_open_status storage_open(const char *url, const struct storage_options *options,
                                      struct storage **storage, char error[STORAGE_ERROR_SIZE])
{
    error[0] = '\0';
    const char *path = NULL;
    const struct backend *backend = find_backend(url, &path);
    if (backend)
        return backend->open(path, options, storage, error);
    storage_sentence(error, "'%s' names no storage that this build knows: write sqlite:PATH.", url);
    return STORAGE_OPEN_FAILED;
}

void storage_close(struct storage *storage)
{
    if (storage)
        storage->ops->close(storage);
}

void storage_submit(struct storage *storage, struct storage_write *write)
{
    storage->ops->submit(storage, write);
}

enum storage_status storage_load(struct storage *storage, const char *id, const struct storage_rows *rows)
{
    return storage->ops->load(storage, id, rows);
}

enum storage_status storage_moves(struct storage *storage, int64_t key, const struct storage_span *span,
                                  const struct storage_rows *rows)
{
    return storage->ops->moves(storage, key, span, rows);
}

enum storage_status storage_actions_after(struct storage *storage, int64_t key, uint32_t version,
                                          uint32_t limit, const struct storage_rows *rows)
{
    const struct storage_span span = {.from = version, .limit = limit};
    return storage->ops->actions_after(storage, key, &span, rows);
}

enum storage_status storage_watched(struct storage *storage, int64_t after_key, uint32_t limit,
                                    const struct storage_rows *rows)
{
    return storage->ops->watched(storage, after_key, limit, rows);
}

enum storage_status storage_all(struct storage *storage, int64_t after_key, uint32_t limit,
                                const struct storage_rows *rows)
{
    return storage->ops->all(storage, after_key, limit, rows);
}

enum storage_status storage_service_ms(struct storage *storage, int64_t *service_ms)
{
    return storage->ops->service_ms(storage, service_ms);
}

enum storage_status storage_receipt(struct storage *storage, const uint8_t *id,
                                    const struct storage_rows *rows)
{
    return storage->ops->receipt(storage, id, rows);
}

enum storage_status storage_oldest_receipt(struct storage *storage, int64_t *service_ms)
{
    return storage->ops->oldest_receipt(storage, service_ms);
}

enum storage_status storage_list(struct storage *storage, const struct storage_query *query,
                                 const struct storage_rows *rows)
{
    return storage->ops->list(storage, query, rows);
}

enum storage_status storage_ready(struct storage *storage)
{
    return storage->ops->ready(storage);
}

enum storage_status storage_inspect(struct storage *storage, const struct storage_work *work, void *context,
                                    void (*finding)(void *context, const struct storage_finding *finding))
{
    return storage->ops->inspect(storage, work, context, finding);
}

enum storage_copy_status storage_copy(struct storage *storage, const char *path,
                                      const struct storage_work *work, char error[STORAGE_ERROR_SIZE])
{
    return storage->ops->copy(storage, path, work, error);
}

void storage_versions(char text[STORAGE_VERSIONS_SIZE])
{
    (void)snprintf(text, STORAGE_VERSIONS_SIZE, "sqlite %s", sqlite_version());
}

void storage_counters(struct storage *storage, struct storage_counters *counters)
{
    storage->ops->counters(storage, counters);
}
