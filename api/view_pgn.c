#include "api/view_pgn.h"

#include "games/pgn_export.h"

static void write_text(void *context, const char *bytes, size_t length)
{
    writer_bytes(context, bytes, length);
}

void view_pgn(struct writer *text, const struct pgn_view *view)
{
    const struct game *game = view->game;
    struct pgn_export export = {
        .pgn = {.write = write_text, .context = text},
        .tags = view->tags,
        .comments = view->comments,
        .clocks = view->clocks,
    };
    if (!pgn_export_begin(&export, game)) {
        text->failed = true;
        return;
    }
    for (unsigned i = 0; i < game->head.ply; i++)
        pgn_export_move(&export, game->moves[i], view->records ? &view->records[i] : NULL);
    pgn_export_end(&export, game);
}
