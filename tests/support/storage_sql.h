/* SQL on the file of a store, as a person would give it beside the program.
 *
 * Fails the running cmocka test where something cannot be done. */
#pragma once

#include <stdint.h>

/* Runs statements that give no row of interest. */
void storage_sql_run(const char *path, const char *sql);

/* The first column of the first row, by a connection that only reads. */
int64_t storage_sql_number(const char *path, const char *sql);
