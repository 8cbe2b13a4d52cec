/* The embedded backend: one SQLite file, one process that writes it.
 *
 * Layer: storage, private. See sqlite.c for how the parts fit. */
#pragma once

#include "storage/backend.h"
#include "storage/sqlite_schema.h"

/* Backend of "sqlite:PATH". */
storage_opener sqlite_open;

/* The same with another history of the schema: for tests of migrations. */
enum storage_open_status sqlite_open_schema(const char *path, const struct storage_options *options,
                                            const struct sqlite_schema *schema, struct storage **storage,
                                            char error[STORAGE_ERROR_SIZE]);
