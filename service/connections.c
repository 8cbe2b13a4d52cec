#include "service/connections.h"

#include <arpa/inet.h>
#include <netinet/in.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

#include "service/monotonic.h"

enum {
    LOOK_MS = 250,
    FRESH_MS = 1500, /* so long a connection that became idle is looked at for an end that was missed */
    LEAST_PART = 3,  /* of its time a first request has after its line: a browser opens connections early */
};

struct connections {
    pthread_mutex_t lock;
    pthread_cond_t stopped;
    struct connection *first;
    size_t count;
    bool stopping;
    void (*on_expired)(void *context);
    void (*on_look)(void *context);
    void *context;
    pthread_t thread;
};

static int64_t read_ms(const _Atomic int64_t *ms)
{
    return atomic_load_explicit(ms, memory_order_relaxed);
}

static enum connection_state state_of(const struct connection *connection)
{
    return (enum connection_state)atomic_load_explicit(&connection->state, memory_order_relaxed);
}

/* The library may have missed an end that came together with bytes: with a part of a request, or with one that is
 * answered by now. Later ends of an idle connection it sees by itself. */
static bool may_have_missed(const struct connection *connection, int64_t now_ms)
{
    enum connection_state state = state_of(connection);
    int64_t past_ms = now_ms - read_ms(&connection->since_ms);
    return past_ms >= LOOK_MS &&
           (state == CONNECTION_READING || (state == CONNECTION_IDLE && past_ms < FRESH_MS));
}

/* The client has ended its side, and no byte of it is left to be read. */
static bool has_gone(const struct connection *connection, int64_t now_ms)
{
    char byte = 0;
    return may_have_missed(connection, now_ms) &&
           recv(connection->fd, &byte, 1, MSG_PEEK | MSG_DONTWAIT) == 0;
}

static void look_at(struct connections *connections, struct connection *connection, int64_t now_ms)
{
    int64_t deadline_ms = read_ms(&connection->deadline_ms);
    if (deadline_ms && now_ms >= deadline_ms) {
        (void)shutdown(connection->fd, SHUT_RDWR);
        atomic_store_explicit(&connection->deadline_ms, 0, memory_order_relaxed);
        if (state_of(connection) != CONNECTION_IDLE)
            connections->on_expired(connections->context);
    } else if (has_gone(connection, now_ms)) {
        /* The reading side has ended anyway; this wakes the library, and an answer could still leave. */
        (void)shutdown(connection->fd, SHUT_RD);
    }
}

static void look_at_all(struct connections *connections)
{
    int64_t now_ms = monotonic_coarse_ms();
    for (struct connection *c = connections->first; c; c = c->next)
        look_at(connections, c, now_ms);
}

static void *watch(void *argument)
{
    struct connections *connections = argument;
    pthread_mutex_lock(&connections->lock);
    while (!connections->stopping) {
        struct timespec at = monotonic_after(LOOK_MS);
        (void)pthread_cond_timedwait(&connections->stopped, &connections->lock, &at);
        look_at_all(connections);
        pthread_mutex_unlock(&connections->lock);
        connections->on_look(connections->context);
        pthread_mutex_lock(&connections->lock);
    }
    pthread_mutex_unlock(&connections->lock);
    return NULL;
}

static void release(struct connections *connections)
{
    pthread_cond_destroy(&connections->stopped);
    pthread_mutex_destroy(&connections->lock);
    free(connections);
}

struct connections *connections_create(void (*on_expired)(void *context), void (*on_look)(void *context),
                                       void *context)
{
    struct connections *connections = calloc(1, sizeof *connections);
    if (!connections)
        return NULL;
    connections->on_expired = on_expired;
    connections->on_look = on_look;
    connections->context = context;
    pthread_mutex_init(&connections->lock, NULL);
    monotonic_cond_init(&connections->stopped);
    if (pthread_create(&connections->thread, NULL, watch, connections) == 0)
        return connections;
    release(connections);
    return NULL;
}

