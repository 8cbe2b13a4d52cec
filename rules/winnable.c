/* The stages, cheapest first. */
#include "rules/winnable.h"

#include <stddef.h>

#include "rules/movegen.h"
#include "rules/winnable_reach.h"
#include "rules/winnable_search.h"
#include "rules/winnable_shorten.h"
#include "rules/winnable_split.h"

/* Why each line holds, with B the winner's bishops and K, k the kings:
 * - A bare king attacks nothing that its enemy's king may stand next to (3.9.2).
 * - One knight, against queens only: the test program tries every mate pattern. Each square that K and the
 *   knight leave open must have a queen on it, and one of those always takes the knight.
 * - Bishops of one colour of squares, against no knight, no pawn, no bishop of the other colour: the squares
 *   that share a side with k are of the other colour, so each is off the board, next to K, or has a rook or
 *   queen on it. The check comes along a diagonal; the two squares beside its last step share a side with k
 *   and are on the board. A rook or queen there takes on or steps to that last step, and cannot be pinned: it
 *   stands on the other colour. So K would be next to both, and the only squares that are next to both are k
 *   and the four round it. Two bishops of one colour do not check at once after a move.
 * Captures only take from both sides, promotion needs a pawn: each condition lasts. */
bool winnable_material_forbids(const struct position *p, enum color winner)
{
    bitboard ours = p->by_color[winner], theirs = p->by_color[color_other(winner)];
    bitboard men = ours & ~p->by_type[PIECE_KING];
    if (!men)
        return true;
    if (men & ~(p->by_type[PIECE_KNIGHT] | p->by_type[PIECE_BISHOP]))
        return false;
    if (men & p->by_type[PIECE_KNIGHT])
        return !bitboard_has_several(men) && !(theirs & ~(p->by_type[PIECE_KING] | p->by_type[PIECE_QUEEN]));
    bitboard bishops = p->by_type[PIECE_BISHOP];
    if (theirs & (p->by_type[PIECE_KNIGHT] | p->by_type[PIECE_PAWN]))
        return false;
    return !(bishops & BITBOARD_LIGHT) || !(bishops & ~BITBOARD_LIGHT);
}

static void decide(struct winnable_result *result, enum winnable_verdict verdict, enum winnable_method method)
{
    result->verdict = verdict;
    result->method = method;
}

static bool decide_terminal(const struct position *p, enum color winner, struct winnable_result *result)
{
    if (movegen_any(p))
        return false;
    bool mates = position_is_check(p) && position_turn(p) != winner;
    decide(result, mates ? WINNABLE_YES : WINNABLE_NO, WINNABLE_TERMINAL);
    return true;
}

/* Nodes of each stage: most questions end in the first. A case of winnable_split.h takes as long as some dozens of
 * positions. */
enum {
    NODES_QUICK = 1500,
    NODES_FIRST = 256,
    NODES_SECOND = 4000,
    NODES_PLAN = 3000,
    CASES = 2000,
    NODES_A_CASE = 40
};

static uint32_t at_most(uint32_t nodes, uint32_t stage)
{
    return nodes < stage ? nodes : stage;
}

/* The cheap stages. */
static bool decide_at_sight(const struct position *position, enum color winner,
                            struct winnable_result *result)
{
    result->verdict = WINNABLE_UNDETERMINED;
    result->method = WINNABLE_NONE;
    result->nodes = 1;
    result->length = 0;
    if (decide_terminal(position, winner, result))
        return true;
    if (winnable_material_forbids(position, winner))
        decide(result, WINNABLE_NO, WINNABLE_MATERIAL);
    return result->verdict != WINNABLE_UNDETERMINED;
}

static void decide_by_structure(const struct winnable_question *question, const struct reach *reach,
                                struct winnable_result *result)
{
    if (winnable_reach_forbids_mate(reach, question->winner) ||
        winnable_split_forbids(question, at_most(question->nodes / NODES_A_CASE, CASES), &result->nodes))
        decide(result, WINNABLE_NO, WINNABLE_STRUCTURE);
}

static void search(const struct winnable_question *question, uint32_t nodes, uint32_t narrow_nodes,
                   struct winnable_result *result)
{
    const struct search_effort effort = {at_most(question->nodes, nodes),
                                         at_most(question->nodes, narrow_nodes), NULL, false};
    winnable_search(question, &effort, result);
}

/* Ordinary positions end here, with a short mate. */
static void search_quickly(const struct winnable_question *question, struct winnable_result *result)
{
    const struct search_effort effort = {at_most(question->nodes, NODES_QUICK), 0, NULL, true};
    winnable_search(question, &effort, result);
}

static void search_by_plans(const struct winnable_question *question, const struct reach *reach,
                            struct winnable_result *result)
{
    struct winnable_plan plans[PLANS_MAX];
    unsigned count = winnable_plan_find(reach, question->winner, plans);
    for (unsigned i = 0; i < count && result->verdict == WINNABLE_UNDETERMINED; i++) {
        const struct search_effort effort = {at_most(question->nodes, NODES_PLAN), 0, &plans[i], false};
        winnable_search(question, &effort, result);
    }
}

/* Cheapest first; each ends the question or leaves it to the next. */
static void decide_in_stages(const struct winnable_question *question, struct winnable_result *result)
{
    struct reach reach;
    search_quickly(question, result);
    if (result->verdict != WINNABLE_UNDETERMINED)
        return;
    search(question, NODES_FIRST, 0, result);
    if (result->verdict != WINNABLE_UNDETERMINED)
        return;
    winnable_reach_init(question->position, &reach);
    winnable_reach_saturate(&reach);
    decide_by_structure(question, &reach, result);
    if (result->verdict == WINNABLE_UNDETERMINED && question->nodes > NODES_FIRST)
        search(question, NODES_SECOND, question->nodes, result);
    if (result->verdict == WINNABLE_UNDETERMINED && question->nodes > NODES_SECOND)
        search_by_plans(question, &reach, result);
    if (result->verdict == WINNABLE_UNDETERMINED && question->nodes > NODES_SECOND)
        search(question, question->nodes, 0, result);
}

void winnable_decide(const struct position *position, enum color winner, uint32_t nodes,
                     const struct winnable_scratch *scratch, struct winnable_result *result)
{
    const struct winnable_question question = {position, winner, nodes, scratch};
    if (decide_at_sight(position, winner, result))
        return;
    decide_in_stages(&question, result);
    if (result->verdict == WINNABLE_YES)
        winnable_shorten(&question, result);
}
