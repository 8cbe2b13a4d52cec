#include "api/query.h"

#include <string.h>

#include "api/exchange.h"
#include "api/nearest.h"
#include "api/picture_style.h"
#include "api/problem.h"
#include "api/scalar.h"
#include "api/setup_input.h"
#include "api/text.h"
#include "api/tickets.h"
#include "api/unknown_field.h"
#include "api/view_board.h"
#include "games/game.h"
#include "rules/pgn_read.h"

enum query_type { TYPE_TEXT, TYPE_INTEGER, TYPE_BOOL, TYPE_WORD, TYPE_SQUARE, TYPE_TIME };

struct parameter_row {
    const char *name;
    enum query_type type;
    bool repeats; /* given several times it is a list, with commas */
    int64_t min, max;
    size_t min_limit, max_limit; /* offsets in struct api_limits of what these are, where not 0 */
    const char *const *words;
};

#define WORDS(...)                                                                                           \
    .type = TYPE_WORD, .words = (const char *const[])                                                        \
    {                                                                                                        \
        __VA_ARGS__, NULL                                                                                    \
    }
#define LIMIT(member) .max_limit = offsetof(struct api_limits, member)

static const struct parameter_row ROWS[QUERY_COUNT] = {
    [QUERY_FEN] = {"fen", .type = TYPE_TEXT},
    [QUERY_MOVES] = {"moves", .type = TYPE_TEXT},
    [QUERY_VARIANT] = {"variant", .type = TYPE_WORD, .words = setup_variant_words},
    [QUERY_FROM] = {"from", .type = TYPE_SQUARE},
    [QUERY_TO] = {"to", .type = TYPE_SQUARE},
    [QUERY_PIECE] =
        {"piece",
         WORDS([PIECE_NONE] = "", [PIECE_PAWN] = "pawn", [PIECE_KNIGHT] = "knight", [PIECE_BISHOP] = "bishop",
               [PIECE_ROOK] = "rook", [PIECE_QUEEN] = "queen", [PIECE_KING] = "king")},
    [QUERY_PLY] = {"ply", .type = TYPE_INTEGER, .max = GAME_PLIES_LIMIT},
    [QUERY_GROUP] = {"group", WORDS("dests")},
    [QUERY_DEPTH] = {"depth", .type = TYPE_INTEGER, LIMIT(perft_depth)},
    [QUERY_DIVIDE] = {"divide", .type = TYPE_BOOL},
    [QUERY_FEN_EP] = {"fen_ep", WORDS([FEN_EN_PASSANT_LEGAL] = "legal", [FEN_EN_PASSANT_ALWAYS] = "always")},
    [QUERY_ORIENTATION] = {"orientation", WORDS([COLOR_WHITE] = "white", [COLOR_BLACK] = "black")},
    [QUERY_STYLE] = {"style",
                     WORDS([BOARD_ASCII] = "ascii", [BOARD_UNICODE] = "unicode", [BOARD_LIST] = "list")},
    [QUERY_COORDINATES] = {"coordinates", .type = TYPE_BOOL},
    [QUERY_STATUS] = {"status", .type = TYPE_WORD, .words = game_status_words},
    /* As long as imported names. */
    [QUERY_PLAYER] = {"player", .type = TYPE_TEXT, .max = PGN_TAG_VALUE_MAX},
    [QUERY_SINCE] = {"since", .type = TYPE_TIME},
    [QUERY_UNTIL] = {"until", .type = TYPE_TIME},
    [QUERY_ORDER] = {"order", WORDS([QUERY_ORDER_ASC] = "asc", [QUERY_ORDER_DESC] = "desc")},
    [QUERY_LIMIT] = {"limit", .type = TYPE_INTEGER, .min = 1, LIMIT(page_maximum)},
    [QUERY_CURSOR] = {"cursor", .type = TYPE_TEXT, .max = 64},
    [QUERY_FROM_PLY] = {"from_ply", .type = TYPE_INTEGER, .max = GAME_PLIES_LIMIT},
    [QUERY_MIN_COUNT] = {"min_count", .type = TYPE_INTEGER, .min = 1, .max = GAME_PLIES_LIMIT},
    [QUERY_VALIDATE_ONLY] = {"validate_only", .type = TYPE_BOOL},
    [QUERY_PROMOTION] = {"promotion", WORDS("auto")},
    [QUERY_COMMENTS] = {"comments", .type = TYPE_BOOL},
    [QUERY_TAGS] = {"tags", .type = TYPE_BOOL},
    [QUERY_CLOCKS] = {"clocks", .type = TYPE_BOOL},
    [QUERY_DEAD_POSITION] = {"dead_position", .type = TYPE_WORD, .words = game_dead_words},
    [QUERY_FIVEFOLD] = {"fivefold", .type = TYPE_BOOL},
    [QUERY_SEVENTYFIVE] = {"seventyfive", .type = TYPE_BOOL},
    [QUERY_VISIBILITY] = {"visibility",
                          WORDS([VISIBILITY_PUBLIC] = "public", [VISIBILITY_UNLISTED] = "unlisted")},
    [QUERY_SIZE] = {"size", .type = TYPE_INTEGER, .min_limit = offsetof(struct api_limits, board_size_min),
                    LIMIT(board_size_max)},
    [QUERY_THEME] = {"theme", .type = TYPE_WORD, .words = picture_theme_words},
    [QUERY_CHECK] = {"check", .type = TYPE_BOOL},
    [QUERY_LAST_MOVE] = {"last_move", .type = TYPE_TEXT},
    [QUERY_ARROWS] = {"arrows", .type = TYPE_TEXT},
    [QUERY_SQUARES] = {"squares", .type = TYPE_TEXT},
    [QUERY_TARGETS] = {"targets", .type = TYPE_SQUARE},
    [QUERY_AFTER] = {"after", .type = TYPE_TEXT},
    [QUERY_WAIT] = {"wait", .type = TYPE_INTEGER, LIMIT(poll_wait_s)},
    [QUERY_GAME] = {"game", .type = TYPE_TEXT, .repeats = true},
    [QUERY_TICKET] = {"ticket", .type = TYPE_TEXT, .max = TICKET_TEXT_MAX},
};

