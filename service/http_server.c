#include "service/http_server.h"

#include <stdio.h>
#include <stdlib.h>

#include "service/connections.h"
#include "service/http_exchange.h"
#include "service/http_internal.h"
#include "service/http_stream.h"
#include "service/listener.h"
#include "service/log.h"
#include "service/metrics.h"
#include "service/monotonic.h"

enum {
    /* Of a connection in the library, for the head of a request, a node for each field of it, and the head of the answer:
     * the price of an idle connection. Whatever is within the limits fits. Parameters and cookies take nothing: see
     * http_begin. */
    LEAST_CONNECTION_MEMORY = 16384,
    ANSWER_MEMORY = 4096,
    /* The library's own timeout only backs up ours. */
    BACKUP_SECONDS = 5,
    /* Whoever has just connected, or has just been answered, is likely to have a request on its way. */
    LINGER_MS = 100,
    LINGER_LOOK_MS = 5,
};

static void note_expired(void *context)
{
    const struct http_server *server = context;
    metrics_deadline_passed(server->parts.metrics);
}

static void look_at_streams(void *context)
{
    const struct http_server *server = context;
    http_streams_look(server->streams);
}

static bool init(struct http_server *server)
{
    pthread_mutex_init(&server->lock, NULL);
    monotonic_cond_init(&server->answered);
    pthread_rwlock_init(&server->handing, NULL);
    server->bodies.memory_bytes = server->settings.body_memory;
    server->streams = http_streams_create();
    if (server->streams)
        server->connections = connections_create(note_expired, look_at_streams, server);
    return server->connections != NULL;
}

static size_t connection_memory(const struct http_settings *settings)
{
    size_t bytes = settings->head_bytes + settings->header_fields * HTTP_FIELD_MEMORY + ANSWER_MEMORY;
    return bytes > LEAST_CONNECTION_MEMORY ? bytes : LEAST_CONNECTION_MEMORY;
}

struct http_server *http_server_create(const struct http_settings *settings, const struct http_parts *parts)
{
    struct http_server *server = calloc(1, sizeof *server);
    if (!server)
        return NULL;
    int64_t longest_ms = settings->idle_ms > settings->request_ms ? settings->idle_ms : settings->request_ms;
    server->settings = *settings;
    server->connection_memory = connection_memory(settings);
    server->timeout_s = (unsigned)(longest_ms / 1000) + BACKUP_SECONDS;
    server->parts = *parts;
    server->limits = (struct guard_limits){
        .target_bytes = settings->target_bytes,
        .head_bytes = settings->head_bytes,
        .header_fields = settings->header_fields,
        .body_bytes = settings->body_bytes,
    };
    if (init(server))
        return server;
    http_server_destroy(server);
    return NULL;
}

void http_server_destroy(struct http_server *server)
{
    if (!server)
        return;
    connections_destroy(server->connections);
    http_streams_destroy(server->streams);
    pthread_rwlock_destroy(&server->handing);
    pthread_cond_destroy(&server->answered);
    pthread_mutex_destroy(&server->lock);
    free(server);
}

/* The library's texts may hold a client's bytes: the log escapes them. */
__attribute__((format(printf, 2, 0))) static void log_library(void *cls, const char *format,
                                                              va_list arguments)
{
    const struct http_server *server = cls;
    char text[256];
    if (!log_is_on(server->parts.log, LOG_LEVEL_DEBUG))
        return;
    (void)vsnprintf(text, sizeof text, format, arguments);
    log_event(server->parts.log, LOG_LEVEL_DEBUG, "libmicrohttpd", "text", text, (char *)NULL);
}

static struct MHD_Daemon *start_daemon(struct http_loop *loop, int fd, unsigned connections)
{
    return MHD_start_daemon(MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG, 0, NULL, NULL,
                            http_handle, loop,                                                   //
                            MHD_OPTION_EXTERNAL_LOGGER, log_library, loop->server,               //
                            MHD_OPTION_LISTEN_SOCKET, fd,                                        //
                            MHD_OPTION_CONNECTION_MEMORY_LIMIT, loop->server->connection_memory, //
                            MHD_OPTION_CONNECTION_LIMIT, connections,                            //
                            MHD_OPTION_CONNECTION_TIMEOUT, loop->server->timeout_s,              //
                            MHD_OPTION_STRICT_FOR_CLIENT, 0,                                     //
                            MHD_OPTION_SIGPIPE_HANDLED_BY_APP, 1,                                //
                            MHD_OPTION_UNESCAPE_CALLBACK, http_unescape, NULL,                   //
                            MHD_OPTION_URI_LOG_CALLBACK, http_begin, loop,                       //
                            MHD_OPTION_NOTIFY_COMPLETED, http_complete, loop,                    //
                            MHD_OPTION_NOTIFY_CONNECTION, http_connection, loop,                 //
                            MHD_OPTION_END);
}

