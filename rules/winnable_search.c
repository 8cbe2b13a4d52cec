/* The positions are kept packed and compared in full, never by key alone: two positions with one key must not
 * hide a mate. What follows from a position that winnable_material_forbids or winnable_structure_forbids rules
 * out is not kept: it holds no mate by the winner, so the closure stays complete without it. */
#include "rules/winnable_search.h"

#include "rules/movegen.h"
#include "rules/winnable_plan.h"
#include "rules/winnable_promise.h"
#include "rules/winnable_quick.h"
#include "rules/winnable_reach.h"

enum { NO_NODE = 0 /* in index, links and queues: nodes count from 1 */ };
enum { CASTLING_ROOK = 7 };
enum { INDEX_FIRST = 64 };
enum { STRIDE = 37 /* odd, so that every queue is met */ };

struct node {
    bitboard planes[4]; /* bits 0-2 of a square: its piece_type, or CASTLING_ROOK; plane 3: black */
    uint64_t key;
    uint32_t parent, next; /* next: in the queue of its promise */
    move move;             /* that led here */
    uint16_t depth;
    uint8_t turn, en_passant;
    bool expanded;
};

struct search {
    enum color winner;
    const struct winnable_plan *plan; /* or NULL */
    bool quick, chess960;
    bool full;          /* a position found no room: the search ends */
    bool cut;           /* a position was left out: an empty queue proves nothing */
    struct node *nodes; /* [1 .. count] */
    uint64_t *index;    /* open addressing; size mask + 1; 0 is empty */
    uint32_t count, limit, mask, oldest, turns;
    uint32_t expanded, narrow_limit;
    uint32_t asked, forbidden;    /* the structure */
    uint32_t head[PROMISE_COUNT]; /* last in, first out: the search dives */
    unsigned best;                /* no queue before this one holds anything */
    unsigned turn_of;             /* quick: the queue whose turn was last */
};

/* ---- packing ------------------------------------------------------------------------------------------- */

static void pack(const struct position *p, struct node *node)
{
    const bitboard *type = p->by_type;
    bitboard rights = p->castling_rooks;
    node->planes[0] = type[PIECE_PAWN] | type[PIECE_BISHOP] | type[PIECE_QUEEN] | rights;
    node->planes[1] = type[PIECE_KNIGHT] | type[PIECE_BISHOP] | type[PIECE_KING] | rights;
    node->planes[2] = type[PIECE_ROOK] | type[PIECE_QUEEN] | type[PIECE_KING];
    node->planes[3] = p->by_color[COLOR_BLACK];
    node->key = p->key;
    node->turn = p->turn;
    node->en_passant = p->en_passant;
}

static void unpack(const struct node *node, bool chess960, struct position *p)
{
    bitboard a = node->planes[0], b = node->planes[1], c = node->planes[2];
    bitboard occupied = a | b | c;
    *p = (struct position){
        .by_color = {occupied & ~node->planes[3], node->planes[3]},
        .by_type = {occupied, a & ~b & ~c, b & ~a & ~c, a & b & ~c, c & ~(a ^ b), a & c & ~b, b & c & ~a},
        .key = node->key,
        .castling_rooks = a & b & c,
        .turn = node->turn,
        .en_passant = node->en_passant,
        .double_step = SQUARE_NONE,
        .chess960 = chess960,
        .fullmove_number = 1,
    };
}

static bool same(const struct node *a, const struct node *b)
{
    return a->key == b->key && a->planes[0] == b->planes[0] && a->planes[1] == b->planes[1] &&
           a->planes[2] == b->planes[2] && a->planes[3] == b->planes[3] && a->turn == b->turn &&
           a->en_passant == b->en_passant;
}

/* ---- the set of positions ------------------------------------------------------------------------------ */

/* An entry of the index: half of the key, so that most comparisons end here, and the number of the node. */
static uint64_t entry_of(const struct node *node, uint32_t n)
{
    return (node->key & 0xFFFFFFFF00000000ULL) | n;
}

static uint32_t number_in(uint64_t entry)
{
    return (uint32_t)entry;
}

/* Where the position is, or would be. */
static uint64_t *slot_of(const struct search *search, const struct node *node)
{
    uint32_t at = (uint32_t)node->key & search->mask;
    for (; search->index[at]; at = (at + 1) & search->mask) {
        bool may_be = ((search->index[at] ^ node->key) >> 32) == 0;
        if (may_be && same(&search->nodes[number_in(search->index[at])], node))
            break;
    }
    return &search->index[at];
}

/* The index grows with what is in it, so that a short search clears little. */
static void clear_index(struct search *search, uint32_t size)
{
    search->mask = size - 1;
    for (uint32_t i = 0; i < size; i++)
        search->index[i] = 0;
    for (uint32_t n = 1; n <= search->count; n++) {
        uint32_t at = (uint32_t)search->nodes[n].key & search->mask;
        while (search->index[at])
            at = (at + 1) & search->mask;
        search->index[at] = entry_of(&search->nodes[n], n);
    }
}

