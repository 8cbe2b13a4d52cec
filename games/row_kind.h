/* row_kind: everything that a row of the log can be, in one table.
 *
 * Layer: games. Judges write these kinds, a fold applies them (fold_rows.c), and events tell them (events.c). */
#pragma once

/* X(NAME, word, event, apply, begins): the word of the store, which is never changed; what those who watch are told; how a
 * fold takes it; whether a move is under way from here on. What only changes its clocks or the row of the game applies
 * nothing. The most frequent kinds come first. */
#define ROW_KINDS(X)                                                                                         \
    X(MOVE, "move", EVENT_MOVE_PLAYED, apply_move, true)                                                     \
    X(CREATED, "created", EVENT_SNAPSHOT, apply_created, true)                                               \
    X(DRAW_OFFERED, "draw_offered", EVENT_DRAW_OFFERED, apply_draw_offered, false)                           \
    X(DRAW_DECLINED, "draw_declined", EVENT_DRAW_DECLINED, apply_draw_declined, false)                       \
    X(CLAIM_REFUSED, "claim_refused", EVENT_CLAIM_REFUSED, apply_claim_refused, false)                       \
    X(TAKEBACK_OFFERED, "takeback_offered", EVENT_TAKEBACK_OFFERED, apply_takeback_offered, false)           \
    X(TAKEBACK_DECLINED, "takeback_declined", EVENT_TAKEBACK_DECLINED, apply_takeback_over, false)           \
    X(TAKEBACK_WITHDRAWN, "takeback_withdrawn", EVENT_TAKEBACK_DECLINED, apply_takeback_over, false)         \
    X(UNDO, "undo", EVENT_POSITION_REWOUND, apply_rewind, true)                                              \
    X(TAKEBACK, "takeback", EVENT_POSITION_REWOUND, apply_rewind, true)                                      \
    X(TAKEBACK_ACCEPTED, "takeback_accepted", EVENT_POSITION_REWOUND, apply_rewind, true)                    \
    X(CLOCK_ADDED, "clock_added", EVENT_CLOCK_UPDATED, apply_nothing, false)                                 \
    X(ILLEGAL_MOVE, "illegal_move", EVENT_CLOCK_UPDATED, apply_illegal_move, false)                          \
    X(SEAT_TAKEN, "seat_taken", EVENT_SEAT_CHANGED, apply_seat_taken, false)                                 \
    X(SEAT_LEFT, "seat_left", EVENT_SEAT_CHANGED, apply_seat_left, false)                                    \
    X(TOKEN_RENEWED, "token_renewed", EVENT_SEAT_CHANGED, apply_nothing, false)                              \
    X(UPDATED, "updated", EVENT_GAME_UPDATED, apply_update, false)                                           \
    X(CLAIM, "claim", EVENT_GAME_ENDED, apply_end, false)                                                    \
    X(DRAW_ACCEPTED, "draw_accepted", EVENT_GAME_ENDED, apply_end, false)                                    \
    X(RESIGN, "resign", EVENT_GAME_ENDED, apply_end, false)                                                  \
    X(ABORT, "abort", EVENT_GAME_ENDED, apply_end, false)                                                    \
    X(ADJUDICATED, "adjudicated", EVENT_GAME_ENDED, apply_end, false)                                        \
    X(FLAGGED, "flagged", EVENT_GAME_ENDED, apply_end, false)                                                \
    X(ABANDONED, "abandoned", EVENT_GAME_ENDED, apply_end, false)                                            \
    X(RECORDED, "recorded", EVENT_GAME_ENDED, apply_end, false)

enum row_kind {
    ROW_NONE,
#define ROW_KIND_ENUM(name, word, event, apply, begins) ROW_##name,
    ROW_KINDS(ROW_KIND_ENUM)
#undef ROW_KIND_ENUM
        ROW_KIND_COUNT
};

/* The word of the store; NULL for ROW_NONE. Static. */
const char *row_kind_word(enum row_kind kind);
/* ROW_NONE: there is no such kind. */
enum row_kind row_kind_find(const char *word);
