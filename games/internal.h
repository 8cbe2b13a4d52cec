/* internal: the registry as a whole, for the files that make it up.
 *
 * Layer: games, private. Locks: that of a shard, then those of the timers, of the own work, or of the store's readers;
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
    struct storage_write beat; /* tells the store how far the service time has come */
    int64_t service_base_ms;   /* service time when this one started */
    int64_t steady_start_ms;   /* and the steady clock then */
    /* The ticking thread's: */
    int64_t beat_ms;     /* service time of the last beat */
    int64_t resumed_key; /* games with deadlines up to this key have been found in the store */
    bool resumed;        /* all of them */
};

/* ---- games.c ---- */

/* With the lock of the shard held, which is let go while the log is read. GAMES_COLD where it would have to be. */
enum games_status games_find(struct games *games, struct shard *shard, const char *id, bool may_block,
                             struct live **live);
/* Sets the deadline that the game has now; with the lock of its shard held. Without memory for it the flag still falls
 * before the next action. */
void games_watch(struct games *games, const struct live *live);

/* ---- turns.c ---- */

/* The solver has found action->decision. */
void games_solved(void *context, struct action *action);

/* ---- ticking.c ---- */

/* A flag or an abandonment that nobody asked for; frees itself when it is done. NULL when memory is out. */
struct action *internal_action(struct games *games, enum action_kind kind, const char *id,
                               int64_t received_ms);

bool ticking_init(struct games *games);
/* Waits for what was begun, and sends a last beat. */
void ticking_finish(struct games *games);

/* ---- games_read.c ---- */

typedef bool move_record_taker(void *context, const struct move_record *record);

/* games_move_records, for who has the store alone. */
enum games_status move_records_read(struct storage *storage, const struct game *game, uint32_t from_ply,
                                    uint32_t limit, move_record_taker *record, void *context);
