/* visibility_input: who may see a game, as clients write it.
 *
 * Layer: api. */
#pragma once

#include <stdbool.h>

struct exchange;
struct field_word;

/* A word that was read over game_visibility_words and can be kept. False, with the response a problem, for
 * private: nothing could hold its promise without tokens. An absent field is kept. */
bool visibility_input_check(struct exchange *exchange, const struct field_word *visibility);
