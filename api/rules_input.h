/* rules_input: the rule options of a game as clients write them.
 *
 * Layer: api. */
#pragma once

#include "api/fields.h"
#include "games/game.h"

struct rules_input {
    bool given, is_null;
    struct field_word profile, failed_claim, dead_position, draw_offers, takeback;
    struct field_word_set auto_claim;
    struct field_bool fivefold, seventyfive;
    struct field_integer draw_offers_from_move, claim_penalty_ms, abandon_after_ms, move_limit;
};

enum { RULES_FIELD_COUNT = 12 };
extern const struct field rules_fields[RULES_FIELD_COUNT];

/* The query parameters dead_position, fivefold and seventyfive say what the body could say: a field becomes given where
 * either has it. False: they say different things, and the response is a problem. */
bool rules_input_take_query(struct exchange *exchange, struct rules_input *input);

/* What the profile means, with what was said besides. */
struct game_rules rules_input_read(const struct rules_input *input);
