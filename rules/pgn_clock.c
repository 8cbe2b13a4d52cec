#include "rules/pgn_clock.h"

#include <stdio.h>
#include <string.h>
#include <strings.h>

#include "rules/pgn_text.h"

enum { HOUR_MS = 3600 * 1000, MINUTE_MS = 60 * 1000, SECOND_MS = 1000, HOUR_DIGITS = 4, FRACTION_DIGITS = 9 };
enum { PGN_CLOCK_TEXT_MAX = 32 };

static const char clock_command[] = "[%clk ";

struct cursor {
    const char *at, *end;
};

/* The digits that stand there, at most `max`, as a number; *count of them. */
static int64_t take_digits(struct cursor *in, unsigned max, unsigned *count)
{
    int64_t value = 0;
    for (*count = 0; *count < max && in->at < in->end && *in->at >= '0' && *in->at <= '9'; ++*count)
        value = value * 10 + (*in->at++ - '0');
    return value;
}

static bool take_char(struct cursor *in, char c)
{
    if (in->at == in->end || *in->at != c)
        return false;
    in->at++;
    return true;
}

/* ":mm" below 60. */
static bool take_sixtieth(struct cursor *in, int64_t *value)
{
    unsigned count;
    if (!take_char(in, ':'))
        return false;
    *value = take_digits(in, 2, &count);
    return count == 2 && *value < 60;
}

/* ".5" as milliseconds; nothing is 0. */
static bool take_fraction(struct cursor *in, int64_t *ms)
{
    unsigned count;
    *ms = 0;
    if (!take_char(in, '.'))
        return true;
    int64_t value = take_digits(in, FRACTION_DIGITS, &count);
    for (unsigned n = count; n < FRACTION_DIGITS; n++)
        value *= 10;
    *ms = value / 1000000;
    return count > 0;
}

bool pgn_clock_parse(const char *text, size_t length, int64_t *clock_ms)
{
    struct cursor in = {text, text + length};
    unsigned count;
    int64_t minutes, seconds, fraction_ms;
    int64_t hours = take_digits(&in, HOUR_DIGITS, &count);
    if (count == 0 || !take_sixtieth(&in, &minutes) || !take_sixtieth(&in, &seconds) ||
        !take_fraction(&in, &fraction_ms) || in.at != in.end)
        return false;
    *clock_ms = hours * HOUR_MS + minutes * MINUTE_MS + seconds * SECOND_MS + fraction_ms;
    return true;
}

size_t pgn_clock_format(int64_t clock_ms, char text[PGN_CLOCK_SIZE])
{
    unsigned ms = (unsigned)(clock_ms % SECOND_MS);
    int length = snprintf(text, PGN_CLOCK_SIZE, "%u:%02u:%02u.%03u", (unsigned)(clock_ms / HOUR_MS) % 10000,
                          (unsigned)(clock_ms / MINUTE_MS % 60), (unsigned)(clock_ms / SECOND_MS % 60), ms);
    size_t end = (size_t)length;
    while (text[end - 1] == '0' && ms != 0)
        end--;
    if (ms == 0)
        end -= sizeof ".000" - 1;
    text[end] = '\0';
    return end;
}

/* The command that ends with the bracket at the end of `text`: where it begins, or NULL where it is none. */
static const char *find_command(const char *text, size_t length, int64_t *clock_ms)
{
    const size_t head = sizeof clock_command - 1;
    const char *end = text + length - 1;
    const char *first = length > head + PGN_CLOCK_TEXT_MAX ? end - head - PGN_CLOCK_TEXT_MAX : text;
    const char *at = end;
    while (at > first && *at != '[')
        at--;
    if ((size_t)(end - at) < head || memcmp(at, clock_command, head) != 0)
        return NULL;
    size_t inside = (size_t)(end - at) - head;
    if (inside > 0 && end[-1] == ' ')
        inside--;
    return pgn_clock_parse(at + head, inside, clock_ms) ? at : NULL;
}

/* Each closing bracket is looked back from, so that what is left holds no command either. */
size_t pgn_clock_take(char *comment, size_t length, int64_t *clock_ms)
{
    int64_t unused_ms, *wanted_ms = clock_ms;
    size_t written = 0;
    if (!memchr(comment, '[', length))
        return length;
    for (size_t at = 0; at < length; at++) {
        bool doubled = comment[at] == ' ' && (written == 0 || comment[written - 1] == ' ');
        if (!doubled)
            comment[written++] = comment[at];
        const char *command = comment[at] == ']' ? find_command(comment, written, wanted_ms) : NULL;
        if (command) {
            wanted_ms = &unused_ms;
            written = (size_t)(command - comment);
            if (written > 0 && comment[written - 1] != ' ')
                comment[written++] = ' ';
        }
    }
    return pgn_text_squeeze(comment, written);
}

bool pgn_clock_is_claimed(const char *comment)
{
    static const char commands[][sizeof "clk"] = {"clk", "egt", "emt", "mct"};
    for (const char *at = comment; (at = strstr(at, "[%")) != NULL; at++)
        for (size_t i = 0; i < sizeof commands / sizeof commands[0]; i++)
            if (strncasecmp(at + 2, commands[i], sizeof commands[i] - 1) == 0)
                return true;
    return false;
}
