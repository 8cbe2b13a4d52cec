/* events: what happens to a game, told to those who watch it.
 *
 * One row of the log is one event, and the id of an event is the version that it made; presence, the removal of a game, and
 * a clock that is told anew because the wall clock has moved have none. An event is the same whether it is told at once or
 * made again from the log: what it carries is the row and the game as it was after it, by the wall clock of then. But the
 * last one of the log has the wall clock of now, as it tells how a clock that runs stands. Names alone have no history: the
 * snapshot that a creation is has those of when it is made.
 * Events are rendered once, by whoever the registry was given for that, and shared by all who read them.
 *
 * Layer: games; knows no JSON. Threads: every function may be called from any thread, those of one subscriber from one
 * at a time. Source: API 4.6. */
#pragma once

#include <stdatomic.h>

#include "games/games.h"
#include "games/row_kind.h"
#include "games/seats.h"

enum event_kind {
    EVENT_SNAPSHOT, /* the game as it is: its creation, or a beginning in the middle */
    EVENT_MOVE_PLAYED,
    EVENT_DRAW_OFFERED,
    EVENT_DRAW_DECLINED,
    EVENT_CLAIM_REFUSED,
    EVENT_TAKEBACK_OFFERED,
    EVENT_TAKEBACK_DECLINED,
    EVENT_POSITION_REWOUND,
    EVENT_CLOCK_UPDATED,
    EVENT_SEAT_CHANGED,
    EVENT_PRESENCE_CHANGED,
    EVENT_GAME_UPDATED,
    EVENT_GAME_DELETED,
    EVENT_GAME_ENDED, /* otherwise than by a move */
    EVENT_KIND_COUNT
};

/* "move.played". Static. */
const char *event_kind_name(enum event_kind kind);

struct game_event {
    enum event_kind kind;
    uint32_t version;    /* that it made; 0: none */
    int64_t at_ms;       /* Unix ms */
    int64_t epoch_ms;    /* Unix ms of service time 0, by which its clock is told; see games_epoch_ms */
    enum row_kind row;   /* NONE: it has no row */
    enum game_seat seat; /* who did it, or whose it is; NONE: nobody in particular */
    bool reset;          /* SNAPSHOT: the client's cursor leads nowhere, what it knew is void */
    bool connected;      /* PRESENCE_CHANGED */
    /* CLAIM_REFUSED. */
    enum claim_reason claim;      /* asked for; NONE: any */
    bool stands_as_offer;         /* by event_read: unless the opponent's does */
    char move[NOTATION_UCI_SIZE]; /* announced; empty: none */
    /* Time that was given with it. */
    enum game_seat given_to; /* NONE: none was */
    int64_t given_ms;
    /* What it set: NULL: not touched; empty: taken away. Owned by the event. */
    char *white_name, *black_name, *metadata, *visibility;
    char *name;          /* SEAT_CHANGED: of who sat down */
    enum game_role role; /* SEAT_CHANGED: whose token is a new one; NONE: nobody's */
};

/* Events of the log are made by playing the game, and from its first move again whenever moves were taken back. So many
 * plies are played again for one subscriber; where there are more a snapshot stands for all. */
enum { EVENTS_REPLAYED_PLIES = 100000 };

/* What a row of the log tells. False: memory is out, or no event is known for that kind of row. */
bool event_read(struct game_event *event, const struct storage_action *row);
void event_finish(struct game_event *event);

/* One event as it is sent; shared, never changed. */
struct event_text {
    atomic_uint references;
    uint32_t version; /* 0: it has no id */
    enum event_kind kind;
    bool ends; /* the game is over with it */
    size_t length;
    char json[]; /* `length` bytes, one line without its end */
};

/* A copy of `text`, with one reference, the caller's. NULL when memory is out. */
struct event_text *event_text_create(const struct game_event *event, bool ends, const char *text,
                                     size_t length);
void event_text_release(struct event_text *text); /* NULL is fine */

/* Who renders: called with the game as it was after the event, or for EVENT_GAME_DELETED before it; under a lock of the
 * registry or with none. False: memory is out. */
typedef bool event_renderer(void *context, const struct game_event *event, const struct game *game,
                            struct event_text **text);
/* Before anybody subscribes. */
void games_set_renderer(struct games *games, event_renderer *render, void *context);

/* Somebody who watches one game. The first members are the caller's, who keeps it where it is until
 * games_unsubscribe. */
struct subscriber {
    char id[GAME_ID_SIZE];
    bool may_block;
    bool has_cursor;
    uint32_t cursor; /* the version of the last event that is known */
    /* It does not stay: it is seen, but not present, and is not told of the presence of others. */
    bool passes_by;
    /* May this one see the game? Sets `seat` where it watches for a player. Under the lock of the game, at first,
     * whenever seats or visibility have changed, and by games_admit_again. NULL: everybody may. */
    bool (*admit)(struct subscriber *subscriber, const struct game *game);
    /* There is something to take. Under the lock of the game's shard, once for each event and subscriber, so that the
     * games of a shard wait meanwhile: must be short, may take the stream's own lock and those of the thread that
     * serves it, and may call of games what any callback may. */
    void (*poke)(struct subscriber *subscriber);
    void *owner;
    enum game_seat seat; /* whose presence it is (game.seats->presence); NONE: nobody's */

    /* Set by games_subscribe: how the game stood. */
    uint32_t version;
    bool over;

    /* The registry's own. */
    struct feed *feed;
    struct subscriber *previous, *next;
    enum game_seat watches_for; /* `seat` when it arrived; NONE: it has not */
    struct feed_item *item;     /* the next to take; NULL: none */
    uint32_t behind;            /* items from there on */
    bool cut;                   /* it has missed something, or may not see the game any more */
    struct event_text **missed;
    size_t missed_count, missed_taken, missed_room;
};

/* Begins to watch. Without a cursor the first event is a snapshot; with one the events after it, each once and none
 * missed, or where there are none and a clock runs, how it stands: EVENT_CLOCK_UPDATED without a row, for all but those who
 * pass by. A cursor that is ahead of the game or too far behind gives a snapshot with `reset`; so does one behind which
 * there are more bytes than may wait, or more than EVENTS_REPLAYED_PLIES.
 *   GAMES_OK         games_next_event gives what there is, `poke` tells of what comes, until games_unsubscribe.
 *   GAMES_COLD       the log has to be read, and may_block is not set.
 *   GAMES_NOT_FOUND  there is no such game, or it does not admit this one.
 *   _UNAVAILABLE, _DAMAGED  a fault. Nothing but GAMES_OK wants games_unsubscribe. */
enum games_status games_subscribe(struct games *games, struct subscriber *subscriber);
/* It is here: its seat is present, and the others are told. The last step of whoever opens a stream, so that nobody is told
 * of one that comes to nothing. */
void games_arrive(struct games *games, struct subscriber *subscriber);
/* When it returns, `poke` is not called any more. */
void games_unsubscribe(struct games *games, struct subscriber *subscriber);
/* Asks `admit` of all who watch again, and cuts whom it refuses: to be called when something outside of the games has
 * changed on which it hangs. Looks at every game in memory. */
void games_admit_again(struct games *games);

enum event_next {
    EVENT_NEXT_NONE, /* nothing now */
    EVENT_NEXT_TEXT, /* *text is the caller's reference */
    EVENT_NEXT_CUT,  /* the stream is torn: the client has to subscribe again with its cursor */
};
enum event_next games_next_event(struct games *games, struct subscriber *subscriber,
                                 struct event_text **text);
