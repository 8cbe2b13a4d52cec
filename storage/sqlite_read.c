#include "storage/sqlite_read.h"

#include <string.h>

#include "storage/sqlite_chain.h"
#include "storage/sqlite_sql.h"
#include "storage/sqlite_steps.h"

int sqlite_read_prepare(struct sqlite_db *db)
{
    int code = sqlite_steps_install(db);
    return code == SQLITE_OK ? sqlite_db_prepare(db, sqlite_read_sql) : code;
}

typedef bool row_giver(sqlite3_stmt *row, const struct storage_rows *rows);

static const char *text(sqlite3_stmt *row, int column)
{
    return (const char *)sqlite3_column_text(row, column);
}

/* Of a column that is never NULL; but what the disk has changed may be anything. */
static const char *word(sqlite3_stmt *row, int column)
{
    const char *found = text(row, column);
    return found ? found : "";
}

/* Of that length in any case; no game has the other. */
static const char *id_of(sqlite3_stmt *row, int column)
{
    const char *found = word(row, column);
    return strlen(found) == STORAGE_ID_LENGTH ? found : "############";
}

static bool give_game(sqlite3_stmt *row, const struct storage_rows *rows)
{
    const struct storage_game game = {
        .key = sqlite3_column_int64(row, 0),
        .id = id_of(row, 1),
        .variant = word(row, 2),
        .start = text(row, 3),
        .rules = text(row, 4),
        .clock = text(row, 5),
        .tags = text(row, 6),
        .created_at_ms = sqlite3_column_int64(row, 7),
        .access = word(row, 8),
        .visibility = word(row, 9),
        .white_name = text(row, 10),
        .black_name = text(row, 11),
        .metadata = text(row, 12),
        .tokens = text(row, 13),
        .status = word(row, 14),
        .result = text(row, 15),
        .termination = text(row, 16),
        .ended_at_ms = sqlite3_column_int64(row, 17),
        .watched = sqlite3_column_int64(row, 18) != 0,
    };
    return !rows->game || sqlite_db_is_out_of_memory(row) || rows->game(rows->context, &game);
}

static bool give_receipt(sqlite3_stmt *row, const struct storage_rows *rows)
{
    const struct storage_receipt receipt = {
        .id = sqlite3_column_blob(row, 0),
        .request = sqlite3_column_blob(row, 1),
        .answer = sqlite3_column_blob(row, 2),
        .answer_length = (size_t)sqlite3_column_bytes(row, 2),
        .service_ms = sqlite3_column_int64(row, 3),
    };
    return !rows->receipt || sqlite_db_is_out_of_memory(row) || rows->receipt(rows->context, &receipt);
}

static enum storage_status give_rows(struct sqlite_db *db, int statement, row_giver *give,
                                     const struct storage_rows *rows)
{
    sqlite3_stmt *row = db->statements[statement];
    enum storage_status status = STORAGE_OK;
    int code = SQLITE_OK;
    while (status == STORAGE_OK && (code = sqlite3_step(row)) == SQLITE_ROW) {
        if (!give(row, rows))
            status = STORAGE_STOPPED;
        else if (sqlite_db_is_out_of_memory(row))
            status = STORAGE_UNAVAILABLE;
    }
    if (status == STORAGE_OK)
        status = sqlite_db_status(db, code);
    (void)sqlite3_reset(row);
    return status;
}

static int64_t limit_or_none(uint32_t limit)
{
    return limit == 0 ? -1 : (int64_t)limit;
}

static enum storage_status begin(struct sqlite_db *db)
{
    return sqlite_db_status(db, sqlite_db_run(db, READ_BEGIN));
}

/* A fault, so that the pool closes the connection: its snapshot would grow old there. */
static enum storage_status end(struct sqlite_db *db, enum storage_status status)
{
    bool ended = sqlite_db_run(db, READ_END) == SQLITE_OK;
    return ended || status >= STORAGE_BUSY ? status : STORAGE_UNAVAILABLE;
}

typedef enum storage_status chain_reader(struct sqlite_db *db, int64_t game, const struct storage_span *span,
                                         const struct storage_rows *rows);

static enum storage_status read_chain(struct sqlite_pool *pool, chain_reader *read, int64_t key,
                                      const struct storage_span *span, const struct storage_rows *rows)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    status = begin(db);
    if (status == STORAGE_OK) {
        status = read(db, key, span, rows);
        status = end(db, status == STORAGE_NOT_FOUND ? STORAGE_OK : status);
    }
    sqlite_pool_give_back(pool, db, status);
    return status;
}

