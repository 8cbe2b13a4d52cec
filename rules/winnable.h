/* winnable: can this side still give checkmate by any series of legal moves?
 *
 * Layer: rules. Values in, values out: no heap, no state; the caller lends scratch memory, which holds nothing
 * between two calls. Never wrong: YES comes with the moves, NO with a proof, everything else is UNDETERMINED.
 * The limits of 9.3 and 9.6 (repetition, 50 and 75 moves) are no part of the question.
 * Source: FIDE 5.2.2 (dead position), 5.1.2, 6.9, 7.5.5 (the opponent cannot checkmate the king by any possible
 * series of legal moves). */
#pragma once

#include <stddef.h>

#include "rules/position.h"

enum winnable_verdict { WINNABLE_UNDETERMINED = 0, WINNABLE_YES, WINNABLE_NO, WINNABLE_VERDICT_COUNT };

/* How a verdict was found. */
enum winnable_method {
    WINNABLE_NONE = 0,  /* UNDETERMINED */
    WINNABLE_TERMINAL,  /* the game is over on the board (5.1.1, 5.2.1) */
    WINNABLE_MATERIAL,  /* NO: too little material, wherever it stands */
    WINNABLE_STRUCTURE, /* NO: the pieces cannot come to where they would have to stand for a mate */
    WINNABLE_SEARCH,    /* YES: a mate was found; NO: every position that may come was looked at */
    WINNABLE_METHOD_COUNT
};

enum { WINNABLE_LINE_MAX = 512 };

struct winnable_result {
    enum winnable_verdict verdict;
    enum winnable_method method;
    uint32_t nodes;               /* positions looked at */
    uint16_t length;              /* YES: half-moves of the line, 0 where the mate is on the board; else 0 */
    move line[WINNABLE_LINE_MAX]; /* YES: legal moves that end in mate by the side asked about */
};

/* Memory lent by the caller, aligned for uint64_t. About 70 bytes hold a position; below WINNABLE_SCRATCH_MIN
 * there is no search. The budget in nodes is cut to what the memory holds. */
struct winnable_scratch {
    void *memory;
    size_t bytes;
};
enum {
    WINNABLE_SCRATCH_MIN = 16 << 10,
    WINNABLE_SCRATCH_DEAD = 64 << 10,
    WINNABLE_SCRATCH_DEFAULT = 16 << 20
};

/* DEFAULT: a few milliseconds on average, a fraction of a second at worst. SMALL, with WINNABLE_SCRATCH_SMALL of
 * memory: under a millisecond on average, a few at worst, and still 99 questions of 100 decided in positions of
 * games, four of five in hard ones: what a thread that serves others may spend. */
enum { WINNABLE_NODES_DEFAULT = 190000, WINNABLE_NODES_SMALL = 2000, WINNABLE_SCRATCH_SMALL = 256 << 10 };

/* Whether `winner` can mate. No search looks at more than `nodes` positions; result->nodes counts those of all.
 * Uses about 100 KiB of stack. */
void winnable_decide(const struct position *position, enum color winner, uint32_t nodes,
                     const struct winnable_scratch *scratch, struct winnable_result *result);

/* Proven that neither side can mate (5.2.2) with the little effort that fits after each move; false says
 * nothing: the position is alive or it was not seen. A finished game (mate or stalemate) is not dead here.
 * WINNABLE_SCRATCH_DEAD bytes of memory are what it is made for. */
bool winnable_is_dead(const struct position *position, const struct winnable_scratch *scratch);
/* At sight, by the number of legal moves besides: that of nearly every position is told so, and winnable_is_dead says
 * no more of it. */
bool winnable_looks_alive(const struct position *position, unsigned legal_moves);
/* The same as winnable_is_dead, told by what it was proven, that of the two sides which took more; WINNABLE_NONE: not
 * dead here. */
enum winnable_method winnable_dead_method(const struct position *position,
                                          const struct winnable_scratch *scratch);

/* Proven that the material of `winner` cannot mate in any position that can come of this one, this one
 * excepted: a mate on the board is a mate whatever stands there. */
bool winnable_material_forbids(const struct position *position, enum color winner);

/* "undetermined", "yes", "no"; "none", "terminal", "material", "structure", "search". The texts are constants. */
const char *winnable_verdict_name(enum winnable_verdict verdict);
const char *winnable_method_name(enum winnable_method method);
/* Back from these names; false: no such name. */
bool winnable_verdict_parse(const char *name, enum winnable_verdict *verdict);
bool winnable_method_parse(const char *name, enum winnable_method *method);
