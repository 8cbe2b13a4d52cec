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

void view_legal_name(struct writer *json, const struct position *position, move m)
{
    char san[NOTATION_SAN_SIZE], uci[NOTATION_UCI_SIZE];
    size_t san_length = notation_format_san(position, m, san);
    size_t uci_length = notation_format_uci(position, m, uci);
    json_object_begin(json, NULL);
    json_string_n(json, "san", san, san_length);
    json_string_n(json, "uci", uci, uci_length);
    json_object_end(json);
}

/* What the text has not found out already is in the bits of the move. */
static struct move_facts facts_of(const struct position *position, move m, const struct move_text *text)
{
    if (move_kind(m) != MOVE_NORMAL)
        return position_move_facts(position, m);
    return (struct move_facts){
        .piece = (enum piece_type)text->piece,
        .captured = (enum piece_type)text->captured,
        .from = move_from(m),
        .to = move_to(m),
        .captured_square = move_to(m),
    };
}

static char *put_entry(char *at, const struct position *position, move m, const struct move_text *text)
{
    struct move_facts facts = facts_of(position, m, text);
    at = put_literal(at, "{\"san\":\"");
    (void)put_bytes(at, text->san, sizeof text->san); /* whole, and counted as far as it goes */
    at = put_literal(at + text->length, "\",\"uci\":\"");
    at += notation_format_uci(position, m, at);
    *at++ = '"';
    at = put_move_facts(at, &facts);
    at = put_check(at, text->check, text->mate);
    *at = '}';
    return at + 1;
}

/* The lists that a position needs, too large to be cleared with each. */
struct legal_lists {
    struct movelist legal, shown;
    struct move_text texts[MOVELIST_MAX];
};

/* Room for all entries at once, and a comma behind each. */
static void view_moves(struct writer *json, const struct position *position, const struct legal_lists *lists)
{
    enum { ENTRY_BYTES = MOVE_NAMES_BYTES + MOVE_FACTS_BYTES };
    unsigned count = lists->shown.count;
    json_array_begin(json, "moves");
    char *at = count ? writer_reserve(json, (size_t)count * ENTRY_BYTES) : NULL;
    for (unsigned i = 0; at && i < count; i++) {
        at = put_entry(at, position, lists->shown.moves[i], &lists->texts[i]);
        *at++ = ',';
    }
    if (at)
        writer_wrote(json, at - 1);
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

static void view_text(struct writer *text, const struct legal_lists *lists)
{
    for (unsigned i = 0; i < lists->shown.count; i++) {
        if (i)
            writer_char(text, ' ');
        writer_bytes(text, lists->texts[i].san, lists->texts[i].length);
    }
    writer_char(text, '\n');
}

void view_legal(struct exchange *exchange, const struct position *position, const struct legal_filter *filter)
{
    struct writer *out = &exchange->out;
    struct legal_lists lists;
    select_moves(position, filter, &lists.legal, &lists.shown);
    bool named = exchange->format == FORMAT_TEXT || !query_has(exchange, QUERY_GROUP);
    if (named)
        notation_format_list(position, &lists.legal, &lists.shown, lists.texts);
    if (exchange->format == FORMAT_TEXT) {
        view_text(out, &lists);
        return;
    }
    json_object_begin(out, NULL);
    view_fen(out, "fen", position, query_en_passant(exchange));
    json_word(out, "turn", fen_color_name(position_turn(position)));
    json_int(out, "count", lists.shown.count);
    if (named)
        view_moves(out, position, &lists);
    else
        view_dests(out, position, &lists.shown);
    json_object_end(out);
}
