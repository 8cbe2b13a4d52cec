#include "tests/support/games_laws.h"

#include <stdarg.h>
#include <stdio.h>

#include "rules/movegen.h"
#include "tests/support/games_snapshot.h"

__attribute__((format(printf, 2, 3))) static bool found(char text[LAWS_TEXT_SIZE], const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    (void)vsnprintf(text, LAWS_TEXT_SIZE, format, arguments);
    va_end(arguments);
    return true;
}

static bool is_over(const struct game *game)
{
    return game->head.status == GAME_ENDED || game->head.status == GAME_ABORTED;
}

static bool status_is_wrong(const struct game *game, char *text)
{
    const struct game_head *head = &game->head;
    const struct game_end *end = &head->end;
    bool over = is_over(game);
    if (over != (end->termination != TERMINATION_NONE) || over != (end->at_ms != 0))
        return found(text, "status %u with termination %u at %lld", head->status, end->termination,
                     (long long)end->at_ms);
    if ((end->result != RESULT_NONE) != (head->status == GAME_ENDED))
        return found(text, "status %u with result %u", head->status, end->result);
    if ((head->status == GAME_ABORTED) !=
        (end->termination == TERMINATION_ABORTED ||
         (end->termination == TERMINATION_ABANDONMENT && end->result == RESULT_NONE)))
        return found(text, "aborted, or not, with termination %u", end->termination);
    if (head->status == GAME_ABORTED && head->ply > 1)
        return found(text, "aborted at ply %u", head->ply);
    if ((head->move_at_ms != 0) != (head->ply != 0) || (head->comment && head->ply == 0))
        return found(text, "a last move of %lld at ply %u", (long long)head->move_at_ms, head->ply);
    return false;
}

/* An active game is one that nothing has ended: neither the Laws nor its own rules. */
static bool life_is_wrong(const struct game *game, char *text)
{
    const struct game_head *head = &game->head;
    const struct game_rules *rules = &game->rules;
    if (head->status != GAME_ACTIVE)
        return false;
    if (!movegen_any(&head->position))
        return found(text, "active, and there is no move");
    if (rules->fivefold && head->repetition >= 5)
        return found(text, "active at the %uth occurrence", head->repetition);
    if (rules->seventyfive && head->position.halfmove_clock >= 150)
        return found(text, "active after %u half-moves", head->position.halfmove_clock);
    if (rules->auto_claim >> CLAIM_THREEFOLD & 1 && head->repetition >= 3)
        return found(text, "active at the third occurrence");
    if (rules->auto_claim >> CLAIM_FIFTY & 1 && head->position.halfmove_clock >= 100)
        return found(text, "active after a hundred half-moves");
    if (rules->move_limit && head->ply >= 2U * rules->move_limit)
        return found(text, "active after %u half-moves, with a limit of %u moves", head->ply,
                     rules->move_limit);
    if (head->illegal[COLOR_WHITE] > 1 || head->illegal[COLOR_BLACK] > 1)
        return found(text, "active after a second illegal move");
    return false;
}

/* 9.1.2.1: an offer outlives one's own next move, and no move of the opponent. */
static bool offers_are_wrong(const struct game *game, char *text)
{
    const struct game_head *head = &game->head;
    enum game_seat moved = game_other_seat(game_turn(game));
    if (head->offer_by != SEAT_NONE) {
        unsigned since = (unsigned)head->ply - head->offer_ply;
        if (is_over(game) || head->offer_ply > head->ply || since > 1 ||
            (since == 1 && moved != (enum game_seat)head->offer_by))
            return found(text, "an offer of seat %u from ply %u at ply %u, status %u", head->offer_by,
                         head->offer_ply, head->ply, head->status);
    }
    if (head->takeback_by != SEAT_NONE &&
        (is_over(game) || head->takeback_ply >= head->ply || game->rules.takeback != TAKEBACK_CONSENT))
        return found(text, "a takeback to ply %u at ply %u, status %u", head->takeback_ply, head->ply,
                     head->status);
    return false;
}

static bool clocks_are_wrong(const struct game *game, char *text)
{
    const struct game_end *end = &game->head.end;
    bool timeout =
        end->termination == TERMINATION_TIMEOUT || end->termination == TERMINATION_TIMEOUT_UNWINNABLE;
    bool runs = game_running(game) != SEAT_NONE;
    if (is_over(game) && (runs || game_deadline(game) != GAME_NO_DEADLINE))
        return found(text, "a clock runs after the end");
    if (game_is_watched(game) != (game->head.since_ms != 0))
        return found(text, "a move began at %lld", (long long)game->head.since_ms);
    if (!game->clock)
        return timeout ? found(text, "a flag fell without a clock") : false;
    for (int color = 0; color < COLOR_COUNT; color++) {
        int64_t left_ms = game->clock->remaining_ms[color];
        bool flagged = timeout && game_color((enum game_seat)end->by) == (enum color)color;
        if (left_ms < 0 || left_ms > CLOCK_MS_MAX || (left_ms == 0) != flagged)
            return found(text, "%lld ms on a clock, termination %u", (long long)left_ms, end->termination);
    }
    bool starts = game->head.ply > 0 || game->clock->control.immediate;
    if (runs != (starts && game->head.status == GAME_ACTIVE))
        return found(text, "a clock runs, or not, at ply %u", game->head.ply);
    return false;
}

