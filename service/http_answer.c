#include <string.h>
#include <sys/socket.h>
#include <time.h>

#include "api/writer.h"
#include "service/connections.h"
#include "service/http_exchange.h"
#include "service/http_internal.h"
#include "service/http_kept.h"
#include "service/log.h"
#include "service/metrics.h"
#include "service/monotonic.h"

/* Routes that are asked every few seconds by machines. */
static const char *const UNLOGGED[] = {"/healthz", "/readyz", "/metrics"};

static void add_header(const struct http_exchange *exchange, struct MHD_Response *mhd, const char *name,
                       const char *value)
{
    if (MHD_add_response_header(mhd, name, value) == MHD_YES)
        return;
    /* The library refuses line ends: a header that a client's bytes got into is missing rather
     * than injected. */
    const struct http_parts *parts = &exchange->server->parts;
    metrics_header_refused(parts->metrics);
    log_event(parts->log, LOG_LEVEL_WARN, "a response header was refused by the HTTP library", "name", name,
              "request_id", exchange->id, (char *)NULL);
}

/* The library's parameter is not const, but MHD_RESPMEM_PERSISTENT only reads. */
static void *body_of(const struct response *response)
{
    union {
        const char *read_only;
        void *library;
    } body = {.read_only = response->body ? response->body : ""};
    return body.library;
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the library's type */
static ssize_t read_nothing(void *cls, uint64_t position, char *buffer, size_t size)
{
    (void)cls;
    (void)position;
    (void)buffer;
    (void)size;
    return MHD_CONTENT_READER_END_OF_STREAM;
}

/* The answer to a HEAD whose GET has a body of unknown length: no Content-Length (RFC 9110 8.6). The library would
 * end it with a last chunk, which no answer to a HEAD may have, but for a response in the manner of HTTP/1.0: that
 * one ends with the connection. */
static struct MHD_Response *build_unmeasured(void)
{
    struct MHD_Response *mhd =
        MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1, read_nothing, NULL, NULL);
    if (mhd)
        (void)MHD_set_response_options(mhd, MHD_RF_HTTP_1_0_COMPATIBLE_STRICT, MHD_RO_END);
    return mhd;
}

static struct MHD_Response *build_body(struct http_exchange *exchange)
{
    const struct response *response = &exchange->response;
    if (response->stream.read)
        return http_stream_begin(exchange);
    if (response->is_unmeasured)
        return build_unmeasured();
    return MHD_create_response_from_buffer(response->length, body_of(response), MHD_RESPMEM_PERSISTENT);
}

/* The body stays in the exchange's arena, which lives until the library has sent it: no copy.
 * A 304 goes out with "Content-Length: 0", though RFC 9110 8.6 wants the length of the 200 or none: libmicrohttpd
 * 0.9.75 leaves it out only for bodies of unknown size, and then says "chunked", or closes the connection. */
static struct MHD_Response *build(struct http_exchange *exchange)
{
    const struct response *response = &exchange->response;
    struct MHD_Response *mhd = build_body(exchange);
    if (!mhd)
        return NULL;
    for (size_t i = 0; i < response->header_count; i++)
        add_header(exchange, mhd, response->headers[i].name, response->headers[i].value);
    if (response->close)
        add_header(exchange, mhd, MHD_HTTP_HEADER_CONNECTION, "close");
    return mhd;
}

/* The last answer of a connection says so, which no other does. */
static void close_at_the_end(struct http_exchange *exchange)
{
    struct response *response = &exchange->response;
    response->close = response->close || http_server_is_draining(exchange->server);
    if (response->close)
        response->slot = NULL;
}

enum MHD_Result http_answer(struct http_exchange *exchange)
{
    close_at_the_end(exchange);
    struct MHD_Response *kept = http_kept_take(exchange), *mhd = kept ? kept : build(exchange);
    if (!mhd)
        return MHD_NO;
    connection_enter(exchange->connection, CONNECTION_SENDING, exchange->server->settings.request_ms);
    enum MHD_Result queued = MHD_queue_response(exchange->mhd, exchange->response.status, mhd);
    if (!kept)
        http_kept_add(exchange, mhd);
    if (exchange->stream.is_open && !http_stream_has_work(exchange))
        http_exchange_slim(exchange);
    return queued;
}

/* RFC 9110 5.6.7 */
static void write_date(struct writer *out)
{
    char text[64];
    time_t now = time(NULL);
    struct tm parts;
    if (gmtime_r(&now, &parts) && strftime(text, sizeof text, "%a, %d %b %Y %H:%M:%S GMT", &parts))
        writer_printf(out, "Date: %s\r\n", text);
}

static void write_answer(struct writer *out, const struct http_exchange *exchange)
{
    const struct response *response = &exchange->response;
    writer_printf(out, "HTTP/1.1 %u %s\r\n", response->status, MHD_get_reason_phrase_for(response->status));
    write_date(out);
    for (size_t i = 0; i < response->header_count; i++)
        if (!strpbrk(response->headers[i].value, "\r\n"))
            writer_printf(out, "%s: %s\r\n", response->headers[i].name, response->headers[i].value);
    writer_printf(out, "Content-Length: %zu\r\nConnection: close\r\n\r\n", response->length);
    if (!exchange->request.head_only && response->length)
        writer_bytes(out, response->body, response->length);
}

/* Nothing else is on its way to the client: the library reads no request before the last answer has gone. Whoever has not
 * read that one may miss a part of this. */
enum MHD_Result http_answer_aside(struct http_exchange *exchange)
{
    struct writer out;
    writer_init(&out, &exchange->arena, 1024 + exchange->response.length);
    write_answer(&out, exchange);
    exchange->went_aside = !out.failed && send(exchange->connection->fd, out.data, out.length,
                                               MSG_DONTWAIT | MSG_NOSIGNAL) == (ssize_t)out.length;
    return MHD_NO;
}

static bool is_logged(const char *route)
{
    for (size_t i = 0; i < sizeof UNLOGGED / sizeof *UNLOGGED; i++)
        if (strcmp(route, UNLOGGED[i]) == 0)
            return false;
    return true;
}

void http_account(const struct http_exchange *exchange, bool is_sent)
{
    const struct response *response = &exchange->response;
    const struct http_parts *parts = &exchange->server->parts;
    const struct http_stream *stream = &exchange->stream;
    bool may_leave =
        stream->is_open && !http_stream_has_work(exchange); /* events are told for as long as one listens */
    uint64_t duration_ns = monotonic_ns() - exchange->begun_ns;
    uint64_t answered_ns = stream->is_open ? stream->begun_ns - exchange->begun_ns : duration_ns;
    metrics_request_end(parts->metrics, response->route, exchange->request.method, response->status,
                        answered_ns);
    if (!is_logged(response->route))
        return;
    log_request(parts->log, &(struct log_request){
                                .request_id = exchange->id,
                                .method = exchange->request.method,
                                .route = response->route,
                                .client = response->client ? response->client : exchange->connection->client,
                                .code = is_sent || may_leave ? response->code : "connection-lost",
                                .traceparent = *exchange->traceparent ? exchange->traceparent : NULL,
                                .status = response->status,
                                .bytes = exchange->request.head_only ? 0
                                         : stream->is_open           ? stream->bytes
                                                                     : response->length,
                                .duration_ns = duration_ns,
                            });
}
