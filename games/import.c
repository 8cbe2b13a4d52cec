#include "games/import.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "games/pgn_intake.h"

enum {
    WINDOW = 256,                  /* games on their way at a time: as many as the store commits at once */
    WINDOW_WEIGHT = WINDOW * 1000, /* and their weight, see weight_of */
    SEALED_SIZE = SECRET_SEALED_AROUND + GAME_ID_LENGTH,
};

/* A game on its way. What is kept of it is its id. */
struct slot {
    struct import *import;
    struct pgn_intake intake;
    struct action action;
    enum game_termination termination;
    enum import_status fault; /* GOES_ON: none */
    bool judged, created, repeated;
    struct repeat_key key; /* where settings.key is */
    struct storage_receipt receipt;
    unsigned char sealed[SEALED_SIZE];
    bool arrived; /* guarded by import->lock */
};

struct import {
    struct games *games;
    struct import_settings settings;
    struct import_handler handler;
    struct pgn_intake_hooks hooks;
    struct pgn_intake reading;
    struct pgn_reader reader;
    enum import_status status;
    struct pgn_place next;

    pthread_mutex_t lock;
    pthread_cond_t arrival;
    struct slot slots[WINDOW];
    size_t first, count; /* slots in use, in order */
    size_t weight;       /* of them */
};

const char *import_status_text(enum import_status status)
{
    static const char *const texts[IMPORT_STATUS_COUNT] = {
        [IMPORT_GOES_ON] = "the import goes on",
        [IMPORT_DONE] = "all games were read",
        [IMPORT_STOPPED] = "the import was stopped",
        [IMPORT_TOO_MANY] = "there are more games than one import may bring",
        [IMPORT_STORE_BUSY] = "another process holds the store",
        [IMPORT_STORE_FULL] = "the disk is full",
        [IMPORT_STORE_FAILED] = "the store cannot be written",
        [IMPORT_KEY_REUSED] = "the key was that of another import",
        [IMPORT_NO_MEMORY] = "memory is out",
    };
    return texts[status];
}

/* ---- a game on its way ------------------------------------------------------------------------------- */

static void arrive(struct slot *slot)
{
    struct import *import = slot->import;
    pthread_mutex_lock(&import->lock);
    slot->arrived = true;
    pthread_cond_signal(&import->arrival);
    pthread_mutex_unlock(&import->lock);
}

static void suspend(struct action *action)
{
    (void)action;
}

/* Twice where an id was taken: the second time nothing is new. */
static void render(struct action *action, const struct game *game)
{
    struct slot *slot = action->owner;
    if (slot->judged)
        return;
    slot->judged = true;
    pgn_intake_judge(&slot->intake, action, game);
    if (action->outcome != ACTION_DONE)
        return;
    slot->termination = (enum game_termination)game->head.end.termination;
    if (slot->import->settings.key && !action->validate_only) {
        slot->receipt = repeat_seal(&slot->key, game->id, GAME_ID_LENGTH, slot->sealed);
        slot->receipt.service_ms = games_service_ms(slot->import->games);
        action->receipt = &slot->receipt;
    }
}

static enum import_status fault_of(enum action_outcome outcome)
{
    if (outcome == ACTION_STORE_BUSY)
        return IMPORT_STORE_BUSY;
    if (outcome == ACTION_NO_MEMORY)
        return IMPORT_NO_MEMORY;
    return outcome == ACTION_STORE_FULL ? IMPORT_STORE_FULL : IMPORT_STORE_FAILED;
}

/* In the store's thread. */
static void done(struct action *action)
{
    struct slot *slot = action->owner;
    slot->created = action->outcome == ACTION_DONE;
    if (!slot->created)
        slot->fault = fault_of(action->outcome);
    arrive(slot);
}

static void fill_action(struct slot *slot)
{
    const struct import_settings *settings = &slot->import->settings;
    struct action *action = &slot->action;
    action_init(action, ACTION_CREATE);
    action->validate_only = settings->validate_only;
    action->may_block = true;
    action->owner = slot;
    action->suspend = suspend;
    action->render = render;
    action->done = done;
    action->create.rules = settings->rules;
    action->create.access = settings->access;
    action->create.visibility = settings->visibility;
    action->create.recorded = slot->intake.result;
    pgn_intake_create(&slot->intake, &action->create);
}

struct recollection {
    struct slot *slot;
    char id[GAME_ID_SIZE];
};

