/* streamEvents, streamManyEvents: what happens to games, as it happens. */
#include <string.h>

#include "api/act.h"
#include "api/client.h"
#include "api/credentials.h"
#include "api/handlers.h"
#include "api/reply.h"
#include "api/stream.h"
#include "api/stream_cursor.h"

/* ---- how far the client has read ---- */

/* Last-Event-ID is what the client has got since it was given `after`. */
static const char *cursor_text(const struct exchange *exchange, bool *is_header)
{
    const char *last = exchange_header(exchange, HEADER_LAST_EVENT_ID);
    *is_header = last && *last;
    return *is_header ? last : query_text(exchange, QUERY_AFTER);
}

/* What no server of this kind has given cannot be continued: a snapshot with `reset` tells so. */
static void set_unknown(struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++) {
        stream->games[i].is_known = true;
        stream->games[i].cursor = UINT32_MAX;
    }
}

static bool read_one(struct stream *stream, const char *text)
{
    struct stream_game *game = &stream->games[0];
    game->is_known = stream_cursor_parse(text, strlen(text), &game->cursor);
    return game->is_known;
}

static struct stream_game *find_game(const struct stream *stream, const char *id)
{
    for (size_t i = 0; i < stream->count; i++)
        if (memcmp(stream->games[i].subscriber.id, id, GAME_ID_LENGTH) == 0)
            return &stream->games[i];
    return NULL;
}

/* Games that are not among those of the stream are left out: a client may have stopped watching them. */
static bool read_several(struct stream *stream, const char *text)
{
    while (*text) {
        const char *id;
        uint32_t version;
        if (!stream_cursor_next(&text, &id, &version))
            return false;
        struct stream_game *game = find_game(stream, id);
        if (!game)
            continue;
        game->is_known = true;
        game->cursor = version;
    }
    return true;
}

static bool read_cursor(struct exchange *exchange, struct stream *stream)
{
    bool is_header;
    const char *text = cursor_text(exchange, &is_header);
    if (!text || (stream->several ? read_several(stream, text) : read_one(stream, text)))
        return true;
    if (is_header) {
        set_unknown(stream);
        return true;
    }
    problem_parameter(exchange, "after",
                      stream->several ? "after must be a list of game:version, as the ids of events are."
                                      : "after must be the id of an event: a whole number.");
    return false;
}

/* ---- too many ---- */

/* True: it is taken. */
static bool answer_slot(struct exchange *exchange, enum stream_slot_status status)
{
    const struct api_limits *limits = &exchange->api->settings.limits;
    switch (status) {
    case STREAM_SLOT_TAKEN:
        return true;
    case STREAM_SLOT_NONE:
        problem_replyf(exchange, PROBLEM_TOO_MANY_STREAMS,
                       "All %lld streams of this service are taken (limit `streams`).",
                       (long long)limits->streams);
        break;
    case STREAM_SLOT_ADDRESS_FULL:
        problem_replyf(exchange, PROBLEM_TOO_MANY_STREAMS,
                       "An address may have %lld streams at one time (limit `streams_per_address`).",
                       (long long)limits->streams_per_address);
        break;
    case STREAM_SLOT_CLIENT_FULL:
        problem_replyf(
            exchange, PROBLEM_TOO_MANY_STREAMS,
            "A client may have %lld streams at one time (limit `streams_per_client`); several games "
            "can be watched in one: GET /v1/events.",
            (long long)limits->streams_per_client);
        break;
    case STREAM_SLOT_NO_MEMORY:
        problem_out_of_memory(exchange);
        break;
    }
    return false;
}

/* All of a site count as one address. */
static void address_digest(const struct client_address *address, uint8_t digest[SECRET_DIGEST_SIZE])
{
    struct client_address site = client_site(address);
    secret_digest(site.bytes, sizeof site.bytes, digest);
}

/* HEAD opens no stream, and takes no slot. */
static bool take_slot(struct exchange *exchange, struct stream *stream)
{
    struct client_address address = client_address(exchange);
    uint8_t digest[SECRET_DIGEST_SIZE];
    if (exchange->request->head_only)
        return true;
    bool counted = client_is_limited(exchange, exchange->api->settings.stream_limits, &address);
    address_digest(&address, digest);
    return answer_slot(exchange,
                       stream_slot_take(exchange->api->stream_slots, counted ? digest : NULL, &stream->slot));
}

/* The client is the token, where it is one of a game of the stream; else all of the address that have none. */
static bool count_client(struct exchange *exchange, struct stream *stream)
{
    const uint8_t *client = exchange->caller.digest;
    uint8_t address_of[SECRET_DIGEST_SIZE], digest[SECRET_DIGEST_SIZE];
    if (!stream->slot.address)
        return true;
    if (!stream_has_role(stream)) {
        struct client_address address = client_address(exchange);
        address_digest(&address, address_of);
        secret_digest(address_of, sizeof address_of, digest);
        client = digest;
    }
    return answer_slot(exchange,
                       stream_slot_count_client(exchange->api->stream_slots, client, &stream->slot));
}

