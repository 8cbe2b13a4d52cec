/* requestTakeback, acceptTakeback, declineTakeback, withdrawTakeback. */
#include <stddef.h>
#include <string.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"

static void write_ply(struct writer *text, const struct game *game)
{
    writer_printf(text, "back at half-move %u\n", game->head.ply);
}

static void write_offer(struct writer *text, const struct game *game)
{
    writer_printf(text, "%s asks to go back to half-move %u\n",
                  game_seat_name((enum game_seat)game->head.takeback_by), game->head.takeback_ply);
}

/* Where a takeback needs no consent the moves are gone at once, and no offer was created. */
static void answer_requested(struct act *act, const struct game *game)
{
    bool offered = game->head.takeback_by != SEAT_NONE;
    act->status = offered ? 201 : 200;
    act->line = offered ? write_offer : write_ply;
    act_answer_game(act, game);
}

/* A bare text is the colour, or the half-move. */
static bool is_bare_number(const struct body *body)
{
    return body->kind == BODY_TEXT && strchr("+-0123456789", body->text[0]) != NULL;
}

enum api_result request_takeback(struct exchange *exchange)
{
    struct takeback_input {
        struct field_word color;
        struct field_integer to_ply;
    } fields = {0};
    static const struct field table[] = {
        {.name = "color",
         .type = FIELD_WORD,
         .at = offsetof(struct takeback_input, color),
         .words = game_seat_words},
        {.name = "to_ply",
         .type = FIELD_INTEGER,
         .at = offsetof(struct takeback_input, to_ply),
         .max = GAME_PLIES_LIMIT},
    };
    size_t first = is_bare_number(&exchange->body) ? 1 : 0;
    if (!fields_read_or_text(exchange, table + first, FIELDS_COUNT(table) - first, &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_TAKEBACK);
    if (!act)
        return API_DONE;
    act->action.takeback = (struct action_takeback){
        .seat = (enum game_seat)fields.color.value,
        .has_ply = fields.to_ply.given,
        .to_ply = (uint32_t)fields.to_ply.value,
    };
    act->answer = answer_requested;
    return act_run(act);
}

enum api_result accept_takeback(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_ACCEPT_TAKEBACK, 200, write_ply);
}

static void write_refusal(struct writer *text, const struct game *game)
{
    (void)game;
    writer_text(text, "no moves are taken back\n");
}

enum api_result decline_takeback(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_DECLINE_TAKEBACK, 200, write_refusal);
}

enum api_result withdraw_takeback(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_WITHDRAW_TAKEBACK, 200, write_refusal);
}
