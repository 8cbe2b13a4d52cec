#include "tests/support/http_client.h"

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <sys/time.h>
#include <sys/un.h>
#include <unistd.h>

#include "tests/support/recording.h"

static bool connect_to(struct http_client *client, int family, const void *address, socklen_t size)
{
    *client = (struct http_client){.fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC, 0)};
    const struct timeval limit = {.tv_sec = HTTP_CLIENT_TIMEOUT_S};
    int on = 1;
    (void)setsockopt(client->fd, SOL_SOCKET, SO_RCVTIMEO, &limit, sizeof limit);
    (void)setsockopt(client->fd, SOL_SOCKET, SO_SNDTIMEO, &limit, sizeof limit);
    (void)setsockopt(client->fd, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (client->fd >= 0 && connect(client->fd, address, size) == 0)
        return true;
    http_client_close(client);
    return false;
}

bool http_client_open(struct http_client *client, const char *host, unsigned port)
{
    struct sockaddr_in v4 = {.sin_family = AF_INET, .sin_port = htons((in_port_t)port)};
    struct sockaddr_in6 v6 = {.sin6_family = AF_INET6, .sin6_port = htons((in_port_t)port)};
    *client = (struct http_client){.fd = -1};
    if (inet_pton(AF_INET, host, &v4.sin_addr) == 1)
        return connect_to(client, AF_INET, &v4, sizeof v4);
    return inet_pton(AF_INET6, host, &v6.sin6_addr) == 1 && connect_to(client, AF_INET6, &v6, sizeof v6);
}

bool http_client_open_unix(struct http_client *client, const char *path)
{
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    *client = (struct http_client){.fd = -1};
    if (strlen(path) >= sizeof address.sun_path)
        return false;
    memcpy(address.sun_path, path, strlen(path));
    return connect_to(client, AF_UNIX, &address, sizeof address);
}

void http_client_close(struct http_client *client)
{
    if (client->fd >= 0)
        (void)close(client->fd);
    free(client->data);
    *client = (struct http_client){.fd = -1};
}

bool http_client_send(struct http_client *client, const char *bytes, size_t length)
{
    while (length) {
        ssize_t sent = send(client->fd, bytes, length, MSG_NOSIGNAL);
        if (sent < 0)
            return false;
        bytes += sent;
        length -= (size_t)sent;
    }
    return true;
}

bool http_client_send_text(struct http_client *client, const char *text)
{
    return http_client_send(client, text, strlen(text));
}

void http_client_half_close(struct http_client *client)
{
    (void)shutdown(client->fd, SHUT_WR);
}

/* More bytes. 0: the end; -1: an error or the time is over. */
static ssize_t receive(struct http_client *client)
{
    if (client->capacity - client->length < 65536) {
        size_t capacity = client->capacity + 131072;
        char *data = realloc(client->data, capacity);
        if (!data)
            return -1;
        client->data = data;
        client->capacity = capacity;
    }
    ssize_t got = recv(client->fd, client->data + client->length, client->capacity - client->length - 1, 0);
    if (got > 0)
        client->length += (size_t)got;
    return got;
}

static bool receive_until(struct http_client *client, size_t length)
{
    while (client->length < length)
        if (receive(client) <= 0)
            return false;
    return true;
}

/* The offset behind `mark`, read as far as needed; 0: it does not come. */
static size_t find(struct http_client *client, size_t from, const char *mark)
{
    for (;;) {
        const char *found = client->length > from
                                ? memmem(client->data + from, client->length - from, mark, strlen(mark))
                                : NULL;
        if (found)
            return (size_t)(found - client->data) + strlen(mark);
        if (receive(client) <= 0)
            return 0;
    }
}

bool http_reply_field(const struct http_reply *reply, const char *name, char *value, size_t size)
{
    size_t length = strlen(name);
    for (const char *line = strstr(reply->head, "\r\n"); line && line[2]; line = strstr(line + 2, "\r\n")) {
        const char *field = line + 2;
        if (strncasecmp(field, name, length) != 0 || field[length] != ':')
            continue;
        field += length + 1;
        field += strspn(field, " ");
        (void)snprintf(value, size, "%.*s", (int)strcspn(field, "\r"), field);
        return true;
    }
    return false;
}

