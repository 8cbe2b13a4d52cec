#include "api/documents.h"

#include "api/handlers.h"
#include "api/reply.h"

static const char CACHE_FIVE_MINUTES[] = "max-age=300";

enum api_result get_openapi_yaml(struct exchange *exchange)
{
    reply_static(exchange, document_openapi_yaml, document_openapi_yaml_size);
    reply_cache(exchange, CACHE_FIVE_MINUTES);
    return API_DONE;
}

enum api_result get_openapi_json(struct exchange *exchange)
{
    reply_static(exchange, document_openapi_json, document_openapi_json_size);
    reply_cache(exchange, CACHE_FIVE_MINUTES);
    return API_DONE;
}
