#include "api/rate.h"

#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>

#include "api/exchange.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"
#include "games/games.h"

enum {
    BUCKETS = RATE_CLASS_COUNT - 1,
    POLICY_SIZE = 48,
    POLICY_WINDOW_S = 60,
    NOBODY = 0, /* an index that is no client's */
};

/* SERVICE_MS_MAX, which a damaged store may begin with, is a number in these too. */
#define MINUTE_US INT64_C(60000000)
#define MS_US     INT64_C(1000)

static const char *const NAMES[RATE_CLASS_COUNT] = {
    [RATE_MOVES] = "moves", [RATE_CREATES] = "creates", [RATE_READS] = "reads", [RATE_HEAVY] = "heavy"};

struct client {
    struct client_address site;
    uint32_t next; /* of the same hash */
    uint32_t newer, older;
    /* When each bucket is full again: each request puts it off by the time in which one token comes (the generic cell
     * rate algorithm, which is a token bucket without the counting). */
    int64_t full_us[BUCKETS];
};

struct rates {
    pthread_mutex_t lock;
    struct client *clients; /* [1 .. limit]; `used` of them */
    uint32_t *heads;        /* by hash: a chain of clients */
    uint32_t head_mask;
    uint32_t limit, used;
    uint32_t newest, oldest;
    uint64_t seed; /* so that nobody can aim at one chain */
    int64_t per_minute[RATE_CLASS_COUNT];
    char policies[RATE_CLASS_COUNT][POLICY_SIZE];
};

/* ---- the table ------------------------------------------------------------------------------------------ */

static uint32_t heads_for(size_t clients)
{
    uint32_t heads = 1;
    while (heads < clients)
        heads *= 2;
    return heads;
}

struct rates *rates_create(const struct rate_settings *settings)
{
    struct rates *rates = calloc(1, sizeof *rates);
    if (!rates)
        return NULL;
    rates->limit = (uint32_t)settings->clients;
    rates->head_mask = heads_for(settings->clients) - 1;
    rates->clients = calloc((size_t)rates->limit + 1, sizeof *rates->clients);
    rates->heads = calloc((size_t)rates->head_mask + 1, sizeof *rates->heads);
    pthread_mutex_init(&rates->lock, NULL);
    if (!rates->clients || !rates->heads ||
        getrandom(&rates->seed, sizeof rates->seed, 0) != (ssize_t)sizeof rates->seed) {
        rates_destroy(rates);
        return NULL;
    }
    memcpy(rates->per_minute, settings->per_minute, sizeof rates->per_minute);
    for (int class = RATE_MOVES; class < RATE_CLASS_COUNT; class ++)
        (void)snprintf(rates->policies[class], POLICY_SIZE, "\"%s\";q=%" PRId64 ";w=%d", NAMES[class],
                       rates->per_minute[class], POLICY_WINDOW_S);
    return rates;
}

void rates_destroy(struct rates *rates)
{
    if (!rates)
        return;
    pthread_mutex_destroy(&rates->lock);
    free(rates->clients);
    free(rates->heads);
    free(rates);
}

size_t rates_clients(struct rates *rates)
{
    pthread_mutex_lock(&rates->lock);
    size_t used = rates->used;
    pthread_mutex_unlock(&rates->lock);
    return used;
}

/* The finalizer of splitmix64 over both halves. */
static uint32_t *head_of(const struct rates *rates, const struct client_address *site)
{
    uint64_t halves[2];
    memcpy(halves, site->bytes, sizeof halves);
    uint64_t z = rates->seed ^ site->is_unix;
    for (int i = 0; i < 2; i++) {
        z ^= halves[i];
        z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
        z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
        z ^= z >> 31;
    }
    return &rates->heads[z & rates->head_mask];
}

static void unlink_age(struct rates *rates, uint32_t index)
{
    const struct client *client = &rates->clients[index];
    *(client->newer ? &rates->clients[client->newer].older : &rates->newest) = client->older;
    *(client->older ? &rates->clients[client->older].newer : &rates->oldest) = client->newer;
}

static void make_newest(struct rates *rates, uint32_t index)
{
    rates->clients[index].newer = NOBODY;
    rates->clients[index].older = rates->newest;
    *(rates->newest ? &rates->clients[rates->newest].newer : &rates->oldest) = index;
    rates->newest = index;
}

static void unlink_hash(struct rates *rates, uint32_t index)
{
    uint32_t *link = head_of(rates, &rates->clients[index].site);
    while (*link != index)
        link = &rates->clients[*link].next;
    *link = rates->clients[index].next;
}

