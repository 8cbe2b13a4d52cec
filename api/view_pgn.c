#include "api/view_pgn.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "api/timestamp.h"
#include "rules/fen.h"
#include "rules/pgn_write.h"

/* ---- tags ---------------------------------------------------------------------------------------------- */

struct tag {
    const char *name, *value; /* value NULL: taken away */
};

struct tag_list {
    struct arena *arena;
    struct tag *tags;
    size_t count;
    bool failed; /* memory is out */
};

enum { ROSTER_TAGS = 7, OWN_TAGS_MAX = 16 };

static const char *const roster[ROSTER_TAGS] = {"Event", "Site", "Date", "Round", "White", "Black", "Result"};

static struct tag *find_tag(const struct tag_list *list, const char *name)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->tags[i].name, name) == 0)
            return &list->tags[i];
    }
    return NULL;
}

/* The name is static; the value, which may be NULL, is copied. */
static void set_tag(struct tag_list *list, const char *name, const char *value)
{
    struct tag *tag = find_tag(list, name);
    const char *copy = value ? arena_copy(list->arena, value, strlen(value)) : NULL;
    list->failed = list->failed || (value && !copy);
    if (!tag) {
        tag = &list->tags[list->count++];
        tag->name = name;
    }
    tag->value = copy;
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

/* Those that the game came with. */
static void take_kept_tags(struct tag_list *list, const char *kept)
{
    size_t size = strlen(kept) + 1;
    char *name = arena_alloc(list->arena, size);
    char *value = arena_alloc(list->arena, size);
    list->failed = list->failed || !name || !value;
    for (const char *rest = kept; !list->failed && game_tags_next(&rest, name, size, value, size);) {
        const char *copy = arena_copy(list->arena, name, strlen(name));
        list->failed = !copy;
        if (copy)
            set_tag(list, copy, value);
    }
}

static bool begin_tags(struct tag_list *list, const struct game *game)
{
    const char *kept = game->texts && game->texts->tags ? game->texts->tags : "";
    size_t capacity = count_lines(kept) + OWN_TAGS_MAX;
    list->tags = arena_alloc(list->arena, capacity * sizeof *list->tags);
    if (!list->tags)
        return false;
    take_kept_tags(list, kept);
    return !list->failed;
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

/* A game that says when it was played elsewhere is not dated by us. */
static void put_dates(struct tag_list *list, const struct game *game)
{
    char date[11];
    char time[9];
    format_date(game->created_at_ms, date, time);
    if (!find_tag(list, "Date")) {
        set_tag(list, "Date", date);
        set_default_tag(list, "UTCDate", date);
        set_default_tag(list, "UTCTime", time);
    }
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
    char fen[FEN_SIZE];
    fen_format(&start, FEN_EN_PASSANT_LEGAL, fen);
    set_tag(list, "FEN", game->start ? fen : NULL);
    set_tag(list, "SetUp", game->start ? "1" : NULL);
    set_tag(list, "Variant", start.chess960 ? "Chess960" : NULL);
}

static void put_player(struct tag_list *list, const char *color, const char *name)
{
    if (name)
        set_tag(list, color, name);
    else
        set_default_tag(list, color, "?");
}

static void put_own_tags(struct tag_list *list, const struct game *game)
{
    set_default_tag(list, "Event", "?");
    set_default_tag(list, "Site", "?");
    set_default_tag(list, "Round", "?");
    put_player(list, "White", game->texts ? game->texts->white_name : NULL);
    put_player(list, "Black", game->texts ? game->texts->black_name : NULL);
    put_dates(list, game);
    put_start(list, game);
    put_end(list, game);
    set_tag(list, "GameId", game->id);
    if (game->clock) {
        char control[TIME_CONTROL_TAG_SIZE];
        time_control_format_tag(&game->clock->control, control);
        set_tag(list, "TimeControl", control);
    }
}

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct tag *)a)->name, ((const struct tag *)b)->name);
}

static void write_tags(struct pgn_writer *pgn, struct tag_list *list)
{
    for (size_t i = 0; i < ROSTER_TAGS; i++) {
        struct tag *tag = find_tag(list, roster[i]);
        pgn_write_tag(pgn, tag->name, tag->value);
        tag->value = NULL;
    }
    qsort(list->tags, list->count, sizeof *list->tags, by_name);
    for (size_t i = 0; i < list->count; i++) {
        if (list->tags[i].value)
            pgn_write_tag(pgn, list->tags[i].name, list->tags[i].value);
    }
    pgn_write_movetext(pgn);
}

/* False: memory is out. */
static bool view_tags(struct pgn_writer *pgn, struct arena *arena, const struct game *game)
{
    struct tag_list list = {.arena = arena};
    if (!begin_tags(&list, game))
        return false;
    put_own_tags(&list, game);
    if (!list.failed)
        write_tags(pgn, &list);
    return !list.failed;
}

/* ---- moves --------------------------------------------------------------------------------------------- */

static void write_text(void *context, const char *bytes, size_t length)
{
    writer_bytes(context, bytes, length);
}

/* "[%clk 1:02:03.500]", with the comment behind it. NULL: memory is out. */
static const char *clock_comment(struct arena *arena, int64_t ms, const char *comment)
{
    char fraction[8] = "";
    long long seconds = (long long)(ms / 1000);
    if (ms % 1000)
        (void)snprintf(fraction, sizeof fraction, ".%03d", (int)(ms % 1000));
    return arena_printf(arena, "[%%clk %lld:%02lld:%02lld%s]%s%s", seconds / 3600, seconds / 60 % 60,
                        seconds % 60, fraction, comment ? " " : "", comment ? comment : "");
}

static void view_remark(struct writer *text, struct pgn_writer *pgn, const struct pgn_view *view, unsigned i)
{
    if (!view->records)
        return;
    const struct move_record *record = &view->records[i];
    const char *comment = view->comments ? record->comment : NULL;
    if (view->clocks && record->clock_ms != MOVE_TIME_NONE) {
        comment = clock_comment(text->arena, record->clock_ms, comment);
        text->failed = text->failed || !comment;
    }
    if (comment)
        pgn_write_comment(pgn, comment);
}

void view_pgn(struct writer *text, const struct pgn_view *view)
{
    const struct game *game = view->game;
    struct pgn_writer pgn = {.write = write_text, .context = text};
    if (view->tags && !view_tags(&pgn, text->arena, game)) {
        text->failed = true;
        return;
    }
    if (view->comments && game->texts && game->texts->comment)
        pgn_write_comment(&pgn, game->texts->comment);
    struct position position = game_start(game);
    for (unsigned i = 0; i < game->head.ply; i++) {
        struct position before = position;
        pgn_write_move(&pgn, &before, game->moves[i]);
        view_remark(text, &pgn, view, i);
        position_play(&before, game->moves[i], &position);
    }
    pgn_write_result(&pgn, game_result_name((enum game_result)game->head.end.result));
}
