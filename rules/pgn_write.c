#include "rules/pgn_write.h"

#include <stdio.h>
#include <string.h>

#include "rules/notation.h"
#include "rules/pgn_clock.h"
#include "rules/pgn_read.h"
#include "rules/pgn_text.h"

enum { PGN_LINE_MAX = 79, LINE_BYTES_MAX = 4 * PGN_LINE_MAX };

static void put(struct pgn_writer *pgn, const char *text, size_t length)
{
    pgn->write(pgn->context, text, length);
}

static size_t control_length(const char *text)
{
    return pgn_text_control(text, strnlen(text, 3));
}

void pgn_write_tag(struct pgn_writer *pgn, const char *name, const char *value)
{
    put(pgn, "[", 1);
    put(pgn, name, strlen(name));
    put(pgn, " \"", 2);
    for (size_t control; *value; value += control ? control : 1) {
        control = control_length(value);
        if (*value == '"' || *value == '\\')
            put(pgn, "\\", 1);
        put(pgn, control ? " " : value, 1);
    }
    put(pgn, "\"]\n", 3);
}

/* PGN standard 8.1.1, with what stands for "unknown". */
static const struct pgn_pair roster[] = {
    {"Event", "?"}, {"Site", "?"},  {"Date", "????.??.??"}, {"Round", "?"},
    {"White", "?"}, {"Black", "?"}, {"Result", "*"},
};

enum { ROSTER_COUNT = sizeof roster / sizeof roster[0] };

static const struct pgn_pair *find_last(const struct pgn_pair *pairs, size_t count, const char *name)
{
    while (count-- > 0)
        if (strcmp(pairs[count].name, name) == 0)
            return &pairs[count];
    return NULL;
}

void pgn_write_tags(struct pgn_writer *pgn, const struct pgn_pair *pairs, size_t count)
{
    for (size_t i = 0; i < ROSTER_COUNT; i++) {
        const struct pgn_pair *pair = find_last(pairs, count, roster[i].name);
        pgn_write_tag(pgn, roster[i].name, pair ? pair->value : roster[i].value);
    }
    for (size_t i = 0; i < count; i++)
        if (!find_last(roster, ROSTER_COUNT, pairs[i].name) && !find_last(pairs, i, pairs[i].name))
            pgn_write_tag(pgn, pairs[i].name, find_last(pairs, count, pairs[i].name)->value);
}

void pgn_write_movetext(struct pgn_writer *pgn)
{
    put(pgn, "\n", 1);
    pgn->column = 0;
    pgn->numbered = false;
}

/* Columns are characters: continuation bytes of UTF-8 take none. */
static unsigned columns(const char *text, size_t length)
{
    unsigned count = 0;
    for (size_t i = 0; i < length; i++)
        count += ((unsigned char)text[i] & 0xC0) != 0x80;
    return count;
}

/* A line that began with '%' would be skipped by readers, by some in comments too (PGN standard 6), and one that began
 * with '[' could be taken for a tag pair, behind a byte order mark too. */
static bool begins_no_line(char first)
{
    static const char mark = '\xEF';
    return first == '%' || first == '[' || first == mark;
}

/* The blank or the end of the line before a token; what begins no line stands in the second column. */
static void part(struct pgn_writer *pgn, char first, unsigned width)
{
    bool wraps = pgn->column && pgn->column + 1 + width > PGN_LINE_MAX;
    if (wraps) {
        put(pgn, "\n", 1);
        pgn->column = 0;
    }
    if (pgn->column || (wraps && begins_no_line(first))) {
        put(pgn, " ", 1);
        pgn->column++;
    }
}

static void put_token(struct pgn_writer *pgn, const char *token, size_t length)
{
    unsigned width = columns(token, length);
    part(pgn, *token, width);
    put(pgn, token, length);
    pgn->column += width;
}

