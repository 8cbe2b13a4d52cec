#include <string.h>

#include "rules/pgn_read_parts.h"

bool pgn_read_pair_is_name(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
           (c != '\0' && strchr("_+#=:-", c) != NULL);
}

void pgn_read_pair_open(struct pgn_reader *reader, bool lost)
{
    reader->lexeme = PGN_TAG_NAME;
    reader->begun = reader->at;
    reader->tag_lost = lost;
    reader->tag_named = false;
    reader->token_length = 0;
}

/* Movetext goes on behind the bracket; among tags the line is lost, but for one that `c` begins. */
void pgn_read_pair_leave(struct pgn_reader *reader, char c)
{
    unsigned line_ends = reader->at.line - reader->begun.line;
    if (reader->tag_lost) {
        reader->lexeme = PGN_BRACES_LOST;
    } else {
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, "[",
                            "This is no tag pair: [Name \"value\"].");
        pgn_read_lex_go_on(reader);
        if (line_ends > 0)
            reader->line_is_blank = true;
        else if (reader->section != PGN_MOVETEXT)
            reader->lexeme = PGN_LINE_LOST;
        reader->line_ends = line_ends;
    }
    pgn_read_lex(reader, c);
}

/* A pair may take several lines (PGN standard 8.1). Where a bracket could be movetext, or a comment is searched, its name
 * has to stand beside it. */
static bool parts_name_and_value(const struct pgn_reader *reader, char c)
{
    bool line_may_end = !reader->tag_lost && (reader->token_length > 0 || reader->section != PGN_MOVETEXT);
    return pgn_read_lex_is_blank(c) || (c == '\n' && line_may_end);
}

static void open_value(struct pgn_reader *reader)
{
    reader->token[reader->token_length] = '\0';
    reader->lexeme = PGN_TAG_VALUE;
    reader->value_length = 0;
    pgn_read_tags_begin(reader, reader->tag_apart, reader->tag_lost);
}

void pgn_read_pair_name(struct pgn_reader *reader, char c)
{
    if (pgn_read_pair_is_name(c) && !reader->tag_named && reader->token_length < PGN_TAG_NAME_MAX)
        reader->token[reader->token_length++] = c;
    else if (parts_name_and_value(reader, c))
        reader->tag_named = reader->token_length > 0;
    else if (c == '"' && reader->token_length > 0)
        open_value(reader);
    else
        pgn_read_pair_leave(reader, c);
}

static void add_to_value(struct pgn_reader *reader, char c)
{
    if (reader->value_length <= PGN_TAG_VALUE_MAX)
        reader->value[reader->value_length++] = c;
}

void pgn_read_pair_value(struct pgn_reader *reader, char c)
{
    switch (c) {
    case '\\':
        reader->lexeme = PGN_TAG_ESCAPE;
        return;
    case '"':
        reader->lexeme = PGN_TAG_QUOTE;
        reader->quote_blanks = 0;
        reader->quote_line_ends = 0;
        return;
    case '\n':
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                            "The value of this tag has no closing quote in its line.");
        pgn_read_lex_go_on(reader);
        pgn_read_lex(reader, c);
        return;
    default:
        add_to_value(reader, c);
    }
}

void pgn_read_pair_escape(struct pgn_reader *reader, char c)
{
    reader->lexeme = PGN_TAG_VALUE;
    if (c != '"' && c != '\\') {
        add_to_value(reader, '\\');
        pgn_read_pair_value(reader, c);
        return;
    }
    add_to_value(reader, c);
}

static void end_tag(struct pgn_reader *reader)
{
    reader->value[reader->value_length] = '\0';
    pgn_read_lex_go_on(reader);
    pgn_read_tags_pair(reader);
}

void pgn_read_pair_end(struct pgn_reader *reader)
{
    pgn_read_game_warn(reader, PGN_FAULT_SYNTAX, reader->begun, reader->token,
                       "This tag pair has no closing bracket.");
    end_tag(reader);
}

/* A quote that no bracket follows is one that its writer did not escape. */
void pgn_read_pair_quote(struct pgn_reader *reader, char c)
{
    if (c == ']') {
        end_tag(reader);
    } else if (c == '\n') {
        reader->quote_line_ends++;
    } else if (pgn_read_lex_is_blank(c)) {
        reader->quote_blanks++;
    } else if (reader->quote_line_ends > 0) {
        pgn_read_pair_end(reader);
        reader->line_is_blank = true;
        reader->line_ends = reader->quote_line_ends;
        pgn_read_lex(reader, c);
    } else {
        reader->lexeme = PGN_TAG_VALUE;
        add_to_value(reader, '"');
        for (; reader->quote_blanks > 0; reader->quote_blanks--)
            add_to_value(reader, ' ');
        pgn_read_pair_value(reader, c);
    }
}
