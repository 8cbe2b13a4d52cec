/* What each row of a game and of its log says. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "games/fold_state.h"
#include "games/judge.h"
#include "games/payload.h"
#include "games/row_kind.h"
#include "rules/fen.h"

static bool are_texts(struct fold *fold, const struct storage_game *row)
{
    return fold_text(fold, "white_name", row->white_name) && fold_text(fold, "black_name", row->black_name) &&
           fold_metadata(fold, row->metadata) && fold_text(fold, "tags", row->tags);
}

static bool read_start(struct fold *fold, const char *start, bool chess960)
{
    if (!start && !chess960)
        return true;
    struct position position;
    struct setup_report report = {0};
    const char *text = start ? start : "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    if (!fen_parse(text, strlen(text), chess960, &position, &report))
        return fold_damage(fold, "start", "a position", text);
    return live_set_start(fold->live, &position) || fold_fail(fold);
}

/* Words and numbers that the row of a game has; memory has to do with none of them. */
struct game_words {
    enum game_access access;
    enum game_visibility visibility;
    struct game_seats seats;
    struct time_control control;
    bool chess960;
};

static bool read_words(struct fold *fold, const struct storage_game *row, struct game_words *words)
{
    if (!row->rules || !game_rules_parse(row->rules, &fold->live->game.rules))
        return fold_damage(fold, "rules", "rule options", row->rules);
    if (!game_access_parse(row->access, &words->access))
        return fold_damage(fold, "access", "open or seats", row->access);
    if (!game_visibility_parse(row->visibility, &words->visibility))
        return fold_damage(fold, "visibility", "public, unlisted or private", row->visibility);
    bool has_seats = words->access == ACCESS_SEATS;
    if (has_seats && !(row->tokens && seats_parse(row->tokens, &words->seats)))
        return fold_damage(fold, "tokens", "digests", NULL); /* which are nobody's business */
    if (row->clock && !time_control_parse(row->clock, &words->control))
        return fold_damage(fold, "clock", "a time control", row->clock);
    words->chess960 = row->variant && strcmp(row->variant, "chess960") == 0;
    if (!words->chess960 && (!row->variant || strcmp(row->variant, "standard") != 0))
        return fold_damage(fold, "variant", "standard or chess960", row->variant);
    return fold_time(fold, "created_at", row->created_at_ms) && are_texts(fold, row);
}

static bool set_parts(struct fold *fold, const struct storage_game *row, const struct game_words *words)
{
    const struct game_texts texts = {row->white_name, row->black_name, row->metadata, row->tags, NULL};
    bool set = (words->access != ACCESS_SEATS || live_set_seats(fold->live, &words->seats)) &&
               live_set_texts(fold->live, &texts) &&
               (!row->clock || live_set_clock(fold->live, &words->control));
    return set || fold_fail(fold);
}

bool fold_game(void *context, const struct storage_game *row)
{
    struct fold *fold = context;
    struct game *game = &fold->live->game;
    struct game_words words = {0};
    if (!read_words(fold, row, &words) || !set_parts(fold, row, &words))
        return false;
    game->head.status = words.access == ACCESS_SEATS ? GAME_WAITING : GAME_ACTIVE;
    game->key = row->key;
    game->created_at_ms = row->created_at_ms;
    game->access = (uint8_t)words.access;
    game->visibility = (uint8_t)words.visibility;
    return read_start(fold, row->start, words.chess960);
}

static bool read_also(const char *payload, uint32_t *also)
{
    char words[PAYLOAD_WORD_SIZE];
    enum game_termination termination;
    *also = 0;
    if (!payload_word(payload, "also", words))
        return true;
    for (char *rest = words, *word; (word = strsep(&rest, ","));) {
        if (!game_termination_parse(word, &termination))
            return false;
        *also |= 1U << termination;
    }
    return true;
}

/* As many as parted by blanks. */
static size_t count_words(const char *line)
{
    size_t count = line ? 1 : 0;
    for (; line && *line; line++)
        count += *line == ' ';
    return count;
}

