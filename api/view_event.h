/* view_event: the Event shape (API 4.6): {id, type, game, version, ply, at, data{game{…}, …}, server_time} on one line.
 *
 * Layer: api. Without an id (presence, removal, clock.updated that no action has brought about) the member `id` is
 * missing. What data has beside `game`, by type:
 *   snapshot            reset, white{name}, black{name}, last_move{Move}|null
 *   move.played         move{Move}
 *   draw.offered        by
 *   draw.declined       by
 *   draw.claim_refused  by, reason|null, announced_move (UCI)|null, stands_as_offer, time_added{color, ms}|null
 *   takeback.offered    by
 *   takeback.declined   by, withdrawn
 *   position.rewound    by|null, reason (undo, takeback, takeback_accepted), last_move{Move}|null
 *   clock.updated       by|null, reason (time_added, illegal_move, wall_clock), time_added{color, ms}|null
 *   seat.changed        reason (taken, left, token_renewed), color|null, role|null, name|null
 *   presence.changed    color, connected
 *   game.updated        changed{white{name}, black{name}, metadata, visibility}: those that were set
 *   game.deleted        (nothing)
 *   game.ended          by|null */
#pragma once

#include "games/events.h"

struct api;

/* An event_renderer; `context` is the api. */
bool view_event(void *context, const struct game_event *event, const struct game *game,
                struct event_text **text);
