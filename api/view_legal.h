/* view_legal: the answer of legal-moves, for stored games and loose positions alike (API 3, 4.2).
 *
 * Layer: api. The names of all moves are made at once (notation_format_list). */
#pragma once

#include "api/json.h"
#include "rules/notation.h"

struct exchange;

/* What legal-moves shows. */
struct legal_filter {
    square from, to; /* SQUARE_NONE: any. `to` is the king's target or the rook's square when castling */
    enum piece_type piece; /* PIECE_NONE: any */
    bool none;             /* the game is over: no move fits */
};

/* What the query parameters from, to and piece ask for. */
struct legal_filter legal_filter_of(const struct exchange *exchange);

/* The whole answer into exchange->out: one SAN a word as text, else {fen, turn, count, moves[]}, or where
 * the query has group=dests, {fen, turn, count, dests: {"e2": ["e3", "e4"]}}, in which promotions count
 * once. */
void view_legal(struct exchange *exchange, const struct position *position,
                const struct legal_filter *filter);

/* {san, uci}: how moves are named in candidates and alternatives. */
void view_legal_name(struct writer *json, const struct position *position, move m);
