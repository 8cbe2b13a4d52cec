/* path: the path of a target, segment by segment, and the values that stand in it.
 *
 * Layer: api. Private to api/route*.c. Source: RFC 3986 3.3: segments are split first, then decoded. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/format.h"
#include "api/text.h"

struct exchange;

enum { PATH_SEGMENTS_MAX = 8 };

struct path {
    struct text_span segments[PATH_SEGMENTS_MAX]; /* decoded */
    size_t count;                                 /* more than the most: matches nothing */
    enum format suffix;                           /* taken off the last segment, or FORMAT_NONE */
};

/* Splits and decodes. *query: what follows "?", or NULL. False: the response is malformed-request or
 * uri-too-long. */
bool path_read(struct exchange *exchange, const char *target, struct path *path, const char **query);
/* The same path without the suffix of a format; false where it has none. */
bool path_strip_suffix(const struct path *path, struct path *bare);
/* Reads the values of the template's braces into exchange->path. False: the response is the 404 that fits. */
bool path_values_read(struct exchange *exchange, const struct path *path, const char *template);
