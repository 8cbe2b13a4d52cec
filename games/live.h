/* live: a game in memory, and the registry of all of them.
 *
 * Layer: games, private. The registry is split into shards by id; a shard's lock guards its games. */
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

struct live {
    struct game game;
    struct live *bucket_next;
    struct live *newer, *older; /* order of use within the shard */
    struct action *in_flight;   /* waiting for the store or the solver */
    struct action_list waiting; /* for the one in flight */
    struct feed *feed;          /* those who watch, who keep it in memory; NULL: nobody */
};

/* A game with no history of its own yet. NULL when memory is out. */
struct live *live_create(const char *id);
void live_destroy(struct live *live);
/* Bytes that the game costs, allocator included as far as one can know. */
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

struct game_texts *game_texts_copy(const struct game_texts *texts); /* one block; NULL when memory is out */
bool game_texts_empty(const struct game_texts *texts);

enum { REGISTRY_SHARDS = 64 };

struct shard {
    pthread_mutex_t lock;
    struct live **buckets;
    size_t bucket_count, count, bytes;
    struct live *newest, *oldest;
    uint64_t departures; /* games that left: a load that began before one must look again */
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
struct live *shard_find(struct shard *shard, const char *id); /* and marks it as used */
bool shard_insert(struct registry *registry, struct shard *shard, struct live *live);
void shard_remove(struct shard *shard, struct live *live); /* does not destroy it */
/* Drops the least recently used games that nobody waits for or watches until the budget holds; `keep` stays. */
void shard_trim(struct registry *registry, struct shard *shard, const struct live *keep);
/* To be called when the size of a game has changed. */
void shard_resized(struct shard *shard, size_t before, size_t after);
