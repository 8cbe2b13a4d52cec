#include "api/view_move.h"

#include "api/view_position.h"

/* A name of a piece in quotes, or null. */
struct piece_word {
    char text[8]; /* copied whole, and counted as far as it goes */
    uint8_t length;
};

static char *put_piece(char *at, enum piece_type type)
{
    static const struct piece_word WORDS[PIECE_COUNT] = {
        [PIECE_NONE] = {"null", 4},         [PIECE_PAWN] = {"\"pawn\"", 6},
        [PIECE_KNIGHT] = {"\"knight\"", 8}, [PIECE_BISHOP] = {"\"bishop\"", 8},
        [PIECE_ROOK] = {"\"rook\"", 6},     [PIECE_QUEEN] = {"\"queen\"", 7},
        [PIECE_KING] = {"\"king\"", 6},
    };
    (void)put_bytes(at, WORDS[type].text, sizeof WORDS[type].text);
    return at + WORDS[type].length;
}

static char *put_castling(char *at, const struct move_facts *facts)
{
    if (!facts->castling)
        return put_literal(at, ",\"castling\":null,\"rook\":null");
    if (facts->side == CASTLING_KINGSIDE)
        at = put_literal(at, ",\"castling\":\"kingside\",\"rook\":{\"from\":\"");
    else
        at = put_literal(at, ",\"castling\":\"queenside\",\"rook\":{\"from\":\"");
    at = put_square(at, facts->rook_from);
    at = put_literal(at, "\",\"to\":\"");
    at = put_square(at, facts->rook_to);
    return put_literal(at, "\"}");
}

static char *put_capture(char *at, const struct move_facts *facts)
{
    if (facts->captured == PIECE_NONE)
        return put_literal(at, ",\"captured\":null,\"captured_square\":null");
    at = put_literal(at, ",\"captured\":");
    at = put_piece(at, facts->captured);
    at = put_literal(at, ",\"captured_square\":\"");
    at = put_square(at, facts->captured_square);
    *at = '"';
    return at + 1;
}

char *put_move_facts(char *at, const struct move_facts *facts)
{
    at = put_literal(at, ",\"from\":\"");
    at = put_square(at, facts->from);
    at = put_literal(at, "\",\"to\":\"");
    at = put_square(at, facts->to);
    at = put_literal(at, "\",\"piece\":");
    at = put_piece(at, facts->piece);
    at = put_capture(at, facts);
    at = put_literal(at, ",\"promotion\":");
    at = put_piece(at, facts->promotion);
    at = put_castling(at, facts);
    at = put_literal(at, ",\"en_passant\":");
    return put_bool(at, facts->en_passant);
}

char *put_check(char *at, bool check, bool mate)
{
    at = put_literal(at, ",\"gives_check\":");
    at = put_bool(at, check);
    at = put_literal(at, ",\"gives_mate\":");
    return put_bool(at, mate);
}

/* From "san" to "zeroing". */
static void view_what(struct writer *json, const struct move_view *view)
{
    struct move_facts facts = position_move_facts(view->before, view->move);
    char *at = json_begin(json, "san", MOVE_NAMES_BYTES + MOVE_FACTS_BYTES);
    if (!at)
        return;
    *at++ = '"';
    at += notation_format_san_with(view->before, view->move, view->after, at);
    char mark = at[-1];
    at = put_literal(at, "\",\"uci\":\"");
    at += notation_format_uci(view->before, view->move, at);
    *at++ = '"';
    at = put_move_facts(at, &facts);
    at = put_check(at, mark == '+' || mark == '#', mark == '#');
    at = put_literal(at, ",\"zeroing\":");
    writer_wrote(json, put_bool(at, facts.zeroing));
}

static void view_time(struct writer *json, const char *key, int64_t ms)
{
    if (ms == MOVE_TIME_NONE)
        json_null(json, key);
    else
        json_int(json, key, ms);
}

/* What the log knows of the move. */
static void view_record(struct writer *json, const struct move_view *view)
{
    view_time(json, "clock_ms", view->clock_ms);
    view_time(json, "spent_ms", view->spent_ms);
    if (view->played_at_ms)
        json_time(json, "played_at", view->played_at_ms);
    else
        json_null(json, "played_at");
    json_string(json, "comment", view->comment);
}

void view_move(struct writer *json, const char *key, const struct move_view *view)
{
    json_object_begin(json, key);
    json_int(json, "ply", view->ply);
    json_int(json, "number", view->before->fullmove_number);
    json_word(json, "color", fen_color_name(position_turn(view->before)));
    view_what(json, view);
    view_fen(json, "fen", view->after, view->en_passant);
    json_hex64(json, "position_key", view->after->key);
    json_int(json, "repetition_count", view->repetition);
    view_record(json, view);
    json_object_end(json);
}
