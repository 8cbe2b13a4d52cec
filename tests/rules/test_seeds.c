/* The statements of the four rule documents that Arbiter started from: a reference for an engine, the rules
 * page of an app, a summary, a table of the six pieces. Every statement that can be checked is a test of that
 * name, here where it is about one position, in test_seeds_board.c where it is about the board as a whole or
 * about counting. What the documents say of clocks, resignation and agreement is listed at the end of this
 * file. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "tests/rules/statement.h"

#define FIRST    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
#define SCHOLARS "r1bqkb1r/pppp1ppp/2n2n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4"
#define CASTLING "4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1"

static struct statement pieces[] = {
    /* King */
    {"The king moves exactly one square in any direction", statement_targets, "8/8/8/8/4K3/8/8/k7 w - - 0 1",
     "e4", "d3 d4 d5 e3 e5 f3 f4 f5", NULL},
    {"The king may never move into a square attacked by an enemy piece", statement_targets,
     "3r3k/8/8/8/4K3/8/8/8 w - - 0 1", "e4", "e3 e5 f3 f4 f5", NULL},
    {"Kings cannot occupy adjacent squares", statement_targets, "8/8/8/8/4K3/8/4k3/8 w - - 0 1", "e4",
     "d4 d5 e5 f4 f5", NULL},
    {"The king captures a piece that is not protected", statement_targets, "7k/8/8/8/4Kn2/8/8/8 w - - 0 1",
     "e4", "d4 e3 e5 f3 f4 f5", NULL},
    {"The king cannot capture a protected piece", statement_targets, "7k/8/8/6p1/4Kn2/8/8/8 w - - 0 1", "e4",
     "d4 e3 e5 f3 f5", NULL},
    /* Queen */
    {"The queen moves any number of squares in any straight or diagonal line", statement_targets,
     "8/8/8/8/3Q4/8/8/K6k w - - 0 1", "d4",
     "a4 b4 c4 e4 f4 g4 h4 d1 d2 d3 d5 d6 d7 d8 b2 c3 e5 f6 g7 h8 a7 b6 c5 e3 f2 g1", NULL},
    {"The queen cannot jump over other pieces", statement_targets, "8/7k/3P1p2/8/1p1Q1P2/8/1P6/7K w - - 0 1",
     "d4", "d5 d3 d2 d1 e4 c4 b4 e5 f6 c5 b6 a7 c3 e3 f2 g1", NULL},
    /* Rook */
    {"The rook moves any number of squares horizontally or vertically", statement_targets,
     "7k/8/8/8/3R4/8/8/K7 w - - 0 1", "d4", "d1 d2 d3 d5 d6 d7 d8 a4 b4 c4 e4 f4 g4 h4", NULL},
    {"The rook cannot jump over other pieces", statement_targets, "7k/8/3P4/8/1p1R1P2/8/8/K7 w - - 0 1", "d4",
     "d5 d3 d2 d1 c4 b4 e4", NULL},
    {"A slider captures the first enemy piece encountered but cannot pass through it", statement_targets,
     "7k/8/8/8/1n1R1n1n/8/8/K7 w - - 0 1", "d4", "d1 d2 d3 d5 d6 d7 d8 c4 b4 e4 f4", NULL},
    /* Bishop */
    {"The bishop moves any number of squares diagonally", statement_targets, "7k/8/8/8/2B5/8/8/K7 w - - 0 1",
     "c4", "a6 b5 d5 e6 f7 g8 b3 a2 d3 e2 f1", NULL},
    {"The bishop cannot jump over other pieces", statement_targets, "7k/5p2/8/1P6/2B5/8/4P3/K7 w - - 0 1",
     "c4", "d5 e6 f7 b3 a2 d3", NULL},
    /* Knight */
    {"The knight moves two squares in one direction and one to the side", statement_targets,
     "7k/8/8/8/4N3/8/8/K7 w - - 0 1", "e4", "c3 c5 d2 d6 f2 f6 g3 g5", NULL},
    {"The knight jumps over intermediate pieces", statement_targets,
     "7k/8/8/3PpP2/3pNp2/3PpP2/8/K7 w - - 0 1", "e4", "c3 c5 d2 d6 f2 f6 g3 g5", NULL},
    {"The knight's destination square cannot contain a friendly piece", statement_targets,
     "7k/8/3P1P2/2P3P1/4N3/2p3p1/3p1p2/K7 w - - 0 1", "e4", "c3 d2 f2 g3", NULL},
    /* Pawn */
    {"The pawn advances one square straight forward", statement_targets, "7k/8/8/8/8/4P3/8/K7 w - - 0 1",
     "e3", "e4", NULL},
    {"The pawn advances only if the target square is unoccupied", statement_targets,
     "7k/8/8/8/4P3/4P3/8/K7 w - - 0 1", "e3", "", NULL},
    {"From its starting rank a pawn may optionally advance two squares", statement_targets,
     "7k/8/8/8/8/8/4P3/K7 w - - 0 1", "e2", "e3 e4", NULL},
    {"A pawn advances two squares only if the intermediate square is vacant", statement_targets,
     "7k/8/8/8/8/4n3/4P3/K7 w - - 0 1", "e2", "", NULL},
    {"A pawn advances two squares only if the destination square is vacant", statement_targets,
     "7k/8/8/8/4n3/8/4P3/K7 w - - 0 1", "e2", "e3", NULL},
    {"The two-square advance is strictly for a pawn's first move", statement_legal, FIRST, "e2e3 e7e6",
     "e3e4", "e3e5"},
    {"The pawn captures one square diagonally forward, left or right", statement_targets,
     "7k/8/8/8/3n1n2/4P3/8/K7 w - - 0 1", "e3", "d4 e4 f4", NULL},
    {"A pawn cannot capture directly forward", statement_targets, "7k/8/8/8/4n3/4P3/8/K7 w - - 0 1", "e3", "",
     NULL},
    {"A pawn never moves backward", statement_targets, "7k/8/8/4P3/8/3n1n2/8/K7 w - - 0 1", "e5", "e6", NULL},
    {"White pawns advance toward rank 8 and Black pawns toward rank 1", statement_legal,
     "7k/8/8/8/8/4P3/8/K7 w - - 0 1", "", "e3e4", "e3e2 e3d3 e3f3 e3d4 e3f4"},
    /* All */
    {"A piece cannot land on a square occupied by a piece of the same color", statement_legal, FIRST, "", "",
     "a1a2 a1b1 b1d2 c1b2 c1d2 d1e1 d1d2 e1e2 e1f1"},
    {"A piece capturing an enemy piece replaces it on its square", statement_board,
     "7k/8/8/8/1n1R4/8/8/K7 w - - 0 1", "d4b4", "7k/8/8/8/1R6/8/8/K7", NULL},
    {"White moves first", statement_legal, FIRST, "", "e2e4 g1f3", "e7e5 g8f6"},
    {"Players alternate one move at a time", statement_legal, FIRST, "e2e4", "e7e5 e7e6", "d2d4 e4e5"},
    {"A move that leaves your own king in check is illegal", statement_legal,
     "4r2k/8/8/8/8/4B3/8/4K3 w - - 0 1", "", "e1d1 e1f1", "e3d4 e3f4 e3d2 e3c1"},
    {"A pinned rook may move along the line of the pin", statement_targets,
     "4r2k/8/8/8/8/4R3/8/4K3 w - - 0 1", "e3", "e2 e4 e5 e6 e7 e8", NULL},
};

