/* line_input: the moves of the query parameter `moves`, played from a position.
 *
 * Layer: api. */
#pragma once

#include "api/line.h"

struct exchange;

/* False: the response is a problem, which names the first move that cannot be played. */
bool line_input_query(struct exchange *exchange, const struct position *start, struct line *line);