static bool add(struct http_reply *reply, const char *bytes, size_t length)
{
    char *grown = realloc(reply->body, reply->body_length + length + 1);
    if (!grown)
        return false;
    reply->body = grown;
    memcpy(grown + reply->body_length, bytes, length);
    reply->body_length += length;
    grown[reply->body_length] = '\0';
    return true;
}

/* Chunks from `at` on. The offset behind the last one; 0: malformed or cut. */
static size_t read_chunks(struct http_client *client, struct http_reply *reply, size_t at)
{
    for (;;) {
        size_t data = find(client, at, "\r\n");
        if (!data)
            return 0;
        char *end = NULL;
        size_t size = strtoul(client->data + at, &end, 16);
        if (end == client->data + at || !receive_until(client, data + size + 2))
            return 0;
        if (memcmp(client->data + data + size, "\r\n", 2) != 0)
            return 0;
        if (size == 0)
            return data + 2;
        if (!add(reply, client->data + data, size))
            return 0;
        at = data + size + 2;
    }
}

/* The offset behind the body that begins at `at`; 0: cut or malformed. */
static size_t read_body(struct http_client *client, bool is_head, struct http_reply *reply, size_t at)
{
    char value[64];
    if (!add(reply, "", 0))
        return 0;
    if (is_head || reply->status < 200 || reply->status == 204 || reply->status == 304)
        return at;
    if (http_reply_field(reply, "Transfer-Encoding", value, sizeof value))
        return read_chunks(client, reply, at);
    if (http_reply_field(reply, "Content-Length", value, sizeof value)) {
        size_t length = strtoul(value, NULL, 10);
        return receive_until(client, at + length) && add(reply, client->data + at, length) ? at + length : 0;
    }
    while (receive(client) > 0)
        ;
    return add(reply, client->data + at, client->length - at) ? client->length : 0;
}

bool http_client_read(struct http_client *client, bool is_head, struct http_reply *reply)
{
    *reply = (struct http_reply){0};
    size_t head = find(client, 0, "\r\n\r\n");
    if (!head || strncmp(client->data, "HTTP/1.", 7) != 0)
        return false;
    reply->head = strndup(client->data, head - 2);
    reply->status = (unsigned)strtoul(client->data + strlen("HTTP/1.1 "), NULL, 10);
    size_t end = reply->head ? read_body(client, is_head, reply, head) : 0;
    if (!end) {
        http_reply_finish(reply);
        return false;
    }
    memmove(client->data, client->data + end, client->length - end);
    client->length -= end;
    return true;
}

void http_reply_finish(struct http_reply *reply)
{
    free(reply->head);
    free(reply->body);
    *reply = (struct http_reply){0};
}

bool http_client_ask(struct http_client *client, const char *method, const char *target, const char *fields,
                     const char *body, struct http_reply *reply)
{
    char length[64] = "";
    *reply = (struct http_reply){0};
    if (body)
        (void)snprintf(length, sizeof length, "Content-Length: %zu\r\n", strlen(body));
    char *request = NULL;
    int size = asprintf(&request, "%s %s HTTP/1.1\r\nHost: localhost\r\n%s%s\r\n%s", method, target,
                        fields ? fields : "", length, body ? body : "");
    bool sent = size >= 0 && http_client_send(client, request, (size_t)size);
    if (size >= 0)
        free(request);
    if (!sent || !http_client_read(client, strcmp(method, "HEAD") == 0, reply))
        return false;
    if (recording_is_wanted())
        recording_append(&(struct recorded){
            .method = method,
            .target = target,
            .fields = fields,
            .body = body,
            .length = body ? strlen(body) : 0,
            .status = reply->status,
            .answer_fields = strstr(reply->head, "\r\n") + 2,
            .answer_body = reply->body,
            .answer_length = reply->body_length,
        });
    return true;
}

bool http_client_is_closed(struct http_client *client)
{
    if (client->length)
        return false;
    ssize_t got = receive(client);
    return got == 0 || (got < 0 && errno == ECONNRESET);
}
