#include "games/feed.h"

#include <stdlib.h>
#include <string.h>

#include "games/change.h"
#include "games/fold.h"
#include "games/internal.h"

/* ---- memory of texts that wait ---- */

void feed_count_bytes(struct games *games, const struct event_text *text)
{
    atomic_fetch_add_explicit(&games->event_bytes, sizeof *text + text->length, memory_order_relaxed);
}

void feed_uncount_bytes(struct games *games, const struct event_text *text)
{
    atomic_fetch_sub_explicit(&games->event_bytes, sizeof *text + text->length, memory_order_relaxed);
}

bool feed_has_room(const struct games *games)
{
    return atomic_load_explicit(&games->event_bytes, memory_order_relaxed) < games->settings.events_bytes;
}

/* ---- items ---- */

static void drop_taken(struct games *games, struct feed *feed)
{
    while (feed->first && feed->first->readers == 0) {
        struct feed_item *item = feed->first;
        feed->first = item->next;
        feed_uncount_bytes(games, item->text);
        event_text_release(item->text);
        free(item);
    }
    if (!feed->first)
        feed->last = NULL;
}

static bool is_for(const struct feed_item *item, const struct subscriber *subscriber)
{
    return item->about != subscriber &&
           !(subscriber->passes_by && item->text->kind == EVENT_PRESENCE_CHANGED);
}

/* The first one from `item` on that is for this subscriber. */
static struct feed_item *find_next(struct feed_item *item, const struct subscriber *subscriber)
{
    while (item && !is_for(item, subscriber))
        item = item->next;
    return item;
}

struct event_text *feed_take(struct games *games, struct subscriber *subscriber)
{
    struct feed_item *item = subscriber->item;
    if (!item)
        return NULL;
    struct event_text *text = item->text;
    atomic_fetch_add(&text->references, 1);
    subscriber->item = find_next(item->next, subscriber);
    subscriber->behind--;
    item->readers--;
    drop_taken(games, subscriber->feed);
    return text;
}

void feed_skip(struct games *games, struct subscriber *subscriber)
{
    for (struct feed_item *item = subscriber->item; item; item = find_next(item->next, subscriber))
        item->readers--;
    subscriber->item = NULL;
    subscriber->behind = 0;
    drop_taken(games, subscriber->feed);
}

void feed_cut(struct games *games, struct subscriber *subscriber)
{
    if (subscriber->cut)
        return;
    subscriber->cut = true;
    feed_skip(games, subscriber);
    subscriber->poke(subscriber);
}

static void cut_all(struct games *games, struct feed *feed)
{
    for (struct subscriber *s = feed->subscribers; s; s = s->next)
        feed_cut(games, s);
}

/* With nothing waiting nobody is too slow, however little memory is left. */
static void cut_the_slow(struct games *games, struct feed *feed)
{
    uint32_t most = feed_has_room(games) ? games->settings.events_backlog : 1;
    for (struct subscriber *s = feed->subscribers; s; s = s->next)
        if (s->behind >= most)
            feed_cut(games, s);
}

/* For all but who it is about, which may be NULL. Takes the reference over. */
static void append(struct games *games, struct feed *feed, struct event_text *text,
                   const struct subscriber *about)
{
    struct feed_item *item = text ? malloc(sizeof *item) : NULL;
    if (!item) {
        event_text_release(text);
        cut_all(games, feed); /* memory is out: better torn than with a gap */
        return;
    }
    cut_the_slow(games, feed);
    *item = (struct feed_item){.text = text, .about = about};
    *(feed->last ? &feed->last->next : &feed->first) = item;
    feed->last = item;
    feed_count_bytes(games, text);
    for (struct subscriber *s = feed->subscribers; s; s = s->next) {
        if (s->cut || !is_for(item, s))
            continue;
        item->readers++;
        s->behind++;
        if (!s->item)
            s->item = item;
        s->poke(s);
    }
    drop_taken(games, feed);
}

/* ---- rendering ---- */

static struct event_text *render(struct games *games, const struct game_event *event, const struct game *game)
{
    struct event_text *text = NULL;
    return games->render(games->render_context, event, game, &text) ? text : NULL;
}

