#include "games/check.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "games/fold.h"
#include "rules/notation.h"

static const struct storage_rows nothing; /* of what is read is wanted */

/* ---- one game ---------------------------------------------------------------------------------------- */

enum { WORD_SIZE = 40, NUMBER_SIZE = 24 };

/* The columns of its row that its log must bear out; longer words are none, and are cut. */
struct columns {
    char status[WORD_SIZE], result[WORD_SIZE], termination[WORD_SIZE]; /* "": NULL */
    int64_t ended_at_ms;
    bool watched;
};

struct checking {
    const struct check_handler *handler;
    struct check_progress *progress;
    const char *id;
    struct fold *fold;
    struct columns columns;
    /* Before the row at hand. */
    struct position position;
    struct clock clock;
    int64_t since_ms;
    bool clock_runs;
    bool found;
};

static void tell(struct checking *checking, uint32_t version, const char *what, const char *expected,
                 const char *found)
{
    const struct storage_finding finding = {checking->id, what, expected, found, version};
    checking->found = true;
    checking->handler->finding(checking->handler->context, &finding);
}

static void tell_word(struct checking *checking, uint32_t version, const char *what, const char *expected,
                      const char *found)
{
    if (strcmp(expected ? expected : "", found ? found : "") != 0)
        tell(checking, version, what, expected ? expected : "nothing", found && *found ? found : "nothing");
}

static void tell_number(struct checking *checking, uint32_t version, const char *what, int64_t expected,
                        int64_t found)
{
    char texts[2][NUMBER_SIZE];
    if (expected == found)
        return;
    (void)snprintf(texts[0], NUMBER_SIZE, "%" PRId64, expected);
    (void)snprintf(texts[1], NUMBER_SIZE, "%" PRId64, found);
    tell(checking, version, what, texts[0], texts[1]);
}

/* Of a duration that stands where there is none, or does not where there is one (-1). */
static void tell_none(struct checking *checking, uint32_t version, const char *what, int64_t found)
{
    char text[NUMBER_SIZE];
    (void)snprintf(text, NUMBER_SIZE, "%" PRId64, found);
    if (found < 0)
        tell(checking, version, what, "a duration", "nothing");
    else
        tell(checking, version, what, "nothing", text);
}

static void tell_key(struct checking *checking, uint32_t version, uint64_t expected, uint64_t found)
{
    char texts[2][NUMBER_SIZE];
    if (expected == found)
        return;
    (void)snprintf(texts[0], NUMBER_SIZE, "%016" PRIx64, expected);
    (void)snprintf(texts[1], NUMBER_SIZE, "%016" PRIx64, found);
    tell(checking, version, "position_key", texts[0], texts[1]);
}

static void tell_fault(struct checking *checking)
{
    const struct fold_fault *fault = fold_fault(checking->fold);
    if (fault)
        tell(checking, fault->version, fault->what, *fault->expected ? fault->expected : NULL,
             *fault->found ? fault->found : NULL);
}

static void keep_word(char kept[WORD_SIZE], const char *word)
{
    (void)snprintf(kept, WORD_SIZE, "%s", word ? word : "");
}

static bool take_game(void *context, const struct storage_game *row)
{
    struct checking *checking = context;
    keep_word(checking->columns.status, row->status);
    keep_word(checking->columns.result, row->result);
    keep_word(checking->columns.termination, row->termination);
    checking->columns.ended_at_ms = row->ended_at_ms;
    checking->columns.watched = row->watched;
    return fold_game(checking->fold, row);
}

static void check_san(struct checking *checking, const struct game *game, const struct storage_action *row)
{
    char san[NOTATION_SAN_SIZE];
    if (!row->san)
        return;
    notation_format_san(&checking->position, game->moves[game->head.ply - 1], san);
    tell_word(checking, row->version, "san", san, row->san);
}

/* 6.2: the time of a move runs from the row at which it began, where a clock ran at all. */
static int64_t expected_spent_ms(const struct checking *checking, const struct storage_action *row)
{
    int64_t elapsed_ms = row->service_ms - checking->since_ms;
    return checking->clock_runs && elapsed_ms > 0 ? elapsed_ms : 0;
}

static void check_clocks(struct checking *checking, const struct game *game, const struct storage_action *row)
{
    struct clock *clock = &checking->clock;
    enum game_seat mover = game_other_seat(game_turn(game));
    unsigned made = game_moves_made(game, mover);
    if (row->service_ms >= 0)
        tell_number(checking, row->version, "spent_ms", expected_spent_ms(checking, row), row->spent_ms);
    if (game->head.ply == 1 && !clock->control.immediate)
        clock_move_untimed(clock, game_color(mover), made);
    else
        clock_move(clock, game_color(mover), made, row->spent_ms);
    tell_number(checking, row->version, "white_ms", clock->remaining_ms[COLOR_WHITE], row->white_ms);
    tell_number(checking, row->version, "black_ms", clock->remaining_ms[COLOR_BLACK], row->black_ms);
}

