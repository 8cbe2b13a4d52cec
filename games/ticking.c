/* Time in the registry: service time and its beats, deadlines that come up, and games with deadlines that a start finds
 * in the store. */
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "games/internal.h"
#include "games/judge.h"

enum {
    /* A crash gives players back what has passed since the last beat: a 64th of what is left until the nearest deadline,
     * but no less than a second and no more than ten. One beat is for all games, so the most is worth its writes even
     * where moves take days. README and openapi.yaml tell these numbers. */
    BEAT_LEAST_MS = 1000,
    BEAT_MOST_MS = 10000,
    BEAT_PART = 64,
    RECEIPTS_BEAT_MS = 3600000, /* receipts would never grow old where no time is kept */
    RETRY_MS = 1000,            /* after a fault of the store */
    RESUME_PAGE = 256,
};

static int64_t milliseconds(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (int64_t)now.tv_sec * 1000 + now.tv_nsec / 1000000;
}

static int64_t system_now_ms(void *context)
{
    (void)context;
    return milliseconds(CLOCK_REALTIME);
}

static int64_t system_steady_ms(void *context)
{
    (void)context;
    return milliseconds(CLOCK_MONOTONIC);
}

int64_t games_now_ms(const struct games *games)
{
    return games->settings.now_ms(games->settings.now_context);
}

int64_t games_service_ms(const struct games *games)
{
    return games->service_base_ms + games->settings.steady_ms(games->settings.now_context) -
           games->steady_start_ms;
}

/* Sums of times stay numbers, and none is one that stands for no time. */
static bool is_lifetime(int64_t ms)
{
    return ms >= 0 && ms <= SERVICE_MS_MAX;
}

bool ticking_init(struct games *games)
{
    if (!games->settings.now_ms)
        games->settings.now_ms = system_now_ms;
    if (!games->settings.steady_ms)
        games->settings.steady_ms = system_steady_ms;
    int64_t lived = 0;
    bool known = !games->storage || storage_service_ms(games->storage, &lived) == STORAGE_OK;
    if (!known || !is_lifetime(lived) || !receipts_init(games) || !timers_init(&games->timers))
        return false;
    /* Above 0, which stands for no time. */
    games->service_base_ms = lived ? lived : 1;
    games->steady_start_ms = games->settings.steady_ms(games->settings.now_context);
    games->beat_ms = games->service_base_ms;
    wall_init(games);
    pthread_mutex_init(&games->own.lock, NULL);
    pthread_cond_init(&games->own.finished, NULL);
    return true;
}

const char *games_create_failure(struct storage *storage)
{
    int64_t lived = 0;
    if (storage && storage_service_ms(storage, &lived) == STORAGE_OK && !is_lifetime(lived))
        return "the store is damaged: the time for which it says that it has been served cannot be; "
               "every clock would be wrong, so restore it from a backup";
    return "out of memory, or the store cannot be read";
}

/* ---- what the registry begins by itself ---- */

void own_begin(struct own_work *own)
{
    pthread_mutex_lock(&own->lock);
    own->count++;
    pthread_mutex_unlock(&own->lock);
}

void own_end(struct own_work *own)
{
    pthread_mutex_lock(&own->lock);
    own->count--;
    pthread_cond_signal(&own->finished);
    pthread_mutex_unlock(&own->lock);
}

static void own_await(struct own_work *own)
{
    pthread_mutex_lock(&own->lock);
    while (own->count > 0)
        pthread_cond_wait(&own->finished, &own->lock);
    pthread_mutex_unlock(&own->lock);
}

static void beat_done(struct storage_write *write, enum storage_status status)
{
    (void)status; /* the store tells of its faults itself, and the next beat makes up for this one */
    struct own_work *own = write->owner;
    pthread_mutex_lock(&own->lock);
    own->beats = false;
    pthread_mutex_unlock(&own->lock);
    own_end(own);
}

static void beat(struct games *games, int64_t now_ms)
{
    struct own_work *own = &games->own;
    pthread_mutex_lock(&own->lock);
    bool begins = !own->beats;
    own->beats = true;
    own->count += begins;
    pthread_mutex_unlock(&own->lock);
    if (!begins)
        return;
    games->beat_ms = now_ms;
    games->beat =
        (struct storage_write){.kind = STORAGE_BEAT, .service_ms = now_ms, .done = beat_done, .owner = own};
    storage_submit(games->storage, &games->beat);
}

void ticking_finish(struct games *games)
{
    own_await(&games->own);
    if (timers_count(&games->timers) > 0 || receipts_are_kept(games)) {
        beat(games, games_service_ms(games));
        own_await(&games->own);
    }
    pthread_cond_destroy(&games->own.finished);
    pthread_mutex_destroy(&games->own.lock);
    timers_finish(&games->timers);
}

static void stay(struct action *action)
{
    (void)action;
}

static void forget(struct action *action)
{
    struct games *games = action->owner;
    action_finish(action);
    free(action);
    own_end(&games->own);
}

struct action *internal_action(struct games *games, enum action_kind kind, const char *id,
                               int64_t received_ms)
{
    struct action *action = malloc(sizeof *action);
    if (!action)
        return NULL;
    action_init(action, kind);
    memcpy(action->id, id, GAME_ID_SIZE);
    action->received_ms = received_ms;
    action->caller.is_operator = true; /* so that a private game is not hidden from its own clock */
    action->may_block = true;
    action->suspend = stay;
    action->done = forget;
    action->owner = games;
    own_begin(&games->own);
    return action;
}

