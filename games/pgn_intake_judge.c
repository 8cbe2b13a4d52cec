#include "games/pgn_intake_parts.h"

/* The game goes up to that move, which is named as an export would write it; not in `text`, which has to lie still while
 * the action is under way. */
static void refuse_move(struct pgn_intake *intake, size_t index, enum pgn_fault_code code, const char *detail)
{
    struct position position = intake->initial;
    for (size_t i = 0; i < index; i++) {
        struct position before = position;
        position_play(&before, intake->moves[i].known, &position);
    }
    (void)notation_format_san(&position, intake->moves[index].known, intake->judged_token);
    intake->final = position;
    intake->plies = (unsigned)index;
    pgn_intake_put_error(intake, code, (unsigned)index + 1, intake->judged_token, detail);
}

static const char *over_detail(enum game_termination termination)
{
    static const char *const details[TERMINATION_COUNT] = {
        [TERMINATION_CHECKMATE] = "Checkmate has ended the game before this move (5.1.1).",
        [TERMINATION_STALEMATE] = "Stalemate has ended the game before this move (5.2.1).",
        [TERMINATION_DEAD_POSITION] =
            "The game has ended before this move: neither side could checkmate any more (5.2.2). With "
            "`dead_position` off it is read.",
        [TERMINATION_FIVEFOLD_REPETITION] =
            "The game has ended before this move: the same position had come five times (9.6.1). Without "
            "`fivefold` it is read.",
        [TERMINATION_SEVENTYFIVE_MOVES] =
            "The game has ended before this move: 75 moves by each player without a capture or a pawn move "
            "(9.6.2). Without `seventyfive` it is read.",
    };
    return details[termination] ? details[termination]
                                : "A rule option of the game has ended it before this move.";
}

/* A draw that came by itself, where the text says that somebody has won. */
static void warn_of_result(struct pgn_intake *intake, enum game_result result)
{
    const struct pgn_intake_spot *last = intake->plies ? &intake->spots[intake->plies - 1] : NULL;
    const struct pgn_fault fault = {
        .code = PGN_FAULT_RESULT,
        .severity = PGN_WARNING,
        .line = intake->result_line ? intake->result_line
                : last              ? last->line
                                    : intake->place.line,
        .column = intake->result_line || !last ? 1 : last->column,
        .ply = intake->plies + 1,
        .token = game_result_name(intake->result),
        .detail = "The rules have drawn this game by its last position, which counts.",
    };
    pgn_intake_put_fault(intake, &fault, 0);
    intake->result = result;
}

void pgn_intake_judge(struct pgn_intake *intake, const struct action *action, const struct game *game)
{
    if (action->outcome == ACTION_GAME_OVER) {
        refuse_move(intake, action->index, PGN_FAULT_MOVES_AFTER_END, over_detail(action->over_by));
    } else if (action->outcome == ACTION_TOO_MANY_PLIES) {
        refuse_move(intake, action->index, PGN_FAULT_SYNTAX,
                    "A game has no more half-moves than this here (limit `plies`).");
    } else if (action->outcome == ACTION_DONE) {
        enum game_result result = (enum game_result)game->head.end.result;
        if (result != RESULT_NONE && intake->result != RESULT_NONE && intake->result != result)
            warn_of_result(intake, result);
        intake->result = result != RESULT_NONE ? result : intake->result;
    }
}
