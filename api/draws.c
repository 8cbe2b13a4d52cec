/* claimDraw (FIDE 9.2, 9.3, 9.5); offerDraw, acceptDraw, declineDraw (9.1). */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/move_input.h"
#include "api/reply.h"
#include "api/view_game.h"

struct claim_fields {
    struct field_word reason;
    struct field_text move;
};

static void answer_claim(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    const struct claim_verdict *verdict = &act->action.verdict;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    if (act->action.outcome == ACTION_REPLAYED)
        reply_header(exchange, "Idempotent-Replayed", "true");
    if (exchange->format == FORMAT_TEXT) {
        if (verdict->valid)
            writer_printf(out, "1/2-1/2 %s\n", game_claim_name(verdict->reason));
        else
            writer_text(out, verdict->stands_as_offer ? "The claim is not valid; it stands as a draw offer.\n"
                                                      : "The claim is not valid.\n");
    } else {
        json_object_begin(out, NULL);
        view_claim(out, "claim", verdict);
        if (!verdict->valid && verdict->move != MOVE_NONE)
            view_last_move(out, "move", game);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    }
    reply_end(exchange);
}

static bool read_claim(struct exchange *exchange, struct claim_fields *fields)
{
    static const struct field table[] = {
        {.name = "reason",
         .type = FIELD_WORD,
         .at = offsetof(struct claim_fields, reason),
         .words = game_claim_words},
        {.name = "move",
         .type = FIELD_TEXT,
         .at = offsetof(struct claim_fields, move),
         .min = 1,
         .max = MOVE_TEXT_MAX},
    };
    if (exchange->body.kind != BODY_TEXT)
        return fields_read(exchange, table, FIELDS_COUNT(table), fields);
    fields->move =
        (struct field_text){.given = true, .value = exchange->body.text, .length = exchange->body.length};
    return true;
}

enum api_result claim_draw(struct exchange *exchange)
{
    struct claim_fields fields = {0};
    if (!read_claim(exchange, &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_CLAIM);
    struct move_input *announced = arena_alloc(exchange->arena, sizeof *announced);
    const char **text = arena_alloc(exchange->arena, sizeof *text);
    if (!act || !announced || !text)
        return problem_out_of_memory(exchange);
    if (fields.move.given) {
        *announced = move_input_text(fields.move.value, fields.move.length);
        *text = fields.move.value;
        act->action.claim.move = announced;
        act->texts = text;
        act->pointer = exchange->body.kind == BODY_TEXT ? NULL : "/move";
    }
    act->action.claim.reason = (enum claim_reason)fields.reason.value; /* CLAIM_NONE where it is not given */
    act->answer = answer_claim;
    return act_run(act);
}

/* ---- offers -------------------------------------------------------------------------------------------- */

static void write_offer(struct writer *text, const struct game *game)
{
    writer_printf(text, "%s offers a draw\n", game_seat_name((enum game_seat)game->head.offer_by));
}

enum api_result offer_draw(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_OFFER_DRAW, 201, write_offer);
}

enum api_result accept_draw(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_ACCEPT_DRAW, 200, NULL);
}

static void write_declined(struct writer *text, const struct game *game)
{
    (void)game;
    writer_text(text, "the draw offer is declined\n");
}

enum api_result decline_draw(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_DECLINE_DRAW, 200, write_declined);
}
