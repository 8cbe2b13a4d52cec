#include "api/retry.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "api/act.h"
#include "api/problem.h"
#include "api/reply.h"
#include "api/route.h"
#include "games/games.h"

enum { HEADS = 256 };

struct retries {
    pthread_mutex_t lock;
    struct retry *heads[HEADS]; /* by the first byte of the id */
};

struct retries *retries_create(void)
{
    struct retries *retries = calloc(1, sizeof *retries);
    if (retries)
        pthread_mutex_init(&retries->lock, NULL);
    return retries;
}

void retries_destroy(struct retries *retries)
{
    if (!retries)
        return;
    pthread_mutex_destroy(&retries->lock);
    free(retries);
}

/* ---- one at a time ---------------------------------------------------------------------------------------- */

static struct retry **head_of(struct retries *retries, const struct retry *retry)
{
    return &retries->heads[retry->key.id[0]];
}

/* False: a request with that key is under way. */
static bool reserve(struct retries *retries, struct retry *retry)
{
    pthread_mutex_lock(&retries->lock);
    struct retry **head = head_of(retries, retry);
    const struct retry *other = *head;
    while (other && !secret_equal(other->key.id, retry->key.id))
        other = other->next;
    if (!other) {
        retry->next = *head;
        *head = retry;
    }
    pthread_mutex_unlock(&retries->lock);
    return other == NULL;
}

void retry_end(struct exchange *exchange)
{
    struct retry *retry = exchange->retry;
    if (!retry)
        return;
    struct retries *retries = exchange->api->retries;
    exchange->retry = NULL;
    pthread_mutex_lock(&retries->lock);
    struct retry **link = head_of(retries, retry);
    while (*link != retry)
        link = &(*link)->next;
    *link = retry->next;
    pthread_mutex_unlock(&retries->lock);
}

/* ---- the key ---------------------------------------------------------------------------------------------- */

static bool is_key(const char *text)
{
    size_t length = strlen(text);
    for (size_t i = 0; i < length; i++)
        if (text[i] <= ' ' || text[i] > '~')
            return false;
    return length > 0 && length <= RETRY_KEY_MAX;
}

static struct secret_part part_of(const char *text)
{
    return (struct secret_part){text ? text : "", text ? strlen(text) : 0};
}

/* Without the suffix of a format: a key counts in whatever form its answer is asked for, as with Accept. */
static struct text_span bare_path(const struct exchange *exchange)
{
    struct text_span path = exchange_path(exchange);
    size_t bare = path.length;
    if (format_of_suffix(path, &bare) != FORMAT_NONE)
        path.length = bare;
    return path;
}

/* A key is the client's own: it counts with what the client has shown of itself, and for one path. */
static bool digest_key(const struct exchange *exchange, const char *key, struct retry *retry)
{
    struct text_span path = bare_path(exchange);
    const char *authorization = exchange_header(exchange, HEADER_AUTHORIZATION);
    const struct secret_part parts[] = {part_of(authorization), {path.text, path.length}, part_of(key)};
    secret_digest_parts(parts, sizeof parts / sizeof parts[0], retry->key.id);
    const char *seal = arena_printf(exchange->arena, "%s\n%.*s\n%s", authorization ? authorization : "",
                                    (int)path.length, path.text, key);
    retry->key.seal = part_of(seal);
    return seal != NULL;
}

static void digest_request(const struct exchange *exchange, struct retry *retry)
{
    const struct request *request = exchange->request;
    const struct secret_part parts[] = {
        part_of(request->method),
        part_of(strchr(request->target, '?')),
        part_of(exchange_header(exchange, HEADER_CONTENT_TYPE)),
        {request->body, request->body_length},
    };
    secret_digest_parts(parts, sizeof parts / sizeof parts[0], retry->key.request);
}

static struct retry *make_retry(struct exchange *exchange, const char *key)
{
    struct retry *retry = arena_zalloc(exchange->arena, sizeof *retry);
    if (!retry || !digest_key(exchange, key, retry)) {
        problem_out_of_memory(exchange);
        return NULL;
    }
    digest_request(exchange, retry);
    return retry;
}

/* ---- an answer as bytes ----------------------------------------------------------------------------------- */

/* The kind, then for an answer: the status in two bytes, the number of header fields, each name and value with a NUL at
 * the end, and the body. */
