/* fold_state: a fold between two rows.
 *
 * Layer: games, private to fold*.c. */
#pragma once

#include "games/fold.h"
#include "rules/notation.h"

/* Moves are only collected while the rows come in, for later rows may take them back; they are played when somebody
 * wants to see the game. */
struct folded_move {
    char uci[NOTATION_UCI_SIZE];
    uint64_t key;
    int64_t at_ms, clock_ms, spent_ms;
    char *comment;    /* owned */
    uint32_t version; /* of its row */
};

struct fold {
    struct live *live;
    metadata_reader *read_metadata;
    struct folded_move *moves; /* the first `count` are in force */
    size_t count, capacity;
    unsigned played;                    /* of those: so many have been played */
    struct game_head board;             /* the head after them, as the moves alone make it */
    char claim_move[NOTATION_UCI_SIZE]; /* announced in the claim that ended the game */
    char *line;                         /* of the decision that the end hangs on; owned */
    size_t replayed;         /* plies played before, to be played again after moves were taken back */
    struct fold_fault fault; /* the first; damaged: there is one */
    bool damaged, failed;
};

/* Memory is out; false. */
static inline bool fold_fail(struct fold *fold)
{
    fold->failed = true;
    return false;
}

/* The row at hand does not add up: `what` of it, static, and what should stand there and does; NULL: that cannot be
 * said, or nothing. False. */
bool fold_damage(struct fold *fold, const char *what, const char *expected, const char *found);
bool fold_damage_number(struct fold *fold, const char *what, int64_t expected, int64_t found);
/* The same for a number of which only its kind can be said. */
bool fold_damage_kind(struct fold *fold, const char *what, const char *expected, int64_t number);

/* Is it a time, to the end of the year 9999? Else it is damaged; as below. */
bool fold_time(struct fold *fold, const char *what, int64_t ms);
/* Service time is one too. -1: there is none. */
bool fold_duration(struct fold *fold, const char *what, int64_t ms);

/* What anybody has said goes into answers as it is. NULL: nothing was said. False: it is damaged. */
bool fold_text(struct fold *fold, const char *what, const char *text);
/* The same of metadata, or memory is out. */
bool fold_metadata(struct fold *fold, const char *text);
