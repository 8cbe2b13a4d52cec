/* mutate: changes to a request as clients with faults, proxies and attackers make them. The same seed makes the same
 * changes. */
#pragma once

#include <stddef.h>
#include <stdint.h>

struct mutate_random {
    uint64_t state;
};

/* A number from 0 to `count` - 1. */
unsigned mutate_below(struct mutate_random *random, unsigned count);

enum { MUTATE_TEXT_SIZE = 65536 };

struct mutate_text {
    size_t length;
    char bytes[MUTATE_TEXT_SIZE];
};

/* One change to the request that begins at `begin` and lasts to the end of the text. Does nothing where there is no room
 * for it. Its name. */
const char *mutate(struct mutate_text *text, size_t begin, struct mutate_random *random);
