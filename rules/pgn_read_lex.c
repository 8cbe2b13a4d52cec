#include <string.h>

#include "rules/pgn_read_parts.h"

static const char never_closed[] = "This comment is never closed.";
static const char no_tag_pair[] = "This is no tag pair: [Name \"value\"].";

void pgn_read_lex_advance(struct pgn_reader *reader, char c)
{
    if (c != '\n') {
        reader->at.column++;
        return;
    }
    reader->at.line++;
    reader->at.column = 1;
    reader->line_is_blank = true;
}

static bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f';
}

static void go_on_after(struct pgn_reader *reader)
{
    reader->lexeme = PGN_SPACE;
    reader->line_is_blank = false;
    reader->line_ends = 0;
}

/* ---- tokens ------------------------------------------------------------------------------------------ */

static void add_to_token(struct pgn_reader *reader, char c)
{
    if (reader->token_length <= PGN_TOKEN_MAX)
        reader->token[reader->token_length++] = c;
}

static void end_token(struct pgn_reader *reader)
{
    reader->token[reader->token_length] = '\0';
    go_on_after(reader);
    pgn_read_moves_token(reader);
}

static void token_of(struct pgn_reader *reader, char c)
{
    reader->token[0] = c;
    reader->token_length = 1;
    end_token(reader);
}

static bool ends_token(char c)
{
    switch (c) {
    case ' ':
    case '\t':
    case '\v':
    case '\f':
    case '\n':
    case '{':
    case '}':
    case '(':
    case ')':
    case '[':
    case ']':
    case '<':
    case '>':
    case '"':
    case ';':
    case '*':
    case '$':
        return true;
    default:
        return false;
    }
}

static void open_comment(struct pgn_reader *reader, enum pgn_lexeme kind)
{
    reader->lexeme = kind;
    reader->comment_at = reader->at;
    reader->comment_length = 0;
    reader->comment_searched = 0;
}

static void open_tag(struct pgn_reader *reader, bool lost)
{
    reader->lexeme = PGN_TAG_NAME;
    reader->begun = reader->at;
    reader->tag_lost = lost;
    reader->tag_named = false;
    reader->token_length = 0;
}

/* A tag pair belongs behind others, or begins a line and a game. */
static void meet_bracket(struct pgn_reader *reader, bool begins_line, bool apart)
{
    reader->tag_apart = apart;
    if (reader->section != PGN_MOVETEXT || begins_line)
        open_tag(reader, false);
    else
        token_of(reader, '[');
}

static void in_space(struct pgn_reader *reader, char c)
{
    if (is_blank(c))
        return;
    if (c == '\n') {
        reader->line_ends++;
        return;
    }
    bool begins_line = reader->line_is_blank;
    bool apart = reader->line_ends > 1;
    go_on_after(reader);
    reader->begun = reader->at;
    switch (c) {
    case '[':
        meet_bracket(reader, begins_line, apart);
        return;
    case '{':
        open_comment(reader, PGN_BRACES);
        return;
    case ';':
        open_comment(reader, PGN_REST_OF_LINE);
        return;
    case '(':
        pgn_read_moves_open(reader);
        return;
    case ')':
        pgn_read_moves_close(reader);
        return;
    case '$':
        break;
    default:
        if (ends_token(c)) {
            token_of(reader, c);
            return;
        }
    }
    reader->lexeme = PGN_TOKEN;
    reader->token[0] = c;
    reader->token_length = 1;
}

/* A pawn that has just come to a last rank may promote in brackets. */
static bool may_promote(const struct pgn_reader *reader)
{
    char last = reader->token[reader->token_length - 1];
    return (last == '1' || last == '8') && reader->token_length < PGN_TOKEN_MAX - 4;
}

static void in_token(struct pgn_reader *reader, char c)
{
    if (!ends_token(c)) {
        add_to_token(reader, c);
    } else if (c == '(' && may_promote(reader)) {
        reader->lexeme = PGN_PROMOTION;
        reader->token_end = reader->token_length;
        add_to_token(reader, c);
    } else {
        end_token(reader);
        pgn_read_lex(reader, c);
    }
}

/* The bracket was no promotion: it and what follows it are read again. */
static void give_back(struct pgn_reader *reader)
{
    char held[4];
    struct pgn_point at = reader->at;
    unsigned count = (unsigned)(reader->token_length - reader->token_end);
    memcpy(held, reader->token + reader->token_end, count);
    reader->token_length = reader->token_end;
    reader->at.column -= count;
    end_token(reader);
    for (unsigned i = 0; i < count; i++) {
        pgn_read_lex(reader, held[i]);
        reader->at.column++;
    }
    reader->at = at;
}

