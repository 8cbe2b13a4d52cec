#include "api/documents.h"

#include <string.h>

#include "api/etag.h"
#include "api/exchange.h"
#include "api/format.h"
#include "api/handlers.h"
#include "api/negotiate.h"
#include "api/problem.h"
#include "api/reply.h"

/* The name changes with the bytes. */
static const char CACHE_FOR_EVER[] = "public, max-age=31536000, immutable";
static const char CACHE_ASK[] = "no-cache";

static const char POLICY[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; font-src 'self'; "
    "img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; "
    "frame-ancestors 'none'; require-trusted-types-for 'script'; trusted-types 'none'";

const struct document *document_find(const char *name)
{
    for (size_t i = 0; i < document_count; i++) {
        if (strcmp(documents[i].name, name) == 0)
            return &documents[i];
    }
    return NULL;
}

enum api_result document_reply(struct exchange *exchange, const struct document *document,
                               const char *cache_control)
{
    if (!document)
        return problem_reply(exchange, PROBLEM_NOT_FOUND,
                             "Nothing has this path. GET /v1 lists what there is.");
    bool is_gzip = document->gzip && negotiate_takes_gzip(exchange_header(exchange, HEADER_ACCEPT_ENCODING));
    const char *tag = arena_printf(exchange->arena, is_gzip ? "\"%s-gzip\"" : "\"%s\"", document->tag);
    if (!tag)
        return problem_out_of_memory(exchange);
    if (etag_matches(exchange, tag))
        reply_empty(exchange, 304);
    else if (is_gzip)
        reply_static(exchange, document->gzip, document->gzip_size);
    else
        reply_static(exchange, document->bytes, document->size);
    if (is_gzip && exchange->response->status == 200)
        reply_header(exchange, "Content-Encoding", "gzip");
    reply_header(exchange, "ETag", tag);
    reply_header(exchange, "Vary", "Accept, Accept-Encoding, Origin");
    reply_cache(exchange, cache_control);
    return API_DONE;
}

enum api_result document_reply_page(struct exchange *exchange, const char *name)
{
    enum api_result result = document_reply(exchange, document_find(name), CACHE_ASK);
    if (exchange->response->status != 200)
        return result;
    reply_header(exchange, "Content-Security-Policy", POLICY);
    reply_header(exchange, "Referrer-Policy", "no-referrer");
    return result;
}

enum api_result get_openapi_yaml(struct exchange *exchange)
{
    return document_reply(exchange, document_find("openapi.yaml"), REPLY_FIVE_MINUTES);
}

enum api_result get_openapi_json(struct exchange *exchange)
{
    return document_reply(exchange, document_find("openapi.json"), REPLY_FIVE_MINUTES);
}

enum api_result get_docs(struct exchange *exchange)
{
    if (exchange->format == FORMAT_HTML && document_find("docs.html"))
        return document_reply_page(exchange, "docs.html");
    exchange->format = FORMAT_TEXT;
    return document_reply(exchange, document_find("cookbook.txt"), REPLY_FIVE_MINUTES);
}

enum api_result get_asset(struct exchange *exchange)
{
    const char *suffix = format_suffix(exchange->format);
    const char *name = arena_printf(exchange->arena, "%s%s", exchange->path.slug, suffix);
    if (!name)
        return problem_out_of_memory(exchange);
    return document_reply(exchange, document_find(name), CACHE_FOR_EVER);
}
