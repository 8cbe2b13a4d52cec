/* log_line: one log line as text, JSON or logfmt.
 *
 * Layer: service. Pure: a fixed buffer, no allocation. What came from a client may hold any byte: everything
 * but printable ASCII is escaped, long values are cut, and a line never exceeds its size. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LOG_LINE_SIZE = 2048, LOG_VALUE_MAX = 256 };

struct log_line {
    char text[LOG_LINE_SIZE];
    size_t length;
    bool json;
};

/* "time" and "level" come first. `level` is a word. */
void log_line_begin(struct log_line *line, bool json, int64_t unix_ms, const char *level);
void log_line_text_n(struct log_line *line, const char *name, size_t name_length, const char *value);
void log_line_word_n(struct log_line *line, const char *name, size_t name_length, const char *word);
void log_line_count_n(struct log_line *line, const char *name, size_t name_length, uint64_t value);
void log_line_duration_n(struct log_line *line, const char *name, size_t name_length, uint64_t ns);

/* A NULL value leaves the field out. `name` is a literal, whose length the compiler knows. */
static inline void log_line_text(struct log_line *line, const char *name, const char *value)
{
    log_line_text_n(line, name, strlen(name), value);
}

/* The same of what this program has written down: printable ASCII without blanks, quotes, backslashes and '='. */
static inline void log_line_word(struct log_line *line, const char *name, const char *word)
{
    log_line_word_n(line, name, strlen(name), word);
}

static inline void log_line_count(struct log_line *line, const char *name, uint64_t value)
{
    log_line_count_n(line, name, strlen(name), value);
}

/* Nanoseconds as milliseconds with three decimals. */
static inline void log_line_duration(struct log_line *line, const char *name, uint64_t ns)
{
    log_line_duration_n(line, name, strlen(name), ns);
}

/* Closes the line with '\n'. */
void log_line_end(struct log_line *line);
