#include "service/http_exchange.h"

#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/random.h>

#include "service/monotonic.h"

enum {
    /* Kept for reuse by each network thread: as many as run in it at one time when it is busy, and 4 MiB of blocks. */
    FREE_MAX = 256,
    FIRST_BODY = 4096,
    /* A client that sends too much is read on so far, so that it sees the answer instead of a reset. */
    DISCARD_BYTES = 4 << 20,
};

static void destroy(struct http_exchange *exchange)
{
    arena_finish(&exchange->arena);
    free(exchange);
}

void http_exchange_list_finish(struct http_exchange_list *list)
{
    while (list->first) {
        struct http_exchange *next = list->first->next_free;
        destroy(list->first);
        list->first = next;
    }
    list->count = 0;
}

static struct http_exchange *take_free(struct http_exchange_list *list)
{
    struct http_exchange *exchange = list->first;
    if (!exchange)
        return calloc(1, sizeof *exchange);
    list->first = exchange->next_free;
    list->count--;
    return exchange;
}

struct http_exchange *http_exchange_take(struct http_exchange_list *list, struct http_bodies *bodies,
                                         const char *target)
{
    struct http_exchange *exchange = take_free(list);
    if (!exchange)
        return NULL;
    struct arena arena = exchange->arena;
    *exchange = (struct http_exchange){.bodies = bodies,
                                       .arena = arena,
                                       .begun_ns = monotonic_ns(),
                                       .stream.lock = PTHREAD_MUTEX_INITIALIZER};
    size_t length = strlen(target);
    exchange->raw_end = target + length;
    exchange->request = (struct request){
        .target = arena_copy(&exchange->arena, target, length),
        .method = "",
        .body = "",
        .arena = &exchange->arena,
        .id = exchange->id,
    };
    exchange->response.route = "";
    if (exchange->request.target)
        return exchange;
    destroy(exchange);
    return NULL;
}

/* Before its arena is emptied. */
static void forget_body(struct http_exchange *exchange)
{
    if (exchange->body_capacity)
        atomic_fetch_sub_explicit(&exchange->bodies->bytes, exchange->body_capacity, memory_order_relaxed);
    exchange->body = NULL;
    exchange->body_capacity = 0;
}

void http_exchange_give_back(struct http_exchange_list *list, struct http_exchange *exchange)
{
    forget_body(exchange);
    if (list->count == FREE_MAX) {
        destroy(exchange);
        return;
    }
    arena_reset(&exchange->arena);
    exchange->next_free = list->first;
    list->first = exchange;
    list->count++;
}

void http_exchange_discard(struct http_exchange *exchange)
{
    forget_body(exchange);
    destroy(exchange);
}

bool http_exchange_read_target(struct http_exchange *exchange)
{
    static const char SCHEME[] = "http://";
    const char *target = exchange->request.target;
    if (strncasecmp(target, SCHEME, sizeof SCHEME - 1) != 0)
        return true;
    const char *authority = target + sizeof SCHEME - 1;
    size_t length = strcspn(authority, "/?#");
    const char *path = authority + length;
    if (length == 0 || !guard_is_authority(authority, length))
        return false;
    const char *host = arena_copy(&exchange->arena, authority, length);
    exchange->request.headers[HEADER_HOST] = host;
    exchange->request.target = *path == '/' ? path : arena_printf(&exchange->arena, "/%s", path);
    return host && exchange->request.target;
}

/* Ids need not be secret, only different: a counter,
 * scattered by a bijection (the finalizer of splitmix64). */
static uint64_t next_number(void)
{
    static _Atomic uint64_t counter;
    uint64_t seed = atomic_load_explicit(&counter, memory_order_relaxed);
    if (seed == 0) {
        uint64_t random = 0;
        if (getrandom(&random, sizeof random, 0) != (ssize_t)sizeof random)
            random = monotonic_ns();
        (void)atomic_compare_exchange_strong(&counter, &seed, random | 1);
    }
    uint64_t z = atomic_fetch_add_explicit(&counter, UINT64_C(0x9e3779b97f4a7c15), memory_order_relaxed);
    z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
    return z ^ z >> 31;
}

void http_exchange_set_id(struct http_exchange *exchange, const char *given)
{
    static const char HEX[] = "0123456789abcdef";
    if (given) {
        memcpy(exchange->id, given, strnlen(given, HTTP_EXCHANGE_ID_SIZE - 1));
        return;
    }
    uint64_t number = next_number();
    for (unsigned i = 0; i < 16; i++)
        exchange->id[i] = HEX[number >> (60 - 4 * i) & 15];
}

void http_exchange_slim(struct http_exchange *exchange)
{
    struct response *response = &exchange->response;
    if (response->client) {
        memcpy(exchange->client, response->client, strnlen(response->client, sizeof exchange->client - 1));
        response->client = exchange->client;
    }
    response->header_count = 0;
    exchange->request.target = "";
    exchange->request.body = "";
    memset(exchange->request.headers, 0, sizeof exchange->request.headers);
    forget_body(exchange);
    arena_finish(&exchange->arena);
}

static bool reserve(struct http_exchange *exchange, size_t capacity)
{
    struct http_bodies *bodies = exchange->bodies;
    size_t more = capacity - exchange->body_capacity;
    size_t before = atomic_fetch_add_explicit(&bodies->bytes, more, memory_order_relaxed);
    char *grown = before + more > bodies->memory_bytes
                      ? NULL
                      : arena_grow(&exchange->arena, exchange->body, exchange->body_capacity, capacity);
    if (!grown) {
        atomic_fetch_sub_explicit(&bodies->bytes, more, memory_order_relaxed);
        return false;
    }
    exchange->body = grown;
    exchange->body_capacity = capacity;
    return true;
}

/* Room for `total` bytes and a NUL: doubled each time, but not past the limit. */
static bool make_room(struct http_exchange *exchange, size_t total)
{
    size_t capacity = exchange->body_capacity ? exchange->body_capacity : FIRST_BODY;
    while (capacity < total + 1)
        capacity *= 2;
    if (capacity > exchange->body_limit + 1)
        capacity = exchange->body_limit + 1;
    return capacity <= exchange->body_capacity || reserve(exchange, capacity);
}

bool http_exchange_add_body(struct http_exchange *exchange, const char *bytes, size_t length)
{
    size_t total = exchange->body_length + length;
    if (total > exchange->body_limit)
        exchange->body_fate = HTTP_BODY_TOO_LARGE;
    else if (exchange->body_fate == HTTP_BODY_KEPT && !make_room(exchange, total))
        exchange->body_fate = HTTP_BODY_NO_ROOM;
    if (exchange->body_fate == HTTP_BODY_KEPT) {
        memcpy(exchange->body + exchange->body_length, bytes, length);
        exchange->body[total] = '\0';
    }
    exchange->body_length = total;
    return total <= exchange->body_limit + DISCARD_BYTES;
}