/* A place that nobody has, or that of the client that has been away for the longest time. */
static uint32_t take_place(struct rates *rates)
{
    if (rates->used < rates->limit)
        return ++rates->used;
    uint32_t index = rates->oldest;
    unlink_age(rates, index);
    unlink_hash(rates, index);
    return index;
}

static struct client *find_or_add(struct rates *rates, const struct client_address *site)
{
    uint32_t *head = head_of(rates, site);
    uint32_t index = *head;
    while (index && !client_is_same(&rates->clients[index].site, site))
        index = rates->clients[index].next;
    if (index) {
        unlink_age(rates, index);
    } else {
        index = take_place(rates);
        rates->clients[index] = (struct client){.site = *site, .next = *head};
        *head = index;
    }
    make_newest(rates, index);
    return &rates->clients[index];
}

/* ---- a bucket ------------------------------------------------------------------------------------------- */

static int64_t divide_up(int64_t dividend, int64_t divisor)
{
    return dividend <= 0 ? 0 : (dividend + divisor - 1) / divisor;
}

static void take(int64_t *full_us, int64_t quota, int64_t now_us, struct rate_left *left)
{
    int64_t token_us = MINUTE_US / quota;
    int64_t missing_us = *full_us > now_us ? *full_us - now_us : 0;
    left->allowed = missing_us <= (quota - 1) * token_us;
    if (left->allowed) {
        missing_us += token_us;
        *full_us = now_us + missing_us;
    }
    left->remaining = left->allowed ? (quota * token_us - missing_us) / token_us : 0;
    left->full_ms = divide_up(missing_us, MS_US);
    left->next_ms = divide_up(missing_us - (quota - 1) * token_us, MS_US);
}

void rates_take(struct rates *rates, const struct client_address *client, enum rate_class class,
                int64_t now_ms, struct rate_left *left)
{
    struct client_address site = client_site(client);
    pthread_mutex_lock(&rates->lock);
    struct client *found = find_or_add(rates, &site);
    take(&found->full_us[class - 1], rates->per_minute[class], now_ms * MS_US, left);
    pthread_mutex_unlock(&rates->lock);
}

/* ---- a request ------------------------------------------------------------------------------------------- */

static int64_t seconds(int64_t ms)
{
    return divide_up(ms, 1000);
}

static bool refuse(struct exchange *exchange, enum rate_class class, const struct rate_left *left)
{
    int64_t wait_s = seconds(left->next_ms);
    (void)problem_replyf(exchange, PROBLEM_RATE_LIMITED,
                         "This address may send %" PRId64
                         " requests of the kind \"%s\" in a minute; the next one is served in %" PRId64 " s.",
                         exchange->api->rates->per_minute[class], NAMES[class], wait_s);
    reply_headerf(exchange, "Retry-After", "%" PRId64, wait_s);
    return false;
}

/* The answer tells of the class that was counted last. */
static bool count(struct exchange *exchange, enum rate_class class)
{
    struct rates *rates = exchange->api->rates;
    struct request *request = exchange->request;
    enum api_client_limits setting = exchange->api->settings.rate_limits;
    if (client_is_exempt(exchange, setting))
        return true;
    struct client_address client = client_address(exchange);
    if (!client_is_limited(exchange, setting, &client))
        return true;
    struct rate_left left;
    rates_take(rates, &client, class, games_service_ms(exchange->api->games), &left);
    request->rate_policy = rates->policies[class];
    request->rate_limit = arena_printf(exchange->arena, "\"%s\";r=%" PRId64 ";t=%" PRId64, NAMES[class],
                                       left.remaining, seconds(left.full_ms));
    return left.allowed || refuse(exchange, class, &left);
}

bool rate_check(struct exchange *exchange)
{
    enum rate_class class = exchange->route->rate;
    bool is_counted = exchange->request->rate_policy != NULL;
    return !exchange->api->rates || class == RATE_NONE || is_counted || count(exchange, class);
}

bool rate_check_besides(struct exchange *exchange, enum rate_class class)
{
    const struct rates *rates = exchange->api->rates;
    return !rates || exchange->request->rate_policy == rates->policies[class] || count(exchange, class);
}

void rate_add(struct exchange *exchange)
{
    const struct request *request = exchange->request;
    if (!request->rate_policy || !request->rate_limit)
        return;
    reply_header(exchange, "RateLimit-Policy", request->rate_policy);
    reply_header(exchange, "RateLimit", request->rate_limit);
}
