#include "games/fold.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/fold_state.h"
#include "games/judge.h"
#include "rules/utf8.h"

bool fold_damage(struct fold *fold, const char *what, const char *expected, const char *found)
{
    if (!fold->damaged) {
        struct fold_fault *fault = &fold->fault;
        fault->version = fold->live->game.head.version;
        fault->what = what;
        (void)snprintf(fault->expected, sizeof fault->expected, "%s", expected ? expected : "");
        (void)snprintf(fault->found, sizeof fault->found, "%s", found ? found : "");
    }
    fold->damaged = true;
    return false;
}

bool fold_damage_number(struct fold *fold, const char *what, int64_t expected, int64_t found)
{
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%" PRId64, expected);
    (void)snprintf(texts[1], sizeof texts[1], "%" PRId64, found);
    return fold_damage(fold, what, texts[0], texts[1]);
}

bool fold_damage_kind(struct fold *fold, const char *what, const char *expected, int64_t number)
{
    char found[24];
    (void)snprintf(found, sizeof found, "%" PRId64, number);
    return fold_damage(fold, what, expected, found);
}

bool fold_time(struct fold *fold, const char *what, int64_t ms)
{
    return (ms >= 0 && ms <= UNIX_MS_MAX) || fold_damage_kind(fold, what, "a time", ms);
}

bool fold_duration(struct fold *fold, const char *what, int64_t ms)
{
    return (ms >= -1 && ms <= SERVICE_MS_MAX) || fold_damage_kind(fold, what, "a duration", ms);
}

bool fold_text(struct fold *fold, const char *what, const char *text)
{
    return !text || text[utf8_valid(text, strlen(text))] == '\0' || fold_damage(fold, what, "UTF-8", NULL);
}

bool fold_metadata(struct fold *fold, const char *text)
{
    if (!fold_text(fold, "metadata", text))
        return false;
    switch (text && fold->read_metadata ? fold->read_metadata(text) : METADATA_WHOLE) {
    case METADATA_WHOLE:
        return true;
    case METADATA_DAMAGED:
        return fold_damage(fold, "metadata", "a JSON object", text);
    case METADATA_UNREAD:
        break;
    }
    return fold_fail(fold);
}

static bool damage_key(struct fold *fold, uint64_t expected, uint64_t found)
{
    char texts[2][24];
    (void)snprintf(texts[0], sizeof texts[0], "%016" PRIx64, expected);
    (void)snprintf(texts[1], sizeof texts[1], "%016" PRIx64, found);
    return fold_damage(fold, "position_key", texts[0], texts[1]);
}

static bool read_line(struct fold *fold)
{
    struct game_head *head = &fold->live->game.head;
    struct game_decision *decision = head->end.decision;
    struct position position = head->position;
    for (char *rest = fold->line, *uci; rest && decision && (uci = strsep(&rest, " "));) {
        struct position before = position;
        move m = notation_find_uci(&before, uci);
        if (m == MOVE_NONE || decision->length == UINT16_MAX)
            return fold_damage(fold, "line", "a legal move", uci);
        decision->line[decision->length++] = m;
        position_play(&before, m, &position);
    }
    return true;
}

/* What the rows said, and what the board says. */
static void join_heads(struct game_head *head, const struct game_head *said)
{
    struct game_head board = *head;
    *head = *said;
    head->position = board.position;
    head->past = board.past;
    head->keys_first = board.keys_first;
    head->keys_count = board.keys_count;
    head->repetition = board.repetition;
    head->most_repeated = board.most_repeated;
    head->move_at_ms = board.move_at_ms;
    head->move_clock_ms = board.move_clock_ms;
    head->move_spent_ms = board.move_spent_ms;
}