static struct statement castling[] = {
    {"Kingside castling: king e1 to g1 and the h-rook to f1", statement_board, CASTLING, "e1g1",
     "4k3/8/8/8/8/8/8/R4RK1", NULL},
    {"Queenside castling: king e1 to c1 and the a-rook to d1", statement_board, CASTLING, "e1c1",
     "4k3/8/8/8/8/8/8/2KR3R", NULL},
    {"Nothing hinders the king: both castling moves are allowed", statement_legal, CASTLING, "", "e1g1 e1c1",
     ""},
    {"No castling once the king has moved", statement_legal, CASTLING, "e1e2 e8e7 e2e1 e7e8", "",
     "e1g1 e1c1"},
    {"No kingside castling once the h-rook has moved", statement_legal, CASTLING, "h1h2 e8e7 h2h1 e7e8",
     "e1c1", "e1g1"},
    {"No queenside castling once the a-rook has moved", statement_legal, CASTLING, "a1a2 e8e7 a2a1 e7e8",
     "e1g1", "e1c1"},
    {"No kingside castling with a piece on f1", statement_legal, "4k3/8/8/8/8/8/8/R3KB1R w KQ - 0 1", "",
     "e1c1", "e1g1"},
    {"No kingside castling with a piece on g1", statement_legal, "4k3/8/8/8/8/8/8/R3K1NR w KQ - 0 1", "",
     "e1c1", "e1g1"},
    {"No queenside castling with a piece on b1", statement_legal, "4k3/8/8/8/8/8/8/RN2K2R w KQ - 0 1", "",
     "e1g1", "e1c1"},
    {"No queenside castling with a piece on c1", statement_legal, "4k3/8/8/8/8/8/8/R1B1K2R w KQ - 0 1", "",
     "e1g1", "e1c1"},
    {"No queenside castling with a piece on d1", statement_legal, "4k3/8/8/8/8/8/8/R2QK2R w KQ - 0 1", "",
     "e1g1", "e1c1"},
    {"No castling over an enemy piece", statement_legal, "4k3/8/8/8/8/8/8/Rn2K2R w KQ - 0 1", "", "e1g1",
     "e1c1"},
    {"No castling while the king is in check", statement_legal, "4r1k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "",
     "e1g1 e1c1"},
    {"The square the king passes across kingside is not attacked", statement_legal,
     "5rk1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", "e1g1"},
    {"The square the king passes across queenside is not attacked", statement_legal,
     "3r2k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", "e1c1"},
    {"The square the king lands upon kingside is not attacked", statement_legal,
     "1k4r1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", "e1g1"},
    {"The square the king lands upon queenside is not attacked", statement_legal,
     "2r3k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1", "e1c1"},
    {"The h-rook may be under attack", statement_legal, "1k5r/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1 e1c1",
     ""},
    {"The a-rook may be under attack", statement_legal, "r5k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1 e1c1",
     ""},
    {"The rook may pass through an attacked square, b1", statement_legal,
     "1r4k1/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1g1 e1c1", ""},
    {"A rook attacks the square the king would have to cross kingside: only O-O-O remains", statement_legal,
     "4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1", "", "e1c1", "e1g1"},
};

