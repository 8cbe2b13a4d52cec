#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "games/rest.h"

/* A game's share of the buckets, of which there are up to twice as many as games. */
enum { BUCKETS_FIRST = 16, SHARE_BYTES = 2 * sizeof(struct entry *) };

/* FNV-1a over the twelve characters; ids are random, so any mix will do. */
static uint64_t hash_id(const char *id)
{
    uint64_t hash = 0xCBF29CE484222325ULL;
    for (int i = 0; i < GAME_ID_LENGTH; i++)
        hash = (hash ^ (unsigned char)id[i]) * 0x100000001B3ULL;
    return hash ^ hash >> 32;
}

/* ---- a game in either form ---- */

static struct live *as_live(struct entry *entry)
{
    return (struct live *)((char *)entry - offsetof(struct live, entry));
}

static struct rest *as_rest(struct entry *entry)
{
    return (struct rest *)((char *)entry - offsetof(struct rest, entry));
}

static size_t entry_bytes(struct entry *entry)
{
    return SHARE_BYTES + (entry->rests ? rest_bytes(as_rest(entry)) : live_bytes(as_live(entry)));
}

static void entry_destroy(struct entry *entry)
{
    if (entry->rests)
        rest_destroy(as_rest(entry));
    else
        live_destroy(as_live(entry));
}

void entry_view(struct entry *entry, void (*view)(void *context, const struct game *game), void *context)
{
    if (entry->rests) {
        struct game game = rest_view(as_rest(entry));
        view(context, &game);
    } else {
        view(context, &as_live(entry)->game);
    }
}

struct live *entry_awake(struct entry *entry)
{
    return entry->rests ? NULL : as_live(entry);
}

/* ---- all of them ---- */

bool registry_init(struct registry *registry, size_t memory_bytes)
{
    memset(registry, 0, sizeof *registry);
    registry->shard_bytes = memory_bytes / REGISTRY_SHARDS;
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &registry->shards[i];
        pthread_mutex_init(&shard->lock, NULL);
        pthread_cond_init(&shard->loaded, NULL);
        shard->buckets = calloc(BUCKETS_FIRST, sizeof(struct entry *));
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
        for (struct entry *entry = shard->newest, *older; entry; entry = older) {
            older = entry->older;
            entry_destroy(entry);
        }
        free((void *)shard->buckets);
        pthread_cond_destroy(&shard->loaded);
        pthread_mutex_destroy(&shard->lock);
    }
}

struct shard *registry_shard(struct registry *registry, const char *id)
{
    return &registry->shards[hash_id(id) % REGISTRY_SHARDS];
}

/* ---- found by id, and in order of use ---- */

static struct entry **bucket_of(struct shard *shard, const char *id)
{
    return &shard->buckets[hash_id(id) / REGISTRY_SHARDS % shard->bucket_count];
}

static struct entry **link_to(struct shard *shard, const struct entry *entry)
{
    struct entry **link = bucket_of(shard, entry->id);
    while (*link != entry)
        link = &(*link)->bucket_next;
    return link;
}

static void unlink_use(struct shard *shard, struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &shard->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &shard->oldest) = entry->newer;
}

static void link_newest(struct shard *shard, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = shard->newest;
    *(shard->newest ? &shard->newest->newer : &shard->oldest) = entry;
    shard->newest = entry;
}

struct entry *shard_find(struct shard *shard, const char *id)
{
    for (struct entry *entry = *bucket_of(shard, id); entry; entry = entry->bucket_next)
        if (memcmp(entry->id, id, GAME_ID_LENGTH) == 0) {
            if (shard->newest != entry) {
                unlink_use(shard, entry);
                link_newest(shard, entry);
            }
            return entry;
        }
    return NULL;
}

static void double_buckets(struct shard *shard)
{
    size_t count = shard->bucket_count * 2;
    struct entry **larger = calloc(count, sizeof(struct entry *));
    if (!larger)
        return; /* longer chains, nothing worse */
    free((void *)shard->buckets);
    shard->buckets = larger;
    shard->bucket_count = count;
    for (struct entry *entry = shard->oldest; entry; entry = entry->newer) {
        struct entry **bucket = bucket_of(shard, entry->id);
        entry->bucket_next = *bucket;
        *bucket = entry;
    }
}

/* ---- awake and at rest ---- */

