#include <string.h>

#include "rules/movegen.h"
#include "rules/notation.h"
#include "rules/pgn_clock.h"
#include "rules/pgn_read_parts.h"
#include "rules/pgn_text.h"

/* ---- words of movetext ------------------------------------------------------------------------------- */

struct word {
    const char *text;
    size_t length;
    struct pgn_point at;
};

static bool word_is(struct word word, const char *text)
{
    return strlen(text) == word.length && memcmp(text, word.text, word.length) == 0;
}

static bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static struct word without(struct word word, size_t count)
{
    return (struct word){
        word.text + count, word.length - count, {word.at.line, word.at.column + (unsigned)count}};
}

static size_t dots_length(const char *text, size_t length)
{
    static const char ellipsis[] = "\u2026";
    const size_t size = sizeof ellipsis - 1;
    size_t at = 0;
    while (at < length) {
        if (text[at] == '.')
            at++;
        else if (length - at >= size && memcmp(text + at, ellipsis, size) == 0)
            at += size;
        else
            break;
    }
    return at;
}

/* What stands behind a move number: "12", "12.", "12...", or dots alone. Zeros alone ("00") are none: somebody may have
 * castled so. */
static struct word without_number(struct word word)
{
    size_t digits = 0, zeros = 0;
    while (digits < word.length && is_digit(word.text[digits]))
        zeros += word.text[digits++] == '0';
    size_t dots = dots_length(word.text + digits, word.length - digits);
    bool is_number = dots > 0 || (digits == word.length && (zeros < digits || digits == 1));
    return is_number ? without(word, digits + dots) : word;
}

enum { NAG_MAX = 255, NO_NUMBER };

/* Marks that stand apart from their move; and what the Informator writes, as numbers of the standard (10). */
static bool is_glyph(struct word word, unsigned *nag)
{
    static const struct {
        const char *text;
        unsigned nag;
    } glyphs[] = {
        {"!", 1},           {"?", 2},          {"!!", 3},        {"??", 4},           {"!?", 5},
        {"?!", 6},          {"\u25A1", 7},     {"=", 10},        {"\u221E", 13},      {"+=", 14},
        {"+/=", 14},        {"\u2A72", 14},    {"=+", 15},       {"=/+", 15},         {"\u2A71", 15},
        {"+/-", 16},        {"\u00B1", 16},    {"\xB1", 16}, /* Latin-1 */
        {"-/+", 17},        {"\u2213", 17},    {"+-", 18},       {"+\u2212", 18},     {"+\u2013", 18},
        {"-+", 19},         {"\u2212+", 19},   {"\u2013+", 19},  {"N", 146},          {"D", NO_NUMBER},
        {"+", NO_NUMBER},   {"++", NO_NUMBER}, {"#", NO_NUMBER}, {"e.p.", NO_NUMBER}, {"e.p", NO_NUMBER},
        {"ep.", NO_NUMBER}, {"ep", NO_NUMBER},
    };
    for (size_t i = 0; i < sizeof glyphs / sizeof glyphs[0]; i++)
        if (word_is(word, glyphs[i].text)) {
            *nag = glyphs[i].nag;
            return true;
        }
    return false;
}

/* "N" and "D" are marks of the move before them; where the next one is due, they are the beginning of its name. */
static bool is_letter_of_move(const struct pgn_reader *reader, struct word word)
{
    return reader->move_due && (word_is(word, "N") || word_is(word, "D"));
}

static void tell_nag(struct pgn_reader *reader, unsigned nag)
{
    if (nag != NO_NUMBER && reader->handler.nag && !reader->stopped)
        reader->stopped = !reader->handler.nag(reader->handler.context, reader->game.plies, nag);
}

/* "e4!?": the mark at the end of a move. */
static void tell_suffix(struct pgn_reader *reader, struct word word)
{
    size_t length = word.length;
    unsigned nag;
    while (length > 0 && (word.text[length - 1] == '!' || word.text[length - 1] == '?'))
        length--;
    if (length < word.length && is_glyph(without(word, length), &nag))
        tell_nag(reader, nag);
}

/* "$12". */
static void read_nag(struct pgn_reader *reader, struct word word)
{
    enum { DIGITS_MAX = 6 };
    unsigned nag = 0;
    size_t at = 1;
    while (at < word.length && at <= DIGITS_MAX && is_digit(word.text[at]))
        nag = nag * 10 + (unsigned)(word.text[at++] - '0');
    if (at == 1 || at < word.length)
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, word.at, word.text, "A NAG is $ and a number.");
    else if (nag > NAG_MAX)
        pgn_read_game_warn(reader, PGN_FAULT_SYNTAX, word.at, word.text, "A NAG is a number from 0 to 255.");
    else
        tell_nag(reader, nag);
}

/* ---- moves ------------------------------------------------------------------------------------------- */

