#include "games/games.h"

#include <stdlib.h>
#include <string.h>

#include "games/internal.h"
#include "games/payload.h"

struct list_page {
    char (*ids)[GAME_ID_SIZE];
    uint32_t count, room;
    int64_t last_key; /* of the last row that had room */
    bool more;
};

static bool take_id(void *context, const struct storage_game *row)
{
    struct list_page *page = context;
    page->more = page->count == page->room;
    if (page->more)
        return false;
    memcpy(page->ids[page->count++], row->id, GAME_ID_SIZE);
    page->last_key = row->key;
    return true;
}

/* One row more than there is room for tells whether the list goes on. */
static enum storage_status read_page(struct games *games, struct storage_query query, struct list_page *page)
{
    struct storage_rows rows = {.context = page, .game = take_id};
    query.limit = page->room + 1;
    return storage_list(games_storage(games), &query, &rows);
}

struct list_view {
    const struct storage_query *query;
    void (*view)(void *context, const struct game *game);
    void *context;
};

static bool has_name(const struct game *game, const char *name)
{
    const struct game_texts *texts = game->texts;
    return texts && ((texts->white_name && strcmp(texts->white_name, name) == 0) ||
                     (texts->black_name && strcmp(texts->black_name, name) == 0));
}

static bool fits(const struct game *game, const struct storage_query *query)
{
    const char *status = game_status_name((enum game_status)game->head.status);
    return game->visibility == VISIBILITY_PUBLIC && (!query->status || strcmp(query->status, status) == 0) &&
           (!query->player || has_name(game, query->player));
}

/* The row was selected a moment ago; what is shown is the game as it is now, if it still fits. */
static void show(void *context, const struct game *game)
{
    const struct list_view *list = context;
    if (fits(game, list->query))
        list->view(list->context, game);
}

enum games_status games_list(struct games *games, const struct storage_query *query,
                             void (*view)(void *context, const struct game *game), void *context,
                             int64_t *next_key)
{
    struct list_page page = {.room = query->limit};
    struct list_view list = {.query = query, .view = view, .context = context};
    page.ids = malloc((size_t)page.room * sizeof *page.ids);
    if (!page.ids)
        return GAMES_UNAVAILABLE;
    enum storage_status stored = read_page(games, *query, &page);
    bool good = stored == STORAGE_OK || stored == STORAGE_STOPPED;
    for (uint32_t i = 0; good && i < page.count; i++)
        (void)games_view(games, page.ids[i], true, show, &list);
    free(page.ids);
    *next_key = page.more ? page.last_key : 0;
    return good ? GAMES_OK : GAMES_UNAVAILABLE;
}

struct record_reader {
    bool (*record)(void *context, const struct move_record *record);
    void *context;
    uint32_t count;
    bool failed; /* memory is out */
};

static bool take_move(void *context, const struct storage_action *row)
{
    struct record_reader *reader = context;
    reader->count++;
    char *comment;
    if (!payload_text(row->payload, "comment", &comment)) {
        reader->failed = true;
        return false;
    }
    bool white = row->seat && strcmp(row->seat, "white") == 0;
    struct move_record record = {
        .ply = row->ply,
        .version = row->version,
        .at_ms = row->at_ms,
        .clock_ms = white ? row->white_ms : row->black_ms,
        .spent_ms = row->spent_ms,
        .remaining_ms = {[COLOR_WHITE] = row->white_ms, [COLOR_BLACK] = row->black_ms},
        .comment = comment,
    };
    bool more = reader->record(reader->context, &record);
    free(comment);
    return more;
}

static uint32_t moves_in_range(const struct game *game, uint32_t from_ply, uint32_t limit)
{
    uint32_t first = from_ply ? from_ply : 1;
    uint32_t count = first <= game->head.ply ? game->head.ply - first + 1 : 0;
    return count < limit ? count : limit;
}

/* Fewer moves than the caller's view has. */
static enum games_status status_of_shortfall(struct storage *storage, const struct game *game)
{
    const struct storage_rows nothing = {0};
    bool is_gone = storage_load(storage, game->id, &nothing) == STORAGE_NOT_FOUND;
    return is_gone ? GAMES_NOT_FOUND : GAMES_DAMAGED;
}

enum games_status move_records_read(struct storage *storage, const struct game *game, uint32_t from_ply,
                                    uint32_t limit, move_record_taker *record, void *context)
{
    struct record_reader reader = {.record = record, .context = context};
    const struct storage_rows rows = {.context = &reader, .action = take_move};
    const struct storage_span span = {.version = game->head.version, .from = from_ply, .limit = limit};
    enum storage_status stored = storage_moves(storage, game->key, &span, &rows);
    if (reader.failed)
        return GAMES_UNAVAILABLE;
    if (stored == STORAGE_DAMAGED)
        return GAMES_DAMAGED;
    if (stored == STORAGE_OK && reader.count < moves_in_range(game, from_ply, limit))
        return status_of_shortfall(storage, game);
    return stored == STORAGE_OK || stored == STORAGE_STOPPED ? GAMES_OK : GAMES_UNAVAILABLE;
}

enum games_status games_move_records(struct games *games, const struct game *game, uint32_t from_ply,
                                     uint32_t limit,
                                     bool (*record)(void *context, const struct move_record *record),
                                     void *context)
{
    return move_records_read(games_storage(games), game, from_ply, limit, record, context);
}
