/* The way of an action through a game: judged in its turn, sent to the store or to the solver, published, over. */
#include <stdlib.h>
#include <string.h>

#include "games/feed.h"
#include "games/id.h"
#include "games/internal.h"
#include "games/judge.h"

enum action_outcome outcome_of_write(enum storage_status status)
{
    static const enum action_outcome outcomes[] = {
        [STORAGE_OK] = ACTION_DONE,
        [STORAGE_CONFLICT] =
            ACTION_STORE_BUSY, /* somebody else wrote: judged again when the client asks again */
        [STORAGE_NOT_FOUND] = ACTION_GONE,
        [STORAGE_STOPPED] = ACTION_STORE_FAILED,
        [STORAGE_DAMAGED] = ACTION_STORE_FAILED,
        [STORAGE_BUSY] = ACTION_STORE_BUSY,
        [STORAGE_FULL] = ACTION_STORE_FULL,
        [STORAGE_UNAVAILABLE] = ACTION_STORE_FAILED,
    };
    return outcomes[status];
}

static enum storage_write_kind write_kind(enum action_kind kind)
{
    return kind == ACTION_CREATE ? STORAGE_CREATE : kind == ACTION_DELETE ? STORAGE_DELETE : STORAGE_APPEND;
}

static void committed(struct storage_write *write, enum storage_status status);

static bool is_long(const struct action *action)
{
    return action_moves(action) > GAMES_MOVES_AT_ONCE;
}

/* Rows besides the moves: one of the action itself, and one of a recorded result. */
enum { ROWS_BESIDE_MOVES = 2 };

/* Where an action goes once it was judged. */
enum way {
    WAY_FAILED, /* a fault: *status */
    WAY_OVER,   /* the outcome is final and rendered */
    WAY_STORE,  /* action->change is to be submitted */
    WAY_SOLVER, /* action->decision has to be found first */
};

static enum way choose_way(struct live *live, struct change *change)
{
    struct action *action = change->action;
    if (change->wants_decision) {
        change_destroy(change);
        live->in_flight = action;
        return WAY_SOLVER;
    }
    bool stands = action->outcome == ACTION_DONE;
    if (stands && !action->validate_only) {
        change_prepare(change, write_kind(action->kind));
        change->write.done = committed;
        live->in_flight = action;
        action->change = change;
    }
    if (action->render)
        action->render(action, !stands ? &live->game : action->kind == ACTION_DELETE ? NULL : &change->view);
    if (action->change && !action->is_withdrawn) {
        change->write.receipt = action->receipt;
        return WAY_STORE;
    }
    if (action->change) {
        live->in_flight = NULL;
        action->change = NULL;
        action->outcome = ACTION_NO_MEMORY;
    }
    change_destroy(change);
    return WAY_OVER;
}

/* Decides the action in the state that is committed now. */
static enum way decide(struct games *games, struct shard *shard, struct live *live, struct action *action,
                       enum games_status *status)
{
    size_t moves = action_moves(action);
    size_t before = live_bytes(live);
    bool room = live_reserve(live, live->game.head.ply + (unsigned)moves, (unsigned)moves);
    if (shard)
        shard_resized(shard, before, live_bytes(live));
    struct change *change = room ? change_create(games, action, live, moves + ROWS_BESIDE_MOVES) : NULL;
    live->in_flight = action; /* the judge may let the lock go */
    if (change)
        change->shard = shard;
    *status = change ? judge(change, games) : GAMES_UNAVAILABLE;
    live->in_flight = NULL;
    if (*status == GAMES_OK)
        return choose_way(live, change);
    change_destroy(change);
    return WAY_FAILED;
}

static void publish(struct games *games, struct shard *shard, struct change *change)
{
    struct live *live = change->live;
    size_t before = live_bytes(live);
    change_publish(change);
    shard_resized(shard, before, live_bytes(live));
    games_watch(games, live);
    feed_publish(games, live, change);
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
    case GAMES_UNAVAILABLE:
    case GAMES_DAMAGED:
        break;
    }
    return ACTION_STORE_FAILED;
}

/* What became of a game's turn: at most one action is on its way, the others are over. */
struct turn {
    struct action *sent;
    enum way way;
    struct action_list finished;
};

static void turn_begin(struct turn *turn)
{
    *turn = (struct turn){0};
    action_list_init(&turn->finished);
}

/* With no lock held. */
static void turn_end(struct games *games, struct turn *turn)
{
    if (turn->sent && turn->way == WAY_STORE)
        storage_submit(games->storage, &turn->sent->change->write);
    else if (turn->sent)
        solver_submit(&games->solver, turn->sent);
    for (struct action *action; (action = action_list_take(&turn->finished));)
        action->done(action);
}

static void finish(struct turn *turn, struct action *action, enum action_outcome outcome)
{
    action->outcome = outcome;
    action_list_add(&turn->finished, action);
}