enum storage_status sqlite_read_moves(struct sqlite_pool *pool, int64_t key, const struct storage_span *span,
                                      const struct storage_rows *rows)
{
    return read_chain(pool, sqlite_chain_moves, key, span, rows);
}

enum storage_status sqlite_read_actions_after(struct sqlite_pool *pool, int64_t key,
                                              const struct storage_span *span,
                                              const struct storage_rows *rows)
{
    return read_chain(pool, sqlite_chain_actions, key, span, rows);
}

static enum storage_status load_game(struct sqlite_db *db, const char *id, const struct storage_rows *rows,
                                     int64_t *key)
{
    sqlite3_stmt *row = db->statements[READ_GAME];
    sqlite_db_bind_text(row, 1, id);
    int code = sqlite3_step(row);
    enum storage_status status = code == SQLITE_DONE ? STORAGE_NOT_FOUND : sqlite_db_status(db, code);
    if (code == SQLITE_ROW) {
        *key = sqlite3_column_int64(row, 0);
        if (!give_game(row, rows))
            status = STORAGE_STOPPED;
        else if (sqlite_db_is_out_of_memory(row))
            status = STORAGE_UNAVAILABLE;
    }
    (void)sqlite3_reset(row);
    return status;
}

/* One snapshot for the game and its actions, of which there is at least one. */
static enum storage_status load_in_transaction(struct sqlite_db *db, const char *id,
                                               const struct storage_rows *rows)
{
    const struct storage_span everything = {0};
    int64_t key = 0;
    enum storage_status status = begin(db);
    if (status != STORAGE_OK)
        return status;
    status = load_game(db, id, rows, &key);
    if (status == STORAGE_OK) {
        status = sqlite_chain_actions(db, key, &everything, rows);
        if (status == STORAGE_NOT_FOUND)
            status = STORAGE_DAMAGED;
    }
    return end(db, status);
}

enum storage_status sqlite_read_load(struct sqlite_pool *pool, const char *id,
                                     const struct storage_rows *rows)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    status = load_in_transaction(db, id, rows);
    sqlite_pool_give_back(pool, db, status);
    return status;
}

static enum storage_status read_by_key(struct sqlite_pool *pool, int statement, int64_t after_key,
                                       uint32_t limit, const struct storage_rows *rows)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    sqlite3_stmt *prepared = db->statements[statement];
    (void)sqlite3_bind_int64(prepared, 1, after_key);
    (void)sqlite3_bind_int64(prepared, 2, limit_or_none(limit));
    status = give_rows(db, statement, give_game, rows);
    sqlite_pool_give_back(pool, db, status);
    return status;
}

enum storage_status sqlite_read_watched(struct sqlite_pool *pool, int64_t after_key, uint32_t limit,
                                        const struct storage_rows *rows)
{
    return read_by_key(pool, READ_WATCHED, after_key, limit, rows);
}

enum storage_status sqlite_read_all(struct sqlite_pool *pool, int64_t after_key, uint32_t limit,
                                    const struct storage_rows *rows)
{
    return read_by_key(pool, READ_ALL, after_key, limit, rows);
}

/* A statement that gives one row of one number. A store without its one row was tampered with. */
static enum storage_status read_number(struct sqlite_db *db, int statement, int64_t *number)
{
    sqlite3_stmt *row = db->statements[statement];
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        *number = sqlite3_column_int64(row, 0);
    enum storage_status status = code == SQLITE_DONE ? STORAGE_UNAVAILABLE : sqlite_db_status(db, code);
    (void)sqlite3_reset(row);
    return status;
}

static enum storage_status take_and_read_number(struct sqlite_pool *pool, int statement, int64_t *number)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    status = read_number(db, statement, number);
    sqlite_pool_give_back(pool, db, status);
    return status;
}

enum storage_status sqlite_read_service_ms(struct sqlite_pool *pool, int64_t *service_ms)
{
    return take_and_read_number(pool, READ_SERVICE_MS, service_ms);
}

enum storage_status sqlite_read_oldest_receipt(struct sqlite_pool *pool, int64_t *service_ms)
{
    return take_and_read_number(pool, READ_OLDEST_RECEIPT, service_ms);
}

/* What the disk has made of a digest need not have the length of one: constraints are not looked at by reads. */
static bool has_digests(sqlite3_stmt *row)
{
    return sqlite3_column_bytes(row, 0) == STORAGE_DIGEST_SIZE &&
           sqlite3_column_bytes(row, 1) == STORAGE_DIGEST_SIZE;
}

