#include "api/view_board.h"

#include "api/board_words.h"
#include "api/put.h"

enum { CELL_BYTES = 4 }; /* the longest figurine has three */

struct cell {
    char text[CELL_BYTES]; /* copied whole, and counted as far as it goes */
    uint8_t length;
};

static struct cell cell_of(const struct board_view *view, square s)
{
    static const struct cell FIGURINES[COLOR_COUNT][PIECE_COUNT] = {
        {{"·", 2}, {"♙", 3}, {"♘", 3}, {"♗", 3}, {"♖", 3}, {"♕", 3}, {"♔", 3}},
        {{"·", 2}, {"♟", 3}, {"♞", 3}, {"♝", 3}, {"♜", 3}, {"♛", 3}, {"♚", 3}},
    };
    static const struct cell LETTERS[COLOR_COUNT][PIECE_COUNT] = {
        {{".", 1}, {"P", 1}, {"N", 1}, {"B", 1}, {"R", 1}, {"Q", 1}, {"K", 1}},
        {{".", 1}, {"p", 1}, {"n", 1}, {"b", 1}, {"r", 1}, {"q", 1}, {"k", 1}},
    };
    enum piece_type type = PIECE_NONE;
    enum color color = COLOR_WHITE;
    if (bitboard_has(position_occupied(view->position), s)) {
        type = position_piece_at(view->position, s);
        color = position_color_at(view->position, s);
    }
    return (view->style == BOARD_UNICODE ? FIGURINES : LETTERS)[color][type];
}

/* The n-th of eight ranks or files as the board is turned: ranks from above, files from the left. */
static unsigned turned(const struct board_view *view, unsigned n, bool rank)
{
    bool from_end = rank == (view->orientation == COLOR_WHITE);
    return from_end ? 7 - n : n;
}

static char *put_rank(char *at, const struct board_view *view, unsigned rank)
{
    if (view->coordinates) {
        *at++ = (char)('1' + rank);
        at = put_literal(at, "  ");
    }
    for (unsigned n = 0; n < 8; n++) {
        struct cell cell = cell_of(view, square_at(turned(view, n, false), rank));
        (void)put_bytes(at, cell.text, sizeof cell.text);
        at += cell.length;
        *at++ = ' ';
    }
    at[-1] = '\n';
    return at;
}

static char *put_files(char *at, const struct board_view *view)
{
    at = put_literal(at, "\n  ");
    for (unsigned n = 0; n < 8; n++) {
        *at++ = ' ';
        *at++ = (char)('a' + turned(view, n, false));
    }
    *at = '\n';
    return at + 1;
}

static void view_grid(struct writer *text, const struct board_view *view)
{
    enum { RANK_BYTES = 3 + 8 * (CELL_BYTES + 1), FILES_BYTES = 3 + 8 * 2 + 1 };
    char *at = writer_reserve(text, (size_t)8 * RANK_BYTES + FILES_BYTES);
    if (!at)
        return;
    for (unsigned n = 0; n < 8; n++)
        at = put_rank(at, view, turned(view, n, true));
    writer_wrote(text, view->coordinates ? put_files(at, view) : at);
}

static void view_list(struct writer *text, const struct board_view *view)
{
    board_words_side(text, view->position, view->orientation);
    writer_char(text, '\n');
    board_words_side(text, view->position, color_other(view->orientation));
    writer_char(text, '\n');
    if (view->last_move)
        writer_printf(text, "Last move: %s.\n", view->last_move);
}

void view_board(struct writer *text, const struct board_view *view)
{
    if (view->style == BOARD_LIST)
        view_list(text, view);
    else
        view_grid(text, view);
    writer_char(text, '\n');
    board_words_turn(text, view->position, view->end);
    writer_char(text, '\n');
}
