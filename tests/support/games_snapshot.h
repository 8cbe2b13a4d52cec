/* snapshot: a game copied out of the registry, with all that it points to, to be compared later.
 *
 * For tests of games and above. A snapshot keeps the keys that may come again from index 0 on, and no room
 * beyond what is in force, so two games that say the same have equal snapshots. */
#pragma once

#include "games/games.h"

struct snapshot {
    struct game game; /* everything in it is the snapshot's own */
};

/* NULL when memory is out; may be called under the lock of the registry. */
struct snapshot *snapshot_take(const struct game *game);
void snapshot_free(struct snapshot *snapshot); /* NULL is fine */

/* The name of the first member in which two games differ; NULL where they are the same. Static. */
const char *snapshot_difference(const struct snapshot *a, const struct snapshot *b);
/* The same of two positions, hidden members included. */
const char *snapshot_position_difference(const struct position *a, const struct position *b);