/* The decision but for its line, which is read when the board stands. */
static bool read_decision(struct fold *fold, const char *payload)
{
    char word[PAYLOAD_WORD_SIZE];
    enum winnable_verdict verdict;
    enum winnable_method method;
    int64_t nodes;
    if (!payload_word(payload, "winnable", word))
        return true;
    if (!winnable_verdict_parse(word, &verdict) || !payload_word(payload, "method", word) ||
        !winnable_method_parse(word, &method) || !payload_number(payload, "nodes", &nodes) || nodes < 0 ||
        nodes > UINT32_MAX)
        return false;
    struct game_decision *decision = NULL;
    if (payload_text(payload, "line", &fold->line))
        decision = calloc(1, sizeof *decision + count_words(fold->line) * sizeof(move));
    if (!decision)
        return fold_fail(fold);
    *decision = (struct game_decision){verdict, method, (uint32_t)nodes, 0};
    fold->live->game.head.end.decision = decision;
    return true;
}

static void forget_end(struct fold *fold)
{
    struct game_end *end = &fold->live->game.head.end;
    free(end->decision);
    free(end->comment);
    *end = (struct game_end){0};
    free(fold->line);
    fold->line = NULL;
    fold->claim_move[0] = '\0';
}

/* What the end of a row hangs on, and what was said of it. */
static bool read_reasons(struct fold *fold, const char *payload)
{
    char word[PAYLOAD_WORD_SIZE];
    struct game_end *end = &fold->live->game.head.end;
    enum winnable_method method = WINNABLE_NONE;
    if (payload_word(payload, "dead_method", word) && !winnable_method_parse(word, &method))
        return false;
    if (payload_has(payload, "material")) /* as it was written before there was anything but material */
        method = WINNABLE_MATERIAL;
    end->dead_method = (uint8_t)method;
    if (!payload_text(payload, "remark", &end->comment))
        return fold_fail(fold);
    return read_decision(fold, payload);
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
    uint32_t also;
    if (!payload_word(row->payload, "end", word))
        return true;
    if (!game_termination_parse(word, &termination) || !payload_word(row->payload, "result", word) ||
        !game_result_parse(word, &result) ||
        (payload_word(row->payload, "by", word) && !game_seat_parse(word, &by)) ||
        (payload_word(row->payload, "claim", word) && !game_claim_parse(word, &claim)) ||
        !read_also(row->payload, &also))
        return false;
    forget_end(fold);
    advance_end(&fold->live->game, termination, result, by, row->at_ms);
    head->end.claim = (uint8_t)claim;
    head->end.also = also;
    if (payload_word(row->payload, "claim_move", word))
        (void)snprintf(fold->claim_move, sizeof fold->claim_move, "%.5s", word);
    return read_reasons(fold, row->payload);
}

static bool grow_moves(struct fold *fold)
{
    if (fold->count < fold->capacity)
        return true;
    size_t capacity = fold->capacity ? fold->capacity * 2 : 64;
    struct folded_move *moves = realloc(fold->moves, capacity * sizeof *moves);
    if (!moves)
        return fold_fail(fold);
    fold->moves = moves;
    fold->capacity = capacity;
    return true;
}

/* Whose turn it is, by the moves so far. */
static enum game_seat seat_to_move(const struct fold *fold)
{
    const struct game *game = &fold->live->game;
    enum game_seat first = game->start ? game_seat_of(position_turn(game->start)) : SEAT_WHITE;
    return game->head.ply % 2 == 0 ? first : game_other_seat(first);
}

static bool judge_move(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    const struct game_head *head = &fold->live->game.head;
    if (game_is_over(&fold->live->game))
        return fold_damage(fold, "kind", "a row of a game that is over", "move");
    if (!row->move || strlen(row->move) >= NOTATION_UCI_SIZE)
        return fold_damage(fold, "move", "a legal move", row->move);
    if (row->ply != head->ply + 1U || row->ply > GAME_PLIES_LIMIT)
        return fold_damage_number(fold, "ply", head->ply + 1, row->ply);
    if (seat != seat_to_move(fold))
        return fold_damage(fold, "seat", game_seat_name(seat_to_move(fold)), row->seat);
    return true;
}

static bool add_move(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    if (!grow_moves(fold))
        return false;
    struct folded_move *m = &fold->moves[fold->count++];
    fold->live->game.head.ply++;
    *m = (struct folded_move){
        .key = row->position_key,
        .at_ms = row->at_ms,
        .clock_ms = seat == SEAT_WHITE ? row->white_ms : row->black_ms,
        .spent_ms = row->spent_ms,
        .version = row->version,
    };
    memcpy(m->uci, row->move, strlen(row->move) + 1);
    return payload_text(row->payload, "comment", &m->comment) || fold_fail(fold);
}

