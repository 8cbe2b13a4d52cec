/* visibility_input: who may act in a game and who may see it, as clients write it.
 *
 * Layer: api. */
#pragma once

#include "games/game.h"

struct action_create;
struct exchange;
struct field_word;

/* Of games that do not say, by the settings of the service. */
enum game_access access_default(const struct exchange *exchange);
/* Of games that do not say: public where games are open by default, else unlisted. */
enum game_visibility visibility_default(const struct exchange *exchange);

/* Words that were read over game_access_words and game_visibility_words, or the defaults of the service. False, with the
 * response a problem, for a private game without seats: nobody could show that he may read it. */
bool visibility_input_read(struct exchange *exchange, const struct field_word *access,
                           const struct field_word *visibility, struct action_create *create);
