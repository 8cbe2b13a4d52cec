#include "service/operators.h"

#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "games/secret.h"

enum { LINE_LENGTH_MAX = 1022 }; /* with its end */

_Static_assert(OPERATORS_MAX == 256, "the message says so");

static const char BLANKS[] = " \t\r\n";

struct keys {
    size_t count;
    uint8_t digests[OPERATORS_MAX][SECRET_DIGEST_SIZE];
};

struct operators {
    pthread_rwlock_t lock;
    struct keys keys;
};

struct operators *operators_create(void)
{
    struct operators *operators = calloc(1, sizeof *operators);
    if (operators)
        pthread_rwlock_init(&operators->lock, NULL);
    return operators;
}

void operators_destroy(struct operators *operators)
{
    if (!operators)
        return;
    pthread_rwlock_destroy(&operators->lock);
    free(operators);
}

bool operators_is_name(const char *name, size_t length)
{
    for (size_t i = 0; i < length; i++)
        if (name[i] <= ' ' || name[i] > '~' || name[i] == '#')
            return false;
    return length >= 1 && length <= OPERATOR_NAME_MAX;
}

/* NULL: it is read; else what is wrong. */
static const char *read_line(char *line, struct keys *keys)
{
    char *rest = NULL;
    line[strcspn(line, "#")] = '\0';
    const char *name = strtok_r(line, BLANKS, &rest);
    if (!name)
        return NULL;
    const char *digest = strtok_r(NULL, BLANKS, &rest);
    if (!operators_is_name(name, strlen(name)) || !digest || strtok_r(NULL, BLANKS, &rest))
        return "a line is NAME DIGEST";
    if (keys->count == OPERATORS_MAX)
        return "there are more than 256 keys";
    if (!secret_parse_hex(digest, strlen(digest), keys->digests[keys->count]))
        return "the digest has 64 hexadecimal digits: take the line that `arbiterd token --operator` prints";
    keys->count++;
    return NULL;
}

/* The same of a line that is `length` bytes long, whatever they are. */
static const char *read_bytes(char *line, size_t length, struct keys *keys)
{
    if (strlen(line) != length)
        return "the line holds a NUL byte";
    return length > LINE_LENGTH_MAX ? "the line is too long" : read_line(line, keys);
}

static bool read_lines(FILE *file, struct keys *keys, const char *path, char error[OPERATORS_ERROR_SIZE])
{
    char *line = NULL;
    size_t size = 0;
    ssize_t length = 0;
    const char *wrong = NULL;
    for (unsigned number = 1; !wrong && (length = getline(&line, &size, file)) >= 0; number++) {
        wrong = read_bytes(line, (size_t)length, keys);
        if (wrong)
            (void)snprintf(error, OPERATORS_ERROR_SIZE, "%.200s:%u: %s", path, number, wrong);
    }
    if (!wrong && ferror(file)) {
        wrong = strerror(errno);
        (void)snprintf(error, OPERATORS_ERROR_SIZE, "%.200s: %s", path, wrong);
    }
    free(line);
    return !wrong;
}

static bool read_file(const char *path, struct keys *keys, char error[OPERATORS_ERROR_SIZE])
{
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)snprintf(error, OPERATORS_ERROR_SIZE, "the operators' keys cannot be read: %.200s: %s", path,
                       strerror(errno));
        return false;
    }
    bool good = read_lines(file, keys, path, error);
    (void)fclose(file);
    return good;
}

bool operators_read(struct operators *operators, const char *path, char error[OPERATORS_ERROR_SIZE])
{
    struct keys keys = {0};
    if (path && !read_file(path, &keys, error))
        return false;
    pthread_rwlock_wrlock(&operators->lock);
    operators->keys = keys;
    pthread_rwlock_unlock(&operators->lock);
    return true;
}

size_t operators_count(struct operators *operators)
{
    pthread_rwlock_rdlock(&operators->lock);
    size_t count = operators->keys.count;
    pthread_rwlock_unlock(&operators->lock);
    return count;
}

bool operators_have(struct operators *operators, const uint8_t *digest)
{
    bool have = false;
    pthread_rwlock_rdlock(&operators->lock);
    for (size_t i = 0; i < operators->keys.count; i++)
        have |= secret_equal(operators->keys.digests[i], digest);
    pthread_rwlock_unlock(&operators->lock);
    return have;
}
