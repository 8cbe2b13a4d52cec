/* api_stub: an api of a few routes, one for each way in which a request can be answered.
 *
 *   /healthz          200 at once
 *   /v1/fast          200 at once, some 600 bytes of JSON
 *   /v1/echo          200 with the body of the request
 *   /v1/header        200 with the value of the field that the query names
 *   /v1/blocks        API_BLOCKS, then 200 from a pool thread
 *   /v1/always-blocks API_BLOCKS, whoever asks
 *   /v1/pending       API_PENDING, woken by a thread
 *   /v1/early         API_PENDING, woken before api_handle returns
 *   /v1/both          API_BLOCKS, then API_WORKS from the pool thread, then API_PENDING
 *   /v1/held          API_PENDING, woken by api_stub_release only
 *   /v1/stream        200 with a stream that says what api_stub_say is told, "quiet\n" when it is quiet for 300 ms,
 *                     "bye\n" at the end of the service; twenty million dots first where the query is "dots"
 *   /v1/work          200 with a stream that says "worked\n" after each of three works, of which each waits for
 *                     api_stub_let_work, or until the client has gone
 *   /v1/bad-header    200 with a header that holds a line end
 *   /v1/again         200 with a body that is kept, the target 900 bytes long; there is room for two of them. Prefer comes
 *                     back as X-Prefer, and "close" closes
 *   anything else     404
 * Refusals answer the status that their slug has, and the slug as the body. */
#pragma once

#include <stddef.h>

#include "api/api.h"

struct api *api_stub_create(void);
/* Requests of /v1/held that wait now; waits until there are `count`. */
void api_stub_wait_held(struct api *api, size_t count);
/* Wakes all of them. */
void api_stub_release(struct api *api);

/* The slot of the body that /v1/again has for that target, which must not be evicted meanwhile. */
struct response_slot *api_stub_slot(struct api *api, const char *target);

/* Every stream that is open says it. */
void api_stub_say(struct api *api, const char *text);
/* Every stream that is open ends when it has said all. */
void api_stub_end_streams(struct api *api);
/* From now on /v1/work does not wait. */
void api_stub_let_work(struct api *api);
/* Waits until so many works have begun and are waiting. */
void api_stub_wait_working(struct api *api, size_t count);
/* Waits until so many streams are open. */
void api_stub_wait_streams(struct api *api, size_t count);