static int64_t minimum(const struct exchange *exchange, const struct parameter_row *row)
{
    if (row->min_limit == 0)
        return row->min;
    return api_limit_at(&exchange->api->settings.limits, row->min_limit);
}

static int64_t maximum(const struct exchange *exchange, const struct parameter_row *row)
{
    if (row->max_limit == 0)
        return row->max;
    return api_limit_at(&exchange->api->settings.limits, row->max_limit);
}

static void refuse_word(struct exchange *exchange, const struct parameter_row *row)
{
    const char *words = scalar_words(exchange->arena, row->words);
    if (words)
        problem_parameter(exchange, row->name, "%s must be one of: %s.", row->name, words);
    else
        problem_out_of_memory(exchange);
}

static void refuse_value(struct exchange *exchange, const struct parameter_row *row)
{
    switch (row->type) {
    case TYPE_TEXT:
        problem_parameter(exchange, row->name, "%s may be at most %lld bytes long.", row->name,
                          (long long)maximum(exchange, row));
        break;
    case TYPE_INTEGER:
        problem_parameter(exchange, row->name, "%s must be a whole number from %lld to %lld.", row->name,
                          (long long)minimum(exchange, row), (long long)maximum(exchange, row));
        break;
    case TYPE_BOOL:
        problem_parameter(exchange, row->name, "%s must be true or false.", row->name);
        break;
    case TYPE_WORD:
        refuse_word(exchange, row);
        break;
    case TYPE_SQUARE:
        problem_parameter(exchange, row->name, "%s must be a square, a1 to h8.", row->name);
        break;
    case TYPE_TIME:
        problem_parameter(exchange, row->name,
                          "%s must be a date or an RFC 3339 time, such as 2026-01-31T12:00:00Z.", row->name);
        break;
    }
}

static bool read_bool(const struct query_value *value, int64_t *integer)
{
    bool truth = false;
    if (!scalar_bool(value->text, value->length, &truth))
        return false;
    *integer = truth;
    return true;
}

static bool read_word(const struct query_value *value, const char *const *words, int64_t *integer)
{
    int word = 0;
    if (!scalar_word(value->text, value->length, words, &word))
        return false;
    *integer = word;
    return true;
}

static bool read_square(const struct query_value *value, int64_t *integer)
{
    square s = SQUARE_NONE;
    if (!scalar_square(value->text, value->length, &s))
        return false;
    *integer = s;
    return true;
}

static bool read_value(const struct exchange *exchange, const struct parameter_row *row,
                       struct query_value *value)
{
    int64_t most = maximum(exchange, row);
    switch (row->type) {
    case TYPE_TEXT:
        return most == 0 || value->length <= (size_t)most;
    case TYPE_INTEGER:
        return scalar_integer(value->text, value->length, &value->integer) &&
               value->integer >= minimum(exchange, row) && value->integer <= most;
    case TYPE_BOOL:
        return read_bool(value, &value->integer);
    case TYPE_WORD:
        return read_word(value, row->words, &value->integer);
    case TYPE_SQUARE:
        return read_square(value, &value->integer);
    case TYPE_TIME:
        return scalar_time(value->text, value->length, &value->integer);
    }
    return false;
}

