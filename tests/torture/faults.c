/* The part of faults.h that is loaded into the program: wraps the calls of the C library that reach a disk. Not linked
 * with any test. */
#include "tests/support/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/types.h>
#include <unistd.h>

enum { DESCRIPTORS = 4096, PATH_SIZE = 512 };

static struct faults *faults;                    /* NULL: nothing ever fails */
static _Atomic unsigned char files[DESCRIPTORS]; /* enum fault_file; 0: none of the folder */

static struct {
    int (*open)(const char *path, int flags, ...);
    int (*close)(int fd);
    ssize_t (*write)(int fd, const void *bytes, size_t size);
    ssize_t (*pwrite)(int fd, const void *bytes, size_t size, off_t at);
    int (*fsync)(int fd);
    int (*fdatasync)(int fd);
    int (*ftruncate)(int fd, off_t size);
    int (*rename)(const char *from, const char *to);
    int (*renameat2)(int from_folder, const char *from, int to_folder, const char *to, unsigned flags);
    int (*link)(const char *from, const char *to);
    int (*unlink)(const char *path);
    int (*remove)(const char *path);
} real;

/* ISO C has no way from an object pointer to one of a function; POSIX has. */
static void find(const char *name, void *slot)
{
    void *symbol = dlsym(RTLD_NEXT, name);
    if (!symbol)
        abort();
    memcpy(slot, &symbol, sizeof symbol);
}

static void find_all(void)
{
    find("open", &real.open);
    find("close", &real.close);
    find("write", &real.write);
    find("pwrite", &real.pwrite);
    find("fsync", &real.fsync);
    find("fdatasync", &real.fdatasync);
    find("ftruncate", &real.ftruncate);
    find("rename", &real.rename);
    find("renameat2", &real.renameat2);
    find("link", &real.link);
    find("unlink", &real.unlink);
    find("remove", &real.remove);
}

