/* notation: moves as text. SAN and UCI, in and out.
 *
 * Layer: rules. No allocation.
 * Out is exact: PGN standard 8.2.3 (disambiguation by legal moves only: file, else rank, else both; + and #),
 * UCI with e1g1 for castling in standard chess and king-takes-rook in Chess960.
 * In is lenient (or strict): lenient reading never guesses. Exact case first, then a lower-case piece letter
 * k q r n (never b, which is a file) where exactly one legal move fits. Marks (+ ++ # ! ? e.p.), dashes, "x",
 * ":", zeros for O, figurines, needless disambiguation and long form are read; check marks never choose
 * between moves.
 * Strict: the one SAN that notation_format_san would write, or exact UCI.
 * Source: PGN standard 8.2.3; FIDE Laws appendix C; UCI protocol. */
#pragma once

#include <stddef.h>

#include "rules/movegen.h"
#include "rules/refusal.h"

enum {
    NOTATION_SAN_SIZE = 10, /* "Qa1xb2=Q#" is as long as it gets, with NUL */
    NOTATION_UCI_SIZE = 6,
    NOTATION_TEXT_MAX = 64, /* longer move texts cannot be read */
};

/* `m` is legal in `position`. Returns the length. */
size_t notation_format_san(const struct position *position, move m, char text[NOTATION_SAN_SIZE]);
size_t notation_format_uci(const struct position *position, move m, char text[NOTATION_UCI_SIZE]);

/* The same where the caller has the position after the move already. */
size_t notation_format_san_with(const struct position *position, move m, const struct position *after,
                                char text[NOTATION_SAN_SIZE]);

/* One move of a list: its SAN, and what was found out for it. */
struct move_text {
    char san[NOTATION_SAN_SIZE];
    uint8_t length;          /* of the SAN */
    uint8_t piece, captured; /* enum piece_type; PIECE_NONE: nothing is captured */
    bool check, mate;
};

/* The texts of many moves of one position, for less than each alone: what they must be told from, and which may give
 * check, is found once for all. `legal`: all legal moves; `shown`: those of them that are written, to texts[0 …
 * shown->count - 1]. */
void notation_format_list(const struct position *position, const struct movelist *legal,
                          const struct movelist *shown, struct move_text *texts);

/* Where the UCI text of a move ends, and where a board lets the piece drop: castling is the king's own target
 * in standard chess, the rook's square in Chess960. */
square notation_uci_target(const struct position *position, move m);

/* The legal move that notation_format_uci writes as `uci` (NUL-terminated, any text); MOVE_NONE: none. */
move notation_find_uci(const struct position *position, const char *uci);

enum notation_style { NOTATION_LENIENT, NOTATION_STRICT };
enum notation_form { NOTATION_ANY, NOTATION_SAN, NOTATION_UCI };

enum reading_status {
    READING_OK = 0,
    READING_SYNTAX,    /* no move can be read; `offset` says where it fails */
    READING_ILLEGAL,   /* read, but not legal; `refusal` says why */
    READING_AMBIGUOUS, /* several legal moves fit; `candidates` */
};

struct reading {
    enum reading_status status;
    enum notation_form form;   /* as it was asked for; NOTATION_ANY of squares */
    enum notation_style style; /* so too */
    move move;       /* READING_OK; of READING_SYNTAX the one that strict reading wants written otherwise */
    bool draw_offer; /* the text ends in "(=)" (FIDE appendix C.12) */
    size_t offset;   /* READING_SYNTAX: byte offset */
    struct refusal refusal;     /* READING_ILLEGAL */
    struct movelist candidates; /* READING_AMBIGUOUS */
};

/* Reads one move. White space around is not part of the text: the caller trims it. "promotion=auto" is a
 * matter of the caller: `default_promotion` (PIECE_NONE usually) is taken where a promotion piece is
 * missing. */
void notation_read(const struct position *position, const char *text, size_t length, enum notation_form form,
                   enum notation_style style, enum piece_type default_promotion, struct reading *reading);

/* Finds the legal move for squares and piece that came in as separate fields. Castling as e1g1 and e1h1; in
 * Chess960 only as king takes rook. */
void notation_resolve(const struct position *position, const struct attempt *attempt,
                      enum piece_type default_promotion, struct reading *reading);

/* "e4" to a square; SQUARE_NONE if it is not one. */
square notation_parse_square(const char *text, size_t length);