/* A flag that had fallen was not stored: who came after it fails with it, for he is judged after it or not at all. */
static void fail_overdue(struct live *live, enum action_outcome outcome, struct action_list *finished)
{
    struct action_list in_time;
    struct action *action;
    action_list_init(&in_time);
    while ((action = action_list_take(&live->waiting))) {
        bool overdue = judge_overdue_before(&live->game, action) != ACTION_KIND_COUNT;
        if (overdue)
            action->outcome = outcome;
        action_list_add(overdue ? finished : &in_time, action);
    }
    while ((action = action_list_take(&in_time)))
        action_list_add(&live->waiting, action);
}

/* The store's writer would keep everybody's writes waiting meanwhile; and among those that wait for the solver it has a place
 * like any other, so that each is answered before the next is judged. */
static void leave_to_solver(struct live *live, struct action *action, struct turn *turn)
{
    action->only_judged = true;
    live->in_flight = action;
    turn->sent = action;
    turn->way = WAY_SOLVER;
}

static void take_turn(struct games *games, struct shard *shard, struct live *live, struct action *action,
                      struct turn *turn)
{
    enum games_status status;
    enum way way = decide(games, shard, live, action, &status);
    if (way == WAY_STORE || way == WAY_SOLVER) {
        turn->sent = action;
        turn->way = way;
        return;
    }
    finish(turn, action, way == WAY_FAILED ? outcome_of_status(status) : action->outcome);
    if (way == WAY_FAILED && action_is_of_time(action))
        fail_overdue(live, action->outcome, &turn->finished);
}

/* The actions that waited are decided in turn until one of them is on its way; a flag that had fallen before one of
 * them was there comes first. It ends: an overdue flag is on its way, or fails those behind it, or there is none. The game,
 * which may have been passed over as busy, is one of the recent ones again. */
static void next_turns(struct games *games, struct shard *shard, struct live *live, struct turn *turn)
{
    while (!turn->sent && live->waiting.first) {
        struct action *action = live->waiting.first;
        enum action_kind overdue = judge_overdue_before(&live->game, action);
        if (overdue == ACTION_KIND_COUNT)
            (void)action_list_take(&live->waiting);
        else
            action = internal_action(games, overdue, live->game.id, action->received_ms);
        if (!action) {
            fail_overdue(live, ACTION_NO_MEMORY, &turn->finished);
        } else if (is_long(action)) {
            leave_to_solver(live, action, turn);
        } else {
            /* The store's writer or the solver may read the log here: it is rare, and nobody can be asked to call again. */
            action->may_block = true;
            take_turn(games, shard, live, action, turn);
        }
    }
    shard_settle(shard, live);
}

static void drop_game(struct games *games, struct shard *shard, struct live *live,
                      enum action_outcome outcome, struct action_list *finished)
{
    shard_remove(shard, live);
    if (outcome == ACTION_GONE)
        (void)timers_set(&games->timers, live->game.id, GAME_NO_DEADLINE);
    for (struct action *action; (action = action_list_take(&live->waiting));) {
        action->outcome = outcome;
        action_list_add(finished, action);
    }
    if (outcome == ACTION_GONE)
        feed_remove(games, live);
    else
        feed_drop(games, live);
    live_destroy(live);
}

