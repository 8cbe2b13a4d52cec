/* stream_cursor: how far a client has read: "17" of one game, "abcdefghjkmn:17,pqrstvwxyz23:4" of several.
 *
 * Layer: api. Pure. Source: API 4.6. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/game.h"

/* An id, ":", a version of ten digits, and ",". */
enum { STREAM_CURSOR_PART_LENGTH = GAME_ID_LENGTH + 1 + 10 + 1 };

/* A version: digits, at most 2^32 - 1. */
bool stream_cursor_parse(const char *text, size_t length, uint32_t *version);

/* The next "id:version" out of *rest, which must not be empty; `*id` has 12 characters. False: it is none. */
bool stream_cursor_next(const char **rest, const char **id, uint32_t *version);
