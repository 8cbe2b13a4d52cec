/* winnable_shorten: a line to a mate made shorter. Private to rules/winnable*.c.
 *
 * Layer: rules. Searches steer by what looks promising, so their lines walk to and fro. Sound because a line is
 * replaced only by one that was played through, move by move, to a mate. */
#pragma once

#include "rules/winnable_question.h"

/* Shortens the line of a YES where little effort does it, and adds the positions looked at, under 3,000, to
 * nodes. */
void winnable_shorten(const struct winnable_question *question, struct winnable_result *result);
