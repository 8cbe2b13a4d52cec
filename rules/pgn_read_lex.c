#include <string.h>

#include "rules/pgn_read_parts.h"

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

bool pgn_read_lex_is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\v' || c == '\f' || c == '\x1A';
}

void pgn_read_lex_go_on(struct pgn_reader *reader)
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
    pgn_read_lex_go_on(reader);
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
    case '\x1A':
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

/* A tag pair belongs behind others, or begins a line and a game. */
static void meet_bracket(struct pgn_reader *reader, bool begins_line, bool apart)
{
    reader->tag_apart = apart;
    if (reader->section != PGN_MOVETEXT || begins_line)
        pgn_read_pair_open(reader, false);
    else
        token_of(reader, '[');
}

static void in_space(struct pgn_reader *reader, char c)
{
    if (pgn_read_lex_is_blank(c))
        return;
    if (c == '\n') {
        reader->line_ends++;
        return;
    }
    bool begins_line = reader->line_is_blank;
    bool apart = reader->line_ends > 1;
    pgn_read_lex_go_on(reader);
    reader->begun = reader->at;
    switch (c) {
    case '[':
        meet_bracket(reader, begins_line, apart);
        return;
    case '{':
        pgn_read_comment_open(reader, PGN_BRACES);
        return;
    case ';':
        pgn_read_comment_open(reader, PGN_REST_OF_LINE);
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

/* ---- one byte ---------------------------------------------------------------------------------------- */

static void in_line_lost(struct pgn_reader *reader, char c)
{
    if (c != '\n')
        return;
    pgn_read_lex_go_on(reader);
    pgn_read_lex(reader, c);
}

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
        [PGN_BRACES] = pgn_read_comment_braces,
        [PGN_REST_OF_LINE] = pgn_read_comment_rest_of_line,
        [PGN_BRACES_LOST] = pgn_read_comment_lost,
        [PGN_LINE_LOST] = in_line_lost,
        [PGN_TAG_NAME] = pgn_read_pair_name,
        [PGN_TAG_VALUE] = pgn_read_pair_value,
        [PGN_TAG_ESCAPE] = pgn_read_pair_escape,
        [PGN_TAG_QUOTE] = pgn_read_pair_quote,
        [PGN_NOTHING] = in_nothing,
    };
    parts[reader->lexeme](reader, c);
}

void pgn_read_lex_end(struct pgn_reader *reader)
{
    if (reader->lexeme == PGN_BRACES)
        pgn_read_comment_end(reader);
    if (reader->lexeme == PGN_TAG_NAME)
        pgn_read_pair_leave(reader, '\n');
    else
        pgn_read_lex(reader, '\n');
    if (reader->lexeme == PGN_TAG_QUOTE)
        pgn_read_pair_end(reader);
}
