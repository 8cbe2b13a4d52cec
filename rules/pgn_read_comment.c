#include <string.h>

#include "rules/pgn_read_parts.h"

void pgn_read_comment_open(struct pgn_reader *reader, enum pgn_lexeme kind)
{
    reader->lexeme = kind;
    reader->comment_at = reader->at;
    reader->comment_sign = kind == PGN_BRACES ? "{" : ";";
    reader->comment_length = 0;
    reader->comment_searched = 0;
}

/* The text begins with [Name " in one line, or is cut in it. */
static bool is_tag_line(const char *text, const char *end, bool cut)
{
    if (text == end || *text != '[')
        return false;
    const char *name = ++text;
    while (text < end && pgn_read_pair_is_name(*text))
        text++;
    if (text == end)
        return cut;
    if (text == name || text - name > PGN_TAG_NAME_MAX)
        return false;
    while (text < end && pgn_read_lex_is_blank(*text))
        text++;
    return text == end ? cut : *text == '"';
}

/* Where files were joined. */
static const char *skip_mark(const char *at, const char *end)
{
    return end - at >= 3 && memcmp(at, "\xEF\xBB\xBF", 3) == 0 ? at + 3 : at;
}

/* The first line of the comment that begins as a tag pair does, of what was not searched yet; or NULL. `cut`:
 * the text goes on behind it. */
static const char *find_tag_line(struct pgn_reader *reader, bool cut)
{
    const char *end = reader->comment + reader->comment_length;
    const char *at = reader->comment + reader->comment_searched;
    reader->comment_searched = reader->comment_length;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL) {
        at = skip_mark(at + 1, end);
        if (is_tag_line(at, end, cut))
            return at;
    }
    return NULL;
}

/* What a comment without an end has swallowed, from a tag pair on, is read again. No brace opens in it, so
 * this happens once to each byte. */
static void read_again(struct pgn_reader *reader, const char *from)
{
    const char *end = reader->comment + reader->comment_length;
    reader->at = reader->comment_at;
    for (const char *c = reader->comment; c < from; c++)
        pgn_read_lex_advance(reader, *c);
    reader->at.column = 1;
    reader->lexeme = PGN_BRACES_LOST;
    for (const char *c = from; c < end && !reader->stopped; c++) {
        pgn_read_text(reader, *c);
        pgn_read_lex_advance(reader, *c);
    }
}

/* The comment is known to have no end. `tag_line` may be NULL. */
static void leave_comment(struct pgn_reader *reader, const char *tag_line)
{
    pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->comment_at, "{", "This comment is never closed.");
    reader->lexeme = PGN_BRACES_LOST;
    if (tag_line)
        read_again(reader, tag_line);
}

static void lengthen_comment(struct pgn_reader *reader, char c)
{
    if (reader->comment_length < PGN_COMMENT_ROOM) {
        reader->comment[reader->comment_length++] = c;
        return;
    }
    bool braces = reader->lexeme == PGN_BRACES;
    const char *tag_line = braces ? find_tag_line(reader, true) : NULL;
    if (tag_line) {
        leave_comment(reader, tag_line);
        pgn_read_text(reader, c);
        return;
    }
    pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->comment_at, reader->comment_sign,
                        "A comment has at most 32768 bytes; this one may never be closed.");
    reader->lexeme = braces ? PGN_BRACES_LOST : PGN_LINE_LOST;
    pgn_read_lex(reader, c);
}

static bool is_plain(char c)
{
    return c != '}' && c != '{' && c != '\n' && c != '\r' && c != '\0';
}

/* Most of a PGN with comments is read here: what no other part has to look at. */
size_t pgn_read_comment_plain(struct pgn_reader *reader, const char *bytes, size_t length)
{
    size_t room = PGN_COMMENT_ROOM - reader->comment_length;
    size_t count = 0;
    if (reader->at.column == 1)
        return 0;
    while (count < length && count < room && is_plain(bytes[count]))
        count++;
    memcpy(reader->comment + reader->comment_length, bytes, count);
    reader->comment_length += count;
    reader->at.column += (unsigned)count;
    return count;
}

static void end_comment(struct pgn_reader *reader)
{
    pgn_read_lex_go_on(reader);
    pgn_read_moves_comment(reader);
}

/* Comments do not nest, so a brace may open in one. Behind a tag pair it tells that another comment opens. */
void pgn_read_comment_braces(struct pgn_reader *reader, char c)
{
    const char *tag_line;
    if (c == '}') {
        end_comment(reader);
    } else if (c == '{' && (tag_line = find_tag_line(reader, false)) != NULL) {
        leave_comment(reader, tag_line);
        pgn_read_text(reader, c);
    } else {
        lengthen_comment(reader, c);
    }
}

void pgn_read_comment_rest_of_line(struct pgn_reader *reader, char c)
{
    if (c != '\n') {
        lengthen_comment(reader, c);
        return;
    }
    end_comment(reader);
    pgn_read_lex(reader, c);
}

void pgn_read_comment_lost(struct pgn_reader *reader, char c)
{
    if (c == '}')
        pgn_read_lex_go_on(reader);
    else if (c == '[' && reader->at.column == 1)
        pgn_read_pair_open(reader, true);
}

void pgn_read_comment_end(struct pgn_reader *reader)
{
    leave_comment(reader, find_tag_line(reader, false));
}
