#include "api/rules_input.h"

#include <stddef.h>

#include "api/exchange.h"
#include "api/problem.h"

#define AT(member) .at = offsetof(struct rules_input, member)

const struct field rules_fields[RULES_FIELD_COUNT] = {
    {.name = "profile", .type = FIELD_WORD, AT(profile), .words = game_profile_words},
    {.name = "auto_claim", .type = FIELD_WORD_SET, AT(auto_claim), .words = game_claim_words},
    {.name = "failed_claim", .type = FIELD_WORD, AT(failed_claim), .words = game_failed_claim_words},
    {.name = "claim_penalty_ms", .type = FIELD_INTEGER, AT(claim_penalty_ms), .max = TIME_MS_MAX},
    {.name = "fivefold", .type = FIELD_BOOL, AT(fivefold)},
    {.name = "seventyfive", .type = FIELD_BOOL, AT(seventyfive)},
    {.name = "dead_position", .type = FIELD_WORD, AT(dead_position), .words = game_dead_words},
    {.name = "draw_offers", .type = FIELD_WORD, AT(draw_offers), .words = game_draw_offers_words},
    {.name = "draw_offers_from_move",
     .type = FIELD_INTEGER,
     AT(draw_offers_from_move),
     .max = GAME_DRAW_OFFERS_FROM_MOVE_MAX,
     .nullable = true},
    {.name = "takeback", .type = FIELD_WORD, AT(takeback), .words = game_takeback_words},
    {.name = "abandon_after_ms",
     .type = FIELD_INTEGER,
     AT(abandon_after_ms),
     .min = 1,
     .max = TIME_MS_MAX,
     .nullable = true},
    {.name = "move_limit",
     .type = FIELD_INTEGER,
     AT(move_limit),
     .min = 1,
     .max = GAME_MOVE_LIMIT_MAX,
     .nullable = true},
};

static bool take_parameter(struct exchange *exchange, enum query_parameter parameter, const char *pointer,
                           bool *given, int *value)
{
    if (!query_has(exchange, parameter))
        return true;
    int asked = (int)query_integer(exchange, parameter, 0);
    if (*given && *value != asked) {
        problem_field(exchange, pointer, "The query says something else.");
        return false;
    }
    *given = true;
    *value = asked;
    return true;
}

static bool take_bool(struct exchange *exchange, enum query_parameter parameter, const char *pointer,
                      struct field_bool *field)
{
    int value = field->value;
    bool taken = take_parameter(exchange, parameter, pointer, &field->given, &value);
    field->value = value != 0;
    return taken;
}

bool rules_input_take_query(struct exchange *exchange, struct rules_input *input)
{
    return take_parameter(exchange, QUERY_DEAD_POSITION, "/rules/dead_position", &input->dead_position.given,
                          &input->dead_position.value) &&
           take_bool(exchange, QUERY_FIVEFOLD, "/rules/fivefold", &input->fivefold) &&
           take_bool(exchange, QUERY_SEVENTYFIVE, "/rules/seventyfive", &input->seventyfive);
}

static void take_word(uint8_t *option, const struct field_word *word)
{
    if (word->given)
        *option = (uint8_t)word->value;
}

/* Null is 0: no such limit. */
static void take_numbers(struct game_rules *rules, const struct rules_input *input)
{
    if (input->claim_penalty_ms.given)
        rules->claim_penalty_ms = (uint32_t)input->claim_penalty_ms.value;
    if (input->draw_offers_from_move.given)
        rules->draw_offers_from_move = (uint16_t)input->draw_offers_from_move.value;
    if (input->abandon_after_ms.given)
        rules->abandon_after_ms = (uint32_t)input->abandon_after_ms.value;
    if (input->move_limit.given)
        rules->move_limit = (uint16_t)input->move_limit.value;
}

struct game_rules rules_input_read(const struct rules_input *input)
{
    struct game_rules rules =
        game_rules_default(input->profile.given ? (enum game_profile)input->profile.value : PROFILE_FIDE);
    take_word(&rules.failed_claim, &input->failed_claim);
    take_word(&rules.dead, &input->dead_position);
    take_word(&rules.draw_offers, &input->draw_offers);
    take_word(&rules.takeback, &input->takeback);
    if (input->auto_claim.given)
        rules.auto_claim = (uint8_t)input->auto_claim.value;
    if (input->fivefold.given)
        rules.fivefold = input->fivefold.value;
    if (input->seventyfive.given)
        rules.seventyfive = input->seventyfive.value;
    take_numbers(&rules, input);
    return rules;
}
