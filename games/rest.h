/* rest: a game in memory that nobody acts on or watches, in one block without a gap.
 *
 * Layer: games, private. Most games in memory are of this kind (registry.c says which), and reads are served from it: a
 * view is made on the stack of who reads, and points into the block. What few games have stays where it was, the block
 * keeps the pointers to it. Threads: the lock of the shard. */
#pragma once

#include "games/live.h"

struct rest {
    struct entry entry;
    uint64_t present; /* bit n: word n of the game is not 0, and stands here */
    uint64_t words[]; /* these words, then the keys that may come again, then the moves in force */
};

/* Takes over what the game owns but for its moves and keys; the caller frees the rest of `live` with live_leave. NULL when
 * memory is out: nothing has happened. */
struct rest *rest_create(const struct live *live);
/* The game awake again, for which `rest` gives all that it owns and is freed. NULL when memory is out: nothing has
 * happened. */
struct live *rest_wake(struct rest *rest);
void rest_destroy(struct rest *rest);
/* As live_bytes. */
size_t rest_bytes(struct rest *rest);

/* The game as it rests, good for as long as it does; nothing in it may be changed. */
struct game rest_view(struct rest *rest);
