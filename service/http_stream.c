#include "service/http_stream.h"

#include <stdlib.h>
#include <sys/epoll.h>
#include <unistd.h>

#include "service/connections.h"
#include "service/http_exchange.h"
#include "service/http_internal.h"
#include "service/monotonic.h"

enum {
    BLOCK_BYTES = 512, /* the library's own buffer of a response; only HTTP/1.0 clients are served from it */
    GOODBYE_MS = 800,  /* when the service ends: for the last bytes to be taken */
    PEERS_AT_ONCE = 256, /* that have left, noticed by one call */
};

struct http_streams {
    pthread_mutex_t lock;
    struct http_stream *first;
    atomic_size_t count;
    int peers; /* an epoll of their sockets, for those that leave */
};

struct http_streams *http_streams_create(void)
{
    struct http_streams *streams = calloc(1, sizeof *streams);
    int peers = streams ? epoll_create1(EPOLL_CLOEXEC) : -1;
    if (peers < 0) {
        free(streams);
        return NULL;
    }
    streams->peers = peers;
    pthread_mutex_init(&streams->lock, NULL);
    return streams;
}

void http_streams_destroy(struct http_streams *streams)
{
    if (!streams)
        return;
    (void)close(streams->peers);
    pthread_mutex_destroy(&streams->lock);
    free(streams);
}

size_t http_streams_count(const struct http_streams *streams)
{
    return atomic_load(&streams->count);
}

static struct http_exchange *exchange_of(struct http_stream *stream)
{
    return (struct http_exchange *)((char *)stream - offsetof(struct http_exchange, stream));
}

/* ---- waking ---- */

/* With the stream's lock held. */
static void resume(struct http_stream *stream)
{
    if (!stream->suspended)
        return;
    stream->suspended = false;
    http_loop_resume(exchange_of(stream));
}

static void set(struct http_stream *stream, bool *flag)
{
    pthread_mutex_lock(&stream->lock);
    *flag = true;
    resume(stream);
    pthread_mutex_unlock(&stream->lock);
}

void http_stream_poke(struct http_exchange *exchange)
{
    set(&exchange->stream, &exchange->stream.poked);
}

/* ---- work ---- */

bool http_stream_has_work(const struct http_exchange *exchange)
{
    return exchange->response.stream.work != NULL;
}

/* In a pool thread. Once the lock is left the exchange may be gone, unless its client is. */
static void run_work(struct pool_job *job)
{
    struct http_exchange *exchange =
        (struct http_exchange *)((char *)job - offsetof(struct http_exchange, job));
    struct http_stream *stream = &exchange->stream;
    exchange->response.stream.work(exchange->response.stream.context);
    atomic_fetch_sub(&exchange->server->suspended, 1);
    pthread_mutex_lock(&stream->lock);
    bool left = stream->left;
    stream->works = false;
    stream->poked = true;
    if (!left)
        resume(stream);
    pthread_mutex_unlock(&stream->lock);
    if (left)
        http_left(exchange);
}

static bool submit_work(struct http_exchange *exchange)
{
    struct http_server *server = exchange->server;
    exchange->job = (struct pool_job){.run = run_work, .is_long = true};
    atomic_fetch_add(&server->suspended, 1);
    bool taken = pool_submit(server->parts.pool, &exchange->job);
    if (!taken)
        atomic_fetch_sub(&server->suspended, 1);
    return taken;
}

/* The service may not be taken down while there is work: see http_server_drain. */
static void ask_for_work(struct http_exchange *exchange)
{
    struct http_stream *stream = &exchange->stream;
    struct http_server *server = exchange->server;
    pthread_mutex_lock(&stream->lock);
    if (!stream->works && !atomic_load(&server->ending)) {
        stream->works = submit_work(exchange);
        stream->put_off = !stream->works;
    }
    pthread_mutex_unlock(&stream->lock);
}

/* ---- reading, on the network thread ---- */

static enum stream_why take_why(struct http_exchange *exchange)
{
    struct http_stream *stream = &exchange->stream;
    pthread_mutex_lock(&stream->lock);
    bool quiet = stream->quiet;
    stream->poked = stream->quiet = false;
    pthread_mutex_unlock(&stream->lock);
    if (http_server_is_draining(exchange->server))
        return STREAM_ENDING;
    return quiet ? STREAM_QUIET : STREAM_WANTED;
}

/* Work is waited for while the service drains; the library may not be stopped meanwhile. */
static bool may_sleep(const struct http_exchange *exchange)
{
    const struct http_server *server = exchange->server;
    return !http_server_is_draining(server) ||
           (http_stream_has_work(exchange) && !atomic_load(&server->ending));
}

/* False: something has come meanwhile, and the stream has to be asked again. */
static bool suspend(struct http_exchange *exchange)
{
    struct http_stream *stream = &exchange->stream;
    pthread_mutex_lock(&stream->lock);
    bool sleeps = !stream->poked && !stream->quiet && !stream->lost && may_sleep(exchange);
    if (sleeps) {
        connection_enter(exchange->connection, CONNECTION_STREAMING, 0);
        stream->suspended = true;
        http_note_suspended(exchange);
        MHD_suspend_connection(exchange->mhd);
    }
    pthread_mutex_unlock(&stream->lock);
    return sleeps;
}

static bool is_lost(struct http_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool lost = stream->lost;
    pthread_mutex_unlock(&stream->lock);
    return lost;
}

/* What it works for did not come before the service had to end. */
static bool is_cut(const struct http_exchange *exchange)
{
    return http_stream_has_work(exchange) && atomic_load(&exchange->server->ending);
}

