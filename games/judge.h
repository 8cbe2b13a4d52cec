/* judge: what an action comes to in the state that is committed now.
 *
 * Layer: games, private. Everything here is called with the lock of the shard held, and the action in flight.
 * Source: FIDE 3 (moves), 5 (completion), 9 (draws); order of checks: API section 5. */
#pragma once

#include "games/change.h"
#include "games/payload.h"

/* Sets action->outcome; for ACTION_DONE the rows and the view of the change are complete.
 * GAMES_OK: decided. GAMES_COLD: the log has to be read and the action may not block. Else a fault. */
enum games_status judge(struct change *change, struct games *games);

/* The life cycle: what may be done to a game in which status. ACTION_DONE: may be tried. */
enum action_outcome lifecycle(enum action_kind kind, enum game_status status);

/* ---- advance.c: the view moves on ---- */

/* The head at ply 0: position, history, counts. There is room for one key. */
void advance_begin(struct game *view);
/* Appends a legal move: position, history, repetition, the life of a draw offer; and, where `decide`, the end that
 * it makes. Repetitions are counted by key; an end that hangs on the number is not. */
void advance(struct game *view, move m, int64_t at_ms, bool decide);
/* The end that the position of the view makes by itself, after a move of `mover`. */
void advance_decide_end(struct game *view, enum game_seat mover, int64_t at_ms);
void advance_end(struct game *view, enum game_termination termination, enum game_result result,
                 enum game_seat by, int64_t at_ms);
/* 9.1.2.1: a move in answer refuses the offer; one's own next move does not end it. */
void advance_answer_offer(struct game_head *head, enum game_seat mover);
/* 9.1.2.1: a draw offer that stands from now on. */
void advance_offer(struct game_head *head, enum game_seat seat);
/* 9.1.2.3: a claim that does not hold is a draw offer. An offer of the opponent goes on standing in its place, unless
 * the claimant's announced move, which is played next, refuses that one. */
void advance_claim_refused(struct game_head *head, enum game_seat claimant, bool with_move);
enum game_termination advance_claim_termination(enum claim_reason reason);
/* A game that waited for its players begins: clocks and the time to show up run from here. */
void advance_start(struct game *view, int64_t service_ms, int64_t at_ms);
/* A seat is free again: the game waits, and nothing is offered. */
void advance_wait(struct game_head *head);

/* ---- judge.c: pieces that several actions need ---- */

/* The lock of the shard is free while the log is read and while many moves are played. The game is in flight: nobody else
 * changes it or frees it, and its arrays stay where they are. Between the two calls only the change and its action are
 * written, and moves and keys beyond those that the head of the game counts, which nobody else reads. */
void judge_let_go(const struct change *change);
void judge_hold(const struct change *change);

bool judge_version_fits(struct action *action, const struct game *game);
bool judge_status_fits(struct action *action, const struct game *game);
/* Both, in the order of the contract. */
bool judge_may(struct change *change);
/* It is the turn of who acts; with open access it always is. */
bool judge_turn_fits(struct action *action, const struct game *game);
/* What the wall clock showed at the service time of the action, so that a row has one moment on both clocks. */
int64_t judge_now_ms(const struct change *change, struct games *games);
/* Into action->reading and action->position; true: a legal move. */
bool judge_read_input(struct action *action, const struct position *position, const struct move_input *input);
/* Plays a legal move, presses the clock, and adds the row; `input` has what goes with the move. */
enum games_status judge_play_move(struct change *change, move m, const struct move_input *input, int64_t now);
/* Adds a row with what `payload` (taken over; NULL: nothing) and the end of the view have to say. */
enum games_status judge_add_row(struct change *change, enum row_kind kind, enum game_seat seat, int64_t now,
                                struct payload *payload);

/* What has to come before any action at that service time: ACTION_FLAG, ACTION_ABANDON; ACTION_KIND_COUNT: nothing. */
enum action_kind judge_overdue(const struct game *game, int64_t at_ms);
/* ACTION_FLAG and ACTION_ABANDON, which ask themselves what has come. */
bool action_is_of_time(const struct action *action);
/* What has to come before that action. */
enum action_kind judge_overdue_before(const struct game *game, const struct action *action);

/* Whether the side can still mate in the present position, as far as a small effort or the solver tells: into
 * action->decision. False: the solver has to be asked first (change->wants_decision is set), or memory is out. */
bool judge_decision(struct change *change, enum color winner);
/* What a judge returns where judge_decision said false. */
static inline enum games_status judge_undecided(const struct change *change)
{
    return change->wants_decision ? GAMES_OK : GAMES_UNAVAILABLE;
}
/* Ends the game otherwise than by a move, and stops the clock that runs. */
void judge_end(struct change *change, enum game_termination termination, enum game_result result,
               enum game_seat by, int64_t now);
/* Ends the game: `loser` loses, or draws where, by action->decision, its opponent has no mate by any series of legal
 * moves. Undetermined counts as winnable (6.9). The decision goes with the end. */
void judge_lose(struct change *change, enum game_seat loser, enum game_termination lost,
                enum game_termination drawn, int64_t now);
/* An offer that stands, and not one's own; else the outcome says why there is nothing to answer. */
bool judge_may_answer(struct action *action, enum game_seat offered_by);
/* The rows of the log behind `version`, at most `limit` (0: all). GAMES_OK, _UNAVAILABLE or _DAMAGED. Blocks. */
enum games_status judge_read_rows(struct change *change, struct games *games, uint32_t version,
                                  uint32_t limit, const struct storage_rows *rows);
/* Where there is nothing to answer because the last row of the log is this very answer, of this side: a repeat of it
 * (ACTION_REPLAYED). GAMES_COLD: the log has to be read. */
enum games_status judge_repeat(struct change *change, struct games *games, enum row_kind kind);
/* Time for the opponent, where there is a clock (7.5.5, 9.5.3); `payload` says so to the log. */
void judge_penalize(struct game *view, enum game_seat offender, struct payload *payload);

/* ---- one function an action; each in the file of its kind ---- */

typedef enum games_status judge_action(struct change *change, struct games *games);

judge_action judge_played_plies;                                      /* judge_again.c */
judge_action judge_claim;                                             /* judge_claim.c */
judge_action judge_offer_draw, judge_accept_draw, judge_decline_draw; /* judge_draw.c */
judge_action judge_undo, judge_takeback, judge_accept_takeback;       /* judge_takeback.c */
judge_action judge_decline_takeback, judge_withdraw_takeback;         /* judge_takeback.c */
judge_action judge_resign, judge_abort, judge_adjudicate;             /* judge_end.c */
judge_action judge_illegal_move;                                      /* judge_end.c */
judge_action judge_flag, judge_abandon, judge_add_time;               /* judge_time.c */
judge_action judge_take_seat, judge_leave_seat, judge_renew_token;    /* judge_seats.c */
judge_action judge_update;                                            /* judge_seats.c */
