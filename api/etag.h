/* etag: entity tags of games: "v<version>" for JSON, "v<version>.txt" … for other formats. Where the wall clock has moved
 * since the move under way began, and with it the times that a running clock shows, "v<version>+<ms>" or "v<version>-<ms>"
 * says by how much: the version is the same, the answer is not.
 *
 * Layer: api. Source: RFC 9110 8.8.3 (strong tags), 13.1.1 (If-Match), 13.1.2 (If-None-Match). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/action.h"

struct exchange;

/* What a game is known by. */
struct etag {
    uint32_t version;
    int64_t shift_ms; /* game_wall_shift_ms */
};

/* Of a game as this exchange shows it. */
struct etag etag_of(const struct exchange *exchange, const struct game *game);

/* Sets ETag to that in the format of the answer; after reply_begin or reply_empty. */
void etag_set(struct exchange *exchange, struct etag etag);

/* If-None-Match names this one in this format (weak comparison, lists, "*"): answer
 * game_not_modified (api/act.h). For GET and HEAD only; false else. */
bool etag_is_current(const struct exchange *exchange, struct etag etag);
/* The same for a tag of any form, quotes included. */
bool etag_matches(const struct exchange *exchange, const char *tag);

/* What If-Match asks for, as the precondition of an action: if_given, if_count, if_versions, which lie in the arena. Tags
 * of any format and shift of ours name a version; weak tags never match; "*" asks for nothing that a game that is there
 * does not have. False: memory is out. */
bool etag_condition(const struct exchange *exchange, struct action *action);
