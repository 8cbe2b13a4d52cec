#include "games/export.h"

#include <stdlib.h>
#include <string.h>

#include "games/fold.h"
#include "games/internal.h"
#include "games/pgn_export.h"

/* ---- one game ---------------------------------------------------------------------------------------- */

enum { TEXT_FIRST = 4096 };

/* The game as it is written, until it is whole. */
struct text {
    char *bytes;
    size_t length, room;
    bool failed; /* memory is out */
};

static void append(void *context, const char *bytes, size_t length)
{
    struct text *text = context;
    size_t room = text->room ? text->room : TEXT_FIRST;
    while (room - text->length < length)
        room *= 2;
    if (room > text->room && !text->failed) {
        char *larger = realloc(text->bytes, room);
        text->failed = !larger;
        text->bytes = larger ? larger : text->bytes;
        text->room = larger ? room : text->room;
    }
    if (text->failed)
        return;
    memcpy(text->bytes + text->length, bytes, length);
    text->length += length;
}

struct moves_out {
    struct pgn_export *pgn;
    const struct game *game;
};

static bool write_move(void *context, const struct move_record *record)
{
    const struct moves_out *out = context;
    if (record->ply == 0 || record->ply > out->game->head.ply)
        return false;
    pgn_export_move(out->pgn, out->game->moves[record->ply - 1], record);
    return true;
}

static enum games_status write_game(struct storage *storage, const struct game *game, struct text *text)
{
    struct pgn_export pgn = {
        .pgn = {.write = append, .context = text}, .tags = true, .comments = true, .clocks = true};
    struct moves_out out = {&pgn, game};
    if (!pgn_export_begin(&pgn, game))
        return GAMES_UNAVAILABLE;
    enum games_status status = move_records_read(storage, game, 1, game->head.ply, write_move, &out);
    if (status != GAMES_OK)
        return status;
    pgn_export_end(&pgn, game);
    append(text, "\n", 1);
    return text->failed ? GAMES_UNAVAILABLE : GAMES_OK;
}

/* Metadata is no part of a PGN. */
static enum games_status read_game(struct storage *storage, const char *id, struct text *text)
{
    struct live *live = NULL;
    enum games_status status = fold_load(storage, id, NULL, &live);
    if (status == GAMES_OK)
        status = write_game(storage, &live->game, text);
    live_destroy(live);
    return status;
}

static enum export_status status_of(enum games_status status)
{
    switch (status) {
    case GAMES_OK:
        return EXPORT_DONE;
    case GAMES_NOT_FOUND:
        return EXPORT_NOT_FOUND;
    case GAMES_DAMAGED:
        return EXPORT_DAMAGED;
    case GAMES_COLD:
    case GAMES_PENDING:
    case GAMES_UNAVAILABLE:
        break;
    }
    return EXPORT_FAILED;
}

enum export_status export_game(struct storage *storage, const char *id,
                               const struct export_settings *settings, struct export_progress *progress)
{
    struct text text = {0};
    *progress->id = '\0';
    if (settings->stops && settings->stops(settings->context))
        return EXPORT_STOPPED;
    memcpy(progress->id, id, GAME_ID_SIZE);
    enum games_status status = read_game(storage, id, &text);
    if (status == GAMES_OK) {
        settings->write(settings->context, text.bytes, text.length);
        progress->games++;
    }
    free(text.bytes);
    return status_of(status);
}

/* ---- all of them ------------------------------------------------------------------------------------- */

enum { PAGE = 256 };

struct page {
    char ids[PAGE][GAME_ID_SIZE];
    size_t count;
    int64_t last_key;
};

static bool take_id(void *context, const struct storage_game *row)
{
    struct page *page = context;
    memcpy(page->ids[page->count++], row->id, GAME_ID_SIZE);
    page->last_key = row->key;
    return true;
}

static enum export_status write_page(struct storage *storage, const struct page *page,
                                     const struct export_settings *settings, struct export_progress *progress)
{
    for (size_t i = 0; i < page->count; i++) {
        enum export_status status = export_game(storage, page->ids[i], settings, progress);
        if (status != EXPORT_DONE && status != EXPORT_NOT_FOUND)
            return status;
    }
    return EXPORT_DONE;
}

enum export_status export_all(struct storage *storage, const struct export_settings *settings,
                              struct export_progress *progress)
{
    struct page page = {0};
    const struct storage_rows rows = {.context = &page, .game = take_id};
    enum export_status status = EXPORT_DONE;
    do {
        page.count = 0;
        *progress->id = '\0';
        if (storage_all(storage, page.last_key, PAGE, &rows) != STORAGE_OK)
            return EXPORT_FAILED;
        status = write_page(storage, &page, settings, progress);
    } while (status == EXPORT_DONE && page.count == PAGE);
    return status;
}
