/* resignGame, abortGame, adjudicateGame, reportIllegalMove: how people end a game. */
#include <stddef.h>

#include "api/act.h"
#include "api/fields.h"
#include "api/handlers.h"
#include "api/problem.h"

enum api_result resign_game(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_RESIGN, 200, NULL);
}

enum api_result abort_game(struct exchange *exchange)
{
    return act_without_input(exchange, ACTION_ABORT);
}

enum api_result adjudicate_game(struct exchange *exchange)
{
    struct adjudicate_input {
        struct field_word result;
        struct field_text comment;
    } fields = {0};
    static const struct field table[] = {
        {.name = "result",
         .type = FIELD_WORD,
         .at = offsetof(struct adjudicate_input, result),
         .words = game_result_words + RESULT_WHITE_WINS},
        {.name = "comment",
         .type = FIELD_COMMENT,
         .at = offsetof(struct adjudicate_input, comment),
         .max_limit = offsetof(struct api_limits, comment_bytes),
         .nullable = true},
    };
    if (!fields_read_or_text(exchange, table, FIELDS_COUNT(table), &fields))
        return API_DONE;
    if (!fields.result.given)
        return problem_field(exchange, "/result", "Say the result: 1-0, 0-1 or 1/2-1/2.");
    struct act *act = act_begin(exchange, ACTION_ADJUDICATE);
    if (!act)
        return API_DONE;
    act->action.adjudicate = (struct action_adjudicate){
        .result = (enum game_result)(RESULT_WHITE_WINS + fields.result.value),
        .comment = fields.comment.length ? fields.comment.value : NULL,
    };
    return act_run(act);
}

static void write_noted(struct writer *text, const struct game *game)
{
    (void)game;
    writer_text(text, "the illegal move is noted; a second one ends the game\n");
}

enum api_result report_illegal_move(struct exchange *exchange)
{
    return act_for_side(exchange, ACTION_ILLEGAL_MOVE, 200, write_noted);
}
