/* repeat: what is kept of a request that may be repeated, as a receipt of the store.
 *
 * Layer: games, over storage, whose receipts it hands on to the layer above. A receipt is found by a digest of the
 * request's key; what is told by it is sealed, so that only who has the key reads it. Memory: the caller's. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/secret.h"
#include "storage/storage.h"

_Static_assert((int)SECRET_DIGEST_SIZE == (int)STORAGE_DIGEST_SIZE, "ids of receipts are digests");

struct repeat_key {
    uint8_t id[SECRET_DIGEST_SIZE];      /* of the receipt */
    uint8_t request[SECRET_DIGEST_SIZE]; /* what was asked for: a key belongs to one request */
    struct secret_part seal;             /* what only the client knows */
};

/* The key of the n-th part of what is stored in parts. */
struct repeat_key repeat_part(const struct repeat_key *whole, uint64_t n);

/* A receipt whose answer is `length` bytes of `text`, sealed into `sealed`, which has secret_sealed_size(length) bytes.
 * It points to both. */
struct storage_receipt repeat_seal(const struct repeat_key *key, const void *text, size_t length,
                                   void *sealed);

enum repeat_status {
    REPEAT_OPENED = 0,
    REPEAT_OTHER,   /* the receipt is that of another request */
    REPEAT_DAMAGED, /* it does not open, or has another length */
};

/* Whether the receipt is of this request. REPEAT_OPENED: its answer, of secret_opened_size(receipt->answer_length)
 * bytes, is in `text`, which has room for so many. */
enum repeat_status repeat_open(const struct repeat_key *key, const struct storage_receipt *receipt,
                               void *text);