/* ---- one function a kind of row ---- */

typedef bool apply_row(struct fold *fold, const struct storage_action *row, enum game_seat seat);

static bool apply_created(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)seat;
    char *comment;
    if (!payload_text(row->payload, "comment", &comment))
        return fold_fail(fold);
    if (!comment)
        return true;
    const struct game_texts *old = fold->live->game.texts;
    struct game_texts texts = {0};
    if (old)
        texts = *old;
    texts.comment = comment;
    struct game_texts *copy = game_texts_copy(&texts);
    free(comment);
    if (!copy)
        return fold_fail(fold);
    free(fold->live->game.texts);
    fold->live->game.texts = copy;
    return true;
}

/* It names no side, or one of a game without seats. */
static bool damage_seat(struct fold *fold, enum game_seat seat)
{
    return fold_damage(fold, "seat", seat == SEAT_NONE ? "a side" : "a game with seats",
                       game_seat_name(seat));
}

static bool sit(struct fold *fold, enum game_seat seat)
{
    struct game_seats *seats = fold->live->game.seats;
    if (!seats || seat == SEAT_NONE)
        return damage_seat(fold, seat);
    seats->taken[game_color(seat)] = true;
    return true;
}

static bool apply_move(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    struct game_head *head = &fold->live->game.head;
    if (!judge_move(fold, row, seat) || !add_move(fold, row, seat))
        return false;
    if (head->status == GAME_WAITING)
        head->status = GAME_ACTIVE;
    if (payload_has(row->payload, "takes_seat") && !sit(fold, seat))
        return false;
    advance_answer_offer(head, seat);
    head->takeback_by = SEAT_NONE;
    if (payload_has(row->payload, "offer") && !payload_has(row->payload, "end"))
        advance_offer(head, seat);
    return true;
}

static bool apply_rewind(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)seat;
    struct game_head *head = &fold->live->game.head;
    if (row->ply > head->ply)
        return fold_damage_number(fold, "ply", head->ply, row->ply);
    while (fold->count > row->ply)
        free(fold->moves[--fold->count].comment);
    if (fold->played > row->ply) {
        fold->played = 0;
        fold->replayed += row->ply;
    }
    head->ply = (uint16_t)row->ply;
    head->status = GAME_ACTIVE;
    forget_end(fold);
    head->offer_by = SEAT_NONE;
    head->takeback_by = SEAT_NONE;
    return true;
}

static bool apply_claim_refused(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    if (seat == SEAT_NONE)
        return damage_seat(fold, seat);
    if (!payload_has(row->payload, "no_offer"))
        advance_claim_refused(&fold->live->game.head, seat, payload_has(row->payload, "move"));
    return true;
}

static bool apply_draw_offered(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)row;
    if (seat == SEAT_NONE)
        return damage_seat(fold, seat);
    advance_offer(&fold->live->game.head, seat);
    return true;
}

static bool apply_draw_declined(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)row;
    (void)seat;
    fold->live->game.head.offer_by = SEAT_NONE;
    return true;
}

static bool apply_takeback_offered(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    struct game_head *head = &fold->live->game.head;
    int64_t ply = 0;
    if (seat == SEAT_NONE)
        return damage_seat(fold, seat);
    if (!payload_number(row->payload, "to_ply", &ply))
        return fold_damage(fold, "to_ply", "a ply", NULL);
    if (ply < 0 || ply >= head->ply)
        return fold_damage_kind(fold, "to_ply", "a ply before this one", ply);
    head->takeback_by = (uint8_t)seat;
    head->takeback_ply = (uint16_t)ply;
    return true;
}

static bool apply_takeback_over(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)row;
    (void)seat;
    fold->live->game.head.takeback_by = SEAT_NONE;
    return true;
}

static bool apply_illegal_move(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    uint8_t *illegal = fold->live->game.head.illegal;
    if (seat == SEAT_NONE)
        return damage_seat(fold, seat);
    if (illegal[game_color(seat)] == UINT8_MAX)
        return fold_damage(fold, "kind", "no more of these", row->kind);
    illegal[game_color(seat)]++;
    return true;
}

