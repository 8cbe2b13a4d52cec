/* etag: entity tags of games: "v<version>" for JSON, "v<version>.txt" … for other formats.
 *
 * Layer: api. Source: RFC 9110 8.8.3 (strong tags), 13.1.1 (If-Match), 13.1.2 (If-None-Match). */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "api/http.h"

struct exchange;

/* Sets ETag for that version in the format of the answer; after reply_begin or reply_empty. */
void etag_set(struct exchange *exchange, uint32_t version);

/* If-None-Match names this version in this format (weak comparison, lists, "*"): answer
 * `etag_not_modified(exchange, version)`, which is 304 with the tag. For GET and HEAD only; false else. */
bool etag_is_current(const struct exchange *exchange, uint32_t version);
enum api_result etag_not_modified(struct exchange *exchange, uint32_t version);

/* What If-Match asks for. */
struct etag_condition {
    bool given;
    bool any; /* "*": whatever version there is */
    unsigned count;
    uint32_t versions[8]; /* any of these; count 0 and not any: no version can fit */
};
/* Tags of any format of ours name a version; weak tags never match. */
struct etag_condition etag_condition(const struct exchange *exchange);
/* True where no condition was given. */
bool etag_condition_holds(const struct etag_condition *condition, uint32_t version);
