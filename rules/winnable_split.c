/* A case is a struct reach whose `start` sets hold every position of the game right after some capture or pawn
 * move: the piece that moved on its square, the others in the sets that they could come to before. Claim: if
 * prove() is true no legal game from any position of the case has a mate by the winner. The mate would come
 * before the next capture or pawn move, and is then one of the quiet sets, or after it, and the position after
 * that move is in one of the cases that follow(). Captures and pawn moves do not come back, so the recursion
 * ends; it is cut by depth and number, and what is cut is not proven. */
#include "rules/winnable_split.h"

#include "rules/winnable_rays.h"
#include "rules/winnable_reach.h"

enum { DEPTH_MAX = 24 };

/* A proven case. */
struct proven {
    bitboard start[REACH_PIECES_MAX];
    uint8_t kind[REACH_PIECES_MAX]; /* type and color */
    uint8_t count, turn;
};

struct splitting {
    enum color winner;
    bool castling; /* still possible */
    uint32_t cases, limit;
    struct proven *proven;
    uint32_t proven_count, proven_limit;
};

static bool prove(struct splitting *splitting, const struct reach *start, enum color turn,
                  const struct reach_last *last, unsigned depth);

/* ---- what is proven already ----------------------------------------------------------------------------- */

/* Every position of the case is one of the proven case. */
static bool is_inside(const struct reach *start, enum color turn, const struct proven *proven)
{
    if (proven->count != start->count || proven->turn != turn)
        return false;
    for (unsigned i = 0; i < start->count; i++) {
        const struct reach_piece *piece = &start->pieces[i];
        if (proven->kind[i] != (piece->type << 1 | piece->color) || (piece->start & ~proven->start[i]))
            return false;
    }
    return true;
}

static bool is_proven(const struct splitting *splitting, const struct reach *start, enum color turn)
{
    for (uint32_t i = splitting->proven_count; i-- > 0;)
        if (is_inside(start, turn, &splitting->proven[i]))
            return true;
    return false;
}

static void remember(struct splitting *splitting, const struct reach *start, enum color turn)
{
    if (splitting->proven_count == splitting->proven_limit)
        return;
    struct proven *proven = &splitting->proven[splitting->proven_count++];
    proven->count = (uint8_t)start->count;
    proven->turn = (uint8_t)turn;
    for (unsigned i = 0; i < start->count; i++) {
        proven->start[i] = start->pieces[i].start;
        proven->kind[i] = (uint8_t)(start->pieces[i].type << 1 | start->pieces[i].color);
    }
}

/* ---- the next capture or pawn move ---------------------------------------------------------------------- */

struct event {
    unsigned piece, captured; /* captured: count of pieces where nothing is */
    bitboard to;              /* somewhere here */
    bitboard through;         /* passed in a double step */
    enum piece_type becomes;
};

/* Squares of a king that are not next to the other king, which stands on one of `others` (3.9.2). */
static bitboard apart(bitboard squares, bitboard others)
{
    for (bitboard left = squares; left;) {
        square s = bitboard_pop(&left);
        if (!(others & ~rays_king(bit(s)) & ~bit(s)))
            squares &= ~bit(s);
    }
    return squares;
}

/* The squares that the others may have been on when the event came: not where the piece went, nor the square
 * it passed; kings are not next to each other before and after. False where that leaves no place for a
 * piece. */
static bool narrow(struct reach *next, const struct reach_last *last, const struct event *event)
{
    const struct reach_piece *moved = &next->pieces[last->piece];
    bitboard taken = event->through | (bitboard_has_several(moved->start) ? 0 : moved->start);
    for (unsigned i = 0; i < next->count; i++) {
        struct reach_piece *piece = &next->pieces[i];
        if (i == last->piece)
            continue;
        piece->start &= ~taken;
        if (piece->type == PIECE_KING && moved->type == PIECE_KING)
            piece->start = apart(apart(piece->start, moved->start), last->opened);
        if (!piece->start)
            return false;
    }
    return true;
}

static void after_event(const struct reach *quiet, const struct event *event, struct reach *next,
                        unsigned *moved)
{
    next->count = 0;
    next->quiet = false;
    for (unsigned i = 0; i < quiet->count; i++) {
        const struct reach_piece *piece = &quiet->pieces[i];
        if (i == event->captured)
            continue;
        if (i == event->piece)
            *moved = next->count;
        next->pieces[next->count++] = (struct reach_piece){
            .start = i == event->piece ? event->to : piece->stand,
            .color = piece->color,
            .type = i == event->piece ? (uint8_t)event->becomes : piece->type,
        };
    }
}