static void play(struct pgn_reader *reader, struct word word, move m)
{
    if (reader->game.plies == PGN_PLIES_MAX) {
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, word.at, word.text,
                            "A game has at most 20000 half-moves.");
        return;
    }
    reader->previous = reader->position;
    position_play(&reader->previous, m, &reader->position);
    reader->game.plies++;
    reader->move_due = false;
    struct pgn_move told = {
        .ply = reader->game.plies,
        .move = m,
        .before = &reader->previous,
        .after = &reader->position,
        .line = word.at.line,
        .column = word.at.column,
    };
    if (reader->handler.move && !reader->stopped)
        reader->stopped = !reader->handler.move(reader->handler.context, &told);
    tell_suffix(reader, word);
}

static void refuse(struct pgn_reader *reader, struct word word, const struct reading *reading)
{
    switch (reading->status) {
    case READING_OK:
        break;
    case READING_SYNTAX:
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, word.at, word.text,
                            "This is no move, number, glyph or result.");
        break;
    case READING_ILLEGAL:
        if (!movegen_any(&reader->position))
            pgn_read_game_error(reader, PGN_FAULT_MOVES_AFTER_END, word.at, word.text,
                                "Checkmate or stalemate has ended the game (5.1.1, 5.2.1).");
        else
            pgn_read_game_error(reader, PGN_FAULT_ILLEGAL_MOVE, word.at, word.text,
                                refusal_text(reading->refusal.reason));
        break;
    case READING_AMBIGUOUS:
        pgn_read_game_error(reader, PGN_FAULT_AMBIGUOUS_MOVE, word.at, word.text,
                            "Several legal moves are written so.");
        break;
    }
}

static void read_word(struct pgn_reader *reader, struct word word)
{
    struct reading reading;
    unsigned nag;
    if (*word.text == '$') {
        read_nag(reader, word);
        return;
    }
    notation_read(&reader->position, word.text, word.length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  &reading);
    if (reading.status == READING_OK)
        play(reader, word, reading.move);
    else if (reading.status == READING_SYNTAX && !is_letter_of_move(reader, word) && is_glyph(word, &nag))
        tell_nag(reader, nag);
    else
        refuse(reader, word, &reading);
}

/* A null move is right in a variation; what follows it is not followed. */
static void follow_variation(struct pgn_reader *reader, struct word word)
{
    struct reading reading;
    enum pgn_result result;
    unsigned nag;
    if (!reader->variation_followed || reader->depth > 1 || *word.text == '$' || is_glyph(word, &nag) ||
        pgn_read_tags_result(word.text, word.length, &result))
        return;
    notation_read(&reader->variation, word.text, word.length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  &reading);
    if (reading.status == READING_OK) {
        struct position before = reader->variation;
        position_play(&before, reading.move, &reader->variation);
        return;
    }
    reader->variation_followed = false;
    if (reading.status != READING_ILLEGAL || reading.refusal.reason != REFUSAL_NULL_MOVE)
        pgn_read_game_warn(reader, PGN_FAULT_VARIATION, word.at, word.text,
                           "This is no legal move of the variation; the rest of it is not checked.");
}

/* A word of the main line that is a result. */
static bool is_marker(struct pgn_reader *reader, struct word word, enum pgn_result *marker)
{
    struct reading reading;
    if (pgn_read_tags_result(word.text, word.length, marker))
        return true;
    if (!reader->both_lost || !reader->game.good || !word_is(word, "0-0"))
        return false;
    notation_read(&reader->position, word.text, word.length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE,
                  &reading);
    *marker = PGN_RESULT_UNKNOWN;
    if (reading.status == READING_OK)
        pgn_read_game_error(reader, PGN_FAULT_AMBIGUOUS_MOVE, word.at, word.text,
                            "This may be castling, or the result that the tag Result has: write O-O, or *.");
    return reading.status != READING_OK;
}

/* In the line of a marker stands what somebody added to the result; but a number with its dots is the next game's, and so
 * is what can be the first move of one. */
static bool is_behind_marker(const struct pgn_reader *reader, struct pgn_point at)
{
    return reader->section == PGN_BETWEEN_GAMES && at.line == reader->marker_line;
}

static bool begins_game(struct word word)
{
    size_t number = word.length - without_number(word).length;
    struct position initial = position_initial();
    struct reading reading;
    if (number > 0)
        return !is_digit(word.text[number - 1]);
    notation_read(&initial, word.text, word.length, NOTATION_ANY, NOTATION_LENIENT, PIECE_NONE, &reading);
    return reading.status == READING_OK;
}

