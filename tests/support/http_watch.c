#include "tests/support/http_watch.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

/* ---- bytes ---- */

/* False: nothing came, or nothing more will. */
static bool receive_with(struct http_watch *watch, int flags)
{
    struct http_client *client = &watch->client;
    if (client->capacity - client->length < 4096) {
        client->capacity = 2 * client->capacity + 16384;
        client->data = realloc(client->data, client->capacity);
        if (!client->data)
            abort();
    }
    ssize_t got =
        recv(client->fd, client->data + client->length, client->capacity - client->length - 1, flags);
    bool waits = got < 0 && (flags & MSG_DONTWAIT) && (errno == EAGAIN || errno == EWOULDBLOCK);
    watch->ended = got <= 0 && !waits;
    if (got <= 0)
        return false;
    client->length += (size_t)got;
    client->data[client->length] = '\0';
    return true;
}

static bool receive(struct http_watch *watch)
{
    return receive_with(watch, 0);
}

static void drop(struct http_client *client, size_t length)
{
    client->length -= length;
    memmove(client->data, client->data + length, client->length);
    client->data[client->length] = '\0';
}

static void add_text(struct http_watch *watch, const char *bytes, size_t length)
{
    if (watch->capacity < watch->length + length + 1) {
        watch->capacity = 2 * (watch->length + length + 1);
        watch->text = realloc(watch->text, watch->capacity);
        if (!watch->text)
            abort();
    }
    memcpy(watch->text + watch->length, bytes, length);
    watch->length += length;
    watch->text[watch->length] = '\0';
}

/* One whole chunk (RFC 9112 7.1); false: not all of it is there. */
static bool take_chunk(struct http_watch *watch)
{
    struct http_client *client = &watch->client;
    const char *line_end = client->length ? strstr(client->data, "\r\n") : NULL;
    if (!line_end)
        return false;
    char *size_end;
    size_t size = strtoul(client->data, &size_end, 16);
    size_t before = (size_t)(line_end - client->data) + 2;
    watch->broken = size_end != line_end || line_end == client->data;
    if (watch->broken || client->length < before + size + 2)
        return false;
    add_text(watch, client->data + before, size);
    drop(client, before + size + 2);
    watch->over = size == 0;
    return true;
}

static bool more(struct http_watch *watch)
{
    if (watch->over || watch->broken)
        return false;
    if (!watch->chunked) {
        watch->over = watch->client.length == 0 && !receive(watch);
        add_text(watch, watch->client.data ? watch->client.data : "", watch->client.length);
        watch->client.length = 0;
        return !watch->over;
    }
    while (!take_chunk(watch))
        if (watch->broken || !receive(watch)) {
            watch->broken = true;
            return false;
        }
    return true;
}

/* ---- the head ---- */

bool http_watch_field(const struct http_watch *watch, const char *name, char *value, size_t size)
{
    char *head = watch->head;
    struct http_reply reply = {.head = head};
    return http_reply_field(&reply, name, value, size);
}

static bool read_head(struct http_watch *watch)
{
    const char *end;
    char coding[32];
    while (!watch->client.length || !(end = strstr(watch->client.data, "\r\n\r\n")))
        if (!receive(watch))
            return false;
    size_t length = (size_t)(end - watch->client.data) + 2;
    watch->head = strndup(watch->client.data, length);
    drop(&watch->client, length + 2);
    watch->status = (unsigned)strtoul(watch->head + strlen("HTTP/1.1 "), NULL, 10);
    watch->chunked = http_watch_field(watch, "Transfer-Encoding", coding, sizeof coding);
    return true;
}

bool http_watch_begin(struct http_watch *watch, const struct http_client *client, const char *request)
{
    *watch = (struct http_watch){.client = *client};
    return http_client_send_text(&watch->client, request) && read_head(watch);
}

bool http_watch_open(struct http_watch *watch, unsigned port, const char *target, const char *fields)
{
    struct http_client client;
    char *request = NULL;
    *watch = (struct http_watch){.client.fd = -1};
    if (asprintf(&request, "GET %s HTTP/1.1\r\nHost: 127.0.0.1\r\n%s\r\n", target, fields ? fields : "") < 0)
        return false;
    bool open = http_client_open(&client, "127.0.0.1", port) && http_watch_begin(watch, &client, request);
    free(request);
    return open;
}

void http_watch_close(struct http_watch *watch)
{
    http_client_close(&watch->client);
    free(watch->head);
    free(watch->text);
    free(watch->taken);
    *watch = (struct http_watch){.client.fd = -1};
}

/* ---- the body ---- */

static const char *take(struct http_watch *watch, size_t length)
{
    free(watch->taken);
    watch->taken = strndup(watch->text ? watch->text : "", length);
    watch->length -= length;
    if (watch->text)
        memmove(watch->text, watch->text + length, watch->length + 1);
    return watch->taken;
}

const char *http_watch_until(struct http_watch *watch, const char *mark)
{
    for (;;) {
        const char *found = watch->text ? strstr(watch->text, mark) : NULL;
        if (found)
            return take(watch, (size_t)(found - watch->text) + strlen(mark));
        if (!more(watch))
            return NULL;
    }
}

const char *http_watch_rest(struct http_watch *watch)
{
    while (more(watch))
        ;
    return watch->over ? take(watch, watch->length) : NULL;
}

bool http_watch_poll(struct http_watch *watch)
{
    while (receive_with(watch, MSG_DONTWAIT))
        ;
    while (!watch->over && !watch->broken && take_chunk(watch))
        ;
    return !watch->over && !watch->broken && !watch->ended;
}

const char *http_watch_line(struct http_watch *watch)
{
    const char *end = watch->text ? strchr(watch->text, '\n') : NULL;
    return end ? take(watch, (size_t)(end - watch->text) + 1) : NULL;
}