static void refuse_name(struct exchange *exchange, const char *name, uint64_t allowed)
{
    struct unknown_field unknown = {.what = "query parameter", .name = name, .parameter = name};
    for (int i = 0; i < QUERY_COUNT; i++) {
        if (allowed >> i & 1u)
            unknown.nearest = nearest_of(name, unknown.nearest, ROWS[i].name);
    }
    unknown_field_refuse(exchange, &unknown);
}

/* QUERY_COUNT: no such parameter. */
static int find_parameter(const char *name, uint64_t allowed)
{
    int i = 0;
    while (i < QUERY_COUNT && (!(allowed >> i & 1u) || strcmp(ROWS[i].name, name) != 0))
        i++;
    return i;
}

static bool decode(struct exchange *exchange, const char *text, size_t length, const char **decoded,
                   size_t *decoded_length)
{
    enum text_decode_status status =
        text_decode(exchange->arena, text, length, TEXT_QUERY, decoded, decoded_length);
    if (status == TEXT_NO_MEMORY)
        problem_out_of_memory(exchange);
    else if (status != TEXT_DECODED)
        problem_replyf(exchange, PROBLEM_MALFORMED_REQUEST, "The query cannot be read. %s",
                       text_decode_fault(status));
    return status == TEXT_DECODED;
}

static bool take_value(struct exchange *exchange, int parameter, const char *text, size_t length)
{
    struct query *query = &exchange->query;
    struct query_value value = {0};
    bool again = query->given >> parameter & 1u;
    if (again && !ROWS[parameter].repeats) {
        problem_parameter(exchange, ROWS[parameter].name, "%s is given more than once.",
                          ROWS[parameter].name);
        return false;
    }
    if (!decode(exchange, text, length, &value.text, &value.length))
        return false;
    text_trim(&value.text, &value.length);
    value.text = again ? arena_printf(exchange->arena, "%s,%.*s", query->values[parameter].text,
                                      (int)value.length, value.text)
                       : arena_copy(exchange->arena, value.text, value.length);
    if (!value.text)
        return problem_no_memory(exchange);
    value.length = strlen(value.text);
    if (!read_value(exchange, &ROWS[parameter], &value)) {
        refuse_value(exchange, &ROWS[parameter]);
        return false;
    }
    query->given |= UINT64_C(1) << parameter;
    query->values[parameter] = value;
    return true;
}

/* "name=value", undecoded. */
static bool take_pair(struct exchange *exchange, const char *pair, size_t length, uint64_t allowed)
{
    const char *equals = memchr(pair, '=', length);
    size_t name_length = equals ? (size_t)(equals - pair) : length, ignored;
    const char *name;
    if (!decode(exchange, pair, name_length, &name, &ignored))
        return false;
    if (strncmp(name, "x_", 2) == 0)
        return true;
    int parameter = find_parameter(name, allowed);
    if (parameter == QUERY_COUNT) {
        refuse_name(exchange, name, allowed);
        return false;
    }
    size_t from = equals ? name_length + 1 : length;
    return take_value(exchange, parameter, pair + from, length - from);
}

bool query_read(struct exchange *exchange, const char *text, uint64_t allowed)
{
    while (text && *text) {
        size_t length = strcspn(text, "&");
        if (length && !take_pair(exchange, text, length, allowed))
            return false;
        text += length + (text[length] == '&');
    }
    return true;
}

bool query_has(const struct exchange *exchange, enum query_parameter parameter)
{
    return (exchange->query.given >> parameter & 1u) != 0;
}

const char *query_text(const struct exchange *exchange, enum query_parameter parameter)
{
    return exchange->query.values[parameter].text;
}

int64_t query_integer(const struct exchange *exchange, enum query_parameter parameter, int64_t otherwise)
{
    return query_has(exchange, parameter) ? exchange->query.values[parameter].integer : otherwise;
}

bool query_bool(const struct exchange *exchange, enum query_parameter parameter, bool otherwise)
{
    return query_integer(exchange, parameter, otherwise) != 0;
}

int64_t query_limit(const struct exchange *exchange)
{
    const struct api_limits *limits = &exchange->api->settings.limits;
    int64_t usual = limits->page_default < limits->page_maximum ? limits->page_default : limits->page_maximum;
    return query_integer(exchange, QUERY_LIMIT, usual);
}

enum fen_en_passant query_en_passant(const struct exchange *exchange)
{
    return (enum fen_en_passant)query_integer(exchange, QUERY_FEN_EP, FEN_EN_PASSANT_LEGAL);
}

const char *query_name(enum query_parameter parameter)
{
    return ROWS[parameter].name;
}
