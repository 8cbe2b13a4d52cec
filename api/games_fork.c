/* forkGame. */
#include <string.h>

#include "api/act.h"
#include "api/credentials.h"
#include "api/fields.h"
#include "api/handlers.h"

struct fork {
    struct exchange *exchange;
    struct act *act;
    struct move_input *moves;
    bool taken; /* all of the game that it needs */
};

/* False: memory is out. */
static bool copy_text(struct arena *arena, const char *text, const char **copy)
{
    *copy = text ? arena_copy(arena, text, strlen(text)) : NULL;
    return *copy || !text;
}

static bool copy_texts(struct arena *arena, const struct game_texts *texts, struct game_texts *copy)
{
    return copy_text(arena, texts->white_name, &copy->white_name) &&
           copy_text(arena, texts->black_name, &copy->black_name) &&
           copy_text(arena, texts->metadata, &copy->metadata) && copy_text(arena, texts->tags, &copy->tags) &&
           copy_text(arena, texts->comment, &copy->comment);
}

static bool copy_moves(struct fork *fork, const struct game *game, unsigned plies)
{
    fork->moves = arena_zalloc(fork->exchange->arena, (plies + 1U) * sizeof *fork->moves);
    if (!fork->moves)
        return false;
    for (unsigned i = 0; i < plies; i++)
        fork->moves[i].known = game->moves[i];
    return true;
}

/* The clock begins anew: the moves of the fork are made in no time. */
static bool copy_control(struct fork *fork, const struct game *game)
{
    if (!game->clock)
        return true;
    struct time_control *control = arena_alloc(fork->exchange->arena, sizeof *control);
    if (control)
        *control = game->clock->control;
    fork->act->action.create.control = control;
    return control != NULL;
}

static bool copy_head(struct fork *fork, const struct game *game)
{
    struct arena *arena = fork->exchange->arena;
    struct action_create *create = &fork->act->action.create;
    create->rules = game->rules;
    create->access = ACCESS_OPEN;
    create->visibility =
        game->visibility == VISIBILITY_PRIVATE ? VISIBILITY_UNLISTED : (enum game_visibility)game->visibility;
    if ((game->texts && !copy_texts(arena, game->texts, &create->texts)) || !copy_control(fork, game))
        return false;
    if (!game->start)
        return true;
    struct position *start = arena_alloc(arena, sizeof *start);
    if (start)
        *start = *game->start;
    create->start = start;
    return start != NULL;
}

static void take_source(void *context, const struct game *game)
{
    struct fork *fork = context;
    struct exchange *exchange = fork->exchange;
    int64_t ply = query_integer(exchange, QUERY_PLY, game->head.ply);
    if (ply > game->head.ply) {
        game_problem(exchange, PROBLEM_PLY_NOT_FOUND, "The game has not come to that half-move.", game);
        return;
    }
    fork->taken = copy_moves(fork, game, (unsigned)ply) && copy_head(fork, game);
    if (!fork->taken) {
        problem_out_of_memory(exchange);
        return;
    }
    fork->act->action.create.moves = fork->moves;
    fork->act->action.create.move_count = (size_t)ply;
}

enum api_result fork_game(struct exchange *exchange)
{
    if (!fields_read(exchange, NULL, 0, NULL) || !credentials_may_create(exchange))
        return API_DONE;
    struct fork fork = {.exchange = exchange, .act = act_begin(exchange, ACTION_CREATE)};
    if (!fork.act)
        return API_DONE;
    enum games_status status = game_view(exchange, take_source, &fork);
    if (!fork.taken)
        return games_fault(exchange, status);
    fork.act->action.if_given = false;
    fork.act->answer = act_answer_created;
    return act_run(fork.act);
}
