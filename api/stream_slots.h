/* stream_slots: how many event streams are open, of all clients and of each.
 *
 * Layer: api. Threads: any. Memory: one small block a client that has streams. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/secret.h"

struct stream_slots;

/* NULL when memory is out. */
struct stream_slots *stream_slots_create(int64_t most, int64_t most_of_client);
void stream_slots_destroy(struct stream_slots *slots);
size_t stream_slots_count(struct stream_slots *slots);

enum stream_slot_status {
    STREAM_SLOT_TAKEN,
    STREAM_SLOT_NONE,        /* all are taken */
    STREAM_SLOT_CLIENT_FULL, /* this client has as many as it may */
    STREAM_SLOT_NO_MEMORY,
};

struct stream_client;

/* For a client by its digest; NULL: one that is not counted by itself. *client is for stream_slot_release. */
enum stream_slot_status stream_slot_take(struct stream_slots *slots, const uint8_t *digest,
                                         struct stream_client **client);
void stream_slot_release(struct stream_slots *slots, struct stream_client *client);
