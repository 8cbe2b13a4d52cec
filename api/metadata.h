/* metadata: what clients keep with a game, a JSON object, as the store has it.
 *
 * Layer: api. It goes into answers and events as it is, so what the disk has made of it must not. Pure. */
#pragma once

#include "games/game.h"

/* METADATA_WHOLE: an object in one line, which is what is stored of any that clients send (fields_store.c). */
metadata_reader metadata_read;
