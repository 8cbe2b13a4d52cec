#include "games/games.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "games/fold.h"
#include "games/id.h"
#include "games/judge.h"
#include "games/live.h"

_Static_assert((int)GAME_ID_LENGTH == (int)STORAGE_ID_LENGTH, "the store checks the length of ids");

struct games {
    struct storage *storage;
    struct games_settings settings;
    struct registry registry;
};

static int64_t system_now_ms(void *context)
{
    (void)context;
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

struct games *games_create(struct storage *storage, const struct games_settings *settings)
{
    struct games *games = calloc(1, sizeof *games);
    if (!games)
        return NULL;
    games->storage = storage;
    games->settings = *settings;
    if (!games->settings.now_ms)
        games->settings.now_ms = system_now_ms;
    if (!registry_init(&games->registry, settings->memory_bytes)) {
        free(games);
        return NULL;
    }
    return games;
}

void games_destroy(struct games *games)
{
    if (!games)
        return;
    registry_finish(&games->registry);
    free(games);
}

int64_t games_now_ms(const struct games *games)
{
    return games->settings.now_ms(games->settings.now_context);
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

/* With the lock of the shard held, which is let go while the log is read. A game that leaves the shard
 * meanwhile may have been this one in a newer state, so then the log is read again. */
static enum games_status load(struct games *games, struct shard *shard, const char *id, struct live **live)
{
    for (;;) {
        uint64_t departures = shard->departures;
        pthread_mutex_unlock(&shard->lock);
        struct live *loaded = NULL;
        enum games_status status = fold_load(games->storage, id, &loaded);
        pthread_mutex_lock(&shard->lock);
        *live = shard_find(shard, id);
        if (*live || status != GAMES_OK || departures == shard->departures) {
            if (!*live && status == GAMES_OK) {
                shard->loads++;
                shard_insert(&games->registry, shard, loaded);
                *live = loaded;
                return GAMES_OK;
            }
            live_destroy(loaded);
            return *live ? GAMES_OK : status;
        }
        live_destroy(loaded);
    }
}

static enum games_status find(struct games *games, struct shard *shard, const char *id, bool may_block,
                              struct live **live)
{
    *live = shard_find(shard, id);
    if (*live)
        return GAMES_OK;
    return may_block ? load(games, shard, id, live) : GAMES_COLD;
}

enum games_status games_view(struct games *games, const char *id, bool may_block,
                             void (*view)(void *context, const struct game *game), void *context)
{
    struct shard *shard = registry_shard(&games->registry, id);
    struct live *live;
    pthread_mutex_lock(&shard->lock);
    enum games_status status = find(games, shard, id, may_block, &live);
    if (status == GAMES_OK)
        view(context, &live->game);
    pthread_mutex_unlock(&shard->lock);
    return status;
}

/* ---- the life of an action ---- */

static const enum action_outcome outcome_of_fault[] = {
    [STORAGE_OK] = ACTION_DONE,
    [STORAGE_CONFLICT] = ACTION_STORE_BUSY, /* somebody else wrote: judged again when the client asks again */
    [STORAGE_NOT_FOUND] = ACTION_GONE,
    [STORAGE_STOPPED] = ACTION_STORE_FAILED,
    [STORAGE_BUSY] = ACTION_STORE_BUSY,
    [STORAGE_FULL] = ACTION_STORE_FULL,
    [STORAGE_UNAVAILABLE] = ACTION_STORE_FAILED,
};

static const enum storage_write_kind write_kind[ACTION_KIND_COUNT] = {
    [ACTION_CREATE] = STORAGE_CREATE, [ACTION_MOVE] = STORAGE_APPEND,   [ACTION_UNDO] = STORAGE_APPEND,
    [ACTION_CLAIM] = STORAGE_APPEND,  [ACTION_RESIGN] = STORAGE_APPEND, [ACTION_ABORT] = STORAGE_APPEND,
    [ACTION_UPDATE] = STORAGE_APPEND, [ACTION_DELETE] = STORAGE_DELETE,
};

static void committed(struct storage_write *write, enum storage_status status);

static size_t moves_of(const struct action *action)
{
    switch (action->kind) {
    case ACTION_CREATE:
        return action->create.move_count;
    case ACTION_MOVE:
        return action->move.count;
    case ACTION_CLAIM:
        return action->claim.move ? 1 : 0;
    case ACTION_UNDO:
    case ACTION_RESIGN:
    case ACTION_ABORT:
    case ACTION_UPDATE:
    case ACTION_DELETE:
    case ACTION_KIND_COUNT:
        break;
    }
    return 0;
}

/* Decides the action in the state that is committed now. GAMES_OK: the outcome is final and rendered, or,
 * with ACTION_DONE and not validate_only, on its way: action->change is to be submitted. */
static enum games_status decide(struct games *games, struct shard *shard, struct live *live,
                                struct action *action)
{
    size_t moves = moves_of(action);
    size_t before = live_bytes(live);
    bool room = live_reserve(live, live->game.head.ply + (unsigned)moves, (unsigned)moves);
    if (shard)
        shard_resized(shard, before, live_bytes(live));
    struct change *change = room ? change_create(games, action, live, moves + 1) : NULL;
    if (!change)
        return GAMES_UNAVAILABLE;
    enum games_status status = judge(change, games);
    if (status != GAMES_OK) {
        change_destroy(change);
        return status;
    }
    bool stands = action->outcome == ACTION_DONE;
    if (stands && !action->validate_only) {
        change_prepare(change, write_kind[action->kind]);
        change->write.done = committed;
        live->in_flight = action;
    }
    if (action->render)
        action->render(action, !stands ? &live->game : action->kind == ACTION_DELETE ? NULL : &change->view);
    if (!stands || action->validate_only) {
        change_destroy(change);
        change = NULL;
    }
    action->change = change;
    return GAMES_OK;
}

static void publish(struct games *games, struct shard *shard, struct change *change)
{
    struct live *live = change->live;
    size_t before = live_bytes(live);
    change_publish(change);
    shard_resized(shard, before, live_bytes(live));
    shard_trim(&games->registry, shard, live);
}

static enum action_outcome outcome_of_status(enum games_status status)
{
    switch (status) {
    case GAMES_NOT_FOUND:
        return ACTION_GONE;
    case GAMES_OK:
    case GAMES_PENDING:
    case GAMES_COLD:
    case GAMES_CHANGED:
    case GAMES_UNAVAILABLE:
    case GAMES_DAMAGED:
        break;
    }
    return ACTION_STORE_FAILED;
}

/* The actions that waited are decided in turn until one of them goes to the store: that one is returned.
 * Those that are over are added to `finished`. */
static struct action *next_waiting(struct games *games, struct shard *shard, struct live *live,
                                   struct action_list *finished)
{
    for (struct action *action; (action = action_list_take(&live->waiting));) {
        /* The writer may read the log here: it is rare, and nobody can be asked to call again. */
        action->may_block = true;
        enum games_status status = decide(games, shard, live, action);
        if (status != GAMES_OK)
            action->outcome = outcome_of_status(status);
        else if (action->change)
            return action;
        action_list_add(finished, action);
    }
    return NULL;
}

static void drop_game(struct shard *shard, struct live *live, enum action_outcome outcome,
                      struct action_list *finished)
{
    shard_remove(shard, live);
    for (struct action *action; (action = action_list_take(&live->waiting));) {
        action->outcome = outcome;
        action_list_add(finished, action);
    }
    live_destroy(live);
}

/* A game came into being: only now may anybody find it. */
static void created(struct games *games, struct change *change, enum storage_status status)
{
    struct action *action = change->action;
    struct live *live = change->live;
    live->in_flight = NULL;
    if (status == STORAGE_CONFLICT && id_make(live->game.id)) { /* the id is taken: once in 10^17 */
        memcpy(change->view.id, live->game.id, GAME_ID_SIZE);
        memcpy(action->id, live->game.id, GAME_ID_SIZE);
        if (action->render)
            action->render(action, &change->view);
        storage_submit(games->storage, &change->write);
        return;
    }
    action->outcome = outcome_of_fault[status];
    if (status == STORAGE_OK) {
        struct shard *shard = registry_shard(&games->registry, live->game.id);
        change_publish(change);
        live->game.key = change->write.game.key;
        pthread_mutex_lock(&shard->lock);
        bool inserted = shard_insert(&games->registry, shard, live);
        pthread_mutex_unlock(&shard->lock);
        change->live = NULL;
        if (!inserted) /* a list has found the id in the store and loaded the game already */
            live_destroy(live);
    } else {
        change_destroy(change);
        action->change = NULL;
        live_destroy(live);
    }
    action->done(action);
}

/* In the storage's writer thread, when a transaction is over. */
static void committed(struct storage_write *write, enum storage_status status)
{
    struct change *change = write->owner;
    struct games *games = change->games;
    struct action *action = change->action;
    struct live *live = change->live;
    if (action->kind == ACTION_CREATE) {
        created(games, change, status);
        return;
    }
    struct shard *shard = registry_shard(&games->registry, live->game.id);
    struct action_list finished;
    struct action *next = NULL;
    action_list_init(&finished);
    action_list_add(&finished, action);
    pthread_mutex_lock(&shard->lock);
    action->outcome = outcome_of_fault[status];
    live->in_flight = NULL;
    if (status == STORAGE_OK && action->kind != ACTION_DELETE)
        publish(games, shard, change);
    bool gone = status == STORAGE_NOT_FOUND || (status == STORAGE_OK && action->kind == ACTION_DELETE);
    if (gone || status == STORAGE_CONFLICT)
        drop_game(shard, live, gone ? ACTION_GONE : ACTION_STORE_BUSY, &finished);
    else
        next = next_waiting(games, shard, live, &finished);
    struct change *submit = next ? next->change : NULL;
    pthread_mutex_unlock(&shard->lock);
    if (submit)
        storage_submit(games->storage, &submit->write);
    while ((action = action_list_take(&finished)))
        action->done(action);
}

static enum games_status create(struct games *games, struct action *action)
{
    if (!id_make(action->id))
        return GAMES_UNAVAILABLE;
    struct live *live = live_create(action->id);
    if (!live || !live_set_start(live, action->create.start) ||
        !live_set_texts(live, &action->create.texts) || !live_reserve(live, 0, 1)) {
        live_destroy(live);
        return GAMES_UNAVAILABLE;
    }
    struct game *game = &live->game;
    game->created_at_ms = games_now_ms(games);
    game->rules = action->create.rules;
    game->access = (uint8_t)action->create.access;
    game->visibility = (uint8_t)action->create.visibility;
    game->head.status = GAME_ACTIVE;
    advance_begin(game);
    enum games_status status = decide(games, NULL, live, action);
    if (status != GAMES_OK || !action->change) {
        live_destroy(live);
        return status;
    }
    action->suspend(action);
    storage_submit(games->storage, &action->change->write);
    return GAMES_PENDING;
}

static void wait_in_turn(struct live *live, struct action *action)
{
    action->suspend(action);
    action_list_add(&live->waiting, action);
}

enum games_status games_act(struct games *games, struct action *action)
{
    if (action->kind == ACTION_CREATE)
        return create(games, action);
    struct shard *shard = registry_shard(&games->registry, action->id);
    struct live *live;
    struct change *submit = NULL;
    pthread_mutex_lock(&shard->lock);
    enum games_status status = find(games, shard, action->id, action->may_block, &live);
    if (status == GAMES_OK && live->in_flight) {
        wait_in_turn(live, action);
        status = GAMES_PENDING;
    } else if (status == GAMES_OK) {
        status = decide(games, shard, live, action);
        submit = action->change;
        if (submit) {
            action->suspend(action);
            status = GAMES_PENDING;
        }
    }
    pthread_mutex_unlock(&shard->lock);
    if (submit)
        storage_submit(games->storage, &submit->write);
    return status;
}

void games_counters(struct games *games, struct games_counters *counters)
{
    *counters = (struct games_counters){0};
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &games->registry.shards[i];
        pthread_mutex_lock(&shard->lock);
        counters->live += shard->count;
        counters->memory_bytes += shard->bytes;
        counters->loads += shard->loads;
        counters->evictions += shard->evictions;
        pthread_mutex_unlock(&shard->lock);
    }
}