__attribute__((constructor)) static void begin(void)
{
    if (real.open) /* the program's own constructors may have come first */
        return;
    find_all();
    const char *path = getenv(FAULTS_VARIABLE);
    int fd = path ? real.open(path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *mapped = mmap(NULL, sizeof *faults, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    (void)real.close(fd);
    faults = mapped == MAP_FAILED ? NULL : mapped;
}

static bool ends_in(const char *path, const char *end)
{
    size_t length = strlen(path), tail = strlen(end);
    return length >= tail && strcmp(path + length - tail, end) == 0;
}

/* 0: not of the folder. */
static unsigned file_of(const char *path)
{
    size_t length = faults ? strlen(faults->folder) : 0;
    if (length == 0 || strncmp(path, faults->folder, length) != 0 || ends_in(path, "-shm"))
        return 0;
    if (ends_in(path, "-wal"))
        return FAULT_FILE_LOG;
    return ends_in(path, ".db") ? FAULT_FILE_STORE : FAULT_FILE_OTHER;
}

static unsigned file_of_descriptor(int fd)
{
    return fd >= 0 && fd < DESCRIPTORS ? atomic_load(&files[fd]) : 0;
}

/* Counts the call. Its number among those that fail, from 1; 0: it is made. */
static uint32_t fails(unsigned file, enum fault_call call)
{
    if (!faults || !(file & atomic_load(&faults->files)) ||
        !((unsigned)call & atomic_load(&faults->operations)))
        return 0;
    if (atomic_load(&faults->kind) == FAULT_SHORT && call != FAULT_WRITE)
        return 0;
    uint32_t number = atomic_fetch_add(&faults->calls, 1) + 1, first = atomic_load(&faults->first);
    if (first == 0 || number < first || number > atomic_load(&faults->last))
        return 0;
    atomic_fetch_add(&faults->met, 1);
    return number - first + 1;
}

static void die(void)
{
    (void)kill(getpid(), SIGKILL);
    for (;;)
        (void)pause();
}

/* What a call that fails does instead, if it writes nothing: sets errno. */
static int refuse(void)
{
    if (atomic_load(&faults->kind) == FAULT_KILL)
        die();
    errno = atomic_load(&faults->kind) == FAULT_EIO ? EIO : ENOSPC;
    return -1;
}

static bool is_refused(unsigned file, enum fault_call call)
{
    return file && fails(file, call) && refuse() != 0;
}

/* How much of a write is made; `size`: all of it; -1: errno. */
static ssize_t let_write(int fd, size_t size)
{
    unsigned file = file_of_descriptor(fd);
    uint32_t number = file ? fails(file, FAULT_WRITE) : 0;
    if (number == 0)
        return (ssize_t)size;
    uint32_t kind = atomic_load(&faults->kind);
    if (kind == FAULT_KILL || (kind == FAULT_SHORT && number == 1))
        return (ssize_t)(size / 2);
    return refuse();
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    begin();
    ssize_t allowed = let_write(fd, size);
    ssize_t written = allowed < 0 ? -1 : real.pwrite(fd, bytes, (size_t)allowed, at);
    if (allowed >= 0 && (size_t)allowed < size && atomic_load(&faults->kind) == FAULT_KILL)
        die();
    return written;
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    return pwrite(fd, bytes, size, at);
}

ssize_t write(int fd, const void *bytes, size_t size)
{
    begin();
    ssize_t allowed = let_write(fd, size);
    ssize_t written = allowed < 0 ? -1 : real.write(fd, bytes, (size_t)allowed);
    if (allowed >= 0 && (size_t)allowed < size && atomic_load(&faults->kind) == FAULT_KILL)
        die();
    return written;
}

static void know(int fd)
{
    char name[64], path[PATH_SIZE];
    if (fd < 0 || fd >= DESCRIPTORS)
        return;
    (void)snprintf(name, sizeof name, "/proc/self/fd/%d", fd);
    ssize_t length = readlink(name, path, sizeof path - 1);
    path[length < 0 ? 0 : length] = '\0';
    atomic_store(&files[fd], (unsigned char)file_of(path));
}

/* A folder is opened by its own name, a file by one that begins with the folder's. */
static int open_file(const char *path, int flags, mode_t mode)
{
    begin();
    bool is_made = (flags & (O_CREAT | O_RDWR | O_WRONLY)) != 0;
    if (faults && is_made && is_refused(file_of(path), FAULT_OPEN))
        return -1;
    int fd = real.open(path, flags, mode);
    if (faults)
        know(fd);
    return fd;
}

int open(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_file(path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    va_list rest;
    va_start(rest, flags);
    mode_t mode = va_arg(rest, mode_t);
    va_end(rest);
    return open_file(path, flags, mode);
}

int close(int fd)
{
    begin();
    if (fd >= 0 && fd < DESCRIPTORS)
        atomic_store(&files[fd], 0);
    return real.close(fd);
}

int fsync(int fd)
{
    begin();
    return is_refused(file_of_descriptor(fd), FAULT_SYNC) ? -1 : real.fsync(fd);
}

int fdatasync(int fd)
{
    begin();
    return is_refused(file_of_descriptor(fd), FAULT_SYNC) ? -1 : real.fdatasync(fd);
}

int ftruncate(int fd, off_t size)
{
    begin();
    return is_refused(file_of_descriptor(fd), FAULT_TRUNCATE) ? -1 : real.ftruncate(fd, size);
}

int ftruncate64(int fd, off64_t size)
{
    return ftruncate(fd, size);
}

int rename(const char *from, const char *to)
{
    begin();
    return is_refused(file_of(to), FAULT_NAME) ? -1 : real.rename(from, to);
}

int renameat2(int from_folder, const char *from, int to_folder, const char *to, unsigned flags)
{
    begin();
    return is_refused(file_of(to), FAULT_NAME) ? -1 : real.renameat2(from_folder, from, to_folder, to, flags);
}

int link(const char *from, const char *to)
{
    begin();
    return is_refused(file_of(to), FAULT_NAME) ? -1 : real.link(from, to);
}

int unlink(const char *path)
{
    begin();
    return is_refused(file_of(path), FAULT_NAME) ? -1 : real.unlink(path);
}

int remove(const char *path)
{
    begin();
    return is_refused(file_of(path), FAULT_NAME) ? -1 : real.remove(path);
}
