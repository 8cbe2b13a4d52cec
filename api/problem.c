#include "api/problem.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "api/exchange.h"
#include "api/format.h"
#include "api/negotiate.h"
#include "api/reply.h"
#include "api/text.h"
#include "rules/utf8.h"

static const struct problem_kind KINDS[PROBLEM_COUNT] = {
#define PROBLEM_ROW(name, slug, status, title, sentence) [PROBLEM_##name] = {slug, status, title, sentence},
    PROBLEM_TABLE(PROBLEM_ROW)
#undef PROBLEM_ROW
};

enum { RETRY_LATER_S = 5, RETRY_SOON_S = 1 };

const struct problem_kind *problem_kind(enum problem_code code)
{
    return &KINDS[code];
}

enum problem_code problem_find(const char *slug)
{
    int code = 0;
    while (code < PROBLEM_COUNT && strcmp(KINDS[code].slug, slug) != 0)
        code++;
    return (enum problem_code)code;
}

/* The path alone: a query may hold what should not be repeated. Bytes that are not UTF-8 cannot stand in
 * JSON. */
static void write_instance(struct writer *json, const struct exchange *exchange)
{
    const char *target = exchange->request->target;
    size_t length = target ? strcspn(target, "?") : 0;
    if (length && utf8_valid(target, length) == length)
        json_string_n(json, "instance", target, length);
}

static void write_json(struct writer *json, const struct exchange *exchange, const struct problem *problem)
{
    const struct problem_kind *kind = &KINDS[problem->code];
    json_object_begin(json, NULL);
    char type[64];
    (void)snprintf(type, sizeof type, "/v1/problems/%s", kind->slug);
    json_string(json, "type", type);
    json_string(json, "title", kind->title);
    json_int(json, "status", kind->status);
    json_string(json, "detail", problem->detail);
    write_instance(json, exchange);
    json_string(json, "code", kind->slug);
    json_string(json, "request_id", exchange->request->id);
    if (problem->pointer)
        json_string(json, "pointer", problem->pointer);
    if (problem->parameter)
        json_string(json, "parameter", problem->parameter);
    if (problem->members)
        problem->members(json, problem->context);
    json_object_end(json);
}

/* By what the target looks like: a problem may be told before there is a route. */
static bool is_text(const struct exchange *exchange)
{
    size_t bare;
    enum format suffix = format_of_suffix(exchange_path(exchange), &bare);
    return suffix == FORMAT_NONE ? negotiate_wants_text_problem(exchange_header(exchange, HEADER_ACCEPT))
                                 : format_is_text(suffix);
}

/* One line, whatever the detail repeats of what was sent. */
static void write_text(struct writer *text, const struct problem *problem)
{
    writer_printf(text, "error: %s: ", KINDS[problem->code].slug);
    writer_line(text, problem->detail);
    writer_char(text, '\n');
}

static const char *content_type(bool text)
{
    return text ? "text/plain; charset=utf-8" : "application/problem+json";
}

static void set_headers(struct exchange *exchange, const struct problem *problem)
{
    unsigned status = KINDS[problem->code].status;
    bool is_soon = problem->code == PROBLEM_STORAGE_BUSY || problem->code == PROBLEM_IDEMPOTENCY_IN_PROGRESS;
    if (status == 503 || status == 429 || is_soon) {
        unsigned seconds = is_soon ? RETRY_SOON_S : RETRY_LATER_S;
        reply_headerf(exchange, "Retry-After", "%u", seconds);
    }
    if (problem->code == PROBLEM_TOKEN_REQUIRED)
        reply_header(exchange, "WWW-Authenticate", "Bearer");
    if (problem->code == PROBLEM_TOKEN_INVALID)
        reply_header(exchange, "WWW-Authenticate", "Bearer error=\"invalid_token\"");
}

enum api_result problem_send(struct exchange *exchange, const struct problem *problem)
{
    if (!problem->detail)
        return problem_out_of_memory(exchange);
    struct writer *out = reply_begin(exchange, KINDS[problem->code].status);
    exchange->response->header_count = 0;
    exchange->response->code = KINDS[problem->code].slug;
    bool text = is_text(exchange);
    reply_header(exchange, "Content-Type", content_type(text));
    set_headers(exchange, problem);
    if (text)
        write_text(out, problem);
    else
        write_json(out, exchange, problem);
    return reply_end(exchange);
}

enum api_result problem_reply(struct exchange *exchange, enum problem_code code, const char *detail)
{
    return problem_send(exchange, &(struct problem){.code = code, .detail = detail});
}

__attribute__((format(printf, 3, 0))) static enum api_result
send_formatted(struct exchange *exchange, struct problem *problem, const char *format, va_list arguments)
{
    problem->detail = arena_vprintf(exchange->arena, format, arguments);
    return problem_send(exchange, problem);
}

enum api_result problem_replyf(struct exchange *exchange, enum problem_code code, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    enum api_result result = send_formatted(exchange, &(struct problem){.code = code}, format, arguments);
    va_end(arguments);
    return result;
}

enum api_result problem_field(struct exchange *exchange, const char *pointer, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct problem problem = {.code = PROBLEM_INVALID_PARAMETER, .pointer = pointer};
    enum api_result result = send_formatted(exchange, &problem, format, arguments);
    va_end(arguments);
    return result;
}

enum api_result problem_parameter(struct exchange *exchange, const char *parameter, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    struct problem problem = {.code = PROBLEM_INVALID_PARAMETER, .parameter = parameter};
    enum api_result result = send_formatted(exchange, &problem, format, arguments);
    va_end(arguments);
    return result;
}

static void write_limit(struct writer *json, const void *context)
{
    json_int(json, "limit", *(const int64_t *)context);
}

enum api_result problem_too_expensive(struct exchange *exchange, const char *detail, const char *parameter,
                                      int64_t limit)
{
    struct problem problem = {
        .code = PROBLEM_TOO_EXPENSIVE,
        .detail = detail,
        .parameter = parameter,
        .members = write_limit,
        .context = &limit,
    };
    return problem_send(exchange, &problem);
}

enum api_result problem_out_of_memory(struct exchange *exchange)
{
    static const char JSON[] = "{\"type\":\"/v1/problems/internal\",\"title\":\"The service has failed\","
                               "\"status\":500,\"detail\":\"Memory is out.\",\"code\":\"internal\"}\n";
    static const char TEXT[] = "error: internal: Memory is out.\n";
    bool text = is_text(exchange);
    reply_empty(exchange, 500);
    exchange->response->code = KINDS[PROBLEM_INTERNAL].slug;
    reply_header(exchange, "Content-Type", content_type(text));
    exchange->response->body = text ? TEXT : JSON;
    exchange->response->length = (text ? sizeof TEXT : sizeof JSON) - 1;
    return API_DONE;
}

bool problem_no_memory(struct exchange *exchange)
{
    problem_out_of_memory(exchange);
    return false;
}