static void read_piece(struct pgn_reader *reader, struct word word)
{
    enum pgn_result marker;
    if (is_behind_marker(reader, word.at) && (reader->depth > 0 || !begins_game(word)))
        return;
    pgn_read_game_start(reader);
    struct word rest = without_number(word);
    if (reader->depth > 0) {
        if (rest.length > 0)
            follow_variation(reader, rest);
        return;
    }
    reader->move_due = reader->move_due || rest.length < word.length;
    if (rest.length == 0)
        return;
    if (is_marker(reader, rest, &marker))
        pgn_read_game_mark(reader, marker);
    else if (reader->game.good)
        read_word(reader, rest);
}

/* Text out of web pages has blanks that do not break a line (U+00A0): what they part are tokens too. */
static struct word take_piece(struct pgn_reader *reader, struct word *rest)
{
    static const char blank[] = "\u00A0";
    const size_t size = sizeof blank - 1;
    char *text = reader->token + (rest->text - reader->token);
    for (size_t at = 0; at + size <= rest->length; at++)
        if (memcmp(text + at, blank, size) == 0) {
            struct word piece = {text, at, rest->at};
            text[at] = '\0';
            *rest = without(*rest, at + size);
            return piece;
        }
    struct word piece = *rest;
    rest->length = 0;
    return piece;
}

void pgn_read_moves_token(struct pgn_reader *reader)
{
    struct word rest = {reader->token, reader->token_length, reader->begun};
    if (rest.length > PGN_TOKEN_MAX && reader->depth == 0 && !is_behind_marker(reader, rest.at)) {
        pgn_read_game_start(reader);
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, rest.at, rest.text, "A token has at most 255 bytes.");
        return;
    }
    while (rest.length > 0) {
        struct word piece = take_piece(reader, &rest);
        reader->begun = piece.at;
        if (piece.length > 0)
            read_piece(reader, piece);
    }
}

/* ---- variations -------------------------------------------------------------------------------------- */

void pgn_read_moves_open(struct pgn_reader *reader)
{
    if (!is_behind_marker(reader, reader->begun))
        pgn_read_game_start(reader);
    if (reader->depth++ > 0 || reader->section == PGN_BETWEEN_GAMES)
        return;
    reader->variation_at = reader->begun;
    reader->variation_followed = reader->options.variations && reader->game.good && reader->game.plies > 0;
    reader->variation = reader->previous;
}

void pgn_read_moves_close(struct pgn_reader *reader)
{
    bool is_added = is_behind_marker(reader, reader->begun);
    if (!is_added)
        pgn_read_game_start(reader);
    if (reader->depth > 0)
        reader->depth--;
    else if (!is_added)
        pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->begun, ")", "No variation is open here.");
}

/* ---- comments ---------------------------------------------------------------------------------------- */

static bool is_dropped(const struct pgn_reader *reader)
{
    if (reader->section == PGN_BETWEEN_GAMES)
        return is_behind_marker(reader, reader->comment_at);
    return !reader->game.good || reader->depth > 0;
}

static void refuse_comment(struct pgn_reader *reader)
{
    pgn_read_game_error(reader, PGN_FAULT_SYNTAX, reader->comment_at, reader->comment_sign,
                        "A comment has at most 32768 bytes, those before the first move together.");
}

/* Puts it behind what waits, and a blank between; `length` is that of both. */
static bool copy_comment(struct pgn_reader *reader, size_t *length)
{
    bool converted = false;
    size_t waiting = reader->text_length;
    size_t begin = waiting > 0 ? waiting + 1 : 0;
    size_t room = sizeof reader->text - begin;
    size_t copied =
        pgn_text_copy(reader->comment, reader->comment_length, reader->text + begin, room, &converted);
    if (copied == room) {
        refuse_comment(reader);
        return false;
    }
    if (converted && reader->section != PGN_BETWEEN_GAMES)
        pgn_read_game_warn(reader, PGN_FAULT_ENCODING, reader->comment_at, reader->comment_sign,
                           "This comment is not UTF-8; it was taken as Latin-1.");
    size_t added = pgn_text_squeeze(reader->text + begin, copied);
    *length = added > 0 ? begin + added : waiting;
    if (added > 0 && waiting > 0)
        reader->text[waiting] = ' ';
    return true;
}

void pgn_read_moves_comment(struct pgn_reader *reader)
{
    struct pgn_comment comment = {.ply = reader->game.plies, .text = reader->text, .clock_ms = -1};
    if (is_dropped(reader) || !copy_comment(reader, &comment.length))
        return;
    if (reader->section == PGN_MOVETEXT && comment.ply > 0)
        comment.length = pgn_clock_take(reader->text, comment.length, &comment.clock_ms);
    if (comment.length > PGN_COMMENT_MAX)
        refuse_comment(reader);
    else if (reader->section != PGN_MOVETEXT)
        reader->text_length = comment.length;
    else if ((comment.length > 0 || comment.clock_ms >= 0) && reader->handler.comment && !reader->stopped)
        reader->stopped = !reader->handler.comment(reader->handler.context, &comment);
}
