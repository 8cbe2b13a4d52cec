/* stream: events of one game or several on their way to one client, as SSE, NDJSON, or the one JSON object of a long poll.
 *
 * Layer: api. Memory: one block of its own; the texts are shared. Threads: stream_read on the
 * network thread; events wake it from others.
 * Source: API 4.6; the event stream format of the HTML standard. */
#pragma once

#include "api/exchange.h"
#include "api/stream_slots.h"
#include "games/events.h"

struct stream;

/* One game of a stream. */
struct stream_game {
    struct subscriber subscriber; /* first */
    struct stream *stream;
    enum game_role role; /* of the caller, when it was admitted */
    bool token_is_wrong; /* likewise */
    bool admitted, open;
    bool over;       /* with the last that was told */
    bool is_known;   /* something was told, or was known before: up to `cursor` */
    uint32_t cursor; /* version */
};

struct stream {
    const struct api *api;
    struct request *request;
    struct caller caller; /* set before it is opened */
    enum format format;   /* FORMAT_SSE, FORMAT_NDJSON, FORMAT_JSON: a long poll */
    bool several;         /* asked for by names: cursors have names too */
    bool waits;           /* a long poll that waits for something */
    size_t count, turn;
    struct stream_game *games; /* in this block, as is `head` */
    struct stream_slot slot;
    /* The frame that is being written: a head, a text, a tail. */
    char *head;
    size_t head_room, head_length;
    struct event_text *text; /* NULL: none */
    size_t text_from;        /* bytes of it that are left out */
    const char *tail;
    size_t at; /* bytes written of all three */
    bool has_begun, has_told, is_last;
};

/* A stream of so many games, which are to be named; nothing is opened, but stream_close is owed. NULL: memory is out. */
struct stream *stream_create(struct exchange *exchange, size_t count, bool several);
/* Subscribes to all. Where that is not GAMES_OK, *failed is the game; some may be open. */
enum games_status stream_open(struct stream *stream, const struct stream_game **failed);
/* The caller is somebody to one of its games, by token or as operator. */
bool stream_has_role(const struct stream *stream);
/* The caller's token is one of none of its games, and one of them looks at tokens. */
bool stream_token_is_wrong(const struct stream *stream);
/* All is well: the caller is present in its games from here on. */
void stream_arrive(struct stream *stream);
/* Nothing is left to be told: every game is over, and its last version known. */
bool stream_is_at_the_end(const struct stream *stream);

/* Leaves all games, and frees the stream. */
void stream_close(void *context);
/* As struct response_stream has it; so is stream_close. */
size_t stream_read(void *context, enum stream_why why, char *buffer, size_t size, bool *end);
