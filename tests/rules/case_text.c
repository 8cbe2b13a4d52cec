#include "tests/rules/case_text.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "tests/rules/board_print.h"

struct position case_position(const char *fen)
{
    struct position position;
    struct setup_report report;
    bool chess960 = strncmp(fen, "960 ", 4) == 0;
    const char *text = chess960 ? fen + 4 : fen;
    if (!fen_parse(text, strlen(text), chess960, &position, &report))
        fail_msg("no playable position: %s", fen);
    return position;
}

void case_squares(bitboard squares, char text[CASE_SQUARES_SIZE])
{
    size_t length = 0;
    while (squares) {
        if (length > 0)
            text[length++] = ' ';
        fen_format_square(bitboard_pop(&squares), text + length);
        length += 2;
    }
    text[length] = '\0';
}

bool case_is(const struct position *position, const char *expected, const char *actual, const char *label)
{
    if (strcmp(expected, actual) == 0)
        return true;
    board_print_failure(position, expected, actual, "%s", label);
    return false;
}