static void enqueue(struct search *search, uint32_t n, unsigned promise)
{
    search->nodes[n].next = search->head[promise];
    search->head[promise] = n;
    if (promise < search->best)
        search->best = promise;
}

/* A search that has looked behind most of its positions is soon at its end: it is given more room. */
static bool goes_on(struct search *search)
{
    if (search->limit >= search->narrow_limit || 2 * search->expanded < search->count)
        return false;
    uint32_t more = search->limit + search->limit / 2;
    search->limit = more < search->narrow_limit ? more : search->narrow_limit;
    return true;
}

/* The number of the position, new or old; NO_NODE where there is no room. */
static uint32_t keep(struct search *search, const struct position *p, uint32_t parent, move m, bool *is_new)
{
    struct node *node = &search->nodes[search->count + 1];
    if (search->count >= search->limit && !goes_on(search))
        return NO_NODE;
    pack(p, node);
    uint64_t *slot = slot_of(search, node);
    *is_new = !*slot;
    if (!*is_new)
        return number_in(*slot);
    uint32_t n = ++search->count;
    *slot = entry_of(node, n);
    node->parent = parent;
    node->move = m;
    node->depth = parent == NO_NODE ? 0 : (uint16_t)(search->nodes[parent].depth + 1);
    node->expanded = false;
    if (search->count >= (search->mask + 1) / 4 * 3)
        clear_index(search, 2 * (search->mask + 1));
    return n;
}

/* ---- the search ---------------------------------------------------------------------------------------- */

/* The first position of a queue that is not yet expanded. */
static uint32_t take_from(struct search *search, unsigned promise)
{
    uint32_t n;
    while ((n = search->head[promise]) != NO_NODE) {
        search->head[promise] = search->nodes[n].next;
        if (!search->nodes[n].expanded)
            break;
    }
    return n;
}

/* What looks near to a mate and is not must not hold up the rest: all queues have their turn now and then. */
static uint32_t take_in_turn(struct search *search)
{
    uint32_t n = NO_NODE;
    for (unsigned i = 0; i < PROMISE_COUNT && n == NO_NODE; i++) {
        search->turn_of = (search->turn_of + STRIDE) % PROMISE_COUNT;
        n = take_from(search, search->turn_of);
    }
    return n;
}

static uint32_t take_oldest(struct search *search)
{
    while (search->oldest <= search->count && search->nodes[search->oldest].expanded)
        search->oldest++;
    return search->oldest <= search->count ? search->oldest : NO_NODE;
}

/* The most promising position not yet expanded; now and then the oldest one, less often where a plan says more of
 * what is promising. NO_NODE: none is left. */
static uint32_t take(struct search *search)
{
    if (search->quick && ++search->turns % 3 == 0)
        return take_in_turn(search);
    if (!search->quick && ++search->turns % (search->plan ? 8 : 4) == 0)
        return take_oldest(search);
    uint32_t n = NO_NODE;
    for (; search->best < PROMISE_COUNT; search->best++)
        if ((n = take_from(search, search->best)) != NO_NODE)
            break;
    return n;
}

static bool is_mate(const struct position *p)
{
    return position_is_check(p) && !movegen_any(p);
}

static bool is_zeroing(const struct position *before, move m)
{
    return bitboard_has(before->by_type[PIECE_PAWN], move_from(m)) ||
           (move_kind(m) != MOVE_CASTLING && bitboard_has(position_occupied(before), move_to(m)));
}

/* The structure is asked after captures and pawn moves, and less often where it seldom helps. */
static bool is_ruled_out(struct search *search, const struct position *p)
{
    if (winnable_material_forbids(p, search->winner))
        return true;
    if (search->count < 64 ||
        (++search->asked > 64 && search->forbidden * 2 < search->asked && (search->asked & 63u)))
        return false;
    bool forbids = winnable_structure_forbids(p, search->winner);
    search->forbidden += forbids;
    return forbids;
}

static unsigned promise_of(const struct search *search, const struct position *p, unsigned depth)
{
    if (search->quick)
        return winnable_quick_promise(p, search->winner);
    if (!search->plan)
        return winnable_promise(p, search->winner, depth);
    unsigned promise = 2 * winnable_plan_distance(search->plan, p) + depth / 64;
    return promise < PROMISE_COUNT ? promise : PROMISE_COUNT - 1;
}

