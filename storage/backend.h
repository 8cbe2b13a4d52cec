/* What a backend of the storage offers: the operations behind storage.h, one table a backend.
 *
 * Layer: storage, private to it and to its tests. A backend's own struct begins with a struct storage; its
 * open function is a row of the table in storage.c. The meaning of every operation is that of the function of
 * the same name in storage.h; the facade has checked nothing. */
#pragma once

#include "storage/storage.h"

struct storage_ops {
    void (*close)(struct storage *storage);
    void (*submit)(struct storage *storage, struct storage_write *write);
    enum storage_status (*load)(struct storage *storage, const char *id, const struct storage_rows *rows);
    enum storage_status (*moves)(struct storage *storage, int64_t key, const struct storage_span *span,
                                 const struct storage_rows *rows);
    /* span->from is the version before the first; its `version` counts for nothing. */
    enum storage_status (*actions_after)(struct storage *storage, int64_t key,
                                         const struct storage_span *span, const struct storage_rows *rows);
    enum storage_status (*watched)(struct storage *storage, int64_t after_key, uint32_t limit,
                                   const struct storage_rows *rows);
    enum storage_status (*all)(struct storage *storage, int64_t after_key, uint32_t limit,
                               const struct storage_rows *rows);
    enum storage_status (*service_ms)(struct storage *storage, int64_t *service_ms);
    enum storage_status (*receipt)(struct storage *storage, const uint8_t *id,
                                   const struct storage_rows *rows);
    enum storage_status (*oldest_receipt)(struct storage *storage, int64_t *service_ms);
    enum storage_status (*list)(struct storage *storage, const struct storage_query *query,
                                const struct storage_rows *rows);
    enum storage_status (*ready)(struct storage *storage);
    enum storage_status (*inspect)(struct storage *storage, const struct storage_work *work, void *context,
                                   void (*finding)(void *context, const struct storage_finding *finding));
    enum storage_copy_status (*copy)(struct storage *storage, const char *path,
                                     const struct storage_work *work, char error[STORAGE_ERROR_SIZE]);
    void (*counters)(struct storage *storage, struct storage_counters *counters);
};

struct storage {
    const struct storage_ops *ops;
};

/* Opens what stands behind the prefix of the URL; see storage_open. */
typedef enum storage_open_status storage_opener(const char *path, const struct storage_options *options,
                                                struct storage **storage, char error[STORAGE_ERROR_SIZE]);

/* Writes the sentence of an error buffer. */
void storage_sentence(char error[STORAGE_ERROR_SIZE], const char *format, ...)
    __attribute__((format(printf, 2, 3)));