static enum storage_status read_receipt(struct sqlite_db *db, const struct storage_rows *rows)
{
    sqlite3_stmt *row = db->statements[READ_RECEIPT];
    int code = sqlite3_step(row);
    enum storage_status status = code == SQLITE_DONE ? STORAGE_NOT_FOUND : sqlite_db_status(db, code);
    if (code == SQLITE_ROW && !has_digests(row))
        status = STORAGE_DAMAGED;
    else if (code == SQLITE_ROW && !give_receipt(row, rows))
        status = STORAGE_STOPPED;
    else if (code == SQLITE_ROW && sqlite_db_is_out_of_memory(row))
        status = STORAGE_UNAVAILABLE;
    (void)sqlite3_reset(row);
    return status;
}

enum storage_status sqlite_read_receipt(struct sqlite_pool *pool, const uint8_t *id,
                                        const struct storage_rows *rows)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    sqlite_db_bind_bytes(db->statements[READ_RECEIPT], 1, id, STORAGE_DIGEST_SIZE);
    status = read_receipt(db, rows);
    sqlite_pool_give_back(pool, db, status);
    return status;
}

struct bounds {
    int64_t low, high; /* of keys, both exclusive */
};

static enum storage_status bounds_of_time(struct sqlite_db *db, int64_t since_ms, int64_t until_ms,
                                          struct bounds *bounds)
{
    sqlite3_stmt *row = db->statements[READ_BOUNDS];
    (void)sqlite3_bind_int64(row, 1, since_ms);
    (void)sqlite3_bind_int64(row, 2, until_ms);
    int code = sqlite3_step(row);
    if (code == SQLITE_ROW)
        *bounds = (struct bounds){sqlite3_column_int64(row, 0), sqlite3_column_int64(row, 1)};
    enum storage_status status = code == SQLITE_DONE ? STORAGE_UNAVAILABLE : sqlite_db_status(db, code);
    (void)sqlite3_reset(row);
    return status;
}

static int list_statement(const struct storage_query *query)
{
    int first = query->order == STORAGE_NEWEST_FIRST ? READ_NEWEST : READ_OLDEST;
    int filter = query->player ? READ_NEWEST_BY_PLAYER : query->status ? READ_NEWEST_BY_STATUS : READ_NEWEST;
    return first + filter - READ_NEWEST;
}

static enum storage_status list_with(struct sqlite_db *db, const struct storage_query *query,
                                     const struct storage_rows *rows)
{
    struct bounds bounds = {0, INT64_MAX};
    int64_t until_ms = query->until_ms ? query->until_ms : INT64_MAX / 2;
    if (query->since_ms || query->until_ms) {
        enum storage_status status = bounds_of_time(db, query->since_ms, until_ms, &bounds);
        if (status != STORAGE_OK)
            return status;
    }
    if (query->after_key && query->order == STORAGE_NEWEST_FIRST && query->after_key < bounds.high)
        bounds.high = query->after_key;
    if (query->after_key && query->order == STORAGE_OLDEST_FIRST && query->after_key > bounds.low)
        bounds.low = query->after_key;

    int statement = list_statement(query);
    sqlite3_stmt *prepared = db->statements[statement];
    (void)sqlite3_bind_int64(prepared, 1, bounds.low);
    (void)sqlite3_bind_int64(prepared, 2, bounds.high);
    (void)sqlite3_bind_int64(prepared, 3, query->since_ms ? query->since_ms : INT64_MIN);
    (void)sqlite3_bind_int64(prepared, 4, until_ms);
    (void)sqlite3_bind_int64(prepared, 5, limit_or_none(query->limit));
    sqlite_db_bind_text(prepared, 6, query->status);
    sqlite_db_bind_text(prepared, 7, query->player);
    return give_rows(db, statement, give_game, rows);
}

enum storage_status sqlite_read_list(struct sqlite_pool *pool, const struct storage_query *query,
                                     const struct storage_rows *rows)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    status = list_with(db, query, rows);
    sqlite_pool_give_back(pool, db, status);
    return status;
}

enum storage_status sqlite_read_probe(struct sqlite_pool *pool)
{
    enum storage_status status = STORAGE_OK;
    struct sqlite_db *db = sqlite_pool_take(pool, &status);
    if (!db)
        return status;
    status = sqlite_db_status(db, sqlite_db_run(db, READ_STORE));
    sqlite_pool_give_back(pool, db, status);
    return status;
}
