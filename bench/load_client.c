#include "bench/load_client.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <unistd.h>

enum { FIRST_CAPACITY = 8192 };

bool client_open(struct client *client, const struct target *target, int epoll)
{
    client->fd = target_connect(target);
    if (client->fd < 0) {
        client->fd = 0;
        return false;
    }
    client->is_waiting = false;
    client->length = 0;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = client};
    return epoll_ctl(epoll, EPOLL_CTL_ADD, client->fd, &event) == 0;
}

void client_close(struct client *client)
{
    if (client->fd > 0)
        (void)close(client->fd);
    free(client->bytes);
    *client = (struct client){0};
}

bool client_reopen(struct client *client, const struct target *target, int epoll)
{
    bool is_waiting = client->is_waiting;
    if (client->fd > 0)
        (void)close(client->fd);
    bool is_open = client_open(client, target, epoll);
    client->is_waiting = is_waiting;
    return is_open;
}

bool client_ask_again(struct client *client, const struct target *target)
{
    char request[TARGET_REQUEST_SIZE];
    size_t length = target_request(target, client->asked, &client->values, request);
    client->length = 0;
    client->is_waiting = true;
    return client->fd > 0 && length > 0 && send(client->fd, request, length, MSG_NOSIGNAL) == (ssize_t)length;
}

bool client_ask(struct client *client, const struct target *target, enum request_kind kind,
                const struct request_values *values, uint64_t due_ns)
{
    client->asked = kind;
    client->values = *values;
    client->due_ns = due_ns;
    return client_ask_again(client, target);
}

static bool make_room(struct client *client)
{
    if (client->length + 1 < client->capacity)
        return true;
    size_t capacity = client->capacity ? 2 * client->capacity : FIRST_CAPACITY;
    char *bytes = realloc(client->bytes, capacity);
    if (!bytes)
        return false;
    client->bytes = bytes;
    client->capacity = capacity;
    return true;
}

enum client_status client_receive(struct client *client, struct answer *answer)
{
    if (!make_room(client))
        return CLIENT_LOST;
    ssize_t got = recv(client->fd, client->bytes + client->length, client->capacity - client->length - 1, 0);
    if (got < 0 && (errno == EAGAIN || errno == EINTR))
        return CLIENT_GOES_ON;
    if (got <= 0 || !client->is_waiting)
        return CLIENT_LOST;
    client->length += (size_t)got;
    client->bytes[client->length] = '\0';
    switch (answer_read(client->bytes, client->length, answer)) {
    case ANSWER_GOES_ON:
        return CLIENT_GOES_ON;
    case ANSWER_WHOLE:
        client->is_waiting = false;
        return CLIENT_ANSWERED;
    case ANSWER_BROKEN:
        break;
    }
    return CLIENT_LOST;
}
