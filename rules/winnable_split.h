/* winnable_split: case splits over the next captures and pawn moves. Private to rules/winnable*.c.
 *
 * Layer: rules. The sets of winnable_reach.h mix what different courses of a game allow. Here a game is cut at
 * its captures and pawn moves: between two of them pawns stand still and nothing is taken, so the sets are
 * small; each capture and pawn move that may come next is a case of its own. */
#pragma once

#include "rules/winnable_question.h"

/* Proven that the winner mates in no case, with at most `cases` of them looked at; their number is added to
 * *nodes. Says nothing of a mate already on the board. */
bool winnable_split_forbids(const struct winnable_question *question, uint32_t cases, uint32_t *nodes);
