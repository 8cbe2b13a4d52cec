/* change: what an action will do once the log has it.
 *
 * Layer: games, private. Filled by judge_*, written by the store, published by change_publish. Until then the
 * game is as it was: the moves and keys of the change lie behind the ones in force, where no reader looks. */
#pragma once

#include "games/live.h"
#include "games/row_kind.h"
#include "games/seats.h"
#include "rules/fen.h"

struct event_text;

struct change_row {
    char uci[NOTATION_UCI_SIZE];
    char san[NOTATION_SAN_SIZE];
    char *payload; /* owned; NULL for none */
    /* What is told of it, where it is not the last row and somebody watches (feed_render_ahead); owned. */
    struct event_text *event;
};

struct change {
    struct games *games;
    struct action *action;
    struct live *live;
    struct game view;        /* the game as it will be */
    struct clock clock;      /* of a timed game: view.clock */
    struct game_seats seats; /* of a game with seats: view.seats */
    struct storage_write write;
    size_t row_count;
    struct storage_action *rows; /* row_count of them; behind this structure, in one block with it */
    struct change_row *texts;    /* one a row, likewise */
    /* Owned until published, then the game's. */
    char *comment;                  /* of view.head.comment, when the change made it */
    char *end_comment;              /* of view.head.end.comment, likewise */
    struct game_decision *decision; /* of view.head.end.decision, likewise */
    struct game_texts *texts_new;   /* of view.texts, likewise */
    move *moves_new;                /* a history that replaces the old one (undo) */
    uint64_t *keys_new;
    bool wants_decision; /* judged in vain: the solver has to find action->decision first */
    struct shard *shard; /* of the game; NULL: it is in none yet */
    /* Columns of a row of the game, which few changes write; not cleared. */
    char rules_text[GAME_RULES_SIZE];
    char clock_text[TIME_CONTROL_SIZE];
    char start_text[FEN_SIZE];
    char seats_text[SEATS_TEXT_SIZE];
};

/* A change of `live` that does nothing yet, with room for `rows` rows. NULL when memory is out. */
struct change *change_create(struct games *games, struct action *action, struct live *live, size_t rows);
void change_destroy(struct change *change);

/* Frees what a replay has recalled. */
void action_forget_replayed(struct action *action);

/* Appends a row: version and time are set, the rest follows view. `payload` (may be NULL) is taken over. */
struct storage_action *change_add_row(struct change *change, enum row_kind kind, enum game_seat seat,
                                      int64_t at_ms, char *payload);

/* Fills change->write for the store. */
void change_prepare(struct change *change, enum storage_write_kind kind);

/* Makes the view the game's state. With the lock of the shard held. */
void change_publish(struct change *change);
