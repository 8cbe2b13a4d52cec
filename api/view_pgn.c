#include <string.h>

#include "api/timestamp.h"
#include "api/view_game.h"
#include "rules/fen.h"
#include "rules/pgn_write.h"

static void write_text(void *context, const char *bytes, size_t length)
{
    writer_bytes(context, bytes, length);
}

/* "2026.01.02" and "03:04:05", cut out of the RFC 3339 text. */
static void format_date(int64_t unix_ms, char date[11], char time[9])
{
    char text[TIMESTAMP_SIZE];
    timestamp_format(unix_ms, text);
    memcpy(date, text, 10);
    date[4] = date[7] = '.';
    date[10] = '\0';
    memcpy(time, text + 11, 8);
    time[8] = '\0';
}

static const char *name_or_unknown(const char *name)
{
    return name ? name : "?";
}

/* The values of the tag Termination that the PGN standard knows (9.8.1). */
static const char *termination_tag(const struct game *game)
{
    switch ((enum game_status)game->head.status) {
    case GAME_ENDED:
        return "normal";
    case GAME_ABORTED:
        return "abandoned";
    case GAME_WAITING:
    case GAME_ACTIVE:
    case GAME_STATUS_COUNT:
        break;
    }
    return "unterminated";
}

static void write_roster(struct pgn_writer *pgn, const struct game *game)
{
    char date[11];
    char time[9];
    format_date(game->created_at_ms, date, time);
    const struct game_texts *texts = game->texts;
    pgn_write_tag(pgn, "Event", "?");
    pgn_write_tag(pgn, "Site", "?");
    pgn_write_tag(pgn, "Date", date);
    pgn_write_tag(pgn, "Round", "?");
    pgn_write_tag(pgn, "White", name_or_unknown(texts ? texts->white_name : NULL));
    pgn_write_tag(pgn, "Black", name_or_unknown(texts ? texts->black_name : NULL));
    pgn_write_tag(pgn, "Result", game_result_name((enum game_result)game->head.end.result));
}

/* In ASCII order of their names, as export form asks (8.1.1). */
static void write_other_tags(struct pgn_writer *pgn, const struct game *game)
{
    char date[11];
    char time[9];
    struct position start = game_start(game);
    format_date(game->created_at_ms, date, time);
    if (game->start) {
        char fen[FEN_SIZE];
        fen_format(&start, FEN_EN_PASSANT_LEGAL, fen);
        pgn_write_tag(pgn, "FEN", fen);
    }
    pgn_write_tag(pgn, "GameId", game->id);
    if (game->start)
        pgn_write_tag(pgn, "SetUp", "1");
    pgn_write_tag(pgn, "Termination", termination_tag(game));
    pgn_write_tag(pgn, "UTCDate", date);
    pgn_write_tag(pgn, "UTCTime", time);
    if (start.chess960)
        pgn_write_tag(pgn, "Variant", "Chess960");
}

void view_pgn(struct writer *text, const struct game *game, const char *const *comments, bool tags)
{
    struct pgn_writer pgn = {.write = write_text, .context = text};
    if (tags) {
        write_roster(&pgn, game);
        write_other_tags(&pgn, game);
        pgn_write_movetext(&pgn);
    }
    struct position position = game_start(game);
    for (unsigned i = 0; i < game->head.ply; i++) {
        struct position before = position;
        pgn_write_move(&pgn, &before, game->moves[i]);
        if (comments && comments[i])
            pgn_write_comment(&pgn, comments[i]);
        position_play(&before, game->moves[i], &position);
    }
    pgn_write_result(&pgn, game_result_name((enum game_result)game->head.end.result));
}
