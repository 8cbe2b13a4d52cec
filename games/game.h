/* game: one game as the layers above see it. Values and read-only views; no locks, no storage.
 *
 * Layer: games. Memory: a struct game is owned by the registry; a view lives until the callback that got it
 * returns. Size: a live game has a budget (under 400 bytes at 10 plies): think before adding a member.
 * Source: FIDE 5 (completion), 9 (draws); the words are those of API section 3. */
#pragma once

#include <stddef.h>

#include "games/clock.h"
#include "rules/ending.h"
#include "rules/position.h"
#include "rules/winnable.h"

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
    TERMINATION_AGREEMENT,
    TERMINATION_MOVE_LIMIT,
    TERMINATION_TIMEOUT,
    TERMINATION_TIMEOUT_UNWINNABLE,
    TERMINATION_ABANDONMENT,
    TERMINATION_RULES_INFRACTION,
    TERMINATION_ADJUDICATION,
    TERMINATION_RECORDED, /* of an imported game, whose board does not show its result */
    TERMINATION_COUNT
};

/* Who acts: a seat, or nobody in particular. */
enum game_seat { SEAT_NONE, SEAT_WHITE, SEAT_BLACK, SEAT_COUNT };

/* Who may act: anybody who has the id, or who has a token of the game (games/seats.h). */
enum game_access { ACCESS_OPEN, ACCESS_SEATS, ACCESS_COUNT };
enum game_visibility { VISIBILITY_PUBLIC, VISIBILITY_UNLISTED, VISIBILITY_PRIVATE, VISIBILITY_COUNT };

/* Of games that do not say, where those that do not say have that access. */
static inline enum game_visibility game_visibility_default(enum game_access access)
{
    return access == ACCESS_OPEN ? VISIBILITY_PUBLIC : VISIBILITY_UNLISTED;
}

enum game_profile { PROFILE_FIDE, PROFILE_ONLINE, PROFILE_COUNT };
enum game_failed_claim { FAILED_CLAIM_OFFER, FAILED_CLAIM_REFUSE, FAILED_CLAIM_COUNT };
/* When a draw may be offered (9.1.1); WITH_MOVE: only together with a move. */
enum game_draw_offers { DRAW_OFFERS_ANYTIME, DRAW_OFFERS_WITH_MOVE, DRAW_OFFERS_OFF, DRAW_OFFERS_COUNT };
enum game_takeback { TAKEBACK_CONSENT, TAKEBACK_FREE, TAKEBACK_OFF, TAKEBACK_COUNT };

/* The words of the API and of the store, indexed by their enums and ended by NULL; "" for a value that has no word. */
extern const char *const game_status_words[GAME_STATUS_COUNT + 1];
extern const char *const game_access_words[ACCESS_COUNT + 1];
extern const char *const game_visibility_words[VISIBILITY_COUNT + 1];
extern const char *const game_profile_words[PROFILE_COUNT + 1];
extern const char *const game_failed_claim_words[FAILED_CLAIM_COUNT + 1];
extern const char *const game_dead_words[ENDING_DEAD_COUNT + 1];
extern const char *const game_draw_offers_words[DRAW_OFFERS_COUNT + 1];
extern const char *const game_takeback_words[TAKEBACK_COUNT + 1];
extern const char *const game_result_words[RESULT_COUNT + 1];
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

/* Not of SEAT_NONE. */
static inline enum color game_color(enum game_seat seat)
{
    return seat == SEAT_WHITE ? COLOR_WHITE : COLOR_BLACK;
}

static inline enum game_seat game_other_seat(enum game_seat seat)
{
    return seat == SEAT_WHITE ? SEAT_BLACK : SEAT_WHITE;
}

static inline enum game_result game_result_for(enum game_seat winner)
{
    return winner == SEAT_WHITE ? RESULT_WHITE_WINS : RESULT_BLACK_WINS;
}

