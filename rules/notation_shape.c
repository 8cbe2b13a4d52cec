#include "rules/notation_shape.h"

#include <string.h>

#include "rules/notation.h"

/* ---- plain letters ----------------------------------------------------------------------------------- */

/* The text in ASCII. Each character keeps the offset of the byte it came from. */
struct plain {
    size_t length;
    char text[NOTATION_TEXT_MAX + 1];
    uint8_t offset[NOTATION_TEXT_MAX + 1];
};

struct spelling {
    const char *utf8;
    const char *plain;
};

static const struct spelling spellings[] = {
    {"\u2654", "K"}, {"\u2655", "Q"}, {"\u2656", "R"}, {"\u2657", "B"}, {"\u2658", "N"}, {"\u2659", "P"},
    {"\u265A", "K"}, {"\u265B", "Q"}, {"\u265C", "R"}, {"\u265D", "B"}, {"\u265E", "N"}, {"\u265F", "P"},
    {"\u2010", "-"}, {"\u2011", "-"}, {"\u2012", "-"}, {"\u2013", "-"}, {"\u2014", "-"}, {"\u2015", "-"},
    {"\u2212", "-"}, {"\u00D7", "x"}, {"\u2020", "+"}, {"\u2021", "#"}, {"\uFE0E", ""}, /* "show as text",
                                                                                           which often follows
                                                                                           a figurine */
    {"\uFE0F", ""},
};

/* None of them is ASCII. */
static const struct spelling *spelling_at(const char *text, size_t length)
{
    if (!(*text & 0x80))
        return NULL;
    for (size_t i = 0; i < sizeof spellings / sizeof spellings[0]; i++) {
        size_t size = strlen(spellings[i].utf8);
        if (size <= length && memcmp(text, spellings[i].utf8, size) == 0)
            return &spellings[i];
    }
    return NULL;
}

static void append(struct plain *plain, char c, size_t offset)
{
    plain->text[plain->length] = c;
    plain->offset[plain->length++] = (uint8_t)offset;
}

/* False at a byte that no move text has; *offset says where. */
static bool make_plain(const char *text, size_t length, struct plain *plain, size_t *offset)
{
    plain->length = 0;
    for (size_t at = 0; at < length;) {
        const struct spelling *spelling = spelling_at(text + at, length - at);
        bool is_ascii = text[at] >= ' ' && text[at] <= '~';
        *offset = at;
        if (at >= NOTATION_TEXT_MAX || (!spelling && !is_ascii))
            return false;
        const char *letter = spelling ? spelling->plain : text + at;
        if (*letter)
            append(plain, *letter, at);
        at += spelling ? strlen(spelling->utf8) : 1;
    }
    plain->text[plain->length] = '\0';
    plain->offset[plain->length] = (uint8_t)length;
    return true;
}

static bool ends_in(const struct plain *plain, const char *word)
{
    size_t size = strlen(word);
    return plain->length >= size && memcmp(plain->text + plain->length - size, word, size) == 0;
}

static void cut(struct plain *plain, size_t size)
{
    plain->length -= size;
    plain->text[plain->length] = '\0';
}

/* As most moves do, which have no mark. */
static bool ends_in_square(const struct plain *plain)
{
    return plain->length > 0 && plain->text[plain->length - 1] >= '1' &&
           plain->text[plain->length - 1] <= '8';
}

/* Takes off what may follow a move in any order: check, mate and value marks, "e.p.",
 * the draw offer (C.12). */
static void strip_marks(struct plain *plain, struct notation_shape *shape)
{
    static const char *const marks[] = {"+", "#", "!", "?", " ", "e.p.", "e.p", "ep.", "ep", "(=)"};
    if (ends_in_square(plain))
        return;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0];) {
        size_t size = strlen(marks[i]);
        if (!ends_in(plain, marks[i]) || plain->length == size) {
            i++;
            continue;
        }
        shape->draw_offer |= size == 3 && marks[i][0] == '(';
        cut(plain, size);
        i = 0;
    }
}

/* ---- castling and null moves ------------------------------------------------------------------------- */

static bool is_word(const struct plain *plain, const char *const *words)
{
    for (; *words; words++)
        if (strcmp(plain->text, *words) == 0)
            return true;
    return false;
}

static bool read_null_move(const struct plain *plain, struct notation_shape *shape)
{
    static const char *const words[] = {"--", "Z0", "0000", "@@@@", NULL};
    shape->attempt.null_move = strchr("-Z0@", plain->text[0]) && is_word(plain, words);
    return shape->attempt.null_move;
}

/* Letters O and zeros, also mixed. */
static bool read_castling(const struct plain *plain, struct notation_shape *shape)
{
    static const char *const words[CASTLING_COUNT] = {"O-O", "O-O-O"};
    char text[NOTATION_TEXT_MAX + 1];
    if (!strchr("Oo0", plain->text[0]))
        return false;
    memcpy(text, plain->text, plain->length + 1);
    for (size_t i = 0; i < plain->length; i++)
        if (text[i] == 'o' || text[i] == '0')
            text[i] = 'O';
    for (unsigned side = 0; side < CASTLING_COUNT; side++) {
        if (strcmp(text, words[side]) != 0)
            continue;
        shape->attempt.castling = true;
        shape->attempt.side = (enum castling_side)side;
        shape->attempt.piece = PIECE_KING;
        return true;
    }
    return false;
}

