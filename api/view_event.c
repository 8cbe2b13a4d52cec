#include "api/view_event.h"

#include <string.h>

#include "api/exchange.h"
#include "api/view_game.h"
#include "games/games.h"

enum { USUAL_BYTES = 2048 };

static void view_by(struct writer *json, const struct game_event *event)
{
    json_string(json, "by", game_seat_name(event->seat));
}

/* Why the same kind of event came about. */
static const char *const REASONS[ROW_KIND_COUNT] = {
    [ROW_NONE] = "wall_clock", /* of clock.updated alone */
    [ROW_UNDO] = "undo",
    [ROW_TAKEBACK] = "takeback",
    [ROW_TAKEBACK_ACCEPTED] = "takeback_accepted",
    [ROW_CLOCK_ADDED] = "time_added",
    [ROW_ILLEGAL_MOVE] = "illegal_move",
    [ROW_SEAT_TAKEN] = "taken",
    [ROW_SEAT_LEFT] = "left",
    [ROW_TOKEN_RENEWED] = "token_renewed",
};

static void view_reason(struct writer *json, const struct game_event *event)
{
    json_string(json, "reason", REASONS[event->row]);
}

static void view_time_added(struct writer *json, const struct game_event *event)
{
    if (event->given_to == SEAT_NONE) {
        json_null(json, "time_added");
        return;
    }
    json_object_begin(json, "time_added");
    json_string(json, "color", game_seat_name(event->given_to));
    json_int(json, "ms", event->given_ms);
    json_object_end(json);
}

static void view_name(struct writer *json, const char *key, const char *name)
{
    json_object_begin(json, key);
    json_string(json, "name", name && *name ? name : NULL);
    json_object_end(json);
}

/* ---- one function a kind ---- */

static void view_snapshot(struct writer *json, const struct game_event *event, const struct game *game)
{
    const struct game_texts *texts = game->texts;
    json_bool(json, "reset", event->reset);
    view_name(json, "white", texts ? texts->white_name : NULL);
    view_name(json, "black", texts ? texts->black_name : NULL);
    view_last_move(json, "last_move", game);
}

static void view_move_played(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)event;
    view_last_move(json, "move", game);
}

static void view_who(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    view_by(json, event);
}

static void view_claim_refused(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    view_by(json, event);
    json_string(json, "reason", game_claim_name(event->claim));
    json_string(json, "announced_move", event->move[0] ? event->move : NULL);
    json_bool(json, "stands_as_offer", event->stands_as_offer);
    view_time_added(json, event);
}

static void view_takeback_declined(struct writer *json, const struct game_event *event,
                                   const struct game *game)
{
    (void)game;
    view_by(json, event);
    json_bool(json, "withdrawn", event->row == ROW_TAKEBACK_WITHDRAWN);
}

static void view_rewound(struct writer *json, const struct game_event *event, const struct game *game)
{
    view_by(json, event);
    view_reason(json, event);
    view_last_move(json, "last_move", game);
}

/* Time that is given has nobody who did it. */
static void view_clock_updated(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    json_string(json, "by", event->row == ROW_CLOCK_ADDED ? NULL : game_seat_name(event->seat));
    view_reason(json, event);
    view_time_added(json, event);
}

static void view_seat_changed(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    view_reason(json, event);
    json_string(json, "color", game_seat_name(event->seat));
    json_string(json, "role", event->role == ROLE_NONE ? NULL : game_role_words[event->role]);
    json_string(json, "name", event->name && *event->name ? event->name : NULL);
}

static void view_presence(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    json_string(json, "color", game_seat_name(event->seat));
    json_bool(json, "connected", event->connected);
}

static void view_updated(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)game;
    json_object_begin(json, "changed");
    if (event->white_name)
        view_name(json, "white", event->white_name);
    if (event->black_name)
        view_name(json, "black", event->black_name);
    if (event->metadata) {
        const char *metadata = *event->metadata ? event->metadata : "{}";
        json_raw(json, "metadata", metadata, strlen(metadata));
    }
    if (event->visibility)
        json_string(json, "visibility", event->visibility);
    json_object_end(json);
}

static void view_nothing(struct writer *json, const struct game_event *event, const struct game *game)
{
    (void)json;
    (void)event;
    (void)game;
}

typedef void view_data(struct writer *json, const struct game_event *event, const struct game *game);

static view_data *const DATA[EVENT_KIND_COUNT] = {
    [EVENT_SNAPSHOT] = view_snapshot,
    [EVENT_MOVE_PLAYED] = view_move_played,
    [EVENT_DRAW_OFFERED] = view_who,
    [EVENT_DRAW_DECLINED] = view_who,
    [EVENT_CLAIM_REFUSED] = view_claim_refused,
    [EVENT_TAKEBACK_OFFERED] = view_who,
    [EVENT_TAKEBACK_DECLINED] = view_takeback_declined,
    [EVENT_POSITION_REWOUND] = view_rewound,
    [EVENT_CLOCK_UPDATED] = view_clock_updated,
    [EVENT_SEAT_CHANGED] = view_seat_changed,
    [EVENT_PRESENCE_CHANGED] = view_presence,
    [EVENT_GAME_UPDATED] = view_updated,
    [EVENT_GAME_DELETED] = view_nothing,
    [EVENT_GAME_ENDED] = view_who,
};

static void write_event(struct writer *json, const struct api *api, const struct game_event *event,
                        const struct game *game)
{
    json_object_begin(json, NULL);
    if (event->version)
        json_int(json, "id", event->version);
    json_string(json, "type", event_kind_name(event->kind));
    json_string(json, "game", game->id);
    json_int(json, "version", game->head.version);
    json_int(json, "ply", game->head.ply);
    json_time(json, "at", event->at_ms);
    json_object_begin(json, "data");
    view_game_state(json, "game", game, event->epoch_ms);
    DATA[event->kind](json, event, game);
    json_object_end(json);
    json_time(json, "server_time", games_now_ms(api->games));
    json_object_end(json);
}

bool view_event(void *context, const struct game_event *event, const struct game *game,
                struct event_text **text)
{
    struct arena arena;
    struct writer json;
    arena_init(&arena);
    writer_init(&json, &arena, USUAL_BYTES);
    write_event(&json, context, event, game);
    bool ends = event->kind == EVENT_GAME_DELETED || game_is_over(game);
    struct event_text *made = json.failed ? NULL : event_text_create(event, ends, json.data, json.length);
    arena_finish(&arena);
    if (made)
        *text = made;
    return made != NULL;
}