/* Plays what is in force and not played yet. The rows have said how the game stands; here only the board follows. */
static bool play_out(struct fold *fold)
{
    struct game *game = &fold->live->game;
    struct game_head *head = &game->head;
    struct game_head said = *head;
    if (!fold->played)
        fold->board = (struct game_head){0};
    *head = fold->board;
    head->end = said.end;
    if (!live_reserve(fold->live, said.ply + 1U, said.ply + 1U - fold->played))
        return fold_fail(fold);
    if (!fold->played)
        advance_begin(game);
    for (unsigned i = fold->played; i < said.ply; i++) {
        const struct folded_move *folded = &fold->moves[i];
        move m = notation_find_uci(&head->position, folded->uci);
        head->version = folded->version;
        if (m == MOVE_NONE)
            return fold_damage(fold, "move", "a legal move", folded->uci);
        advance(game, m, folded->at_ms, false);
        head->move_clock_ms = folded->clock_ms;
        head->move_spent_ms = folded->spent_ms;
        if (head->position.key != folded->key)
            return damage_key(fold, head->position.key, folded->key);
    }
    fold->played = said.ply;
    fold->board = *head;
    join_heads(head, &said);
    return true;
}

/* What was said of the end with moves, which only the board can read. */
static bool read_end_moves(struct fold *fold)
{
    struct game_head *head = &fold->live->game.head;
    if (fold->claim_move[0]) {
        head->end.claim_move = notation_find_uci(&head->position, fold->claim_move);
        if (head->end.claim_move == MOVE_NONE)
            return fold_damage(fold, "claim_move", "a legal move", fold->claim_move);
    }
    fold->claim_move[0] = '\0';
    bool read = read_line(fold);
    free(fold->line);
    fold->line = NULL;
    return read;
}

struct fold *fold_begin(const char *id, metadata_reader *read_metadata)
{
    struct fold *fold = calloc(1, sizeof *fold);
    if (!fold)
        return NULL;
    fold->live = live_create(id);
    if (!fold->live) {
        free(fold);
        return NULL;
    }
    fold->live->game.head.status = GAME_ACTIVE;
    fold->read_metadata = read_metadata;
    return fold;
}

const struct game *fold_settle(struct fold *fold)
{
    struct game *game = &fold->live->game;
    if (fold->damaged || fold->failed || !play_out(fold) || !read_end_moves(fold))
        return NULL;
    game->head.comment = game->head.ply ? fold->moves[game->head.ply - 1].comment : NULL;
    return game;
}

const struct fold_fault *fold_fault(const struct fold *fold)
{
    return fold->damaged ? &fold->fault : NULL;
}

size_t fold_replayed(const struct fold *fold)
{
    return fold->replayed;
}

static enum games_status status_of(const struct fold *fold, enum storage_status stored)
{
    if (fold->failed)
        return GAMES_UNAVAILABLE;
    if (fold->damaged)
        return GAMES_DAMAGED;
    if (stored == STORAGE_NOT_FOUND)
        return GAMES_NOT_FOUND;
    if (stored == STORAGE_DAMAGED)
        return GAMES_DAMAGED;
    return stored == STORAGE_OK ? GAMES_OK : GAMES_UNAVAILABLE;
}

/* The comment on the last move goes to the game; all others stay in the log. */
static void release(struct fold *fold, bool keeps_comment)
{
    if (keeps_comment && fold->count)
        fold->moves[fold->count - 1].comment = NULL;
    while (fold->count)
        free(fold->moves[--fold->count].comment);
    free(fold->moves);
    free(fold->line);
    free(fold);
}

enum games_status fold_end(struct fold *fold, enum storage_status stored, struct live **live)
{
    struct live *folded = fold->live;
    if (stored == STORAGE_OK && folded->game.head.version == 0)
        (void)fold_damage_number(fold, "version", 1, 0);
    if (stored == STORAGE_OK)
        (void)fold_settle(fold);
    enum games_status status = status_of(fold, stored);
    bool wanted = live && status == GAMES_OK;
    release(fold, wanted);
    if (wanted) {
        live_compact(folded);
        *live = folded;
        return status;
    }
    folded->game.head.comment = NULL; /* it was the fold's */
    live_destroy(folded);
    return status;
}

enum games_status fold_load(struct storage *storage, const char *id, metadata_reader *read_metadata,
                            struct live **live)
{
    struct fold *fold = fold_begin(id, read_metadata);
    if (!fold)
        return GAMES_UNAVAILABLE;
    struct storage_rows rows = {.context = fold, .game = fold_game, .action = fold_row};
    return fold_end(fold, storage_load(storage, id, &rows), live);
}