/* ---- squares ----------------------------------------------------------------------------------------- */

struct cursor {
    const char *at;
};

/* The next character, if it is one of `set`. */
static char take(struct cursor *in, const char *set)
{
    if (!*in->at || !strchr(set, *in->at))
        return '\0';
    return *in->at++;
}

static uint8_t take_file(struct cursor *in)
{
    char c = take(in, "abcdefgh");
    return c ? (uint8_t)(c - 'a') : ATTEMPT_NOT_SAID;
}

static uint8_t take_rank(struct cursor *in)
{
    char c = take(in, "12345678");
    return c ? (uint8_t)(c - '1') : ATTEMPT_NOT_SAID;
}

static enum piece_type letter_piece(char letter)
{
    static const char letters[] = ".PNBRQK";
    const char *found = strchr(letters + 1, letter >= 'a' ? letter - 'a' + 'A' : letter);
    return found ? (enum piece_type)(found - letters) : PIECE_NONE;
}

/* A square as far as it is written; both parts may be missing. */
struct partial {
    uint8_t file, rank;
};

static struct partial take_partial(struct cursor *in)
{
    struct partial p;
    p.file = take_file(in);
    p.rank = take_rank(in);
    return p;
}

static bool is_empty(struct partial p)
{
    return p.file == ATTEMPT_NOT_SAID && p.rank == ATTEMPT_NOT_SAID;
}

static bool is_whole(struct partial p)
{
    return p.file != ATTEMPT_NOT_SAID && p.rank != ATTEMPT_NOT_SAID;
}

/* "ed", "exd": a pawn takes towards the next file. */
static bool is_short_capture(struct partial from, struct partial to)
{
    return from.rank == ATTEMPT_NOT_SAID && to.rank == ATTEMPT_NOT_SAID &&
           (from.file + 1 == to.file || to.file + 1 == from.file) && from.file < 8 && to.file < 8;
}

/* Sorts two partial squares into start and target. False where they make no move. */
static bool assign_squares(struct notation_shape *shape, struct partial first, char separator,
                           struct partial second)
{
    struct attempt *attempt = &shape->attempt;
    bool piece_named = attempt->piece != PIECE_NONE;
    if (!separator && is_empty(second) && is_whole(first)) { /* "e4", "Nf3" */
        second = first;
        first = (struct partial){ATTEMPT_NOT_SAID, ATTEMPT_NOT_SAID};
    }
    attempt->from_file = first.file;
    attempt->from_rank = first.rank;
    if (is_whole(first))
        attempt->from = square_at(first.file, first.rank);
    if (is_whole(second)) {
        attempt->to = square_at(second.file, second.rank);
    } else if (!piece_named && is_short_capture(first, second)) {
        shape->to_file = second.file;
    } else {
        return false;
    }
    shape->coordinates = is_whole(first) && !piece_named;
    if (!piece_named && !shape->coordinates)
        attempt->piece = PIECE_PAWN;
    return true;
}

/* "=Q", "Q", "q", "/Q", "(Q)", "(=Q)". After "ed" a bare small letter could be anything. */
static bool take_promotion(struct cursor *in, struct notation_shape *shape)
{
    bool bracket = take(in, "(");
    bool sign = take(in, bracket ? "=" : "=/");
    bool bare = !bracket && !sign;
    if (bare && !*in->at)
        return true;
    bool upper_only = bare && shape->to_file != NOTATION_SHAPE_NO_FILE;
    char letter = take(in, upper_only ? "QRBNKP" : "QRBNKPqrbnkp");
    if (!letter || (bracket && !take(in, ")")))
        return false;
    shape->attempt.promotion = letter_piece(letter);
    return true;
}

static bool read_squares(struct cursor *in, struct notation_shape *shape)
{
    char letter = take(in, "KQRBNPkqrn");
    if (letter)
        shape->attempt.piece = letter_piece(letter);
    struct partial first = take_partial(in);
    if (!letter && is_empty(first))
        return false; /* "xd5": a pawn capture names its file (PGN 8.2.3.3) */
    char separator = take(in, "-x:");
    struct partial second = take_partial(in);
    return assign_squares(shape, first, separator, second) && take_promotion(in, shape) && !*in->at;
}

bool notation_shape_read(const char *text, size_t length, struct notation_shape *shape, size_t *offset)
{
    struct plain plain;
    *shape = (struct notation_shape){
        .attempt = {.from = SQUARE_NONE,
                    .to = SQUARE_NONE,
                    .from_file = ATTEMPT_NOT_SAID,
                    .from_rank = ATTEMPT_NOT_SAID},
        .to_file = NOTATION_SHAPE_NO_FILE,
    };
    *offset = 0;
    if (!make_plain(text, length, &plain, offset))
        return false;
    strip_marks(&plain, shape);
    if (read_null_move(&plain, shape) || read_castling(&plain, shape))
        return true;
    struct cursor in = {plain.text};
    if (read_squares(&in, shape))
        return true;
    *offset = plain.offset[in.at - plain.text];
    return false;
}
