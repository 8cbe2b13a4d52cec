#include "api/view_move.h"

#include "api/view_position.h"

static const char *piece_name(enum piece_type type)
{
    return type == PIECE_NONE ? NULL : fen_piece_name(type);
}

static void view_castling(struct writer *json, const struct move_facts *facts)
{
    static const char *const SIDES[CASTLING_COUNT] = {"kingside", "queenside"};
    json_string(json, "castling", facts->castling ? SIDES[facts->side] : NULL);
    if (!facts->castling) {
        json_null(json, "rook");
        return;
    }
    json_object_begin(json, "rook");
    view_square(json, "from", facts->rook_from);
    view_square(json, "to", facts->rook_to);
    json_object_end(json);
}

void view_move_facts(struct writer *json, const struct move_facts *facts)
{
    view_square(json, "from", facts->from);
    view_square(json, "to", facts->to);
    json_string(json, "piece", piece_name(facts->piece));
    json_string(json, "captured", piece_name(facts->captured));
    view_square(json, "captured_square", facts->captured_square);
    json_string(json, "promotion", piece_name(facts->promotion));
    view_castling(json, facts);
    json_bool(json, "en_passant", facts->en_passant);
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
    struct move_facts facts = position_move_facts(view->before, view->move);
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    size_t san_length = notation_format_san(view->before, view->move, san);
    size_t uci_length = notation_format_uci(view->before, view->move, uci);
    char mark = san[san_length - 1];
    json_object_begin(json, key);
    json_int(json, "ply", view->ply);
    json_int(json, "number", view->before->fullmove_number);
    json_string(json, "color", fen_color_name(position_turn(view->before)));
    json_string_n(json, "san", san, san_length);
    json_string_n(json, "uci", uci, uci_length);
    view_move_facts(json, &facts);
    json_bool(json, "gives_check", mark == '+' || mark == '#');
    json_bool(json, "gives_mate", mark == '#');
    json_bool(json, "zeroing", facts.zeroing);
    view_fen(json, "fen", view->after, view->en_passant);
    json_hex64(json, "position_key", view->after->key);
    json_int(json, "repetition_count", view->repetition);
    view_record(json, view);
    json_object_end(json);
}
