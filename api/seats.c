/* getSeats, takeSeat, leaveSeat, renewToken, createStreamTicket: who sits where, and with which token (API 4.5). */
#include <stddef.h>
#include <string.h>

#include "api/act.h"
#include "api/credentials.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/tickets.h"

static const char *name_of(const struct game *game, enum game_seat seat)
{
    if (!game->texts)
        return NULL;
    return seat == SEAT_WHITE ? game->texts->white_name : game->texts->black_name;
}

static void view_seat(struct writer *json, const struct game *game, enum game_seat seat)
{
    static const struct seat_presence nobody;
    const struct seat_presence *presence = game->seats ? &game->seats->presence[game_color(seat)] : &nobody;
    json_object_begin(json, game_seat_name(seat));
    json_string(json, "name", name_of(game, seat));
    json_bool(json, "taken", game_seat_is_taken(game, seat));
    json_bool(json, "connected", presence->streams > 0);
    if (presence->seen_at_ms)
        json_time(json, "last_seen_at", presence->seen_at_ms);
    else
        json_null(json, "last_seen_at");
    json_object_end(json);
}

static void write_seat(struct writer *text, const struct game *game, enum game_seat seat)
{
    const char *name = name_of(game, seat);
    writer_printf(text, "%s %s%s", game_seat_name(seat), game_seat_is_taken(game, seat) ? "taken" : "free",
                  name ? " " : "");
    writer_line(text, name ? name : "");
    writer_char(text, '\n');
}

static void show_seats(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    struct writer *out = reply_begin(exchange, 200);
    reply_cache(exchange, "no-store");
    if (exchange->format == FORMAT_TEXT) {
        write_seat(out, game, SEAT_WHITE);
        write_seat(out, game, SEAT_BLACK);
    } else {
        json_object_begin(out, NULL);
        view_seat(out, game, SEAT_WHITE);
        view_seat(out, game, SEAT_BLACK);
        json_object_end(out);
    }
    reply_end(exchange);
}

/* Without an ETag, as the clock: who is connected changes without a version. */
enum api_result get_seats(struct exchange *exchange)
{
    return games_fault(exchange, game_view(exchange, show_seats, exchange));
}

/* ---- taking and leaving -------------------------------------------------------------------------------- */

static void answer_taken(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    const struct action *action = &act->action;
    const char *color = game_seat_name(action->actor);
    const char *token = action->tokens[game_seat_role(action->actor) - ROLE_WHITE];
    struct writer *out = reply_begin(exchange, *token ? 201 : 200);
    arena_wipe_at_end(exchange->arena);
    game_headers(exchange, game);
    if (*token)
        reply_headerf(exchange, "Location", "/v1/games/%s/seats", game->id);
    if (action->outcome == ACTION_REPLAYED)
        reply_header(exchange, "Idempotent-Replayed", "true");
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "%s%s%s\n", color, *token ? " " : "", token);
    } else {
        json_object_begin(out, NULL);
        json_string(out, "token", *token ? token : NULL);
        json_string(out, "color", color);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    }
    reply_end(exchange);
}

enum api_result take_seat(struct exchange *exchange)
{
    static const char *const colors[] = {
        [SEAT_NONE] = "random", [SEAT_WHITE] = "white", [SEAT_BLACK] = "black", [SEAT_COUNT] = NULL};
    struct seat_input {
        struct field_word color;
        struct field_text name;
    } fields = {0};
    static const struct field table[] = {
        {.name = "color", .type = FIELD_WORD, .at = offsetof(struct seat_input, color), .words = colors},
        {.name = "name",
         .type = FIELD_NAME,
         .at = offsetof(struct seat_input, name),
         .max_limit = offsetof(struct api_limits, name_bytes),
         .nullable = true},
    };
    if (!fields_read_or_text(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_TAKE_SEAT);
    if (!act)
        return API_DONE;
    act->action.place = (struct action_place){
        .seat = (enum game_seat)fields.color.value, /* SEAT_NONE where it is not given */
        .sets_name = fields.name.given,
        .name = fields.name.value,
    };
    act->answer = answer_taken;
    return act_run(act);
}

static void write_left(struct writer *text, const struct game *game)
{
    write_seat(text, game, SEAT_WHITE);
    write_seat(text, game, SEAT_BLACK);
}

enum api_result leave_seat(struct exchange *exchange)
{
    struct act *act = act_begin(exchange, ACTION_LEAVE_SEAT);
    if (!act)
        return API_DONE;
    act->action.place.seat = exchange->path.seat;
    act->line = write_left;
    return act_run(act);
}

/* ---- tokens -------------------------------------------------------------------------------------------- */

static void answer_renewed(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    enum game_role role = act->action.renewed;
    const char *token = act->action.tokens[role - ROLE_WHITE];
    struct writer *out = reply_begin(exchange, 201);
    arena_wipe_at_end(exchange->arena);
    game_headers(exchange, game);
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "%s %s\n", game_role_words[role], token);
    } else {
        json_object_begin(out, NULL);
        json_string(out, "role", game_role_words[role]);
        json_string(out, "token", token);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    }
    reply_end(exchange);
}

enum api_result renew_token(struct exchange *exchange)
{
    struct field_word role = {0};
    static const struct field table[] = {
        {.name = "role", .type = FIELD_WORD, .words = game_role_words + ROLE_WHITE}};
    if (!fields_read_or_text(exchange, table, FIELDS_COUNT(table), &role))
        return API_DONE;
    if (!role.given)
        return problem_field(exchange, "/role", "Say whose token: white, black, spectator or creator.");
    struct act *act = act_begin(exchange, ACTION_RENEW_TOKEN);
    if (!act)
        return API_DONE;
    act->action.renewed = (enum game_role)(ROLE_WHITE + role.value);
    act->answer = answer_renewed;
    return act_run(act);
}

static void issue_ticket(void *context, const struct game *game)
{
    struct exchange *exchange = context;
    const struct games *games = exchange->api->games;
    if (game_token_is_wrong(game, &exchange->caller)) {
        game_problem(exchange, PROBLEM_TOKEN_INVALID, TOKEN_OF_NOBODY, game);
        return;
    }
    struct ticket_holder holder = {.caller = exchange->caller};
    char ticket[SECRET_TOKEN_SIZE];
    memcpy(holder.id, game->id, sizeof holder.id);
    tickets_issue(exchange->api->tickets, &holder, games_service_ms(games), ticket);
    arena_wipe_at_end(exchange->arena);
    struct writer *out = reply_begin(exchange, 201);
    if (exchange->format == FORMAT_TEXT) {
        writer_printf(out, "%s\n", ticket);
    } else {
        json_object_begin(out, NULL);
        json_string(out, "ticket", ticket);
        json_time(out, "expires_at", games_now_ms(games) + TICKET_LIFE_MS);
        json_object_end(out);
    }
    secret_forget(ticket, sizeof ticket);
    reply_end(exchange);
}

enum api_result create_stream_ticket(struct exchange *exchange)
{
    if (!fields_read(exchange, NULL, 0, NULL))
        return API_DONE;
    return games_fault(exchange, game_view(exchange, issue_ticket, exchange));
}
