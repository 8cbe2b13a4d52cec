/* What the library calls, in this order for each request: begin (the request line is there), handle (the
 * head), handle (pieces of the body), handle (the end), complete. */
#include <stdint.h>
#include <string.h>

#include "api/api.h"
#include "service/connections.h"
#include "service/http_exchange.h"
#include "service/http_internal.h"
#include "service/http_kept.h"
#include "service/metrics.h"

enum { HIDDEN_QUERY_MS = 250 }; /* see http_unescape */

/* ---- the end of a request ---- */

static atomic_size_t *in_flight_of(struct http_server *server, bool late)
{
    return late ? &server->late : &server->early;
}

static void note_answered(struct http_server *server, bool late)
{
    atomic_fetch_sub(in_flight_of(server, late), 1);
    if (!http_server_is_draining(server))
        return;
    pthread_mutex_lock(&server->lock);
    pthread_cond_broadcast(&server->answered);
    pthread_mutex_unlock(&server->lock);
}

static void end_request(struct http_loop *loop, struct http_exchange *exchange, bool is_sent)
{
    struct http_server *server = loop->server;
    struct connection *connection = exchange->connection;
    http_account(exchange, is_sent || exchange->went_aside);
    http_note_resumed(exchange);
    http_kept_leave(exchange);
    connection->exchange = NULL;
    connection_enter(connection, CONNECTION_IDLE, server->settings.idle_ms);
    if (!http_stream_end(exchange))
        return;
    http_exchange_give_back(&loop->free, exchange);
    note_answered(server, connection->late);
}

void http_left(struct http_exchange *exchange)
{
    struct http_server *server = exchange->server;
    bool late = exchange->late;
    exchange->response.stream.close(exchange->response.stream.context);
    http_exchange_discard(exchange);
    note_answered(server, late);
}

/* ---- connections ---- */

static const union MHD_ConnectionInfo *info(struct MHD_Connection *mhd, enum MHD_ConnectionInfoType type)
{
    return MHD_get_connection_info(mhd, type);
}

/* Where the library finds a second fault in one request, or cannot wait for a socket, it drops the connection without a
 * word of the request (transmit_error_response_len and MHD_connection_epoll_update_ of 0.9.75). The memory where the
 * method stood is gone by then. */
static void end_connection(struct http_loop *loop, struct connection *connection)
{
    struct http_exchange *exchange = connection->exchange;
    if (exchange) {
        exchange->request.method = "";
        end_request(loop, exchange, false);
    }
    connections_remove(loop->server->connections, connection);
}

