/* rules/movegen_to: the same moves as the generator's, and as the slow rules', by piece and target. */
#include "rules/movegen_to.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "rules/notation.h"
#include "tests/rules/board_print.h"
#include "tests/rules/random_games.h"

enum { UCI_ROOM = 32 * NOTATION_UCI_SIZE };

/* The moves in a fixed order, as text. */
static void join(const struct position *position, const struct movelist *list, char text[UCI_ROOM])
{
    struct movelist sorted = *list;
    char *out = text;
    for (unsigned i = 1; i < sorted.count; i++)
        for (unsigned j = i; j > 0 && sorted.moves[j] < sorted.moves[j - 1]; j--) {
            move m = sorted.moves[j];
            sorted.moves[j] = sorted.moves[j - 1];
            sorted.moves[j - 1] = m;
        }
    for (unsigned i = 0; i < sorted.count; i++) {
        out += notation_format_uci(position, sorted.moves[i], out);
        *out++ = ' ';
    }
    *out = '\0';
}

static void keep(const struct position *position, const struct movelist *legal, enum piece_type piece,
                 square to, struct movelist *kept)
{
    kept->count = 0;
    for (unsigned i = 0; i < legal->count; i++) {
        move m = legal->moves[i];
        if (move_kind(m) != MOVE_CASTLING && move_to(m) == to &&
            position_piece_at(position, move_from(m)) == piece)
            kept->moves[kept->count++] = m;
    }
}

struct tally {
    unsigned moves, failed;
};

/* All legal moves but castling are there, and no others: the number is the slow rules'. */
static void look(const struct random_step *step, void *context)
{
    struct tally *tally = context;
    struct movelist legal, kept, found;
    unsigned count = 0, expected = 0;
    movegen_legal(&step->position, &legal);
    for (unsigned piece = PIECE_PAWN; piece <= PIECE_KING; piece++)
        for (square to = 0; to < SQUARE_COUNT; to++) {
            char texts[2][UCI_ROOM];
            keep(&step->position, &legal, (enum piece_type)piece, to, &kept);
            count += movegen_to(&step->position, (enum piece_type)piece, to, &found);
            join(&step->position, &kept, texts[0]);
            join(&step->position, &found, texts[1]);
            if (strcmp(texts[0], texts[1]) == 0)
                continue;
            tally->failed++;
            board_print_failure(&step->position, texts[0], texts[1], "piece %u to square %u", piece, to);
        }
    for (unsigned i = 0; i < step->legal.count; i++)
        expected += !step->legal.moves[i].castling;
    tally->failed += count != expected;
    tally->moves += count;
}

static void moves_to_a_square_are_the_generators(void **state)
{
    (void)state;
    struct tally tally = {0};
    struct random_games games = random_games_settings();
    games.look = look;
    games.context = &tally;
    games.positions /= 4;
    assert_true(random_games_play(&games) > 0);
    print_message("%u moves\n", tally.moves);
    assert_int_equal(tally.failed, 0);
    assert_true(tally.moves > games.positions);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(moves_to_a_square_are_the_generators),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