struct event_text *feed_render(struct games *games, struct game_event *event, const struct game *game)
{
    event->epoch_ms = games_epoch_ms(games);
    return render(games, event, game);
}

/* A row has one moment on both clocks. */
static int64_t epoch_of(const struct storage_action *row)
{
    return row->service_ms < 0 ? row->at_ms : row->at_ms - row->service_ms;
}

static struct event_text *render_row(struct games *games, const struct storage_action *row, int64_t epoch_ms,
                                     const struct game *game)
{
    struct game_event event;
    if (!event_read(&event, row))
        return NULL;
    event.epoch_ms = epoch_ms;
    event.stands_as_offer = event.stands_as_offer && game->head.offer_by == event.seat;
    struct event_text *text = render(games, &event, game);
    event_finish(&event);
    return text;
}

struct log_reader {
    struct games *games;
    const struct feed_range *range;
    struct fold *fold;
    uint32_t reached;
    bool failed, stopped;
};

static bool take_game(void *context, const struct storage_game *row)
{
    return fold_game(((struct log_reader *)context)->fold, row);
}

static bool take_row(void *context, const struct storage_action *row)
{
    struct log_reader *reader = context;
    const struct feed_range *range = reader->range;
    if (row->version > range->until || !fold_row(reader->fold, row))
        return false;
    if (row->version <= range->after)
        return true;
    reader->stopped = fold_replayed(reader->fold) > EVENTS_REPLAYED_PLIES;
    if (reader->stopped)
        return false;
    const struct game *game = fold_settle(reader->fold);
    int64_t epoch_ms = row->version == range->until ? games_epoch_ms(reader->games) : epoch_of(row);
    struct event_text *text = game ? render_row(reader->games, row, epoch_ms, game) : NULL;
    reader->failed = game && !text;
    reader->stopped = text && !range->take(range->context, text);
    reader->reached = row->version;
    return text && !reader->stopped && row->version < range->until;
}

enum games_status feed_read_log(struct games *games, const struct feed_range *range, bool *stopped)
{
    struct log_reader reader = {
        .games = games, .range = range, .fold = fold_begin(range->id, games->settings.read_metadata)};
    if (!reader.fold)
        return GAMES_UNAVAILABLE;
    struct storage_rows rows = {.context = &reader, .game = take_game, .action = take_row};
    enum storage_status stored = storage_load(games->storage, range->id, &rows);
    bool whole = reader.reached == range->until && !reader.failed;
    enum games_status status = fold_end(reader.fold, whole ? STORAGE_OK : stored, NULL);
    *stopped = reader.stopped;
    if (reader.stopped)
        return GAMES_OK;
    return status == GAMES_OK && !whole ? GAMES_UNAVAILABLE : status;
}

/* ---- those who watch ---- */

static struct event_text *render_presence(struct games *games, const struct game *game, enum game_seat seat,
                                          bool connected)
{
    struct game_event event = {
        .kind = EVENT_PRESENCE_CHANGED, .at_ms = games_now_ms(games), .seat = seat, .connected = connected};
    return feed_render(games, &event, game);
}

/* NULL: it watches for nobody, or the game is gone. */
static struct seat_presence *presence_of(struct feed *feed, const struct subscriber *subscriber)
{
    struct game_seats *seats = feed->live ? feed->live->game.seats : NULL;
    if (!seats || subscriber->watches_for == SEAT_NONE)
        return NULL;
    return &seats->presence[game_color(subscriber->watches_for)];
}

/* Told to the others alone. */
static void tell_presence(struct games *games, struct feed *feed, const struct subscriber *subscriber,
                          bool connected)
{
    struct event_text *text = render_presence(games, &feed->live->game, subscriber->watches_for, connected);
    append(games, feed, text, subscriber);
}

void feed_arrive(struct games *games, struct subscriber *subscriber)
{
    if (subscriber->cut)
        return;
    subscriber->watches_for = subscriber->seat;
    struct seat_presence *presence = presence_of(subscriber->feed, subscriber);
    if (presence && !subscriber->passes_by && presence->streams++ == 0)
        tell_presence(games, subscriber->feed, subscriber, true);
}

