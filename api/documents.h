/* documents: files that are built into the binary: the API description, the cookbook, and the page with what it
 * loads, unless it was built without (make WITH_WEB=0).
 *
 * Layer: api. Made at build time by tools/embed.c. Source: RFC 9110 8.4 (Content-Encoding), 8.8.3 (ETag). */
#pragma once

#include <stddef.h>

#include "api/http.h"

struct exchange;

struct document {
    const char *name;  /* of the file: "openapi.yaml" */
    const char *tag;   /* other bytes, another tag: 16 hex digits */
    const char *bytes; /* `size` of them, then a NUL */
    size_t size;
    const char *gzip; /* the same compressed, `gzip_size` bytes; NULL where it was not */
    size_t gzip_size;
};

extern const struct document documents[];
extern const size_t document_count;

/* NULL: there is none. */
const struct document *document_find(const char *name);

/* Answers with it, compressed where the client takes that, or with 304 where the client has it; not-found where it is
 * NULL. The type is that of exchange->format. API_DONE. */
enum api_result document_reply(struct exchange *exchange, const struct document *document,
                               const char *cache_control);

/* Answers with the page `name`, under the policy that all pages have: scripts and styles of our own and nothing else
 * (CSP Level 3). */
enum api_result document_reply_page(struct exchange *exchange, const char *name);
