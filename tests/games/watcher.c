#include "tests/games/watcher.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"

atomic_bool watcher_rendering_fails;

/* ---- rendering ---------------------------------------------------------------------------------------- */

static const char *or_none(const char *text)
{
    return text ? text : "-";
}

static void write_event(FILE *out, const struct game_event *event)
{
    fprintf(out, "%s v%u at %lld %s seat %d", event_kind_name(event->kind), event->version,
            (long long)event->at_ms, or_none(row_kind_word(event->row)), event->seat);
    fprintf(out, " reset %d connected %d claim %d offer %d move %s given %d %lld", event->reset,
            event->connected, event->claim, event->stands_as_offer, event->move, event->given_to,
            (long long)event->given_ms);
    fprintf(out, " role %d", event->role);
    fprintf(out, " sets %s %s %s %s %s\n", or_none(event->white_name), or_none(event->black_name),
            or_none(event->metadata), or_none(event->visibility), or_none(event->name));
}

static void write_end(FILE *out, const struct game_end *end)
{
    fprintf(out, "end %d %d by %d at %lld also %x claim %d move %d dead %d comment %s", end->termination,
            end->result, end->by, (long long)end->at_ms, end->also, end->claim, end->claim_move,
            end->dead_method, or_none(end->comment));
    if (end->decision)
        fprintf(out, " decision %d %d %u line %d", end->decision->verdict, end->decision->method,
                end->decision->nodes, end->decision->length);
    fputc('\n', out);
}

static void write_game(FILE *out, const struct game *game)
{
    const struct game_head *head = &game->head;
    char fen[FEN_SIZE];
    (void)fen_format(&head->position, FEN_EN_PASSANT_ALWAYS, fen);
    fprintf(out, "game %s v%u status %d ply %u fen %s key %llx\n", game->id, head->version, head->status,
            head->ply, fen, (unsigned long long)head->position.key);
    fprintf(out, "updated %lld moved %lld since %lld %lld left %lld %lld comment %s\n",
            (long long)head->updated_at_ms, (long long)head->move_at_ms, (long long)head->since_ms,
            (long long)head->since_at_ms, (long long)head->move_clock_ms, (long long)head->move_spent_ms,
            or_none(head->comment));
    fprintf(out, "repeated %u %u offer %d %u takeback %d %u illegal %d %d\n", head->repetition,
            head->most_repeated, head->offer_by, head->offer_by ? head->offer_ply : 0, head->takeback_by,
            head->takeback_by ? head->takeback_ply : 0, head->illegal[0], head->illegal[1]);
    if (game->clock)
        fprintf(out, "clock %lld %lld\n", (long long)game->clock->remaining_ms[COLOR_WHITE],
                (long long)game->clock->remaining_ms[COLOR_BLACK]);
    for (unsigned i = 0; i < head->ply; i++)
        fprintf(out, "%x ", game->moves[i]);
    fputc('\n', out);
    write_end(out, &head->end);
}

static bool render(void *context, const struct game_event *event, const struct game *game,
                   struct event_text **rendered)
{
    (void)context;
    char *text = NULL;
    size_t length = 0;
    FILE *out = atomic_load(&watcher_rendering_fails) ? NULL : open_memstream(&text, &length);
    if (!out)
        return false;
    write_event(out, event);
    write_game(out, game);
    (void)fclose(out);
    bool ends = event->kind == EVENT_GAME_DELETED || game->head.status == GAME_ENDED ||
                game->head.status == GAME_ABORTED;
    *rendered = event_text_create(event, ends, text, length);
    free(text);
    return *rendered != NULL;
}

void watcher_prepare(struct club *club)
{
    games_set_renderer(club->games, render, NULL);
}

/* ---- watching ----------------------------------------------------------------------------------------- */

static void on_poke(struct subscriber *subscriber)
{
    struct watcher *watcher = subscriber->owner;
    atomic_fetch_add(&watcher->pokes, 1);
}

struct watcher *watcher_create(struct club *club, const char *id)
{
    struct watcher *watcher = calloc(1, sizeof *watcher);
    if (!watcher)
        abort();
    watcher->club = club;
    memcpy(watcher->subscriber.id, id, GAME_ID_SIZE);
    watcher->subscriber.may_block = true;
    watcher->subscriber.poke = on_poke;
    watcher->subscriber.owner = watcher;
    watcher->status = GAMES_PENDING;
    return watcher;
}

void watcher_start(struct watcher *watcher)
{
    watcher->status = games_subscribe(watcher->club->games, &watcher->subscriber);
}

struct watcher *watcher_begin(struct club *club, const char *id)
{
    struct watcher *watcher = watcher_create(club, id);
    watcher_start(watcher);
    return watcher;
}

struct watcher *watcher_resume(struct club *club, const char *id, uint32_t cursor)
{
    struct watcher *watcher = watcher_create(club, id);
    watcher->subscriber.has_cursor = true;
    watcher->subscriber.cursor = cursor;
    watcher_start(watcher);
    return watcher;
}

/* A clock that is told anew is no part of the story of a game. */
static void write_down(struct watcher *watcher, struct event_text *text)
{
    if (text->kind == EVENT_CLOCK_UPDATED && !text->version) {
        watcher->clocks_told++;
        event_text_release(text);
        return;
    }
    if (watcher->count == watcher->room) {
        watcher->room = watcher->room ? 2 * watcher->room : 16;
        watcher->told = realloc((void *)watcher->told, watcher->room * sizeof(struct event_text *));
        if (!watcher->told)
            abort();
    }
    watcher->told[watcher->count++] = text;
}

void watcher_take(struct watcher *watcher)
{
    struct event_text *text;
    enum event_next next;
    while ((next = games_next_event(watcher->club->games, &watcher->subscriber, &text)) == EVENT_NEXT_TEXT)
        write_down(watcher, text);
    watcher->cut = next == EVENT_NEXT_CUT;
}

void watcher_stop(struct watcher *watcher)
{
    if (watcher->status == GAMES_OK) {
        watcher_take(watcher);
        games_unsubscribe(watcher->club->games, &watcher->subscriber);
    }
    watcher->status = GAMES_PENDING;
}

void watcher_destroy(struct watcher *watcher)
{
    watcher_stop(watcher);
    for (size_t i = 0; i < watcher->count; i++)
        event_text_release(watcher->told[i]);
    free((void *)watcher->told);
    free(watcher);
}

const struct event_text *watcher_told(const struct watcher *watcher, size_t n)
{
    if (n >= watcher->count)
        fail_msg("event %zu is missing: %zu were told", n, watcher->count);
    return watcher->told[n];
}

const char *watcher_text(const struct watcher *watcher, size_t n)
{
    static _Thread_local char copy[65536];
    const struct event_text *text = watcher_told(watcher, n);
    (void)snprintf(copy, sizeof copy, "%.*s", (int)text->length, text->json);
    return copy;
}

/* ---- for tests ---------------------------------------------------------------------------------------- */

int watcher_set_up(void **state)
{
    struct club *club = club_open(NULL);
    watcher_prepare(club);
    *state = club;
    return 0;
}

void watcher_expect(const struct watcher *watcher, size_t n, enum event_kind kind, uint32_t version)
{
    const struct event_text *text = watcher_told(watcher, n);
    assert_string_equal(event_kind_name(text->kind), event_kind_name(kind));
    assert_int_equal(text->version, version);
}

void watcher_expect_text(const struct watcher *watcher, size_t n, const char *part)
{
    if (!strstr(watcher_text(watcher, n), part))
        fail_msg("\"%s\" is not in: %s", part, watcher_text(watcher, n));
}
