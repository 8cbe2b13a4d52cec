/* live: a game in memory, and the registry of all of them.
 *
 * Layer: games, private. The registry is split into shards by id; a shard's lock guards its games. A game in the registry
 * is awake, a struct live, or at rest (games/rest.h): awake is what somebody acts on or watches, and the few games of each
 * shard that were so last. */
#pragma once

#include <pthread.h>

#include "games/games.h"

struct action;
struct feed;

/* Actions in order of arrival, linked by `next`. A zeroed list is not valid: action_list_init. */
struct action_list {
    struct action *first, **end;
};
void action_list_init(struct action_list *list);
void action_list_add(struct action_list *list, struct action *action);
/* The first one, taken out; NULL when there is none. */
struct action *action_list_take(struct action_list *list);

/* Where a game stands in its shard: the head of a struct live or, where it rests, of a struct rest. */
struct entry {
    struct entry *bucket_next;
    struct entry *newer, *older; /* order of use within the shard */
    char id[GAME_ID_LENGTH];     /* from when it is inserted on */
    bool rests;
};

struct live {
    struct entry entry;
    bool recent; /* one of shard.recent */
    struct game game;
    struct action *in_flight;   /* judged, or waiting for the store or the solver */
    struct action_list waiting; /* for the one in flight */
    struct feed *feed;          /* those who watch, who keep it in memory; NULL: nobody */
};

/* A game with no history of its own yet. NULL when memory is out. */
struct live *live_create(const char *id);
void live_destroy(struct live *live);
/* An action is in flight, or somebody watches. */
bool live_is_busy(const struct live *live);
/* Bytes that the game costs, the allocator's own included. */
size_t live_bytes(const struct live *live);
/* Makes room for `plies` moves, and `keys` keys beyond the present ones. */
bool live_reserve(struct live *live, unsigned plies, unsigned keys);
/* Drops keys that cannot come again, and room for many more of them than are there. */
void live_compact(struct live *live);
/* Replaces names and metadata; copies them. */
bool live_set_texts(struct live *live, const struct game_texts *texts);
bool live_set_start(struct live *live, const struct position *start);
/* The clock at its beginning; NULL: untimed. */
bool live_set_clock(struct live *live, const struct time_control *control);
/* A copy; NULL: open. */
bool live_set_seats(struct live *live, const struct game_seats *seats);

/* ---- for rest.c ---- */

/* Frees the game but for what it owns besides moves and keys. */
void live_leave(struct live *live);
/* What a game owns besides moves and keys. */
void live_free_owned(const struct game *game);
size_t live_owned_bytes(const struct game *game);
/* What a block of that size takes of the heap. */
size_t live_allocated(size_t bytes);

struct game_texts *game_texts_copy(const struct game_texts *texts); /* one block; NULL when memory is out */
bool game_texts_empty(const struct game_texts *texts);

enum { REGISTRY_SHARDS = 64, SHARD_RECENT = 8 };

/* A load that is under way, on the stack of who does it. */
struct loading {
    const char *id;
    bool stale; /* the game was there meanwhile and has left: what is being read may be older */
    struct loading *next;
};

struct shard {
    pthread_mutex_t lock;
    struct entry **buckets;
    size_t bucket_count, count, bytes;
    size_t resting; /* of `count` */
    struct entry *newest, *oldest;
    struct live *recent[SHARD_RECENT]; /* awake, whether or not they are busy */
    unsigned recent_next;              /* the place of the next one */
    struct loading *loading;
    pthread_cond_t loaded; /* one of them is over */
    uint64_t loads, evictions, damaged;
};

struct registry {
    struct shard shards[REGISTRY_SHARDS];
    size_t shard_bytes; /* budget of one shard */
};

bool registry_init(struct registry *registry, size_t memory_bytes);
void registry_finish(struct registry *registry);
struct shard *registry_shard(struct registry *registry, const char *id);

/* With the shard's lock held: */
struct entry *shard_find(struct shard *shard, const char *id); /* and marks it as used */
void entry_view(struct entry *entry, void (*view)(void *context, const struct game *game), void *context);
/* Where it is awake; else NULL. */
struct live *entry_awake(struct entry *entry);
/* Wakes it, where it rests: then `entry` is no more. NULL: it rests, and memory is out. */
struct live *shard_wake(struct shard *shard, struct entry *entry);
bool shard_insert(struct registry *registry, struct shard *shard, struct live *live);
void shard_remove(struct shard *shard, struct live *live); /* does not destroy it */
/* Whenever a game may be busy no longer: it is one of the recent ones then, the first of which goes to rest. `live` does
 * not. */
void shard_settle(struct shard *shard, struct live *live);
/* Drops the least recently used games that nobody waits for or watches until the budget holds; `keep` stays. */
void shard_trim(struct registry *registry, struct shard *shard, const struct live *keep);
/* To be called when the size of a game has changed. */
void shard_resized(struct shard *shard, size_t before, size_t after);

/* A load begins, with no other of the same id under way. */
void shard_begin_loading(struct shard *shard, struct loading *loading);
bool shard_is_loading(const struct shard *shard, const char *id);
void shard_end_loading(struct shard *shard, const struct loading *loading);
