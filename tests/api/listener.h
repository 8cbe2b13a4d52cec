/* listener: what tests of events ask again and again.
 *
 * A stream that is open is read on with answer_listen; it lives until the client closes. */
#pragma once

#include "tests/api/match.h"

/* GET from loopback with an Accept field and one more. */
struct answer *listener_ask(struct client *client, const char *target, const char *accept, const char *name,
                            const char *value);
/* The same of a path of a game. */
struct answer *listener_to(struct client *client, const char *id, const char *rest, const char *accept);
/* Server-sent events of a game, with a query; behind a Last-Event-ID. */
struct answer *listener_sse(struct client *client, const char *id, const char *query);
struct answer *listener_behind(struct client *client, const char *id, const char *last_event_id);
/* Events of several games; the target is written as printf does. */
__attribute__((format(printf, 3, 4))) struct answer *listener_many(struct client *client, const char *accept,
                                                                   const char *format, ...);

/* A game of one move, e4. */
const char *listener_game(struct client *client);
/* Moves parted by blanks, each an action of its own. */
void listener_play(struct client *client, const char *id, const char *moves);

/* How often the part is in the text. */
size_t listener_count(const char *text, const char *part);
/* The ids of an SSE text, with blanks: "1 2 3"; valid until the next call. */
const char *listener_ids(const char *text);
void assert_has(const char *text, const char *part);
