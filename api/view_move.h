/* view_move: the Move shape (API 3), and what it shares with the entries of legal-moves.
 *
 * Layer: api. */
#pragma once

#include "api/reading_problem.h"
#include "api/view_legal.h"
#include "api/json.h"
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

/* Room for what is written without a look at it: the longest that each part can be. */
enum {
    MOVE_NAMES_BYTES = sizeof "{\"san\":\"\",\"uci\":\"\"}," + NOTATION_SAN_SIZE + NOTATION_UCI_SIZE,
    MOVE_FACTS_BYTES =
        sizeof ",\"from\":\"e1\",\"to\":\"c1\",\"piece\":\"knight\",\"captured\":\"knight\","
               "\"captured_square\":\"c1\",\"promotion\":\"knight\",\"castling\":\"queenside\","
               "\"rook\":{\"from\":\"a1\",\"to\":\"d1\"},\"en_passant\":false,"
               "\"gives_check\":false,\"gives_mate\":false,\"zeroing\":false",
};

/* Into room that is there, each member behind a comma: what a move does (from, to, piece, captured, captured_square,
 * promotion, castling, rook, en_passant), and gives_check, gives_mate. */
char *put_move_facts(char *at, const struct move_facts *facts);
char *put_check(char *at, bool check, bool mate);
