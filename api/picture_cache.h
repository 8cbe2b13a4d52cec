/* picture_cache: pictures that were drawn before, within a budget of bytes.
 *
 * Layer: api. Threads: any. A picture is found by all that is to be seen on it and by its words, compared byte by byte.
 * When the budget is spent, the picture that was not asked for longest goes. */
#pragma once

#include "api/picture.h"

struct picture_cache;

/* `bytes`: the budget; with 0 nothing is kept. NULL where memory is out: a cache that keeps nothing. */
struct picture_cache *picture_cache_create(size_t bytes);
void picture_cache_destroy(struct picture_cache *cache);

/* A copy in the arena. False: not there, or memory is out. */
bool picture_cache_find(struct picture_cache *cache, const struct scene *scene, struct arena *arena,
                        const char **bytes, size_t *length);
/* Keeps a copy; where memory is out or it is too large, nothing happens. */
void picture_cache_keep(struct picture_cache *cache, const struct scene *scene, const char *bytes,
                        size_t length);
