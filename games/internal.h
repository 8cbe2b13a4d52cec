/* internal: the registry as a whole, for the files that make it up.
 *
 * Layer: games, private. Locks: that of a shard, then those of the timers, of the own work, of the store's readers,
 * or of a subscriber's stream and, under that, of the thread that serves it: who holds one of these takes none of a shard.
 * storage_submit and solver_submit are called with none held. What is said to be the ticking thread's is touched by
 * games_tick alone, and by games_destroy once that is over. */
#pragma once

#include <stdatomic.h>

#include "games/events.h"
#include "games/live.h"
#include "games/solver.h"
#include "games/timers.h"

/* What the registry has begun by itself and others still have to finish: a beat, flags, abandonments. */
struct own_work {
    pthread_mutex_t lock;
    pthread_cond_t finished;
    unsigned count;
    bool beats; /* one of it is the beat */
};

/* What is known of the receipts in the store. */
struct receipts {
    _Atomic int64_t oldest_ms; /* none is older; INT64_MAX: there is none */
    atomic_bool expires;       /* `expiry` is on its way */
    atomic_bool goes_on;       /* the last one has left some that are old: the next one follows at once */
    struct storage_write expiry;
    int64_t expired_ms; /* service time of the last one; the ticking thread's */
};

struct games {
    struct storage *storage;
    struct games_settings settings;
    struct registry registry;
    struct timers timers;
    struct solver solver;
    struct own_work own;
    event_renderer *render; /* NULL until somebody may watch */
    void *render_context;
    atomic_size_t event_bytes; /* of texts that wait to be taken */
    struct receipts receipts;
    struct storage_write beat; /* tells the store how far the service time has come */
    int64_t service_base_ms;   /* service time when this one started */
    int64_t steady_start_ms;   /* and the steady clock then */
    _Atomic int64_t epoch_ms;  /* games_epoch_ms, when it was last asked */
    /* The ticking thread's: */
    int64_t beat_ms;       /* service time of the last beat */
    int64_t told_epoch_ms; /* the games_epoch_ms that those who watch know */
    int64_t resumed_key;   /* games with deadlines up to this key have been found in the store */
    bool resumed;          /* all of them */
};

/* ---- games.c ---- */

/* With the lock of the shard held, which is let go while the log is read, by this thread or another: games of the shard
 * that the caller has found before may be gone then. GAMES_COLD where it would have to be read. */
enum games_status games_find(struct games *games, struct shard *shard, const char *id, bool may_block,
                             struct live **live);
/* Sets the deadline that the game has now; with the lock of its shard held. Without memory for it the flag still falls
 * before the next action. */
void games_watch(struct games *games, const struct live *live);

/* ---- turns.c ---- */

/* What came of a write: ACTION_DONE or a fault. */
enum action_outcome outcome_of_write(enum storage_status status);
/* The solver has found action->decision. */
void games_solved(void *context, struct action *action);

/* ---- ticking.c ---- */

/* A flag or an abandonment that nobody asked for; frees itself when it is done. NULL when memory is out. */
struct action *internal_action(struct games *games, enum action_kind kind, const char *id,
                               int64_t received_ms);

/* Something of the registry's own is on its way, and is over. */
void own_begin(struct own_work *own);
void own_end(struct own_work *own);

bool ticking_init(struct games *games);
/* Waits for what was begun, and sends a last beat. */
void ticking_finish(struct games *games);

/* ---- wall.c ---- */

/* Once the service time runs. */
void wall_init(struct games *games);
/* The ticking thread's: games_epoch_ms is another than when this was last asked. */
bool wall_has_moved(struct games *games);

/* ---- subscribe.c ---- */

/* Tells those who watch a game whose clock runs how it stands by the wall clock of now. Looks at every game in memory. */
void games_tell_clocks(struct games *games);

/* ---- receipts.c ---- */

/* False: the store cannot be read. */
bool receipts_init(struct games *games);
/* There may be some. */
bool receipts_are_kept(const struct games *games);
/* In the store's thread: a write with this receipt (NULL for none) is durable. */
void receipts_stored(struct games *games, const struct storage_receipt *receipt);
/* Begins the removal of those that are old. The milliseconds until it should be asked again; -1: not before one is
 * stored. */
int64_t receipts_tick(struct games *games, int64_t now_ms);

/* ---- games_read.c ---- */

typedef bool move_record_taker(void *context, const struct move_record *record);

/* games_move_records, for who has the store alone. */
enum games_status move_records_read(struct storage *storage, const struct game *game, uint32_t from_ply,
                                    uint32_t limit, move_record_taker *record, void *context);
