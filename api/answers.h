/* answers: reads of games that were rendered before.
 *
 * Layer: api, over api/cache.h. An answer of a game at a version is the same for all who may read it: whoever asks here
 * has let the game say so (game_view). It depends on the game, its entity tag, the target as it was asked for, the form that
 * was agreed on, and the host that its links name; on nothing else, so that no answer may be kept that shows the time, or
 * who asks. Header fields are written anew. */
#pragma once

#include "api/cache.h"
#include "api/exchange.h"
#include "games/game.h"

enum { ANSWER_PARTS = 3 };

struct answer_key {
    struct {
        int64_t game;     /* the store's own number, which is never used again */
        int64_t shift_ms; /* of its clock (api/etag.h) */
        uint32_t version;
        uint32_t format;
    } what;
    struct cache_part parts[ANSWER_PARTS]; /* the first one is `what` */
    unsigned count;                        /* of the parts */
};

/* Valid while the exchange is and where it stands: its parts point into both. */
void answer_key_of(const struct exchange *exchange, const struct game *game, struct answer_key *key);

/* Answers with what was kept; false: nothing was. */
bool answer_find(struct exchange *exchange, const struct answer_key *key, const struct game *game);
/* Keeps the answer of the exchange, if it is a success with a body, and was asked for before: most positions of a game are
 * read once by the one who is to move. */
void answer_keep(const struct exchange *exchange, const struct answer_key *key);
