/* view_move: the Move shape, entries of legal-moves, and what is said of moves that are not legal (API
 * 3, 4.2, 5).
 *
 * Layer: api. */
#pragma once

#include "api/problem.h"
#include "api/writer.h"
#include "rules/fen.h"
#include "rules/notation.h"

struct exchange;

struct move_view {
    const struct position *before, *after;
    move move;
    unsigned ply;         /* of the move: 1 is the first */
    unsigned repetition;  /* occurrences of `after` */
    int64_t played_at_ms; /* 0: null */
    const char *comment;  /* NULL: null */
    enum fen_en_passant en_passant;
};

/* A whole Move object; `key` may be NULL. */
void view_move(struct writer *json, const char *key, const struct move_view *view);

/* What legal-moves shows. */
struct legal_filter {
    square from, to; /* SQUARE_NONE: any. `to` is the king's target or the rook's square when castling */
    enum piece_type piece; /* PIECE_NONE: any */
};

/* The members of the legal-moves answer {fen, turn, count, moves[]} in the open object. */
void view_legal_moves(struct writer *json, const struct position *position, const struct legal_filter *filter,
                      enum fen_en_passant en_passant);
/* The same with dests {"e2": ["e3", "e4"]} in place of moves; promotions count once. */
void view_legal_dests(struct writer *json, const struct position *position, const struct legal_filter *filter,
                      enum fen_en_passant en_passant);
/* One SAN a word, one line with its newline. */
void view_legal_text(struct writer *text, const struct position *position, const struct legal_filter *filter);

/* Answers with the problem that belongs to a reading that is not READING_OK: unparseable-move, illegal-move
 * with its members, or ambiguous-move with candidates. `text`: as it was sent, or NULL for squares.
 * `pointer`: of the member, or NULL. `lost_at_ply`: when a castling right was lost; 0 where that is not the
 * matter or not known. `more` appends further members ("game", "index"); NULL: none. */
struct reading_fault {
    const struct position *position;
    const struct reading *reading;
    const char *text, *pointer;
    unsigned lost_at_ply;
    void (*more)(struct writer *json, const void *context);
    const void *context;
};
enum api_result reading_problem(struct exchange *exchange, const struct reading_fault *fault);

/* The parts of it, for answers that are not problems (line): the slug's code, a sentence (in the arena or
 * static), and the members into the open object. */
enum problem_code reading_problem_code(const struct reading *reading);
const char *reading_problem_detail(struct arena *arena, const struct reading_fault *fault);
void reading_problem_members(struct writer *json, const struct reading_fault *fault);