/* Keeps the position after a move. The node if it is a mate by the winner, else NO_NODE. */
static uint32_t follow(struct search *search, const struct position *before, uint32_t parent, move m,
                       const struct position *after)
{
    bool is_new = false;
    if (after->turn != search->winner && is_mate(after)) {
        uint32_t mate = keep(search, after, parent, m, &is_new);
        search->full |= mate == NO_NODE;
        return mate;
    }
    if (is_zeroing(before, m) && is_ruled_out(search, after))
        return NO_NODE;
    uint32_t n = keep(search, after, parent, m, &is_new);
    if (n == NO_NODE)
        search->full = true;
    else if (is_new)
        enqueue(search, n, promise_of(search, after, search->nodes[n].depth));
    return NO_NODE;
}

/* A few moves are made at a time, and the index asked for them all, before the first is looked up: most of the
 * time of a search is waiting for memory. */
enum { BATCH = 16 };

static uint32_t follow_batch(struct search *search, const struct position *before, uint32_t parent,
                             const move *moves, unsigned count)
{
    struct position after[BATCH];
    for (unsigned i = 0; i < count; i++) {
        position_play(before, moves[i], &after[i]);
        __builtin_prefetch(&search->index[(uint32_t)after[i].key & search->mask]);
    }
    uint32_t mate = NO_NODE;
    for (unsigned i = 0; i < count && !search->full && mate == NO_NODE; i++)
        mate = follow(search, before, parent, moves[i], &after[i]);
    return mate;
}

static uint32_t expand(struct search *search, uint32_t n)
{
    struct node *node = &search->nodes[n];
    node->expanded = true;
    search->expanded++;
    if (node->depth >= WINNABLE_LINE_MAX) {
        search->cut = true;
        return NO_NODE;
    }
    struct position position;
    struct movelist list;
    uint32_t mate = NO_NODE;
    unpack(node, search->chess960, &position);
    movegen_legal(&position, &list);
    if (search->quick)
        search->cut |= winnable_quick_prune(&position, search->winner, &list);
    for (unsigned i = 0; i < list.count && !search->full && mate == NO_NODE; i += BATCH)
        mate = follow_batch(search, &position, n, &list.moves[i],
                            list.count - i < BATCH ? list.count - i : BATCH);
    return mate;
}

static void report_line(const struct search *search, uint32_t mate, struct winnable_result *result)
{
    result->verdict = WINNABLE_YES;
    result->method = WINNABLE_SEARCH;
    result->length = search->nodes[mate].depth;
    for (uint32_t n = mate; search->nodes[n].depth > 0; n = search->nodes[n].parent)
        result->line[search->nodes[n].depth - 1] = search->nodes[n].move;
}

/* Positions that fit beside an index of `size` entries, which is never more than three quarters full. */
static size_t room_beside(size_t size, size_t bytes)
{
    size_t index = size * sizeof(uint64_t), kept = size / 4 * 3;
    size_t room = bytes > index ? (bytes - index) / sizeof(struct node) : 0;
    return room < kept ? room : kept;
}

static bool lay_out(struct search *search, const struct search_effort *effort,
                    const struct winnable_scratch *scratch)
{
    uint32_t nodes = effort->nodes > effort->narrow_nodes ? effort->nodes : effort->narrow_nodes;
    if (!scratch->memory || scratch->bytes < WINNABLE_SCRATCH_MIN)
        return false;
    size_t size = INDEX_FIRST;
    while (room_beside(size, scratch->bytes) < nodes + 2ULL &&
           room_beside(2 * size, scratch->bytes) > room_beside(size, scratch->bytes))
        size *= 2;
    size_t room = room_beside(size, scratch->bytes) - 2; /* number 0, and the one that finds no room */
    search->index = scratch->memory;
    search->nodes = (struct node *)(void *)(search->index + size);
    search->limit = effort->nodes < room ? effort->nodes : (uint32_t)room;
    search->narrow_limit = nodes < room ? nodes : (uint32_t)room;
    return true;
}

void winnable_search(const struct winnable_question *question, const struct search_effort *effort,
                     struct winnable_result *result)
{
    const struct position *root = question->position;
    struct search search = {.winner = question->winner,
                            .plan = effort->plan,
                            .quick = effort->quick,
                            .chess960 = root->chess960,
                            .oldest = 1,
                            .best = PROMISE_COUNT};
    bool is_new;
    if (!lay_out(&search, effort, question->scratch))
        return;
    clear_index(&search, INDEX_FIRST);
    uint32_t mate = NO_NODE, n = keep(&search, root, NO_NODE, MOVE_NONE, &is_new);
    if (n == NO_NODE)
        return;
    enqueue(&search, n, 0);
    while (mate == NO_NODE && !search.full && (n = take(&search)) != NO_NODE)
        mate = expand(&search, n);
    result->nodes += search.count;
    if (mate != NO_NODE) {
        report_line(&search, mate, result);
    } else if (!search.full && !search.cut) {
        result->verdict = WINNABLE_NO;
        result->method = WINNABLE_SEARCH;
    }
}