static void check_row(struct checking *checking, const struct game *game, const struct storage_action *row)
{
    tell_number(checking, row->version, "ply", game->head.ply, row->ply);
    tell_key(checking, row->version, game->head.position.key, row->position_key);
    if (!row->move)
        return;
    check_san(checking, game, row);
    if ((row->spent_ms >= 0) != (game->clock != NULL))
        tell_none(checking, row->version, "spent_ms", row->spent_ms);
    else if (game->clock)
        check_clocks(checking, game, row);
}

static void remember(struct checking *checking, const struct game *game)
{
    checking->position = game->head.position;
    checking->since_ms = game->head.since_ms;
    checking->clock_runs = game_running(game) != SEAT_NONE;
    if (game->clock)
        checking->clock = *game->clock;
}

static bool take_row(void *context, const struct storage_action *row)
{
    struct checking *checking = context;
    checking->progress->rows++;
    const struct game *game = fold_row(checking->fold, row) ? fold_settle(checking->fold) : NULL;
    if (!game)
        return false;
    check_row(checking, game, row);
    remember(checking, game);
    return true;
}

static void check_columns(struct checking *checking, const struct game *game)
{
    const struct columns *columns = &checking->columns;
    const struct game_end *end = &game->head.end;
    enum game_status status = (enum game_status)game->head.status;
    bool watched = game_is_watched(game) && status == GAME_ACTIVE;
    tell_word(checking, 0, "status", game_status_name(status), columns->status);
    tell_word(checking, 0, "result", game_result_name((enum game_result)end->result), columns->result);
    tell_word(checking, 0, "termination", game_termination_name((enum game_termination)end->termination),
              columns->termination);
    tell_number(checking, 0, "ended_at", end->at_ms, columns->ended_at_ms);
    tell_number(checking, 0, "watched", watched, columns->watched);
}

/* ---- the moves in force, as the store picks them out of the log ---- */

struct picking {
    const struct game *game;
    struct position position; /* before the next one */
    unsigned ply;             /* so many were as they should be */
};

static bool take_move(void *context, const struct storage_action *row)
{
    struct picking *picking = context;
    char uci[NOTATION_UCI_SIZE];
    if (picking->ply == picking->game->head.ply || row->ply != picking->ply + 1 || !row->move)
        return false;
    struct position before = picking->position;
    move m = picking->game->moves[picking->ply];
    notation_format_uci(&before, m, uci);
    if (strcmp(uci, row->move) != 0)
        return false;
    position_play(&before, m, &picking->position);
    picking->ply++;
    return true;
}

/* CHECK_DONE, or _FAILED. */
static enum check_status check_moves(struct storage *storage, struct checking *checking,
                                     const struct game *game)
{
    struct picking picking = {.game = game, .position = game_start(game)};
    const struct storage_rows rows = {.context = &picking, .action = take_move};
    const struct storage_span span = {.version = game->head.version};
    enum storage_status stored = storage_moves(storage, game->key, &span, &rows);
    bool good = stored == STORAGE_OK && picking.ply == game->head.ply;
    if (stored == STORAGE_BUSY)
        return CHECK_FAILED;
    if (good || storage_load(storage, game->id, &nothing) != STORAGE_OK) /* removed meanwhile */
        return CHECK_DONE;
    char texts[2][NUMBER_SIZE * 2];
    (void)snprintf(texts[0], sizeof texts[0], "%u moves in force", game->head.ply);
    (void)snprintf(texts[1], sizeof texts[1], "%u that are right", picking.ply);
    tell(checking, game->head.version, "moves", texts[0], texts[1]);
    return CHECK_DONE;
}

/* What came of reading it: CHECK_DONE, or _FAILED. */
static enum check_status check_read(struct storage *storage, struct checking *checking,
                                    enum storage_status stored)
{
    const struct game *game = stored == STORAGE_OK ? fold_settle(checking->fold) : NULL;
    if (game && game->head.version > 0) {
        check_columns(checking, game);
        return check_moves(storage, checking, game);
    }
    if (fold_fault(checking->fold))
        tell_fault(checking);
    else if (stored == STORAGE_OK)
        tell(checking, 0, "version", "1", "nothing");
    else if (stored == STORAGE_DAMAGED)
        tell(checking, 0, "log", "a row for each version", "rows that do not follow each other");
    else if (stored == STORAGE_UNAVAILABLE)
        tell(checking, 0, "game", "what can be read", storage_status_text(stored));
    else if (stored != STORAGE_NOT_FOUND) /* removed meanwhile */
        return CHECK_FAILED;
    return CHECK_DONE;
}

