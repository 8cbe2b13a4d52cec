/* updateGame, deleteGame, resignGame, abortGame. */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/view_game.h"

static const char *const visibility_words[] = {"public", "unlisted", "private", NULL};
static const char *const color_words[] = {"white", "black", NULL};

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

struct player_fields {
    bool given, is_null;
    struct field_text name;
};

struct update_fields {
    struct player_fields white, black;
    struct field_json metadata;
    struct field_word visibility;
};

static bool read_update(struct exchange *exchange, struct update_fields *fields)
{
    const struct api_limits *limits = &exchange->api->settings.limits;
    const struct field player_table[] = {
        {.name = "name",
         .type = FIELD_TEXT,
         .at = offsetof(struct player_fields, name),
         .min = 1,
         .max = limits->name_bytes,
         .nullable = true},
    };
    const struct field table[] = {
        {.name = "white",
         .type = FIELD_OBJECT,
         .at = offsetof(struct update_fields, white),
         .fields = player_table,
         .field_count = 1},
        {.name = "black",
         .type = FIELD_OBJECT,
         .at = offsetof(struct update_fields, black),
         .fields = player_table,
         .field_count = 1},
        {.name = "metadata",
         .type = FIELD_JSON,
         .at = offsetof(struct update_fields, metadata),
         .max = limits->metadata_bytes,
         .nullable = true},
        {.name = "visibility",
         .type = FIELD_WORD,
         .at = offsetof(struct update_fields, visibility),
         .words = visibility_words},
    };
    return fields_read(exchange, table, FIELDS_COUNT(table), fields);
}

enum api_result update_game(struct exchange *exchange)
{
    struct update_fields fields = {0};
    if (!read_update(exchange, &fields))
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
         .words = color_words},
    };
    if (!fields_read(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    struct act *act = act_begin(exchange, ACTION_RESIGN);
    if (!act)
        return API_DONE;
    act->action.resign = !fields.color.given ? SEAT_NONE : fields.color.value == 0 ? SEAT_WHITE : SEAT_BLACK;
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