/* ---- opening ---- */

static enum api_result refuse(struct exchange *exchange, enum games_status status,
                              const struct stream_game *failed)
{
    if (status == GAMES_NOT_FOUND)
        return problem_replyf(exchange, PROBLEM_GAME_NOT_FOUND, "There is no game %s.",
                              failed->subscriber.id);
    return games_fault(exchange, status);
}

static int64_t quiet_ms(const struct exchange *exchange, const struct stream *stream)
{
    if (stream->format == FORMAT_JSON)
        return query_integer(exchange, QUERY_WAIT, 0) * 1000;
    return exchange->api->settings.limits.heartbeat_ms;
}

/* False: there is no stream, and *result and the response say why. */
static bool open_stream(struct exchange *exchange, struct stream *stream, enum api_result *result)
{
    const struct stream_game *failed = NULL;
    stream->caller = exchange->caller;
    enum games_status status = stream_open(stream, &failed);
    if (status != GAMES_OK) {
        *result = refuse(exchange, status, failed);
        return false;
    }
    if (stream_token_is_wrong(stream)) {
        *result = problem_reply(exchange, PROBLEM_TOKEN_INVALID, TOKEN_OF_NOBODY);
        return false;
    }
    if (stream_is_at_the_end(stream) && stream->format != FORMAT_JSON) {
        *result = reply_empty(exchange, 204); /* browsers do not come again */
        return false;
    }
    stream->waits = query_integer(exchange, QUERY_WAIT, 0) > 0;
    const struct response_stream told = {.context = stream,
                                         .read = stream_read,
                                         .close = stream_close,
                                         .quiet_ms = quiet_ms(exchange, stream)};
    if (!count_client(exchange, stream) || !reply_stream(exchange, &told))
        return false;
    stream_arrive(stream);
    return true;
}

/* ---- which games ---- */

/* Used up at once, so only where the request will be answered now. */
static bool use_ticket(struct exchange *exchange)
{
    const char *ticket = query_text(exchange, QUERY_TICKET);
    if (!ticket ||
        credentials_use_ticket(exchange, (struct text_span){ticket, strlen(ticket)}, exchange->path.id))
        return true;
    problem_reply(exchange, PROBLEM_TOKEN_INVALID,
                  "There is no such ticket for this game: it was used, or is older than a minute.");
    return false;
}

static bool read_id(struct exchange *exchange, struct stream *stream)
{
    memcpy(stream->games[0].subscriber.id, exchange->path.id, sizeof exchange->path.id);
    return true;
}

/* "a,b": each once. */
static bool read_ids(struct exchange *exchange, struct stream *stream)
{
    stream->count = 0;
    for (const char *id = query_text(exchange, QUERY_GAME);; id++) {
        size_t length = strcspn(id, ",");
        if (!game_id_is_valid(id, length)) {
            problem_parameter(exchange, "game", "game must be the id of a game, or several with commas.");
            return false;
        }
        if (!find_game(stream, id))
            memcpy(stream->games[stream->count++].subscriber.id, id, length);
        id += length;
        if (!*id)
            return true;
    }
}

static size_t count_ids(const char *list)
{
    size_t count = 1;
    for (; *list; list++)
        count += *list == ',';
    return count;
}

/* ---- the operations ---- */

static enum api_result answer(struct exchange *exchange, struct stream *stream)
{
    enum api_result result = API_DONE;
    if (!stream)
        return problem_out_of_memory(exchange);
    bool read = stream->several ? read_ids(exchange, stream) : read_id(exchange, stream);
    if (!read || !read_cursor(exchange, stream) || !take_slot(exchange, stream) || !use_ticket(exchange) ||
        !open_stream(exchange, stream, &result))
        stream_close(stream);
    return result;
}

enum api_result stream_events(struct exchange *exchange)
{
    if (query_has(exchange, QUERY_TICKET) && !exchange->request->may_block)
        return API_BLOCKS;
    return answer(exchange, stream_create(exchange, 1, false));
}

enum api_result stream_many_events(struct exchange *exchange)
{
    int64_t most = exchange->api->settings.limits.stream_games;
    const char *list = query_text(exchange, QUERY_GAME);
    if (!list)
        return problem_parameter(exchange, "game", "game is needed: which games are to be watched.");
    size_t count = count_ids(list);
    if (count > (size_t)most)
        return problem_parameter(exchange, "game", "A stream has at most %lld games (limit `stream_games`).",
                                 (long long)most);
    return answer(exchange, stream_create(exchange, count, true));
}