static bool apply_seat_taken(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    struct game *game = &fold->live->game;
    if (!sit(fold, seat))
        return false;
    if (payload_has(row->payload, "starts"))
        advance_start(game, row->service_ms < 0 ? 0 : row->service_ms, row->at_ms);
    return true;
}

static bool apply_seat_left(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)row;
    struct game *game = &fold->live->game;
    if (!game->seats || seat == SEAT_NONE)
        return damage_seat(fold, seat);
    game->seats->taken[game_color(seat)] = false;
    advance_wait(&game->head);
    return true;
}

/* The names and metadata that it sets are told as an event; those of the game stand in its own row. */
static bool apply_update(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    char *metadata;
    (void)seat;
    if (!payload_text(row->payload, "metadata", &metadata))
        return fold_fail(fold);
    bool good = !metadata || !*metadata || fold_metadata(fold, metadata);
    free(metadata);
    return good;
}

static bool apply_nothing(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)fold;
    (void)row;
    (void)seat;
    return true;
}

/* How it ended, read_end reads; that it did must stand there. */
static bool apply_end(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    (void)seat;
    return payload_has(row->payload, "end") || fold_damage(fold, "payload", "how the game ended", NULL);
}

static const struct {
    apply_row *apply;
    bool begins_move;
} ways[ROW_KIND_COUNT] = {
#define ROW_KIND_WAY(name, word, event, apply, begins) [ROW_##name] = {apply, begins},
    ROW_KINDS(ROW_KIND_WAY)
#undef ROW_KIND_WAY
};

static bool apply(struct fold *fold, const struct storage_action *row, enum game_seat seat)
{
    enum row_kind kind = row_kind_find(row->kind);
    if (kind == ROW_NONE || (kind == ROW_CREATED) != (row->version == 1))
        return fold_damage(fold, "kind", row->version == 1 ? "created" : "a kind of row", row->kind);
    if (kind != ROW_MOVE && row->move)
        return fold_damage(fold, "move", "nothing", row->move);
    if (ways[kind].begins_move) {
        fold->live->game.head.since_ms = row->service_ms < 0 ? 0 : row->service_ms;
        fold->live->game.head.since_at_ms = row->at_ms;
    }
    return ways[kind].apply(fold, row, seat);
}

static bool read_clock(struct fold *fold, const struct storage_action *row)
{
    struct clock *clock = fold->live->game.clock;
    const int64_t left_ms[COLOR_COUNT] = {[COLOR_WHITE] = row->white_ms, [COLOR_BLACK] = row->black_ms};
    static const char *const names[COLOR_COUNT] = {[COLOR_WHITE] = "white_ms", [COLOR_BLACK] = "black_ms"};
    for (unsigned color = 0; color < COLOR_COUNT; color++) {
        if (!fold_duration(fold, names[color], left_ms[color]))
            return false;
        if (clock && (left_ms[color] < 0 || left_ms[color] > CLOCK_MS_MAX))
            return fold_damage_kind(fold, names[color], "what a clock shows", left_ms[color]);
    }
    if (clock)
        memcpy(clock->remaining_ms, left_ms, sizeof left_ms);
    return true;
}

static bool are_values(struct fold *fold, const struct storage_action *row)
{
    return fold_text(fold, "payload", row->payload) && fold_time(fold, "at", row->at_ms) &&
           fold_duration(fold, "spent_ms", row->spent_ms) &&
           fold_duration(fold, "service_ms", row->service_ms);
}

bool fold_row(void *context, const struct storage_action *row)
{
    struct fold *fold = context;
    struct game_head *head = &fold->live->game.head;
    enum game_seat seat = SEAT_NONE;
    head->version++;
    head->updated_at_ms = row->at_ms;
    if (row->version != head->version)
        return fold_damage_number(fold, "version", head->version, row->version);
    if (row->seat && !game_seat_parse(row->seat, &seat))
        return fold_damage(fold, "seat", "white or black", row->seat);
    if (!are_values(fold, row) || !apply(fold, row, seat) || !read_clock(fold, row))
        return false;
    return read_end(fold, row) ||
           (!fold->failed && fold_damage(fold, "payload", "an end of a game", row->payload));
}
