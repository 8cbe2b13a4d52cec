#include "rules/fen.h"

/* Texts grow from `end`; the callers' arrays are long enough for anything a position can hold. */

static char *put_number(char *end, unsigned number)
{
    if (number >= 10)
        end = put_number(end, number / 10);
    *end = (char)('0' + number % 10);
    return end + 1;
}

char fen_piece_letter(enum color color, enum piece_type type)
{
    return (color == COLOR_WHITE ? ".PNBRQK" : ".pnbrqk")[type];
}

const char *fen_color_name(enum color color)
{
    static const char *const names[COLOR_COUNT] = {"white", "black"};
    return names[color];
}

const char *fen_piece_name(enum piece_type type)
{
    static const char *const names[PIECE_COUNT] = {"none", "pawn",  "knight", "bishop",
                                                   "rook", "queen", "king"};
    return names[type];
}

void fen_format_square(square s, char text[3])
{
    text[0] = (char)('a' + square_file(s));
    text[1] = (char)('1' + square_rank(s));
    text[2] = '\0';
}

/* The letter of each piece on its square; the other squares are left as they are. */
static void put_letters(char letters[SQUARE_COUNT], const struct position *position)
{
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
            for (bitboard left = position_pieces(position, color, type); left;)
                letters[bitboard_pop(&left)] = fen_piece_letter(color, type);
}

/* A gap is written before each piece, and counts where it is one. */
static char *put_rank(char *end, const char letters[8], bitboard occupied)
{
    unsigned next = 0; /* the file behind the last piece */
    while (occupied) {
        unsigned file = bitboard_pop(&occupied);
        *end = (char)('0' + (file - next));
        end += file > next;
        *end++ = letters[file];
        next = file + 1;
    }
    *end = (char)('0' + (8 - next));
    return end + (next < 8);
}

static char *put_placement(char *end, const struct position *position)
{
    char letters[SQUARE_COUNT];
    put_letters(letters, position);
    for (unsigned rank = 8; rank-- > 0;) {
        size_t first = (size_t)8 * rank;
        end = put_rank(end, letters + first, position_occupied(position) >> first & BITBOARD_RANK_1);
        *end++ = '/';
    }
    return end - 1;
}

/* X-FEN: K and Q mean the outermost rook; a rook further in is named by its file. */
static bool is_outermost(const struct position *position, enum color color, square rook,
                         enum castling_side side)
{
    bitboard rank = bitboard_rank(square_rank(rook));
    bitboard outside = side == CASTLING_KINGSIDE ? ~1ULL << rook : bit(rook) - 1;
    return (position_pieces(position, color, PIECE_ROOK) & rank & outside) == 0;
}

static char *put_right(char *end, const struct position *position, enum color color, enum castling_side side)
{
    square rook = position_castling_rook(position, color, side);
    if (rook == SQUARE_NONE)
        return end;
    const char *letters = color == COLOR_WHITE ? "ABCDEFGHKQ" : "abcdefghkq";
    enum { OUTERMOST = 8 };
    *end = letters[is_outermost(position, color, rook, side) ? OUTERMOST + side : square_file(rook)];
    return end + 1;
}

static char *put_castling(char *end, const struct position *position)
{
    if (!position->castling_rooks)
        *end++ = '-';
    for (unsigned color = 0; position->castling_rooks && color < COLOR_COUNT; color++)
        for (unsigned side = 0; side < CASTLING_COUNT; side++)
            end = put_right(end, position, (enum color)color, (enum castling_side)side);
    return end;
}

void fen_format_castling(const struct position *position, char text[FEN_CASTLING_SIZE])
{
    *put_castling(text, position) = '\0';
}

static char *put_en_passant(char *end, square target)
{
    if (target == SQUARE_NONE) {
        *end = '-';
        return end + 1;
    }
    fen_format_square(target, end);
    return end + 2;
}

size_t fen_format(const struct position *position, enum fen_en_passant en_passant, char text[FEN_SIZE])
{
    char *end = put_placement(text, position);
    *end++ = ' ';
    *end++ = position->turn == COLOR_WHITE ? 'w' : 'b';
    *end++ = ' ';
    end = put_castling(end, position);
    *end++ = ' ';
    end = put_en_passant(end,
                         en_passant == FEN_EN_PASSANT_ALWAYS ? position->double_step : position->en_passant);
    *end++ = ' ';
    end = put_number(end, position->halfmove_clock);
    *end++ = ' ';
    end = put_number(end, position->fullmove_number);
    *end = '\0';
    return (size_t)(end - text);
}
