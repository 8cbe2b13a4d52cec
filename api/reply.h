/* reply: writing an answer.
 *
 *     struct writer *out = reply_begin(exchange, 200);
 *     json_object_begin(out, NULL); … json_object_end(out);
 *     return reply_end(exchange);
 *
 * Layer: api. A failed allocation is noticed in reply_end, which then answers `internal`. */
#pragma once

#include <stdint.h>

#include "api/http.h"
#include "api/json.h"

struct exchange;

/* Clears the response, sets status and Content-Type (exchange->format) and opens its writer. */
struct writer *reply_begin(struct exchange *exchange, unsigned status);
/* The body is what was written, ending with a newline. API_DONE. */
enum api_result reply_end(struct exchange *exchange);
/* An answer without a body: 204, 304. API_DONE. */
enum api_result reply_empty(struct exchange *exchange, unsigned status);
/* A body that was not written by the writer: `length` bytes in the arena; after reply_begin. API_DONE. */
enum api_result reply_bytes(struct exchange *exchange, const char *body, size_t length);
/* A body that is not written but there: `length` bytes of static text, or of what the arena holds. API_DONE. */
enum api_result reply_static(struct exchange *exchange, const char *body, size_t length);

/* A body that is written as it comes. False: nothing is to be read from the stream, which is still the caller's: memory is
 * out, or the request is a HEAD. */
bool reply_stream(struct exchange *exchange, const struct response_stream *stream);

/* Adds a header field; after reply_begin or reply_empty. The value is static or in the arena. A name given
 * twice replaces the first. */
void reply_header(struct exchange *exchange, const char *name, const char *value);
/* The value that the field has; NULL: it has none. */
const char *reply_header_value(const struct exchange *exchange, const char *name);
__attribute__((format(printf, 3, 4))) void reply_headerf(struct exchange *exchange, const char *name,
                                                         const char *format, ...);
/* Cache-Control where it is not the usual: no-store for anything but a successful GET, no-cache for that. */
void reply_cache(struct exchange *exchange, const char *cache_control);
/* Of what is as good as static. */
extern const char REPLY_FIVE_MINUTES[];
