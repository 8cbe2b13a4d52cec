#include "tests/service/api_stub.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "api/cache.h"

#define TENTH "012345678901234567890123456789012345678901234567890123456789"

struct waiting {
    struct request *request;
    struct waiting *next;
};

/* Room for two answers of /v1/again. */
enum { AGAIN_LENGTH = 900, AGAIN_BUDGET = 2 * (AGAIN_LENGTH + RESPONSE_FORM_BYTES + 256) };

enum { STREAM_ROOM = 4096, STREAM_QUIET_MS = 300, MANY_DOTS = 20000000, WORKS = 3 };

struct stub_stream {
    struct api *api;
    struct request *request;
    struct stub_stream *next;
    size_t dots; /* to be said first */
    unsigned works;
    size_t length;
    bool ends;
    char pending[STREAM_ROOM];
};

struct api {
    struct cache *again;
    pthread_mutex_t lock;
    struct stub_stream *streams;
    size_t stream_count;
    pthread_cond_t changed;
    struct waiting *due, *held; /* in the arenas of their requests */
    size_t held_count, working;
    bool lets_work;
    bool stopping;
    pthread_t waker;
};

static void respond(struct response *response, const char *route, unsigned status, const char *body,
                    size_t length)
{
    response->status = status;
    response->route = route;
    response->body = body;
    response->length = length;
    response->headers[response->header_count++] = (struct response_header){"Content-Type", "text/plain"};
}

static void respond_text(struct response *response, const char *route, const char *text)
{
    respond(response, route, 200, text, strlen(text));
}

static void push(struct api *api, struct waiting **list, struct request *request)
{
    struct waiting *waiting = arena_alloc(request->arena, sizeof *waiting);
    pthread_mutex_lock(&api->lock);
    *waiting = (struct waiting){request, *list};
    *list = waiting;
    api->held_count += list == &api->held;
    pthread_cond_broadcast(&api->changed);
    pthread_mutex_unlock(&api->lock);
}

static void wake_all(struct waiting *list)
{
    while (list) {
        struct request *request = list->request;
        list = list->next;
        request->hooks->wake(request);
    }
}

static void *wake_due(void *argument)
{
    struct api *api = argument;
    pthread_mutex_lock(&api->lock);
    for (;;) {
        while (!api->due && !api->stopping)
            pthread_cond_wait(&api->changed, &api->lock);
        struct waiting *due = api->due;
        api->due = NULL;
        pthread_mutex_unlock(&api->lock);
        if (!due)
            return NULL;
        wake_all(due);
        pthread_mutex_lock(&api->lock);
    }
}

struct api *api_create(struct games *games, const struct api_service *service,
                       const struct api_settings *settings)
{
    (void)games;
    (void)service;
    (void)settings;
    return api_stub_create();
}

struct api *api_stub_create(void)
{
    struct api *api = calloc(1, sizeof *api);
    api->again = cache_create(AGAIN_BUDGET);
    pthread_mutex_init(&api->lock, NULL);
    pthread_cond_init(&api->changed, NULL);
    if (pthread_create(&api->waker, NULL, wake_due, api) != 0)
        abort();
    return api;
}

void api_destroy(struct api *api)
{
    if (!api)
        return;
    pthread_mutex_lock(&api->lock);
    api->stopping = true;
    pthread_cond_broadcast(&api->changed);
    pthread_mutex_unlock(&api->lock);
    pthread_join(api->waker, NULL);
    pthread_cond_destroy(&api->changed);
    pthread_mutex_destroy(&api->lock);
    cache_destroy(api->again);
    free(api);
}

void api_stub_wait_held(struct api *api, size_t count)
{
    pthread_mutex_lock(&api->lock);
    while (api->held_count < count)
        pthread_cond_wait(&api->changed, &api->lock);
    pthread_mutex_unlock(&api->lock);
}

void api_stub_release(struct api *api)
{
    pthread_mutex_lock(&api->lock);
    struct waiting *held = api->held;
    api->held = NULL;
    api->held_count = 0;
    pthread_mutex_unlock(&api->lock);
    wake_all(held);
}

/* ---- streams ---- */

static size_t take(struct stub_stream *stream, char *buffer, size_t size)
{
    if (stream->dots) {
        size_t length = stream->dots < size ? stream->dots : size;
        memset(buffer, '.', length);
        stream->dots -= length;
        return length;
    }
    size_t length = stream->length < size ? stream->length : size;
    memcpy(buffer, stream->pending, length);
    memmove(stream->pending, stream->pending + length, stream->length - length);
    stream->length -= length;
    return length;
}

static void add(struct stub_stream *stream, const char *text)
{
    size_t length = strlen(text);
    if (stream->length + length > sizeof stream->pending)
        return; /* who talks without end is not listened to */
    memcpy(stream->pending + stream->length, text, length);
    stream->length += length;
}