static void recollect(void *context, const struct storage_receipt *receipt)
{
    struct recollection *recollection = context;
    struct slot *slot = recollection->slot;
    enum repeat_status status = receipt->answer_length == SEALED_SIZE
                                    ? repeat_open(&slot->key, receipt, recollection->id)
                                    : REPEAT_DAMAGED;
    if (status != REPEAT_OPENED)
        slot->fault = status == REPEAT_OTHER ? IMPORT_KEY_REUSED : IMPORT_STORE_FAILED;
    slot->repeated = status == REPEAT_OPENED;
}

/* Has the game been created before? Then it is only judged, for what is to be told of it. */
static void look_up(struct recollection *recollection)
{
    struct slot *slot = recollection->slot;
    struct games *games = slot->import->games;
    if (games_receipt(games, slot->key.id, recollect, recollection) == GAMES_UNAVAILABLE)
        slot->fault = IMPORT_STORE_FAILED;
}

static void send(struct slot *slot)
{
    struct recollection recollection = {.slot = slot};
    const struct import_settings *settings = &slot->import->settings;
    fill_action(slot);
    if (settings->key)
        slot->key = repeat_part(settings->key, slot->intake.place.index);
    if (settings->key && settings->is_repeat)
        look_up(&recollection);
    if (slot->repeated)
        slot->action.validate_only = true;
    enum games_status status =
        slot->fault == IMPORT_GOES_ON ? games_act(slot->import->games, &slot->action) : GAMES_OK;
    if (status == GAMES_PENDING)
        return;
    if (status != GAMES_OK)
        slot->fault = IMPORT_NO_MEMORY;
    slot->created = slot->repeated;
    if (slot->repeated)
        memcpy(slot->action.id, recollection.id, GAME_ID_SIZE);
    arrive(slot);
}

/* A half-move costs some hundred bytes on its way to the store. */
static size_t weight_of(const struct pgn_intake *intake)
{
    enum { TEXT_PER_PLY = 64 };
    return intake->plies + intake->text_length / TEXT_PER_PLY;
}

/* ---- results, in order ------------------------------------------------------------------------------- */

static enum import_outcome outcome_of(const struct slot *slot)
{
    if (!slot->intake.good)
        return IMPORT_GAME_REFUSED;
    if (slot->fault != IMPORT_GOES_ON)
        return IMPORT_GAME_NOT_STORED;
    return slot->created ? IMPORT_GAME_CREATED : IMPORT_GAME_GOOD;
}

static void tell(struct import *import, struct slot *slot)
{
    const struct pgn_intake *intake = &slot->intake;
    enum import_outcome outcome = outcome_of(slot);
    bool created = outcome == IMPORT_GAME_CREATED;
    const struct import_game game = {
        .place = intake->place,
        .outcome = outcome,
        .id = created ? slot->action.id : NULL,
        .is_repeated = created && slot->repeated,
        .plies = intake->plies,
        .result = intake->result,
        .termination = slot->termination,
        .final = intake->has_start ? &intake->final : NULL,
        .tags = intake->tags,
        .tag_count = intake->tag_count,
        .faults = intake->faults,
        .fault_count = intake->fault_count,
    };
    if (!import->handler.game(import->handler.context, &game) && import->status == IMPORT_GOES_ON)
        import->status = IMPORT_STOPPED;
}

/* The first of the games on their way has arrived; waits for it where `waits`. */
static bool has_arrived(struct import *import, bool waits)
{
    struct slot *slot = &import->slots[import->first];
    pthread_mutex_lock(&import->lock);
    while (waits && !slot->arrived)
        pthread_cond_wait(&import->arrival, &import->lock);
    bool arrived = slot->arrived;
    pthread_mutex_unlock(&import->lock);
    return arrived;
}

static void take_out(struct import *import)
{
    struct slot *slot = &import->slots[import->first];
    if (slot->fault != IMPORT_GOES_ON && import->status == IMPORT_GOES_ON) {
        import->status = slot->fault;
        import->next = slot->intake.place;
    }
    tell(import, slot);
    action_finish(&slot->action);
    import->weight -= weight_of(&slot->intake);
    pgn_intake_trim(&slot->intake);
    import->first = (import->first + 1) % WINDOW;
    import->count--;
}

/* Tells what has arrived; waits until no more than `most` are on their way. */
static void receive(struct import *import, size_t most, size_t weight)
{
    while (import->count > 0 && has_arrived(import, import->count > most || import->weight > weight))
        take_out(import);
}

