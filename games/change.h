/* change: what an action will do once the log has it.
 *
 * Layer: games, private. Made by judge_*, written by the store, published by change_publish. Until then the
 * game is as it was: the moves and keys of the change lie behind the ones in force, where no reader looks. */
#pragma once

#include "games/live.h"

enum { CHANGE_ROWS_INLINE = 2 };

struct change_row {
    char uci[NOTATION_UCI_SIZE];
    char san[NOTATION_SAN_SIZE];
    char *payload; /* owned; NULL for none */
};

struct change {
    struct games *games;
    struct action *action;
    struct live *live;
    struct game view; /* the game as it will be */
    struct storage_write write;
    struct storage_action *rows; /* row_count of them; the inline ones or owned */
    struct change_row *texts;
    size_t row_count, row_capacity;
    struct storage_action inline_rows[CHANGE_ROWS_INLINE];
    struct change_row inline_texts[CHANGE_ROWS_INLINE];
    /* Owned until published, then the game's. */
    char *comment;                /* of view.head.comment, when the change made it */
    struct game_texts *texts_new; /* of view.texts, likewise */
    move *moves_new;              /* a history that replaces the old one (undo) */
    uint64_t *keys_new;
    char rules_text[GAME_RULES_SIZE];
    char start_text[112]; /* FEN_SIZE */
};

/* A change of `live` that does nothing yet. NULL when memory is out. */
struct change *change_create(struct games *games, struct action *action, struct live *live);
void change_destroy(struct change *change);

/* Room for `count` rows in all. */
bool change_reserve(struct change *change, size_t count);

/* Appends a row: version and time are set, the rest follows view. `payload` (may be NULL) is taken over. */
struct storage_action *change_add_row(struct change *change, const char *kind, enum game_seat seat,
                                      int64_t at_ms, char *payload);

/* Fills change->write for the store. */
void change_prepare(struct change *change, enum storage_write_kind kind);

/* Makes the view the game's state. With the lock of the shard held. */
void change_publish(struct change *change);
