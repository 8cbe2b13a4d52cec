#include "rules/fen.h"

#include <string.h>

enum { FEN_FIELDS = 6 };

/* One field of the text, `end` excluded. */
struct field {
    unsigned number; /* from 1 */
    size_t start, end;
};

struct reader {
    const char *text;
    size_t length, at;
    struct setup *setup;
    struct setup_report *report;
};

static void add_syntax_fault(const struct reader *in, unsigned field, size_t offset)
{
    setup_report_add(in->report, SETUP_BAD_FIELD, field, offset, SQUARE_NONE);
}

/* ---- fields ------------------------------------------------------------------------------------------ */

/* Length of the separator at `at`, or 0. Blanks as they come; "_", "+" and "%20" as they survive in
 * addresses. */
static size_t separator_length(const struct reader *in, size_t at)
{
    if (at >= in->length)
        return 0;
    if (in->text[at] != '\0' && strchr(" \t\r\n\v\f_+", in->text[at]))
        return 1;
    return in->length - at >= 3 && memcmp(in->text + at, "%20", 3) == 0 ? 3 : 0;
}

static void skip_separators(struct reader *in)
{
    size_t length;
    while ((length = separator_length(in, in->at)) > 0)
        in->at += length;
}

/* False at the end of the text. */
static bool next_field(struct reader *in, struct field *field)
{
    skip_separators(in);
    if (in->at == in->length)
        return false;
    field->start = in->at;
    while (in->at < in->length && separator_length(in, in->at) == 0)
        in->at++;
    field->end = in->at;
    return true;
}

/* ---- placement --------------------------------------------------------------------------------------- */

static const char piece_letters[] = ".pnbrqk"; /* by enum piece_type */

static enum piece_type letter_piece(char letter)
{
    const char *found = letter ? strchr(piece_letters + 1, letter | 0x20) : NULL;
    bool is_letter = (letter >= 'A' && letter <= 'Z') || (letter >= 'a' && letter <= 'z');
    return found && is_letter ? (enum piece_type)(found - piece_letters) : PIECE_NONE;
}

static void put_piece(const struct reader *in, square s, size_t at, enum piece_type type)
{
    in->setup->type[s] = (uint8_t)type;
    in->setup->color[s] = in->text[at] >= 'a' ? COLOR_BLACK : COLOR_WHITE;
    in->setup->square_offset[s] = (uint16_t)at;
}

/* Squares that the character at `at` fills, from `file` on; 0 if it cannot stand there. */
static unsigned read_square(const struct reader *in, size_t start, size_t at, unsigned file, unsigned rank)
{
    char c = in->text[at];
    bool after_digit = at > start && in->text[at - 1] >= '1' && in->text[at - 1] <= '8';
    if (c >= '1' && c <= '8')
        return after_digit ? 0 : (unsigned)(c - '0'); /* "44" is written 8 */
    enum piece_type type = letter_piece(c);
    if (type == PIECE_NONE)
        return 0;
    if (file < 8)
        put_piece(in, square_at(file, rank), at, type);
    return 1;
}

/* One rank. Its length is judged only where each character could be read: one fault is enough for one
 * mistake. */
static bool read_rank(const struct reader *in, size_t start, size_t end, unsigned rank)
{
    unsigned file = 0;
    bool readable = true;
    for (size_t at = start; at < end; at++) {
        unsigned width = read_square(in, start, at, file, rank);
        if (width == 0) {
            add_syntax_fault(in, 1, at);
            readable = false;
        }
        if (readable && file <= 8 && file + width > 8)
            add_syntax_fault(in, 1, at);
        file = file > 8 ? file : file + width; /* stays beyond 8: no overflow however long the rank */
    }
    if (readable && file < 8)
        add_syntax_fault(in, 1, end);
    return readable && file == 8;
}

static size_t rank_end(const struct reader *in, size_t start, size_t end)
{
    const char *slash = memchr(in->text + start, '/', end - start);
    return slash ? (size_t)(slash - in->text) : end;
}

static bool read_placement(const struct reader *in, const struct field *field)
{
    bool readable = true;
    size_t start = field->start;
    for (unsigned rank = 8; rank-- > 0;) {
        size_t end = rank_end(in, start, field->end);
        readable = read_rank(in, start, end, rank) && readable;
        bool last = end == field->end;
        if (last && rank == 0)
            return readable;
        if (last || rank == 0) { /* ranks are missing, or more than eight */
            add_syntax_fault(in, 1, end);
            return false;
        }
        start = end + 1;
    }
    return readable;
}

/* ---- the other fields -------------------------------------------------------------------------------- */

static bool field_is(const struct reader *in, const struct field *field, const char *word)
{
    size_t length = field->end - field->start;
    return length == strlen(word) && memcmp(in->text + field->start, word, length) == 0;
}

