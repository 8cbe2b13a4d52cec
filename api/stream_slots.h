/* stream_slots: how many event streams are open: all of them, of each address, and of each client, which is a token, or else
 * all of an address that have none.
 *
 * Layer: api. Threads: any. Memory: one small block an address and a client that have streams. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/secret.h"

struct stream_slots;

struct stream_slot_limits {
    int64_t all, of_address, of_client; /* at least 1 */
};

/* NULL when memory is out. */
struct stream_slots *stream_slots_create(const struct stream_slot_limits *limits);
void stream_slots_destroy(struct stream_slots *slots);
size_t stream_slots_count(struct stream_slots *slots);

enum stream_slot_status {
    STREAM_SLOT_TAKEN,
    STREAM_SLOT_NONE,         /* all are taken */
    STREAM_SLOT_ADDRESS_FULL, /* this address has as many as it may */
    STREAM_SLOT_CLIENT_FULL,  /* this client has as many as it may */
    STREAM_SLOT_NO_MEMORY,
};

struct stream_counter;

/* What one stream counts for. Zero: nothing. */
struct stream_slot {
    bool is_taken;
    struct stream_counter *address, *client; /* NULL: it does not count for one */
};

/* Takes one of all, and one of the address with that digest; NULL: of none. */
enum stream_slot_status stream_slot_take(struct stream_slots *slots, const uint8_t *address,
                                         struct stream_slot *slot);
/* A slot that is taken counts for a client too. Digests of clients and of addresses differ. */
enum stream_slot_status stream_slot_count_client(struct stream_slots *slots, const uint8_t *client,
                                                 struct stream_slot *slot);
/* Gives back whatever it has taken. */
void stream_slot_release(struct stream_slots *slots, const struct stream_slot *slot);