static bool start_loop(struct http_loop *loop, int fd, unsigned connections)
{
    loop->mhd = start_daemon(loop, fd, connections);
    if (!loop->mhd)
        return false;
    if (http_loop_start(loop))
        return true;
    (void)MHD_quiesce_daemon(loop->mhd); /* the socket is not the library's to close */
    MHD_stop_daemon(loop->mhd);
    return false;
}

bool http_server_start(struct http_server *server, const struct listener *listener)
{
    const struct http_settings *settings = &server->settings;
    if (server->listener_count == HTTP_LISTENERS_MAX)
        return false;
    struct http_listener *started = &server->listeners[server->listener_count];
    *started = (struct http_listener){.scope = listener->scope, .handed_over = listener->handed_over};
    started->loops = calloc(settings->threads, sizeof *started->loops);
    if (!started->loops)
        return false;
    server->listener_count++;
    for (unsigned i = 0; i < settings->threads; i++) {
        struct http_loop *loop = &started->loops[i];
        *loop = (struct http_loop){.server = server, .listener = started};
        if (!start_loop(loop, listener->fd, (settings->connections + i) / settings->threads))
            return false;
        started->loop_count++;
    }
    return true;
}

/* In one order with the counters: whoever ends a request and does not see the drain is seen by it to have ended. */
bool http_server_is_draining(const struct http_server *server)
{
    return atomic_load(&server->draining);
}

size_t http_server_in_flight(const struct http_server *server)
{
    return atomic_load(&server->early) + atomic_load(&server->late);
}

size_t http_server_suspended(const struct http_server *server)
{
    return atomic_load(&server->suspended);
}

size_t http_server_streams(const struct http_server *server)
{
    return http_streams_count(server->streams);
}

size_t http_server_connections(const struct http_server *server)
{
    return connections_count(server->connections);
}

size_t http_server_body_bytes(const struct http_server *server)
{
    return atomic_load_explicit(&server->bodies.bytes, memory_order_relaxed);
}

bool http_server_is_full(const struct http_server *server, size_t listener)
{
    return atomic_load(&server->listeners[listener].connections) >= server->settings.connections;
}

static size_t count_early(const struct http_server *server)
{
    return atomic_load(&server->early);
}

static bool wait_answered(struct http_server *server, size_t (*count)(const struct http_server *server),
                          const struct timespec *until)
{
    pthread_mutex_lock(&server->lock);
    int status = 0;
    while (status == 0 && count(server))
        status = pthread_cond_timedwait(&server->answered, &server->lock, until);
    pthread_mutex_unlock(&server->lock);
    return count(server) == 0;
}

/* After this the library leaves the listening socket alone: it is closed by its owner. */
static void quiesce(struct http_listener *listener)
{
    for (size_t i = 0; !listener->quiesced && i < listener->loop_count; i++)
        http_loop_quiesce(&listener->loops[i]);
    listener->quiesced = true;
}

static void quiesce_all(struct http_server *server)
{
    for (size_t i = 0; i < server->listener_count; i++)
        quiesce(&server->listeners[i]);
}

/* Whoever comes from now on waits in the socket for the process that has it next. */
static void quiesce_handed_over(struct http_server *server)
{
    for (size_t i = 0; i < server->listener_count; i++)
        if (server->listeners[i].handed_over)
            quiesce(&server->listeners[i]);
}

/* Nothing comes to them any more, so that the number of young ones only falls. */
static void shut_idle(struct http_server *server, int64_t linger_ms)
{
    const struct timespec look = {.tv_nsec = LINGER_LOOK_MS * 1000000L};
    while (connections_shut_idle(server->connections, linger_ms))
        (void)nanosleep(&look, NULL);
}

/* Waits for what is being handed on; what comes later is refused, so that nothing becomes suspended again. */
static void hand_on_no_more(struct http_server *server)
{
    pthread_rwlock_wrlock(&server->handing);
    atomic_store(&server->ending, true);
    pthread_rwlock_unlock(&server->handing);
    http_streams_end(server->streams); /* they look at it under their locks */
}

bool http_server_drain(struct http_server *server, int64_t timeout_ms)
{
    struct timespec until = monotonic_after(timeout_ms);
    quiesce_handed_over(server); /* before anybody who came would be told that it is late */
    atomic_store(&server->draining, true);
    http_streams_end(server->streams);
    (void)wait_answered(server, count_early, &until);
    quiesce_all(server);
    shut_idle(server, timeout_ms < LINGER_MS ? timeout_ms : LINGER_MS);
    bool is_empty = wait_answered(server, http_server_in_flight, &until);
    hand_on_no_more(server);
    return is_empty;
}

static void stop_loop(struct http_loop *loop)
{
    http_loop_stop(loop);
    MHD_stop_daemon(loop->mhd);
    http_exchange_list_finish(&loop->free);
}

void http_server_stop(struct http_server *server)
{
    quiesce_all(server);
    for (size_t i = 0; i < server->listener_count; i++) {
        struct http_listener *listener = &server->listeners[i];
        for (size_t j = 0; j < listener->loop_count; j++)
            stop_loop(&listener->loops[j]);
        free(listener->loops);
    }
    server->listener_count = 0;
}