void http_connection(void *cls, struct MHD_Connection *mhd, void **socket_context,
                     enum MHD_ConnectionNotificationCode code)
{
    struct http_loop *loop = cls;
    struct http_server *server = loop->server;
    loop->has_worked = true;
    if (code == MHD_CONNECTION_NOTIFY_CLOSED) {
        atomic_fetch_sub(&loop->listener->connections, 1);
        if (*socket_context)
            end_connection(loop, *socket_context);
        *socket_context = NULL;
        return;
    }
    atomic_fetch_add(&loop->listener->connections, 1);
    metrics_connection_opened(server->parts.metrics);
    *socket_context =
        connections_add(server->connections, info(mhd, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd,
                        info(mhd, MHD_CONNECTION_INFO_CLIENT_ADDRESS)->client_addr,
                        http_server_is_draining(server), server->settings.idle_ms);
}

static struct connection *connection_of(struct MHD_Connection *mhd)
{
    return info(mhd, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* Paths are routed as they came, and decoded by the api, segment by segment. Of the query nothing comes here (see
 * hide_query) unless a NUL stands before it: that will be refused as soon as the head is here, but so many parameters can
 * follow the NUL that the library neither reads on nor answers. */
size_t http_unescape(void *cls, struct MHD_Connection *mhd, char *text)
{
    struct connection *connection = connection_of(mhd);
    (void)cls;
    if (connection && connection->exchange && (uintptr_t)text > (uintptr_t)connection->exchange->raw_end)
        connection_hurry(connection, HIDDEN_QUERY_MS);
    return strlen(text);
}

/* ---- what the api may ask of a request ---- */

static void set_timeout(struct http_exchange *exchange, unsigned seconds)
{
    (void)MHD_set_connection_option(exchange->mhd, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* A client may end its side after a whole request (RFC 9112 9.6). The library, as it resumes a connection, reads
 * from it before it asks for the answer (call_handlers in daemon.c of 0.9.75): it sees the end and gives the
 * answer up. But first it asks those whose timeout is their own (MHD_epoll), and one that has its answer is
 * written to, not read from. So a timeout differs for as long as the connection sleeps. */
static void fall_asleep(struct http_exchange *exchange)
{
    MHD_suspend_connection(exchange->mhd);
    set_timeout(exchange, exchange->server->timeout_s + 1);
}

/* Before anybody else can know of the request, so that whoever wakes it finds it asleep. */
static void suspend(struct request *request)
{
    struct http_exchange *exchange = (struct http_exchange *)request;
    if (request->may_block)
        return; /* on a pool thread the connection sleeps already */
    http_note_suspended(exchange);
    fall_asleep(exchange);
}

/* The response is queued by the network thread, which handles the connection once more: the library forbids
 * it to others. Until the resume, nothing can end the exchange. */
static void wake(struct request *request)
{
    struct http_exchange *exchange = (struct http_exchange *)request;
    atomic_store_explicit(&exchange->phase, HTTP_EXCHANGE_ANSWERED, memory_order_release);
    http_loop_resume(exchange);
}

static void poke(struct request *request)
{
    http_stream_poke((struct http_exchange *)request);
}

static const struct request_hooks HOOKS = {.suspend = suspend, .wake = wake, .poke = poke};

void http_note_suspended(struct http_exchange *exchange)
{
    exchange->suspended = true;
    atomic_fetch_add(&exchange->server->suspended, 1);
}

void http_note_resumed(struct http_exchange *exchange)
{
    if (!exchange->suspended)
        return;
    exchange->suspended = false;
    atomic_fetch_sub(&exchange->server->suspended, 1);
}

/* ---- begin and complete ---- */

/* The library is about to split the query into parameters, which the api does for itself, and to keep 64 bytes for each in
 * the memory of the connection. Two hundred fill it; then the library counts its answer as sent, waits for more of the
 * head, and reads none (parse_initial_message_line of 0.9.75). It looks for the query from its first byte to a NUL, which is
 * put there: `uri` is the library's own text, in the memory of the connection, and the exchange has a copy. */
static void hide_query(const char *uri)
{
    char *mark = strchr(uri, '?');
    if (mark)
        mark[1] = '\0';
}

/* Cookies are split in the same way once the head is here, with two answers where they are too many. The library takes
 * the first field of that name: it is given one that has none. */
static const char NO_COOKIES[] = MHD_HTTP_HEADER_COOKIE;

static void hide_cookies(struct MHD_Connection *mhd)
{
    (void)MHD_set_connection_value_n(mhd, MHD_HEADER_KIND, NO_COOKIES, sizeof NO_COOKIES - 1, "", 0);
}

static struct http_exchange *take_exchange(struct http_loop *loop, struct connection *connection,
                                           const char *uri)
{
    return connection ? http_exchange_take(&loop->free, &loop->server->bodies, uri) : NULL;
}

void *http_begin(void *cls, const char *uri, struct MHD_Connection *mhd)
{
    struct http_loop *loop = cls;
    struct http_server *server = loop->server;
    struct connection *connection = connection_of(mhd);
    struct http_exchange *exchange = take_exchange(loop, connection, uri);
    loop->has_worked = true;
    hide_query(uri);
    hide_cookies(mhd);
    if (!exchange)
        return NULL;
    exchange->server = server;
    exchange->loop = loop;
    exchange->mhd = mhd;
    exchange->connection = connection;
    connection->exchange = exchange;
    exchange->request.hooks = &HOOKS;
    exchange->request.scope = loop->listener->scope;
    exchange->request.client = connection->client;
    connection_begin(connection, server->settings.request_ms);
    exchange->late = connection->late;
    atomic_fetch_add(in_flight_of(server, exchange->late), 1);
    return exchange;
}

void http_complete(void *cls, struct MHD_Connection *mhd, void **context,
                   enum MHD_RequestTerminationCode code)
{
    struct http_loop *loop = cls;
    struct http_exchange *exchange = *context;
    (void)mhd;
    loop->has_worked = true;
    *context = NULL;
    if (exchange)
        end_request(loop, exchange, code == MHD_REQUEST_TERMINATED_COMPLETED_OK);
}

/* ---- the head ---- */

struct head {
    struct guard guard;
    struct request *request; /* gets the values */
    bool is_folded;          /* one of its fields goes on in a second line */
    bool has_no_memory;
};

/* The library adds the second line of a field to its name, not to its value: "Content" with " -Length" below is
 * Content-Length to it, and Content-Length with " 9" below is no field that anybody knows. It moves the name for that. Else
 * only a colon and blanks stand between a name and its value. */
static bool is_folded(const char *name, size_t name_length, const char *value)
{
    const char *between = name + name_length + 1;
    if ((uintptr_t)value < (uintptr_t)between)
        return true;
    while (between != value && (*between == ' ' || *between == '\t'))
        between++;
    return between != value;
}

/* NULL: memory is out. */
static const char *trimmed(struct arena *arena, const char *value, size_t length)
{
    size_t kept = guard_value_length(value, length);
    return kept == length ? value : arena_copy(arena, value, kept);
}

/* Several lines of a name are one list (RFC 9110 5.3); the guard refuses those that are no lists. */
static void keep_value(struct head *head, enum header_field field, const char *value, size_t length)
{
    struct arena *arena = head->request->arena;
    if (field == HEADER_AUTHORIZATION || field == HEADER_IDEMPOTENCY_KEY)
        arena_wipe_at_end(arena);
    const char **known = &head->request->headers[field];
    const char *text = trimmed(arena, value, length);
    if (text && *known)
        text = arena_printf(arena, "%s, %s", *known, text);
    head->has_no_memory |= !text;
    *known = text;
}

static enum MHD_Result read_field(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                  const char *value, size_t value_length)
{
    struct head *head = cls;
    (void)kind;
    if (name == NO_COOKIES)
        return MHD_YES;
    head->is_folded |= value && is_folded(name, name_length, value);
    if (!value) {
        value = "";
        value_length = 0;
    }
    enum header_field field = guard_field(&head->guard, name, name_length, value, value_length);
    if (field != HEADER_OTHER)
        keep_value(head, field, value, value_length);
    return MHD_YES;
}

/* New connections are served while a drain waits for the last answers, so that health can be asked; but they
 * may begin nothing. */
static bool is_late(const struct http_exchange *exchange)
{
    return exchange->connection->late && strncmp(exchange->request.target, "/v1", 3) == 0;
}

enum { REFUSAL_MEMORY = 2048 }; /* for the head of one, and for bytes behind the request */

/* A head is over the limits by so much that the library can tell of it but not answer it. */
static bool is_cramped(const struct http_exchange *exchange)
{
    int fields = MHD_get_connection_values_n(exchange->mhd, MHD_HEADER_KIND, NULL, NULL);
    size_t nodes =
        (size_t)fields + 2; /* that of the cookies that are none, and the library's own answer to it */
    size_t taken = info(exchange->mhd, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
    return taken + nodes * HTTP_FIELD_MEMORY + REFUSAL_MEMORY > exchange->server->connection_memory;
}

static enum MHD_Result refuse(struct http_exchange *exchange, const char *code, const char *detail)
{
    api_refuse(exchange->server->parts.api, &exchange->request, &exchange->response, code, detail);
    exchange->response.close = true;
    return is_cramped(exchange) ? http_answer_aside(exchange) : http_answer(exchange);
}

static enum MHD_Result refuse_at_the_end(struct http_exchange *exchange)
{
    return refuse(exchange, "shutting-down", "The service is shutting down.");
}

/* Of several there is none: their list is not well-formed. */
static void set_ids(struct http_exchange *exchange)
{
    const char *id = exchange->request.headers[HEADER_X_REQUEST_ID];
    const char *traceparent = exchange->request.headers[HEADER_TRACEPARENT];
    http_exchange_set_id(exchange, id && guard_is_request_id(id) ? id : NULL);
    if (traceparent && guard_is_traceparent(traceparent))
        memcpy(exchange->traceparent, traceparent, sizeof exchange->traceparent);
}

static enum MHD_Result read_head(struct http_exchange *exchange, const char *method, const char *version)
{
    struct http_server *server = exchange->server;
    const char *target = exchange->request.target;
    const struct guard_request_line line = {
        .method = method,
        .target = target,
        .version = version,
        /* The library ends the method at a NUL, and skips blanks: the target stands one byte behind it, else something
         * else does. */
        .method_cut = (uintptr_t)method + strlen(method) + 1 != (uintptr_t)exchange->raw_end - strlen(target),
        /* The version stands one blank behind the target, unless the library stopped at a NUL inside it. */
        .target_cut = version != exchange->raw_end + 1,
    };
    struct head head = {.request = &exchange->request};
    struct guard *guard = &head.guard;
    exchange->request.method = method;
    exchange->request.head_only = strcmp(method, MHD_HTTP_METHOD_HEAD) == 0;
    guard_begin(guard, &server->limits, &line);
    MHD_get_connection_values_n(exchange->mhd, MHD_HEADER_KIND, read_field, &head);
    guard_end(guard, &line);
    set_ids(exchange);
    if (!http_exchange_read_target(exchange))
        return refuse(exchange, "malformed-request", "The absolute form of the request target is malformed.");
    if (head.is_folded) /* RFC 9112 5.2 */
        return refuse(exchange, "malformed-request", "A header field goes on in a second line.");
    if (guard->verdict.code)
        return refuse(exchange, guard->verdict.code, guard->verdict.detail);
    if (head.has_no_memory)
        return refuse(exchange, "storage-busy", "Not the store but the service is busy: memory is out.");
    if (is_late(exchange))
        return refuse_at_the_end(exchange);
    atomic_store_explicit(&exchange->phase, HTTP_EXCHANGE_READING, memory_order_relaxed);
    exchange->body_limit =
        (size_t)(guard->has_content_length ? guard->content_length : server->settings.body_bytes);
    return MHD_YES;
}

/* ---- the answer ---- */

static void hand_to_pool(struct http_exchange *exchange, bool is_long);

/* In a pool thread. */
static void run_blocking(struct pool_job *job)
{
    struct http_exchange *exchange =
        (struct http_exchange *)((char *)job - offsetof(struct http_exchange, job));
    struct api *api = exchange->server->parts.api;
    enum api_result result = api_handle(api, &exchange->request, &exchange->response);
    if (result == API_PENDING)
        return; /* it is somebody else's now */
    if (result == API_WORKS && !exchange->request.may_work) {
        hand_to_pool(exchange, true);
        return;
    }
    if (result != API_DONE)
        api_refuse(api, &exchange->request, &exchange->response, "internal",
                   "The request found nobody to answer it.");
    wake(&exchange->request);
}

/* The connection sleeps. */
static void hand_to_pool(struct http_exchange *exchange, bool is_long)
{
    exchange->request.may_block = true;
    exchange->request.may_work = is_long;
    exchange->job = (struct pool_job){.run = run_blocking, .is_long = is_long};
    if (!pool_submit(exchange->server->parts.pool, &exchange->job)) {
        api_refuse(exchange->server->parts.api, &exchange->request, &exchange->response, "storage-busy",
                   "Not the store but the service is busy: too many requests wait for a thread.");
        wake(&exchange->request);
    }
}

static enum MHD_Result hand_on(struct http_exchange *exchange)
{
    atomic_store_explicit(&exchange->phase, HTTP_EXCHANGE_HANDED, memory_order_relaxed);
    enum api_result result = api_handle(exchange->server->parts.api, &exchange->request, &exchange->response);
    switch (result) {
    case API_DONE:
        return http_answer(exchange);
    case API_BLOCKS:
    case API_WORKS:
        suspend(&exchange->request);
        hand_to_pool(exchange, result == API_WORKS);
        return MHD_YES;
    case API_PENDING:
        return MHD_YES; /* woken perhaps already: the exchange may not be looked at */
    }
    return MHD_NO;
}

/* The library may not be stopped while a connection is suspended: see http_server_drain. */
static enum MHD_Result hand_on_unless_ending(struct http_exchange *exchange)
{
    struct http_server *server = exchange->server;
    pthread_rwlock_rdlock(&server->handing);
    enum MHD_Result result = server->ending ? refuse_at_the_end(exchange) : hand_on(exchange);
    pthread_rwlock_unlock(&server->handing);
    return result;
}

static enum MHD_Result act(struct http_exchange *exchange)
{
    connection_enter(exchange->connection, CONNECTION_WORKING, 0);
    switch (exchange->body_fate) {
    case HTTP_BODY_TOO_LARGE:
        return refuse(exchange, "payload-too-large",
                      "The body is longer than any may be: see the limits `body_bytes`, `pgn_bytes`, "
                      "`pgn_import_bytes` and `batch_bytes`.");
    case HTTP_BODY_NO_ROOM:
        return refuse(exchange, "storage-busy",
                      "Not the store but the service is busy: too many bodies arrive at one time.");
    case HTTP_BODY_KEPT:
        break;
    }
    if (exchange->body_length) {
        exchange->request.body = exchange->body;
        exchange->request.body_length = exchange->body_length;
    }
    return hand_on_unless_ending(exchange);
}

static enum MHD_Result answer_resumed(struct http_exchange *exchange)
{
    http_note_resumed(exchange);
    set_timeout(exchange, exchange->server->timeout_s);
    return http_answer(exchange);
}

static enum MHD_Result read_body(struct http_exchange *exchange, const char *bytes, size_t *size)
{
    size_t length = *size;
    *size = 0;
    return http_exchange_add_body(exchange, bytes, length) ? MHD_YES : MHD_NO;
}

enum MHD_Result http_handle(void *cls, struct MHD_Connection *mhd, const char *url, const char *method,
                            const char *version, const char *upload, size_t *upload_size, void **context)
{
    struct http_exchange *exchange = *context;
    (void)mhd;
    (void)url;
    ((struct http_loop *)cls)->has_worked = true;
    if (!exchange)
        return MHD_NO;
    switch (atomic_load_explicit(&exchange->phase, memory_order_acquire)) {
    case HTTP_EXCHANGE_NEW:
        return read_head(exchange, method, version);
    case HTTP_EXCHANGE_READING:
        return *upload_size ? read_body(exchange, upload, upload_size) : act(exchange);
    case HTTP_EXCHANGE_ANSWERED:
        return answer_resumed(exchange);
    default:
        return MHD_YES;
    }
}
