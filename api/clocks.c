/* getClock, flagGame, addTime: the clocks of a game (FIDE 6). */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_clock.h"
#include "api/view_game.h"

static void show_clock(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    const struct games *games = exchange->api->games;
    if (!game->clock) {
        game_problem(exchange, PROBLEM_NO_CLOCK, "The game has no clock.", game);
        return;
    }
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, "no-store");
    if (exchange->format == FORMAT_TEXT) {
        view_clock_line(out, game, games_service_ms(games));
    } else {
        int64_t epoch_ms = exchange_epoch_ms(exchange), service_ms = games_service_ms(games);
        json_object_begin(out, NULL);
        view_clock_now(out, "clock", game, service_ms, epoch_ms);
        json_time(out, "server_time", epoch_ms + service_ms);
        json_object_end(out);
    }
    reply_end(exchange);
}

/* Not by game_get: it changes without a version, so there is nothing to compare with If-None-Match. */
enum api_result get_clock(struct exchange *exchange)
{
    return games_fault(exchange, game_view(exchange, show_clock, exchange));
}

enum api_result flag_game(struct exchange *exchange)
{
    return act_without_input(exchange, ACTION_FLAG);
}

/* The clocks as they stood when the request came. */
static void answer_added(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT) {
        view_clock_line(out, game, act->action.received_ms);
    } else {
        json_object_begin(out, NULL);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    }
    reply_end(exchange);
}

enum api_result add_time(struct exchange *exchange)
{
    struct time_input {
        struct field_word color;
        struct field_integer ms;
    } fields = {0};
    static const struct field table[] = {
        {.name = "color",
         .type = FIELD_WORD,
         .at = offsetof(struct time_input, color),
         .words = game_seat_words},
        {.name = "ms",
         .type = FIELD_INTEGER,
         .at = offsetof(struct time_input, ms),
         .min = 1,
         .max = TIME_MS_MAX},
    };
    if (!fields_read(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    if (!fields.color.given)
        return problem_field(exchange, "/color", "Say whose clock: white or black.");
    if (!fields.ms.given)
        return problem_field(exchange, "/ms", "Say how much: `ms`, in milliseconds.");
    struct act *act = act_begin(exchange, ACTION_ADD_TIME);
    if (!act)
        return API_DONE;
    act->action.add_time =
        (struct action_add_time){.seat = (enum game_seat)fields.color.value, .ms = fields.ms.value};
    act->answer = answer_added;
    return act_run(act);
}
