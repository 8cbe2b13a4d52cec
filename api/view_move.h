/* view_move: the Move shape (API 3), and what it shares with the entries of legal-moves.
 *
 * Layer: api. */
#pragma once

#include "api/reading_problem.h"
#include "api/view_legal.h"
#include "api/writer.h"
#include "games/game.h"
#include "rules/fen.h"
#include "rules/notation.h"

struct move_view {
    const struct position *before, *after;
    move move;
    unsigned ply;               /* of the move: 1 is the first */
    unsigned repetition;        /* occurrences of `after` */
    int64_t played_at_ms;       /* 0: null */
    int64_t clock_ms, spent_ms; /* MOVE_TIME_NONE: null */
    const char *comment;        /* NULL: null */
    enum fen_en_passant en_passant;
};

/* A whole Move object; `key` may be NULL. */
void view_move(struct writer *json, const char *key, const struct move_view *view);

/* Members of the open object that say what a move does: from, to, piece, captured, captured_square,
 * promotion, castling, rook, en_passant. */
void view_move_facts(struct writer *json, const struct move_facts *facts);
