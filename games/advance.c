#include "games/judge.h"

#include "rules/movegen.h"

static const enum game_termination termination_of_ending[ENDING_COUNT] = {
    [ENDING_CHECKMATE] = TERMINATION_CHECKMATE,           [ENDING_STALEMATE] = TERMINATION_STALEMATE,
    [ENDING_DEAD_POSITION] = TERMINATION_DEAD_POSITION,   [ENDING_FIVEFOLD] = TERMINATION_FIVEFOLD_REPETITION,
    [ENDING_SEVENTYFIVE] = TERMINATION_SEVENTYFIVE_MOVES,
};

enum game_termination advance_claim_termination(enum claim_reason reason)
{
    return reason == CLAIM_THREEFOLD ? TERMINATION_THREEFOLD_REPETITION : TERMINATION_FIFTY_MOVES;
}

void advance_end(struct game *view, enum game_termination termination, enum game_result result,
                 enum game_seat by, int64_t at_ms)
{
    view->head.status = result == RESULT_NONE ? GAME_ABORTED : GAME_ENDED;
    view->head.offer_by = SEAT_NONE;
    view->head.takeback_by = SEAT_NONE;
    view->head.end = (struct game_end){
        .termination = (uint8_t)termination,
        .result = (uint8_t)result,
        .by = (uint8_t)by,
        .at_ms = at_ms,
    };
}

void advance_offer(struct game_head *head, enum game_seat seat)
{
    head->offer_by = (uint8_t)seat;
    head->offer_ply = head->ply;
}

void advance_claim_refused(struct game_head *head, enum game_seat claimant, bool with_move)
{
    if (head->offer_by == SEAT_NONE || with_move)
        advance_offer(head, claimant);
}

void advance_start(struct game *view, int64_t service_ms, int64_t at_ms)
{
    view->head.status = GAME_ACTIVE;
    view->head.since_ms = game_is_watched(view) ? service_ms : 0;
    view->head.since_at_ms = at_ms;
}

void advance_wait(struct game_head *head)
{
    head->status = GAME_WAITING;
    head->offer_by = SEAT_NONE;
    head->takeback_by = SEAT_NONE;
}

static uint32_t also_holding(const struct endings *endings)
{
    uint32_t also = 0;
    for (unsigned e = ENDING_CHECKMATE; e < ENDING_COUNT; e++)
        if (endings->set >> e & 1 && e != (unsigned)endings->first)
            also |= 1U << termination_of_ending[e];
    return also;
}

/* Bit set over terminations: draws that the rules of this game bring about, in the order in which the first counts. They
 * stand below the automatic ends of the Laws. */
static uint32_t ends_of_rules(const struct game *view)
{
    struct key_history history = game_history(view);
    unsigned claims = claim_now(&view->head.position, &history) & view->rules.auto_claim;
    uint32_t ends = 0;
    if (claims >> CLAIM_THREEFOLD & 1 && view->head.repetition >= ENDING_THREEFOLD)
        ends |= 1U << TERMINATION_THREEFOLD_REPETITION;
    if (claims >> CLAIM_FIFTY & 1)
        ends |= 1U << TERMINATION_FIFTY_MOVES;
    if (view->rules.move_limit && view->head.ply / 2U >= view->rules.move_limit)
        ends |= 1U << TERMINATION_MOVE_LIMIT;
    return ends;
}

void advance_decide_end(struct game *view, enum game_seat mover, int64_t at_ms)
{
    const struct position *position = &view->head.position;
    struct ending_rules rules = {view->rules.fivefold, view->rules.seventyfive,
                                 (enum ending_dead)view->rules.dead};
    struct endings endings = ending_judge(position, movegen_count(position), view->head.repetition, &rules);
    uint32_t further = ends_of_rules(view);
    if (endings.first != ENDING_NONE) {
        enum game_seat winner = game_other_seat(game_seat_of(position_turn(position)));
        enum game_result result = endings.first == ENDING_CHECKMATE ? game_result_for(winner) : RESULT_DRAW;
        advance_end(view, termination_of_ending[endings.first], result, mover, at_ms);
        view->head.end.also = also_holding(&endings) | (further & 1U << TERMINATION_MOVE_LIMIT);
        if (endings.first == ENDING_DEAD_POSITION)
            view->head.end.dead_method = (uint8_t)endings.dead_method;
    } else if (further) {
        unsigned first = (unsigned)__builtin_ctz(further);
        advance_end(view, (enum game_termination)first, RESULT_DRAW, mover, at_ms);
        view->head.end.also = further & ~(1U << first);
    }
}

void advance_begin(struct game *view)
{
    struct game_head *head = &view->head;
    head->position = game_start(view);
    head->ply = 0;
    head->keys_first = 0;
    head->keys_count = head->repetition = head->most_repeated = 1;
    head->move_clock_ms = head->move_spent_ms = MOVE_TIME_NONE;
    view->keys[0] = head->position.key;
}

/* The game ends where a position has occurred so often. */
static bool ends_at(const struct game_rules *rules, unsigned count)
{
    bool claimed = rules->auto_claim >> CLAIM_THREEFOLD & 1;
    return (claimed && count >= ENDING_THREEFOLD) || (rules->fivefold && count >= ENDING_FIVEFOLD_COUNT);
}

/* How often the present position has occurred, by keys. Where the game would end by the number the positions themselves
 * are compared, from the first move on: once in a game, or where keys that are equal lie. */
static unsigned occurrences(const struct game *view, bool decide)
{
    struct key_history history = game_history(view);
    const struct position *position = &view->head.position;
    unsigned count = key_history_count(&history, position->key);
    if (!decide || !ends_at(&view->rules, count))
        return count;
    return replay_occurrences(view, position, view->head.ply, NULL, 0);
}

void advance_answer_offer(struct game_head *head, enum game_seat mover)
{
    if (head->offer_by == game_other_seat(mover))
        head->offer_by = SEAT_NONE;
}

void advance(struct game *view, move m, int64_t at_ms, bool decide)
{
    struct game_head *head = &view->head;
    struct position before = head->position;
    enum game_seat mover = game_seat_of(position_turn(&before));
    position_play(&before, m, &head->position);
    head->past = position_past(&before, m, &head->position);
    view->moves[head->ply++] = m;
    if (head->position.halfmove_clock == 0) {
        head->keys_first = (uint16_t)(head->keys_first + head->keys_count);
        head->keys_count = 0;
        head->most_repeated = 0;
    }
    view->keys[head->keys_first + head->keys_count++] = head->position.key;
    head->repetition = (uint16_t)occurrences(view, decide);
    if (head->repetition > head->most_repeated)
        head->most_repeated = head->repetition;
    head->move_at_ms = at_ms;
    head->move_clock_ms = head->move_spent_ms = MOVE_TIME_NONE;
    head->comment = NULL;
    advance_answer_offer(head, mover);
    head->takeback_by = SEAT_NONE;
    if (decide)
        advance_decide_end(view, mover, at_ms);
}
