/* etag: entity tags of games: "v<version>" for JSON, "v<version>.txt" … for other formats.
 *
 * Layer: api. Source: RFC 9110 8.8.3 (strong tags), 13.1.1 (If-Match), 13.1.2 (If-None-Match). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "games/action.h"

struct exchange;

/* Sets ETag for that version in the format of the answer; after reply_begin or reply_empty. */
void etag_set(struct exchange *exchange, uint32_t version);

/* If-None-Match names this version in this format (weak comparison, lists, "*"): answer
 * game_not_modified (api/act.h). For GET and HEAD only; false else. */
bool etag_is_current(const struct exchange *exchange, uint32_t version);
/* The same for a tag of any form, quotes included. */
bool etag_matches(const struct exchange *exchange, const char *tag);

/* What If-Match asks for, as the precondition of an action: if_given, if_count, if_versions. Tags of any
 * format of ours name a version; weak tags never match; "*" asks for nothing that a game that is there does
 * not have. */
void etag_condition(const struct exchange *exchange, struct action *action);
