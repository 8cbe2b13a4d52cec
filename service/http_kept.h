/* http_kept: what the library has made of an answer that is sent again and again, kept with the answer's body.
 *
 * A response of the library costs two dozen allocations, and may be queued as often as one likes; but its header fields are
 * those of one request at a time, for X-Request-Id differs, and RateLimit where clients are counted. So it stands in the slot
 * of the body (api/http.h) while nobody sends it. Who takes it out has it alone; who finds none makes one, and of those the
 * first that is back stays.
 *
 * Layer: service; private to http_*.c. Threads: that of the exchange. */
#pragma once

struct MHD_Response;
struct http_exchange;

/* The response that was kept with the body of the exchange's answer, with what those two are for this one; it is the
 * exchange's until http_kept_leave. NULL: there is none, or its fields are others than these. */
struct MHD_Response *http_kept_take(struct http_exchange *exchange);
/* `mhd` was made for the answer and is queued: it becomes the exchange's where it may be sent again, else it is given back
 * to the library. */
void http_kept_add(struct http_exchange *exchange, struct MHD_Response *mhd);
/* The answer is out, or lost: the response goes back to its slot. Before the arena goes, which holds the body. */
void http_kept_leave(struct http_exchange *exchange);
