#include "games/repeat.h"

struct repeat_key repeat_part(const struct repeat_key *whole, uint64_t n)
{
    struct repeat_key part = *whole;
    unsigned char number[sizeof n];
    for (unsigned i = 0; i < sizeof number; i++)
        number[i] = (unsigned char)(n >> 8 * i);
    const struct secret_part parts[] = {{whole->id, sizeof whole->id}, {number, sizeof number}};
    secret_digest_parts(parts, sizeof parts / sizeof parts[0], part.id);
    return part;
}

struct storage_receipt repeat_seal(const struct repeat_key *key, const void *text, size_t length,
                                   void *sealed)
{
    secret_seal(&key->seal, text, length, sealed);
    return (struct storage_receipt){
        .id = key->id,
        .request = key->request,
        .answer = sealed,
        .answer_length = secret_sealed_size(length),
    };
}

enum repeat_status repeat_open(const struct repeat_key *key, const struct storage_receipt *receipt,
                               void *text)
{
    if (!secret_equal(key->request, receipt->request))
        return REPEAT_OTHER;
    return secret_open(&key->seal, receipt->answer, receipt->answer_length, text) ? REPEAT_OPENED
                                                                                  : REPEAT_DAMAGED;
}
