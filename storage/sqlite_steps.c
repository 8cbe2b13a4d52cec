#include "storage/sqlite_steps.h"

#include <stdlib.h>

struct steps_table {
    sqlite3_vtab base;
    const struct sqlite_db *db;
};

struct steps_cursor {
    sqlite3_vtab_cursor base;
    sqlite3_int64 seq;
    bool over;
};

static int connect_table(sqlite3 *handle, void *context, int count, const char *const *arguments,
                         sqlite3_vtab **table, char **error)
{
    (void)count;
    (void)arguments;
    (void)error;
    struct steps_table *steps = calloc(1, sizeof *steps);
    if (!steps)
        return SQLITE_NOMEM;
    steps->db = context;
    *table = &steps->base;
    int code = sqlite3_vtab_config(handle, SQLITE_VTAB_DIRECTONLY);
    return code == SQLITE_OK ? sqlite3_declare_vtab(handle, "CREATE TABLE steps(seq INTEGER)") : code;
}

static int disconnect_table(sqlite3_vtab *table)
{
    free(table);
    return SQLITE_OK;
}

/* There is one way to read it: from the first row to the last. */
static int plan(sqlite3_vtab *table, sqlite3_index_info *info)
{
    (void)table;
    (void)info;
    return SQLITE_OK;
}

static int open_cursor(sqlite3_vtab *table, sqlite3_vtab_cursor **opened)
{
    (void)table;
    struct steps_cursor *cursor = calloc(1, sizeof *cursor);
    if (!cursor)
        return SQLITE_NOMEM;
    *opened = &cursor->base;
    return SQLITE_OK;
}

static int close_cursor(sqlite3_vtab_cursor *cursor)
{
    free(cursor);
    return SQLITE_OK;
}

static int step(sqlite3_vtab_cursor *base)
{
    struct steps_cursor *cursor = (struct steps_cursor *)base;
    struct sqlite_walk *walk = ((const struct steps_table *)base->pVtab)->db->walk;
    cursor->over = !walk || !walk->next(walk, &cursor->seq);
    return SQLITE_OK;
}

static int begin(sqlite3_vtab_cursor *cursor, int index, const char *text, int count, sqlite3_value **values)
{
    (void)index;
    (void)text;
    (void)count;
    (void)values;
    return step(cursor);
}

static int is_over(sqlite3_vtab_cursor *cursor)
{
    return ((const struct steps_cursor *)cursor)->over;
}

static int give_column(sqlite3_vtab_cursor *cursor, sqlite3_context *result, int column)
{
    (void)column;
    sqlite3_result_int64(result, ((const struct steps_cursor *)cursor)->seq);
    return SQLITE_OK;
}

static int give_rowid(sqlite3_vtab_cursor *cursor, sqlite3_int64 *rowid)
{
    *rowid = ((const struct steps_cursor *)cursor)->seq;
    return SQLITE_OK;
}

static const sqlite3_module steps = {
    .xConnect = connect_table,
    .xDisconnect = disconnect_table,
    .xBestIndex = plan,
    .xOpen = open_cursor,
    .xClose = close_cursor,
    .xFilter = begin,
    .xNext = step,
    .xEof = is_over,
    .xColumn = give_column,
    .xRowid = give_rowid,
};

static void take(sqlite3_context *result, int count, sqlite3_value **columns)
{
    (void)count;
    const struct sqlite_db *db = sqlite3_user_data(result);
    int code = db->walk ? db->walk->take(db->walk, columns) : SQLITE_MISUSE;
    if (code == SQLITE_OK)
        sqlite3_result_int(result, 0);
    else
        sqlite3_result_error_code(result, code);
}

int sqlite_steps_install(struct sqlite_db *db)
{
    int code = sqlite3_create_module(db->handle, "steps", &steps, db);
    if (code == SQLITE_OK)
        code = sqlite3_create_function_v2(db->handle, "take", -1, SQLITE_UTF8 | SQLITE_DIRECTONLY, db, take,
                                          NULL, NULL, NULL);
    return code;
}
