/* The reads of the SQLite backend; each as its namesake in storage.h, on a connection of the pool.
 *
 * Layer: storage, private. Any thread. */
#pragma once

#include "storage/backend.h"
#include "storage/sqlite_pool.h"

/* Prepares sqlite_read_sql on a connection, with all it needs. `db` must stay where it is. As sqlite_db_prepare. */
int sqlite_read_prepare(struct sqlite_db *db);

enum storage_status sqlite_read_load(struct sqlite_pool *pool, const char *id,
                                     const struct storage_rows *rows);

enum storage_status sqlite_read_moves(struct sqlite_pool *pool, int64_t key, const struct storage_span *span,
                                      const struct storage_rows *rows);

enum storage_status sqlite_read_actions_after(struct sqlite_pool *pool, int64_t key,
                                              const struct storage_span *span,
                                              const struct storage_rows *rows);

enum storage_status sqlite_read_watched(struct sqlite_pool *pool, int64_t after_key, uint32_t limit,
                                        const struct storage_rows *rows);

enum storage_status sqlite_read_all(struct sqlite_pool *pool, int64_t after_key, uint32_t limit,
                                    const struct storage_rows *rows);

enum storage_status sqlite_read_service_ms(struct sqlite_pool *pool, int64_t *service_ms);

enum storage_status sqlite_read_receipt(struct sqlite_pool *pool, const uint8_t *id,
                                        const struct storage_rows *rows);

enum storage_status sqlite_read_oldest_receipt(struct sqlite_pool *pool, int64_t *service_ms);

enum storage_status sqlite_read_list(struct sqlite_pool *pool, const struct storage_query *query,
                                     const struct storage_rows *rows);

/* Whether a row can be read. */
enum storage_status sqlite_read_probe(struct sqlite_pool *pool);
