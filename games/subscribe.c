/* The way of a subscriber: joined to the game first, so that nothing is missed, and then given what lies between its
 * cursor and that moment, from the log. */
#include <stdlib.h>

#include "games/feed.h"
#include "games/internal.h"

void games_set_renderer(struct games *games, event_renderer *render, void *context)
{
    games->render = render;
    games->render_context = context;
}

enum beginning { BEGINS_HERE, BEGINS_WITH_SNAPSHOT, BEGINS_WITH_LOG };

/* ---- what it has missed ---- */

static bool keep(struct games *games, struct subscriber *subscriber, struct event_text *text)
{
    if (subscriber->missed_count == subscriber->missed_room) {
        size_t room = subscriber->missed_room ? subscriber->missed_room * 2 : 1;
        struct event_text **missed = realloc((void *)subscriber->missed, room * sizeof(struct event_text *));
        if (!missed)
            return false;
        subscriber->missed = missed;
        subscriber->missed_room = room;
    }
    subscriber->missed[subscriber->missed_count++] = text;
    feed_count_bytes(games, text);
    return true;
}

static void forget_missed(struct games *games, struct subscriber *subscriber)
{
    while (subscriber->missed_taken < subscriber->missed_count) {
        struct event_text *text = subscriber->missed[subscriber->missed_taken++];
        feed_uncount_bytes(games, text);
        event_text_release(text);
    }
    free((void *)subscriber->missed);
    subscriber->missed = NULL;
    subscriber->missed_taken = subscriber->missed_count = subscriber->missed_room = 0;
}

static struct event_text *take_missed(struct games *games, struct subscriber *subscriber)
{
    struct event_text *text = subscriber->missed[subscriber->missed_taken++];
    feed_uncount_bytes(games, text);
    if (subscriber->missed_taken == subscriber->missed_count)
        forget_missed(games, subscriber);
    return text;
}

/* Takes `text` over; NULL is memory that is out. */
static bool keep_or_release(struct games *games, struct subscriber *subscriber, struct event_text *text)
{
    if (text && keep(games, subscriber, text))
        return true;
    event_text_release(text);
    return false;
}

static bool keep_snapshot(struct games *games, struct subscriber *subscriber, const struct game *game)
{
    struct game_event event = {.kind = EVENT_SNAPSHOT,
                               .version = game->head.version,
                               .at_ms = games_now_ms(games),
                               .reset = subscriber->has_cursor};
    return keep_or_release(games, subscriber, feed_render(games, &event, game));
}

/* Who knows the last event knows its clock by a wall clock that may have been set since, or by that of a service which was
 * down since. Who only passes by waits for what happens, and would wait no more. */
static bool keep_clock(struct games *games, struct subscriber *subscriber, const struct game *game)
{
    if (subscriber->passes_by || game_running(game) == SEAT_NONE)
        return true;
    return keep_or_release(games, subscriber, feed_render_clock(games, game));
}

static bool keep_beginning(struct games *games, struct subscriber *subscriber, const struct game *game,
                           enum beginning beginning)
{
    switch (beginning) {
    case BEGINS_HERE:
        return keep_clock(games, subscriber, game);
    case BEGINS_WITH_SNAPSHOT:
        return keep_snapshot(games, subscriber, game);
    case BEGINS_WITH_LOG:
        break;
    }
    return true;
}

struct catching_up {
    struct games *games;
    struct subscriber *subscriber;
    bool failed;
};

static bool take_text(void *context, struct event_text *text)
{
    struct catching_up *catching_up = context;
    if (!feed_has_room(catching_up->games)) {
        event_text_release(text);
        return false;
    }
    catching_up->failed = !keep(catching_up->games, catching_up->subscriber, text);
    if (catching_up->failed)
        event_text_release(text);
    return !catching_up->failed;
}

/* There is no room for all that it has missed: it begins anew, unless it was cut meanwhile. */
static enum games_status begin_anew(struct games *games, struct subscriber *subscriber)
{
    struct shard *shard = registry_shard(&games->registry, subscriber->id);
    forget_missed(games, subscriber);
    pthread_mutex_lock(&shard->lock);
    struct feed *feed = subscriber->feed;
    bool begun = true;
    if (feed->live && !subscriber->cut) {
        feed_skip(games, subscriber);
        begun = keep_snapshot(games, subscriber, &feed->live->game);
    }
    pthread_mutex_unlock(&shard->lock);
    return begun ? GAMES_OK : GAMES_UNAVAILABLE;
}

