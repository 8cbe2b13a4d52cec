/* view_position: the Position shape (API 3), for stored games and loose positions alike.
 *
 * Layer: api. */
#pragma once

#include "api/json.h"
#include "rules/fen.h"

struct position_view {
    const struct position *position;
    unsigned ply;        /* half-moves played to reach it */
    unsigned repetition; /* how often it has occurred, this time counted */
    enum fen_en_passant en_passant;
};

/* Appends the members of Position to the open object. */
void view_position(struct writer *json, const struct position_view *view);

/* Single values; the key may be NULL. */
void view_fen(struct writer *json, const char *key, const struct position *position,
              enum fen_en_passant en_passant);
void view_square(struct writer *json, const char *key, square s); /* null for SQUARE_NONE */
void view_squares(struct writer *json, const char *key, bitboard squares);
/* "ongoing", "checkmate", "stalemate" or "dead_position". Static. */
const char *view_position_status(const struct position *position, unsigned legal_moves);