enum { KIND_MARK = 'm', KIND_ANSWER = 'a', HEAD_SIZE = 4, HEADERS_USUAL = 512 };

static void write_answer(struct writer *out, const struct response *response)
{
    const char head[HEAD_SIZE] = {KIND_ANSWER, (char)(response->status >> 8), (char)(response->status & 0xff),
                                  (char)response->header_count};
    writer_bytes(out, head, sizeof head);
    for (size_t i = 0; i < response->header_count; i++) {
        const struct response_header *header = &response->headers[i];
        writer_bytes(out, header->name, strlen(header->name) + 1);
        writer_bytes(out, header->value, strlen(header->value) + 1);
    }
    writer_bytes(out, response->body, response->length);
}

/* What was sealed was written by write_answer: nobody else has the key. */
static void read_answer(struct exchange *exchange, const char *text, size_t length)
{
    const unsigned char *head = (const unsigned char *)text;
    const char *at = text + HEAD_SIZE;
    reply_empty(exchange, (unsigned)head[1] << 8 | head[2]);
    for (unsigned i = 0; i < head[3]; i++) {
        const char *value = at + strlen(at) + 1;
        reply_header(exchange, at, value);
        at = value + strlen(value) + 1;
    }
    reply_header(exchange, "Idempotent-Replayed", "true");
    exchange->response->body = at;
    exchange->response->length = length - (size_t)(at - text);
}

/* ---- what is kept ----------------------------------------------------------------------------------------- */

static const struct storage_receipt *seal(struct exchange *exchange, const void *text, size_t length)
{
    struct retry *retry = exchange->retry;
    void *sealed = arena_alloc(exchange->arena, secret_sealed_size(length));
    if (!sealed)
        return NULL;
    retry->receipt = repeat_seal(&retry->key, text, length, sealed);
    retry->receipt.service_ms = games_service_ms(exchange->api->games);
    return &retry->receipt;
}

const struct storage_receipt *retry_receipt(struct exchange *exchange)
{
    const struct response *response = exchange->response;
    const struct storage_receipt *receipt = NULL;
    struct writer plain;
    if (response->status >= 500) /* there was no memory for the answer */
        return NULL;
    writer_init(&plain, exchange->arena, response->length + HEADERS_USUAL);
    write_answer(&plain, response);
    if (!plain.failed)
        receipt = seal(exchange, plain.data, plain.length);
    if (!receipt)
        problem_out_of_memory(exchange);
    return receipt;
}

static const char MARK = KIND_MARK;

bool retry_mark(struct exchange *exchange)
{
    const struct storage_receipt *receipt = seal(exchange, &MARK, sizeof MARK);
    enum action_outcome outcome =
        receipt ? games_keep_receipt(exchange->api->games, receipt) : ACTION_NO_MEMORY;
    if (outcome != ACTION_DONE)
        act_fault(exchange, outcome);
    return outcome == ACTION_DONE;
}

/* Beside the parts, which are numbered from 0. */
static struct repeat_key key_of_whole(const struct retry *retry)
{
    return repeat_part(&retry->key, UINT64_MAX);
}

void retry_mark_whole(struct exchange *exchange)
{
    const struct retry *retry = exchange->retry;
    const struct repeat_key key = key_of_whole(retry);
    void *sealed = arena_alloc(exchange->arena, secret_sealed_size(sizeof MARK));
    if (!sealed)
        return;
    struct storage_receipt receipt = repeat_seal(&key, &MARK, sizeof MARK, sealed);
    receipt.service_ms = games_service_ms(exchange->api->games);
    (void)games_keep_receipt(exchange->api->games, &receipt);
}

/* ---- what was kept ---------------------------------------------------------------------------------------- */

struct lookup {
    struct exchange *exchange;
    struct retry *retry;
    bool goes_on, answered;
};

