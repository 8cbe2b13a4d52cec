/* log_line: one log line as text, JSON or logfmt.
 *
 * Layer: service. Pure: a fixed buffer, no allocation. What came from a client may hold any byte: everything
 * but printable ASCII is escaped, long values are cut, and a line never exceeds its size. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { LOG_LINE_SIZE = 2048, LOG_VALUE_MAX = 400 };

struct log_line {
    char text[LOG_LINE_SIZE];
    size_t length;
    bool json;
};

/* "time" and "level" come first. `level` is a literal. */
void log_line_begin(struct log_line *line, bool json, int64_t unix_ms, const char *level);
/* A NULL value leaves the field out. `name` is a literal. */
void log_line_text(struct log_line *line, const char *name, const char *value);
void log_line_count(struct log_line *line, const char *name, uint64_t value);
/* Nanoseconds as milliseconds with three decimals. */
void log_line_duration(struct log_line *line, const char *name, uint64_t ns);
/* Closes the line with '\n'. */
void log_line_end(struct log_line *line);
