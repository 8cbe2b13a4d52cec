#include "tests/support/api_client.h"

#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <cmocka.h>

#include "api/metadata.h"
#include "api/problem.h"
#include "api/writer.h"
#include "games/events.h"
#include "games/games.h"
#include "games/secret.h"
#include "tests/support/recording.h"
#include "tests/support/storage_fixture.h"

struct client {
    char *folder, *url;
    struct storage *storage, *front;
    struct games *games;
    struct api *api;
    struct client_options options;
    _Atomic int64_t now_ms, steady_ms;
    _Atomic bool draining;
    _Atomic int64_t pool_wait_ms;
    pthread_mutex_t mutex;
    struct flight *flights; /* newest first */
};

/* One exchange, with all memory that belongs to it. */
struct flight {
    struct request request; /* first: the hooks get it */
    struct answer answer;
    struct arena arena;
    const struct call *call;
    struct recorded exchange; /* method NULL: recorded, or not to be */
    pthread_mutex_t mutex;
    pthread_cond_t woken;
    bool suspended, awake;
    struct flight *older;
};

/* ---- hooks ------------------------------------------------------------------------------------------- */

static void suspend(struct request *request)
{
    struct flight *flight = (struct flight *)request;
    pthread_mutex_lock(&flight->mutex);
    flight->suspended = true;
    pthread_mutex_unlock(&flight->mutex);
}

static void wake(struct request *request)
{
    struct flight *flight = (struct flight *)request;
    pthread_mutex_lock(&flight->mutex);
    flight->awake = true;
    pthread_cond_signal(&flight->woken);
    pthread_mutex_unlock(&flight->mutex);
}

static void poke(struct request *request)
{
    atomic_fetch_add(&((struct flight *)request)->answer.pokes, 1);
}

static const struct request_hooks HOOKS = {suspend, wake, poke};

/* ---- the service around the api ---------------------------------------------------------------------- */

static void write_metrics(void *context, struct writer *out)
{
    (void)context;
    writer_text(out, "# TYPE arbiter_up gauge\narbiter_up 1\n");
}

static bool accepts_work(void *context)
{
    struct client *client = context;
    return !client->draining;
}

static bool is_operator(void *context, const uint8_t *digest)
{
    const struct client *client = context;
    const char *key = client->options.operator_key;
    uint8_t of_key[SECRET_DIGEST_SIZE];
    if (!key)
        return false;
    secret_digest(key, strlen(key), of_key);
    return secret_equal(of_key, digest);
}

static int64_t now_ms(void *context)
{
    struct client *client = context;
    return client->now_ms;
}

static int64_t steady_ms(void *context)
{
    struct client *client = context;
    return client->steady_ms;
}

static void open_games(struct client *client)
{
    uint32_t plies = client->options.plies_limit;
    struct games_settings settings = {
        .memory_bytes = 64u << 20,
        .plies_limit = plies ? plies : (uint32_t)client->options.limits.plies,
        .events_catchup = (uint32_t)client->options.limits.events_catchup,
        .events_backlog = (uint32_t)client->options.limits.stream_backlog,
        .events_bytes = (size_t)client->options.limits.events_bytes,
        .receipts_ms = client->options.limits.idempotency_ms,
        .read_metadata = metadata_read,
        .now_ms = now_ms,
        .steady_ms = steady_ms,
        .now_context = client,
    };
    client->games = games_create(client->front, &settings);
    assert_non_null(client->games);
}

static void open_api(struct client *client)
{
    struct api_service service = {
        .context = client,
        .write_metrics = write_metrics,
        .accepts_work = accepts_work,
        .is_operator = is_operator,
        .version = "0.0.0-test",
        .build_info = "in process",
    };
    struct api_settings settings = {
        .limits = client->options.limits,
        .allowed_origins = client->options.allowed_origins,
        .seats_by_default = client->options.seats_by_default,
        .operators_create = client->options.operators_create,
        .allowed_hosts = client->options.allowed_hosts,
        .public_origins = client->options.public_origins,
        .trusted_proxies = client->options.trusted_proxies,
        .rate_limits = client->options.rate_limits,
        .stream_limits = client->options.stream_limits,
    };
    client->api = api_create(client->games, &service, &settings);
    assert_non_null(client->api);
}

