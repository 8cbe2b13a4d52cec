#include "api/view_position.h"

#include "rules/ending.h"
#include "rules/key.h"
#include "rules/movegen.h"

void view_fen(struct writer *json, const char *key, const struct position *position,
              enum fen_en_passant en_passant)
{
    char *at = json_begin(json, key, FEN_SIZE + 2);
    if (!at)
        return;
    *at++ = '"';
    at += fen_format(position, en_passant, at);
    *at++ = '"';
    writer_wrote(json, at);
}

void view_square(struct writer *json, const char *key, square s)
{
    char *at = json_begin(json, key, sizeof "null");
    if (!at)
        return;
    if (s == SQUARE_NONE) {
        writer_wrote(json, put_literal(at, "null"));
        return;
    }
    *at++ = '"';
    at = put_square(at, s);
    *at++ = '"';
    writer_wrote(json, at);
}

void view_squares(struct writer *json, const char *key, bitboard squares)
{
    json_array_begin(json, key);
    while (squares)
        view_square(json, NULL, bitboard_pop(&squares));
    json_array_end(json);
}

const char *view_position_status(const struct position *position, unsigned legal_moves)
{
    static const char *const NAMES[ENDING_COUNT] = {
        [ENDING_NONE] = "ongoing",
        [ENDING_CHECKMATE] = "checkmate",
        [ENDING_STALEMATE] = "stalemate",
        [ENDING_DEAD_POSITION] = "dead_position",
    };
    /* Repetition and the count of moves end games, not positions. */
    static const struct ending_rules BOARD_ONLY = {.dead = ENDING_DEAD_EXACT};
    return NAMES[ending_judge(position, legal_moves, 1, &BOARD_ONLY).first];
}

static void view_castling(struct writer *json, const struct position *position)
{
    char castling[FEN_CASTLING_SIZE];
    fen_format_castling(position, castling);
    json_word(json, "castling", castling);
}

void view_position(struct writer *json, const struct position_view *view)
{
    const struct position *position = view->position;
    unsigned legal_moves = movegen_count(position);
    bitboard checkers = position_checkers(position);
    view_fen(json, "fen", position, view->en_passant);
    json_word(json, "turn", fen_color_name(position_turn(position)));
    json_int(json, "ply", view->ply);
    json_int(json, "fullmove_number", position->fullmove_number);
    json_int(json, "halfmove_clock", position->halfmove_clock);
    view_castling(json, position);
    view_square(json, "en_passant",
                view->en_passant == FEN_EN_PASSANT_ALWAYS ? position->double_step : position->en_passant);
    json_bool(json, "check", checkers != 0);
    view_squares(json, "checkers", checkers);
    json_int(json, "legal_move_count", legal_moves);
    json_hex64(json, "position_key", position->key);
    json_word(json, "key_scheme", KEY_SCHEME);
    json_hex64(json, "polyglot_key", key_polyglot(position));
    json_int(json, "repetition_count", view->repetition);
    json_word(json, "status", view_position_status(position, legal_moves));
}
