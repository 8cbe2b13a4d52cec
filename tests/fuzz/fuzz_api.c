#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#include "api/api.h"
#include "api/json_check.h"
#include "api/metadata.h"
#include "api/problem.h"
#include "api/writer.h"
#include "games/games.h"
#include "rules/utf8.h"
#include "storage/storage.h"
#include "tests/fuzz/fuzz.h"
#include "tests/fuzz/fuzz_input.h"

enum {
    REQUESTS_MAX = 6,         /* of one input */
    INPUTS_OF_A_STORE = 1000, /* then a new one: games are not removed */
    STREAM_READS_MAX = 8,
    ID_LENGTH = GAME_ID_LENGTH,
};

/* ---- the service around the api ------------------------------------------------------------------------------- */

static struct {
    char folder[64], path[96];
    struct storage *storage;
    struct games *games;
    struct api *api;
    unsigned inputs;
} service;

/* Time stands still: an input is always answered the same. */
static int64_t now_ms(void *context)
{
    (void)context;
    return 1767323045678;
}

static void write_metrics(void *context, struct writer *out)
{
    (void)context;
    writer_text(out, "# TYPE arbiter_up gauge\narbiter_up 1\n");
}

static bool accepts_work(void *context)
{
    (void)context;
    return true;
}

static bool is_operator(void *context, const uint8_t *digest)
{
    (void)context;
    (void)digest;
    return false;
}

static void close_service(void)
{
    static const char *const files[] = {"", "-wal", "-shm", "-lock"};
    if (!service.api)
        return;
    api_destroy(service.api);
    games_destroy(service.games);
    storage_close(service.storage);
    service.api = NULL;
    for (size_t i = 0; i < sizeof files / sizeof files[0]; i++) {
        char name[128];
        (void)snprintf(name, sizeof name, "%s%s", service.path, files[i]);
        (void)unlink(name);
    }
    (void)rmdir(service.folder);
}

static void open_store(void)
{
    const struct storage_options options = {.synchronous_normal = true};
    char url[128], error[STORAGE_ERROR_SIZE];
    const char *base = access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp";
    (void)snprintf(service.folder, sizeof service.folder, "%s/arbiter-fuzz-XXXXXX", base);
    FUZZ_CHECK(mkdtemp(service.folder));
    (void)snprintf(service.path, sizeof service.path, "%s/fuzz.db", service.folder);
    (void)snprintf(url, sizeof url, "sqlite:%s", service.path);
    FUZZ_CHECK(storage_open(url, &options, &service.storage, error) == STORAGE_OPENED);
}

/* Nothing that an input asks for takes long. */
static struct api_limits small_limits(void)
{
    struct api_limits limits = api_limits_default();
    limits.perft_nodes = limits.winnable_nodes = 1000;
    limits.board_size_max = 400;
    limits.batch_ms = 0;
    limits.stream_games = 4;
    return limits;
}

static void open_service(void)
{
    static bool closes_at_exit;
    struct games_settings games = games_settings_usual(8u << 20);
    const struct api_service around = {.write_metrics = write_metrics,
                                       .accepts_work = accepts_work,
                                       .is_operator = is_operator,
                                       .version = "0.0.0-fuzz",
                                       .build_info = "in process"};
    const struct api_settings settings = {.limits = small_limits(), .rate_limits = API_CLIENT_LIMITS_OFF};
    games.now_ms = games.steady_ms = now_ms;
    games.read_metadata = metadata_read;
    open_store();
    service.games = games_create(service.storage, &games);
    service.api = api_create(service.games, &around, &settings);
    FUZZ_CHECK(service.games && service.api);
    if (!closes_at_exit)
        (void)atexit(close_service);
    closes_at_exit = true;
}

/* ---- one request ------------------------------------------------------------------------------------------------ */

struct flight {
    struct request request; /* first: the hooks get it */
    struct response response;
    struct arena arena;
    pthread_mutex_t mutex;
    pthread_cond_t woken;
    bool suspended, awake;
};

static void suspend(struct request *request)
{
    struct flight *flight = (struct flight *)request;
    FUZZ_CHECK(!flight->suspended);
    flight->suspended = true;
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
    (void)request;
}

static const struct request_hooks HOOKS = {suspend, wake, poke};

