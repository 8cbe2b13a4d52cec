/* games: the live games, and the way every action takes.
 *
 * Layer: games, over rules and storage. Knows no HTTP, no JSON, no SQL.
 * An action is judged against the committed state, becomes records of the log, and is published only when the
 * log has them: no read ever shows a state that a crash could take back. One game has at most one action in
 * flight; later ones wait their turn and are judged against what was committed. Threads: every function may
 * be called from any thread. Callbacks run under a lock of the registry: they must be short, must not block, and may
 * call nothing of games but what tells times and limits, which takes no such lock (games_now_ms, games_service_ms,
 * games_epoch_ms, games_plies_limit). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/action.h"
#include "games/game.h"
#include "storage/storage.h"

struct games;

/* The usual settings, which are the defaults of the options too. */
enum {
    GAMES_PLIES = 5000,
    GAMES_EVENTS_CATCHUP = 10000,
    GAMES_EVENTS_BACKLOG = 256,
    GAMES_EVENTS_BYTES = 64 << 20,
    GAMES_RECEIPTS_MS = 24 * 60 * 60 * 1000,
};

/* So many moves of one action are judged in some milliseconds: whether a position is dead can take half a millisecond to
 * find out, and is asked after each. */
enum { GAMES_MOVES_AT_ONCE = 8 };

struct games_settings {
    size_t memory_bytes;  /* budget of live games; the least recently used are dropped beyond it */
    uint32_t plies_limit; /* of one game; at most GAME_PLIES_LIMIT */
    /* Of those who watch (games/events.h): */
    uint32_t events_catchup; /* events that a cursor may lie behind */
    uint32_t events_backlog; /* events that may wait for one who is slow */
    size_t events_bytes;     /* memory of all events that wait; beyond it who is slow is cut */
    int64_t receipts_ms;     /* how long receipts are kept at least, in service time */
    /* Asked of the metadata that the store has: a game with METADATA_DAMAGED is GAMES_DAMAGED. NULL: any text will do. */
    metadata_reader *read_metadata;
    /* Injected so that tests move time; NULL: the system's. */
    int64_t (*now_ms)(void *context);    /* the wall clock, Unix ms: for people to read */
    int64_t (*steady_ms)(void *context); /* a monotonic clock: all that counts */
    void *now_context;
};

/* All of them the usual, with that budget. */
struct games_settings games_settings_usual(size_t memory_bytes);

/* `storage` must outlive the games; NULL: there is none, and games are only made with validate_only. NULL when memory is
 * out, the store cannot be read or is damaged, or no thread starts. */
struct games *games_create(struct storage *storage, const struct games_settings *settings);
/* Why it has given NULL, in a sentence for the operator. */
const char *games_create_failure(struct storage *storage);
/* No action may be in flight. */
void games_destroy(struct games *games);

int64_t games_now_ms(const struct games *games);
/* Service time: it goes on where the last beat in the store left off, and stands still while no service runs. */
int64_t games_service_ms(const struct games *games);
/* Unix ms that the wall clock would have shown at service time 0: added to a service time it is what a wall clock shows that
 * runs on as the one of now. The same at each call, until a step of the wall clock or a machine that slept has parted the
 * two by a tenth of a second or more; and another after a time without a service. */
int64_t games_epoch_ms(struct games *games);
/* settings.plies_limit. */
uint32_t games_plies_limit(const struct games *games);

enum games_status {
    GAMES_OK = 0,
    /* The log has to be read, and the caller may not wait for that: call again where it may. */
    GAMES_COLD,
    GAMES_NOT_FOUND,
    GAMES_PENDING,     /* games_act only: `done` follows, or has come already */
    GAMES_UNAVAILABLE, /* the store cannot be read, or memory is out */
    GAMES_DAMAGED,     /* the log of this game does not add up */
};

/* Calls `view` with the game as it is committed, under the lock of its shard. Nothing has been made of the game by then:
 * whoever keeps answers by id and head.version looks these up first, and pays for no more. */
enum games_status games_view(struct games *games, const char *id, bool may_block,
                             void (*view)(void *context, const struct game *game), void *context);

/* Judges an action and, if it stands, starts it on its way. See games/action.h.
 *   GAMES_OK       decided at once: action->outcome; `render` was called.
 *   GAMES_PENDING  `suspend` was called; `done` is called once, from any thread, and the action is the registry's
 *                  until then.
 *   others         nothing happened. */
enum games_status games_act(struct games *games, struct action *action);

/* A page of the public games of a query, query->limit of them at most, each as games_view shows it; may block. A game
 * that was removed or changed so that it no longer fits, or that cannot be read, is left out of its page.
 * *next_key: the key after which the next page begins; 0: this page is the last one. */
enum games_status games_list(struct games *games, const struct storage_query *query,
                             void (*view)(void *context, const struct game *game), void *context,
                             int64_t *next_key);

/* One move in force as the log has it. */
struct move_record {
    uint32_t ply, version;
    int64_t at_ms;
    int64_t clock_ms, spent_ms;        /* MOVE_TIME_NONE: untimed */
    int64_t remaining_ms[COLOR_COUNT]; /* after the move; MOVE_TIME_NONE: untimed */
    const char *comment;               /* NULL for none */
};

/* The records behind the moves of the caller's view with from_ply <= ply < from_ply + limit, in order, all of them, also
 * those that were taken back since; may block. GAMES_OK, _NOT_FOUND: the game has been removed, _UNAVAILABLE or
 * _DAMAGED; then some may have been handed out. */
enum games_status games_move_records(struct games *games, const struct game *game, uint32_t from_ply,
                                     uint32_t limit,
                                     bool (*record)(void *context, const struct move_record *record),
                                     void *context);

/* ---- time ----
 * Deadlines of games (flags, abandonment) are kept in order. Somebody calls games_tick when the next is due: the
 * service's timer thread does, and tests that move time. After a start the games with deadlines are found in the
 * store. */

/* Starts what is due and, now and then while deadlines run, a beat. Returns the milliseconds until it should be called
 * again; -1: not before a deadline comes up. May block. */
int64_t games_tick(struct games *games);
/* games_tick for ever, sleeping in between, until games_stop_ticking is called (from any thread). */
void games_keep_ticking(struct games *games);
void games_stop_ticking(struct games *games);

/* ---- receipts ----
 * What was answered to a request that may be repeated: action.receipt. They are removed when they are old. */

/* Hands the receipt of that id to `take`; may block. GAMES_OK, _NOT_FOUND or _UNAVAILABLE. */
enum games_status games_receipt(struct games *games, const uint8_t *id,
                                void (*take)(void *context, const struct storage_receipt *receipt),
                                void *context);
/* Keeps a receipt that belongs to no action, and waits until it is durable. ACTION_DONE or a fault. */
enum action_outcome games_keep_receipt(struct games *games, const struct storage_receipt *receipt);

/* The store would take a write now. */
bool games_ready(struct games *games);

struct games_counters {
    uint64_t live, memory_bytes, loads, evictions;
    uint64_t resting;   /* of those live: in their smallest form, as nobody acts on them or watches */
    uint64_t deadlines; /* games that are being watched */
    uint64_t solving;   /* actions that wait for the solver */
    uint64_t damaged;   /* times that a log was read that does not add up */
};
void games_counters(struct games *games, struct games_counters *counters);
struct storage *games_storage(struct games *games);
