/* Two ways. From some positions of the line a short mate is looked for anew (winnable_quick.h): what a long line
 * was needed for, opening a wall say, is often done half-way. And where a move leads from one position of the
 * line to a later one, or to a mate, what lies between is cut out. */
#include "rules/winnable_shorten.h"

#include "rules/movegen.h"
#include "rules/winnable_search.h"

enum { SHORT = 14 /* half-moves that no one minds */, PROBES = 4, NODES_PROBE = 400, NODES_CUT = 1000 };
enum { INDEX_SIZE = 2048 /* a power of two, well above WINNABLE_LINE_MAX */ };

/* The positions of a line by key: numbers from 1, 0 where nothing is. */
struct trail {
    uint64_t keys[WINNABLE_LINE_MAX + 1];
    uint16_t index[INDEX_SIZE];
};

static uint32_t at_most(uint32_t nodes, uint32_t limit)
{
    return nodes < limit ? nodes : limit;
}

static bool is_mate(const struct position *p, enum color winner)
{
    return p->turn != winner && position_is_check(p) && !movegen_any(p);
}

static void play(const struct position *from, const move *line, unsigned count, struct position *to)
{
    *to = *from;
    for (unsigned i = 0; i < count; i++) {
        struct position before = *to;
        position_play(&before, line[i], to);
    }
}

static bool mates(const struct position *from, enum color winner, const move *line, unsigned count)
{
    struct position p = *from;
    for (unsigned i = 0; i < count; i++) {
        struct position before = p;
        if (!movegen_is_legal(&before, line[i]))
            return false;
        position_play(&before, line[i], &p);
    }
    return is_mate(&p, winner);
}

/* ---- a short mate from a position of the line ------------------------------------------------------------- */

/* Looks for another end of the line after `kept` half-moves. */
static bool probe(const struct winnable_question *question, unsigned kept, struct winnable_result *result)
{
    struct position from;
    struct winnable_result tail = {.verdict = WINNABLE_UNDETERMINED};
    play(question->position, result->line, kept, &from);
    struct winnable_question rest = *question;
    rest.position = &from;
    const struct search_effort effort = {.nodes = at_most(question->nodes, NODES_PROBE), .quick = true};
    winnable_search(&rest, &effort, &tail);
    result->nodes += tail.nodes;
    if (tail.verdict != WINNABLE_YES || kept + tail.length >= result->length)
        return false;
    for (unsigned i = 0; i < tail.length; i++)
        result->line[kept + i] = tail.line[i];
    result->length = (uint16_t)(kept + tail.length);
    return true;
}

/* Halves the part before which no short mate is known. */
static void replace_end(const struct winnable_question *question, struct winnable_result *result)
{
    unsigned known = 0, end = result->length;
    for (unsigned i = 0; i < PROBES && end > known + SHORT; i++) {
        unsigned middle = known + (end - known) / 2;
        if (probe(question, middle, result))
            end = middle;
        else
            known = middle;
    }
}

/* ---- cuts ------------------------------------------------------------------------------------------------ */

static unsigned slot_of(const struct trail *trail, uint64_t key)
{
    unsigned at = (unsigned)key & (INDEX_SIZE - 1);
    while (trail->index[at] && trail->keys[trail->index[at] - 1] != key)
        at = (at + 1) & (INDEX_SIZE - 1);
    return at;
}

/* A position that comes twice is known by where it comes last. */
static void follow(const struct position *from, const struct winnable_result *result, struct trail *trail)
{
    struct position p = *from;
    for (unsigned i = 0; i <= result->length; i++) {
        struct position before = p;
        trail->keys[i] = p.key;
        trail->index[slot_of(trail, p.key)] = (uint16_t)(i + 1);
        if (i < result->length)
            position_play(&before, result->line[i], &p);
    }
}

/* The move that leads farthest along the line; *reached: to which position of it. */
static move farthest(const struct position *p, const struct winnable_question *question,
                     const struct trail *trail, unsigned length, unsigned *reached)
{
    struct movelist list;
    move best = MOVE_NONE;
    movegen_legal(p, &list);
    for (unsigned i = 0; i < list.count; i++) {
        struct position after;
        position_play(p, list.moves[i], &after);
        unsigned at =
            is_mate(&after, question->winner) ? length + 1 : trail->index[slot_of(trail, after.key)];
        if (at <= *reached + 1)
            continue;
        *reached = at - 1;
        best = list.moves[i];
    }
    return best;
}

/* One pass along the line, from position to position by the move that leads farthest. */
static void cut(const struct winnable_question *question, struct winnable_result *result)
{
    struct trail trail = {.index = {0}};
    struct position p = *question->position;
    move line[WINNABLE_LINE_MAX];
    unsigned count = 0, at = 0, looked = 0;
    follow(&p, result, &trail);
    while (at < result->length) {
        struct position before = p;
        unsigned reached = at + 1;
        move m = MOVE_NONE;
        if (looked < at_most(question->nodes, NODES_CUT)) {
            looked += movegen_count(&before);
            m = farthest(&before, question, &trail, result->length, &reached);
        }
        line[count++] = m == MOVE_NONE ? result->line[at] : m;
        position_play(&before, line[count - 1], &p);
        at = reached;
    }
    result->nodes += looked;
    if (count >= result->length || !mates(question->position, question->winner, line, count))
        return;
    for (unsigned i = 0; i < count; i++)
        result->line[i] = line[i];
    result->length = (uint16_t)count;
}

void winnable_shorten(const struct winnable_question *question, struct winnable_result *result)
{
    if (result->length <= SHORT)
        return;
    replace_end(question, result);
    cut(question, result);
}