enum {
    GAME_DRAW_OFFERS_FROM_MOVE_MAX = 1000,
    GAME_MOVE_LIMIT_MAX = 10000,
    GAME_CLAIM_PENALTY_MS = 120000, /* 7.5.5, 9.5.3; in rapid and blitz a minute (A.3) */
};

/* The rule options of a game, all decided at creation. */
struct game_rules {
    uint8_t profile;      /* enum game_profile */
    uint8_t failed_claim; /* enum game_failed_claim */
    uint8_t auto_claim;   /* bit set over enum claim_reason */
    uint8_t dead;         /* enum ending_dead */
    uint8_t draw_offers;  /* enum game_draw_offers */
    uint8_t takeback;     /* enum game_takeback */
    bool fivefold, seventyfive;
    /* No offer before both players have completed so many moves; 0: at once. */
    uint16_t draw_offers_from_move;
    uint16_t move_limit; /* drawn after so many moves of each player; 0: none */
    /* Given to the opponent for a wrong claim or an illegal move; at most TIME_MS_MAX. */
    uint32_t claim_penalty_ms;
    uint32_t abandon_after_ms; /* lost by who does not move for so long; 0: never; at most TIME_MS_MAX */
};

/* What the profile means where nothing else is asked for. */
struct game_rules game_rules_default(enum game_profile profile);
/* One line for the store, and back. The reader takes what the writer wrote. */
enum { GAME_RULES_SIZE = 320 };
void game_rules_format(const struct game_rules *rules, char text[GAME_RULES_SIZE]);
bool game_rules_parse(const char *text, struct game_rules *rules);
const char *game_profile_name(enum game_profile profile);
const char *game_failed_claim_name(enum game_failed_claim failed_claim);
const char *game_dead_name(enum ending_dead dead);
const char *game_draw_offers_name(enum game_draw_offers offers);
const char *game_takeback_name(enum game_takeback takeback);
const char *
game_claim_name(enum claim_reason reason); /* "threefold_repetition", "fifty_moves"; NULL for NONE */
bool game_profile_parse(const char *name, enum game_profile *profile);
bool game_failed_claim_parse(const char *name, enum game_failed_claim *failed_claim);
bool game_dead_parse(const char *name, enum ending_dead *dead);
bool game_claim_parse(const char *name, enum claim_reason *reason);
bool game_draw_offers_parse(const char *name, enum game_draw_offers *offers);
bool game_takeback_parse(const char *name, enum game_takeback *takeback);

/* Whether a side could still have mated when that decided a result (5.1.2, 6.9, 7.5.5). One heap block. */
struct game_decision {
    enum winnable_verdict verdict;
    enum winnable_method method;
    uint32_t nodes;  /* positions looked at */
    uint16_t length; /* of the line */
    move line[];     /* YES: a helpmate from the last position of the game */
};

/* How a game ended. */
struct game_end {
    int64_t at_ms;                  /* Unix ms */
    struct game_decision *decision; /* NULL: the result did not hang on one; owned by the game */
    char *comment;                  /* of an adjudication; NULL for none; owned by the game */
    uint32_t also;                  /* bit t: termination t held at the same moment */
    uint8_t termination, result;
    uint8_t by;    /* enum game_seat: who moved, claimed, resigned, overstepped; NONE where nobody did */
    uint8_t claim; /* enum claim_reason, for a claimed draw */
    uint8_t dead_method; /* enum winnable_method: how a dead position was proven */
    move claim_move;     /* the announced move, not played; MOVE_NONE: the claim was on the board */
};

enum { MOVE_TIME_NONE = -1 };

/* The part of a game that an action changes: a value that is copied, changed, and published when it is
 * durable. */
