/* winnable_question: what is asked, handed from stage to stage. Private to rules/winnable*.c.
 *
 * Layer: rules. */
#pragma once

#include "rules/winnable.h"

struct winnable_question {
    const struct position *position;
    enum color winner;
    uint32_t nodes; /* the budget of each search */
    const struct winnable_scratch *scratch;
};
