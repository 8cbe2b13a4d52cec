/* game: one game as the layers above see it. Values and read-only views; no locks, no storage.
 *
 * Layer: games. Memory: a struct game is owned by the registry; a view lives until the callback that got it
 * returns. Size: a live game has a budget (under 400 bytes at 10 plies): think before adding a member.
 * Source: FIDE 5 (completion), 9 (draws); the words are those of API section 3. */
#pragma once

#include <stddef.h>

#include "rules/ending.h"
#include "rules/position.h"

enum { GAME_ID_LENGTH = 12, GAME_ID_SIZE = 13, GAME_PLIES_LIMIT = 20000 };

/* `id` could be the name of a game: the right length, the right letters. */
bool game_id_is_valid(const char *id, size_t length);

enum game_status { GAME_WAITING, GAME_ACTIVE, GAME_ENDED, GAME_ABORTED, GAME_STATUS_COUNT };

enum game_result { RESULT_NONE, RESULT_WHITE_WINS, RESULT_BLACK_WINS, RESULT_DRAW, RESULT_COUNT };

enum game_termination {
    TERMINATION_NONE,
    TERMINATION_CHECKMATE,
    TERMINATION_STALEMATE,
    TERMINATION_DEAD_POSITION,
    TERMINATION_FIVEFOLD_REPETITION,
    TERMINATION_SEVENTYFIVE_MOVES,
    TERMINATION_THREEFOLD_REPETITION,
    TERMINATION_FIFTY_MOVES,
    TERMINATION_RESIGNATION,
    TERMINATION_RESIGNATION_UNWINNABLE,
    TERMINATION_ABORTED,
    TERMINATION_COUNT
};

/* Who acts: a seat, or nobody in particular. */
enum game_seat { SEAT_NONE, SEAT_WHITE, SEAT_BLACK, SEAT_COUNT };

enum game_access { ACCESS_OPEN, ACCESS_COUNT };
enum game_visibility { VISIBILITY_PUBLIC, VISIBILITY_UNLISTED, VISIBILITY_PRIVATE, VISIBILITY_COUNT };

enum game_profile { PROFILE_FIDE, PROFILE_ONLINE, PROFILE_COUNT };
enum game_failed_claim { FAILED_CLAIM_OFFER, FAILED_CLAIM_REFUSE, FAILED_CLAIM_COUNT };

/* The words of the API and of the store, indexed by their enums and ended by NULL; "" for a value that has no word. */
extern const char *const game_status_words[GAME_STATUS_COUNT + 1];
extern const char *const game_access_words[ACCESS_COUNT + 1];
extern const char *const game_visibility_words[VISIBILITY_COUNT + 1];
extern const char *const game_profile_words[PROFILE_COUNT + 1];
extern const char *const game_failed_claim_words[FAILED_CLAIM_COUNT + 1];
extern const char *const game_dead_words[ENDING_DEAD_COUNT + 1];
extern const char *const game_claim_words[CLAIM_REASON_COUNT + 1];
extern const char *const game_seat_words[SEAT_COUNT + 1];

/* The words of the API and of the store. NULL for SEAT_NONE and TERMINATION_NONE. Static. */
const char *game_status_name(enum game_status status);
const char *game_result_name(enum game_result result); /* "1-0", "*" … */
const char *game_termination_name(enum game_termination termination);
const char *game_termination_article(enum game_termination termination); /* "5.1.1"; NULL: not of the Laws */
/* A move can bring this end about, so that taking the move back takes the end back. */
bool game_termination_is_of_move(enum game_termination termination);
const char *game_seat_name(enum game_seat seat);
const char *game_access_name(enum game_access access);
const char *game_visibility_name(enum game_visibility visibility);
/* And back; false, and nothing written, for a word that is none (NULL too). */
bool game_status_parse(const char *name, enum game_status *status);
bool game_result_parse(const char *name, enum game_result *result);
bool game_termination_parse(const char *name, enum game_termination *termination);
bool game_seat_parse(const char *name, enum game_seat *seat);
bool game_access_parse(const char *name, enum game_access *access);
bool game_visibility_parse(const char *name, enum game_visibility *visibility);

static inline enum game_seat game_seat_of(enum color color)
{
    return color == COLOR_WHITE ? SEAT_WHITE : SEAT_BLACK;
}

static inline enum game_seat game_other_seat(enum game_seat seat)
{
    return seat == SEAT_WHITE ? SEAT_BLACK : SEAT_WHITE;
}

