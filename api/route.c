#include "api/route.h"

#include <string.h>

#include "api/cors.h"
#include "api/negotiate.h"
#include "api/path.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route_tree.h"

static const char *const METHODS[METHOD_COUNT] = {
    [METHOD_GET] = "GET",     [METHOD_HEAD] = "HEAD",     [METHOD_POST] = "POST",       [METHOD_PUT] = "PUT",
    [METHOD_PATCH] = "PATCH", [METHOD_DELETE] = "DELETE", [METHOD_OPTIONS] = "OPTIONS",
};

const char *route_method_name(enum method method)
{
    return METHODS[method];
}

static enum method find_method(const char *name)
{
    int method = 0;
    while (method < METHOD_OTHER && strcmp(METHODS[method], name) != 0)
        method++;
    return (enum method)method;
}

/* "GET, HEAD, OPTIONS"; NULL: memory is out. */
static const char *join_methods(struct arena *arena, unsigned methods)
{
    const char *list = "";
    for (int method = 0; method < METHOD_OTHER; method++) {
        if (methods >> method & 1u)
            list = arena_join(arena, list, METHODS[method]);
    }
    return list;
}

/* OPTIONS is answered here, a method that the path does not take is refused: false for both. */
static bool check_method(struct exchange *exchange, unsigned allowed)
{
    if (exchange->method != METHOD_OPTIONS && exchange->method != METHOD_OTHER &&
        allowed >> exchange->method & 1u)
        return true;
    const char *methods = join_methods(exchange->arena, allowed);
    if (!methods) {
        problem_out_of_memory(exchange);
    } else if (exchange->method == METHOD_OPTIONS) {
        cors_answer_options(exchange, methods);
    } else {
        problem_replyf(exchange, PROBLEM_METHOD_NOT_ALLOWED, "This resource takes %s.", methods);
        reply_header(exchange, "Allow", methods);
    }
    return false;
}

enum { UNION_MAX = 3 * FORMAT_LIST_MAX + 1 };

/* All formats of the rows of one method, in their order. */
static void unite_formats(const struct route_rows *rows, enum method method, enum format formats[UNION_MAX])
{
    size_t count = 0;
    for (const struct route *row = rows->first; row < rows->end; row++) {
        for (const enum format *format = row->formats;
             row->method == method && *format != FORMAT_NONE && count < UNION_MAX - 1; format++)
            formats[count++] = *format;
    }
    formats[count] = FORMAT_NONE;
}

static bool has_format(const enum format *formats, enum format wanted)
{
    while (*formats != FORMAT_NONE && *formats != wanted)
        formats++;
    return *formats == wanted && wanted != FORMAT_NONE;
}

static void write_available(struct writer *json, const void *context)
{
    json_array_begin(json, "available");
    for (const enum format *format = context; *format != FORMAT_NONE; format++)
        json_string(json, NULL, format_media_type(*format));
    json_array_end(json);
}

static void refuse_format(struct exchange *exchange, const enum format *formats)
{
    const char *list = "";
    for (const enum format *format = formats; *format != FORMAT_NONE; format++)
        list = arena_join(exchange->arena, list, format_media_type(*format));
    struct problem problem = {
        .code = PROBLEM_NOT_ACCEPTABLE,
        .detail = list ? arena_printf(exchange->arena, "This resource comes as %s.", list) : NULL,
        .members = write_available,
        .context = formats,
    };
    problem_send(exchange, &problem);
}

static bool choose_row(struct exchange *exchange, const struct route_rows *rows, enum format suffix)
{
    enum method method = exchange->method == METHOD_HEAD ? METHOD_GET : exchange->method;
    enum format formats[UNION_MAX];
    unite_formats(rows, method, formats);
    enum format format = suffix;
    if (suffix == FORMAT_NONE)
        format = negotiate(exchange_header(exchange, HEADER_ACCEPT), formats);
    if (!has_format(formats, format)) {
        refuse_format(exchange, formats);
        return false;
    }
    const struct route *row = rows->first;
    while (row->method != method || !has_format(row->formats, format))
        row++;
    exchange->route = row;
    exchange->format = format;
    return true;
}

static bool refuse_path(struct exchange *exchange)
{
    problem_reply(exchange, PROBLEM_NOT_FOUND, "Nothing has this path. GET /v1 lists what there is.");
    return false;
}

/* With the suffix taken off first: ids and names of resources have none, but "openapi.json" is a name. */
static const struct route_rows *match(const struct route_tree *tree, struct path *path)
{
    struct path bare;
    const struct route_rows *rows = path_strip_suffix(path, &bare) ? route_tree_find(tree, &bare) : NULL;
    if (!rows)
        return route_tree_find(tree, path);
    *path = bare;
    return rows;
}

/* "*", the service as a whole (RFC 9110 9.3.7). */
static bool answer_asterisk(struct exchange *exchange)
{
    unsigned all = (1u << METHOD_OTHER) - 1;
    const char *methods = join_methods(exchange->arena, all);
    if (methods)
        cors_answer_options(exchange, methods);
    else
        problem_out_of_memory(exchange);
    return false;
}

bool route_find(struct exchange *exchange, const char **query)
{
    const char *target = exchange->request->target;
    struct path path;
    exchange->method = find_method(exchange->request->method);
    if (exchange->method == METHOD_OPTIONS && strcmp(target, "*") == 0)
        return answer_asterisk(exchange);
    if (!path_read(exchange, target, &path, query))
        return false;
    const struct route_rows *rows = match(exchange->api->routes, &path);
    if (!rows)
        return refuse_path(exchange);
    exchange->response->route = rows->first->path;
    return check_method(exchange, rows->methods) && choose_row(exchange, rows, path.suffix) &&
           path_values_read(exchange, &path, rows->first->path);
}
