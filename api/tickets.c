#include "api/tickets.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct ticket {
    uint8_t digest[SECRET_DIGEST_SIZE];
    int64_t expires_ms;
    bool used;
    struct ticket_holder holder;
};

/* A ring in order of issue, which is that of expiry. */
struct tickets {
    pthread_mutex_t lock;
    size_t capacity, first, count;
    struct ticket ring[];
};

struct tickets *tickets_create(size_t capacity)
{
    capacity = capacity ? capacity : 1;
    struct tickets *tickets = calloc(1, sizeof *tickets + capacity * sizeof(struct ticket));
    if (!tickets)
        return NULL;
    tickets->capacity = capacity;
    pthread_mutex_init(&tickets->lock, NULL);
    return tickets;
}

void tickets_destroy(struct tickets *tickets)
{
    if (!tickets)
        return;
    pthread_mutex_destroy(&tickets->lock);
    free(tickets);
}

static struct ticket *ticket_at(struct tickets *tickets, size_t i)
{
    return &tickets->ring[(tickets->first + i) % tickets->capacity];
}

static void drop_first(struct tickets *tickets)
{
    tickets->first = (tickets->first + 1) % tickets->capacity;
    tickets->count--;
}

static void drop_dead(struct tickets *tickets, int64_t now_ms)
{
    while (tickets->count && (ticket_at(tickets, 0)->used || ticket_at(tickets, 0)->expires_ms <= now_ms))
        drop_first(tickets);
}

void tickets_issue(struct tickets *tickets, const struct ticket_holder *holder, int64_t now_ms,
                   char ticket[SECRET_TOKEN_SIZE])
{
    struct ticket issued = {.expires_ms = now_ms + TICKET_LIFE_MS, .holder = *holder};
    secret_make_token(SECRET_TICKET, ticket);
    secret_digest(ticket, SECRET_TOKEN_LENGTH, issued.digest);
    pthread_mutex_lock(&tickets->lock);
    drop_dead(tickets, now_ms);
    if (tickets->count == tickets->capacity)
        drop_first(tickets);
    *ticket_at(tickets, tickets->count++) = issued;
    pthread_mutex_unlock(&tickets->lock);
}

/* With the lock held. NULL: there is none such for that game. */
static struct ticket *find(struct tickets *tickets, const uint8_t digest[SECRET_DIGEST_SIZE], const char *id,
                           int64_t now_ms)
{
    struct ticket *found = NULL;
    drop_dead(tickets, now_ms);
    for (size_t i = 0; i < tickets->count; i++) {
        struct ticket *ticket = ticket_at(tickets, i);
        if (!ticket->used && secret_equal(ticket->digest, digest))
            found = ticket;
    }
    return found && strcmp(found->holder.id, id) == 0 ? found : NULL;
}

static bool show(struct tickets *tickets, struct text_span text, const char *id, int64_t now_ms, bool uses,
                 struct caller *caller)
{
    uint8_t digest[SECRET_DIGEST_SIZE];
    if (!secret_token_is_formed(text.text, text.length))
        return false;
    secret_digest(text.text, text.length, digest);
    pthread_mutex_lock(&tickets->lock);
    struct ticket *found = find(tickets, digest, id, now_ms);
    if (found) {
        found->used = uses;
        *caller = found->holder.caller;
    }
    pthread_mutex_unlock(&tickets->lock);
    return found != NULL;
}

bool tickets_look(struct tickets *tickets, struct text_span text, const char *id, int64_t now_ms,
                  struct caller *caller)
{
    return show(tickets, text, id, now_ms, false, caller);
}

bool tickets_redeem(struct tickets *tickets, struct text_span text, const char *id, int64_t now_ms,
                    struct caller *caller)
{
    return show(tickets, text, id, now_ms, true, caller);
}
