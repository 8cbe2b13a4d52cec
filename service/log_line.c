#include "service/log_line.h"

#include <string.h>

#include "api/timestamp.h"

enum {
    /* Kept free so that the end of a line always fits. */
    ENDING = 4,
    ESCAPE_LENGTH = 6,
};

static void put(struct log_line *line, const char *bytes, size_t length)
{
    if (length > LOG_LINE_SIZE - ENDING - line->length)
        return;
    memcpy(line->text + line->length, bytes, length);
    line->length += length;
}

static void put_text(struct log_line *line, const char *text)
{
    put(line, text, strlen(text));
}

static void put_name(struct log_line *line, const char *name)
{
    put_text(line, line->json ? (line->length > 1 ? ",\"" : "\"") : (line->length ? " " : ""));
    put_text(line, name);
    put_text(line, line->json ? "\":" : "=");
}

static bool is_printable(unsigned char c)
{
    return c >= 0x20 && c < 0x7f;
}

/* logfmt: a bare word needs no quotes. */
static bool is_word(const char *text)
{
    for (const char *c = text; *c; c++)
        if (!is_printable((unsigned char)*c) || strchr(" =\"\\", *c))
            return false;
    return *text != '\0';
}

static void put_escaped(struct log_line *line, unsigned char c)
{
    static const char HEX[] = "0123456789abcdef";
    if (c == '"' || c == '\\')
        put(line, (const char[]){'\\', (char)c}, 2);
    else
        put(line, (const char[ESCAPE_LENGTH]){'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]}, ESCAPE_LENGTH);
}

static void put_quoted(struct log_line *line, const char *text)
{
    size_t length = strnlen(text, LOG_VALUE_MAX);
    put(line, "\"", 1);
    size_t from = 0;
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        if (is_printable(c) && c != '"' && c != '\\')
            continue;
        put(line, text + from, i - from);
        put_escaped(line, c);
        from = i + 1;
    }
    put(line, text + from, length - from);
    if (text[length])
        put_text(line, "...");
    put(line, "\"", 1);
}

/* The most that a value can take: every byte escaped, quotes, dots, its name. What might not fit is left out,
 * so that a line is never broken. */
static bool fits(const struct log_line *line, const char *name, size_t value_length)
{
    size_t kept = value_length < LOG_VALUE_MAX ? value_length : LOG_VALUE_MAX;
    return line->length + strlen(name) + kept * ESCAPE_LENGTH + 16 < LOG_LINE_SIZE - ENDING;
}

void log_line_text(struct log_line *line, const char *name, const char *value)
{
    if (!value || !fits(line, name, strlen(value)))
        return;
    put_name(line, name);
    if (!line->json && is_word(value))
        put_text(line, value);
    else
        put_quoted(line, value);
}

static void put_number(struct log_line *line, uint64_t value, unsigned digits)
{
    char text[20];
    char *first = text + sizeof text;
    for (unsigned i = 0; i < digits || value; i++) {
        *--first = (char)('0' + value % 10);
        value /= 10;
    }
    put(line, first, (size_t)(text + sizeof text - first));
}

void log_line_count(struct log_line *line, const char *name, uint64_t value)
{
    if (!fits(line, name, sizeof "18446744073709551615"))
        return;
    put_name(line, name);
    put_number(line, value, 1);
}

void log_line_duration(struct log_line *line, const char *name, uint64_t ns)
{
    if (!fits(line, name, sizeof "18446744073709551615"))
        return;
    put_name(line, name);
    put_number(line, ns / 1000000, 1);
    put(line, ".", 1);
    put_number(line, ns / 1000 % 1000, 3);
}

void log_line_begin(struct log_line *line, bool json, int64_t unix_ms, const char *level)
{
    char time[TIMESTAMP_SIZE];
    line->length = 0;
    line->json = json;
    if (json)
        put(line, "{", 1);
    timestamp_format(unix_ms, time);
    log_line_text(line, "time", time);
    log_line_text(line, "level", level);
}

void log_line_end(struct log_line *line)
{
    if (line->json)
        line->text[line->length++] = '}';
    line->text[line->length++] = '\n';
}
