/* The check after each move: what cannot be dead by its looks costs nothing more. */
#include "rules/movegen.h"
#include "rules/winnable.h"
#include "rules/winnable_question.h"
#include "rules/winnable_rays.h"
#include "rules/winnable_reach.h"
#include "rules/winnable_search.h"
#include "rules/winnable_split.h"

enum { FORCED_MOVES_MAX = 2, TIGHT_MOVES_MAX = 12, NODES_FIRST = 64, NODES_SECOND = 1000, CASES = 40 };

/* What a position looks like. Everything else is taken for alive unseen. */
enum look {
    LOOKS_ALIVE,
    LOOKS_POOR,    /* minor pieces only */
    LOOKS_BLOCKED, /* a wall: pawns that all stand still; or little room, without being in check */
    LOOKS_FORCED   /* few moves: what follows may be forced */
};

static bool some_pawn_is_free(const struct position *p)
{
    bitboard pawns = p->by_type[PIECE_PAWN], empty = ~position_occupied(p);
    bitboard white = pawns & p->by_color[COLOR_WHITE], black = pawns & p->by_color[COLOR_BLACK];
    return (rays_forward(white, COLOR_WHITE) & empty) || (rays_forward(black, COLOR_BLACK) & empty) ||
           (rays_pawn(white, COLOR_WHITE) & p->by_color[COLOR_BLACK]) ||
           (rays_pawn(black, COLOR_BLACK) & p->by_color[COLOR_WHITE]);
}

static enum look look_at(const struct position *p, unsigned legal_moves)
{
    if (!(p->by_type[PIECE_PAWN] | p->by_type[PIECE_ROOK] | p->by_type[PIECE_QUEEN]))
        return LOOKS_POOR;
    if (p->by_type[PIECE_PAWN] && !some_pawn_is_free(p))
        return LOOKS_BLOCKED;
    if (legal_moves > TIGHT_MOVES_MAX)
        return LOOKS_ALIVE;
    if (!position_is_check(p))
        return LOOKS_BLOCKED;
    return legal_moves <= FORCED_MOVES_MAX ? LOOKS_FORCED : LOOKS_ALIVE;
}

static enum winnable_verdict search(const struct winnable_question *question, uint32_t nodes)
{
    const struct search_effort effort = {.nodes = nodes};
    struct winnable_result result;
    result.verdict = WINNABLE_UNDETERMINED;
    result.nodes = 0;
    winnable_search(question, &effort, &result);
    return result.verdict;
}

/* What proves that `winner` cannot mate; WINNABLE_NONE: nothing that is tried here. Most positions that look
 * blocked are alive, and a short search finds a mate: so structure, which takes longer, comes between two. */
static enum winnable_method forbidden_by(const struct winnable_question *question, enum look look)
{
    const struct position *p = question->position;
    enum color winner = question->winner;
    uint32_t cases = 0;
    if (winnable_material_forbids(p, winner))
        return WINNABLE_MATERIAL;
    enum winnable_verdict verdict = search(question, NODES_FIRST);
    if (verdict == WINNABLE_UNDETERMINED && look == LOOKS_BLOCKED) {
        if (winnable_structure_forbids(p, winner))
            return WINNABLE_STRUCTURE;
        verdict = search(question, NODES_SECOND);
    }
    if (verdict == WINNABLE_UNDETERMINED && look == LOOKS_BLOCKED &&
        winnable_split_forbids(question, CASES, &cases))
        return WINNABLE_STRUCTURE;
    return verdict == WINNABLE_NO ? WINNABLE_SEARCH : WINNABLE_NONE;
}

static unsigned force(const struct position *p, enum color color)
{
    static const unsigned worth[PIECE_COUNT] = {
        [PIECE_PAWN] = 1, [PIECE_KNIGHT] = 3, [PIECE_BISHOP] = 3, [PIECE_ROOK] = 5, [PIECE_QUEEN] = 9};
    unsigned sum = 0;
    for (unsigned type = PIECE_PAWN; type < PIECE_KING; type++)
        sum += worth[type] * bitboard_count(position_pieces(p, color, (enum piece_type)type));
    return sum;
}

/* Where one of the two can mate nothing is dead: it is asked first of whom a mate is found sooner. */
static enum color stronger(const struct position *p)
{
    return force(p, COLOR_BLACK) > force(p, COLOR_WHITE) ? COLOR_BLACK : COLOR_WHITE;
}

bool winnable_looks_alive(const struct position *position, unsigned legal_moves)
{
    return look_at(position, legal_moves) == LOOKS_ALIVE;
}

enum winnable_method winnable_dead_method(const struct position *p, const struct winnable_scratch *scratch)
{
    unsigned legal_moves = movegen_count(p);
    enum look look = look_at(p, legal_moves);
    if (look == LOOKS_ALIVE || legal_moves == 0)
        return WINNABLE_NONE;
    struct winnable_question question = {.position = p, .winner = stronger(p), .scratch = scratch};
    enum winnable_method first = forbidden_by(&question, look);
    if (first == WINNABLE_NONE)
        return WINNABLE_NONE;
    question.winner = color_other(question.winner);
    enum winnable_method second = forbidden_by(&question, look);
    return second == WINNABLE_NONE || second > first ? second : first;
}

bool winnable_is_dead(const struct position *position, const struct winnable_scratch *scratch)
{
    return winnable_dead_method(position, scratch) != WINNABLE_NONE;
}
