#include "games/change.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "games/events.h"

struct change *change_create(struct games *games, struct action *action, struct live *live, size_t rows)
{
    size_t rows_bytes = rows * sizeof(struct storage_action), texts_bytes = rows * sizeof(struct change_row);
    struct change *change = malloc(sizeof *change + rows_bytes + texts_bytes);
    if (!change)
        return NULL;
    memset(change, 0, offsetof(struct change, rules_text)); /* the columns are written before they are read */
    change->games = games;
    change->action = action;
    change->live = live;
    change->view = live->game;
    if (live->game.clock) {
        change->clock = *live->game.clock;
        change->view.clock = &change->clock;
    }
    if (live->game.seats) {
        change->seats = *live->game.seats;
        change->view.seats = &change->seats;
    }
    change->rows = (struct storage_action *)(change + 1);
    change->texts = memset(change->rows + rows, 0, texts_bytes);
    return change;
}

void change_destroy(struct change *change)
{
    if (!change)
        return;
    for (size_t i = 0; i < change->row_count; i++) {
        free(change->texts[i].payload);
        event_text_release(change->texts[i].event);
    }
    free(change->comment);
    free(change->end_comment);
    free(change->decision);
    free(change->texts_new);
    free(change->moves_new);
    free(change->keys_new);
    free(change);
}

struct storage_action *change_add_row(struct change *change, enum row_kind kind, enum game_seat seat,
                                      int64_t at_ms, char *payload)
{
    struct game_head *head = &change->view.head;
    struct storage_action *row = &change->rows[change->row_count];
    change->texts[change->row_count].payload = payload;
    change->row_count++;
    const struct game *view = &change->view;
    head->version++;
    head->updated_at_ms = at_ms;
    *row = (struct storage_action){
        .version = head->version,
        .at_ms = at_ms,
        .kind = row_kind_word(kind),
        .seat = game_seat_name(seat),
        .ply = head->ply,
        .position_key = head->position.key,
        .white_ms = view->clock ? view->clock->remaining_ms[COLOR_WHITE] : -1,
        .black_ms = view->clock ? view->clock->remaining_ms[COLOR_BLACK] : -1,
        .spent_ms = -1,
        .service_ms = game_is_watched(view) ? change->action->received_ms : -1,
    };
    return row;
}

static struct storage_game game_row(struct change *change)
{
    const struct game *game = &change->view;
    const struct game_texts *texts = game->texts;
    enum game_status status = (enum game_status)game->head.status;
    if (game->seats)
        seats_format(game->seats, change->seats_text);
    return (struct storage_game){
        .key = game->key,
        .id = game->id,
        .created_at_ms = game->created_at_ms,
        .access = game_access_name((enum game_access)game->access),
        .visibility = game_visibility_name((enum game_visibility)game->visibility),
        .white_name = texts ? texts->white_name : NULL,
        .black_name = texts ? texts->black_name : NULL,
        .metadata = texts ? texts->metadata : NULL,
        .tokens = game->seats ? change->seats_text : NULL,
        .status = game_status_name(status),
        .result = game_result_name((enum game_result)game->head.end.result),
        .termination = game_termination_name((enum game_termination)game->head.end.termination),
        .ended_at_ms = game->head.end.at_ms,
        .watched = game_is_watched(game) && status == GAME_ACTIVE,
    };
}

static void set_fixed_columns(struct change *change, struct storage_game *row)
{
    const struct game *game = &change->view;
    struct position start = game_start(game);
    row->variant = start.chess960 ? "chess960" : "standard";
    game_rules_format(&game->rules, change->rules_text);
    row->rules = change->rules_text;
    row->tags = game->texts ? game->texts->tags : NULL;
    if (game->clock) {
        time_control_format(&game->clock->control, change->clock_text);
        row->clock = change->clock_text;
    }
    if (game->start) {
        fen_format(game->start, FEN_EN_PASSANT_ALWAYS, change->start_text);
        row->start = change->start_text;
    }
}

static bool tokens_change(const struct change *change)
{
    const struct game_seats *before = change->live->game.seats;
    return before && memcmp(before->digests, change->seats.digests, sizeof before->digests) != 0;
}

static bool game_row_changes(const struct change *change)
{
    const struct game *before = &change->live->game;
    const struct game *after = &change->view;
    return before->head.status != after->head.status ||
           before->head.end.termination != after->head.end.termination || before->texts != after->texts ||
           before->visibility != after->visibility || tokens_change(change);
}

void change_prepare(struct change *change, enum storage_write_kind kind)
{
    struct storage_write *write = &change->write;
    for (size_t i = 0; i < change->row_count; i++) {
        struct change_row *text = &change->texts[i];
        change->rows[i].payload = text->payload;
        change->rows[i].move = text->uci[0] ? text->uci : NULL;
        change->rows[i].san = text->san[0] ? text->san : NULL;
    }
    write->kind = kind;
    write->game = game_row(change);
    write->updates_game = kind == STORAGE_APPEND && game_row_changes(change);
    write->actions = change->rows;
    write->action_count = change->row_count;
    write->owner = change;
    if (kind == STORAGE_CREATE)
        set_fixed_columns(change, &write->game);
}

static void replace_history(struct change *change, struct game *game)
{
    if (!change->moves_new)
        return;
    free(game->moves);
    free(game->keys);
    game->moves = change->moves_new;
    game->keys = change->keys_new;
    game->moves_capacity = change->view.moves_capacity;
    game->keys_capacity = change->view.keys_capacity;
    change->moves_new = NULL;
    change->keys_new = NULL;
}

/* What the head owns goes from the change to the game; what it owned before goes. */
static void hand_over(struct change *change, struct game_head *head)
{
    const struct game_head *next = &change->view.head;
    if (head->comment != next->comment)
        free(head->comment);
    if (head->end.comment != next->end.comment)
        free(head->end.comment);
    if (head->end.decision != next->end.decision)
        free(head->end.decision);
    if (change->comment == next->comment)
        change->comment = NULL;
    if (change->end_comment == next->end.comment)
        change->end_comment = NULL;
    if (change->decision == next->end.decision)
        change->decision = NULL;
    *head = *next;
}

void change_publish(struct change *change)
{
    struct game *game = &change->live->game;
    const struct game *view = &change->view;
    if (game->texts != view->texts) {
        free(game->texts);
        game->texts = view->texts;
        change->texts_new = NULL;
    }
    replace_history(change, game);
    hand_over(change, &game->head);
    if (game->clock)
        *game->clock = change->clock;
    if (game->seats) { /* who is present has gone on meanwhile */
        memcpy(game->seats->digests, change->seats.digests, sizeof change->seats.digests);
        memcpy(game->seats->taken, change->seats.taken, sizeof change->seats.taken);
    }
    game->visibility = view->visibility;
    live_compact(change->live);
}
