/* retry: requests with an Idempotency-Key, which a client may send again: they are answered again, but act once.
 *
 * Layer: api. What an action was answered is sealed with the key and stored in the transaction of the action; a repeat
 * finds it there. Only what has written something leaves an answer: everything else is judged anew. The store keeps
 * digests of keys and requests, and cannot open an answer without the key. A key is a secret, which clients are told to
 * make at random: whoever has it, and repeats the request it came with, is told the answer, tokens included. It counts
 * with the text of Authorization, and is looked at before rights: a bearer whose token has been renewed since is told
 * again what he was told, and nothing is done. Of requests with one key one acts at a time; once it has left an answer
 * any number is told it at one time. Memory: the arena of the request. Threads: any.
 * Source: API 6.2, draft-ietf-httpapi-idempotency-key-header. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "api/http.h"
#include "games/repeat.h"

struct exchange;
struct games;
struct retries;

enum { RETRY_KEY_MAX = 128 /* bytes */ };

/* The requests with keys that are under way. NULL when memory is out. */
struct retries *retries_create(void);
void retries_destroy(struct retries *retries);

/* One of them. */
struct retry {
    struct repeat_key key;
    struct storage_receipt receipt; /* what retry_receipt has made */
    bool is_marked;                 /* a repeat of what retry_mark has marked */
    bool is_whole;                  /* a repeat of what retry_mark_whole has marked */
    struct retry *next;             /* under way, with the same hash */
};

/* For a POST with a key: sets exchange->retry, and true: nobody has answered it before. False: *result is API_BLOCKS,
 * or the response is complete: the answer of old, or a problem. True without a key. */
bool retry_begin(struct exchange *exchange, enum api_result *result);

/* The response as it is now, sealed, to be stored with the action that it tells of. NULL: memory is out, which the
 * response says. */
const struct storage_receipt *retry_receipt(struct exchange *exchange);

/* For what is many transactions: keeps the request without an answer, so that a repeat goes on and another request with
 * its key is found out; waits for the store. False: the response is a problem. */
bool retry_mark(struct exchange *exchange);

/* Of what is marked nothing is left to be done: a repeat of it changes nothing. Waits for the store; where that fails, the
 * next repeat does not know. */
void retry_mark_whole(struct exchange *exchange);

/* The request is answered: repeats may come. */
void retry_end(struct exchange *exchange);
