/* runBatch: many questions about positions in one request, a line of JSON each.
 *
 * A line is answered by the handler of the route that it names, as an exchange of its own: so shapes and problems are
 * those of that route. */
#include <assert.h>
#include <string.h>

#include "api/handlers.h"
#include "api/json_check.h"
#include "api/json_span.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"
#include "games/games.h"

/* What a line may ask for: an operation that knows no game and changes nothing. */
struct op {
    const char *name;
    const char *operation; /* that answers */
    const char *parameter; /* of a POST: the member that its query has; the others are its body. NULL: none */
};

static const struct op OPS[] = {
    {"position", "getPosition", NULL},    {"legal-moves", "listPositionLegalMoves", NULL},
    {"line", "playLine", "fen_ep"},       {"validate", "validatePosition", "fen_ep"},
    {"winnable", "decideWinnable", NULL}, {"perft", "getPerft", NULL},
};

enum { OPS_COUNT = sizeof OPS / sizeof OPS[0], TARGET_BYTES = 256 };

/* One line on its way. */
struct question {
    struct arena arena; /* of this line alone: emptied after each */
    struct request request;
    struct response response;
    struct exchange exchange;
    const struct op *op;
    struct text_span object; /* the line, once it is known to be one */
    struct text_span id;     /* as it was written; "null" where there is none */
};

static const struct request_hooks HOOKS = {.suspend = NULL}; /* no line does anything that waits */

static void begin_question(struct question *question, const struct exchange *batch)
{
    arena_reset(&question->arena);
    question->id = (struct text_span){"null", 4};
    question->response = (struct response){0};
    question->request = *batch->request;
    question->request.arena = &question->arena;
    question->request.hooks = &HOOKS;
    memset(question->request.headers, 0, sizeof question->request.headers);
    question->request.headers[HEADER_CONTENT_TYPE] =
        "application/json"; /* the members of the line are the body */
    question->request.body = "";
    question->request.body_length = 0;
    question->exchange = (struct exchange){.api = batch->api,
                                           .request = &question->request,
                                           .response = &question->response,
                                           .arena = &question->arena,
                                           .format = FORMAT_JSON,
                                           .method = METHOD_POST};
}

/* ---- reading a line ------------------------------------------------------------------------------------ */

static bool read_object(struct question *question, struct text_span line)
{
    struct exchange *exchange = &question->exchange;
    unsigned depth = (unsigned)exchange->api->settings.limits.json_depth;
    struct json_fault fault;
    bool good = json_check(exchange->arena, line.text, line.length, depth, &fault);
    if (!good && !fault.sentence)
        problem_out_of_memory(exchange);
    else if (!good)
        problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST,
                       "The line is not JSON that can be read, at byte %zu of it. %s", fault.offset,
                       fault.sentence);
    else if (line.text[0] != '{')
        problem_reply(exchange, PROBLEM_MALFORMED_REQUEST, "The line must be a JSON object.");
    question->object = line;
    return good && line.text[0] == '{';
}

/* Text, a number or null. */
static bool read_id(struct question *question)
{
    struct text_span id;
    if (!json_span_member(question->object, "id", &id))
        return true;
    if (strchr("{[tf", id.text[0])) {
        problem_field(&question->exchange, "/id", "id must be a text or a number.");
        return false;
    }
    question->id = id;
    return true;
}

static const struct route *find_route(const char *operation)
{
    const struct route *route = route_table;
    while (route < route_table + route_count && strcmp(route->operation, operation) != 0)
        route++;
    assert(route < route_table + route_count && !route->acts_once && !strchr(route->path, '{'));
    return route;
}

static bool refuse_op(struct exchange *exchange)
{
    const char *list = "";
    for (int i = 0; i < OPS_COUNT; i++)
        list = arena_join(exchange->arena, list, OPS[i].name);
    if (list)
        problem_field(exchange, "/op", "op must be one of: %s.", list);
    else
        problem_out_of_memory(exchange);
    return false;
}

