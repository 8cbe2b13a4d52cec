#include "rules/fen.h"

/* A text that grows; the callers' arrays are long enough for anything a position can hold. */
struct writer {
    char *text;
    size_t length;
};

static struct writer writer_on(char *text)
{
    struct writer out;
    out.text = text;
    out.length = 0;
    return out;
}

static void put(struct writer *out, char c)
{
    out->text[out->length++] = c;
}

static void put_number(struct writer *out, unsigned number)
{
    if (number >= 10)
        put_number(out, number / 10);
    put(out, (char)('0' + number % 10));
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

static void put_gap(struct writer *out, unsigned *empty)
{
    if (*empty)
        put(out, (char)('0' + *empty));
    *empty = 0;
}

static void put_rank(struct writer *out, const struct position *position, unsigned rank)
{
    unsigned empty = 0;
    for (unsigned file = 0; file < 8; file++) {
        square s = square_at(file, rank);
        enum piece_type type = position_piece_at(position, s);
        if (type == PIECE_NONE) {
            empty++;
            continue;
        }
        put_gap(out, &empty);
        put(out, fen_piece_letter(position_color_at(position, s), type));
    }
    put_gap(out, &empty);
}

static void put_placement(struct writer *out, const struct position *position)
{
    for (unsigned rank = 8; rank-- > 0;) {
        put_rank(out, position, rank);
        if (rank > 0)
            put(out, '/');
    }
}

/* X-FEN: K and Q mean the outermost rook; a rook further in is named by its file. */
static bool is_outermost(const struct position *position, enum color color, square rook,
                         enum castling_side side)
{
    bitboard rank = bitboard_rank(square_rank(rook));
    bitboard outside = side == CASTLING_KINGSIDE ? ~1ULL << rook : bit(rook) - 1;
    return (position_pieces(position, color, PIECE_ROOK) & rank & outside) == 0;
}

static void put_right(struct writer *out, const struct position *position, enum color color,
                      enum castling_side side)
{
    square rook = position_castling_rook(position, color, side);
    if (rook == SQUARE_NONE)
        return;
    const char *letters = color == COLOR_WHITE ? "ABCDEFGHKQ" : "abcdefghkq";
    enum { OUTERMOST = 8 };
    put(out, letters[is_outermost(position, color, rook, side) ? OUTERMOST + side : square_file(rook)]);
}

static void put_castling(struct writer *out, const struct position *position)
{
    if (!position->castling_rooks)
        put(out, '-');
    for (unsigned color = 0; color < COLOR_COUNT; color++)
        for (unsigned side = 0; side < CASTLING_COUNT; side++)
            put_right(out, position, (enum color)color, (enum castling_side)side);
}

void fen_format_castling(const struct position *position, char text[FEN_CASTLING_SIZE])
{
    struct writer out = writer_on(text);
    put_castling(&out, position);
    put(&out, '\0');
}

static void put_en_passant(struct writer *out, square target)
{
    if (target == SQUARE_NONE) {
        put(out, '-');
        return;
    }
    put(out, (char)('a' + square_file(target)));
    put(out, (char)('1' + square_rank(target)));
}

size_t fen_format(const struct position *position, enum fen_en_passant en_passant, char text[FEN_SIZE])
{
    struct writer out = writer_on(text);
    put_placement(&out, position);
    put(&out, ' ');
    put(&out, position->turn == COLOR_WHITE ? 'w' : 'b');
    put(&out, ' ');
    put_castling(&out, position);
    put(&out, ' ');
    put_en_passant(&out, en_passant == FEN_EN_PASSANT_ALWAYS ? position->double_step : position->en_passant);
    put(&out, ' ');
    put_number(&out, position->halfmove_clock);
    put(&out, ' ');
    put_number(&out, position->fullmove_number);
    put(&out, '\0');
    return out.length - 1;
}
