#include <stdlib.h>
#include <string.h>

#include "games/live.h"

enum { BUCKETS_FIRST = 16 };

/* FNV-1a over the twelve characters; ids are random, so any mix will do. */
static uint64_t hash_id(const char *id)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (int i = 0; i < GAME_ID_LENGTH; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001B3ULL;
    return hash ^ hash >> 32;
}

bool registry_init(struct registry *registry, size_t memory_bytes)
{
    memset(registry, 0, sizeof *registry);
    registry->shard_bytes = memory_bytes / REGISTRY_SHARDS;
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &registry->shards[i];
        pthread_mutex_init(&shard->lock, NULL);
        shard->buckets = calloc(BUCKETS_FIRST, sizeof(struct live *));
        shard->bucket_count = shard->buckets ? BUCKETS_FIRST : 0;
    }
    for (int i = 0; i < REGISTRY_SHARDS; i++)
        if (!registry->shards[i].buckets) {
            registry_finish(registry);
            return false;
        }
    return true;
}

void registry_finish(struct registry *registry)
{
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &registry->shards[i];
        while (shard->newest) {
            struct live *live = shard->newest;
            shard_remove(shard, live);
            live_destroy(live);
        }
        free((void *)shard->buckets);
        pthread_mutex_destroy(&shard->lock);
    }
}

struct shard *registry_shard(struct registry *registry, const char *id)
{
    return &registry->shards[hash_id(id) % REGISTRY_SHARDS];
}

static struct live **bucket_of(struct shard *shard, const char *id)
{
    return &shard->buckets[hash_id(id) / REGISTRY_SHARDS % shard->bucket_count];
}

static void unlink_use(struct shard *shard, struct live *live)
{
    *(live->newer ? &live->newer->older : &shard->newest) = live->older;
    *(live->older ? &live->older->newer : &shard->oldest) = live->newer;
}

static void link_newest(struct shard *shard, struct live *live)
{
    live->newer = NULL;
    live->older = shard->newest;
    *(shard->newest ? &shard->newest->newer : &shard->oldest) = live;
    shard->newest = live;
}

struct live *shard_find(struct shard *shard, const char *id)
{
    for (struct live *live = *bucket_of(shard, id); live; live = live->bucket_next)
        if (memcmp(live->game.id, id, GAME_ID_LENGTH) == 0) {
            if (shard->newest != live) {
                unlink_use(shard, live);
                link_newest(shard, live);
            }
            return live;
        }
    return NULL;
}

static void double_buckets(struct shard *shard)
{
    size_t count = shard->bucket_count * 2;
    struct live **larger = calloc(count, sizeof(struct live *));
    if (!larger)
        return; /* longer chains, nothing worse */
    free((void *)shard->buckets);
    shard->buckets = larger;
    shard->bucket_count = count;
    for (struct live *live = shard->oldest; live; live = live->newer) {
        struct live **bucket = bucket_of(shard, live->game.id);
        live->bucket_next = *bucket;
        *bucket = live;
    }
}

bool shard_insert(struct registry *registry, struct shard *shard, struct live *live)
{
    if (shard_find(shard, live->game.id))
        return false;
    if (shard->count >= shard->bucket_count)
        double_buckets(shard);
    struct live **bucket = bucket_of(shard, live->game.id);
    live->bucket_next = *bucket;
    *bucket = live;
    link_newest(shard, live);
    shard->count++;
    shard->bytes += live_bytes(live);
    shard_trim(registry, shard, live);
    return true;
}

void shard_remove(struct shard *shard, struct live *live)
{
    struct live **link = bucket_of(shard, live->game.id);
    while (*link != live)
        link = &(*link)->bucket_next;
    *link = live->bucket_next;
    unlink_use(shard, live);
    shard->count--;
    shard->bytes -= live_bytes(live);
    shard->departures++;
}

void shard_trim(struct registry *registry, struct shard *shard, const struct live *keep)
{
    struct live *live = shard->oldest;
    while (live && shard->bytes > registry->shard_bytes) {
        struct live *newer = live->newer;
        if (live != keep && !live->in_flight && !live->feed) {
            shard_remove(shard, live);
            live_destroy(live);
            shard->evictions++;
        }
        live = newer;
    }
}

void shard_resized(struct shard *shard, size_t before, size_t after)
{
    shard->bytes = shard->bytes - before + after;
}