struct client *client_open(const struct client_options *options)
{
    struct client *client = calloc(1, sizeof *client);
    assert_non_null(client);
    if (options)
        client->options = *options;
    if (client->options.limits.body_bytes == 0)
        client->options.limits = api_limits_default();
    client->now_ms = 1767323045678; /* 2026-01-02T03:04:05.678Z */
    client->steady_ms = 987654;
    pthread_mutex_init(&client->mutex, NULL);
    client->folder = fixture_make_folder();
    size_t size = strlen(client->folder) + sizeof "sqlite:/test.db";
    client->url = malloc(size);
    assert_non_null(client->url);
    (void)snprintf(client->url, size, "sqlite:%s/test.db", client->folder);
    client->storage = fixture_open(client->url);
    client->front = client->options.wrap ? client->options.wrap(client->storage) : client->storage;
    open_games(client);
    open_api(client);
    return client;
}

static void free_flight(struct flight *flight)
{
    cJSON_Delete(flight->answer.json);
    arena_finish(&flight->arena);
    pthread_cond_destroy(&flight->woken);
    pthread_mutex_destroy(&flight->mutex);
    free(flight);
}

static void record(struct flight *flight);

static void leave_streams(struct client *client)
{
    for (struct flight *flight = client->flights; flight; flight = flight->older) {
        answer_leave(&flight->answer);
        if (flight->answer.length > 0) /* what has told nothing yet is no answer */
            record(flight);
    }
}

void client_close(struct client *client)
{
    if (!client)
        return;
    leave_streams(client);
    api_destroy(client->api);
    games_destroy(client->games);
    storage_close(client->front);
    while (client->flights) {
        struct flight *flight = client->flights;
        client->flights = flight->older;
        free_flight(flight);
    }
    fixture_remove_folder(client->folder);
    free(client->url);
    pthread_mutex_destroy(&client->mutex);
    free(client);
}

int client_setup(void **state)
{
    *state = client_open(NULL);
    return 0;
}

int client_teardown(void **state)
{
    client_close(*state);
    return 0;
}

void client_set_time(struct client *client, int64_t unix_ms)
{
    client->now_ms = unix_ms;
}

void client_advance(struct client *client, int64_t ms)
{
    client->now_ms += ms;
    client->steady_ms += ms;
}

void client_set_pool_wait(struct client *client, int64_t ms)
{
    client->pool_wait_ms = ms;
}

void client_tick(struct client *client)
{
    (void)games_tick(client->games);
}

void client_set_draining(struct client *client, bool draining)
{
    client->draining = draining;
}

const char *client_folder(const struct client *client)
{
    return client->folder;
}

struct storage *client_storage(struct client *client)
{
    return client->front;
}

void client_set_operator(struct client *client, const char *key)
{
    client->options.operator_key = key;
    games_admit_again(client->games);
}

struct games *client_games(struct client *client)
{
    return client->games;
}

struct api *client_api(struct client *client)
{
    return client->api;
}

void client_forget(struct client *client)
{
    leave_streams(client);
    api_destroy(client->api);
    games_destroy(client->games);
    open_games(client);
    open_api(client);
}

void client_forget_to(struct client *client, uint32_t plies_limit)
{
    client->options.plies_limit = plies_limit;
    client_forget(client);
}

/* ---- sending ----------------------------------------------------------------------------------------- */

/* Of several of one name the first. */
static void set_headers(struct request *request, const struct call *call)
{
    request->headers[HEADER_HOST] = "127.0.0.1:8080";
    for (int i = CALL_HEADERS_MAX - 1; i >= 0; i--) {
        const struct response_header *header = &call->headers[i];
        if (header->name)
            request->headers[header_field_of(header->name, strlen(header->name))] =
                header->value && *header->value ? header->value : NULL;
    }
}

static struct flight *make_flight(struct client *client, const struct call *call)
{
    struct flight *flight = calloc(1, sizeof *flight);
    assert_non_null(flight);
    arena_init(&flight->arena);
    pthread_mutex_init(&flight->mutex, NULL);
    pthread_cond_init(&flight->woken, NULL);
    flight->call = call;
    flight->answer.arena = &flight->arena;
    const char *body = call->body ? call->body : "";
    size_t length = call->body_length ? call->body_length : strlen(body);
    flight->request = (struct request){
        .method = call->method,
        .target = call->target,
        .body = arena_copy(&flight->arena, body, length),
        .body_length = length,
        .hooks = &HOOKS,
        .arena = &flight->arena,
        .id = "test-request",
        .scope = call->scope,
        .client = call->client,
        .may_block = call->on_pool,
        .head_only = strcmp(call->method, "HEAD") == 0,
    };
    set_headers(&flight->request, call);
    pthread_mutex_lock(&client->mutex);
    flight->older = client->flights;
    client->flights = flight;
    pthread_mutex_unlock(&client->mutex);
    return flight;
}