static bool begun(struct pgn_intake_hooks *hooks, const struct pgn_place *place)
{
    struct import *import = hooks->owner;
    import->next = *place;
    if (import->settings.games_max && place->index >= import->settings.games_max)
        import->status = IMPORT_TOO_MANY;
    else if (import->settings.stops && import->settings.stops(import->settings.stops_context))
        import->status = IMPORT_STOPPED;
    return import->status == IMPORT_GOES_ON;
}

static void swap_intakes(struct pgn_intake *a, struct pgn_intake *b)
{
    struct pgn_intake kept = *a;
    *a = *b;
    *b = kept;
}

static bool ended(struct pgn_intake_hooks *hooks)
{
    struct import *import = hooks->owner;
    unsigned at_once = import->settings.games_at_once;
    receive(import, at_once && at_once < WINDOW ? at_once - 1 : WINDOW - 1, WINDOW_WEIGHT);
    if (import->status != IMPORT_GOES_ON)
        return false;
    struct slot *slot = &import->slots[(import->first + import->count) % WINDOW];
    swap_intakes(&slot->intake, &import->reading);
    slot->import = import;
    slot->fault = IMPORT_GOES_ON;
    slot->termination = TERMINATION_NONE;
    slot->judged = slot->created = slot->repeated = slot->arrived = false;
    slot->action = (struct action){0};
    import->count++;
    import->weight += weight_of(&slot->intake);
    import->next = (struct pgn_place){.index = slot->intake.place.index + 1};
    if (slot->intake.good)
        send(slot);
    else
        arrive(slot);
    return true;
}

static bool fault(struct pgn_intake_hooks *hooks, const struct pgn_fault *fault)
{
    struct import *import = hooks->owner;
    if (import->handler.fault)
        import->handler.fault(import->handler.context, fault);
    return true;
}

/* ---- the stream -------------------------------------------------------------------------------------- */

struct import *import_create(struct games *games, const struct import_settings *settings,
                             const struct import_handler *handler)
{
    struct import *import = calloc(1, sizeof *import);
    if (!import)
        return NULL;
    import->games = games;
    import->settings = *settings;
    import->handler = *handler;
    import->hooks = (struct pgn_intake_hooks){
        .intake = &import->reading, .owner = import, .begun = begun, .ended = ended, .fault = fault};
    const struct pgn_handler pgn = pgn_intake_handler(&import->hooks);
    const struct pgn_options options = {.chess960 = settings->chess960, .variations = true};
    pgn_reader_init(&import->reader, &pgn, &options);
    pthread_mutex_init(&import->lock, NULL);
    pthread_cond_init(&import->arrival, NULL);
    return import;
}

void import_destroy(struct import *import)
{
    if (!import)
        return;
    for (; import->count > 0; import->count--) {
        (void)has_arrived(import, true);
        action_finish(&import->slots[import->first].action);
        import->first = (import->first + 1) % WINDOW;
    }
    for (size_t i = 0; i < WINDOW; i++)
        pgn_intake_finish(&import->slots[i].intake);
    pgn_intake_finish(&import->reading);
    pthread_cond_destroy(&import->arrival);
    pthread_mutex_destroy(&import->lock);
    free(import);
}

static enum import_status finish(struct import *import, bool went_on)
{
    if (!went_on && import->status == IMPORT_GOES_ON)
        import->status = IMPORT_NO_MEMORY;
    if (import->status != IMPORT_GOES_ON)
        receive(import, 0, 0);
    return import->status;
}

enum import_status import_read(struct import *import, const char *bytes, size_t length)
{
    if (import->status != IMPORT_GOES_ON)
        return import->status;
    return finish(import, pgn_read(&import->reader, bytes, length));
}

enum import_status import_end(struct import *import)
{
    if (import->status != IMPORT_GOES_ON)
        return import->status;
    bool went_on = pgn_read_end(&import->reader);
    receive(import, 0, 0);
    if (went_on && import->status == IMPORT_GOES_ON)
        import->status = IMPORT_DONE;
    return finish(import, went_on);
}

void import_await(struct import *import)
{
    receive(import, 0, 0);
}

enum import_status import_stop(struct import *import)
{
    if (import->status == IMPORT_GOES_ON)
        import->status = IMPORT_STOPPED;
    return finish(import, true);
}

struct pgn_place import_next(const struct import *import)
{
    return import->next;
}
