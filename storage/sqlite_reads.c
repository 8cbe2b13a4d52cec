#include "storage/sqlite_reads.h"

#include <pthread.h>
#include <string.h>

#include <sqlite3.h>

/* A file is the system's own; only its table of methods is a copy of ours with another xRead. There is one
 * copy for each table that the system has (one a kind of locking). */
enum { TABLES_MAX = 8 };

static struct table {
    sqlite3_io_methods methods; /* first: a file points to it */
    const sqlite3_io_methods *real;
} tables[TABLES_MAX];
static size_t table_count;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER; /* of the tables */

/* A layer is a copy of the file system under it, with another name and another xOpen. */
static struct layer {
    sqlite3_vfs vfs; /* first: SQLite gives it back */
    const char *name, *real_name;
    sqlite3_vfs *real; /* NULL: there is no such layer */
} usual = {.name = "told", .real_name = NULL},
  alone = {.name = "told-alone", .real_name = "unix-none"}; /* https://www.sqlite.org/vfs.html */
static pthread_once_t once = PTHREAD_ONCE_INIT;

static _Thread_local struct sqlite_reads *watching;

static int read_told(sqlite3_file *file, void *bytes, int length, sqlite3_int64 at)
{
    const struct table *table = (const struct table *)(const void *)file->pMethods;
    struct sqlite_reads *reads = watching;
    if (!reads)
        return table->real->xRead(file, bytes, length, at);
    reads->bytes += (uint64_t)length;
    reads->stopped = reads->stopped || !reads->goes_on(reads->context, reads->bytes);
    return reads->stopped ? SQLITE_IOERR_READ : table->real->xRead(file, bytes, length, at);
}

/* NULL: there is no room for it. */
static const sqlite3_io_methods *told(const sqlite3_io_methods *real)
{
    const sqlite3_io_methods *found = NULL;
    (void)pthread_mutex_lock(&mutex);
    for (size_t i = 0; i < table_count && !found; i++)
        if (tables[i].real == real)
            found = &tables[i].methods;
    if (!found && table_count < TABLES_MAX) {
        struct table *table = &tables[table_count++];
        *table = (struct table){*real, real};
        table->methods.xRead = read_told;
        found = &table->methods;
    }
    (void)pthread_mutex_unlock(&mutex);
    return found;
}

static int open_told(sqlite3_vfs *vfs, const char *name, sqlite3_file *file, int flags, int *flags_out)
{
    const struct layer *layer = (const struct layer *)(const void *)vfs;
    int code = layer->real->xOpen(layer->real, name, file, flags, flags_out);
    const sqlite3_io_methods *methods = code == SQLITE_OK ? told(file->pMethods) : NULL;
    if (methods)
        file->pMethods = methods;
    return code;
}

static void make_layer(struct layer *layer)
{
    sqlite3_vfs *real = sqlite3_vfs_find(layer->real_name);
    if (!real)
        return;
    layer->real = real;
    layer->vfs = *real;
    layer->vfs.zName = layer->name;
    layer->vfs.pNext = NULL;
    layer->vfs.xOpen = open_told;
    if (sqlite3_vfs_register(&layer->vfs, 0) != SQLITE_OK)
        layer->real = NULL;
}

static void make_layers(void)
{
    make_layer(&usual);
    make_layer(&alone);
}

static const char *name_of(const struct layer *layer)
{
    (void)pthread_once(&once, make_layers);
    return layer->real ? layer->name : NULL;
}

const char *sqlite_reads_vfs(void)
{
    return name_of(&usual);
}

const char *sqlite_reads_vfs_alone(void)
{
    return name_of(&alone);
}

void sqlite_reads_watch(struct sqlite_reads *reads)
{
    watching = reads;
}