static void take_receipt(void *context, const struct storage_receipt *receipt)
{
    struct lookup *lookup = context;
    struct exchange *exchange = lookup->exchange;
    size_t length = secret_opened_size(receipt->answer_length);
    char *text = arena_alloc(exchange->arena, length + 1);
    if (!text) {
        problem_out_of_memory(exchange);
        return;
    }
    switch (repeat_open(&lookup->retry->key, receipt, text)) {
    case REPEAT_OPENED:
        if (*text == KIND_MARK)
            lookup->retry->is_marked = lookup->goes_on = true;
        else
            read_answer(exchange, text, length);
        lookup->answered = !lookup->goes_on;
        break;
    case REPEAT_OTHER:
        problem_reply(
            exchange, PROBLEM_IDEMPOTENCY_KEY_REUSED,
            "This Idempotency-Key was sent with another query, body or type of body: use a new key for a "
            "new request.");
        break;
    case REPEAT_DAMAGED:
        problem_reply(exchange, PROBLEM_INTERNAL,
                      "What was answered to this request before cannot be read; tell the operator.");
        break;
    }
}

/* The game that the answer is about: that which it made, else that of the path. NULL: none. */
static const char *find_game(struct exchange *exchange)
{
    static const char GAMES[] = "/v1/games/";
    const char *location = reply_header_value(exchange, "Location");
    if (location && strncmp(location, GAMES, sizeof GAMES - 1) == 0)
        return arena_copy(exchange->arena, location + sizeof GAMES - 1, GAME_ID_LENGTH);
    return *exchange->path.id ? exchange->path.id : NULL;
}

/* Of a game that was removed nothing is told any more. */
static void check_game(struct exchange *exchange)
{
    const char *id = find_game(exchange);
    enum games_status status = id ? game_is_there(exchange, id) : GAMES_OK;
    if (status == GAMES_NOT_FOUND)
        problem_reply(exchange, PROBLEM_GAME_NOT_FOUND,
                      "The game that this request was about has been removed.");
    else if (status == GAMES_UNAVAILABLE)
        games_fault(exchange, status);
}

static void ignore_receipt(void *context, const struct storage_receipt *receipt)
{
    (void)context;
    (void)receipt;
}

static bool is_whole(struct exchange *exchange, const struct retry *retry)
{
    const struct repeat_key key = key_of_whole(retry);
    return games_receipt(exchange->api->games, key.id, ignore_receipt, NULL) == GAMES_OK;
}

/* False: the response is complete. True: nobody has answered it before, or it is marked as one that goes on. */
static bool look_up(struct exchange *exchange, struct retry *retry)
{
    struct lookup lookup = {.exchange = exchange, .retry = retry};
    switch (games_receipt(exchange->api->games, retry->key.id, take_receipt, &lookup)) {
    case GAMES_OK:
        if (lookup.answered)
            check_game(exchange);
        retry->is_whole = lookup.goes_on && is_whole(exchange, retry);
        return lookup.goes_on;
    case GAMES_NOT_FOUND:
        return true;
    case GAMES_COLD:
    case GAMES_PENDING:
    case GAMES_UNAVAILABLE:
    case GAMES_DAMAGED:
        break;
    }
    problem_reply(exchange, PROBLEM_STORAGE_UNAVAILABLE, "The store cannot be read at the moment.");
    return false;
}

static bool refuse_in_progress(struct exchange *exchange)
{
    problem_reply(exchange, PROBLEM_IDEMPOTENCY_IN_PROGRESS,
                  "A request with this Idempotency-Key is under way: repeat it in a moment.");
    return false;
}

/* Whoever is under way with the key may be a repeat of what was answered long ago: so whoever meets him looks for the
 * answer too. If none is there by then, the first request itself is under way; or it was until a moment ago, and left
 * none. */
bool retry_begin(struct exchange *exchange, enum api_result *result)
{
    const char *key =
        exchange->method == METHOD_POST ? exchange_header(exchange, HEADER_IDEMPOTENCY_KEY) : NULL;
    *result = API_DONE;
    if (!key)
        return true;
    if (!is_key(key)) {
        problem_replyf(exchange, PROBLEM_INVALID_PARAMETER,
                       "Idempotency-Key has to be 1 to %d visible ASCII characters.", RETRY_KEY_MAX);
        return false;
    }
    if (!exchange->route->acts_once)
        return true;
    if (!exchange->request->may_block) {
        *result = API_BLOCKS;
        return false;
    }
    struct retry *retry = make_retry(exchange, key);
    if (!retry)
        return false;
    if (reserve(exchange->api->retries, retry))
        exchange->retry = retry;
    return look_up(exchange, retry) && (exchange->retry || refuse_in_progress(exchange));
}
