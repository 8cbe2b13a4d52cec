#include "service/output_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static mode_t usual_mode(void)
{
    mode_t mask = umask(0);
    (void)umask(mask);
    return 0666 & ~mask;
}

static bool open_beside(struct output_file *file)
{
    if (!file->target || asprintf(&file->beside, "%s.XXXXXX", file->target) < 0) {
        file->beside = NULL;
        return false;
    }
    int fd = mkostemp(file->beside, O_CLOEXEC);
    if (fd < 0)
        return false;
    file->stream = fchmod(fd, file->mode) == 0 ? fdopen(fd, "w") : NULL;
    if (file->stream)
        return true;
    (void)close(fd);
    (void)unlink(file->beside);
    return false;
}

static void forget(struct output_file *file)
{
    int kept = errno;
    free(file->beside);
    free(file->target);
    *file = (struct output_file){0};
    errno = kept;
}

bool output_file_open(struct output_file *file, const char *path)
{
    struct stat status;
    *file = (struct output_file){0};
    bool exists = stat(path, &status) == 0;
    if (exists && !S_ISREG(status.st_mode)) {
        file->stream = fopen(path, "we");
        return file->stream != NULL;
    }
    file->mode = exists ? status.st_mode & 07777 : usual_mode();
    file->target = exists ? realpath(path, NULL) : strdup(path);
    if (open_beside(file))
        return true;
    forget(file);
    return false;
}

static bool finish(struct output_file *file, bool whole)
{
    bool good = fflush(file->stream) == 0;
    if (file->beside && whole)
        good = good && fsync(fileno(file->stream)) == 0;
    good = fclose(file->stream) == 0 && good;
    if (!file->beside)
        return good;
    if (good && whole && rename(file->beside, file->target) == 0)
        return true;
    int kept = errno;
    (void)unlink(file->beside);
    errno = kept;
    return good && !whole;
}

bool output_file_close(struct output_file *file, bool whole)
{
    bool good = finish(file, whole);
    forget(file);
    return good;
}
