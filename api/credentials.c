#include "api/credentials.h"

#include <string.h>
#include <strings.h>

#include "api/exchange.h"
#include "api/problem.h"
#include "api/text.h"
#include "api/tickets.h"
#include "games/games.h"

/* The token behind "Bearer"; of no length where the field has another form. */
static struct text_span bearer(const char *field)
{
    static const char scheme[] = "Bearer ";
    size_t length = sizeof scheme - 1;
    if (strncasecmp(field, scheme, length) != 0)
        return (struct text_span){field, 0};
    struct text_span token = {field + length, strlen(field + length)};
    text_trim(&token.text, &token.length);
    return token;
}

static bool is_operator(const struct api *api, const struct caller *caller)
{
    const struct api_service *service = &api->service;
    return service->is_operator && service->is_operator(service->context, caller->digest);
}

void credentials_read(struct exchange *exchange)
{
    struct caller *caller = &exchange->caller;
    const char *field = exchange_header(exchange, HEADER_AUTHORIZATION);
    if (!field || !*field)
        return;
    struct text_span token = bearer(field);
    caller->has_token = true;
    if (!secret_token_is_formed(token.text, token.length))
        return;
    secret_digest(token.text, token.length, caller->digest);
    exchange->token_purpose = token.text[1];
    caller->is_operator = token.text[1] == SECRET_OPERATOR && is_operator(exchange->api, caller);
}

void credentials_ask_again(const struct api *api, struct caller *caller)
{
    caller->is_operator = caller->is_operator && is_operator(api, caller);
}

bool credentials_use_ticket(struct exchange *exchange, struct text_span ticket, const char *id)
{
    const struct api *api = exchange->api;
    arena_wipe_at_end(exchange->arena);
    int64_t now_ms = games_service_ms(api->games);
    if (!(exchange->request->head_only ? tickets_look : tickets_redeem)(api->tickets, ticket, id, now_ms,
                                                                        &exchange->caller))
        return false;
    credentials_ask_again(api, &exchange->caller);
    return true;
}

bool credentials_may_create(struct exchange *exchange)
{
    const struct caller *caller = &exchange->caller;
    if (!exchange->api->settings.operators_create || caller->is_operator)
        return true;
    if (!caller->has_token)
        problem_reply(exchange, PROBLEM_TOKEN_REQUIRED,
                      "Games are made by operators here: send a key as Authorization: Bearer.");
    else if (!exchange->token_purpose || exchange->token_purpose == SECRET_OPERATOR)
        problem_reply(exchange, PROBLEM_TOKEN_INVALID, "This is no key of an operator of this service.");
    else
        problem_reply(exchange, PROBLEM_NOT_CREATOR, "Games are made by operators here.");
    return false;
}
