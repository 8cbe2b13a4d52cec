/* updateGame, deleteGame, resignGame, abortGame. */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/player_input.h"
#include "api/reply.h"
#include "api/view_game.h"
#include "api/visibility_input.h"

/* {game, server_time}, or the result and why as one line. */
static void answer_game(struct act *act, const struct game *game)
{
    struct exchange *exchange = act->exchange;
    struct writer *out = reply_begin(exchange, 200);
    game_headers(exchange, game);
    if (act->action.outcome == ACTION_REPLAYED)
        reply_header(exchange, "Idempotent-Replayed", "true");
    if (exchange->format == FORMAT_TEXT) {
        const char *termination = game_termination_name((enum game_termination)game->head.end.termination);
        writer_printf(out, "%s %s\n", game_result_name((enum game_result)game->head.end.result),
                      termination ? termination : game_status_name((enum game_status)game->head.status));
    } else {
        json_object_begin(out, NULL);
        view_game(out, "game", exchange, game);
        act_answer_end(act);
    }
    reply_end(exchange);
}

static void answer_updated(struct act *act, const struct game *game)
{
    reply_begin(act->exchange, 200);
    game_headers(act->exchange, game);
    view_game(&act->exchange->out, NULL, act->exchange, game);
    reply_end(act->exchange);
}

struct update_input {
    struct player_input white, black;
    struct field_json metadata;
    struct field_word visibility;
};

#define AT(member) .at = offsetof(struct update_input, member)

static const struct field update_fields[] = {
    {.name = "white",
     .type = FIELD_OBJECT,
     AT(white),
     .fields = player_fields,
     .field_count = PLAYER_FIELD_COUNT},
    {.name = "black",
     .type = FIELD_OBJECT,
     AT(black),
     .fields = player_fields,
     .field_count = PLAYER_FIELD_COUNT},
    {.name = "metadata",
     .type = FIELD_JSON,
     AT(metadata),
     .max_limit = offsetof(struct api_limits, metadata_bytes),
     .nullable = true},
    {.name = "visibility", .type = FIELD_WORD, AT(visibility), .words = game_visibility_words},
};

enum api_result update_game(struct exchange *exchange)
{
    struct update_input fields = {0};
    if (!fields_read(exchange, update_fields, FIELDS_COUNT(update_fields), &fields) ||
        !visibility_input_check(exchange, &fields.visibility))
        return API_DONE;
    if (!fields.white.name.given && !fields.black.name.given && !fields.metadata.given &&
        !fields.visibility.given)
        return problem_field(exchange, "",
                             "Nothing to change: give `white`, `black`, `metadata` or `visibility`.");
    struct act *act = act_begin(exchange, ACTION_UPDATE);
    if (!act)
        return API_DONE;
    act->action.update = (struct action_update){
        .sets_white = fields.white.name.given,
        .sets_black = fields.black.name.given,
        .sets_metadata = fields.metadata.given,
        .sets_visibility = fields.visibility.given,
        .texts = {fields.white.name.value, fields.black.name.value, fields.metadata.value},
        .visibility = (enum game_visibility)fields.visibility.value,
    };
    act->answer = answer_updated;
    return act_run(act);
}

static void answer_deleted(struct act *act, const struct game *game)
{
    (void)game;
    reply_empty(act->exchange, 204);
}

enum api_result delete_game(struct exchange *exchange)
{
    struct act *act = act_begin(exchange, ACTION_DELETE);
    if (!act)
        return API_DONE;
    act->answer = answer_deleted;
    return act_run(act);
}

enum api_result resign_game(struct exchange *exchange)
{
    struct resign_fields {
        struct field_word color;
    } fields = {0};
    static const struct field table[] = {
        {.name = "color",
         .type = FIELD_WORD,
         .at = offsetof(struct resign_fields, color),
         .words = game_seat_words},
    };
    if (!fields_read(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_RESIGN);
    if (!act)
        return API_DONE;
    act->action.resign = (enum game_seat)fields.color.value; /* SEAT_NONE where it is not given */
    act->answer = answer_game;
    return act_run(act);
}

enum api_result abort_game(struct exchange *exchange)
{
    if (!fields_read(exchange, NULL, 0, NULL))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_ABORT);
    if (!act)
        return API_DONE;
    act->answer = answer_game;
    return act_run(act);
}
