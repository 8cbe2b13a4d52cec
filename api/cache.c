#include "api/cache.h"

#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

enum {
    USUAL_ENTRY_BYTES = 2048, /* as many chains as there is room for such entries */
    BUCKETS_MIN = 16,
    BUCKETS_MAX = 1 << 16,
};

struct entry {
    atomic_uint holders;         /* arenas, and the cache while it is linked; the last one frees it */
    struct entry *next;          /* of its chain */
    struct entry *newer, *older; /* order of use */
    uint64_t hash;
    struct response_slot slot;
    size_t key_length, length;
    char data[]; /* the key, then the answer */
};

struct cache {
    pthread_mutex_t lock;
    uint64_t seed;       /* so that nobody can aim at one chain */
    size_t budget, used; /* bytes */
    struct entry *newest, *oldest;
    size_t bucket_mask;
    struct entry **buckets;
    atomic_uint *brought; /* of each bucket: the mark of what was brought last */
};

static size_t buckets_for(size_t budget)
{
    size_t buckets = BUCKETS_MIN;
    while (buckets < BUCKETS_MAX && buckets < budget / USUAL_ENTRY_BYTES)
        buckets *= 2;
    return buckets;
}

struct cache *cache_create(size_t budget)
{
    struct cache *cache = calloc(1, sizeof *cache);
    if (!cache)
        return NULL;
    size_t buckets = buckets_for(budget);
    cache->budget = budget;
    cache->bucket_mask = buckets - 1;
    cache->buckets = calloc(buckets, sizeof(struct entry *));
    cache->brought = calloc(buckets, sizeof *cache->brought);
    pthread_mutex_init(&cache->lock, NULL);
    if (cache->buckets && cache->brought &&
        getrandom(&cache->seed, sizeof cache->seed, 0) == (ssize_t)sizeof cache->seed)
        return cache;
    cache_destroy(cache);
    return NULL;
}

static void let_go(void *context)
{
    struct entry *entry = context;
    if (atomic_fetch_sub_explicit(&entry->holders, 1, memory_order_acq_rel) != 1)
        return;
    struct response_form *form = atomic_load_explicit(&entry->slot.form, memory_order_acquire);
    if (form)
        form->destroy(form);
    free(entry);
}

void cache_destroy(struct cache *cache)
{
    if (!cache)
        return;
    for (struct entry *entry = cache->newest, *older; entry; entry = older) {
        older = entry->older;
        let_go(entry);
    }
    pthread_mutex_destroy(&cache->lock);
    free(cache->buckets);
    free(cache->brought);
    free(cache);
}

/* ---- keys ---------------------------------------------------------------------------------------------- */

/* Each part stands behind its length, so that no two keys are one text. */
struct key {
    const struct cache_part *parts;
    unsigned count;
    size_t length; /* of all, as it is kept */
    uint64_t hash;
};