static size_t read_stream(void *context, enum stream_why why, char *buffer, size_t size, bool *end)
{
    struct stub_stream *stream = context;
    pthread_mutex_lock(&stream->api->lock);
    if (why == STREAM_QUIET)
        add(stream, "quiet\n");
    if (why == STREAM_ENDING && !stream->ends)
        add(stream, "bye\n");
    stream->ends = stream->ends || why == STREAM_ENDING;
    size_t length = take(stream, buffer, size);
    *end = stream->ends && stream->length == 0 && stream->dots == 0;
    pthread_mutex_unlock(&stream->api->lock);
    return length;
}

static void close_stream(void *context)
{
    struct stub_stream *stream = context;
    struct api *api = stream->api;
    pthread_mutex_lock(&api->lock);
    struct stub_stream **link = &api->streams;
    while (*link != stream)
        link = &(*link)->next;
    *link = stream->next;
    api->stream_count--;
    pthread_cond_broadcast(&api->changed);
    pthread_mutex_unlock(&api->lock);
    free(stream);
}

static void tell_all(struct api *api, const char *text, bool ends)
{
    pthread_mutex_lock(&api->lock);
    for (struct stub_stream *stream = api->streams; stream; stream = stream->next) {
        add(stream, text);
        stream->ends = stream->ends || ends;
        stream->request->hooks->poke(stream->request);
    }
    pthread_mutex_unlock(&api->lock);
}

void api_stub_say(struct api *api, const char *text)
{
    tell_all(api, text, false);
}

void api_stub_end_streams(struct api *api)
{
    tell_all(api, "", true);
}

void api_stub_wait_streams(struct api *api, size_t count)
{
    pthread_mutex_lock(&api->lock);
    while (api->stream_count != count)
        pthread_cond_wait(&api->changed, &api->lock);
    pthread_mutex_unlock(&api->lock);
}

static void work(void *context)
{
    struct stub_stream *stream = context;
    struct api *api = stream->api;
    pthread_mutex_lock(&api->lock);
    api->working++;
    pthread_cond_broadcast(&api->changed);
    while (!api->lets_work && !atomic_load(&stream->request->is_gone)) {
        pthread_mutex_unlock(&api->lock);
        (void)sched_yield();
        pthread_mutex_lock(&api->lock);
    }
    api->working--;
    add(stream, "worked\n");
    stream->ends = ++stream->works == WORKS;
    pthread_mutex_unlock(&api->lock);
}

static size_t read_work(void *context, enum stream_why why, char *buffer, size_t size, bool *end)
{
    (void)why;
    return read_stream(context, STREAM_WANTED, buffer, size, end);
}

void api_stub_let_work(struct api *api)
{
    pthread_mutex_lock(&api->lock);
    api->lets_work = true;
    pthread_mutex_unlock(&api->lock);
}

void api_stub_wait_working(struct api *api, size_t count)
{
    pthread_mutex_lock(&api->lock);
    while (api->working != count)
        pthread_cond_wait(&api->changed, &api->lock);
    pthread_mutex_unlock(&api->lock);
}

static enum api_result answer_stream(struct api *api, struct request *request, struct response *response)
{
    if (request->head_only) {
        respond_text(response, "/v1/stream", "");
        response->is_unmeasured = true;
        return API_DONE;
    }
    struct stub_stream *stream = calloc(1, sizeof *stream);
    if (!stream)
        abort();
    stream->api = api;
    stream->request = request;
    stream->dots = strstr(request->target, "?dots") ? MANY_DOTS : 0;
    response->status = 200;
    response->route = "/v1/stream";
    response->headers[response->header_count++] = (struct response_header){"Content-Type", "text/plain"};
    response->stream = (struct response_stream){
        .context = stream, .read = read_stream, .close = close_stream, .quiet_ms = STREAM_QUIET_MS};
    pthread_mutex_lock(&api->lock);
    stream->next = api->streams;
    api->streams = stream;
    api->stream_count++;
    pthread_cond_broadcast(&api->changed);
    pthread_mutex_unlock(&api->lock);
    return API_DONE;
}

static enum api_result answer_work(struct api *api, struct request *request, struct response *response)
{
    enum api_result result = answer_stream(api, request, response);
    response->route = "/v1/work";
    response->stream.read = read_work;
    response->stream.work = work;
    response->stream.quiet_ms = 0;
    return result;
}

/* ---- routes ---- */

static enum api_result answer_health(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    (void)request;
    respond_text(response, "/healthz", "ok\n");
    return API_DONE;
}

static enum api_result answer_fast(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    /* 600 bytes of JSON. */
    static const char body[] = "{\"pad\":\"" TENTH TENTH TENTH TENTH TENTH TENTH TENTH TENTH TENTH
                               "0123456789012345678901234567890123456789012345678\"}";
    respond(response, "/v1/fast", 200, body, 600);
    response->headers[response->header_count++] = (struct response_header){"X-Request-Id", request->id};
    return API_DONE;
}

/* The target, again and again. */
static void find_again(struct api *api, const char *target, struct arena *arena, struct cache_found *found)
{
    char body[AGAIN_LENGTH];
    const struct cache_part key = {target, strlen(target)};
    for (size_t i = 0; i < sizeof body; i++)
        body[i] = target[i % key.length];
    /* What others keep between the two may put it out. */
    do
        cache_keep(api->again, &key, 1, body, sizeof body);
    while (!cache_find(api->again, &key, 1, arena, found));
}