static void note_left(struct games *games, struct feed *feed, const struct subscriber *subscriber)
{
    struct seat_presence *presence = presence_of(feed, subscriber);
    if (!presence)
        return;
    presence->seen_at_ms = games_now_ms(games);
    if (!subscriber->passes_by && --presence->streams == 0)
        tell_presence(games, feed, subscriber, false);
}

bool feed_join(struct live *live, struct subscriber *subscriber)
{
    if (!live->feed && !(live->feed = calloc(1, sizeof *live->feed)))
        return false;
    struct feed *feed = live->feed;
    feed->live = live;
    subscriber->feed = feed;
    subscriber->watches_for = SEAT_NONE;
    subscriber->item = NULL;
    subscriber->behind = 0;
    subscriber->cut = false;
    subscriber->previous = NULL;
    subscriber->next = feed->subscribers;
    if (subscriber->next)
        subscriber->next->previous = subscriber;
    feed->subscribers = subscriber;
    feed->count++;
    return true;
}

void feed_leave(struct games *games, struct subscriber *subscriber)
{
    struct feed *feed = subscriber->feed;
    feed_skip(games, subscriber);
    *(subscriber->previous ? &subscriber->previous->next : &feed->subscribers) = subscriber->next;
    if (subscriber->next)
        subscriber->next->previous = subscriber->previous;
    subscriber->feed = NULL;
    note_left(games, feed, subscriber);
    if (--feed->count > 0)
        return;
    if (feed->live)
        feed->live->feed = NULL;
    free(feed);
}

/* ---- what the game does ---- */

void feed_render_ahead(struct games *games, struct change *change)
{
    size_t count = change->row_count;
    if (!change->live->feed || count == 0 || count >= games->settings.events_backlog)
        return;
    struct change_row *text = &change->texts[count - 1];
    struct storage_action row = change->rows[count - 1];
    row.payload = text->payload;
    text->event = render_row(games, &row, epoch_of(&row), &change->view);
}

struct event_text *feed_render_clock(struct games *games, const struct game *game)
{
    struct game_event event = {.kind = EVENT_CLOCK_UPDATED, .at_ms = games_now_ms(games)};
    return feed_render(games, &event, game);
}

void feed_tell_clock(struct games *games, struct live *live)
{
    if (live->feed && game_running(&live->game) != SEAT_NONE)
        append(games, live->feed, feed_render_clock(games, &live->game), NULL);
}

/* False: one of them was not rendered ahead. */
static bool append_ahead(struct games *games, struct feed *feed, struct change *change)
{
    for (size_t i = 0; i + 1 < change->row_count; i++) {
        struct event_text *text = change->texts[i].event;
        if (!text)
            return false;
        change->texts[i].event = NULL;
        append(games, feed, text, NULL);
    }
    return true;
}

void feed_admit_again(struct games *games, struct live *live)
{
    for (struct subscriber *s = live->feed ? live->feed->subscribers : NULL; s; s = s->next)
        if (s->admit && !s->admit(s, &live->game))
            feed_cut(games, s);
}

void feed_publish(struct games *games, struct live *live, struct change *change)
{
    struct feed *feed = live->feed;
    if (!feed)
        return;
    enum action_kind kind = change->action->kind;
    if (kind != ACTION_MOVE)
        feed_admit_again(games, live); /* tokens die, and games become private */
    const struct storage_action *row = &change->rows[change->row_count - 1];
    if (append_ahead(games, feed, change))
        append(games, feed, render_row(games, row, epoch_of(row), &live->game), NULL);
    else
        cut_all(games, feed);
}

/* It lives on until the last one has left. NULL: nobody watches. */
static struct feed *detach(struct live *live)
{
    struct feed *feed = live->feed;
    live->feed = NULL;
    if (feed)
        feed->live = NULL;
    return feed;
}

void feed_drop(struct games *games, struct live *live)
{
    struct feed *feed = detach(live);
    if (feed)
        cut_all(games, feed);
}

void feed_remove(struct games *games, struct live *live)
{
    struct feed *feed = detach(live);
    struct game_event event = {.kind = EVENT_GAME_DELETED, .at_ms = games_now_ms(games)};
    if (feed)
        append(games, feed, feed_render(games, &event, &live->game), NULL);
}
