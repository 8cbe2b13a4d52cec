/* output_file: a file that is replaced when all is written, or not at all.
 *
 * Layer: service. An existing file is written beside itself, keeps its mode, and is found through symbolic links; what
 * is no regular file (a device, a pipe) is written straight to. Errors: errno. */
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

struct output_file {
    FILE *stream;
    char *target, *beside; /* NULL: written straight to */
    mode_t mode;
};

bool output_file_open(struct output_file *file, const char *path);
/* `whole`: all was written, and goes to its name; else the name is as it was. False: that did not work. */
bool output_file_close(struct output_file *file, bool whole);
