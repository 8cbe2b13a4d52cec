#include "api/stream.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/credentials.h"
#include "api/stream_cursor.h"
#include "games/games.h"

enum { HEAD_ROOM = 128 }; /* of a frame without cursors: id, event and data of SSE */

/* Of a frame: twice all cursors, where they have names. */
static size_t head_room(size_t count, bool several)
{
    return HEAD_ROOM + (several ? 2 * count * STREAM_CURSOR_PART_LENGTH : 0);
}

struct stream *stream_create(struct exchange *exchange, size_t count, bool several)
{
    size_t room = head_room(count, several);
    struct stream *stream = calloc(1, sizeof *stream + count * sizeof(struct stream_game) + room);
    if (!stream)
        return NULL;
    stream->api = exchange->api;
    stream->request = exchange->request;
    stream->format = exchange->format;
    stream->several = several;
    stream->games = (struct stream_game *)(stream + 1);
    stream->count = count;
    stream->head = (char *)(stream->games + count);
    stream->head_room = room;
    for (size_t i = 0; i < count; i++)
        stream->games[i].stream = stream;
    return stream;
}

/* ---- opening and closing ---- */

/* The only way in which a stream gets to see a game: as game_view. A token that died, or that has become another's, does
 * not count any more, nor does an operator's key that was taken away. */
static bool admit(struct subscriber *subscriber, const struct game *game)
{
    struct stream_game *own = subscriber->owner;
    struct caller caller = own->stream->caller;
    credentials_ask_again(own->stream->api, &caller);
    enum game_role role = game_role_of(game, &caller);
    if (!game_may_read(game, &caller))
        return false;
    if (own->admitted) /* asked again, by whoever changes the game: the stream's own thread reads these without a lock */
        return role == own->role;
    own->admitted = true;
    own->role = role;
    own->token_is_wrong = game_token_is_wrong(game, &caller);
    subscriber->seat = game_role_seat(role);
    return true;
}

static void poke(struct subscriber *subscriber)
{
    struct stream_game *own = subscriber->owner;
    struct request *request = own->stream->request;
    request->hooks->poke(request);
}

static void prepare(struct stream *stream, struct stream_game *game)
{
    struct subscriber *subscriber = &game->subscriber;
    subscriber->may_block = stream->request->may_block;
    subscriber->has_cursor = game->is_known;
    subscriber->cursor = game->cursor;
    subscriber->passes_by = stream->format == FORMAT_JSON;
    subscriber->admit = admit;
    subscriber->poke = poke;
    subscriber->owner = game;
}

enum games_status stream_open(struct stream *stream, const struct stream_game **failed)
{
    for (size_t i = 0; i < stream->count; i++) {
        struct stream_game *game = &stream->games[i];
        prepare(stream, game);
        enum games_status status = games_subscribe(stream->api->games, &game->subscriber);
        game->open = status == GAMES_OK;
        if (!game->open) {
            *failed = game;
            return status;
        }
        game->over = game->subscriber.over && game->is_known && game->cursor == game->subscriber.version;
    }
    return GAMES_OK;
}

bool stream_has_role(const struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        if (stream->games[i].role != ROLE_NONE)
            return true;
    return false;
}

bool stream_token_is_wrong(const struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        if (stream->games[i].token_is_wrong)
            return !stream_has_role(stream);
    return false;
}

void stream_arrive(struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        games_arrive(stream->api->games, &stream->games[i].subscriber);
}

void stream_close(void *context)
{
    struct stream *stream = context;
    for (size_t i = 0; i < stream->count; i++) {
        struct stream_game *game = &stream->games[i];
        if (game->open)
            games_unsubscribe(stream->api->games, &game->subscriber);
    }
    event_text_release(stream->text);
    stream_slot_release(stream->api->stream_slots, &stream->slot);
    free(stream);
}

bool stream_is_at_the_end(const struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++)
        if (!stream->games[i].over)
            return false;
    return true;
}

/* ---- frames ---- */

__attribute__((format(printf, 2, 3))) static void add_head(struct stream *stream, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = vsnprintf(stream->head + stream->head_length, stream->head_room - stream->head_length,
                           format, arguments);
    va_end(arguments);
    assert(length >= 0 && (size_t)length < stream->head_room - stream->head_length);
    stream->head_length += (size_t)length;
}

static void add_cursor(struct stream *stream)
{
    const char *comma = "";
    if (!stream->several) {
        add_head(stream, "%u", stream->games[0].cursor);
        return;
    }
    for (size_t i = 0; i < stream->count; i++) {
        const struct stream_game *game = &stream->games[i];
        if (!game->is_known)
            continue;
        add_head(stream, "%s%s:%u", comma, game->subscriber.id, game->cursor);
        comma = ",";
    }
}

static void begin_frame(struct stream *stream, const char *tail)
{
    event_text_release(stream->text);
    stream->text = NULL;
    stream->text_from = 0;
    stream->head_length = 0;
    stream->tail = tail;
    stream->at = 0;
}

