#include "games/games.h"

#include <stdlib.h>
#include <string.h>

#include "games/fold.h"
#include "games/internal.h"
#include "games/secret.h"

_Static_assert((int)GAME_ID_LENGTH == (int)STORAGE_ID_LENGTH, "the store checks the length of ids");

struct games_settings games_settings_usual(size_t memory_bytes)
{
    return (struct games_settings){
        .memory_bytes = memory_bytes,
        .plies_limit = GAMES_PLIES,
        .events_catchup = GAMES_EVENTS_CATCHUP,
        .events_backlog = GAMES_EVENTS_BACKLOG,
        .events_bytes = GAMES_EVENTS_BYTES,
        .receipts_ms = GAMES_RECEIPTS_MS,
    };
}

struct games *games_create(struct storage *storage, const struct games_settings *settings)
{
    struct games *games = secret_init() ? calloc(1, sizeof *games) : NULL;
    if (!games)
        return NULL;
    games->storage = storage;
    games->settings = *settings;
    bool registry = registry_init(&games->registry, settings->memory_bytes);
    bool ticking = registry && ticking_init(games);
    if (ticking && solver_init(&games->solver, games_solved, games))
        return games;
    if (ticking)
        ticking_finish(games);
    if (registry)
        registry_finish(&games->registry);
    free(games);
    return NULL;
}

void games_destroy(struct games *games)
{
    if (!games)
        return;
    ticking_finish(games); /* what it waits for may need the solver */
    solver_finish(&games->solver);
    registry_finish(&games->registry);
    free(games);
}

uint32_t games_plies_limit(const struct games *games)
{
    return games->settings.plies_limit;
}

struct storage *games_storage(struct games *games)
{
    return games->storage;
}

bool games_ready(struct games *games)
{
    return storage_ready(games->storage) == STORAGE_OK;
}

/* ---- finding a game ---- */

void games_watch(struct games *games, const struct live *live)
{
    if (game_is_watched(&live->game))
        (void)timers_set(&games->timers, live->game.id, game_deadline(&live->game));
}

/* With the lock of the shard held, which is let go meanwhile. *live is new in the shard, or NULL: another has put the game
 * there. */
static enum games_status load_once(struct games *games, struct shard *shard, const char *id, bool *stale)
{
    struct loading loading = {.id = id};
    struct live *loaded = NULL;
    shard_begin_loading(shard, &loading);
    pthread_mutex_unlock(&shard->lock);
    enum games_status status = fold_load(games->storage, id, games->settings.read_metadata, &loaded);
    pthread_mutex_lock(&shard->lock);
    shard_end_loading(shard, &loading);
    *stale = loading.stale;
    shard->damaged += status == GAMES_DAMAGED;
    if (status == GAMES_OK && !*stale && shard_insert(&games->registry, shard, loaded)) {
        shard->loads++;
        games_watch(games, loaded);
    } else {
        live_destroy(loaded);
    }
    return status;
}

/* One load of a game at a time, however many ask for it: the others wait, and find the game there, or load it themselves
 * where that has failed. One whose game was made and has left the shard again meanwhile may have read an older state, and
 * is done over; that happens once in the life of a game. */
static enum games_status load(struct games *games, struct shard *shard, const char *id, struct entry **entry)
{
    enum games_status status = GAMES_OK;
    for (bool stale = true; stale && status == GAMES_OK;) {
        stale = false;
        while (shard_is_loading(shard, id))
            pthread_cond_wait(&shard->loaded, &shard->lock);
        *entry = shard_find(shard, id);
        if (!*entry)
            status = load_once(games, shard, id, &stale);
    }
    *entry = shard_find(shard, id);
    return *entry ? GAMES_OK : status;
}

static enum games_status find_entry(struct games *games, struct shard *shard, const char *id, bool may_block,
                                    struct entry **entry)
{
    *entry = shard_find(shard, id);
    if (*entry)
        return GAMES_OK;
    return may_block ? load(games, shard, id, entry) : GAMES_COLD;
}

enum games_status games_find(struct games *games, struct shard *shard, const char *id, bool may_block,
                             struct live **live)
{
    struct entry *entry;
    enum games_status status = find_entry(games, shard, id, may_block, &entry);
    if (status != GAMES_OK)
        return status;
    *live = shard_wake(shard, entry);
    return *live ? GAMES_OK : GAMES_UNAVAILABLE;
}

/* A game at rest is not woken by those who read it. */
enum games_status games_view(struct games *games, const char *id, bool may_block,
                             void (*view)(void *context, const struct game *game), void *context)
{
    struct shard *shard = registry_shard(&games->registry, id);
    struct entry *entry;
    pthread_mutex_lock(&shard->lock);
    enum games_status status = find_entry(games, shard, id, may_block, &entry);
    if (status == GAMES_OK)
        entry_view(entry, view, context);
    pthread_mutex_unlock(&shard->lock);
    return status;
}

void games_counters(struct games *games, struct games_counters *counters)
{
    *counters = (struct games_counters){0};
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &games->registry.shards[i];
        pthread_mutex_lock(&shard->lock);
        counters->live += shard->count;
        counters->resting += shard->resting;
        counters->memory_bytes += shard->bytes;
        counters->loads += shard->loads;
        counters->evictions += shard->evictions;
        counters->damaged += shard->damaged;
        pthread_mutex_unlock(&shard->lock);
    }
    counters->deadlines = timers_count(&games->timers);
    counters->solving = solver_undecided(&games->solver);
}
