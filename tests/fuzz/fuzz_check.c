#include <stdio.h>
#include <stdlib.h>

#include "rules/key.h"
#include "rules/movegen.h"
#include "tests/fuzz/fuzz.h"

enum { TRIED_MAX = 8, ASKED_MAX = 2 };

_Noreturn void fuzz_fail(const char *what, const char *file, int line)
{
    (void)fprintf(stderr, "%s:%d: does not hold: %s\n", file, line, what);
    abort();
}

static void check_pieces(const struct position *position)
{
    bitboard all = 0;
    for (unsigned type = PIECE_PAWN; type < PIECE_COUNT; type++) {
        FUZZ_CHECK((all & position->by_type[type]) == 0);
        all |= position->by_type[type];
    }
    FUZZ_CHECK(position->by_type[PIECE_NONE] == all);
    FUZZ_CHECK((position->by_color[COLOR_WHITE] & position->by_color[COLOR_BLACK]) == 0);
    FUZZ_CHECK((position->by_color[COLOR_WHITE] | position->by_color[COLOR_BLACK]) == all);
    FUZZ_CHECK(bitboard_count(position_pieces(position, COLOR_WHITE, PIECE_KING)) == 1);
    FUZZ_CHECK(bitboard_count(position_pieces(position, COLOR_BLACK, PIECE_KING)) == 1);
    FUZZ_CHECK((position->by_type[PIECE_PAWN] & (bitboard_rank(RANK_1) | bitboard_rank(RANK_8))) == 0);
}

static void check_rights(const struct position *position)
{
    for (unsigned c = 0; c < COLOR_COUNT; c++) {
        enum color color = (enum color)c;
        bitboard rooks = position->castling_rooks & position->by_color[color];
        bitboard home = bitboard_rank(color == COLOR_WHITE ? RANK_1 : RANK_8);
        FUZZ_CHECK((rooks & ~(position->by_type[PIECE_ROOK] & home)) == 0);
        FUZZ_CHECK(!rooks || bitboard_has(home, position_king(position, color)));
        FUZZ_CHECK(bitboard_count(rooks) <= CASTLING_COUNT);
    }
    FUZZ_CHECK((position->castling_rooks & ~position_occupied(position)) == 0);
}

/* The en passant square is there exactly where a legal move takes so (9.2.3). */
static void check_en_passant(const struct position *position, const struct movelist *legal)
{
    bool takes = false;
    for (unsigned i = 0; i < legal->count; i++)
        if (move_kind(legal->moves[i]) == MOVE_EN_PASSANT) {
            takes = true;
            FUZZ_CHECK(move_to(legal->moves[i]) == position->en_passant);
        }
    FUZZ_CHECK(takes == (position->en_passant != SQUARE_NONE));
}

/* Some of them, chosen by the key: all would take most of the time. */
static void check_moves(const struct position *position, const struct movelist *legal)
{
    enum color us = position_turn(position);
    for (unsigned i = 0; i < legal->count && i < TRIED_MAX; i++) {
        struct position after;
        move m = legal->moves[(position->key + i) % legal->count];
        FUZZ_CHECK(i >= ASKED_MAX || movegen_is_legal(position, m));
        position_play(position, m, &after);
        FUZZ_CHECK(position_turn(&after) == color_other(us));
        FUZZ_CHECK(after.key == key_compute(&after));
        FUZZ_CHECK(!position_attackers(&after, position_king(&after, us), color_other(us),
                                       position_occupied(&after)));
    }
}

void fuzz_check_position(const struct position *position)
{
    struct movelist legal;
    enum color us = position_turn(position);
    check_pieces(position);
    check_rights(position);
    FUZZ_CHECK(position->key == key_compute(position));
    FUZZ_CHECK(position->fullmove_number >= 1);
    FUZZ_CHECK(!position_attackers(position, position_king(position, color_other(us)), us,
                                   position_occupied(position)));
    movegen_legal(position, &legal);
    FUZZ_CHECK(movegen_count(position) == legal.count);
    FUZZ_CHECK(movegen_any(position) == (legal.count > 0));
    check_en_passant(position, &legal);
    check_moves(position, &legal);
    (void)key_polyglot(position);
}