/* "(", "(=" or "(Q" has been read, and one more. */
static void in_promotion(struct pgn_reader *reader, char c)
{
    char last = reader->token[reader->token_length - 1];
    bool named = last != '(' && last != '=';
    bool fits =
        named ? c == ')' : c != '\n' && c != '\0' && strchr(last == '(' ? "=QRBN" : "QRBN", c) != NULL;
    if (!fits) {
        give_back(reader);
        pgn_read_lex(reader, c);
        return;
    }
    add_to_token(reader, c);
    if (named)
        reader->lexeme = PGN_TOKEN;
}

/* ---- comments ---------------------------------------------------------------------------------------- */

static bool is_name_char(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_+#=:-", c) != NULL);
}

/* The text begins with [Name " in one line, or is cut in it. */
static bool is_tag_line(const char *text, const char *end, bool cut)
{
    if (text == end || *text != '[')
        return false;
    const char *name = ++text;
    while (text < end && is_name_char(*text))
        text++;
    if (text == end)
        return cut;
    if (text == name || text - name > PGN_TAG_NAME_MAX)
        return false;
    while (text < end && is_blank(*text))
        text++;
    return text == end ? cut : *text == '"';
}

/* The first line of the comment that begins as a tag pair does, of what was not searched yet; or NULL. `cut`:
 * the text goes on behind it. */
static const char *find_tag_line(struct pgn_reader *reader, bool cut)
{
    const char *end = reader->comment + reader->comment_length;
    const char *at = reader->comment + reader->comment_searched;
    reader->comment_searched = reader->comment_length;
    while ((at = memchr(at, '\n', (size_t)(end - at))) != NULL)
        if (is_tag_line(++at, end, cut))
            return at;
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
    reader->lexeme = PGN_BRACES_LOST;
    for (const char *c = from; c < end && !reader->stopped; c++) {
        pgn_read_lex(reader, *c);
        pgn_read_lex_advance(reader, *c);
    }
}

/* The comment is known to have no end. `tag_line` may be NULL. */
static void leave_comment(struct pgn_reader *reader, const char *tag_line)
{
    pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->comment_at, "{", never_closed);
    reader->lexeme = PGN_BRACES_LOST;
    if (tag_line)
        read_again(reader, tag_line);
}

static void lengthen_comment(struct pgn_reader *reader, char c)
{
    if (reader->comment_length < PGN_COMMENT_MAX) {
        reader->comment[reader->comment_length++] = c;
        return;
    }
    bool braces = reader->lexeme == PGN_BRACES;
    const char *tag_line = braces ? find_tag_line(reader, true) : NULL;
    if (tag_line) {
        leave_comment(reader, tag_line);
        pgn_read_lex(reader, c);
        return;
    }
    pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->comment_at, braces ? "{" : ";",
                        "A comment has at most 32768 bytes; this one may have no end.");
    reader->lexeme = braces ? PGN_BRACES_LOST : PGN_LINE_LOST;
    pgn_read_lex(reader, c);
}

static bool is_plain(char c)
{
    return c != '}' && c != '{' && c != '\n' && c != '\r' && c != '\0';
}

/* Most of a PGN with comments is read here: what no other part has to look at. */
size_t pgn_read_lex_plain(struct pgn_reader *reader, const char *bytes, size_t length)
{
    size_t room = PGN_COMMENT_MAX - reader->comment_length;
    size_t count = 0;
    if (reader->lexeme != PGN_BRACES || reader->at.column == 1 || reader->escaped_line)
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
    go_on_after(reader);
    pgn_read_moves_comment(reader);
}

/* Comments do not nest, so a brace may open in one. Behind a tag pair it tells that another comment opens. */
static void in_braces(struct pgn_reader *reader, char c)
{
    const char *tag_line;
    if (c == '}') {
        end_comment(reader);
    } else if (c == '{' && (tag_line = find_tag_line(reader, false)) != NULL) {
        leave_comment(reader, tag_line);
        pgn_read_lex(reader, c);
    } else {
        lengthen_comment(reader, c);
    }
}

static void in_rest_of_line(struct pgn_reader *reader, char c)
{
    if (c != '\n') {
        lengthen_comment(reader, c);
        return;
    }
    end_comment(reader);
    in_space(reader, c);
}

static void in_braces_lost(struct pgn_reader *reader, char c)
{
    if (c == '}')
        go_on_after(reader);
    else if (c == '[' && reader->at.column == 1)
        open_tag(reader, true);
}

static void in_line_lost(struct pgn_reader *reader, char c)
{
    if (c != '\n')
        return;
    go_on_after(reader);
    in_space(reader, c);
}

/* ---- tag pairs --------------------------------------------------------------------------------------- */

