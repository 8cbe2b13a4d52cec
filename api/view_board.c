#include "api/view_board.h"

#include "api/board_words.h"

static const char *cell_text(const struct board_view *view, square s)
{
    static const char *const FIGURINES[COLOR_COUNT][PIECE_COUNT] = {
        {"·", "♙", "♘", "♗", "♖", "♕", "♔"},
        {"·", "♟", "♞", "♝", "♜", "♛", "♚"},
    };
    static const char *const LETTERS[COLOR_COUNT][PIECE_COUNT] = {
        {".", "P", "N", "B", "R", "Q", "K"},
        {".", "p", "n", "b", "r", "q", "k"},
    };
    enum piece_type type = position_piece_at(view->position, s);
    enum color color = type == PIECE_NONE ? COLOR_WHITE : position_color_at(view->position, s);
    return (view->style == BOARD_UNICODE ? FIGURINES : LETTERS)[color][type];
}

/* The n-th of eight ranks or files as the board is turned: ranks from above, files from the left. */
static unsigned turned(const struct board_view *view, unsigned n, bool rank)
{
    bool from_end = rank == (view->orientation == COLOR_WHITE);
    return from_end ? 7 - n : n;
}

static void view_rank(struct writer *text, const struct board_view *view, unsigned rank)
{
    if (view->coordinates)
        writer_printf(text, "%u  ", rank + 1);
    for (unsigned n = 0; n < 8; n++) {
        if (n)
            writer_char(text, ' ');
        writer_text(text, cell_text(view, square_at(turned(view, n, false), rank)));
    }
    writer_char(text, '\n');
}

static void view_grid(struct writer *text, const struct board_view *view)
{
    for (unsigned n = 0; n < 8; n++)
        view_rank(text, view, turned(view, n, true));
    if (!view->coordinates)
        return;
    writer_text(text, "\n  ");
    for (unsigned n = 0; n < 8; n++)
        writer_printf(text, " %c", (int)('a' + turned(view, n, false)));
    writer_char(text, '\n');
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
