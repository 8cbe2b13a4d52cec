#include "storage/sqlite_create.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "storage/backend.h"
#include "storage/sqlite_file.h"

static bool write_whole(int fd, const unsigned char *bytes, size_t size)
{
    size_t written = 0;
    while (written < size) {
        ssize_t now = pwrite(fd, bytes + written, size - written, (off_t)written);
        if (now < 0 && errno != EINTR)
            return false;
        written += now > 0 ? (size_t)now : 0;
    }
    return fsync(fd) == 0;
}

/* What was begun is taken back. False, with errno as it is. */
static bool take_back(const char *path)
{
    int cause = errno;
    (void)unlink(path);
    errno = cause;
    return false;
}

/* Never over a file that came up meanwhile. Some file systems know no such rename; those know links. */
static bool move_into_place(const char *from, const char *to)
{
    if (renameat2(AT_FDCWD, from, AT_FDCWD, to, RENAME_NOREPLACE) == 0)
        return true;
    if (errno != EINVAL || link(from, to) != 0)
        return false;
    return unlink(from) == 0 || take_back(to);
}

static int open_folder_of(const char *path)
{
    char *folder = strdup(path);
    if (!folder)
        return -1;
    char *slash = strrchr(folder, '/');
    if (slash)
        slash[1] = '\0';
    int fd = open(slash ? folder : ".", O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    free(folder);
    return fd;
}

/* Where a file system syncs no folders, a name is as durable as it can be. */
static bool sync_folder(int fd)
{
    return fsync(fd) == 0 || errno == EINVAL || errno == ENOTSUP;
}

/* The folder first: one that may not be read cannot be synced. */
bool sqlite_create_place(const char *draft, const char *path)
{
    int folder = open_folder_of(path);
    if (folder < 0)
        return false;
    bool placed = move_into_place(draft, path) && (sync_folder(folder) || take_back(path));
    int cause = errno;
    (void)close(folder);
    errno = cause;
    return placed;
}

static bool fill_and_place(const struct file_lock *lock, const char *draft, const char *path,
                           const struct sqlite_schema *schema)
{
    sqlite3_int64 size = 0;
    unsigned char *image = sqlite_schema_image(schema, &size);
    if (!image) {
        errno = ENOMEM;
        return false;
    }
    bool placed = write_whole(lock->fd, image, (size_t)size) && sqlite_create_place(draft, path);
    sqlite3_free(image);
    return placed;
}

static enum storage_open_status not_made(const char *path, int cause, char error[STORAGE_ERROR_SIZE])
{
    if (cause == EEXIST && access(path, F_OK) == 0) {
        storage_sentence(error, "%s was made by another arbiterd at the same moment: stop one of the two.",
                         path);
        return STORAGE_OPEN_LOCKED;
    }
    storage_sentence(error, "%s cannot be made: %s.", path, strerror(cause));
    return STORAGE_OPEN_FAILED;
}

#define DRAFT_MARK ".new-"

/* NAME.new-XXXXXXXX of the name of the store. */
static bool is_draft(const char *entry, const char *name)
{
    enum { DIGITS = 8 };
    size_t length = strlen(name);
    if (strncmp(entry, name, length) != 0 || strncmp(entry + length, DRAFT_MARK, strlen(DRAFT_MARK)) != 0)
        return false;
    const char *digits = entry + length + strlen(DRAFT_MARK);
    return strlen(digits) == DIGITS && strspn(digits, "0123456789abcdef") == DIGITS;
}

/* Whoever still fills it holds its lock. */
static void remove_if_left(const char *draft)
{
    char unused[STORAGE_ERROR_SIZE];
    struct file_lock lock;
    struct stat file;
    if (lstat(draft, &file) != 0 || !S_ISREG(file.st_mode) ||
        file_lock_take(&lock, draft, O_RDWR | O_NOFOLLOW, unused) != STORAGE_OPENED)
        return;
    (void)unlink(draft);
    file_lock_drop(&lock);
}

/* Of processes that were killed before they had made a store. What cannot be removed stays. */
static void remove_left_drafts(const char *path)
{
    const char *slash = strrchr(path, '/');
    const char *name = slash ? slash + 1 : path;
    char *folder = slash ? strndup(path, (size_t)(name - path)) : strdup("./");
    DIR *entries = folder ? opendir(folder) : NULL;
    const struct dirent *entry = NULL;
    while (entries && (entry = readdir(entries)) != NULL) {
        char *draft = is_draft(entry->d_name, name) ? sqlite3_mprintf("%s%s", folder, entry->d_name) : NULL;
        if (draft)
            remove_if_left(draft);
        sqlite3_free(draft);
    }
    if (entries)
        (void)closedir(entries);
    free(folder);
}

/* The draft is locked before anything is in it, and the lock goes with it when it is renamed. */
enum storage_open_status sqlite_create(const char *path, const struct sqlite_schema *schema,
                                       struct file_lock *lock, char error[STORAGE_ERROR_SIZE])
{
    uint64_t file_bytes = 0, log_bytes = 0;
    sqlite_file_measure(path, &file_bytes, &log_bytes);
    if (log_bytes > 0) {
        storage_sentence(
            error,
            "%s is gone, but its log %s-wal is there: restore both from a backup, or move the log away.",
            path, path);
        return STORAGE_OPEN_REFUSED;
    }
    remove_left_drafts(path);
    uint32_t unique = 0;
    sqlite3_randomness((int)sizeof unique, &unique);
    char *draft = sqlite3_mprintf("%s" DRAFT_MARK "%08x", path, unique);
    if (!draft)
        return not_made(path, ENOMEM, error);
    enum storage_open_status status = file_lock_take(lock, draft, O_RDWR | O_CREAT | O_EXCL, error);
    if (status == STORAGE_OPEN_FAILED) /* of the store, not of a file that nobody has named */
        status = not_made(path, errno, error);
    if (status == STORAGE_OPENED && !fill_and_place(lock, draft, path, schema)) {
        status = not_made(path, errno, error);
        (void)unlink(draft);
        file_lock_drop(lock);
    }
    sqlite3_free(draft);
    return status;
}
