#include "api/board_words.h"

#include "rules/fen.h"

static void write_square(struct writer *text, square s)
{
    char name[3];
    fen_format_square(s, name);
    writer_bytes(text, name, 2);
}

void board_words_squares(struct writer *text, bitboard squares)
{
    const char *separator = "";
    for (unsigned file = 0; file < 8; file++) {
        for (bitboard left = squares & bitboard_file(file); left; separator = ", ") {
            writer_text(text, separator);
            write_square(text, bitboard_pop(&left));
        }
    }
}

static void write_kind(struct writer *text, bitboard pieces, enum piece_type type)
{
    writer_text(text, fen_piece_name(type));
    writer_text(text, bitboard_has_several(pieces) ? "s " : " ");
    board_words_squares(text, pieces);
}

void board_words_side(struct writer *text, const struct position *position, enum color color)
{
    writer_text(text, color == COLOR_WHITE ? "White: " : "Black: ");
    for (int type = PIECE_KING; type >= PIECE_PAWN; type--) {
        bitboard pieces = position_pieces(position, color, (enum piece_type)type);
        if (type != PIECE_KING && pieces)
            writer_text(text, "; ");
        if (pieces)
            write_kind(text, pieces, (enum piece_type)type);
    }
    writer_char(text, '.');
}

void board_words_move(struct writer *text, const struct position *before, move m)
{
    struct move_facts facts = position_move_facts(before, m);
    writer_text(text, position_turn(before) == COLOR_WHITE ? "White " : "Black ");
    if (facts.castling) {
        writer_text(text, facts.side == CASTLING_KINGSIDE ? "castles kingside" : "castles queenside");
        return;
    }
    writer_text(text, fen_piece_name(facts.piece));
    writer_char(text, ' ');
    write_square(text, facts.from);
    writer_text(text, facts.captured == PIECE_NONE ? " to " : " takes ");
    if (facts.captured != PIECE_NONE) {
        writer_text(text, fen_piece_name(facts.captured));
        writer_char(text, ' ');
    }
    write_square(text, facts.to);
    if (facts.en_passant)
        writer_text(text, " en passant");
    if (facts.promotion != PIECE_NONE) {
        writer_text(text, ", becomes a ");
        writer_text(text, fen_piece_name(facts.promotion));
    }
}

void board_words_turn(struct writer *text, const struct position *position, const char *end)
{
    for (const char *at = end; at && *at; at++)
        writer_bytes(text, *at == '_' ? " " : at, 1);
    if (end)
        return;
    writer_text(text, position_turn(position) == COLOR_WHITE ? "White to move" : "Black to move");
    if (position_is_check(position))
        writer_text(text, ", in check");
}