static void settle(struct reach *reach)
{
    for (unsigned i = 0; i < reach->count; i++)
        reach->pieces[i].stand = reach->pieces[i].start;
}

/* Squares that an event may clear: where the piece came from and, en passant, where the pawn taken had just
 * arrived, one step beyond the square it passed. */
static bitboard opened_by(const struct reach *quiet, const struct event *event)
{
    const struct reach_piece *piece = &quiet->pieces[event->piece];
    bitboard opened = piece->stand;
    if (piece->type == PIECE_KING)
        opened &= rays_king(event->to);
    if (event->captured == quiet->count)
        return opened;
    const struct reach_piece *captured = &quiet->pieces[event->captured];
    bool en_passant = !(captured->stand & event->to);
    return en_passant ? opened | rays_forward(event->to, (enum color)captured->color) : opened;
}

static bool follow(struct splitting *splitting, const struct reach *quiet, const struct event *event,
                   unsigned depth)
{
    struct reach next = {.count = 0};
    unsigned moved = 0;
    enum color turn = color_other((enum color)quiet->pieces[event->piece].color);
    after_event(quiet, event, &next, &moved);
    struct reach_last last = {moved, opened_by(quiet, event)};
    if (!narrow(&next, &last, event))
        return true;
    settle(&next);
    return prove(splitting, &next, turn, &last, depth);
}

/* 3.7.3.1: the pawn that made the double step is taken at once on the square it passed. */
static bool follow_en_passant(struct splitting *splitting, const struct reach *quiet,
                              const struct event *step, unsigned depth)
{
    enum color color = (enum color)quiet->pieces[step->piece].color;
    for (unsigned i = 0; i < quiet->count; i++) {
        const struct reach_piece *taker = &quiet->pieces[i];
        if (taker->type != PIECE_PAWN || taker->color == color ||
            !(rays_pawn(taker->start, (enum color)taker->color) & step->through))
            continue;
        struct event event = {i, step->piece, step->through, 0, PIECE_PAWN};
        if (!follow(splitting, quiet, &event, depth))
            return false;
    }
    return true;
}

static bool follow_pawn(struct splitting *splitting, const struct reach *quiet, struct event event,
                        unsigned depth)
{
    enum color color = (enum color)quiet->pieces[event.piece].color;
    event.becomes = PIECE_PAWN;
    if (!(event.to & bitboard_rank(color == COLOR_WHITE ? RANK_8 : RANK_1)))
        return follow(splitting, quiet, &event, depth) &&
               (!event.through || follow_en_passant(splitting, quiet, &event, depth));
    for (unsigned type = PIECE_KNIGHT; type <= PIECE_QUEEN; type++) {
        event.becomes = (enum piece_type)type;
        if (!follow(splitting, quiet, &event, depth))
            return false;
    }
    return true;
}

static bool pushes_lead_nowhere(struct splitting *splitting, const struct reach *quiet, unsigned i,
                                unsigned depth)
{
    const struct reach_piece *pawn = &quiet->pieces[i];
    enum color color = (enum color)pawn->color;
    bitboard fixed = quiet->fixed[COLOR_WHITE] | quiet->fixed[COLOR_BLACK];
    bitboard home = bitboard_rank(color == COLOR_WHITE ? RANK_2 : RANK_7);
    bitboard once = rays_forward(pawn->start, color) & ~fixed;
    bitboard twice = pawn->start & home ? rays_forward(once, color) & ~fixed : 0;
    if (once && !follow_pawn(splitting, quiet, (struct event){i, quiet->count, once, 0, PIECE_PAWN}, depth))
        return false;
    return !twice ||
           follow_pawn(splitting, quiet, (struct event){i, quiet->count, twice, once, PIECE_PAWN}, depth);
}

/* Captures by pawn and king are cases square by square, those by other pieces one case for each victim. */
static bool capture_leads_nowhere(struct splitting *splitting, const struct reach *quiet,
                                  struct event capture, unsigned depth)
{
    enum piece_type type = capture.becomes;
    for (bitboard on = capture.to; on; on &= ~capture.to) {
        capture.to = type == PIECE_PAWN || type == PIECE_KING ? on & (0 - on) : on;
        bool nowhere = type == PIECE_PAWN ? follow_pawn(splitting, quiet, capture, depth)
                                          : follow(splitting, quiet, &capture, depth);
        if (!nowhere)
            return false;
    }
    return true;
}