struct due {
    struct games *games;
    int64_t now_ms;
    enum action_kind kind; /* of what is due; ACTION_KIND_COUNT: nothing */
};

/* Under the lock of the game, so that no publication is overtaken. */
static void look(void *context, const struct game *game)
{
    struct due *due = context;
    due->kind = judge_overdue(game, due->now_ms);
    if (due->kind == ACTION_KIND_COUNT)
        (void)timers_set(&due->games->timers, game->id, game_deadline(game));
}

/* The deadline has been moved on a little: should the store fail, it comes up again. */
static void start_due(struct games *games, const char *id, int64_t now_ms)
{
    struct due due = {.games = games, .now_ms = now_ms, .kind = ACTION_KIND_COUNT};
    enum games_status status = games_view(games, id, true, look, &due);
    if (status == GAMES_NOT_FOUND || status == GAMES_DAMAGED)
        (void)timers_set(&games->timers, id, GAME_NO_DEADLINE);
    if (status != GAMES_OK || due.kind == ACTION_KIND_COUNT)
        return;
    struct action *action = internal_action(games, due.kind, id, now_ms);
    if (action && games_act(games, action) != GAMES_PENDING)
        forget(action);
}

/* ---- after a start ---- */

struct page {
    char ids[RESUME_PAGE][GAME_ID_SIZE];
    size_t count;
    int64_t last_key;
};

static bool take_game(void *context, const struct storage_game *row)
{
    struct page *page = context;
    memcpy(page->ids[page->count++], row->id, GAME_ID_SIZE);
    page->last_key = row->key;
    return true;
}

static void ignore(void *context, const struct game *game)
{
    (void)context;
    (void)game;
}

/* Loading a game sets its deadline. False: the store cannot be read at the moment. */
static bool resume_page(struct games *games)
{
    struct page page = {.last_key = games->resumed_key};
    struct storage_rows rows = {.context = &page, .game = take_game};
    if (storage_watched(games->storage, games->resumed_key, RESUME_PAGE, &rows) != STORAGE_OK)
        return false;
    for (size_t i = 0; i < page.count; i++)
        if (games_view(games, page.ids[i], true, ignore, NULL) == GAMES_UNAVAILABLE)
            (void)timers_set(&games->timers, page.ids[i], games_service_ms(games) + RETRY_MS);
    games->resumed_key = page.last_key;
    games->resumed = page.count < RESUME_PAGE;
    return true;
}

/* ---- the tick ---- */

static int64_t beat_pause_ms(int64_t left_ms)
{
    int64_t part = left_ms / BEAT_PART;
    return part < BEAT_LEAST_MS ? BEAT_LEAST_MS : part > BEAT_MOST_MS ? BEAT_MOST_MS : part;
}

static int64_t tick_games(struct games *games, int64_t now_ms, bool reads)
{
    char id[GAME_ID_SIZE];
    while (timers_next_due(&games->timers, now_ms, now_ms + RETRY_MS, id))
        start_due(games, id, now_ms);
    int64_t first_ms = timers_first(&games->timers);
    int64_t left_ms = first_ms - now_ms;
    if (!games->resumed)
        return reads || left_ms <= 0 ? 0 : left_ms < RETRY_MS ? left_ms : RETRY_MS;
    if (first_ms == GAME_NO_DEADLINE)
        return -1;
    int64_t pause_ms = beat_pause_ms(left_ms);
    if (now_ms - games->beat_ms >= pause_ms)
        beat(games, now_ms);
    if (left_ms <= 0)
        return 0;
    int64_t beat_left_ms = games->beat_ms + pause_ms - now_ms;
    if (beat_left_ms <= 0) /* the last one is not through yet */
        beat_left_ms = BEAT_LEAST_MS;
    return left_ms < beat_left_ms ? left_ms : beat_left_ms;
}

static int64_t tick_receipts(struct games *games, int64_t now_ms)
{
    int64_t left_ms = receipts_tick(games, now_ms);
    if (left_ms < 0)
        return -1;
    if (now_ms - games->beat_ms >= RECEIPTS_BEAT_MS)
        beat(games, now_ms);
    return left_ms < RECEIPTS_BEAT_MS ? left_ms : RECEIPTS_BEAT_MS;
}

int64_t games_tick(struct games *games)
{
    bool reads = games->resumed || resume_page(games);
    int64_t now_ms = games_service_ms(games);
    int64_t games_ms = tick_games(games, now_ms, reads);
    /* Whoever sees a step from here on wakes this thread; tick_games has forgotten that it was woken. */
    if (wall_has_moved(games))
        games_tell_clocks(games);
    int64_t receipts_ms = tick_receipts(games, now_ms);
    if (games_ms < 0 || receipts_ms < 0)
        return games_ms < 0 ? receipts_ms : games_ms;
    return games_ms < receipts_ms ? games_ms : receipts_ms;
}

void games_keep_ticking(struct games *games)
{
    while (!timers_stopped(&games->timers))
        timers_sleep(&games->timers, games_tick(games));
}

void games_stop_ticking(struct games *games)
{
    timers_stop(&games->timers);
}