/* ---- ends that hang on whether the opponent can mate --------------------------------------------------- */

static bool line_mates(const struct game *game)
{
    const struct game_decision *decision = game->head.end.decision;
    struct position position = game->head.position;
    for (unsigned i = 0; i < decision->length; i++) {
        struct position before = position;
        if (!movegen_is_legal(&before, decision->line[i]))
            return false;
        position_play(&before, decision->line[i], &position);
    }
    return movegen_count(&position) == 0 && position_is_check(&position) &&
           game_seat_of(position_turn(&position)) == (enum game_seat)game->head.end.by;
}

static bool decision_is_wrong(const struct game *game, char *text)
{
    static const bool hangs_on_one[TERMINATION_COUNT] = {
        [TERMINATION_RESIGNATION] = true,      [TERMINATION_RESIGNATION_UNWINNABLE] = true,
        [TERMINATION_TIMEOUT] = true,          [TERMINATION_TIMEOUT_UNWINNABLE] = true,
        [TERMINATION_RULES_INFRACTION] = true, [TERMINATION_ABANDONMENT] = true,
    };
    const struct game_end *end = &game->head.end;
    bool needed = hangs_on_one[end->termination] && game->head.status == GAME_ENDED;
    if (needed != (end->decision != NULL))
        return found(text, "termination %u with a decision, or without", end->termination);
    if (!needed)
        return false;
    enum game_seat winner = game_other_seat((enum game_seat)end->by);
    bool drawn = end->decision->verdict == WINNABLE_NO;
    if (end->result != (drawn ? RESULT_DRAW : game_result_for(winner)))
        return found(text, "verdict %u with result %u", end->decision->verdict, end->result);
    bool unwinnable = end->termination == TERMINATION_RESIGNATION_UNWINNABLE ||
                      end->termination == TERMINATION_TIMEOUT_UNWINNABLE;
    bool both =
        end->termination == TERMINATION_RULES_INFRACTION || end->termination == TERMINATION_ABANDONMENT;
    if (!both && unwinnable != drawn)
        return found(text, "termination %u with verdict %u", end->termination, end->decision->verdict);
    if (end->decision->verdict == WINNABLE_YES && !line_mates(game))
        return found(text, "the line to the mate does not mate");
    return false;
}

static bool end_is_wrong(const struct game *game, char *text)
{
    const struct game_end *end = &game->head.end;
    if (end->claim != CLAIM_NONE && end->termination != TERMINATION_THREEFOLD_REPETITION &&
        end->termination != TERMINATION_FIFTY_MOVES)
        return found(text, "a claim with termination %u", end->termination);
    if (end->termination == TERMINATION_AGREEMENT && game->head.ply < 2) /* 5.2.3 */
        return found(text, "agreed at ply %u", game->head.ply);
    if (end->comment && end->termination != TERMINATION_ADJUDICATION)
        return found(text, "a remark with termination %u", end->termination);
    if (end->also >> end->termination & 1)
        return found(text, "termination %u besides itself", end->termination);
    return decision_is_wrong(game, text);
}

/* The present position and the one before it, which nobody walks to, are those that a walk meets. */
static bool board_is_wrong(const struct game *game, char *text)
{
    unsigned ply = game->head.ply;
    struct position before = game_start(game), after = before;
    for (unsigned i = 0; i < ply; i++) {
        before = after;
        position_play(&before, game->moves[i], &after);
    }
    struct position last = game_position_at(game, ply), previous = game_position_at(game, ply ? ply - 1 : 0);
    const char *difference = snapshot_position_difference(&after, &last);
    if (difference)
        return found(text, "%s of the position at ply %u", difference, ply);
    difference = snapshot_position_difference(&before, &previous);
    return difference && found(text, "%s of the position before ply %u", difference, ply);
}

bool laws_find_fault(const struct game *game, char text[LAWS_TEXT_SIZE])
{
    return status_is_wrong(game, text) || life_is_wrong(game, text) || offers_are_wrong(game, text) ||
           clocks_are_wrong(game, text) || end_is_wrong(game, text) || board_is_wrong(game, text);
}
