#include "rules/notation.h"

#include <string.h>

#include "rules/attacks.h"

/* Files, ranks and pieces as SAN and UCI write them. */
static char file_letter(square s)
{
    return (char)('a' + square_file(s));
}

static char rank_digit(square s)
{
    return (char)('1' + square_rank(s));
}

static char *put_square(char *end, square s)
{
    *end++ = file_letter(s);
    *end++ = rank_digit(s);
    return end;
}

static char *put_word(char *end, const char *word)
{
    while (*word)
        *end++ = *word++;
    return end;
}

/* Other pieces of the mover's kind that may legally go to the same square. The list is looked at only where
 * one attacks the square: rarely. */
static bitboard rivals(const struct position *position, const struct movelist *legal, enum piece_type type,
                       square from, square to)
{
    bitboard attackers = attacks_piece(type, to, position_occupied(position)) &
                         position_pieces(position, position_turn(position), type) & ~bit(from);
    bitboard found = 0;
    if (!attackers)
        return 0;
    for (unsigned i = 0; i < legal->count; i++)
        if (move_to(legal->moves[i]) == to)
            found |= attackers & bit(move_from(legal->moves[i]));
    return found;
}

/* The file if that is enough, else the rank if that is, else both (PGN 8.2.3.4). */
static char *put_disambiguation(char *end, square from, bitboard others)
{
    if (!others)
        return end;
    bool file_shared = (others & bitboard_file(square_file(from))) != 0;
    bool rank_shared = (others & bitboard_rank(square_rank(from))) != 0;
    if (!file_shared || rank_shared)
        *end++ = file_letter(from);
    if (file_shared)
        *end++ = rank_digit(from);
    return end;
}

static char *put_pawn_move(char *end, move m)
{
    square from = move_from(m);
    square to = move_to(m);
    if (square_file(from) != square_file(to)) {
        *end++ = file_letter(from);
        *end++ = 'x';
    }
    end = put_square(end, to);
    if (move_kind(m) == MOVE_PROMOTION) {
        *end++ = '=';
        *end++ = "..NBRQ"[move_promotion(m)];
    }
    return end;
}

static char *put_piece_move(char *end, const struct position *position, const struct movelist *legal, move m,
                            enum piece_type type)
{
    square from = move_from(m);
    square to = move_to(m);
    *end++ = "..NBRQK"[type];
    if (type != PIECE_KING)
        end = put_disambiguation(end, from, rivals(position, legal, type, from, to));
    if (bitboard_has(position_occupied(position), to))
        *end++ = 'x';
    return put_square(end, to);
}

size_t notation_format_san_with(const struct position *position, const struct movelist *legal, move m,
                                const struct position *after, char text[NOTATION_SAN_SIZE])
{
    char *end = text;
    enum piece_type type = position_piece_at(position, move_from(m));
    if (move_kind(m) == MOVE_CASTLING)
        end = put_word(end, move_to(m) > move_from(m) ? "O-O" : "O-O-O");
    else if (type == PIECE_PAWN)
        end = put_pawn_move(end, m);
    else
        end = put_piece_move(end, position, legal, m, type);
    if (position_is_check(after))
        *end++ = movegen_any(after) ? '+' : '#';
    *end = '\0';
    return (size_t)(end - text);
}

size_t notation_format_san(const struct position *position, move m, char text[NOTATION_SAN_SIZE])
{
    struct movelist legal;
    struct position after;
    movegen_legal(position, &legal);
    position_play(position, m, &after);
    return notation_format_san_with(position, &legal, m, &after, text);
}

square notation_uci_target(const struct position *position, move m)
{
    if (move_kind(m) != MOVE_CASTLING || position->chess960)
        return move_to(m);
    return castling_king_to(move_from(m), move_to(m));
}

static char uci_promotion(move m)
{
    return "\0.nbrq"[move_promotion(m)];
}

size_t notation_format_uci(const struct position *position, move m, char text[NOTATION_UCI_SIZE])
{
    char *end = put_square(text, move_from(m));
    end = put_square(end, notation_uci_target(position, m));
    if (move_kind(m) == MOVE_PROMOTION)
        *end++ = uci_promotion(m);
    *end = '\0';
    return (size_t)(end - text);
}

move notation_find_uci(const struct position *position, const char *uci)
{
    size_t length = strlen(uci);
    if (length < 4 || length > 5)
        return MOVE_NONE;
    square from = notation_parse_square(uci, 2);
    square to = notation_parse_square(uci + 2, 2);
    struct movelist list;
    movegen_legal(position, &list);
    for (unsigned i = 0; i < list.count; i++) {
        move m = list.moves[i];
        if (move_from(m) == from && notation_uci_target(position, m) == to && uci_promotion(m) == uci[4])
            return m;
    }
    return MOVE_NONE;
}