/* Movetext goes on behind the bracket; among tags the line is lost. */
static void leave_tag(struct pgn_reader *reader, char c)
{
    if (reader->tag_lost) {
        reader->lexeme = PGN_BRACES_LOST;
    } else {
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, "[", no_tag_pair);
        go_on_after(reader);
        if (reader->section != PGN_MOVETEXT)
            reader->lexeme = PGN_LINE_LOST;
    }
    pgn_read_lex(reader, c);
}

static void open_value(struct pgn_reader *reader)
{
    reader->token[reader->token_length] = '\0';
    reader->lexeme = PGN_TAG_VALUE;
    reader->value_length = 0;
    pgn_read_tags_begin(reader, reader->tag_apart, reader->tag_lost);
}

static void in_tag_name(struct pgn_reader *reader, char c)
{
    if (is_name_char(c) && !reader->tag_named && reader->token_length < PGN_TAG_NAME_MAX)
        add_to_token(reader, c);
    else if (is_blank(c))
        reader->tag_named = reader->token_length > 0;
    else if (c == '"' && reader->token_length > 0)
        open_value(reader);
    else
        leave_tag(reader, c);
}

static void add_to_value(struct pgn_reader *reader, char c)
{
    if (reader->value_length <= PGN_TAG_VALUE_MAX)
        reader->value[reader->value_length++] = c;
}

static void in_tag_value(struct pgn_reader *reader, char c)
{
    switch (c) {
    case '\\':
        reader->lexeme = PGN_TAG_ESCAPE;
        return;
    case '"':
        reader->lexeme = PGN_TAG_QUOTE;
        reader->quote_blanks = 0;
        reader->quote_ended = false;
        return;
    case '\n':
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                            "The value of this tag has no closing quote in its line.");
        go_on_after(reader);
        in_space(reader, c);
        return;
    default:
        add_to_value(reader, c);
    }
}

static void in_tag_escape(struct pgn_reader *reader, char c)
{
    reader->lexeme = PGN_TAG_VALUE;
    if (c != '"' && c != '\\') {
        add_to_value(reader, '\\');
        in_tag_value(reader, c);
        return;
    }
    add_to_value(reader, c);
}

static void end_tag(struct pgn_reader *reader)
{
    reader->value[reader->value_length] = '\0';
    go_on_after(reader);
    pgn_read_tags_pair(reader);
}

static void end_tag_without_bracket(struct pgn_reader *reader)
{
    pgn_read_game_warn(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                       "This tag pair has no closing bracket.");
    end_tag(reader);
}

/* A quote that no bracket follows is one that its writer did not escape. */
static void in_tag_quote(struct pgn_reader *reader, char c)
{
    if (c == ']') {
        end_tag(reader);
    } else if (c == '\n') {
        reader->quote_ended = true;
    } else if (is_blank(c)) {
        reader->quote_blanks++;
    } else if (reader->quote_ended) {
        end_tag_without_bracket(reader);
        reader->line_is_blank = true;
        reader->line_ends = 1;
        pgn_read_lex(reader, c);
    } else {
        reader->lexeme = PGN_TAG_VALUE;
        add_to_value(reader, '"');
        for (; reader->quote_blanks > 0; reader->quote_blanks--)
            add_to_value(reader, ' ');
        in_tag_value(reader, c);
    }
}

/* ---- one byte ---------------------------------------------------------------------------------------- */

static void in_nothing(struct pgn_reader *reader, char c)
{
    (void)reader;
    (void)c;
}

void pgn_read_lex(struct pgn_reader *reader, char c)
{
    static void (*const parts[PGN_LEXEME_COUNT])(struct pgn_reader *, char) = {
        [PGN_SPACE] = in_space,
        [PGN_TOKEN] = in_token,
        [PGN_PROMOTION] = in_promotion,
        [PGN_BRACES] = in_braces,
        [PGN_REST_OF_LINE] = in_rest_of_line,
        [PGN_BRACES_LOST] = in_braces_lost,
        [PGN_LINE_LOST] = in_line_lost,
        [PGN_TAG_NAME] = in_tag_name,
        [PGN_TAG_VALUE] = in_tag_value,
        [PGN_TAG_ESCAPE] = in_tag_escape,
        [PGN_TAG_QUOTE] = in_tag_quote,
        [PGN_NOTHING] = in_nothing,
    };
    parts[reader->lexeme](reader, c);
}

void pgn_read_lex_end(struct pgn_reader *reader)
{
    if (reader->lexeme == PGN_BRACES)
        leave_comment(reader, find_tag_line(reader, false));
    pgn_read_lex(reader, '\n');
    if (reader->lexeme == PGN_TAG_QUOTE)
        end_tag_without_bracket(reader);
}
