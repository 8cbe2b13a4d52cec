/* tickets: stand in for a token once and for a short while, where no header field can be sent (a browser's EventSource).
 *
 * Layer: api. Memory: fixed; where it is full the oldest ticket dies. In memory alone: no ticket outlives the process.
 * Threads: any.
 * Source: API 4.5. */
#pragma once

#include "api/text.h"
#include "games/seats.h"

enum {
    TICKET_LIFE_MS = 60000,
    TICKET_TEXT_MAX = 128, /* bytes that are read; longer ones are no tickets */
};

/* Whom a ticket stands for, and in which game. */
struct ticket_holder {
    char id[GAME_ID_SIZE];
    struct caller caller;
};

struct tickets;

/* Room for so many, at least one. NULL when memory is out. */
struct tickets *tickets_create(size_t capacity);
void tickets_destroy(struct tickets *tickets);

/* A ticket that can be used until now_ms + TICKET_LIFE_MS. Times: milliseconds of a clock that does not go back. */
void tickets_issue(struct tickets *tickets, const struct ticket_holder *holder, int64_t now_ms,
                   char ticket[SECRET_TOKEN_SIZE]);
/* Uses a ticket for the game `id` up, and says whom it stood for. False, with nothing changed: there is none such for that
 * game, or no more. */
bool tickets_redeem(struct tickets *tickets, struct text_span text, const char *id, int64_t now_ms,
                    struct caller *caller);
/* The same, and the ticket stays good. */
bool tickets_look(struct tickets *tickets, struct text_span text, const char *id, int64_t now_ms,
                  struct caller *caller);
