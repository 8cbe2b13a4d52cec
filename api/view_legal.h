/* view_legal: the answer of legal-moves, for stored games and loose positions alike (API 3, 4.2).
 *
 * Layer: api. Each move is played once; its SAN, check and mate come from that. */
#pragma once

#include "api/writer.h"
#include "rules/fen.h"
#include "rules/notation.h"

/* What legal-moves shows. */
struct legal_filter {
    square from, to; /* SQUARE_NONE: any. `to` is the king's target or the rook's square when castling */
    enum piece_type piece; /* PIECE_NONE: any */
    bool none;             /* the game is over: no move fits */
};

/* The members of the legal-moves answer {fen, turn, count, moves[]} in the open object. */
void view_legal_moves(struct writer *json, const struct position *position, const struct legal_filter *filter,
                      enum fen_en_passant en_passant);
/* The same with dests {"e2": ["e3", "e4"]} in place of moves; promotions count once. */
void view_legal_dests(struct writer *json, const struct position *position, const struct legal_filter *filter,
                      enum fen_en_passant en_passant);
/* One SAN a word, one line with its newline. */
void view_legal_text(struct writer *text, const struct position *position, const struct legal_filter *filter);

/* {san, uci}: how moves are named in candidates and alternatives. `legal`: of the position. */
void view_legal_name(struct writer *json, const struct position *position, const struct movelist *legal,
                     move m);