static bool read_op(struct question *question)
{
    struct exchange *exchange = &question->exchange;
    struct text_span value = {"", 0};
    char *op = NULL;
    size_t length = 0;
    if (json_span_member(question->object, "op", &value) && value.text[0] == '"') {
        op = json_span_text(exchange->arena, value, &length);
        if (!op)
            return problem_no_memory(exchange);
    }
    int i = 0;
    while (i < OPS_COUNT && (!op || strcmp(OPS[i].name, op) != 0))
        i++;
    if (i == OPS_COUNT)
        return refuse_op(exchange);
    question->op = &OPS[i];
    exchange->route = find_route(OPS[i].operation);
    exchange->method = exchange->route->method;
    question->request.method = route_method_name(exchange->method);
    question->request.target = exchange->route->path;
    return true;
}

/* ---- members as query or body -------------------------------------------------------------------------- */

/* Every byte that is not a letter or a digit as an escape: the reader of queries takes it back. */
static void write_escaped(struct writer *query, const char *text, size_t length)
{
    static const char HEX[] = "0123456789ABCDEF";
    for (size_t i = 0; i < length; i++) {
        unsigned char c = (unsigned char)text[i];
        bool is_plain =
            (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
        if (is_plain)
            writer_char(query, text[i]);
        else
            writer_bytes(query, (const char[]){'%', HEX[c >> 4], HEX[c & 15]}, 3);
    }
}

/* A text is what it says, a number or truth value what is written. */
static void write_scalar(struct writer *query, struct text_span value)
{
    size_t length = value.length;
    const char *text = value.text;
    if (value.text[0] == '"')
        text = json_span_text(query->arena, value, &length);
    if (text)
        write_escaped(query, text, length);
    else
        query->failed = true;
}

/* The elements of a list parted by commas, as `moves` has them. */
static void write_value(struct writer *query, struct text_span value)
{
    struct text_span element;
    if (value.text[0] != '[') {
        write_scalar(query, value);
        return;
    }
    const char *at = NULL;
    bool more = json_span_next_element(value, &at, &element);
    while (more) {
        write_scalar(query, element);
        more = json_span_next_element(value, &at, &element);
        if (more)
            writer_char(query, ',');
    }
}

static void write_parameter(struct writer *query, struct text_span name, struct text_span value)
{
    if (query->length)
        writer_char(query, '&');
    write_scalar(query, name);
    writer_char(query, '=');
    write_value(query, value);
}

static void write_member(struct writer *body, struct text_span name, struct text_span value)
{
    writer_char(body, body->length ? ',' : '{');
    writer_bytes(body, name.text, name.length);
    writer_char(body, ':');
    writer_bytes(body, value.text, value.length);
}

/* Members go where the route reads them: into the query of a GET, where null is as not given; into the body of a POST, but
 * for the one that its query has. False: memory is out. */
static bool split_members(struct question *question, struct writer *query, struct writer *body)
{
    const struct route *route = question->exchange.route;
    const char *parameter = question->op->parameter;
    struct text_span name, value;
    writer_init(query, &question->arena, TARGET_BYTES);
    writer_init(body, &question->arena, question->object.length + 2);
    for (const char *at = NULL; json_span_next(question->object, &at, &name, &value);) {
        if (json_span_is(name, "id") || json_span_is(name, "op"))
            continue;
        bool is_parameter = route->method == METHOD_GET || (parameter && json_span_is(name, parameter));
        if (!is_parameter)
            write_member(body, name, value);
        else if (value.text[0] != 'n')
            write_parameter(query, name, value);
    }
    writer_text(body, body->length ? "}" : "{}");
    writer_char(query, '\0');
    writer_char(body, '\0');
    return !query->failed && !body->failed;
}

/* ---- answering ----------------------------------------------------------------------------------------- */

/* What the lines before this one have taken. */
struct taken {
    int64_t ms;
    size_t bytes; /* of the answer */
};

/* What is asked when the service is about to end, or when the batch has taken all that it may. */
static bool refuse_late(struct question *question, const struct taken *taken)
{
    struct exchange *exchange = &question->exchange;
    const struct api *api = exchange->api;
    const struct api_limits *limits = &api->settings.limits;
    if (!api->service.accepts_work(api->service.context))
        problem_reply(exchange, PROBLEM_SHUTTING_DOWN,
                      "The service is shutting down; the line was not answered.");
    else if (taken->ms >= limits->batch_ms)
        problem_too_expensive(exchange,
                              "The time of the batch was spent before this line (limit `batch_ms`).", NULL,
                              limits->batch_ms);
    else if (taken->bytes >= (size_t)limits->batch_answer_bytes)
        problem_too_expensive(exchange,
                              "The answer to the batch was full before this line (limit "
                              "`batch_answer_bytes`).",
                              NULL, limits->batch_answer_bytes);
    else
        return false;
    return true;
}

static void ask(struct question *question, struct text_span line, const struct taken *taken)
{
    struct exchange *exchange = &question->exchange;
    struct writer query, body;
    if (!read_object(question, line) || !read_id(question) || refuse_late(question, taken) ||
        !read_op(question))
        return;
    if (!split_members(question, &query, &body)) {
        problem_out_of_memory(exchange);
        return;
    }
    question->request.body = body.data;
    question->request.body_length = body.length - 1;
    if (!query_read(exchange, query.data, exchange->route->query) ||
        !body_read(exchange, exchange->route->bodies))
        return;
    enum api_result result = exchange->route->handler(exchange);
    assert(result == API_DONE);
    (void)result;
}

/* {id, status, result} or {id, status, problem} */
static void write_answer(struct writer *out, const struct question *question)
{
    const struct response *response = &question->response;
    size_t length = response->length;
    while (length && response->body[length - 1] == '\n')
        length--;
    json_object_begin(out, NULL);
    json_raw(out, "id", question->id.text, question->id.length);
    json_int(out, "status", response->status);
    json_raw(out, response->status < 400 ? "result" : "problem", response->body, length);
    json_object_end(out);
    json_line_end(out);
}

static struct text_span next_line(const char **at, const char *end)
{
    const char *newline = memchr(*at, '\n', (size_t)(end - *at));
    struct text_span line = {*at, (size_t)((newline ? newline : end) - *at)};
    *at = newline ? newline + 1 : end;
    text_trim(&line.text, &line.length);
    return line;
}

static int64_t count_lines(const struct body *body)
{
    int64_t count = 0;
    const char *end = body->text + body->length;
    for (const char *at = body->text; at < end;)
        count += next_line(&at, end).length > 0;
    return count;
}

static enum api_result answer_all(struct exchange *batch, struct question *question)
{
    const struct games *games = batch->api->games;
    struct writer *out = reply_begin(batch, 200);
    int64_t begun_ms = games_service_ms(games);
    const char *end = batch->body.text + batch->body.length;
    for (const char *at = batch->body.text; at < end && !out->failed;) {
        struct text_span line = next_line(&at, end);
        if (line.length == 0)
            continue;
        begin_question(question, batch);
        struct taken taken = {games_service_ms(games) - begun_ms, out->length};
        line.text = arena_copy(&question->arena, line.text, line.length);
        if (line.text)
            ask(question, line, &taken);
        else
            problem_out_of_memory(&question->exchange);
        write_answer(out, question);
    }
    return reply_end(batch);
}

enum api_result run_batch(struct exchange *exchange)
{
    int64_t most = exchange->api->settings.limits.batch_lines, lines = count_lines(&exchange->body);
    if (lines > most)
        return problem_replyf(exchange, PROBLEM_PAYLOAD_TOO_LARGE,
                              "The batch has %lld lines, and may have %lld (limit `batch_lines`).",
                              (long long)lines, (long long)most);
    if (lines == 0)
        return problem_reply(exchange, PROBLEM_MALFORMED_REQUEST,
                             "The batch is empty: send JSON objects, one a line.");
    if (!exchange->request->may_work)
        return API_WORKS;
    struct question *question = arena_zalloc(exchange->arena, sizeof *question);
    if (!question)
        return problem_out_of_memory(exchange);
    enum api_result result = answer_all(exchange, question);
    arena_finish(&question->arena);
    return result;
}
