/* api/view_board: a position as a text board. */
#include "api/view_board.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "rules/fen.h"

static struct arena arena;

static int tear_down(void **state)
{
    (void)state;
    arena_finish(&arena);
    return 0;
}

static void expect(const char *fen, struct board_view view, const char *board)
{
    struct position position;
    struct setup_report report = {0};
    struct writer text;
    assert_true(fen_parse(fen, strlen(fen), false, &position, &report));
    view.position = &position;
    writer_init(&text, &arena, 64);
    view_board(&text, &view);
    writer_char(&text, '\0');
    assert_false(text.failed);
    assert_string_equal(text.data, board);
}

static void white_is_below_unless_the_board_is_turned(void **state)
{
    (void)state;
    expect("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b", (struct board_view){.coordinates = true},
           "8  r n b q k b n r\n"
           "7  p p p p p p p p\n"
           "6  . . . . . . . .\n"
           "5  . . . . . . . .\n"
           "4  . . . . P . . .\n"
           "3  . . . . . . . .\n"
           "2  P P P P . P P P\n"
           "1  R N B Q K B N R\n"
           "\n"
           "   a b c d e f g h\n"
           "\n"
           "Black to move\n");
    expect("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
           (struct board_view){.coordinates = true, .orientation = COLOR_BLACK},
           "1  R N B K Q B N R\n"
           "2  P P P . P P P P\n"
           "3  . . . . . . . .\n"
           "4  . . . P . . . .\n"
           "5  . . . . . . . .\n"
           "6  . . . . . . . .\n"
           "7  p p p p p p p p\n"
           "8  r n b k q b n r\n"
           "\n"
           "   h g f e d c b a\n"
           "\n"
           "Black to move\n");
}

static void figurines_stand_for_letters(void **state)
{
    (void)state;
    expect("4k2r/8/8/8/8/8/8/Q3K3 w", (struct board_view){.style = BOARD_UNICODE},
           "· · · · ♚ · · ♜\n"
           "· · · · · · · ·\n"
           "· · · · · · · ·\n"
           "· · · · · · · ·\n"
           "· · · · · · · ·\n"
           "· · · · · · · ·\n"
           "· · · · · · · ·\n"
           "♕ · · · ♔ · · ·\n"
           "\n"
           "White to move\n");
}

static void a_list_names_the_pieces_of_each_side(void **state)
{
    (void)state;
    expect("4k3/8/8/8/8/8/P1P5/R3K2R w", (struct board_view){.style = BOARD_LIST},
           "White: king e1; rooks a1, h1; pawns a2, c2.\n"
           "Black: king e8.\n"
           "\n"
           "White to move\n");
    expect("4k3/8/8/8/8/8/8/4R2K b", (struct board_view){.style = BOARD_LIST, .orientation = COLOR_BLACK},
           "Black: king e8.\n"
           "White: king h1; rook e1.\n"
           "\n"
           "Black to move, in check\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_teardown(white_is_below_unless_the_board_is_turned, tear_down),
        cmocka_unit_test_teardown(figurines_stand_for_letters, tear_down),
        cmocka_unit_test_teardown(a_list_names_the_pieces_of_each_side, tear_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
