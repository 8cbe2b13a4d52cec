/* forwarded: what proxies say of those whom they have forwarded a request for.
 *
 * Layer: api. Anybody may send such a field: api/client.h decides whom to believe. Memory: what is found points into
 * the value. Source: RFC 7239 4, 6 (Forwarded); X-Forwarded-For has no standard: a list of addresses. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "api/text.h"

enum { FORWARDED_HOPS_MAX = 32 };

/* One a proxy: the text of an address, with a port perhaps, or a word that stands for one; empty: it says nothing. The
 * nearest proxy comes last; of more than FORWARDED_HOPS_MAX the last ones. */
struct forwarded {
    struct text_span hops[FORWARDED_HOPS_MAX];
    size_t count;
};

/* The `for` of each element of a Forwarded field, without its quotes. False: the field is malformed. */
bool forwarded_read(const char *value, struct forwarded *forwarded);
/* The elements of an X-Forwarded-For field. */
void forwarded_read_list(const char *value, struct forwarded *forwarded);

/* The address without its port and brackets; empty where it is none ("unknown", "_hidden", "1.2.3.4:"). */
struct text_span forwarded_address(struct text_span hop);
