/* feed: the events of one live game that somebody has still to take, and those who do.
 *
 * Layer: games, private. Locks: what changes a feed is called with the lock of the game's shard held, and pokes subscribers
 * under it (events.h): an event costs one poke for each, in the thread that publishes. feed_read_log is called with none;
 * feed_render, and what counts the texts that wait, with it or with none. A feed hangs on a live game while somebody
 * watches it, and keeps it in memory; when the game is removed it lives on until the last one has left. Memory: a text is
 * shared; an item goes when the last subscriber has taken it. */
#pragma once

#include "games/events.h"
#include "games/live.h"

struct change;

struct feed_item {
    struct feed_item *next;
    struct event_text *text;
    /* Is not told of itself; compared alone, as it may have left. NULL: nobody. */
    const struct subscriber *about;
    size_t readers; /* subscribers that have still to take it */
};

struct feed {
    struct live *live;              /* NULL: removed */
    struct feed_item *first, *last; /* in order */
    struct subscriber *subscribers;
    size_t count; /* of them */
};

/* The subscriber gets whatever is published from now on. False: memory is out. */
bool feed_join(struct live *live, struct subscriber *subscriber);
/* It counts as presence from here on. */
void feed_arrive(struct games *games, struct subscriber *subscriber);
void feed_leave(struct games *games, struct subscriber *subscriber);
/* The next item, with a reference of the caller's; NULL: none. */
struct event_text *feed_take(struct games *games, struct subscriber *subscriber);
/* What it has still to take is dropped. */
void feed_skip(struct games *games, struct subscriber *subscriber);
/* It is told that it has to begin again. */
void feed_cut(struct games *games, struct subscriber *subscriber);

/* To be called before a change gets one row more: what its last one tells is rendered from the view as it is now, where
 * somebody watches. */
void feed_render_ahead(struct games *games, struct change *change);
/* The rows of a change, which the game has published. Who began to watch between the judging and the publishing of several
 * rows, and with more rows than may wait whoever watches, is cut and goes on with its cursor. */
void feed_publish(struct games *games, struct live *live, struct change *change);
/* Who is not admitted any more is cut. */
void feed_admit_again(struct games *games, struct live *live);
/* How the clock of the game stands by the wall clock of now, which no row tells. NULL: memory is out. */
struct event_text *feed_render_clock(struct games *games, const struct game *game);
/* Tells that to all who watch, where a clock runs. */
void feed_tell_clock(struct games *games, struct live *live);
/* The game leaves memory, and its events have to be begun again. */
void feed_drop(struct games *games, struct live *live);
/* The game was removed, which is the last that is told of it. */
void feed_remove(struct games *games, struct live *live);

/* An event that has no row, or a snapshot. NULL: memory is out. */
struct event_text *feed_render(struct games *games, struct game_event *event, const struct game *game);

/* The events of the log with after < version <= until, which is the version of now, in order, each given to `take`, whose
 * text it is. Blocks.
 * GAMES_OK: all of them, unless *stopped: `take` has returned false, or more than EVENTS_REPLAYED_PLIES had to be played
 * again. */
struct feed_range {
    const char *id;
    uint32_t after, until;
    bool (*take)(void *context, struct event_text *text);
    void *context;
};
enum games_status feed_read_log(struct games *games, const struct feed_range *range, bool *stopped);

/* Texts that wait to be taken may take so much memory, all together. */
void feed_count_bytes(struct games *games, const struct event_text *text);
void feed_uncount_bytes(struct games *games, const struct event_text *text);
bool feed_has_room(const struct games *games);
