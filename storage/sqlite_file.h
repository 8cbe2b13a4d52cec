/* The SQLite file before it is a store: looked at without a trace.
 *
 * Layer: storage, private. */
#pragma once

#include "storage/sqlite_schema.h"

/* STORAGE_OPENED if the header of the file is that of a store which `schema` knows, else STORAGE_OPEN_REFUSED
 * or _FAILED. */
enum storage_open_status sqlite_file_look(const char *path, const struct sqlite_schema *schema,
                                          char error[STORAGE_ERROR_SIZE]);

/* The same of a file that may be damaged: only empty, foreign and newer ones are refused. */
enum storage_open_status sqlite_file_recognize(const char *path, const struct sqlite_schema *schema,
                                               char error[STORAGE_ERROR_SIZE]);

/* The same for all that is in the file and its log; nobody else may write. Neither the file nor what lies beside it is
 * changed, made or removed. Of a large file only the first pages are read through, as many as a tenth of a second
 * allows. */
enum storage_open_status sqlite_file_check(const char *path, const struct sqlite_schema *schema,
                                           char error[STORAGE_ERROR_SIZE]);

/* The same, with every page; its reads are told (sqlite_reads.h). */
enum storage_open_status sqlite_file_check_whole(const char *path, const struct sqlite_schema *schema,
                                                 char error[STORAGE_ERROR_SIZE]);

/* Can the file not be read because SQLite can make none beside it? In WAL mode it needs one. */
bool sqlite_file_wants_neighbours(const char *path, uint32_t busy_ms);

/* A URI by which SQLite reads the file, and its log where there is one, while nobody writes: without locks and shared
 * memory, so nothing is made or changed beside it. Freed with sqlite3_free; NULL: no memory, also for the layer that a log takes. */
char *sqlite_file_uri_alone(const char *path);

/* Is there a log, be it empty? */
bool sqlite_file_has_log(const char *path);

/* False: there is a log, and no right to read it. */
bool sqlite_file_can_read_log(const char *path);

/* Is there a log with something in it, and no shared memory, as whoever has the file open keeps beside it? */
bool sqlite_file_has_left_log(const char *path);

/* Removes the log and the shared memory that readers of a file without a log have left, if nobody uses them and there is
 * nothing in them. */
void sqlite_file_remove_empty_log(const char *path);

/* Of the file and its log; 0 of one that is not there. */
void sqlite_file_measure(const char *path, uint64_t *file_bytes, uint64_t *log_bytes);

/* Of both together. */
uint64_t sqlite_file_bytes(const char *path);

/* A warning for a file that lies on a network, else NULL; static. */
const char *sqlite_file_warning(const char *path);
