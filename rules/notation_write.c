#include "rules/notation.h"

#include <string.h>

#include "rules/attacks.h"
#include "rules/movegen_to.h"

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

/* Other pieces of the mover's kind that may legally go to the same square. That is looked at only where one attacks the
 * square: rarely. */
static bitboard rivals(const struct position *position, enum piece_type type, square from, square to)
{
    bitboard attackers = attacks_piece(type, to, position_occupied(position)) &
                         position_pieces(position, position_turn(position), type) & ~bit(from);
    if (!attackers)
        return 0;
    struct movelist legal;
    bitboard found = 0;
    movegen_to(position, type, to, &legal);
    for (unsigned i = 0; i < legal.count; i++)
        found |= bit(move_from(legal.moves[i]));
    return found & ~bit(from);
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

/* `others`: pieces that it must be told from. */
static char *put_piece_move(char *end, move m, enum piece_type type, bool captures, bitboard others)
{
    *end++ = "..NBRQK"[type];
    end = put_disambiguation(end, move_from(m), others);
    if (captures)
        *end++ = 'x';
    return put_square(end, move_to(m));
}

static char *put_castling(char *end, move m)
{
    return put_word(end, move_to(m) > move_from(m) ? "O-O" : "O-O-O");
}

size_t notation_format_san_with(const struct position *position, move m, const struct position *after,
                                char text[NOTATION_SAN_SIZE])
{
    char *end = text;
    square from = move_from(m), to = move_to(m);
    enum piece_type type = position_piece_at(position, from);
    if (move_kind(m) == MOVE_CASTLING)
        end = put_castling(end, m);
    else if (type == PIECE_PAWN)
        end = put_pawn_move(end, m);
    else
        end = put_piece_move(end, m, type, bitboard_has(position_occupied(position), to),
                             type == PIECE_KING ? 0 : rivals(position, type, from, to));
    if (position_is_check(after))
        *end++ = movegen_any(after) ? '+' : '#';
    *end = '\0';
    return (size_t)(end - text);
}

size_t notation_format_san(const struct position *position, move m, char text[NOTATION_SAN_SIZE])
{
    struct position after;
    position_play(position, m, &after);
    return notation_format_san_with(position, m, &after, text);
}

/* ---- many at once -------------------------------------------------------------------------------------- */

/* What the moves of one position have in common. */
struct listing {
    const struct position *position;
    uint8_t types[SQUARE_COUNT];                /* enum piece_type of what stands on each square */
    bitboard sources[PIECE_KING][SQUARE_COUNT]; /* by piece and target: whence it may legally come */
    square king;                                /* of the opponent */
    bitboard checks[PIECE_COUNT];               /* whence each of our pieces would attack it */
    bitboard discoverers; /* our pieces that stand alone between it and a slider of ours */
};

static void note_pieces(struct listing *listing)
{
    memset(listing->types, PIECE_NONE, sizeof listing->types);
    for (unsigned type = PIECE_PAWN; type <= PIECE_KING; type++)
        for (bitboard left = listing->position->by_type[type]; left;)
            listing->types[bitboard_pop(&left)] = (uint8_t)type;
}

static void note_sources(struct listing *listing, const struct movelist *legal)
{
    memset(listing->sources, 0, sizeof listing->sources);
    for (unsigned i = 0; i < legal->count; i++) {
        move m = legal->moves[i];
        enum piece_type type = (enum piece_type)listing->types[move_from(m)];
        if (type != PIECE_KING)
            listing->sources[type][move_to(m)] |= bit(move_from(m));
    }
}

static void note_discoverers(struct listing *listing)
{
    const struct position *position = listing->position;
    bitboard ours = position->by_color[position->turn], queens = position->by_type[PIECE_QUEEN];
    bitboard lines = attacks_rook(listing->king, 0) & (position->by_type[PIECE_ROOK] | queens);
    bitboard diagonals = attacks_bishop(listing->king, 0) & (position->by_type[PIECE_BISHOP] | queens);
    listing->discoverers = 0;
    for (bitboard sliders = (lines | diagonals) & ours; sliders;) {
        bitboard between =
            attacks_between(listing->king, bitboard_pop(&sliders)) & position_occupied(position);
        if (!bitboard_has_several(between))
            listing->discoverers |= between & ours;
    }
}

static void note_checks(struct listing *listing)
{
    const struct position *position = listing->position;
    enum color them = color_other(position_turn(position));
    bitboard occupied = position_occupied(position);
    listing->king = position_king(position, them);
    for (unsigned type = PIECE_NONE; type < PIECE_KING; type++)
        listing->checks[type] = attacks_piece((enum piece_type)type, listing->king, occupied);
    listing->checks[PIECE_PAWN] = attacks_pawn(them, listing->king);
    listing->checks[PIECE_KING] = 0;
    note_discoverers(listing);
}

/* Of a normal move: the others change more than two squares, or the piece. */
static bool checks(const struct listing *listing, move m)
{
    square from = move_from(m), to = move_to(m);
    return bitboard_has(listing->checks[listing->types[from]], to) ||
           (bitboard_has(listing->discoverers, from) && !bitboard_has(attacks_line(listing->king, from), to));
}

/* Only a move that may give check is played. */
static void judge(const struct listing *listing, move m, struct move_text *text)
{
    struct position after;
    if (move_kind(m) == MOVE_NORMAL && !checks(listing, m))
        return;
    position_play(listing->position, m, &after);
    text->check = position_is_check(&after);
    text->mate = text->check && !movegen_any(&after);
}

static void write_text(const struct listing *listing, move m, struct move_text *text)
{
    square from = move_from(m), to = move_to(m);
    enum piece_type type = (enum piece_type)listing->types[from];
    char *end = text->san;
    *text = (struct move_text){.piece = (uint8_t)type};
    judge(listing, m, text);
    if (move_kind(m) == MOVE_CASTLING) {
        end = put_castling(end, m);
    } else if (type == PIECE_PAWN) {
        text->captured = move_kind(m) == MOVE_EN_PASSANT ? PIECE_PAWN : listing->types[to];
        end = put_pawn_move(end, m);
    } else {
        text->captured = listing->types[to];
        end = put_piece_move(end, m, type, text->captured != PIECE_NONE,
                             type == PIECE_KING ? 0 : listing->sources[type][to] & ~bit(from));
    }
    if (text->check)
        *end++ = text->mate ? '#' : '+';
    *end = '\0';
    text->length = (uint8_t)(end - text->san);
}

void notation_format_list(const struct position *position, const struct movelist *legal,
                          const struct movelist *shown, struct move_text *texts)
{
    struct listing listing;
    listing.position = position;
    note_pieces(&listing);
    note_sources(&listing, legal);
    note_checks(&listing);
    for (unsigned i = 0; i < shown->count; i++)
        write_text(&listing, shown->moves[i], &texts[i]);
}

/* ---- UCI ----------------------------------------------------------------------------------------------- */

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