static enum api_result answer_again(struct api *api, struct request *request, struct response *response)
{
    const char *prefer = request->headers[HEADER_PREFER];
    struct cache_found found;
    find_again(api, request->target, request->arena, &found);
    respond(response, "/v1/again", 200, found.bytes, found.length);
    response->slot = found.slot;
    response->headers[response->header_count++] = (struct response_header){"X-Request-Id", request->id};
    if (prefer && strncmp(prefer, "r=", 2) == 0) {
        request->rate_limit = prefer;
        response->headers[response->header_count++] = (struct response_header){"RateLimit", prefer};
    } else if (prefer) {
        response->headers[response->header_count++] = (struct response_header){"X-Prefer", prefer};
    }
    response->close = prefer && strcmp(prefer, "close") == 0;
    return API_DONE;
}

struct response_slot *api_stub_slot(struct api *api, const char *target)
{
    struct arena arena = {0};
    struct cache_found found;
    find_again(api, target, &arena, &found);
    arena_finish(&arena);
    return found.slot;
}

static enum api_result answer_echo(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    respond(response, "/v1/echo", 200, request->body, request->body_length);
    return API_DONE;
}

static enum api_result answer_header(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    const char *name = strchr(request->target, '?');
    const char *value = name ? request->headers[header_field_of(name + 1, strlen(name + 1))] : NULL;
    respond_text(response, "/v1/header", value ? value : "(none)");
    return API_DONE;
}

static enum api_result answer_blocks(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    if (!request->may_block)
        return API_BLOCKS;
    respond_text(response, "/v1/blocks", "blocked\n");
    return API_DONE;
}

static enum api_result answer_always_blocks(struct api *api, struct request *request,
                                            struct response *response)
{
    (void)api;
    (void)request;
    (void)response;
    return API_BLOCKS;
}

static enum api_result answer_pending(struct api *api, struct request *request, struct response *response)
{
    request->hooks->suspend(request);
    respond_text(response, "/v1/pending", "woken\n");
    push(api, &api->due, request);
    return API_PENDING;
}

static enum api_result answer_early(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    request->hooks->suspend(request);
    respond_text(response, "/v1/early", "early\n");
    request->hooks->wake(request);
    return API_PENDING;
}

static enum api_result answer_both(struct api *api, struct request *request, struct response *response)
{
    if (!request->may_block)
        return API_BLOCKS;
    return request->may_work ? answer_pending(api, request, response) : API_WORKS;
}

static enum api_result answer_held(struct api *api, struct request *request, struct response *response)
{
    request->hooks->suspend(request);
    respond_text(response, "/v1/held", "held\n");
    push(api, &api->held, request);
    return API_PENDING;
}

static enum api_result answer_bad_header(struct api *api, struct request *request, struct response *response)
{
    (void)api;
    (void)request;
    respond_text(response, "/v1/bad-header", "ok\n");
    response->headers[response->header_count++] = (struct response_header){"X-Bad", "a\r\nX-Injected: 1"};
    return API_DONE;
}

static const struct {
    const char *path;
    enum api_result (*answer)(struct api *api, struct request *request, struct response *response);
} ROUTES[] = {
    {"/healthz", answer_health},     {"/v1/fast", answer_fast},
    {"/v1/echo", answer_echo},       {"/v1/header", answer_header},
    {"/v1/blocks", answer_blocks},   {"/v1/always-blocks", answer_always_blocks},
    {"/v1/pending", answer_pending}, {"/v1/early", answer_early},
    {"/v1/both", answer_both},       {"/v1/held", answer_held},
    {"/v1/stream", answer_stream},   {"/v1/bad-header", answer_bad_header},
    {"/v1/again", answer_again},     {"/v1/work", answer_work},
};

enum api_result api_handle(struct api *api, struct request *request, struct response *response)
{
    size_t length = strcspn(request->target, "?");
    for (size_t i = 0; i < sizeof ROUTES / sizeof *ROUTES; i++)
        if (strncmp(request->target, ROUTES[i].path, length) == 0 && ROUTES[i].path[length] == '\0')
            return ROUTES[i].answer(api, request, response);
    api_refuse(api, request, response, "not-found", "");
    return API_DONE;
}

void api_refuse(struct api *api, struct request *request, struct response *response, const char *code,
                const char *detail)
{
    static const struct {
        const char *code;
        unsigned status;
    } STATUSES[] = {
        {"malformed-request", 400},      {"payload-too-large", 413},
        {"uri-too-long", 414},           {"headers-too-large", 431},
        {"unsupported-media-type", 415}, {"storage-busy", 503},
        {"shutting-down", 503},          {"not-found", 404},
    };
    (void)api;
    (void)request;
    (void)detail;
    respond(response, "", 500, code, strlen(code));
    response->code = code;
    for (size_t i = 0; i < sizeof STATUSES / sizeof *STATUSES; i++)
        if (strcmp(code, STATUSES[i].code) == 0)
            response->status = STATUSES[i].status;
}