static uint64_t mix(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static uint64_t hash_part(uint64_t hash, const struct cache_part *part)
{
    const char *at = part->bytes;
    size_t left = part->length;
    uint64_t word;
    hash = mix(hash, left);
    for (; left >= sizeof word; left -= sizeof word, at += sizeof word) {
        memcpy(&word, at, sizeof word);
        hash = mix(hash, word);
    }
    word = 0;
    memcpy(&word, at, left);
    return mix(hash, word);
}

static struct key key_of(const struct cache *cache, const struct cache_part *parts, unsigned count)
{
    assert(count <= CACHE_PARTS_MAX);
    struct key key = {.parts = parts, .count = count, .hash = cache->seed};
    for (unsigned i = 0; i < count; i++) {
        key.length += sizeof parts[i].length + parts[i].length;
        key.hash = hash_part(key.hash, &parts[i]);
    }
    return key;
}

static void write_key(char *at, const struct key *key)
{
    for (unsigned i = 0; i < key->count; i++) {
        const struct cache_part *part = &key->parts[i];
        at = mempcpy(at, &part->length, sizeof part->length);
        at = mempcpy(at, part->bytes, part->length);
    }
}

static bool matches(const struct entry *entry, const struct key *key)
{
    if (entry->hash != key->hash || entry->key_length != key->length)
        return false;
    const char *at = entry->data;
    for (unsigned i = 0; i < key->count; i++) {
        const struct cache_part *part = &key->parts[i];
        if (memcmp(at, &part->length, sizeof part->length) != 0 ||
            memcmp(at + sizeof part->length, part->bytes, part->length) != 0)
            return false;
        at += sizeof part->length + part->length;
    }
    return true;
}

/* ---- the order of use; under the lock ------------------------------------------------------------------- */

static void unlink_use(struct cache *cache, const struct entry *entry)
{
    *(entry->newer ? &entry->newer->older : &cache->newest) = entry->older;
    *(entry->older ? &entry->older->newer : &cache->oldest) = entry->newer;
}

static void make_newest(struct cache *cache, struct entry *entry)
{
    entry->newer = NULL;
    entry->older = cache->newest;
    *(cache->newest ? &cache->newest->newer : &cache->oldest) = entry;
    cache->newest = entry;
}

static size_t size_with(size_t key_length, size_t length)
{
    return sizeof(struct entry) + RESPONSE_FORM_BYTES + key_length + length;
}

static size_t size_of(const struct entry *entry)
{
    return size_with(entry->key_length, entry->length);
}

static struct entry **chain_of(const struct cache *cache, uint64_t hash)
{
    return &cache->buckets[hash & cache->bucket_mask];
}

static struct entry *find(const struct cache *cache, const struct key *key)
{
    struct entry *entry = *chain_of(cache, key->hash);
    while (entry && !matches(entry, key))
        entry = entry->next;
    return entry;
}

/* It becomes the first of `*dropped`, linked by `next`, to be let go when the lock is. */
static void drop_oldest(struct cache *cache, struct entry **dropped)
{
    struct entry *entry = cache->oldest, **link = chain_of(cache, entry->hash);
    while (*link != entry)
        link = &(*link)->next;
    *link = entry->next;
    unlink_use(cache, entry);
    assert(cache->oldest != entry);
    cache->used -= size_of(entry);
    entry->next = *dropped;
    *dropped = entry;
}

/* ---- what can be done ----------------------------------------------------------------------------------- */

bool cache_find(struct cache *cache, const struct cache_part *parts, unsigned count, struct arena *arena,
                struct cache_found *found)
{
    if (!cache)
        return false;
    struct key key = key_of(cache, parts, count);
    pthread_mutex_lock(&cache->lock);
    struct entry *entry = find(cache, &key);
    if (entry) {
        atomic_fetch_add_explicit(&entry->holders, 1, memory_order_relaxed);
        unlink_use(cache, entry);
        make_newest(cache, entry);
    }
    pthread_mutex_unlock(&cache->lock);
    if (!entry)
        return false;
    if (!arena_hold(arena, let_go, entry)) {
        let_go(entry);
        return false;
    }
    *found = (struct cache_found){entry->data + entry->key_length, entry->length, &entry->slot};
    return true;
}

static struct entry *make_entry(const struct key *key, const char *bytes, size_t length)
{
    struct entry *entry = malloc(sizeof *entry + key->length + length);
    if (!entry)
        return NULL;
    *entry = (struct entry){.holders = 1, .hash = key->hash, .key_length = key->length, .length = length};
    write_key(entry->data, key);
    memcpy(entry->data + key->length, bytes, length);
    return entry;
}

/* The entries that make room for it. */
static struct entry *link_entry(struct cache *cache, struct entry *entry)
{
    struct entry *dropped = NULL;
    while (cache->used + size_of(entry) > cache->budget)
        drop_oldest(cache, &dropped);
    struct entry **chain = chain_of(cache, entry->hash);
    entry->next = *chain;
    *chain = entry;
    make_newest(cache, entry);
    cache->used += size_of(entry);
    return dropped;
}

static void let_all_go(struct entry *first)
{
    for (struct entry *entry = first, *next; entry; entry = next) {
        next = entry->next;
        let_go(entry);
    }
}

static void keep(struct cache *cache, const struct key *key, const char *bytes, size_t length)
{
    if (length > cache->budget || size_with(key->length, length) > cache->budget)
        return;
    struct entry *entry = make_entry(key, bytes, length);
    if (!entry)
        return;
    pthread_mutex_lock(&cache->lock);
    bool is_new = !find(cache, key); /* another thread may have been as fast */
    struct entry *dropped = is_new ? link_entry(cache, entry) : entry;
    pthread_mutex_unlock(&cache->lock);
    let_all_go(dropped);
}

void cache_keep(struct cache *cache, const struct cache_part *parts, unsigned count, const char *bytes,
                size_t length)
{
    if (!cache)
        return;
    struct key key = key_of(cache, parts, count);
    keep(cache, &key, bytes, length);
}

/* A mark that two keys share, or that another one has taken, costs a rendering or a copy. */
static bool was_brought(struct cache *cache, const struct key *key)
{
    unsigned mark = (unsigned)(key->hash >> 32);
    return atomic_exchange_explicit(&cache->brought[key->hash & cache->bucket_mask], mark,
                                    memory_order_relaxed) == mark;
}

void cache_keep_again(struct cache *cache, const struct cache_part *parts, unsigned count, const char *bytes,
                      size_t length)
{
    if (!cache)
        return;
    struct key key = key_of(cache, parts, count);
    if (was_brought(cache, &key))
        keep(cache, &key, bytes, length);
}