static inline enum game_result game_result_for(enum game_seat winner)
{
    return winner == SEAT_WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

/* The rule options of a game, all decided at creation. */
struct game_rules {
    uint8_t profile;      /* enum game_profile */
    uint8_t failed_claim; /* enum game_failed_claim */
    uint8_t auto_claim;   /* bit set over enum claim_reason */
    uint8_t dead;         /* enum ending_dead */
    bool fivefold, seventyfive;
};

/* What the profile means where nothing else is asked for. */
struct game_rules game_rules_default(enum game_profile profile);
/* One line for the store, and back. The reader takes what the writer wrote. */
enum { GAME_RULES_SIZE = 160 };
void game_rules_format(const struct game_rules *rules, char text[GAME_RULES_SIZE]);
bool game_rules_parse(const char *text, struct game_rules *rules);
const char *game_profile_name(enum game_profile profile);
const char *game_failed_claim_name(enum game_failed_claim failed_claim);
const char *game_dead_name(enum ending_dead dead);
const char *
game_claim_name(enum claim_reason reason); /* "threefold_repetition", "fifty_moves"; NULL for NONE */
bool game_profile_parse(const char *name, enum game_profile *profile);
bool game_failed_claim_parse(const char *name, enum game_failed_claim *failed_claim);
bool game_dead_parse(const char *name, enum ending_dead *dead);
bool game_claim_parse(const char *name, enum claim_reason *reason);

/* How a game ended. */
struct game_end {
    int64_t at_ms; /* Unix ms */
    uint8_t termination, result;
    uint8_t by;       /* enum game_seat: who moved, claimed, resigned; NONE where nobody did */
    uint8_t claim;    /* enum claim_reason, for a claimed draw */
    bool by_material; /* a dead position of material alone */
    move claim_move;  /* the announced move, not played; MOVE_NONE: the claim was on the board */
    uint16_t also;    /* bit t: termination t held at the same moment */
};

/* The part of a game that an action changes: a value that is copied, changed, and published when it is
 * durable. */
struct game_head {
    struct position position;
    int64_t updated_at_ms;
    int64_t move_at_ms; /* when the last move in force was played; 0 at ply 0 */
    char *comment;      /* on the last move in force; NULL for none */
    struct game_end end;
    uint32_t version;
    uint16_t ply;        /* half-moves in force */
    uint16_t keys_first; /* keys[keys_first .. keys_first + keys_count) may still come again; the last is
                            present */
    uint16_t keys_count;
    uint16_t repetition;    /* how often the present position has occurred */
    uint16_t most_repeated; /* the same of whichever position since the last irreversible move */
    uint16_t offer_ply;     /* the ply at which the standing draw offer was made */
    uint8_t offer_by;       /* enum game_seat */
    uint8_t status;         /* enum game_status */
};

/* Texts that few games have. */
struct game_texts {
    const char *white_name, *black_name; /* NULL: none */
    const char *metadata;                /* a JSON object; NULL: empty */
};

struct game {
    int64_t key; /* the store's number */
    int64_t created_at_ms;
    struct position *start;   /* NULL: the usual first position */
    struct game_texts *texts; /* NULL: none */
    move *moves;              /* head.ply in force */
    uint64_t *keys;
    uint32_t moves_capacity, keys_capacity;
    struct game_head head;
    struct game_rules rules;
    uint8_t access, visibility;
    char id[GAME_ID_SIZE];
};

/* The first position of the game. */
struct position game_start(const struct game *game);
/* Keys that may still come again. */
struct key_history game_history(const struct game *game);
/* The colour that won, or SEAT_NONE. */
enum game_seat game_winner(const struct game *game);

/* The position after `ply` half-moves; ply <= head.ply. */
struct position game_position_at(const struct game *game, unsigned ply);

/* Walks through a game from its first position.
 *
 *     struct replay replay;
 *     replay_begin(&replay, game, keys);          keys: room for game->head.ply + 1
 *     while (replay_next(&replay)) … replay.before, replay.move, replay.after, replay.repetition
 */
struct replay {
    const move *moves;
    uint64_t *keys; /* of every position so far, keys[0] the first one */
    struct position before, after;
    move move;
    unsigned ply, plies;   /* ply of `after` */
    unsigned repetition;   /* occurrences of `after` so far */
    unsigned irreversible; /* keys before this index cannot come again */
};
void replay_begin(struct replay *replay, const struct game *game, uint64_t *keys);
bool replay_next(struct replay *replay);

/* The plies up to `last` at which a position stood, compared square by square (Law 9.2.3) and not by key. Writes the
 * first `room` of them, returns the count. */
unsigned replay_occurrences(const struct game *game, const struct position *wanted, unsigned last,
                            uint16_t *plies, unsigned room);