static void await(struct flight *flight)
{
    pthread_mutex_lock(&flight->mutex);
    assert_true(flight->suspended);
    while (!flight->awake)
        pthread_cond_wait(&flight->woken, &flight->mutex);
    pthread_mutex_unlock(&flight->mutex);
}

/* What service/ does with a request. */
static void run(struct client *client, struct flight *flight)
{
    struct answer *answer = &flight->answer;
    enum api_result result = api_handle(client->api, &flight->request, &answer->response);
    while (result == API_BLOCKS || result == API_WORKS) {
        assert_false(result == API_WORKS ? flight->request.may_work : flight->request.may_block);
        assert_false(flight->suspended);
        answer->blocked = true;
        answer->worked = flight->request.may_work = result == API_WORKS;
        flight->request.may_block = true;
        client_advance(client, client->pool_wait_ms);
        result = api_handle(client->api, &flight->request, &answer->response);
    }
    answer->pending = result == API_PENDING;
    if (answer->pending)
        await(flight);
}

/* ---- recording --------------------------------------------------------------------------------------- */

/* "Name: value" lines, in the arena. */
static const char *lines_of(struct arena *arena, const struct response_header *headers, size_t count)
{
    struct writer lines;
    writer_init(&lines, arena, 256);
    for (size_t i = 0; i < count && headers[i].name; i++)
        writer_printf(&lines, "%s: %s\r\n", headers[i].name, headers[i].value);
    writer_char(&lines, '\0');
    return lines.data;
}

static char *copy_text(struct flight *flight, const char *text)
{
    return arena_copy(&flight->arena, text, strlen(text));
}

/* What was asked, for as long as the flight lives. */
static void note_request(struct flight *flight)
{
    const struct response *response = &flight->answer.response;
    flight->exchange = (struct recorded){
        .method = copy_text(flight, flight->request.method),
        .target = copy_text(flight, flight->request.target),
        .fields = lines_of(&flight->arena, flight->call->headers, CALL_HEADERS_MAX),
        .body = flight->request.body,
        .length = flight->request.body_length,
        .status = flight->answer.status,
        .answer_fields = lines_of(&flight->arena, response->headers, response->header_count),
    };
}

/* Once; a stream with all that it has told. */
static void record(struct flight *flight)
{
    if (!flight->exchange.method)
        return;
    flight->exchange.answer_body = flight->answer.body;
    flight->exchange.answer_length = flight->answer.length;
    recording_append(&flight->exchange);
    flight->exchange.method = NULL;
}

static const struct answer *complete(struct flight *flight)
{
    struct answer *answer = &flight->answer;
    const struct response *response = &answer->response;
    answer->status = response->status;
    answer->length = response->length;
    answer->head_only = flight->request.head_only;
    answer->is_open = response->stream.read != NULL;
    answer->body = arena_copy(&flight->arena, response->body ? response->body : "", response->length);
    if (!flight->call->unread)
        (void)answer_listen(answer, STREAM_WANTED);
    answer->code = response->code ? response->code : "";
    answer->route = response->route;
    assert_non_null(answer->route);
    assert_true(answer->status >= 200);
    answer_obeys_the_laws(answer);
    if (recording_is_wanted())
        note_request(flight);
    if (!answer->is_open)
        record(flight);
    return answer;
}

const struct answer *client_send(struct client *client, const struct call *call)
{
    struct flight *flight = make_flight(client, call);
    run(client, flight);
    return complete(flight);
}

const struct answer *client_refuse(struct client *client, const struct call *call, const char *code,
                                   const char *detail)
{
    struct flight *flight = make_flight(client, call);
    api_refuse(client->api, &flight->request, &flight->answer.response, code, detail);
    return complete(flight);
}

const struct answer *client_get_as(struct client *client, const char *target, const char *accept)
{
    struct call call = {.method = "GET", .target = target, .headers = {{"Accept", accept}}};
    call.scope = REQUEST_SCOPE_LOOPBACK;
    return client_send(client, &call);
}

const struct answer *client_get(struct client *client, const char *target)
{
    return client_get_as(client, target, "*/*");
}

const struct answer *client_post(struct client *client, const char *target, const char *type,
                                 const char *body)
{
    struct call call = {
        .method = "POST",
        .target = target,
        .body = body,
        .headers = {{"Accept", "*/*"}, {type ? "Content-Type" : NULL, type}},
        .scope = REQUEST_SCOPE_LOOPBACK,
    };
    return client_send(client, &call);
}

const struct answer *client_curl(struct client *client, const char *target, const char *body)
{
    return client_post(client, target, "application/x-www-form-urlencoded", body);
}

const struct answer *client_act(struct client *client, const char *target)
{
    return client_post(client, target, NULL, NULL);
}
