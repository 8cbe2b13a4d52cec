/* statement: a sentence of a rule book as a test: a position, what is played, what then holds.
 *
 * Tests only. Every statement is asked twice: as it is written, and with the colours changed. */
#pragma once

#include <stdbool.h>

struct statement {
    const char *text;
    bool (*check)(const struct statement *statement);
    const char *fen;
    const char *moves; /* see the checks */
    const char *expected;
    const char *refused;
};

/* The piece on the square `moves` can go to exactly the squares `expected`. */
bool statement_targets(const struct statement *statement);
/* After `moves` (UCI), each of `expected` is legal and none of `refused` is. */
bool statement_legal(const struct statement *statement);
/* After `moves` (UCI), the men stand as `expected` says (first field of a FEN). */
bool statement_board(const struct statement *statement);
/* After `moves` (UCI), what holds is `expected`: words of "check", "double check", "checkmate", "stalemate",
 * "dead position", "fivefold", "seventy-five", "may claim threefold", "may claim fifty", in this order, or
 * "". */
bool statement_state(const struct statement *statement);
/* The move `moves` (UCI) is written `expected` (SAN). */
bool statement_written(const struct statement *statement);
/* The text `moves` is read as `expected` (UCI). */
bool statement_read(const struct statement *statement);

/* A cmocka test; its state is the struct statement. */
void statement_holds(void **state);
