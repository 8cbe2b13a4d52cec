#include "games/fold.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/judge.h"
#include "games/payload.h"
#include "rules/fen.h"

/* Moves are only collected while the rows come in, for later rows may take them back; they are played once,
 * at the end. */
struct folded_move {
    char uci[NOTATION_UCI_SIZE];
    uint64_t key;
    int64_t at_ms;
    char *comment; /* owned */
};

struct fold {
    struct live *live;
    struct folded_move *moves; /* the first `count` are in force */
    size_t count, capacity;
    char claim_move[NOTATION_UCI_SIZE]; /* announced in the claim that ended the game */
    bool damaged, failed;
};

static bool fail(bool *flag)
{
    *flag = true;
    return false;
}

static bool read_start(struct fold *fold, const char *start, bool chess960)
{
    if (!start && !chess960)
        return true;
    struct position position;
    struct setup_report report = {0};
    const char *text = start ? start : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    if (!fen_parse(text, strlen(text), chess960, &position, &report))
        return fail(&fold->damaged);
    return live_set_start(fold->live, &position) || fail(&fold->failed);
}

static bool on_game(void *context, const struct storage_game *row)
{
    struct fold *fold = context;
    struct game *game = &fold->live->game;
    enum game_access access;
    enum game_visibility visibility;
    if (!row->rules || !game_rules_parse(row->rules, &game->rules) ||
        !game_access_parse(row->access, &access) || !game_visibility_parse(row->visibility, &visibility))
        return fail(&fold->damaged);
    game->key = row->key;
    game->created_at_ms = row->created_at_ms;
    game->access = (uint8_t)access;
    game->visibility = (uint8_t)visibility;
    struct game_texts texts = {row->white_name, row->black_name, row->metadata};
    if (!live_set_texts(fold->live, &texts))
        return fail(&fold->failed);
    return read_start(fold, row->start, row->variant && strcmp(row->variant, "chess960") == 0);
}

static bool read_also(const char *payload, uint16_t *also)
{
    char words[PAYLOAD_WORD_SIZE];
    enum game_termination termination;
    *also = 0;
    if (!payload_word(payload, "also", words))
        return true;
    for (char *rest = words, *word; (word = strsep(&rest, ","));) {
        if (!game_termination_parse(word, &termination))
            return false;
        *also |= (uint16_t)(1U << termination);
    }
    return true;
}

/* How the game ended, as the row says: it was decided when the row was written, and is not judged again. */
static bool read_end(struct fold *fold, const struct storage_action *row)
{
    char word[PAYLOAD_WORD_SIZE];
    struct game_head *head = &fold->live->game.head;
    enum game_termination termination;
    enum game_result result = RESULT_NONE;
    enum game_seat by = SEAT_NONE;
    enum claim_reason claim = CLAIM_NONE;
    uint16_t also;
    if (!payload_word(row->payload, "end", word))
        return true;
    if (!game_termination_parse(word, &termination) || !payload_word(row->payload, "result", word) ||
        !game_result_parse(word, &result) ||
        (payload_word(row->payload, "by", word) && !game_seat_parse(word, &by)) ||
        (payload_word(row->payload, "claim", word) && !game_claim_parse(word, &claim)) ||
        !read_also(row->payload, &also))
        return false;
    advance_end(&fold->live->game, termination, result, by, row->at_ms);
    head->end.claim = (uint8_t)claim;
    head->end.also = also;
    head->end.by_material = payload_has(row->payload, "material");
    if (payload_word(row->payload, "claim_move", word))
        (void)snprintf(fold->claim_move, sizeof fold->claim_move, "%.5s", word);
    return true;
}

static bool grow_moves(struct fold *fold)
{
    if (fold->count < fold->capacity)
        return true;
    size_t capacity = fold->capacity ? fold->capacity * 2 : 64;
    struct folded_move *moves = realloc(fold->moves, capacity * sizeof *moves);
    if (!moves)
        return fail(&fold->failed);
    fold->moves = moves;
    fold->capacity = capacity;
    return true;
}

