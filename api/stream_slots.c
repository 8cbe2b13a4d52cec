#include "api/stream_slots.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct stream_counter {
    struct stream_counter *next; /* in its bucket */
    int64_t count;
    uint8_t digest[SECRET_DIGEST_SIZE];
};

struct stream_slots {
    pthread_mutex_t lock;
    struct stream_slot_limits limits;
    int64_t count;
    struct stream_counter *buckets[BUCKETS];
};

struct stream_slots *stream_slots_create(const struct stream_slot_limits *limits)
{
    struct stream_slots *slots = calloc(1, sizeof *slots);
    if (!slots)
        return NULL;
    pthread_mutex_init(&slots->lock, NULL);
    slots->limits = *limits;
    return slots;
}

void stream_slots_destroy(struct stream_slots *slots)
{
    if (!slots)
        return;
    pthread_mutex_destroy(&slots->lock);
    free(slots);
}

size_t stream_slots_count(struct stream_slots *slots)
{
    pthread_mutex_lock(&slots->lock);
    size_t count = (size_t)slots->count;
    pthread_mutex_unlock(&slots->lock);
    return count;
}

/* Digests are random: two bytes of one are as good a hash as any. */
static struct stream_counter **bucket_of(struct stream_slots *slots, const uint8_t *digest)
{
    return &slots->buckets[(digest[0] | digest[1] << 8) % BUCKETS];
}

static struct stream_counter *find_or_add(struct stream_slots *slots, const uint8_t *digest)
{
    struct stream_counter **bucket = bucket_of(slots, digest);
    for (struct stream_counter *counter = *bucket; counter; counter = counter->next)
        if (memcmp(counter->digest, digest, sizeof counter->digest) == 0)
            return counter;
    struct stream_counter *counter = calloc(1, sizeof *counter);
    if (!counter)
        return NULL;
    memcpy(counter->digest, digest, sizeof counter->digest);
    counter->next = *bucket;
    *bucket = counter;
    return counter;
}

static void give_back(struct stream_slots *slots, struct stream_counter *counter)
{
    if (!counter || --counter->count > 0)
        return;
    struct stream_counter **link = bucket_of(slots, counter->digest);
    while (*link != counter)
        link = &(*link)->next;
    *link = counter->next;
    free(counter);
}

/* `full`: what it is called when that one has `most`. */
static enum stream_slot_status count(struct stream_slots *slots, const uint8_t *digest, int64_t most,
                                     enum stream_slot_status full, struct stream_counter **counter)
{
    struct stream_counter *found = find_or_add(slots, digest);
    if (!found)
        return STREAM_SLOT_NO_MEMORY;
    if (found->count >= most)
        return full;
    found->count++;
    *counter = found;
    return STREAM_SLOT_TAKEN;
}

static enum stream_slot_status take(struct stream_slots *slots, const uint8_t *address,
                                    struct stream_slot *slot)
{
    *slot = (struct stream_slot){0};
    if (slots->count >= slots->limits.all)
        return STREAM_SLOT_NONE;
    enum stream_slot_status status = STREAM_SLOT_TAKEN;
    if (address)
        status = count(slots, address, slots->limits.of_address, STREAM_SLOT_ADDRESS_FULL, &slot->address);
    slot->is_taken = status == STREAM_SLOT_TAKEN;
    slots->count += slot->is_taken;
    return status;
}

enum stream_slot_status stream_slot_take(struct stream_slots *slots, const uint8_t *address,
                                         struct stream_slot *slot)
{
    pthread_mutex_lock(&slots->lock);
    enum stream_slot_status status = take(slots, address, slot);
    pthread_mutex_unlock(&slots->lock);
    return status;
}

enum stream_slot_status stream_slot_count_client(struct stream_slots *slots, const uint8_t *client,
                                                 struct stream_slot *slot)
{
    pthread_mutex_lock(&slots->lock);
    enum stream_slot_status status =
        count(slots, client, slots->limits.of_client, STREAM_SLOT_CLIENT_FULL, &slot->client);
    pthread_mutex_unlock(&slots->lock);
    return status;
}

void stream_slot_release(struct stream_slots *slots, const struct stream_slot *slot)
{
    if (!slot->is_taken)
        return;
    pthread_mutex_lock(&slots->lock);
    slots->count--;
    give_back(slots, slot->address);
    give_back(slots, slot->client);
    pthread_mutex_unlock(&slots->lock);
}