static void await(struct flight *flight)
{
    FUZZ_CHECK(flight->suspended);
    pthread_mutex_lock(&flight->mutex);
    while (!flight->awake)
        pthread_cond_wait(&flight->woken, &flight->mutex);
    pthread_mutex_unlock(&flight->mutex);
}

static void send_request(struct flight *flight)
{
    enum api_result result = api_handle(service.api, &flight->request, &flight->response);
    while (result == API_BLOCKS || result == API_WORKS) {
        FUZZ_CHECK(!flight->suspended);
        FUZZ_CHECK(result == API_WORKS ? !flight->request.may_work : !flight->request.may_block);
        flight->request.may_block = true;
        flight->request.may_work = result == API_WORKS;
        result = api_handle(service.api, &flight->request, &flight->response);
    }
    if (result == API_PENDING)
        await(flight);
}

/* ---- what every answer is ----------------------------------------------------------------------------------------- */

static const char *answer_field(const struct response *response, const char *name)
{
    for (size_t i = 0; i < response->header_count; i++)
        if (strcasecmp(response->headers[i].name, name) == 0)
            return response->headers[i].value;
    return "";
}

/* A field of an answer has one line. */
static void check_head(const struct response *response)
{
    FUZZ_CHECK(response->status >= 200 && response->status < 500);
    FUZZ_CHECK(response->route && response->header_count <= RESPONSE_HEADERS_MAX);
    for (size_t i = 0; i < response->header_count; i++) {
        FUZZ_CHECK(*response->headers[i].name && response->headers[i].value);
        FUZZ_CHECK(!strpbrk(response->headers[i].value, "\r\n"));
    }
    FUZZ_CHECK((response->status >= 400) == (response->code != NULL));
    if (response->code)
        FUZZ_CHECK(problem_kind(problem_find(response->code))->status == response->status);
}

static void check_body(const struct flight *flight)
{
    const struct response *response = &flight->response;
    const char *type = answer_field(response, "Content-Type");
    struct arena arena = {0};
    struct json_fault fault;
    bool is_json = strncmp(type, "application/json", 16) == 0 || strstr(type, "problem+json");
    bool is_text = is_json || strncmp(type, "text/", 5) == 0;
    if (response->length == 0 || flight->request.head_only || *answer_field(response, "Content-Encoding"))
        return;
    if (is_text)
        FUZZ_CHECK(utf8_valid(response->body, response->length) == response->length);
    if (is_json)
        FUZZ_CHECK(json_check(&arena, response->body, response->length, 64, &fault));
    arena_finish(&arena);
}

/* A stream tells something, and ends when it is told to. */
static void end_stream(struct response_stream *stream)
{
    char buffer[1024];
    bool end = false;
    if (!stream->read)
        return;
    while (stream->work && !end)
        if (stream->read(stream->context, STREAM_WANTED, buffer, sizeof buffer, &end) < sizeof buffer && !end)
            stream->work(stream->context);
    for (unsigned i = 0; i < STREAM_READS_MAX && !end; i++)
        FUZZ_CHECK(stream->read(stream->context, STREAM_WANTED, buffer, sizeof buffer, &end) <=
                   sizeof buffer);
    for (unsigned i = 0; !end; i++) {
        FUZZ_CHECK(i < 1000);
        FUZZ_CHECK(stream->read(stream->context, STREAM_ENDING, buffer, sizeof buffer, &end) <=
                   sizeof buffer);
    }
    stream->close(stream->context);
}

/* ---- inputs --------------------------------------------------------------------------------------------------------- */

static void begin(struct flight *flight)
{
    *flight = (struct flight){.request = {.body = "", .hooks = &HOOKS, .id = "fuzz"}};
    flight->request.arena = &flight->arena;
    flight->request.scope = REQUEST_SCOPE_LOOPBACK;
    flight->request.client = "127.0.0.1";
    pthread_mutex_init(&flight->mutex, NULL);
    pthread_cond_init(&flight->woken, NULL);
}

static void finish(struct flight *flight)
{
    end_stream(&flight->response.stream);
    pthread_cond_destroy(&flight->woken);
    pthread_mutex_destroy(&flight->mutex);
    arena_finish(&flight->arena);
}

static char *copy_text(struct flight *flight, struct text_span text)
{
    char *copy = arena_copy(&flight->arena, text.text, text.length ? strnlen(text.text, text.length) : 0);
    FUZZ_CHECK(copy);
    return copy;
}

