/* Games that share a shard of the registry, and so, under a tiny budget, drive each other out of memory. */
#pragma once

#include "tests/support/games_club.h"

/* `count` games of one shard; `control` NULL: untimed. */
void neighbours_create(struct club *club, const struct time_control *control, char ids[][GAME_ID_SIZE],
                       unsigned count);
/* A game of the same shard as `id`. */
void neighbours_beside(struct club *club, const char *id, char other[GAME_ID_SIZE]);
