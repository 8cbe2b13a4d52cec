#include "tests/rules/winnable_oracle.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"
#include "rules/movegen.h"
#include "rules/notation.h"
#include "tests/rules/board_print.h"
#include "tests/rules/slow_rules.h"

/* ---- yes ----------------------------------------------------------------------------------------------- */

static bool slow_find(const struct slow_board *board, const char *uci, struct slow_move *m)
{
    static struct slow_moves legal;
    slow_legal_moves(board, &legal);
    for (unsigned i = 0; i < legal.count; i++) {
        char text[SLOW_UCI_SIZE];
        slow_format_uci(board, legal.moves[i], text);
        if (strcmp(text, uci) == 0) {
            *m = legal.moves[i];
            return true;
        }
    }
    return false;
}

bool oracle_line_mates(const struct position *position, enum color winner,
                       const struct winnable_result *result)
{
    struct position now = *position;
    struct slow_board board;
    char fen[FEN_SIZE];
    fen_format(position, FEN_EN_PASSANT_LEGAL, fen);
    if (!slow_parse_fen(fen, position->chess960, &board))
        return false;
    for (unsigned i = 0; i < result->length; i++) {
        char uci[NOTATION_UCI_SIZE];
        struct slow_move m;
        struct position after;
        (void)notation_format_uci(&now, result->line[i], uci);
        if (!slow_find(&board, uci, &m))
            return false;
        board = slow_play(&board, m);
        position_play(&now, result->line[i], &after);
        now = after;
    }
    return slow_is_checkmate(&board) && board.turn == (winner == COLOR_WHITE ? 'b' : 'w');
}

/* ---- no ------------------------------------------------------------------------------------------------ */

/* Positions in order of discovery, and a table of their numbers; 0 is an empty slot. */
struct closing {
    struct position *positions;
    uint32_t *table;
    unsigned count, limit, mask;
};

/* Of two equal positions (9.2.3) everything that follows is equal. False: there was no room. */
static bool keep(struct closing *closing, const struct position *position)
{
    unsigned at = (unsigned)(position->key >> 17) & closing->mask;
    for (; closing->table[at]; at = (at + 1) & closing->mask)
        if (position_same(&closing->positions[closing->table[at] - 1], position))
            return true;
    if (closing->count == closing->limit)
        return false;
    closing->positions[closing->count++] = *position;
    closing->table[at] = closing->count;
    return true;
}

static void walk(struct closing *closing, const struct position *root, struct oracle_closure *closure)
{
    closure->whole = keep(closing, root);
    for (unsigned i = 0; i < closing->count; i++) {
        struct movelist list;
        const struct position before = closing->positions[i];
        if (movegen_legal(&before, &list) == 0 && position_is_check(&before))
            closure->mates[color_other(position_turn(&before))] = true;
        for (unsigned m = 0; m < list.count; m++) {
            struct position after;
            position_play(&before, list.moves[m], &after);
            closure->whole &= keep(closing, &after);
        }
    }
    closure->count = closing->count;
}

struct oracle_closure oracle_close(const struct position *root, unsigned limit)
{
    struct oracle_closure closure = {.mates = {false, false}};
    struct closing closing = {.limit = limit, .mask = 1};
    while (closing.mask < 2 * limit)
        closing.mask = 2 * closing.mask + 1;
    closing.positions = malloc(limit * sizeof *closing.positions);
    closing.table = calloc(closing.mask + 1U, sizeof *closing.table);
    bool ready = closing.positions && closing.table;
    if (ready)
        walk(&closing, root, &closure);
    free(closing.positions);
    free(closing.table);
    assert_true(ready);
    return closure;
}

bool oracle_agrees(const struct position *position, enum color winner, const struct winnable_result *result,
                   const struct oracle_closure *closure)
{
    const char *fault = NULL;
    if (result->verdict == WINNABLE_YES && !oracle_line_mates(position, winner, result))
        fault = "a line that does not mate";
    if (result->verdict == WINNABLE_YES && closure->whole && !closure->mates[winner])
        fault = "a mate that no position has";
    if (result->verdict == WINNABLE_NO && closure->mates[winner])
        fault = "a mate by some legal moves";
    if (fault)
        board_print_failure(position, winnable_verdict_name(result->verdict), fault, "%s",
                            fen_color_name(winner));
    return !fault;
}
