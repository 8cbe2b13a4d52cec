#include "tests/rules/board_print.h"

#include <stdarg.h>
#include <stdio.h>

#include "rules/fen.h"

void board_print(const struct position *position)
{
    for (unsigned rank = 8; rank-- > 0;) {
        (void)fprintf(stderr, "    %u ", rank + 1);
        for (unsigned file = 0; file < 8; file++) {
            square s = square_at(file, rank);
            enum piece_type type = position_piece_at(position, s);
            int man = type == PIECE_NONE ? '.' : fen_piece_letter(position_color_at(position, s), type);
            (void)fprintf(stderr, " %c", man);
        }
        (void)fputc('\n', stderr);
    }
    (void)fputs("       a b c d e f g h\n", stderr);
    char fen[FEN_SIZE];
    fen_format(position, FEN_EN_PASSANT_ALWAYS, fen);
    (void)fprintf(stderr, "    fen       %s%s\n", fen, position->chess960 ? " (Chess960)" : "");
}

void board_print_failure(const struct position *position, const char *expected, const char *actual,
                         const char *label, ...)
{
    va_list arguments;
    va_start(arguments, label);
    (void)fputs("FAILED ", stderr);
    (void)vfprintf(stderr, label, arguments);
    (void)fputc('\n', stderr);
    va_end(arguments);
    if (position)
        board_print(position);
    (void)fprintf(stderr, "    expected  %s\n    actual    %s\n", expected, actual);
}
