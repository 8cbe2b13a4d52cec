#include "api/picture_cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct entry {
    struct entry *next;          /* of its bucket */
    struct entry *newer, *older; /* order of use */
    uint64_t hash;
    size_t key_length, length;
    char data[]; /* key, picture */
};

struct picture_cache {
    pthread_mutex_t mutex;
    size_t budget, used; /* bytes */
    struct entry *newest, *oldest;
    struct entry *buckets[BUCKETS];
};

struct picture_cache *picture_cache_create(size_t bytes)
{
    struct picture_cache *cache = calloc(1, sizeof *cache);
    if (cache && pthread_mutex_init(&cache->mutex, NULL) != 0) {
        free(cache);
        return NULL;
    }
    if (cache)
        cache->budget = bytes;
    return cache;
}

void picture_cache_destroy(struct picture_cache *cache)
{
    if (!cache)
        return;
    for (struct entry *entry = cache->newest, *older; entry; entry = older) {
        older = entry->older;
        free(entry);
    }
    pthread_mutex_destroy(&cache->mutex);
    free(cache);
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

struct key {
    struct scene_part parts[SCENE_PARTS];
    size_t length; /* of all */
    uint64_t hash;
};

static struct key key_of(const struct scene *scene)
{
    struct key key = {.hash = scene_hash(scene)};
    scene_parts(scene, key.parts);
    for (int i = 0; i < SCENE_PARTS; i++)
        key.length += key.parts[i].length;
    return key;
}

static bool matches(const struct entry *entry, const struct key *key)
{
    if (entry->hash != key->hash || entry->key_length != key->length)
        return false;
    const char *at = entry->data;
    for (int i = 0; i < SCENE_PARTS; at += key->parts[i++].length) {
        if (memcmp(at, key->parts[i].bytes, key->parts[i].length) != 0)
            return false;
    }
    return true;
}

/* ---- the order of use; under the lock ------------------------------------------------------------------- */

static void unlink_entry(struct picture_cache *cache, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void link_newest(struct picture_cache *cache, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static size_t size_of(const struct entry *entry)
{
    return sizeof *entry + entry->key_length + entry->length;
}

static void drop_oldest(struct picture_cache *cache)
{
    struct entry *entry = cache->oldest, **link = &cache->buckets[entry->hash % BUCKETS];
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    unlink_entry(cache, entry);
    assert(cache->oldest != entry);
    cache->used -= size_of(entry);
    free(entry);
}

static struct entry *find(const struct picture_cache *cache, const struct key *key)
{
    struct entry *entry = cache->buckets[key->hash % BUCKETS];
    while (entry && !matches(entry, key))
        entry = entry->next;
    return entry;
}

/* ---- the two things that can be done -------------------------------------------------------------------- */

bool picture_cache_find(struct picture_cache *cache, const struct scene *scene, struct arena *arena,
                        const char **bytes, size_t *length)
{
    if (!cache)
        return false;
    struct key key = key_of(scene);
    char *copy = NULL;
    pthread_mutex_lock(&cache->mutex);
    struct entry *entry = find(cache, &key);
    if (entry) {
        unlink_entry(cache, entry);
        link_newest(cache, entry);
        *length = entry->length;
        copy = arena_copy(arena, entry->data + entry->key_length, entry->length);
    }
    pthread_mutex_unlock(&cache->mutex);
    *bytes = copy;
    return copy != NULL;
}

static struct entry *make_entry(const struct key *key, const char *bytes, size_t length)
{
    struct entry *entry = malloc(sizeof *entry + key->length + length);
    if (!entry)
        return NULL;
    *entry = (struct entry){.hash = key->hash, .key_length = key->length, .length = length};
    char *at = entry->data;
    for (int i = 0; i < SCENE_PARTS; at += key->parts[i++].length)
        memcpy(at, key->parts[i].bytes, key->parts[i].length);
    memcpy(at, bytes, length);
    return entry;
}

void picture_cache_keep(struct picture_cache *cache, const struct scene *scene, const char *bytes,
                        size_t length)
{
    struct key key = key_of(scene);
    struct entry *entry = cache ? make_entry(&key, bytes, length) : NULL;
    if (!entry)
        return;
    pthread_mutex_lock(&cache->mutex);
    bool fits = size_of(entry) <= cache->budget && !find(cache, &key);
    if (fits) {
        while (cache->used + size_of(entry) > cache->budget)
            drop_oldest(cache);
        entry->next = cache->buckets[key.hash % BUCKETS];
        cache->buckets[key.hash % BUCKETS] = entry;
        link_newest(cache, entry);
        cache->used += size_of(entry);
    }
    pthread_mutex_unlock(&cache->mutex);
    if (!fits)
        free(entry);
}
