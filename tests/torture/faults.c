/* The part of faults.h that is loaded into the program: wraps the calls of the C library that reach a disk. Not linked
 * with any test. */
#include "tests/support/faults.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/types.h>
#include <time.h>
#include <unistd.h>

enum {
    DESCRIPTORS = 4096,
    PATH_SIZE = 512,
    LAST_CALL_MS = 20, /* what is acknowledged before the disk has it gets so long to leave the process */
};

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

/* ---- what the disk does not have yet ---- */

/* A write or a truncation since the last sync of its file, and what it has replaced. */
struct unsynced {
    struct unsynced *earlier;
    int fd;
    ino_t inode;
    off_t at, file_size; /* before it */
    size_t size;         /* of what stood there */
    char bytes[];
};

static struct unsynced *unsynced; /* the latest */
/* Held over the calls themselves, so that the order in the list is theirs. */
static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;

/* With `disk` held: `size` bytes at `at` are about to change. */
static void note_unsynced(int fd, off_t at, size_t size)
{
    struct stat file;
    if (!file_of_descriptor(fd) || fstat(fd, &file) != 0)
        return;
    size_t left = at < file.st_size ? (size_t)(file.st_size - at) : 0;
    size_t replaced = size < left ? size : left;
    struct unsynced *noted = malloc(sizeof *noted + replaced);
    if (!noted || pread(fd, noted->bytes, replaced, at) != (ssize_t)replaced)
        abort();
    noted->earlier = unsynced;
    noted->fd = fd;
    noted->inode = file.st_ino;
    noted->at = at;
    noted->file_size = file.st_size;
    noted->size = replaced;
    unsynced = noted;
}

/* With `disk` held: all of the file is on the disk. */
static void forget_unsynced(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return;
    for (struct unsynced **link = &unsynced; *link;) {
        struct unsynced *noted = *link;
        if (noted->inode != file.st_ino) {
            link = &noted->earlier;
            continue;
        }
        *link = noted->earlier;
        free(noted);
    }
}

/* With `disk` held. The copy stays open to the end: to close it would give up the locks of the process on the file. */
static void keep_unsynced(int fd)
{
    int copy = -1;
    for (struct unsynced *noted = unsynced; noted; noted = noted->earlier)
        if (noted->fd == fd) {
            copy = copy < 0 ? fcntl(fd, F_DUPFD_CLOEXEC, 0) : copy;
            noted->fd = copy;
        }
}

static void lose_unsynced(void)
{
    for (const struct unsynced *noted = unsynced; noted; noted = noted->earlier)
        if (real.pwrite(noted->fd, noted->bytes, noted->size, noted->at) != (ssize_t)noted->size ||
            real.ftruncate(noted->fd, noted->file_size) != 0)
            abort();
}

/* ---- calls ---- */

static void die(void)
{
    const struct timespec last = {.tv_nsec = LAST_CALL_MS * 1000000L};
    (void)nanosleep(&last, NULL);
    (void)pthread_mutex_lock(&disk);
    if (atomic_load(&faults->kind) == FAULT_POWER)
        lose_unsynced();
    (void)kill(getpid(), SIGKILL);
    for (;;)
        (void)pause();
}

/* What a call that fails does instead, if it writes nothing: sets errno. */
static int refuse(void)
{
    uint32_t kind = atomic_load(&faults->kind);
    if (kind == FAULT_KILL || kind == FAULT_POWER)
        die();
    errno = kind == FAULT_EIO ? EIO : ENOSPC;
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

static ssize_t write_at(int fd, const void *bytes, size_t size, off_t at)
{
    ssize_t allowed = let_write(fd, size);
    if (allowed < 0)
        return -1;
    (void)pthread_mutex_lock(&disk);
    note_unsynced(fd, at, (size_t)allowed);
    ssize_t written = real.pwrite(fd, bytes, (size_t)allowed, at);
    (void)pthread_mutex_unlock(&disk);
    if ((size_t)allowed < size && atomic_load(&faults->kind) == FAULT_KILL)
        die();
    return written;
}

ssize_t pwrite(int fd, const void *bytes, size_t size, off_t at)
{
    begin();
    return file_of_descriptor(fd) ? write_at(fd, bytes, size, at) : real.pwrite(fd, bytes, size, at);
}

ssize_t pwrite64(int fd, const void *bytes, size_t size, off64_t at)
{
    return pwrite(fd, bytes, size, at);
}

/* Where the file stands; none of the folder is written to by appending. */
ssize_t write(int fd, const void *bytes, size_t size)
{
    begin();
    if (!file_of_descriptor(fd))
        return real.write(fd, bytes, size);
    off_t at = lseek(fd, 0, SEEK_CUR);
    ssize_t written = write_at(fd, bytes, size, at);
    if (written > 0)
        (void)lseek(fd, at + written, SEEK_SET);
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
    if (file_of_descriptor(fd)) {
        (void)pthread_mutex_lock(&disk);
        keep_unsynced(fd);
        (void)pthread_mutex_unlock(&disk);
        atomic_store(&files[fd], 0);
    }
    return real.close(fd);
}

static int sync_file(int fd, int (*sync)(int fd))
{
    unsigned file = file_of_descriptor(fd);
    if (!file)
        return sync(fd);
    if (is_refused(file, FAULT_SYNC))
        return -1;
    (void)pthread_mutex_lock(&disk);
    int code = sync(fd);
    if (code == 0)
        forget_unsynced(fd);
    (void)pthread_mutex_unlock(&disk);
    return code;
}

int fsync(int fd)
{
    begin();
    return sync_file(fd, real.fsync);
}

int fdatasync(int fd)
{
    begin();
    return sync_file(fd, real.fdatasync);
}

int ftruncate(int fd, off_t size)
{
    begin();
    unsigned file = file_of_descriptor(fd);
    if (is_refused(file, FAULT_TRUNCATE))
        return -1;
    (void)pthread_mutex_lock(&disk);
    note_unsynced(fd, size, SIZE_MAX);
    int code = real.ftruncate(fd, size);
    (void)pthread_mutex_unlock(&disk);
    return code;
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
