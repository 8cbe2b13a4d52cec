/* credentials: who asks, by Authorization: Bearer (RFC 6750), or by a ticket.
 *
 * Layer: api. A token is looked at once, here, and only its digest goes on: no answer, no problem and no log has it. */
#pragma once

#include "api/text.h"

struct api;
struct caller;
struct exchange;

/* What is told of a token that was sent and is none of the game. */
#define TOKEN_OF_NOBODY "This token belongs to nobody in the game; a newer one may have replaced it."

/* Sets exchange->caller. What is no bearer token counts as one that nobody has. */
void credentials_read(struct exchange *exchange);
/* The same by a ticket for the game `id`, which is used up, but not by HEAD (RFC 9110 9.2.1). False, with nothing changed: there is no such ticket for it. */
bool credentials_use_ticket(struct exchange *exchange, struct text_span ticket, const char *id);
/* An operator whose key counts no more is one no longer: for whoever keeps a caller beyond his request. */
void credentials_ask_again(const struct api *api, struct caller *caller);
/* Whether the caller may make games (option `creators`). False: the response is a problem. */
bool credentials_may_create(struct exchange *exchange);
