#include "api/reply.h"

#include <stdarg.h>
#include <strings.h>

#include "api/exchange.h"
#include "api/problem.h"

/* A game or a move with its game fits; legal moves take twice that. */
enum { USUAL_BODY_BYTES = 3072 };

static void clear(struct exchange *exchange, unsigned status)
{
    struct response *response = exchange->response;
    response->status = status;
    response->header_count = 0;
    response->body = NULL;
    response->length = 0;
    response->slot = NULL;
    response->code = NULL;
    response->is_unmeasured = false;
    response->stream = (struct response_stream){.read = NULL};
}

struct writer *reply_begin(struct exchange *exchange, unsigned status)
{
    clear(exchange, status);
    reply_header(exchange, "Content-Type", format_content_type(exchange->format));
    writer_init(&exchange->out, exchange->arena, USUAL_BODY_BYTES);
    return &exchange->out;
}

enum api_result reply_end(struct exchange *exchange)
{
    struct writer *out = &exchange->out;
    if (!out->failed && (out->length == 0 || out->data[out->length - 1] != '\n'))
        writer_char(out, '\n');
    if (out->failed)
        return problem_out_of_memory(exchange);
    exchange->response->body = out->data;
    exchange->response->length = out->length;
    return API_DONE;
}

enum api_result reply_bytes(struct exchange *exchange, const char *body, size_t length)
{
    if (exchange->out.failed)
        return problem_out_of_memory(exchange);
    exchange->response->body = body;
    exchange->response->length = length;
    return API_DONE;
}

enum api_result reply_empty(struct exchange *exchange, unsigned status)
{
    clear(exchange, status);
    return API_DONE;
}

enum api_result reply_static(struct exchange *exchange, const char *body, size_t length)
{
    clear(exchange, 200);
    reply_header(exchange, "Content-Type", format_content_type(exchange->format));
    exchange->response->body = body;
    exchange->response->length = length;
    return API_DONE;
}

bool reply_stream(struct exchange *exchange, const struct response_stream *stream)
{
    (void)reply_begin(exchange, 200);
    reply_cache(exchange, "no-store");
    reply_header(exchange, "X-Accel-Buffering", "no"); /* nginx would hold back what has come */
    if (exchange->out.failed)
        return problem_no_memory(exchange);
    exchange->response->is_unmeasured = exchange->request->head_only;
    if (exchange->request->head_only)
        return false;
    exchange->response->stream = *stream;
    return true;
}

/* Names of ours begin with letters; few begin with the same one. */
static bool is_name(const char *a, const char *b)
{
    return ((a[0] ^ b[0]) & ~0x20) == 0 && strcasecmp(a, b) == 0;
}

static size_t find_header(const struct response *response, const char *name)
{
    size_t at = 0;
    while (at < response->header_count && !is_name(response->headers[at].name, name))
        at++;
    return at;
}

const char *reply_header_value(const struct exchange *exchange, const char *name)
{
    const struct response *response = exchange->response;
    size_t at = find_header(response, name);
    return at < response->header_count ? response->headers[at].value : NULL;
}

void reply_header(struct exchange *exchange, const char *name, const char *value)
{
    struct response *response = exchange->response;
    size_t at = find_header(response, name);
    if (at == RESPONSE_HEADERS_MAX)
        return;
    response->headers[at] = (struct response_header){name, value};
    if (at == response->header_count)
        response->header_count++;
}

void reply_headerf(struct exchange *exchange, const char *name, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    const char *value = arena_vprintf(exchange->arena, format, arguments);
    va_end(arguments);
    if (value)
        reply_header(exchange, name, value);
    else
        exchange->out.failed = true;
}

const char REPLY_FIVE_MINUTES[] = "max-age=300";

void reply_cache(struct exchange *exchange, const char *cache_control)
{
    reply_header(exchange, "Cache-Control", cache_control);
}