static size_t written(struct http_exchange *exchange, size_t length)
{
    struct http_stream *stream = &exchange->stream;
    stream->bytes += length;
    atomic_store_explicit(&stream->written_ms, monotonic_coarse_ms(), memory_order_relaxed);
    connection_enter(exchange->connection, CONNECTION_STREAMING, exchange->server->settings.request_ms);
    return length;
}

static ssize_t read_stream(void *cls, uint64_t position, char *buffer, size_t size)
{
    struct http_exchange *exchange = cls;
    struct http_stream *stream = &exchange->stream;
    const struct response_stream *source = &exchange->response.stream;
    (void)position;
    exchange->loop->has_worked = true;
    http_note_resumed(exchange);
    for (;;) {
        if (stream->over)
            return MHD_CONTENT_READER_END_OF_STREAM;
        if (is_lost(stream) || is_cut(exchange))
            return MHD_CONTENT_READER_END_WITH_ERROR;
        size_t length = source->read(source->context, take_why(exchange), buffer, size, &stream->over);
        if (source->work && length < size && !stream->over)
            ask_for_work(exchange);
        if (length > 0)
            return (ssize_t)written(exchange, length);
        if (!stream->over && suspend(exchange))
            return 0;
    }
}

/* ---- the list ---- */

static void enter(struct http_streams *streams, struct http_stream *stream)
{
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = stream};
    pthread_mutex_lock(&streams->lock);
    stream->previous = NULL;
    stream->next = streams->first;
    if (stream->next)
        stream->next->previous = stream;
    streams->first = stream;
    /* Without it a peer that leaves is noticed when something is written. */
    (void)epoll_ctl(streams->peers, EPOLL_CTL_ADD, exchange_of(stream)->connection->fd, &event);
    atomic_fetch_add(&streams->count, !http_stream_has_work(exchange_of(stream)));
    pthread_mutex_unlock(&streams->lock);
}

static void leave(struct http_streams *streams, struct http_stream *stream)
{
    pthread_mutex_lock(&streams->lock);
    *(stream->previous ? &stream->previous->next : &streams->first) = stream->next;
    if (stream->next)
        stream->next->previous = stream->previous;
    (void)epoll_ctl(streams->peers, EPOLL_CTL_DEL, exchange_of(stream)->connection->fd, NULL);
    atomic_fetch_sub(&streams->count, !http_stream_has_work(exchange_of(stream)));
    pthread_mutex_unlock(&streams->lock);
}

/* A peer that has ended its side may still read: what is written to it tells. */
static void notice_peers(struct http_streams *streams)
{
    struct epoll_event events[PEERS_AT_ONCE];
    int count = 0;
    do {
        count = epoll_wait(streams->peers, events, PEERS_AT_ONCE, 0);
        for (int i = 0; i < count; i++) {
            struct http_stream *stream = events[i].data.ptr;
            bool gone = events[i].events & (EPOLLHUP | EPOLLERR);
            set(stream, gone ? &stream->lost : &stream->quiet);
        }
    } while (count == PEERS_AT_ONCE);
}

static void notice_quiet(struct http_stream *stream, int64_t now_ms)
{
    int64_t quiet_ms = exchange_of(stream)->response.stream.quiet_ms;
    if (!quiet_ms || now_ms - atomic_load_explicit(&stream->written_ms, memory_order_relaxed) < quiet_ms)
        return;
    atomic_store_explicit(&stream->written_ms, now_ms, memory_order_relaxed);
    set(stream, &stream->quiet);
}

/* The service ends; while it owes the client something he may wait. */
static void hurry(struct http_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool works = stream->works || stream->put_off;
    pthread_mutex_unlock(&stream->lock);
    if (!works)
        connection_hurry(exchange_of(stream)->connection, GOODBYE_MS);
}

static void try_again(struct http_stream *stream)
{
    pthread_mutex_lock(&stream->lock);
    bool put_off = stream->put_off;
    pthread_mutex_unlock(&stream->lock);
    if (put_off)
        set(stream, &stream->poked);
}

void http_streams_look(struct http_streams *streams)
{
    int64_t now_ms = monotonic_coarse_ms();
    pthread_mutex_lock(&streams->lock);
    notice_peers(streams);
    for (struct http_stream *stream = streams->first; stream; stream = stream->next) {
        notice_quiet(stream, now_ms);
        try_again(stream);
        if (http_server_is_draining(exchange_of(stream)->server))
            hurry(stream);
    }
    pthread_mutex_unlock(&streams->lock);
}

void http_streams_end(struct http_streams *streams)
{
    pthread_mutex_lock(&streams->lock);
    for (struct http_stream *stream = streams->first; stream; stream = stream->next) {
        hurry(stream);
        set(stream, &stream->poked);
    }
    pthread_mutex_unlock(&streams->lock);
}

/* ---- one stream ---- */

struct MHD_Response *http_stream_begin(struct http_exchange *exchange)
{
    struct http_stream *stream = &exchange->stream;
    struct MHD_Response *mhd =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, BLOCK_BYTES, read_stream, exchange, NULL);
    if (!mhd)
        return NULL;
    stream->is_open = true;
    stream->begun_ns = monotonic_ns();
    atomic_store_explicit(&stream->written_ms, monotonic_coarse_ms(), memory_order_relaxed);
    enter(exchange->server->streams, stream);
    return mhd;
}

bool http_stream_end(struct http_exchange *exchange)
{
    const struct response_stream *source = &exchange->response.stream;
    struct http_stream *stream = &exchange->stream;
    if (stream->is_open)
        leave(exchange->server->streams, stream);
    if (!source->read)
        return true;
    atomic_store(&exchange->request.is_gone, true);
    pthread_mutex_lock(&stream->lock);
    bool works = stream->left = stream->works;
    pthread_mutex_unlock(&stream->lock);
    if (!works)
        source->close(source->context);
    return !works;
}