/* A game came into being: only now may anybody find it. */
static void created(struct games *games, struct change *change, enum storage_status status)
{
    const struct storage_write *write = &change->write;
    struct action *action = change->action;
    struct live *live = change->live;
    live->in_flight = NULL;
    /* The id is taken: once in 10^17. Where there is a receipt it may be that: then the client has to ask again. */
    if (status == STORAGE_CONFLICT && !write->receipt && id_make(live->game.id)) {
        memcpy(change->view.id, live->game.id, GAME_ID_SIZE);
        memcpy(action->id, live->game.id, GAME_ID_SIZE);
        if (action->render)
            action->render(action, &change->view);
        storage_submit(games->storage, &change->write);
        return;
    }
    action->outcome = outcome_of_write(status);
    if (status == STORAGE_OK) {
        struct shard *shard = registry_shard(&games->registry, live->game.id);
        receipts_stored(games, write->receipt);
        change_publish(change);
        live->game.key = change->write.game.key;
        pthread_mutex_lock(&shard->lock);
        bool inserted = shard_insert(&games->registry, shard, live);
        if (inserted)
            games_watch(games, live);
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
    struct turn turn;
    turn_begin(&turn);
    action_list_add(&turn.finished, action);
    if (status == STORAGE_OK)
        receipts_stored(games, write->receipt);
    pthread_mutex_lock(&shard->lock);
    action->outcome = outcome_of_write(status);
    live->in_flight = NULL;
    if (status == STORAGE_OK && action->kind != ACTION_DELETE)
        publish(games, shard, change);
    bool gone = status == STORAGE_NOT_FOUND || (status == STORAGE_OK && action->kind == ACTION_DELETE);
    bool dropped = gone || status == STORAGE_CONFLICT || status == STORAGE_DAMAGED;
    if (dropped)
        drop_game(games, shard, live, gone ? ACTION_GONE : ACTION_STORE_BUSY, &turn.finished);
    else if (status != STORAGE_OK && action_is_of_time(action))
        fail_overdue(live, action->outcome, &turn.finished);
    if (!dropped)
        next_turns(games, shard, live, &turn);
    pthread_mutex_unlock(&shard->lock);
    turn_end(games, &turn);
}

void games_solved(void *context, struct action *action)
{
    struct games *games = context;
    struct shard *shard = registry_shard(&games->registry, action->id);
    struct turn turn;
    turn_begin(&turn);
    pthread_mutex_lock(&shard->lock);
    /* It can neither have left nor gone to rest while the action was in flight. */
    struct live *live = entry_awake(shard_find(shard, action->id));
    live->in_flight = NULL;
    action->may_block = true;
    bool can_be_judged = action->decision || action->only_judged;
    action->only_judged = false;
    if (can_be_judged) {
        take_turn(games, shard, live, action, &turn);
    } else {
        finish(&turn, action, ACTION_NO_MEMORY);
        if (action_is_of_time(action))
            fail_overdue(live, ACTION_NO_MEMORY, &turn.finished);
    }
    next_turns(games, shard, live, &turn);
    pthread_mutex_unlock(&shard->lock);
    turn_end(games, &turn);
}

/* The tokens of a game are made with it, and told once. */
static bool set_access(struct live *live, struct action *action)
{
    struct game_seats seats = {0};
    live->game.access = (uint8_t)action->create.access;
    if (action->create.access == ACCESS_OPEN)
        return true;
    for (unsigned i = 0; i < GAME_TOKENS; i++)
        seats_issue(&seats, (enum game_role)(ROLE_WHITE + i), action->tokens[i]);
    return live_set_seats(live, &seats);
}

static enum games_status create(struct games *games, struct action *action)
{
    if (!id_make(action->id))
        return GAMES_UNAVAILABLE;
    struct live *live = live_create(action->id);
    if (!live || !live_set_start(live, action->create.start) ||
        !live_set_texts(live, &action->create.texts) || !live_set_clock(live, action->create.control) ||
        !set_access(live, action) || !live_reserve(live, 0, 1)) {
        live_destroy(live);
        return GAMES_UNAVAILABLE;
    }
    struct game *game = &live->game;
    game->created_at_ms = games_epoch_ms(games) + action->received_ms;
    game->rules = action->create.rules;
    game->visibility = (uint8_t)action->create.visibility;
    game->head.status = game->seats && !action->create.move_count ? GAME_WAITING : GAME_ACTIVE;
    game->head.since_ms = game_is_watched(game) ? action->received_ms : 0;
    advance_begin(game);
    enum games_status status;
    if (decide(games, NULL, live, action, &status) != WAY_STORE) {
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

/* A game at rest, whose flag has not fallen: most actions. */
static enum games_status act_at_once(struct games *games, struct shard *shard, struct live *live,
                                     struct action *action, struct turn *turn)
{
    enum games_status status;
    enum way way = decide(games, shard, live, action, &status);
    if (way == WAY_STORE || way == WAY_SOLVER) {
        action->suspend(action);
        turn->sent = action;
        turn->way = way;
        return GAMES_PENDING;
    }
    next_turns(games, shard, live, turn); /* others may have come where the judge has let the lock go */
    return status;
}

static enum games_status act_in_turn(struct games *games, struct shard *shard, struct action *action,
                                     struct turn *turn)
{
    struct live *live;
    enum games_status status = games_find(games, shard, action->id, action->may_block, &live);
    if (status != GAMES_OK)
        return status;
    if (!live->in_flight && judge_overdue_before(&live->game, action) == ACTION_KIND_COUNT)
        return act_at_once(games, shard, live, action, turn);
    wait_in_turn(live, action);
    if (!live->in_flight)
        next_turns(games, shard, live, turn);
    return GAMES_PENDING;
}

enum games_status games_act(struct games *games, struct action *action)
{
    if (!action->received_ms)
        action->received_ms = games_service_ms(games);
    if (action->kind == ACTION_CREATE)
        return create(games, action);
    struct shard *shard = registry_shard(&games->registry, action->id);
    struct turn turn;
    turn_begin(&turn);
    pthread_mutex_lock(&shard->lock);
    enum games_status status = act_in_turn(games, shard, action, &turn);
    pthread_mutex_unlock(&shard->lock);
    turn_end(games, &turn);
    return status;
}
