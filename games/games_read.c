#include "games/games.h"

#include <stdlib.h>
#include <string.h>

#include "games/payload.h"

struct list_page {
    char (*ids)[GAME_ID_SIZE];
    int64_t *keys;
    uint32_t count, room;
};

static bool take_id(void *context, const struct storage_game *row)
{
    struct list_page *page = context;
    if (page->count == page->room)
        return false;
    memcpy(page->ids[page->count], row->id, GAME_ID_SIZE);
    page->keys[page->count++] = row->key;
    return true;
}

struct list_view {
    const struct storage_query *query;
    bool (*view)(void *context, const struct game *game);
    void *context;
    bool stopped;
};

/* The row was selected a moment ago; what is shown is the game as it is now, if it still fits. */
static void show(void *context, const struct game *game)
{
    struct list_view *list = context;
    const char *status = list->query->status;
    if (game->visibility != VISIBILITY_PUBLIC ||
        (status && strcmp(status, game_status_name((enum game_status)game->head.status)) != 0))
        return;
    list->stopped = !list->view(list->context, game);
}

enum games_status games_list(struct games *games, const struct storage_query *query,
                             bool (*view)(void *context, const struct game *game), void *context,
                             int64_t *last_key)
{
    struct list_page page = {.room = query->limit};
    page.ids = malloc((size_t)query->limit * sizeof *page.ids);
    page.keys = malloc((size_t)query->limit * sizeof *page.keys);
    enum storage_status stored = STORAGE_UNAVAILABLE;
    if (page.ids && page.keys) {
        struct storage_rows rows = {.context = &page, .game = take_id};
        stored = storage_list(games_storage(games), query, &rows);
    }
    struct list_view list = {.query = query, .view = view, .context = context};
    *last_key = 0;
    for (uint32_t i = 0; stored == STORAGE_OK && i < page.count && !list.stopped; i++) {
        /* A game that was removed meanwhile, or is damaged, is not shown; the others are. */
        (void)games_view(games, page.ids[i], true, show, &list);
        if (!list.stopped)
            *last_key = page.keys[i];
    }
    free(page.ids);
    free(page.keys);
    return stored == STORAGE_OK ? GAMES_OK : GAMES_UNAVAILABLE;
}

struct record_reader {
    bool (*record)(void *context, const struct move_record *record);
    void *context;
    uint32_t version; /* of the caller's view */
    uint32_t count;
    bool changed, failed;
};

static bool take_move(void *context, const struct storage_action *row)
{
    struct record_reader *reader = context;
    if (row->version > reader->version) {
        reader->changed = true;
        return false;
    }
    reader->count++;
    char *comment;
    if (!payload_text(row->payload, "comment", &comment)) {
        reader->failed = true;
        return false;
    }
    struct move_record record = {row->ply, row->version, row->at_ms, comment};
    bool more = reader->record(reader->context, &record);
    free(comment);
    return more;
}

/* Fewer rows than these: moves of the caller's view were taken back meanwhile. */
static uint32_t moves_in_range(const struct game *game, uint32_t from_ply, uint32_t limit)
{
    uint32_t first = from_ply ? from_ply : 1;
    uint32_t count = first <= game->head.ply ? game->head.ply - first + 1 : 0;
    return count < limit ? count : limit;
}

enum games_status games_move_records(struct games *games, const struct game *game, uint32_t from_ply,
                                     uint32_t limit,
                                     bool (*record)(void *context, const struct move_record *record),
                                     void *context)
{
    struct record_reader reader = {.record = record, .context = context, .version = game->head.version};
    struct storage_rows rows = {.context = &reader, .action = take_move};
    enum storage_status stored = storage_moves(games_storage(games), game->key, from_ply, limit, &rows);
    if (reader.changed || (stored == STORAGE_OK && reader.count < moves_in_range(game, from_ply, limit)))
        return GAMES_CHANGED;
    if (reader.failed)
        return GAMES_UNAVAILABLE;
    return stored == STORAGE_OK || stored == STORAGE_STOPPED ? GAMES_OK : GAMES_UNAVAILABLE;
}
