/* position: a playable position as a value.
 *
 * Layer: rules. A struct position is copied freely and owns nothing. Every value that these functions or
 * rules/setup.h hand out is playable: one king a side, no pawn on a back rank, the side not to move not in
 * check, castling rights and en passant square that fit the board.
 * Source: FIDE Laws 3, 9.2.3; Guidelines II (Chess960). */
#pragma once

#include "rules/board.h"

struct position {
    bitboard by_color[COLOR_COUNT];
    bitboard by_type[PIECE_COUNT]; /* [PIECE_NONE] is the union of all the others: the occupied squares */
    uint64_t key;                  /* Law 9.2.3, kept up by every move; see rules/key.h */
    bitboard castling_rooks;       /* the rooks that still carry a castling right (3.8.2.1) */
    uint8_t turn;                  /* enum color */
    uint8_t en_passant;            /* target of a legal en passant capture (3.7.3), else SQUARE_NONE */
    uint8_t double_step;           /* square a pawn just passed over, capturable or not, else SQUARE_NONE */
    bool chess960;                 /* castling is written and read as Chess960 does */
    uint16_t halfmove_clock;       /* half-moves since a pawn move or capture (9.3) */
    uint16_t fullmove_number;      /* from 1, as in FEN */
};

/* The usual first position (2.3). */
struct position position_initial(void);

/* The position after a legal move; `m` must come from the legal moves of `before`.
 * *after may not alias it. */
void position_play(const struct position *before, move m, struct position *after);

/* What a position does not show of the one before it: with the move, enough to go back. */
struct position_past {
    bitboard castling_lost; /* the rooks that lost their right */
    uint16_t halfmove_clock;
    uint8_t captured; /* enum piece_type */
    uint8_t en_passant, double_step;
};
/* `m` was played in `before` and led to `after`. */
struct position_past position_past(const struct position *before, move m, const struct position *after);
/* The position before a move, its key too. *before may not alias `after`. */
void position_unplay(const struct position *after, move m, const struct position_past *past,
                     struct position *before);

/* Enemy pieces that attack the king of the side to move (3.9.1). */
bitboard position_checkers(const struct position *position);
bool position_is_check(const struct position *position);

/* Pieces of `by` that attack `s` with `occupied` in the way; pins do not matter (3.1.2). */
bitboard position_attackers(const struct position *position, square s, enum color by, bitboard occupied);

/* Placement, turn, castling rights and legal en passant are the same: Law 9.2.3 in full, without keys. */
bool position_same(const struct position *a, const struct position *b);

static inline enum color position_turn(const struct position *position)
{
    return (enum color)position->turn;
}

static inline bitboard position_occupied(const struct position *position)
{
    return position->by_type[PIECE_NONE];
}

static inline bitboard position_pieces(const struct position *position, enum color color,
                                       enum piece_type type)
{
    return position->by_color[color] & position->by_type[type];
}

static inline square position_king(const struct position *position, enum color color)
{
    return bitboard_first(position_pieces(position, color, PIECE_KING));
}

/* PIECE_NONE on an empty square. */
enum piece_type position_piece_at(const struct position *position, square s);
/* Whose piece stands on an occupied square. */
enum color position_color_at(const struct position *position, square s);

/* The rook that `color` may still castle with on that side, or SQUARE_NONE. */
square position_castling_rook(const struct position *position, enum color color, enum castling_side side);

/* What a move does beyond its squares, for those who describe it. */
struct move_facts {
    enum piece_type piece, captured, promotion; /* PIECE_NONE where there is none */
    square from, to;                            /* castling: where the king starts and arrives */
    square captured_square;                     /* differs from `to` en passant; SQUARE_NONE if no capture */
    bool castling, en_passant;
    enum castling_side side;   /* if castling */
    square rook_from, rook_to; /* if castling */
    bool zeroing;              /* resets the count of 9.3: a pawn move or a capture */
};
struct move_facts position_move_facts(const struct position *before, move m);