static struct statement en_passant[] = {
    {"A pawn may capture a pawn beside it that has just advanced two squares", statement_legal,
     "4k3/3p1p2/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5d6", "e5f6"},
    {"The captured pawn leaves the board, the capturing one lands on the square skipped over",
     statement_board, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e5d6", "4k3/8/3P4/8/8/8/8/4K3", NULL},
    {"En passant not played on that turn is permanently lost", statement_legal,
     "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5 e1e2 e8e7", "e5e6", "e5d6"},
    {"En passant is an option, not a duty", statement_legal, "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5",
     "e5d6 e5e6 e1e2", ""},
    {"A pawn that advanced one square cannot be captured en passant", statement_legal,
     "4k3/8/3p4/4P3/8/8/8/4K3 b - - 0 1", "d6d5", "e5e6", "e5d6"},
    {"En passant only when the capturing pawn is on its fifth rank: not on the fourth", statement_legal,
     "4k3/3p4/8/8/4P3/8/8/4K3 b - - 0 1", "d7d5", "e4d5 e4e5", "e4d6"},
    {"En passant only when the capturing pawn is on its fifth rank: not on the sixth", statement_legal,
     "4k3/3p4/4P3/8/8/8/8/4K3 b - - 0 1", "d7d5", "e6e7", "e6d6 e6d7"},
    {"The pawn must land directly adjacent to be captured en passant", statement_legal,
     "4k3/3p4/8/5P2/8/8/8/4K3 b - - 0 1", "d7d5", "f5f6", "f5d6 f5e6"},
    {"Only a pawn captures en passant", statement_board, "4k3/3p4/8/8/4N3/8/8/4K3 b - - 0 1", "d7d5 e4d6",
     "4k3/8/3N4/3p4/8/8/8/4K3", NULL},
    {"En passant must leave the own king safe along the rank", statement_legal,
     "8/3p4/8/K3P2r/8/8/8/4k3 b - - 0 1", "d7d5", "e5e6", "e5d6"},
    {"En passant must leave the own king safe along the file", statement_legal,
     "4r2k/3p4/8/4P3/8/8/8/4K3 b - - 0 1", "d7d5", "e5e6", "e5d6"},
    {"White can capture exf6; the pawn on the other side, which arrived earlier, can no longer be captured",
     statement_legal, FIRST, "e2e4 d7d5 e4e5 f7f5", "e5f6", "e5d6"},
};

static struct statement promotion[] = {
    {"Promotion is to a queen, rook, bishop or knight, never a king, never a pawn still", statement_legal,
     "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "a7a8q a7a8r a7a8b a7a8n", "a7a8 a7a8k a7a8p"},
    {"A pawn that captures on the last rank is promoted too", statement_legal,
     "1n2k3/P7/8/8/8/8/8/4K3 w - - 0 1", "", "a7b8q a7b8r a7b8b a7b8n", "a7b8"},
    {"No promotion before the last rank", statement_legal, "4k3/8/P7/8/8/8/8/4K3 w - - 0 1", "", "a6a7",
     "a6a7q"},
    {"A queen of the same color replaces the pawn at once", statement_board, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
     "a7a8q", "Q3k3/8/8/8/8/8/8/4K3", NULL},
    {"A rook of the same color replaces the pawn at once", statement_board, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1",
     "a7a8r", "R3k3/8/8/8/8/8/8/4K3", NULL},
    {"A bishop of the same color replaces the pawn at once", statement_board,
     "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8b", "B3k3/8/8/8/8/8/8/4K3", NULL},
    {"A knight of the same color replaces the pawn at once", statement_board,
     "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "a7a8n", "N3k3/8/8/8/8/8/8/4K3", NULL},
    {"A player may promote to a queen while the original queen is on the board", statement_board,
     "7k/P7/8/8/8/8/8/1Q2K3 w - - 0 1", "a7a8q", "Q6k/8/8/8/8/8/8/1Q2K3", NULL},
    {"Promotion takes effect instantly: it mates", statement_state, "6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1",
     "a7a8q", "check checkmate", NULL},
    {"Underpromotion may deliver immediate checkmate", statement_state, "6k1/P4ppp/8/8/8/8/8/4K3 w - - 0 1",
     "a7a8r", "check checkmate", NULL},
    {"Promoting to a queen would leave no legal move: stalemate", statement_state,
     "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8q", "stalemate", NULL},
    {"Underpromotion may prevent unwanted stalemate", statement_state, "8/5P1k/5K2/8/8/8/8/8 w - - 0 1",
     "f7f8r", "", NULL},
    {"Promoting to a knight gives check here", statement_legal, "8/5P1k/5K2/8/8/8/8/8 w - - 0 1", "f7f8n",
     "h7g8 h7h6", "h7g7"},
};

static struct statement check_and_mate[] = {
    {"A king attacked by an enemy piece is in check", statement_state, "4k3/8/8/8/8/8/8/4RK2 b - - 0 1", "",
     "check", NULL},
    {"A piece in between: no check", statement_state, "4k3/8/8/4n3/8/8/8/4RK2 b - - 0 1", "", "", NULL},
    {"Check is resolved by moving the king, capturing the checking piece or interposing; by nothing else",
     statement_legal, "4r2k/8/8/8/Q7/8/3N4/4K3 w - - 0 1", "", "e1d1 e1f1 e1f2 a4e8 a4e4 d2e4",
     "e1e2 d2b3 d2f3 a4a5"},
    {"Blocking is not possible against a knight", statement_legal, "6k1/8/8/8/8/3n4/8/R3K2R w KQ - 0 1", "",
     "e1d1 e1d2 e1e2 e1f1", "e1f2 a1c1 a1a2 h1h2 h1f1 e1g1 e1c1"},
    {"A discovered check unmasks an attack by the piece behind", statement_state,
     "4r2k/8/8/8/8/4n3/8/4K3 b - - 0 1", "e3c4", "check", NULL},
    {"A double check is given by the piece that moves and by the one behind", statement_state,
     "4r2k/8/8/8/8/4n3/8/4K3 b - - 0 1", "e3c2", "double check", NULL},
    {"In double check the king must move", statement_legal, "4r2k/8/8/8/8/Q4n2/8/4K3 w - - 0 1", "",
     "e1d1 e1f1 e1f2", "a3f3 a3e3 a3e7 a3a4"},
    {"Checkmate: in check and no legal move", statement_state, "4R1k1/5ppp/8/8/8/8/8/4K3 b - - 0 1", "",
     "check checkmate", NULL},
    {"No checkmate while the checking piece can be captured", statement_state,
     "4R1k1/5ppp/8/8/8/8/4r3/6K1 b - - 0 1", "", "check", NULL},
    {"Qxf7# by the queen, protected by the bishop, is checkmate", statement_state, FIRST,
     "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", "check checkmate", NULL},
    {"Without the bishop's protection the king takes the queen", statement_state, FIRST,
     "e2e4 e7e5 f1a6 b8a6 d1h5 g8f6 h5f7", "check", NULL},
    {"Stalemate: no legal move and not in check", statement_state, "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "",
     "stalemate", NULL},
    {"No stalemate while another piece can move", statement_state, "7k/5Q2/6K1/8/8/8/p7/8 b - - 0 1", "", "",
     NULL},
};

static struct statement draws[] = {
    {"King versus king is a draw", statement_state, "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "dead position",
     NULL},
    {"King and bishop versus king is a draw", statement_state, "4k3/8/8/8/8/8/8/4KB2 w - - 0 1", "",
     "dead position", NULL},
    {"King and knight versus king is a draw", statement_state, "4k3/8/8/8/8/8/8/4KN2 w - - 0 1", "",
     "dead position", NULL},
    {"King and bishop versus king and bishop on the same square color is a draw", statement_state,
     "4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1", "", "dead position", NULL},
    {"Only bishops besides the kings, all on squares of the same color, is a draw", statement_state,
     "2b1k3/3b4/8/8/8/8/4B3/4KB2 w - - 0 1", "", "dead position", NULL},
    {"Bishops on squares of different colors are no automatic draw", statement_state,
     "2b1k3/8/8/8/8/8/8/2B1K3 w - - 0 1", "", "", NULL},
    {"King and two knights versus king: no automatic draw", statement_state,
     "4k3/8/8/8/8/8/8/1N2K1N1 w - - 0 1", "", "", NULL},
    {"A pawn, a rook or a queen is material enough: pawn", statement_state, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1",
     "", "", NULL},
    {"A pawn, a rook or a queen is material enough: rook", statement_state, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1",
     "", "", NULL},
    {"A pawn, a rook or a queen is material enough: queen", statement_state, "k7/8/8/8/8/8/8/3QK3 w - - 0 1",
     "", "", NULL},
    {"The draw by material comes with the capture that leaves too little", statement_state,
     "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "e1e2", "dead position", NULL},
#define ROUND "g1f3 g8f6 f3g1 f6g8"
    {"After one round of the knights no draw can be claimed", statement_state, FIRST, ROUND, "", NULL},
    {"Before the position stands on the board a third time there is nothing to claim on it", statement_state,
     FIRST, ROUND " g1f3 g8f6 f3g1", "", NULL},
    {"The starting position occurs a third time after 8 half-moves: a draw can be claimed", statement_state,
     FIRST, ROUND " " ROUND, "may claim threefold", NULL},
    {"On a fourth occurrence the draw is still on claim only", statement_state, FIRST,
     ROUND " " ROUND " " ROUND, "may claim threefold", NULL},
    {"The draw is automatic on the fifth occurrence, after 16 half-moves", statement_state, FIRST,
     ROUND " " ROUND " " ROUND " " ROUND, "fivefold", NULL},
    {"The same board with other castling rights is another position", statement_state,
     "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2 a8a7 a2a1 a7a8 a1a2 a8a7 a2a1 a7a8", "", NULL},
    {"Castling rights being the same from then on, the third occurrence counts", statement_state,
     "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "a1a2 a8a7 a2a1 a7a8 a1a2 a8a7 a2a1 a7a8 a1a2 a8a7 a2a1 a7a8",
     "may claim threefold", NULL},
    {"The same board with other en passant rights is another position", statement_state, FIRST,
     "e2e4 g8f6 e4e5 d7d5 f1c4 b8c6 c4f1 c6b8 f1c4 b8c6 c4f1 c6b8", "", NULL},
    {"The same board with the other player to move is another position", statement_state,
     "4k3/8/8/8/8/8/4P3/4K2R w - - 0 1", "h1h2 e8d8 h2h3 d8e8 h3h1 e8d8 h1h2 d8e8", "", NULL},
    {"A draw can be claimed as soon as 50 moves by each side are reached", statement_state,
     "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "a1a2", "may claim fifty", NULL},
    {"One half-move before there is nothing to claim", statement_state, "4k3/8/8/8/8/8/4P3/R3K3 w - - 98 80",
     "a1a2", "", NULL},
    {"A pawn move starts the count anew", statement_state, "4k3/8/8/8/8/8/4P3/R3K3 w - - 99 80", "e2e4", "",
     NULL},
    {"A capture starts the count anew", statement_state, "4k3/8/8/8/8/8/n3P3/R3K3 w - - 99 80", "a1a2", "",
     NULL},
    {"The draw is automatic as soon as 75 moves by each side are reached", statement_state,
     "4k3/8/8/8/8/8/4P3/R3K3 w - - 149 120", "a1a2", "seventy-five", NULL},
    {"One half-move before the draw is still on claim", statement_state,
     "4k3/8/8/8/8/8/4P3/R3K3 w - - 148 120", "a1a2", "may claim fifty", NULL},
    {"Checkmate overrides the 75-move rule", statement_state, "7k/8/5KQ1/8/8/8/8/8 w - - 149 120", "g6g7",
     "check checkmate", NULL},
};

static struct statement notation[] = {
    {"A move is written with the piece's letter and the destination square: Nf3", statement_written, FIRST,
     "g1f3", "Nf3", NULL},
    {"B is the bishop: Bc4", statement_written,
     "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", "f1c4", "Bc4", NULL},
    {"K is the king", statement_written, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "e1d2", "Kd2", NULL},
    {"R is the rook", statement_written, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "a1a7", "Ra7", NULL},
    {"Q is the queen, + a check: Qh5+", statement_written, "4k3/8/8/8/8/8/8/3QK3 w - - 0 1", "d1h5", "Qh5+",
     NULL},
    {"Pawns do not use an initial letter: e4", statement_written, FIRST, "e2e4", "e4", NULL},
    {"x marks a capture: Bxf7", statement_written, "7k/5p2/8/8/2B5/8/8/4K3 w - - 0 1", "c4f7", "Bxf7", NULL},
    {"A pawn's capture names its file: exd5", statement_written, "7k/8/8/3p4/4P3/8/8/4K3 w - - 0 1", "e4d5",
     "exd5", NULL},
    {"# is checkmate: Qxf7#", statement_written, SCHOLARS, "h5f7", "Qxf7#", NULL},
    {"Kingside castling is written O-O", statement_written, CASTLING, "e1g1", "O-O", NULL},
    {"Queenside castling is written O-O-O", statement_written, CASTLING, "e1c1", "O-O-O", NULL},
    {"Zeros are read as kingside castling too: 0-0", statement_read, CASTLING, "0-0", "e1g1", NULL},
    {"Zeros are read as queenside castling too: 0-0-0", statement_read, CASTLING, "0-0-0", "e1c1", NULL},
    {"=Q is the pawn's promotion: e8=Q", statement_written, "8/k3P3/8/8/8/8/8/4K3 w - - 0 1", "e7e8q", "e8=Q",
     NULL},
    {"En passant is written as the capture it is: exf6", statement_written,
     "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3", "e5f6", "exf6", NULL},
    {"e.p. after an en passant capture is read: exd6 e.p.", statement_read,
     "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "exd6 e.p.", "e5d6", NULL},
    {"Two knights can move to the same square, the file tells: Nbd2", statement_written,
     "4k3/8/8/8/8/5N2/8/1N2K3 w - - 0 1", "b1d2", "Nbd2", NULL},
    {"Two rooks of one file can move to the same square, the rank tells: R1e2", statement_written,
     "k7/8/8/4R3/8/8/8/K3R3 w - - 0 1", "e1e2", "R1e2", NULL},
    {"! is commentary, not move syntax", statement_read, FIRST, "e4!", "e2e4", NULL},
    {"? is commentary, not move syntax", statement_read, FIRST, "e4?", "e2e4", NULL},
    {"!! is commentary, not move syntax", statement_read, FIRST, "Nf3!!", "g1f3", NULL},
    {"?? is commentary, not move syntax", statement_read, FIRST, "Nf3??", "g1f3", NULL},
};

static struct {
    struct statement *rows;
    size_t count;
} const parts[] = {
#define PART(rows)                                                                                           \
    {                                                                                                        \
        rows, sizeof(rows) / sizeof *(rows)                                                                  \
    }
    PART(pieces),         PART(castling), PART(en_passant), PART(promotion),
    PART(check_and_mate), PART(draws),    PART(notation),
};

enum { PARTS = sizeof parts / sizeof *parts, TESTS_MAX = 256 };

int main(void)
{
    static struct CMUnitTest tests[TESTS_MAX];
    size_t count = 0;
    for (unsigned p = 0; p < PARTS; p++)
        for (size_t i = 0; i < parts[p].count && count < TESTS_MAX; i++) {
            struct statement *row = &parts[p].rows[i];
            tests[count++] = (struct CMUnitTest){row->text, statement_holds, NULL, NULL, row};
        }
    return _cmocka_run_group_tests("seeds", tests, count, NULL, NULL);
}

/* Statements that are not about positions, and the area that tests them:
 *
 *   statement                                                              area
 *   A flag that falls loses, if the opponent can still checkmate           games: flag fall
 *   The result is a draw if the opponent lacks mating material             games: flag fall; rules: who can
 * mate A player may resign                                                    games: actions Both players may
 * agree to a draw; an offer is made and answered        games: actions Agreement may be restricted by the
 * rules of an event                   games: rule options A draw by repetition or by fifty moves is the
 * player's to claim        games: actions; what may be claimed: here The game terminates immediately at
 * checkmate, stalemate, dead position games: nothing is played after the end 1-0, 0-1, 1/2-1/2 are recorded
 * at the conclusion of the game           games: results; api: PGN A dead position that is not one of
 * material                            rules: dead positions The letters and marks are those of PGN api: PGN
 *
 * Not statements of rules, and tested nowhere: the values of the pieces, advice for the opening, touching the
 * king first on a physical board. */
