#include "api/view_legal.h"

#include "api/exchange.h"
#include "api/view_move.h"
#include "api/view_position.h"

struct legal_filter legal_filter_of(const struct exchange *exchange)
{
    return (struct legal_filter){
        .from = (square)query_integer(exchange, QUERY_FROM, SQUARE_NONE),
        .to = (square)query_integer(exchange, QUERY_TO, SQUARE_NONE),
        .piece = (enum piece_type)query_integer(exchange, QUERY_PIECE, PIECE_NONE),
    };
}

static bool fits(const struct legal_filter *filter, const struct position *position, move m)
{
    if (filter->from != SQUARE_NONE && filter->from != move_from(m))
        return false;
    if (filter->piece != PIECE_NONE && filter->piece != position_piece_at(position, move_from(m)))
        return false;
    if (filter->to == SQUARE_NONE || filter->to == move_to(m))
        return true;
    return move_kind(m) == MOVE_CASTLING && filter->to == position_move_facts(position, m).to;
}

/* The legal moves that fit, in `shown`; all of them stay in `legal`, which SAN needs. */
static void select_moves(const struct position *position, const struct legal_filter *filter,
                         struct movelist *legal, struct movelist *shown)
{
    legal->count = 0;
    shown->count = 0;
    movegen_legal(position, legal);
    for (unsigned i = 0; i < legal->count && !filter->none; i++) {
        if (fits(filter, position, legal->moves[i]))
            shown->moves[shown->count++] = legal->moves[i];
    }
}

static size_t format_san(const struct position *position, const struct movelist *legal, move m,
                         char san[NOTATION_SAN_SIZE])
{
    struct position after;
    position_play(position, m, &after);
    return notation_format_san_with(position, legal, m, &after, san);
}

/* san and uci as members of the open object; returns the last character of the SAN: its mark. */
static char view_names(struct writer *json, const struct position *position, const struct movelist *legal,
                       move m)
{
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    size_t san_length = format_san(position, legal, m, san);
    json_string_n(json, "san", san, san_length);
    size_t uci_length = notation_format_uci(position, m, uci);
    json_string_n(json, "uci", uci, uci_length);
    return san[san_length - 1];
}

void view_legal_name(struct writer *json, const struct position *position, const struct movelist *legal,
                     move m)
{
    json_object_begin(json, NULL);
    view_names(json, position, legal, m);
    json_object_end(json);
}

static void view_entry(struct writer *json, const struct position *position, const struct movelist *legal,
                       move m)
{
    struct move_facts facts = position_move_facts(position, m);
    json_object_begin(json, NULL);
    char mark = view_names(json, position, legal, m);
    view_move_facts(json, &facts);
    json_bool(json, "gives_check", mark == '+' || mark == '#');
    json_bool(json, "gives_mate", mark == '#');
    json_object_end(json);
}

static void view_moves(struct writer *json, const struct position *position, const struct movelist *legal,
                       const struct movelist *shown)
{
    json_array_begin(json, "moves");
    for (unsigned i = 0; i < shown->count; i++)
        view_entry(json, position, legal, shown->moves[i]);
    json_array_end(json);
}

static void view_dests(struct writer *json, const struct position *position, const struct movelist *shown)
{
    bitboard dests[SQUARE_COUNT] = {0};
    for (unsigned i = 0; i < shown->count; i++)
        dests[move_from(shown->moves[i])] |= bit(notation_uci_target(position, shown->moves[i]));
    json_object_begin(json, "dests");
    for (unsigned from = 0; from < SQUARE_COUNT; from++) {
        char name[3];
        fen_format_square((square)from, name);
        if (dests[from])
            view_squares(json, name, dests[from]);
    }
    json_object_end(json);
}

static void view_text(struct writer *text, const struct position *position, const struct movelist *legal,
                      const struct movelist *shown)
{
    for (unsigned i = 0; i < shown->count; i++) {
        char san[NOTATION_SAN_SIZE];
        size_t length = format_san(position, legal, shown->moves[i], san);
        if (i)
            writer_char(text, ' ');
        writer_bytes(text, san, length);
    }
    writer_char(text, '\n');
}

void view_legal(struct exchange *exchange, const struct position *position, const struct legal_filter *filter)
{
    struct writer *out = &exchange->out;
    struct movelist legal, shown;
    select_moves(position, filter, &legal, &shown);
    if (exchange->format == FORMAT_TEXT) {
        view_text(out, position, &legal, &shown);
        return;
    }
    json_object_begin(out, NULL);
    view_fen(out, "fen", position, query_en_passant(exchange));
    json_string(out, "turn", fen_color_name(position_turn(position)));
    json_int(out, "count", shown.count);
    if (query_has(exchange, QUERY_GROUP))
        view_dests(out, position, &shown);
    else
        view_moves(out, position, &legal, &shown);
    json_object_end(out);
}
