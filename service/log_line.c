#include "service/log_line.h"

#include <string.h>

#include "api/put.h"
#include "api/timestamp.h"

enum {
    /* Kept free so that the end of a line always fits. */
    ENDING = 4,
    ESCAPE_LENGTH = 6,
    /* Of a field, besides its name and its value: what parts them, quotes, dots. */
    AROUND = 16,
    NUMBER_LENGTH = 20, /* UINT64_MAX */
    SECOND_LENGTH = 19, /* "2026-01-02T03:04:05" */
};

_Static_assert(LOG_VALUE_MAX *ESCAPE_LENGTH <= LOG_LINE_SIZE * 3 / 4, "one long value finds room in a line");

/* The most that a value can take: every byte escaped. What might not fit is left out, so that a line is never broken, and
 * nothing below has to ask for room again. */
static bool fits(const struct log_line *line, size_t name_length, size_t value_length)
{
    size_t kept = value_length < LOG_VALUE_MAX ? value_length : LOG_VALUE_MAX;
    return line->length + name_length + kept * ESCAPE_LENGTH + AROUND < LOG_LINE_SIZE - ENDING;
}

static char *put(char *at, const char *bytes, size_t length)
{
    memcpy(at, bytes, length);
    return at + length;
}

/* Where the value begins. */
static char *put_name(struct log_line *line, const char *name, size_t length)
{
    char *at = line->text + line->length;
    if (!line->json) {
        if (line->length > 0)
            *at++ = ' ';
        at = put(at, name, length);
        *at++ = '=';
        return at;
    }
    if (line->length > 1)
        *at++ = ',';
    *at++ = '"';
    at = put(at, name, length);
    return put(at, "\":", 2);
}

static void end_at(struct log_line *line, const char *at)
{
    line->length = (size_t)(at - line->text);
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

static char *put_escaped(char *at, unsigned char c)
{
    static const char HEX[] = "0123456789abcdef";
    if (c == '"' || c == '\\')
        return put(at, (const char[]){'\\', (char)c}, 2);
    return put(at, (const char[ESCAPE_LENGTH]){'\\', 'u', '0', '0', HEX[c >> 4], HEX[c & 15]}, ESCAPE_LENGTH);
}

static bool is_plain(unsigned char c)
{
    return is_printable(c) && c != '"' && c != '\\';
}

/* The first LOG_VALUE_MAX bytes. What a service logs of itself is plain to the end. */
static char *put_quoted(char *at, const char *text, size_t length)
{
    size_t kept = length < LOG_VALUE_MAX ? length : LOG_VALUE_MAX;
    *at++ = '"';
    for (size_t i = 0; i < kept; i++) {
        size_t from = i;
        while (i < kept && is_plain((unsigned char)text[i]))
            i++;
        at = put(at, text + from, i - from);
        if (i < kept)
            at = put_escaped(at, (unsigned char)text[i]);
    }
    if (kept < length)
        at = put(at, "...", 3);
    *at++ = '"';
    return at;
}

void log_line_text_n(struct log_line *line, const char *name, size_t name_length, const char *value)
{
    size_t length = value ? strnlen(value, LOG_VALUE_MAX + 1) : 0;
    if (!value || !fits(line, name_length, length))
        return;
    char *at = put_name(line, name, name_length);
    bool is_bare = !line->json && length <= LOG_VALUE_MAX && is_word(value);
    end_at(line, is_bare ? put(at, value, length) : put_quoted(at, value, length));
}

void log_line_word_n(struct log_line *line, const char *name, size_t name_length, const char *word)
{
    size_t length = word ? strlen(word) : 0;
    if (!word || !fits(line, name_length, length))
        return;
    char *at = put_name(line, name, name_length);
    if (line->json)
        *at++ = '"';
    at = put(at, word, length);
    if (line->json)
        *at++ = '"';
    end_at(line, at);
}

void log_line_count_n(struct log_line *line, const char *name, size_t name_length, uint64_t value)
{
    if (fits(line, name_length, NUMBER_LENGTH))
        end_at(line, put_uint(put_name(line, name, name_length), value));
}

static char *put_thousandths(char *at, unsigned value)
{
    *at++ = (char)('0' + value / 100);
    put_pair(at, value % 100);
    return at + 2;
}

void log_line_duration_n(struct log_line *line, const char *name, size_t name_length, uint64_t ns)
{
    if (!fits(line, name_length, NUMBER_LENGTH))
        return;
    char *at = put_uint(put_name(line, name, name_length), ns / 1000000);
    *at++ = '.';
    end_at(line, put_thousandths(at, (unsigned)(ns / 1000 % 1000)));
}

/* Lines come many a second: the date is worked out once, in each thread. Before the epoch, and behind what
 * timestamp_format can write, a second has no digits of its own. */
static char *put_time(char *at, int64_t unix_ms)
{
    static const int64_t LAST_SECOND = INT64_C(253402300799); /* of 9999 */
    static _Thread_local struct {
        int64_t second;
        char text[TIMESTAMP_SIZE];
    } known;
    int64_t second = unix_ms / 1000;
    if (second != known.second || second <= 0 || second > LAST_SECOND) {
        timestamp_format(unix_ms, known.text);
        known.second = second;
        return put(at, known.text, TIMESTAMP_LENGTH);
    }
    at = put(at, known.text, SECOND_LENGTH);
    *at++ = '.';
    at = put_thousandths(at, (unsigned)(unix_ms % 1000));
    *at++ = 'Z';
    return at;
}

void log_line_begin(struct log_line *line, bool json, int64_t unix_ms, const char *level)
{
    line->length = 0;
    line->json = json;
    if (json)
        line->text[line->length++] = '{';
    char *at = put_name(line, "time", strlen("time"));
    if (json)
        *at++ = '"';
    at = put_time(at, unix_ms);
    if (json)
        *at++ = '"';
    end_at(line, at);
    log_line_word(line, "level", level);
}

void log_line_end(struct log_line *line)
{
    if (line->json)
        line->text[line->length++] = '}';
    line->text[line->length++] = '\n';
}
