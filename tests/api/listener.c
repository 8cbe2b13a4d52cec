#include "tests/api/listener.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

/* An answer that is a stream is read on; the client keeps it. */
struct answer *listener_ask(struct client *client, const char *target, const char *accept, const char *name,
                            const char *value)
{
    struct call call = {.method = "GET",
                        .target = target,
                        .headers = {{"Accept", accept}, {name, value}},
                        .scope = REQUEST_SCOPE_LOOPBACK,
                        .client = "127.0.0.1"};
    union {
        const struct answer *sent;
        struct answer *read_on;
    } answer = {client_send(client, &call)};
    return answer.read_on;
}

struct answer *listener_to(struct client *client, const char *id, const char *rest, const char *accept)
{
    return listener_ask(client, match_path(id, rest), accept, NULL, NULL);
}

struct answer *listener_sse(struct client *client, const char *id, const char *query)
{
    char rest[256];
    (void)snprintf(rest, sizeof rest, "/events%s", query);
    return listener_to(client, id, rest, "text/event-stream");
}

struct answer *listener_behind(struct client *client, const char *id, const char *last_event_id)
{
    return listener_ask(client, match_path(id, "/events"), "text/event-stream", "Last-Event-ID",
                        last_event_id);
}

void listener_play(struct client *client, const char *id, const char *moves)
{
    char *words = strdup(moves), *rest = NULL;
    assert_non_null(words);
    for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
        assert_status(client_curl(client, match_path(id, "/moves"), word), 201);
    free(words);
}

size_t listener_count(const char *text, const char *part)
{
    size_t found = 0;
    for (const char *at = text; (at = strstr(at, part)); at += strlen(part))
        found++;
    return found;
}

/* The ids of the events of an SSE text, with blanks: "1 2 3". */
const char *listener_ids(const char *text)
{
    static char ids[4096];
    ids[0] = '\0';
    size_t length = 0;
    for (const char *at = text; (at = strstr(at, "id: ")); at++)
        if (at == text || at[-1] == '\n')
            length += (size_t)snprintf(ids + length, sizeof ids - length, "%s%.*s", length ? " " : "",
                                       (int)strcspn(at + 4, "\n"), at + 4);
    return ids;
}

void assert_has(const char *text, const char *part)
{
    if (!strstr(text, part))
        fail_msg("\"%s\" is not in: %s", part, text);
}

/* A game of one move. */
const char *listener_game(struct client *client)
{
    const char *id = match_new(client);
    listener_play(client, id, "e4");
    return id;
}

struct answer *listener_many(struct client *client, const char *accept, const char *format, ...)
{
    char target[1024];
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(target, sizeof target, format, arguments);
    va_end(arguments);
    return listener_ask(client, target, accept, NULL, NULL);
}
