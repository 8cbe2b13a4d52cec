/* The schema of the SQLite file: numbered migrations.
 *
 * Layer: storage, private. Migration n (counted from 1) leads from version n - 1 to n, which `user_version`
 * holds; a new file is made by all of them. A migration that has been released is never changed:
 * append one. */
#pragma once

#include <sqlite3.h>

#include "storage/storage.h"

enum { SQLITE_APPLICATION_ID = 0x41726274 /* "Arbt" */ };

struct sqlite_schema {
    const char *const *migrations;
    int version; /* their number */
};

extern const struct sqlite_schema sqlite_schema;

/* Brings an open database from `version` to the last one, within the transaction that is open, if one is. False: SQLite
 * tells why. */
bool sqlite_schema_apply(sqlite3 *db, const struct sqlite_schema *schema, int version);

/* The bytes of a new, empty file, for sqlite3_free; NULL if memory is out. */
unsigned char *sqlite_schema_image(const struct sqlite_schema *schema, sqlite3_int64 *size);

/* Says that a file has a later schema: STORAGE_OPEN_REFUSED. */
enum storage_open_status sqlite_schema_newer(const char *path, sqlite3_int64 version,
                                             const struct sqlite_schema *schema,
                                             char error[STORAGE_ERROR_SIZE]);

/* Has the file, which is a store, an earlier schema? False too if that cannot be found out. `name` is its path, or a URI. */
bool sqlite_schema_is_earlier(const char *name, const struct sqlite_schema *schema);
