/* action: one thing that somebody wants done to a game, and what came of it.
 *
 * Layer: games. Memory: the caller's; everything an action points to stays valid until `done`, or until
 * games_act has returned anything but GAMES_PENDING. Order of checks: who may, replay by ply, version, game over, not
 * started, turn, legality (API section 5). */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "games/game.h"
#include "games/seats.h"
#include "rules/notation.h"
#include "storage/storage.h"

enum action_kind {
    ACTION_CREATE,
    ACTION_MOVE,
    ACTION_UNDO,
    ACTION_CLAIM,
    ACTION_OFFER_DRAW,
    ACTION_ACCEPT_DRAW,
    ACTION_DECLINE_DRAW,
    ACTION_RESIGN,
    ACTION_ABORT,
    ACTION_ADJUDICATE,
    ACTION_TAKEBACK, /* asks for one, or takes back where that is free */
    ACTION_ACCEPT_TAKEBACK,
    ACTION_DECLINE_TAKEBACK,
    ACTION_WITHDRAW_TAKEBACK,
    ACTION_FLAG,    /* a flag has fallen? (6.8, 6.9) */
    ACTION_ABANDON, /* nobody has moved for too long? The timer's. */
    ACTION_ADD_TIME,
    ACTION_ILLEGAL_MOVE, /* an illegal move was completed at a board (7.5.5) */
    ACTION_UPDATE,
    ACTION_DELETE,
    ACTION_TAKE_SEAT,
    ACTION_LEAVE_SEAT,
    ACTION_RENEW_TOKEN,
    ACTION_KIND_COUNT
};

enum action_outcome {
    ACTION_DONE = 0, /* the wanted state holds, durably (or will, when `render` is called) */
    ACTION_REPLAYED, /* it held already; nothing was written */
    /* Refusals: nothing changed. Those of who may not come first. */
    ACTION_HIDDEN, /* the game is private: nobody is told that there is one */
    ACTION_TOKEN_REQUIRED,
    ACTION_TOKEN_INVALID, /* it belongs to nobody in this game */
    ACTION_WRONG_SEAT,
    ACTION_SPECTATOR_ONLY,
    ACTION_NOT_CREATOR,
    ACTION_CONSENT_REQUIRED,
    ACTION_NOT_YOUR_TURN,
    ACTION_SEAT_TAKEN,
    ACTION_NEEDS_SEATS, /* only a game with tokens can be private */
    ACTION_VERSION_MISMATCH,
    ACTION_PLY_CONFLICT, /* `ply` has another move, or is ahead of the game */
    ACTION_GAME_OVER,
    ACTION_NOT_STARTED,
    ACTION_MOVE_REFUSED, /* `reading` says why; `index` which of several */
    ACTION_CLAIM_INVALID,
    ACTION_NOTHING_TO_UNDO,
    ACTION_ABORT_TOO_LATE,
    ACTION_TOO_MANY_PLIES,
    ACTION_NO_OPEN_OFFER, /* of a draw, or to take back */
    ACTION_OWN_OFFER,
    ACTION_OFFER_EXISTS,       /* the opponent's stands */
    ACTION_FORBIDDEN_BY_RULES, /* `rule` says which */
    ACTION_NO_CLOCK,
    ACTION_CLOCK_RUNNING, /* no flag has fallen; `remaining_ms` */
    /* Faults: nothing changed. */
    ACTION_GONE, /* the game was removed while the action waited */
    ACTION_STORE_BUSY,
    ACTION_STORE_FULL,
    ACTION_STORE_FAILED,
    ACTION_NO_MEMORY,
    ACTION_OUTCOME_COUNT
};

static inline bool action_outcome_is_fault(enum action_outcome outcome)
{
    return outcome >= ACTION_GONE;
}

/* A move as it came in: a text, or squares. */
struct move_input {
    const char *text; /* trimmed; NULL: `attempt` has squares */
    size_t length;
    enum notation_form form;
    enum notation_style style;
    struct attempt attempt;
    enum piece_type default_promotion; /* PIECE_NONE: a missing one is a fault */
    const char *comment;               /* NULL for none */
    bool draw_offer;                   /* with the move (9.1.2.1) */
    move known; /* not MOVE_NONE: read already, and legal where it is played; the rest is not looked at */
    bool has_clock_ms; /* what the player had left, as a PGN says it; games without a clock keep it */
    int64_t clock_ms;
};

/* Reads the move in a position. */
void move_input_read(const struct move_input *input, const struct position *position,
                     struct reading *reading);

struct action_create {
    const struct position *start; /* NULL: the usual */
    struct game_rules rules;
    enum game_access access;
    enum game_visibility visibility;
    struct game_texts texts;
    const struct move_input *moves;
    size_t move_count;
    const struct time_control *control; /* NULL: untimed */
    /* NONE, or the result of a game that is over, where the board does not show one. */
    enum game_result recorded;
};

struct action_moves {
    const struct move_input *moves; /* all or nothing; at least one */
    size_t count;
};

struct action_claim {
    enum claim_reason reason;      /* CLAIM_NONE: whichever holds */
    const struct move_input *move; /* announced; NULL: on the board */
};

/* A move that was played before. */
struct replayed_move {
    int64_t at_ms;
    int64_t clock_ms, spent_ms; /* MOVE_TIME_NONE: untimed */
    char *comment;              /* NULL for none */
};

