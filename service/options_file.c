/* The config file: `name = value` a line; a line that begins with # is a comment. */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

#include "service/options.h"

enum { LONGEST_PLACE = 300 };

static char *trimmed(char *text, size_t length)
{
    while (length && strchr(" \t\r\n", text[length - 1]))
        length--;
    text[length] = '\0';
    return text + strspn(text, " \t");
}

/* One line; `place` is "file:7". */
static bool read_line(struct options *options, char *line, size_t length, const char *place,
                      char error[OPTIONS_ERROR_SIZE])
{
    if (strlen(line) != length) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: the line holds a NUL byte", place);
        return false;
    }
    char *text = trimmed(line, length);
    if (*text == '\0' || *text == '#')
        return true;
    char *equals = strchr(text, '=');
    if (!equals) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: a setting is written `name = value`", place);
        return false;
    }
    char *value = trimmed(equals + 1, strlen(equals + 1));
    const char *name = trimmed(text, (size_t)(equals - text));
    if (strcmp(name, "config") == 0) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%s: a config file cannot name another one", place);
        return false;
    }
    return options_set(options, name, value, OPTIONS_FILE, place, error);
}

bool options_read_file(struct options *options, const char *path, char error[OPTIONS_ERROR_SIZE])
{
    FILE *file = fopen(path, "re");
    if (!file) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%.256s: %s", path, strerror(errno));
        return false;
    }
    char *line = NULL, place[LONGEST_PLACE];
    size_t size = 0;
    ssize_t length = 0;
    bool good = true;
    for (unsigned number = 1; good && (length = getline(&line, &size, file)) >= 0; number++) {
        (void)snprintf(place, sizeof place, "%.256s:%u", path, number);
        good = read_line(options, line, (size_t)length, place, error);
    }
    if (good && ferror(file)) {
        (void)snprintf(error, OPTIONS_ERROR_SIZE, "%.256s: %s", path, strerror(errno));
        good = false;
    }
    free(line);
    (void)fclose(file);
    return good;
}
