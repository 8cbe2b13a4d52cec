#include "games/pgn_export.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "rules/fen.h"
#include "rules/pgn_clock.h"

/* ---- tags ---------------------------------------------------------------------------------------------- */

enum { OWN_TAGS_MAX = 20, DATE_SIZE = 11, TIME_SIZE = 9 };

/* In one block with the tags and the texts of those that the game came with. */
struct tag_list {
    size_t count;
    char date[DATE_SIZE], time[TIME_SIZE];
    char fen[FEN_SIZE];
    char control[TIME_CONTROL_TAG_SIZE];
    struct pgn_pair tags[];
};

static struct pgn_pair *find_tag(struct tag_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++)
        if (strcmp(list->tags[i].name, name) == 0)
            return &list->tags[i];
    return NULL;
}

static void set_tag(struct tag_list *list, const char *name, const char *value)
{
    struct pgn_pair *tag = find_tag(list, name);
    if (!tag)
        tag = &list->tags[list->count++];
    *tag = (struct pgn_pair){name, value};
}

static void drop_tag(struct tag_list *list, const char *name)
{
    struct pgn_pair *tag = find_tag(list, name);
    if (tag)
        *tag = list->tags[--list->count];
}

static void set_or_drop_tag(struct tag_list *list, const char *name, const char *value)
{
    if (value)
        set_tag(list, name, value);
    else
        drop_tag(list, name);
}

static void set_default_tag(struct tag_list *list, const char *name, const char *value)
{
    if (!find_tag(list, name))
        set_tag(list, name, value);
}

static size_t count_lines(const char *text)
{
    size_t count = *text != '\0';
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* A line is longer than the name and the value that it holds, each with its end. */
static void take_kept_tags(struct tag_list *list, const char *kept, char *texts)
{
    size_t size = strlen(kept) + 2;
    for (const char *rest = kept; *rest;) {
        char *name = texts;
        size_t name_size = strcspn(rest, "=\n") + 1;
        char *value = name + name_size;
        if (!game_tags_next(&rest, name, name_size, value, size))
            return;
        set_tag(list, name, value);
        texts = value + strlen(value) + 1;
    }
}

static struct tag_list *list_tags(const struct game *game)
{
    const char *kept = game->texts && game->texts->tags ? game->texts->tags : "";
    size_t room = count_lines(kept) + OWN_TAGS_MAX;
    size_t size = sizeof(struct tag_list) + room * sizeof(struct pgn_pair) + 2 * strlen(kept) + 4;
    struct tag_list *list = malloc(size);
    if (!list)
        return NULL;
    list->count = 0;
    take_kept_tags(list, kept, (char *)(list->tags + room));
    return list;
}

/* A game that came from a PGN was played when that says, or nobody knows when (PGN standard 8.1.1.3). */
static void put_dates(struct tag_list *list, const struct game *game)
{
    if (game->texts && game->texts->tags) {
        set_default_tag(list, "Date", "????.??.??");
        return;
    }
    time_t seconds = (time_t)(game->created_at_ms / 1000);
    struct tm utc = {0};
    (void)gmtime_r(&seconds, &utc);
    if (strftime(list->date, sizeof list->date, "%Y.%m.%d", &utc) == 0)
        return;
    (void)strftime(list->time, sizeof list->time, "%H:%M:%S", &utc);
    set_tag(list, "Date", list->date);
    set_default_tag(list, "UTCDate", list->date);
    set_default_tag(list, "UTCTime", list->time);
}

/* The values that the PGN standard knows (9.8.1). */
static const char *termination_tag(enum game_termination termination)
{
    switch (termination) {
    case TERMINATION_NONE:
        return "unterminated";
    case TERMINATION_TIMEOUT:
    case TERMINATION_TIMEOUT_UNWINNABLE:
        return "time forfeit";
    case TERMINATION_ABORTED:
    case TERMINATION_ABANDONMENT:
        return "abandoned";
    case TERMINATION_ADJUDICATION:
        return "adjudication";
    case TERMINATION_RULES_INFRACTION:
        return "rules infraction";
    case TERMINATION_CHECKMATE:
    case TERMINATION_STALEMATE:
    case TERMINATION_DEAD_POSITION:
    case TERMINATION_FIVEFOLD_REPETITION:
    case TERMINATION_SEVENTYFIVE_MOVES:
    case TERMINATION_THREEFOLD_REPETITION:
    case TERMINATION_FIFTY_MOVES:
    case TERMINATION_RESIGNATION:
    case TERMINATION_RESIGNATION_UNWINNABLE:
    case TERMINATION_AGREEMENT:
    case TERMINATION_MOVE_LIMIT:
    case TERMINATION_RECORDED:
    case TERMINATION_COUNT:
        break;
    }
    return "normal";
}

static void put_end(struct tag_list *list, const struct game *game)
{
    const struct game_end *end = &game->head.end;
    enum game_termination termination = (enum game_termination)end->termination;
    set_tag(list, "Result", game_result_name((enum game_result)end->result));
    if (termination == TERMINATION_RECORDED)
        set_default_tag(list, "Termination", termination_tag(termination));
    else
        set_tag(list, "Termination", termination_tag(termination));
}

static void put_start(struct tag_list *list, const struct game *game)
{
    struct position start = game_start(game);
    fen_format(&start, FEN_EN_PASSANT_LEGAL, list->fen);
    set_or_drop_tag(list, "FEN", game->start ? list->fen : NULL);
    set_or_drop_tag(list, "SetUp", game->start ? "1" : NULL);
    set_or_drop_tag(list, "Variant", start.chess960 ? "Chess960" : NULL);
}

static void put_players(struct tag_list *list, const struct game_texts *texts)
{
    if (texts && texts->white_name)
        set_tag(list, "White", texts->white_name);
    if (texts && texts->black_name)
        set_tag(list, "Black", texts->black_name);
}

static void put_own_tags(struct tag_list *list, const struct game *game)
{
    put_players(list, game->texts);
    put_dates(list, game);
    put_start(list, game);
    put_end(list, game);
    set_tag(list, "GameId", game->id);
    if (game->clock) {
        time_control_format_tag(&game->clock->control, list->control);
        set_tag(list, "TimeControl", list->control);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct pgn_pair *)a)->name, ((const struct pgn_pair *)b)->name);
}

/* ---- the game ------------------------------------------------------------------------------------------ */

bool pgn_export_begin(struct pgn_export *export, const struct game *game)
{
    export->position = game_start(game);
    if (export->tags) {
        struct tag_list *list = list_tags(game);
        if (!list)
            return false;
        put_own_tags(list, game);
        qsort(list->tags, list->count, sizeof *list->tags, by_name);
        pgn_write_tags(&export->pgn, list->tags, list->count);
        pgn_write_movetext(&export->pgn);
        free(list);
    }
    if (export->comments && game->texts)
        pgn_write_comment(&export->pgn, game->texts->comment);
    return true;
}

void pgn_export_move(struct pgn_export *export, move m, const struct move_record *record)
{
    struct position before = export->position;
    pgn_write_move(&export->pgn, &before, m);
    position_play(&before, m, &export->position);
    bool clock = record && export->clocks && record->clock_ms >= 0 && record->clock_ms <= PGN_CLOCK_MAX_MS;
    if (record)
        pgn_write_annotation(&export->pgn, clock ? record->clock_ms : -1,
                             export->comments ? record->comment : NULL);
}

void pgn_export_end(struct pgn_export *export, const struct game *game)
{
    pgn_write_result(&export->pgn, game_result_name((enum game_result)game->head.end.result));
}