static bool add_move(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    struct game_head *head = &fold->live->game.head;
    if (row->ply != head->ply + 1U || row->ply > GAME_PLIES_LIMIT || strlen(row->move) >= NOTATION_UCI_SIZE)
        return fail(&fold->damaged);
    if (!grow_moves(fold))
        return false;
    struct folded_move *m = &fold->moves[fold->count++];
    head->ply++;
    *m = (struct folded_move){.key = row->position_key, .at_ms = row->at_ms};
    memcpy(m->uci, row->move, strlen(row->move) + 1);
    advance_answer_offer(head, seat);
    return payload_text(row->payload, "comment", &m->comment) || fail(&fold->failed);
}

static bool take_back(struct fold *fold, const struct storage_action *row)
{
    struct game_head *head = &fold->live->game.head;
    if (row->ply > head->ply)
        return fail(&fold->damaged);
    while (fold->count > row->ply)
        free(fold->moves[--fold->count].comment);
    head->ply = (uint16_t)row->ply;
    head->status = GAME_ACTIVE;
    head->end = (struct game_end){0};
    head->offer_by = SEAT_NONE;
    return true;
}

static bool on_action(void *context, const struct storage_action *row)
{
    struct fold *fold = context;
    struct game_head *head = &fold->live->game.head;
    enum game_seat seat = SEAT_NONE;
    if (row->version != head->version + 1 || (row->seat && !game_seat_parse(row->seat, &seat)))
        return fail(&fold->damaged);
    head->version = row->version;
    head->updated_at_ms = row->at_ms;
    if (row->move && !add_move(fold, row, seat))
        return false;
    if (strcmp(row->kind, "undo") == 0 && !take_back(fold, row))
        return false;
    if (strcmp(row->kind, "claim_refused") == 0)
        advance_claim_refused(head, seat, payload_has(row->payload, "move"));
    return read_end(fold, row) || fail(&fold->damaged);
}

/* Plays what is in force. The rows have said how the game stands; here only the board follows. */
static bool play_out(struct fold *fold)
{
    struct game *game = &fold->live->game;
    struct game_head said = game->head;
    if (!live_reserve(fold->live, said.ply + 1U, said.ply + 1U))
        return fail(&fold->failed);
    advance_begin(game);
    for (unsigned i = 0; i < said.ply; i++) {
        move m = notation_find_uci(&game->head.position, fold->moves[i].uci);
        if (m == MOVE_NONE)
            return fail(&fold->damaged);
        advance(game, m, fold->moves[i].at_ms, false);
        if (game->head.position.key != fold->moves[i].key)
            return fail(&fold->damaged);
    }
    if (said.ply) {
        game->head.comment = fold->moves[said.ply - 1].comment;
        fold->moves[said.ply - 1].comment = NULL;
    }
    game->head.status = said.status;
    game->head.end = said.end;
    game->head.offer_by = said.offer_by;
    game->head.offer_ply = said.offer_ply;
    if (fold->claim_move[0])
        game->head.end.claim_move = notation_find_uci(&game->head.position, fold->claim_move);
    live_compact(fold->live);
    return true;
}

static enum games_status status_of(const struct fold *fold, enum storage_status stored)
{
    if (fold->failed)
        return GAMES_UNAVAILABLE;
    if (fold->damaged)
        return GAMES_DAMAGED;
    if (stored == STORAGE_NOT_FOUND)
        return GAMES_NOT_FOUND;
    return stored == STORAGE_OK ? GAMES_OK : GAMES_UNAVAILABLE;
}

static enum games_status read_rows(struct storage *storage, const char *id, struct fold *fold)
{
    struct storage_rows rows = {.context = fold, .game = on_game, .action = on_action};
    fold->live->game.head.status = GAME_ACTIVE;
    enum storage_status stored = storage_load(storage, id, &rows);
    if (stored == STORAGE_OK && fold->live->game.head.version == 0)
        fold->damaged = true;
    if (stored == STORAGE_OK && !fold->damaged && !fold->failed)
        play_out(fold);
    return status_of(fold, stored);
}

enum games_status fold_load(struct storage *storage, const char *id, struct live **live)
{
    struct fold fold = {.live = live_create(id)};
    if (!fold.live)
        return GAMES_UNAVAILABLE;
    enum games_status status = read_rows(storage, id, &fold);
    while (fold.count)
        free(fold.moves[--fold.count].comment); /* all but the last one's stay in the log */
    free(fold.moves);
    if (status == GAMES_OK)
        *live = fold.live;
    else
        live_destroy(fold.live);
    return status;
}