/* What a claim came to; for `render`. */
struct claim_verdict {
    enum claim_reason reason; /* the one that holds, or was asked for */
    bool valid, stands_as_offer;
    unsigned count; /* occurrences of the position claimed, the announced move counted */
    move move;      /* announced */
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE]; /* of it */
    uint16_t halfmove_clock;                             /* with the announced move */
    uint16_t plies[ENDING_FIVEFOLD_COUNT + 1];           /* of the first occurrences so far */
    unsigned ply_count;
};

/* The evidence for or against a claim in the present position of a game, with an announced move or MOVE_NONE.
 * Leaves `valid` and `stands_as_offer` false. Compares positions, not keys. */
void claim_describe(struct claim_verdict *verdict, const struct game *game, enum claim_reason reason, move m);

struct action_takeback {
    enum game_seat seat; /* who asks; SEAT_NONE: the side to move */
    bool has_ply;
    uint32_t to_ply; /* without has_ply: to before the last move of that side */
};

struct action_adjudicate {
    enum game_result result; /* not NONE */
    const char *comment;     /* NULL for none */
};

struct action_add_time {
    enum game_seat seat; /* a colour */
    int64_t ms;          /* above 0, at most TIME_MS_MAX */
};

struct action_place {
    enum game_seat seat; /* SEAT_NONE: a free one, by lot */
    bool sets_name;
    const char *name; /* NULL: none */
};

struct action_update {
    bool sets_white, sets_black, sets_metadata, sets_visibility;
    struct game_texts texts; /* NULL clears */
    enum game_visibility visibility;
};

struct action {
    enum action_kind kind;
    char id[GAME_ID_SIZE]; /* create: chosen by games_act */
    bool may_block;
    bool validate_only; /* judge and render; write nothing */
    /* Service time at which the request was there (games_service_ms); 0: when games_act is called. */
    int64_t received_ms;

    struct caller caller; /* who asks */

    /* Preconditions. */
    bool if_given; /* the version must be one of these; none of them fits where there are none */
    unsigned if_count;
    const uint32_t *if_versions;
    uint32_t ply; /* the half-move that the (first) move is to be: 1 is the first; 0: whichever is next */

    union {
        struct action_create create;
        struct action_moves move;
        struct action_claim claim;
        uint32_t undo_plies;
        /* Offer, accept, decline, resign, illegal move, and the same of takebacks. SEAT_NONE: the side to move; for
         * answers to an offer the side that did not make it. */
        enum game_seat seat;
        struct action_takeback takeback;
        struct action_adjudicate adjudicate;
        struct action_add_time add_time;
        struct action_update update;
        struct action_place place; /* take, leave */
        enum game_role renewed;    /* one that has a token */
    };

    /* Called before the action leaves the calling thread. */
    void (*suspend)(struct action *action);
    /* Called once the outcome is decided, under the lock: `game` is the game as it will be if the action
     * stands (NULL for a delete), or as it is if it was refused. Not called for faults. */
    void (*render)(struct action *action, const struct game *game);
    /* Called after games_act returned GAMES_PENDING, once: the outcome is final. */
    void (*done)(struct action *action);
    void *owner; /* the caller's */
    /* Stored with what the action writes, where `render` has left one here; NULL for none. */
    const struct storage_receipt *receipt;
    bool is_withdrawn; /* `render` has no memory for the answer: nothing is written, _NO_MEMORY */

    /* The outcome. */
    enum action_outcome outcome;
    uint32_t first_ply; /* of the moves played: the first one's ply; a replay: the ply */
    size_t index;       /* _MOVE_REFUSED, _PLY_CONFLICT, _GAME_OVER, _TOO_MANY_PLIES: which move, from 0 */
    enum game_termination over_by; /* _GAME_OVER of a create: the end that the moves before it had made */
    struct reading reading;        /* ACTION_MOVE_REFUSED */
    struct position position;      /* in which the move was read */
    struct claim_verdict verdict;
    const char *rule; /* ACTION_FORBIDDEN_BY_RULES: the name of the option or limit, or the article; static */
    int64_t remaining_ms; /* ACTION_CLOCK_RUNNING: until the flag of the side to move falls */
    /* ACTION_REPLAYED of moves: as the log has them, one for each that was sent. */
    struct replayed_move *replayed;
    size_t replayed_count;
    /* Of a game with seats: whose token it was; of a seat that is taken: which. */
    enum game_seat actor;
    /* Made by the action, for `render`: of role ROLE_WHITE + i, "" for none. */
    char tokens[GAME_TOKENS][SECRET_TOKEN_SIZE];

    /* The registry's own. */
    struct action *next;
    struct change *change;
    struct game_decision *decision; /* found for `position` and the side `decided_for` */
    enum color decided_for;
    bool only_judged; /* by the solver's thread, which has nothing to find for it */
};

/* For `render` of ACTION_MOVE that is done: what was left to the player after the n-th of the moves sent, and used for
 * it. MOVE_TIME_NONE: untimed, or a move that is only validated. */
void action_move_times(const struct action *action, size_t n, int64_t *clock_ms, int64_t *spent_ms);

/* So many moves it would play. */
size_t action_moves(const struct action *action);

/* A zeroed action with its kind. */
void action_init(struct action *action, enum action_kind kind);
/* Frees what the registry attached. Call when the action is over; NULL and zeroed are fine. */
void action_finish(struct action *action);