void pgn_write_move(struct pgn_writer *pgn, const struct position *before, move m)
{
    char text[NOTATION_SAN_SIZE];
    bool white = before->turn == COLOR_WHITE;
    if (white || !pgn->numbered) {
        int length = snprintf(text, sizeof text, "%u%s", before->fullmove_number, white ? "." : "...");
        put_token(pgn, text, (size_t)length);
    }
    size_t length = notation_format_san(before, m, text);
    put_token(pgn, text, length);
    pgn->numbered = white;
}

/* Bytes of what parts words at `text`; control characters do too. */
static size_t space_length(const char *text)
{
    return *text == ' ' ? 1 : control_length(text);
}

static size_t word_length(const char *text)
{
    size_t length = 0;
    while (text[length] && !space_length(text + length))
        length++;
    return length;
}

/* Whole, however long: a cut could fall into a character. */
static void put_word(struct pgn_writer *pgn, const char *word, size_t length)
{
    pgn->column += columns(word, length);
    while (length) {
        const char *brace = memchr(word, '}', length);
        size_t plain = brace ? (size_t)(brace - word) : length;
        put(pgn, word, plain);
        if (brace)
            put(pgn, ")", 1);
        word += plain + (brace != NULL);
        length -= plain + (brace != NULL);
    }
}

/* The length of a command, "[%clk 0:05:00]", with the word that its end stands in; 0 where none begins that fits on a
 * line. */
static size_t command_length(const char *text)
{
    if (text[0] != '[' || text[1] != '%')
        return 0;
    const char *end = memchr(text, ']', strnlen(text, LINE_BYTES_MAX));
    if (!end)
        return 0;
    size_t length = (size_t)(end - text) + word_length(end);
    return columns(text, length) < PGN_LINE_MAX ? length : 0;
}

static void open_comment(struct pgn_writer *pgn)
{
    put_token(pgn, "{", 1);
    pgn->comment_length = 0;
}

static void close_comment(struct pgn_writer *pgn)
{
    put_token(pgn, "}", 1);
}

/* A word comes, with what parts it from the one before. */
static void lengthen_comment(struct pgn_writer *pgn, size_t length)
{
    if (pgn->comment_length && pgn->comment_length + length > PGN_COMMENT_MAX) {
        close_comment(pgn);
        open_comment(pgn);
    }
    pgn->comment_length += length + sizeof "\n " - 1;
}

/* Words break over lines like other tokens, but not within a command. */
static void put_words(struct pgn_writer *pgn, const char *text)
{
    const char *command_end = text;
    for (size_t length = 0; *text; text += length) {
        for (size_t space; (space = space_length(text));)
            text += space;
        length = word_length(text);
        if (length && text < command_end) {
            put(pgn, " ", 1);
            pgn->column++;
        } else if (length) {
            size_t command = command_length(text);
            size_t whole = command ? command : length;
            lengthen_comment(pgn, whole);
            part(pgn, *text, columns(text, whole));
            command_end = text + command;
        }
        put_word(pgn, text, length);
    }
}

static void put_clock(struct pgn_writer *pgn, int64_t clock_ms)
{
    char clock[PGN_CLOCK_SIZE];
    char command[PGN_CLOCK_SIZE + sizeof "[%clk ]"];
    pgn_clock_format(clock_ms, clock);
    (void)snprintf(command, sizeof command, "[%%clk %s]", clock);
    put_words(pgn, command);
}

void pgn_write_annotation(struct pgn_writer *pgn, int64_t clock_ms, const char *text)
{
    bool worded = text && *text;
    if (clock_ms < 0 && !worded)
        return;
    open_comment(pgn);
    if (clock_ms >= 0)
        put_clock(pgn, clock_ms);
    if (worded)
        put_words(pgn, text);
    close_comment(pgn);
    pgn->numbered = false;
}

void pgn_write_comment(struct pgn_writer *pgn, const char *text)
{
    pgn_write_annotation(pgn, -1, text);
}

void pgn_write_result(struct pgn_writer *pgn, const char *result)
{
    put_token(pgn, result, strlen(result));
    put(pgn, "\n", 1);
}
