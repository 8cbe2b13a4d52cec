#include "games/solver.h"

#include <stdlib.h>
#include <string.h>

struct game_decision *decision_make(const struct position *position, enum color winner, uint32_t nodes,
                                    size_t scratch_bytes)
{
    struct winnable_scratch scratch = {malloc(scratch_bytes), scratch_bytes};
    struct winnable_result *result = malloc(sizeof *result);
    struct game_decision *decision = NULL;
    if (!scratch.memory || !result)
        goto out;
    winnable_decide(position, winner, nodes, &scratch, result);
    size_t line_bytes = result->length * sizeof *result->line;
    decision = malloc(sizeof *decision + line_bytes);
    if (!decision)
        goto out;
    *decision = (struct game_decision){
        .verdict = result->verdict,
        .method = result->method,
        .nodes = result->nodes,
        .length = result->length,
    };
    memcpy(decision->line, result->line, line_bytes);
out:
    free(result);
    free(scratch.memory);
    return decision;
}

/* A half for every four that wait; never less than where the action is judged. */
uint32_t solver_nodes(size_t waiting)
{
    enum { HALVED_BY = 4, HALVES_MAX = 6 };
    size_t halves = waiting / HALVED_BY;
    return WINNABLE_NODES_DEFAULT >> (halves < HALVES_MAX ? halves : HALVES_MAX);
}

_Static_assert(WINNABLE_NODES_DEFAULT >> 6 >= WINNABLE_NODES_SMALL, "the solver spends more than the judge");

static struct action *next(struct solver *solver)
{
    pthread_mutex_lock(&solver->lock);
    struct action *action;
    while (!(action = action_list_take(&solver->queue)) && !solver->stopping)
        pthread_cond_wait(&solver->changed, &solver->lock);
    pthread_mutex_unlock(&solver->lock);
    return action;
}

static void find_decision(struct solver *solver, struct action *action)
{
    free(action->decision);
    action->decision = decision_make(&action->position, action->decided_for,
                                     solver_nodes(solver_undecided(solver) - 1), WINNABLE_SCRATCH_DEFAULT);
    pthread_mutex_lock(&solver->lock);
    solver->undecided--;
    pthread_mutex_unlock(&solver->lock);
}

static void *run(void *context)
{
    struct solver *solver = context;
    for (struct action *action; (action = next(solver));) {
        if (!action->only_judged)
            find_decision(solver, action);
        solver->solved(solver->context, action);
    }
    return NULL;
}

bool solver_init(struct solver *solver, void (*solved)(void *context, struct action *action), void *context)
{
    *solver = (struct solver){.solved = solved, .context = context};
    action_list_init(&solver->queue);
    pthread_mutex_init(&solver->lock, NULL);
    pthread_cond_init(&solver->changed, NULL);
    solver->started = pthread_create(&solver->thread, NULL, run, solver) == 0;
    if (!solver->started)
        solver_finish(solver);
    return solver->started;
}

void solver_finish(struct solver *solver)
{
    pthread_mutex_lock(&solver->lock);
    solver->stopping = true;
    pthread_cond_signal(&solver->changed);
    pthread_mutex_unlock(&solver->lock);
    if (solver->started)
        pthread_join(solver->thread, NULL);
    pthread_cond_destroy(&solver->changed);
    pthread_mutex_destroy(&solver->lock);
}

void solver_submit(struct solver *solver, struct action *action)
{
    pthread_mutex_lock(&solver->lock);
    action_list_add(&solver->queue, action);
    solver->undecided += !action->only_judged;
    pthread_cond_signal(&solver->changed);
    pthread_mutex_unlock(&solver->lock);
}

size_t solver_undecided(struct solver *solver)
{
    pthread_mutex_lock(&solver->lock);
    size_t undecided = solver->undecided;
    pthread_mutex_unlock(&solver->lock);
    return undecided;
}
