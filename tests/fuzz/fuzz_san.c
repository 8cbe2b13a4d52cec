#include <string.h>

#include "rules/notation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum { MOVES_MAX = 32, WRITTEN_MAX = 3 };

static void read_any(const struct position *position, struct text_span line, enum notation_style style,
                     struct reading *reading)
{
    notation_read(position, line.text, line.length, NOTATION_ANY, style, PIECE_NONE, reading);
}

/* The move is written and read as itself, in every way. */
static void check_written(const struct position *position, move m)
{
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    struct reading reading;
    struct text_span line = {san, notation_format_san(position, m, san)};
    FUZZ_CHECK(line.length < NOTATION_SAN_SIZE && strlen(san) == line.length);
    for (unsigned style = NOTATION_LENIENT; style <= NOTATION_STRICT; style++) {
        read_any(position, line, (enum notation_style)style, &reading);
        FUZZ_CHECK(reading.status == READING_OK && reading.move == m);
    }
    line = (struct text_span){uci, notation_format_uci(position, m, uci)};
    FUZZ_CHECK(line.length < NOTATION_UCI_SIZE && strlen(uci) == line.length);
    FUZZ_CHECK(notation_find_uci(position, uci) == m);
    for (unsigned style = NOTATION_LENIENT; style <= NOTATION_STRICT; style++) {
        read_any(position, line, (enum notation_style)style, &reading);
        FUZZ_CHECK(reading.status == READING_OK && reading.move == m);
    }
}

static void check_ambiguous(const struct position *position, const struct movelist *candidates)
{
    FUZZ_CHECK(candidates->count >= 2);
    for (unsigned i = 0; i < candidates->count; i++)
        FUZZ_CHECK(movegen_is_legal(position, candidates->moves[i]));
}

/* Strict reading takes exactly what would be written. */
static void check_strict(const struct position *position, struct text_span line, move m)
{
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    struct reading lenient;
    (void)notation_format_san(position, m, san);
    (void)notation_format_uci(position, m, uci);
    FUZZ_CHECK(text_is(line, san) || text_is(line, uci));
    read_any(position, line, NOTATION_LENIENT, &lenient);
    FUZZ_CHECK(lenient.status == READING_OK && lenient.move == m);
}

static void check_reading(const struct position *position, struct text_span line, enum notation_style style,
                          const struct reading *reading)
{
    switch (reading->status) {
    case READING_OK:
        FUZZ_CHECK(movegen_is_legal(position, reading->move));
        if (style == NOTATION_STRICT)
            check_strict(position, line, reading->move);
        break;
    case READING_SYNTAX:
        FUZZ_CHECK(reading->offset <= line.length);
        break;
    case READING_ILLEGAL:
        FUZZ_CHECK(reading->refusal.reason > REFUSAL_NONE && reading->refusal.reason < REFUSAL_COUNT);
        FUZZ_CHECK(*refusal_name(reading->refusal.reason) && *refusal_text(reading->refusal.reason));
        break;
    case READING_AMBIGUOUS:
        check_ambiguous(position, &reading->candidates);
        break;
    }
}

/* The first letter of the line chooses how it is read. False where nothing can be read. */
static bool read_line(const struct position *position, struct text_span line, move *m)
{
    static const enum piece_type promotions[] = {PIECE_NONE, PIECE_QUEEN, PIECE_ROOK, PIECE_KNIGHT};
    struct reading reading;
    if (line.length == 0)
        return false;
    unsigned choice = (unsigned char)line.text[0];
    enum notation_form form = (enum notation_form)(choice % 3);
    enum notation_style style = (enum notation_style)(choice / 3 % 2);
    enum piece_type promotion = promotions[choice / 6 % 4];
    line.text++;
    line.length--;
    notation_read(position, line.text, line.length, form, style, promotion, &reading);
    check_reading(position, line, style, &reading);
    *m = reading.move;
    return reading.status == READING_OK;
}

/* Some of its moves, chosen by its key: all of them would take most of the time. */
static void check_position(const struct position *position)
{
    struct movelist legal;
    fuzz_check_position(position);
    movegen_legal(position, &legal);
    for (unsigned i = 0; i < legal.count && i < WRITTEN_MAX; i++)
        check_written(position, legal.moves[(position->key + i) % legal.count]);
}

void fuzz_san(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct position position = fuzz_read_position(fuzz_take_line(&input));
    check_position(&position);
    for (unsigned n = 0; input.length > 0 && n < MOVES_MAX; n++) {
        move m;
        if (!read_line(&position, fuzz_take_line(&input), &m))
            continue;
        struct position before = position;
        position_play(&before, m, &position);
        check_position(&position);
    }
}
