/* cache: answers that were made before, within a budget of bytes.
 *
 *     const struct cache_part key[] = {{&version, sizeof version}, {target, target_length}};
 *     if (!cache_find(cache, key, 2, arena, &found)) …
 *         make them, and cache_keep(cache, key, 2, bytes, length)
 *
 * Layer: api. Threads: any; one lock, which is held while one chain is looked at, and that of each entry that has to go;
 * never while bytes are copied or memory is freed.
 * Memory: what was found is not copied: the arena holds the entry until it is finished or reset, which is when the
 * answer has been sent. When the budget is spent, the entry that was not asked for longest goes; its memory lives as long
 * as some arena still holds it, which is no more than a copy in each arena would take.
 * A key is all that the answer depends on, compared byte by byte and part by part. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/arena.h"
#include "api/http.h"

struct cache;

struct cache_part {
    const void *bytes;
    size_t length;
};

enum { CACHE_PARTS_MAX = 8 };

/* As long as the arena. */
struct cache_found {
    const char *bytes;
    size_t length;
    struct response_slot *slot; /* of this answer: empty at first */
};

/* `budget`: bytes of all entries with their keys and what their slots may hold; with 0 nothing is kept. NULL where memory
 * is out: a cache that keeps nothing. */
struct cache *cache_create(size_t budget);
/* Entries that an arena holds live on. */
void cache_destroy(struct cache *cache);

/* At most CACHE_PARTS_MAX parts. False: not there, or memory is out. */
bool cache_find(struct cache *cache, const struct cache_part *parts, unsigned count, struct arena *arena,
                struct cache_found *found);
/* Keeps a copy. Nothing happens where it is there already, is larger than the budget, or memory is out. */
void cache_keep(struct cache *cache, const struct cache_part *parts, unsigned count, const char *bytes,
                size_t length);
/* The same where it was brought before, not long ago; else that is only noted. For what costs little more to make than to
 * keep, and is mostly asked for once. */
void cache_keep_again(struct cache *cache, const struct cache_part *parts, unsigned count, const char *bytes,
                      size_t length);
