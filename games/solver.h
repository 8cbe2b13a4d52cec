/* solver: one thread that finds out whether a side can still mate, for actions whose result hangs on it.
 *
 * Layer: games, private. What a small effort decides is decided where the action is judged, on whatever thread that is;
 * the rest comes here, one after the other, with the game at rest meanwhile. So do many moves that had to wait for their
 * turn, which are only judged here. */
#pragma once

#include "games/live.h"

/* What the solver spends: the usual budget, and less the more decisions wait behind, so that a thousand flags that fall
 * together are decided in seconds. What is not found then counts as winnable (6.9). */
uint32_t solver_nodes(size_t waiting);

/* Decides with that effort; NULL when memory is out. The caller's, one block. */
struct game_decision *decision_make(const struct position *position, enum color winner, uint32_t nodes,
                                    size_t scratch_bytes);

struct solver {
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
    struct action_list queue;
    size_t undecided;
    bool started, stopping;
    void (*solved)(void *context, struct action *action);
    void *context;
};

/* `solved` is called in the solver's thread with action->decision set for action->position and action->decided_for;
 * NULL there: memory is out, or action->only_judged. False: no thread can be started. */
bool solver_init(struct solver *solver, void (*solved)(void *context, struct action *action), void *context);
/* Nothing may be queued any more. */
void solver_finish(struct solver *solver);
void solver_submit(struct solver *solver, struct action *action);
/* Actions whose decision is being found or waits for that; not those that are only judged. */
size_t solver_undecided(struct solver *solver);
