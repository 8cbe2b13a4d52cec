#include "rules/pgn_read.h"

#include <string.h>

#include "rules/pgn_read_parts.h"

_Static_assert(PGN_COMMENT_MAX == 32768 && PGN_TAG_VALUE_MAX == 4096 && PGN_TAGS_MAX == 160 &&
                   PGN_TOKEN_MAX == 255 && PGN_PLIES_MAX == 20000,
               "the sentences about faults name these limits");

static const char byte_order_mark[] = {'\xEF', '\xBB', '\xBF'};

const char *pgn_fault_code_name(enum pgn_fault_code code)
{
    static const char *const names[PGN_FAULT_CODE_COUNT] = {
        [PGN_FAULT_SYNTAX] = "syntax",
        [PGN_FAULT_ENCODING] = "encoding",
        [PGN_FAULT_EMPTY] = "empty",
        [PGN_FAULT_FEN] = "fen",
        [PGN_FAULT_VARIANT] = "variant",
        [PGN_FAULT_ILLEGAL_MOVE] = "illegal_move",
        [PGN_FAULT_AMBIGUOUS_MOVE] = "ambiguous_move",
        [PGN_FAULT_RESULT] = "result",
        [PGN_FAULT_MOVES_AFTER_END] = "moves_after_end",
        [PGN_FAULT_VARIATION] = "variation",
    };
    return names[code];
}

const char *pgn_severity_name(enum pgn_severity severity)
{
    static const char *const names[PGN_SEVERITY_COUNT] = {
        [PGN_ERROR] = "error",
        [PGN_WARNING] = "warning",
    };
    return names[severity];
}

const char *pgn_result_name(enum pgn_result result)
{
    static const char *const names[PGN_RESULT_COUNT] = {
        [PGN_RESULT_UNKNOWN] = "*",
        [PGN_RESULT_WHITE_WINS] = "1-0",
        [PGN_RESULT_BLACK_WINS] = "0-1",
        [PGN_RESULT_DRAW] = "1/2-1/2",
    };
    return names[result];
}

void pgn_reader_init(struct pgn_reader *reader, const struct pgn_handler *handler,
                     const struct pgn_options *options)
{
    memset(reader, 0, sizeof *reader);
    reader->handler = *handler;
    if (options)
        reader->options = *options;
    reader->at = (struct pgn_point){1, 1};
    reader->line_is_blank = true;
}

/* ---- lines ------------------------------------------------------------------------------------------- */

/* A line that begins with '%' is not there, but for its end (PGN standard 6). In a comment it is: where lines were broken
 * at some width, the brace that closes it may stand behind a '%'. */
static bool is_escaped(struct pgn_reader *reader, char c)
{
    bool in_comment = reader->lexeme == PGN_BRACES || reader->lexeme == PGN_BRACES_LOST;
    if (c == '\n')
        reader->escaped_line = false;
    else if (c == '%' && reader->at.column == 1 && !in_comment)
        reader->escaped_line = true;
    return reader->escaped_line;
}

void pgn_read_text(struct pgn_reader *reader, char c)
{
    if (!is_escaped(reader, c))
        pgn_read_lex(reader, c);
}

/* Once a game: the bytes of UTF-16 are half NUL. */
static void refuse_nul(struct pgn_reader *reader)
{
    if (!reader->escaped_line && (reader->section == PGN_BETWEEN_GAMES || reader->game.good))
        pgn_read_game_error(reader, PGN_FAULT_ENCODING, reader->at, "",
                            "There is a NUL byte: this is no UTF-8 text.");
}

static void read_byte(struct pgn_reader *reader, char c)
{
    bool line_feed = c == '\n' && reader->after_cr;
    reader->after_cr = c == '\r';
    if (line_feed)
        return;
    if (c == '\r')
        c = '\n';
    if (c == '\0')
        refuse_nul(reader);
    else
        pgn_read_text(reader, c);
    pgn_read_lex_advance(reader, c);
}

/* ---- byte order marks -------------------------------------------------------------------------------- */

static bool is_at_start(const struct pgn_reader *reader)
{
    return reader->at.line == 1 && reader->at.column == 1;
}

static bool is_utf16_mark(const struct pgn_reader *reader, char c)
{
    unsigned char first = (unsigned char)reader->mark[0];
    unsigned char second = (unsigned char)c;
    return reader->mark_length == 1 && first + second == 0xFE + 0xFF && (first == 0xFE || first == 0xFF);
}

static bool may_be_mark(const struct pgn_reader *reader, char c)
{
    if (reader->mark_length == 0 && is_at_start(reader) && (c == '\xFE' || c == '\xFF'))
        return true;
    return c == byte_order_mark[reader->mark_length] &&
           memcmp(reader->mark, byte_order_mark, reader->mark_length) == 0;
}

static void release_mark(struct pgn_reader *reader)
{
    unsigned length = reader->mark_length;
    reader->mark_length = 0;
    for (unsigned i = 0; i < length; i++)
        read_byte(reader, reader->mark[i]);
}

/* UTF-8's is dropped at the start of any line, as files are joined; a comment may be about it. */
static bool hold_mark(struct pgn_reader *reader, char c)
{
    if (is_at_start(reader) && is_utf16_mark(reader, c)) {
        reader->lexeme = PGN_NOTHING;
        pgn_read_game_refuse_text(reader, PGN_FAULT_ENCODING,
                                  "This is no UTF-8 text; it has to be made one first.");
        return true;
    }
    if (!may_be_mark(reader, c)) {
        release_mark(reader);
        return false;
    }
    reader->mark[reader->mark_length++] = c;
    if (reader->mark_length == sizeof byte_order_mark)
        reader->mark_length = 0;
    return true;
}

/* ---- the stream -------------------------------------------------------------------------------------- */

bool pgn_read(struct pgn_reader *reader, const char *bytes, size_t length)
{
    for (size_t i = 0; i < length && !reader->stopped && reader->lexeme != PGN_NOTHING; i++) {
        if (reader->lexeme == PGN_BRACES)
            i += pgn_read_comment_plain(reader, bytes + i, length - i);
        if (i == length)
            break;
        if (reader->at.column != 1 || reader->lexeme == PGN_BRACES || !hold_mark(reader, bytes[i]))
            read_byte(reader, bytes[i]);
    }
    return !reader->stopped;
}

bool pgn_read_end(struct pgn_reader *reader)
{
    if (reader->stopped || reader->lexeme == PGN_NOTHING)
        return !reader->stopped;
    release_mark(reader);
    pgn_read_lex_end(reader);
    reader->begun = reader->at;
    pgn_read_game_finish(reader);
    if (reader->index == 0)
        pgn_read_game_refuse_text(reader, PGN_FAULT_EMPTY, "There is no game in this text.");
    return !reader->stopped;
}
