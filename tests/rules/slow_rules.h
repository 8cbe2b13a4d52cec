/* slow_rules: the rules of chess a second time, plain and slow, to compare the service's rules with.
 *
 * Tests only. A mailbox of letters, moves found by asking every piece about every square, legality by playing
 * the move and looking at the king. Shares no code, table or type with rules/. Source: FIDE Laws of Chess
 * (2023) articles 3, 5 and 9.2.3, Guidelines II; PGN standard 8.2.3 and 16.1. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

struct slow_square {
    int file, rank; /* 0-7; -1 for no square */
};

struct slow_board {
    char men[8][8];            /* [rank][file]; letters as in FEN, '.' where empty */
    char turn;                 /* 'w' or 'b' */
    bool rights[2][8];         /* [0 white, 1 black][file]: the rook there may still castle */
    struct slow_square passed; /* what a pawn's double step has just passed over */
    int halfmove_clock, fullmove_number;
    bool chess960;
};

struct slow_move {
    struct slow_square from, to; /* castling: to the own rook */
    char promotion;              /* 'q' 'r' 'b' 'n', or 0 */
    bool castling;
};

enum { SLOW_MOVES_MAX = 512, SLOW_UCI_SIZE = 6, SLOW_SAN_SIZE = 12, SLOW_FEN_SIZE = 128 };

struct slow_moves {
    unsigned count;
    struct slow_move moves[SLOW_MOVES_MAX];
};

void slow_legal_moves(const struct slow_board *board, struct slow_moves *moves);
struct slow_board slow_play(const struct slow_board *before, struct slow_move m);
/* The side to move is in check. */
bool slow_is_check(const struct slow_board *board);
/* A man of `by` ('w' or 'b') attacks the square; pins do not matter. */
bool slow_is_attacked(const struct slow_board *board, struct slow_square target, char by);
bool slow_is_checkmate(const struct slow_board *board);
bool slow_is_stalemate(const struct slow_board *board);
bool slow_is_en_passant(const struct slow_board *board, struct slow_move m);
bool slow_is_capture(const struct slow_board *board, struct slow_move m);
/* A pawn may be captured in passing, and the king stays safe. */
bool slow_can_capture_en_passant(const struct slow_board *board);
/* Law 9.2.3. */
bool slow_is_same(const struct slow_board *a, const struct slow_board *b);
uint64_t slow_perft(const struct slow_board *board, unsigned depth);

/* Reads a well-formed FEN (also X-FEN and Shredder-FEN); false if it has not the shape of one. */
bool slow_parse_fen(const char *fen, bool chess960, struct slow_board *board);
/* En passant only where a capture is legal. */
void slow_format_fen(const struct slow_board *board, char text[SLOW_FEN_SIZE]);
void slow_format_uci(const struct slow_board *board, struct slow_move m, char text[SLOW_UCI_SIZE]);
/* `legal` are the legal moves of the board. */
void slow_format_san(const struct slow_board *board, const struct slow_moves *legal, struct slow_move m,
                     char text[SLOW_SAN_SIZE]);