void connections_destroy(struct connections *connections)
{
    if (!connections)
        return;
    pthread_mutex_lock(&connections->lock);
    connections->stopping = true;
    pthread_cond_signal(&connections->stopped);
    pthread_mutex_unlock(&connections->lock);
    pthread_join(connections->thread, NULL);
    release(connections);
}

static void name_client(struct connection *connection, const struct sockaddr *client)
{
    const void *address = NULL;
    struct sockaddr_in v4;
    struct sockaddr_in6 v6;
    int family = client ? client->sa_family : AF_UNSPEC;
    if (family == AF_INET) {
        memcpy(&v4, client, sizeof v4);
        address = &v4.sin_addr;
    } else if (family == AF_INET6) {
        memcpy(&v6, client, sizeof v6);
        address = &v6.sin6_addr;
    }
    if (!address || !inet_ntop(family, address, connection->client, sizeof connection->client))
        memcpy(connection->client, "unix", sizeof "unix");
}

struct connection *connections_add(struct connections *connections, int fd, const struct sockaddr *client,
                                   bool late, int64_t idle_ms)
{
    struct connection *connection = calloc(1, sizeof *connection);
    if (!connection)
        return NULL;
    connection->fd = fd;
    connection->late = late;
    connection_enter(connection, CONNECTION_IDLE, idle_ms);
    name_client(connection, client);
    pthread_mutex_lock(&connections->lock);
    connection->next = connections->first;
    if (connection->next)
        connection->next->previous = connection;
    connections->first = connection;
    connections->count++;
    pthread_mutex_unlock(&connections->lock);
    return connection;
}

void connections_remove(struct connections *connections, struct connection *connection)
{
    pthread_mutex_lock(&connections->lock);
    if (connection->previous)
        connection->previous->next = connection->next;
    else
        connections->first = connection->next;
    if (connection->next)
        connection->next->previous = connection->previous;
    connections->count--;
    pthread_mutex_unlock(&connections->lock);
    free(connection);
}

void connection_enter(struct connection *connection, enum connection_state state, int64_t ms)
{
    int64_t now_ms = monotonic_coarse_ms();
    atomic_store_explicit(&connection->deadline_ms, ms ? now_ms + ms : 0, memory_order_relaxed);
    atomic_store_explicit(&connection->since_ms, now_ms, memory_order_relaxed);
    atomic_store_explicit(&connection->state, (int)state, memory_order_relaxed);
}

void connection_begin(struct connection *connection, int64_t ms)
{
    int64_t waited_ms = connection->has_begun ? 0 : monotonic_coarse_ms() - read_ms(&connection->since_ms);
    int64_t left_ms = ms - waited_ms;
    connection->has_begun = true;
    connection_enter(connection, CONNECTION_READING, left_ms > ms / LEAST_PART ? left_ms : ms / LEAST_PART);
}

void connection_hurry(struct connection *connection, int64_t ms)
{
    int64_t latest_ms = monotonic_coarse_ms() + ms;
    int64_t deadline_ms = atomic_load_explicit(&connection->deadline_ms, memory_order_relaxed);
    while ((!deadline_ms || deadline_ms > latest_ms) &&
           !atomic_compare_exchange_weak_explicit(&connection->deadline_ms, &deadline_ms, latest_ms,
                                                  memory_order_relaxed, memory_order_relaxed))
        ;
}

int64_t connections_shut_idle(struct connections *connections, int64_t idle_ms)
{
    int64_t now_ms = monotonic_coarse_ms(), next_ms = 0;
    pthread_mutex_lock(&connections->lock);
    for (struct connection *c = connections->first; c; c = c->next) {
        int64_t left_ms = read_ms(&c->since_ms) + idle_ms - now_ms;
        if (state_of(c) != CONNECTION_IDLE)
            continue;
        if (left_ms <= 0)
            (void)shutdown(c->fd, SHUT_RD);
        else if (!next_ms || left_ms < next_ms)
            next_ms = left_ms;
    }
    pthread_mutex_unlock(&connections->lock);
    return next_ms;
}

size_t connections_count(struct connections *connections)
{
    pthread_mutex_lock(&connections->lock);
    size_t count = connections->count;
    pthread_mutex_unlock(&connections->lock);
    return count;
}
