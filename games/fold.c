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

static bool read_end(struct fold *fold, const struct storage_action *row)
{
    struct game_head *head = &fold->live->game.head;
    char *claim_move = payload_get(row->payload, "claim_move");
    char *end = payload_get(row->payload, "end");
    char *result = payload_get(row->payload, "result");
    char *by = payload_get(row->payload, "by");
    char *claim = payload_get(row->payload, "claim");
    enum game_termination termination = TERMINATION_NONE;
    enum game_result value = RESULT_NONE;
    enum game_seat seat = SEAT_NONE;
    enum claim_reason reason = CLAIM_NONE;
    bool ok = !end || (game_termination_parse(end, &termination) && game_result_parse(result, &value) &&
                       (!by || game_seat_parse(by, &seat)) && (!claim || game_claim_parse(claim, &reason)));
    if (ok && end) {
        head->status = termination == TERMINATION_ABORTED ? GAME_ABORTED : GAME_ENDED;
        head->offer_by = SEAT_NONE;
        head->end = (struct game_end){
            .at_ms = row->at_ms,
            .termination = (uint8_t)termination,
            .result = (uint8_t)value,
            .by = (uint8_t)seat,
            .claim = (uint8_t)reason,
            .by_material = payload_get_int(row->payload, "material", 0) != 0,
            .also = (uint16_t)payload_get_int(row->payload, "also", 0),
        };
    }
    if (ok && claim_move)
        (void)snprintf(fold->claim_move, sizeof fold->claim_move, "%s", claim_move);
    free(claim_move);
    free(end);
    free(result);
    free(by);
    free(claim);
    return ok;
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
    m->comment = payload_get(row->payload, "comment");
    if (head->offer_by != SEAT_NONE && head->offer_by != (uint8_t)seat)
        head->offer_by = SEAT_NONE;
    return true;
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

/* Where the UCI text of a move ends: castling is written as the king's step in standard chess. */
static square uci_target(const struct position *position, move m)
{
    if (move_kind(m) != MOVE_CASTLING || position->chess960)
        return move_to(m);
    return square_at(move_to(m) > move_from(m) ? FILE_G : FILE_C, square_rank(move_from(m)));
}

static char uci_promotion(move m)
{
    static const char letters[PIECE_COUNT] = {
        [PIECE_KNIGHT] = 'n', [PIECE_BISHOP] = 'b', [PIECE_ROOK] = 'r', [PIECE_QUEEN] = 'q'};
    return letters[move_promotion(m)];
}

move fold_find_move(const struct position *position, const char *uci)
{
    size_t length = strlen(uci);
    if (length < 4 || length > 5)
        return MOVE_NONE;
    square from = notation_parse_square(uci, 2);
    square to = notation_parse_square(uci + 2, 2);
    struct movelist list;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        move m = list.moves[i];
        if (move_from(m) == from && uci_target(position, m) == to && uci_promotion(m) == uci[4])
            return m;
    }
    return MOVE_NONE;
}

/* Plays what is in force. The rows have said how the game stands; here only the board follows. */
static bool play_out(struct fold *fold)
{
    struct game *game = &fold->live->game;
    struct game_head said = game->head;
    game->head.ply = 0;
    game->head.position = game_start(game);
    game->head.keys_count = game->head.repetition = game->head.most_repeated = 1;
    if (!live_reserve(fold->live, said.ply + 1U, said.ply + 1U))
        return fail(&fold->failed);
    game->keys[0] = game->head.position.key;
    for (unsigned i = 0; i < said.ply; i++) {
        move m = fold_find_move(&game->head.position, fold->moves[i].uci);
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
        game->head.end.claim_move = fold_find_move(&game->head.position, fold->claim_move);
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
