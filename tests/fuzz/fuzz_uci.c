#include <stdlib.h>
#include <string.h>

#include "rules/notation.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum { MOVES_MAX = 64 };

/* The legal move that is written so; MOVE_NONE: none is. */
static move find(const struct position *position, const char *text)
{
    struct movelist legal;
    char uci[NOTATION_UCI_SIZE];
    movegen_legal(position, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        notation_format_uci(position, legal.moves[i], uci);
        if (strcmp(uci, text) == 0)
            return legal.moves[i];
    }
    return MOVE_NONE;
}

/* Squares, and a piece perhaps: what a lenient reader takes names the squares of the move that it finds. */
static void check_squares(const struct position *position, const char *text, move m)
{
    square from = notation_parse_square(text, 2);
    FUZZ_CHECK(movegen_is_legal(position, m));
    if (strlen(text) == 4 || strlen(text) == 5)
        FUZZ_CHECK(from == SQUARE_NONE || from == move_from(m));
}

static move check_text(const struct position *position, const char *text)
{
    struct reading strict, lenient;
    move m = find(position, text);
    size_t length = strlen(text);
    FUZZ_CHECK(notation_find_uci(position, text) == m);
    notation_read(position, text, length, NOTATION_UCI, NOTATION_STRICT, PIECE_NONE, &strict);
    notation_read(position, text, length, NOTATION_UCI, NOTATION_LENIENT, PIECE_NONE, &lenient);
    FUZZ_CHECK((strict.status == READING_OK) == (m != MOVE_NONE));
    FUZZ_CHECK(strict.status != READING_OK || (strict.move == m && lenient.status == READING_OK));
    FUZZ_CHECK(m == MOVE_NONE || lenient.move == m);
    if (lenient.status == READING_OK)
        check_squares(position, text, lenient.move);
    return lenient.status == READING_OK ? lenient.move : MOVE_NONE;
}

void fuzz_uci(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    struct position position = fuzz_read_position(fuzz_take_line(&input));
    for (unsigned n = 0; input.length > 0 && n < MOVES_MAX; n++) {
        char *text = fuzz_copy(fuzz_take_line(&input));
        move m = check_text(&position, text);
        struct position before = position;
        if (m != MOVE_NONE)
            position_play(&before, m, &position);
        free(text);
    }
}