static bool captures_lead_nowhere(struct splitting *splitting, struct reach *quiet, unsigned i,
                                  unsigned depth)
{
    bitboard to = winnable_reach_captures(quiet, i);
    enum piece_type type = (enum piece_type)quiet->pieces[i].type;
    for (unsigned victim = 0; victim < quiet->count && to; victim++) {
        const struct reach_piece *piece = &quiet->pieces[victim];
        if (piece->color == quiet->pieces[i].color || piece->type == PIECE_KING)
            continue;
        struct event capture = {i, victim, to & piece->stand, 0, type};
        if (!capture_leads_nowhere(splitting, quiet, capture, depth))
            return false;
    }
    return true;
}

/* ---- the proof ------------------------------------------------------------------------------------------ */

static bool every_event_leads_nowhere(struct splitting *splitting, struct reach *quiet, unsigned depth)
{
    for (unsigned i = 0; i < quiet->count; i++) {
        if (quiet->pieces[i].type == PIECE_PAWN && !pushes_lead_nowhere(splitting, quiet, i, depth))
            return false;
        if (!captures_lead_nowhere(splitting, quiet, i, depth))
            return false;
    }
    return true;
}

static bool saturated_forbids(const struct reach *start, enum color winner)
{
    struct reach sets = *start;
    winnable_reach_saturate(&sets);
    return winnable_reach_forbids_mate(&sets, winner);
}

/* The mate that is on the board when the case begins. */
static bool is_no_mate_now(const struct reach *start, enum color winner, enum color turn,
                           const struct reach_last *last)
{
    struct reach sets = *start;
    winnable_reach_freeze(&sets);
    return turn == winner || !last || winnable_reach_forbids_mate_after(&sets, winner, last);
}

/* With the winner to move, the mates by one quiet move of one of its pieces; all others are where they
 * started. */
static bool is_no_mate_next(const struct reach *start, enum color winner, enum color turn)
{
    for (unsigned i = 0; i < start->count && turn == winner; i++) {
        struct reach sets = *start;
        struct reach_last last = {i, start->pieces[i].start};
        if (start->pieces[i].color == winner && winnable_reach_step(&sets, i) &&
            !winnable_reach_forbids_mate_after(&sets, winner, &last))
            return false;
    }
    return true;
}

/* All mates before the next capture or pawn move, after at least one move. While castling is possible only the
 * sets themselves are asked: it moves two pieces at once, and the king by more than a step. */
static bool is_no_quiet_mate(const struct splitting *splitting, const struct reach *start, enum color turn,
                             struct reach *quiet)
{
    *quiet = *start;
    quiet->quiet = true;
    winnable_reach_saturate(quiet);
    if (splitting->castling)
        return winnable_reach_forbids_mate(quiet, splitting->winner);
    return is_no_mate_next(start, splitting->winner, turn) &&
           winnable_reach_forbids_later_mate(quiet, splitting->winner);
}

/* What is remembered as proven is everything after the first position: whether that is mate hangs on `last`. */
static bool prove(struct splitting *splitting, const struct reach *start, enum color turn,
                  const struct reach_last *last, unsigned depth)
{
    struct reach sets = *start;
    enum color winner = splitting->winner;
    if (++splitting->cases > splitting->limit)
        return false;
    if (saturated_forbids(start, winner))
        return true;
    if (!is_no_mate_now(start, winner, turn, last))
        return false;
    if (!winnable_reach_may_move(&sets, turn)) /* stalemate (5.2.1), or a mate by the other side (5.1.1) */
        return true;
    if (depth == 0)
        return false;
    if (is_proven(splitting, start, turn))
        return true;
    if (!is_no_quiet_mate(splitting, start, turn, &sets) ||
        !every_event_leads_nowhere(splitting, &sets, depth - 1))
        return false;
    remember(splitting, start, turn);
    return true;
}

bool winnable_split_forbids(const struct winnable_question *question, uint32_t cases, uint32_t *nodes)
{
    const struct position *position = question->position;
    const struct winnable_scratch *scratch = question->scratch;
    struct splitting splitting = {.winner = question->winner,
                                  .castling = position->castling_rooks != 0,
                                  .limit = cases,
                                  .proven = scratch->memory,
                                  .proven_limit = (uint32_t)(scratch->bytes / sizeof(struct proven))};
    if (!scratch->memory || (position->castling_rooks && position->chess960) ||
        position->en_passant != SQUARE_NONE)
        return false;
    struct reach start;
    winnable_reach_init(position, &start);
    bool proven = prove(&splitting, &start, position_turn(position), NULL, DEPTH_MAX);
    *nodes += splitting.cases;
    return proven;
}
