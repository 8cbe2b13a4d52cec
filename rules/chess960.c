#include "rules/chess960.h"

#include "rules/key.h"

/* The number is read from its low end: a bishop's light square (4), the other's dark one (4), the queen's
 * place among the six squares left (6), and the knights' two among the five left after that (10). Rook, king
 * and rook fill the rest from left to right. */
enum { BISHOP_SQUARES = 4, QUEEN_PLACES = 6, KNIGHT_PAIRS = 10 };

static const uint8_t light_files[BISHOP_SQUARES] = {FILE_B, FILE_D, FILE_F, FILE_H};
static const uint8_t dark_files[BISHOP_SQUARES] = {FILE_A, FILE_C, FILE_E, FILE_G};
static const uint8_t knight_pairs[KNIGHT_PAIRS][2] = {{0, 1}, {0, 2}, {0, 3}, {0, 4}, {1, 2},
                                                      {1, 3}, {1, 4}, {2, 3}, {2, 4}, {3, 4}};

/* ---- from number to position ------------------------------------------------------------------------- */

/* Puts a piece on the nth file that is still free. */
static void put_on_free_file(enum piece_type files[8], unsigned n, enum piece_type piece)
{
    for (unsigned file = 0; file < 8; file++)
        if (files[file] == PIECE_NONE && n-- == 0) {
            files[file] = piece;
            return;
        }
}

static void arrange(unsigned number, enum piece_type files[8])
{
    unsigned light = number % BISHOP_SQUARES;
    unsigned dark = number / BISHOP_SQUARES % BISHOP_SQUARES;
    unsigned queen = number / (BISHOP_SQUARES * BISHOP_SQUARES) % QUEEN_PLACES;
    const uint8_t *knights = knight_pairs[number / (BISHOP_SQUARES * BISHOP_SQUARES * QUEEN_PLACES)];
    files[light_files[light]] = PIECE_BISHOP;
    files[dark_files[dark]] = PIECE_BISHOP;
    put_on_free_file(files, queen, PIECE_QUEEN);
    put_on_free_file(files, knights[1],
                     PIECE_KNIGHT); /* the right one first: it does not move the left one's place */
    put_on_free_file(files, knights[0], PIECE_KNIGHT);
    put_on_free_file(files, 0, PIECE_ROOK);
    put_on_free_file(files, 0, PIECE_KING);
    put_on_free_file(files, 0, PIECE_ROOK);
}

struct position chess960_position(unsigned number)
{
    enum piece_type files[8] = {PIECE_NONE};
    struct position p = position_initial();
    arrange(number, files);
    for (unsigned type = PIECE_KNIGHT; type <= PIECE_KING; type++)
        p.by_type[type] = 0;
    for (unsigned file = 0; file < 8; file++)
        p.by_type[files[file]] |= bit(square_at(file, RANK_1)) | bit(square_at(file, RANK_8));
    p.castling_rooks = p.by_type[PIECE_ROOK];
    p.chess960 = true;
    p.key = key_compute(&p);
    return p;
}

/* ---- from position to number ------------------------------------------------------------------------- */

/* The place of `file` among the files that are not `taken`. */
static unsigned place_among_free(unsigned file, bitboard taken)
{
    return bitboard_count(~taken & (bit((square)file) - 1));
}

static unsigned knights_number(unsigned left, unsigned right)
{
    for (unsigned i = 0; i < KNIGHT_PAIRS; i++)
        if (knight_pairs[i][0] == left && knight_pairs[i][1] == right)
            return i;
    return 0;
}

/* Of White's back rank; means something only where the pieces are those of a first position. */
static unsigned number_of_rank(const struct position *position)
{
    bitboard rank = BITBOARD_RANK_1;
    bitboard bishops = position->by_type[PIECE_BISHOP] & rank;
    bitboard queens = position->by_type[PIECE_QUEEN] & rank;
    bitboard knights = position->by_type[PIECE_KNIGHT] & rank;
    square light = bitboard_first(bishops & BITBOARD_LIGHT);
    square dark = bitboard_first(bishops & ~BITBOARD_LIGHT);
    unsigned queen = place_among_free(bitboard_first(queens), bishops);
    unsigned left = place_among_free(bitboard_first(knights), bishops | queens);
    unsigned right = place_among_free(bitboard_first(knights & (knights - 1)), bishops | queens);
    return light / 2u + BISHOP_SQUARES * (dark / 2u) +
           BISHOP_SQUARES * BISHOP_SQUARES * (queen + QUEEN_PLACES * knights_number(left, right));
}

static bool has_the_pieces(const struct position *position)
{
    bitboard bishops = position->by_type[PIECE_BISHOP] & BITBOARD_RANK_1;
    return (bishops & BITBOARD_LIGHT) && (bishops & ~BITBOARD_LIGHT) &&
           bitboard_count(position->by_type[PIECE_KNIGHT] & BITBOARD_RANK_1) == 2 &&
           bitboard_count(position->by_type[PIECE_QUEEN] & BITBOARD_RANK_1) == 1;
}

int chess960_number(const struct position *position)
{
    if (position->turn != COLOR_WHITE || position->halfmove_clock != 0 || !has_the_pieces(position))
        return -1;
    unsigned number = number_of_rank(position);
    struct position first = chess960_position(number);
    return position_same(position, &first) ? (int)number : -1;
}
