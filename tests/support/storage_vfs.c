#include "tests/support/storage_vfs.h"

#include <errno.h>
#include <stdatomic.h>
#include <stddef.h>

#include <sqlite3.h>

enum { PAGE_BYTES = 4096 };

static struct {
    atomic_int times, code, count;
} operations[VFS_OPERATION_COUNT];

static sqlite3_vfs *system_vfs;
static sqlite3_vfs failing_vfs;

struct file {
    sqlite3_file base;
    bool is_log, is_main;
    sqlite3_int64 inner[]; /* the system's file, aligned as SQLite aligns */
};

static sqlite3_file *inner_of(sqlite3_file *file)
{
    return (sqlite3_file *)(void *)((struct file *)(void *)file)->inner;
}

static int code_for(enum vfs_operation operation)
{
    atomic_fetch_add(&operations[operation].count, 1);
    int times = atomic_load(&operations[operation].times);
    if (times == 0)
        return SQLITE_OK;
    if (times > 0)
        atomic_fetch_sub(&operations[operation].times, 1);
    errno = EIO;
    return atomic_load(&operations[operation].code);
}

static int operation_code(sqlite3_file *base, enum vfs_operation for_log, enum vfs_operation for_main)
{
    const struct file *file = (const struct file *)(const void *)base;
    if (file->is_log)
        return code_for(for_log);
    return file->is_main ? code_for(for_main) : SQLITE_OK;
}

static int close_file(sqlite3_file *file)
{
    return inner_of(file)->pMethods->xClose(inner_of(file));
}

static int read_file(sqlite3_file *file, void *bytes, int size, sqlite3_int64 at)
{
    return inner_of(file)->pMethods->xRead(inner_of(file), bytes, size, at);
}

static int write_file(sqlite3_file *file, const void *bytes, int size, sqlite3_int64 at)
{
    int code = operation_code(file, size > PAGE_BYTES ? VFS_LENGTHEN_LOG : VFS_WRITE_LOG, VFS_WRITE_FILE);
    return code != SQLITE_OK ? code : inner_of(file)->pMethods->xWrite(inner_of(file), bytes, size, at);
}

static int truncate_file(sqlite3_file *file, sqlite3_int64 size)
{
    return inner_of(file)->pMethods->xTruncate(inner_of(file), size);
}

static int sync_file(sqlite3_file *file, int flags)
{
    int code = operation_code(file, VFS_SYNC_LOG, VFS_SYNC_FILE);
    return code != SQLITE_OK ? code : inner_of(file)->pMethods->xSync(inner_of(file), flags);
}

static int file_size(sqlite3_file *file, sqlite3_int64 *size)
{
    return inner_of(file)->pMethods->xFileSize(inner_of(file), size);
}

static int lock(sqlite3_file *file, int level)
{
    return inner_of(file)->pMethods->xLock(inner_of(file), level);
}

static int unlock(sqlite3_file *file, int level)
{
    return inner_of(file)->pMethods->xUnlock(inner_of(file), level);
}

static int check_reserved_lock(sqlite3_file *file, int *held)
{
    return inner_of(file)->pMethods->xCheckReservedLock(inner_of(file), held);
}

static int file_control(sqlite3_file *file, int verb, void *argument)
{
    return inner_of(file)->pMethods->xFileControl(inner_of(file), verb, argument);
}

static int sector_size(sqlite3_file *file)
{
    return inner_of(file)->pMethods->xSectorSize(inner_of(file));
}

static int device_characteristics(sqlite3_file *file)
{
    return inner_of(file)->pMethods->xDeviceCharacteristics(inner_of(file));
}

static int shm_map(sqlite3_file *file, int region, int size, int extend, void volatile **memory)
{
    return inner_of(file)->pMethods->xShmMap(inner_of(file), region, size, extend, memory);
}

static int shm_lock(sqlite3_file *file, int offset, int count, int flags)
{
    return inner_of(file)->pMethods->xShmLock(inner_of(file), offset, count, flags);
}

static void shm_barrier(sqlite3_file *file)
{
    inner_of(file)->pMethods->xShmBarrier(inner_of(file));
}

static int shm_unmap(sqlite3_file *file, int remove)
{
    return inner_of(file)->pMethods->xShmUnmap(inner_of(file), remove);
}

static const sqlite3_io_methods methods = {
    .iVersion = 2,
    .xClose = close_file,
    .xRead = read_file,
    .xWrite = write_file,
    .xTruncate = truncate_file,
    .xSync = sync_file,
    .xFileSize = file_size,
    .xLock = lock,
    .xUnlock = unlock,
    .xCheckReservedLock = check_reserved_lock,
    .xFileControl = file_control,
    .xSectorSize = sector_size,
    .xDeviceCharacteristics = device_characteristics,
    .xShmMap = shm_map,
    .xShmLock = shm_lock,
    .xShmBarrier = shm_barrier,
    .xShmUnmap = shm_unmap,
};

static int open_file(sqlite3_vfs *vfs, const char *name, sqlite3_file *base, int flags, int *flags_out)
{
    (void)vfs;
    struct file *file = (struct file *)(void *)base;
    file->base.pMethods = NULL;
    file->is_log = (flags & SQLITE_OPEN_WAL) != 0;
    file->is_main = (flags & SQLITE_OPEN_MAIN_DB) != 0;
    int code = code_for(VFS_OPEN);
    if (code == SQLITE_OK)
        code = system_vfs->xOpen(system_vfs, name, inner_of(base), flags, flags_out);
    if (code == SQLITE_OK)
        file->base.pMethods = &methods;
    return code;
}

bool vfs_install(void)
{
    system_vfs = sqlite3_vfs_find(NULL);
    if (!system_vfs)
        return false;
    failing_vfs = *system_vfs;
    failing_vfs.zName = "failing";
    failing_vfs.szOsFile = (int)sizeof(struct file) + system_vfs->szOsFile;
    failing_vfs.xOpen = open_file;
    return sqlite3_vfs_register(&failing_vfs, 1) == SQLITE_OK;
}

void vfs_fail(enum vfs_operation operation, int times, int code)
{
    atomic_store(&operations[operation].code, code);
    atomic_store(&operations[operation].times, times);
}

void vfs_heal(void)
{
    for (int i = 0; i < VFS_OPERATION_COUNT; i++)
        atomic_store(&operations[i].times, 0);
}

int vfs_count(enum vfs_operation operation)
{
    return atomic_load(&operations[operation].count);
}