/* `entry` is a copy of the one that `link` names, whose place it takes. */
static void take_place(struct shard *shard, struct entry **link, struct entry *entry)
{
    *link = entry;
    *(entry->newer ? &entry->newer->older : &shard->newest) = entry;
    *(entry->older ? &entry->older->newer : &shard->oldest) = entry;
}

/* Where memory is out it stays awake. */
static void put_to_rest(struct shard *shard, struct live *live)
{
    struct rest *rest = rest_create(live);
    if (!rest)
        return;
    take_place(shard, link_to(shard, &live->entry), &rest->entry);
    shard_resized(shard, live_bytes(live), rest_bytes(rest));
    shard->resting++;
    live_leave(live);
}

void shard_settle(struct shard *shard, struct live *live)
{
    if (live->recent)
        return;
    struct live **place = &shard->recent[shard->recent_next++ % SHARD_RECENT];
    struct live *first = *place;
    *place = live;
    live->recent = true;
    if (!first)
        return;
    first->recent = false;
    if (!live_is_busy(first))
        put_to_rest(shard, first);
}

struct live *shard_wake(struct shard *shard, struct entry *entry)
{
    if (!entry->rests)
        return as_live(entry);
    size_t before = rest_bytes(as_rest(entry));
    struct entry **link = link_to(shard, entry);
    struct live *live = rest_wake(as_rest(entry));
    if (!live)
        return NULL;
    take_place(shard, link, &live->entry);
    shard_resized(shard, before, live_bytes(live));
    shard->resting--;
    shard_settle(shard, live);
    return live;
}

/* ---- in and out ---- */

bool shard_insert(struct registry *registry, struct shard *shard, struct live *live)
{
    if (shard_find(shard, live->game.id))
        return false;
    if (shard->count >= shard->bucket_count)
        double_buckets(shard);
    struct entry *entry = &live->entry;
    memcpy(entry->id, live->game.id, GAME_ID_LENGTH);
    struct entry **bucket = bucket_of(shard, entry->id);
    entry->bucket_next = *bucket;
    *bucket = entry;
    link_newest(shard, entry);
    shard->count++;
    shard->bytes += entry_bytes(entry);
    shard_settle(shard, live);
    shard_trim(registry, shard, live);
    return true;
}

static void forget_recent(struct shard *shard, struct live *live)
{
    for (unsigned i = 0; live->recent && i < SHARD_RECENT; i++)
        if (shard->recent[i] == live) {
            shard->recent[i] = NULL;
            live->recent = false;
        }
}

static void take_out(struct shard *shard, struct entry *entry)
{
    if (!entry->rests)
        forget_recent(shard, as_live(entry));
    *link_to(shard, entry) = entry->bucket_next;
    unlink_use(shard, entry);
    shard->count--;
    shard->resting -= entry->rests;
    shard->bytes -= entry_bytes(entry);
    for (struct loading *loading = shard->loading; loading; loading = loading->next)
        loading->stale |= memcmp(loading->id, entry->id, GAME_ID_LENGTH) == 0;
}

void shard_remove(struct shard *shard, struct live *live)
{
    take_out(shard, &live->entry);
}

void shard_trim(struct registry *registry, struct shard *shard, const struct live *keep)
{
    struct entry *entry = shard->oldest;
    while (entry && shard->bytes > registry->shard_bytes) {
        struct entry *newer = entry->newer;
        if (entry->rests || (as_live(entry) != keep && !live_is_busy(as_live(entry)))) {
            take_out(shard, entry);
            entry_destroy(entry);
            shard->evictions++;
        }
        entry = newer;
    }
}

void shard_resized(struct shard *shard, size_t before, size_t after)
{
    shard->bytes = shard->bytes - before + after;
}

/* ---- loads under way ---- */

void shard_begin_loading(struct shard *shard, struct loading *loading)
{
    loading->next = shard->loading;
    shard->loading = loading;
}

bool shard_is_loading(const struct shard *shard, const char *id)
{
    for (const struct loading *loading = shard->loading; loading; loading = loading->next)
        if (memcmp(loading->id, id, GAME_ID_LENGTH) == 0)
            return true;
    return false;
}

void shard_end_loading(struct shard *shard, const struct loading *loading)
{
    struct loading **link = &shard->loading;
    while (*link != loading)
        link = &(*link)->next;
    *link = loading->next;
    pthread_cond_broadcast(&shard->loaded);
}
