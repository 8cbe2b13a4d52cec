#include "storage/file_lock.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/backend.h"

enum { CREATION_MODE = 0640 };

static const off_t LOCKED_BYTE = (off_t)1 << 62;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static struct file_lock *held; /* by this process */

static enum storage_open_status locked(const char *path, char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error, "%s is in use by another arbiterd: stop that one first, or name another file.",
                     path);
    return STORAGE_OPEN_LOCKED;
}

static enum storage_open_status failed(const char *path, char error[STORAGE_ERROR_SIZE])
{
    storage_sentence(error, "%s cannot be opened: %s.", path, strerror(errno));
    return STORAGE_OPEN_FAILED;
}

static bool is_held(const struct stat *file)
{
    for (const struct file_lock *lock = held; lock; lock = lock->next)
        if (lock->device == file->st_dev && lock->inode == file->st_ino)
            return true;
    return false;
}

static enum storage_open_status lock_byte(int fd, short type, const char *path,
                                          char error[STORAGE_ERROR_SIZE])
{
    struct flock byte = {.l_type = type, .l_whence = SEEK_SET, .l_start = LOCKED_BYTE, .l_len = 1};
    if (fcntl(fd, F_OFD_SETLK, &byte) == 0)
        return STORAGE_OPENED;
    if (errno == EAGAIN || errno == EACCES)
        return locked(path, error);
    return failed(path, error);
}

/* A file that was renamed or replaced between opening and locking is somebody else's in the making. */
static bool still_names(const char *path, const struct stat *file)
{
    struct stat now;
    return stat(path, &now) == 0 && now.st_dev == file->st_dev && now.st_ino == file->st_ino;
}

static enum storage_open_status open_and_lock(struct file_lock *lock, const char *path, int flags,
                                              char error[STORAGE_ERROR_SIZE])
{
    struct stat file;
    if (stat(path, &file) == 0 && is_held(&file))
        return locked(path, error);
    lock->fd = open(path, flags | O_CLOEXEC | O_NONBLOCK, CREATION_MODE);
    if (lock->fd < 0)
        return failed(path, error);
    bool reads = (flags & O_ACCMODE) == O_RDONLY;
    enum storage_open_status status = lock_byte(lock->fd, reads ? F_RDLCK : F_WRLCK, path, error);
    if (status == STORAGE_OPENED && fstat(lock->fd, &file) != 0)
        status = failed(path, error);
    if (status == STORAGE_OPENED && !still_names(path, &file))
        status = locked(path, error);
    if (status != STORAGE_OPENED) {
        (void)close(lock->fd);
        return status;
    }
    lock->device = file.st_dev;
    lock->inode = file.st_ino;
    lock->next = held;
    held = lock;
    return STORAGE_OPENED;
}

enum storage_open_status file_lock_take(struct file_lock *lock, const char *path, int flags,
                                        char error[STORAGE_ERROR_SIZE])
{
    (void)pthread_mutex_lock(&mutex);
    enum storage_open_status status = open_and_lock(lock, path, flags, error);
    (void)pthread_mutex_unlock(&mutex);
    return status;
}

void file_lock_drop(struct file_lock *lock)
{
    (void)pthread_mutex_lock(&mutex);
    struct file_lock **link = &held;
    while (*link && *link != lock)
        link = &(*link)->next;
    if (*link)
        *link = lock->next;
    (void)close(lock->fd);
    (void)pthread_mutex_unlock(&mutex);
}
