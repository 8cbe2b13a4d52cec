/* updateGame, deleteGame. */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/player_input.h"
#include "api/reply.h"
#include "api/view_game.h"

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
    if (!fields_read(exchange, update_fields, FIELDS_COUNT(update_fields), &fields))
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
        .texts = {.white_name = fields.white.name.value,
                  .black_name = fields.black.name.value,
                  .metadata = fields.metadata.value},
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