/* {"cursor":"…", in front of the members of the event. */
static void add_cursor_member(struct stream *stream)
{
    add_head(stream, "{\"cursor\":\"");
    add_cursor(stream);
    add_head(stream, "\",");
    stream->text_from = 1;
}

static void frame_event(struct stream *stream, struct event_text *text)
{
    static const char *const TAILS[FORMAT_COUNT] = {
        [FORMAT_SSE] = "\n\n", [FORMAT_NDJSON] = "\n", [FORMAT_JSON] = ""};
    begin_frame(stream, TAILS[stream->format]);
    if (stream->format == FORMAT_SSE && text->version) {
        add_head(stream, "id: ");
        add_cursor(stream);
        add_head(stream, "\n");
    }
    if (stream->format == FORMAT_SSE)
        add_head(stream, "event: %s\ndata: ", event_kind_name(text->kind));
    if (stream->format == FORMAT_JSON)
        add_head(stream, "%s", stream->has_told ? "," : "{\"data\":[");
    if (stream->several)
        add_cursor_member(stream);
    stream->text = text;
    stream->has_told = true;
}

/* The end of a long poll. */
static void frame_poll_end(struct stream *stream)
{
    const char *quote = stream->several ? "\"" : "";
    begin_frame(stream, "}\n");
    add_head(stream, "%s],\"next_after\":%s", stream->has_told ? "" : "{\"data\":[", quote);
    add_cursor(stream);
    add_head(stream, "%s,\"over\":%s", quote, stream_is_at_the_end(stream) ? "true" : "false");
}

static void frame_last(struct stream *stream)
{
    if (stream->format == FORMAT_JSON)
        frame_poll_end(stream);
    else
        begin_frame(stream, "");
    stream->is_last = true;
}

/* ---- what comes next ---- */

static enum event_next take_event(struct stream *stream)
{
    for (size_t i = 0; i < stream->count; i++) {
        struct stream_game *game = &stream->games[(stream->turn + i) % stream->count];
        struct event_text *text;
        enum event_next next = games_next_event(stream->api->games, &game->subscriber, &text);
        if (next == EVENT_NEXT_NONE)
            continue;
        if (next == EVENT_NEXT_CUT)
            return next;
        stream->turn = (stream->turn + i + 1) % stream->count;
        game->over = text->ends;
        if (text->version) {
            game->is_known = true;
            game->cursor = text->version;
        }
        frame_event(stream, text);
        return next;
    }
    return EVENT_NEXT_NONE;
}

static void begin(struct stream *stream)
{
    stream->has_begun = true;
    begin_frame(stream, stream->format == FORMAT_SSE ? "retry: 2000\n\n" : "");
}

/* Nothing is there to be told. False: nothing is to be written either. */
static bool frame_silence(struct stream *stream, enum stream_why why)
{
    bool polls = stream->format == FORMAT_JSON;
    if (why == STREAM_ENDING || stream_is_at_the_end(stream) ||
        (polls && (stream->has_told || !stream->waits || why == STREAM_QUIET))) {
        frame_last(stream);
        if (why == STREAM_ENDING && stream->format == FORMAT_SSE)
            stream->tail = ": the service is shutting down\n\n";
        return true;
    }
    if (why == STREAM_QUIET)
        begin_frame(stream, stream->format == FORMAT_SSE ? ": ping\n\n" : "\n");
    return why == STREAM_QUIET;
}

static bool frame_next(struct stream *stream, enum stream_why why)
{
    if (!stream->has_begun) {
        begin(stream);
        return true;
    }
    switch (take_event(stream)) {
    case EVENT_NEXT_TEXT:
        return true;
    case EVENT_NEXT_CUT:
        frame_last(stream);
        return true;
    case EVENT_NEXT_NONE:
        break;
    }
    return frame_silence(stream, why);
}

/* ---- reading ---- */

/* One piece of a frame, as far as it is not written and fits. */
struct piece {
    const char *bytes;
    size_t length;
};

static size_t copy(struct stream *stream, char *buffer, size_t size)
{
    const struct piece pieces[] = {
        {stream->head, stream->head_length},
        {stream->text ? stream->text->json + stream->text_from : NULL,
         stream->text ? stream->text->length - stream->text_from : 0},
        {stream->tail, strlen(stream->tail)},
    };
    size_t from = stream->at, written = 0;
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0] && written < size; i++) {
        if (from >= pieces[i].length) {
            from -= pieces[i].length;
            continue;
        }
        size_t length = pieces[i].length - from;
        if (length > size - written)
            length = size - written;
        memcpy(buffer + written, pieces[i].bytes + from, length);
        written += length;
        from = 0;
    }
    stream->at += written;
    return written;
}

size_t stream_read(void *context, enum stream_why why, char *buffer, size_t size, bool *end)
{
    struct stream *stream = context;
    size_t written = 0;
    for (;;) {
        if (stream->tail)
            written += copy(stream, buffer + written, size - written);
        if (written == size)
            return written;
        if (stream->is_last) {
            *end = true;
            return written;
        }
        if (!frame_next(stream, why))
            return written;
        if (why == STREAM_QUIET) /* asked once, answered once */
            why = STREAM_WANTED;
    }
}