/* With no lock held. */
static enum games_status catch_up(struct games *games, struct subscriber *subscriber)
{
    struct catching_up catching_up = {games, subscriber, false};
    struct feed_range range = {.id = subscriber->id,
                               .after = subscriber->cursor,
                               .until = subscriber->version,
                               .take = take_text,
                               .context = &catching_up};
    bool stopped = false;
    enum games_status status = feed_read_log(games, &range, &stopped);
    if (stopped)
        status = catching_up.failed ? GAMES_UNAVAILABLE : begin_anew(games, subscriber);
    if (status != GAMES_OK)
        games_unsubscribe(games, subscriber);
    return status;
}

/* ---- joining ---- */

static enum beginning beginning_of(const struct games *games, const struct subscriber *subscriber)
{
    if (!subscriber->has_cursor || subscriber->cursor > subscriber->version ||
        subscriber->version - subscriber->cursor > games->settings.events_catchup)
        return BEGINS_WITH_SNAPSHOT;
    return subscriber->cursor == subscriber->version ? BEGINS_HERE : BEGINS_WITH_LOG;
}

static enum games_status join(struct games *games, struct live *live, struct subscriber *subscriber,
                              enum beginning *beginning)
{
    if (subscriber->admit && !subscriber->admit(subscriber, &live->game))
        return GAMES_NOT_FOUND;
    subscriber->version = live->game.head.version;
    subscriber->over = game_is_over(&live->game);
    *beginning = beginning_of(games, subscriber);
    if (*beginning == BEGINS_WITH_LOG && !subscriber->may_block)
        return GAMES_COLD;
    if (!keep_beginning(games, subscriber, &live->game, *beginning))
        return GAMES_UNAVAILABLE;
    if (feed_join(live, subscriber))
        return GAMES_OK;
    forget_missed(games, subscriber);
    return GAMES_UNAVAILABLE;
}

enum games_status games_subscribe(struct games *games, struct subscriber *subscriber)
{
    struct shard *shard = registry_shard(&games->registry, subscriber->id);
    struct live *live;
    enum beginning beginning = BEGINS_HERE;
    pthread_mutex_lock(&shard->lock);
    enum games_status status = games_find(games, shard, subscriber->id, subscriber->may_block, &live);
    if (status == GAMES_OK)
        status = join(games, live, subscriber, &beginning);
    pthread_mutex_unlock(&shard->lock);
    return status == GAMES_OK && beginning == BEGINS_WITH_LOG ? catch_up(games, subscriber) : status;
}

void games_arrive(struct games *games, struct subscriber *subscriber)
{
    struct shard *shard = registry_shard(&games->registry, subscriber->id);
    pthread_mutex_lock(&shard->lock);
    feed_arrive(games, subscriber);
    pthread_mutex_unlock(&shard->lock);
}

void games_unsubscribe(struct games *games, struct subscriber *subscriber)
{
    struct shard *shard = registry_shard(&games->registry, subscriber->id);
    forget_missed(games, subscriber);
    pthread_mutex_lock(&shard->lock);
    struct live *live = subscriber->feed->live;
    feed_leave(games, subscriber);
    if (live)
        shard_settle(shard, live);
    shard_trim(&games->registry, shard, NULL);
    pthread_mutex_unlock(&shard->lock);
}

/* Calls `with` for each game that is awake, under the lock of its shard: nobody watches the others. */
static void each_awake(struct games *games, void (*with)(struct games *games, struct live *live))
{
    for (int i = 0; i < REGISTRY_SHARDS; i++) {
        struct shard *shard = &games->registry.shards[i];
        pthread_mutex_lock(&shard->lock);
        for (struct entry *entry = shard->newest; entry; entry = entry->older) {
            struct live *live = entry_awake(entry);
            if (live)
                with(games, live);
        }
        pthread_mutex_unlock(&shard->lock);
    }
}

void games_admit_again(struct games *games)
{
    each_awake(games, feed_admit_again);
}

void games_tell_clocks(struct games *games)
{
    each_awake(games, feed_tell_clock);
}

enum event_next games_next_event(struct games *games, struct subscriber *subscriber, struct event_text **text)
{
    if (subscriber->missed) {
        *text = take_missed(games, subscriber);
        return EVENT_NEXT_TEXT;
    }
    struct shard *shard = registry_shard(&games->registry, subscriber->id);
    pthread_mutex_lock(&shard->lock);
    struct event_text *next = feed_take(games, subscriber);
    bool cut = subscriber->cut;
    pthread_mutex_unlock(&shard->lock);
    if (next)
        *text = next;
    return next ? EVENT_NEXT_TEXT : cut ? EVENT_NEXT_CUT : EVENT_NEXT_NONE;
}
