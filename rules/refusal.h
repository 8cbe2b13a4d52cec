/* refusal: why a move is not legal, in the terms of the Laws.
 *
 * Layer: rules. Says the first reason that a player would be told, with the squares that prove it.
 * Source: FIDE 3.1-3.9; the reasons are those of API.md section 5. */
#pragma once

#include "rules/position.h"

enum refusal_reason {
    REFUSAL_NONE = 0, /* the move is legal */
    REFUSAL_NO_PIECE,
    REFUSAL_OPPONENT_PIECE,
    REFUSAL_SAME_SQUARE,
    REFUSAL_OWN_PIECE_ON_TARGET,
    REFUSAL_PIECE_CANNOT_REACH,
    REFUSAL_PATH_BLOCKED,
    REFUSAL_PAWN_BLOCKED,
    REFUSAL_PAWN_NEEDS_CAPTURE,
    REFUSAL_EN_PASSANT_NOT_AVAILABLE,
    REFUSAL_EN_PASSANT_EXPOSES_KING,
    REFUSAL_LEAVES_KING_IN_CHECK,
    REFUSAL_PINNED,
    REFUSAL_DOES_NOT_ANSWER_CHECK,
    REFUSAL_KING_INTO_CHECK,
    REFUSAL_CASTLING_RIGHT_LOST,
    REFUSAL_CASTLING_OUT_OF_CHECK,
    REFUSAL_CASTLING_THROUGH_CHECK,
    REFUSAL_CASTLING_INTO_CHECK,
    REFUSAL_CASTLING_BLOCKED,
    REFUSAL_PROMOTION_MISSING,
    REFUSAL_PROMOTION_NOT_ALLOWED,
    REFUSAL_NULL_MOVE,
    REFUSAL_COUNT
};

/* "path_blocked". Static. */
const char *refusal_name(enum refusal_reason reason);
/* One sentence with the article. Static. */
const char *refusal_text(enum refusal_reason reason);

enum { ATTEMPT_NOT_SAID = 8 };

/* A move as somebody meant it, which need not be possible. */
struct attempt {
    enum piece_type piece; /* PIECE_NONE: whatever stands on `from` */
    /* SQUARE_NONE where the text did not say (SAN names the piece, not its square); `to` of a castling: the rook, where
     * it was named by its square */
    square from, to;
    uint8_t from_file, from_rank; /* what SAN said of an unknown `from`, else ATTEMPT_NOT_SAID */
    enum piece_type promotion; /* PIECE_NONE: none was named; PIECE_PAWN or PIECE_KING are what may not be */
    bool castling;             /* written as O-O or O-O-O, or as the king's castling step */
    enum castling_side side;   /* if castling */
    bool null_move;
};

struct refusal {
    enum refusal_reason reason;
    struct attempt move; /* with what could be filled in */
    bitboard squares;    /* that prove it: the blockers, the attackers, the pinner, the checkers … */
    bitboard candidates; /* own pieces of that kind, where the text left the piece open */
};

/* Explains an attempt that is not one of the legal moves of the position. Where several pieces could be
 * meant, the one that comes nearest to a legal move is explained. */
struct refusal refusal_explain(const struct position *position, const struct attempt *attempt);
