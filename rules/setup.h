/* setup: pieces and rights as somebody put them on a board, before anyone knows whether that can be played.
 *
 * Layer: rules. "Written" and "playable" are different types: rules/fen.h reads text into a struct setup,
 * setup_position makes a struct position of it or says everything that is wrong with it, at once.
 * Source: FIDE 3.10.3, Guidelines II; the FEN section of the PGN standard (16.1), X-FEN, Shredder-FEN. */
#pragma once

#include <stddef.h>

#include "rules/position.h"

/* What can be wrong. The first group leaves nothing to play with; positions of the second group can be
 * played, but no series of moves leads to them. */
enum setup_fault_code {
    SETUP_OK = 0,
    SETUP_BAD_FIELD, /* FEN only: the text of field `field` cannot be read */
    SETUP_NO_WHITE_KING,
    SETUP_NO_BLACK_KING,
    SETUP_TOO_MANY_KINGS,
    SETUP_PAWN_ON_BACK_RANK,
    SETUP_SIDE_NOT_TO_MOVE_IN_CHECK,
    SETUP_BAD_CASTLING_RIGHT,
    SETUP_BAD_EN_PASSANT,
    SETUP_TOO_MANY_MEN, /* over 16 pieces and pawns on a side: reported as too_many_pieces */

    SETUP_TOO_MANY_PAWNS,   /* nine or more */
    SETUP_TOO_MANY_PIECES,  /* more promoted pieces than pawns are gone */
    SETUP_IMPOSSIBLE_CHECK, /* three checkers, or two that no move can have brought about together */
    SETUP_FAULT_COUNT
};

/* The name of API.md section 4.7 ("no_white_king"; SETUP_BAD_FIELD: "bad_field_1" … by `field`). Static. */
const char *setup_fault_name(enum setup_fault_code code, unsigned field);
/* One sentence for people. Static. */
const char *setup_fault_text(enum setup_fault_code code, unsigned field);
/* The position can be played in spite of it. */
bool setup_fault_is_playable(enum setup_fault_code code);

struct setup_fault {
    enum setup_fault_code code;
    uint8_t field;   /* FEN field, 1 to 6; 0: the text as a whole */
    uint16_t offset; /* byte offset in the text; 0 where there is no text */
    square square;   /* a square concerned, or SQUARE_NONE */
};

enum { SETUP_FAULTS_MAX = 32 };

struct setup_report {
    unsigned count;
    struct setup_fault faults[SETUP_FAULTS_MAX]; /* in order of offset; further ones are dropped */
};

enum { SETUP_RIGHTS_MAX = 8 };

/* A castling letter as written. */
struct setup_right {
    char letter;     /* K Q k q, or A-H a-h */
    uint16_t offset; /* in the text */
};

struct setup {
    uint8_t color[SQUARE_COUNT]; /* enum color, where type is not PIECE_NONE */
    uint8_t type[SQUARE_COUNT];  /* enum piece_type */
    uint8_t turn; /* COLOR_COUNT where the text of it cannot be read: what depends on it is not looked at */
    uint8_t right_count;
    struct setup_right rights[SETUP_RIGHTS_MAX];
    uint8_t en_passant; /* as written, or SQUARE_NONE */
    uint16_t halfmove_clock, fullmove_number;
    uint16_t field_offset[6];             /* where each FEN field began, for faults */
    uint16_t square_offset[SQUARE_COUNT]; /* where the letter of each piece stands in the text, for faults */
};

/* Makes a playable position. `chess960` asks for Chess960. Where `infer_chess960`, rights that only Chess960 knows (king
 * off the e-file, rook off the corner) make it a Chess960 position too, if they are written with file letters, or with
 * K Q k q and those of both colours agree: kings on one file, rooks of a side on one file. K and Q of one colour alone
 * do not: they more often come with a misplaced king than with a variant.
 * The en passant square is kept only where a capture is legal; a castling right that the board contradicts (no king or
 * rook of that colour there, not on the back rank, king not between …) is a fault.
 * True when playable: *position is set; `report` may then still hold faults of the second group.
 * False: *position is untouched, `report` has every fault found. */
bool setup_position(const struct setup *setup, bool chess960, bool infer_chess960, struct position *position,
                    struct setup_report *report);

/* Puts a fault into its place in a report; for the readers of texts. */
void setup_report_add(struct setup_report *report, enum setup_fault_code code, unsigned field, size_t offset,
                      square s);