static enum check_status check_game(struct storage *storage, const char *id,
                                    const struct check_handler *handler, struct check_progress *progress)
{
    struct checking checking = {.handler = handler, .progress = progress, .id = id};
    checking.fold = fold_begin(id, handler->read_metadata);
    if (!checking.fold)
        return CHECK_FAILED;
    const struct storage_rows rows = {.context = &checking, .game = take_game, .action = take_row};
    enum check_status status = check_read(storage, &checking, storage_load(storage, id, &rows));
    (void)fold_end(checking.fold, STORAGE_STOPPED, NULL);
    progress->games++;
    progress->damaged += checking.found;
    return status;
}

/* ---- all of them ------------------------------------------------------------------------------------- */

enum { PAGE = 256 };

struct page {
    const struct check_handler *handler;
    char ids[PAGE][GAME_ID_SIZE];
    size_t count;
    size_t rows; /* those without an id too */
    int64_t last_key;
};

static bool take_id(void *context, const struct storage_game *row)
{
    struct page *page = context;
    page->rows++;
    page->last_key = row->key;
    if (game_id_is_valid(row->id, strlen(row->id))) {
        memcpy(page->ids[page->count++], row->id, GAME_ID_SIZE);
        return true;
    }
    const struct storage_finding finding = {NULL, "id", "that of a game", row->id, 0};
    page->handler->finding(page->handler->context, &finding);
    return true;
}

static enum check_status check_page(struct storage *storage, const struct page *page,
                                    const struct check_handler *handler, struct check_progress *progress)
{
    enum check_status status = CHECK_DONE;
    for (size_t i = 0; i < page->count && status == CHECK_DONE; i++)
        status = handler->goes_on(handler->context) ? check_game(storage, page->ids[i], handler, progress)
                                                    : CHECK_STOPPED;
    return status;
}

static bool can_read_behind(struct storage *storage, int64_t key)
{
    return storage_all(storage, key, 1, &nothing) == STORAGE_OK;
}

/* The row behind `key` cannot be read. A key behind which the next one can: first in steps that double, then between the
 * last two of them. INT64_MAX: there is none. */
static int64_t find_readable(struct storage *storage, int64_t key)
{
    const int64_t step_most = (INT64_MAX - key) / 2;
    int64_t step = 1;
    while (step <= step_most && !can_read_behind(storage, key + step))
        step *= 2;
    if (step > step_most)
        return INT64_MAX;
    int64_t bad = key + step / 2, good = key + step;
    while (good - bad > 1) {
        int64_t middle = bad + (good - bad) / 2;
        if (can_read_behind(storage, middle))
            good = middle;
        else
            bad = middle;
    }
    return good;
}

/* Tells of games that cannot be found, and goes on behind them. */
static void skip_unreadable(struct storage *storage, const struct check_handler *handler, struct page *page)
{
    char found[96];
    int64_t last = find_readable(storage, page->last_key);
    if (last == INT64_MAX)
        (void)snprintf(found, sizeof found, "no row behind key %" PRId64 " can be", page->last_key);
    else
        (void)snprintf(found, sizeof found, "those with keys %" PRId64 " to %" PRId64 " cannot be",
                       page->last_key + 1, last);
    const struct storage_finding finding = {NULL, "game", "rows of games that can be read", found, 0};
    handler->finding(handler->context, &finding);
    page->last_key = last;
}

enum check_status check_games(struct storage *storage, const struct check_handler *handler,
                              struct check_progress *progress)
{
    struct page page = {.handler = handler};
    const struct storage_rows rows = {.context = &page, .game = take_id};
    enum check_status status = CHECK_DONE;
    enum storage_status stored = STORAGE_OK;
    do {
        page.count = page.rows = 0;
        stored = storage_all(storage, page.last_key, PAGE, &rows);
        if (stored != STORAGE_OK && stored != STORAGE_UNAVAILABLE)
            return CHECK_FAILED;
        status = check_page(storage, &page, handler, progress);
        if (status == CHECK_DONE && stored == STORAGE_UNAVAILABLE)
            skip_unreadable(storage, handler, &page);
    } while (status == CHECK_DONE && page.last_key != INT64_MAX &&
             (page.rows == PAGE || stored == STORAGE_UNAVAILABLE));
    return status;
}
