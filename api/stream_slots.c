#include "api/stream_slots.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

enum { BUCKETS = 1024 };

struct stream_client {
    struct stream_client *next; /* in its bucket */
    int64_t count;
    uint8_t digest[SECRET_DIGEST_SIZE];
};

struct stream_slots {
    pthread_mutex_t lock;
    int64_t most, most_of_client;
    int64_t count;
    struct stream_client *buckets[BUCKETS];
};

struct stream_slots *stream_slots_create(int64_t most, int64_t most_of_client)
{
    struct stream_slots *slots = calloc(1, sizeof *slots);
    if (!slots)
        return NULL;
    pthread_mutex_init(&slots->lock, NULL);
    slots->most = most;
    slots->most_of_client = most_of_client;
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
static struct stream_client **bucket_of(struct stream_slots *slots, const uint8_t *digest)
{
    return &slots->buckets[(digest[0] | digest[1] << 8) % BUCKETS];
}

static struct stream_client *find(struct stream_slots *slots, const uint8_t *digest)
{
    struct stream_client **bucket = bucket_of(slots, digest);
    for (struct stream_client *client = *bucket; client; client = client->next)
        if (memcmp(client->digest, digest, sizeof client->digest) == 0)
            return client;
    struct stream_client *client = calloc(1, sizeof *client);
    if (!client)
        return NULL;
    memcpy(client->digest, digest, sizeof client->digest);
    client->next = *bucket;
    *bucket = client;
    return client;
}

static void forget_if_idle(struct stream_slots *slots, struct stream_client *client)
{
    if (client->count > 0)
        return;
    struct stream_client **link = bucket_of(slots, client->digest);
    while (*link != client)
        link = &(*link)->next;
    *link = client->next;
    free(client);
}

static enum stream_slot_status take(struct stream_slots *slots, const uint8_t *digest,
                                    struct stream_client **client)
{
    *client = NULL;
    if (slots->count >= slots->most)
        return STREAM_SLOT_NONE;
    struct stream_client *found = digest ? find(slots, digest) : NULL;
    if (digest && !found)
        return STREAM_SLOT_NO_MEMORY;
    if (found && found->count >= slots->most_of_client)
        return STREAM_SLOT_CLIENT_FULL;
    if (found)
        found->count++;
    slots->count++;
    *client = found;
    return STREAM_SLOT_TAKEN;
}

enum stream_slot_status stream_slot_take(struct stream_slots *slots, const uint8_t *digest,
                                         struct stream_client **client)
{
    pthread_mutex_lock(&slots->lock);
    enum stream_slot_status status = take(slots, digest, client);
    pthread_mutex_unlock(&slots->lock);
    return status;
}

void stream_slot_release(struct stream_slots *slots, struct stream_client *client)
{
    pthread_mutex_lock(&slots->lock);
    slots->count--;
    if (client) {
        client->count--;
        forget_if_idle(slots, client);
    }
    pthread_mutex_unlock(&slots->lock);
}
