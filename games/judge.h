/* judge: what an action comes to in the state that is committed now.
 *
 * Layer: games, private. Everything here is called with the lock of the shard held.
 * Source: FIDE 3 (moves), 5 (completion), 9 (draws); order of checks: API section 5. */
#pragma once

#include "games/change.h"

/* Sets action->outcome; for ACTION_DONE the rows and the view of the change are complete.
 * GAMES_OK: decided. GAMES_COLD: the log has to be read and the action may not block. Else a fault. */
enum games_status judge(struct change *change, struct games *games);

/* The life cycle: what may be done to a game in which status. ACTION_DONE: may be tried. */
enum action_outcome lifecycle(enum action_kind kind, enum game_status status);

/* ---- advance.c: the view moves on ---- */

/* The head at ply 0: position, history, counts. There is room for one key. */
void advance_begin(struct game *view);
/* Appends a legal move: position, history, repetition, the life of a draw offer; and, where `decide`, the end that
 * it makes. Where ends are not decided, repetitions are counted by key alone. */
void advance(struct game *view, move m, int64_t at_ms, bool decide);
/* The end that the position of the view makes by itself, after a move of `mover`. */
void advance_decide_end(struct game *view, enum game_seat mover, int64_t at_ms);
void advance_end(struct game *view, enum game_termination termination, enum game_result result,
                 enum game_seat by, int64_t at_ms);
/* 9.1.2.1: a move in answer refuses the offer; one's own next move does not end it. */
void advance_answer_offer(struct game_head *head, enum game_seat mover);
/* 9.1.2.3: a claim that does not hold is a draw offer. An offer of the opponent goes on standing in its place, unless
 * the claimant's announced move, which is played next, refuses that one. */
void advance_claim_refused(struct game_head *head, enum game_seat claimant, bool with_move);
enum game_termination advance_claim_termination(enum claim_reason reason);

/* ---- judge.c: pieces that several actions need ---- */

bool judge_version_fits(struct action *action, const struct game *game);
bool judge_status_fits(struct action *action, const struct game *game);
/* Into action->reading and action->position; true: a legal move. */
bool judge_read_input(struct action *action, const struct position *position, const struct move_input *input);
/* Plays a legal move and adds its row. */
enum games_status judge_play_move(struct change *change, move m, const char *comment, int64_t now);
/* Adds a row with what the end of the view has to say, and the comment on a move (NULL: none). */
enum games_status judge_add_row(struct change *change, const char *kind, enum game_seat seat, int64_t now,
                                const char *comment);

/* ---- judge_claim.c ---- */

enum games_status judge_claim(struct change *change, struct games *games);