static bool read_turn(const struct reader *in, const struct field *field)
{
    bool white = field_is(in, field, "w");
    if (white || field_is(in, field, "b")) {
        in->setup->turn = white ? COLOR_WHITE : COLOR_BLACK;
        return true;
    }
    in->setup->turn = COLOR_COUNT;
    add_syntax_fault(in, field->number, field->start);
    return false;
}

static bool read_castling(const struct reader *in, const struct field *field)
{
    bool readable = true;
    if (field_is(in, field, "-"))
        return true;
    for (size_t at = field->start; at < field->end; at++) {
        char c = in->text[at];
        if (c == '\0' || !strchr("KQkqABCDEFGHabcdefgh", c) || in->setup->right_count == SETUP_RIGHTS_MAX) {
            add_syntax_fault(in, field->number, at);
            readable = false;
            continue;
        }
        in->setup->rights[in->setup->right_count++] =
            (struct setup_right){.letter = c, .offset = (uint16_t)at};
    }
    return readable;
}

static bool read_en_passant(const struct reader *in, const struct field *field)
{
    const char *text = in->text + field->start;
    if (field_is(in, field, "-"))
        return true;
    if (field->end - field->start == 2 && text[0] >= 'a' && text[0] <= 'h' &&
        (text[1] == '3' || text[1] == '6')) {
        in->setup->en_passant = square_at((unsigned)(text[0] - 'a'), (unsigned)(text[1] - '1'));
        return true;
    }
    add_syntax_fault(in, field->number, field->start);
    return false;
}

static bool read_number(const struct reader *in, const struct field *field, unsigned max, uint16_t *number)
{
    unsigned value = 0;
    for (size_t at = field->start; at < field->end; at++) {
        char c = in->text[at];
        if (c >= '0' && c <= '9')
            value = value * 10 + (unsigned)(c - '0');
        if (c < '0' || c > '9' || value > max) {
            add_syntax_fault(in, field->number, at);
            return false;
        }
    }
    *number = (uint16_t)value;
    return true;
}

static bool read_halfmove_clock(const struct reader *in, const struct field *field)
{
    return read_number(in, field, FEN_CLOCK_MAX, &in->setup->halfmove_clock);
}

/* Some programs count from 0. */
static bool read_fullmove_number(const struct reader *in, const struct field *field)
{
    bool readable = read_number(in, field, FEN_NUMBER_MAX, &in->setup->fullmove_number);
    if (in->setup->fullmove_number == 0)
        in->setup->fullmove_number = 1;
    return readable;
}

typedef bool field_reader(const struct reader *in, const struct field *field);

static field_reader *const field_readers[FEN_FIELDS] = {
    read_placement, read_turn, read_castling, read_en_passant, read_halfmove_clock, read_fullmove_number};

/* ---- the whole text ---------------------------------------------------------------------------------- */

static struct setup setup_with_defaults(void)
{
    return (struct setup){.turn = COLOR_WHITE, .en_passant = SQUARE_NONE, .fullmove_number = 1};
}

/* Bit n of the result: field n + 1 could be read, or is missing and has its default. */
static unsigned read_fields(struct reader *in)
{
    unsigned readable = 0;
    struct field field = {0};
    for (unsigned i = 0; i < FEN_FIELDS; i++) {
        bool there = next_field(in, &field);
        field.number = i + 1;
        in->setup->field_offset[i] = (uint16_t)(there ? field.start : in->length);
        if (there ? field_readers[i](in, &field) : i > 0)
            readable |= 1u << i;
        if (!there && i == 0)
            add_syntax_fault(in, 1, in->at);
    }
    if (next_field(in, &field))
        add_syntax_fault(in, 0, field.start);
    return readable;
}

static void merge_reports(struct setup_report *report, const struct setup_report *more)
{
    for (unsigned i = 0; i < more->count; i++) {
        const struct setup_fault *f = &more->faults[i];
        setup_report_add(report, f->code, f->field, f->offset, f->square);
    }
}

bool fen_parse(const char *text, size_t length, bool chess960, struct position *position,
               struct setup_report *report)
{
    struct setup setup = setup_with_defaults();
    struct reader in = {.text = text, .length = length, .setup = &setup, .report = report};
    struct setup_report board_report;
    struct position read;
    report->count = 0;
    if (length > FEN_TEXT_MAX) {
        add_syntax_fault(&in, 0, FEN_TEXT_MAX);
        return false;
    }
    bool placement_readable = read_fields(&in) & 1u;
    bool text_readable = report->count == 0;
    if (!placement_readable)
        return false;
    bool playable = setup_position(&setup, chess960, true, &read, &board_report);
    merge_reports(report, &board_report);
    if (!playable || !text_readable)
        return false;
    *position = read;
    return true;
}