/* The at sign stands for the id of the newest game. */
static char *with_id(struct flight *flight, struct text_span text, const char *id)
{
    struct writer out;
    writer_init(&out, &flight->arena, text.length + ID_LENGTH + 1);
    for (size_t i = 0; i < text.length && text.text[i]; i++)
        if (text.text[i] == '@')
            writer_text(&out, id);
        else
            writer_char(&out, text.text[i]);
    writer_char(&out, '\0');
    FUZZ_CHECK(!out.failed);
    return out.data;
}

static void read_first_line(struct flight *flight, struct text_span line, const char *id)
{
    const char *blank = line.length ? memchr(line.text, ' ', line.length) : NULL;
    size_t length = blank ? (size_t)(blank - line.text) : line.length;
    struct text_span target = {line.text + length + (blank != NULL), line.length - length - (blank != NULL)};
    flight->request.method = copy_text(flight, (struct text_span){line.text, length});
    flight->request.target = with_id(flight, target, id);
    flight->request.head_only = strcmp(flight->request.method, "HEAD") == 0;
}

static void read_fields(struct flight *flight, struct text_span *input, const char *id)
{
    flight->request.headers[HEADER_HOST] = "127.0.0.1:8080";
    for (struct text_span line; input->length > 0 && (line = fuzz_take_line(input)).length > 0;) {
        char *name = with_id(flight, line, id), *value = strstr(name, ": ");
        enum header_field field = value ? header_field_of(name, (size_t)(value - name)) : HEADER_OTHER;
        if (field != HEADER_OTHER)
            flight->request.headers[field] = value + 2;
    }
}

/* To a line "--", or the end. */
static void read_body(struct flight *flight, struct text_span *input)
{
    struct text_span body = {input->text, 0};
    while (input->length > 0) {
        struct text_span line = fuzz_take_line(input);
        if (text_is(line, "--"))
            break;
        body.length = (size_t)(input->text - body.text);
    }
    flight->request.body = arena_copy(&flight->arena, body.text, body.length);
    flight->request.body_length = body.length;
    FUZZ_CHECK(flight->request.body);
}

/* What was made is the newest game from here on. */
static void note_game(const struct flight *flight, char id[GAME_ID_SIZE])
{
    const char *location = answer_field(&flight->response, "Location");
    const char *made = strncmp(location, "/v1/games/", 10) == 0 ? location + 10 : "";
    if (game_id_is_valid(made, strcspn(made, "/?")))
        (void)snprintf(id, GAME_ID_SIZE, "%.*s", ID_LENGTH, made);
}

/* A POST with a key that has made or changed something is answered in the same words again, and does nothing. */
static void check_repeat(const struct flight *first)
{
    struct flight again;
    if (strcmp(first->request.method, "POST") != 0 || first->response.status != 201 ||
        !first->request.headers[HEADER_IDEMPOTENCY_KEY])
        return;
    begin(&again);
    again.request.method = first->request.method;
    again.request.target = first->request.target;
    again.request.body = first->request.body;
    again.request.body_length = first->request.body_length;
    memcpy(again.request.headers, first->request.headers, sizeof again.request.headers);
    send_request(&again);
    check_head(&again.response);
    FUZZ_CHECK(again.response.status == 201 && again.response.length == first->response.length);
    FUZZ_CHECK(memcmp(again.response.body, first->response.body, first->response.length) == 0);
    finish(&again);
}

static void handle(struct text_span *input, char id[GAME_ID_SIZE])
{
    struct flight flight;
    begin(&flight);
    read_first_line(&flight, fuzz_take_line(input), id);
    read_fields(&flight, input, id);
    read_body(&flight, input);
    send_request(&flight);
    check_head(&flight.response);
    check_body(&flight);
    check_repeat(&flight);
    note_game(&flight, id);
    finish(&flight);
}

void fuzz_api(const uint8_t *data, size_t size)
{
    struct text_span input = {(const char *)data, size};
    char id[GAME_ID_SIZE] = "abcdefghjkmn";
    if (service.inputs++ % INPUTS_OF_A_STORE == 0) {
        close_service();
        open_service();
    }
    for (unsigned i = 0; i < REQUESTS_MAX && input.length > 0; i++)
        handle(&input, id);
}
