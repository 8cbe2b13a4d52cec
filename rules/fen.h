/* fen: positions as text, in and out.
 *
 * Layer: rules. No allocation: texts go into the caller's arrays.
 * In: FEN, X-FEN and Shredder-FEN. Fields are parted by blanks, "+", "%20" or "_" in any number; fields
 * missing at the end take their defaults (w - - 0 1). Clocks up to FEN_CLOCK_MAX. Out: castling as KQkq, in
 * X-FEN's way: the file letter where another rook stands further out on that side. Source: PGN standard 16.1;
 * X-FEN (R. Scharnagl); Shredder-FEN. */
#pragma once

#include <stddef.h>

#include "rules/setup.h"

enum {
    FEN_SIZE = 112,        /* the longest FEN written, with its NUL */
    FEN_TEXT_MAX = 512,    /* longer texts are refused unread */
    FEN_CLOCK_MAX = 9999,  /* halfmove clock */
    FEN_NUMBER_MAX = 9999, /* fullmove number */
};

/* Reads text of `length` bytes. File letters for castling can make it Chess960 unasked (setup.h). True:
 * *position is playable; `report` may hold faults of the unreachable kind. False: `report` has every fault,
 * syntax and board alike, *position is untouched. */
bool fen_parse(const char *text, size_t length, bool chess960, struct position *position,
               struct setup_report *report);

enum fen_en_passant { FEN_EN_PASSANT_LEGAL, FEN_EN_PASSANT_ALWAYS };

/* Writes a FEN; returns its length. ALWAYS writes the square behind every double step, as the PGN standard
 * does. */
size_t fen_format(const struct position *position, enum fen_en_passant en_passant, char text[FEN_SIZE]);

/* The castling field alone ("KQkq", "-", "HAha" where X-FEN needs it). */
enum { FEN_CASTLING_SIZE = 5 };
void fen_format_castling(const struct position *position, char text[FEN_CASTLING_SIZE]);

/* "e4" into three bytes. */
void fen_format_square(square s, char text[3]);
/* "white" or "black"; "pawn" … "king". Static. */
const char *fen_color_name(enum color color);
const char *fen_piece_name(enum piece_type type);
/* 'P' for a white pawn, 'p' for a black one. */
char fen_piece_letter(enum color color, enum piece_type type);