struct game_head {
    struct position position;
    struct position_past past; /* of the last move in force */
    int64_t updated_at_ms;
    int64_t move_at_ms;  /* when the last move in force was played; 0 at ply 0 */
    int64_t since_ms;    /* service time at which the move under way began; 0 where nobody needs it */
    int64_t since_at_ms; /* what the wall clock showed then */
    /* Of the last move in force: left to who played it, and used for it; MOVE_TIME_NONE: untimed. */
    int64_t move_clock_ms, move_spent_ms;
    char *comment; /* on the last move in force; NULL for none */
    struct game_end end;
    uint32_t version;
    uint16_t ply; /* half-moves in force */
    /* keys[keys_first .. keys_first + keys_count) may still come again; the last is present. */
    uint16_t keys_first, keys_count;
    uint16_t repetition;          /* how often the present position has occurred */
    uint16_t most_repeated;       /* the same of whichever position since the last irreversible move */
    uint16_t offer_ply;           /* the ply at which the standing draw offer was made */
    uint16_t takeback_ply;        /* to which the standing takeback offer goes back */
    uint8_t offer_by;             /* enum game_seat */
    uint8_t takeback_by;          /* enum game_seat */
    uint8_t illegal[COLOR_COUNT]; /* illegal moves noted against each side (7.5.5) */
    uint8_t status;               /* enum game_status */
};

/* What a text of metadata is to the layer that knows how it is written; games keep it as it comes. */
enum metadata_state {
    METADATA_WHOLE,
    METADATA_DAMAGED,
    METADATA_UNREAD, /* memory is out */
};
typedef enum metadata_state metadata_reader(const char *text);

/* Texts that few games have. */
struct game_texts {
    const char *white_name, *black_name; /* NULL: none */
    const char *metadata;                /* a JSON object; NULL: empty */
    /* Of the PGN it came from, as lines "name=value" with backslash and newline escaped, "" where it had none;
     * NULL: it was made here. */
    const char *tags;
    const char *comment; /* before the first move; NULL: none */
};

struct game {
    int64_t key; /* the store's number */
    int64_t created_at_ms;
    struct position *start;   /* NULL: the usual first position */
    struct game_texts *texts; /* NULL: none */
    struct clock *clock;      /* NULL: untimed */
    struct game_seats *seats; /* NULL: access is open */
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
static inline enum game_seat game_turn(const struct game *game)
{
    return game_seat_of(position_turn(&game->head.position));
}
static inline bool game_is_over(const struct game *game)
{
    return game->head.status == GAME_ENDED || game->head.status == GAME_ABORTED;
}
/* Whose clock runs; SEAT_NONE: nobody's. */
enum game_seat game_running(const struct game *game);
/* By how much the wall clock has parted from the running clock since the move under way began, ms: 0 as a rule, and where
 * nobody's clock runs. `epoch_ms`: games_epoch_ms. */
int64_t game_wall_shift_ms(const struct game *game, int64_t epoch_ms);
/* Moves that `seat` has completed in this game. */
unsigned game_moves_made(const struct game *game, enum game_seat seat);
/* It has a clock, or may be abandoned: service times matter to it. */
static inline bool game_is_watched(const struct game *game)
{
    return game->clock || game->rules.abandon_after_ms;
}
/* The service time at which the game ends if nothing happens: a flag falls, or the game is abandoned.
 * GAME_NO_DEADLINE: never. */
#define GAME_NO_DEADLINE INT64_MAX
int64_t game_deadline(const struct game *game);
int64_t game_flag_deadline(const struct game *game);
/* The rule of the event that forbids a draw offer now (9.1.1), by the name of its option; NULL: none does. */
const char *game_rule_against_offer(const struct game *game, bool with_move);

/* Takes the next line of game_texts.tags out of *rest; longer names and values than there is room for are cut. False:
 * there is none. */
bool game_tags_next(const char **rest, char *name, size_t name_size, char *value, size_t value_size);

/* The position after `ply` half-moves; ply <= head.ply. The present one and the one before it cost nothing; others are
 * played to from the first. */
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
